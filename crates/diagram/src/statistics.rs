//! What the decision diagrams cost.

use std::cell::Cell;
use std::time::{Duration, Instant};

/// How much work the operations were.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Operations asked for.
    pub operations: u64,
    /// Time spent in operations; zero unless timing is enabled.
    pub time: Duration,
    /// Inner nodes in the store now, garbage included.
    pub nodes: usize,
    /// Largest number of inner nodes seen, garbage included.
    pub peak_nodes: usize,
    /// Garbage collections so far.
    pub collections: u64,
    /// Changes of the order of the variables so far.
    pub reorderings: u64,
    /// Time spent in them.
    pub reordering_time: Duration,
    /// Exchanges of two adjacent levels in them.
    pub swaps: u64,
}

/// Counters behind the statistics. `Cell`s: the façade is used by one thread.
#[derive(Debug, Default)]
pub(crate) struct Meter {
    pub operations: Cell<u64>,
    pub time: Cell<Duration>,
    pub timing: Cell<bool>,
    pub reorderings: Cell<u64>,
    pub reordering_time: Cell<Duration>,
    pub swaps: Cell<u64>,
}

impl Meter {
    /// Counts a change of the order.
    pub fn reordered(&self, swaps: u64, time: Duration) {
        self.reorderings.set(self.reorderings.get() + 1);
        self.reordering_time.set(self.reordering_time.get() + time);
        self.swaps.set(self.swaps.get() + swaps);
    }

    /// Counts an operation and, when timing is enabled, measures it.
    #[inline]
    pub fn measure<T>(&self, operation: impl FnOnce() -> T) -> T {
        self.operations.set(self.operations.get() + 1);
        if !self.timing.get() {
            return operation();
        }
        let start = Instant::now();
        let result = operation();
        self.time.set(self.time.get() + start.elapsed());
        result
    }
}
