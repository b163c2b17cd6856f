//! Certification as the last step of a run.

use super::{Failure, check_targets};
use crate::certificate::expression;
use crate::problem::Problem;
use robusto_limits::Limits;
use robusto_verdict::Target;
use robusto_verdict::{Certification, Reason, Report, Verdict};
use std::str::FromStr;
use std::time::{Duration, Instant};

/// When verdicts are certified.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Policy {
    /// If it takes no longer than the engine, or a minute.
    #[default]
    Auto,
    /// However long it takes.
    Always,
    /// Not at all.
    Never,
}

impl FromStr for Policy {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "auto" => Ok(Self::Auto),
            "always" => Ok(Self::Always),
            "never" => Ok(Self::Never),
            _ => Err(format!("`{text}` is none of auto, always, never")),
        }
    }
}

/// The least time that [`Policy::Auto`] grants.
const LEAST: Duration = Duration::from_secs(60);

/// Checks the certificate of what is true by a report that took an engine this time. A certificate that is refuted takes
/// these verdicts with it; one whose check takes too long does not. A report that has been through this is left as it is.
pub fn settle(problem: &Problem, report: &mut Report, policy: Policy, spent: Duration, limits: &Limits) {
    let proved: Vec<Target> = match report.verdict {
        Verdict::True => problem.targets.clone(),
        _ => report.findings.iter().filter(|f| f.verdict == Verdict::True).map(|f| f.target.clone()).collect(),
    };
    let proved_nothing = !Report::proves(&report.verdict, &report.findings);
    let is_false = matches!(report.verdict, Verdict::False(_)) && !problem.each;
    if is_false || proved_nothing || report.certification != Certification::None {
        return;
    }
    let Some(certificate) = &report.certificate else {
        report.certification = Certification::No("the engine gave no certificate".to_owned());
        return;
    };
    let limits = match policy {
        Policy::Never => {
            report.certification = Certification::No("not asked for".to_owned());
            return;
        }
        Policy::Always => limits.clone(),
        Policy::Auto => {
            // The verdict is to be told in time, whether it is certified or not.
            let left = limits.remaining().map(|left| left - (left / 10).min(Duration::from_secs(1)));
            let time = LEAST.max(spent);
            limits.within(left.map_or(time, |left| left.min(time)))
        }
    };
    let start = Instant::now();
    report.certification = match check_targets(problem, certificate, &proved, &limits) {
        Ok(statistics) => {
            report.invariants = expression::invariants(problem, certificate);
            Certification::Yes { checks: statistics.checks, time: start.elapsed() }
        }
        Err(Failure::Incomplete(why)) => Certification::No(why),
        Err(Failure::Refuted(what)) => {
            let failed = Verdict::Unknown(Reason::CertificationFailed(what.clone()));
            for finding in report.findings.iter_mut().filter(|f| f.verdict == Verdict::True) {
                finding.verdict = failed.clone();
            }
            report.verdict = if report.findings.is_empty() { failed } else { Report::overall(&report.findings) };
            Certification::No(what)
        }
    };
}
