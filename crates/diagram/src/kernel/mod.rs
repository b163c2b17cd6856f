//! The decision diagrams themselves: reduced, ordered, with complement edges.
//!
//! After K. S. Brace, R. L. Rudell and R. E. Bryant, "Efficient implementation of a BDD package" (DAC 1990): a unique
//! table makes equal functions equal edges, one direct-mapped cache remembers the results of all operations, negation
//! is a bit of the edge.
//!
//! | paper | here |
//! |---|---|
//! | unique table, collision chain | [`Kernel::make`], [`table::Table`], [`Node::next`] |
//! | strong canonical form, complement edge on the 0-branch only | [`Edge`], [`Kernel::make`] |
//! | computed cache | [`cache::Cache`] |
//!
//! The nodes of a level are in a table of their own ([`table`]), so two adjacent levels can be exchanged in place ([`swap`]) and
//! the order improved by sifting ([`sift`]). A node says its level, not its variable: an operation need not look up the
//! order, and a reordering relabels all nodes once, at its end. The benchmark `image` executes as many instructions as with one
//! table for all levels (13.36 and 13.37 billion).
//!
//! Deviations: no reference counts in the nodes. Only the roots that the user holds are counted, and garbage is
//! collected by marking between two operations, never inside one; so an operation touches no counter at all. The
//! collection keeps the cached results whose nodes survive.
//!
//! # Why not a package
//!
//! This was OxiDD 0.13 at first (index-based manager, one thread). Processor time for the 200,000 operations on sets of
//! 1000 nodes of the benchmark `image`:
//!
//! | | store 2^18, cache 2^16 | store 2^24, cache 2^18 |
//! |---|---|---|
//! | OxiDD, plain edges | 8.1 s, 13 MB | 10.1 s, 329 MB |
//! | OxiDD, complement edges | 9.3 s, 13 MB | 12.0 s, 379 MB |
//! | this | 1.7 s, 4 MB | 1.7 s, 4 MB |
//!
//! With it, `robusto check` took 24 s and 450 MB for `eca-programs/Problem101_label17`, now 5 s and 298 MB; for
//! `eca-rers2012/Problem05_label09` 0.36 s, now 0.16 s. What cost the time there, by `perf`: 46 % looking up the unique table, nearly all of
//! it waiting for memory, since garbage is collected only when the store is 95 % full, and a store that is kept small
//! is full at times although it has room (the collecting thread hands its free places back after it has released the
//! lock); 24 % applying, with an atomic operation for every cache access, node and reference; 10 % collecting.
//! Complement edges save no nodes for sets of states (1056 instead of 1057), but negation and inclusion for free.

mod apply;
mod cache;
mod collect;
mod conjuncts;
mod minimise;
mod multi;
mod order;
mod quantify;
mod rename;
mod sift;
mod swap;
mod table;

use rustc_hash::FxHashMap;

use crate::{Full, VarIndex};
use cache::Cache;
pub(crate) use multi::Shape;
pub(crate) use order::Order;
use table::Table;

/// A function: the node in the upper 31 bits, its complement mark in the lowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Edge(u32);

impl Edge {
    pub const TRUE: Self = Self(0);
    pub const FALSE: Self = Self(1);

    #[inline]
    pub fn constant(value: bool) -> Self {
        Self(!value as u32)
    }

    #[inline]
    pub fn is_constant(self) -> bool {
        self.0 <= 1
    }

    /// The place of the node in the table.
    #[inline]
    pub fn index(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Complements the edge if `mark` is that of a complement edge.
    #[inline]
    fn xor_mark(self, mark: u32) -> Self {
        Self(self.0 ^ mark)
    }

    #[inline]
    fn mark(self) -> u32 {
        self.0 & 1
    }

    #[inline]
    fn regular(self) -> Self {
        Self(self.0 & !1)
    }
}

impl std::ops::Not for Edge {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(self.0 ^ 1)
    }
}

/// The place of a variable in the order, 0 at the top.
pub(crate) type Level = u32;

/// The level of the constant and of the terminals of multi-terminal diagrams: below all variables.
const TERMINAL: Level = Level::MAX;
/// The level of a free place in the table.
const FREE: Level = Level::MAX - 1;
/// The end of a collision chain or of the list of free places; place 0 is the constant's.
const END: u32 = 0;

/// An inner node: if the variable then `high` else `low`. `high` is never a complement edge.
#[derive(Clone, Copy, Debug)]
struct Node {
    level: Level,
    high: Edge,
    low: Edge,
    /// The next node with the same hash, or the next free place.
    next: u32,
}

/// The nodes and the operations on them.
pub(crate) struct Kernel {
    nodes: Vec<Node>,
    /// The unique tables, by level.
    tables: Vec<Table>,
    order: Order,
    /// First free place.
    free: u32,
    /// Inner nodes in use, garbage included.
    used: usize,
    /// How many inner nodes there may be.
    limit: usize,
    /// How many inner nodes the current operation may leave in use.
    cap: usize,
    /// Collect garbage before an operation that begins with this many nodes.
    threshold: usize,
    cache: Cache,
    collections: u64,
    /// The largest number of nodes in use before a collection.
    peak: usize,
    /// How many numbers have been given out.
    numbers: u32,
    /// The places of the terminals, by their value.
    terminals: FxHashMap<u32, u32>,
    /// The group of each variable; variables of one group stay together.
    groups: Vec<u32>,
    /// Reorder when a collection leaves this many nodes.
    reorder_at: usize,
    /// The last visit of each node, to visit no node twice.
    stamps: Vec<u32>,
    /// The number of the latest visit.
    stamp: u32,
    /// Says whether to stop, if anybody may ask for that.
    stop: Option<Box<dyn Fn() -> bool>>,
    /// Nodes that were looked for since that was asked.
    unasked: u32,
}

/// So many nodes are looked for, which takes less than a millisecond, before somebody is asked whether to stop.
const UNASKED: u32 = 1 << 12;

/// Edges are packed with three bits of the operator in the cache.
const MAX_NODES: usize = (1 << 28) - 1;

impl Kernel {
    /// A kernel without variables.
    pub fn new(limit: usize, cache: usize) -> Self {
        let limit = limit.min(MAX_NODES);
        let terminal = Node { level: TERMINAL, high: Edge::TRUE, low: Edge::TRUE, next: END };
        Self {
            nodes: vec![terminal],
            tables: Vec::new(),
            order: Order::default(),
            free: END,
            used: 0,
            limit,
            cap: limit,
            threshold: collect::MIN_THRESHOLD.min(limit),
            cache: Cache::new(cache),
            collections: 0,
            peak: 0,
            numbers: 0,
            terminals: FxHashMap::default(),
            groups: Vec::new(),
            reorder_at: usize::MAX,
            stamps: Vec::new(),
            stamp: 0,
            stop: None,
            unasked: 0,
        }
    }

    /// Adds variables below all others.
    pub fn add_variables(&mut self, count: u32) {
        self.order.add(count);
        self.tables.resize_with(self.order.len(), Table::default);
        let first = self.groups.iter().max().map_or(0, |&last| last + 1);
        self.groups.extend(first..first + count);
    }

    /// Makes variables a group that stays together when the order changes.
    pub fn group(&mut self, vars: &[VarIndex]) {
        let number = self.groups.iter().max().map_or(0, |&last| last + 1);
        for var in vars {
            self.groups[var.index()] = number;
        }
    }

    #[inline]
    pub fn order(&self) -> &Order {
        &self.order
    }

    /// The variable of the root of `f`, which is not constant.
    #[inline]
    pub fn variable(&self, f: Edge) -> VarIndex {
        self.order.variable(self.level(f))
    }

    pub fn used(&self) -> usize {
        self.used
    }

    pub fn peak(&self) -> usize {
        self.peak.max(self.used)
    }

    pub fn collections(&self) -> u64 {
        self.collections
    }

    /// Lets the next operation create at most this many nodes; returns whether this is less than the store allows.
    pub fn set_budget(&mut self, nodes: usize) -> bool {
        self.cap = self.limit.min(self.used.saturating_add(nodes));
        self.cap < self.limit
    }

    pub fn clear_budget(&mut self) {
        self.cap = self.limit;
    }

    #[inline]
    fn node(&self, f: Edge) -> Node {
        self.nodes[f.index()]
    }

    /// The level of the root of `f`.
    #[inline]
    pub fn level(&self, f: Edge) -> Level {
        self.nodes[f.index()].level
    }

    /// The functions under the two values of the variable of the root of `f`, true first.
    #[inline]
    pub fn branches(&self, f: Edge) -> (Edge, Edge) {
        let node = self.node(f);
        (node.high.xor_mark(f.mark()), node.low.xor_mark(f.mark()))
    }

    /// The functions under the two values of the variable at `level`, which is at or above the root of `f`, the `node`.
    #[inline]
    fn split(f: Edge, node: &Node, level: Level) -> (Edge, Edge) {
        if node.level == level { (node.high.xor_mark(f.mark()), node.low.xor_mark(f.mark())) } else { (f, f) }
    }

    /// The function "if the variable at `level` then `high` else `low`", both below `level`.
    #[inline]
    pub fn make(&mut self, level: Level, high: Edge, low: Edge) -> Result<Edge, Full> {
        if high == low {
            return Ok(high);
        }
        let mark = high.mark();
        Ok(self.unique(level, high.xor_mark(mark), low.xor_mark(mark))?.xor_mark(mark))
    }

    /// From now on, operations fail as if the store were full while this says so.
    pub fn stop_when(&mut self, stop: Box<dyn Fn() -> bool>) {
        self.stop = Some(stop);
    }

    /// Whether to stop.
    pub fn is_stopped(&mut self) -> bool {
        self.unasked = 0;
        self.stop.as_ref().is_some_and(|stop| stop())
    }

    #[inline]
    fn unique(&mut self, level: Level, high: Edge, low: Edge) -> Result<Edge, Full> {
        self.unasked += 1;
        if self.unasked >= UNASKED && self.is_stopped() {
            return Err(Full);
        }
        match self.tables[level as usize].find(&self.nodes, high, low) {
            Some(place) => Ok(Edge(place << 1)),
            None => self.insert(level, high, low),
        }
    }

    fn insert(&mut self, level: Level, high: Edge, low: Edge) -> Result<Edge, Full> {
        if self.used >= self.cap {
            return Err(Full);
        }
        let place = self.allocate(Node { level, high, low, next: END })?;
        self.tables[level as usize].insert(&mut self.nodes, place);
        if self.used > self.cache.due() {
            self.cache.grow();
        }
        Ok(Edge(place << 1))
    }

    /// Finds a place for a node and counts it as used.
    #[inline]
    fn allocate(&mut self, node: Node) -> Result<u32, Full> {
        let place = self.free;
        if place != END {
            self.free = self.nodes[place as usize].next;
            self.nodes[place as usize] = node;
            self.used += 1;
            return Ok(place);
        }
        if self.nodes.len() == self.nodes.capacity() {
            self.nodes.try_reserve(1).map_err(|_| Full)?;
        }
        self.nodes.push(node);
        self.used += 1;
        Ok((self.nodes.len() - 1) as u32)
    }

    /// The conjunction of literals of different variables.
    pub fn literals(&mut self, literals: &[(VarIndex, bool)]) -> Result<Edge, Full> {
        let mut sorted: Vec<_> = literals.iter().map(|&(var, value)| (self.order.level(var), value)).collect();
        sorted.sort_unstable();
        let mut cube = Edge::TRUE;
        for (level, value) in sorted.into_iter().rev() {
            cube = if value { self.make(level, cube, Edge::FALSE)? } else { self.make(level, Edge::FALSE, cube)? };
        }
        Ok(cube)
    }

    /// Calls `visit` with the level of each inner node of `f` until it returns false; returns whether it never did.
    pub fn visit(&mut self, f: Edge, mut visit: impl FnMut(Level) -> bool) -> bool {
        self.visit_while(f, |_, level| visit(level))
    }

    /// Calls `visit` with each node of `f` but the constant, and with its level.
    pub fn visit_edges(&mut self, f: Edge, mut visit: impl FnMut(Edge, Level)) {
        self.visit_while(f, |at, level| {
            visit(at, level);
            true
        });
    }

    #[inline]
    fn visit_while(&mut self, f: Edge, mut visit: impl FnMut(Edge, Level) -> bool) -> bool {
        self.stamps.resize(self.nodes.len(), 0);
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.stamps.fill(0);
            self.stamp = 1;
        }
        let mut stack = vec![f];
        while let Some(f) = stack.pop() {
            if !f.is_constant() && self.stamps[f.index()] != self.stamp {
                self.stamps[f.index()] = self.stamp;
                let node = self.node(f);
                if !visit(f.regular(), node.level) {
                    return false;
                }
                stack.push(node.high);
                stack.push(node.low);
            }
        }
        true
    }
}
