//! What operations cost: the columns of Table IV.

use std::time::{Duration, Instant};

/// How often something was done, and how long it took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Meter {
    /// How often.
    pub count: u64,
    /// All times together.
    pub time: Duration,
}

impl Meter {
    /// One more, from then until now.
    pub fn add(&mut self, started: Instant) {
        self.count += 1;
        self.time += started.elapsed();
    }
}

/// The operations that the paper measures.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counters {
    /// Numeric values turned into constraints.
    pub gamma: Meter,
    /// Joins and widenings of combined values.
    pub join: Meter,
    /// Numeric statements and conditions applied to combined values.
    pub post: Meter,
    /// Whole transformers applied.
    pub apply: Meter,
}
