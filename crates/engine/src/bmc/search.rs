//! The search for violations, bound by bound; base case of [`crate::kind`] too.

use super::script::{small_objects, spurious};
use super::{next_bound, script};
use crate::problem::Problem;
use crate::procedures::expansions;
use crate::property::edge_of;
use crate::replay::Replayer;
use crate::unroll::{Closed, Counting, Found, NodeId, Unmodelled, Unroller, Violation};
use robusto_analyses::interval::Invariants;
use robusto_analyses::symbolic::Encoder;
use robusto_cfa::facts::Facts;
use robusto_cpa::control::Location;
use robusto_interp::EdgeRef;
use robusto_limits::{Limits, Progress};
use robusto_logic::{Answer, Evaluator, Model, Solver, Term};
use robusto_verdict::{Finding, Reason, Target, Verdict};
use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Effort, in conflicts, of a query for reachable nodes beyond the bound.
const PRUNING_EFFORT: i32 = 4_000;

/// Greatest number of such queries for one bound.
const PRUNING_QUERIES: usize = 100;

/// Locations with a copy of each function per call of it, up to which calls are taken at once. The check of a proof walks through all
/// copies, as it must not rest on what it checks: 9 s for a tree of calls with 50 million of them, which is unrolled in 2 ms.
const COPIES: u64 = 1_000_000;

/// Executions of one target that are tried when replays fail.
const ATTEMPTS: u32 = 4;

/// The search for violations, bound by bound.
pub(crate) struct Search<'c, 'f> {
    problem: &'f Problem,
    targets: &'f [Target],
    /// What is known of each target.
    pub verdicts: Vec<Option<Verdict>>,
    /// Replays of each target that failed, and what the last one said.
    failures: Vec<(u32, Option<Verdict>)>,
    one_is_enough: bool,
    unroller: Unroller<'f>,
    /// Paths that end where the model ends.
    unmodelled: Vec<Unmodelled>,
    replayer: Option<Replayer<'f>>,
    facts: &'f Facts,
    traces: bool,
    limits: &'c Limits,
    /// The bound that is done.
    pub bound: u32,
    /// Time for unrolling.
    pub unrolling_time: Duration,
}

impl<'c, 'f> Search<'c, 'f> {
    /// At the start of `main`.
    pub fn new(
        encoder: &mut Encoder<'f>,
        problem: &'f Problem,
        traces: bool,
        invariants: Option<&'f Invariants>,
        limits: &'c Limits,
    ) -> Self {
        let (facts, targets) = (encoder.facts(), &problem.targets);
        let mut unroller = Unroller::new(facts, Counting::Loops).within(invariants);
        if facts.program.main.is_some_and(|main| expansions(facts)[main] <= COPIES) {
            unroller = unroller.reusing_calls(encoder);
        }
        if let Some(main) = facts.program.main {
            let start = encoder.initial();
            unroller.start(Location { function: main, loc: facts.program.functions[main].entry }, start);
        }
        Self {
            problem,
            targets,
            verdicts: vec![None; targets.len()],
            failures: vec![(0, None); targets.len()],
            one_is_enough: !problem.each,
            unroller,
            unmodelled: Vec::new(),
            replayer: None,
            facts,
            traces,
            limits,
            bound: 0,
            unrolling_time: Duration::ZERO,
        }
    }

    /// Loops take the iterations that these closed forms describe at once.
    pub fn sliding(mut self, closed: &[Rc<Closed>]) -> Self {
        self.unroller = self.unroller.sliding(closed.iter().cloned());
        self
    }

    /// Number of nodes of the unrolled program.
    pub fn nodes(&self) -> usize {
        self.unroller.len()
    }

    /// Calls that were taken at once, and of these the ones that were like an earlier one.
    pub fn calls(&self) -> String {
        let (walked, reused) = self.unroller.call_counts();
        format!("{} ({reused} like an earlier one)", walked + reused)
    }

    /// Whether nothing is left beyond the bound.
    pub fn is_exhausted(&self) -> bool {
        self.unroller.next_bound().is_none()
    }

    /// Raises the bound until all is said.
    pub fn run(
        &mut self,
        encoder: &mut Encoder<'f>,
        solver: &mut Solver,
        max_bound: Option<u32>,
        progress: &Progress,
    ) -> Result<(), Reason> {
        loop {
            let mut bound = next_bound(self.bound);
            if let Some(max) = max_bound {
                if self.bound >= max {
                    return Err(Reason::Bound(max.into()));
                }
                bound = bound.min(max);
            }
            if self.deepen(encoder, solver, bound, progress)? {
                return Ok(());
            }
        }
    }

    /// Whether the targets are decided, or one violation is found where that is enough.
    pub fn is_decided(&self) -> bool {
        (self.one_is_enough && self.is_violated()) || self.verdicts.iter().all(Option::is_some)
    }

    /// Whether a property is violated.
    fn is_violated(&self) -> bool {
        let mut all = self.targets.iter().zip(&self.verdicts);
        all.any(|(target, verdict)| target.is_violation() && matches!(verdict, Some(Verdict::False(_))))
    }

    /// Searches up to a bound; whether all is said.
    pub fn deepen(
        &mut self,
        encoder: &mut Encoder<'f>,
        solver: &mut Solver,
        bound: u32,
        progress: &Progress,
    ) -> Result<bool, Reason> {
        progress.bound.store(bound.into(), Ordering::Relaxed);
        let start = Instant::now();
        let mut found = Found::default();
        let run = self.unroller.run(encoder, 0, bound, self.limits, &mut found);
        self.unrolling_time += start.elapsed();
        progress.reached.store(self.unroller.len() as u64, Ordering::Relaxed);
        run?;
        self.unmodelled.append(&mut found.unmodelled);
        self.violations(encoder, solver, found.violations)?;
        self.bound = bound;
        // A step that is not modelled ends an execution, and nobody knows what is behind it.
        if !self.is_violated() && self.unmodelled.is_empty() {
            progress.cleared.fetch_max(bound.into(), Ordering::Relaxed);
        }
        if self.is_decided() {
            return Ok(true);
        }
        self.prune(encoder, solver)?;
        if self.unroller.next_bound().is_some() {
            return Ok(false);
        }
        self.finish(encoder, solver)?;
        Ok(true)
    }

    /// Decides the violations that are new.
    fn violations(
        &mut self,
        encoder: &mut Encoder<'f>,
        solver: &mut Solver,
        mut open: Vec<Violation>,
    ) -> Result<(), Reason> {
        loop {
            open.retain(|v| self.target(v).is_some_and(|i| self.verdicts[i].is_none()));
            let guards: Vec<Term> = open.iter().map(|v| v.guard).collect();
            let any = encoder.terms.or_all(&guards);
            if encoder.terms.is_false(any) {
                return Ok(());
            }
            if solver.check(&mut encoder.terms, &[any])? == Answer::Unsat {
                return Ok(());
            }
            let model = solver.model(&encoder.terms);
            let holds = |v: &Violation| encoder.terms.evaluate(v.guard, &model) == 1;
            let violation = open.iter().position(holds).expect("the model violates something");
            let violation = open.swap_remove(violation);
            let target = self.target(&violation).expect("only targets are kept");
            match self.replay(encoder, violation, target, &model)? {
                verdict @ Verdict::False(_) => {
                    self.verdicts[target] = Some(verdict);
                    if self.one_is_enough && self.targets[target].is_violation() {
                        return Ok(());
                    }
                }
                failed => {
                    let (failures, last) = &mut self.failures[target];
                    *failures += 1;
                    *last = Some(failed.clone());
                    if *failures >= ATTEMPTS {
                        self.verdicts[target] = Some(failed);
                    }
                }
            }
        }
    }

    fn target(&self, violation: &Violation) -> Option<usize> {
        self.targets.iter().position(|t| edge_of(t) == violation.step.edge_ref())
    }

    /// Executes the path that a model describes.
    fn replay(
        &mut self,
        encoder: &mut Encoder<'f>,
        violation: Violation,
        target: usize,
        model: &Model,
    ) -> Result<Verdict, Reason> {
        let program = &self.facts.program;
        let path = self.unroller.path(encoder, violation, model, self.limits)?;
        let small = small_objects(encoder, &path, self.limits)?;
        let script = script(encoder, program, &path, small.as_ref().unwrap_or(model))?;
        let (function, edge) = edge_of(&self.targets[target]);
        let replayer = self.replayer.get_or_insert_with(|| Replayer::of(self.problem));
        Ok(match replayer.replay(script, EdgeRef { function, edge }, self.traces, self.limits) {
            Ok(counterexample) => Verdict::False(counterexample),
            Err(instead) => {
                // A replay that was interrupted says nothing.
                self.limits.look()?;
                Verdict::Unknown(spurious(encoder, &instead))
            }
        })
    }

    /// Forgets nodes beyond the bound that are unreachable, as far as little effort shows it. Each query asks for any of
    /// the nodes that are still in question; a model answers for all whose guards it satisfies.
    fn prune(&mut self, encoder: &mut Encoder<'f>, solver: &mut Solver) -> Result<(), Reason> {
        let mut open: Vec<(NodeId, Term)> = self.unroller.frontier().collect();
        open.retain(|&(_, guard)| !encoder.terms.is_true(guard));
        for _ in 0..PRUNING_QUERIES {
            if open.is_empty() {
                return Ok(());
            }
            let guards: Vec<Term> = open.iter().map(|&(_, guard)| guard).collect();
            let any = encoder.terms.or_all(&guards);
            match solver.check_within(&mut encoder.terms, &[any], PRUNING_EFFORT)? {
                None => return Ok(()),
                Some(Answer::Sat) => {
                    let model = solver.model(&encoder.terms);
                    let mut values = Evaluator::new(&encoder.terms, &model);
                    open.retain(|&(_, guard)| values.value(guard) == 0);
                }
                Some(Answer::Unsat) => {
                    let unreachable = open.iter().map(|&(node, _)| node).collect();
                    self.unroller.prune(&unreachable);
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Everything is unrolled: what is not violated holds, unless the model ended before.
    fn finish(&mut self, encoder: &mut Encoder<'f>, solver: &mut Solver) -> Result<(), Reason> {
        self.is_modelled(encoder, solver)?;
        for target in 0..self.targets.len() {
            self.prove(target);
        }
        Ok(())
    }

    /// Nothing more can violate a target: it holds, unless a violation was found that could not be replayed.
    pub fn prove(&mut self, target: usize) {
        let failed = self.failures[target].1.take();
        self.verdicts[target].get_or_insert(failed.unwrap_or(Verdict::True));
    }

    /// An error if an execution comes to something that is not modelled.
    pub fn is_modelled(&mut self, encoder: &mut Encoder<'f>, solver: &mut Solver) -> Result<(), Reason> {
        while let Some(end) = self.unmodelled.last() {
            if solver.check(&mut encoder.terms, &[end.guard])? == Answer::Sat {
                return Err(Reason::Unsupported(end.what.clone()));
            }
            self.unmodelled.pop();
        }
        Ok(())
    }

    /// What is known of each target; those that are open have this reason.
    pub fn findings(&mut self, open: Option<Reason>) -> Vec<Finding> {
        let found = self.is_violated();
        let verdicts = std::mem::take(&mut self.verdicts);
        let failures = self.failures.iter_mut().map(|(_, last)| last.take());
        let known = verdicts.into_iter().zip(failures).map(|(verdict, failed)| verdict.or(failed));
        let findings = self.targets.iter().zip(known).filter_map(|(target, verdict)| {
            let verdict = match (verdict, &open) {
                (Some(verdict), _) => verdict,
                (None, Some(reason)) => Verdict::Unknown(reason.clone()),
                // The search ended at another violation.
                (None, None) => {
                    debug_assert!(found, "the search ends when all is decided");
                    return None;
                }
            };
            Some(Finding { target: target.clone(), verdict })
        });
        findings.collect()
    }
}
