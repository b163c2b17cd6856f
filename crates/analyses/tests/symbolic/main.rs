//! The effects of steps and their symbolic encoding, against the interpreter and against brute force.

mod effects;
mod follow;
mod merged;
mod programs;
mod random;
mod replay;
