//! The loop: abstract, check, find the execution or refine.

use super::abstraction::{self, Abstraction};
use super::certificate::certificate;
use super::known::Known;
use super::names::Names;
use super::path::{self, Path};
use super::precision::Precision;
use super::refine::Refinement;
use super::relation::Relations;
use super::verify::{self, Checked};
use crate::bmc::{Search, replay_path};
use crate::outcome;
use crate::phases::Phases;
use crate::problem::Problem;
use crate::procedures::{End, Keep, Procedures};
use crate::property::{edge_of, place};
use crate::replay::Replayer;
use robusto_analyses::symbolic::Encoder;
use robusto_boolprog::Engine;
use robusto_cpa::Step;
use robusto_limits::{Limits, Progress, Stopped};
use robusto_logic::{Answer, Solver};
use robusto_verdict::{Certificate, Finding, Reason, Report, Target, Verdict};
use std::sync::atomic::Ordering;
use std::time::Duration;

/// What can be chosen.
#[derive(Clone, Debug)]
pub struct Options {
    /// How the Boolean programs are checked.
    pub checker: Engine,
    /// Whether to write down the steps of counterexamples.
    pub traces: bool,
}

/// After so many refinements, executions of little depth are searched directly: a violation that needs them is come to by
/// refinement only value by value. (Of the 20 programs in `cli/tests/recursion`, 18 are proved with at most 2.)
const PATIENCE: u64 = 8;

/// Time for that: at most this, and at most this share of what is left. `hanoi_bug` takes 16 s in a debug build.
const SEARCH: (Duration, u32) = (Duration::from_secs(30), 3);

/// Checks a property.
pub fn check(problem: &Problem, options: &Options, limits: &Limits, progress: &Progress) -> Report {
    if problem.facts.program.main.is_none() {
        return Report::unknown(Reason::NoMain);
    }
    let mut phases = Phases::default();
    let mut encoder = Encoder::new(&problem.facts);
    let procedures = Procedures::of(&mut encoder, Keep::Repeated, limits);
    phases.end("procedures");
    let procedures = match procedures {
        Ok(procedures) => procedures,
        Err(stopped) => return outcome::report(problem, Vec::new(), Some(stopped.into()), || None),
    };
    let (known, proved) = match Known::relations(&mut encoder, &procedures, problem, limits) {
        Ok(known) => (known, None),
        Err(certificate) => (Known::nothing(&encoder, &procedures), Some(certificate)),
    };
    phases.end("relations");
    let mut precision = Precision::new(&procedures);
    precision.initial(&mut encoder, &procedures);
    let mut cycle = Cycle {
        problem,
        options,
        limits,
        progress,
        relations: Relations::new(limits),
        encoder,
        procedures,
        known,
        precision,
        verdicts: vec![None; problem.targets.len()],
        replayer: Replayer::of(problem),
        certificate: proved,
        refinements: 0,
    };
    let open = cycle.run().err();
    phases.end("refinement");
    cycle.report(open, phases)
}

struct Cycle<'c> {
    problem: &'c Problem,
    options: &'c Options,
    limits: &'c Limits,
    progress: &'c Progress,
    encoder: Encoder<'c>,
    procedures: Procedures<'c>,
    known: Known,
    relations: Relations,
    precision: Precision,
    verdicts: Vec<Option<Verdict>>,
    replayer: Replayer<'c>,
    certificate: Option<Certificate>,
    refinements: u64,
}

impl Cycle<'_> {
    /// Until all is said.
    fn run(&mut self) -> Result<(), Reason> {
        if self.certificate.is_some() {
            self.prove();
            return Ok(());
        }
        loop {
            self.limits.poll()?;
            let arguments = self.precision.arguments(&mut self.encoder, &self.procedures);
            let names = Names::of(&self.encoder, &self.procedures, &self.precision);
            let mut abstraction = Abstraction {
                encoder: &mut self.encoder,
                procedures: &self.procedures,
                relations: &mut self.relations,
                precision: &self.precision,
                arguments: &arguments,
                known: &self.known,
            };
            let file = abstraction::program(&mut abstraction)?;
            let checked =
                verify::check(&file, &names, &self.procedures, self.options.checker, self.limits, self.progress)?;
            let events = match checked {
                Checked::Safe(program, proof) => {
                    let made = proof.and_then(|proof| {
                        let Self { encoder, procedures, precision, known, .. } = self;
                        certificate(encoder, procedures, (precision, known), &names, &program, &proof)
                    });
                    let why = "the proof of the Boolean program says nothing of the program";
                    self.certificate = Some(made.ok_or_else(|| Reason::Imprecise(why.to_owned()))?);
                    self.prove();
                    return Ok(());
                }
                Checked::Fails(events) => events,
            };
            let Some(path) = path::path(&mut abstraction, &names, &events)? else { return Err(Reason::NoProgress) };
            if self.analyse(&path)? {
                return Ok(());
            }
        }
    }

    /// Nothing more is violated.
    fn prove(&mut self) {
        for verdict in &mut self.verdicts {
            verdict.get_or_insert(Verdict::True);
        }
    }

    /// Decides whether a path has an execution; whether all is said.
    fn analyse(&mut self, path: &Path) -> Result<bool, Reason> {
        if !self.is_feasible(path)? {
            let Self { encoder, procedures, precision, limits, .. } = self;
            let mut refinement = Refinement { encoder, procedures, precision, limits };
            if !refinement.refine(path)? {
                return Err(Reason::NoProgress);
            }
            self.refinements += 1;
            self.progress.refinements.fetch_add(1, Ordering::Relaxed);
            return if self.refinements == PATIENCE { self.search() } else { Ok(false) };
        }
        let step = match &path.end {
            End::Violation(step) => step,
            End::Unmodelled(what) => return Err(Reason::Unsupported(what.clone())),
            End::Cut(_) => return Err(Reason::NoProgress),
        };
        let targets = &self.problem.targets;
        let found = targets.iter().position(|t| edge_of(t) == step.edge_ref());
        let target = found.ok_or(Reason::NoProgress)?;
        let steps: Vec<Step> = path.steps.iter().map(|step| step.step).collect();
        let solver = Solver::new(self.limits);
        let verdict = replay_path(
            &mut self.encoder,
            solver,
            &steps,
            edge_of(&targets[target]),
            (&self.replayer, self.options.traces),
            self.limits,
        )?;
        let violated = matches!(verdict, Verdict::False(_));
        let enough = violated && targets[target].is_violation() && !self.problem.each;
        if !violated {
            // The path is there, but no execution: it would be found again.
            let Verdict::Unknown(reason) = verdict else { return Err(Reason::NoProgress) };
            return Err(reason);
        }
        self.verdicts[target] = Some(verdict);
        self.procedures.forget(*step);
        Ok(enough || self.verdicts.iter().all(Option::is_some))
    }

    /// Searches executions of little depth, all at once; whether all is said. What is proved that way is not said here.
    fn search(&mut self) -> Result<bool, Reason> {
        let (most, share) = SEARCH;
        let own = self.limits.within(self.limits.remaining().map_or(most, |left| most.min(left / share)));
        let Problem { facts, targets, each, .. } = self.problem;
        let mut encoder = Encoder::new(facts);
        let mut solver = Solver::new(&own);
        let mut search = Search::new(&mut encoder, self.problem, self.options.traces, None, &own);
        // It ends for good when the user wants that; else the refinement goes on.
        let _ = search.run(&mut encoder, &mut solver, None, self.progress);
        self.limits.poll()?;
        let mut enough = false;
        for (target, verdict) in search.verdicts.iter().enumerate() {
            if let Some(Verdict::False(_)) = verdict
                && self.verdicts[target].is_none()
            {
                self.verdicts[target].clone_from(verdict);
                let (function, edge) = edge_of(&targets[target]);
                self.procedures.forget(Step::Edge(function, edge));
                enough |= targets[target].is_violation() && !each;
            }
        }
        Ok(enough || self.verdicts.iter().all(Option::is_some))
    }

    fn is_feasible(&mut self, path: &Path) -> Result<bool, Stopped> {
        let mut at = self.encoder.initial();
        for step in &path.steps {
            let Some(next) = self.encoder.step(&at, step.step)? else { return Ok(false) };
            at = next;
        }
        Ok(Solver::new(self.limits).check(&mut self.encoder.terms, &[at.guard])? == Answer::Sat)
    }

    fn report(mut self, open: Option<Reason>, mut phases: Phases) -> Report {
        let verdicts = std::mem::take(&mut self.verdicts);
        let finding = |(target, verdict): (&Target, Option<Verdict>)| {
            // What is left when a violation is enough is not told.
            let verdict = match (verdict, &open) {
                (Some(verdict), _) => verdict,
                (None, Some(reason)) => Verdict::Unknown(reason.clone()),
                (None, None) => return None,
            };
            Some(Finding { target: target.clone(), verdict })
        };
        let findings = self.problem.targets.iter().zip(verdicts).filter_map(finding).collect();
        let counters = vec![
            ("procedures", self.procedures.list.len().to_string()),
            ("refinements", self.refinements.to_string()),
            ("predicates", self.precision.len().to_string()),
            ("solver calls", self.relations.solver().statistics().calls.to_string()),
        ];
        phases.split("solver for abstractions", self.relations.solver().statistics().time);
        let certificate = self.certificate.take();
        let report = outcome::report(self.problem, findings, open, || certificate);
        let approximations = self.encoder.approximations().map(|a| (place(a.pos), a.what)).collect();
        Report { approximations, phases: phases.list, counters, ..report }
    }
}
