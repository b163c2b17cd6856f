//! Numeric domains of bit-vectors, and of ideal integers.
//!
//! | domain | elements | trait |
//! |---|---|---|
//! | [`Interval`] | values of one variable: bounds and a congruence | [`Lattice`] |
//! | [`Boxes`] | an interval for each variable | [`Lattice`], [`Numeric`] |
//! | [`Affine`] | equations between variables modulo 2^w | [`Lattice`], [`Numeric`] |
//! | [`Equations`] | affine equations modulo 2^w between integers, and bounds of variables | [`Lattice`], [`Ideal`] |
//! | [`Ranges`] | bounds of variables over the integers | [`Lattice`], [`Ideal`] |
//! | [`Octagon`] | bounds of ±x ± y over the integers | [`Lattice`], [`Ideal`] |
//! | [`Polyhedron`] | linear inequalities over the integers | [`Lattice`], [`Ideal`] |
//! | [`Unrelated`] | all points or none | [`Lattice`], [`Ideal`] |
//! | [`Machine`] | machine integers: boxes, and one of the ideal domains | [`Lattice`] |
//!
//! Architecture invariant: a domain knows values and operators, nothing of programs, locations or CPA.

pub mod affine;
pub mod blocks;
pub mod environment;
pub mod ideal;
pub mod interval;
mod lattice;
#[cfg(test)]
mod laws;
pub mod machine;
mod modular;
pub mod numeric;
pub mod octagon;
pub mod polyhedron;
mod ranges;
mod unrelated;

pub use affine::{Affine, Equations};
pub use blocks::Blocks;
pub use environment::{Boxes, Environment};
pub use ideal::{Constraint, Ideal, Order, Sum};
pub use interval::Interval;
pub use lattice::{Lattice, Thresholds};
pub use machine::Machine;
pub use numeric::{Comparison, Condition, Linear, Numeric};
pub use octagon::Octagon;
pub use polyhedron::Polyhedron;
pub use ranges::Ranges;
pub use unrelated::Unrelated;
