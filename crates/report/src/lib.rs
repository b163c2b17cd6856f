//! Verdicts to what people read.
//!
//! Architecture invariant: this crate sees verdicts, never an engine at work, and does no I/O.

mod allocations;
mod diagnostic;
mod families;
mod github;
mod harness;
mod html;
mod json;
mod junit;
mod path;
mod sarif;
mod source;
mod style;
mod text;

pub use diagnostic::{Diagnostic, DiagnosticPlace};
pub use github::{github, github_error};
pub use harness::{HarnessDriver, HarnessTask, harness};
pub use html::{Page, Pictures, html};
pub use json::{RunInfo, json, json_error};
pub use junit::{junit, junit_error};
pub use sarif::{sarif, sarif_error};
pub use source::Sources;
pub use style::Style;
pub use text::{TraceLength, result_line, text};
