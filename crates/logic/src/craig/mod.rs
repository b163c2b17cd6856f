//! Craig interpolation: why a conjunction of formulas is unsatisfiable, as facts between them.
//!
//! - [`interpolants`]: clauses in partitions → sequence of interpolants as Boolean functions, from one SAT proof.
//! - [`sequence`]: terms → sequence of interpolants as terms, lifted from bits to words where a template matches.
//! - [`sliced`]: conditions of a path → the few that contradict each other; weakest preconditions do the rest.
//!
//! ```
//! use robusto_limits::Limits;
//! use robusto_logic::craig::sequence;
//! use robusto_logic::{Sort, Terms};
//!
//! let mut terms = Terms::new();
//! let [x, y] = ["x", "y"].map(|name| terms.symbol(name, Sort::Bits(32)));
//! let path = [terms.ult(x, y), terms.ule(y, x)];
//! let facts = sequence(&mut terms, &path, &Limits::none())?.expect("a contradiction");
//! assert_eq!(terms.display(facts[0]).to_string(), "x <u y");
//! # Ok::<(), robusto_logic::craig::Error>(())
//! ```
//!
//! Architecture invariants: proofs never leave this module, and an interpolant is exactly what a proof says; whether it
//! makes a good predicate is for the caller to judge.

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
