//! The constraint graph: nodes with their sets, inclusions between them, and what waits for new elements.
//!
//! Nodes on a cycle of inclusions have the same set; [`Constraints::collapse`] makes them one (Fähndrich, Foster, Su,
//! Aiken: *Partial online cycle elimination in inclusion constraint graphs*, PLDI 1998) and numbers the rest
//! topologically, so that a wave of new elements passes each node once (Pereira, Berlin: *Wave propagation and deep
//! propagation for pointer analysis*, CGO 2009). Only new elements move (`fresh`, difference propagation).
//!
//! All reads at the same offset from the same pointer have the same result, and all that is written there goes to the
//! same places; each node has one auxiliary node per offset for either ([`Constraints::wait_load`]).
//!
//! A pointer that walks over an array, `p = p + 8` on a cycle, would get ever new offsets (Pearce, Kelly and Hankin's
//! positive weight cycle). On a cycle of variables, the shift gets its distance as a stride, so that the walk is one
//! class of offsets. A cycle through memory is left alone: following a list leads through `+ 8` and `- 8` in turn.

use super::Offset;
use super::elements::{ElemId, Elems};
use super::offset::gcd;
use crate::analysis::graph::Graph;
use crate::analysis::scc::Sccs;
use crate::ir::{Idx, IdxVec};
use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;
use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

crate::analysis::index::index! {
    /// A constraint variable.
    Node "n";
    /// An indirect call.
    SiteIdx "call";
}

/// Which bytes around a pointer's target an operation touches.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Access {
    /// Bytes to add to the offset.
    pub at: i64,
    /// If not 0, all multiples of it are to be added as well.
    pub step: u64,
    /// Number of bytes.
    pub size: u64,
}

/// What happens for each element that a node gets.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Complex {
    /// `dst` gets it with offset `+ base + k * stride`.
    Shift { base: i64, stride: u64, dst: Node },
    /// `dst` gets what the memory there holds.
    Load { access: Access, pointer: bool, dst: Node },
    /// The memory there gets what `src` holds.
    Store { access: Access, src: Node },
    /// The memory there gets an element.
    Mark { access: Access, elem: ElemId },
    /// If it is a function, it is called.
    Call(SiteIdx),
}

/// The graph.
#[derive(Default)]
pub(super) struct Constraints {
    /// Union-find: the node that a collapsed node became.
    parent: IdxVec<Node, Cell<Node>>,
    /// Whether it is a memory cell.
    cell: IdxVec<Node, bool>,
    sets: IdxVec<Node, Elems>,
    /// Elements of the set that have not been passed on.
    fresh: IdxVec<Node, Elems>,
    copies: IdxVec<Node, Vec<Node>>,
    complex: IdxVec<Node, Vec<Complex>>,
    edges: HashSet<(Node, Node), FxBuildHasher>,
    waiting: HashSet<(Node, Complex), FxBuildHasher>,
    /// The auxiliary nodes of a node for reading (whether pointers or not) and writing at an offset.
    loads: HashMap<(Node, Access, bool), Node, FxBuildHasher>,
    stores: HashMap<(Node, Access), Node, FxBuildHasher>,
    /// Auxiliary nodes that have become the same.
    same: Vec<(Node, Node)>,
    rank: IdxVec<Node, u32>,
    queued: IdxVec<Node, bool>,
    wave: BinaryHeap<Reverse<(u32, Node)>>,
    next_wave: Vec<Node>,
    position: u32,
    /// Inclusions and shifts, all and since the last collapse.
    num_edges: usize,
    new_edges: usize,
    /// How much has been passed on, in elements.
    pub work: usize,
}

impl Constraints {
    /// A node for a variable or an expression.
    pub fn node(&mut self) -> Node {
        self.new_node(false)
    }

    /// A node for memory.
    pub fn cell(&mut self) -> Node {
        self.new_node(true)
    }

    fn new_node(&mut self, cell: bool) -> Node {
        self.cell.push(cell);
        self.sets.push(Elems::new());
        self.fresh.push(Elems::new());
        self.copies.push(Vec::new());
        self.complex.push(Vec::new());
        self.rank.push(u32::MAX);
        self.queued.push(false);
        self.parent.push(Cell::new(Node::new(self.parent.len())))
    }

    pub fn len(&self) -> usize {
        self.parent.len()
    }

    /// The node that a node has become; with path halving.
    pub fn find(&self, mut node: Node) -> Node {
        loop {
            let parent = self.parent[node].get();
            if parent == node {
                return node;
            }
            let above = self.parent[parent].get();
            self.parent[node].set(above);
            node = above;
        }
    }

    pub fn insert(&mut self, node: Node, elem: ElemId) {
        let node = self.find(node);
        if self.sets[node].insert(elem) {
            self.fresh[node].insert(elem);
            self.queue(node);
        }
    }

    /// Adds all elements.
    pub fn insert_all(&mut self, node: Node, elems: &Elems) {
        self.pass(elems, self.find(node));
    }

    fn queue(&mut self, node: Node) {
        if !std::mem::replace(&mut self.queued[node], true) {
            let rank = self.rank[node];
            if rank > self.position { self.wave.push(Reverse((rank, node))) } else { self.next_wave.push(node) }
        }
    }

    /// `src ⊆ dst`
    pub fn copy(&mut self, src: Node, dst: Node) {
        let (src, dst) = (self.find(src), self.find(dst));
        if src != dst && self.edges.insert((src, dst)) {
            self.copies[src].push(dst);
            self.new_edges += 1;
            self.num_edges += 1;
            // What is fresh at the source comes with its next turn.
            if !self.sets[src].is_empty() {
                let old = self.sets[src].difference(&self.fresh[src]);
                self.pass(&old, dst);
            }
        }
    }

    fn pass(&mut self, elems: &Elems, dst: Node) {
        self.work += elems.len();
        if self.sets[dst].union_recording(elems, &mut self.fresh[dst]) {
            self.queue(dst);
        }
    }

    /// Registers what is to happen for each element of a node; returns the elements that it has to happen for now.
    pub fn wait(&mut self, node: Node, complex: Complex) -> Elems {
        let node = self.find(node);
        if !self.waiting.insert((node, complex)) {
            return Elems::new();
        }
        if let Complex::Shift { .. } = complex {
            self.new_edges += 1;
            self.num_edges += 1;
        }
        self.complex[node].push(complex);
        self.sets[node].difference(&self.fresh[node])
    }

    /// A load into `dst` goes through the auxiliary node; if that is new, returns what has to wait at the node.
    pub fn wait_load(&mut self, node: Node, access: Access, pointer: bool, dst: Node) -> Option<Complex> {
        let key = (self.find(node), access, pointer);
        let known = self.loads.get(&key).copied();
        let through = known.unwrap_or_else(|| self.node());
        self.loads.insert(key, through);
        self.copy(through, dst);
        known.is_none().then_some(Complex::Load { access, pointer, dst: through })
    }

    /// Likewise for a store from `src`.
    pub fn wait_store(&mut self, node: Node, access: Access, src: Node) -> Option<Complex> {
        let key = (self.find(node), access);
        let known = self.stores.get(&key).copied();
        let through = known.unwrap_or_else(|| self.node());
        self.stores.insert(key, through);
        self.copy(src, through);
        known.is_none().then_some(Complex::Store { access, src: through })
    }

    /// The next node with fresh elements: passes them on along inclusions, and returns them with what waits for them,
    /// which [`Constraints::put_back`] takes back.
    pub fn step(&mut self) -> Option<(Node, Elems, Vec<Complex>)> {
        let node = loop {
            match self.wave.pop() {
                Some(Reverse((rank, node))) => {
                    if self.queued[node] && self.find(node) == node {
                        self.position = rank;
                        break node;
                    }
                }
                None if self.next_wave.is_empty() => return None,
                None => self.start_wave(),
            }
        };
        self.queued[node] = false;
        let fresh = std::mem::take(&mut self.fresh[node]);
        let copies = std::mem::take(&mut self.copies[node]);
        for &dst in &copies {
            let dst = self.find(dst);
            if dst != node {
                self.pass(&fresh, dst);
            }
        }
        self.copies[node] = copies;
        Some((node, fresh, std::mem::take(&mut self.complex[node])))
    }

    /// See [`Constraints::step`]; what was registered meanwhile stays.
    pub fn put_back(&mut self, node: Node, mut complex: Vec<Complex>) {
        let node = self.find(node);
        complex.append(&mut self.complex[node]);
        self.complex[node] = complex;
    }

    fn start_wave(&mut self) {
        // Ranks go stale as edges are added; new ones pay off once the graph has grown by an eighth.
        if self.new_edges * 8 > self.num_edges {
            self.collapse();
        }
        self.position = 0;
        for node in std::mem::take(&mut self.next_wave) {
            let node = self.find(node);
            if self.queued[node] {
                self.wave.push(Reverse((self.rank[node].max(1), node)));
            }
        }
    }

    /// Makes each cycle of inclusions one node and ranks the nodes topologically.
    fn collapse(&mut self) {
        self.new_edges = 0;
        let edges = self.copies.enumerate().flat_map(|(src, dsts)| dsts.iter().map(move |&dst| (src, dst)));
        let edges: Vec<_> = edges.map(|(src, dst)| (src, self.find(dst))).collect();
        let sccs = Sccs::new(&Graph::new(self.len(), edges.iter().copied()));
        let count = sccs.ids().len();
        for id in sccs.ids() {
            let members = sccs.members(id);
            let into = *members.iter().min().expect("components are not empty");
            self.rank[into] = (count - id.index()) as u32;
            if members.len() > 1 {
                self.merge(into, members);
            }
        }
        while let Some((a, b)) = self.same.pop() {
            self.unify(a, b);
        }
        self.widen_walks();
    }

    /// Makes two nodes one.
    pub fn unify(&mut self, a: Node, b: Node) {
        let (a, b) = (self.find(a), self.find(b));
        if a != b {
            self.merge(a.min(b), &[a, b]);
        }
    }

    fn merge(&mut self, into: Node, members: &[Node]) {
        // What all members have passed on need not be passed on again.
        let mut old = self.sets[into].difference(&self.fresh[into]);
        for &member in members.iter().filter(|&&m| m != into) {
            old = old.intersection(&self.sets[member].difference(&self.fresh[member]));
            let set = std::mem::take(&mut self.sets[member]);
            self.sets[into].union_with(&set);
            self.fresh[member].clear();
            let copies = std::mem::take(&mut self.copies[member]);
            self.copies[into].extend(copies);
            let complex = std::mem::take(&mut self.complex[member]);
            self.complex[into].extend(complex);
            self.parent[member].set(into);
            self.queued[member] = false;
            // A cycle through a node that is both is one through memory.
            self.cell[into] |= self.cell[member];
        }
        let copies = self.copies[into].iter().map(|&dst| self.find(dst)).filter(|&dst| dst != into);
        let mut copies: Vec<_> = copies.collect();
        copies.sort_unstable();
        copies.dedup();
        self.copies[into] = copies;
        self.tidy(into);
        self.fresh[into] = self.sets[into].difference(&old);
        if !self.fresh[into].is_empty() {
            self.queued[into] = true;
            self.next_wave.push(into);
        }
    }

    /// Keeps one of the constraints that do the same; their auxiliary nodes are to become one.
    fn tidy(&mut self, node: Node) {
        let mut complex = std::mem::take(&mut self.complex[node]);
        complex.sort_unstable();
        complex.dedup_by(|next, kept| {
            let same = match (*next, *kept) {
                (Complex::Load { access: a, pointer: p, dst: x }, Complex::Load { access: b, pointer: q, dst: y }) => {
                    (a == b && p == q).then_some((x, y))
                }
                (Complex::Store { access: a, src: x }, Complex::Store { access: b, src: y }) => {
                    (a == b).then_some((x, y))
                }
                _ => return next == kept,
            };
            self.same.extend(same.filter(|(x, y)| x != y));
            same.is_some()
        });
        self.complex[node] = complex;
    }

    /// Gives the shifts on cycles of variables a stride.
    fn widen_walks(&mut self) {
        let mut edges = Vec::new();
        let mut shifts = Vec::new();
        for src in self.parent.ids().filter(|&n| !self.cell[n] && self.find(n) == n) {
            edges.extend(self.copies[src].iter().map(|&dst| (src, self.find(dst))));
            for (at, complex) in self.complex[src].iter().enumerate() {
                if let Complex::Shift { base, stride, dst } = *complex {
                    edges.push((src, self.find(dst)));
                    if base != 0 && stride != 1 {
                        shifts.push((src, at));
                    }
                }
            }
        }
        if shifts.is_empty() {
            return;
        }
        edges.retain(|&(_, dst)| !self.cell[dst]);
        let sccs = Sccs::new(&Graph::new(self.len(), edges.iter().copied()));
        for (src, at) in shifts {
            if let Complex::Shift { base, stride, dst } = self.complex[src][at]
                && sccs.component(src) == sccs.component(self.find(dst))
            {
                let wide = Offset::strided(base, gcd(stride, base.unsigned_abs()));
                let complex = Complex::Shift { base: wide.base(), stride: wide.stride(), dst };
                self.complex[src][at] = complex;
                self.waiting.insert((src, complex));
            }
        }
    }

    /// The sets of all nodes, and which node has which.
    pub fn finish(self) -> (Vec<Elems>, IdxVec<Node, u32>) {
        let mut sets = Vec::new();
        let mut ids = IdxVec::filled(u32::MAX, self.len());
        for node in self.parent.ids() {
            let rep = self.find(node);
            if ids[rep] == u32::MAX {
                ids[rep] = sets.len() as u32;
                sets.push(self.sets[rep].clone());
            }
            ids[node] = ids[rep];
        }
        (sets, ids)
    }
}
