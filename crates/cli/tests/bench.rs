//! `robusto bench` as a user calls it, with a script in place of the tool.
#![cfg(target_os = "linux")]

mod support;

use std::process::Command;
use support::Folder;

/// A script that answers by the task's name.
const TOOL: &str = "#!/bin/sh
[ \"$1\" = --version ] && echo 'fake 1.0' && exit 0
case \" $* \" in *' --analysis impact '*) exit 1 ;; esac
case $2 in
*true*) echo 'statistics:'; echo '  abstractions            7'; echo 'RESULT: true' ;;
*false*) echo 'RESULT: false(unreach-call)'; exit 10 ;;
*hang*) sleep 600 ;;
esac
";

fn corpus(name: &str, tasks: &[(&str, bool)]) -> Folder {
    let folder = Folder::new(name);
    // Written by another process: this one may be starting others, to which it would lend the open file.
    folder.write("tool.txt", TOOL);
    let install = "install -m 755 tool.txt tool";
    assert!(Command::new("sh").args(["-c", install]).current_dir(folder.path("")).status().unwrap().success());
    for (task, expected) in tasks {
        let text = format!(
            "input_files: a.c\nproperties:\n  - property_file: unreach-call.prp\n    expected_verdict: {expected}\n"
        );
        folder.write(&format!("tasks/{task}.yml"), text);
    }
    folder
}

fn bench(folder: &Folder, args: &[&str]) -> support::Outcome {
    folder.run(&[&["bench", "--tool", "tool"], args].concat())
}

#[test]
fn run_resume_and_report() {
    let folder = corpus("bench_run", &[("locks/true", true), ("locks/false", false)]);
    let outcome = bench(&folder, &["tasks"]).expect(0).prints("auto      2       2     1      1");
    assert!(outcome.stderr.is_empty(), "{}", outcome.stderr);
    for file in ["results.jsonl", "results.csv", "results.json", "results.html", "results.auto.xml"] {
        assert!(folder.path("robusto-bench").join(file).exists(), "{file}");
    }
    bench(&folder, &["tasks"]).expect(1).says("--resume");
    folder.write(
        "tasks/locks/true-wrong.yml",
        "input_files: a.c\nproperties: [{property_file: unreach-call.prp, expected_verdict: false}]\n",
    );
    let outcome = bench(&folder, &["tasks", "--resume", "-v"]).expect(10).says("WRONG: auto: locks/true-wrong.yml");
    assert_eq!(outcome.stderr.lines().count(), 1, "{}", outcome.stderr);
    folder.run(&["bench", "report", "robusto-bench"]).expect(10).prints("auto      3       2");
    bench(&folder, &["tasks", "--overwrite", "--match", "false"]).expect(0).prints("auto      1       1");
}

#[test]
fn selection() {
    let folder = corpus("bench_selection", &[("locks/true", true), ("loops/false", false)]);
    let list = bench(&folder, &["tasks", "--dry-run", "--family", "loops", "--timeout", "5min"]).expect(0).stdout;
    assert_eq!(list.lines().count(), 1);
    assert!(list.contains("\"--timeout\" \"300s\" \"--memory\" \"4000000000B\" \"--analysis\" \"auto\""), "{list}");
    let list = bench(&folder, &["tasks", "--dry-run", "--family", "loops", "--cpu-timeout", "5min"]).expect(0).stdout;
    assert!(list.contains("\"--timeout\" \"3060s\" \"--cpu-timeout\" \"300s\" \"--memory\""), "{list}");
    let list = bench(&folder, &["tasks", "--dry-run", "--preset", "seed3-table1"]).expect(0).stdout;
    assert!(list.contains("\"--cpu-timeout\" \"1800s\" \"--memory\" \"4000000000B\""), "{list}");
    let list = bench(&folder, &["tasks", "--dry-run", "--preset", "seed3-table1", "--timeout", "9s"]).expect(0).stdout;
    assert!(list.contains("\"--timeout\" \"9s\" \"--memory\""), "{list}");
    assert!(!folder.path("robusto-bench").exists());
    bench(&folder, &["tasks", "--preset", "impact", "--preset", "x=--analysis bdd"])
        .expect(0)
        .prints("impact (not available)")
        .says("not available: impact");
    bench(&folder, &["tasks", "--family", "none"]).expect(1).says("no tasks");
    bench(&folder, &["absent"]).expect(1).says("'absent'");
    bench(&folder, &["tasks", "--preset", "none"]).expect(1).says("seed1-tables");
    bench(&folder, &["tasks", "--tool", "tool", "-o", "two"]).expect(1).says("name of its own");
    folder.run(&["bench", "--tool", "absent", "tasks"]).expect(1).says("no tool");
    folder.run(&["bench"]).expect(1);
}

/// What the help and the documentation show as presets of one's own has arguments that exist.
#[test]
fn presets_in_examples() {
    let folder = corpus("bench_examples", &[]);
    folder.write("a.c", "int main(void) { return 0; }\n");
    let help = folder.run(&["bench", "--help"]).expect(0).stdout;
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/bench.md")).unwrap();
    for text in [help, page] {
        let mut shown = 0;
        for (_, preset) in text.match_indices("--preset '").map(|(at, _)| text[at..].split_once('\'').unwrap()) {
            let preset = preset.split('\'').next().unwrap();
            let (_, args) = preset.split_once('=').unwrap();
            let args: Vec<&str> = args.split_whitespace().collect();
            folder.run(&[&["check", "--property", "unreach-call", "a.c"], &args[..]].concat()).expect(0);
            shown += 1;
        }
        assert!(shown > 0, "{text}");
    }
}

#[test]
fn a_table_with_counters() {
    let tasks = [("locks/true_5", true), ("locks/true_9", true), ("ssh-simplified/true", true)];
    let folder =
        corpus("bench_counters", &[&tasks[..], &[("ssh-simplified/false", false), ("loops/false", false)]].concat());
    let outcome = bench(&folder, &["tasks", "--preset", "seed3-table3", "--timeout", "10s"]).expect(0);
    let programs: Vec<_> = outcome.stdout.lines().filter_map(|line| line.strip_prefix("| ")).collect();
    // Outside of locks, only what has a bug.
    let found: Vec<_> = programs.iter().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(found, ["Program", "false", "true_5", "true_9"], "{}", outcome.stdout);
    let cells: Vec<_> = programs[2].split('|').map(str::trim).collect();
    assert_eq!((cells.len(), cells[2], cells[16]), (18, "7", "7"), "{}", outcome.stdout);
    assert!(std::fs::read_to_string(folder.path("robusto-bench/results.csv")).unwrap().contains("abstractions=7"));
}

#[test]
fn two_tools_and_diff() {
    let folder = corpus("bench_diff", &[("locks/true", true), ("locks/false", false)]);
    let two = ["bench", "--tool", "old=tool", "--tool", "new=tool", "-o", "a", "tasks"];
    folder.run(&two).expect(0).prints("auto@old").prints("auto@new");
    let diff = |args: &[&str]| folder.run(&[&["bench", "diff"], args].concat());
    diff(&["a", "a"]).expect(0).prints("4 in common; 4 solved in both");
    diff(&["a", "a", "--preset-before", "auto@old", "--preset-after", "auto@new"]).expect(0).prints("2 in common");
    let text = std::fs::read_to_string(folder.path("a/results.jsonl")).unwrap();
    let answer = "\"status\":\"true\",\"category\":\"correct\"";
    folder.write("b/results.jsonl", text.replace(answer, "\"status\":\"unknown(timeout)\",\"category\":\"unknown\""));
    diff(&["a", "b/results.jsonl"]).expect(10).prints("lost: 2").prints("locks/true.yml: true");
    diff(&["b", "a"]).expect(0).prints("gained: 2");
    diff(&["a", "absent"]).expect(1).says("absent");
}

#[test]
fn interrupt() {
    let folder = corpus("bench_interrupt", &[("locks/a-true", true), ("locks/hang", true), ("locks/z-true", true)]);
    let child = folder.command(&["bench", "--tool", "tool", "--jobs", "1", "tasks"]).spawn().unwrap();
    let journal = folder.path("robusto-bench/results.jsonl");
    let finished = || std::fs::read_to_string(&journal).is_ok_and(|text| text.contains("a-true"));
    support::wait_until("the first run", finished);
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let outcome = support::finish(child).expect(5).says("--resume").prints("auto      1       1");
    assert!(!outcome.stderr.contains("hang"), "{}", outcome.stderr);
    assert!(folder.path("robusto-bench/results.html").exists());
    bench(&folder, &["--resume", "--match", "*true", "tasks"]).expect(0).prints("auto      2       2");
}
