//! What a `true` of a Boolean program rests on, in a form that [`certify`](mod@crate::certify) checks without the engine.
//!
//! Per procedure that can be entered: which states enter it; at nodes that cut its cycles a relation between the state at its
//! entry and the state there; and a summary, which is such a relation at its exit. Summaries alone certify nothing where there
//! are loops: what holds in the middle of a loop cannot be computed from them without a fixed point.
//!
//! Formulas are those of the program ([`Formula`]) with the meaning that a constraint has there: [`Term::Var`](crate::program::Term::Var) is the value
//! before, here at the entry of the procedure, and [`Term::Next`](crate::program::Term::Next) the value behind, here where control is. [`Term::Choice`](crate::program::Term::Choice)s
//! are existential: the formula holds if it does for some of them. Diagrams need none, states as functions of choices do.
//!
//! [`text`] writes a proof down as a [`Certificate`](robusto_verdict::Certificate) and reads it back.

mod build;
mod formula;
pub mod text;

pub use build::Builder;

use crate::program::{Formula, NodeId, ProcId, Program, VarId};
use std::collections::BTreeMap;

/// Why no target is reached.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Proof {
    /// The procedures that can be entered.
    pub procedures: BTreeMap<ProcId, ProcedureProof>,
}

/// What is known of a procedure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProcedureProof {
    /// Which states enter it: a formula over the values of globals and parameters at the entry, and choices.
    pub entries: Formula,
    /// At nodes that cut every cycle of the procedure, over any of its variables now.
    pub heads: BTreeMap<NodeId, Relation>,
    /// At the exit, over globals and results there.
    pub summary: Relation,
}

/// A relation between a state at the entry of a procedure, of globals and parameters, and a state in the procedure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Relation {
    /// Variables whose values are the same in both. The formula could say so, too; but a check that knows it needs no
    /// second value for them.
    pub same: Vec<VarId>,
    /// What else holds.
    pub formula: Formula,
}

/// The variables of a relation that have the same value at the entry as now: those that a procedure cannot change, if
/// `changed` says what it may; of the summary only globals, since the caller sees no others.
pub fn unchanged(program: &Program, id: ProcId, changed: impl Fn(VarId) -> bool, at_exit: bool) -> Vec<VarId> {
    let formals = if at_exit { 0 } else { program.procedure(id).formals as usize };
    let seen = (0..program.globals.len() + formals).map(|i| VarId(i as u32));
    seen.filter(|&var| !changed(var)).collect()
}

/// Nodes that cut every cycle of a procedure: those that a search in depth from the entry comes back to.
pub fn loop_heads(program: &Program, id: ProcId) -> Vec<NodeId> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let procedure = program.procedure(id);
    let mut marks = vec![Mark::New; procedure.outgoing.len()];
    let mut heads = vec![false; procedure.outgoing.len()];
    let mut stack = vec![(procedure.entry, 0)];
    marks[procedure.entry.index()] = Mark::Open;
    while let Some((node, next)) = stack.last_mut() {
        match procedure.outgoing[node.index()].get(*next) {
            None => {
                marks[node.index()] = Mark::Done;
                stack.pop();
            }
            Some(&edge) => {
                *next += 1;
                let to = procedure.edge(edge).to;
                match marks[to.index()] {
                    Mark::New => {
                        marks[to.index()] = Mark::Open;
                        stack.push((to, 0));
                    }
                    Mark::Open => heads[to.index()] = true,
                    Mark::Done => {}
                }
            }
        }
    }
    (0..heads.len()).filter(|&i| heads[i]).map(|i| NodeId(i as u32)).collect()
}
