//! How long each phase of the work takes.

use robusto_verdict::Phase;
use std::time::{Duration, Instant};

/// A clock that is read at the end of each phase.
pub struct Phases {
    since: Instant,
    /// The phases so far.
    pub list: Vec<Phase>,
}

impl Default for Phases {
    fn default() -> Self {
        Self { since: Instant::now(), list: Vec::new() }
    }
}

impl Phases {
    /// The phase that began when the one before ended is over.
    pub fn end(&mut self, name: &'static str) {
        let now = Instant::now();
        self.list.push(Phase { name, time: now - self.since });
        self.since = now;
    }

    /// Lists a time measured otherwise, as a part of the phases so far.
    pub fn split(&mut self, name: &'static str, time: Duration) {
        self.list.push(Phase { name, time });
    }
}
