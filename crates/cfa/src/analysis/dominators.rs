//! Dominators and post-dominators.
//!
//! Location `d` dominates `l` if every path from the entry to `l` goes through `d`; the immediate dominator is the
//! closest other one. Post-dominators are dominators of the reversed graph from a virtual end that follows every
//! location without successors (exit, error, halt).
//!
//! Semi-NCA (Georgiadis: *Linear-Time Algorithms for Dominators and Related Problems*, Princeton 2005, section 2.4):
//!
//! | thesis | here |
//! |---|---|
//! | preorder number of `v` | `v` itself once renumbered |
//! | `parent(v)` in the search tree, then compressed | `ancestor[v]` |
//! | `label(v)` | `label[v]` (holds the semidominator's number) |
//! | `sdom(v)` | `semi[v]` |
//!
//! Correctness: the semidominator lies between the immediate dominator and the node on the tree path; the immediate
//! dominator is the nearest common ancestor, in the dominator tree built so far, of the semidominator and the tree
//! parent (lemma 2.4). Semidominators cost `O(m log n)` with path compression; the ancestor walks are linear in
//! practice (quadratic only on graphs made for it).

use super::graph::Graph;
use crate::ir::{Function, Idx, IdxVec, LocId};

/// A dominator tree.
#[derive(Clone, Debug)]
pub struct Dominators<I> {
    /// `None` for roots and for nodes that no root reaches.
    idom: IdxVec<I, Option<I>>,
    /// Half-open interval of the node's subtree in a preorder of the dominator tree; empty if not reachable.
    span: IdxVec<I, (u32, u32)>,
}

const NONE: u32 = u32::MAX;

impl<I: Idx> Dominators<I> {
    /// The dominators with respect to all paths from a root.
    pub fn new(graph: &Graph<I>, root: I) -> Self {
        let n = graph.len();
        // Depth-first preorder: `vertex` from numbers to nodes, `number` back.
        let mut number = vec![NONE; n];
        let mut vertex: Vec<u32> = Vec::new();
        let mut ancestor: Vec<u32> = Vec::new();
        let mut stack = vec![(root.index() as u32, 0)];
        while let Some((node, parent)) = stack.pop() {
            if number[node as usize] != NONE {
                continue;
            }
            let at = vertex.len() as u32;
            number[node as usize] = at;
            vertex.push(node);
            ancestor.push(parent);
            stack.extend(graph.row(node as usize).iter().rev().map(|&next| (next, at)));
        }
        let reached = vertex.len();
        let mut idom = ancestor.clone();
        let mut semi: Vec<u32> = (0..reached as u32).collect();
        let mut label = semi.clone();
        let predecessors = graph.reversed();
        let mut path = Vec::new();
        for w in (1..reached as u32).rev() {
            for &pred in predecessors.row(vertex[w as usize] as usize) {
                let v = number[pred as usize];
                if v == NONE {
                    continue;
                }
                let candidate = if v <= w {
                    v
                } else {
                    compress(v, w, &mut ancestor, &mut label, &mut path);
                    label[v as usize]
                };
                semi[w as usize] = semi[w as usize].min(candidate);
            }
            label[w as usize] = semi[w as usize];
        }
        for w in 1..reached {
            let mut d = idom[w];
            while d > semi[w] {
                d = idom[d as usize];
            }
            idom[w] = d;
        }
        Self::from_numbers(n, &vertex, &idom)
    }

    /// Names instead of numbers, and the intervals; uses that `idom[w] < w`.
    fn from_numbers(nodes: usize, vertex: &[u32], idom: &[u32]) -> Self {
        let name = |w: u32| I::new(vertex[w as usize] as usize);
        let mut size = vec![1u32; vertex.len()];
        for w in (1..vertex.len()).rev() {
            size[idom[w] as usize] += size[w];
        }
        let mut result = Self { idom: IdxVec::filled(None, nodes), span: IdxVec::filled((0, 0), nodes) };
        // Where the next child of a node starts in the preorder of the tree.
        let mut next = vec![1u32; vertex.len()];
        for w in 0..vertex.len() {
            let mut start = 0;
            if w > 0 {
                let parent = idom[w] as usize;
                start = next[parent];
                next[parent] += size[w];
                next[w] = start + 1;
                result.idom[name(w as u32)] = Some(name(idom[w]));
            }
            result.span[name(w as u32)] = (start, start + size[w]);
        }
        result
    }

    /// The immediate dominator; `None` for the root and for nodes that it does not reach.
    pub fn idom(&self, node: I) -> Option<I> {
        self.idom[node]
    }

    /// Whether every path from the root to `node` goes through `dominator`. Every node dominates itself; nothing else
    /// dominates a node that is not reachable, or is dominated by one.
    pub fn dominates(&self, dominator: I, node: I) -> bool {
        let (d, n) = (self.span[dominator], self.span[node]);
        dominator == node || (n.0 < n.1 && d.0 <= n.0 && n.1 <= d.1)
    }

    /// The node and its dominators, closest first.
    pub fn dominators_of(&self, node: I) -> impl Iterator<Item = I> + '_ {
        std::iter::successors(Some(node), |&n| self.idom[n])
    }
}

/// Path compression: afterwards `label[v]` is the least semidominator on the tree path from `v` up to, without, the
/// nodes with numbers up to `w`.
fn compress(v: u32, w: u32, ancestor: &mut [u32], label: &mut [u32], path: &mut Vec<u32>) {
    let mut at = v;
    while ancestor[at as usize] > w {
        path.push(at);
        at = ancestor[at as usize];
    }
    // `at` hangs below an unprocessed node; the others take over its label from the top down.
    while let Some(below) = path.pop() {
        label[below as usize] = label[below as usize].min(label[at as usize]);
        ancestor[below as usize] = ancestor[at as usize];
        at = below;
    }
}

impl Dominators<LocId> {
    /// The dominators of a function's locations.
    pub fn of(function: &Function) -> Self {
        Self::new(&Graph::of(function), function.entry)
    }
}

/// A post-dominator tree.
#[derive(Clone, Debug)]
pub struct PostDominators<I> {
    /// Of the reversed graph with one more node, the virtual end.
    tree: Dominators<I>,
    end: I,
}

impl<I: Idx> PostDominators<I> {
    /// The post-dominators with respect to all paths that end at a node without successors.
    pub fn new(graph: &Graph<I>) -> Self {
        let end = I::new(graph.len());
        let ends = graph.nodes().filter(|&node| graph.row(node.index()).is_empty()).map(|node| (end, node));
        let reversed = graph.edges().map(|(src, dst)| (dst, src)).chain(ends);
        Self { tree: Dominators::new(&Graph::new(graph.len() + 1, reversed), end), end }
    }

    /// The immediate post-dominator; `None` if there is none but the virtual end, or no path ends.
    pub fn ipdom(&self, node: I) -> Option<I> {
        self.tree.idom(node).filter(|&d| d != self.end)
    }

    /// Whether every path from `node` that ends goes through `post`. Nothing but itself post-dominates a node from which
    /// no path ends.
    pub fn post_dominates(&self, post: I, node: I) -> bool {
        self.tree.dominates(post, node)
    }

    /// Whether some path from the node ends.
    pub fn ends(&self, node: I) -> bool {
        self.tree.idom(node).is_some()
    }
}

impl PostDominators<LocId> {
    /// The post-dominators of a function's locations.
    pub fn of(function: &Function) -> Self {
        Self::new(&Graph::of(function))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::testing::{graph, random_graph, reachable_without};
    use robusto_testing::Random;

    #[test]
    fn diamond() {
        let g = graph(4, &[(0, 1), (0, 2), (1, 3), (2, 3)]);
        let loc = LocId::new;
        let dom = Dominators::new(&g, loc(0));
        assert_eq!((1..4).map(|i| dom.idom(loc(i)).unwrap().index()).collect::<Vec<_>>(), [0, 0, 0]);
        let post = PostDominators::new(&g);
        assert_eq!((0..3).map(|i| post.ipdom(loc(i)).unwrap().index()).collect::<Vec<_>>(), [3, 3, 3]);
        assert_eq!(post.ipdom(loc(3)), None);
    }

    /// By definition: `a` dominates `b` if `b` is reachable, but not without `a`.
    #[test]
    fn random_graphs_by_removal() {
        let mut random = Random::new(3);
        for round in 0..500 {
            let g = random_graph(&mut random, 2 + round % 12);
            let root = LocId::new(0);
            let dom = Dominators::new(&g, root);
            let all = reachable_without(&g, &[root], None);
            for a in g.nodes() {
                let without = reachable_without(&g, &[root], Some(a));
                for b in g.nodes() {
                    let expected = a == b || (all[b] && !without[b]);
                    assert_eq!(dom.dominates(a, b), expected, "{a} over {b} in {g:?}");
                    // The immediate dominator is dominated by all other strict dominators.
                    if expected && a != b {
                        assert!(dom.dominates(a, dom.idom(b).unwrap()));
                    }
                }
            }
            let ends: Vec<_> = g.nodes().filter(|&n| g.successors(n).len() == 0).collect();
            let post = PostDominators::new(&g);
            let back = g.reversed();
            let all = reachable_without(&back, &ends, None);
            for a in g.nodes() {
                let without = reachable_without(&back, &ends, Some(a));
                for b in g.nodes() {
                    let expected = a == b || (all[b] && !without[b]);
                    assert_eq!(post.post_dominates(a, b), expected, "{a} after {b} in {g:?}");
                    assert_eq!(post.ends(b), all[b]);
                }
            }
        }
    }

    #[test]
    fn long_chain_with_many_joins() {
        // Nested diamonds: 2i branches to 2i+1 and 2i+2, both reach 2i+2.
        let edges: Vec<_> =
            (0..100_000).flat_map(|i| [(2 * i, 2 * i + 1), (2 * i, 2 * i + 2), (2 * i + 1, 2 * i + 2)]).collect();
        let g = graph(200_001, &edges);
        let dom = Dominators::new(&g, LocId::new(0));
        assert_eq!(dom.idom(LocId::new(200_000)), Some(LocId::new(199_998)));
        assert!(dom.dominates(LocId::new(2), LocId::new(200_000)));
    }
}
