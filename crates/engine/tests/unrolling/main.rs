//! Bounded model checking, k-induction and their interval invariants.

mod bmc;
mod interval;
mod kind;
mod support;
