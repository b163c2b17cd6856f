//! Programs whose recursion has no bound but an input, below `recursion/`, each with an unsafe twin (`NAME_bug`).
//!
//! Task files stand beside them, for `robusto bench` and for the verdicts here: what is safe is proved by summaries of the
//! procedures, with a certificate that is accepted, at any depth; in each twin an error is found.

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use support::Folder;

/// How many programs there are, without twins.
const PROGRAMS: usize = 20;

#[test]
fn recursion_of_any_depth() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recursion");
    let files = fs::read_dir(&root).expect("there are programs").filter_map(|file| Some(file.ok()?.path()));
    let mut programs: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|e| e == "c")).collect();
    programs.sort();
    assert_eq!(programs.len(), 2 * PROGRAMS, "each has a twin");
    let folder = Folder::new("recursion");
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    let work = || {
        while let Some(path) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let failure = failure_of(path, &folder);
            failures.lock().expect("no thread panics").extend(failure);
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

fn failure_of(path: &Path, folder: &Folder) -> Option<String> {
    let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
    let program = path.display().to_string();
    let task = fs::read_to_string(path.with_extension("yml")).expect("a task file");
    let is_safe = task.contains("expected_verdict: true");
    let certificate = folder.path(&format!("{name}.cert")).display().to_string();
    let mut arguments = vec!["check", "--property", "unreach-call", "--timeout", "30s", "--analysis"];
    match is_safe {
        true => arguments.extend(["summaries", "--certify", "always", "--certificate", &certificate, &program]),
        false => arguments.extend(["bmc", &program]),
    }
    let outcome = folder.run(&arguments);
    let (answer, said) = match is_safe {
        true => ("RESULT: true", "certified: yes"),
        false => ("RESULT: false(unreach-call)", ""),
    };
    if !outcome.stdout.contains(answer) || !outcome.stdout.contains(said) {
        return Some(format!("{name}: {}{}", outcome.stdout, outcome.stderr));
    }
    if is_safe {
        let checked = folder.run(&["certify", &program, &certificate]);
        if !checked.stdout.contains("CERTIFICATE: accepted") {
            return Some(format!("{name}: {}{}", checked.stdout, checked.stderr));
        }
    }
    None
}

#[test]
fn trees_of_calls_are_not_copied() {
    // 2^24 calls; a wrong sum must not be proved, whatever else is said of it.
    let tree: String =
        (1..=24).map(|i| format!("int f{i}(int x) {{ x = f{0}(x); return f{0}(x); }}\n", i - 1)).collect();
    let program = |sum: u32| {
        format!(
            "void reach_error(void);\nint f0(int x) {{ return x + 1; }}\n{tree}\
             int main(void) {{ if (f24(0) != {sum}) reach_error(); return 0; }}\n"
        )
    };
    let folder = Folder::new("trees");
    folder.write("right.c", program(1 << 24)).write("wrong.c", program((1 << 24) - 1));
    let check = |file, engine| {
        folder.run(&["check", "--property", "unreach-call", "--analysis", engine, "--timeout", "20s", file]).stdout
    };
    for engine in ["summaries", "slam", "auto"] {
        let said = check("right.c", engine);
        assert!(said.contains("certified: yes") && said.contains("RESULT: true"), "{engine}: {said}");
    }
    let said = check("wrong.c", "summaries");
    assert!(!said.contains("RESULT: true"), "{said}");
}
