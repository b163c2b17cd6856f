//! The cache of results of operations: direct-mapped, lossy, with an entry per node as long as the limit allows.

use super::Edge;

/// Operators with their number in the cache; none is 0, so that an empty entry matches no key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Op {
    And = 1,
    Xor,
    Ite,
    Disjoint,
    Exists,
    AndExists,
    Cofactor,
    ExistsAnd,
    Restrict,
    MultiIte,
    // The third word of the key is a number from here on, not an edge.
    Rename,
    MultiApply,
    MultiExists,
    MultiMap,
    MultiTest,
}

/// A key and its result. The operator shares words with the edges, which leave three bits free.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    key: [u32; 3],
    result: u32,
}

pub(super) struct Cache {
    entries: Vec<Entry>,
    limit: usize,
    /// More nodes than this should have more entries.
    due: usize,
}

/// The least number of entries.
const MIN: usize = 1 << 12;

impl Cache {
    pub fn new(limit: usize) -> Self {
        let limit = limit.next_power_of_two().max(MIN);
        Self { entries: vec![Entry::default(); MIN], limit, due: if limit > MIN { MIN } else { usize::MAX } }
    }

    #[inline]
    fn key(op: Op, f: Edge, g: Edge, h: Edge) -> [u32; 3] {
        let op = op as u32;
        [f.0 | (op & 7) << 29, g.0 | (op >> 3) << 29, h.0]
    }

    #[inline]
    fn place(&self, key: [u32; 3]) -> usize {
        let hash = (u64::from(key[0]) << 32 | u64::from(key[1])).wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ u64::from(key[2]).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (hash.wrapping_mul(0x94d0_49bb_1331_11eb) >> 32) as usize & (self.entries.len() - 1)
    }

    #[inline]
    pub fn get(&self, op: Op, f: Edge, g: Edge, h: Edge) -> Option<Edge> {
        let key = Self::key(op, f, g, h);
        let entry = &self.entries[self.place(key)];
        (entry.key == key).then_some(Edge(entry.result))
    }

    #[inline]
    pub fn put(&mut self, op: Op, f: Edge, g: Edge, h: Edge, result: Edge) {
        let key = Self::key(op, f, g, h);
        let place = self.place(key);
        self.entries[place] = Entry { key, result: result.0 };
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// How many nodes there may be before the cache should [`grow`](Self::grow).
    #[inline]
    pub fn due(&self) -> usize {
        self.due
    }

    /// Twice as many entries.
    #[cold]
    pub fn grow(&mut self) {
        self.resize(2 * self.entries.len());
    }

    /// Changes the number of entries to `count`, a power of two, within the limits.
    pub fn resize(&mut self, count: usize) {
        let count = count.clamp(MIN, self.limit);
        let mut entries = Vec::new();
        if count == self.entries.len() || entries.try_reserve_exact(count).is_err() {
            self.due = usize::MAX;
            return;
        }
        self.due = if count < self.limit { count } else { usize::MAX };
        entries.resize(count, Entry::default());
        for entry in std::mem::replace(&mut self.entries, entries) {
            if entry.key != [0; 3] {
                let place = self.place(entry.key);
                self.entries[place] = entry;
            }
        }
    }

    /// Forgets all results.
    pub fn clear(&mut self) {
        self.entries.fill(Entry::default());
    }

    /// Forgets the results about nodes that are not alive.
    pub fn retain(&mut self, alive: impl Fn(Edge) -> bool) {
        const EDGE: u32 = (1 << 29) - 1;
        for entry in &mut self.entries {
            let [f, g, h] = entry.key;
            let numbered = f >> 29 | g >> 29 << 3 >= Op::Rename as u32;
            let valid = alive(Edge(f & EDGE))
                && alive(Edge(g & EDGE))
                && (numbered || alive(Edge(h)))
                && alive(Edge(entry.result));
            if !valid {
                *entry = Entry::default();
            }
        }
    }
}
