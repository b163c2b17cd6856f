//! Craig interpolation: why a conjunction of formulas is unsatisfiable, as facts between them.
//!
//! - [`interpolants`]: clauses in partitions → sequence of interpolants as Boolean functions, from one SAT proof.

mod absorb;
mod clauses;
mod dag;
mod mcmillan;
mod proof;

pub use clauses::{ClauseId, Clauses, Partition};
pub use dag::{Dag, Edge, Gate};
pub use mcmillan::{Sequence, interpolants};

/// The caller asked to stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;
