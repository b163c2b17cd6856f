//! Start, watch, end.

use super::capture::Capture;
use super::usage::{self, Usage};
use super::{End, Limits, Outcome, Stop, floor};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open};
use rustix::time::{ClockId, clock_gettime};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use wait4::Wait4 as _;

/// How often limits are checked. A look at the memory costs some ten microseconds, so this is 0.1 % of a core, and a
/// process that takes 2 GB a second overshoots by 100 MB.
const TICK: Duration = Duration::from_millis(50);

/// The first look comes after this time, each later one after twice as long, up to [`TICK`]: some processes end soon.
const FIRST_TICK: Duration = Duration::from_millis(1);

/// How long a process may take to end after `SIGTERM`.
const TERM: Duration = Duration::from_secs(1);

/// Starts a process, feeds it nothing, and waits for its end; raising `cancel` ends it early.
pub fn run(command: &mut Command, limits: &Limits, cancel: &AtomicBool) -> io::Result<Outcome> {
    let start = Instant::now();
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let (mut child, floor) = floor::spawn(command)?;
    let group = Pid::from_child(&child);
    let watched = Watch::new(&mut child, group).and_then(|watch| watch.until_end(start, limits, cancel));
    let wall = start.elapsed();
    // The process is a zombie or about to be one until it is waited for, so the number still names its group.
    let _ = kill_process_group(group, Signal::KILL);
    let used = child.wait4()?;
    let mut seen = watched?;
    Ok(Outcome {
        end: match used.status.code() {
            Some(code) => End::Code(code),
            None => End::Signal(used.status.signal().unwrap_or(0)),
        },
        stopped: seen.stop.map(|(stop, _)| stop),
        wall,
        cpu: used.rusage.utime + used.rusage.stime,
        memory: floor::peak(used.rusage.maxrss, floor, seen.memory),
        stdout: seen.stdout.take_text(),
        stderr: seen.stderr.take_text(),
    })
}

/// CPU time of this process, of all its threads.
pub fn own_cpu_time() -> Option<Duration> {
    Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).ok()
}

/// A running process.
struct Watch {
    group: Pid,
    exit: OwnedFd,
    stdout: Capture,
    stderr: Capture,
    /// The most memory that was seen.
    memory: u64,
    /// Why the process was asked to end, and when.
    stop: Option<(Stop, Instant)>,
}

impl Watch {
    fn new(child: &mut Child, group: Pid) -> io::Result<Self> {
        Ok(Self {
            group,
            exit: pidfd_open(group, PidfdFlags::empty())?,
            stdout: Capture::new(child.stdout.take().map(OwnedFd::from))?,
            stderr: Capture::new(child.stderr.take().map(OwnedFd::from))?,
            memory: 0,
            stop: None,
        })
    }

    /// Returns when the process has ended, before it is waited for.
    fn until_end(mut self, start: Instant, limits: &Limits, cancel: &AtomicBool) -> io::Result<Self> {
        let mut tick = FIRST_TICK;
        loop {
            let ended = self.wait(tick)?;
            tick = TICK.min(tick * 2);
            self.stdout.read_available()?;
            self.stderr.read_available()?;
            if ended {
                return Ok(self);
            }
            self.enforce(start, limits, cancel);
        }
    }

    /// Waits for output or for the end, which is what it returns.
    fn wait(&self, time: Duration) -> io::Result<bool> {
        let timeout = Timespec::try_from(time).map_err(io::Error::other)?;
        let mut events = vec![PollFd::new(&self.exit, PollFlags::IN)];
        events.extend(
            [&self.stdout, &self.stderr].iter().filter_map(|c| c.source()).map(|fd| PollFd::new(fd, PollFlags::IN)),
        );
        match poll(&mut events, Some(&timeout)) {
            Ok(_) => Ok(events[0].revents().contains(PollFlags::IN)),
            Err(rustix::io::Errno::INTR) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    fn enforce(&mut self, start: Instant, limits: &Limits, cancel: &AtomicBool) {
        let Usage { memory, cpu } = Usage::of_tree(self.group);
        let peak = usage::peak(&self.group.as_raw_pid().to_string()).unwrap_or(0);
        self.memory = self.memory.max(memory).max(peak);
        let now = Instant::now();
        match self.stop {
            None => {
                let stop = if cancel.load(Ordering::Relaxed) {
                    Stop::Cancelled
                } else if now - start > limits.time.saturating_add(limits.grace)
                    || limits.cpu.is_some_and(|most| cpu > most.saturating_add(limits.grace))
                {
                    Stop::Time
                } else if memory > limits.memory.saturating_add(limits.memory / 10) {
                    Stop::Memory
                } else {
                    return;
                };
                self.stop = Some((stop, now));
                let _ = kill_process_group(self.group, Signal::TERM);
            }
            // Who goes on to take memory gets no time to think about it.
            Some((_, asked)) if now - asked > TERM || memory > limits.memory.saturating_add(limits.memory / 4) => {
                let _ = kill_process_group(self.group, Signal::KILL);
            }
            Some(_) => {}
        }
    }
}
