//! The report of an engine.

use crate::problem::Problem;
use crate::property::place;
use crate::replay::Instead;
use robusto_cpa::Approximation;
use robusto_verdict::{Assumption, Certificate, Finding, Reason, Report, Verdict};

/// Why an error that was found is no real one: the first approximation, if there is any.
pub(crate) fn imprecise<'a>(approximations: impl IntoIterator<Item = &'a Approximation>, otherwise: &str) -> Reason {
    approximated(approximations).unwrap_or_else(|| Reason::Imprecise(otherwise.to_owned()))
}

/// The same of an error whose replay did something else.
pub(crate) fn spurious<'a>(approximations: impl IntoIterator<Item = &'a Approximation>, instead: &Instead) -> Reason {
    if instead.is_interrupted {
        return Reason::Timeout;
    }
    approximated(approximations).unwrap_or_else(|| {
        let what = format!("spurious counterexample: {instead}");
        if instead.is_undefined { Reason::OutsideRules(what) } else { Reason::Imprecise(what) }
    })
}

fn approximated<'a>(approximations: impl IntoIterator<Item = &'a Approximation>) -> Option<Reason> {
    let first = approximations.into_iter().next()?;
    Some(Reason::Imprecise(format!("{} at line {} is over-approximated", first.what, first.pos.line)))
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
