//! The engine of property-directed reachability on the finite-state model ([`robusto_image::pdr`]).
//!
//! What is bounded in the model (depth of recursion, size of the heap) and what is not modelled are bad like violations: a
//! `true` needs that none of them can be reached.

mod certificate;

use crate::finite::execution::execute;
use crate::outcome;
use crate::phases::Phases;
use crate::problem::Problem;
use crate::property::{edge_of, place};
use crate::registry::{Call, Engine, INVARIANTS, invariants};
use crate::replay::Replayer;
use robusto_image::model::{self, Model, Place};
use robusto_image::pdr::{self, Outcome, Pdr, Proof};
use robusto_limits::{Limits, Progress};
use robusto_verdict::{Finding, Reason, Report, Verdict};

/// What can be chosen.
#[derive(Clone, Debug)]
pub struct Options {
    /// Whether to use interval invariants.
    pub invariants: bool,
    /// Whether to write down the steps of counterexamples.
    pub traces: bool,
    /// The bounds of the model.
    pub model: model::Options,
    /// How the search is done.
    pub search: pdr::Options,
}

impl Default for Options {
    fn default() -> Self {
        let (model, search) = Default::default();
        Self { invariants: true, traces: true, model, search }
    }
}

/// The engine.
pub static ENGINE: Engine = Engine {
    name: "pdr",
    about: "Property-directed reachability (IC3) on bits, with memory",
    help: "\
Property-directed reachability (IC3) on the finite-state model: clauses over the bits of
variables and memory at the heads of loops, until they are inductive. For programs with
flags, small arrays and pointers. Recursion and the heap are bounded. (docs/pdr.md)",
    options: &[&INVARIANTS],
    call: Call::Alone(|job| {
        let options = Options { invariants: invariants(job.values), traces: job.traces, ..Options::default() };
        check(job.problem, &options, job.limits, job.progress)
    }),
};

/// Checks a property.
pub fn check(problem: &Problem, options: &Options, limits: &Limits, progress: &Progress) -> Report {
    let mut phases = Phases::default();
    let facts = &problem.facts;
    if facts.program.main.is_none() {
        return Report::unknown(Reason::NoMain);
    }
    let intervals = options.invariants.then(|| problem.intervals(limits)).flatten();
    phases.end("interval invariants");
    progress.set_activity("model");
    let pdr = Model::of(facts, intervals, &options.model, limits).and_then(|model| {
        phases.end("model");
        let pdr = Pdr::new(model, facts, intervals, &options.search, limits);
        phases.end("gates");
        pdr
    });
    let mut pdr = match pdr {
        Ok(pdr) => pdr,
        Err(stopped) => return Report { phases: phases.list, ..Report::unknown(stopped.into()) },
    };
    progress.set_activity("search");
    let mut search = Search { problem, options, limits, verdicts: vec![None; problem.targets.len()], beyond: None };
    let end = search.run(&mut pdr);
    phases.end("search");
    let counters = counters(&pdr);
    let approximations = pdr.model.approximations.iter().map(|a| (place(a.pos), a.what)).collect();
    let (proof, open) = match end {
        Ok(proof) => (proof, None),
        Err(reason) => (None, Some(reason)),
    };
    let findings = search.findings(open.as_ref(), proof.is_some());
    let report = outcome::report(problem, findings, open, || {
        proof.map(|proof| certificate::certificate(facts, intervals, &pdr.model, &proof))
    });
    phases.end("certificate");
    Report { approximations, phases: phases.list, counters, ..report }
}

/// What it took.
fn counters(pdr: &Pdr<'_>) -> Vec<(&'static str, String)> {
    let took = pdr.statistics();
    vec![
        ("state", format!("{} bits in {} words", pdr.model.bits(), pdr.model.words.len())),
        ("blocks", pdr.model.places.len().to_string()),
        ("cut points", format!("{} with {} edges", took.nodes, took.edges)),
        ("gates", took.gates.to_string()),
        ("frames", took.frames.to_string()),
        ("clauses", format!("{} of {}", took.clauses, took.clauses_made)),
        ("obligations", took.obligations.to_string()),
        ("SAT calls", took.calls.to_string()),
    ]
}

struct Search<'s> {
    problem: &'s Problem,
    options: &'s Options,
    limits: &'s Limits,
    /// What is known of each target.
    verdicts: Vec<Option<Verdict>>,
    /// The first thing that can be reached of which the model knows nothing more.
    beyond: Option<Reason>,
}

impl Search<'_> {
    /// Searches until all is said; the proof, unless one violation is enough and was found.
    fn run(&mut self, pdr: &mut Pdr<'_>) -> Result<Option<Proof>, Reason> {
        loop {
            let (at, steps) = match pdr.search()? {
                Outcome::Proved(proof) => return Ok(Some(proof)),
                Outcome::Reached { place, steps } => (pdr.model.places[place].clone(), steps),
            };
            match at {
                Place::Target(function, edge) => {
                    let target = self.problem.targets.iter().position(|t| edge_of(t) == (function, edge));
                    let Some(target) = target else { continue };
                    let reached = &self.problem.targets[target];
                    let verdict = match steps {
                        Some(steps) => {
                            let replayer = Replayer::of(self.problem);
                            execute(self.problem, &replayer, &steps, reached, self.options.traces, self.limits)?
                        }
                        None => Verdict::Unknown(outcome::imprecise(
                            &pdr.model.approximations,
                            "the path found takes other values than the program's",
                        )),
                    };
                    let is_found = reached.is_violation() && matches!(verdict, Verdict::False(_));
                    self.verdicts[target] = Some(verdict);
                    if is_found && !self.problem.each {
                        return Ok(None);
                    }
                }
                Place::Gap(what) => drop(self.beyond.get_or_insert(Reason::Unsupported(what))),
                Place::Bound(_, bound) => drop(self.beyond.get_or_insert(Reason::Bound(bound))),
                Place::Control(..) | Place::End => {}
            }
        }
    }

    /// What is known of each target; those that are open have this reason.
    fn findings(&mut self, open: Option<&Reason>, is_proved: bool) -> Vec<Finding> {
        let verdicts = std::mem::take(&mut self.verdicts);
        let verdict = |known: Option<Verdict>| match (known, &self.beyond, open) {
            (Some(known), ..) => Some(known),
            (None, Some(beyond), _) if is_proved => Some(Verdict::Unknown(beyond.clone())),
            (None, _, Some(reason)) => Some(Verdict::Unknown(reason.clone())),
            (None, None, None) if is_proved => Some(Verdict::True),
            // The search ended at another violation.
            (None, _, None) => None,
        };
        let all = self.problem.targets.iter().zip(verdicts);
        all.filter_map(|(target, known)| Some(Finding { target: target.clone(), verdict: verdict(known)? })).collect()
    }
}
