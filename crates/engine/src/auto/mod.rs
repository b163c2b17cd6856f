//! The engine that chooses engines: a quick [`Look`] at the program, then a [`Plan`] of engines side by side.
//!
//! Each lane is a thread that takes its turns one after the other. The first decisive answer for the last open target
//! ends all lanes. Engines share nothing but the problem.

mod look;
mod plan;

pub use look::Look;
pub use plan::{Engine, Plan, Turn};

use crate::certify::{Policy, settle};
use crate::limits::{Limits, Progress};
use crate::problem::Problem;
use crate::verdict::{Finding, Phase, Reason, Report, Verdict};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

/// Stack of a lane. Diagrams and formulas recurse in bounded depth only, but deeper than the default.
const STACK: usize = 256 << 20;

/// How often limits are looked at while lanes run.
const TICK: Duration = Duration::from_millis(10);

/// Checks a problem by the engines of a plan. A `true` whose certificate is refuted is no answer, and the others go on.
pub fn check(
    problem: &Problem,
    plan: &Plan,
    traces: bool,
    policy: Policy,
    limits: &Limits,
    progress: &Progress,
) -> Report {
    let start = Instant::now();
    let cancel = Arc::new(AtomicBool::new(false));
    let (send, receive) = mpsc::channel();
    let mut answers = Answers::new(problem);
    std::thread::scope(|scope| {
        for lane in &plan.lanes {
            let (send, cancel) = (send.clone(), cancel.clone());
            let limits = Limits::until(limits.deadline, limits.memory, cancel);
            let run = move || take_turns(lane, problem, (traces, policy), limits, progress, &send);
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
    answers.report(start.elapsed(), limits)
}

fn take_turns(
    lane: &[Turn],
    problem: &Problem,
    (traces, policy): (bool, Policy),
    limits: Limits,
    progress: &Progress,
    send: &Sender<(Engine, Duration, Report)>,
) {
    for turn in lane {
        let start = Instant::now();
        let end = turn.time.map(|time| start + time);
        let deadline = match (limits.deadline, end) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        let own = Limits::until(deadline, limits.memory, limits.cancel.clone());
        let mut report = turn.engine.check(problem, traces, &own, progress);
        settle(problem, &mut report, policy, start.elapsed(), &own);
        if limits.cancel.load(Ordering::Relaxed) || send.send((turn.engine, start.elapsed(), report)).is_err() {
            return;
        }
    }
}

/// What the engines have said so far.
struct Answers {
    each: bool,
    findings: Vec<Finding>,
    decided: Vec<Option<Engine>>,
    /// The report that the rest is taken from: the one with the last decisive answer, else the first.
    best: Option<(Engine, Report)>,
    turns: Vec<Phase>,
}

impl Answers {
    fn new(problem: &Problem) -> Self {
        let open =
            |target: &crate::Target| Finding { target: target.clone(), verdict: Verdict::Unknown(Reason::Timeout) };
        Self {
            each: problem.each,
            findings: problem.targets.iter().map(open).collect(),
            decided: vec![None; problem.targets.len()],
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
                if !matches!(finding.verdict, Verdict::Unknown(_)) {
                    self.decided[i] = Some(engine);
                    decisive = true;
                }
                self.findings[i].verdict = finding.verdict.clone();
            }
        }
        if decisive || self.best.is_none() {
            self.best = Some((engine, report));
        }
    }

    fn complete(&self) -> bool {
        let found = self.findings.iter().any(|f| matches!(f.verdict, Verdict::False(_)));
        (found && !self.each) || (self.best.is_some() && self.decided.iter().all(Option::is_some) && self.decisive())
    }

    fn decisive(&self) -> bool {
        !self.findings.is_empty()
            || self.best.as_ref().is_some_and(|(_, report)| !matches!(report.verdict, Verdict::Unknown(_)))
    }

    fn report(mut self, time: Duration, limits: &Limits) -> Report {
        // A limit of the whole run counts more than why single engines gave up.
        let reached = limits.reached().map(Reason::from);
        let Some((engine, mut report)) = self.best else {
            return Report::unknown(reached.unwrap_or(Reason::Interrupted));
        };
        if !self.each && self.findings.iter().any(|f| matches!(f.verdict, Verdict::False(_))) {
            self.findings.retain(|f| matches!(f.verdict, Verdict::False(_)));
        }
        if let Some(reason) = reached {
            for finding in &mut self.findings {
                if matches!(finding.verdict, Verdict::Unknown(_)) {
                    finding.verdict = Verdict::Unknown(reason.clone());
                }
            }
        }
        if report.verdict != Verdict::True {
            // Several engines share the proof; no certificate covers all of it.
            report.certificate = None;
        }
        if !self.findings.is_empty() {
            report.verdict = Report::overall(&self.findings);
            report.findings = self.findings;
        }
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
