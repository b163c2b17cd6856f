//! The unique table of one level: its nodes by their branches, in collision chains.
//!
//! A table per level lets two levels be exchanged without touching the nodes of others, and a lookup need not compare
//! levels.

use super::{END, Edge, Node};

#[derive(Debug)]
pub(super) struct Table {
    /// Heads of the chains: none, or a power of two of them.
    buckets: Vec<u32>,
    /// How many of the 64 bits of a hash are not part of the bucket's number.
    shift: u32,
    /// How many nodes there are.
    len: u32,
}

/// The least number of buckets of a table that has nodes.
const MIN_BUCKETS: usize = 4;

impl Default for Table {
    fn default() -> Self {
        Self { buckets: Vec::new(), shift: 63, len: 0 }
    }
}

impl Table {
    pub fn len(&self) -> usize {
        self.len as usize
    }

    #[inline]
    fn bucket(&self, high: Edge, low: Edge) -> usize {
        let hash = (u64::from(high.0) << 32 | u64::from(low.0)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        ((hash ^ hash >> 32).wrapping_mul(0x94d0_49bb_1331_11eb) >> self.shift) as usize
    }

    /// The node with these branches.
    #[inline]
    pub fn find(&self, nodes: &[Node], high: Edge, low: Edge) -> Option<u32> {
        let mut place = *self.buckets.get(self.bucket(high, low))?;
        while place != END {
            let node = &nodes[place as usize];
            if node.low == low && node.high == high {
                return Some(place);
            }
            place = node.next;
        }
        None
    }

    /// Adds a node that is not there.
    #[inline]
    pub fn insert(&mut self, nodes: &mut [Node], place: u32) {
        if self.len() >= self.buckets.len() {
            self.resize(nodes, self.buckets.len() * 2);
        }
        self.len += 1;
        self.link(nodes, place);
    }

    #[inline]
    fn link(&mut self, nodes: &mut [Node], place: u32) {
        let node = &mut nodes[place as usize];
        let bucket = self.bucket(node.high, node.low);
        node.next = std::mem::replace(&mut self.buckets[bucket], place);
    }

    /// Takes out a node that is there.
    pub fn remove(&mut self, nodes: &mut [Node], place: u32) {
        let Node { high, low, next, .. } = nodes[place as usize];
        let bucket = self.bucket(high, low);
        self.len -= 1;
        if self.buckets[bucket] == place {
            self.buckets[bucket] = next;
            return;
        }
        let mut before = self.buckets[bucket] as usize;
        while nodes[before].next != place {
            before = nodes[before].next as usize;
        }
        nodes[before].next = next;
    }

    /// Takes out all nodes that `leaves` chooses and adds their places to `out`.
    pub fn take(&mut self, nodes: &mut [Node], leaves: impl Fn(&[Node], &Node) -> bool, out: &mut Vec<u32>) {
        let before = out.len();
        for head in &mut self.buckets {
            let (mut place, mut last) = (*head, END);
            while place != END {
                let node = nodes[place as usize];
                if leaves(nodes, &node) {
                    out.push(place);
                    match last {
                        END => *head = node.next,
                        last => nodes[last as usize].next = node.next,
                    }
                } else {
                    last = place;
                }
                place = node.next;
            }
        }
        self.len -= (out.len() - before) as u32;
    }

    /// Makes room for so many more nodes at once.
    pub fn reserve(&mut self, nodes: &mut [Node], more: usize) {
        let count = (self.len() + more).next_power_of_two();
        if more > 0 && count > self.buckets.len() {
            self.resize(nodes, count);
        }
    }

    /// Forgets all nodes, but not the size.
    pub fn clear(&mut self) {
        self.buckets.fill(END);
        self.len = 0;
    }

    /// Frees memory after many nodes have gone.
    pub fn shrink(&mut self, nodes: &mut [Node]) {
        let count = (2 * self.len()).next_power_of_two();
        if self.buckets.len() > 8 * count.max(MIN_BUCKETS) {
            self.resize(nodes, count);
        }
    }

    /// Changes the number of buckets to `count`, a power of two or 0. Without memory for it, chains just get longer.
    #[cold]
    fn resize(&mut self, nodes: &mut [Node], count: usize) {
        let count = count.max(MIN_BUCKETS);
        let mut buckets = Vec::new();
        if buckets.try_reserve_exact(count).is_err() && !self.buckets.is_empty() {
            return;
        }
        buckets.resize(count, END);
        self.shift = 64 - count.ilog2();
        for mut place in std::mem::replace(&mut self.buckets, buckets) {
            while place != END {
                let next = nodes[place as usize].next;
                self.link(nodes, place);
                place = next;
            }
        }
    }
}
