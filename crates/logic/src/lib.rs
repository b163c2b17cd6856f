//! Bit-precise logic: hash-consed terms, bit-blasting, SAT, unsat cores, interpolation.
//!
//! [`Terms`] is the pool of formulas, [`Solver`] decides them: terms become an and-inverter graph ([`blast`]), the part
//! of it that a query needs becomes clauses, CaDiCaL decides those, and lemmas about arrays are added on demand. Every
//! answer is exact; the only other outcome is that a limit was reached
//! ([`Stopped`](robusto_limits::Stopped)). [`qbf`] decides formulas with two quantifiers with two such solvers.

pub mod blast;
pub mod bounds;
pub mod craig;
pub mod decide;
pub mod qbf;
mod sets;
pub mod smt2;
pub mod solver;
pub mod term;

pub use decide::Decider;
pub use sets::DisjointSets;
pub use solver::{Answer, Gates, QueryLog, Solver, Statistics};
pub use term::{
    ArrayValue, BinaryOp, Evaluator, FloatKind, FloatOp, Model, Narrowed, Node, Rounding, Sort, Substitution, Symbol,
    Term, Terms,
};
