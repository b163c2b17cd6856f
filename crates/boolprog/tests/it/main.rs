//! Tests of the crate as a whole.

mod language;
mod oracle;
mod random;
mod support;
