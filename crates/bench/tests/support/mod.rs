//! A folder with tasks, and a tool that does what the task's name says.

#![allow(dead_code, reason = "each test crate uses its part")]

use robusto_bench::discover::{self, Filter, Task};
use robusto_bench::executor::local::Local;
use robusto_bench::executor::{Event, Executor};
use robusto_bench::host;
use robusto_bench::preset::Preset;
use robusto_bench::process::Limits;
use robusto_bench::record::{Call, Journal, Key, Record, Results};
use robusto_bench::runner::{self, Column, Settings};
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The tool's file.
pub fn tool() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fake-tool")
}

/// A folder for the files of one test.
pub struct Folder(pub PathBuf);

impl Folder {
    /// An empty folder; the name must be unique among all tests.
    pub fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("the folder can be made");
        Self(path)
    }

    /// The path of a file in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Writes a file.
    pub fn write(&self, name: &str, content: &str) -> &Self {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a file has a folder")).expect("the folder can be made");
        fs::write(path, content).expect("the file can be written");
        self
    }

    /// Writes a task file.
    pub fn task(&self, name: &str, expected: bool) -> &Self {
        let content = format!(
            "format_version: '1.0'\ninput_files: 'a.c'\nproperties:\n  - property_file: ../properties/unreach-call.prp\n    \
             expected_verdict: {expected}\n"
        );
        self.write(&format!("{name}.yml"), &content)
    }

    /// All tasks in the folder.
    pub fn tasks(&self) -> Vec<Task> {
        discover::discover(&[self.0.display().to_string()], &Filter::new("unreach-call"))
            .expect("there are tasks")
            .tasks
    }

    /// What is in the journal.
    pub fn results(&self) -> Results {
        Results::load(&self.0).expect("there are results")
    }

    /// Runs all tasks that are not finished, and gives the number of runs.
    pub fn run(&self, columns: &[Column], settings: &Settings, finished: &HashSet<Key>) -> usize {
        let works = runner::plan(&self.tasks(), columns, 1, settings, finished);
        let mut journal = Journal::open(&self.0, &Call::default()).expect("the journal can be opened");
        let ended = Local { jobs: 4 }.execute(&works, &AtomicBool::new(false), &mut |event| match event {
            Event::Finished(record) => journal.write(&record),
            _ => Ok(()),
        });
        ended.expect("all runs are recorded");
        works.len()
    }

    /// Runs all tasks with one preset and short limits, and gives the results.
    pub fn run_all(&self) -> Vec<Record> {
        self.run(&[column("bdd", &tool())], &settings(), &HashSet::new());
        self.results().records
    }
}

/// A column of the fake tool.
pub fn column(preset: &str, tool: &Path) -> Column {
    let preset = Preset {
        name: preset.to_owned(),
        title: format!("The {preset} & more"),
        args: vec!["--analysis".to_owned(), preset.to_owned()],
    };
    Column::new(&preset, tool.to_owned(), host::tool_version(tool).expect("the tool says its version"), None)
}

/// Settings with limits that make a test short.
pub fn settings() -> Settings {
    let limits =
        Limits { time: Duration::from_secs(5), cpu: None, memory: 100_000_000, grace: Duration::from_millis(300) };
    Settings { property: "unreach-call".to_owned(), limits, logs: None, reports: None }
}
