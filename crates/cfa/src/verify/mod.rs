//! Checks the invariants of a program.

pub(crate) mod typing;
