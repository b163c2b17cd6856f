//! Image computation against all executions of random programs, against the BDD analysis, and on small programs by hand, with
//! every order of firing and every way to cut; every proof is certified.

use crate::support::{PRELUDE, limits, problem, random_loop, random_text, reaches_error};
use robusto_diagram::Reordering;
use robusto_engine::image::{self, Options};
use robusto_engine::{bdd, certify};
use robusto_image::disjunctive::{self, Criterion, Locality, Traversal};
use robusto_image::search::Method;
use robusto_limits::Progress;
use robusto_verdict::{Reason, Report, Verdict};
use std::time::Duration;

/// Time for one program: diagrams of products of two inputs are large.
const TIME: Duration = Duration::from_millis(700);

/// Checks a property; what is proved is certified.
fn check_with(text: &str, options: &Options) -> Report {
    let problem = problem(text);
    let report = image::check(&problem, options, &limits().within(TIME), &Progress::default(), None);
    if report.verdict == Verdict::True {
        let certificate = report.certificate.as_ref().expect("every true has one");
        if let Err(failure) = certify::check(&problem, certificate, &limits()) {
            panic!("{failure}\n{options:?}\n{certificate:?}\n{text}");
        }
    }
    report
}

fn check(body: &str) -> Verdict {
    check_with(&format!("{PRELUDE}{body}"), &Options::default()).verdict
}

/// Options that differ from program to program.
fn some_options(seed: u64) -> Options {
    let mut options = Options::default();
    let pick = |choices: u64, by: u64| (seed / by % choices) as usize;
    options.model.narrow = !seed.is_multiple_of(5);
    options.model.recursion = 4;
    let images = &mut options.images;
    images.method = Method::Disjunctive(disjunctive::Options {
        traversal: [Traversal::Wto, Traversal::Chain, Traversal::Fbf, Traversal::Mbm][pick(4, 1)],
        threshold: [0, 40, 175, usize::MAX][pick(4, 4)],
        locality: [Locality::Assigned, Locality::Relevant, Locality::Off][pick(3, 2)],
        criterion: [Criterion::LiveVar, Criterion::AsgnVar, Criterion::CfgEdge][pick(3, 3)],
        ..disjunctive::Options::default()
    });
    images.forget_dead = !seed.is_multiple_of(3);
    images.reordering = seed.is_multiple_of(7).then(|| Reordering { first: 500, ..Reordering::default() });
    options
}

#[test]
fn agrees_with_enumeration() {
    let (mut proved, mut violated, mut open) = (0, 0, 0);
    for seed in 3000..3040 {
        let text = random_text(seed);
        let expected = reaches_error(&text);
        match check_with(&text, &some_options(seed)).verdict {
            Verdict::False(_) => {
                assert!(expected, "seed {seed}: not reachable\n{text}");
                violated += 1;
            }
            Verdict::True => {
                assert!(!expected, "seed {seed}: reachable\n{text}");
                proved += 1;
            }
            Verdict::Unknown(Reason::Timeout | Reason::Memory) => open += 1,
            Verdict::Unknown(reason) => panic!("seed {seed}: {reason}\n{text}"),
        }
    }
    assert!(proved > 5 && violated > 5, "{proved} {violated} {open}");
}

#[test]
fn agrees_with_the_bdd_analysis_on_endless_loops() {
    let (mut proved, mut violated) = (0, 0);
    for seed in 0..120 {
        let text = random_loop(seed);
        let expected =
            bdd::check(&problem(&text), &bdd::Options::default(), &limits(), &Progress::default(), |_, _| {});
        match (check_with(&text, &some_options(seed)).verdict, expected.verdict) {
            (Verdict::True, Verdict::True) => proved += 1,
            (Verdict::False(_), Verdict::False(_)) => violated += 1,
            (Verdict::Unknown(Reason::Timeout), _) => {}
            (found, expected) => panic!("seed {seed}: {found:?} and not {expected:?}\n{text}"),
        }
    }
    assert!(proved > 40 && violated > 15, "{proved} {violated}");
}

#[test]
fn memory_is_exact() {
    let body = "char a[3]; int main() { char *p = &a[0]; int i = 0;
          while (__VERIFIER_nondet_int()) { *p = i; i = (i + 1) % 3; p = &a[i]; }
          if (a[0] != 0 || a[1] > 1 || a[2] > 2) __VERIFIER_error(); return 0; }";
    assert_eq!(check(body), Verdict::True);
    assert!(matches!(check(&body.replace("a[2] > 2", "a[2] > 1")), Verdict::False(_)));
}

#[test]
fn pointers_to_functions() {
    let body = "int mode; void up(void) { mode = 1; } void down(void) { mode = 0; } void (*next)(void) = down;
        int main() { while (__VERIFIER_nondet_int()) { next(); if (mode > 1) __VERIFIER_error();
          next = mode ? down : up; } return 0; }";
    assert_eq!(check(body), Verdict::True);
    assert!(matches!(check(&body.replace("mode > 1", "mode > 0")), Verdict::False(_)));
}

#[test]
fn recursion_is_bounded() {
    let body = "int f(int n) { if (n <= 0) return 0; return f(n - 1) + 1; }
        int main() { int n = __VERIFIER_nondet_uchar() & 1; if (f(n) > 1) __VERIFIER_error(); return 0; }";
    assert_eq!(check(body), Verdict::True);
    let more = body.replace("& 1", "& 15");
    assert_eq!(check(&more.replace("f(n) > 1", "f(n) > 15")), Verdict::Unknown(Reason::Bound(3)));
}

/// Figure 3(b) of the paper: forgetting dead variables ends the search after one round of the loop.
#[test]
fn dead_variables_end_the_search_early() {
    let text = format!(
        "{PRELUDE}int s; int main() {{ int x = 0, y = 0;
         for (;;) {{ x = 7; s = x; if (s > 8) __VERIFIER_error(); y = 8; s = y; if (s > 8) __VERIFIER_error(); }} }}"
    );
    let rounds = |forget_dead: bool| {
        let mut options = Options::default();
        options.model.narrow = false;
        let fbf = disjunctive::Options { traversal: Traversal::Fbf, ..disjunctive::Options::default() };
        options.images.method = Method::Disjunctive(fbf);
        options.images.forget_dead = forget_dead;
        let report = check_with(&text, &options);
        assert_eq!(report.verdict, Verdict::True);
        let (_, rounds) = report.counters.into_iter().find(|(name, _)| *name == "rounds").expect("they are counted");
        rounds.parse::<usize>().expect("a number")
    };
    assert!(rounds(true) <= rounds(false));
}
