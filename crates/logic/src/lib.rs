//! Bit-precise logic: hash-consed terms, bit-blasting, SAT, unsat cores, interpolation.

pub mod term;

pub use term::{ArrayValue, BinaryOp, Evaluator, Model, Node, Sort, Substitution, Symbol, Term, Terms};
