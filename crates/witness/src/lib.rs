//! Verification witnesses in YAML, versions 2.0 and 2.1: what others need to check a verdict.
//!
//! | module | does |
//! |---|---|
//! | `format`, `read` | the witness as data, and the readers |
//! | `write`, `render` | a witness from a report, and as YAML |
//! | `index`, `walk`, `first`, `scan` | the places of a C file that witnesses speak of |
//! | `instrument`, `expression` | expressions of a witness in the text of a program |
//! | `validate`, `correctness`, `contract`, `violation`, `arrive` | whether a witness is true |
//!
//! Architecture invariant: no I/O, and no engine by name; the caller brings one ([`Engine`]).

mod arrive;
mod contract;
mod correctness;
mod expression;
mod first;
mod format;
mod index;
mod instrument;
mod read;
mod render;
mod scan;
mod validate;
mod violation;
mod walk;
mod write;

pub use format::{
    Claims, Content, Contract, Invariant, Location, Metadata, Segment, Version, Waypoint, WaypointKind, Witness,
};
pub use index::Index;
pub use read::{read, read_leniently};
pub use render::render;
pub use validate::{Engine, Hint, Question, Task, Validation, changed, validate};
pub use write::{hash, uuid, witness};
