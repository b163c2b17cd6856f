//! Limits hold whatever the tool does.
#![cfg(target_os = "linux")]

mod support;

use robusto_bench::process::{self, End, Limits, Outcome, Stop};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

fn limits(millis: u64) -> Limits {
    Limits { time: Duration::from_millis(millis), cpu: None, memory: 100_000_000, grace: Duration::from_millis(200) }
}

fn run(task: &str, limits: &Limits) -> Outcome {
    let mut command = Command::new(support::tool());
    command.args(["check", task]);
    process::run(&mut command, limits, &AtomicBool::new(false)).expect("the tool runs")
}

/// No test waits for that: the tools that have no end take ten minutes.
const LONG: u64 = 3_600_000;

/// How long a tool without an end takes. A run that was not ended before would take longer.
const HANGING: Duration = Duration::from_secs(600);

#[test]
fn a_run_that_ends_by_itself() {
    let outcome = run("busy", &limits(LONG));
    assert_eq!((outcome.end, outcome.stopped), (End::Code(0), None));
    assert_eq!(outcome.stdout, "RESULT: true\n");
    assert!(outcome.cpu > Duration::from_millis(5) && outcome.cpu < outcome.wall * 2, "{outcome:?}");
    assert!(outcome.memory > 100_000 && outcome.memory < 100_000_000, "{outcome:?}");
    let outcome = run("rejected", &limits(LONG));
    assert_eq!(outcome.end, End::Code(2));
    assert!(outcome.stderr.contains("sorry"));
    assert_eq!(run("crash", &limits(LONG)).end, End::Signal(11));
}

#[test]
fn timeouts() {
    let outcome = run("hang", &limits(300));
    assert_eq!((outcome.end, outcome.stopped), (End::Signal(15), Some(Stop::Time)));
    assert!(outcome.wall >= Duration::from_millis(500), "{outcome:?}");
    let outcome = run("polite", &limits(300));
    assert_eq!((outcome.end, outcome.stopped), (End::Code(5), Some(Stop::Time)));
    assert!(outcome.stdout.contains("RESULT: unknown(timeout)"));
    let outcome = run("deaf", &limits(300));
    assert_eq!((outcome.end, outcome.stopped), (End::Signal(9), Some(Stop::Time)));
    assert!(outcome.wall >= Duration::from_millis(1500), "{outcome:?}");
}

#[test]
fn memory() {
    let outcome = run("memory", &limits(LONG));
    assert_eq!(outcome.stopped, Some(Stop::Memory), "{outcome:?}");
    assert!(outcome.memory > 100_000_000, "{outcome:?}");
    let roomy = Limits { memory: 2_000_000_000, ..limits(2000) };
    assert_eq!(run("memory", &roomy).stopped, Some(Stop::Time));
}

/// The kernel hands the peak of the parent on to a new process. What the tool uses is told all the same.
#[test]
fn the_parents_memory_does_not_count() {
    let ours = vec![1_u8; 200_000_000];
    let before = run("short", &limits(LONG)).memory;
    assert!(ours.iter().map(|&byte| u64::from(byte)).sum::<u64>() == 200_000_000);
    drop(ours);
    let after = run("short", &limits(LONG)).memory;
    for memory in [before, after] {
        assert!(memory > 100_000 && memory < 20_000_000, "{memory}");
    }
}

#[test]
fn cpu_time() {
    let limits = Limits { cpu: Some(Duration::from_millis(300)), ..limits(LONG) };
    let outcome = run("spin", &limits);
    assert_eq!((outcome.end, outcome.stopped), (End::Signal(15), Some(Stop::Time)));
    // Two processes share the time.
    assert!(outcome.wall < limits.time, "it is the CPU time that ended it: {outcome:?}");
    assert_eq!(run("short", &limits).stopped, None, "who sleeps uses none");
}

#[test]
fn what_is_left_behind_is_ended() {
    let outcome = run("orphan", &limits(LONG));
    assert_eq!((outcome.end, outcome.stopped), (End::Code(0), None));
    assert_eq!(outcome.stdout, "RESULT: true\n");
    assert!(outcome.wall < HANGING, "nobody waits for the orphan");
}

#[test]
fn long_output() {
    let outcome = run("chatty", &limits(LONG));
    assert!(outcome.stdout.len() < 200_000 && outcome.stdout.ends_with("RESULT: true\n"));
    assert!(outcome.stdout.contains("bytes left out"));
}

#[test]
fn cancelling() {
    let cancel = AtomicBool::new(false);
    let outcome = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(200));
            cancel.store(true, Ordering::Relaxed);
        });
        process::run(Command::new(support::tool()).args(["check", "hang"]), &limits(LONG), &cancel).expect("it runs")
    });
    assert_eq!(outcome.stopped, Some(Stop::Cancelled));
    assert!(outcome.wall < HANGING);
}

#[test]
fn no_such_tool() {
    assert!(process::run(&mut Command::new("/no/such/tool"), &limits(LONG), &AtomicBool::new(false)).is_err());
}
