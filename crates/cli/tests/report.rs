//! `--report`: one page that needs nothing but itself, whatever the program says. What a browser makes of it is tested by
//! `scripts/report-browser`.

mod support;

use serde_json::Value;
use support::{ENDLESS, Folder};

const LOCK: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
    int held = 0;
    while (__VERIFIER_nondet_int()) {
        held = 1;
        if (held != 1)
            reach_error();
        held = 0;
    }
    return 0;
}
";

fn page(folder: &Folder, args: &[&str], code: i32) -> (String, Value) {
    let _ = std::fs::remove_file(folder.path("report.html"));
    let asked: &[&str] = if args.contains(&"--property") { &[] } else { &["--property", "unreach-call"] };
    folder.run(&[&["check", "--report", "report.html"], asked, args].concat()).expect(code);
    let page = std::fs::read_to_string(folder.path("report.html")).expect("a page");
    let start = page.find("type=\"application/json\">").expect("data") + 24;
    let end = start + page[start..].find("</script>").expect("the end of the data");
    let data = serde_json::from_str(&page[start..end]).expect("the data is JSON");
    (page, data)
}

#[test]
fn every_verdict() {
    let folder = Folder::new("report");
    folder.write("true.c", LOCK);
    folder.write("false.c", LOCK.replace("held != 1", "held == 1"));
    folder.write("endless.c", ENDLESS);
    let (page_true, data) = page(&folder, &["--analysis", "predicate", "true.c"], 0);
    assert_eq!((&data["verdict"], &data["certification"]["yes"]), (&"true".into(), &true.into()));
    assert!(page_true.len() < 200_000, "{} bytes", page_true.len());
    let (_, data) = page(&folder, &["--analysis", "predicate", "false.c"], 10);
    let execution = &data["findings"][0]["execution"];
    assert_eq!(data["findings"][0]["at"][1], 7);
    let steps = execution["steps"].as_array().expect("steps");
    assert_eq!(execution["way"].as_array().map(Vec::len), Some(steps.len()), "each step has its states");
    let last = steps.last().expect("the violation")[0].as_u64().expect("an operation") as usize;
    assert_eq!(execution["ops"][last]["kind"], "error");
    assert!(data["graph"]["nodes"].as_array().is_some_and(|nodes| nodes.len() > 2));
    assert!(data["automata"].as_array().is_some_and(|drawings| !drawings.is_empty()));
    let (_, data) = page(&folder, &["--timeout", "300ms", "endless.c"], 5);
    assert_eq!((&data["verdict"], &data["reason"]), (&"unknown".into(), &"timeout".into()));
}

#[test]
fn engines_side_by_side() {
    let folder = Folder::new("report-auto");
    folder.write("true.c", LOCK);
    let (_, data) = page(&folder, &["--property", "unreach-call", "true.c"], 0);
    let turns = data["turns"].as_array().expect("turns");
    assert_eq!(turns.iter().filter(|turn| turn["decided"] == true).count(), 1, "{turns:?}");
    assert!(turns.iter().all(|turn| turn["end"].as_f64() >= turn["start"].as_f64()), "{turns:?}");
}

#[test]
fn several_properties() {
    let folder = Folder::new("report-all");
    folder.write("a.c", LOCK.replace("held = 1;", "held = 1 / __VERIFIER_nondet_int();"));
    let (_, data) = page(&folder, &["--property", "all", "a.c"], 10);
    let findings = data["findings"].as_array().expect("findings");
    assert!(findings.len() >= 2, "{findings:?}");
    for finding in findings {
        assert_eq!(finding["execution"].is_null(), finding["verdict"] != "false", "{finding}");
    }
}

/// The program's text is nowhere but in the data, and cannot end that.
#[test]
fn hostile_text() {
    let folder = Folder::new("report-hostile");
    let text =
        LOCK.replace("held != 1", "held == 1 /* </script><script>alert(1)</script><img src=x onerror=alert(2)> */");
    folder.write("x<script>.c", &text);
    let (page, data) = page(&folder, &["x<script>.c"], 10);
    assert!(data["files"].to_string().contains("</script><script>alert(1)"), "the text is shown");
    assert_eq!((page.matches("<script").count(), page.matches("</script>").count()), (2, 2));
    assert!(!page.contains("<img"));
    let policy = page.split("Content-Security-Policy\" content=\"").nth(1).and_then(|rest| rest.split('"').next());
    let policy = policy.expect("a policy");
    assert!(policy.starts_with("default-src 'none'; script-src 'sha256-") && !policy.contains("unsafe"), "{policy}");
}

/// The invariants are those of witnesses, without the casts that nobody reads.
#[test]
fn readable_invariants() {
    let folder = Folder::new("report-invariants");
    folder.write(
        "count.c",
        "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
        int main(void) { int n = 0; while (__VERIFIER_nondet_int()) { if (n < 10) n++; if (n > 10) reach_error(); } return 0; }",
    );
    let (_, data) = page(&folder, &["--analysis", "kind", "count.c"], 0);
    let invariants = data["invariants"].as_array().expect("invariants");
    assert!(!invariants.is_empty(), "{data}");
    for invariant in invariants {
        let text = invariant["text"].as_str().expect("a text");
        assert!(text.contains('n') && !text.contains("unsigned"), "{text}");
    }
}
