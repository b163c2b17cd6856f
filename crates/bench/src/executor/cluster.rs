//! Jobs of a cluster: what is submitted, what is collected, what is lost and runs again.
//!
//! The workload manager starts jobs and says which are not over; results come through the shared folder alone. So a result
//! counts whatever the manager thinks of its job, and a job that is over without all of its results is lost, whatever the
//! cause: a node that failed, a limit of the cluster, a preemption. Its runs go to new jobs. The manager's own requeueing is
//! switched off, as it would begin a job from its first run.

mod ledger;

use super::scheduler::{Needs, Queue, Scheduler};
use super::spool::{ChunkId, Spool};
use super::{Event, Executor, Observer};
use crate::judge::Category;
use crate::process::Limits;
use crate::record::Record;
use crate::units;
use crate::work::Work;
use ledger::{Ledger, Loss};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The folder of all batches, in that of the results.
pub const FOLDER: &str = "cluster";

/// A cluster behind a workload manager.
#[derive(Debug)]
pub struct Cluster<S> {
    scheduler: S,
    settings: Settings,
}

/// How a cluster is used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// A folder that the nodes see under the same path.
    pub folder: PathBuf,
    /// Runs per job; [`runs_per_job`] if nothing is said.
    pub per_job: Option<usize>,
    /// Whether the next jobs are submitted only when all others are over: the number of jobs at a time is limited per
    /// submission.
    pub one_submission: bool,
    /// How often the workload manager is asked for its queue.
    pub ask: Duration,
}

/// How often the shared folder is looked at: a person does not notice the delay, and an empty folder costs microseconds.
const LOOK: Duration = Duration::from_millis(200);

/// Looks at the queue that a job has to be missing for until it is lost. Network file systems show new files some seconds late.
const PATIENCE: u32 = 3;

/// A job may take this long, so that a lost one does not cost more; one with a single run may take longer.
const JOB_TIME: Duration = Duration::from_secs(3600);

/// What starting a job and writing results may take beside the runs.
const START: Duration = Duration::from_secs(60);

/// Beyond these a limit is none, and left to the cluster.
const NO_LIMIT: (Duration, u64) = (Duration::from_secs(365 * 24 * 3600), 1 << 50);

/// Jobs that may end before they begin their first run, as long as no other job has given a result: then it is not the nodes.
const FALSE_STARTS: usize = 3;

/// Submissions in a row that may fail while nothing else goes on: a controller restarts within a minute.
const REFUSALS: usize = 12;

/// How long jobs may take to end after they were cancelled. Slurm kills after 30 s.
const CANCEL: Duration = Duration::from_secs(40);

impl<S: Scheduler> Cluster<S> {
    /// A cluster.
    pub fn new(scheduler: S, settings: Settings) -> Self {
        Self { scheduler, settings }
    }

    /// The workload manager.
    pub fn scheduler(&self) -> &S {
        &self.scheduler
    }

    /// Ends the jobs of earlier batches in the folder, and hands over what they finished: the process that started them may
    /// have been killed. Gives the number of batches.
    pub fn recover(&mut self, mut take: impl FnMut(Record) -> io::Result<()>) -> io::Result<usize> {
        let spools = Spool::all(&self.settings.folder)?;
        for spool in &spools {
            self.scheduler.cancel(spool)?;
            self.drain(spool)?;
            spool.collect(|delivery| take(delivery.record))?;
            spool.remove()?;
        }
        Ok(spools.len())
    }

    /// Waits until the jobs of a batch are over.
    fn drain(&mut self, spool: &Spool) -> io::Result<()> {
        let start = Instant::now();
        while !self.scheduler.queue(spool)?.is_empty() && start.elapsed() < CANCEL {
            thread::sleep(LOOK);
        }
        Ok(())
    }
}

impl<S: Scheduler> Executor for Cluster<S> {
    fn execute(&mut self, works: &[Work], cancel: &AtomicBool, observer: &mut Observer<'_>) -> io::Result<()> {
        if works.is_empty() {
            return Ok(());
        }
        let most = self.scheduler.most_at_once();
        let slowest = works.iter().map(|work| duration(&work.limits)).max().unwrap_or_default();
        let per_job = self.settings.per_job.unwrap_or_else(|| runs_per_job(works.len(), slowest, most));
        let spool = Spool::create(&self.settings.folder, &batch_name())?;
        let mut batch = Batch {
            ledger: Ledger::new(works.len(), per_job),
            works,
            spool,
            most,
            asked: None,
            refusals: 0,
            silent: false,
            told_reason: None,
        };
        let result = batch.work(self, cancel, observer);
        if result.is_err() && !batch.ledger.has_submitted() {
            batch.spool.remove()?;
            return result;
        }
        // Whatever happened: no job may go on for nobody.
        if result.is_err() || !batch.ledger.is_done() || batch.ledger.has_losses() {
            let cancelled = self.scheduler.cancel(&batch.spool).and_then(|()| self.drain(&batch.spool));
            if let (Err(error), Ok(())) = (cancelled, &result) {
                observer(Event::Note(format!("jobs named {} may still run: {error}", batch.spool.name())))?;
            }
        }
        // What is not in the journal stays in the folder, for the next call.
        result?;
        batch.collect(observer)?;
        batch.spool.remove()
    }
}

/// The work on one queue.
struct Batch<'w> {
    works: &'w [Work],
    ledger: Ledger,
    spool: Spool,
    /// Most jobs that are submitted at a time, and about as many wait or run.
    most: usize,
    asked: Option<Instant>,
    /// Submissions in a row that failed.
    refusals: usize,
    /// Whether the workload manager does not answer.
    silent: bool,
    told_reason: Option<String>,
}

impl Batch<'_> {
    fn work<S: Scheduler>(
        &mut self,
        cluster: &mut Cluster<S>,
        cancel: &AtomicBool,
        observer: &mut Observer<'_>,
    ) -> io::Result<()> {
        loop {
            self.collect(observer)?;
            if self.ledger.is_done() || cancel.load(Ordering::Relaxed) {
                return Ok(());
            }
            let room = if cluster.settings.one_submission { 0 } else { self.most / 2 };
            let again = self.refusals == 0 || self.is_due(&cluster.settings);
            if again && self.ledger.live() <= room && self.ledger.has_waiting() {
                self.submit(cluster, observer)?;
            }
            if self.is_due(&cluster.settings) {
                self.ask(cluster, observer)?;
                self.asked = Some(Instant::now());
            }
            observer(Event::Tick)?;
            thread::sleep(LOOK);
        }
    }

    fn is_due(&self, settings: &Settings) -> bool {
        self.asked.is_none_or(|asked| asked.elapsed() >= settings.ask)
    }

    /// Takes the results that are there.
    fn collect(&mut self, observer: &mut Observer<'_>) -> io::Result<()> {
        let (ledger, spool) = (&mut self.ledger, &self.spool);
        spool.collect(|delivery| {
            if ledger.finish(delivery.id) {
                observer(Event::Finished(Box::new(delivery.record)))?;
            }
            Ok(())
        })?;
        for chunk in ledger.take_completed() {
            spool.forget(chunk);
        }
        Ok(())
    }

    /// Submits as many jobs as possible in one step.
    fn submit<S: Scheduler>(&mut self, cluster: &mut Cluster<S>, observer: &mut Observer<'_>) -> io::Result<()> {
        let chunks = self.ledger.next_chunks(self.most);
        let mut needs = Needs { time: Some(Duration::ZERO), memory: Some(0) };
        for (chunk, ids) in &chunks {
            self.spool.write_chunk(*chunk, ids.iter().map(|id| (*id, &self.works[id.index()])))?;
            needs = joined(needs, needs_of(ids.iter().map(|id| &self.works[id.index()].limits)));
        }
        let (Some((first, _)), Some((last, _))) = (chunks.first(), chunks.last()) else { return Ok(()) };
        match cluster.scheduler.submit(&self.spool, first.0..last.0 + 1, needs) {
            Ok(()) => {
                self.refusals = 0;
                self.ledger.submitted(chunks);
                Ok(())
            }
            Err(error) => {
                chunks.iter().for_each(|(chunk, _)| self.spool.forget(*chunk));
                self.ledger.refused(chunks);
                self.refusals += 1;
                // A command line that makes no sense never will; a full queue or a controller that restarts is another matter.
                if !self.ledger.has_submitted() || (self.ledger.live() == 0 && self.refusals > REFUSALS) {
                    return Err(error);
                }
                if self.refusals == 1 {
                    observer(Event::Note(format!("no more jobs for now: {error}")))?;
                }
                Ok(())
            }
        }
    }

    /// Asks the workload manager which jobs are not over.
    fn ask<S: Scheduler>(&mut self, cluster: &mut Cluster<S>, observer: &mut Observer<'_>) -> io::Result<()> {
        let queue = match cluster.scheduler.queue(&self.spool) {
            Ok(queue) => queue,
            // Results may come all the same; it is told once.
            Err(_) if self.silent => return Ok(()),
            Err(error) => {
                self.silent = true;
                return observer(Event::Note(format!("the cluster's queue is not known for now: {error}")));
            }
        };
        self.silent = false;
        observer(Event::Parallel(queue.running.len()))?;
        for id in self.ledger.begun(&queue) {
            observer(Event::Started(&self.works[id.index()]))?;
        }
        self.tell_reason(&queue, observer)?;
        let patience = cluster.settings.ask * (PATIENCE - 1);
        for chunk in self.ledger.missing(&queue, patience) {
            self.lose(chunk, observer)?;
        }
        Ok(())
    }

    /// Tells why nothing runs, once for each reason.
    fn tell_reason(&mut self, queue: &Queue, observer: &mut Observer<'_>) -> io::Result<()> {
        let usual = ["None", "Priority", "Resources", "BeginTime", "JobArrayTaskLimit"];
        match &queue.reason {
            Some(reason) if queue.running.is_empty() && !usual.contains(&&reason[..]) => {
                if self.told_reason.as_ref() != Some(reason) {
                    self.told_reason = Some(reason.clone());
                    observer(Event::Note(format!("{} jobs wait: {reason}", queue.waiting.len())))?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// A job is over, and not all of its runs are finished.
    fn lose(&mut self, chunk: ChunkId, observer: &mut Observer<'_>) -> io::Result<()> {
        let running = self.spool.running(chunk);
        let Loss { again, given_up } = self.ledger.lose(chunk, running);
        if self.ledger.false_starts() >= FALSE_STARTS && !self.ledger.has_results() {
            let output = self.spool.last_output().unwrap_or_else(|| "they printed nothing".to_owned());
            return Err(io::Error::other(format!("jobs end before they begin: {output}")));
        }
        let culprit = running.map_or(String::new(), |id| format!(" during {}", self.works[id.index()].record.task));
        let plural = if again == 1 { "" } else { "s" };
        observer(Event::Note(format!("a job was lost{culprit}; {again} run{plural} of it will be done again")))?;
        for id in given_up {
            self.ledger.finish(id);
            observer(Event::Finished(Box::new(lost(&self.works[id.index()]))))?;
        }
        self.spool.forget(chunk);
        Ok(())
    }
}

/// The record of a run whose job was lost again and again.
fn lost(work: &Work) -> Record {
    Record {
        started: units::timestamp(SystemTime::now()),
        status: "error(lost with its job)".to_owned(),
        category: Category::Error,
        message: Some(format!("{} jobs were lost during this run", ledger::MOST_LOSSES)),
        ..work.record.clone()
    }
}

/// What a run takes in the worst case: its limit, the time to end it, and some to spare.
fn duration(limits: &Limits) -> Duration {
    limits.time.saturating_add(limits.grace).saturating_add(Duration::from_secs(2))
}

/// What a job with these runs may use. A process is ended at 10 % more memory than it may have, by us and not by the cluster.
fn needs_of<'l>(runs: impl Iterator<Item = &'l Limits>) -> Needs {
    let (mut time, mut memory) = (START, 0);
    for limits in runs {
        time = time.saturating_add(duration(limits));
        memory = memory.max(limits.memory.saturating_add(limits.memory / 10).saturating_add(64 << 20));
    }
    Needs { time: Some(time).filter(|time| *time < NO_LIMIT.0), memory: Some(memory).filter(|&size| size < NO_LIMIT.1) }
}

/// What is enough for both.
fn joined(a: Needs, b: Needs) -> Needs {
    let memory = a.memory.zip(b.memory).map(|(a, b)| a.max(b));
    Needs { time: a.time.zip(b.time).map(|(a, b)| a.max(b)), memory }
}

/// How many runs a job does one after the other. One, as long as all jobs fit into one submission: then a node is never busy
/// with the rest of a list while others are idle. Beyond that, so many that they fit, but no more than `JOB_TIME` allows.
pub fn runs_per_job(runs: usize, slowest: Duration, most: usize) -> usize {
    let fit = runs.div_ceil(most.max(1));
    let allowed = (JOB_TIME.as_secs() / slowest.as_secs().max(1)) as usize;
    fit.min(allowed).max(1)
}

/// A name that no other batch has, not even one of another user's.
fn batch_name() -> String {
    let nanos = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
    format!("robusto-{nanos:x}-{}", std::process::id())
}

/// The folder of batches below that of the results.
pub fn folder(results: &Path) -> PathBuf {
    results.join(FOLDER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_of_jobs() {
        let minute = Duration::from_secs(60);
        assert_eq!(runs_per_job(621, minute, 1000), 1, "each run is a job while they fit");
        assert_eq!(runs_per_job(20_000, minute, 1000), 20, "as many as it takes to fit");
        assert_eq!(runs_per_job(100_000, minute, 1000), 60, "but no more than an hour");
        assert_eq!(runs_per_job(100_000, 120 * minute, 1000), 1);
        assert_eq!(runs_per_job(0, Duration::ZERO, 0), 1);
    }

    #[test]
    fn what_jobs_need() {
        let limits = Limits { time: Duration::from_secs(10), memory: 1_000_000_000, ..Limits::default() };
        let needs = needs_of([limits, limits].iter());
        assert_eq!(needs.time, Some(Duration::from_secs(60 + 2 * (10 + 2 + 2))));
        assert_eq!(needs.memory, Some(1_100_000_000 + (64 << 20)));
        let endless = needs_of([Limits { time: Duration::MAX, memory: u64::MAX, ..limits }].iter());
        assert_eq!((endless.time, endless.memory), (None, None));
        assert_eq!(joined(needs, endless).time, None);
    }
}
