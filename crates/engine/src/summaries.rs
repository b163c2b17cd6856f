//! Proofs of recursive programs by summaries of their procedures, whatever the depth of the recursion.
//!
//! Sharir, Pnueli: *Two approaches to interprocedural data flow analysis*, 1981 (the functional one), with relations between
//! values for functions: what a procedure returns, and leaves in globals, is related to what it was entered with
//! (`relations`). Stage by stage more relations are found; as soon as they exclude all violations, the program is proved, by the
//! relations at entries (what procedures demand), exits (what they grant) and heads of loops.
//!
//! Soundness: every relation is shown to hold along every path between cut points, given those at its start, and behind a call
//! those at the exit of the callee. That is what the check of [`Certificate::Summaries`] demands, which is done anew.

use crate::certificate::{entry, formula};
use crate::outcome;
use crate::phases::Phases;
use crate::problem::Problem;
use crate::procedures::{CutId, Keep, Procedures};
use crate::property::{edge_of, place};
use crate::registry::{Call, Engine, INVARIANTS, invariants};
use crate::relations::{Summaries, Violated};
use robusto_analyses::interval::Invariants;
use robusto_analyses::symbolic::Encoder;
use robusto_limits::{Limits, Progress};
use robusto_verdict::certificate::Summary;
use robusto_verdict::{Certificate, Finding, Reason, Report, Target, Verdict};

/// The engine.
pub static ENGINE: Engine = Engine {
    name: "summaries",
    about: "relations between what recursive procedures are given and what they return",
    help: "\
Finds equations and inequalities between what procedures are given and what they return, as
summaries that hold at any depth of recursion. Proves, and finds no errors. (docs/summaries.md)",
    options: &[&INVARIANTS],
    call: Call::Alone(|job| check(job.problem, invariants(job.values), job.limits, job.progress)),
};

/// Tries to prove a property.
pub fn check(problem: &Problem, with_intervals: bool, limits: &Limits, progress: &Progress) -> Report {
    let mut phases = Phases::default();
    if problem.facts.program.main.is_none() {
        return Report::unknown(Reason::NoMain);
    }
    let intervals = with_intervals.then(|| problem.intervals(limits)).flatten();
    phases.end("interval invariants");
    let mut encoder = Encoder::new(&problem.facts);
    let mut search = Search { problem, open: problem.targets.clone(), stages: 0, points: 0, certificate: None };
    let end = search.run(&mut encoder, intervals, limits, progress);
    phases.end("relations");
    let Search { open, stages, points, certificate, .. } = search;
    let reason = end.err().or((!open.is_empty()).then_some(Reason::NoProgress));
    let verdict = |target: &Target| match &reason {
        Some(reason) if open.contains(target) => Verdict::Unknown(reason.clone()),
        _ => Verdict::True,
    };
    let findings = problem.targets.iter().map(|target| Finding { target: target.clone(), verdict: verdict(target) });
    let report = outcome::report(problem, findings.collect(), reason.clone(), || certificate);
    let approximations = encoder.approximations().map(|a| (place(a.pos), a.what)).collect();
    let counters = vec![("stages", stages.to_string()), ("cut points", points.to_string())];
    Report { approximations, phases: phases.list, counters, ..report }
}

/// A search for summaries.
struct Search<'p> {
    problem: &'p Problem,
    /// What is not proved.
    open: Vec<Target>,
    stages: u32,
    points: usize,
    certificate: Option<Certificate>,
}

impl<'p> Search<'p> {
    /// Looks for relations until they prove all, or no more are found.
    fn run(
        &mut self,
        encoder: &mut Encoder<'p>,
        intervals: Option<&Invariants>,
        limits: &Limits,
        progress: &Progress,
    ) -> Result<(), Reason> {
        let procedures = Procedures::of(encoder, Keep::Repeated, limits)?;
        self.points = procedures.list.iter().map(|procedure| procedure.cuts.len()).sum();
        if !procedures.list.first().is_some_and(|main| main.is_start) {
            return Err(Reason::Unsupported("summaries of a main that is called".to_owned()));
        }
        let mut summaries = Summaries::new(encoder, &procedures, intervals, false, limits);
        loop {
            progress.set_activity("relations");
            let is_last = !summaries.next(encoder)?;
            if is_last {
                return Ok(());
            }
            self.stages += 1;
            let before = self.open.len();
            self.open = self.still_open(&summaries.violated(encoder)?);
            if self.open.len() < before {
                self.certificate = Some(certificate(encoder, &procedures, &summaries));
            }
            if self.open.is_empty() {
                return Ok(());
            }
        }
    }

    /// The targets that may be violated. Where something may be reached that is not modelled, nothing is proved.
    fn still_open(&self, violated: &[Violated]) -> Vec<Target> {
        let is_violated = |target: &Target| {
            let (function, edge) = edge_of(target);
            violated.contains(&Violated::Edge(function, edge))
        };
        let mut targets = self.problem.targets.iter();
        if violated.contains(&Violated::Model) || targets.any(|target| !target.is_violation() && is_violated(target)) {
            return self.problem.targets.clone();
        }
        self.open.iter().filter(|target| is_violated(target)).cloned().collect()
    }
}

/// What is known of procedures.
pub(crate) fn certificate(
    encoder: &mut Encoder<'_>,
    procedures: &Procedures<'_>,
    summaries: &Summaries,
) -> Certificate {
    let program = &encoder.facts().program;
    let (mut list, mut entries) = (Vec::new(), Vec::new());
    for (number, procedure) in procedures.list.iter().enumerate() {
        let known = |encoder: &mut Encoder<'_>, cut: CutId| {
            let known = summaries.known(encoder, number, cut);
            formula::print(encoder, known)
        };
        let (pre, post) = (known(encoder, CutId::ENTRY), known(encoder, CutId::EXIT));
        list.push(Summary { function: program.functions[procedure.function].name.to_string(), pre, post });
        for (id, cut) in procedure.numbered().filter(|(_, cut)| cut.is_head) {
            let formula = known(encoder, id);
            entries.push(entry(program, &cut.calls, cut.location, formula));
        }
    }
    Certificate::Summaries { procedures: list, entries }
}
