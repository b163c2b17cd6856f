//! How large the node store and the operation cache may become.

/// The store is exhausted: the operation needs more nodes than there are, even after a garbage collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the store of decision-diagram nodes is full")]
pub struct Full;

/// How large the store may become. It starts with a few kilobytes and grows with the functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoreSize {
    /// How many inner nodes there may be, garbage included, at most 2^28 - 1. A node takes 16 bytes, and up to 16 bytes
    /// in the unique table.
    pub nodes: usize,
    /// How many results of operations are remembered at most, rounded to a power of two; 16 bytes each.
    pub cache: usize,
}

impl Default for StoreSize {
    /// Up to half a gigabyte of nodes. The cache: a product of two 12-bit vectors (1.3 million nodes) takes 2.3 s with
    /// 2^16 entries, 1.8 s with 2^18, 1.6 s with 2^20 and no less with more; a search with large sets of states and
    /// small steps is 5 % slower with 2^20 than with 2^18 and 15 % with 2^22, since less of it stays in the
    /// processor's caches.
    fn default() -> Self {
        Self { nodes: 1 << 24, cache: 1 << 20 }
    }
}
