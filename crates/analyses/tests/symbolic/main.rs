//! The symbolic encoding against the interpreter and against brute force.

mod follow;
mod merged;
mod programs;
mod random;
mod replay;
