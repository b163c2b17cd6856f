//! The command line of Robusto.
fn main() {}
