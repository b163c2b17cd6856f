//! `robusto check` as a user meets it: verdicts, exit codes, limits, signals.

mod support;

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use support::ENDLESS;

fn robusto() -> Command {
    Command::new(env!("CARGO_BIN_EXE_robusto"))
}

/// Writes a program to a file of its own.
fn file(name: &str, text: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("robusto-check-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for tests");
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a file for tests");
    path
}

fn check(name: &str, text: &str, args: &[&str]) -> (String, Option<i32>) {
    let Output { stdout, status, .. } =
        robusto().arg("check").args(args).args(asked(args)).arg(file(name, text)).output().expect("robusto runs");
    (String::from_utf8_lossy(&stdout).into_owned(), status.code())
}

/// Tests that name no property ask for error calls.
fn asked(args: &[&str]) -> &'static [&'static str] {
    if args.contains(&"--property") { &[] } else { &["--property", "unreach-call"] }
}

fn last_line(text: &str) -> &str {
    text.lines().last().unwrap_or("")
}

const DECLARATIONS: &str =
    "extern void reach_error(void); extern int __VERIFIER_nondet_int(void); void __assert_fail(void);\n";

#[test]
fn verdicts_and_exit_codes() {
    let safe =
        format!("{DECLARATIONS}int main() {{ int x = __VERIFIER_nondet_int(); if (x == 1 && x == 2) reach_error(); }}");
    let (out, code) = check("safe.c", &safe, &[]);
    assert_eq!((last_line(&out), code), ("RESULT: true", Some(0)), "{out}");

    let unsafe_ =
        format!("{DECLARATIONS}int main() {{ int x = __VERIFIER_nondet_int(); if (x == 42) reach_error(); }}");
    let (out, code) = check("unsafe.c", &unsafe_, &[]);
    assert_eq!((last_line(&out), code), ("RESULT: false(unreach-call)", Some(10)), "{out}");
    assert!(out.contains(": 42"), "the input is shown\n{out}");

    let unknown = format!(
        "{DECLARATIONS}int g[3]; int main() {{ int i = __VERIFIER_nondet_int(); if (i >= 0 && i < 3 && g[i] == 1) reach_error(); }}"
    );
    let (out, code) = check("unknown.c", &unknown, &["--analysis", "bdd"]);
    assert!(last_line(&out).starts_with("RESULT: unknown(imprecise"), "{out}");
    assert_eq!(code, Some(5));

    let (_, code) = check("broken.c", "int main( {", &[]);
    assert_eq!(code, Some(2));
    let (_, code) = check("safe.c", &safe, &["--property", "no-such-property"]);
    assert_eq!(code, Some(1));
}

#[test]
fn properties() {
    let text = format!(
        "{DECLARATIONS}int main() {{ int x = __VERIFIER_nondet_int(); if (x == 3) {{ ERROR: x = 4; }} if (x == 5) __assert_fail(); return x; }}"
    );
    let result = |property: &str| last_line(&check("properties.c", &text, &["--property", property]).0).to_owned();
    assert_eq!(result("unreach-call"), "RESULT: true");
    assert_eq!(result("label:ERROR"), "RESULT: false(label:ERROR)");
    assert_eq!(result("assert"), "RESULT: false(assert)");
    let (out, code) = check("properties.c", &text, &["--property", "all"]);
    assert_eq!(code, Some(10));
    assert!(out.contains("2 properties: 0 true, 2 false, 0 unknown"), "{out}");
    let prp = file("unreach.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )");
    assert_eq!(result(&prp.display().to_string()), "RESULT: true");
}

/// A property that the program has no place for is true, but most likely not what the user wanted to know.
#[test]
fn nothing_to_violate() {
    let text = format!("{DECLARATIONS}int main() {{ if (__VERIFIER_nondet_int()) __assert_fail(); }}");
    let (out, code) = check("vacuous.c", &text, &[]);
    assert_eq!((last_line(&out), code), ("RESULT: true", Some(0)));
    assert!(out.contains("vacuous: nothing in the program, dead code left out, could violate unreach-call"), "{out}");
    let (out, code) = check("vacuous.c", &text, &["--property", "assert"]);
    assert_eq!(code, Some(10));
    assert!(!out.contains("vacuous:"), "{out}");
}

#[test]
fn the_time_limit_holds() {
    // It would take hours: that it ends shows that the limit holds.
    let (out, code) = check("endless.c", ENDLESS, &["--timeout", "1s"]);
    assert_eq!((last_line(&out), code), ("RESULT: unknown(timeout)", Some(5)), "{out}");
    assert!(out.contains("statistics:"), "statistics so far\n{out}");
}

#[cfg(target_os = "linux")]
#[test]
fn the_limit_of_cpu_time_holds() {
    let (out, code) = check("endless4.c", ENDLESS, &["--cpu-timeout", "500ms"]);
    assert_eq!((last_line(&out), code), ("RESULT: unknown(timeout)", Some(5)), "{out}");
}

/// The program needs 25 MB within half a second. The time limit only keeps a mistake from running for ever: an answer that it
/// gives is a failure.
#[cfg(target_os = "linux")]
#[test]
fn the_memory_limit_holds() {
    let (out, code) = check("endless2.c", ENDLESS, &["--memory", "14MB", "--timeout", "15min"]);
    assert_eq!((last_line(&out), code), ("RESULT: unknown(out of memory)", Some(5)), "{out}");
}

#[cfg(unix)]
#[test]
fn an_interrupt_gives_a_result_line() {
    let mut command = robusto();
    command.args(["check", "-v"]).arg(file("endless3.c", ENDLESS)).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("robusto runs");
    support::interrupt(&mut child, |line| line.contains("predicate"));
    let Output { stdout, status, .. } = child.wait_with_output().expect("robusto ends");
    assert_eq!(last_line(&String::from_utf8_lossy(&stdout)), "RESULT: unknown(interrupted)");
    assert_eq!(status.code(), Some(5));
}

#[test]
fn the_graph_is_drawn() {
    let folder = file("drawing.c", "int main() { return 0; }");
    for (name, start) in [("arg.svg", "<?xml"), ("arg.dot", "digraph")] {
        let picture = folder.with_file_name(name);
        let status = robusto()
            .args(["check", "--analysis", "predicate", "--arg"])
            .arg(&picture)
            .arg(&folder)
            .stdout(Stdio::null())
            .status();
        assert!(status.is_ok_and(|s| s.success()));
        let text = std::fs::read_to_string(&picture).expect("a picture");
        assert!(text.starts_with(start) || text.starts_with("<svg"), "{}", &text[..40.min(text.len())]);
    }
    // A plan of several engines has no graph to draw.
    let status = robusto().args(["check", "--arg", "x.svg"]).arg(&folder).stderr(Stdio::null()).status();
    assert_eq!(status.expect("robusto runs").code(), Some(1));
}

/// The short path names lines, values and the error; iterations are folded, library models left out.
#[test]
fn the_short_path() {
    let text = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
extern int abs(int);
int twice(int x) {
    return 2 * x;
}
int main() {
    int unused = abs(-3);
    int sum = 0, n = __VERIFIER_nondet_int();
    for (int i = 0; i < 40; i++) {
        unused = i;
        if (i % 2)
            sum = twice(1) + sum;
    }
    if (! (n != 7)) {
        if (sum == 40)
            reach_error();
    }
    return unused;
}
";
    let (out, code) = check("path.c", text, &[]);
    assert_eq!(code, Some(10), "{out}");
    for wanted in [
        "path.c:16:13: error: error call in main [unreach-call]\n   16 | reach_error();\n      | ^\n",
        "int sum = 0, n = __VERIFIER_nondet_int();",
        "sum = 0, n = 7  (input)",
        "… 39 more iterations, then sum = 40",
        "n = 7  → true",
        "sum = 40  → true",
        "16  reach_error();",
        "← error",
    ] {
        assert!(out.contains(wanted), "{wanted:?} is not in\n{out}");
    }
    assert!(!out.contains("unused = i") && !out.contains("builtin"), "{out}");
    assert!(!out.contains('\x1b'), "no colour in a pipe");
    let (full, _) = check("path.c", text, &["--trace", "full"]);
    assert!(full.lines().count() > 250 && full.contains("[unused = "), "{full}");
    let end = full.lines().position(|line| line == "statistics:").expect("statistics come behind the trace") - 1;
    let last = full.lines().nth(end).expect("a line");
    assert!(last.contains("path.c:16:13") && last.ends_with("error call in main"), "{last}");
}

/// Which part of a program decided, or why nothing is left out.
#[test]
fn explanations_tell_of_slices() {
    let noise: String = (0..30).map(|i| format!("  if (noise > {i}) noise += n; else noise ^= {i};\n")).collect();
    let text = format!(
        "extern void __VERIFIER_error(void); extern int __VERIFIER_nondet_int(void);\nint noise, on;\n\
         int work(int n) {{\n{noise}  return noise;\n}}\n\
         int main(void) {{\n  while (__VERIFIER_nondet_int()) {{\n    on = 1 - on;\n    work(on);\n  }}\n\
           if (on == 2) __VERIFIER_error();\n}}\n"
    );
    let large = file("large.c", &text);
    let small = file("small.c", "int main(void) { int a[2]; a[0] = 1; return a[0]; }");
    let told = |args: &[&str], path: &PathBuf| {
        let run = robusto().args(["check", "--explain", "--property"]).args(args).arg(path).output();
        let Output { stderr, status, .. } = run.expect("robusto runs");
        assert_eq!(status.code(), Some(0));
        String::from_utf8_lossy(&stderr).into_owned()
    };
    let sliced = told(&["unreach-call"], &large);
    assert!(sliced.contains("slice: ") && sliced.contains("decided: on the slice"), "{sliced}");
    let whole = told(&["unreach-call", "--slice", "none"], &large);
    assert!(!whole.contains("slice"), "{whole}");
    let few = told(&["unreach-call"], &small);
    assert!(few.contains("no slice: the program has") && few.contains("fewer than 100"), "{few}");
    let many = told(&["all"], &small);
    assert!(many.contains("no slice: several verdicts are asked for, not one"), "{many}");
}
