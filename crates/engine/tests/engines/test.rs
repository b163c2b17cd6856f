//! Testing: what it finds, that it claims nothing else, and its limits.

use crate::support::{PRELUDE, cpu_limits, limits, problem, random_text, reaches_error};
use robusto_engine::test;
use robusto_limits::{Limits, Progress};
use robusto_verdict::{Reason, Report, Verdict};
use std::time::Duration;

fn check(body: &str, limits: &Limits) -> Report {
    let text = format!("{PRELUDE}{body}");
    test::check(&problem(&text), &test::Options { traces: true }, limits, &Progress::default())
}

#[test]
fn errors_behind_long_loops() {
    let body = "int main() { unsigned x = 0, n = 0; while (x < 3000000) { x += 2; n++; } if (n == 1500000) __VERIFIER_error(); }";
    let report = check(body, &limits());
    assert!(matches!(report.verdict, Verdict::False(_)), "{:?}", report.verdict);
}

#[test]
fn inputs_from_the_constants_of_the_program() {
    let body = "int main() { int x = __VERIFIER_nondet_int(); if (x == 123456789) __VERIFIER_error(); }";
    let Verdict::False(found) = check(body, &limits()).verdict else { panic!("not found") };
    assert_eq!(found.inputs[0].value, "123456789");
    assert!(!found.trace.is_empty());
}

#[test]
fn the_only_execution() {
    let body = "int main() { int x = 0; while (x < 100000) x++; if (x != 100000) __VERIFIER_error(); }";
    let report = check(body, &limits());
    assert!(matches!(report.verdict, Verdict::Unknown(Reason::Tested(_))), "{:?}", report.verdict);
}

#[test]
fn errors_from_memory_without_a_value() {
    // With zeros, nothing is found; the program asks for no input.
    let body = "int main() { int a[40], i = 0; for (; i < 40; i++) { if (i != 17) a[i] = 0; } \
                if (a[17] != 0) __VERIFIER_error(); }";
    let Verdict::False(found) = check(body, &limits()).verdict else { panic!("not found") };
    assert_eq!(found.locals, robusto_verdict::Locals::Pattern);
}

#[test]
fn one_input_that_no_later_one_equals() {
    let body = "int main() { static char a[3000]; char x = __VERIFIER_nondet_uchar(); unsigned i; \
                for (i = 0; i < 3000; i++) a[i] = __VERIFIER_nondet_uchar(); \
                for (i = 0; i < 3000; i++) if (a[i] == x) return 0; __VERIFIER_error(); }";
    assert!(matches!(check(body, &limits()).verdict, Verdict::False(_)));
}

#[test]
fn ends_at_the_limit() {
    let own = cpu_limits(Duration::from_millis(300));
    let body = "int main() { unsigned x = 0; while (1) { x += 2; if (x == 7) __VERIFIER_error(); } }";
    assert_eq!(check(body, &own).verdict, Verdict::Unknown(Reason::Timeout));
}

#[test]
fn agrees_with_enumeration() {
    let mut found = 0;
    for seed in 2000..2150 {
        let text = random_text(seed);
        let own = cpu_limits(Duration::from_millis(50));
        let problem = problem(&text);
        let report = test::check(&problem, &test::Options { traces: false }, &own, &Progress::default());
        match report.verdict {
            Verdict::False(_) => {
                assert!(reaches_error(&text), "seed {seed}: not reachable\n{text}");
                found += 1;
            }
            Verdict::True => assert!(problem.targets.is_empty(), "seed {seed}: testing proves nothing\n{text}"),
            Verdict::Unknown(_) => {}
        }
    }
    assert!(found > 20, "{found} found");
}
