//! Ends the process if an engine does not notice a limit or a cancellation in time: one operation may take long.

use crate::exit::Exit;
use crate::sink::SharedSink;
use robusto_engine::{Limits, Progress, Reason, Report, resident_memory};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How long an engine may take to notice a limit.
const GRACE: Duration = Duration::from_millis(600);

/// Starts to watch.
pub fn start(limits: &Limits, progress: Arc<Progress>, sink: SharedSink) {
    let (deadline, memory, cancel) = (limits.deadline, limits.memory, limits.cancel.clone());
    std::thread::spawn(move || {
        let mut cancelled: Option<Instant> = None;
        let mut too_much: Option<Instant> = None;
        loop {
            std::thread::sleep(Duration::from_millis(50));
            let now = Instant::now();
            if cancelled.is_none() && cancel.load(Ordering::Relaxed) {
                cancelled = Some(now);
            }
            let over = memory.is_some_and(|limit| resident_memory().is_some_and(|bytes| bytes > limit));
            too_much = if over { too_much.or(Some(now)) } else { None };
            let reason = if cancelled.is_some_and(|at| now > at + GRACE) {
                Reason::Interrupted
            } else if deadline.is_some_and(|at| now > at + GRACE) {
                Reason::Timeout
            } else if too_much.is_some_and(|at| now > at + GRACE) {
                Reason::Memory
            } else {
                continue;
            };
            let mut report = Report::unknown(reason);
            report.counters.push(("reached states", progress.reached.load(Ordering::Relaxed).to_string()));
            report.counters.push(("expansions", progress.expanded.load(Ordering::Relaxed).to_string()));
            let exit = sink.take().write(report).unwrap_or(Exit::UNKNOWN);
            std::process::exit(exit.0.into());
        }
    });
}
