//! Loops: nesting forest, heads, and weak topological order.
//!
//! Every cycle contains the head of a loop, irreducible ones included. The loop of a head `h` consists of the locations
//! in `h`'s subtree of the depth-first search tree that reach `h` within that subtree; loops nest or are disjoint.
//!
//! - Havlak: *Nesting of reducible and irreducible loops*, TOPLAS 1997, built on Tarjan: *Testing flow graph
//!   reducibility*, JCSS 1974: heads in descending preorder, bodies by backward search over collapsed inner loops.
//! - Ramalingam: *Identifying loops in almost linear time*, TOPLAS 1999, section 5: a cross edge counts only from the
//!   nearest common ancestor of its ends on upward, which removes the quadratic case of Havlak's algorithm.
//! - Bourdoncle: *Efficient chaotic iteration strategies with widenings*, FMPA 1993: the weak topological order. Siblings
//!   of the forest, each loop at its head's place, in reverse post-order give it: an edge into a sibling either enters at
//!   the head or comes from a location that finishes after the head (the search had left the loop before it came to it).
//!
//! Heads cover all cycles: the node of a cycle that the search meets first is an ancestor of the others, so the others
//! reach it within its subtree, and it is a head. Almost linear (path compression); explicit stacks.

use super::graph::Graph;
use crate::ir::{Function, Idx, IdxVec, LocId};
use std::fmt;
use std::ops::Range;

super::index::index! {
    /// A loop of one function; a loop has a smaller number than the loops inside it.
    LoopId "loop";
}

/// A loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// Its head; the target of its back edges.
    pub head: LocId,
    /// The loop around it.
    pub parent: Option<LoopId>,
    /// Number of loops around it and itself.
    pub depth: u32,
    /// The locations where it can be entered from outside, ascending. A reducible loop has its head only (or nothing, if
    /// the function starts there).
    pub entries: Vec<LocId>,
    /// Whether it can be entered elsewhere than at its head.
    pub irreducible: bool,
    /// Its locations in the weak topological order.
    range: Range<u32>,
}

/// The loops of a function and how they nest.
#[derive(Clone, Debug)]
pub struct LoopForest {
    loops: IdxVec<LoopId, Loop>,
    innermost: IdxVec<LocId, Option<LoopId>>,
    /// Reachable locations in weak topological order.
    order: Vec<LocId>,
    position: IdxVec<LocId, u32>,
}

const NONE: u32 = u32::MAX;

impl LoopForest {
    /// The loops of a function.
    pub fn of(function: &Function) -> Self {
        Self::new(&Graph::of(function), function.entry)
    }

    /// The loops of the part of a graph that the entry reaches.
    pub fn new(graph: &Graph<LocId>, entry: LocId) -> Self {
        let tree = SearchTree::new(graph, entry.index());
        let header = tree.headers(graph);
        let mut forest = Self::arrange(graph, &tree, &header);
        forest.find_entries(graph);
        forest
    }

    /// Lays the locations out so that each loop is contiguous, head first, siblings in reverse post-order.
    fn arrange(graph: &Graph<LocId>, tree: &SearchTree, header: &[Header]) -> Self {
        let n = graph.len();
        // Children of a head (and of the whole function, at the end) as linked lists; insertion in post-order leaves
        // them in reverse post-order.
        let mut first = vec![NONE; n + 1];
        let mut next = vec![NONE; n];
        for &v in &tree.post {
            let around = header[v as usize].around;
            let list = &mut first[if around == NONE { n } else { around as usize }];
            next[v as usize] = std::mem::replace(list, v);
        }
        let mut forest = Self {
            loops: IdxVec::new(),
            innermost: IdxVec::filled(None, n),
            order: Vec::with_capacity(tree.post.len()),
            position: IdxVec::filled(NONE, n),
        };
        // Siblings still to be laid out, and the loop that they are in.
        let mut stack: Vec<(u32, Option<LoopId>)> = vec![(first[n], None)];
        while let Some((v, inside)) = stack.pop() {
            if v == NONE {
                if let Some(id) = inside {
                    forest.loops[id].range.end = forest.order.len() as u32;
                }
                continue;
            }
            stack.push((next[v as usize], inside));
            let loc = LocId::new(v as usize);
            let start = forest.order.len() as u32;
            forest.position[loc] = start;
            forest.order.push(loc);
            forest.innermost[loc] = inside;
            if header[v as usize].is_head {
                let depth = 1 + inside.map_or(0, |p| forest.loops[p].depth);
                let range = start..start;
                let entries = Vec::new();
                let id =
                    forest.loops.push(Loop { head: loc, parent: inside, depth, entries, irreducible: false, range });
                forest.innermost[loc] = Some(id);
                stack.push((first[v as usize], Some(id)));
            }
        }
        forest
    }

    /// Records where each loop is entered. Only an edge that does not enter at a head climbs the forest.
    fn find_entries(&mut self, graph: &Graph<LocId>) {
        for (src, dst) in graph.edges().filter(|&(src, _)| self.position[src] != NONE) {
            let mut inside = self.innermost[dst];
            while let Some(id) = inside.filter(|&id| !self.contains(id, src)) {
                let entered = &mut self.loops[id];
                entered.entries.push(dst);
                entered.irreducible |= entered.head != dst;
                inside = entered.parent;
            }
        }
        for entered in self.loops.iter_mut() {
            entered.entries.sort_unstable();
            entered.entries.dedup();
        }
    }

    /// All loops, outer before inner.
    pub fn loops(&self) -> &IdxVec<LoopId, Loop> {
        &self.loops
    }

    /// A loop.
    pub fn get(&self, id: LoopId) -> &Loop {
        &self.loops[id]
    }

    /// The innermost loop with this location; a head is in its own loop.
    pub fn innermost(&self, loc: LocId) -> Option<LoopId> {
        self.innermost[loc]
    }

    /// Number of loops with this location.
    pub fn depth(&self, loc: LocId) -> u32 {
        self.innermost[loc].map_or(0, |id| self.loops[id].depth)
    }

    /// The loop with this head.
    pub fn headed_by(&self, loc: LocId) -> Option<LoopId> {
        self.innermost[loc].filter(|&id| self.loops[id].head == loc)
    }

    /// Whether the location is the head of a loop.
    pub fn is_head(&self, loc: LocId) -> bool {
        self.headed_by(loc).is_some()
    }

    /// The heads of all loops, outer before inner.
    pub fn heads(&self) -> impl Iterator<Item = LocId> + '_ {
        self.loops.iter().map(|l| l.head)
    }

    /// The locations of a loop, inner loops included, in weak topological order; the head comes first.
    pub fn members(&self, id: LoopId) -> &[LocId] {
        &self.order[self.component(id)]
    }

    /// Whether the loop has this location.
    pub fn contains(&self, id: LoopId, loc: LocId) -> bool {
        self.loops[id].range.contains(&self.position[loc])
    }

    /// All reachable locations in weak topological order: for each edge, the source comes before the target, or the
    /// target is the head of a loop with the source. [`LoopForest::component`] gives the parentheses.
    pub fn weak_topological_order(&self) -> &[LocId] {
        &self.order
    }

    /// Positions of a loop's locations in the weak topological order.
    pub fn component(&self, id: LoopId) -> Range<usize> {
        let range = &self.loops[id].range;
        range.start as usize..range.end as usize
    }

    /// Position in the weak topological order; `None` if the location is not reachable.
    pub fn position(&self, loc: LocId) -> Option<usize> {
        Some(self.position[loc]).filter(|&p| p != NONE).map(|p| p as usize)
    }

    /// Depth of the deepest loop.
    pub fn max_depth(&self) -> u32 {
        self.loops.iter().map(|l| l.depth).max().unwrap_or(0)
    }
}

/// Bourdoncle's notation: `L0 (L1 L2 (L3)) L4`.
impl fmt::Display for LoopForest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, &loc) in self.order.iter().enumerate() {
            let open = if self.is_head(loc) { "(" } else { "" };
            write!(f, "{}{open}{loc}", if i == 0 { "" } else { " " })?;
            let ends = std::iter::successors(self.innermost[loc], |&id| self.loops[id].parent)
                .take_while(|&id| self.loops[id].range.end as usize == i + 1);
            f.write_str(&")".repeat(ends.count()))?;
        }
        Ok(())
    }
}

/// What the search for bodies finds out about a node.
#[derive(Clone, Copy)]
struct Header {
    is_head: bool,
    /// The head of the innermost loop around the node (for a head, around its loop).
    around: u32,
}

/// A depth-first search tree.
struct SearchTree {
    /// Preorder number of each node.
    number: Vec<u32>,
    pre: Vec<u32>,
    post: Vec<u32>,
    parent: Vec<u32>,
    /// Sources of back edges, as pairs (target, source).
    back: Vec<(u32, u32)>,
    /// Cross edges with the nearest common ancestor of their ends, as (ancestor, source, target).
    cross: Vec<(u32, u32, u32)>,
}

impl SearchTree {
    fn new(graph: &Graph<LocId>, root: usize) -> Self {
        let n = graph.len();
        let mut tree = Self {
            number: vec![NONE; n],
            pre: Vec::new(),
            post: Vec::new(),
            parent: vec![NONE; n],
            back: Vec::new(),
            cross: Vec::new(),
        };
        let mut active = vec![false; n];
        // A finished node joins its parent; so the root of its set is its deepest ancestor that is still active
        // (Tarjan's offline common ancestors).
        let mut set: Vec<u32> = (0..n as u32).collect();
        let mut stack = vec![(root, 0)];
        while let Some(&mut (v, ref mut next)) = stack.last_mut() {
            if *next == 0 {
                tree.number[v] = tree.pre.len() as u32;
                tree.pre.push(v as u32);
                active[v] = true;
            }
            let Some(&to) = graph.row(v).get(*next) else {
                stack.pop();
                active[v] = false;
                tree.post.push(v as u32);
                if let Some(&(parent, _)) = stack.last() {
                    set[v] = parent as u32;
                }
                continue;
            };
            *next += 1;
            if tree.number[to as usize] == NONE {
                tree.parent[to as usize] = v as u32;
                stack.push((to as usize, 0));
            } else if active[to as usize] {
                tree.back.push((to, v as u32));
            } else {
                // A forward edge leads from an ancestor, which the tree edges connect already.
                let common = find(&mut set, to);
                if common != v as u32 {
                    tree.cross.push((common, v as u32, to));
                }
            }
        }
        tree
    }

    /// Finds the bodies of all loops, innermost first.
    fn headers(&self, graph: &Graph<LocId>) -> Vec<Header> {
        let n = graph.len();
        let mut header = vec![Header { is_head: false, around: NONE }; n];
        let (back, back_of) = group(n, self.back.iter().copied());
        let (cross, cross_of) = group(n, self.cross.iter().map(|&(common, src, dst)| (common, (src, dst))));
        // Sources of cross edges that count by now, at the head that their target collapsed into.
        let mut entering: Vec<Vec<u32>> = vec![Vec::new(); n];
        let mut set: Vec<u32> = (0..n as u32).collect();
        let mut body: Vec<u32> = Vec::new();
        for &w in self.pre.iter().rev() {
            for &(src, dst) in &cross[cross_of[w as usize] as usize..cross_of[w as usize + 1] as usize] {
                entering[find(&mut set, dst) as usize].push(src);
            }
            for &v in &back[back_of[w as usize] as usize..back_of[w as usize + 1] as usize] {
                header[w as usize].is_head = true;
                join(find(&mut set, v), w, &mut header, &mut body);
            }
            let mut done = 0;
            while done < body.len() {
                let x = body[done];
                done += 1;
                join(find(&mut set, self.parent[x as usize]), w, &mut header, &mut body);
                for src in std::mem::take(&mut entering[x as usize]) {
                    join(find(&mut set, src), w, &mut header, &mut body);
                }
            }
            for x in body.drain(..) {
                set[x as usize] = w;
            }
        }
        header
    }
}

/// Puts a collapsed node into the body of the loop with head `w`, once.
fn join(x: u32, w: u32, header: &mut [Header], body: &mut Vec<u32>) {
    if x != w && header[x as usize].around == NONE {
        header[x as usize].around = w;
        body.push(x);
    }
}

/// Values by key, in compressed rows.
fn group<T: Copy + Default>(keys: usize, pairs: impl Iterator<Item = (u32, T)> + Clone) -> (Vec<T>, Vec<u32>) {
    let mut first = vec![0u32; keys + 1];
    for (key, _) in pairs.clone() {
        first[key as usize + 1] += 1;
    }
    for key in 0..keys {
        first[key + 1] += first[key];
    }
    let mut next = first.clone();
    let mut values = vec![T::default(); first[keys] as usize];
    for (key, value) in pairs {
        values[next[key as usize] as usize] = value;
        next[key as usize] += 1;
    }
    (values, first)
}

/// The representative in a union-find forest, with path halving.
fn find(set: &mut [u32], mut v: u32) -> u32 {
    while set[v as usize] != v {
        set[v as usize] = set[set[v as usize] as usize];
        v = set[v as usize];
    }
    v
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::order::Order;
    use crate::analysis::testing::{graph, random_graph, reachable_without};
    use robusto_testing::Random;

    fn check(nodes: usize, edges: &[(usize, usize)], expected: &str) -> LoopForest {
        let forest = LoopForest::new(&graph(nodes, edges), LocId::new(0));
        assert_eq!(forest.to_string(), expected);
        forest
    }

    #[test]
    fn nested_loops() {
        let forest = check(6, &[(0, 1), (1, 2), (2, 3), (3, 2), (3, 4), (4, 1), (1, 5)], "L0 (L1 (L2 L3) L4) L5");
        assert_eq!(forest.depth(LocId::new(3)), 2);
        assert_eq!(forest.max_depth(), 2);
        assert_eq!(forest.get(LoopId::new(1)).parent, Some(LoopId::new(0)));
        assert!(forest.loops().iter().all(|l| !l.irreducible && l.entries == [l.head]));
    }

    /// The example of Bourdoncle's paper (figure 1), with locations from 0.
    #[test]
    fn example_of_the_paper() {
        let edges = [(0, 1), (1, 2), (1, 7), (2, 3), (3, 4), (4, 5), (4, 6), (5, 4), (5, 6), (6, 2), (6, 7)];
        check(8, &edges, "L0 L1 (L2 L3 (L4 L5) L6) L7");
    }

    #[test]
    fn irreducible_loop() {
        let forest = check(4, &[(0, 1), (0, 2), (1, 2), (2, 1), (2, 3)], "L0 (L1 L2) L3");
        let l = forest.get(LoopId::new(0));
        assert!(l.irreducible);
        assert_eq!(l.entries, [LocId::new(1), LocId::new(2)]);
    }

    #[test]
    fn self_loop_at_the_entry() {
        let forest = check(2, &[(0, 0), (0, 1)], "(L0) L1");
        assert!(!forest.get(LoopId::new(0)).irreducible);
        assert!(forest.get(LoopId::new(0)).entries.is_empty());
    }

    #[test]
    fn heads_cover_all_cycles_and_bodies_match_the_definition() {
        let mut random = Random::new(4);
        for round in 0..2000 {
            let g = random_graph(&mut random, 2 + round % 11);
            let entry = LocId::new(0);
            let forest = LoopForest::new(&g, entry);
            let reached = reachable_without(&g, &[entry], None);
            let order = forest.weak_topological_order();
            assert_eq!(order.len(), g.nodes().filter(|&n| reached[n]).count());
            // Every cycle contains a head: without the heads, nothing reaches itself.
            let without =
                Graph::new(g.len(), g.edges().filter(|&(src, dst)| !forest.is_head(src) && !forest.is_head(dst)));
            for n in g.nodes().filter(|&n| reached[n]) {
                let after: Vec<_> = without.successors(n).collect();
                assert!(!reachable_without(&without, &after, None)[n], "{forest} of {g:?}");
            }
            // Bourdoncle's definition 1.
            for (src, dst) in g.edges().filter(|&(src, _)| reached[src]) {
                let forward = forest.position(src) < forest.position(dst);
                let back = forest.headed_by(dst).is_some_and(|id| forest.contains(id, src));
                assert!(forward != back, "{src} to {dst}: {forest} of {g:?}");
            }
            let tree = SearchTree::new(&g, 0);
            for (id, l) in forest.loops().enumerate() {
                // The definition of the body: what reaches the head within the head's subtree.
                let below = |mut n: LocId| loop {
                    if n == l.head {
                        return true;
                    }
                    match tree.parent[n.index()] {
                        NONE => return false,
                        p => n = LocId::new(p as usize),
                    }
                };
                let subtree = Graph::new(g.len(), g.edges().filter(|&(src, dst)| below(src) && below(dst)));
                let body = Order::new(&subtree.reversed(), &[l.head]);
                for n in g.nodes().filter(|&n| reached[n]) {
                    assert_eq!(forest.contains(id, n), body.reaches(n), "{n} in {forest} of {g:?}");
                }
                let outside = g
                    .edges()
                    .filter(|&(src, dst)| reached[src] && !forest.contains(id, src) && forest.contains(id, dst));
                let mut entries: Vec<_> = outside.map(|(_, dst)| dst).collect();
                entries.sort_unstable();
                entries.dedup();
                assert_eq!(l.entries, entries);
                assert_eq!(l.irreducible, entries.iter().any(|&e| e != l.head));
            }
        }
    }

    #[test]
    fn deep_nests_stay_fast() {
        // 50,000 nested loops: i enters i + 1, the innermost leaves them all one by one.
        let n = 50_000;
        let edges = (0..n)
            .map(|i| (i, i + 1))
            .chain((0..n).map(|i| (n + i, n - 1 - i)))
            .chain((0..n).map(|i| (n + i, n + i + 1)));
        let forest = LoopForest::new(&graph(2 * n + 1, &edges.collect::<Vec<_>>()), LocId::new(0));
        assert_eq!(forest.max_depth() as usize, n);
    }
}
