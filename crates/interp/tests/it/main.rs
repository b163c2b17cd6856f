//! Tests that execute C programs.

mod outcomes;
mod programs;
mod support;
