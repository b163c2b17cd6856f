//! Craig interpolation: why a conjunction of formulas is unsatisfiable, as facts between them.
//!
//! - [`interpolants`]: clauses in partitions → sequence of interpolants as Boolean functions, from one SAT proof.
//! - [`sequence`]: terms → sequence of interpolants as terms, lifted from bits to words where a template matches.
//! - [`sliced`]: conditions of a path → the few that contradict each other; weakest preconditions do the rest.

mod absorb;
mod clauses;
mod dag;
mod lift;
mod mcmillan;
mod proof;
mod sequence;
mod sliced;
mod templates;

pub use clauses::{ClauseId, Clauses, Partition};
pub use dag::Dag;
pub use mcmillan::{Sequence, Strength, interpolants};
pub use sequence::{Error, sequence, sequence_of};
pub use sliced::sliced;
