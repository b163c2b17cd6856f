//! What the configurations say, and which of them is believed.

use super::outputs::Outputs;
use crate::exit::Exit;
use crate::output;
use anyhow::{Context as _, Result};
use robusto_bench::judge::Answer;
use robusto_bench::preset::Preset;
use robusto_bench::record::Record;
use robusto_bench::units;
use robusto_bench::work::stdout_of_log;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write as _};

/// What the configurations have said so far.
pub struct Race<'o> {
    outputs: &'o Outputs,
    /// By configuration.
    finished: BTreeMap<String, Record>,
    /// Those with a verdict, as they came.
    decided: Vec<Verdict>,
}

struct Verdict {
    name: String,
    answer: Answer,
    /// A `true` that is certified, or a `false`, which is always replayed.
    evident: bool,
}

impl<'o> Race<'o> {
    /// Nobody has said anything.
    pub fn new(outputs: &'o Outputs) -> Self {
        Self { outputs, finished: BTreeMap::new(), decided: Vec::new() }
    }

    /// Number of configurations that have ended.
    pub fn ended(&self) -> usize {
        self.finished.len()
    }

    /// Notes what a configuration says; whether the race is over.
    pub fn finish(&mut self, record: Record) -> bool {
        let name = record.column.clone();
        let evident = match Answer::parse(&record.status) {
            Some(answer @ (Answer::True | Answer::False(_))) => {
                let evident = matches!(answer, Answer::False(_)) || self.outputs.is_certified(&name);
                self.decided.push(Verdict { name: name.clone(), answer, evident });
                evident
            }
            Some(Answer::Unknown(_)) | None => false,
        };
        self.finished.insert(name, record);
        evident
    }

    /// The best answer: the first that is evident, else the first.
    fn best(&self) -> Option<&Verdict> {
        self.decided.iter().find(|verdict| verdict.evident).or(self.decided.first())
    }

    /// Two sure answers that contradict each other.
    fn contradiction(&self) -> Option<(&Verdict, &Verdict)> {
        let sure = || self.decided.iter().filter(|verdict| verdict.evident);
        let says = |wanted: bool| sure().find(|verdict| (verdict.answer == Answer::True) == wanted);
        says(true).zip(says(false))
    }

    /// Prints the table and the answer.
    pub fn conclude(&self, configurations: &[Preset], cancelled: bool) -> Result<Exit> {
        let mut text = self.table(configurations);
        text.push('\n');
        let exit = if let Some((one, other)) = self.contradiction() {
            let _ = writeln!(io::stderr(), "robusto: error: configurations contradict each other; please report this");
            let _ = writeln!(
                text,
                "RESULT: unknown(configurations disagree: {} says {}, {} says {})",
                one.name, one.answer, other.name, other.answer
            );
            Exit::UNKNOWN
        } else if let Some(best) = self.best() {
            self.outputs.publish(&best.name)?;
            let log = std::fs::read_to_string(self.outputs.log(&best.name)).context("cannot read the answer")?;
            text += stdout_of_log(&log).context("cannot understand the log of the answer")?;
            if best.answer == Answer::True { Exit::OK } else { Exit::FALSE }
        } else {
            return self.without_answer(configurations, cancelled, text);
        };
        self.print(&text)?;
        Ok(exit)
    }

    fn without_answer(&self, configurations: &[Preset], cancelled: bool, mut text: String) -> Result<Exit> {
        let some = configurations.iter().find(|preset| self.finished.contains_key(&preset.name));
        if let Some(preset) = some {
            self.outputs.publish(&preset.name)?;
        }
        let statuses: Vec<&str> = self.finished.values().map(|record| &record.status[..]).collect();
        let all = |status: &str| statuses.iter().all(|other| *other == status) && !cancelled;
        // All read the same input.
        if let Some(record) = self.finished.values().find(|record| record.status == "error(input not understood)") {
            let _ = writeln!(io::stderr(), "{}", record.message.as_deref().unwrap_or("the input is not accepted"));
            return Ok(Exit::REJECTED);
        }
        match statuses.first() {
            Some(status) if all(status) && status.starts_with("unknown(") => {
                let _ = writeln!(text, "RESULT: {status}");
            }
            _ if cancelled => text += "RESULT: unknown(interrupted)\n",
            _ => text += "RESULT: unknown(no configuration has an answer)\n",
        }
        self.print(&text)?;
        Ok(Exit::UNKNOWN)
    }

    fn print(&self, text: &str) -> Result<()> {
        if self.outputs.text_to_stderr() {
            return io::stderr().write_all(text.as_bytes()).context("cannot write the report");
        }
        output::write_to(None, |out| out.write_all(text.as_bytes()))
    }

    /// What each configuration did.
    fn table(&self, configurations: &[Preset]) -> String {
        let width = configurations.iter().map(|preset| preset.name.len()).max().unwrap_or(0).max(13);
        let status = |name: &str| self.finished.get(name).map_or("cancelled", |record| &record.status);
        let statuses = configurations.iter().map(|preset| status(&preset.name).chars().count()).max().unwrap_or(0);
        let statuses = statuses.max(6);
        let mut out = format!(
            "{:width$}  {:statuses$}  {:>8}  {:>8}  {:>9}  evidence\n",
            "configuration", "answer", "wall", "CPU", "memory"
        );
        for Preset { name, .. } in configurations {
            let Some(record) = self.finished.get(name) else {
                let _ = writeln!(out, "{name:width$}  cancelled");
                continue;
            };
            let evidence = match self.decided.iter().find(|verdict| verdict.name == *name) {
                Some(Verdict { answer: Answer::True, evident: true, .. }) => "certified",
                Some(Verdict { answer: Answer::True, .. }) => "not certified",
                Some(_) => "replayed",
                None => record.message.as_deref().unwrap_or(""),
            };
            let first = if self.best().is_some_and(|best| best.name == *name) { ", the answer" } else { "" };
            let (wall, cpu) = (units::seconds(record.wall), units::seconds(record.cpu));
            let memory = units::megabytes(record.memory);
            let line = format!(
                "{name:width$}  {:statuses$}  {wall:>6} s  {cpu:>6} s  {memory:>6} MB  {evidence}{first}",
                record.status
            );
            let _ = writeln!(out, "{}", line.trim_end());
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use robusto_bench::judge::{Category, Expected};
    use std::path::PathBuf;

    fn record(name: &str, status: &str) -> Record {
        Record {
            task: "a.c".to_owned(),
            family: String::new(),
            files: Vec::new(),
            property: String::new(),
            expected: Expected::default(),
            column: name.to_owned(),
            title: name.to_owned(),
            args: Vec::new(),
            tool: String::new(),
            repeat: 0,
            time_limit: 1.0,
            cpu_limit: None,
            memory_limit: 1,
            started: String::new(),
            status: status.to_owned(),
            category: Category::Missing,
            cpu: 0.1,
            wall: 0.1,
            memory: 1,
            counters: BTreeMap::new(),
            message: None,
        }
    }

    #[test]
    fn who_is_believed() {
        let folder: PathBuf = std::env::temp_dir().join(format!("robusto-race-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let outputs = Outputs { folder: folder.clone(), wanted: Vec::new() };
        std::fs::write(outputs.own("sure", "--json"), "{\"certification\": {\"certified\": true}}").unwrap();
        std::fs::write(outputs.own("vague", "--json"), "{\"certification\": {\"certified\": false}}").unwrap();
        let mut race = Race::new(&outputs);
        assert!(!race.finish(record("none", "unknown(timeout)")) && race.best().is_none());
        assert!(!race.finish(record("vague", "true")), "not certified");
        assert!(!race.finish(record("silent", "true")), "without a document nothing is known");
        assert_eq!(race.best().map(|best| &best.name[..]), Some("vague"));
        // A replayed violation beats what nobody checked.
        assert!(race.finish(record("found", "false(unreach-call)")));
        assert_eq!(race.best().map(|best| &best.name[..]), Some("found"));
        assert!(race.contradiction().is_none());
        // Two sure answers cannot both be right.
        assert!(race.finish(record("sure", "true")));
        let named = race.contradiction().map(|(one, other)| (&one.name[..], &other.name[..]));
        assert_eq!(named, Some(("sure", "found")));
        assert!(matches!(race.conclude(&[], false), Ok(Exit::UNKNOWN)));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
