//! What a running engine does: a line on the terminal that rewrites itself, or with `-v` a log on standard error.
//! Violations are shown when they are found, each on a line that stays. Without a terminal and without `-v` nothing else is shown.

use crate::limits::resident_memory;
use robusto_bench::live::LiveLine;
use robusto_limits::Progress;
use std::io::{self, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Time between two looks; six a second look lively and cost nothing.
const PERIOD: Duration = Duration::from_millis(160);
/// A log tells figures that often.
const LOG_PERIOD: Duration = Duration::from_secs(5);

/// A violation is shown if the run goes on for so long after it was found; else the report shows it.
const SOON: Duration = Duration::from_secs(1);

/// So many violations are shown before the report.
const SHOWN: usize = 20;

/// Violations that were found and are to be shown.
#[derive(Clone, Default, Debug)]
pub struct News(Arc<Mutex<Vec<(Instant, String)>>>);

impl News {
    /// A violation was found. Others may find it, too.
    pub fn add(&self, text: String) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.iter().all(|(_, other)| *other != text) {
            known.push((Instant::now(), text));
        }
    }

    /// Those that are to be shown now: how old they must be, and how many were shown before.
    fn due(&self, age: Duration, shown: &mut usize) -> Vec<String> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let due = known.iter().take(SHOWN).skip(*shown).take_while(|(found, _)| found.elapsed() >= age);
        let due: Vec<String> = due.map(|(_, text)| text.clone()).collect();
        *shown += due.len();
        due
    }
}

/// Shows progress until it is dropped.
#[derive(Debug)]
pub struct Status {
    stop: Arc<AtomicBool>,
    worker: Option<JoinHandle<()>>,
}

impl Status {
    /// Starts to show the progress of an engine, and what it finds.
    pub fn start(engine: String, progress: Arc<Progress>, news: News, verbose: bool, start: Instant) -> Self {
        let line = LiveLine::new();
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = stop.clone();
        let worker = thread::Builder::new().name("status".to_owned()).spawn(move || {
            if verbose {
                log(&engine, &progress, &news, start, &stopped);
            } else {
                live(line, &engine, &progress, &news, start, &stopped);
            }
        });
        Self { stop, worker: worker.ok() }
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

fn live(mut shown: LiveLine, engine: &str, progress: &Progress, news: &News, start: Instant, stop: &AtomicBool) {
    let mut told = 0;
    // A short run ends before anything is shown.
    thread::park_timeout(PERIOD * 2);
    while !stop.load(Ordering::Relaxed) {
        news.due(SOON, &mut told).iter().for_each(|text| shown.print(&format!("robusto: {text}")));
        shown.show(|_| line(engine, progress, start));
        thread::park_timeout(PERIOD);
    }
    shown.clear();
}

fn log(engine: &str, progress: &Progress, news: &News, start: Instant, stop: &AtomicBool) {
    let mut shown = 0;
    let mut activity = String::new();
    let mut told = Instant::now();
    while !stop.load(Ordering::Relaxed) {
        news.due(Duration::ZERO, &mut shown).iter().for_each(|text| message(start, text));
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
    let activity = progress.activity();
    // An engine that works alone has its name there.
    let activity = activity.strip_prefix(engine).map_or(&*activity, |rest| rest.trim_start_matches(": "));
    let mut parts = vec![activity.to_owned()];
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
