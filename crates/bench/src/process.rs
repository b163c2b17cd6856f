//! One process under limits.
//!
//! The process runs in a group of its own. A tool is expected to keep its limits by itself; here stands what happens
//! if it does not: [`Limits::grace`] after the time limit, that much CPU time after the limit of CPU time, or when the
//! process and its descendants hold a tenth more memory than allowed, the group is asked to end (`SIGTERM`), and killed
//! if it does not.
//!
//! Memory and CPU time are looked at from outside, as the sum over the process and its descendants. A limit of the
//! address space would hit tools that reserve much and touch little, and the kernel's limit of CPU time is one per
//! process. In the end CPU time and peak memory come from `wait4`, thus cover descendants that were waited for.
//!
//! The peak of `wait4` is at least that of the process that started the tool: until it executes its own program, a new
//! process shares the memory of its parent, and the kernel keeps that peak. So our own peak is reset before the start
//! and compared afterwards (`floor`); what lies below it is taken from looks at the running process.

#[cfg(target_os = "linux")]
mod capture;
#[cfg(target_os = "linux")]
mod floor;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
mod usage;

#[cfg(target_os = "linux")]
pub use linux::{own_cpu_time, run};

use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// What a process may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Limits {
    /// Wall time.
    pub time: Duration,
    /// CPU time of the process and its descendants.
    pub cpu: Option<Duration>,
    /// Bytes.
    pub memory: u64,
    /// How long after a time limit the process is ended from outside.
    pub grace: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { time: Duration::from_secs(60), cpu: None, memory: 4_000_000_000, grace: Duration::from_secs(2) }
    }
}

/// Why a process was ended from outside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// It ran past the time limit.
    Time,
    /// It held too much memory.
    Memory,
    /// The user does not want to wait any longer.
    Cancelled,
}

/// How a process ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// By itself, with this exit code.
    Code(i32),
    /// By this signal.
    Signal(i32),
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            End::Code(code) => write!(f, "exit code {code}"),
            End::Signal(signal) => match signal_hook::low_level::signal_name(*signal) {
                Some(name) => write!(f, "killed by {name}"),
                None => write!(f, "killed by signal {signal}"),
            },
        }
    }
}

/// What a process did and used.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// How it ended.
    pub end: End,
    /// Why it was ended from outside, if it was.
    pub stopped: Option<Stop>,
    /// Wall time.
    pub wall: Duration,
    /// CPU time, user and system.
    pub cpu: Duration,
    /// Peak of resident memory, in bytes.
    pub memory: u64,
    /// Standard output, without its middle if it is long.
    pub stdout: String,
    /// Standard error, likewise.
    pub stderr: String,
}

impl Default for Outcome {
    fn default() -> Self {
        Self {
            end: End::Code(0),
            stopped: None,
            wall: Duration::ZERO,
            cpu: Duration::ZERO,
            memory: 0,
            stdout: String::new(),
            stderr: String::new(),
        }
    }
}

/// CPU time of this process, where the system tells.
#[cfg(not(target_os = "linux"))]
pub fn own_cpu_time() -> Option<Duration> {
    None
}

/// Starts a process, feeds it nothing, and waits for its end; raising `cancel` ends it early.
#[cfg(not(target_os = "linux"))]
pub fn run(
    _command: &mut std::process::Command,
    _limits: &Limits,
    _cancel: &std::sync::atomic::AtomicBool,
) -> std::io::Result<Outcome> {
    Err(std::io::Error::other("limits are enforced by means of Linux (pidfd, /proc), which this system does not have"))
}
