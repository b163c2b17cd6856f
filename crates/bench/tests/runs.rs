//! From tasks to results: every way to end is told apart, and a second start does not repeat what is finished.
#![cfg(target_os = "linux")]

mod support;

use robusto_bench::grid::Grid;
use robusto_bench::judge::{Category, UNAVAILABLE};
use robusto_bench::record::Record;
use robusto_bench::runner::Settings;
use robusto_bench::table::Table;
use std::collections::HashSet;
use support::{Folder, column, settings, tool};

#[test]
fn every_way_to_end() {
    let folder = Folder::new("runs_ends");
    for (name, expected) in [
        ("ends/true", true),
        ("ends/true-wrong", false),
        ("ends/false", false),
        ("ends/false-wrong", true),
        ("ends/unknown", true),
        ("ends/mismatch", true),
        ("ends/silent", true),
        ("ends/rejected", true),
        ("ends/crash", true),
        ("ends/hang", true),
        ("ends/memory", true),
    ] {
        folder.task(name, expected);
    }
    let mut records = folder.run_all();
    records.sort_by(|a, b| a.task.cmp(&b.task));
    let found: Vec<_> = records.iter().map(|r| (&r.task[5..], &r.status[..], r.category)).collect();
    use Category::{Correct, Error, Unknown, Wrong};
    let expected = [
        ("crash.yml", "error(killed by SIGSEGV)", Error),
        ("false-wrong.yml", "false(unreach-call)", Wrong),
        ("false.yml", "false(unreach-call)", Correct),
        ("hang.yml", "error(timeout, stopped from outside)", Error),
        ("memory.yml", "error(out of memory, stopped from outside)", Error),
        ("mismatch.yml", "error(exit code 10 after RESULT: true)", Error),
        ("rejected.yml", "error(input not understood)", Error),
        ("silent.yml", "error(no result, exit code 0)", Error),
        ("true-wrong.yml", "true", Wrong),
        ("true.yml", "true", Correct),
        ("unknown.yml", "unknown(no progress)", Unknown),
    ];
    assert_eq!(found, expected);
    let rejected = records.iter().find(|r| r.task.contains("rejected")).unwrap();
    assert_eq!(rejected.message.as_deref(), Some("a.c:1:1: error: <no> \"C\", sorry"));
    let totals = Grid::new(&records).totals(0, |_| true);
    assert_eq!((totals.solved(), totals.wrong(), totals.unknown, totals.error), (2, 2, 1, 6));
    assert_eq!(totals.score, 2 + 1 - 32 - 16);
}

#[test]
fn resuming() {
    let folder = Folder::new("runs_resume");
    folder.task("locks/true", true).task("locks/false", false);
    let columns = [column("bdd", &tool())];
    let settings = settings();
    let finished = |folder: &Folder| folder.results().records.iter().map(Record::key).collect::<HashSet<_>>();
    assert_eq!(folder.run(&columns, &settings, &HashSet::new()), 2);
    assert_eq!(folder.run(&columns, &settings, &finished(&folder)), 0);
    folder.task("locks/unknown", true);
    assert_eq!(folder.run(&columns, &settings, &finished(&folder)), 1);
    // Other limits, another preset, another tool: nothing of that is finished.
    let mut other = settings.clone();
    other.limits.memory += 1;
    assert_eq!(folder.run(&columns, &other, &finished(&folder)), 3);
    assert_eq!(folder.run(&[column("x", &tool())], &settings, &finished(&folder)), 3);
    let mut rebuilt = columns[0].clone();
    rebuilt.version = "fake 1.0 (1)".to_owned();
    assert_eq!(folder.run(&[rebuilt], &settings, &finished(&folder)), 3);
    assert_eq!(folder.results().records.len(), 12);
    assert_eq!(Grid::new(&folder.results().records).rows.len(), 3);
}

#[test]
fn logs() {
    let folder = Folder::new("runs_logs");
    folder.task("locks/false", false);
    let settings = Settings { logs: Some(folder.path("logs")), ..settings() };
    folder.run(&[column("bdd", &tool())], &settings, &HashSet::new());
    let log = std::fs::read_to_string(folder.path("logs/bdd/locks/false.yml.log")).unwrap();
    for part in ["check", "--property", "unreach-call", "--timeout", "5s", "--memory", "100MB"] {
        assert!(log.contains(&format!("\"{part}\"")), "{log}");
    }
    // Format 1.0 without data model, and not of a family for LP64.
    assert!(log.contains("\"--data-model\" \"ilp32\" \"--analysis\" \"bdd\""), "{log}");
    assert!(log.contains("RESULT: false(unreach-call)") && log.contains("--- exit code 10"), "{log}");
}

#[test]
fn tables_of_the_first_seed() {
    let folder = Folder::new("runs_seed1");
    for problem in 1..=2 {
        for label in 0..10 {
            folder.task(&format!("eca-rers2012/Problem0{problem}_label0{label}"), label < 5);
        }
    }
    let columns = ["impact", "bdd"].map(|preset| column(preset, &tool()));
    folder.run(&columns, &settings(), &HashSet::new());
    let mut records = folder.results().records;
    assert!(records.iter().filter(|r| r.column == "impact").all(|r| r.status == UNAVAILABLE));
    records.sort_by_key(|record| record.column == "bdd");
    let text = Table::Seed1.markdown(&Grid::new(&records));
    let words = |line: &str| line.split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    let rows: Vec<_> = text.lines().filter(|line| line.starts_with("| Problem 1")).map(words).collect();
    assert_eq!(rows.len(), 2, "{text}");
    for row in rows {
        assert_eq!(row[1..7], ["Problem 1", "5", "not available", "–", "–", "5"], "{text}");
    }
}
