//! Depth-first orders of a graph.
//!
//! Post-order lists a node after all nodes that depth-first search finds from it; backward analyses iterate in it.
//! Reverse post-order lists a node before its successors except along retreating edges; forward analyses iterate in
//! it (Kam, Ullman: *Global data flow analysis and iterative algorithms*, JACM 1976). Linear, explicit stack.
//!
//! [`crate::ir::FunctionBuilder::finish`] numbers locations in reverse post-order with the exit last, but a
//! transformation need not keep that.

use super::graph::Graph;
use crate::ir::{Function, Idx, IdxVec, LocId};

/// The nodes that are reachable from the roots, in depth-first order.
#[derive(Clone, Debug)]
pub struct Order<I> {
    rpo: Vec<I>,
    position: IdxVec<I, u32>,
}

/// Position of nodes that are not reachable.
const NONE: u32 = u32::MAX;

impl<I: Idx> Order<I> {
    /// Searches from the roots, in their order; the first root comes first in reverse post-order unless a later one
    /// leads to it.
    pub fn new(graph: &Graph<I>, roots: &[I]) -> Self {
        let mut position = IdxVec::filled(NONE, graph.len());
        let mut rpo = Vec::with_capacity(graph.len());
        // A node and how many of its successors have been looked at.
        let mut stack: Vec<(usize, usize)> = Vec::new();
        for &root in roots.iter().rev() {
            if position[root] != NONE {
                continue;
            }
            position[root] = 0;
            stack.push((root.index(), 0));
            while let Some(top) = stack.last_mut() {
                let Some(&next) = graph.row(top.0).get(top.1) else {
                    rpo.push(I::new(top.0));
                    stack.pop();
                    continue;
                };
                top.1 += 1;
                if position[I::new(next as usize)] == NONE {
                    position[I::new(next as usize)] = 0;
                    stack.push((next as usize, 0));
                }
            }
        }
        rpo.reverse();
        for (i, &node) in rpo.iter().enumerate() {
            position[node] = i as u32;
        }
        Self { rpo, position }
    }

    /// The reachable nodes in reverse post-order.
    pub fn reverse_post(&self) -> &[I] {
        &self.rpo
    }

    /// The reachable nodes in post-order.
    pub fn post(&self) -> impl Iterator<Item = I> + '_ {
        self.rpo.iter().rev().copied()
    }

    /// Position in reverse post-order; `None` if the node is not reachable.
    pub fn position(&self, node: I) -> Option<usize> {
        Some(self.position[node]).filter(|&p| p != NONE).map(|p| p as usize)
    }

    /// Whether the node is reachable from the roots.
    pub fn reaches(&self, node: I) -> bool {
        self.position[node] != NONE
    }
}

impl Order<LocId> {
    /// The locations that a function's entry reaches.
    pub fn of(function: &Function) -> Self {
        Self::new(&Graph::of(function), &[function.entry])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::testing::{graph, random_graph};
    use robusto_testing::Random;

    fn order(nodes: usize, edges: &[(usize, usize)]) -> Vec<usize> {
        let order = Order::new(&graph(nodes, edges), &[LocId::new(0)]);
        order.reverse_post().iter().map(|n| n.index()).collect()
    }

    #[test]
    fn diamond_with_unreachable_node() {
        assert_eq!(order(5, &[(0, 1), (0, 2), (1, 3), (2, 3), (4, 3)]), [0, 2, 1, 3]);
    }

    #[test]
    fn long_chain_needs_no_recursion() {
        let edges: Vec<_> = (0..300_000).map(|i| (i, i + 1)).collect();
        assert_eq!(order(300_001, &edges), (0..=300_000).collect::<Vec<_>>());
    }

    #[test]
    fn only_retreating_edges_go_backward() {
        let mut random = Random::new(1);
        for _ in 0..300 {
            let g = random_graph(&mut random, 12);
            let order = Order::new(&g, &[LocId::new(0)]);
            // Without the edges that go backward, no cycle is left: each edge goes forward by construction. So what has
            // to be checked is that each of them closes a cycle.
            for (src, dst) in g.edges() {
                if let (Some(s), Some(d)) = (order.position(src), order.position(dst))
                    && d <= s
                {
                    assert!(Order::new(&g, &[dst]).reaches(src), "{src} to {dst} in {g:?}");
                }
            }
        }
    }
}
