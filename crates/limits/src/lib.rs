//! What a run may spend, and what others may know of it while it runs.
//!
//! [`Limits`] go down to the solvers, which ask them whether to go on ([`Limits::poll`], [`Limits::look`]) and hand the
//! answer up as it is ([`Stopped`]): who stops knows why. [`Progress`] goes the other way.
//!
//! Architecture invariant: no file is read here, and no other crate of ours is used. How much memory is in use is told by a
//! function that the command line brings ([`Memory::used`]), and so is how much CPU time ([`Cpu::used`]).

mod floor;
mod limits;
mod progress;
mod stopped;

pub use floor::Floor;
pub use limits::{Cpu, Limits, Memory};
pub use progress::{Progress, Running};
pub use stopped::Stopped;
