//! A cluster gives the same results as this machine, whatever becomes of its nodes.
#![cfg(target_os = "linux")]

#[path = "support/rehearsal.rs"]
mod rehearsal;
mod support;

use rehearsal::{Fate, Rehearsal};
use robusto_bench::executor::cluster::{Cluster, Settings, folder};
use robusto_bench::executor::{Event, Executor};
use robusto_bench::record::Record;
use robusto_bench::runner;
use robusto_bench::work::Work;
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use support::{Folder, column, settings, tool};

/// Five tasks.
fn works(folder: &Folder) -> Vec<Work> {
    for (name, expected) in [("a/true-1", true), ("a/false-2", false), ("a/unknown-3", true), ("a/true-4", false)] {
        folder.task(name, expected);
    }
    folder.task("a/rejected-5", true);
    runner::plan(&folder.tasks(), &[column("bdd", &tool())], 1, &settings(), &HashSet::new())
}

fn cluster(folder: &Folder, per_job: usize, scheduler: Rehearsal) -> Cluster<Rehearsal> {
    let ask = Duration::from_millis(20);
    let folder = robusto_bench::executor::cluster::folder(&folder.0);
    Cluster::new(scheduler, Settings { folder, per_job: Some(per_job), one_submission: false, ask })
}

/// What came of a queue: results by task, notes, and the end.
struct Story {
    records: Vec<Record>,
    notes: Vec<String>,
    end: std::io::Result<()>,
}

fn execute(cluster: &mut Cluster<Rehearsal>, works: &[Work], cancel: &AtomicBool, stop_after: usize) -> Story {
    let (mut records, mut notes) = (Vec::new(), Vec::new());
    let end = cluster.execute(works, cancel, &mut |event| {
        match event {
            Event::Finished(record) => records.push(*record),
            Event::Note(text) => notes.push(text),
            _ => {}
        }
        if records.len() >= stop_after {
            cancel.store(true, Ordering::Relaxed);
        }
        Ok(())
    });
    records.sort_by(|a, b| a.task.cmp(&b.task));
    Story { records, notes, end }
}

fn statuses(records: &[Record]) -> Vec<&str> {
    records.iter().map(|record| &record.status[..]).collect()
}

const USUAL: [&str; 5] = ["false(unreach-call)", "error(input not understood)", "true", "true", "unknown(no progress)"];

#[track_caller]
fn check(name: &str, per_job: usize, most: usize, fates: &[Fate]) -> (Story, Folder) {
    let folder = Folder::new(name);
    let works = works(&folder);
    let mut cluster = cluster(&folder, per_job, Rehearsal::new(most, fates));
    let story = execute(&mut cluster, &works, &AtomicBool::new(false), usize::MAX);
    (story, folder)
}

#[test]
fn same_results_as_here() {
    for (per_job, most) in [(1, 1000), (2, 1000), (1, 2), (5, 1)] {
        let (story, folder_) = check("cluster_same", per_job, most, &[Fate::Works]);
        story.end.expect("it works");
        assert_eq!(statuses(&story.records), USUAL);
        assert_eq!(story.notes, [""; 0]);
        assert!(!folder(&folder_.0).exists(), "nothing is left behind");
        let local = folder_.run_all();
        assert_eq!(local.len(), 5);
        for one in local {
            let other = story.records.iter().find(|other| other.key() == one.key()).expect("the same run");
            assert_eq!((&one.status, one.category, &one.message), (&other.status, other.category, &other.message));
        }
    }
}

#[test]
fn lost_nodes_lose_nothing() {
    use Fate::{LostAtFirst, LostAtLast, NeverBegins, Works};
    for (per_job, fates) in [
        (2, &[LostAtLast, Works][..]),
        (3, &[LostAtFirst, LostAtLast, Works]),
        (2, &[NeverBegins, Works]),
        (5, &[LostAtFirst, LostAtFirst, LostAtLast, Works]),
    ] {
        let (story, _) = check("cluster_lost", per_job, 1000, fates);
        story.end.expect("it works");
        assert_eq!(statuses(&story.records), USUAL, "{fates:?}");
        assert_eq!(story.notes.len(), fates.len() - 1, "{:?}", story.notes);
        assert!(story.notes.iter().all(|note| note.contains("a job was lost")), "{:?}", story.notes);
    }
}

/// A run that takes its job with it each time ends as an error, and the others are not touched.
#[test]
fn a_run_that_kills_its_job() {
    // The first job has all; then its first run and the rest have jobs of their own; then that run has.
    let fates = [Fate::LostAtFirst, Fate::LostAtFirst, Fate::Works, Fate::LostAtFirst, Fate::Works];
    let (story, _) = check("cluster_killer", 5, 1000, &fates);
    story.end.expect("it works");
    let mut expected = USUAL;
    // The queue's first is the first in natural order.
    expected[0] = "error(lost with its job)";
    assert_eq!(statuses(&story.records), expected);
}

/// A cluster on which nothing ever begins is no reason to try for ever, nor to write errors into the results.
#[test]
fn a_cluster_that_does_not_work() {
    let (story, _) = check("cluster_broken", 1, 1000, &[Fate::NeverBegins]);
    let error = story.end.expect_err("it cannot work").to_string();
    assert!(error.contains("jobs end before they begin"), "{error}");
    assert!(story.records.is_empty());
}

#[test]
fn refused_submissions_are_tried_again() {
    let folder = Folder::new("cluster_refused");
    let works = works(&folder);
    let mut scheduler = Rehearsal::new(1000, &[Fate::LostAtFirst, Fate::Works]);
    let mut full = cluster(&folder, 5, scheduler);
    // The first one must work: else the command line is wrong.
    scheduler = Rehearsal::new(1000, &[Fate::Works]);
    scheduler.refuse = 1;
    let story = execute(&mut cluster(&folder, 5, scheduler), &works, &AtomicBool::new(false), usize::MAX);
    assert!(story.end.expect_err("it is refused").to_string().contains("the queue is full"));
    let story = execute(&mut full, &works, &AtomicBool::new(false), usize::MAX);
    assert_eq!(statuses(&story.records), USUAL);
}

/// After an interruption the jobs are cancelled; what they finished until then counts, and nothing counts twice.
#[test]
fn interruption() {
    let folder_ = Folder::new("cluster_interrupt");
    folder_.task("a/hang", true);
    let works = works(&folder_);
    let cancel = AtomicBool::new(false);
    let story = execute(&mut cluster(&folder_, 1, Rehearsal::new(1000, &[Fate::Works])), &works, &cancel, 3);
    story.end.expect("an interruption is no error");
    let tasks: HashSet<&str> = story.records.iter().map(|record| &record.task[..]).collect();
    assert!((3..=5).contains(&tasks.len()) && tasks.len() == story.records.len(), "{tasks:?}");
    assert!(!tasks.contains("a/hang.yml"));
    assert!(!folder(&folder_.0).exists());
}

/// The process that started the jobs was killed: its successor finds what they have finished.
#[test]
fn recovery() {
    let folder_ = Folder::new("cluster_recovery");
    let works = works(&folder_);
    let mut first = cluster(&folder_, 5, Rehearsal::new(1000, &[Fate::Works]));
    // Ends like a process whose disk is full: nothing is journaled.
    let end = first.execute(&works, &AtomicBool::new(false), &mut |event| match event {
        Event::Finished(_) => Err(std::io::Error::other("killed")),
        _ => Ok(()),
    });
    end.expect_err("it was killed");
    let mut records = Vec::new();
    let mut second = cluster(&folder_, 5, Rehearsal::new(1000, &[Fate::Works]));
    let batches = second.recover(|record| {
        records.push(record);
        Ok(())
    });
    assert_eq!(batches.expect("the folder is there"), 1);
    records.sort_by(|a, b| a.task.cmp(&b.task));
    assert_eq!(statuses(&records), USUAL);
    assert!(!folder(&folder_.0).exists());
}

#[test]
fn limits_reach_the_cluster() {
    let folder = Folder::new("cluster_limits");
    let works = works(&folder);
    let mut cluster = cluster(&folder, 2, Rehearsal::new(2, &[Fate::Works]));
    execute(&mut cluster, &works, &AtomicBool::new(false), usize::MAX).end.expect("it works");
    let submissions = &cluster.scheduler().submissions;
    let ranges: Vec<_> = submissions.iter().map(|(range, _)| range.clone()).collect();
    assert_eq!(ranges, [0..2, 2..3]);
    // Two runs of 5 s, 0.3 s of grace and 2 s to spare, and a minute to start.
    assert_eq!(submissions[0].1.time, Some(Duration::from_millis(60_000 + 2 * 7_300)));
    assert_eq!(submissions[0].1.memory, Some(110_000_000 + (64 << 20)));
}
