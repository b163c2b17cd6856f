//! One finished run, and the file that such records are appended to.
//!
//! `results.jsonl` holds one JSON object per line: what was started ([`Call`]) and what came of it ([`Record`]).
//! A line is written as soon as a run is finished, so an interruption costs only the runs that were under way.

use crate::host::Host;
use crate::judge::{Category, Expected};
use crate::process::Limits;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

/// The file's name in the folder of results.
pub const FILE: &str = "results.jsonl";

/// One call of `robusto bench`.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Call {
    /// When it began, in UTC.
    pub started: String,
    /// The machine.
    pub host: Host,
    /// Number of processes at a time; 0 if the cluster decides.
    pub jobs: usize,
    /// Where the runs took place, if not on the machine itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub executor: Option<String>,
    /// The arguments of the call.
    pub command: Vec<String>,
    /// The columns, in the order in which tables show them.
    #[serde(default)]
    pub columns: Vec<String>,
}

/// One finished run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// The task's name.
    pub task: String,
    /// The task's family.
    pub family: String,
    /// The program's files.
    pub files: Vec<String>,
    /// The property's name.
    pub property: String,
    /// What to expect of it.
    pub expected: Expected,
    /// The column: the preset's name, with the tool's if there are several.
    pub column: String,
    /// The column's name in tables.
    pub title: String,
    /// The preset's arguments.
    pub args: Vec<String>,
    /// The tool's version and fingerprint.
    pub tool: String,
    /// Which repetition this is, from 0.
    pub repeat: u32,
    /// Limit of wall time, in seconds.
    pub time_limit: f64,
    /// Limit of CPU time, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_limit: Option<f64>,
    /// Memory limit, in bytes.
    pub memory_limit: u64,
    /// When it began, in UTC.
    pub started: String,
    /// The answer, or `error(…)`.
    pub status: String,
    /// What it is worth.
    pub category: Category,
    /// CPU time, in seconds.
    pub cpu: f64,
    /// Wall time, in seconds.
    pub wall: f64,
    /// Peak memory, in bytes.
    pub memory: u64,
    /// The counters that the tool printed.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub counters: BTreeMap<String, u64>,
    /// What standard error begins with, if the run is no success.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

impl Record {
    /// The record of a run to come under these limits, of which nothing else is known yet.
    pub fn to_come(limits: &Limits) -> Self {
        Self {
            task: String::new(),
            family: String::new(),
            files: Vec::new(),
            property: String::new(),
            expected: Expected::default(),
            column: String::new(),
            title: String::new(),
            args: Vec::new(),
            tool: String::new(),
            repeat: 0,
            time_limit: limits.time.as_secs_f64(),
            cpu_limit: limits.cpu.map(|time| time.as_secs_f64()),
            memory_limit: limits.memory,
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
}

/// What makes two runs the same: task, property, expectation, column, arguments, tool, limits, repetition.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Key(String);

impl Record {
    /// The run's key.
    pub fn key(&self) -> Key {
        let Self { task, property, expected, column, args, tool, repeat, time_limit, cpu_limit, memory_limit, .. } =
            self;
        let limits = (time_limit, cpu_limit, memory_limit);
        Key(format!("{:?}", (task, property, expected, column, args, tool, repeat, limits)))
    }
}

/// A line of the file.
#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Line {
    Call(Call),
    Run(Box<Record>),
}

/// What a file of results holds.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Results {
    /// The calls, oldest first.
    pub calls: Vec<Call>,
    /// The runs, in the order in which they finished.
    pub records: Vec<Record>,
    /// Lines that are not understood.
    pub damaged: usize,
}

impl Results {
    /// Reads a folder of results, or its `results.jsonl`.
    pub fn load(path: &Path) -> Result<Self, String> {
        let file = if path.is_dir() { path.join(FILE) } else { path.to_owned() };
        let text = std::fs::read_to_string(&file).map_err(|e| format!("cannot read '{}': {e}", file.display()))?;
        let results = Self::parse(&text);
        if results.calls.is_empty() && results.records.is_empty() && results.damaged > 0 {
            return Err(format!("'{}' is no file of results", file.display()));
        }
        Ok(results)
    }

    fn parse(text: &str) -> Self {
        let mut results = Self::default();
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            match serde_json::from_str(line) {
                Ok(Line::Call(call)) => results.calls.push(call),
                Ok(Line::Run(record)) => results.records.push(*record),
                Err(_) => results.damaged += 1,
            }
        }
        results
    }
}

/// Appends to a file of results.
#[derive(Debug)]
pub struct Journal(File);

impl Journal {
    /// Opens the file in a folder, and writes that a call begins.
    pub fn open(folder: &Path, call: &Call) -> io::Result<Self> {
        let mut journal = Self::reopen(folder)?;
        journal.append(&Line::Call(call.clone()))?;
        Ok(journal)
    }

    /// Opens the file in a folder in order to add to the last call.
    pub fn reopen(folder: &Path) -> io::Result<Self> {
        let mut file = OpenOptions::new().create(true).read(true).append(true).open(folder.join(FILE))?;
        // The line of a run that was cut off by a crash must not spoil the next one.
        if file.seek(SeekFrom::End(0))? > 0 {
            file.seek(SeekFrom::End(-1))?;
            let mut last = [0];
            file.read_exact(&mut last)?;
            if last != *b"\n" {
                file.write_all(b"\n")?;
            }
        }
        Ok(Self(file))
    }

    /// Writes a finished run.
    pub fn write(&mut self, record: &Record) -> io::Result<()> {
        self.append(&Line::Run(Box::new(record.clone())))
    }

    fn append(&mut self, line: &Line) -> io::Result<()> {
        let mut text = serde_json::to_string(line)?;
        text.push('\n');
        // One write, one line: the file is in append mode and without a buffer.
        self.0.write_all(text.as_bytes())
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::judge::Answer;

    /// A record for tests: `locks/a.yml`, `bdd`, `true`, and whether that is right.
    pub(crate) fn record(task: &str, column: &str, status: &str, expected: bool, cpu: f64) -> Record {
        let category = match Answer::parse(status) {
            Some(Answer::True) if expected => Category::Correct,
            Some(Answer::False(_)) if !expected => Category::Correct,
            Some(Answer::True | Answer::False(_)) => Category::Wrong,
            Some(Answer::Unknown(_)) => Category::Unknown,
            None => Category::Error,
        };
        Record {
            task: task.to_owned(),
            family: task.split_once('/').map_or("", |(family, _)| family).to_owned(),
            files: vec![task.replace(".yml", ".c")],
            property: "unreach-call".to_owned(),
            expected: Expected { verdict: Some(expected), subproperty: None },
            column: column.to_owned(),
            title: column.to_uppercase(),
            args: vec!["--analysis".to_owned(), column.to_owned()],
            tool: "robusto 0.1.0 (0000000000000000)".to_owned(),
            repeat: 0,
            time_limit: 60.0,
            cpu_limit: None,
            memory_limit: 4_000_000_000,
            started: "2026-03-01T12:00:00Z".to_owned(),
            status: status.to_owned(),
            category,
            cpu,
            wall: cpu * 1.1,
            memory: (cpu * 1e6) as u64 + 5_000_000,
            counters: BTreeMap::new(),
            message: None,
        }
    }

    #[test]
    fn lines_survive_a_crash() {
        let folder = std::env::temp_dir().join(format!("robusto-bench-journal-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        let first = record("locks/a.yml", "bdd", "true", true, 1.0);
        let second =
            Record { message: Some("a \"quote\"\n".to_owned()), ..record("locks/b.yml", "x", "true", false, 2.0) };
        Journal::open(&folder, &Call::default()).unwrap().write(&first).unwrap();
        // A line that was cut off.
        let mut file = OpenOptions::new().append(true).open(folder.join(FILE)).unwrap();
        file.write_all(b"{\"kind\":\"run\",\"task\":\"lo").unwrap();
        Journal::open(&folder, &Call::default()).unwrap().write(&second).unwrap();
        let results = Results::load(&folder).unwrap();
        assert_eq!((results.calls.len(), results.damaged), (2, 1));
        assert_eq!(results.records, [first, second]);
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn keys() {
        let one = record("locks/a.yml", "bdd", "true", true, 1.0);
        assert_eq!(one.key(), Record { cpu: 3.0, status: "unknown".to_owned(), ..one.clone() }.key());
        for other in [
            Record { task: "locks/b.yml".to_owned(), ..one.clone() },
            Record { column: "x".to_owned(), ..one.clone() },
            Record { args: Vec::new(), ..one.clone() },
            Record { tool: "robusto 0.1.0 (1)".to_owned(), ..one.clone() },
            Record { repeat: 1, ..one.clone() },
            Record { time_limit: 61.0, ..one.clone() },
            Record { cpu_limit: Some(60.0), ..one.clone() },
            Record { memory_limit: 1, ..one.clone() },
            Record { property: "no-overflow".to_owned(), ..one.clone() },
        ] {
            assert_ne!(one.key(), other.key());
        }
    }

    #[test]
    fn not_results() {
        assert!(Results::load(Path::new("no/such/folder")).is_err());
        assert_eq!(Results::parse("x\n\ny").damaged, 2);
    }
}
