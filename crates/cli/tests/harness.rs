//! `--harness`: a real compiler's program reaches the error.

mod support;

use std::process::Command;
use support::Folder;

/// Compiles the program with its harness and runs it; exit code and what it says.
fn execute(folder: &Folder, program: &str, flags: &[&str]) -> Option<(Option<i32>, String)> {
    let binary = folder.path("violation");
    let mut gcc = Command::new("gcc");
    gcc.args(["-w", "-O0"]).args(flags).arg(folder.path(program)).arg(folder.path("harness.c"));
    let built = gcc.arg("-o").arg(&binary).output();
    let Ok(built) = built else {
        eprintln!("skipped: there is no gcc");
        return None;
    };
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let run = Command::new(binary).output().expect("the program runs");
    Some((run.status.code(), String::from_utf8_lossy(&run.stderr).into_owned()))
}

const PROGRAMS: [(&str, &str, &str); 6] = [
    (
        "turn.c",
        "unreach-call",
        "extern int __VERIFIER_nondet_int(void); extern unsigned char __VERIFIER_nondet_uchar(void);
        extern void reach_error(void); extern void __VERIFIER_assume(int);
        int main() { int sum = 0; for (int i = 0; i < 5; i++) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 2 && x < 9);
          sum += x; if (__VERIFIER_nondet_uchar() == 200) sum -= 1; } if (sum == 33) reach_error(); return 0; }",
    ),
    (
        "own.c",
        "unreach-call",
        "extern void __assert_fail(const char *, const char *, unsigned, const char *);
        extern long __VERIFIER_nondet_long(void);
        void reach_error(void) { __assert_fail(\"0\", \"own.c\", 3, \"reach_error\"); }
        int main() { long x = __VERIFIER_nondet_long(); if (x == -5000000000) { reach_error(); } return 0; }",
    ),
    (
        "assert.c",
        "assert",
        "#include <assert.h>
        extern short __VERIFIER_nondet_short(void);
        int main() { short x = __VERIFIER_nondet_short(); assert(x != -7); return 0; }",
    ),
    (
        "external.c",
        "unreach-call",
        "extern int sensor(void); extern void reach_error(void);
        int main() { if (sensor() == 3 && sensor() == 4) reach_error(); return 0; }",
    ),
    (
        "overflow.c",
        "no-overflow",
        "extern int __VERIFIER_nondet_int(void);
        int main() { int x = __VERIFIER_nondet_int(); if (x > 1000) x = x + 2000; return x; }",
    ),
    (
        "zero.c",
        "div-by-zero",
        "extern int __VERIFIER_nondet_int(void);
        int main() { int x = __VERIFIER_nondet_int(); return 100 / (x - 17); }",
    ),
];

#[test]
fn the_error_is_reached_for_real() {
    let folder = Folder::new("harness");
    for (name, property, text) in PROGRAMS {
        folder.write(name, text);
        folder.run(&["check", "--property", property, "--harness", "harness.c", name]).expect(10);
        let sanitized = matches!(property, "no-overflow" | "div-by-zero");
        let flags: &[&str] = if sanitized { &["-fsanitize=undefined", "-fno-sanitize-recover=undefined"] } else { &[] };
        let Some((code, said)) = execute(&folder, name, flags) else { return };
        if sanitized {
            assert!(code != Some(0) && said.contains("runtime error"), "{name}: {code:?} {said}");
        } else {
            assert_eq!(code, Some(10), "{name}: {said}");
            assert!(said.contains("robusto: "), "{name}: {said}");
        }
    }
}

#[test]
fn no_violation_no_harness() {
    let folder = Folder::new("harness-none");
    folder.write("a.c", "int main() { return 0; }");
    folder.run(&["check", "--property", "unreach-call", "--harness", "h.c", "a.c"]).expect(0).says("no harness");
    assert!(!folder.path("h.c").exists());
}

#[test]
fn a_dash_is_standard_output() {
    let folder = Folder::new("harness-dash");
    let (name, property, text) = PROGRAMS[0];
    folder.write(name, text);
    let ends = format!("RESULT: false({property})\n");
    for (option, code, line) in [("--harness", 10, "int __VERIFIER_nondet_int"), ("--witness", 10, "entry_type")] {
        let outcome = folder.run(&["check", "--property", property, option, "-", name]).expect(code).prints(line);
        assert!(outcome.stdout.ends_with(&ends), "the report comes last: {}", outcome.stdout);
        assert!(!folder.path("-").exists());
    }
}
