//! Directed graphs in compressed rows: what order, loops and components are computed on.

use crate::ir::{Function, Idx, LocId};
use std::marker::PhantomData;

/// A directed graph; the successors of a node keep the order in which the edges were given.
#[derive(Clone, Debug)]
pub struct Graph<I> {
    first: Vec<u32>,
    targets: Vec<u32>,
    index: PhantomData<fn(I)>,
}

impl<I: Idx> Graph<I> {
    /// The graph with nodes `0..nodes` and these edges.
    pub fn new(nodes: usize, edges: impl Iterator<Item = (I, I)> + Clone) -> Self {
        let mut first = vec![0u32; nodes + 1];
        for (src, _) in edges.clone() {
            first[src.index() + 1] += 1;
        }
        for node in 0..nodes {
            first[node + 1] += first[node];
        }
        let mut next = first.clone();
        let mut targets = vec![0; first[nodes] as usize];
        for (src, dst) in edges {
            let slot = &mut next[src.index()];
            targets[*slot as usize] = dst.index() as u32;
            *slot += 1;
        }
        Self { first, targets, index: PhantomData }
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.first.len() - 1
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All nodes.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + Clone + use<I> {
        (0..self.len()).map(I::new)
    }

    /// All edges, sorted by source.
    pub fn edges(&self) -> impl Iterator<Item = (I, I)> + Clone {
        (0..self.len()).flat_map(|node| self.row(node).iter().map(move |&dst| (I::new(node), I::new(dst as usize))))
    }

    /// The targets of a node's edges.
    pub fn successors(&self, node: I) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator {
        self.row(node.index()).iter().map(|&dst| I::new(dst as usize))
    }

    /// Every edge turned around.
    pub fn reversed(&self) -> Self {
        Self::new(self.len(), self.edges().map(|(src, dst)| (dst, src)))
    }

    /// The successors as bare numbers.
    pub(super) fn row(&self, node: usize) -> &[u32] {
        &self.targets[self.first[node] as usize..self.first[node + 1] as usize]
    }
}

impl Graph<LocId> {
    /// The locations of a function.
    pub fn of(function: &Function) -> Self {
        Self::new(function.num_locs(), function.edges().iter().map(|e| (e.src, e.dst)))
    }
}
