//! Time, memory, cancellation, and what others may know of a running engine.

use robusto_cpa::Stopped;
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
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
        Self { deadline, memory, cancel, polls: Cell::new(0), next_memory: Cell::new(None) }
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
        Self::until(Some(deadline), self.memory, self.cancel.clone())
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
        let (deadline, memory, cancel) = (self.deadline, self.memory, self.cancel.clone());
        let mut next = Instant::now();
        move || {
            if cancel.load(Ordering::Relaxed) {
                return true;
            }
            let now = Instant::now();
            if now < next {
                return false;
            }
            next = now + Duration::from_millis(20);
            deadline.is_some_and(|deadline| now >= deadline)
                || memory.is_some_and(|limit| resident_memory().is_some_and(|bytes| bytes > limit))
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
