//! Adversarial programs at the border between a program and what is outside of it, with the verdicts that C demands.
//!
//! Each program below `border/`, in one folder per kind of trap, has a task file beside it. `properties` are for tools that
//! run such tasks, `robusto bench` among them; by the convention of task files, functions without a body change nothing
//! (`--extern pure`). `options.checks` are what this test runs on the program itself:
//!
//! ```text
//! checks:
//!   - options: --extern all      # of `robusto check`; may be left out
//!     answer: not-true
//! ```
//!
//! | answer | what must hold |
//! |---|---|
//! | `true`, `false` | this is the answer |
//! | `unknown(TEXT` | it is unknown, and the reason begins with the text |
//! | `not-true`, `not-false` | it is not this answer |
//! | `assumed` | it is not true, or true with a list of assumptions: C leaves it open |
//! | `vacuous` | it is true, and the report says that nothing could violate the property |
//! | `vacuous-access` | it is true, and the report says first that every execution ends at an invalid access |
//! | `accepted` | it is any answer, so the program is not rejected |
//! | `LINE ANSWER, …` | with several properties, the answer (`true`, `false`, `not-true`, `not-false`) of each row at the line |
//!
//! In every case the exit code is that of the answer.

mod support;

use robusto_yaml as yaml;
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
    let tasks = tasks();
    assert!(tasks.len() > 300, "only {} tasks", tasks.len());
    let compiler = support::has_compiler();
    let folder = Folder::new("border");
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    let work = || {
        while let Some(path) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
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

/// `robusto bench` runs the same tasks, and no answer is wrong. Most are decided, so that the result says something.
#[test]
fn the_border_is_a_benchmark() {
    if !support::has_compiler() {
        return;
    }
    let folder = Folder::new("border-bench");
    let root = root().display().to_string();
    let outcome = folder.run(&["bench", "--timeout", TIMEOUT, "-o", "results", &root]).expect(0);
    let results = fs::read_to_string(folder.path("results/results.csv")).expect("there are results");
    let correct = results.matches(",correct,").count();
    assert!(correct > 200, "only {correct} are correct\n{}", outcome.stdout);
    assert!(!results.contains(",wrong,"), "{}", outcome.stderr);
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/border")
}

/// All task files below `border/`; every program has one.
fn tasks() -> Vec<PathBuf> {
    let mut tasks = Vec::new();
    for folder in fs::read_dir(root()).expect("the tasks are there") {
        for file in fs::read_dir(folder.expect("a folder").path()).expect("a folder of tasks") {
            let path = file.expect("a file").path();
            if path.extension().is_some_and(|e| e == "yml") {
                tasks.push(path);
            } else {
                assert!(path.with_extension("yml").exists(), "{} has no task file", path.display());
            }
        }
    }
    tasks.sort();
    tasks
}

/// Options and expected answers of a task.
fn checks_of(task: &yaml::Node) -> Result<Vec<(&str, &str)>, yaml::Error> {
    let checks =
        task.get("options").and_then(|options| options.get("checks")).ok_or_else(|| task.error("no checks"))?;
    let check = |node| {
        let fields = yaml::Node::fields(node, "a check", &["answer"], &["options"])?;
        let options = fields.get("options").map_or(Ok(""), |options| options.text("options"))?;
        Ok((options, fields.text("answer")?))
    };
    checks.list("checks")?.iter().map(check).collect()
}

/// What the checks of one task answer though they should not.
fn failures_of(path: &Path, folder: &Folder, compiler: bool) -> Vec<String> {
    let text = fs::read_to_string(path).expect("the task can be read");
    let task = yaml::read(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let checks = checks_of(&task).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert!(!checks.is_empty(), "{} has no check", path.display());
    let name = task.get("input_files").expect("a program").text("input_files").expect("one program");
    let program = path.with_file_name(name);
    if !compiler && fs::read_to_string(&program).expect("the program can be read").contains("#include") {
        return Vec::new();
    }
    let program = program.display().to_string();
    let mut failures = Vec::new();
    for (options, expected) in checks {
        let mut args = vec!["check"];
        if !options.contains("--property") {
            args.extend(["--property", "unreach-call"]);
        }
        if !options.contains("--timeout") {
            args.extend(["--timeout", TIMEOUT]);
        }
        args.extend(options.split_whitespace());
        args.push(&program);
        let outcome = folder.run(&args);
        if let Err(answer) = judge(&outcome, expected) {
            let name = path.strip_prefix(root()).unwrap_or(path).display();
            failures.push(format!("{name}: {options} => {expected}: {answer}"));
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
        "vacuous" => answer == "true" && outcome.stdout.contains("vacuous: nothing in the program"),
        "vacuous-access" => {
            answer == "true" && outcome.stdout.starts_with("vacuous: every execution ends at the invalid")
        }
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
