//! Answers that say little say so.

mod support;

use serde_json::Value;
use support::Folder;

const HEAD: &str = "void reach_error(void); void abort(void); void exit(int); void __VERIFIER_assume(int);
int __VERIFIER_nondet_int(void);
";

/// The verdict, the line that begins with `vacuous:`, and what JSON says.
fn vacuity(folder: &Folder, text: &str, options: &[&str]) -> (String, Value) {
    folder.write("a.c", format!("{HEAD}{text}"));
    let outcome = folder
        .run(&[&["check", "--property", "unreach-call", "--json", "out.json", "a.c"], options].concat())
        .expect(0);
    let document = std::fs::read_to_string(folder.path("out.json")).expect("a document");
    let document: Value = serde_json::from_str(&document).expect("it is JSON");
    let line = outcome.stdout.lines().find(|line| line.starts_with("vacuous: ")).unwrap_or_default().to_owned();
    assert_eq!(document["vacuous"] == true, !line.is_empty(), "{line} {document}");
    (line, document["vacuity"].clone())
}

#[test]
fn nothing_could_violate_it() {
    let folder = Folder::new("vacuous_nothing");
    let (line, json) = vacuity(&folder, "int main(void) { return 0; }", &[]);
    assert!(
        line.starts_with("vacuous: nothing in the program, dead code left out, could violate unreach-call"),
        "{line}"
    );
    assert!(json.as_str().is_some_and(|text| line.ends_with(text)), "{json}");
}

#[test]
fn nobody_calls_it() {
    let folder = Folder::new("vacuous_calls");
    let (line, _) = vacuity(&folder, "void f(int x) { if (x) reach_error(); } int main(void) { return 0; }", &[]);
    assert!(line.starts_with("vacuous: no code that could violate unreach-call can be reached"), "{line}");
}

#[test]
fn all_executions_end_before() {
    let folder = Folder::new("vacuous_end");
    let check = "if (x == 3) reach_error(); return 0; }";
    // What stands behind the first ones is dead code, which the automaton does not have.
    for (before, wanted) in [
        ("exit(1);", "vacuous: nothing in the program, dead code left out, could"),
        ("abort();", "vacuous: nothing in the program, dead code left out, could"),
        ("if (x) abort(); else exit(2);", "vacuous: nothing in the program, dead code left out, could"),
        ("while (1) x++;", "vacuous: nothing in the program, dead code left out, could"),
        ("__VERIFIER_assume(0);", "vacuous: "),
        ("__VERIFIER_assume(x > 5); __VERIFIER_assume(x < 3);", "vacuous: every execution ends"),
        ("stop();", "vacuous: every execution ends"),
    ] {
        let rest = format!(
            "void stop(void) {{ exit(1); }} int main(void) {{ int x = __VERIFIER_nondet_int(); {before} {check}"
        );
        let (line, _) = vacuity(&folder, &rest, &[]);
        assert!(line.starts_with(wanted), "{before}: {line:?}");
    }
}

/// A proof by values is none of these.
#[test]
fn proofs_are_not_vacuous() {
    let folder = Folder::new("vacuous_not");
    for text in [
        "int main(void) { int x = 1; if (x == 3) reach_error(); return 0; }",
        "int main(void) { int x = 1; if (x > 5) { if (x == 7) reach_error(); } return 0; }",
        "int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x < 3); if (x == 3) reach_error(); return 0; }",
        "void f(int x) { if (x) return; exit(1); } int main(void) { f(1); if (__VERIFIER_nondet_int() > 2147483647) reach_error(); return 0; }",
        "int main(void) { for (int i = 0; i < 3; i++) if (i == 3) reach_error(); return 0; }",
    ] {
        let (line, json) = vacuity(&folder, text, &[]);
        assert!(line.is_empty() && json.is_null(), "{text}: {line}");
    }
}

#[test]
fn names_that_do_not_exist() {
    let folder = Folder::new("vacuous_names");
    folder.write("a.c", "int main(void) { int x = 1; if (x == 3) { ERROR: return 1; } return 0; }");
    folder.run(&["check", "--property", "label:ERROR", "a.c"]).expect(0);
    folder
        .run(&["check", "--property", "label:ERORR", "a.c"])
        .expect(1)
        .says("no label `ERORR`; did you mean `ERROR`?");
    folder.run(&["check", "--property", "label:quite_different", "a.c"]).expect(1).says("no label `quite_different`");
    folder.run(&["check", "--property", "unreachcall", "a.c"]).expect(1).says("did you mean `unreach-call`?");
    folder.run(&["cfa", "--function", "mian", "a.c"]).expect(1).says("did you mean `main`?");
}

#[test]
fn what_is_known_without_a_verdict() {
    let folder = Folder::new("vacuous_known");
    // x is even at any time, which is no matter of so many iterations.
    folder.write(
        "endless.c",
        "void reach_error(void); unsigned __VERIFIER_nondet_uint(void);
        int main(void) { unsigned x = 0; while (1) { x = 3 * x + 2 * __VERIFIER_nondet_uint(); if (x == 7) reach_error(); } }",
    );
    let args = [
        "check",
        "--property",
        "unreach-call",
        "--analysis",
        "bmc",
        "--timeout",
        "3s",
        "--json",
        "out.json",
        "endless.c",
    ];
    let outcome = folder.run(&args).expect(5);
    let line = outcome.stdout.lines().find_map(|line| line.strip_prefix("known: no violation within "));
    let bound = line.and_then(|line| line.split(' ').next()?.parse::<u64>().ok());
    let document = std::fs::read_to_string(folder.path("out.json")).expect("a document");
    let document: Value = serde_json::from_str(&document).expect("it is JSON");
    assert!(bound.is_some_and(|bound| bound > 0), "{}", outcome.stdout);
    assert_eq!(document["known"]["iterations"].as_u64(), bound);
}

#[test]
fn each_of_several_properties_says_so() {
    let folder = Folder::new("vacuous_several");
    folder.write(
        "a.c",
        "int f(int x) { int a[3] = {0}; a[x & 1] = x; return a[0] + 2; } int main(void) { return f(2); }",
    );
    let vacuous = |options: &[&str], code| {
        let outcome = folder.run(&[&["check", "a.c"], options].concat()).expect(code);
        outcome.stdout.lines().find_map(|line| line.strip_prefix("vacuous: nothing ")).map(str::to_owned)
    };
    let missing = "could violate unreach-call;";
    let both = ["--property", "unreach-call", "--property", "no-overflow"];
    assert!(vacuous(&both, 0).is_some_and(|line| line.contains(missing)));
    let of_function = [&both[..], &["--function", "f"]].concat();
    assert!(vacuous(&of_function, 10).is_some_and(|line| line.contains(missing)));
    // Valid accesses say nothing of what is freed.
    assert!(vacuous(&["--property", "valid-free"], 0).is_some());
    assert_eq!(vacuous(&["--property", "valid-deref", "--property", "no-overflow"], 0), None);
}
