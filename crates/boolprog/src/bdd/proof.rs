//! What the diagrams prove, as formulas: entries, loop heads and summaries of the procedures that were entered.

use super::{Result, Solver};
use crate::certificate::{Builder, ProcedureProof, Proof, Relation, loop_heads, unchanged};
use crate::program::{Formula, NodeId, ProcId, Term, VarId};
use robusto_diagram::{Bdd, VarIndex};

impl Solver<'_> {
    /// Why nothing was found, after a search that came to its end.
    pub fn proof(&self) -> Result<Proof> {
        let mut proof = Proof::default();
        for (id, procedure) in self.program.numbered() {
            let entered = &self.reached[id.index()][procedure.entry.index()].all;
            if self.diagrams.is_false(entered) {
                continue;
            }
            let now: Vec<VarIndex> = self.changeable(id).map(|var| self.encoding.now(id, var)).collect();
            let entries = self.diagrams.exists(entered, &self.diagrams.cube(&now)?)?;
            let entries = self.formula(id, &entries);
            let heads = loop_heads(self.program, id).into_iter();
            let heads = heads.map(|node| (node, self.relation_at(id, node, false))).collect();
            let summary = self.relation_at(id, procedure.exit, true);
            proof.procedures.insert(id, ProcedureProof { entries, heads, summary });
        }
        Ok(proof)
    }

    /// The variables whose values now say nothing of those at the entry: all but parameters and globals that stay the same.
    fn changeable(&self, id: ProcId) -> impl Iterator<Item = VarId> {
        (0..self.program.frame_size(id)).map(|i| VarId(i as u32)).filter(move |&var| !self.is_kept(id, var))
    }

    fn relation_at(&self, id: ProcId, node: NodeId, at_exit: bool) -> Relation {
        let changed = self.facts.changed(id);
        let same = unchanged(self.program, id, |var| changed.contains(var), at_exit);
        Relation { same, formula: self.formula(id, &self.reached[id.index()][node.index()].all) }
    }

    /// A set as a formula. What cannot change has one copy, which is the value at the entry.
    fn formula(&self, id: ProcId, set: &Bdd) -> Formula {
        let mut builder = Builder::new();
        let [yes, no] = [true, false].map(|value| builder.add(Term::Const(value)));
        let root = self.diagrams.fold(set, yes, no, |var, high, low| {
            let leaf = match self.encoding.meaning(id, var) {
                (var, true) => Term::Var(var),
                (var, false) if self.is_kept(id, var) => Term::Var(var),
                (var, false) => Term::Next(var),
            };
            let condition = builder.add(leaf);
            if (high, low) == (yes, no) { condition } else { builder.add(Term::Ite(condition, high, low)) }
        });
        builder.formula(root)
    }

    fn is_kept(&self, id: ProcId, var: VarId) -> bool {
        let inputs = self.program.globals.len() + self.program.procedure(id).formals as usize;
        var.index() < inputs && !self.facts.changed(id).contains(var)
    }
}
