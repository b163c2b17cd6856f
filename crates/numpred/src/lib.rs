//! NUMPREDDOM: predicates and numbers in one abstract state.
//!
//! Gurfinkel, Chaki: *Combining predicate and numeric abstraction for software model checking* (FMCAD 2008). [`Domain`] is the interface
//! (Figure 4), [`Transformer`] what can be applied to a value (Figure 5), [`Program`] a graph of transformers with its
//! fixpoint. Four data structures implement the interface (Table I), one of them in two ways:
//!
//! | name | values | here |
//! |---|---|---|
//! | NEXPOINT | 2^2^P × N | [`Nexpoint`] |
//! | NEX | 2^P → N, as pairs | [`Nex`] |
//! | MTNDD | 2^P → N, as a diagram | [`Mtndd`] with real terminals, [`Simulated`] with terms in their place |
//! | NDD | 2^P → 2^N | [`Ndd`] |
//!
//! Architecture invariant: this crate knows diagrams and numeric domains, and nothing of C programs, formulas or solvers.

mod counters;
pub mod domain;
mod expression;
pub mod fixpoint;
mod mtndd;
mod ndd;
mod nex;
mod nexpoint;
pub mod numbers;
mod pairs;
mod pool;
mod simulated;
mod space;
mod terms;
pub mod transformer;

pub use counters::{Counters, Meter};
pub use domain::{Base, Disjunct, Domain, Size};
pub use expression::Expression;
pub use fixpoint::{Edge, Place, Program};
pub use mtndd::Mtndd;
pub use ndd::Ndd;
pub use nex::Nex;
pub use nexpoint::Nexpoint;
pub use numbers::{Integers, Numbers, Value};
pub use pool::{NumId, Pool};
pub use simulated::Simulated;
pub use space::{Predicate, Side, Space};
pub use transformer::{Choice, Transformer};

use robusto_diagram::Full;
use robusto_limits::Stopped;

/// Why an operation has no result.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Halt {
    /// The store of diagrams is full.
    #[error(transparent)]
    Full(#[from] Full),
    /// A limit was reached.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}
