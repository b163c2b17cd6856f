//! Verification witnesses in YAML, version 2.0: what others need to check a verdict.
//!
//! | module | does |
//! |---|---|
//! | `format` | the witness as data, and the readers |
//! | `write` | a witness from a report, and as YAML |
//! | `index`, `walk`, `first`, `scan` | the places of a C file that witnesses speak of |
//! | `instrument`, `expression` | expressions of a witness in the text of a program |
//! | `validate`, `correctness`, `violation`, `arrive` | whether a witness is true |
//!
//! Architecture invariant: no I/O, and no engine by name; the caller brings one ([`Engine`]).

mod arrive;
mod correctness;
mod expression;
mod first;
mod format;
mod index;
mod instrument;
mod scan;
mod validate;
mod violation;
mod walk;
mod write;

pub use format::{
    Content, Invariant, Location, Metadata, Segment, Waypoint, WaypointKind, Witness, read, read_leniently,
};
pub use index::Index;
pub use validate::{Engine, Hint, Question, Task, Validation, changed, validate};
pub use write::{hash, render, uuid, witness};
