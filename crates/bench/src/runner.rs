//! From tasks and columns to the queue of runs. An [`executor`](crate::executor) works on it.

use crate::discover::{Language, Task};
use crate::preset::Preset;
use crate::process::Limits;
use crate::record::{Key, Record};
use crate::units;
use crate::work::{Work, log_name, report_name};
use std::collections::HashSet;
use std::ffi::OsString;
use std::path::PathBuf;

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
    /// Where the tools' outputs go.
    pub logs: Option<PathBuf>,
    /// Where the pages of the runs go, if there are to be any.
    pub reports: Option<PathBuf>,
}

/// A run to do.
struct Job<'a> {
    task: &'a Task,
    column: &'a Column,
    /// Which repetition, from 0.
    repeat: u32,
}

/// All runs but those that are finished. The columns of a task stand next to each other, so that a machine that
/// changes its speed during the day is as unfair to each of them.
pub fn plan(
    tasks: &[Task],
    columns: &[Column],
    repeats: u32,
    settings: &Settings,
    finished: &HashSet<Key>,
) -> Vec<Work> {
    let all = (0..repeats).flat_map(|repeat| {
        tasks.iter().flat_map(move |task| columns.iter().map(move |column| Job { task, column, repeat }))
    });
    let open = all.map(|job| (job.record(settings), job)).filter(|(record, _)| !finished.contains(&record.key()));
    open.map(|(record, job)| job.work(settings, record)).collect()
}

impl Job<'_> {
    fn work(&self, settings: &Settings, record: Record) -> Work {
        let (column, task) = (&self.column.name, &self.task.name);
        let is_c = self.task.language == Language::C;
        let report = settings.reports.as_ref().filter(|_| is_c);
        let report = report.map(|folder| folder.join(report_name(column, task, self.repeat)));
        let mut command = self.command(settings);
        if let Some(path) = &report {
            command.extend(["--report".into(), path.into()]);
        }
        let log = settings.logs.as_ref().map(|folder| folder.join(log_name(column, task, self.repeat)));
        Work { command, limits: settings.limits, record, log, report }
    }

    /// The command line.
    fn command(&self, settings: &Settings) -> Vec<OsString> {
        // In bytes: tools do not agree on what a gigabyte is.
        let Limits { time, cpu, memory, .. } = settings.limits;
        let mut command: Vec<OsString> = vec![self.column.tool.clone().into()];
        match &self.task.language {
            Language::C => {
                command.extend(["check".into(), self.task.path.clone().into(), "--property".into()]);
                command.push(settings.property.clone().into());
            }
            Language::Boolean(label) => {
                command.push("bp".into());
                command.extend(self.task.inputs.iter().map(OsString::from));
                command.extend(label.iter().flat_map(|label| ["--target", label]).map(OsString::from));
            }
        }
        command.extend(["--timeout".into(), units::duration_argument(time).into()]);
        // Other tools need not know the option as long as nobody asks for it.
        if let Some(cpu) = cpu {
            command.extend(["--cpu-timeout".into(), units::duration_argument(cpu).into()]);
        }
        command.extend(["--memory".into(), format!("{memory}B").into()]);
        if let Some(model) = self.task.model {
            command.extend(["--data-model".into(), model.to_string().to_lowercase().into()]);
        }
        command.extend(self.column.args.iter().map(OsString::from));
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
            ..Record::to_come(&settings.limits)
        }
    }
}
