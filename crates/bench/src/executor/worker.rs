//! What a job of a cluster does: the runs of its chunk, one after the other.

use super::spool::{ChunkId, Delivery, Order, Spool};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

/// Results wait no longer than this, and no more files than one per this time are written: a file costs some milliseconds on
/// a network file system, and a run may take less.
const PACE: Duration = Duration::from_secs(1);

/// Does the runs of a chunk. Raising `cancel` ends it; what is finished is handed over.
pub fn work(spool: &Spool, chunk: ChunkId, cancel: &AtomicBool) -> io::Result<()> {
    let orders = spool.chunk(chunk)?;
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        let delivered = scope.spawn(|| deliver(spool, chunk, receiver));
        let mut result = Ok(());
        for Order { id, work } in orders {
            if cancel.load(Ordering::Relaxed) || delivered.is_finished() {
                break;
            }
            match spool.announce(chunk, id).and_then(|()| work.run(cancel)) {
                Ok(Some(record)) => _ = sender.send(Delivery { id, record }),
                Ok(None) => break,
                Err(error) => {
                    result = Err(error);
                    break;
                }
            }
        }
        drop(sender);
        result.and(delivered.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

/// Writes results as they come, at most one file per [`PACE`].
fn deliver(spool: &Spool, chunk: ChunkId, results: Receiver<Delivery>) -> io::Result<()> {
    let mut due = Instant::now();
    let mut number = 0;
    while let Ok(first) = results.recv() {
        let mut batch = vec![first];
        // Ends early when there is nobody left to send anything.
        while let Ok(next) = results.recv_timeout(due.saturating_duration_since(Instant::now())) {
            batch.push(next);
        }
        spool.deliver(chunk, number, &batch)?;
        number += 1;
        due = Instant::now() + PACE;
    }
    Ok(())
}
