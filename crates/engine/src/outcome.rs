//! The report of an engine.

use crate::problem::Problem;
use crate::property::place;
use robusto_cpa::Approximation;
use robusto_verdict::{Assumption, Certificate, Finding, Reason, Report, Verdict};

/// How the reason begins where the replay of an error did something else.
pub(crate) const SPURIOUS: &str = "spurious counterexample";

/// Why an error that was found is no real one: the first approximation, if there is any.
pub(crate) fn imprecise<'a>(approximations: impl IntoIterator<Item = &'a Approximation>, otherwise: &str) -> Reason {
    Reason::Imprecise(match approximations.into_iter().next() {
        Some(a) => format!("{} at line {} is over-approximated", a.what, a.pos.line),
        None => otherwise.to_owned(),
    })
}

/// The report of an engine that ended with these findings, and with this reason for what it left open; what is true is so
/// because of this certificate.
pub(crate) fn report(
    problem: &Problem,
    findings: Vec<Finding>,
    open: Option<Reason>,
    certificate: impl FnOnce() -> Option<Certificate>,
) -> Report {
    let vacuous = problem.targets.is_empty();
    let verdict = match (Report::overall(&findings), open) {
        // Without targets there is nothing to violate, however the search ended.
        (Verdict::True, Some(reason)) if !vacuous => Verdict::Unknown(reason),
        (verdict, _) => verdict,
    };
    let certificate = match Report::proves(&verdict, &findings) {
        true if vacuous => Some(Certificate::Vacuous),
        true => certificate(),
        false => None,
    };
    let assumptions = problem.facts.program.assumptions.iter();
    let assumptions = assumptions.map(|a| Assumption { text: a.text.clone(), pos: place(a.pos) }).collect();
    let vacuous = if verdict == Verdict::True { problem.vacuity() } else { None };
    Report { findings, assumptions, vacuous, certificate, ..Report::new(verdict) }
}
