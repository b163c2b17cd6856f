//! Craig interpolation: why a conjunction of formulas is unsatisfiable, as facts between them.
//!
//! - [`interpolants`]: clauses in partitions → sequence of interpolants as Boolean functions, from one SAT proof.

mod absorb;
mod clauses;
mod dag;
mod mcmillan;
mod proof;

pub use clauses::{ClauseId, Clauses, Partition};
pub use dag::Dag;
pub use mcmillan::{Sequence, interpolants};
