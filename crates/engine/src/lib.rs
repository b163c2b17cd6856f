//! Properties, engines and verdicts.
//!
//! A [`Property`] becomes error edges of the automaton ([`property::instrument`]); an engine decides which of them can be
//! reached; every `false` is replayed by the interpreter ([`replay`]) before it is said, and every `true` comes with a
//! [`Certificate`] that [`certify`] checks. The result is a [`Report`].
//!
//! Architecture invariant: engines know nothing of files, flags or formats; they poll [`Limits`] and tell [`Progress`].

mod addresses;
pub mod auto;
pub mod bdd;
pub mod bmc;
mod border;
pub mod cegar;
pub mod certificate;
pub mod certify;
pub mod kind;
mod limits;
mod phases;
mod problem;
pub mod property;
mod recorder;
mod relations;
pub mod replay;
pub mod test;
mod unroll;
mod verdict;

pub use certificate::Certificate;
pub use limits::{Limits, Progress, resident_memory};
pub use problem::Problem;
pub use property::{Property, Target};
pub use verdict::{
    Assignment, Certification, Counterexample, Finding, Invariant, Phase, Reason, Report, StepKind, TraceLine, Verdict,
    Write,
};
