//! Disjunctive image computation (Sections 4 to 6 of the paper).
//!
//! | module | owns |
//! |---|---|
//! | `criterion` | what blocks share, as a hypergraph to be cut |
//! | `cluster` | blocks in clusters, each with one relation; the image of a set, handed out by location |
//! | `traversal` | in which order clusters are fired, and what is reached |
//! | `stores` | one store for all clusters, or one for each; copies between them |
//! | `backward` | pre-images of clusters: what leads to bad locations, and how |
//! | `combined` | searches from bad locations, or from both ends |
//!
//! Where the paper's text needs reading with care:
//!
//! - Section 5.1 leaves out `P ≡ j`: a cluster is the union of `P ≡ j ∧ Tj`. Inside a cluster, block j needs `y ↔ x` for the words
//!   that other blocks of the cluster assign and j does not.
//! - `D(X/Y)` is printed the wrong way round: nothing is renamed here for words that the relation does not have.
//! - Definition 2 forgets that an assignment kills; `model::live` has the usual notion.
//! - Figure 2 leaves out the renaming and the outer loop, and takes a location for a cluster.

mod backward;
mod cluster;
mod combined;
mod criterion;
mod stores;
mod traversal;

pub use cluster::Locality;
pub use combined::Direction;
pub use criterion::{Criterion, hypergraph};
pub use stores::Stores;
pub use traversal::Traversal;

use crate::exits::Exits;
use crate::partition;
use crate::search::{Reached, Run};
use robusto_limits::Stopped;

/// What can be chosen.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Where the search begins.
    pub direction: Direction,
    /// In which order clusters are fired.
    pub traversal: Traversal,
    /// Which words a relation has.
    pub locality: Locality,
    /// What a cut between clusters counts.
    pub criterion: Criterion,
    /// A cluster is cut in two as long as its blocks use more bits than this; 0 gives one block per cluster.
    pub threshold: usize,
    /// Whether clusters share a store.
    pub stores: Stores,
    /// How clusters are cut.
    pub partition: partition::Options,
}

/// Explores a model.
pub(crate) fn explore<'m>(
    exits: Exits<'m>,
    options: &Options,
    run: &mut Run<'_, '_>,
) -> Result<Box<dyn Reached + 'm>, Stopped> {
    Ok(match options.direction {
        Direction::Forward => Box::new(traversal::explore(exits, options, run)?),
        Direction::Backward | Direction::Both => Box::new(combined::explore(exits, options, run)?),
    })
}
