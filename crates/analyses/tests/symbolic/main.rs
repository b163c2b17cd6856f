//! The symbolic encoding against the interpreter and against brute force.

mod follow;
mod programs;
mod random;
