//! Verdicts to what people read.
//!
//! Architecture invariant: this crate sees verdicts, never an engine at work, and does no I/O.

mod text;

pub use text::{TraceLength, result_line, text};
