//! Where an analysis is not exact.

use crate::Step;
use robusto_cfa::ir::{EdgeId, FuncId, Program, SrcPos};
use std::collections::BTreeMap;

/// An edge that an analysis over-approximates.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Approximation {
    /// Where.
    pub pos: SrcPos,
    /// What is lost.
    pub what: &'static str,
}

/// The edges that an analysis has over-approximated, each with the first thing that was lost there.
#[derive(Clone, Default, Debug)]
pub struct Approximations {
    edges: BTreeMap<(FuncId, EdgeId), Approximation>,
}

impl Approximations {
    /// Notes that a step is not exact.
    pub fn note(&mut self, program: &Program, step: Step, what: &'static str) {
        let pos = step.edge(program).pos;
        self.edges.entry(step.edge_ref()).or_insert(Approximation { pos, what });
    }

    /// All of them, in the order of the program.
    pub fn iter(&self) -> impl Iterator<Item = &Approximation> {
        self.edges.values()
    }

    /// Whether every step was exact.
    pub fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }
}
