//! What the oracle proves, as formulas: small sets, one state after the other.

use super::{Explored, Frame, bit};
use crate::certificate::{Builder, ProcedureProof, Proof, Relation, loop_heads, unchanged};
use crate::facts::Facts;
use crate::program::{Formula, NodeId, ProcId, Term, VarId};
use std::collections::BTreeSet;

/// Most literals of a proof: 20 MB of text. Who needs more has diagrams.
const MOST_LITERALS: usize = 2_000_000;

impl Explored<'_> {
    /// Why nothing was found, after a search that came to its end with the states of live variables; `None` if that would be
    /// too long.
    pub fn proof(&self, facts: &Facts) -> Option<Proof> {
        let mut proof = Proof::default();
        let mut room = MOST_LITERALS;
        let ids: BTreeSet<ProcId> = self.entries.iter().map(|entry| entry.procedure).collect();
        for id in ids {
            let procedure = self.program.procedure(id);
            let inputs = facts.entry(self.program, id);
            let entered = self.relation(id, procedure.entry, Frame::MAX, 0);
            let entries = formula(&entered, &inputs, &[], &mut room)?;
            let mut at = |node: NodeId| {
                let changed = facts.changed(id);
                let same = unchanged(self.program, id, |var| changed.contains(var), node == procedure.exit);
                let live: Vec<VarId> = facts.live(id, node).iter().filter(|var| !same.contains(var)).collect();
                let set = self.relation(id, node, Frame::MAX, live.iter().fold(0, |mask, &var| mask | bit(var)));
                Some(Relation { same, formula: formula(&set, &inputs, &live, &mut room)? })
            };
            let heads = loop_heads(self.program, id).into_iter();
            let heads = heads.map(|node| Some((node, at(node)?))).collect::<Option<_>>()?;
            let summary = at(procedure.exit)?;
            proof.procedures.insert(id, ProcedureProof { entries, heads, summary });
        }
        Some(proof)
    }
}

/// A set of pairs as a disjunction over the states at the entry, each with the states now.
fn formula(pairs: &BTreeSet<(Frame, Frame)>, inputs: &[VarId], now: &[VarId], room: &mut usize) -> Option<Formula> {
    *room = room.checked_sub(pairs.len() * (inputs.len() + now.len()))?;
    let mut builder = Builder::new();
    let mut roots = Vec::new();
    let mut pairs = pairs.iter().peekable();
    while let Some(&(entry, first)) = pairs.next() {
        let mut states = vec![cube(&mut builder, Term::Next, now, first, None)];
        while let Some(&(_, state)) = pairs.next_if(|(other, _)| *other == entry) {
            states.push(cube(&mut builder, Term::Next, now, state, None));
        }
        let states = builder.add(Term::Or(states.into()));
        roots.push(cube(&mut builder, Term::Var, inputs, entry, Some(states)));
    }
    let root = builder.add(Term::Or(roots.into()));
    Some(builder.formula(root))
}

/// The values of variables in a frame, and something else that holds.
fn cube(builder: &mut Builder, leaf: fn(VarId) -> Term, vars: &[VarId], frame: Frame, also: Option<u32>) -> u32 {
    let mut literals: Vec<u32> = Vec::with_capacity(vars.len() + 1);
    for &var in vars {
        let value = builder.add(leaf(var));
        literals.push(if frame & bit(var) != 0 { value } else { builder.add(Term::Not(value)) });
    }
    literals.extend(also);
    builder.add(Term::And(literals.into()))
}
