//! What it costs to bring results of a cluster home, apart from the runs: a workload manager of its own makes them up.
//!
//!     cargo run --release -p robusto-bench --example collect -- 10000 50000 100000

#[path = "../tests/support/rehearsal.rs"]
mod rehearsal;

use rehearsal::{Fate, Rehearsal};
use robusto_bench::discover::{Language, Task};
use robusto_bench::executor::cluster::{self, Cluster};
use robusto_bench::executor::{Event, Executor};
use robusto_bench::grid::Grid;
use robusto_bench::judge::Expected;
use robusto_bench::preset::Preset;
use robusto_bench::process::{Limits, own_cpu_time};
use robusto_bench::progress::Display;
use robusto_bench::record::{Call, Journal, Results};
use robusto_bench::runner::{self, Column, Settings};
use robusto_bench::{report, work::Work};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

fn main() {
    println!(
        "{:>8} {:>9} {:>9} {:>9} {:>9} {:>11} {:>7}",
        "results", "plan", "collect", "load", "reports", "per result", "jobs"
    );
    for count in std::env::args().skip(1) {
        let count: u32 = count.parse().expect("arguments are numbers of results");
        let folder = std::env::temp_dir().join(format!("robusto-collect-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("the folder can be made");
        measure(count, &folder);
        std::fs::remove_dir_all(&folder).expect("the folder can be deleted");
    }
}

/// CPU seconds of each step.
fn measure(count: u32, folder: &Path) {
    let mut clock = Clock(own_cpu_time().unwrap_or_default());
    let works = works(count);
    let plan = clock.lap();
    let limits = works.first().map(|work| work.limits.time).unwrap_or_default();
    let jobs = works.len().div_ceil(cluster::runs_per_job(works.len(), limits, 1000));
    let settings = cluster::Settings {
        folder: cluster::folder(folder),
        per_job: None,
        one_submission: false,
        ask: Duration::from_secs(5),
    };
    let mut cluster = Cluster::new(Rehearsal::new(1000, &[Fate::MakesUp]), settings);
    let mut journal = Journal::open(folder, &Call::default()).expect("the journal can be opened");
    let mut display = Display::new(&works, 100, false);
    let mut finished = 0;
    let ended = cluster.execute(&works, &AtomicBool::new(false), &mut |event| {
        if let Event::Finished(record) = &event {
            journal.write(record)?;
            finished += 1;
        }
        display.show(&event);
        Ok(())
    });
    ended.expect("all results come");
    assert_eq!(finished, works.len());
    let collect = clock.lap();
    let results = Results::load(folder).expect("there are results");
    assert_eq!(results.records.len(), works.len());
    let load = clock.lap();
    report::write_all(folder, &results, &Grid::of(&results)).expect("the reports can be written");
    let reports = clock.lap();
    let each = (plan + collect + load + reports) / f64::from(count) * 1e6;
    println!("{count:>8} {plan:>7.2} s {collect:>7.2} s {load:>7.2} s {reports:>7.2} s {each:>8.1} µs {jobs:>7}");
}

struct Clock(Duration);

impl Clock {
    fn lap(&mut self) -> f64 {
        let now = own_cpu_time().unwrap_or_default();
        let lap = (now - self.0).as_secs_f64();
        self.0 = now;
        lap
    }
}

/// Tasks in families of a hundred.
fn works(count: u32) -> Vec<Work> {
    let task = |number: u32| {
        let family = format!("family{:04}", number / 100);
        let name = format!("{family}/task_{:02}.yml", number % 100);
        let path = PathBuf::from(format!("/shared/corpus/{name}"));
        let inputs = vec![path.with_extension("c")];
        let expected = Expected { verdict: Some(true), subproperty: None };
        Task { name, path, inputs, family, language: Language::C, expected, model: None }
    };
    let tasks: Vec<Task> = (0..count).map(task).collect();
    let preset = Preset { name: "auto".to_owned(), title: "auto".to_owned(), args: Vec::new() };
    let column = Column::new(&preset, PathBuf::from("/shared/bin/robusto"), "robusto 0.1.0 (0)".to_owned(), None);
    let settings =
        Settings { property: "unreach-call".to_owned(), limits: Limits::default(), logs: None, reports: None };
    runner::plan(&tasks, &[column], 1, &settings, &HashSet::new())
}
