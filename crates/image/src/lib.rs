//! Image computation for models of software, after Wang, Yang, Ivančić and Gupta: *Disjunctive image computation for embedded
//! software verification* (DATE 2006).
//!
//! | module | owns |
//! |---|---|
//! | [`model`] | Section 3: words, locations, blocks as parallel assignments; which words are live |
//! | [`circuit`] | the model as gates |
//! | [`pdr`] | property-directed reachability on the model |
//! | [`partition`] | Section 6: a hypergraph cut into parts; knows nothing of programs |

pub mod circuit;
pub mod model;
pub mod partition;
pub mod pdr;
