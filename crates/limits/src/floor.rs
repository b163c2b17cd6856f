//! Runs side by side of which one may work alone for some time.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What one of several runs can have, so that it works alone for some time while the others wait. This is the view of one run; a
/// clone is of the same run.
#[derive(Clone, Default, Debug)]
pub struct Floor {
    shared: Arc<Shared>,
    run: usize,
}

#[derive(Default, Debug)]
struct Shared {
    /// The number of the run that has it, and since when.
    holder: Mutex<Option<(usize, Instant)>>,
    /// The last number that a run was given.
    last: AtomicUsize,
}

/// How long others wait for a run that has the floor.
const PATIENCE: Duration = Duration::from_secs(5);

impl Floor {
    /// The view of one more run.
    pub fn another(&self) -> Floor {
        Floor { shared: self.shared.clone(), run: 1 + self.shared.last.fetch_add(1, Ordering::Relaxed) }
    }

    fn holder(&self) -> MutexGuard<'_, Option<(usize, Instant)>> {
        self.shared.holder.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the floor if nobody has it.
    pub fn take(&self) {
        self.holder().get_or_insert((self.run, Instant::now()));
    }

    /// Gives the floor back if this run has it.
    pub fn give_back(&self) {
        let mut holder = self.holder();
        if holder.is_some_and(|(run, _)| run == self.run) {
            *holder = None;
        }
    }

    /// Waits while another run has the floor, but not for ever, nor beyond a deadline, nor if something is cancelled.
    pub(crate) fn wait(&self, deadline: Option<Instant>, cancel: &AtomicBool) {
        let others = || self.holder().is_some_and(|(run, since)| run != self.run && since.elapsed() < PATIENCE);
        let is_over = || deadline.is_some_and(|deadline| Instant::now() >= deadline);
        while others() && !cancel.load(Ordering::Relaxed) && !is_over() {
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}
