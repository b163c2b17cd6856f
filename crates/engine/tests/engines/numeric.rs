//! Numeric analysis on small programs; every proof is certified.

use crate::support::{PRELUDE, certified, cpu_limits, limits, problem, random_flat_text, random_loop, reaches_error};
use robusto_engine::numeric::{self, Domain, Split};
use robusto_engine::{bdd, certify, numpred};
use robusto_limits::Progress;
use robusto_verdict::{Reason, Verdict};
use std::time::Duration;

/// Time for one program.
const TIME: Duration = Duration::from_secs(2);

fn check_text(text: &str, domain: Domain, split: Split) -> Verdict {
    let problem = problem(text);
    let report = numeric::check(&problem, &[domain], split, &cpu_limits(TIME), &Progress::default());
    if report.verdict == Verdict::True {
        let certificate = report.certificate.as_ref().expect("every true has one");
        // A check that takes long says nothing.
        if let Err(failure @ certify::Failure::Refuted(_)) = certify::check(&problem, certificate, &cpu_limits(TIME)) {
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

/// y = 3x whatever wraps around: an equation modulo 2^32, and no inequality.
const WRAPPING: &str = "int main() { unsigned x = 0, y = 0; while (__VERIFIER_nondet_int()) { x = x + 1; y = y + 3; }
    if (y != 3 * x) __VERIFIER_error(); return 0; }";

#[test]
fn equations_outlive_overflow() {
    assert_eq!(check(WRAPPING, Domain::Affine, Split::No), Verdict::True);
    for domain in [Domain::Box, Domain::Octagon, Domain::Polyhedron] {
        assert!(is_imprecise(&check(WRAPPING, domain, Split::No)), "{domain:?}");
    }
    let wrong = WRAPPING.replace("y + 3", "y + 4");
    assert!(is_imprecise(&check(&wrong, Domain::Affine, Split::No)));
}

/// Words of different widths, and a value that is cut: the low bits are related.
#[test]
fn equations_relate_widths() {
    let body = "int main() { unsigned char c = 0; unsigned x = 5; unsigned long n = 0;
      while (__VERIFIER_nondet_int()) { c = c + 2; x = x + 2; n = n + 1; }
      if ((unsigned char)x != (unsigned char)(c + 5) || (unsigned)(2 * n) + 5 != x || x % 2 == 0) __VERIFIER_error();
      return 0; }";
    assert_eq!(check(body, Domain::Affine, Split::No), Verdict::True);
    assert!(is_imprecise(&check(&body.replace("c + 5", "c + 4"), Domain::Affine, Split::No)));
}

/// With predicates beside them.
#[test]
fn equations_beside_predicates() {
    let body = "int main() { unsigned x = 0, y = 0; int odd = 0;
      while (__VERIFIER_nondet_int()) { if (odd) { y = y + 1; x = x + 2; } else { y = y + 3; } odd = !odd; }
      if (!odd && y != 2 * x) __VERIFIER_error(); return 0; }";
    let text = format!("{PRELUDE}{body}");
    for structure in [numpred::Structure::Nex, numpred::Structure::Mtndd] {
        let options = numpred::Options {
            structure,
            domain: Domain::Affine,
            widening: true,
            variables: Some(vec!["x".to_owned(), "y".to_owned()]),
            predicates: None,
            traces: false,
        };
        let report = certified(&text, &options, |problem| {
            numpred::check(problem, &options, &cpu_limits(TIME), &Progress::default(), |_| {})
        });
        assert_eq!(report.verdict, Verdict::True, "{structure:?}");
    }
}

/// What is proved of random programs holds in all their executions.
#[test]
fn random_programs_against_all_executions() {
    let mut proved = [0; 4];
    for seed in 0..40 {
        let text = random_flat_text(seed);
        let expected = reaches_error(&text);
        for (count, domain) in proved.iter_mut().zip([Domain::Box, Domain::Affine, Domain::Octagon, Domain::Polyhedron])
        {
            let verdict = check_text(&text, domain, Split::Auto);
            assert!(!matches!(verdict, Verdict::False(_)), "it finds no violations");
            assert!(!(verdict == Verdict::True && expected), "seed {seed}, {domain:?}\n{text}");
            *count += usize::from(verdict == Verdict::True);
        }
    }
    assert!(proved.iter().all(|&count| count >= 4), "{proved:?}");
}

/// Random programs that never end, against decision diagrams.
#[test]
fn random_loops_against_diagrams() {
    let mut proved = 0;
    for seed in 0..40 {
        let text = random_loop(seed);
        let expected =
            bdd::check(&problem(&text), &bdd::Options::default(), &limits(), &Progress::default(), |_, _| {});
        let domain = [Domain::Box, Domain::Affine, Domain::Octagon, Domain::Polyhedron][seed as usize % 4];
        let verdict = check_text(&text, domain, Split::Auto);
        assert!(!(verdict == Verdict::True && expected.verdict != Verdict::True), "seed {seed}, {domain:?}\n{text}");
        proved += usize::from(verdict == Verdict::True);
    }
    assert!(proved >= 4, "{proved}");
}

/// What is stored is not tracked, so nothing is claimed.
#[test]
fn memory_is_unknown() {
    let body = "int a[3]; int main() { a[1] = 1; int i = __VERIFIER_nondet_int(); if (i < 0 || i > 2) return 0;
                a[i] = 2; if (a[1] != 1) __VERIFIER_error(); return 0; }";
    assert!(is_imprecise(&check(body, Domain::Octagon, Split::Auto)));
}
