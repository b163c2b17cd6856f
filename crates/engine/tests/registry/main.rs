//! Engines come from a registry: one file and one line add one. What one of them does wrong is told, and harms no other.

mod toy;

use robusto_cfa::ir::DataModel;
use robusto_cfa::{Options, compile};
use robusto_engine::auto::{self, EXPLAIN, Plan, Turn};
use robusto_engine::certify::{Conditions, Policy};
use robusto_engine::registry::{ARG, Engine, Job, MAX_BOUND, ORDER, Outputs, Registry, Values, run};
use robusto_engine::{Problem, kind};
use robusto_limits::{Limits, Progress};
use robusto_syntax::SourceMap;
use robusto_verdict::{Certification, Property, Reason, Report, Verdict};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

/// The one line.
fn registry() -> Registry {
    Registry::standard().with(&toy::ENGINE)
}

const SAFE: &str =
    "int a; int main() { while (__VERIFIER_nondet_int()) { a = 1 - a; if (a == 2) __VERIFIER_error(); } }";
const UNSAFE: &str = "int main() { if (__VERIFIER_nondet_int() == 17) __VERIFIER_error(); }";

fn problem(text: &str) -> Problem {
    let prelude = "extern void __VERIFIER_error(void); extern int __VERIFIER_nondet_int(void);";
    let mut sources = SourceMap::new();
    let file = sources.add("test.c", format!("{prelude}{text}")).expect("small");
    let (program, _) = compile(&mut sources, &[file], Options::new(DataModel::Lp64)).expect("it compiles");
    Problem::new(program, &Property::UnreachCall)
}

/// Calls with a job that leaves `seconds`.
fn with_job(text: &str, values: &Values, seconds: u64, call: impl FnOnce(&Job<'_>) -> Report) -> Report {
    let (problem, progress, outputs) = (&problem(text), &Progress::default(), &Outputs::default());
    let limits = &Limits::new(Some(Duration::from_secs(seconds)), None, Arc::default());
    let certify = Conditions::new(Policy::Auto, false, limits);
    call(&Job { problem, values, traces: false, limits, progress, certify, outputs })
}

/// A plan with a lane for each list of engines.
fn plan(lanes: &[&[&'static Engine]]) -> Plan {
    let turns = |lane: &&[&'static Engine]| lane.iter().map(|&engine| Turn { engine, time: None }).collect();
    Plan { lanes: lanes.iter().map(turns).collect(), glance: false, why: "a test" }
}

fn believing(what: &str) -> Values {
    Values::default().with(&toy::BELIEF, what)
}

#[test]
fn a_toy_is_added_by_a_file_and_a_line() {
    let registry = registry();
    assert_eq!(registry.named("toy"), Some(&toy::ENGINE));
    assert!(registry.options().contains(&&toy::BELIEF));
    assert_eq!(registry.owners(&toy::BELIEF), [&toy::ENGINE]);
    let report = with_job(SAFE, &Values::default(), 60, |job| run(&toy::ENGINE, job));
    assert_eq!(report.verdict, Verdict::Unknown(Reason::NoProgress));
}

#[test]
fn options_of_other_engines_are_errors() {
    let registry = registry();
    let engine = |name: &str| registry.named(name).expect("it is there");
    let given = Values::default().with(&ORDER, "bfs").with(&MAX_BOUND, "3");
    let error = registry.check(engine("bdd"), &given).expect_err("bdd has no bound");
    assert_eq!(error.to_string(), "`--max-bound` is no option of `--analysis bdd`; bmc, accelerate and kind have it");
    let error = registry.check(engine("kind"), &given).expect_err("kind has no order");
    assert_eq!(
        error.to_string(),
        "`--order` is no option of `--analysis kind`; bdd, value, product, predicate and impact have it"
    );
    let error = registry.check(engine("bdd"), &believing("true")).expect_err("bdd believes nothing");
    assert_eq!(error.to_string(), "`--belief` is no option of `--analysis bdd`; toy has it");
    registry.check(engine("auto"), &given).expect("auto passes them on");
    registry.check(engine("auto"), &believing("true")).expect("those of new engines too");
    let drawn = Values::default().with(&ARG, "");
    assert!(registry.check(engine("auto"), &drawn).is_err(), "one file for several engines");
    registry.check(engine("impact"), &drawn).expect("it has a graph");
    assert!(registry.check(engine("test"), &Values::default().with(&EXPLAIN, "")).is_err());
}

#[test]
fn options_reach_the_engines_of_a_plan() {
    let values = Values::default().with(&MAX_BOUND, "1");
    let deep = "int main() { int i; for (i = 0; i < 9; i++); if (i == 9) __VERIFIER_error(); }";
    let bounded = with_job(deep, &values, 60, |job| auto::check(job, &plan(&[&[&robusto_engine::bmc::ENGINE]])));
    assert_eq!(bounded.verdict, Verdict::Unknown(Reason::Bound(1)));
}

#[test]
fn a_lane_that_panics_discards_no_answer() {
    for lanes in [[&[&toy::ENGINE][..], &[&kind::ENGINE]], [&[&toy::ENGINE, &kind::ENGINE], &[]]] {
        for (text, expected) in [(SAFE, "true"), (UNSAFE, "false")] {
            let report = with_job(text, &believing("panic"), 60, |job| auto::check(job, &plan(&lanes)));
            let found = match report.verdict {
                Verdict::True => "true",
                Verdict::False(_) => "false",
                Verdict::Unknown(_) => "unknown",
            };
            assert_eq!(found, expected, "{:?}", report.verdict);
        }
    }
}

#[test]
fn a_panic_is_told_with_the_answer() {
    let lanes: [&[&'static Engine]; 1] = [&[&toy::ENGINE, &kind::ENGINE]];
    let report = with_job(SAFE, &believing("panic"), 60, |job| auto::check(job, &plan(&lanes)));
    assert!(report.counters.contains(&("internal errors in", "toy".to_owned())), "{:?}", report.counters);
}

#[test]
fn a_panic_is_no_unknown() {
    let lanes: [&[&'static Engine]; 1] = [&[&toy::ENGINE]];
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        with_job(SAFE, &believing("panic"), 60, |job| auto::check(job, &plan(&lanes)))
    }));
    assert!(panicked.is_err(), "nobody has an answer, so the error is the outcome");
}

/// Who said what by a wrong certificate.
fn refuted(report: &Report) -> Vec<&str> {
    report.refuted.iter().map(|refuted| &*refuted.engine).collect()
}

#[test]
fn a_wrong_certificate_is_reported() {
    let alone = with_job(UNSAFE, &believing("true"), 60, |job| run(&toy::ENGINE, job));
    assert!(matches!(alone.verdict, Verdict::Unknown(Reason::CertificationFailed(_))), "{:?}", alone.verdict);
    assert_eq!(refuted(&alone), ["toy"]);
    // The next engine decides; that the first one was wrong is told all the same.
    let lanes: [&[&'static Engine]; 1] = [&[&toy::ENGINE, &kind::ENGINE]];
    for (text, expected) in [(SAFE, true), (UNSAFE, false)] {
        let report = with_job(text, &believing("true"), 60, |job| auto::check(job, &plan(&lanes)));
        assert_eq!(report.verdict == Verdict::True, expected);
        assert!(!matches!(report.verdict, Verdict::Unknown(_)), "{:?}", report.verdict);
        assert_eq!(matches!(report.certification, Certification::Yes { .. }), expected);
        assert_eq!(refuted(&report), ["toy"], "{text}");
    }
}

#[test]
fn a_wrong_certificate_counts_more_than_other_reasons() {
    // The first engine is wrong, and the next gives up, or the time is over.
    for (seconds, values) in [(60, believing("true").with(&MAX_BOUND, "0")), (0, believing("true"))] {
        let lanes: [&[&'static Engine]; 1] = [&[&toy::ENGINE, &robusto_engine::bmc::ENGINE]];
        let report = with_job(SAFE, &values, seconds, |job| auto::check(job, &plan(&lanes)));
        assert!(matches!(report.verdict, Verdict::Unknown(Reason::CertificationFailed(_))), "{:?}", report.verdict);
        assert_eq!(refuted(&report), ["toy"]);
    }
}
