//! Which runs are finished, and which job has which of the others.

use super::super::scheduler::Queue;
use super::super::spool::{ChunkId, WorkId};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::{Duration, Instant};

/// A run is given up after so many jobs were lost during it.
pub const MOST_LOSSES: u8 = 3;

/// The books of a batch.
#[derive(Debug)]
pub struct Ledger {
    runs: Vec<Run>,
    open: usize,
    /// Runs that no job has, as they will be handed out.
    waiting: VecDeque<Vec<WorkId>>,
    /// Jobs that were submitted and have not given all results.
    live: BTreeMap<ChunkId, Live>,
    next: ChunkId,
    completed: Vec<ChunkId>,
    /// Jobs that were over before their first run began.
    false_starts: usize,
    losses: usize,
}

#[derive(Clone, Debug)]
struct Run {
    finished: bool,
    /// Jobs that were lost during it.
    losses: u8,
    /// The job that has it.
    chunk: Option<ChunkId>,
}

#[derive(Debug)]
struct Live {
    runs: Vec<WorkId>,
    /// How many of the runs are not finished.
    open: usize,
    begun: bool,
    /// Since when the workload manager does not list it.
    gone: Option<Instant>,
}

/// What becomes of the runs of a lost job.
#[derive(PartialEq, Eq, Debug)]
pub struct Loss {
    /// Number of runs that will be done again.
    pub again: usize,
    /// Runs that are given up.
    pub given_up: Vec<WorkId>,
}

impl Ledger {
    /// Nothing is done, and jobs will have so many runs.
    pub fn new(runs: usize, per_job: usize) -> Self {
        let ids: Vec<WorkId> = (0..runs as u32).map(WorkId).collect();
        Self {
            runs: vec![Run { finished: false, losses: 0, chunk: None }; runs],
            open: runs,
            waiting: ids.chunks(per_job.max(1)).map(<[WorkId]>::to_vec).collect(),
            live: BTreeMap::new(),
            next: ChunkId(0),
            completed: Vec::new(),
            false_starts: 0,
            losses: 0,
        }
    }

    /// Whether all runs are finished.
    pub fn is_done(&self) -> bool {
        self.open == 0
    }

    /// Number of jobs under way.
    pub fn live(&self) -> usize {
        self.live.len()
    }

    /// Whether there are runs that no job has.
    pub fn has_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Whether there ever was a job.
    pub fn has_submitted(&self) -> bool {
        self.losses > 0 || !self.live.is_empty() || self.has_results()
    }

    /// Whether any run is finished.
    pub fn has_results(&self) -> bool {
        self.open < self.runs.len()
    }

    /// Whether a job was lost; it may still run on a node that nobody hears of.
    pub fn has_losses(&self) -> bool {
        self.losses > 0
    }

    /// Number of jobs that were over before their first run began.
    pub fn false_starts(&self) -> usize {
        self.false_starts
    }

    /// Takes the runs of the next jobs, numbered one after the other.
    pub fn next_chunks(&mut self, most: usize) -> Vec<(ChunkId, Vec<WorkId>)> {
        // Some may have come late, from jobs that were given up.
        if self.losses > 0 {
            self.waiting.iter_mut().for_each(|runs| runs.retain(|id| !self.runs[id.index()].finished));
            self.waiting.retain(|runs| !runs.is_empty());
        }
        let count = most.min(self.waiting.len());
        let first = self.next.0;
        (first..).map(ChunkId).zip(self.waiting.drain(..count)).collect()
    }

    /// Jobs were submitted for these.
    pub fn submitted(&mut self, chunks: Vec<(ChunkId, Vec<WorkId>)>) {
        for (chunk, runs) in chunks {
            runs.iter().for_each(|id| self.runs[id.index()].chunk = Some(chunk));
            self.next = ChunkId(chunk.0 + 1);
            self.live.insert(chunk, Live { open: runs.len(), runs, begun: false, gone: None });
        }
    }

    /// No jobs were submitted for these.
    pub fn refused(&mut self, chunks: Vec<(ChunkId, Vec<WorkId>)>) {
        chunks.into_iter().rev().for_each(|(_, runs)| self.waiting.push_front(runs));
    }

    /// A run is finished; whether that is news.
    pub fn finish(&mut self, id: WorkId) -> bool {
        let Some(run) = self.runs.get_mut(id.index()).filter(|run| !run.finished) else { return false };
        run.finished = true;
        self.open -= 1;
        if let Some(chunk) = run.chunk.take()
            && let Some(live) = self.live.get_mut(&chunk)
        {
            live.open -= 1;
            if live.open == 0 {
                self.live.remove(&chunk);
                self.completed.push(chunk);
            }
        }
        true
    }

    /// Jobs that have given all results since the last call.
    pub fn take_completed(&mut self) -> Vec<ChunkId> {
        std::mem::take(&mut self.completed)
    }

    /// The first runs of jobs that run now and did not before.
    pub fn begun(&mut self, queue: &Queue) -> Vec<WorkId> {
        let mut first = Vec::new();
        for chunk in &queue.running {
            if let Some(live) = self.live.get_mut(chunk)
                && !std::mem::replace(&mut live.begun, true)
            {
                first.extend(live.runs.first());
            }
        }
        first
    }

    /// Jobs that the workload manager has not listed for a while.
    pub fn missing(&mut self, queue: &Queue, patience: Duration) -> Vec<ChunkId> {
        let listed: BTreeSet<ChunkId> = queue.running.iter().chain(&queue.waiting).copied().collect();
        let now = Instant::now();
        let mut missing = Vec::new();
        for (chunk, live) in &mut self.live {
            if listed.contains(chunk) {
                live.gone = None;
            } else if now - *live.gone.get_or_insert(now) >= patience {
                missing.push(*chunk);
            }
        }
        missing
    }

    /// A job is lost. The run that was under way is to blame, and goes to a job of its own; without one all are. What has
    /// been to blame too often is given up.
    pub fn lose(&mut self, chunk: ChunkId, running: Option<WorkId>) -> Loss {
        self.losses += 1;
        let runs = self.live.remove(&chunk).map(|live| live.runs).unwrap_or_default();
        let open: Vec<WorkId> = runs.into_iter().filter(|id| !self.runs[id.index()].finished).collect();
        self.false_starts += usize::from(running.is_none());
        let mut loss = Loss { again: 0, given_up: Vec::new() };
        let mut rest = Vec::new();
        for id in open {
            let run = &mut self.runs[id.index()];
            run.chunk = None;
            let to_blame = running.is_none_or(|running| running == id);
            run.losses += u8::from(to_blame);
            if run.losses >= MOST_LOSSES {
                loss.given_up.push(id);
                continue;
            }
            loss.again += 1;
            if running == Some(id) { self.waiting.push_back(vec![id]) } else { rest.push(id) }
        }
        if !rest.is_empty() {
            self.waiting.push_back(rest);
        }
        loss
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(range: std::ops::Range<u32>) -> Vec<WorkId> {
        range.map(WorkId).collect()
    }

    fn submit(ledger: &mut Ledger) -> Vec<(ChunkId, Vec<WorkId>)> {
        let chunks = ledger.next_chunks(10);
        ledger.submitted(chunks.clone());
        chunks
    }

    #[test]
    fn a_batch_without_trouble() {
        let mut ledger = Ledger::new(5, 2);
        let chunks = submit(&mut ledger);
        assert_eq!(chunks, [(ChunkId(0), ids(0..2)), (ChunkId(1), ids(2..4)), (ChunkId(2), ids(4..5))]);
        assert!(!ledger.has_waiting() && ledger.live() == 3 && !ledger.has_results());
        assert!(ledger.finish(WorkId(4)) && !ledger.finish(WorkId(4)), "a result counts once");
        assert_eq!(ledger.take_completed(), [ChunkId(2)]);
        (0..4).for_each(|id| assert!(ledger.finish(WorkId(id))));
        assert!(ledger.is_done() && ledger.live() == 0);
        assert!(!ledger.finish(WorkId(99)), "nobody asked for this one");
    }

    #[test]
    fn losses() {
        let mut ledger = Ledger::new(4, 4);
        submit(&mut ledger);
        ledger.finish(WorkId(0));
        assert_eq!(ledger.lose(ChunkId(0), Some(WorkId(1))), Loss { again: 3, given_up: vec![] });
        // The one that was under way runs alone, so that it spoils no other if it is the cause.
        assert_eq!(submit(&mut ledger), [(ChunkId(1), ids(1..2)), (ChunkId(2), ids(2..4))]);
        // A result that comes late counts.
        assert!(ledger.finish(WorkId(2)));
        assert_eq!(ledger.lose(ChunkId(1), Some(WorkId(1))), Loss { again: 1, given_up: vec![] });
        submit(&mut ledger);
        assert_eq!(ledger.lose(ChunkId(3), Some(WorkId(1))), Loss { again: 0, given_up: ids(1..2) });
        ledger.finish(WorkId(1));
        ledger.finish(WorkId(3));
        assert!(ledger.is_done() && ledger.false_starts() == 0);
    }

    #[test]
    fn jobs_that_never_begin() {
        let mut ledger = Ledger::new(2, 2);
        for round in 0..3 {
            submit(&mut ledger);
            let loss = ledger.lose(ChunkId(round), None);
            assert_eq!(loss.given_up.len(), if round == 2 { 2 } else { 0 });
        }
        assert_eq!(ledger.false_starts(), 3);
    }

    #[test]
    fn patience() {
        let mut ledger = Ledger::new(2, 1);
        submit(&mut ledger);
        let queue = Queue { running: vec![ChunkId(1)], ..Queue::default() };
        assert_eq!((ledger.begun(&queue), ledger.begun(&queue)), (ids(1..2), vec![]));
        assert!(ledger.missing(&queue, Duration::from_secs(60)).is_empty());
        assert_eq!(ledger.missing(&queue, Duration::ZERO), [ChunkId(0)]);
    }

    #[test]
    fn refusals() {
        let mut ledger = Ledger::new(3, 1);
        let chunks = ledger.next_chunks(2);
        ledger.refused(chunks);
        assert!(!ledger.has_submitted());
        assert_eq!(submit(&mut ledger).len(), 3);
    }
}
