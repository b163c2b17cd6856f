//! What a run may spend. A watchdog ends the process if an engine does not notice a limit or a cancellation in time: one
//! operation may take long. What was found out until then is told as at any other end.

use crate::exit::Exit;
use anyhow::{Context as _, Result};
use clap::Args;
use robusto_bench::host;
use robusto_bench::process::own_cpu_time;
use robusto_bench::units::{parse_duration, parse_size};
use robusto_limits::{Cpu, Limits, Memory};
use robusto_verdict::Reason;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Limits as arguments.
#[derive(Args, Debug)]
pub struct LimitArgs {
    /// Stop after this time (60s, 5min)
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub timeout: Option<Duration>,

    /// Stop after this much CPU time of all threads together
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub cpu_timeout: Option<Duration>,

    /// Stop at this much memory (500MB, 4GB) [default: 80 % of what the machine or container has]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub memory: Option<u64>,
}

impl LimitArgs {
    /// The limits from now on; Ctrl-C and SIGTERM cancel.
    pub fn start(&self) -> Result<Limits> {
        let cancel = Arc::new(AtomicBool::new(false));
        for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
            signal_hook::flag::register(signal, cancel.clone()).context("cannot handle signals")?;
        }
        let most = self.memory.or_else(|| Some(available_memory()? / 100 * SHARE));
        let memory = most.map(|most| Memory { most, used: resident_memory });
        let cpu = self.cpu_timeout.map(|most| Cpu { most, used: own_cpu_time });
        Ok(Limits::new(self.timeout, memory, cancel).with_cpu(cpu).with_clock(own_cpu_time))
    }
}

/// What a run may have of the memory without `--memory`, in percent. A machine that runs out of memory stalls, and ends a process
/// without a result line.
const SHARE: u64 = 80;

/// Memory that this process could have in bytes: that of the machine, or of its container, where the system tells.
fn available_memory() -> Option<u64> {
    let container = std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok();
    let container = container.and_then(|text| text.trim().parse().ok());
    host::memory().into_iter().chain(container).min()
}

/// Resident memory of this process in bytes, where the system tells.
pub fn resident_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096)
}

/// How long the engines may take to notice that the run is to end: this much CPU time of all threads together, for on a busy machine
/// they get little of it, and at most this long. Who runs Robusto may end it two seconds after its limit, without an answer.
const GRACE: (Duration, Duration) = (Duration::from_millis(600), Duration::from_millis(1500));

/// The same where nothing but the answer is waited for: all engines have been told to stop.
const PATIENCE: (Duration, Duration) = (Duration::from_secs(4), Duration::from_secs(10));

/// How far memory may go beyond its limit while an engine has that time. Two threads fill a gigabyte in half a second, and who runs
/// Robusto may end it at a tenth more.
fn excess(most: u64) -> u64 {
    (most / 20).max(100_000_000)
}

/// Time between two looks, in which two threads fill 50 MB.
const PERIOD: Duration = Duration::from_millis(20);

/// A moment: CPU time of this process, where that is known, and the clock.
#[derive(Clone, Copy)]
struct Moment {
    cpu: Option<Duration>,
    wall: Instant,
}

impl Moment {
    fn now() -> Self {
        Self { cpu: own_cpu_time(), wall: Instant::now() }
    }

    /// Whether so much has passed since an earlier one.
    fn is_after(self, since: Moment, (cpu, wall): (Duration, Duration)) -> bool {
        let passed = self.wall - since.wall;
        let spent = self.cpu.zip(since.cpu).map_or(passed, |(now, then)| now.saturating_sub(then));
        spent > cpu || passed > wall
    }
}

/// Starts to watch; `last` is what is done before the process ends, with the exit code. `is_over` says whether the run waits for nothing
/// but its engines to stop.
pub fn watch(
    limits: &Limits,
    is_over: impl Fn() -> bool + Send + 'static,
    last: impl FnOnce(Reason) -> Exit + Send + 'static,
) {
    let (deadline, cpu, memory, cancel) = (limits.deadline, limits.cpu, limits.memory, limits.cancel.clone());
    std::thread::spawn(move || {
        let mut cancelled: Option<Moment> = None;
        let mut too_much: Option<Moment> = None;
        let mut too_long: Option<Moment> = None;
        let mut over: Option<Moment> = None;
        loop {
            std::thread::sleep(PERIOD);
            let now = Moment::now();
            let is_late = |since: Option<Moment>, grace| since.is_some_and(|since| now.is_after(since, grace));
            if cancel.load(Ordering::Relaxed) {
                cancelled.get_or_insert(now);
            }
            if deadline.is_some_and(|deadline| now.wall >= deadline) || cpu.is_some_and(|cpu| cpu.is_exceeded()) {
                too_long.get_or_insert(now);
            }
            if is_over() {
                over.get_or_insert(now);
            }
            let excess_now = memory.and_then(|m| (m.used)()?.checked_sub(m.most).filter(|&over| over > 0));
            too_much = excess_now.and(too_much.or(Some(now)));
            let is_far_over = excess_now.zip(memory).is_some_and(|(over, m)| over > excess(m.most));
            let reason = if is_late(cancelled, GRACE) {
                Reason::Interrupted
            } else if is_late(too_long, GRACE) {
                Reason::Timeout
            } else if is_far_over || is_late(too_much, GRACE) {
                Reason::Memory
            } else if is_late(over, PATIENCE) {
                Reason::AfterViolation
            } else {
                continue;
            };
            let exit = last(reason);
            std::process::exit(exit.0.into());
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grace_is_cpu_time_with_an_end() {
        let start = Moment { cpu: Some(Duration::from_secs(5)), wall: Instant::now() };
        let later = |cpu: u64, wall: u64| Moment {
            cpu: Some(Duration::from_millis(5000 + cpu)),
            wall: start.wall + Duration::from_millis(wall),
        };
        assert!(!later(100, 1400).is_after(start, GRACE), "the machine is busy");
        assert!(later(700, 400).is_after(start, GRACE), "two threads go on");
        assert!(later(0, 1600).is_after(start, GRACE), "somebody waits outside");
        let unknown = Moment { cpu: None, ..later(0, 700) };
        assert!(unknown.is_after(start, GRACE));
    }
}
