//! What a run may spend. A watchdog ends the process if an engine does not notice a limit or a cancellation in time: one
//! operation may take long.

use crate::exit::Exit;
use anyhow::{Context as _, Result};
use clap::Args;
use robusto_bench::host;
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
        let cpu = self.cpu_timeout.map(|most| Cpu { most, used: robusto_bench::process::own_cpu_time });
        Ok(Limits::new(self.timeout, memory, cancel).with_cpu(cpu))
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

/// How long an engine may take to notice a limit.
const GRACE: Duration = Duration::from_millis(600);

/// How far memory may go beyond its limit while an engine has that time. Two threads fill a gigabyte in half a second, and who runs
/// Robusto may end it at a tenth more.
fn excess(most: u64) -> u64 {
    (most / 20).max(100_000_000)
}

/// Time between two looks, in which two threads fill 50 MB.
const PERIOD: Duration = Duration::from_millis(20);

/// Starts to watch; `last` is what is done before the process ends, with the exit code.
pub fn watch(limits: &Limits, last: impl FnOnce(Reason) -> Exit + Send + 'static) {
    let (deadline, cpu, memory, cancel) = (limits.deadline, limits.cpu, limits.memory, limits.cancel.clone());
    std::thread::spawn(move || {
        let mut cancelled: Option<Instant> = None;
        let mut too_much: Option<Instant> = None;
        let mut too_long: Option<Instant> = None;
        loop {
            std::thread::sleep(PERIOD);
            let now = Instant::now();
            if cancelled.is_none() && cancel.load(Ordering::Relaxed) {
                cancelled = Some(now);
            }
            let over = memory.and_then(|m| (m.used)()?.checked_sub(m.most).filter(|&over| over > 0));
            too_much = over.and(too_much.or(Some(now)));
            let is_far_over = over.zip(memory).is_some_and(|(over, m)| over > excess(m.most));
            if too_long.is_none() && cpu.is_some_and(|cpu| cpu.is_exceeded()) {
                too_long = Some(now);
            }
            let reason = if cancelled.is_some_and(|at| now > at + GRACE) {
                Reason::Interrupted
            } else if deadline.into_iter().chain(too_long).any(|at| now > at + GRACE) {
                Reason::Timeout
            } else if is_far_over || too_much.is_some_and(|at| now > at + GRACE) {
                Reason::Memory
            } else {
                continue;
            };
            let exit = last(reason);
            std::process::exit(exit.0.into());
        }
    });
}
