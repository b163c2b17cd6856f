//! Bit-precise logic: hash-consed terms, bit-blasting, SAT, unsat cores, interpolation.

pub mod craig;
