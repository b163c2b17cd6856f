//! Who is told the queries of solvers.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Takes every query of some solvers as an SMT-LIB 2 script. Clones share the numbers of the queries: an engine has several
/// solvers, and there may be several engines.
#[derive(Clone)]
pub struct QueryLog {
    next: Arc<AtomicU64>,
    take: Arc<dyn Fn(u64, &str) + Send + Sync>,
}

impl QueryLog {
    /// A log that hands over each query with its number, from 1.
    pub fn new(take: impl Fn(u64, &str) + Send + Sync + 'static) -> Self {
        Self { next: Arc::default(), take: Arc::new(take) }
    }

    pub(super) fn tell(&self, script: &str) {
        (self.take)(self.next.fetch_add(1, Ordering::Relaxed) + 1, script);
    }
}

impl fmt::Debug for QueryLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("QueryLog").field("queries", &self.next).finish_non_exhaustive()
    }
}
