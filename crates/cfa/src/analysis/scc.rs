//! Strongly connected components.
//!
//! Tarjan: *Depth-first search and linear graph algorithms*, SIAM J. Comput. 1972, with an explicit stack. A component
//! is closed when the search leaves its first node `v` with `lowlink(v) = number(v)`; at that time all components that
//! it leads to are closed, so components come out in reverse topological order. Linear.

use super::graph::Graph;
use crate::ir::{Idx, IdxVec};
use std::ops::Range;

super::index::index! {
    /// A strongly connected component; numbers ascend against the direction of the edges.
    SccId "c";
}

/// The strongly connected components of a graph, successors first.
#[derive(Clone, Debug)]
pub struct Sccs<I> {
    /// Nodes, grouped by component.
    members: Vec<I>,
    ranges: IdxVec<SccId, Range<u32>>,
    component: IdxVec<I, SccId>,
}

impl<I: Idx> Sccs<I> {
    /// The components of all nodes.
    pub fn new(graph: &Graph<I>) -> Self {
        let n = graph.len();
        let unseen = u32::MAX;
        let mut component = IdxVec::filled(SccId::new(0), n);
        let mut ranges = IdxVec::new();
        let mut members = Vec::with_capacity(n);
        let mut number = vec![unseen; n];
        let mut low = vec![0u32; n];
        let mut closed = vec![false; n];
        let mut open: Vec<usize> = Vec::new();
        let mut stack: Vec<(usize, usize)> = Vec::new();
        let mut count = 0;
        for root in 0..n {
            if number[root] != unseen {
                continue;
            }
            stack.push((root, 0));
            while let Some(&mut (node, ref mut next)) = stack.last_mut() {
                if *next == 0 {
                    number[node] = count;
                    low[node] = count;
                    count += 1;
                    open.push(node);
                }
                if let Some(&to) = graph.row(node).get(*next) {
                    *next += 1;
                    let to = to as usize;
                    if number[to] == unseen {
                        stack.push((to, 0));
                    } else if !closed[to] {
                        low[node] = low[node].min(number[to]);
                    }
                    continue;
                }
                stack.pop();
                if let Some(&(parent, _)) = stack.last() {
                    low[parent] = low[parent].min(low[node]);
                }
                if low[node] == number[node] {
                    let start = members.len() as u32;
                    let id = SccId::new(ranges.len());
                    let at = open.iter().rposition(|&o| o == node).expect("the first node of a component is open");
                    for member in open.drain(at..) {
                        closed[member] = true;
                        component[I::new(member)] = id;
                        members.push(I::new(member));
                    }
                    ranges.push(start..members.len() as u32);
                }
            }
        }
        Self { members, ranges, component }
    }

    /// All components, successors first.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = SccId> + ExactSizeIterator + use<I> {
        self.ranges.ids()
    }

    /// The nodes of a component.
    pub fn members(&self, id: SccId) -> &[I] {
        let range = &self.ranges[id];
        &self.members[range.start as usize..range.end as usize]
    }

    /// The component of a node.
    pub fn component(&self, node: I) -> SccId {
        self.component[node]
    }

    /// All nodes, grouped by component, successors first.
    pub fn bottom_up(&self) -> &[I] {
        &self.members
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::order::Order;
    use crate::analysis::testing::random_graph;
    use robusto_testing::Random;

    #[test]
    fn members_reach_each_other_and_successors_come_first() {
        let mut random = Random::new(2);
        for _ in 0..300 {
            let g = random_graph(&mut random, 10);
            let sccs = Sccs::new(&g);
            let reach: Vec<_> = g.nodes().map(|n| Order::new(&g, &[n])).collect();
            for a in g.nodes() {
                for b in g.nodes() {
                    let mutual = reach[a.index()].reaches(b) && reach[b.index()].reaches(a);
                    assert_eq!(mutual, sccs.component(a) == sccs.component(b), "{a} and {b} in {g:?}");
                }
            }
            assert!(g.edges().all(|(src, dst)| sccs.component(dst) <= sccs.component(src)));
            assert!(sccs.ids().all(|c| sccs.members(c).iter().all(|&n| sccs.component(n) == c)));
            assert_eq!(sccs.bottom_up().len(), g.len());
        }
    }
}
