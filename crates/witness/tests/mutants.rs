//! Witnesses that we write are accepted; what somebody changed is rejected.

use robusto_cfa::ir::{DataModel, Program};
use robusto_cfa::{Checks, Options, compile};
use robusto_engine::certify::{Conditions, Policy};
use robusto_engine::registry::{Job, Outputs, Values, run};
use robusto_engine::{Problem, bdd, property};
use robusto_limits::{Limits, Progress};
use robusto_syntax::SourceMap;
use robusto_verdict::{Property, Report};
use robusto_witness::{
    Claims, Content, Engine, Index, Invariant, Location, Metadata, Question, Task, Validation, Version, WaypointKind,
    Witness, hash, read, render, uuid, validate, witness,
};
use std::fmt::Write as _;
use std::sync::Arc;

const FILE: &str = "program.c";

fn program(text: &str, property: &Property) -> Program {
    let mut sources = SourceMap::new();
    let file = sources.add(FILE, text.to_owned()).expect("small");
    let options = Options { checks: property::checks(property), ..Options::new(DataModel::Lp64) };
    match compile(&mut sources, &[file], options) {
        Ok((program, _)) => program,
        Err(errors) => panic!("{}\n{text}", errors[0].render(&sources)),
    }
}

fn check(program: Program, property: &Property) -> Report {
    decide(&Problem::new(program, property))
}

fn decide(problem: &Problem) -> Report {
    let limits = Limits::new(None, None, Arc::default());
    let progress = &Progress::default();
    let (values, outputs) = (&Values::default(), &Outputs::default());
    let certify = Conditions::new(Policy::Always, problem.each, &limits);
    run(&bdd::ENGINE, &Job { problem, values, traces: true, limits: &limits, progress, certify, outputs })
}

struct Bdd;

impl Engine for Bdd {
    fn checks(&self, property: &Property) -> Checks {
        property::checks(property)
    }

    fn check(&mut self, program: Program, question: Question<'_>) -> Option<Report> {
        let mut is_open = false;
        let problem = Problem::new(program, question.property).aimed(|program| is_open = (question.aim)(program));
        is_open.then(|| decide(&problem))
    }
}

fn metadata(text: &str, property: &Property) -> Metadata {
    Metadata {
        format: Version::V2_0,
        uuid: uuid(text),
        creation_time: "2026-01-01T00:00:00Z".to_owned(),
        producer: "Robusto".to_owned(),
        version: "1".to_owned(),
        command_line: None,
        input_files: vec![(FILE.to_owned(), hash(text.as_bytes()))],
        specification: property.to_prp(),
        data_model: "LP64".to_owned(),
    }
}

/// The witness that we write for a program.
fn written(text: &str, property: &Property) -> Witness {
    let report = check(program(text, property), property);
    let index = Index::new(FILE, text, true, property::checks(property)).expect("it parses");
    witness(&report, &index, FILE, metadata(text, property)).unwrap_or_else(|| panic!("{:?}\n{text}", report.verdict))
}

/// Validates the text of a witness as a user would.
fn judge(text: &str, yaml: &str) -> Validation {
    let witness = match read(yaml) {
        Ok(witness) => witness,
        Err(reason) => return Validation::Rejected(reason),
    };
    let task = Task {
        original: None,
        name: FILE.to_owned(),
        text: text.to_owned(),
        physical: true,
        hash: hash(text.as_bytes()),
        strict: true,
        options: Options::new(DataModel::Lp64),
        property: None,
    };
    validate(&task, &witness, &mut Bdd)
}

#[track_caller]
fn accepts(text: &str, witness: &Witness) {
    let yaml = render(witness);
    assert_eq!(read(&yaml).as_ref(), Ok(witness), "what is written can be read");
    assert_eq!(judge(text, &yaml), Validation::Accepted, "{text}\n{yaml}");
}

#[track_caller]
fn rejects(text: &str, yaml: &str, count: &mut usize) {
    let found = judge(text, yaml);
    assert!(matches!(found, Validation::Rejected(_)), "{found:?}\n{text}\n{yaml}");
    *count += 1;
}

/// Each input has a line and a branch of its own, and all must fit to reach the error.
fn straight_line(inputs: u64, seed: u64) -> String {
    let mut text =
        String::from("extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main() {\n");
    for i in 0..inputs {
        let value = (seed * 31 + i * 17) % 100;
        let _ = writeln!(text, "    int x{i} = __VERIFIER_nondet_int();");
        match (seed + i) % 3 {
            0 => {
                let _ = writeln!(text, "    if (x{i} != {value})\n        return {i};");
            }
            1 => {
                let _ = writeln!(text, "    if (!(x{i} == {value}) || x{i} == 1000) {{\n        return {i};\n    }}");
            }
            _ => {
                let _ = writeln!(text, "    while (x{i} < {value} || x{i} > {value})\n        return {i};");
            }
        }
    }
    text.push_str("    reach_error();\n    return 0;\n}\n");
    text
}

#[test]
fn violations() {
    let mut mutants = 0;
    for seed in 0..5 {
        let text = straight_line(3 + seed % 3, seed);
        let original = written(&text, &Property::UnreachCall);
        accepts(&text, &original);
        let Content::Violation(segments) = &original.content else { panic!("the program is wrong") };
        let with = |change: &dyn Fn(&mut Vec<robusto_witness::Segment>)| {
            let mut mutant = original.clone();
            if let Content::Violation(segments) = &mut mutant.content {
                change(segments);
            }
            render(&mutant)
        };
        for (i, segment) in segments.iter().enumerate() {
            match &segment.follow.kind {
                WaypointKind::Branching(value) => {
                    let other = if value == "true" { "false" } else { "true" };
                    let kind = WaypointKind::Branching(other.to_owned());
                    rejects(&text, &with(&|s| s[i].follow.kind = kind.clone()), &mut mutants);
                }
                WaypointKind::FunctionReturn(Some(value)) => {
                    let number: i64 = value.rsplit(' ').next().and_then(|n| n.parse().ok()).expect("a number");
                    for other in [number + 1, number - 1, -number - 1, 123_456] {
                        let kind = WaypointKind::FunctionReturn(Some(format!("\\result == {other}")));
                        rejects(&text, &with(&|s| s[i].follow.kind = kind.clone()), &mut mutants);
                    }
                    let kind = WaypointKind::FunctionReturn(Some(format!("\\result != {number}")));
                    rejects(&text, &with(&|s| s[i].follow.kind = kind.clone()), &mut mutants);
                    let kind = WaypointKind::FunctionReturn(Some("\\result == (x0 = 1)".to_owned()));
                    rejects(&text, &with(&|s| s[i].follow.kind = kind.clone()), &mut mutants);
                }
                _ => {}
            }
            for line in [-1i64, 1, 1000] {
                let shifted = (i64::from(segment.follow.location.line) + line) as u32;
                rejects(&text, &with(&|s| s[i].follow.location.line = shifted), &mut mutants);
            }
            let column = segment.follow.location.column.map(|c| c + 1);
            rejects(&text, &with(&|s| s[i].follow.location.column = column), &mut mutants);
            rejects(&text, &with(&|s| s[i].follow.location.file = "other.c".to_owned()), &mut mutants);
            rejects(&text, &with(&|s| s[i].follow.location.function = Some("f".to_owned())), &mut mutants);
            if i + 1 < segments.len() {
                rejects(&text, &with(&|s| s.swap(i, i + 1)), &mut mutants);
                rejects(&text, &with(&|s| s.insert(i, s[i].clone())), &mut mutants);
            }
        }
    }
    assert!(mutants >= 200, "{mutants} mutants");
}

/// A line that is taken away, or a word that is not the format's.
#[test]
fn malformed() {
    let text = straight_line(1, 0);
    let yaml = render(&written(&text, &Property::UnreachCall));
    let mut mutants = 0;
    let lines: Vec<&str> = yaml.lines().collect();
    for i in 0..lines.len() {
        // Columns and functions may be left out, and so may some more segments.
        if lines[i].contains("column:") || lines[i].contains("function:") || lines[i].contains("- segment:") {
            continue;
        }
        let mutant: Vec<&str> = lines.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, l)| *l).collect();
        rejects(&text, &mutant.join("\n"), &mut mutants);
    }
    for (from, to) in [
        ("violation_sequence", "violation"),
        ("\"2.0\"", "\"3.0\""),
        ("LP64", "ILP32"),
        ("LP64", "LP65"),
        ("language: C", "language: Rust"),
        ("type: target", "type: goal"),
        ("action: follow", "action: seek"),
        ("type: target", "type: function_enter"),
        ("acsl_expression", "c_expression"),
        ("uuid: \"", "uuid: \"x"),
        ("2026-01-01T", "yesterday "),
        ("line: ", "line: -"),
        ("line: ", "line: \"1\" # "),
        ("metadata:", "metadata:\n    extra: 1"),
        ("reach_error", "other"),
        ("G ! call(reach_error())", "G ! overflow"),
        ("\\\\result == ", "\\\\result == 1); reach_error(); (0, "),
    ] {
        let mutant = yaml.replacen(from, to, 1);
        assert_ne!(mutant, yaml, "{from} is in the witness");
        let found = judge(&text, &mutant);
        assert!(!matches!(found, Validation::Accepted), "{from} → {to}: {found:?}");
    }
    let hash = hash(text.as_bytes());
    rejects(&text, &yaml.replace(&hash, &hash.replace(['0', '1'], "2")), &mut mutants);
    rejects(&text, "", &mut mutants);
    rejects(&text, "[]", &mut mutants);
    rejects(&text, "- entry_type: [", &mut mutants);
}

const LOOP: &str = "extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main() {
    unsigned char x = 0, y = 0;
    while (x < 10) {
        x++;
        y++;
    }
    for (; ; y--) {
        if (y == 0)
            break;
    }
    if (x != 10 || y != 0)
        reach_error();
    return 0;
}
";

fn invariant(of_loop: bool, line: u32, column: Option<u32>, value: &str) -> Invariant {
    let location = Location { file: FILE.to_owned(), line, column, function: Some("main".to_owned()) };
    Invariant { of_loop, location, value: value.to_owned() }
}

#[test]
fn invariants() {
    let property = Property::UnreachCall;
    let mut original = written(LOOP, &property);
    accepts(LOOP, &original);
    let good = [
        invariant(true, 5, Some(5), "x <= 10 && x == y"),
        invariant(true, 9, None, "x == 10 && y <= 10"),
        invariant(false, 7, Some(9), "x == y + 1"),
        invariant(false, 11, Some(13), "y == 0"),
        invariant(false, 14, None, "0"),
        invariant(false, 13, Some(5), "x == 10"),
    ];
    original.content = Content::Correctness(good.to_vec().into());
    accepts(LOOP, &original);
    let mut mutants = 0;
    for bad in [
        invariant(true, 5, Some(5), "x <= 9"),
        invariant(true, 5, Some(5), "x != y"),
        invariant(true, 5, Some(5), "x < 10"),
        invariant(true, 9, None, "y > 0"),
        invariant(true, 6, None, "x <= 10"),
        invariant(true, 5, Some(6), "x <= 10"),
        invariant(false, 7, Some(9), "x == y"),
        invariant(false, 7, Some(8), "x == y + 1"),
        invariant(false, 8, None, "1"),
        invariant(false, 99, None, "1"),
        invariant(false, 11, Some(13), "y == 1"),
        invariant(false, 7, Some(9), "x = y"),
        invariant(false, 7, Some(9), "x++"),
        invariant(false, 7, Some(9), "reach_error()"),
        invariant(false, 7, Some(9), "z == 0"),
        invariant(false, 7, Some(9), "x == "),
        invariant(false, 7, Some(9), "1)) ; if ((1"),
        invariant(false, 7, Some(9), "1 // "),
    ] {
        let mut mutant = original.clone();
        let mut list = good.to_vec();
        list.push(bad);
        mutant.content = Content::Correctness(list.into());
        rejects(LOOP, &render(&mutant), &mut mutants);
    }
    // A correctness witness for a wrong program.
    let wrong = LOOP.replace("x != 10", "x == 10");
    let mut mutant = original.clone();
    mutant.metadata = metadata(&wrong, &property);
    mutant.content = Content::Correctness(Claims::default());
    rejects(&wrong, &render(&mutant), &mut mutants);
}

/// Invariants are written where the loop's keyword stands, or before the statement that a loop of jumps begins with.
#[test]
fn written_invariants() {
    let endless = ["while (1)", "for (;;)"];
    let bodies = [
        "{ if (x) reach_error(); }",
        "{ ; again: ; if (x) reach_error(); if (y) goto again; }",
        "{ int z; if (x) reach_error(); z = y; }",
        "{ half(x); if (x) reach_error(); }",
        "{ int z = x; if (z) reach_error(); }",
        "while (y) { if (x) reach_error(); }",
        "for (y = 1; y < 4; y++) { if (x) reach_error(); }",
        "{ int z; again: if (x) reach_error(); z = y; if (z) goto again; }",
    ];
    let whole = |code: &str| {
        format!(
            "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\
             int half(int n) {{ return n / 2; }}\n\
             int main() {{ int x = 0; int y = __VERIFIER_nondet_int();\n{code}\nreturn x + y; }}\n"
        )
    };
    for head in endless {
        for body in bodies {
            let text = whole(&format!("{head} {body}"));
            let found = written(&text, &Property::UnreachCall);
            accepts(&text, &found);
            let Content::Correctness(Claims { invariants: list, .. }) = found.content else { panic!("{text}") };
            let at_keyword = |i: &Invariant| i.of_loop && i.location.line == 5 && i.location.column == Some(1);
            let here = list.iter().find(|i| at_keyword(i)).unwrap_or_else(|| panic!("{list:?}\n{text}"));
            assert!(here.value.contains("(unsigned int)x == 0U"), "{list:?}\n{text}");
        }
    }
    for (code, column) in [
        ("again: if (x) reach_error(); y--; if (y) goto again;", 8),
        ("do { y--; if (x) reach_error(); } while (y);", 6),
    ] {
        let text = whole(code);
        let found = written(&text, &Property::UnreachCall);
        accepts(&text, &found);
        let Content::Correctness(Claims { invariants: list, .. }) = found.content else { panic!("{text}") };
        let [only] = &list[..] else { panic!("{list:?}\n{text}") };
        assert_eq!((only.of_loop, only.location.line, only.location.column), (false, 5, Some(column)), "{text}");
    }
}

/// A name in an invariant means the variable that the engine speaks of.
#[test]
fn shadowed_variables() {
    for local in ["static int x = 1;", "struct { int a; } x = { 1 };", "int x[2] = { 1, 1 };"] {
        let text = format!(
            "extern void reach_error(void); extern int __VERIFIER_nondet_int(void); int x; int f() {{ return x; }}
             int main() {{ {local} while (__VERIFIER_nondet_int()) {{ if (f()) reach_error(); }} return 0; }}"
        );
        accepts(&text, &written(&text, &Property::UnreachCall));
    }
}

/// Other waypoints than ours, and other properties.
#[test]
fn other_waypoints() {
    let text = "extern int __VERIFIER_nondet_int(void);
int half(int x) {
    return x / 2;
}
int main() {
    int n = __VERIFIER_nondet_int();
    int m = half(n) + 1;
    switch (m) {
    case 3:
        m = m + 2147483644;
        m = m + n;
    }
    return m;
}
";
    let property = Property::NoOverflow;
    accepts(text, &written(text, &property));
    let yaml = render(&written(text, &property));
    let start = yaml.find("  content:").expect("a content");
    let point = |kind: &str, line: u32, column: u32, constraint: &str| {
        format!(
            "    - segment:\n        - waypoint:\n            type: {kind}\n            action: follow\n            location: \
             {{file_name: program.c, line: {line}, column: {column}}}\n{constraint}"
        )
    };
    let c = |value: &str, format: &str| format!("            constraint: {{value: {value}, format: {format}}}\n");
    let list = |points: &[String]| format!("{}  content:\n{}", &yaml[..start], points.concat());
    let enter = point("function_enter", 7, 19, "");
    let assume = |value: &str| point("assumption", 8, 5, &c(value, "c_expression"));
    let branch = |value: &str| point("branching", 8, 5, &format!("            constraint: {{value: {value}}}\n"));
    let target = |line: u32| point("target", line, 9, "");
    let judge = |points: &[String]| judge(text, &list(points));
    assert_eq!(judge(&[enter.clone(), assume("n == 5"), branch("3"), target(11)]), Validation::Accepted);
    assert_eq!(judge(&[assume("m == 3 && n > 4"), target(11)]), Validation::Accepted);
    assert!(matches!(judge(&[assume("n == 6"), target(11)]), Validation::Rejected(_)));
    assert!(matches!(judge(&[branch("4"), target(11)]), Validation::Rejected(_)));
    assert!(matches!(judge(&[branch("3"), target(10)]), Validation::Rejected(_)));
    assert!(matches!(judge(&[branch("3"), enter, target(11)]), Validation::Rejected(_)));
}

/// The violation depends on uninitialised variables.
#[test]
fn uninitialised_variables() {
    let text = "extern void reach_error(void);
int main() {
    int a;
    int b;
    a = a + 1;
    if (a == 8 && b == -3)
        reach_error();
    return 0;
}
";
    let original = written(text, &Property::UnreachCall);
    accepts(text, &original);
    let yaml = render(&original);
    assert!(yaml.contains("a == 7") && yaml.contains("b == -3"), "{yaml}");
    let mut mutants = 0;
    rejects(text, &yaml.replace("a == 7", "a == 6"), &mut mutants);
    rejects(text, &yaml.replace("b == -3", "b == 3"), &mut mutants);
}

/// The violation is in a condition, and checks are branches of the automaton.
#[test]
fn overflow_in_a_condition() {
    let text = "extern int __VERIFIER_nondet_int(void);
int main() {
    int n = __VERIFIER_nondet_int();
    if (n > 5)
        return 0;
    while (n + 3 > 4)
        n = n - 1;
    if (n - 5)
        return 1;
    return 0;
}
";
    let original = written(text, &Property::NoOverflow);
    accepts(text, &original);
    let Content::Violation(segments) = &original.content else { panic!("the program is wrong") };
    let branches = segments.iter().filter(|s| matches!(s.follow.kind, WaypointKind::Branching(_))).count();
    assert_eq!(branches, 1, "{segments:?}");
}
