//! What a cluster's workload manager is asked.

use super::spool::{ChunkId, Spool};
use std::io;
use std::ops::Range;
use std::time::Duration;

/// A workload manager. Jobs belong to a batch, which has the name of its [`Spool`].
pub trait Scheduler {
    /// The most jobs that can be submitted in one step.
    fn most_at_once(&mut self) -> usize;

    /// Starts a job for each chunk.
    fn submit(&mut self, spool: &Spool, chunks: Range<u32>, needs: Needs) -> io::Result<()>;

    /// The jobs of a batch that wait or run.
    fn queue(&mut self, spool: &Spool) -> io::Result<Queue>;

    /// Ends all jobs of a batch.
    fn cancel(&mut self, spool: &Spool) -> io::Result<()>;
}

/// What a job may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Needs {
    /// Wall time; without a limit, what the cluster grants.
    pub time: Option<Duration>,
    /// Bytes; likewise.
    pub memory: Option<u64>,
}

/// Jobs that are not over.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Queue {
    /// Those that have not begun.
    pub waiting: Vec<ChunkId>,
    /// Those that have.
    pub running: Vec<ChunkId>,
    /// What the first of those that wait waits for.
    pub reason: Option<String>,
}

impl Queue {
    /// Whether all jobs are over.
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty() && self.running.is_empty()
    }
}
