//! Configurable program analysis (CPA).
//!
//! Beyer, Henzinger, Théoduloz: *Configurable Software Verification: Concretizing the Convergence of Model Checking and
//! Program Analysis*, CAV 2007; summarised in Beyer and Stahlbauer, *BDD-Based Software Model Checking with CPAchecker*,
//! Section 2, whose Algorithm 1 [`algorithm`] implements.
//!
//! | the paper | here |
//! |---|---|
//! | CPA 𝔻 = (D, ⇝, merge, stop, prec) | [`Analysis`] |
//! | control-flow edge g, transfer e ⇝ᵍ e′ | [`Step`], [`Analysis::transfer`] |
//! | location analysis 𝕃 | [`control::Location`] |
//! | composite: ⇝×, merge×, stop×, strengthen ↓, compare ⪯ | [`Product`] of two data analyses, [`Reduction`] |
//! | composition with 𝕃 | [`Composite`]: location × call stack × data |
//! | the meaning of g | [`Effect`] |
//! | `reached`, `waitlist`, Algorithm 1 | [`Arg`], [`Waitlist`], [`explore`] |
//! | `reached` with one state per location | [`locationwise`], over the [`Supergraph`] |
//!
//! What the papers leave open, such as the order of exploration, is a [`Strategy`].
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
pub mod lazy;
pub mod locationwise;
mod product;
mod strategy;
mod supergraph;
mod waitlist;

pub use algorithm::{Event, Exploration, Run, explore};
pub use analysis::{Analysis, Merge, Prec, Step};
pub use approximations::{Approximation, Approximations};
pub use arg::{Arg, Contribution, ExpansionId, Node, StateId, Status};
pub use composite::{Composite, State};
pub use effect::{Effect, Frame, Guard, Memory, Value};
pub use product::{Product, Reduction, Unreduced};
pub use strategy::{Partition, Plain, Strategy};
pub use supergraph::{LinkId, NodeId, Supergraph};
pub use waitlist::{Order, Waitlist};
