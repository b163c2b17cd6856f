//! Time, memory, cancellation, and what others may know of a running engine.

use robusto_cpa::Stopped;
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// When to stop.
#[derive(Clone, Debug)]
pub struct Limits {
    /// No longer than until then.
    pub deadline: Option<Instant>,
    /// No more bytes of resident memory than this.
    pub memory: Option<u64>,
    /// Stop soon after this is set.
    pub cancel: Arc<AtomicBool>,
    floor: Option<Floor>,
    polls: Cell<u64>,
    next_memory: Cell<Option<Instant>>,
}

impl Limits {
    /// Limits from now on.
    pub fn new(time: Option<Duration>, memory: Option<u64>, cancel: Arc<AtomicBool>) -> Self {
        Self::until(time.map(|t| Instant::now() + t), memory, cancel)
    }

    /// Limits with a fixed end.
    pub fn until(deadline: Option<Instant>, memory: Option<u64>, cancel: Arc<AtomicBool>) -> Self {
        Self { deadline, memory, cancel, floor: None, polls: Cell::new(0), next_memory: Cell::new(None) }
    }

    /// The same limits for a run that waits whenever another one has the floor.
    pub fn sharing(self, floor: Floor) -> Self {
        Self { floor: Some(floor), ..self }
    }

    /// Whether to go on. Cheap enough for inner loops: it looks at the clock every 16th time, at the memory every 20 ms.
    pub fn poll(&self) -> Result<(), Stopped> {
        if self.cancel.load(Ordering::Relaxed) {
            return Err(Stopped::Cancelled);
        }
        self.polls.set(self.polls.get() + 1);
        if !self.polls.get().is_multiple_of(16) {
            return Ok(());
        }
        if let Some(floor) = &self.floor {
            floor.wait(self.deadline, &self.cancel);
        }
        let now = Instant::now();
        if self.deadline.is_some_and(|deadline| now >= deadline) {
            return Err(Stopped::Timeout);
        }
        if let Some(limit) = self.memory
            && self.next_memory.get().is_none_or(|next| now >= next)
        {
            self.next_memory.set(Some(now + Duration::from_millis(20)));
            if resident_memory().is_some_and(|bytes| bytes > limit) {
                return Err(Stopped::Memory);
            }
        }
        Ok(())
    }
}

impl Limits {
    /// The same limits with at most that much time from now on.
    pub fn within(&self, time: Duration) -> Self {
        let end = Instant::now() + time;
        let deadline = self.deadline.map_or(end, |deadline| deadline.min(end));
        Self { floor: self.floor.clone(), ..Self::until(Some(deadline), self.memory, self.cancel.clone()) }
    }

    /// The time that is left, if it is limited.
    pub fn remaining(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// The limit that has been reached, if any.
    pub fn reached(&self) -> Option<Stopped> {
        if self.cancel.load(Ordering::Relaxed) {
            return Some(Stopped::Cancelled);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Some(Stopped::Timeout);
        }
        let full = |limit| resident_memory().is_some_and(|bytes| bytes > limit);
        self.memory.is_some_and(full).then_some(Stopped::Memory)
    }

    /// A question for solvers: whether to stop. Looks at the clock and the memory every 20 ms.
    pub fn stopper(&self) -> impl FnMut() -> bool + 'static {
        let (deadline, memory, cancel, floor) = (self.deadline, self.memory, self.cancel.clone(), self.floor.clone());
        let mut next = Instant::now();
        move || {
            if cancel.load(Ordering::Relaxed) {
                return true;
            }
            if Instant::now() < next {
                return false;
            }
            if let Some(floor) = &floor {
                floor.wait(deadline, &cancel);
            }
            let now = Instant::now();
            next = now + Duration::from_millis(20);
            deadline.is_some_and(|deadline| now >= deadline)
                || memory.is_some_and(|limit| resident_memory().is_some_and(|bytes| bytes > limit))
        }
    }
}

/// What one of several runs can have, so that it works alone for some time while the others wait.
#[derive(Clone, Debug)]
pub struct Floor {
    /// The number of the run that has it, and since when.
    holder: Arc<Mutex<Option<(usize, Instant)>>>,
    run: usize,
}

/// How long others wait for a run that has the floor.
const PATIENCE: Duration = Duration::from_secs(5);

impl Floor {
    /// For each of several runs its view of a floor that nobody has.
    pub fn shared(runs: usize) -> impl Iterator<Item = Floor> {
        let holder = Arc::new(Mutex::new(None));
        (0..runs).map(move |run| Floor { holder: holder.clone(), run })
    }

    fn holder(&self) -> MutexGuard<'_, Option<(usize, Instant)>> {
        self.holder.lock().unwrap_or_else(PoisonError::into_inner)
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
    fn wait(&self, deadline: Option<Instant>, cancel: &AtomicBool) {
        let others = || self.holder().is_some_and(|(run, since)| run != self.run && since.elapsed() < PATIENCE);
        let is_over = || deadline.is_some_and(|deadline| Instant::now() >= deadline);
        while others() && !cancel.load(Ordering::Relaxed) && !is_over() {
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// Resident memory of this process in bytes, where the system tells.
pub fn resident_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096)
}

/// How far a running engine is; read by whoever shows it.
#[derive(Default, Debug)]
pub struct Progress {
    /// Abstract states reached.
    pub reached: AtomicU64,
    /// Abstract states waiting.
    pub waiting: AtomicU64,
    /// Expansions done.
    pub expanded: AtomicU64,
    /// Refinements done.
    pub refinements: AtomicU64,
    /// How far loops are unrolled.
    pub bound: AtomicU64,
    activity: Mutex<String>,
}

impl Progress {
    /// Tells what the engine does now.
    pub fn set_activity(&self, text: &str) {
        let mut activity = self.activity.lock().unwrap_or_else(PoisonError::into_inner);
        activity.clear();
        activity.push_str(text);
    }

    /// What the engine does now.
    pub fn activity(&self) -> String {
        self.activity.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_has_not_the_floor_waits() {
        let floors: Vec<Floor> = Floor::shared(2).collect();
        let [one, other] = &floors[..] else { unreachable!("two") };
        let limits = || Limits::new(Some(Duration::from_millis(50)), None, Arc::default());
        let polled = |floor: &Floor| {
            let (limits, start) = (limits().sharing(floor.clone()), Instant::now());
            let ended = (0..16).any(|_| limits.poll().is_err());
            (ended, start.elapsed() >= Duration::from_millis(50))
        };
        assert_eq!(polled(one), (false, false), "nobody has it");
        one.take();
        other.take();
        other.give_back();
        assert_eq!(polled(one), (false, false), "one has it, and keeps it");
        assert_eq!(polled(other), (true, true), "waits to the deadline");
        let mut stop = limits().within(Duration::from_millis(50)).sharing(other.clone()).stopper();
        assert!(stop(), "so does a solver");
        one.give_back();
        assert_eq!(polled(other), (false, false), "nobody has it any more");
    }
}
