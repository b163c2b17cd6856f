//! Small graphs and automata for the tests of the analyses.

use super::graph::Graph;
use crate::ir::{Idx, IdxVec, LocId};

/// A small pseudo-random generator (xorshift64*), so that tests repeat.
pub struct Rng(u64);

impl Rng {
    /// A generator with a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % bound
    }

    /// One of the items.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

/// A graph from pairs.
pub fn graph(nodes: usize, edges: &[(usize, usize)]) -> Graph<LocId> {
    Graph::new(nodes, edges.iter().map(|&(a, b)| (LocId::new(a), LocId::new(b))))
}

/// A graph with up to two successors per node, as automata have.
pub fn random_graph(rng: &mut Rng, nodes: usize) -> Graph<LocId> {
    let mut edges = Vec::new();
    for node in 0..nodes {
        for _ in 0..rng.pick(&[0, 1, 1, 2, 2, 2]) {
            edges.push((node, rng.below(nodes)));
        }
    }
    graph(nodes, &edges)
}

/// What the roots reach in the graph without one node.
pub fn reachable_without(graph: &Graph<LocId>, roots: &[LocId], removed: Option<LocId>) -> IdxVec<LocId, bool> {
    let mut seen = IdxVec::filled(false, graph.len());
    let mut stack: Vec<_> = roots.to_vec();
    while let Some(node) = stack.pop() {
        if Some(node) != removed && !std::mem::replace(&mut seen[node], true) {
            stack.extend(graph.successors(node));
        }
    }
    seen
}
