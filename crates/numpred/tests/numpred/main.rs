//! Tests of the combined domain: the paper's programs, soundness against enumeration, the traps in the paper's text.

mod programs;
mod setup;
mod soundness;
mod traps;
