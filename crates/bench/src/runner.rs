//! The queue of runs, and the threads that work on it.

use crate::discover::{Language, Task};
use crate::judge::{Category, judge};
use crate::preset::Preset;
use crate::process::{self, Limits, Outcome, Stop};
use crate::record::{Key, Record};
use crate::{statistics, units};
use std::collections::{BTreeMap, HashSet};
use std::io;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, SystemTime};

/// A column of the table: a tool with a preset.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Column {
    /// The name: the preset's, with the tool's if there are several.
    pub name: String,
    /// The name in tables.
    pub title: String,
    /// The tool's file.
    pub tool: PathBuf,
    /// The tool's version and fingerprint.
    pub version: String,
    /// The arguments.
    pub args: Vec<String>,
}

impl Column {
    /// The column of a preset. With several tools, each has a name that becomes part of the column's.
    pub fn new(preset: &Preset, tool: PathBuf, version: String, tool_name: Option<&str>) -> Self {
        let named = |text: &str| tool_name.map_or(text.to_owned(), |tool| format!("{text}@{tool}"));
        let Preset { name, title, args } = preset;
        Self { name: named(name), title: named(title), tool, version, args: args.clone() }
    }
}

/// What all runs have in common.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The property's name.
    pub property: String,
    /// What each process may use.
    pub limits: Limits,
    /// Number of processes at a time.
    pub jobs: usize,
    /// Where the tools' outputs go.
    pub logs: Option<PathBuf>,
    /// Where the pages of the runs go, if there are to be any.
    pub reports: Option<PathBuf>,
}

/// A run to do.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// The task.
    pub task: &'a Task,
    /// The column.
    pub column: &'a Column,
    /// Which repetition, from 0.
    pub repeat: u32,
}

/// All runs but those that are finished. The columns of a task stand next to each other, so that a machine that
/// changes its speed during the day is as unfair to each of them.
pub fn plan<'a>(
    tasks: &'a [Task],
    columns: &'a [Column],
    repeats: u32,
    settings: &Settings,
    finished: &HashSet<Key>,
) -> Vec<Job<'a>> {
    let all = (0..repeats).flat_map(|repeat| {
        tasks.iter().flat_map(move |task| columns.iter().map(move |column| Job { task, column, repeat }))
    });
    all.filter(|job| !finished.contains(&job.record(settings).key())).collect()
}

/// What happens while the queue is worked on.
#[derive(Debug)]
pub enum Event<'a> {
    /// A run starts.
    Started(Job<'a>),
    /// A run is finished.
    Finished(Box<Record>),
    /// Time passes; comes several times a second.
    Tick,
}

enum Message<'a> {
    Started(Job<'a>),
    Finished(io::Result<Box<Record>>),
}

/// Works on the queue, and tells of each event in the calling thread. Raising `cancel` ends it: running processes are
/// stopped, and nothing is told of them. So does an error of `on_event`.
pub fn run<'a>(
    jobs: &[Job<'a>],
    settings: &Settings,
    cancel: &AtomicBool,
    mut on_event: impl FnMut(Event<'a>) -> io::Result<()>,
) -> io::Result<()> {
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..settings.jobs.clamp(1, jobs.len().max(1)) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed))
                    && !cancel.load(Ordering::Relaxed)
                {
                    let _ = sender.send(Message::Started(*job));
                    if let Some(result) = job.run(settings, cancel).transpose() {
                        let _ = sender.send(Message::Finished(result.map(Box::new)));
                    }
                }
            });
        }
        drop(sender);
        let result = loop {
            let told = match receiver.recv_timeout(Duration::from_millis(100)) {
                Ok(Message::Started(job)) => on_event(Event::Started(job)),
                Ok(Message::Finished(Ok(record))) => on_event(Event::Finished(record)),
                Ok(Message::Finished(Err(error))) => Err(error),
                Err(RecvTimeoutError::Timeout) => on_event(Event::Tick),
                Err(RecvTimeoutError::Disconnected) => break Ok(()),
            };
            if told.is_err() {
                break told;
            }
        };
        if result.is_err() {
            cancel.store(true, Ordering::Relaxed);
        }
        result
    })
}

impl Job<'_> {
    /// The command line.
    pub fn command(&self, settings: &Settings) -> Command {
        // In bytes: tools do not agree on what a gigabyte is.
        let Limits { time, cpu, memory, .. } = settings.limits;
        let mut command = Command::new(&self.column.tool);
        match &self.task.language {
            Language::C => command.arg("check").arg(&self.task.path).args(["--property", &settings.property]),
            Language::Boolean(label) => {
                command.arg("bp").args(&self.task.inputs);
                command.args(label.iter().flat_map(|label| ["--target", label]))
            }
        };
        command.args(["--timeout", &units::duration_argument(time)]);
        // Other tools need not know the option as long as nobody asks for it.
        if let Some(cpu) = cpu {
            command.args(["--cpu-timeout", &units::duration_argument(cpu)]);
        }
        command.args(["--memory", &format!("{memory}B")]);
        if let Some(model) = self.task.model {
            command.args(["--data-model", &model.to_string().to_lowercase()]);
        }
        command.args(&self.column.args);
        if let (Some(folder), Language::C) = (&settings.reports, &self.task.language) {
            command.arg("--report").arg(folder.join(report_name(&self.column.name, &self.task.name, self.repeat)));
        }
        command
    }

    /// What is asked: of a Boolean program whether an assertion can fail, or a label be reached.
    fn property(&self, settings: &Settings) -> String {
        match &self.task.language {
            Language::C => settings.property.clone(),
            Language::Boolean(None) => "assert".to_owned(),
            Language::Boolean(Some(label)) => format!("label:{label}"),
        }
    }

    /// Runs the tool; nothing if that was cancelled.
    fn run(&self, settings: &Settings, cancel: &AtomicBool) -> io::Result<Option<Record>> {
        let mut record = self.record(settings);
        record.started = units::timestamp(SystemTime::now());
        if let Some(folder) = &settings.reports {
            let path = folder.join(report_name(&self.column.name, &self.task.name, self.repeat));
            std::fs::create_dir_all(path.parent().unwrap_or(folder))?;
        }
        let outcome = match process::run(&mut self.command(settings), &settings.limits, cancel) {
            Ok(Outcome { stopped: Some(Stop::Cancelled), .. }) => return Ok(None),
            Ok(outcome) => outcome,
            Err(error) => {
                let name = self.column.tool.display();
                return Err(io::Error::new(error.kind(), format!("cannot run '{name}': {error}")));
            }
        };
        let judgement = judge(&outcome, &settings.limits, &record.property, &self.task.expected);
        (record.status, record.category) = (judgement.status, judgement.category);
        record.cpu = outcome.cpu.as_secs_f64();
        record.wall = outcome.wall.as_secs_f64();
        record.memory = outcome.memory;
        record.counters = statistics::counters(&outcome.stdout);
        if record.category != Category::Correct {
            record.message = message(&outcome.stderr);
        }
        self.write_log(settings, &outcome)?;
        Ok(Some(record))
    }

    /// The record of the run as far as it is known beforehand.
    fn record(&self, settings: &Settings) -> Record {
        Record {
            task: self.task.name.clone(),
            family: self.task.family.clone(),
            files: self.task.inputs.iter().map(|path| path.display().to_string()).collect(),
            property: self.property(settings),
            expected: self.task.expected.clone(),
            column: self.column.name.clone(),
            title: self.column.title.clone(),
            args: self.column.args.clone(),
            tool: self.column.version.clone(),
            repeat: self.repeat,
            time_limit: settings.limits.time.as_secs_f64(),
            cpu_limit: settings.limits.cpu.map(|time| time.as_secs_f64()),
            memory_limit: settings.limits.memory,
            started: String::new(),
            status: String::new(),
            category: Category::Error,
            cpu: 0.0,
            wall: 0.0,
            memory: 0,
            counters: BTreeMap::new(),
            message: None,
        }
    }

    fn write_log(&self, settings: &Settings, outcome: &Outcome) -> io::Result<()> {
        let Some(folder) = &settings.logs else { return Ok(()) };
        let path = folder.join(log_name(&self.column.name, &self.task.name, self.repeat));
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let command = self.command(settings);
        let end = outcome.end;
        std::fs::write(
            path,
            format!("{command:?}\n\n{}\n--- standard error\n{}\n--- {end}\n", outcome.stdout, outcome.stderr),
        )
    }
}

/// The file of a run's output, relative to the folder of logs.
pub fn log_name(column: &str, task: &str, repeat: u32) -> String {
    let suffix = if repeat == 0 { String::new() } else { format!(".{repeat}") };
    format!("{column}/{task}{suffix}.log")
}

/// The file of a run's page, relative to the folder of pages.
pub fn report_name(column: &str, task: &str, repeat: u32) -> String {
    let suffix = if repeat == 0 { String::new() } else { format!(".{repeat}") };
    format!("{column}/{task}{suffix}.html")
}

/// The first line of an output, with the next one if that is where the sentence goes on (a Rust panic does so), cut so
/// that it fits into a table.
fn message(stderr: &str) -> Option<String> {
    let mut lines = stderr.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut text = lines.next()?.to_owned();
    if text.ends_with(':')
        && let Some(next) = lines.next()
    {
        text = format!("{text} {next}");
    }
    if let Some((end, _)) = text.char_indices().nth(200) {
        text.truncate(end);
        text.push('…');
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages() {
        assert_eq!(message("\n \n"), None);
        assert_eq!(message("\na.c:1: error: no\nmore").as_deref(), Some("a.c:1: error: no"));
        assert_eq!(message("panicked at x.rs:1:2:\nindex\nmore").as_deref(), Some("panicked at x.rs:1:2: index"));
        assert_eq!(message("only:").as_deref(), Some("only:"));
        assert_eq!(message(&"é".repeat(500)).unwrap().chars().count(), 201);
    }
}
