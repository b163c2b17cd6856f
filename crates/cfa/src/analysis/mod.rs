//! Analyses of automata: what engines want to know before they start.
//!
//! | module | answers |
//! |---|---|
//! | [`graph`], [`order`], [`scc`] | plain graphs, reverse post-order, strongly connected components |
//! | [`loops`] | loop nesting forest and weak topological order |
//! | [`large`] | large blocks: sequences and choices of operations as one edge |
//! | [`sparse`] | sets of indices |
//! | [`uses`] | variables and loads of each expression |
//! | [`liveness`] | variables whose value still matters |
//! | [`points_to`] | objects and functions that a pointer may point to |
//! | [`callgraph`] | who calls whom, recursion, bottom-up order |
//! | [`modref`] | globals and memory that a call may read or write |
//! | [`classify`] | how each variable is used, for its encoding |
//! | [`dependencies`] | which variables belong side by side in a variable order |
//! | [`stats`] | sizes of a program |
//!
//! Architecture invariants: an analysis reads the program and never changes it; none recurses over a graph (functions
//! of 100,000 locations are common in generated code); no result depends on the iteration order of a hash map.

mod index;

pub mod callgraph;
pub mod classify;
pub mod dependencies;
pub mod graph;
pub mod large;
pub mod liveness;
pub mod loops;
pub mod modref;
pub mod order;
pub mod points_to;
pub mod scc;
pub mod sparse;
pub mod stats;
pub mod uses;

#[cfg(test)]
mod testing;

use crate::ir::Program;
use callgraph::CallGraph;
use classify::Classes;
use modref::ModRef;
use points_to::PointsTo;
use uses::Uses;

/// The analyses of whole programs, each built on the ones before it.
#[derive(Debug)]
pub struct Analyses {
    /// What expressions read.
    pub uses: Uses,
    /// What pointers point to, unknown ones to the outside.
    pub points_to: PointsTo,
    /// Who calls whom.
    pub calls: CallGraph,
    /// What calls read and write.
    pub modref: ModRef,
    /// How variables are used.
    pub classes: Classes,
}

impl Analyses {
    /// Runs them.
    pub fn of(program: &Program) -> Self {
        let uses = Uses::of(program);
        let points_to = PointsTo::of(program, &uses);
        let calls = CallGraph::of(program, &points_to);
        let modref = ModRef::of(program, &uses, &points_to, &calls);
        let classes = Classes::of(program, &uses, &calls);
        Self { uses, points_to, calls, modref, classes }
    }
}
