//! How large the node store and the operation cache are.

/// The store is exhausted: the operation needs more nodes than there are, even after a garbage collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the store of decision-diagram nodes is full")]
pub struct Full;

/// Sizes that are fixed when the manager is created: OxiDD cannot grow its node store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoreSize {
    /// How many inner nodes there may be, garbage included.
    pub nodes: usize,
    /// How many results of operations are remembered.
    pub cache: usize,
}

impl Default for StoreSize {
    fn default() -> Self {
        Self { nodes: 1 << 24, cache: 1 << 18 }
    }
}
