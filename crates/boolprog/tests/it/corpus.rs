//! The public Boolean programs, if somebody has unpacked them: `ROBUSTO_CORPUS` names the folder of all families.

use crate::support::program;
use robusto_boolprog::{Engine, Question, check};
use robusto_limits::{Limits, Progress};
use robusto_verdict::Verdict;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// No engine may take longer for one of them.
const LIMIT: Duration = Duration::from_secs(10);

#[test]
fn corpus() {
    let Some(corpus) = std::env::var_os("ROBUSTO_CORPUS") else {
        eprintln!("skipped: ROBUSTO_CORPUS names no folder with the public tasks");
        return;
    };
    let folder = Path::new(&corpus).join("boolean-programs");
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut tasks: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    tasks.retain(|path| path.extension().is_some_and(|e| e == "yml"));
    tasks.sort();
    assert!(!tasks.is_empty(), "no task in {}", folder.display());
    for task in tasks {
        let text = fs::read_to_string(&task).expect("a task file");
        let value = |key: &str| {
            let line = text.lines().find_map(|line| line.trim().strip_prefix(key)?.strip_prefix(':'));
            line.map(|rest| rest.trim().trim_matches('\'').to_owned())
        };
        let source = task.with_file_name(value("input_files").expect("a file"));
        let program = program(&fs::read_to_string(source).expect("a program"));
        let options = value("command_line").unwrap_or_default();
        let question = match options.strip_prefix("-l ") {
            Some(label) => Question::Label(label.trim().to_owned()),
            None => Question::Assert,
        };
        let expected = value("expected_verdict").expect("a verdict") == "true";
        for engine in Engine::ALL {
            let limits = Limits::new(Some(LIMIT), None, Arc::default());
            let verdict = check(&program, &question, engine, &limits, &Progress::default()).verdict;
            let right = matches!((&verdict, expected), (Verdict::True, true) | (Verdict::False(_), false));
            assert!(right, "{}, {engine}: {verdict:?}, expected {expected}", task.display());
        }
    }
}
