//! Boolean programs of C programs: against all executions of random programs with random predicates, and by hand.

use crate::support::{PRELUDE, cpu_limits, limits, problem, random_text, reaches_error};
use robusto_boolprog::{Engine, Question, made};
use robusto_engine::slam::{self, NoAbstraction, Options, abstracted};
use robusto_engine::{Problem, certify};
use robusto_limits::{Limits, Progress};
use robusto_testing::Random;
use robusto_verdict::{Certificate, Reason, Report, Verdict};
use std::fmt::Write as _;
use std::time::Duration;

fn for_seconds(seconds: u64) -> Limits {
    cpu_limits(Duration::from_secs(seconds))
}

fn checked(problem: &Problem, limits: &Limits) -> Report {
    slam::check(problem, &Options { checker: Engine::Bdd, traces: true }, limits, &Progress::default())
}

/// The verdict on a body, and that a `true` is certified by summaries.
fn check(body: &str) -> Verdict {
    let problem = problem(&format!("{PRELUDE}{body}"));
    let report = checked(&problem, &for_seconds(20));
    if report.verdict == Verdict::True {
        let certificate = report.certificate.expect("every true has one");
        assert!(matches!(certificate, Certificate::Summaries { .. }));
        if let Err(failure) = certify::check(&problem, &certificate, &limits()) {
            panic!("{failure}\n{body}");
        }
    }
    report.verdict
}

fn is_false(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::False(_))
}

/// Whether an assertion of the abstraction can fail.
fn fails(text: &str, predicates: Option<&str>) -> bool {
    let file = abstracted(&problem(text), predicates, &limits()).unwrap_or_else(|why| panic!("{why}\n{text}"));
    let program = made(&file, "abstraction").unwrap_or_else(|errors| panic!("{}\n{text}", errors[0].message));
    let report = robusto_boolprog::check(&program, &Question::Assert, Engine::Bdd, &limits(), &Progress::default());
    match report.verdict {
        Verdict::True => false,
        Verdict::False(_) => true,
        Verdict::Unknown(reason) => panic!("{reason}\n{text}"),
    }
}

/// Random predicates of all scopes.
fn random_predicates(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut text = String::new();
    let scopes: [(&str, &[&str]); 8] = [
        ("r entry", &["n", "m", "g1", "left"]),
        ("r local", &["n", "m", "old(n)", "old(m)", "g1"]),
        ("r exit", &["result", "old(n)", "old(m)", "g1", "old(g1)"]),
        ("in exit", &["result", "left", "old(left)"]),
        ("main local", &["x", "y", "z", "g0", "g1"]),
        ("f entry", &["x", "y", "g0"]),
        ("f exit", &["result", "old(x)", "g0", "old(g0)"]),
        ("global", &["g0", "g1", "left"]),
    ];
    for (scope, names) in scopes {
        let _ = writeln!(text, "{scope}:");
        for _ in 0..random.below(3) {
            let (a, b) = (random.pick(names), random.pick(names));
            let op = random.pick(&["==", "<", "<=", ">"]);
            let _ = match random.below(3) {
                0 => writeln!(text, "  {a} {op} {b} + {}", random.below(3)),
                _ => writeln!(text, "  {a} {op} {}", random.below(4)),
            };
        }
    }
    text
}

/// Without the predicates that a program refuses: functions that are not called, variables that it does not have.
fn accepted(text: &str, predicates: &str) -> String {
    let problem = problem(text);
    let mut lines: Vec<&str> = predicates.lines().collect();
    while let Err(NoAbstraction::Predicate(bad)) = abstracted(&problem, Some(&lines.join("\n")), &limits()) {
        let headed = lines[bad.line - 1].ends_with(':');
        lines.remove(bad.line - 1);
        while headed && lines.get(bad.line - 1).is_some_and(|line| !line.ends_with(':')) {
            lines.remove(bad.line - 1);
        }
    }
    lines.join("\n")
}

/// Whatever the predicates: a violation of the program is one of the Boolean program.
#[test]
fn abstractions_have_every_violation() {
    let (mut violated, mut excluded) = (0, 0);
    for seed in 20..60 {
        let text = random_text(seed);
        let predicates = accepted(&text, &random_predicates(seed));
        let expected = reaches_error(&text);
        let found = fails(&text, Some(&predicates));
        assert!(found || !expected, "seed {seed}: the violation is lost\n{text}\n{predicates}");
        violated += u32::from(expected);
        excluded += u32::from(!found);
    }
    assert!(violated >= 6 && excluded >= 1, "{violated} violated, {excluded} excluded");
}

#[test]
fn agrees_with_enumeration() {
    let (mut proved, mut refuted) = (0, 0);
    for seed in 200..225 {
        let text = random_text(seed);
        let expected = reaches_error(&text);
        let problem = problem(&text);
        let report = checked(&problem, &for_seconds(1));
        match report.verdict {
            Verdict::False(_) => {
                assert!(expected, "seed {seed}: not reachable\n{text}");
                refuted += 1;
            }
            Verdict::True => {
                assert!(!expected, "seed {seed}: reachable\n{text}");
                let certificate = report.certificate.expect("every true has one");
                if let Err(failure) = certify::check(&problem, &certificate, &limits()) {
                    panic!("seed {seed}: {failure}\n{text}");
                }
                proved += 1;
            }
            Verdict::Unknown(_) => {}
        }
    }
    assert!(proved >= 3 && refuted >= 3, "{proved} proved, {refuted} refuted");
}

/// With the right predicates nothing is lost.
#[test]
fn enough_predicates_are_exact() {
    let program = |condition: &str| {
        format!(
            "{PRELUDE}int id(int x) {{ if (x <= 0) return 0; return id(x - 1) + 1; }}
             int main() {{ int n = __VERIFIER_nondet_int(); if (n < 0) return 0;
             if ({condition}) __VERIFIER_error(); return 0; }}"
        )
    };
    let predicates = "# the identity of what is not negative\nid entry: x < 0\nid exit:\n  result == old(x)\n";
    assert!(!fails(&program("id(n) != n"), Some(predicates)));
    assert!(fails(&program("id(n) == n"), Some(predicates)));
    assert!(fails(&program("id(n) != n"), Some("id entry: x < 0")), "nothing is known of the result");
    assert!(fails(&program("id(n) != n"), None));
}

#[test]
fn predicates_that_are_wrong_have_a_line() {
    let text = format!(
        "{PRELUDE}int a[2]; int f(int x) {{ a[x & 1] = 1; return a[0]; }}
         int main() {{ if (f(1) == 7) __VERIFIER_error(); return 0; }}"
    );
    for (predicates, line, what) in [
        ("x == 1", 1, "there is no `FUNCTION entry:`"),
        ("f entry:\n  y == 1", 2, "no variable `y`"),
        ("f entry:\n\n  x ==", 3, "ends too early"),
        ("f entry: result == 1", 1, "no variable `result`"),
        ("f entry: old(x) == 1", 1, "no variable `old`"),
        ("f exit: a == 1", 1, "lies in memory"),
        ("g exit: x == 1", 1, "no function `g`"),
        ("f middle: x == 1", 1, "neither"),
        ("f entry: x = 1", 1, "has no meaning"),
        ("f entry: x 1", 1, "not expected"),
    ] {
        match abstracted(&problem(&text), Some(predicates), &limits()) {
            Err(NoAbstraction::Predicate(bad)) => {
                assert_eq!(bad.line, line, "{predicates}");
                assert!(bad.what.contains(what), "{predicates}: {}", bad.what);
            }
            other => panic!("{predicates}: {:?}", other.map(|_| ())),
        }
    }
    let deep = format!("f entry: {}x{}", "(".repeat(100_000), ")".repeat(100_000));
    assert!(matches!(abstracted(&problem(&text), Some(&deep), &limits()), Err(NoAbstraction::Predicate(_))));
}

#[test]
fn recursion_of_any_depth() {
    let id = "int id(int x) { if (x <= 0) return 0; return id(x - 1) + 1; }";
    let main = |condition: &str| {
        format!(
            "int main() {{ int n = __VERIFIER_nondet_int(); if (n < 0) return 0; if ({condition}) __VERIFIER_error(); return 0; }}"
        )
    };
    assert_eq!(check(&format!("{id}{}", main("id(n) != n"))), Verdict::True);
    assert!(is_false(&check(&format!("{id}{}", main("id(n) == 2")))));
}

#[test]
fn mutual_recursion_with_a_global() {
    let text = "int locked;
        void g(int n);
        void f(int n) { if (locked) __VERIFIER_error(); locked = 1; if (n > 0) g(n - 1); else locked = 0; }
        void g(int n) { if (!locked) __VERIFIER_error(); locked = 0; if (n > 0) f(n - 1); }
        int main() { f(__VERIFIER_nondet_int()); if (locked) __VERIFIER_error(); return 0; }";
    assert_eq!(check(text), Verdict::True);
    assert!(is_false(&check(&text.replace("else locked = 0;", ""))));
}

#[test]
fn a_loop_inside_of_recursion() {
    let text = "int sum;
        void add(int n) { int i = 0; while (i < 3) { i++; } if (n <= 0) return; sum = i; add(n - 1); }
        int main() { sum = 3; add(__VERIFIER_nondet_int()); if (sum != 3) __VERIFIER_error(); return 0; }";
    assert_eq!(check(text), Verdict::True);
    assert!(is_false(&check(&text.replace("i < 3", "i < 4"))));
}

#[test]
fn a_main_that_is_called() {
    let text = "int depth, n;
        int main(void) { if (depth == 0) n = __VERIFIER_nondet_int(); depth++;
          if (depth > 1 && n > 5) __VERIFIER_error(); if (n > 0 && n < 6 && depth < 9) { n--; main(); } return 0; }";
    assert_eq!(check(text), Verdict::True);
    assert!(is_false(&check(&text.replace("n < 6", "n < 9"))));
}

/// The address of a local depends on the activation.
#[test]
fn escaping_locals_of_recursive_functions_are_refused() {
    let text = "void f(int *p, int n) { int x = n; if (n > 0) f(&x, n - 1); *p = 0; }
        int main() { int y = 1; f(&y, __VERIFIER_nondet_int()); if (y) __VERIFIER_error(); return 0; }";
    match check(text) {
        Verdict::Unknown(Reason::Unsupported(what)) => assert!(what.contains("`x`"), "{what}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_step_that_is_not_supported() {
    let text = |condition: &str| {
        format!("int f(int n) {{ if ({condition}) __asm__ goto (\"\" : : : : out); out: if (n <= 0) return 0; return f(n - 1); }}
        int main() {{ if (f(3) != 0) __VERIFIER_error(); return 0; }}")
    };
    assert!(matches!(check(&text("n == 2")), Verdict::Unknown(Reason::Unsupported(_))));
    assert_eq!(check(&text("n == 7")), Verdict::True);
}

#[test]
fn without_recursion() {
    let text = "int main() { int lock = 0, i = 0; while (__VERIFIER_nondet_int()) { if (lock) __VERIFIER_error(); lock = 1; i++; lock = 0; } return 0; }";
    assert_eq!(check(text), Verdict::True);
    assert!(is_false(&check(&text.replace("lock = 0; }", "}"))));
}
