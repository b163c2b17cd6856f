//! Verdicts to what people read.
//!
//! Architecture invariant: this crate sees verdicts, never an engine at work, and does no I/O.

mod path;
mod source;
mod style;
mod text;

pub use source::Sources;
pub use style::Style;
pub use text::{TraceLength, result_line, text};
