//! Verdicts to what people read.
//!
//! Architecture invariant: this crate sees verdicts, never an engine at work, and does no I/O.

mod harness;
mod html;
mod json;
mod path;
mod source;
mod style;
mod text;

pub use harness::{HarnessDriver, HarnessTask, harness};
pub use html::{Page, Pictures, html};
pub use json::{RunInfo, json, json_error};
pub use source::Sources;
pub use style::Style;
pub use text::{TraceLength, result_line, text};
