//! Tests of the crate as a whole.

mod corpus;
mod language;
mod oracle;
mod random;
mod support;
mod traps;
