//! One search for violations: the analysis and its first predicates, then the loop of abstraction and refinement, then the
//! report of what it found.

use super::cycle::Cegar;
use super::{Options, certificate};
use crate::certificate::formula;
use crate::outcome;
use crate::phases::Phases;
use crate::problem::Problem;
use crate::property::place;
use crate::slam::{BadPredicate, list as predicates_in};
use robusto_analyses::predicate::{self, Abe, State};
use robusto_cpa::Arg;
use robusto_limits::{Limits, Progress};
use robusto_verdict::{Finding, Reason, Report, Target, Verdict};

/// What is asked, what is known already, and what may be spent.
pub struct Search<'s> {
    pub problem: &'s Problem,
    pub options: &'s Options,
    /// Predicates at loop heads to start with, in the notation of certificates.
    pub predicates: &'s [String],
    pub limits: &'s Limits,
    pub progress: &'s Progress,
}

impl<'s> Search<'s> {
    /// Checks the property; the report, and all predicates if blocks hold loops, which then have no certificate. The graph goes
    /// to `inspect` when the exploration is over.
    pub fn run(&self, inspect: impl FnOnce(&mut Abe<'_>, &Arg<State>)) -> (Report, Vec<String>) {
        let mut phases = Phases::default();
        let Some(main) = self.problem.facts.program.main else {
            return (Report::unknown(Reason::NoMain), Vec::new());
        };
        let mut abe = self.analysis();
        phases.end("interval invariants");
        if let Err(bad) = self.track(&mut abe) {
            return (Report::unknown(Reason::Imprecise(bad.to_string())), Vec::new());
        }
        let mut cegar = match Cegar::start(self, abe, main) {
            Ok(cegar) => cegar,
            Err(stopped) => return (Report::unknown(stopped.into()), Vec::new()),
        };
        let open = cegar.run().err();
        phases.end("exploration");
        let findings = self.findings(&mut cegar, open.as_ref());
        let Cegar { cpa, exploration, .. } = &mut cegar;
        inspect(&mut cpa.data, &exploration.arg);
        let counters = counters(&cegar, &mut phases);
        let (report, predicates) = self.proved(&mut cegar, findings, open);
        phases.end("certificate");
        let approximations = cegar.cpa.data.encoder().approximations().map(|a| (place(a.pos), a.what)).collect();
        (Report { approximations, phases: phases.list, counters, ..report }, predicates)
    }

    /// The analysis, with what intervals know.
    fn analysis(&self) -> Abe<'s> {
        let Self { problem, options, limits, .. } = *self;
        let &Options { block, abstraction, scope, merge, .. } = options;
        let mut abe = Abe::new(&problem.facts, predicate::Options { block, abstraction, scope, merge }, limits);
        abe.set_log(options.smt2.clone());
        abe.set_invariants(options.invariants.then(|| problem.intervals(limits)).flatten());
        abe
    }

    /// Tracks the first predicates.
    fn track(&self, abe: &mut Abe<'_>) -> Result<(), BadPredicate> {
        if let Some(text) = &self.options.predicates {
            for predicate in predicates_in(abe.encoder_mut(), text)? {
                abe.track_everywhere(predicate);
            }
        }
        for text in self.predicates {
            // What cannot be read speaks of choices, which no head knows.
            if let Ok(predicate) = formula::parse(abe.encoder_mut(), text) {
                abe.track_at_heads(predicate);
            }
        }
        Ok(())
    }

    /// What is known of each target; `open` is why the loop has ended before it was done.
    fn findings(&self, cegar: &mut Cegar<'_>, open: Option<&Reason>) -> Vec<Finding> {
        let ended = !self.problem.each && cegar.has_violation();
        let verdicts = std::mem::take(&mut cegar.verdicts);
        let finding = |(target, verdict): (&Target, Option<Verdict>)| {
            let verdict = match (verdict, open) {
                (Some(verdict), _) => verdict,
                (None, Some(reason)) => Verdict::Unknown(reason.clone()),
                // The exploration ended at another violation.
                (None, None) if ended => return None,
                (None, None) => Verdict::True,
            };
            Some(Finding { target: target.clone(), verdict })
        };
        self.problem.targets.iter().zip(verdicts).filter_map(finding).collect()
    }

    /// The report, with its certificate or the predicates of a proof that still needs one.
    fn proved(&self, cegar: &mut Cegar<'_>, findings: Vec<Finding>, open: Option<Reason>) -> (Report, Vec<String>) {
        let Cegar { cpa, exploration, .. } = cegar;
        let mut predicates = Vec::new();
        let report = outcome::report(self.problem, findings, open, || {
            if self.options.block.holds_loops() {
                let all = cpa.data.precision().predicates();
                predicates = all.iter().map(|&p| formula::print(cpa.data.encoder(), p)).collect();
                return None;
            }
            Some(certificate::make(cpa, &exploration.arg))
        });
        (report, predicates)
    }
}

/// What it took.
fn counters(cegar: &Cegar<'_>, phases: &mut Phases) -> Vec<(&'static str, String)> {
    let Cegar { cpa, exploration, refinements, refinement_time, longest, .. } = cegar;
    let (statistics, precision) = (cpa.data.statistics(), cpa.data.precision());
    phases.split("abstraction", statistics.time);
    phases.split("refinement", *refinement_time);
    phases.split("solver (part of both)", statistics.solver.time);
    vec![
        ("reached states", exploration.arg.len().to_string()),
        ("abstractions", statistics.abstractions.to_string()),
        ("abstractions from the cache", statistics.recalled.to_string()),
        ("refinements", refinements.to_string()),
        ("longest error path", format!("{longest} blocks")),
        ("predicates", format!("{} (at most {} in one place)", precision.len(), precision.most())),
        ("solver calls", statistics.solver.calls.to_string()),
    ]
}
