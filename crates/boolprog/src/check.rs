//! The question put to an engine, and the answer as a report.

use crate::bdd::{Halt, Solver};
use crate::certificate::{Proof, text};
use crate::certify::{self, Failure, Policy};
use crate::explicit::{self, Reduction};
use crate::facts::Facts;
use crate::program::Program;
use crate::replay::{self, Trace};
use crate::targets::{Goal, Question, Targets};
use robusto_limits::{Limits, Progress, Stopped};
use robusto_verdict::{Certificate, Certification, Finding, Phase, Reason, Refuted, Report, Verdict};
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
}

impl Engine {
    /// All of them.
    pub const ALL: [Engine; 3] = [Engine::Auto, Engine::Explicit, Engine::Bdd];
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Engine::Auto => "auto",
            Engine::Explicit => "explicit",
            Engine::Bdd => "bdd",
        })
    }
}

impl FromStr for Engine {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = Engine::ALL.into_iter().find(|engine| engine.to_string() == text);
        known.ok_or_else(|| format!("there is no engine `{text}`; there are auto, explicit and bdd"))
    }
}

/// How a question is answered.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The engine.
    pub engine: Engine,
    /// When a `true` is certified.
    pub certify: Policy,
}

impl From<Engine> for Options {
    fn from(engine: Engine) -> Self {
        Self { engine, ..Self::default() }
    }
}

/// What an engine found.
enum Found<'t> {
    /// No target is reached; why, if that can be said.
    Nothing(Option<Proof>),
    /// A target, with an execution that is to be replayed.
    Target(&'t Goal, Option<Trace>),
}

/// Answers the question. Every `false` has been replayed, and a `true` is certified as the options say.
pub fn check(
    program: &Program,
    question: &Question,
    options: impl Into<Options>,
    limits: &Limits,
    progress: &Progress,
) -> Report {
    let options = options.into();
    let targets = Targets::new(program, question);
    if program.main.is_none() {
        return Report::unknown(Reason::NoMain);
    }
    let mut counters: Vec<(&'static str, String)> = Vec::new();
    let start = Instant::now();
    progress.set_activity("liveness");
    let facts = Facts::new(program);
    let prepared = Instant::now();
    progress.set_activity("exploration");
    let found = match options.engine {
        Engine::Explicit => explicit(program, &facts, &targets, limits, progress, &mut counters),
        Engine::Auto | Engine::Bdd => bdd(program, &facts, &targets, limits, progress, &mut counters),
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
        certify(program, &targets, &mut report, &options, limits, searched - prepared);
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
    report.vacuous = targets.is_empty();
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
    options: &Options,
    limits: &Limits,
    spent: Duration,
) {
    let start = Instant::now();
    let no = |why: &str| Certification::No(why.to_owned());
    report.certification = match (&report.certificate, options.certify.limits(limits, spent)) {
        (None, _) => no("the engine gave no certificate"),
        (_, None) => no("not asked for"),
        (Some(certificate), Some(limits)) => match certify::check(program, targets, certificate, &limits) {
            Ok(done) => Certification::Yes { checks: done.checks, time: start.elapsed() },
            Err(Failure::Incomplete(why)) => Certification::No(why),
            Err(Failure::Refuted(what)) => {
                let failed = Verdict::Unknown(Reason::CertificationFailed(what.clone()));
                report.findings.iter_mut().for_each(|finding| finding.verdict = failed.clone());
                report.verdict = failed;
                report.refuted.push(Refuted { engine: options.engine.to_string(), what: what.clone() });
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
    limits: &Limits,
    progress: &Progress,
    counters: &mut Vec<(&'static str, String)>,
) -> Result<Found<'t>, Stopped> {
    let mut solver = Solver::new(program, facts);
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
