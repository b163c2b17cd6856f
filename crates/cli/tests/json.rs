//! `--json`: a document on every outcome.

mod support;

use serde_json::Value;
use support::{ENDLESS, Folder, finish};

fn document(folder: &Folder) -> Value {
    let text = std::fs::read_to_string(folder.path("out.json")).expect("a document");
    serde_json::from_str(&text).expect("it is JSON")
}

fn check(folder: &Folder, args: &[&str], code: i32) -> Value {
    let _ = std::fs::remove_file(folder.path("out.json"));
    folder.run(&[&["check", "--property", "unreach-call", "--json", "out.json"], args].concat()).expect(code);
    let document = document(folder);
    assert_eq!(document["schema"], "robusto-check/1");
    assert_eq!(document["exit_code"], code);
    document
}

#[test]
fn every_outcome() {
    let folder = Folder::new("json");
    folder.write("true.c", "int main() { return 0; }");
    folder.write(
        "false.c",
        "void reach_error(void); int nondet(void);\nint main() { if (nondet() == 7) reach_error(); }",
    );
    folder.write("bad.c", "int main( {");
    folder.write("endless.c", ENDLESS);
    let yes = check(&folder, &["true.c"], 0);
    assert_eq!((&yes["result"]["verdict"], &yes["data_model"]), (&"true".into(), &"LP64".into()));
    let no = check(&folder, &["false.c"], 10);
    assert_eq!((&no["result"]["verdict"], &no["result"]["property"]), (&"false".into(), &"unreach-call".into()));
    let cex = &no["findings"][0]["counterexample"];
    assert_eq!(cex["inputs"][0]["value"], "7");
    assert_eq!(cex["inputs"][0]["location"]["line"], 2);
    assert!(cex["trace"].as_array().is_some_and(|steps| steps.iter().any(|s| s["kind"] == "branch-true")));
    let timeout = check(&folder, &["--timeout", "300ms", "endless.c"], 5);
    assert_eq!(timeout["result"]["reason"], "timeout");
    let memory = check(&folder, &["--memory", "5MB", "--timeout", "50s", "endless.c"], 5);
    assert_eq!(memory["result"]["reason"], "out of memory");
    let bad = check(&folder, &["bad.c"], 2);
    assert_eq!((&bad["result"]["verdict"], &bad["property"]), (&"error".into(), &"unreach-call".into()));
    check(&folder, &["missing.c"], 2);
    check(&folder, &["--property", "nothing", "true.c"], 1);
}

/// What a trace writes to memory is in the document, and what C leaves undefined on the way is named everywhere.
#[test]
fn traces_have_memory_and_undefined_steps() {
    let folder = Folder::new("json-memory");
    folder.write(
        "a.c",
        "void reach_error(void); int __VERIFIER_nondet_int(void);
int main() {
  int a = __VERIFIER_nondet_int(), buf[4] = {0}, *p = buf;
  int q = 10 / a;
  p[2] = q + 1;
  if (buf[2] == 77) reach_error();
}
",
    );
    let no = check(&folder, &["--harness", "h.c", "a.c"], 10);
    let trace = no["findings"][0]["counterexample"]["trace"].as_array().expect("a trace").clone();
    let stored = trace.iter().find(|step| step["memory"]["place"] == "buf[2]").expect("the store");
    assert_eq!(stored["memory"]["value"], "77");
    assert!(trace.iter().any(|step| step["kind"] == "undefined"), "{trace:?}");
    let harness = std::fs::read_to_string(folder.path("h.c")).expect("a harness");
    assert!(harness.contains("(division by zero, line 4)"), "{harness}");
    folder
        .run(&["check", "--property", "unreach-call", "a.c"])
        .expect(10)
        .prints("undefined: division by zero at a.c:4");
}

#[test]
fn standard_output_has_nothing_else() {
    let folder = Folder::new("json-stdout");
    folder.write("false.c", "void reach_error(void); int main() { reach_error(); }");
    let outcome = folder
        .run(&["check", "--property", "unreach-call", "--json", "-", "false.c"])
        .expect(10)
        .says("RESULT: false(unreach-call)");
    let document: Value = serde_json::from_str(&outcome.stdout).expect("only JSON");
    assert_eq!(document["result"]["verdict"], "false");
}

#[cfg(unix)]
#[test]
fn an_interrupt() {
    let folder = Folder::new("json-interrupt");
    folder.write("endless.c", ENDLESS);
    let mut child = folder
        .command(&["check", "-v", "--property", "unreach-call", "--json", "out.json", "endless.c"])
        .spawn()
        .expect("robusto starts");
    support::interrupt(&mut child, |line| line.contains("predicate"));
    finish(child).expect(5).prints("RESULT: unknown(interrupted)");
    assert_eq!(document(&folder)["result"]["reason"], "interrupted");
}
