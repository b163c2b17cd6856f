//! The question and the answer as data: property, target, verdict, counterexample, certificate, report.
//!
//! An engine fills a [`Report`]; the writers of text, JSON, harness and witness read it, and nothing else of the engine.
//!
//! Architecture invariant: nothing here knows an input language, an engine or a solver. Places are [`Place`]s in files that
//! have numbers, targets are edges that have numbers, values are text and bits: an automaton of C fills them, and so does a
//! Boolean program.

pub mod certificate;
pub mod certify;
mod counterexample;
mod place;
mod property;
mod report;
mod target;
mod verdict;

pub use certificate::Certificate;
pub use counterexample::{
    Allocation, Allocator, Assignment, Counterexample, Locals, StepKind, Stored, TraceLine, ValueKind, Write,
};
pub use place::Place;
pub use property::{Property, UnknownProperty};
pub use report::{Assumption, Certification, Contract, Finding, Invariant, Phase, Refuted, Report, Turn, Vacuity};
pub use target::{EdgeNumber, Target, Violation};
pub use verdict::{Reason, Verdict};
