//! Decision diagrams: sets and relations of bit-vectors.
//!
//! A façade over the decision-diagram package OxiDD, so that engines see neither its types nor its locks. [`Diagrams`]
//! owns the nodes and offers the operations, [`Bdd`] is a function (a set of assignments), [`bits`] builds bit-vector
//! circuits, and [`Assignment`] is the image of `x = e`.
//!
//! Architecture invariant: no operation panics for lack of memory. Whatever builds nodes returns [`Full`] when the
//! store is exhausted even after a garbage collection, and leaves every existing function intact.

mod assignment;
pub mod bits;
mod diagrams;
mod inspect;
mod kernel;
mod renaming;
mod statistics;
mod store;

pub use assignment::Assignment;
pub use diagrams::{Bdd, Diagrams, VarIndex};
pub use renaming::Renaming;
pub use statistics::Statistics;
pub use store::{Full, StoreSize};
