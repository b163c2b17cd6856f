//! `robusto check`: is the property true?

use crate::args::CheckArgs;
use crate::exit::Exit;
use crate::properties::{self, Choice, NoneSupported};
use crate::{input, output};
use anyhow::{Context as _, Result};
use robusto_cpa::Order;
use robusto_engine::{Limits, Progress, Reason, Report, Verdict, bdd};
use robusto_report::{Sources, Style, TraceLength};
use std::fmt::Write as _;
use std::io::{IsTerminal as _, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long an engine may take to notice a limit before the watchdog ends the run.
const GRACE: Duration = Duration::from_millis(600);

/// Checks and prints; the exit code is the verdict's.
pub fn command(args: &CheckArgs) -> Result<Exit> {
    let start = Instant::now();
    let choice = match properties::choose(&args.property, &args.input) {
        Ok(choice) => choice,
        Err(error) if error.is::<NoneSupported>() => {
            let _ = writeln!(std::io::stdout(), "RESULT: unknown(unsupported: {error})");
            return Ok(Exit::UNKNOWN);
        }
        Err(error) => return Err(error),
    };
    let property = choice.property.clone();
    let cancel = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        signal_hook::flag::register(signal, cancel.clone()).context("cannot handle signals")?;
    }
    let limits = Limits::new(args.timeout, args.memory, cancel.clone());
    let progress = Arc::new(Progress::default());
    watch(limits.deadline, cancel, progress.clone());
    let program = input::compile(&args.input, property.checks())?;
    let files = program.files.clone();
    let order = match args.order {
        crate::args::OrderArg::Bfs => Order::BreadthFirst,
        crate::args::OrderArg::Dfs => Order::DepthFirst,
        crate::args::OrderArg::Rpo => Order::ReversePostOrder,
    };
    let traces = !property.has_many_verdicts() || args.trace_length() == TraceLength::Full;
    let options = bdd::Options { order, blocks: true, store: Default::default(), traces, timing: args.statistics };
    let mut drawing = None;
    let mut report = bdd::check(program, &property, &options, &limits, &progress, |program, arg| {
        if let Some(path) = &args.arg {
            drawing = Some(crate::draw_arg::draw(program, arg, path));
        }
    });
    if let (Some(text), Some(path)) = (drawing, &args.arg) {
        std::fs::write(path, text).with_context(|| format!("cannot write `{}`", path.display()))?;
    }
    report.counters.push(("total time", format!("{:.3} s", start.elapsed().as_secs_f64())));
    report.counters.push(("peak memory", peak_memory().map_or("unknown".to_owned(), |b| format!("{} MB", b >> 20))));
    print(&report, &files, &choice, args.trace_length())
}

fn print(report: &Report, files: &[Box<str>], choice: &Choice, trace: TraceLength) -> Result<Exit> {
    let property = &choice.property;
    let violated = matches!(report.verdict, Verdict::False(_));
    let sources = Sources::new(files, |name| if violated { std::fs::read_to_string(name).ok() } else { None });
    let colour = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty());
    let style = Style { colour };
    let mut text = choice.note().map_or(String::new(), |note| note + "\n");
    text += &robusto_report::text(report, &sources, property, trace, style);
    if let Some(line) = choice.comparison(&report.verdict) {
        let _ = writeln!(text, "{line}");
    }
    let _ = writeln!(text, "{}", robusto_report::result_line(report, property));
    output::write_to(None, |out| out.write_all(text.as_bytes()))?;
    Ok(exit_of(&report.verdict))
}

fn exit_of(verdict: &Verdict) -> Exit {
    match verdict {
        Verdict::True => Exit::OK,
        Verdict::False(_) => Exit::FALSE,
        Verdict::Unknown(_) => Exit::UNKNOWN,
    }
}

/// Ends the process if an engine does not notice a limit or a cancellation in time: one operation may take long.
fn watch(deadline: Option<Instant>, cancel: Arc<AtomicBool>, progress: Arc<Progress>) {
    std::thread::spawn(move || {
        let mut cancelled: Option<Instant> = None;
        loop {
            std::thread::sleep(Duration::from_millis(50));
            let now = Instant::now();
            if cancelled.is_none() && cancel.load(Ordering::Relaxed) {
                cancelled = Some(now);
            }
            let reason = if cancelled.is_some_and(|at| now > at + GRACE) {
                Reason::Interrupted
            } else if deadline.is_some_and(|at| now > at + GRACE) {
                Reason::Timeout
            } else {
                continue;
            };
            let mut text = String::new();
            let _ = writeln!(text, "statistics:");
            let _ = writeln!(text, "  {:<24}{}", "reached states", progress.reached.load(Ordering::Relaxed));
            let _ = writeln!(text, "  {:<24}{}", "expansions", progress.expanded.load(Ordering::Relaxed));
            let _ = writeln!(text, "RESULT: unknown({reason})");
            let _ = std::io::stdout().write_all(text.as_bytes());
            std::process::exit(Exit::UNKNOWN.0.into());
        }
    });
}

/// Greatest resident memory so far, in bytes.
fn peak_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|l| l.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? * 1024)
}
