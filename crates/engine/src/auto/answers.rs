//! What the engines of a plan have said so far, and what that makes together.

use crate::certificate::error_edge;
use crate::outcome;
use crate::problem::Problem;
use robusto_verdict::certificate::Part;
use robusto_verdict::{
    Certificate, Certification, Counterexample, Finding, Phase, Reason, Refuted, Report, Target, Verdict,
};
use std::time::Duration;

/// What became of a target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Decided {
    /// It is violated.
    Violated,
    /// It holds, by the proof at this position.
    Proved(usize),
}

impl Decided {
    fn proof(self) -> Option<usize> {
        match self {
            Decided::Violated => None,
            Decided::Proved(proof) => Some(proof),
        }
    }
}

/// What one engine proved, and how.
struct Proof {
    certificate: Option<Certificate>,
    certification: Certification,
}

/// What the engines have said so far.
pub(crate) struct Answers<'p> {
    problem: &'p Problem,
    findings: Vec<Finding>,
    /// For each target the proof that it is part of, or `None` while it is open; other answers are part of none.
    decided: Vec<Option<Decided>>,
    proofs: Vec<Proof>,
    /// The report that the rest is taken from: the one with the last decisive answer, else the first.
    best: Option<(&'static str, Report)>,
    turns: Vec<Phase>,
    /// Certificates that were wrong, whoever decides in the end.
    refuted: Vec<Refuted>,
    panicked: Vec<&'static str>,
}

impl<'p> Answers<'p> {
    pub fn new(problem: &'p Problem) -> Self {
        let open = |target: &Target| Finding { target: target.clone(), verdict: Verdict::Unknown(Reason::Timeout) };
        Self {
            problem,
            findings: problem.targets.iter().map(open).collect(),
            decided: vec![None; problem.targets.len()],
            proofs: Vec::new(),
            best: None,
            turns: Vec::new(),
            refuted: Vec::new(),
            panicked: Vec::new(),
        }
    }

    /// An engine broke; what the others say stands.
    pub fn add_panic(&mut self, engine: &'static str, time: Duration) {
        self.turns.push(Phase { name: engine, time });
        self.panicked.push(engine);
    }

    /// Whether some target is decided, or the whole.
    pub fn has_any(&self) -> bool {
        self.decided.iter().any(Option::is_some) || self.complete()
    }

    /// Whether some target is violated.
    pub fn has_violation(&self) -> bool {
        self.decided.contains(&Some(Decided::Violated))
    }

    /// What an engine says; whether something is decided by that.
    pub fn add(&mut self, engine: &'static str, time: Duration, report: Report) -> bool {
        self.turns.push(Phase { name: engine, time });
        self.refuted.extend(report.refuted.iter().cloned());
        let mut decisive = self.findings.is_empty() && report.verdict == Verdict::True;
        for finding in &report.findings {
            let Some(i) = self.findings.iter().position(|f| f.target == finding.target) else { continue };
            let is_open = matches!(finding.verdict, Verdict::Unknown(_));
            if self.decided[i].is_none() && !(is_open && is_refuted(&self.findings[i])) {
                self.decided[i] = match finding.verdict {
                    Verdict::True => Some(Decided::Proved(self.proofs.len())),
                    Verdict::False(_) => Some(Decided::Violated),
                    Verdict::Unknown(_) => None,
                };
                decisive |= self.decided[i].is_some();
                self.findings[i].verdict = finding.verdict.clone();
            }
        }
        if decisive {
            let Report { certificate, certification, .. } = &report;
            self.proofs.push(Proof { certificate: certificate.clone(), certification: certification.clone() });
        }
        if decisive || self.best.is_none() {
            self.best = Some((engine, report));
        }
        decisive
    }

    /// An execution that no engine has reported: it ended in between.
    fn add_execution(&mut self, target: &Target, execution: &Counterexample) {
        let Some(i) = self.findings.iter().position(|f| f.target == *target) else { return };
        if self.decided[i].is_none() {
            self.decided[i] = Some(Decided::Violated);
            self.findings[i].verdict = Verdict::False(execution.clone());
        }
    }

    pub fn complete(&self) -> bool {
        let found = self.findings.iter().any(is_violated);
        (found && !self.problem.each)
            || (self.best.is_some() && self.decided.iter().all(Option::is_some) && self.decisive())
    }

    fn decisive(&self) -> bool {
        !self.findings.is_empty()
            || self.best.as_ref().is_some_and(|(_, report)| !matches!(report.verdict, Verdict::Unknown(_)))
    }

    /// The proofs of all targets that hold as one, and whether all were checked.
    fn certificate(&mut self) -> (Option<Certificate>, Certification) {
        let mut used: Vec<usize> = self.decided.iter().flatten().filter_map(|d| d.proof()).collect();
        used.sort_unstable();
        used.dedup();
        if self.findings.is_empty() {
            used = (0..self.proofs.len().min(1)).collect();
        }
        if let [one] = used[..] {
            let Proof { certificate, certification } = self.proofs.swap_remove(one);
            return (certificate, certification);
        }
        let own = |proof: usize| {
            let targets = self.problem.targets.iter().zip(&self.decided);
            let own = targets.filter(|(_, decided)| decided.and_then(Decided::proof) == Some(proof));
            own.map(|(target, _)| error_edge(&self.problem.facts.program, target)).collect()
        };
        let part = |&i: &usize| Some(Part { errors: own(i), certificate: self.proofs[i].certificate.clone()? });
        let all: Option<Vec<_>> = used.iter().map(part).collect();
        let joined = all.filter(|all| !all.is_empty()).map(Certificate::joined);
        let checked = used.iter().map(|&i| self.proofs[i].certification.clone());
        (joined, checked.fold(Certification::None, Certification::and))
    }

    /// The report, with why the run ended before all was said, if it did: that counts more than why single engines gave up.
    pub fn report(mut self, time: Duration, reached: Option<Reason>) -> Report {
        for (target, execution) in self.problem.ledger().known().found {
            self.add_execution(&target, &execution);
        }
        let (engine, mut report) = self.best.take().unwrap_or_else(|| {
            // Nobody has come to an end.
            let open = reached.clone().unwrap_or(Reason::Interrupted);
            let nothing = outcome::report(self.problem, self.findings.clone(), Some(open.clone()), || None);
            ("nobody", Report { verdict: Verdict::Unknown(open), certificate: None, ..nothing })
        });
        if !self.problem.each && self.findings.iter().any(is_violated) {
            self.findings.retain(is_violated);
        }
        if let Some(reason) = reached {
            for finding in &mut self.findings {
                if matches!(finding.verdict, Verdict::Unknown(_)) && !is_refuted(finding) {
                    finding.verdict = Verdict::Unknown(reason.clone());
                }
            }
        }
        let (certificate, certification) = self.certificate();
        if !self.findings.is_empty() {
            report.verdict = Report::overall(&self.findings);
            report.findings = self.findings;
        }
        report.vacuous = if report.verdict == Verdict::True { self.problem.vacuity() } else { None };
        // Where there is one verdict, what holds of its parts is of no use unless all does.
        let is_said = self.problem.each || report.verdict == Verdict::True;
        report.certificate = certificate.filter(|_| is_said);
        report.certification = if is_said { certification } else { Certification::None };
        let decided = match report.verdict {
            Verdict::Unknown(_) => "none".to_owned(),
            _ => engine.to_owned(),
        };
        report.counters.insert(0, ("decided by", decided));
        if !self.panicked.is_empty() {
            report.counters.push(("internal errors in", self.panicked.join(", ")));
        }
        report.refuted = self.refuted;
        report.phases = self.turns;
        report.phases.push(Phase { name: "side by side", time });
        report
    }
}

fn is_violated(finding: &Finding) -> bool {
    finding.target.is_violation() && matches!(finding.verdict, Verdict::False(_))
}

/// Whether an engine said `true`, but its certificate is wrong.
fn is_refuted(finding: &Finding) -> bool {
    matches!(finding.verdict, Verdict::Unknown(Reason::CertificationFailed(_)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificate::subject;
    use crate::certify::{self, Conditions, Failure, Policy, settle};
    use crate::registry::Call;
    use crate::registry::{Engine, Job, Outputs, Values};
    use crate::{cegar, kind};
    use robusto_cfa::ir::DataModel;
    use robusto_limits::{Limits, Progress};
    use robusto_syntax::SourceMap;
    use robusto_verdict::Property;
    use robusto_verdict::certificate::text;
    use std::sync::Arc;

    /// What an engine reports that had time for one of two targets only.
    fn for_one(problem: &Problem, engine: &'static Engine, one: usize) -> Report {
        let limits = Limits::new(Some(Duration::from_secs(60)), None, Arc::default());
        let certify = Conditions::new(Policy::Always, true, &limits);
        let (values, outputs, progress) = (Values::default(), Outputs::default(), Progress::default());
        let (limits, progress) = (&limits, &progress);
        let job = Job { problem, values: &values, traces: false, limits, progress, certify, outputs: &outputs };
        let Call::Alone(call) = engine.call else { panic!("{engine:?} works alone") };
        let mut report = call(&job);
        assert_eq!(report.verdict, Verdict::True);
        report.findings[1 - one].verdict = Verdict::Unknown(Reason::Timeout);
        report.verdict = Verdict::Unknown(Reason::Timeout);
        settle(engine.name, problem, &mut report, &certify, Duration::ZERO, progress);
        report
    }

    #[test]
    fn proofs_of_several_engines_make_one_certificate() {
        let text = "extern void __VERIFIER_error(void); extern int __VERIFIER_nondet_int(void);
            int main() { int a = 0, b = 0; while (__VERIFIER_nondet_int()) { a = 1 - a; b = a;
            if (a == 2) __VERIFIER_error(); if (b == 3) __VERIFIER_error(); } return 0; }";
        let mut sources = SourceMap::new();
        let file = sources.add("test.c", text.to_owned()).expect("small");
        let options = robusto_cfa::Options::new(DataModel::Lp64);
        let (program, _) = robusto_cfa::compile(&mut sources, &[file], options).expect("it compiles");
        let problem = Problem::new(program, &Property::UnreachCall);
        let limits = Limits::new(Some(Duration::from_secs(60)), None, Arc::default());
        let mut answers = Answers::new(&problem);
        answers.add("kind", Duration::ZERO, for_one(&problem, &kind::ENGINE, 0));
        assert!(!answers.complete());
        answers.add("predicate", Duration::ZERO, for_one(&problem, &cegar::PREDICATE, 1));
        assert!(answers.complete());
        let report = answers.report(Duration::ZERO, None);
        assert_eq!(report.verdict, Verdict::True);
        assert!(matches!(report.certification, Certification::Yes { .. }), "{:?}", report.certification);
        let certificate = report.certificate.expect("both engines gave one");
        certify::check(&problem, &certificate, &limits).expect("it is right");
        let subject = subject(&problem, &Property::UnreachCall);
        assert_eq!(text::read(&text::write(&subject, &certificate)), Ok((subject, certificate.clone())));
        // One part alone leaves a target open.
        let Certificate::Parts(parts) = certificate else { panic!("{certificate:?}") };
        assert_eq!(parts.len(), 2);
        for part in parts {
            let alone = Certificate::Parts(vec![part]);
            assert!(matches!(certify::check(&problem, &alone, &limits), Err(Failure::Refuted(_))));
        }
    }
}
