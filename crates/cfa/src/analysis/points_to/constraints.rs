//! The constraint graph: nodes with their sets, inclusions between them, and what waits for new elements.
//!
//! Nodes on a cycle of inclusions have the same set; [`Constraints::collapse`] makes them one (Fähndrich, Foster, Su,
//! Aiken: *Partial online cycle elimination in inclusion constraint graphs*, PLDI 1998) and numbers the rest
//! topologically, so that a wave of new elements passes each node once (Pereira, Berlin: *Wave propagation and deep
//! propagation for pointer analysis*, CGO 2009). Only new elements move (`fresh`, difference propagation).

use super::elements::{ElemId, Elems};
use crate::analysis::graph::Graph;
use crate::analysis::scc::Sccs;
use crate::ir::{Idx, IdxVec};
use hashbrown::HashSet;
use rustc_hash::FxBuildHasher;
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
    parent: IdxVec<Node, Node>,
    sets: IdxVec<Node, Elems>,
    /// Elements of the set that have not been passed on.
    fresh: IdxVec<Node, Elems>,
    copies: IdxVec<Node, Vec<Node>>,
    complex: IdxVec<Node, Vec<Complex>>,
    edges: HashSet<(Node, Node), FxBuildHasher>,
    waiting: HashSet<(Node, Complex), FxBuildHasher>,
    rank: IdxVec<Node, u32>,
    queued: IdxVec<Node, bool>,
    wave: BinaryHeap<Reverse<(u32, Node)>>,
    next_wave: Vec<Node>,
    position: u32,
    new_edges: usize,
}

impl Constraints {
    pub fn node(&mut self) -> Node {
        self.sets.push(Elems::new());
        self.fresh.push(Elems::new());
        self.copies.push(Vec::new());
        self.complex.push(Vec::new());
        self.rank.push(u32::MAX);
        self.queued.push(false);
        self.parent.push(Node::new(self.parent.len()))
    }

    pub fn len(&self) -> usize {
        self.parent.len()
    }

    pub fn find(&self, mut node: Node) -> Node {
        while self.parent[node] != node {
            node = self.parent[node];
        }
        node
    }

    pub fn set(&self, node: Node) -> &Elems {
        &self.sets[self.find(node)]
    }

    pub fn insert(&mut self, node: Node, elem: ElemId) -> bool {
        let node = self.find(node);
        let new = self.sets[node].insert(elem);
        if new {
            self.fresh[node].insert(elem);
            self.queue(node);
        }
        new
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
            // What is fresh at the source comes with its next turn.
            let old = self.sets[src].difference(&self.fresh[src]);
            self.pass(&old, dst);
        }
    }

    fn pass(&mut self, elems: &Elems, dst: Node) {
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
        self.complex[node].push(complex);
        self.sets[node].difference(&self.fresh[node])
    }

    /// The next node with fresh elements: passes them on along inclusions, and returns them with what waits for them,
    /// which [`Constraints::put_back`] takes back.
    pub fn step(&mut self) -> Option<(Node, Elems, Vec<Complex>)> {
        let node = loop {
            match self.wave.pop() {
                Some(Reverse((rank, node))) => {
                    if self.queued[node] && self.parent[node] == node {
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
        complex.append(&mut self.complex[node]);
        self.complex[node] = complex;
    }

    fn start_wave(&mut self) {
        // Ranks go stale as edges are added; new ones pay off once the graph has grown by an eighth.
        if self.new_edges * 8 > self.edges.len() {
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
            let rank = (count - id.index()) as u32;
            let into = *members.iter().min().expect("components are not empty");
            self.rank[into] = rank;
            if members.len() > 1 {
                self.merge(into, members);
            }
        }
        for node in self.parent.ids() {
            self.parent[node] = self.find(node);
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
            self.parent[member] = into;
            self.queued[member] = false;
        }
        let mut copies: Vec<_> =
            self.copies[into].iter().map(|&dst| self.find(dst)).filter(|&dst| dst != into).collect();
        copies.sort_unstable();
        copies.dedup();
        self.copies[into] = copies;
        let complex = &mut self.complex[into];
        complex.sort_unstable();
        complex.dedup();
        self.fresh[into] = self.sets[into].difference(&old);
        if !self.fresh[into].is_empty() {
            self.queued[into] = true;
            self.next_wave.push(into);
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
