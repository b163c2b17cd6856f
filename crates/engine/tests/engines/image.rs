//! Image computation against all executions of random programs, against the BDD analysis, and on small programs by hand, with
//! every order of firing and every way to cut; every proof is certified.

use crate::support::{PRELUDE, against_bdd, against_executions, certified, cpu_limits, limits, program};
use robusto_diagram::Reordering;
use robusto_engine::Problem;
use robusto_engine::image::{self, Options};
use robusto_image::conjunctive::{self, Arrangement};
use robusto_image::disjunctive::{self, Criterion, Direction, Locality, Stores, Traversal};
use robusto_image::search::Method;
use robusto_limits::Progress;
use robusto_verdict::{Property, Reason, Report, Verdict};
use std::time::Duration;

/// Time for one program: diagrams of products of two inputs are large.
const TIME: Duration = Duration::from_millis(700);

/// Checks a property; what is proved is certified.
fn check_with(text: &str, options: &Options) -> Report {
    certified(text, options, |problem| image::check(problem, options, &cpu_limits(TIME), &Progress::default(), None))
}

const EVERY_DIRECTION: [Direction; 3] = [Direction::Forward, Direction::Backward, Direction::Both];

/// The default options but for where the search begins.
fn from(direction: Direction) -> Options {
    let mut options = Options::default();
    options.images.method = Method::Disjunctive(disjunctive::Options { direction, ..disjunctive::Options::default() });
    options
}

/// The verdict, which does not depend on where the search begins.
fn check(body: &str) -> Verdict {
    let verdict = |direction| check_with(&format!("{PRELUDE}{body}"), &from(direction)).verdict;
    let [forward, backward, both] = EVERY_DIRECTION.map(verdict);
    for other in [backward, both] {
        let is_same = match (&forward, &other) {
            (Verdict::False(_), Verdict::False(_)) => true,
            (forward, other) => forward == other,
        };
        assert!(is_same, "{forward:?} and {other:?}\n{body}");
    }
    forward
}

/// Options that differ from program to program.
fn some_options(seed: u64) -> Options {
    let mut options = Options::default();
    options.model.narrow = !seed.is_multiple_of(5);
    options.model.recursion = 4;
    let images = &mut options.images;
    images.method = if seed % 8 < 3 { some_conjunctive(seed / 8) } else { some_disjunctive(seed) };
    images.forget_dead = !seed.is_multiple_of(3);
    images.reordering = seed.is_multiple_of(7).then(|| Reordering { first: 500, ..Reordering::default() });
    options
}

fn some_disjunctive(seed: u64) -> Method {
    let pick = |choices: u64, by: u64| (seed / by % choices) as usize;
    Method::Disjunctive(disjunctive::Options {
        direction: EVERY_DIRECTION[pick(3, 5)],
        traversal: [Traversal::Wto, Traversal::Chain, Traversal::Fbf, Traversal::Mbm][pick(4, 1)],
        threshold: [0, 40, 175, usize::MAX][pick(4, 4)],
        locality: [Locality::Assigned, Locality::Relevant, Locality::Off][pick(3, 2)],
        criterion: [Criterion::LiveVar, Criterion::AsgnVar, Criterion::CfgEdge][pick(3, 3)],
        stores: [Stores::One, Stores::Each][pick(2, 16)],
        ..disjunctive::Options::default()
    })
}

fn some_conjunctive(seed: u64) -> Method {
    use Arrangement::{Iwls95, Mlp, Monolithic, PerVariable};
    let pick = |choices: u64, by: u64| (seed / by % choices) as usize;
    Method::Conjunctive(conjunctive::Options {
        arrangement: [Mlp, Iwls95, PerVariable, Monolithic, Mlp][pick(5, 1)],
        cluster_limit: [1000, 5000][pick(2, 5)],
        reset_dead: seed.is_multiple_of(2),
    })
}

#[test]
fn agrees_with_enumeration() {
    let [proved, violated, open] =
        against_executions(3000..3040, |seed, text| check_with(text, &some_options(seed)).verdict);
    assert!(proved > 5 && violated > 5, "{proved} {violated} {open}");
}

#[test]
fn agrees_with_the_bdd_analysis_on_endless_loops() {
    let [proved, violated, _] = against_bdd(0..120, |seed, text| check_with(text, &some_options(seed)).verdict);
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
fn an_early_return_does_not_end_the_search() {
    // Bounds show that the error is not reached, so the model does not have it.
    let body = "int main() { if (__VERIFIER_nondet_int()) return 0; int i = 0; while (i < 100) i++;
        if (i > 200) __VERIFIER_error(); return 0; }";
    assert_eq!(check(body), Verdict::True);
    // The error is beyond the bound, and so is not in the model either.
    let body = "short v; int f(int n) { v = 0; while (v < 100) v++; if (n == 0) return 0; f(n - 1); __VERIFIER_error(); return 1; }
        int main() { if (__VERIFIER_nondet_int()) return 0; f(1); return 0; }";
    let mut options = from(Direction::Forward);
    options.model.recursion = 1;
    assert_eq!(check_with(&format!("{PRELUDE}{body}"), &options).verdict, Verdict::Unknown(Reason::Bound(1)));
}

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

#[test]
fn each_target_by_itself() {
    let body = "int main() { int x = 0; unsigned char n = 0; while (1) { n++; x = 1 - x;
        if (x > 1) { error_1: n = 7; } if (n == 5) { error_2: n = 8; } if (n == 6) { error_3: n = 9; } } }";
    let problem = Problem::new(program(&format!("{PRELUDE}{body}")), &Property::All);
    for direction in EVERY_DIRECTION {
        let report = image::check(&problem, &from(direction), &limits(), &Progress::default(), None);
        let verdicts: Vec<(&str, bool)> =
            report.findings.iter().map(|f| (f.target.name.as_str(), f.verdict == Verdict::True)).collect();
        assert_eq!(verdicts, [("error_1", true), ("error_2", false), ("error_3", true)], "{direction:?}");
        assert!(report.certificate.is_some(), "a part is proved: {direction:?}");
    }
}

/// What the model has no room for is bad like a violation, but a violation beside it is found.
#[test]
fn a_bound_that_is_reached_does_not_hide_a_violation() {
    let body = "int f(int n) { if (n <= 0) return 0; return f(n - 1) + 1; }
        int main() { int n = __VERIFIER_nondet_uchar() & 15; if (f(n) == 2) __VERIFIER_error(); return 0; }";
    assert!(matches!(check(body), Verdict::False(_)));
    assert_eq!(check(&body.replace("== 2", "== 20")), Verdict::Unknown(Reason::Bound(3)));
}
