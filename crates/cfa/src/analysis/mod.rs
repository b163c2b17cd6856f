//! Analyses of automata: what engines want to know before they start.
//!
//! | module | answers |
//! |---|---|
//! | [`graph`], [`order`], [`scc`] | plain graphs, reverse post-order, strongly connected components |
//! | [`dominators`] | which locations lie on every path |
//! | [`loops`] | loop nesting forest and weak topological order |
//! | [`sparse`] | sets of indices |
//! | [`uses`] | variables and loads of each expression |
//! | [`liveness`] | variables whose value still matters |
//! | [`points_to`] | objects and functions that a pointer may point to |
//! | [`callgraph`] | who calls whom, recursion, bottom-up order |
//! | [`modref`] | globals and memory that a call may read or write |
//! | [`classify`] | how each variable is used, for its encoding |
//! | [`stats`] | sizes of a program |
//!
//! Architecture invariants: an analysis reads the program and never changes it; none recurses over a graph (functions
//! of 100,000 locations are common in generated code); no result depends on the iteration order of a hash map.

mod index;

pub mod callgraph;
pub mod dominators;
pub mod graph;
pub mod liveness;
pub mod loops;
pub mod modref;
pub mod order;
pub mod points_to;
pub mod scc;
pub mod sparse;
pub mod uses;

#[cfg(test)]
mod testing;
