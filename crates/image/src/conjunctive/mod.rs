//! Conjunctive image computation: the methods for hardware that the paper compares with, on the same model.
//!
//! Each bit of the state, those of the program counter included, has a relation `y ↔ δ(X, P, W)`. Sinks and codes that are no
//! location's keep everything, also the counter: read literally, Table 1 of the paper sends them to location 0.
//!
//! | module | owns |
//! |---|---|
//! | `bits` | the relations of bits |
//! | `part` | conjunctions of them, their variables, and when joining two is worth while |
//! | `iwls95` | Ranjan, Aziz, Brayton, Plessier and Pixley: *Efficient BDD algorithms for FSM synthesis and verification* (IWLS 1995) |
//! | `mlp` | Moon, Hachtel and Somenzi: *Border-block triangular form and conjunction schedule in image computation* (FMCAD 2000) |
//! | `chain` | images by one product after the other, variables quantified behind the last part that has them |
//! | `per_variable` | Barner and Rabinovitz: *Efficient symbolic model checking of software using partial disjunctive partitioning* (CHARME 2003) |
//! | `rings` | the search, frame by frame |

mod bits;
mod chain;
mod iwls95;
mod mlp;
mod part;
mod per_variable;
mod rings;

pub(crate) use rings::explore;

/// What can be chosen.
#[derive(Clone, Debug)]
pub struct Options {
    /// How the relations of bits are arranged.
    pub arrangement: Arrangement,
    /// Relations of bits are joined up to this many nodes.
    pub cluster_limit: usize,
    /// Whether the relation sets words to zero that are dead at its target. Then nothing else is done about dead words.
    pub reset_dead: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { arrangement: Arrangement::Mlp, cluster_limit: 5000, reset_dead: false }
    }
}

/// How the relations of bits are arranged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arrangement {
    /// As one relation.
    Monolithic,
    /// By the benefit of the next one (IWLS 1995).
    Iwls95,
    /// So that variables live for a short time (minimum lifetime permutation).
    Mlp,
    /// As a union over the sets of variables that change together.
    PerVariable,
}
