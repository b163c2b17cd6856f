//! Concrete execution of control-flow automata.
//!
//! [`Code`] is a program in a form that executes fast; a [`Machine`] executes it from `main` to an [`Outcome`]. The
//! machine asks [`Inputs`] for every nondeterministic value, and tells an [`Observer`] what happens, step by step. So it
//! serves as the oracle in tests, replays counterexamples value by value, and is what `robusto run` runs.
//!
//! Architecture invariant: no operator has its meaning here; it is [`robusto_cfa::ir::fold`]'s. Nothing that a program
//! does makes the machine panic, and C's call stack is not Rust's. Output goes to writers that the caller provides.

mod code;
mod eval;
pub mod inputs;
mod machine;
mod memory;
mod observer;
mod outcome;
pub mod show;
mod trace;

pub use code::Code;
pub use inputs::Inputs;
pub use machine::{Config, InvalidPolicy, Machine, NoMain, Stopper, Streams, View};
pub use memory::layout::{Area, Layout};
pub use memory::{Access, InvalidAccess, Memory, Problem, Target, What};
pub use observer::{Change, Observer, Silent};
pub use outcome::{EdgeRef, Outcome, Undefined};
pub use trace::Trace;
