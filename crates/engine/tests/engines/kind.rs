//! k-induction against all executions of random programs, against the BDD analysis, and on small programs by hand.

use crate::support::{PRELUDE, cpu_limits, limits, problem, program, random_loop, random_text, reaches_error};
use robusto_engine::numeric::Domain;
use robusto_engine::{Problem, bdd, bmc, certify, kind};
use robusto_limits::Progress;
use robusto_verdict::{Certificate, Property, Reason, Report, Verdict};
use std::time::Duration;

fn check_with(text: &str, property: &Property, max_bound: u32, invariants: bool) -> Report {
    let options = bmc::Options { max_bound: Some(max_bound), invariants, ..Default::default() };
    kind::check(&Problem::new(program(text), property), &options, &limits(), &Progress::default())
}

fn check(body: &str) -> Verdict {
    check_with(&format!("{PRELUDE}{body}"), &Property::UnreachCall, 20, true).verdict
}

#[test]
fn agrees_with_enumeration() {
    for seed in 1000..1100 {
        let text = random_text(seed);
        let expected = reaches_error(&text);
        match check_with(&text, &Property::UnreachCall, 40, seed % 2 == 0).verdict {
            Verdict::False(_) => assert!(expected, "seed {seed}: not reachable\n{text}"),
            Verdict::True => assert!(!expected, "seed {seed}: reachable\n{text}"),
            Verdict::Unknown(reason) => panic!("seed {seed}: {reason}\n{text}"),
        }
    }
}

#[test]
fn agrees_with_the_bdd_analysis_on_endless_loops() {
    let (mut proved, mut open) = (0, 0);
    for seed in 0..150 {
        let text = random_loop(seed);
        let options = bdd::Options::default();
        let progress = Progress::default();
        let expected = bdd::check(&problem(&text), &options, &limits(), &progress, |_, _| {}).verdict;
        match (check_with(&text, &Property::UnreachCall, 12, seed % 2 == 0).verdict, expected) {
            (Verdict::True, Verdict::True) => proved += 1,
            (Verdict::False(_), Verdict::False(_)) => {}
            (Verdict::Unknown(Reason::Bound(_)), _) => open += 1,
            (found, expected) => panic!("seed {seed}: {found:?} and not {expected:?}\n{text}"),
        }
    }
    assert!(proved > 20 && open < 60, "{proved} proved, {open} open");
}

/// Each needs a relation between variables at the head of the loop, which holds in executions, but in no interval.
#[test]
fn relations_make_it_inductive() {
    for body in [
        "int main() { int i = 0, j = 0; while (__VERIFIER_nondet_int()) { i++; j++; }
         if (i != j) __VERIFIER_error(); return 0; }",
        "int main() { int x = 0, y = __VERIFIER_nondet_int(); if (y < 0 || y > 100) return 0;
         while (__VERIFIER_nondet_int()) { if (x < y) x++; } if (x > y) __VERIFIER_error(); return 0; }",
    ] {
        let text = format!("{PRELUDE}{body}");
        let problem = Problem::new(program(&text), &Property::UnreachCall);
        let report = kind::check(&problem, &bmc::Options::default(), &limits(), &Progress::default());
        assert_eq!(report.verdict, Verdict::True, "{body}");
        let certificate = report.certificate.expect("every true has one");
        assert!(matches!(certificate, Certificate::Inductive { .. }));
        certify::check(&problem, &certificate, &limits()).expect("it is right");
        let without = check_with(&text, &Property::UnreachCall, 6, false).verdict;
        assert_eq!(without, Verdict::Unknown(Reason::Bound(6)), "{body}");
    }
}

#[test]
fn intervals_make_it_inductive() {
    let body = "int main() { int x = 0; while (1) { if (x < 10) x++; if (x > 10) __VERIFIER_error(); } }";
    assert_eq!(check(body), Verdict::True);
    let even = "int main() { unsigned x = 0; while (1) { x += 2; if (x == 7) __VERIFIER_error(); } }";
    assert_eq!(check(even), Verdict::True);
}

/// Programs whose proofs need equations or inequalities between variables, each with the same program gone wrong.
const RELATED: [(&str, &str); 5] = [
    // k + j = n.
    (
        "int n = __VERIFIER_nondet_int(), i = 0, j = 0, k = 0; if (n < 0) return 0;
        while (i < n) { i++; k++; } while (j < n) { if (k <= 0) __VERIFIER_error(); j++; k--; }",
        "k <= 0 => k <= 1",
    ),
    // a + b = 3 i modulo 2^32.
    (
        "unsigned a = 0, b = 0, i = 0;
        while (__VERIFIER_nondet_int()) { if (__VERIFIER_nondet_int()) { a += 1; b += 2; } else { a += 2; b += 1; } i++; }
        if (a + b != 3 * i) __VERIFIER_error();",
        "b += 1 => b += 5",
    ),
    // x + y is even, though neither is.
    (
        "unsigned x = 1, y = 1;
        while (__VERIFIER_nondet_int()) { x += 3; y += 5; } if (x + y & 1) __VERIFIER_error();",
        "y += 5 => y += 4",
    ),
    // i ≤ j ≤ n.
    (
        "int n = __VERIFIER_nondet_int(), i = 0, j = 0; if (n < 0) return 0;
        while (j < n) { if (__VERIFIER_nondet_int()) i++; j++; } if (i > n) __VERIFIER_error();",
        "i > n => i >= n",
    ),
    // i + k ≤ n.
    (
        "int n = __VERIFIER_nondet_int(), i = 0, k = 0; if (n < 0 || n > 1000) return 0;
        while (i + k < n) { if (__VERIFIER_nondet_int()) i++; else k++; } if (i + k > n) __VERIFIER_error();",
        "i + k > n => k > 3",
    ),
];

#[test]
fn relations_between_variables() {
    for (body, change) in RELATED {
        let right = format!("{PRELUDE}int main() {{ {body} }}");
        assert_eq!(check_with(&right, &Property::UnreachCall, 8, true).verdict, Verdict::True, "{right}");
        let (old, new) = change.split_once(" => ").unwrap();
        let wrong = right.replace(old, new);
        let verdict = check_with(&wrong, &Property::UnreachCall, 20, true).verdict;
        assert!(matches!(verdict, Verdict::False(_)), "{verdict:?} {wrong}");
    }
}

/// What a numeric domain knows makes the step case hold, and is part of the certificate, inside of long bodies too.
#[test]
fn numeric_invariants_strengthen() {
    let octagonal = "int main() { int i = 0, j = 0; while (i < 1000) { i++; j++; }
        if (j != 1000) __VERIFIER_error(); return 0; }";
    let linear =
        "int main() { int x = 0, y = 0; while (__VERIFIER_nondet_int()) { if (x < 1000) { x = x + 1; y = y + 2; } }
        if (y > 2 * x) __VERIFIER_error(); return 0; }";
    let modular = "int next(unsigned x) { return x + 3; }
        int main() { unsigned x = 0, y = 0; while (__VERIFIER_nondet_int()) { x = x + 1; y = next(y); }
        if (y != 3 * x) __VERIFIER_error(); return 0; }";
    let nothing: String = (0..30).map(|i| format!("if (__VERIFIER_nondet_int()) k = k ^ {i}; ")).collect();
    let long = format!(
        "int main() {{ int i = 0, j = 0, k = 0; while (i < 1000) {{ i++; {nothing} j++; }}
         if (j != 1000) __VERIFIER_error(); return k; }}"
    );
    let cases = [
        (octagonal, Domain::Octagon),
        (linear, Domain::Polyhedron),
        (modular, Domain::Affine),
        (long.as_str(), Domain::Octagon),
    ];
    for (body, domain) in cases {
        let text = format!("{PRELUDE}{body}");
        let problem = Problem::new(program(&text), &Property::UnreachCall);
        // Without intervals no relations are looked for.
        for (strengthen, invariants) in [(None, false), (Some(domain), false), (Some(domain), true)] {
            let options = bmc::Options { max_bound: Some(3), invariants, strengthen, ..Default::default() };
            let report = kind::check(&problem, &options, &limits(), &Progress::default());
            if strengthen.is_none() {
                assert_eq!(report.verdict, Verdict::Unknown(Reason::Bound(3)), "{text}");
                continue;
            }
            assert_eq!(report.verdict, Verdict::True, "{domain:?} {text}");
            let certificate = report.certificate.expect("every true has one");
            certify::check(&problem, &certificate, &limits()).unwrap_or_else(|failure| panic!("{failure}: {text}"));
            let wrong = Problem::new(
                program(&text.replace("j++", "j += 2").replace("+ 2;", "+ 3;").replace("+ 3", "+ 5")),
                &Property::UnreachCall,
            );
            let report = kind::check(&wrong, &options, &limits(), &Progress::default());
            assert_ne!(report.verdict, Verdict::True, "{domain:?} {text}");
        }
    }
}

#[test]
fn needs_more_than_one_block() {
    // The state before last decides.
    let body = "int main() { int a = 0, b = 1, c = 2, t;
        while (__VERIFIER_nondet_int()) { if (a == 3) __VERIFIER_error(); t = a; a = b; b = c; c = t; } }";
    let text = format!("{PRELUDE}{body}");
    assert_eq!(check_with(&text, &Property::UnreachCall, 1, false).verdict, Verdict::Unknown(Reason::Bound(1)));
    assert_eq!(check_with(&text, &Property::UnreachCall, 4, false).verdict, Verdict::True);
}

#[test]
fn loops_in_called_functions() {
    let body = "int lock; int spin(int n) { while (n > 0) { if (!lock) __VERIFIER_error(); n--; } return n; }
        int main() { while (1) { lock = 1; spin(__VERIFIER_nondet_int()); lock = 0;
          int m = __VERIFIER_nondet_int(); if (m > 0) { lock = 1; spin(m); lock = 0; } } }";
    assert_eq!(check(body), Verdict::True);
    assert!(matches!(check(&body.replace("{ lock = 1; spin(m)", "{ spin(m)")), Verdict::False(_)));
}

#[test]
fn recursion_has_no_step_case() {
    let body = "int f(int n) { if (n == 0) return 0; return f(n - 1); }
        int main() { int n = __VERIFIER_nondet_int(); if (f(n) == 1) __VERIFIER_error(); }";
    assert_eq!(check(body), Verdict::Unknown(Reason::Bound(20)));
}

#[test]
fn each_target_by_itself() {
    let body = "int main() { int x = 0, n = 0; while (1) { n++; x = 1 - x;
        if (x > 1) { error_1: n = 7; } if (n == 5) { error_2: n = 8; } } }";
    let report = check_with(&format!("{PRELUDE}{body}"), &Property::All, 10, true);
    let verdicts: Vec<(&str, bool)> =
        report.findings.iter().map(|f| (f.target.name.as_str(), f.verdict == Verdict::True)).collect();
    assert_eq!(verdicts, [("error_1", true), ("error_2", false)]);
}

/// Nothing may be assumed of a pointer that an allocation set.
#[test]
fn allocated_arrays() {
    let body = "int main() { unsigned n = __VERIFIER_nondet_uchar() & 3; int a[n]; unsigned i;
        for (i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
        for (i = 0; i < n; i++) if (a[i] == 7) __VERIFIER_error(); }";
    assert!(matches!(check(body), Verdict::False(_)));
}

/// A search that is stopped in the middle of unrolling has proved one label by induction; its certificate says so, and not
/// that nothing lies beyond the bound.
#[test]
fn certificates_of_stopped_searches_are_right() {
    let tests: String = (0..60).map(|i| format!("if ((x & {}) == 3) y = y ^ {i}; ", 5 + i)).collect();
    let text = format!(
        "{PRELUDE}int main() {{ unsigned a = 0, x, y = 0; while (1) {{ x = __VERIFIER_nondet_int(); a = a + 2; {tests}
         if ((a & 1) == 1) {{ ODD: ; }} if (y == 4 && a == 4000000) {{ LATE: ; }} }} return 0; }}"
    );
    let labels = ["ODD", "LATE"].map(|name| Property::Label(name.to_owned()));
    let problem = Problem::new(program(&text), &Property::Several(labels.to_vec()));
    let mut certified = 0;
    for milliseconds in [20, 60, 100, 200, 400] {
        let short = cpu_limits(Duration::from_millis(milliseconds));
        let report = kind::check(&problem, &bmc::Options::default(), &short, &Progress::default());
        let Some(certificate) = report.certificate else { continue };
        let proved: Vec<_> = report.findings.iter().filter(|f| f.verdict == Verdict::True).collect();
        assert!(!proved.is_empty());
        assert!(matches!(certificate, Certificate::Inductive { .. }), "{milliseconds} ms: {certificate:?}");
        certified += 1;
    }
    assert!(certified > 0, "no search proved anything");
}
