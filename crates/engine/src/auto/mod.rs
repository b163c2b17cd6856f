//! The engine that chooses engines: a quick [`Look`] at the program, then a [`Plan`] of engines side by side.
//!
//! Each lane is a thread that takes its turns one after the other. The first decisive answer for the last open target
//! ends all lanes. While the certificate of a proof is checked, the other lanes wait, for a few seconds; then they go on.
//! Engines share nothing but the problem and its interval invariants, which are computed before.

mod look;
mod plan;

pub use look::Look;
pub use plan::{Engine, Plan, Turn};

use crate::certificate::error_edge;
use crate::certify::{Policy, settle};
use crate::problem::Problem;
use robusto_limits::{Floor, Limits, Progress};
use robusto_verdict::Certificate;
use robusto_verdict::certificate::Part;
use robusto_verdict::{Certification, Finding, Phase, Reason, Report, Verdict};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

/// Stack of a lane. Diagrams and formulas recurse in bounded depth only, but deeper than the default.
const STACK: usize = 256 << 20;

/// How often limits are looked at while lanes run.
const TICK: Duration = Duration::from_millis(10);

/// Cores that engines can use side by side.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// What can be chosen, for all engines alike.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Whether to write down the steps of counterexamples.
    pub traces: bool,
    /// Whether to use interval invariants.
    pub invariants: bool,
    /// When verdicts are certified.
    pub policy: Policy,
}

impl Default for Options {
    fn default() -> Self {
        Self { traces: true, invariants: true, policy: Policy::Auto }
    }
}

/// Checks a problem by the engines of a plan. A `true` whose certificate is refuted is no answer, and the others go on.
pub fn check(problem: &Problem, plan: &Plan, options: Options, limits: &Limits, progress: &Progress) -> Report {
    let start = Instant::now();
    if options.invariants {
        // Before the engines start, so that none of them waits for another.
        progress.set_activity("interval invariants");
        problem.intervals(limits);
    }
    let invariants = start.elapsed();
    let cancel = Arc::new(AtomicBool::new(false));
    let (send, receive) = mpsc::channel();
    let mut answers = Answers::new(problem);
    std::thread::scope(|scope| {
        for (lane, floor) in plan.lanes.iter().zip(Floor::shared(plan.lanes.len())) {
            let (send, cancel) = (send.clone(), cancel.clone());
            let limits = Limits::until(limits.deadline, limits.memory, cancel).sharing(floor.clone());
            let run = move || take_turns(lane, problem, options, limits, &floor, progress, &send);
            if std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run).is_err() {
                // Without this lane, the others are still there.
                continue;
            }
        }
        drop(send);
        loop {
            match receive.recv_timeout(TICK) {
                Ok((engine, time, report)) => answers.add(engine, time, report),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if answers.complete() || limits.cancel.load(Ordering::Relaxed) {
                cancel.store(true, Ordering::Relaxed);
            }
        }
    });
    let mut report = answers.report(start.elapsed(), limits);
    report.phases.insert(0, Phase { name: "interval invariants", time: invariants });
    report
}

fn take_turns(
    lane: &[Turn],
    problem: &Problem,
    options: Options,
    limits: Limits,
    floor: &Floor,
    progress: &Progress,
    send: &Sender<(Engine, Duration, Report)>,
) {
    for turn in lane {
        let start = Instant::now();
        let own = turn.time.map_or_else(|| limits.clone(), |time| limits.within(time));
        let mut report = turn.engine.check(problem, options, &own, progress);
        if report.verdict == Verdict::True {
            // Most likely nothing else is needed, and the check has the machine for itself.
            floor.take();
        }
        settle(problem, &mut report, options.policy, start.elapsed(), &limits);
        floor.give_back();
        if limits.cancel.load(Ordering::Relaxed) || send.send((turn.engine, start.elapsed(), report)).is_err() {
            return;
        }
    }
}

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
struct Answers<'p> {
    problem: &'p Problem,
    findings: Vec<Finding>,
    /// For each target the proof that it is part of, or `None` while it is open; other answers are part of none.
    decided: Vec<Option<Decided>>,
    proofs: Vec<Proof>,
    /// The report that the rest is taken from: the one with the last decisive answer, else the first.
    best: Option<(Engine, Report)>,
    turns: Vec<Phase>,
}

impl<'p> Answers<'p> {
    fn new(problem: &'p Problem) -> Self {
        let open = |target: &robusto_verdict::Target| Finding {
            target: target.clone(),
            verdict: Verdict::Unknown(Reason::Timeout),
        };
        Self {
            problem,
            findings: problem.targets.iter().map(open).collect(),
            decided: vec![None; problem.targets.len()],
            proofs: Vec::new(),
            best: None,
            turns: Vec::new(),
        }
    }

    fn add(&mut self, engine: Engine, time: Duration, report: Report) {
        self.turns.push(Phase { name: engine.name(), time });
        let mut decisive = self.findings.is_empty() && report.verdict == Verdict::True;
        for finding in &report.findings {
            let Some(i) = self.findings.iter().position(|f| f.target == finding.target) else { continue };
            if self.decided[i].is_none() {
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
    }

    fn complete(&self) -> bool {
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

    fn report(mut self, time: Duration, limits: &Limits) -> Report {
        // A limit of the whole run counts more than why single engines gave up.
        let reached = limits.reached().map(Reason::from);
        let Some((engine, mut report)) = self.best.take() else {
            return Report::unknown(reached.unwrap_or(Reason::Interrupted));
        };
        if !self.problem.each && self.findings.iter().any(is_violated) {
            self.findings.retain(is_violated);
        }
        if let Some(reason) = reached {
            for finding in &mut self.findings {
                if matches!(finding.verdict, Verdict::Unknown(_)) {
                    finding.verdict = Verdict::Unknown(reason.clone());
                }
            }
        }
        let (certificate, certification) = self.certificate();
        if !self.findings.is_empty() {
            report.verdict = Report::overall(&self.findings);
            report.findings = self.findings;
        }
        // Where there is one verdict, what holds of its parts is of no use unless all does.
        let is_said = self.problem.each || report.verdict == Verdict::True;
        report.certificate = certificate.filter(|_| is_said);
        report.certification = if is_said { certification } else { Certification::None };
        let decided = match report.verdict {
            Verdict::Unknown(_) => "none".to_owned(),
            _ => engine.name().to_owned(),
        };
        report.counters.insert(0, ("decided by", decided));
        report.phases = self.turns;
        report.phases.push(Phase { name: "side by side", time });
        report
    }
}

fn is_violated(finding: &Finding) -> bool {
    finding.target.is_violation() && matches!(finding.verdict, Verdict::False(_))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificate::subject;
    use crate::certify::{self, Failure};
    use robusto_cfa::ir::DataModel;
    use robusto_syntax::SourceMap;
    use robusto_verdict::Property;
    use robusto_verdict::certificate::text;

    /// What an engine reports that had time for one of two targets only.
    fn for_one(problem: &Problem, engine: Engine, one: usize) -> Report {
        let limits = Limits::new(Some(Duration::from_secs(60)), None, Arc::default());
        let mut report = engine.check(problem, Options::default(), &limits, &Progress::default());
        assert_eq!(report.verdict, Verdict::True);
        report.findings[1 - one].verdict = Verdict::Unknown(Reason::Timeout);
        report.verdict = Verdict::Unknown(Reason::Timeout);
        settle(problem, &mut report, Policy::Always, Duration::ZERO, &limits);
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
        answers.add(Engine::Kind, Duration::ZERO, for_one(&problem, Engine::Kind, 0));
        assert!(!answers.complete());
        answers.add(Engine::Predicate, Duration::ZERO, for_one(&problem, Engine::Predicate, 1));
        assert!(answers.complete());
        let report = answers.report(Duration::ZERO, &limits);
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
