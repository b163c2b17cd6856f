//! Configurable program analysis (CPA).
//!
//! Beyer, Henzinger, Théoduloz: *Configurable Software Verification: Concretizing the Convergence of Model Checking and
//! Program Analysis*, CAV 2007; summarised in Beyer and Stahlbauer, *BDD-Based Software Model Checking with CPAchecker*,
//! Section 2, whose Algorithm 1 [`algorithm`] implements.
//!
//! | the paper | here |
//! |---|---|
//! | CPA 𝔻 = (D, ⇝, merge, stop) | [`Analysis`] |
//! | control-flow edge g, transfer e ⇝ᵍ e′ | [`Step`], [`Analysis::transfer`] |
//! | location analysis 𝕃 | [`control::Location`] |
//! | composition | [`Composite`]: location × call stack × data |
//! | the meaning of g | [`Effect`] |
//! | `reached`, `waitlist` | [`Arg`], [`Waitlist`] |
//!
//! Architecture invariant: nothing here knows a particular abstract domain, a property, or a verdict.

pub mod algorithm;
mod analysis;
mod approximations;
mod arg;
pub mod blocks;
mod composite;
pub mod control;
mod effect;
mod waitlist;

pub use algorithm::{Event, Exploration, Run, explore};
pub use analysis::{Analysis, Merge, Partition, Step, Stopped, Taken};
pub use approximations::{Approximation, Approximations};
pub use arg::{Arg, Contribution, ExpansionId, Node, StateId, Status};
pub use composite::{Composite, State};
pub use effect::{Effect, Frame, Guard, Memory, Value};
pub use waitlist::{Order, Waitlist};
