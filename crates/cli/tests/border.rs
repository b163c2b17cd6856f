//! Adversarial programs at the border between a program and what is outside of it, with the verdicts that C demands.
//!
//! The programs are the files below `border/`, one folder per kind of trap. Each begins with lines
//!
//! ```text
//! // check: OPTIONS => EXPECTATION
//! ```
//!
//! | expectation | what must hold |
//! |---|---|
//! | `true`, `false` | this is the answer |
//! | `unknown(TEXT` | it is unknown, and the reason begins with the text |
//! | `not-true`, `not-false` | it is not this answer |
//! | `assumed` | it is not true, or true with a list of assumptions: C leaves it open |
//! | `vacuous` | it is true, and the report says that nothing could violate the property |
//! | `accepted` | it is any answer, so the program is not rejected |
//! | `LINE ANSWER, …` | with several properties, the answer (`true`, `false`, `not-true`, `not-false`) of each row at the line |
//!
//! In every case the exit code is that of the answer.

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use support::{Folder, Outcome};

/// How long one check may take, unless its options say so.
const TIMEOUT: &str = "10s";

#[test]
fn verdicts_at_the_border() {
    let programs = programs();
    assert!(programs.len() > 150, "only {} programs", programs.len());
    let compiler = support::has_compiler();
    let folder = Folder::new("border");
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    let work = || {
        while let Some(path) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let found = failures_of(path, &folder, compiler);
            failures.lock().expect("no thread panics").extend(found);
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let mut failures = failures.into_inner().expect("no thread panics");
    failures.sort();
    assert!(failures.is_empty(), "{} wrong:\n{}", failures.len(), failures.join("\n"));
}

/// All programs below `border/`.
fn programs() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/border");
    let mut programs = Vec::new();
    for folder in fs::read_dir(root).expect("the programs are there") {
        for file in fs::read_dir(folder.expect("a folder").path()).expect("a folder of programs") {
            programs.push(file.expect("a program").path());
        }
    }
    programs.sort();
    programs
}

/// What the checks of one program answer though it should not.
fn failures_of(path: &Path, folder: &Folder, compiler: bool) -> Vec<String> {
    let text = fs::read_to_string(path).expect("the program can be read");
    let checks: Vec<&str> = text.lines().map_while(|line| line.strip_prefix("// check:")).collect();
    assert!(!checks.is_empty(), "{} has no check", path.display());
    if !compiler && text.contains("#include") {
        return Vec::new();
    }
    let mut failures = Vec::new();
    for check in checks {
        let (options, expected) = check.split_once("=>").expect("a check has an expectation");
        let path_text = path.display().to_string();
        let mut args = vec!["check"];
        if !options.contains("--timeout") {
            args.extend(["--timeout", TIMEOUT]);
        }
        args.extend(options.split_whitespace());
        args.push(&path_text);
        let outcome = folder.run(&args);
        if let Err(answer) = judge(&outcome, expected.trim()) {
            let name =
                path.components().rev().take(2).map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>();
            failures.push(format!("{}/{}:{check}: {answer}", name[1], name[0]));
        }
    }
    failures
}

/// The answer, if it is not as expected.
fn judge(outcome: &Outcome, expected: &str) -> Result<(), String> {
    let last = outcome.stdout.lines().last().unwrap_or("");
    let result = last.strip_prefix("RESULT: ").unwrap_or("");
    let answer = result.split('(').next().unwrap_or("");
    let code = match answer {
        "true" => 0,
        "false" => 10,
        "unknown" => 5,
        _ => return Err(format!("exit code {:?}: {}", outcome.code, outcome.stderr.lines().next().unwrap_or(last))),
    };
    let fits = match expected {
        "accepted" => true,
        "vacuous" => answer == "true" && outcome.stdout.contains("nothing in the program could violate"),
        "assumed" => answer != "true" || outcome.stdout.contains("assumptions:"),
        _ if expected.starts_with("unknown(") => result.starts_with(expected),
        _ if expected.starts_with(|first: char| first.is_ascii_digit()) => rows_fit(&outcome.stdout, expected)?,
        _ => answer_fits(answer, expected),
    };
    if fits && outcome.code == Some(code) { Ok(()) } else { Err(format!("{result}, exit code {:?}", outcome.code)) }
}

fn answer_fits(answer: &str, expected: &str) -> bool {
    match expected {
        "true" | "false" => answer == expected,
        "not-true" => answer != "true",
        "not-false" => answer != "false",
        _ => panic!("`{expected}` is no expectation"),
    }
}

/// Whether the rows of a table of properties are as expected; every line that is named must have one.
fn rows_fit(stdout: &str, expected: &str) -> Result<bool, String> {
    for one in expected.split(',') {
        let (line, answer) = one.trim().split_once(' ').expect("a line and an answer");
        let place = format!(".c:{line}:");
        let rows: Vec<&str> = stdout.lines().take_while(|row| !row.starts_with("RESULT:")).collect();
        // The table is the lines with an answer between their name and their place.
        let rows: Vec<(&str, &str)> = rows
            .iter()
            .filter(|row| row.contains(&place))
            .filter_map(|row| {
                row.split_whitespace().find(|word| matches!(*word, "true" | "false" | "unknown")).map(|a| (*row, a))
            })
            .collect();
        if rows.is_empty() {
            return Err(format!("no row for line {line}"));
        }
        if let Some((row, _)) = rows.iter().find(|(_, found)| !answer_fits(found, answer)) {
            return Err(format!("row `{row}`"));
        }
    }
    Ok(true)
}
