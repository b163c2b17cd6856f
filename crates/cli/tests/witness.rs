//! `robusto check --witness` and `robusto witness check` as a user meets them.

mod support;

use support::{ENDLESS, Folder};

const COUNTER: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) {
    unsigned x = 0, y = 0;
    while (1) {
        if (x != y) reach_error();
        if (__VERIFIER_nondet_int()) { x++; y++; }
    }
}
";

const VALIDATE: [&str; 6] = ["witness", "check", "--timeout", "60s", "p.c", "w.yml"];

#[test]
fn own_witnesses_are_accepted() {
    let folder = Folder::new("own_witnesses");
    let write = ["check", "--property", "unreach-call", "--timeout", "60s", "--witness", "w.yml", "p.c"];
    folder.write("p.c", COUNTER).run(&write).expect(0);
    let written = std::fs::read_to_string(folder.path("w.yml")).expect("there is a witness");
    assert!(written.contains("type: loop_invariant"), "{written}");
    assert_eq!(folder.run(&VALIDATE).expect(0).stdout, "WITNESS: accepted\n");
    folder.write("p.c", COUNTER.replace("y++", "y += 2")).run(&write).expect(10);
    assert_eq!(folder.run(&VALIDATE).expect(0).stdout, "WITNESS: accepted\n");
}

/// What the induction over a witness cannot show is left to the engines; what is wrong is not accepted.
#[test]
fn invariants_are_candidates() {
    let folder = Folder::new("candidates");
    folder
        .write("p.c", COUNTER)
        .run(&["check", "--property", "unreach-call", "--timeout", "60s", "--witness", "w.yml", "p.c"])
        .expect(0);
    let written = std::fs::read_to_string(folder.path("w.yml")).expect("there is a witness");
    let start = written.find("value: \"").expect("an invariant") + "value: \"".len();
    let end = start + written[start..].find('"').expect("its end");
    for (value, code) in [("x == y", 0), ("x <= y", 0), ("1", 0), ("x < 1000000000", 10), ("x != 3", 10)] {
        folder.write("w.yml", format!("{}{value}{}", &written[..start], &written[end..]));
        let outcome = folder.run(&["witness", "check", "--timeout", "10s", "p.c", "w.yml"]);
        assert!(outcome.code == Some(code) || (code == 10 && outcome.code == Some(5)), "{value}: {outcome:?}");
    }
}

#[test]
fn the_time_limit_holds() {
    let folder = Folder::new("witness_limit");
    folder.write("p.c", format!("#ifdef HARD\n{ENDLESS}\n#else\nint main() {{ return 0; }}\n#endif\n"));
    folder.run(&["check", "--property", "unreach-call", "--witness", "w.yml", "p.c"]).expect(0);
    // It would take hours: that it ends shows that the limit holds.
    let outcome = folder.run(&["witness", "check", "--timeout", "1s", "-D", "HARD", "p.c", "w.yml"]);
    assert_eq!(outcome.expect(5).stdout, "WITNESS: unknown(timeout)\n");
}

/// What other tools leave out or write in their own way is a warning, unless `--strict` refuses it.
#[test]
fn metadata_of_other_tools() {
    let folder = Folder::new("witness_metadata");
    folder.write("p.c", COUNTER.replace("y++", "y += 2"));
    folder.run(&["check", "--property", "unreach-call", "--timeout", "60s", "--witness", "w.yml", "p.c"]).expect(10);
    let written = std::fs::read_to_string(folder.path("w.yml")).expect("there is a witness");
    let line = |key: &str| {
        let found = written.lines().find(|line| line.trim_start().starts_with(key));
        found.unwrap_or_else(|| panic!("no {key} in {written}")).to_owned()
    };
    let version = written.lines().find(|l| l.trim_start().starts_with("version:")).expect("a version").to_owned();
    let hash = written.split(|c: char| !c.is_ascii_hexdigit()).find(|word| word.len() == 64).expect("a hash");
    let renamed = |key: &str, value: &str| {
        let old = line(key);
        let indent = &old[..old.len() - old.trim_start().len()];
        written.replace(&old, &format!("{indent}{key} {value}"))
    };
    for (what, text) in [
        ("lacks 'version'", written.replace(&format!("{version}\n"), "")),
        ("file has changed", written.replace(hash, &"0".repeat(64))),
        ("no text of a property file", renamed("specification:", "G ! call(reach_error())")),
        ("read as LP64", renamed("data_model:", "64bit")),
        ("no UUID", renamed("uuid:", "1")),
        ("unknown field 'x'", written.replace(&line("uuid:"), &format!("{}\n    x: 1", line("uuid:")))),
    ] {
        assert_ne!(text, written, "{what}");
        folder.write("w.yml", &text);
        folder.run(&VALIDATE).expect(0).says("warning").says(what);
        let strict = [&VALIDATE[..], &["--strict"]].concat();
        let outcome = folder.run(&strict).expect(10);
        assert!(outcome.stdout.starts_with("WITNESS: rejected(") && outcome.stderr.is_empty(), "{outcome:?}");
    }
    folder.write("w.yml", renamed("data_model:", "32bit"));
    folder.run(&VALIDATE).expect(0).says("read as ILP32");
    folder.write("w.yml", written.replace("target", "tarjet"));
    folder.run(&VALIDATE).expect(10);
}

/// Places behind macros are those of the file, so that the witness of a violation inside of one is found again.
#[test]
fn violations_in_macros_are_accepted() {
    if !support::has_compiler() {
        return;
    }
    let folder = Folder::new("witness-macros");
    let text = "#include <assert.h>
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x > 5) {
        assert(x < 100);
        CHECK(x != 50);
    }
    return 0;
}
";
    folder.write("macro.c", text);
    for (property, place) in [("assert", "macro.c:8:9"), ("unreach-call", "macro.c:9:9")] {
        folder.run(&["check", "--property", property, "--witness", "w.yml", "macro.c"]).expect(10).prints(place);
        folder.run(&["witness", "check", "macro.c", "w.yml"]).expect(0).prints("WITNESS: accepted");
    }
}

/// What is not allowed in a condition keeps it from having a value: no branch is taken there.
#[test]
fn violations_in_conditions_are_accepted() {
    let folder = Folder::new("witness-conditions");
    for (property, condition) in [
        ("valid-deref", "*p == 3"),
        ("valid-deref", "n >= 0 && n <= 4 && \"abc\"[n] == 'd'"),
        ("uninit", "x > 3"),
        ("no-overflow", "n + 1 > 0"),
        ("default", "*p"),
    ] {
        let text = format!(
            "extern int __VERIFIER_nondet_int(void);
int main(void) {{
    int x, y = 2, n = __VERIFIER_nondet_int();
    int *p = n > 10 ? 0 : &y;
    if ({condition})
        return 1;
    return 0;
}}
"
        );
        folder.write("p.c", text);
        folder.run(&["check", "--property", property, "--witness", "w.yml", "p.c"]).expect(10).prints("p.c:5:");
        let written = std::fs::read_to_string(folder.path("w.yml")).expect("there is a witness");
        assert!(!written.contains("type: branching"), "{written}");
        folder.run(&["witness", "check", "--property", property, "p.c", "w.yml"]).expect(0);
    }
}

/// Where leaks are asked about, an invalid access just ends the program: its check is no branch of the condition that it is in.
#[test]
fn checks_that_are_not_asked_for_are_no_branches() {
    let folder = Folder::new("witness-passed-checks");
    let text = "extern void *malloc(unsigned long);
struct node { int data; struct node *next; };
int main(void) {
    struct node *x = malloc(sizeof *x);
    x->next = malloc(sizeof *x);
    x->next->data = 2;
    x = x->next;
    if (!(2 != x->data))
        __builtin_abort();
    return 0;
}
";
    folder.write("p.c", text);
    folder.run(&["check", "--property", "memcleanup", "--witness", "w.yml", "p.c"]).expect(10);
    folder.run(&["witness", "check", "--property", "memcleanup", "p.c", "w.yml"]).expect(0);
}
