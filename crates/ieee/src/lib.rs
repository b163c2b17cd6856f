//! Numbers of IEEE 754 by their bits: formats, sets of floats with the operators on them, remainders.
//!
//! The solver's propagation of bounds and the numeric domains compute with the same sets ([`Floats`]); neither may depend on the
//! other, so they stand here. The crate knows neither programs nor terms.
//!
//! Soundness of every operator is tested against the host's arithmetic on random sets and members.

mod backward;
mod compare;
mod exact;
mod extended;
mod format;
mod forward;
mod remainder;
mod set;
pub mod soft;
#[cfg(test)]
mod tests;
mod wide;

pub use compare::Comparison;
pub use exact::{Arithmetic, of_double, to_double};
pub use extended::{COMPACT, EXTENDED, compact, extended};
pub use format::{Format, Rounding};
pub use remainder::{fmod, remainder};
pub use set::Floats;
