//! Property-directed reachability against all executions of random programs, against the BDD analysis, and on small programs
//! by hand; every proof is certified.

use crate::support::{PRELUDE, against_bdd, against_executions, certified, cpu_limits, limits, program};
use robusto_engine::Problem;
use robusto_engine::pdr::{self, Options};
use robusto_limits::Progress;
use robusto_verdict::{Property, Reason, Report, Verdict};
use std::time::Duration;

/// Time for one program. With many cuts and no bounds, a few take longer.
const TIME: Duration = Duration::from_secs(2);

/// Checks a property; what is proved is certified.
fn check_with(text: &str, options: &Options) -> Report {
    certified(text, options, |problem| pdr::check(problem, options, &cpu_limits(TIME), &Progress::default()))
}

fn check(body: &str) -> Verdict {
    check_with(&format!("{PRELUDE}{body}"), &Options::default()).verdict
}

/// Options that differ from program to program: bounds or none, narrow words or not, cuts here and there.
fn some_options(seed: u64) -> Options {
    let mut options = Options { invariants: seed.is_multiple_of(2), ..Options::default() };
    options.model.narrow = !seed.is_multiple_of(3);
    options.model.recursion = 4;
    options.search.longest = [6, 20, 50][(seed % 7 % 3) as usize];
    options
}

#[test]
fn agrees_with_enumeration() {
    let [proved, violated, open] =
        against_executions(2000..2050, |seed, text| check_with(text, &some_options(seed)).verdict);
    assert!(proved > 8 && violated > 8 && open < 20, "{proved} {violated} {open}");
}

#[test]
fn agrees_with_the_bdd_analysis_on_endless_loops() {
    let [proved, violated, open] = against_bdd(0..150, |seed, text| check_with(text, &some_options(seed)).verdict);
    assert!(proved > 60 && violated > 20 && open == 0, "{proved} {violated} {open}");
}

#[test]
fn memory_is_exact() {
    let body = "int a[3]; struct node { int value; struct node *next; };
        int main() { struct node x = {1, 0}, y = {2, &x}, *p = &y; int i = 0;
          while (__VERIFIER_nondet_int()) { a[i] = p->value; i = (i + 1) % 3; p = p->next ? p->next : &y; }
          if (a[0] > 2 || (i == 0 && a[2] != 0 && a[0] == 0)) __VERIFIER_error(); return 0; }";
    assert_eq!(check(body), Verdict::True);
    assert!(matches!(check(&body.replace("a[0] > 2", "a[0] > 1")), Verdict::False(_)));
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
fn the_heap_is_bounded() {
    let body = "void *malloc(unsigned long);
        int main() { int *p = 0, *q = malloc(4); if (!q) return 0; *q = 3;
          while (__VERIFIER_nondet_int()) { p = q; if (*p != 3) __VERIFIER_error(); } return 0; }";
    assert_eq!(check(body), Verdict::True);
    assert!(matches!(check(&body.replace("*p != 3", "*p == 3")), Verdict::False(_)));
    // Nothing is said of executions that allocate more; violations are still found.
    let more = body.replace("p = q;", "p = malloc(4); if (!p) return 0; *p = 3;");
    assert_eq!(check(&more), Verdict::Unknown(Reason::Bound(256)));
    assert!(matches!(check(&more.replace("*p != 3", "*p == 3")), Verdict::False(_)));
}

#[test]
fn recursion_is_bounded() {
    let body = "int f(int n) { if (n <= 0) return 0; return f(n - 1) + 1; }
        int main() { int n = __VERIFIER_nondet_uchar() & 1; if (f(n) > 1) __VERIFIER_error(); return 0; }";
    assert_eq!(check(body), Verdict::True);
    let more = body.replace("& 1", "& 15");
    assert!(matches!(check(&more), Verdict::False(_)));
    assert_eq!(check(&more.replace("f(n) > 1", "f(n) > 15")), Verdict::Unknown(Reason::Bound(3)));
}

/// A word whose few values all answer a test alike is no longer in the model, but the certificate needs to know them.
#[test]
fn words_that_are_no_longer_in_the_model_are_in_the_certificate() {
    let text = format!(
        "{PRELUDE}int main() {{ int m = __VERIFIER_nondet_int() ? 1 : 2, a = 0;
         while (__VERIFIER_nondet_int()) {{ if (m == 0) a = 1; if (a) __VERIFIER_error(); }} return 0; }}"
    );
    let options = Options { invariants: false, ..Options::default() };
    assert_eq!(check_with(&text, &options).verdict, Verdict::True);
    let report = check_with(&text.replace("m == 0", "m == 1"), &options);
    assert!(matches!(report.verdict, Verdict::False(_)));
}

/// Levels count rounds of loops: a long program without loops has one, and one more to see that nothing changes.
#[test]
fn straight_programs_have_one_level() {
    let steps: String = (0..200).map(|i| format!("if (__VERIFIER_nondet_int()) x = {};", i % 3)).collect();
    let text = format!("{PRELUDE}int main() {{ int x = 0; {steps} if (x == 3) __VERIFIER_error(); return 0; }}");
    let report = check_with(&text, &Options::default());
    assert_eq!(report.verdict, Verdict::True);
    assert!(report.counters.contains(&("frames", "2".to_owned())), "{:?}", report.counters);
    let report = check_with(&text.replace("x == 3", "x == 2"), &Options::default());
    assert!(matches!(report.verdict, Verdict::False(_)));
    assert!(report.counters.contains(&("frames", "1".to_owned())), "{:?}", report.counters);
}

/// Calls of one function in one path make choices of their own.
#[test]
fn choices_of_two_calls_differ() {
    let body = "int in(void) { return __VERIFIER_nondet_uchar() & 1; }
        int main() { int a = in(), b = in(); if (a != b) __VERIFIER_error(); return 0; }";
    assert!(matches!(check(body), Verdict::False(_)));
}

#[test]
fn each_target_by_itself() {
    let body = "int main() { int x = 0, n = 0; while (1) { n++; x = 1 - x;
        if (x > 1) { error_1: n = 7; } if (n == 5) { error_2: n = 8; } } }";
    let problem = Problem::new(program(&format!("{PRELUDE}{body}")), &Property::All);
    let report = pdr::check(&problem, &Options::default(), &limits(), &Progress::default());
    let verdicts: Vec<(&str, bool)> =
        report.findings.iter().map(|f| (f.target.name.as_str(), f.verdict == Verdict::True)).collect();
    assert_eq!(verdicts, [("error_1", true), ("error_2", false)]);
    assert!(report.certificate.is_some(), "a part is proved");
}
