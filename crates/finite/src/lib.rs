//! A finite-state model of C's variables: sets of states and steps between them as decision diagrams.
//!
//! | module | owns |
//! |---|---|
//! | [`encoding`] | how many bits a variable takes, by its class, and what they mean; current and next bits |
//! | [`mod@order`] | the order of variables |
//! | [`model`] | the diagrams, the encoding, what is known of the program; values of variables in sets |
//! | `values` | expressions as vectors of Boolean functions, each built once |
//! | `relation` | `x = e` as a relation between the bits of `e`'s variables and those of `x` |
//! | [`transition`] | the effect of a step, ready to be applied: images and preimages |
//!
//! Only variables have bits: pointers, floats and memory do not, and whatever depends on them is over-approximated and
//! noted in [`Model::approximations`]. All activations of a function share one copy of its variables; where recursion
//! makes a difference, that is noted too. Everything else is exact.
//!
//! Architecture invariant: no analysis and no algorithm here. Who explores what, in which order, and which sets are kept,
//! is the caller's business; so the BDD-based analysis and image computation share it.

pub mod encoding;
pub mod model;
pub mod order;
mod relation;
pub mod transition;
mod values;

pub use encoding::{Code, Encoding, Meaning};
pub use model::Model;
pub use order::order;
pub use relation::Side;
pub use transition::Transition;

use robusto_diagram::Full;
use robusto_limits::Stopped;

/// The store of nodes is full.
fn full(_: Full) -> Stopped {
    Stopped::Memory
}
