//! Who works on a queue of runs: this machine, or a cluster.
//!
//! | module | owns |
//! |---|---|
//! | [`local`] | processes of this machine |
//! | [`cluster`] | jobs of a cluster: what is submitted, what is collected, what is lost and runs again |
//! | [`scheduler`] | what the cluster's workload manager is asked |
//! | [`slurm`] | the same in Slurm's words |
//! | [`spool`] | the shared folder through which this process and the jobs talk |
//! | [`worker`] | what a job does |
//!
//! What is common (the queue, the journal, progress, resuming, reports) is written once, against [`Executor`].

pub mod cluster;
pub mod local;
pub mod scheduler;
pub mod slurm;
pub mod spool;
pub mod worker;

use crate::record::Record;
use crate::work::Work;
use std::io;
use std::sync::atomic::AtomicBool;

/// What happens while the queue is worked on.
#[derive(Debug)]
pub enum Event<'a> {
    /// A run starts.
    Started(&'a Work),
    /// A run is finished.
    Finished(Box<Record>),
    /// So many runs take place at a time from now on.
    Parallel(usize),
    /// Something that the user should know.
    Note(String),
    /// Time passes; comes several times a second.
    Tick,
}

/// Who is told of events. An error ends the work.
pub type Observer<'o> = dyn FnMut(Event<'_>) -> io::Result<()> + 'o;

/// Somebody who works on a queue of runs.
pub trait Executor {
    /// Does each run once and tells of each event in the calling thread. Raising `cancel` ends it: what is under way is
    /// stopped, and nothing is told of it. So does an error of `observer`.
    fn execute(&mut self, works: &[Work], cancel: &AtomicBool, observer: &mut Observer<'_>) -> io::Result<()>;
}
