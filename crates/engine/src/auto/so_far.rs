//! What a run would say if it ended now: for whoever ends it before its engines do.

use super::answers::Answers;
use crate::problem::Problem;
use crate::slice::lifted;
use robusto_verdict::{Reason, Report, Verdict};
use std::time::Duration;

/// The report of a run that ends now, for this reason: what is known of each target, by whichever engine, and the reason for the
/// others.
pub fn so_far(problem: &Problem, reason: Reason) -> Report {
    let own = known(problem, reason.clone());
    if let (Verdict::Unknown(_), Some(slice)) = (&own.verdict, problem.made_slice()) {
        let of_slice = known(slice, reason);
        if !matches!(of_slice.verdict, Verdict::Unknown(_)) {
            return lifted(problem, slice, of_slice);
        }
    }
    own
}

/// Why a run ends that has all that it waits for, though not everybody has noticed.
pub fn is_over(problem: &Problem) -> bool {
    let is_over = |problem: &Problem| problem.ledger().is_over();
    is_over(problem) || problem.made_slice().is_some_and(is_over)
}

fn known(problem: &Problem, reason: Reason) -> Report {
    let mut answers = Answers::new(problem);
    let mut time = Duration::ZERO;
    for said in problem.ledger().known().said {
        time += said.time;
        answers.add(said.engine, said.time, said.report);
    }
    answers.report(time, Some(reason))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auto::{Plan, Turn, check};
    use crate::certify::{Conditions, Policy};
    use crate::registry::{Call, Engine, Job, Outputs, Values};
    use crate::{bmc, numeric};
    use robusto_cfa::ir::DataModel;
    use robusto_limits::{Limits, Progress};
    use robusto_syntax::SourceMap;
    use robusto_verdict::{Certification, Property};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    /// Whether the engine that hears nothing has found all that it finds, and whether it may end.
    static HAS_FOUND: AtomicBool = AtomicBool::new(false);
    static MAY_END: AtomicBool = AtomicBool::new(false);

    /// Finds violations, and then notices nothing.
    static DEAF: Engine = Engine {
        name: "deaf",
        about: "",
        help: "",
        options: &[],
        call: Call::Alone(|job| {
            let options = bmc::Options { max_bound: Some(3), ..bmc::Options::default() };
            bmc::check(job.problem, &options, job.limits, job.progress);
            HAS_FOUND.store(true, Ordering::Relaxed);
            while !MAY_END.load(Ordering::Relaxed) {
                std::thread::yield_now();
            }
            Report::unknown(Reason::NoProgress)
        }),
    };

    fn problem() -> Problem {
        let text = "extern void __VERIFIER_error(void); extern int __VERIFIER_nondet_int(void);
            int main() { unsigned a = 0, b = __VERIFIER_nondet_int();
            while (__VERIFIER_nondet_int()) { if (a > 9) __VERIFIER_error(); if (a < 9) a++; if (b == 7) __VERIFIER_error();
            if (a * a + b == 4000000001u) __VERIFIER_error(); }
            return 0; }";
        let mut sources = SourceMap::new();
        let file = sources.add("test.c", text.to_owned()).expect("small");
        let options = robusto_cfa::Options::new(DataModel::Lp64);
        let (program, _) = robusto_cfa::compile(&mut sources, &[file], options).expect("it compiles");
        Problem::new(program, &Property::Default)
    }

    #[test]
    fn what_was_found_and_proved_is_told_though_an_engine_hears_nothing() {
        let problem = problem();
        assert!(problem.each && problem.targets.len() == 3, "{:?}", problem.targets);
        let told = Arc::new(AtomicBool::new(false));
        let heard = told.clone();
        problem.on_violation(move |_| heard.store(true, Ordering::Relaxed));
        let before = so_far(&problem, Reason::Timeout);
        assert_eq!(before.verdict, Verdict::Unknown(Reason::Timeout));
        assert_eq!(before.findings.len(), 3, "the table has all rows");
        let (values, outputs, progress) = (Values::default(), Outputs::default(), Progress::default());
        let turn = |engine| vec![Turn { engine, time: None }];
        let plan = Plan { lanes: vec![turn(&DEAF), turn(&numeric::ENGINE)], glance: false, why: "" };
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let limits = Limits::none();
                let certify = Conditions::new(Policy::Always, true, &limits);
                let (values, outputs, progress) = (&values, &outputs, &progress);
                let problem = &problem;
                check(&Job { problem, values, traces: true, limits: &limits, progress, certify, outputs }, &plan);
            });
            let report = loop {
                let report = so_far(&problem, Reason::Memory);
                let is_settled = matches!(report.certification, Certification::Yes { .. });
                if HAS_FOUND.load(Ordering::Relaxed) && is_settled {
                    break report;
                }
                std::thread::yield_now();
            };
            MAY_END.store(true, Ordering::Relaxed);
            assert!(told.load(Ordering::Relaxed), "who listens heard it at once");
            let verdicts: Vec<&Verdict> = report.findings.iter().map(|finding| &finding.verdict).collect();
            assert!(matches!(verdicts[..], [Verdict::True, Verdict::False(_), _]), "{verdicts:?}");
            assert!(matches!(report.verdict, Verdict::False(_)));
            assert!(report.certificate.is_some());
        });
    }
}
