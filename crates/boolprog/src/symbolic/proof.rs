//! Path edges as formulas of a certificate.

use super::{PathId, Symbolic};
use crate::certificate::{Builder, Relation, unchanged};
use crate::program::{self, Formula, NodeId, ProcId, VarId};
use robusto_limits::Stopped;
use robusto_logic::{Sort, Symbol, Term, qbf};
use rustc_hash::{FxHashMap, FxHashSet};

impl Symbolic<'_> {
    /// The states that some path edges enter a procedure with.
    pub fn entries_formula(&mut self, id: ProcId, paths: &[PathId]) -> Result<Option<Formula>, Stopped> {
        self.union(id, paths, &[])
    }

    /// The pairs of some path edges to a node.
    pub fn relation(&mut self, id: ProcId, node: NodeId, paths: &[PathId]) -> Result<Option<Relation>, Stopped> {
        let at_exit = node == self.program.procedure(id).exit;
        let changed = self.facts.changed(id);
        let same = unchanged(self.program, id, |var| changed.contains(var), at_exit);
        let live: Vec<VarId> = self.facts.live(id, node).iter().filter(|var| !same.contains(var)).collect();
        Ok(self.union(id, paths, &live)?.map(|formula| Relation { same, formula }))
    }

    /// The states at the entry, and the values of these variables with them.
    fn union(&mut self, id: ProcId, paths: &[PathId], live: &[VarId]) -> Result<Option<Formula>, Stopped> {
        let inputs = self.facts.entry(self.program, id);
        let mut leaves: FxHashMap<Symbol, program::Term> = FxHashMap::default();
        let mut leaf = |symbolic: &mut Self, meaning: program::Term| -> Term {
            let term = symbolic.terms.fresh("v", Sort::BOOL);
            leaves.extend(symbolic.terms.as_symbol(term).map(|symbol| (symbol, meaning)));
            term
        };
        let at_entry: Vec<Term> = inputs.iter().map(|&var| leaf(self, program::Term::Var(var))).collect();
        let now: Vec<Term> = live.iter().map(|&var| leaf(self, program::Term::Next(var))).collect();
        let limits = self.limits.clone();
        let mut any = self.terms.no();
        for &path in paths {
            let path = self.edge(path).clone();
            let values = path.entry.iter().copied().chain(live.iter().map(|var| path.now[var.index()]));
            let values: Vec<Term> = values.collect();
            let mut member = path.guard;
            for (&variable, &value) in at_entry.iter().chain(&now).zip(&values) {
                let equal = self.terms.eq(variable, value);
                member = self.terms.and(member, equal);
            }
            let choices: FxHashSet<Symbol> =
                self.symbols_of(&[member]).into_iter().filter(|symbol| !leaves.contains_key(symbol)).collect();
            let member = qbf::without_definitions(&mut self.terms, &choices, member, &limits)?;
            any = self.terms.or(any, member);
        }
        let mut choices: FxHashMap<Symbol, u32> = FxHashMap::default();
        let mut builder = Builder::new();
        let root = builder.add_logic(&self.terms, any, |symbol| {
            let next = choices.len() as u32;
            let choice = || program::Term::Choice(*choices.entry(symbol).or_insert(next));
            Some(leaves.get(&symbol).cloned().unwrap_or_else(choice))
        });
        Ok(root.map(|root| builder.formula(root)))
    }
}
