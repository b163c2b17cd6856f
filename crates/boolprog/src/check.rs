//! The question put to an engine, and the answer as a report.

use crate::bdd::{Halt, Order, Solver};
use crate::certificate::{Proof, text};
use crate::certify::{self, Failure, Policy};
use crate::explicit::{self, Reduction};
use crate::facts::Facts;
use crate::program::Program;
use crate::qbf::{self, Work};
use crate::replay::{self, Trace};
use crate::targets::{Goal, Question, Targets};
use crate::universal;
use robusto_limits::{Limits, Progress, Stopped};
use robusto_logic::qbf::External;
use robusto_verdict::{Certificate, Certification, Finding, Phase, Reason, Refuted, Report, Vacuity, Verdict};
use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

/// The engines.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Engine {
    /// The one that suits most programs: today decision diagrams.
    #[default]
    Auto,
    /// One state at a time, for small programs.
    Explicit,
    /// Summaries as decision diagrams.
    Bdd,
    /// Summaries as functions of choices, fix points by quantified formulas.
    Qbf,
    /// Procedures unrolled for all entries, recursion as in `Qbf`.
    Universal,
}

impl Engine {
    /// All of them.
    pub const ALL: [Engine; 5] = [Engine::Auto, Engine::Explicit, Engine::Bdd, Engine::Qbf, Engine::Universal];
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Engine::Auto => "auto",
            Engine::Explicit => "explicit",
            Engine::Bdd => "bdd",
            Engine::Qbf => "qbf",
            Engine::Universal => "universal",
        })
    }
}

impl FromStr for Engine {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = Engine::ALL.into_iter().find(|engine| engine.to_string() == text);
        known.ok_or_else(|| format!("there is no engine `{text}`; there are auto, explicit, bdd, qbf and universal"))
    }
}

/// How to answer.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The engine.
    pub engine: Engine,
    /// Who decides quantified formulas, if not we.
    pub external: Option<External>,
    /// How many terms a universal summary may have.
    pub threshold: usize,
    /// The order of variables that diagrams start with.
    pub order: Order,
    /// When a `true` is certified.
    pub certify: Policy,
}

impl From<Engine> for Settings {
    fn from(engine: Engine) -> Self {
        let (order, certify) = (Order::default(), Policy::default());
        Self { engine, external: None, threshold: universal::THRESHOLD, order, certify }
    }
}

/// What an engine found.
enum Found<'t> {
    /// No target is reached; why, if that can be said.
    Nothing(Option<Proof>),
    /// A target, with an execution that is to be replayed.
    Target(&'t Goal, Option<Trace>),
}

/// Answers the question. Every `false` has been replayed, and a `true` is certified as the settings say.
pub fn check(
    program: &Program,
    question: &Question,
    settings: impl Into<Settings>,
    limits: &Limits,
    progress: &Progress,
) -> Report {
    let settings = settings.into();
    let targets = Targets::new(program, question);
    if program.main.is_none() {
        return Report::unknown(Reason::NoMain);
    }
    let mut counters: Vec<(&'static str, String)> = Vec::new();
    let in_scope = program.numbered().map(|(id, procedure)| program.frame_size(id) - procedure.results as usize).max();
    counters.push(("variables in scope", in_scope.unwrap_or(0).to_string()));
    let start = Instant::now();
    progress.set_activity("liveness");
    let facts = Facts::new(program);
    let prepared = Instant::now();
    progress.set_activity("exploration");
    let found = match settings.engine {
        Engine::Explicit => explicit(program, &facts, &targets, limits, progress, &mut counters),
        Engine::Auto | Engine::Bdd => bdd(program, &facts, &targets, &settings, limits, progress, &mut counters),
        Engine::Qbf => qbf(program, &facts, &targets, &settings, limits, progress, &mut counters),
        Engine::Universal => universal(program, &facts, &targets, &settings, limits, progress, &mut counters),
    };
    let searched = Instant::now();
    let mut report = match found {
        Err(stopped) => Report::unknown(stopped.into()),
        Ok(Found::Nothing(proof)) => holds(program, &targets, proof),
        Ok(Found::Target(goal, trace)) => violated(program, goal, trace),
    };
    report.phases = vec![
        Phase { name: "liveness", time: prepared - start },
        Phase { name: "exploration", time: searched - prepared },
    ];
    if report.verdict == Verdict::True {
        progress.set_activity("certification");
        certify(program, &targets, &mut report, &settings, limits, searched - prepared);
        report.phases.push(Phase { name: "certification", time: searched.elapsed() });
    } else {
        report.phases.push(Phase { name: "replay", time: searched.elapsed() });
    }
    report.counters = counters;
    report
}

fn holds(program: &Program, targets: &Targets, proof: Option<Proof>) -> Report {
    let mut report = Report::new(Verdict::True);
    report.findings =
        targets.iter().map(|goal| Finding { target: goal.target.clone(), verdict: Verdict::True }).collect();
    report.vacuous = targets.is_empty().then_some(Vacuity::Nothing);
    report.certificate = match proof {
        _ if targets.is_empty() => Some(Certificate::Vacuous),
        proof => proof.map(|proof| text::write(program, &proof)),
    };
    report
}

/// Checks the certificate of a `true`. One that is refuted takes the verdict with it; one whose check takes too long does not.
fn certify(
    program: &Program,
    targets: &Targets,
    report: &mut Report,
    settings: &Settings,
    limits: &Limits,
    spent: Duration,
) {
    let start = Instant::now();
    let no = |why: &str| Certification::No(why.to_owned());
    report.certification = match (&report.certificate, settings.certify.limits(limits, spent)) {
        (None, _) => no("the engine gave no certificate"),
        (_, None) => no("not asked for"),
        (Some(certificate), Some(limits)) => match certify::check(program, targets, certificate, &limits) {
            Ok(done) => Certification::Yes { checks: done.checks, time: start.elapsed() },
            Err(Failure::Incomplete(why)) => Certification::No(why),
            Err(Failure::Refuted(what)) => {
                let failed = Verdict::Unknown(Reason::CertificationFailed(what.clone()));
                report.findings.iter_mut().for_each(|finding| finding.verdict = failed.clone());
                report.verdict = failed;
                report.refuted.push(Refuted { engine: settings.engine.to_string(), what: what.clone() });
                Certification::No(what)
            }
        },
    };
}

fn violated(program: &Program, goal: &Goal, trace: Option<Trace>) -> Report {
    let replayed = trace
        .ok_or("there is no execution for it".to_owned())
        .and_then(|trace| replay::replay(program, &trace, goal).map_err(|mismatch| mismatch.to_string()));
    // The engines are exact, so this is a mistake of ours; it is told, and not hidden behind an answer.
    let verdict = match replayed {
        Ok(cex) => Verdict::False(cex),
        Err(why) => Verdict::Unknown(Reason::Imprecise(format!("the violation found could not be replayed: {why}"))),
    };
    let mut report = Report::new(verdict.clone());
    report.findings = vec![Finding { target: goal.target.clone(), verdict }];
    report
}

fn explicit<'t>(
    program: &Program,
    facts: &Facts,
    targets: &'t Targets,
    limits: &Limits,
    progress: &Progress,
    counters: &mut Vec<(&'static str, String)>,
) -> Result<Found<'t>, Stopped> {
    let explored = explicit::explore(program, Reduction::live(program, facts), targets, limits, progress)?;
    counters.push(("path edges", explored.path_edges().to_string()));
    counters.push(("summary edges", explored.summary_edges().to_string()));
    Ok(match explored.violated(targets) {
        Some(goal) => Found::Target(goal, explored.trace()),
        None => Found::Nothing(explored.proof(facts)),
    })
}

fn bdd<'t>(
    program: &Program,
    facts: &Facts,
    targets: &'t Targets,
    settings: &Settings,
    limits: &Limits,
    progress: &Progress,
    counters: &mut Vec<(&'static str, String)>,
) -> Result<Found<'t>, Stopped> {
    let mut solver = Solver::with_order(program, facts, settings.order);
    let found = solver.run(targets, limits, progress).and_then(|goal| match goal {
        Some(goal) => {
            progress.set_activity("trace");
            Ok(Found::Target(goal, solver.trace(goal, limits)?))
        }
        None => Ok(Found::Nothing(Some(solver.proof()?))),
    });
    let (expansions, additions, nodes) = solver.figures();
    counters.push(("expansions", expansions.to_string()));
    counters.push(("additions", additions.to_string()));
    counters.push(("diagram nodes at most", nodes.to_string()));
    found.map_err(|halt| match halt {
        Halt::Full(_) => Stopped::Memory,
        Halt::Stopped(stopped) => stopped,
    })
}

fn qbf<'t>(
    program: &Program,
    facts: &Facts,
    targets: &'t Targets,
    settings: &Settings,
    limits: &Limits,
    progress: &Progress,
    counters: &mut Vec<(&'static str, String)>,
) -> Result<Found<'t>, Stopped> {
    let mut solver = qbf::Solver::new(program, facts, settings.external.clone(), limits);
    let reached = solver.run(targets, progress);
    count(&solver.work(), counters);
    if !reached? {
        progress.set_activity("certificate");
        return Ok(Found::Nothing(solver.proof()?));
    }
    progress.set_activity("trace");
    Ok(found(solver.violation(targets)?, targets))
}

fn universal<'t>(
    program: &Program,
    facts: &Facts,
    targets: &'t Targets,
    settings: &Settings,
    limits: &Limits,
    progress: &Progress,
    counters: &mut Vec<(&'static str, String)>,
) -> Result<Found<'t>, Stopped> {
    let mut solver = universal::Solver::new(program, facts, settings.external.clone(), settings.threshold, limits);
    let reached = solver.run(targets, progress);
    let (summaries, switched) = solver.summaries();
    counters.push(("universal summaries", summaries.to_string()));
    counters.push(("left to qbf", switched.to_string()));
    count(&solver.work(), counters);
    if !reached? {
        progress.set_activity("certificate");
        return Ok(Found::Nothing(solver.proof()?));
    }
    progress.set_activity("trace");
    Ok(found(solver.violation(targets)?, targets))
}

/// A target was reached, be it without an execution.
fn found<'t>(violation: Option<(&'t Goal, Trace)>, targets: &'t Targets) -> Found<'t> {
    match violation {
        Some((goal, trace)) => Found::Target(goal, Some(trace)),
        None => Found::Target(targets.iter().next().expect("a target was reached"), None),
    }
}

fn count(work: &Work, counters: &mut Vec<(&'static str, String)>) {
    counters.push(("expansions", work.expansions.to_string()));
    counters.push(("path edges", work.path_edges.to_string()));
    counters.push(("merges", work.symbolic.merges.to_string()));
    counters.push(("selectors", work.symbolic.selectors.to_string()));
    counters.push(("closed calls", work.symbolic.applications.to_string()));
    counters.push(("sat calls", work.sat_calls.to_string()));
    counters.push(("qbf calls", work.qbf.calls.to_string()));
    counters.push(("qbf answers", work.qbf.answers.to_string()));
    counters.push(("qbf time", format!("{:.3} s", work.qbf.time.as_secs_f64())));
}
