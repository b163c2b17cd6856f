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
//! | [`disjunctive`] | Sections 4 and 5: clusters of blocks, images, traversals, traces |
//! | [`partition`] | Section 6: a hypergraph cut into parts; knows nothing of programs |
//! | [`stats`] | sizes of a model |

pub mod circuit;
pub mod disjunctive;
pub mod export;
pub mod model;
pub mod partition;
pub mod pdr;
pub mod space;
pub mod stats;
