//! Certification as the last step of a run.

use super::{Failure, Policy, check_targets};
use crate::certificate::expression;
use crate::problem::Problem;
use robusto_limits::{Floor, Limits, Progress};
use robusto_verdict::{Certification, Reason, Refuted, Report, Target, Verdict};
use std::time::{Duration, Instant};

/// How what an engine proves is certified.
#[derive(Clone, Copy, Debug)]
pub struct Conditions<'c> {
    /// When.
    pub policy: Policy,
    /// Whether proofs of some targets count even if others stay open.
    pub parts: bool,
    /// What may be spent.
    pub limits: &'c Limits,
    /// What to take while a proof of all targets is checked.
    pub floor: Option<&'c Floor>,
}

impl<'c> Conditions<'c> {
    /// A policy within limits, for a run that does not share the machine.
    pub fn new(policy: Policy, parts: bool, limits: &'c Limits) -> Self {
        Self { policy, parts, limits, floor: None }
    }
}

/// Checks the certificate of what is true by the report of an engine, which took this time. A certificate that is refuted
/// takes these verdicts with it, and is listed; one whose check takes too long does not. Called by
/// [`run`](crate::registry::run), and by nobody else.
pub fn settle(
    engine: &str,
    problem: &Problem,
    report: &mut Report,
    conditions: &Conditions<'_>,
    spent: Duration,
    progress: &Progress,
) {
    let is_whole = report.verdict == Verdict::True;
    let is_false = matches!(report.verdict, Verdict::False(_)) && !problem.each;
    if is_false || !(is_whole || conditions.parts) || !Report::proves(&report.verdict, &report.findings) {
        return;
    }
    let Some(certificate) = &report.certificate else {
        report.certification = Certification::No("the engine gave no certificate".to_owned());
        return;
    };
    let Some(limits) = conditions.policy.limits(conditions.limits, spent) else {
        report.certification = Certification::No("not asked for".to_owned());
        return;
    };
    let proved: Vec<Target> = match is_whole {
        true => problem.targets.clone(),
        false => report.findings.iter().filter(|f| f.verdict == Verdict::True).map(|f| f.target.clone()).collect(),
    };
    progress.set_activity("certification");
    // Most likely nothing else is needed, and the check has the machine for itself.
    let floor = conditions.floor.filter(|_| is_whole);
    floor.inspect(|floor| floor.take());
    let start = Instant::now();
    let checked = check_targets(problem, certificate, &proved, &limits);
    floor.inspect(|floor| floor.give_back());
    report.certification = match checked {
        Ok(statistics) => {
            report.invariants = expression::invariants(problem, certificate);
            report.contracts = expression::contracts(problem, certificate);
            Certification::Yes { checks: statistics.checks, time: start.elapsed() }
        }
        Err(Failure::Incomplete(why)) => Certification::No(why),
        Err(Failure::Refuted(what)) => {
            let failed = Verdict::Unknown(Reason::CertificationFailed(what.clone()));
            for finding in report.findings.iter_mut().filter(|f| f.verdict == Verdict::True) {
                finding.verdict = failed.clone();
            }
            report.verdict = if report.findings.is_empty() { failed } else { Report::overall(&report.findings) };
            report.refuted.push(Refuted { engine: engine.to_owned(), what: what.clone() });
            Certification::No(what)
        }
    };
}
