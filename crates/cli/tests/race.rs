//! `robusto check --configurations`: the first sure answer wins, and a table says what each configuration did.
#![cfg(target_os = "linux")]

mod support;

use support::{ENDLESS, Folder};

const SAFE: &str = "void reach_error(void);
int main(void) { unsigned x = 0; while (1) { if (x & 1) { reach_error(); } x += 2; } }";

const UNSAFE: &str = "void reach_error(void); int __VERIFIER_nondet_int(void);
int main(void) { if (__VERIFIER_nondet_int() == 77) { reach_error(); } }";

fn folder(name: &str, configurations: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("safe.c", SAFE).write("unsafe.c", UNSAFE).write("endless.c", ENDLESS);
    folder.write("list.txt", configurations);
    folder
}

fn race(folder: &Folder, args: &[&str]) -> support::Outcome {
    let usual = ["check", "--configurations", "list.txt", "--property", "unreach-call"];
    folder.run(&[&usual[..], args].concat())
}

/// The rows of the table, by configuration.
fn row<'t>(text: &'t str, name: &str) -> &'t str {
    let table = text.split("\n\n").next().unwrap();
    table.lines().find(|line| line.split(' ').next() == Some(name)).unwrap_or_else(|| panic!("no {name} in {text}"))
}

/// A bounded check goes on for ever on this program; induction answers at once.
#[test]
fn the_first_certified_true_wins() {
    let folder = folder("race_true", "# comment\n\nforever=--analysis bmc   # never\nkind\n");
    let outcome = race(&folder, &["--jobs", "2", "--json", "out.json", "safe.c"]).expect(0);
    assert!(outcome.stdout.ends_with("RESULT: true\n"), "{}", outcome.stdout);
    assert!(row(&outcome.stdout, "kind").ends_with("certified, the answer"), "{}", outcome.stdout);
    assert!(row(&outcome.stdout, "forever").ends_with("cancelled"), "{}", outcome.stdout);
    // The report of the winner, and its files.
    assert!(outcome.stdout.contains("certified: yes"), "{}", outcome.stdout);
    let json = std::fs::read_to_string(folder.path("out.json")).unwrap();
    assert!(json.contains("\"verdict\": \"true\"") && json.contains("\"analysis\": \"kind\""), "{json}");
}

/// What is not certified waits for something better, and is the answer if there is nothing.
#[test]
fn a_true_without_certificate_waits() {
    let folder = folder("race_waits", "quick=--analysis kind --certify never\nsure=--analysis kind\n");
    let outcome = race(&folder, &["--jobs", "1", "safe.c"]).expect(0);
    assert!(row(&outcome.stdout, "quick").ends_with("not certified"), "{}", outcome.stdout);
    assert!(row(&outcome.stdout, "sure").ends_with("certified, the answer"), "{}", outcome.stdout);
    folder.write("list.txt", "quick=--analysis kind --certify never\nbounded=--analysis bmc --timeout 1s\n");
    let outcome = race(&folder, &["safe.c"]).expect(0);
    assert!(row(&outcome.stdout, "quick").ends_with("not certified, the answer"), "{}", outcome.stdout);
    assert!(row(&outcome.stdout, "bounded").contains("unknown(timeout)"), "{}", outcome.stdout);
}

#[test]
fn a_false_is_replayed_and_wins() {
    let folder = folder("race_false", "bmc\nbdd\n");
    let outcome = race(&folder, &["--jobs", "1", "--harness", "harness.c", "unsafe.c"]).expect(10);
    assert!(outcome.stdout.ends_with("RESULT: false(unreach-call)\n"), "{}", outcome.stdout);
    assert!(row(&outcome.stdout, "bmc").ends_with("replayed, the answer"), "{}", outcome.stdout);
    assert!(row(&outcome.stdout, "bdd").ends_with("cancelled"), "{}", outcome.stdout);
    assert!(std::fs::read_to_string(folder.path("harness.c")).unwrap().contains("77"));
}

#[test]
fn no_answer() {
    let folder = folder("race_none", "bmc\nkind\n");
    let outcome = race(&folder, &["--timeout", "1s", "endless.c"]).expect(5);
    assert!(outcome.stdout.ends_with("RESULT: unknown(timeout)\n"), "{}", outcome.stdout);
    folder.write("list.txt", "bmc\nodd=--no-such-option\n");
    let outcome = race(&folder, &["--timeout", "1s", "endless.c"]).expect(5);
    assert!(row(&outcome.stdout, "odd").contains("error(unavailable)"), "{}", outcome.stdout);
    assert!(outcome.stdout.ends_with("RESULT: unknown(no configuration has an answer)\n"), "{}", outcome.stdout);
    folder.write("bad.c", "int main( {");
    race(&folder, &["bad.c"]).expect(2).says("bad.c:1");
}

#[test]
fn wrong_use() {
    let folder = folder("race_wrong", "# nothing\n");
    race(&folder, &["safe.c"]).expect(1).says("names no configuration");
    folder.write("list.txt", "no-such-engine\n");
    race(&folder, &["safe.c"]).expect(1).says("no-such-engine");
    folder.write("list.txt", "bmc\n");
    race(&folder, &["-"]).expect(1).says("standard input");
    race(&folder, &["--function", "all", "safe.c"]).expect(1).says("--function all");
    folder.run(&["check", "--jobs", "2", "safe.c"]).expect(1).says("--configurations");
    folder.run(&["check", "--configurations", "absent.txt", "safe.c"]).expect(1).says("absent.txt");
}
