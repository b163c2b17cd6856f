//! One run as data: all that a process on this machine or another needs to do it.

use crate::judge::{Category, judge};
use crate::process::{self, Limits, Outcome, Stop};
use crate::record::Record;
use crate::{statistics, units};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::SystemTime;

/// A run to do.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Work {
    /// The tool's file, and its arguments.
    #[serde(with = "as_text")]
    pub command: Vec<OsString>,
    /// What the process may use.
    pub limits: Limits,
    /// The record of the run as far as it is known beforehand.
    pub record: Record,
    /// Where the tool's output goes.
    pub log: Option<PathBuf>,
    /// Where the tool writes a page; its folder is made.
    pub report: Option<PathBuf>,
}

impl Work {
    /// The command line.
    pub fn command(&self) -> Command {
        let (tool, args) = self.command.split_first().expect("a command line has a tool");
        let mut command = Command::new(tool);
        command.args(args);
        command
    }

    /// Runs the tool; nothing if that was cancelled.
    pub fn run(&self, cancel: &AtomicBool) -> io::Result<Option<Record>> {
        let mut record = self.record.clone();
        record.started = units::timestamp(SystemTime::now());
        make_folder(self.report.as_deref())?;
        let outcome = match process::run(&mut self.command(), &self.limits, cancel) {
            Ok(Outcome { stopped: Some(Stop::Cancelled), .. }) => return Ok(None),
            Ok(outcome) => outcome,
            Err(error) => {
                let name = self.command[0].display();
                return Err(io::Error::new(error.kind(), format!("cannot run '{name}': {error}")));
            }
        };
        let judgement = judge(&outcome, &self.limits, &record.property, &record.expected);
        (record.status, record.category) = (judgement.status, judgement.category);
        record.cpu = outcome.cpu.as_secs_f64();
        record.wall = outcome.wall.as_secs_f64();
        record.memory = outcome.memory;
        record.counters = statistics::counters(&outcome.stdout);
        if record.category != Category::Correct {
            record.message = message(&outcome.stderr);
        }
        if let Some(path) = &self.log {
            make_folder(Some(path))?;
            std::fs::write(path, self.log_text(&outcome))?;
        }
        Ok(Some(record))
    }

    fn log_text(&self, outcome: &Outcome) -> String {
        let (command, Outcome { stdout, stderr, end, .. }) = (self.command(), outcome);
        format!("{command:?}\n\n{stdout}{STDERR}{stderr}\n--- {end}\n")
    }
}

/// What stands between the two outputs in a log.
const STDERR: &str = "\n--- standard error\n";

/// Standard output of a run, from the text of its log.
pub fn stdout_of_log(log: &str) -> Option<&str> {
    let (_, outputs) = log.split_once("\n\n")?;
    outputs.rsplit_once(STDERR).map(|(stdout, _)| stdout)
}

fn make_folder(file: Option<&Path>) -> io::Result<()> {
    file.and_then(Path::parent).map_or(Ok(()), std::fs::create_dir_all)
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

/// Words of a command line in a file for another machine. Those that are no text cannot be sent.
mod as_text {
    use serde::{Deserialize as _, Deserializer, Serializer};
    use std::ffi::OsString;

    pub fn serialize<S: Serializer>(words: &[OsString], serializer: S) -> Result<S::Ok, S::Error> {
        let text = |word: &OsString| word.clone().into_string();
        let texts: Result<Vec<String>, OsString> = words.iter().map(text).collect();
        let no_text = |word: OsString| serde::ser::Error::custom(format!("'{}' is not UTF-8", word.display()));
        serializer.collect_seq(texts.map_err(no_text)?)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<OsString>, D::Error> {
        Ok(Vec::<String>::deserialize(deserializer)?.into_iter().map(OsString::from).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::record;

    #[test]
    fn messages() {
        assert_eq!(message("\n \n"), None);
        assert_eq!(message("\na.c:1: error: no\nmore").as_deref(), Some("a.c:1: error: no"));
        assert_eq!(message("panicked at x.rs:1:2:\nindex\nmore").as_deref(), Some("panicked at x.rs:1:2: index"));
        assert_eq!(message("only:").as_deref(), Some("only:"));
        assert_eq!(message(&"é".repeat(500)).unwrap().chars().count(), 201);
    }

    #[test]
    fn logs_are_read_back() {
        let work = Work {
            command: vec!["tool".into(), "a b".into()],
            limits: Limits::default(),
            record: record("locks/a.yml", "bdd", "", true, 0.0),
            log: None,
            report: None,
        };
        let out = "one\n\n--- standard error\ntwo\nRESULT: true\n";
        for stdout in [out, "", "x", "\n\n"] {
            let outcome = Outcome { stdout: stdout.to_owned(), stderr: "a warning\n".to_owned(), ..Outcome::default() };
            assert_eq!(stdout_of_log(&work.log_text(&outcome)), Some(stdout));
        }
        assert_eq!(stdout_of_log("no log"), None);
    }
}
