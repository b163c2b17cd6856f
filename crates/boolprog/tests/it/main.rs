//! Tests of the crate as a whole.

mod certify;
mod corpus;
mod language;
mod oracle;
mod random;
mod support;
