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
}

/// Counters behind the statistics. `Cell`s: the façade is used by one thread.
#[derive(Debug, Default)]
pub(crate) struct Meter {
    pub operations: Cell<u64>,
    pub time: Cell<Duration>,
    pub timing: Cell<bool>,
}

impl Meter {
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
