//! Image computation for models of software, after Wang, Yang, Ivančić and Gupta: *Disjunctive image computation for embedded
//! software verification* (DATE 2006).
//!
//! | module | owns |
//! |---|---|
//! | [`model`] | Section 3: words, locations, blocks as parallel assignments; which words are live |
//! | [`circuit`] | the model as gates |
//! | [`pdr`] | property-directed reachability on the model |
//! | [`export`] | the model for other model checkers |
//! | [`space`] | the variables of decision diagrams, gates as functions of them |
//! | [`search`] | what all methods to find the reachable states share: options, what they tell |
//! | `exits`, `trace` | single exits as relations; from a target back to the start |
//! | [`steps`] | what rounds have cost |
//! | [`disjunctive`] | Sections 4 and 5: clusters of blocks, images, traversals |
//! | [`partition`] | Section 6: a hypergraph cut into parts; knows nothing of programs |
//! | [`stats`] | sizes of a model |

pub mod circuit;
pub mod disjunctive;
mod exits;
pub mod export;
pub mod model;
pub mod partition;
pub mod pdr;
pub mod search;
pub mod space;
pub mod stats;
pub mod steps;
mod trace;
