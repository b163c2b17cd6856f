//! What a run says, however it ends: nothing that was found is lost.

mod support;

use std::process::Child;
use support::{Folder, Outcome, finish};

/// A violation that is found at once, and an assertion that nobody decides: multiplication is associative.
const TEXT: &str = "extern void __assert_fail(void); extern unsigned long __VERIFIER_nondet_ulong(void);
int main() {
    unsigned long x = __VERIFIER_nondet_ulong(), y = __VERIFIER_nondet_ulong(), z = __VERIFIER_nondet_ulong();
    unsigned long n = __VERIFIER_nondet_ulong();
    if (n == 77)
        __assert_fail();
    while (n--) { if (n == y) x++; }
    if ((x * y) * z != x * (y * z))
        __assert_fail();
    return 0;
}
";

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("a.c", TEXT);
    folder
}

fn started(folder: &Folder, args: &[&str]) -> Child {
    folder.command(&[&["check"], args, &["a.c"]].concat()).spawn().expect("robusto starts")
}

/// The table has both rows, whatever is said of the second.
fn has_violation(outcome: Outcome, open: &str) {
    let outcome = outcome.expect(10).prints("a.c:6:9: error: assertion in main [assert]").prints(open);
    assert!(outcome.stdout.ends_with("RESULT: false(assert)\n"), "{}", outcome.stdout);
}

#[cfg(unix)]
#[test]
fn what_was_found_before_an_interruption_is_told() {
    let folder = folder("ends_interrupt");
    for engine in ["auto", "bmc", "kind"] {
        let args = ["-v", "--analysis", engine, "--json", "a.json", "--sarif", "a.sarif", "--junit", "a.xml"];
        let files = ["--witness", "a.yml", "--harness", "h.c", "--report", "a.html"];
        let mut child = started(&folder, &[&args[..], &files].concat());
        let said = support::interrupt(&mut child, |line| line.contains("found: "));
        assert!(said.contains("found: a.c:6: assertion in main [assert]"), "it is shown when it is found\n{said}");
        has_violation(finish(child), "a.c:9:9: assertion in main (interrupted)");
        for file in ["a.json", "a.sarif", "a.xml", "a.yml", "h.c", "a.html"] {
            assert!(std::fs::remove_file(folder.path(file)).is_ok(), "{engine}: {file}");
        }
    }
}

#[test]
fn the_first_violation_ends_the_run() {
    let folder = folder("ends_first");
    for engine in ["auto", "bmc", "kind", "test"] {
        let outcome = folder.run(&["check", "--stop-at-first", "--analysis", engine, "a.c"]);
        has_violation(outcome, "a.c:9:9: assertion in main (stopped after a violation)");
    }
}

/// With a limit as well: nobody waits a quarter of an hour for what comes after a violation.
#[test]
fn patience_after_a_violation_ends() {
    let outcome = folder("ends_patience").run(&["check", "--timeout", "14min", "a.c"]);
    has_violation(outcome, "a.c:9:9: assertion in main (stopped after a violation)");
}

#[cfg(unix)]
#[test]
fn the_log_says_what_runs_now() {
    let folder = folder("ends_log");
    let mut child = started(&folder, &["-v", "--timeout", "14min"]);
    let said = support::interrupt(&mut child, |line| line.contains("predicate"));
    assert!(said.lines().last().is_some_and(|line| line.contains("auto: ") && line.contains("predicate")), "{said}");
    finish(child);
}
