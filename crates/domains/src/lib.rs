//! Numeric lattices of bit-vectors.
//!
//! Architecture invariant: a domain knows values and operators, nothing of programs, locations or CPA.

pub mod affine;
pub mod interval;
mod laws;

pub use affine::Affine;
pub use interval::Interval;
