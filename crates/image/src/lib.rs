//! Image computation for models of software, after Wang, Yang, Ivančić and Gupta: *Disjunctive image computation for embedded
//! software verification* (DATE 2006).
//!
//! | module | owns |
//! |---|---|
//! | [`partition`] | Section 6: a hypergraph cut into parts; knows nothing of programs |

pub mod partition;
