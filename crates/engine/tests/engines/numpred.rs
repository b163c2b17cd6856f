//! Predicates and numbers in one state against the BDD analysis on random programs, and on the paper's programs; every proof is
//! certified.

use crate::support::{PRELUDE, cpu_limits, limits, problem, random_loop, random_text, reaches_error};
use robusto_engine::numeric::Domain;
use robusto_engine::numpred::{self, Options, Structure};
use robusto_engine::{bdd, certify};
use robusto_limits::Progress;
use robusto_verdict::{Report, Verdict};
use std::time::Duration;

/// Time for one program: those that it is enough for are enough for the test.
const TIME: Duration = Duration::from_millis(500);

const STRUCTURES: [Structure; 4] = [Structure::Nexpoint, Structure::Nex, Structure::Mtndd, Structure::Ndd];

const DOMAINS: [Domain; 3] = [Domain::Box, Domain::Octagon, Domain::Polyhedron];

/// Checks a property; what is proved is certified.
fn check_with(text: &str, structure: Structure, domain: Domain, time: Duration) -> Report {
    let problem = problem(text);
    let options = Options { structure, domain, widening: true, predicates: None, variables: None, traces: false };
    let report = numpred::check(&problem, &options, &cpu_limits(time), &Progress::default(), |_| {});
    if report.verdict == Verdict::True {
        let certificate = report.certificate.as_ref().expect("every true has one");
        if let Err(failure) = certify::check(&problem, certificate, &limits()) {
            panic!("{failure}\n{structure:?} {domain:?}\n{certificate:?}\n{text}");
        }
    }
    report
}

fn proves(body: &str, structure: Structure, domain: Domain) -> bool {
    check_with(&format!("{PRELUDE}{body}"), structure, domain, Duration::from_secs(20)).verdict == Verdict::True
}

#[test]
fn agrees_with_the_bdd_analysis_on_endless_loops() {
    let (mut proved, mut violated) = (0, 0);
    for seed in 0..60 {
        let text = random_loop(seed);
        let expected =
            bdd::check(&problem(&text), &bdd::Options::default(), &limits(), &Progress::default(), |_, _| {});
        let (structure, domain) = (STRUCTURES[seed as usize % 4], DOMAINS[seed as usize / 4 % 3]);
        match (check_with(&text, structure, domain, TIME).verdict, expected.verdict) {
            (Verdict::True, Verdict::True) => proved += 1,
            (Verdict::False(_), Verdict::False(_)) => violated += 1,
            (Verdict::Unknown(_), _) => {}
            (found, expected) => panic!("seed {seed}: {found:?} and not {expected:?}\n{text}"),
        }
    }
    assert!(proved > 5 && violated > 2, "{proved} {violated}");
}

/// With memory and calls; most of these programs have recursion that is not supported, and are unknown.
#[test]
fn agrees_with_enumeration() {
    for seed in 3000..3040 {
        let text = random_text(seed).replace("return r(n - 1, m + n) + 1;", "return m + n;");
        let (structure, domain) = (STRUCTURES[seed as usize % 4], DOMAINS[seed as usize / 4 % 3]);
        match check_with(&text, structure, domain, TIME).verdict {
            Verdict::False(_) => assert!(reaches_error(&text), "seed {seed}: not reachable\n{text}"),
            Verdict::True => assert!(!reaches_error(&text), "seed {seed}: reachable\n{text}"),
            Verdict::Unknown(_) => {}
        }
    }
}

/// Figure 1(b), with the variable that is meant in the first branch, `else return`, and comparisons as C means them.
#[test]
fn figure_1b_by_numbers_alone() {
    let body = "int main() { int y1 = __VERIFIER_nondet_int(), y2 = __VERIFIER_nondet_int(), x1, x2;
        if (3 <= y1 && y1 <= 4) { x1 = y1 - 2; x2 = y1 + 2; }
        else if (3 <= y2 && y2 <= 4) { x1 = y2 - 2; x2 = y2 + 2; } else return 0;
        if (!(5 <= x1 + x2 && x1 + x2 <= 10)) __VERIFIER_error(); return 0; }";
    for structure in STRUCTURES {
        assert!(proves(body, structure, Domain::Box), "{structure:?}");
    }
    let printed = body.replace("x2 = y1 + 2", "x2 = y2 + 2");
    let report = check_with(&format!("{PRELUDE}{printed}"), Structure::Nex, Domain::Box, Duration::from_secs(20));
    assert!(matches!(report.verdict, Verdict::False(_)), "{:?}", report.verdict);
}

/// A predicate keeps apart what a join of numbers would lose.
#[test]
fn numbers_per_valuation() {
    let body = "int main() { int y = __VERIFIER_nondet_int(), n = 1; if (y < 0) n = 0;
        if (y < 0 && n != 0) __VERIFIER_error(); return 0; }";
    for structure in [Structure::Nex, Structure::Mtndd, Structure::Ndd] {
        assert!(proves(body, structure, Domain::Box), "{structure:?}");
    }
}

/// Template 8(a): flat in its parameter.
#[test]
fn figure_8a() {
    let body = "int main() { int x = 0; while (x < 100000) ++x; if (x != 100000) __VERIFIER_error(); return 0; }";
    for structure in STRUCTURES {
        for domain in DOMAINS {
            assert!(proves(body, structure, domain), "{structure:?} {domain:?}");
        }
    }
}

/// Sums of machine integers wrap around: x + 1 > x is no truth.
#[test]
fn overflow_is_seen() {
    let body = "int main() { int x = __VERIFIER_nondet_int(); if (!(x + 1 > x)) __VERIFIER_error(); return 0; }";
    for structure in STRUCTURES {
        let report = check_with(&format!("{PRELUDE}{body}"), structure, Domain::Polyhedron, Duration::from_secs(20));
        assert!(matches!(report.verdict, Verdict::False(_)), "{structure:?} {:?}", report.verdict);
    }
}

/// A condition says something of c, which is not tracked: numbers must not remember it beyond an assignment to c.
#[test]
fn variables_that_are_not_tracked_are_not_remembered() {
    let body = "int main() { unsigned char a = 0, b = 1, c = 2;
        while (1) { if (b != 5) b = 7; if (b < 0) a = (c * 3) & 7; if (c < 1) a = 5; if (b < 7) a = b;
          if (a != 6) c = (b + 0) & 7; if (((a + b) & 15) == 8) __VERIFIER_error(); } }";
    for structure in STRUCTURES {
        for domain in DOMAINS {
            // A proof that rests on the old value of c is refuted when it is certified.
            let report = check_with(&format!("{PRELUDE}{body}"), structure, domain, TIME);
            assert!(!matches!(report.verdict, Verdict::False(_)), "{structure:?} {domain:?}");
        }
    }
}
