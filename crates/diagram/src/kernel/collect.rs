//! Garbage collection: mark what the roots reach, forget the rest.

use super::table::Table;
use super::{END, Edge, FREE, Kernel, TERMINAL};

/// Fewer nodes are never collected. The benchmark `image` takes 1.9 s with 2^14, 2.6 s with 2^15, 3.3 s with 2^17 and
/// 4.2 s with 2^18: what matters is that nodes, unique table and cache stay in the processor's caches.
pub(super) const MIN_THRESHOLD: usize = 1 << 14;

/// The set of live nodes: a bit each, so that 2^16 nodes fit the first-level cache while the operation cache is swept.
/// With the marks in the nodes, this sweep took 16 % of the time of the benchmark `image`.
struct Alive(Vec<u64>);

impl Alive {
    fn insert(&mut self, place: usize) -> bool {
        let (word, bit) = (&mut self.0[place / 64], 1 << (place % 64));
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    fn contains(&self, place: usize) -> bool {
        self.0[place / 64] >> (place % 64) & 1 == 1
    }

    fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The last member; there is one, the constant.
    fn last(&self) -> usize {
        let word = self.0.iter().rposition(|&word| word != 0).expect("the constant is alive");
        64 * word + self.0[word].ilog2() as usize
    }
}

impl Kernel {
    /// Whether so much has been built that a collection pays.
    #[inline]
    pub fn wants_collection(&self) -> bool {
        self.used >= self.threshold
    }

    /// Whether so much is alive, after a collection, that a reordering is due.
    pub fn wants_reordering(&self) -> bool {
        self.used >= self.reorder_at
    }

    /// Asks for a reordering as soon as a collection leaves this many nodes.
    pub fn reorder_at(&mut self, nodes: usize) {
        self.reorder_at = nodes;
        self.threshold = self.threshold.min(nodes);
    }

    /// How many inner nodes some root reaches.
    pub fn live(&self, roots: impl Iterator<Item = usize>) -> usize {
        self.alive(roots).len() - 1
    }

    /// What the roots reach, the constant included.
    fn alive(&self, roots: impl Iterator<Item = usize>) -> Alive {
        let mut alive = Alive(vec![0; self.nodes.len().div_ceil(64)]);
        alive.insert(Edge::TRUE.index());
        let mut stack: Vec<usize> = Vec::new();
        for root in roots {
            stack.push(root);
            while let Some(place) = stack.pop() {
                if alive.insert(place) {
                    let node = &self.nodes[place];
                    stack.push(node.low.index());
                    stack.push(node.high.index());
                }
            }
        }
        alive
    }

    /// Frees all nodes that no root reaches; returns how many.
    pub fn collect(&mut self, roots: impl Iterator<Item = usize>) -> usize {
        self.peak = self.peak.max(self.used);
        let alive = self.alive(roots);
        self.cache.retain(|edge| alive.contains(edge.index()));
        self.terminals.retain(|_, &mut place| alive.contains(place as usize));
        let last = alive.last();
        self.nodes.truncate(last + 1);
        let before = std::mem::replace(&mut self.used, alive.len() - 1);
        let results = (2 * self.used).next_power_of_two();
        if self.cache.len() > 4 * results {
            self.cache.resize(results);
        }
        self.tables.iter_mut().for_each(Table::clear);
        self.free = END;
        // Downwards, so that the lowest places are reused first.
        for place in (1..self.nodes.len()).rev() {
            if alive.contains(place) {
                let level = self.nodes[place].level;
                if level != TERMINAL {
                    self.tables[level as usize].insert(&mut self.nodes, place as u32);
                }
            } else {
                self.nodes[place].level = FREE;
                self.nodes[place].next = std::mem::replace(&mut self.free, place as u32);
            }
        }
        for table in &mut self.tables {
            table.shrink(&mut self.nodes);
        }
        // The next collection visits all places, so there must be as much to gain as to visit.
        self.threshold = (3 * self.used).max(self.nodes.len() / 2).clamp(MIN_THRESHOLD.min(self.limit), self.limit);
        if self.reorder_at < usize::MAX {
            // Garbage alone triggers no reordering, so it is collected a little earlier.
            self.threshold = self.threshold.min(self.reorder_at.max(2 * self.used));
        }
        self.collections += 1;
        before - self.used
    }
}
