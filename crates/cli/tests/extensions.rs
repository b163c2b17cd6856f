//! Verdicts of programs whose meaning rests on extensions of the language.

use std::path::PathBuf;
use std::process::Command;

const DECLARATIONS: &str = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);\n";

/// Writes a program to a file of its own.
fn file(name: &str, text: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("robusto-extensions-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for tests");
    let path = folder.join(name);
    std::fs::write(&path, format!("{DECLARATIONS}{text}")).expect("a file for tests");
    path
}

/// The last line of `robusto check` starts with this verdict.
fn verdict(name: &str, text: &str, expected: &str) {
    let mut robusto = Command::new(env!("CARGO_BIN_EXE_robusto"));
    let output = robusto
        .args(["check", "--property", "unreach-call", "--timeout", "60s"])
        .arg(file(name, text))
        .output()
        .expect("robusto runs");
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let last = out.lines().last().unwrap_or("").strip_prefix("RESULT: ").unwrap_or("");
    assert!(last.starts_with(expected), "{name}: not {expected}\n{out}{err}");
}

#[test]
fn the_error_inside_a_nested_function() {
    let body = |bound: &str| {
        format!(
            "int main(void) {{ int x = __VERIFIER_nondet_int();
               void test(int y) {{ if (x == y && y {bound}) reach_error(); }}
               if (x > 10 && x < 20) test(15); return 0; }}"
        )
    };
    verdict("nested-false.c", &body("== 15"), "false(unreach-call)");
    verdict("nested-true.c", &body("== 16"), "true");
}

#[test]
fn captured_variables_are_the_caller_s() {
    let text = |expected: &str| {
        format!(
            "int main(void) {{ int a = 1, b = __VERIFIER_nondet_int();
               void add(int k) {{ a += k; b = a; }}
               add(2); add(3); if (a != {expected} || b != a) reach_error(); return 0; }}"
        )
    };
    verdict("captured-true.c", &text("6"), "true");
    verdict("captured-false.c", &text("5"), "false(unreach-call)");
}

#[test]
fn the_address_of_a_nested_function() {
    let text = "int call(int (*f)(int), int x) { return f(x); }
       int main(void) { int base = 5; int add(int x) { return x + base; }
         if (call(add, 2) != 7) reach_error(); base = 6; if (call(add, 2) == 8) reach_error(); return 0; }";
    verdict("address.c", text, "false(unreach-call)");
}

#[test]
fn a_goto_out_of_a_nested_function_is_not_guessed() {
    let text =
        "int main(void) { __label__ out; void leave(void) { goto out; } leave(); return 0; out: reach_error(); }";
    let (message, _) = run("goto.c", text);
    assert!(message.contains("not supported: a goto out of a nested function"), "{message}");
}

/// What `robusto run` says on standard error, and its exit status.
fn run(name: &str, text: &str) -> (String, Option<i32>) {
    let mut robusto = Command::new(env!("CARGO_BIN_EXE_robusto"));
    let output = robusto.arg("run").arg(file(name, text)).output().expect("robusto runs");
    (String::from_utf8_lossy(&output.stderr).into_owned(), output.status.code())
}

#[test]
fn layouts_that_are_not_understood_are_not_guessed() {
    let vla = "int main(void) { int n = 3; union { int a[n]; char c; } s; return sizeof s != 12; }";
    let (message, status) = run("vla-member.c", vla);
    assert!(message.contains("not supported: a union with an array of variable size"), "{message}");
    assert_eq!(status, Some(5));

    let (message, status) =
        run("ms.c", "struct s { char c : 3; int i : 4; } __attribute__((ms_struct)); int main(void) {}");
    assert!(message.contains("ms_struct"), "{message}");
    assert_eq!(status, Some(2));

    let swapped = "struct s { int a[2]; } __attribute__((scalar_storage_order(\"big-endian\")));
       int main(void) { struct s s; s.a[0] = 1; return s.a[0]; }";
    let (message, status) = run("swapped.c", swapped);
    assert!(message.contains("not supported: an array in a struct of reverse storage order"), "{message}");
    assert_eq!(status, Some(5));
}
