//! A cluster within this process: jobs are threads, and nodes can be lost.

#![allow(dead_code, reason = "each user has its part")]

use robusto_bench::executor::scheduler::{Needs, Queue, Scheduler};
use robusto_bench::executor::spool::{ChunkId, Delivery, Order, Spool};
use robusto_bench::executor::worker;
use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

/// What becomes of a job.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// It does its runs.
    Works,
    /// It announces its first run, and is never heard of again.
    LostAtFirst,
    /// It does its runs but the last, which it announces.
    LostAtLast,
    /// It is over before it begins.
    NeverBegins,
    /// It hands over results that nobody computed: what is measured is the way of a result, not a run.
    MakesUp,
}

/// A workload manager.
pub struct Rehearsal {
    /// Most jobs per submission.
    pub most: usize,
    /// What becomes of the K-th job; the last one stands for all that follow.
    pub fates: Vec<Fate>,
    /// What was submitted.
    pub submissions: Vec<(Range<u32>, Needs)>,
    /// Submissions that are refused, counted from now.
    pub refuse: usize,
    jobs: BTreeMap<ChunkId, (JoinHandle<()>, Arc<AtomicBool>)>,
}

impl Rehearsal {
    pub fn new(most: usize, fates: &[Fate]) -> Self {
        Self { most, fates: fates.to_vec(), submissions: Vec::new(), refuse: 0, jobs: BTreeMap::new() }
    }
}

impl Scheduler for Rehearsal {
    fn most_at_once(&mut self) -> usize {
        self.most
    }

    fn submit(&mut self, spool: &Spool, chunks: Range<u32>, needs: Needs) -> io::Result<()> {
        if self.refuse > 0 {
            self.refuse -= 1;
            return Err(io::Error::other("the queue is full"));
        }
        for chunk in chunks.clone().map(ChunkId) {
            let fate = *self.fates.get(chunk.0 as usize).or(self.fates.last()).expect("there is a fate");
            let (spool, cancel) = (spool.clone(), Arc::new(AtomicBool::new(false)));
            let flag = cancel.clone();
            if fate == Fate::MakesUp {
                play(fate, &spool, chunk, &flag);
            } else {
                let job = std::thread::spawn(move || play(fate, &spool, chunk, &flag));
                self.jobs.insert(chunk, (job, cancel));
            }
        }
        self.submissions.push((chunks, needs));
        Ok(())
    }

    fn queue(&mut self, _: &Spool) -> io::Result<Queue> {
        let running = self.jobs.iter().filter(|(_, (job, _))| !job.is_finished()).map(|(chunk, _)| *chunk);
        Ok(Queue { running: running.collect(), ..Queue::default() })
    }

    fn cancel(&mut self, _: &Spool) -> io::Result<()> {
        self.jobs.values().for_each(|(_, cancel)| cancel.store(true, Ordering::Relaxed));
        Ok(())
    }
}

fn play(fate: Fate, spool: &Spool, chunk: ChunkId, cancel: &AtomicBool) {
    let orders = || spool.chunk(chunk).expect("the chunk is there");
    match fate {
        Fate::Works => worker::work(spool, chunk, cancel).expect("the job works"),
        Fate::NeverBegins => {}
        Fate::LostAtFirst => spool.announce(chunk, orders()[0].id).expect("the folder is there"),
        Fate::LostAtLast => {
            let mut orders = orders();
            let last = orders.pop().expect("there is a run");
            let finished: Vec<Delivery> = orders.iter().map(finished).collect();
            spool.deliver(chunk, 0, &finished).expect("the folder is there");
            spool.announce(chunk, last.id).expect("the folder is there");
        }
        Fate::MakesUp => {
            let made_up: Vec<Delivery> = orders().into_iter().map(made_up).collect();
            // As jobs do that take longer than a second: several files.
            for (number, part) in made_up.chunks(10).enumerate() {
                spool.deliver(chunk, number, part).expect("the folder is there");
            }
        }
    }
}

fn finished(order: &Order) -> Delivery {
    let record = order.work.run(&AtomicBool::new(false)).expect("the tool runs").expect("nobody cancels");
    Delivery { id: order.id, record }
}

fn made_up(order: Order) -> Delivery {
    let mut record = order.work.record;
    let number = f64::from(order.id.0);
    record.status = if order.id.0.is_multiple_of(3) { "unknown(timeout)".to_owned() } else { "true".to_owned() };
    record.category = if order.id.0.is_multiple_of(3) {
        robusto_bench::judge::Category::Unknown
    } else {
        robusto_bench::judge::Category::Correct
    };
    (record.cpu, record.wall, record.memory) = (number % 60.0, number % 61.0, 5_000_000 + u64::from(order.id.0));
    record.counters.extend([("abstractions".to_owned(), u64::from(order.id.0)), ("refinements".to_owned(), 7)]);
    Delivery { id: order.id, record }
}
