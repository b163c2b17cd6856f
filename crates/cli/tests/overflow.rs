//! The properties `no-overflow` and `div-by-zero`: against gcc's sanitizer on random expressions, and by verdict.

mod support;

use robusto_testing::Random;
use std::fmt::Write as _;
use std::process::{Command, Stdio};
use support::Folder;

const TYPES: [(&str, &str); 8] = [
    ("c", "signed char"),
    ("uc", "unsigned char"),
    ("s", "short"),
    ("i", "int"),
    ("j", "int"),
    ("u", "unsigned"),
    ("l", "long"),
    ("k", "long"),
];

/// An integer that is small or near a limit of some type.
fn value(random: &mut Random) -> String {
    let near = [
        "0",
        "127",
        "-128",
        "32767",
        "2147483647",
        "(-2147483647-1)",
        "9223372036854775807",
        "(-9223372036854775807-1)",
    ];
    let base = random.pick(&near);
    format!("(long)((unsigned long){base} + {} - 3)", random.below(7))
}

/// An operation on variables of [`TYPES`]. One per statement: gcc folds `0 * (i + i)` and `(a < b) + 2147483647` before
/// the sanitizer sees them, and misses their overflows.
fn operation(random: &mut Random) -> String {
    let (a, b) = (random.pick(&TYPES).0, random.pick(&TYPES).0);
    match random.below(12) {
        0 => format!("-{a}"),
        1 => format!("({}{a})", random.pick(&["(int)", "(short)", "(signed char)", "(unsigned)", "(long)"])),
        2 => format!("({a} << {})", random.below(31)),
        3 => format!("({a} << ({b} & 15))"),
        4 => format!("({a} {} {})", random.pick(&["+", "-", "*", "/", "%"]), random.pick(&["1", "2", "-1", "3", "-7"])),
        5 => format!("({} {} {a})", random.pick(&["1", "2147483647", "-1", "3", "-7"]), random.pick(&["+", "-", "*"])),
        _ => format!("({a} {} {b})", random.pick(&["+", "-", "*", "/", "%", "+", "-", "*", "^"])),
    }
}

/// A statement that changes a variable.
fn statement(random: &mut Random) -> String {
    let (var, other) = (random.pick(&TYPES).0, random.pick(&TYPES).0);
    match random.below(8) {
        0 => format!("{var}++; --{other};"),
        1 => format!("i {}= {other};", random.pick(&["+", "-", "*", "/", "%"])),
        2 => format!("l {}= {other};", random.pick(&["+", "-", "*", "/", "%"])),
        // At full width first: gcc computes `s = 2147483647 + s` in 16 bits, without an overflow.
        n => {
            let e = operation(random);
            let condition = if n < 5 { "if (c < i) " } else { "" };
            format!("{condition}{{ __typeof__({e}) t = {e}; {var} = t; }}")
        }
    }
}

#[test]
fn agrees_with_the_sanitizer() {
    const CASES: usize = 250;
    let folder = Folder::new("overflow-sanitizer");
    let mut random = Random::new(7);
    let mut text = String::from("int printf(const char *, ...); int atoi(const char *);\n");
    for (name, ty) in TYPES {
        let _ = writeln!(text, "{ty} {name};");
    }
    for case in 0..CASES {
        let _ = writeln!(text, "static long f{case}(void) {{");
        for (name, ty) in TYPES {
            let _ = writeln!(text, "  {name} = ({ty}){};", value(&mut random));
        }
        for _ in 0..random.below(4) {
            let _ = writeln!(text, "  {}", statement(&mut random));
        }
        let _ = writeln!(text, "  return (long)({});\n}}", operation(&mut random));
    }
    text.push_str("int main(int argc, char **argv) {\n  long r = 0;\n  switch (atoi(argv[1])) {\n");
    for case in 0..CASES {
        let _ = writeln!(text, "  case {case}: r = f{case}(); break;");
    }
    text.push_str("  }\n  printf(\"%ld\\n\", r);\n  return 0;\n}\n");
    folder.write("cases.c", &text);
    let binary = folder.path("cases");
    let mut gcc = Command::new("gcc");
    gcc.args(["-w", "-std=c11", "-O0", "-fsanitize=signed-integer-overflow,integer-divide-by-zero,shift"]);
    gcc.args(["-fsanitize-undefined-trap-on-error", "-o"]).arg(&binary).arg(folder.path("cases.c"));
    if !gcc.stderr(Stdio::null()).status().is_ok_and(|status| status.success()) {
        eprintln!("skipped: there is no gcc with sanitizers");
        return;
    }
    let mut errors = 0;
    for case in 0..CASES {
        let native = Command::new(&binary).arg(case.to_string()).output().expect("the program runs");
        let number = case.to_string();
        let ours =
            folder.run(&["run", "--property", "no-overflow", "--property", "div-by-zero", "cases.c", "--", &number]);
        match native.status.code() {
            Some(0) => {
                assert_eq!(ours.code, Some(0), "f{case} has no error: {}\n{text}", ours.stderr);
                assert_eq!(ours.stdout.as_bytes(), native.stdout, "f{case}");
            }
            _ => {
                assert_eq!(ours.code, Some(10), "f{case} has an error, not {}: {}\n{text}", ours.stdout, ours.stderr);
                errors += 1;
            }
        }
    }
    assert!(errors > CASES / 5 && errors < CASES * 4 / 5, "{errors} errors are no good mixture");
}

/// Bodies of `main` with a nondeterministic `int n` and `unsigned u`: whether they overflow, whether they divide by zero.
const VERDICTS: [(&str, bool, bool); 24] = [
    ("int x = n; if (x < 100) x++;", false, false),
    ("int x = n; x++;", true, false),
    ("if (n > -100) n--;", false, false),
    ("n--;", true, false),
    ("u++; u--; u = u * 3 + u;", false, false),
    ("signed char c = (signed char)n; c++; c += 100; short s = c; s *= 100;", false, false),
    ("char c = 127; c = c + 1;", false, false),
    ("int m = -n;", true, false),
    ("if (n != -2147483647 - 1) n = -n;", false, false),
    ("if (n == 1) n = 2147483647 + 1;", true, false),
    ("if (n == 1 && 2147483647 + 1 < 0) n = 2;", true, false),
    ("if (n == 1 && 0) n = 2147483647 + 1;", false, false),
    ("n = sizeof(2147483647 + 1);", false, false),
    ("if (n > 0 && n < 30) n = 1 << n;", false, false),
    ("if (n > 0 && n < 32) n = 1 << n;", true, false),
    ("if (n >= 0) n = n << 1;", true, false),
    ("if (n > 5) n = 7 / n; else n = n / 5 % 3;", false, false),
    ("n = 7 / n;", false, true),
    ("u = 7 % u;", false, true),
    ("if (n < 0) n = n / -1;", true, false),
    ("if (n < 0 && n % -1) n = 1;", true, false),
    ("long l = n; l = l * 2 + 1; l = 1000 * l;", false, false),
    ("long long l = n; n = (int)(l + 1);", false, false),
    ("float f = 1; f = f / 0; int a = 3; a = a + (a == 4) - 5;", false, false),
];

#[test]
fn verdicts() {
    let folder = Folder::new("overflow-verdicts");
    for (i, (body, overflow, division)) in VERDICTS.iter().enumerate() {
        let name = format!("v{i}.c");
        let text = format!(
            "extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);\n\
             int main() {{ int n = __VERIFIER_nondet_int(); unsigned u = __VERIFIER_nondet_uint(); {body} return 0; }}\n"
        );
        folder.write(&name, &text);
        for (property, violated) in [("no-overflow", *overflow), ("div-by-zero", *division)] {
            let expected = if violated { format!("RESULT: false({property})\n") } else { "RESULT: true\n".to_owned() };
            let outcome = folder.run(&["check", "--property", property, &name]);
            assert!(outcome.stdout.ends_with(&expected), "{body}\n{property}: {}", outcome.stdout);
            assert_eq!(outcome.code, Some(if violated { 10 } else { 0 }));
        }
        let both = ["check", "--property", "no-overflow", "--property", "div-by-zero", &name];
        folder.run(&both).expect(if *overflow || *division { 10 } else { 0 });
        folder.run(&["check", "--property", "all", &name]).expect(if *overflow || *division { 10 } else { 0 });
    }
}

#[test]
fn property_files() {
    let folder = Folder::new("overflow-prp");
    folder.write("a.c", "int nondet(void); int main() { return nondet() + 1; }");
    folder.write("p.prp", "CHECK( init(main()), LTL(G ! overflow) )\n");
    folder.run(&["check", "--property", "p.prp", "a.c"]).expect(10).prints("RESULT: false(no-overflow)");
    folder.write(
        "t.yml",
        "format_version: '2.0'\ninput_files: a.c\nproperties:\n  - property_file: p.prp\n    expected_verdict: false\n",
    );
    folder.run(&["check", "t.yml"]).expect(10).prints("expected: false (agrees)\nRESULT: false(no-overflow)");
}

/// Operands are evaluated where their checks stand.
#[test]
fn checks_and_side_effects() {
    let folder = Folder::new("overflow-effects");
    let text = "int g = 2147483647; int set(void) { g = 0; return 0; }
        int main() { int r = (g - 1 + 1) + set(); return r == 2147483647 ? 0 : 1; }";
    folder.write("a.c", text);
    folder.run(&["run", "--property", "no-overflow", "a.c"]).expect(0);
    folder.run(&["check", "--property", "no-overflow", "a.c"]).expect(0);
    let text = "int i = 2147483646, a[4]; int set(int n) { i = n; return 1; } int second(int x, int y) { return x; }
        int main() { int r = second(i + 1, set(0)); a[i + 1] = set(2147483647); return r == 2147483647 && a[1] == 1 ? 0 : 1; }";
    folder.write("b.c", text);
    folder.run(&["run", "--property", "no-overflow", "b.c"]).expect(0);
}

/// `robusto check task.yml` takes everything from the task.
#[test]
fn tasks() {
    let folder = Folder::new("check-tasks");
    folder.write("a.c", "int nondet(void); void reach_error(void); int main() { long n = nondet(); if (n + 1 > 4294967296) reach_error(); }");
    let task = |properties: &str| {
        format!("format_version: '2.0'\ninput_files: 'a.c'\nproperties:\n{properties}options:\n  data_model: LP64\n")
    };
    folder.write("one.yml", task("  - property_file: unreach-call.prp\n    expected_verdict: true\n"));
    folder.run(&["check", "one.yml"]).expect(0).prints("\nexpected: true (agrees)\nRESULT: true\n");
    folder.write("wrong.yml", task("  - property_file: unreach-call.prp\n    expected_verdict: false\n"));
    folder.run(&["check", "wrong.yml"]).expect(0).prints("\nexpected: false (DISAGREES)\nRESULT: true\n");
    folder.write(
        "two.yml",
        task("  - property_file: p/termination.prp\n    expected_verdict: true\n  - property_file: p/no-overflow.prp\n    expected_verdict: true\n  - property_file: unreach-call.prp\n    expected_verdict: false\n"),
    );
    let chosen = folder.run(&["check", "two.yml"]).expect(0);
    let chosen = chosen.prints("property: no-overflow (the task has termination, no-overflow, unreach-call)\n");
    chosen.prints("\nexpected: true (agrees)\nRESULT: true\n");
    folder.run(&["check", "--property", "unreach-call", "two.yml"]).expect(0).prints("expected: false (DISAGREES)\n");
    folder.run(&["check", "--property", "assert", "two.yml"]).expect(0);
    folder.write("none.yml", task("  - property_file: p/termination.prp\n    expected_verdict: true\n"));
    folder.run(&["check", "none.yml"]).expect(5).prints("RESULT: unknown(unsupported: none of the task's properties");
}
