//! The round trip of witnesses for every property and both verdicts: ours are accepted, and rejected once somebody has changed
//! what matters. The properties are those that the command line knows, so a new one is tested, or this does not compile.

mod support;

use robusto_verdict::{Property, Violation};
use support::Folder;

const NAME: &str = "program.c";

/// A program whose body stands where only an input of 7 leads.
fn program(body: &str) -> String {
    format!(
        "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *);
extern void *malloc(unsigned long);
extern void free(void *);
void *kept;
int main(void) {{
    int n = __VERIFIER_nondet_int();
    int i = 0;
    while (i < 3) {{
        i = i + 1;
    }}
    if (n == 7 && i == 3) {{
        {body}
    }}
    return 0;
}}
"
    )
}

/// A program with a violation of a kind, and a similar one without.
fn programs(kind: Violation) -> [String; 2] {
    let bodies = match kind {
        Violation::ErrorCall => ["reach_error();", "if (n == 8) reach_error();"],
        Violation::Assertion => [
            "__assert_fail(\"0\", \"program.c\", 14, \"main\");",
            "if (n == 8) __assert_fail(\"0\", \"program.c\", 14, \"main\");",
        ],
        Violation::Label => ["ERROR: n = 1;", "if (n == 8) { ERROR: n = 1; }"],
        Violation::Overflow => ["n = n + 2147483641;", "n = n + 2147483640;"],
        Violation::DivByZero => ["n = 10 / (n - 7);", "n = 10 / (n - 8);"],
        Violation::BadShift => ["n = 1 << (n + 25);", "n = 1 << (n + 23);"],
        Violation::Deref => ["int a[7] = { 0 }; a[n] = 1;", "int a[8] = { 0 }; a[n] = 1;"],
        Violation::Free => ["free(&n);", "free((void *)0);"],
        Violation::Track => ["malloc(4);", "free(malloc(4));"],
        Violation::Cleanup => ["kept = malloc(4);", "kept = malloc(4); free(kept);"],
        Violation::Uninit => ["int x; if (x) n = 1;", "int x = n; if (x) n = 1;"],
    };
    bodies.map(program)
}

/// Where a violation of a kind is: lost memory is found where the program ends.
fn line(kind: Violation) -> u32 {
    if matches!(kind, Violation::Track | Violation::Cleanup) { 16 } else { 14 }
}

/// All properties, each with the kinds of violations that it asks for.
fn properties() -> Vec<(Property, Vec<Violation>)> {
    let names = Property::names().chain(["label:ERROR"]);
    let of = |name: &str| {
        let property: Property = name.parse().expect(name);
        let asked = |kind: Violation| match kind {
            Violation::Label => property.marks("ERROR"),
            kind => property.counts(kind),
        };
        let kinds: Vec<Violation> = Violation::ALL.into_iter().filter(|&kind| asked(kind)).collect();
        assert!(!kinds.is_empty(), "{name} asks for nothing");
        (property, kinds)
    };
    names.map(of).collect()
}

/// Writes a program and the witness of its verdict; the text of the witness.
fn written(folder: &Folder, text: &str, property: &str, code: i32) -> String {
    folder.write(NAME, text);
    folder.run(&["check", "--property", property, "--witness", "w.yml", NAME]).expect(code);
    std::fs::read_to_string(folder.path("w.yml")).unwrap_or_else(|_| panic!("{property} has no witness\n{text}"))
}

/// What the validator says of a witness of the program that was written last.
fn judge(folder: &Folder, yaml: &str, property: &str) -> String {
    folder.write("w.yml", yaml);
    let outcome = folder.run(&["witness", "check", "--property", property, NAME, "w.yml"]);
    outcome.stdout.lines().last().unwrap_or_default().to_owned()
}

#[track_caller]
fn accepts(folder: &Folder, yaml: &str, property: &str) {
    assert_eq!(judge(folder, yaml, property), "WITNESS: accepted", "{property}\n{yaml}");
}

#[track_caller]
fn rejects(folder: &Folder, yaml: &str, property: &str) {
    let found = judge(folder, yaml, property);
    assert!(found.starts_with("WITNESS: rejected("), "{property}: {found}\n{yaml}");
}

/// A correctness witness with this invariant of the loop.
fn with_invariant(yaml: &str, value: &str) -> String {
    let start = yaml.find("  content:").expect("a content");
    format!(
        "{}  content:\n    - invariant:\n        type: loop_invariant\n        location: {{file_name: {NAME}, line: 10}}\n        \
         value: \"{value}\"\n        format: c_expression\n",
        &yaml[..start]
    )
}

#[test]
fn violations_are_accepted_and_no_right_program_has_one() {
    let folder = Folder::new("witness-violations");
    for (property, kinds) in properties() {
        let name = &property.to_string();
        for kind in kinds {
            let [wrong, right] = programs(kind);
            let yaml = written(&folder, &wrong, name, 10);
            accepts(&folder, &yaml, name);
            let target = format!("line: {}", line(kind));
            assert!(yaml.contains(&target), "the target is the violation: {yaml}");
            folder.write(NAME, right);
            rejects(&folder, &yaml, name);
        }
    }
}

#[test]
fn proofs_are_accepted_and_no_wrong_program_has_one() {
    let folder = Folder::new("witness-proofs");
    for (property, kinds) in properties() {
        let name = &property.to_string();
        for kind in kinds {
            let [wrong, right] = programs(kind);
            let yaml = written(&folder, &right, name, 0);
            accepts(&folder, &yaml, name);
            folder.write(NAME, wrong);
            rejects(&folder, &yaml, name);
        }
    }
}

/// Each change of a witness that matters is noticed.
#[test]
fn tampered_witnesses_are_rejected() {
    let folder = Folder::new("witness-tampered");
    let all = properties();
    for (property, kinds) in &all {
        let name = &property.to_string();
        let [wrong, right] = programs(kinds[0]);
        let yaml = written(&folder, &wrong, name, 10);
        let target = &format!("line: {}", line(kinds[0]));
        for (from, to) in [
            ("\\\\result == 7", "\\\\result == 8"),
            ("value: true", "value: false"),
            (target, "line: 15"),
            (target, "line: 11"),
            ("line: 13", "line: 10"),
            ("line: 8", "line: 9"),
        ] {
            let mutant = yaml.replace(from, to);
            assert_ne!(mutant, yaml, "{from} is in the witness");
            rejects(&folder, &mutant, name);
        }
        // The same execution as a violation of what it does not violate.
        let other = all.iter().find(|(other, _)| kinds.iter().all(|&kind| !other.counts(kind))).map(|(other, _)| other);
        let label = Property::Label("ELSEWHERE".to_owned());
        let other = other.unwrap_or(&label);
        let mutant = other_property(&yaml, property, other);
        rejects(&folder, &mutant, name);
        rejects(&folder, &mutant, &other.to_string());
        // The other verdict.
        rejects(&folder, &with_invariant(&yaml.replace("violation_sequence", "invariant_set"), "i <= 3"), name);

        let yaml = written(&folder, &right, name, 0);
        accepts(&folder, &with_invariant(&yaml, "i <= 3"), name);
        for bad in ["i <= 2", "i == 0", "n == 7"] {
            rejects(&folder, &with_invariant(&yaml, bad), name);
        }
        rejects(&folder, &other_property(&yaml, property, other), name);
        let strict = yaml.replacen(
            "input_file_hashes:\n        \"program.c\": \"",
            "input_file_hashes:\n        \"program.c\": \"0",
            1,
        );
        folder.write("w.yml", &strict);
        folder.run(&["witness", "check", "--strict", NAME, "w.yml"]).expect(10);
    }
}

/// The witness, about another property.
fn other_property(yaml: &str, property: &Property, other: &Property) -> String {
    let text = |property: &Property| format!("specification: \"{}\"", property.to_prp().replace('\n', "\\n"));
    let mutant = yaml.replace(&text(property), &text(other));
    assert_ne!(mutant, yaml, "the property is in the witness");
    mutant
}
