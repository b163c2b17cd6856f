//! Numeric analysis on small programs; every proof is certified.

use crate::support::{PRELUDE, limits, problem};
use robusto_engine::certify;
use robusto_engine::numeric::{self, Domain, Split};
use robusto_limits::Progress;
use robusto_verdict::{Reason, Verdict};
use std::time::Duration;

/// Time for one program.
const TIME: Duration = Duration::from_secs(2);

fn check_text(text: &str, domain: Domain, split: Split) -> Verdict {
    let problem = problem(text);
    let report = numeric::check(&problem, &[domain], split, &limits().within(TIME), &Progress::default());
    if report.verdict == Verdict::True {
        let certificate = report.certificate.as_ref().expect("every true has one");
        // A check that takes long says nothing.
        if let Err(failure @ certify::Failure::Refuted(_)) =
            certify::check(&problem, certificate, &limits().within(TIME))
        {
            panic!("{failure}\n{domain:?} {split:?}\n{certificate:?}\n{text}");
        }
    }
    report.verdict
}

fn check(body: &str, domain: Domain, split: Split) -> Verdict {
    check_text(&format!("{PRELUDE}{body}"), domain, split)
}

fn is_imprecise(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Unknown(Reason::Imprecise(_)))
}

/// Two counters: the relation is an octagon.
const TWO_COUNTERS: &str =
    "int main() { int i = 0, j = 0; while (i < 1000) { i++; j++; } if (j != 1000) __VERIFIER_error(); return 0; }";

/// Widening keeps the relation, and the bound that is met behind the loop reaches the other counter.
#[test]
fn octagons_relate_counters() {
    assert_eq!(check(TWO_COUNTERS, Domain::Octagon, Split::No), Verdict::True);
    assert_eq!(check(TWO_COUNTERS, Domain::Polyhedron, Split::No), Verdict::True);
    assert!(is_imprecise(&check(TWO_COUNTERS, Domain::Box, Split::No)));
}

/// y = 2x is a polyhedron, and no octagon.
#[test]
fn polyhedra_know_factors() {
    let body =
        "int main() { int x = 0, y = 0; while (__VERIFIER_nondet_int()) { if (x < 1000) { x = x + 1; y = y + 2; } }
                if (y != 2 * x) __VERIFIER_error(); return 0; }";
    assert_eq!(check(body, Domain::Polyhedron, Split::No), Verdict::True);
    assert!(is_imprecise(&check(body, Domain::Octagon, Split::No)));
}

/// The counter wraps around: what holds over the integers does not hold here.
#[test]
fn sums_wrap_around() {
    let body = "int main() { unsigned char x = __VERIFIER_nondet_uchar(); unsigned char y = x + 1;
                if (y <= x) __VERIFIER_error(); return 0; }";
    for domain in [Domain::Box, Domain::Octagon, Domain::Polyhedron] {
        assert!(is_imprecise(&check(body, domain, Split::Auto)));
    }
    let bounded = body.replace("unsigned char y", "if (x == 255) return 0; unsigned char y");
    assert_eq!(check(&bounded, Domain::Octagon, Split::No), Verdict::True);
}

/// A state machine with arithmetic: the modes tell which range the number is in.
#[test]
fn cells_keep_modes_apart() {
    let body = "int mode = 1, n = 50;
int main() {
  while (1) {
    int in = __VERIFIER_nondet_int();
    if (mode == 1 && in == 1) { mode = 2; n = n % 40 + 200; }
    else if (mode == 2 && n <= 100) { __VERIFIER_error(); }
    else if (mode == 2 && in == 2) { mode = 1; n = n / 4; }
  }
}";
    assert_eq!(check(body, Domain::Box, Split::Cells), Verdict::True);
    assert_eq!(check(body, Domain::Box, Split::Auto), Verdict::True);
    assert!(is_imprecise(&check(body, Domain::Box, Split::No)));
}

/// What a call does to a global, an argument and a result is followed.
#[test]
fn calls_keep_relations() {
    let body = "int g;
int next(int x) { g = x; return x + 1; }
int main() { int n = __VERIFIER_nondet_int(); if (n < 0 || n > 1000) return 0;
  int m = next(n); if (m != n + 1 || g != n) __VERIFIER_error(); return 0; }";
    assert_eq!(check(body, Domain::Octagon, Split::No), Verdict::True);
}

/// What is stored is not tracked, so nothing is claimed.
#[test]
fn memory_is_unknown() {
    let body = "int a[3]; int main() { a[1] = 1; int i = __VERIFIER_nondet_int(); if (i < 0 || i > 2) return 0;
                a[i] = 2; if (a[1] != 1) __VERIFIER_error(); return 0; }";
    assert!(is_imprecise(&check(body, Domain::Octagon, Split::Auto)));
}
