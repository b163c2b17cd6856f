//! The explicit-value analysis and the product of domains, against all executions of random programs, against the BDD analysis,
//! and on small programs by hand; every proof is certified.

use crate::support::{PRELUDE, against_bdd, certified, cpu_limits, limits, problem, random_text, reaches_error};
use robusto_analyses::predicate::Scope;
use robusto_analyses::product::{Assignment, Domain, Domains, show};
use robusto_engine::bdd;
use robusto_engine::product::{Options, check};
use robusto_limits::Progress;
use robusto_verdict::{Reason, Report, Verdict};
use std::time::Duration;

/// Time for one program.
const TIME: Duration = Duration::from_secs(2);

fn options(domains: &str) -> Options {
    Options { domains: domains.parse().expect("domains"), ..Options::default() }
}

/// Checks a property; what is proved is certified.
fn report(text: &str, options: &Options) -> Report {
    certified(text, options, |problem| check(problem, options, &cpu_limits(TIME), &Progress::default(), |_, _| {}))
}

fn verdict(body: &str, domains: &str) -> Verdict {
    report(&format!("{PRELUDE}{body}"), &options(domains)).verdict
}

fn counter(report: &Report, name: &str) -> String {
    report.counters.iter().find(|(known, _)| *known == name).expect("it is counted").1.clone()
}

fn is_imprecise(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Unknown(Reason::Imprecise(_)))
}

/// All combinations that differ in kind, with constants tracked everywhere, in functions, at locations.
const DOMAINS: [&str; 5] = ["value", "value,bdd", "value,bdd,interval", "bdd,interval", "value,bdd,interval,predicate"];

fn some_options(seed: u64) -> Options {
    let scope = [Scope::Global, Scope::Function, Scope::Location][(seed / 5 % 3) as usize];
    Options { scope, ..options(DOMAINS[(seed % 5) as usize]) }
}

#[test]
fn agrees_with_enumeration() {
    let mut count = [0; 3];
    for seed in 4000..4120 {
        let text = random_text(seed);
        let expected = reaches_error(&text);
        let options = some_options(seed);
        match report(&text, &options).verdict {
            Verdict::True => {
                assert!(!expected, "seed {seed}: reachable, {options:?}\n{text}");
                count[0] += 1;
            }
            Verdict::False(_) => {
                assert!(expected, "seed {seed}: not reachable, {options:?}\n{text}");
                count[1] += 1;
            }
            // Memory has no value, and recursion that depends on it seems endless.
            Verdict::Unknown(
                Reason::Imprecise(_) | Reason::OutsideRules(_) | Reason::Timeout | Reason::Unsupported(_),
            ) => count[2] += 1,
            Verdict::Unknown(reason) => panic!("seed {seed}: {reason}, {options:?}\n{text}"),
        }
    }
    let [proved, violated, open] = count;
    assert!(proved > 10 && violated > 20 && open < 85, "{proved} {violated} {open}");
}

#[test]
fn agrees_with_the_bdd_analysis_on_endless_loops() {
    let domains = ["value,bdd,interval", "value,bdd", "bdd,interval"];
    let [proved, violated, open] =
        against_bdd(0..120, |seed, text| report(text, &options(domains[(seed % 3) as usize])).verdict);
    assert!(proved > 45 && violated > 15 && open < 15, "{proved} {violated} {open}");
}

/// An enumerated state and two linear counters. The counters take millions of values, which are too many for sets of their bits;
/// the state is nothing for intervals alone.
const MIXER: &str = include_str!("../../../../examples/mixer.c");

#[test]
fn an_enumerated_state_and_two_counters() {
    let product = report(MIXER, &Options::default());
    assert_eq!(product.verdict, Verdict::True);
    let problem = problem(MIXER);
    let alone =
        |time| bdd::check(&problem, &bdd::Options::default(), &cpu_limits(time), &Progress::default(), |_, _| {});
    assert_eq!(alone(TIME).verdict, Verdict::Unknown(Reason::Timeout));
    for domains in ["bdd", "value", "value,bdd"] {
        let alone = report(MIXER, &options(domains)).verdict;
        assert!(matches!(alone, Verdict::Unknown(_)), "{domains}: {alone:?}");
    }
}

/// Who tracks what is decided by the class of a variable, and by the domains that there are.
#[test]
fn variables_are_handed_to_domains_by_class() {
    let problem = problem(MIXER);
    let owner = |domains: &str, name: &str| {
        let domains: Domains = domains.parse().expect("domains");
        let assignment = Assignment::of(&problem.facts, &domains);
        let var = problem.facts.program.vars.enumerate().find(|(_, var)| &*var.name == name).expect("a variable").0;
        assignment.get(var)
    };
    assert_eq!(owner("value,bdd,interval", "state"), Some(Domain::Bdd));
    assert_eq!(owner("value,bdd,interval", "filled"), Some(Domain::Interval));
    assert_eq!(owner("value,bdd", "filled"), Some(Domain::Value));
    assert_eq!(owner("value,interval", "state"), Some(Domain::Value));
    assert_eq!(owner("bdd", "filled"), Some(Domain::Bdd));
    assert_eq!(owner("predicate", "filled"), Some(Domain::Predicate));
    let all: Domains = "value,bdd,interval".parse().expect("domains");
    let shown = Assignment::of(&problem.facts, &all).show(&problem.facts).to_string();
    assert!(shown.contains("interval: 2 variables: filled, drained"), "{shown}");
    assert!("value,zones".parse::<Domains>().is_err());
}

/// Only what a path needs is tracked: not the counter of the loop, which would be unrolled a million times.
#[test]
fn constants_are_tracked_lazily() {
    let text = format!(
        "{PRELUDE}int main() {{ int mode = 3, i = 0; while (i < 1000000) {{ i++; mode = 7 - mode; mode = 7 - mode; }}
         if (mode != 3) __VERIFIER_error(); return 0; }}"
    );
    let report = report(&text, &options("value"));
    assert_eq!(report.verdict, Verdict::True);
    assert_eq!(counter(&report, "explicit variables"), "1 (mode)");
}

/// What intervals know decides a flag that the diagrams track.
#[test]
fn numbers_strengthen_sets() {
    let body = "int main() { int n = 0; _Bool small; while (1) { if (n < 1000000) n = n + 2; small = n < 2000000;
         if (!small) __VERIFIER_error(); } }";
    assert_eq!(verdict(body, "bdd,interval"), Verdict::True);
    assert!(matches!(verdict(&body.replace("n < 2000000", "n < 1000000"), "bdd,interval"), Verdict::Unknown(_)));
}

/// The modes tell which range the number is in: intervals are kept apart by cells as soon as a path needs it.
#[test]
fn intervals_are_kept_apart_where_paths_need_it() {
    let text = format!(
        "{PRELUDE}int mode = 1, n = 50;
int main() {{
  while (1) {{
    int in = __VERIFIER_nondet_int();
    if (mode == 1 && in == 1) {{ mode = 2; n = n % 40 + 200; }}
    else if (mode == 2 && n <= 100) {{ __VERIFIER_error(); }}
    else if (mode == 2 && in == 2) {{ mode = 1; n = n / 4; }}
  }}
}}"
    );
    let proved = report(&text, &options("bdd,interval"));
    assert_eq!(proved.verdict, Verdict::True);
    assert_eq!(counter(&proved, "intervals kept apart"), "1 (n)");
    assert_eq!(counter(&proved, "refinements"), "1");
    let violated = text.replace("n % 40 + 200", "n % 40 + 60");
    assert!(matches!(report(&violated, &options("value,bdd,interval")).verdict, Verdict::False(_)));
}

/// A relation between two inputs is nothing for constants and intervals.
#[test]
fn predicates_are_the_last_resort() {
    let body = "int main() { int x = __VERIFIER_nondet_int(), y = x, on = 0;
         while (__VERIFIER_nondet_int()) { x = x + 1; y = y + 1; on = 1 - on; }
         if (x != y || on > 1) __VERIFIER_error(); return 0; }";
    assert!(is_imprecise(&verdict(body, "value,interval")));
    assert_eq!(verdict(body, "value,bdd,interval,predicate"), Verdict::True);
    assert!(matches!(verdict(&body.replace("x != y", "x == y + 1"), "value,bdd,interval,predicate"), Verdict::True));
}

/// A box that grows is propagated with all of its set, also where nothing of the set is new.
#[test]
fn a_box_that_grows_takes_its_set_along() {
    let body = "int main() { int mode = 0, n = 0; while (1) { if (mode == 0 && n < 5) n = n + 1;
         if (mode == 0 && n == 5) __VERIFIER_error(); } }";
    for domains in ["bdd,interval", "value,bdd,interval", "value,interval"] {
        assert!(matches!(verdict(body, domains), Verdict::False(_)), "{domains}");
    }
}

/// The drawing says what the domains know: constants, bounds, and sets as formulas.
#[test]
fn states_are_shown() {
    let text = format!(
        "{PRELUDE}int main() {{ int mode = 0, n = 0; while (1) {{ if (n < 9) n = n + 1; else n = 0;
         if (mode == 1 && n > 20) __VERIFIER_error(); if (n == 3) mode = 1; }} }}"
    );
    let mut shown = Vec::new();
    let options = options("value,bdd,interval");
    check(&problem(&text), &options, &limits(), &Progress::default(), |product, arg| {
        shown = arg.ids().flat_map(|id| show(product, &arg.node(id).state.data)).collect();
    });
    assert!(shown.contains(&"0 <= n <= 9".to_owned()), "{shown:?}");
}
