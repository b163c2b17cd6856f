//! What the rounds of a search have cost.

use robusto_diagram::{Bdd, Diagrams};
use std::time::{Duration, Instant};

/// A round of a search.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// How long it took, without the counting of nodes.
    pub time: Duration,
    /// Nodes that are not garbage after it.
    pub live: usize,
    /// Most of them so far.
    pub peak: usize,
    /// Nodes of all reached sets after it.
    pub reached: usize,
    /// Nodes of the largest product on the way to an image.
    pub largest: usize,
}

/// Sets that were copied from one store to another.
#[derive(Clone, Copy, Default, Debug)]
pub struct Transfers {
    /// How many.
    pub count: usize,
    /// Their nodes.
    pub nodes: usize,
    /// How long that took.
    pub time: Duration,
}

/// The rounds of a search. They belong to the caller, who so knows them of a search that was stopped, too.
#[derive(Default)]
pub struct Steps<'o> {
    /// How many there were.
    pub rounds: usize,
    /// Nodes of the largest product.
    pub largest: usize,
    /// Most nodes that were not garbage: with a product, or at the end of a round.
    pub peak: usize,
    /// Copies from store to store, if there are many.
    pub transfers: Transfers,
    /// Is told of each round. Counting the nodes of sets takes time, so it is done only then.
    observer: Option<&'o mut dyn FnMut(&Step)>,
    /// The largest product of this round.
    product: usize,
    /// How many nodes, with garbage, make the next look worth while.
    look_at: usize,
    begin: Option<Instant>,
}

/// A look at the live nodes takes as long as there are live nodes; within a round, there is one each time that the nodes with
/// garbage have grown by a quarter.
const GROWTH: (usize, usize) = (5, 4);

impl<'o> Steps<'o> {
    /// With somebody who is told of each round.
    pub fn with(observer: Option<&'o mut dyn FnMut(&Step)>) -> Self {
        Self { observer, ..Self::default() }
    }

    /// A round begins.
    pub(crate) fn begin(&mut self) {
        self.product = 0;
        self.begin = Some(Instant::now());
    }

    /// A product on the way to an image.
    pub(crate) fn product(&mut self, diagrams: &Diagrams, product: &Bdd) {
        let size = diagrams.node_count(product);
        self.product = self.product.max(size);
        self.largest = self.largest.max(size);
        let nodes = diagrams.statistics().nodes;
        if nodes > self.look_at {
            self.peak = self.peak.max(diagrams.live_nodes());
            self.look_at = self.peak.max(nodes * GROWTH.0 / GROWTH.1);
        }
    }

    /// A set of so many nodes was copied from one store to another.
    pub(crate) fn transfer(&mut self, nodes: usize, time: Duration) {
        self.transfers.count += 1;
        self.transfers.nodes += nodes;
        self.transfers.time += time;
    }

    /// The round is over, and this is what has been reached.
    pub(crate) fn end<'b>(&mut self, diagrams: &Diagrams, reached: impl IntoIterator<Item = &'b Bdd>) {
        self.end_of(&[diagrams], || reached.into_iter().map(|set| diagrams.node_count(set)).sum());
    }

    /// The round is over, with these stores, and sets of so many nodes have been reached.
    pub(crate) fn end_of(&mut self, stores: &[&Diagrams], reached: impl FnOnce() -> usize) {
        let time = self.begin.take().map_or(Duration::ZERO, |begin| begin.elapsed());
        self.rounds += 1;
        let nodes: usize = stores.iter().map(|diagrams| diagrams.statistics().nodes).sum();
        // Where not even the garbage makes more nodes than the peak, there is nothing to count.
        if self.observer.is_some() || nodes > self.peak {
            let live = stores.iter().map(|diagrams| diagrams.live_nodes()).sum();
            self.peak = self.peak.max(live);
            if let Some(observer) = &mut self.observer {
                observer(&Step { time, live, peak: self.peak, reached: reached(), largest: self.product });
            }
        }
        self.look_at = self.peak;
    }
}
