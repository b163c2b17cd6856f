//! Time, memory, cancellation.

use crate::floor::Floor;
use crate::stopped::Stopped;
use std::cell::{Cell, OnceCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// When to stop. A clone has the same limits and counts for itself.
#[derive(Clone, Debug)]
pub struct Limits {
    /// No longer than until then.
    pub deadline: Option<Instant>,
    /// The end of the whole run, of which these limits may be for a part.
    end: Option<Instant>,
    /// No more CPU time than this.
    pub cpu: Option<Cpu>,
    /// How much CPU time has been used, where that is known.
    clock: Option<fn() -> Option<Duration>>,
    /// No more memory than this.
    pub memory: Option<Memory>,
    /// Stop soon after this is set.
    pub cancel: Arc<AtomicBool>,
    floor: Option<Floor>,
    /// Polls since the last look, and when that was.
    polls: Cell<u64>,
    looked: Cell<Option<Instant>>,
    /// Whether so much work lies between two polls that each of them looks.
    is_slow: Cell<bool>,
    /// When to look again at what costs more than the clock.
    next: Cell<Option<Instant>>,
    /// The limit that [`Limits::look`] has seen; it stays reached.
    seen: OnceCell<Stopped>,
}

/// A limit of CPU time, of all threads together.
#[derive(Clone, Copy, Debug)]
pub struct Cpu {
    /// Most time.
    pub most: Duration,
    /// How much has been used, where that is known.
    pub used: fn() -> Option<Duration>,
}

impl Cpu {
    /// Whether more has been used.
    pub fn is_exceeded(&self) -> bool {
        (self.used)().is_some_and(|used| used > self.most)
    }

    fn remaining(&self) -> Duration {
        self.most.saturating_sub((self.used)().unwrap_or_default())
    }
}

/// A limit of memory.
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    /// Most bytes.
    pub most: u64,
    /// How many bytes are in use, where that is known.
    pub used: fn() -> Option<u64>,
}

impl Memory {
    /// Whether more is in use.
    pub fn is_exceeded(&self) -> bool {
        (self.used)().is_some_and(|bytes| bytes > self.most)
    }
}

/// Polls per look at the clock, which takes some 25 ns.
const POLLS: u64 = 16;

/// If so much time lies between two looks, each poll looks: a poll that comes every 100 ms must not wait for 15 others.
const SLOW: Duration = Duration::from_millis(1);

/// Time between two looks at CPU time, memory and floor: system calls and a lock.
const PERIOD: Duration = Duration::from_millis(20);

impl Limits {
    /// Limits from now on.
    pub fn new(time: Option<Duration>, memory: Option<Memory>, cancel: Arc<AtomicBool>) -> Self {
        Self::until(time.map(|t| Instant::now() + t), memory, cancel)
    }

    /// No limits, for tests and measurements.
    pub fn none() -> Self {
        Self::until(None, None, Arc::default())
    }

    /// Limits with a fixed end.
    pub fn until(deadline: Option<Instant>, memory: Option<Memory>, cancel: Arc<AtomicBool>) -> Self {
        let (polls, looked, is_slow, next, seen) = Default::default();
        let (cpu, clock, floor) = (None, None, None);
        Self { deadline, end: deadline, cpu, clock, memory, cancel, floor, polls, looked, is_slow, next, seen }
    }

    /// The same limits, and no more CPU time than this.
    pub fn with_cpu(self, cpu: Option<Cpu>) -> Self {
        Self { cpu, ..self }
    }

    /// The same limits, for a run that can tell how much CPU time it has used.
    pub fn with_clock(self, used: fn() -> Option<Duration>) -> Self {
        Self { clock: Some(used), ..self }
    }

    /// CPU time of all threads so far, where that is known.
    pub fn cpu_time(&self) -> Option<Duration> {
        self.clock.and_then(|used| used())
    }

    /// The same limits for a run that somebody else can cancel.
    pub fn cancelled_by(&self, cancel: Arc<AtomicBool>) -> Self {
        let limits = Self::until(self.deadline, self.memory, cancel).with_cpu(self.cpu);
        Self { end: self.end, clock: self.clock, ..limits }
    }

    /// The same limits for a run that waits whenever another one has the floor.
    pub fn sharing(self, floor: Floor) -> Self {
        Self { floor: Some(floor), ..self }
    }

    /// The same limits with at most that much time from now on.
    pub fn within(&self, time: Duration) -> Self {
        let end = Instant::now() + time;
        let deadline = self.deadline.map_or(end, |deadline| deadline.min(end));
        let limits = Self { deadline: Some(deadline), ..self.cancelled_by(self.cancel.clone()) };
        Self { floor: self.floor.clone(), ..limits }
    }

    /// The limits of the whole run, for what would be lost if it stopped with a part of it.
    pub fn whole(&self) -> Self {
        let limits = Self { deadline: self.end, ..self.cancelled_by(self.cancel.clone()) };
        Self { floor: self.floor.clone(), ..limits }
    }

    /// The time that is left, if it is limited: until the deadline, or of CPU time for a run that uses one core.
    pub fn remaining(&self) -> Option<Duration> {
        let wall = self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let cpu = self.cpu.map(|cpu| cpu.remaining());
        wall.into_iter().chain(cpu).min()
    }

    /// Whether to go on. Cheap enough for inner loops: it looks only every 16th time where that is soon.
    pub fn poll(&self) -> Result<(), Stopped> {
        if self.cancel.load(Ordering::Relaxed) {
            return Err(Stopped::Cancelled);
        }
        self.polls.set(self.polls.get() + 1);
        if self.is_slow.get() || self.polls.get() >= POLLS { self.look() } else { Ok(()) }
    }

    /// Whether to go on, for those who ask less often, such as solvers. It looks at the clock each time, at CPU time and
    /// memory every 20 ms.
    pub fn look(&self) -> Result<(), Stopped> {
        if self.cancel.load(Ordering::Relaxed) {
            return Err(Stopped::Cancelled);
        }
        if let Some(stopped) = self.seen.get() {
            return Err(stopped.clone());
        }
        let mut now = Instant::now();
        self.polls.set(0);
        let looked = self.looked.replace(Some(now));
        self.is_slow.set(looked.is_none_or(|looked| now - looked > SLOW));
        let is_due = self.next.get().is_none_or(|next| now >= next);
        if is_due && let Some(floor) = &self.floor {
            floor.wait(self.deadline, &self.cancel);
            now = Instant::now();
        }
        if self.deadline.is_some_and(|deadline| now >= deadline) {
            return Err(self.seen.get_or_init(|| Stopped::Timeout).clone());
        }
        if is_due {
            self.next.set(Some(now + PERIOD));
            if self.cpu.is_some_and(|cpu| cpu.is_exceeded()) {
                return Err(self.seen.get_or_init(|| Stopped::Timeout).clone());
            }
            if self.memory.is_some_and(|memory| memory.is_exceeded()) {
                return Err(self.seen.get_or_init(|| Stopped::Memory).clone());
            }
        }
        Ok(())
    }

    /// Why to stop, for somebody whom [`Limits::look`] told so.
    pub fn why(&self) -> Stopped {
        // What was seen stays, and nobody takes a cancellation back.
        self.look().err().unwrap_or(Stopped::Cancelled)
    }

    /// The limit that has been reached, if any, whatever was seen before.
    pub fn reached(&self) -> Option<Stopped> {
        if self.cancel.load(Ordering::Relaxed) {
            return Some(Stopped::Cancelled);
        }
        let is_late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if is_late || self.cpu.is_some_and(|cpu| cpu.is_exceeded()) {
            return Some(Stopped::Timeout);
        }
        self.memory.is_some_and(|memory| memory.is_exceeded()).then_some(Stopped::Memory)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_ends_before_the_whole() {
        let whole = Limits::new(Some(Duration::from_secs(9)), None, Arc::default());
        let part = whole.within(Duration::from_secs(1)).within(Duration::from_secs(5));
        assert!(part.deadline < whole.deadline);
        assert_eq!(part.whole().deadline, whole.deadline);
        assert_eq!(part.cancelled_by(Arc::default()).whole().deadline, whole.deadline);
        assert_eq!(Limits::none().within(Duration::from_secs(1)).whole().deadline, None);
    }

    #[test]
    fn who_has_not_the_floor_waits() {
        let one = &Floor::default();
        let other = &one.another();
        let limits = || Limits::new(Some(Duration::from_millis(50)), None, Arc::default());
        let polled = |floor: &Floor| {
            let (limits, start) = (limits().sharing(floor.clone()), Instant::now());
            let ended = (0..POLLS).any(|_| limits.poll().is_err());
            (ended, start.elapsed() >= Duration::from_millis(50))
        };
        assert_eq!(polled(one), (false, false), "nobody has it");
        one.take();
        other.take();
        other.give_back();
        assert_eq!(polled(one), (false, false), "one has it, and keeps it");
        assert_eq!(polled(other), (true, true), "waits to the deadline");
        let asking = limits().within(Duration::from_millis(50)).sharing(other.clone());
        assert_eq!(asking.look(), Err(Stopped::Timeout), "so does a solver");
        one.give_back();
        assert_eq!(polled(other), (false, false), "nobody has it any more");
    }

    /// Sixteen polls look at least once; where they lie far apart, each does.
    #[test]
    fn who_polls_rarely_looks_each_time() {
        let limits = Limits::new(Some(Duration::from_secs(3600)), None, Arc::default());
        (0..POLLS).for_each(|_| assert_eq!(limits.poll(), Ok(())));
        assert!(limits.is_slow.get(), "there was no look before");
        std::thread::sleep(2 * SLOW);
        limits.look().expect("an hour");
        assert!(limits.is_slow.get());
        let over = Limits { deadline: Some(Instant::now()), ..limits };
        assert_eq!(over.poll(), Err(Stopped::Timeout), "the first poll notices");
    }

    #[test]
    fn who_looks_learns_why_to_stop() {
        let cancel = Arc::new(AtomicBool::new(false));
        let over = Limits::new(Some(Duration::ZERO), None, cancel.clone());
        assert_eq!(over.look(), Err(Stopped::Timeout));
        let full = Memory { most: 1, used: || Some(2) };
        let limits = Limits::new(None, Some(full), cancel.clone());
        assert_eq!(limits.look(), Err(Stopped::Memory));
        assert_eq!(limits.look(), Err(Stopped::Memory), "it stays reached, though nobody looks again so soon");
        assert_eq!(limits.why(), Stopped::Memory);
        let used = |seconds| Cpu { most: Duration::from_secs(seconds), used: || Some(Duration::from_secs(5)) };
        let hour = || Limits::new(Some(Duration::from_secs(3600)), None, cancel.clone());
        let busy = hour().with_cpu(Some(used(4)));
        assert_eq!((busy.look(), busy.reached()), (Err(Stopped::Timeout), Some(Stopped::Timeout)));
        let parts = hour().with_cpu(Some(used(4))).within(Duration::from_secs(60));
        assert_eq!(parts.cancelled_by(Arc::default()).look(), Err(Stopped::Timeout), "the limit goes down to parts");
        let quiet = hour().with_cpu(Some(used(12)));
        assert_eq!((quiet.look(), quiet.remaining()), (Ok(()), Some(Duration::from_secs(7))));
        let unknown = Memory { most: 1, used: || None };
        assert_eq!(Limits::new(None, Some(unknown), cancel.clone()).look(), Ok(()));
        let free = Limits::until(None, None, cancel.clone());
        assert_eq!((free.look(), free.poll(), free.reached()), (Ok(()), Ok(()), None));
        cancel.store(true, Ordering::Relaxed);
        assert_eq!((free.look(), free.poll()), (Err(Stopped::Cancelled), Err(Stopped::Cancelled)));
        assert_eq!(free.reached(), Some(Stopped::Cancelled));
    }
}
