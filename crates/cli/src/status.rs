//! What a running engine does: a line on the terminal that rewrites itself, or with `-v` a log on standard error.
//! Without a terminal and without `-v` nothing is shown.

use crate::limits::resident_memory;
use robusto_bench::live::LiveLine;
use robusto_limits::Progress;
use std::io::{self, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Time between two looks; six a second look lively and cost nothing.
const PERIOD: Duration = Duration::from_millis(160);
/// A log tells figures that often.
const LOG_PERIOD: Duration = Duration::from_secs(5);

/// Shows progress until it is dropped.
#[derive(Debug)]
pub struct Status {
    stop: Arc<AtomicBool>,
    worker: Option<JoinHandle<()>>,
}

impl Status {
    /// Starts to show the progress of an engine, if there is anybody to show it to.
    pub fn start(engine: String, progress: Arc<Progress>, verbose: bool, start: Instant) -> Option<Self> {
        let line = LiveLine::new();
        if !line.is_terminal() && !verbose {
            return None;
        }
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = stop.clone();
        let worker = thread::Builder::new().name("status".to_owned()).spawn(move || {
            if verbose {
                log(&engine, &progress, start, &stopped);
            } else {
                live(line, &engine, &progress, start, &stopped);
            }
        });
        Some(Self { stop, worker: worker.ok() })
    }
}

impl Drop for Status {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(worker) = self.worker.take() {
            worker.thread().unpark();
            let _ = worker.join();
        }
    }
}

fn live(mut shown: LiveLine, engine: &str, progress: &Progress, start: Instant, stop: &AtomicBool) {
    // A short run ends before anything is shown.
    thread::park_timeout(PERIOD * 2);
    while !stop.load(Ordering::Relaxed) {
        shown.show(|_| line(engine, progress, start));
        thread::park_timeout(PERIOD);
    }
    shown.clear();
}

fn log(engine: &str, progress: &Progress, start: Instant, stop: &AtomicBool) {
    let mut activity = String::new();
    let mut told = Instant::now();
    while !stop.load(Ordering::Relaxed) {
        let now = progress.activity();
        if now != activity || told.elapsed() >= LOG_PERIOD {
            message(start, &line(engine, progress, start));
            activity = now;
            told = Instant::now();
        }
        thread::park_timeout(Duration::from_millis(20));
    }
}

/// `bdd: exploration, 1234 states, 17 waiting, 3.4 s, 120 MB`
fn line(engine: &str, progress: &Progress, start: Instant) -> String {
    let mut parts = vec![progress.activity()];
    let (reached, waiting) = (progress.reached.load(Ordering::Relaxed), progress.waiting.load(Ordering::Relaxed));
    if reached > 0 {
        parts.push(format!("{reached} states"));
    }
    if waiting > 0 {
        parts.push(format!("{waiting} waiting"));
    }
    parts.push(format!("{:.1} s", start.elapsed().as_secs_f64()));
    parts.extend(resident_memory().map(|bytes| format!("{} MB", bytes / 1_000_000)));
    parts.retain(|part| !part.is_empty());
    format!("{engine}: {}", parts.join(", "))
}

/// A line of the log.
pub fn message(start: Instant, text: &str) {
    let _ = writeln!(io::stderr(), "[{:>8.3}] {text}", start.elapsed().as_secs_f64());
}
