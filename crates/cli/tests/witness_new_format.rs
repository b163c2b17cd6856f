//! Version 2.1 of the format: contracts of functions and ghost variables.

mod support;

use support::Folder;

const PROGRAM: &str = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int seen;
int count(int n) {
    if (n <= 0)
        return 0;
    seen = 1;
    n = n - 1;
    return count(n) + 1;
}
void note(int k) {
    if (k < 0)
        return;
    seen = k;
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 5)
        return 0;
    note(n);
    if (count(n) != n)
        reach_error();
    return 0;
}
";

const VALIDATE: [&str; 4] = ["witness", "check", "p.c", "w.yml"];

/// A witness without claims.
fn empty(folder: &Folder) -> String {
    folder.write("p.c", PROGRAM);
    folder.run(&[
        "check",
        "--property",
        "unreach-call",
        "--analysis",
        "bmc",
        "--witness",
        "w.yml",
        "--witness-format",
        "2.1",
        "p.c",
    ]);
    let yaml = std::fs::read_to_string(folder.path("w.yml")).expect("there is a witness");
    assert!(yaml.contains("format_version: \"2.1\""), "{yaml}");
    let start = yaml.find("  content:").expect("a content");
    yaml[..start].to_owned()
}

fn contract(line: u32, parts: &[(&str, &str)]) -> String {
    let parts: String = parts.iter().map(|(name, value)| format!("        {name}: \"{value}\"\n")).collect();
    format!(
        "  content:\n    - contract:\n        type: function_contract\n        location: {{file_name: p.c, line: {line}}}\n{parts}        \
         format: ext_c_expression\n"
    )
}

#[test]
fn contracts_are_proved() {
    let folder = Folder::new("witness-contracts");
    let head = empty(&folder);
    for (line, requires, ensures, code) in [
        (4, "n <= 5", "1", 0),
        (4, "n <= 4", "1", 10),
        (4, "n >= 0", "\\\\result >= 0", 0),
        (4, "n >= 1", "1", 10),
        (4, "1", "\\\\result == \\\\at(n, Old)", 0),
        (4, "1", "\\\\result == \\\\old(n)", 0),
        (4, "1", "\\\\result == n", 10),
        (4, "1", "\\\\result != 3", 10),
        (4, "1", "seen >= \\\\at(seen, Pre)", 10),
        (11, "k >= 0", "seen == k", 0),
        (11, "k >= 0", "seen == k + 1", 10),
        (11, "k > 0", "1", 10),
        (11, "1", "\\\\result == 0", 10),
        (16, "1", "\\\\result == 0", 0),
        (16, "1", "\\\\result == 1", 10),
        (17, "1", "1", 10),
        (4, "seen++", "1", 10),
        (4, "1", "reach_error(), 1", 10),
        (4, "1", "\\\\valid(n)", 5),
        (4, "1", "\\\\result == \\\\at(n + 1, Old)", 5),
    ] {
        let yaml = head.clone() + &contract(line, &[("requires", requires), ("ensures", ensures)]);
        folder.write("w.yml", &yaml);
        let outcome = folder.run(&VALIDATE);
        assert_eq!(outcome.code, Some(code), "{requires} {ensures}: {outcome:?}");
    }
    // A contract of the other version, and one that says nothing.
    folder.write("w.yml", head.replace("\"2.1\"", "\"2.0\"") + &contract(4, &[("requires", "1")]));
    folder.run(&VALIDATE).expect(10);
    folder.write("w.yml", head + &contract(4, &[]));
    folder.run(&VALIDATE).expect(10);
}

/// A summary of a recursive function becomes a contract, which only the new version has.
#[test]
fn summaries_are_written_as_contracts() {
    let folder = Folder::new("witness-summaries");
    let text = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int same(int n) {
    if (n == 0)
        return 0;
    return same(n - 1) + 1;
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (same(n) != n)
        reach_error();
    return 0;
}
";
    folder.write("p.c", text);
    let check = ["check", "--property", "unreach-call", "--witness", "w.yml", "p.c"];
    folder.run(&check).expect(0);
    let yaml = std::fs::read_to_string(folder.path("w.yml")).expect("there is a witness");
    assert!(yaml.contains("\"2.0\"") && !yaml.contains("contract"), "{yaml}");
    folder.run(&[&check[..], &["--witness-format", "2.1"]].concat()).expect(0);
    let yaml = std::fs::read_to_string(folder.path("w.yml")).expect("there is a witness");
    assert!(yaml.contains("function: same\n        ensures: "), "{yaml}");
    folder.run(&[&VALIDATE[..], &["--strict"]].concat()).expect(0);
    folder.write("w.yml", yaml.replace("(unsigned int)\\\\result)", "(unsigned int)\\\\result + 1U)"));
    folder.run(&VALIDATE).expect(10);
    folder.run(&["check", "--witness", "w.yml", "--witness-format", "3.0", "p.c"]).expect(1).says("2.0 and 2.1");
}

/// What a witness says without its ghost variables is looked at; what it says of them is not understood.
#[test]
fn ghosts_are_ignored() {
    let folder = Folder::new("witness-ghosts");
    let head = empty(&folder);
    let metadata = &head[head.find("  metadata:").expect("metadata")..];
    let ghosts = format!(
        "- entry_type: ghost_instrumentation\n{metadata}  content:\n    ghost_variables:\n      - name: locked\n        type: int\n        \
         scope: global\n        initial: {{value: \"0\", format: c_expression}}\n    ghost_updates:\n      - location: {{file_name: \
         p.c, line: 20}}\n        updates:\n          - {{variable: locked, value: \"1\", format: c_expression}}\n"
    );
    let invariant = |value: &str| {
        format!(
            "  content:\n    - invariant:\n        type: location_invariant\n        location: {{file_name: p.c, line: 21}}\n        \
             value: \"{value}\"\n        format: ext_c_expression\n        labels: [inductive]\n"
        )
    };
    for (value, code) in [("n >= 0", 0), ("n > 0", 10), ("locked == 1", 5), ("locked == 1 || n >= 0", 5)] {
        folder.write("w.yml", format!("{head}{}{ghosts}", invariant(value)));
        folder.run(&VALIDATE).expect(code).says("ghost variables are ignored: locked");
    }
    // They are a part of the new version, beside a claim.
    folder.write("w.yml", format!("{head}{}{ghosts}", invariant("n >= 0")).replace("\"2.1\"", "\"2.0\""));
    folder.run(&VALIDATE).expect(10);
    folder.write("w.yml", &ghosts);
    folder.run(&VALIDATE).expect(10);
    let transition = invariant("n >= 0").replace("location_invariant", "location_transition_invariant");
    folder.write("w.yml", head + &transition);
    folder.run(&VALIDATE).expect(5);
}

/// A function is entered behind its arguments, in which there are other calls.
#[test]
fn entered_functions_are_waypoints() {
    let folder = Folder::new("witness-enters");
    let text = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int inc(int x) { return x + 1; }
int add(int a, char b) { return inc(a) + b; }
void check(int v, int w) {
    if (v == 20 && w == 7)
        reach_error();
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n > 10)
        check(add(inc(n), __VERIFIER_nondet_int() & 3), __VERIFIER_nondet_int());
    return 0;
}
";
    folder.write("p.c", text);
    let check = ["check", "--property", "unreach-call", "--witness", "w.yml", "--witness-format", "2.1", "p.c"];
    folder.run(&check).expect(10);
    let yaml = std::fs::read_to_string(folder.path("w.yml")).expect("there is a witness");
    assert_eq!(yaml.matches("type: function_enter").count(), 4, "{yaml}");
    folder.run(&[&VALIDATE[..], &["--strict"]].concat()).expect(0);
    for (from, to) in [
        ("line: 4\n              column: 38", "line: 12\n              column: 24"),
        ("line: 4\n", "line: 3\n"),
        ("\\\\result == 7", "\\\\result == 8"),
        ("action: follow", "action: avoid"),
    ] {
        let mutant = yaml.replacen(from, to, 1);
        assert_ne!(mutant, yaml, "{from}: {yaml}");
        folder.write("w.yml", mutant);
        folder.run(&VALIDATE).expect(10);
    }
}
