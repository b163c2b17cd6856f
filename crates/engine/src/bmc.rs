//! Bounded model checking: errors within a growing number of loop iterations.
//!
//! Biere, Cimatti, Clarke, Zhu: *Symbolic model checking without BDDs*, TACAS 1999; Clarke, Kroening, Lerda: *A tool for
//! checking ANSI-C programs*, TACAS 2004. The bound limits the iterations of every loop and the activations of every
//! recursive function, each by itself. For each bound, one query asks for a violation that is new; a model of it is an
//! execution, which is replayed.
//!
//! | the papers | here |
//! |---|---|
//! | unwinding | `crate::unroll` |
//! | the formula for bound k | the disjunction of the guards of the violations found since bound k - 1 |
//! | unwinding assertions | the guards of the frontier: if none is satisfiable, longer executions do not exist |
//!
//! Soundness: False is replayed. True is said only when no violation within the bound is satisfiable, nothing reachable
//! lies beyond it, and no reachable path ends at something that is not modelled. An infeasible frontier node is
//! forgotten, which loses no execution.

use crate::certificate::Certificate;
use crate::limits::{Limits, Progress};
use crate::phases::Phases;
use crate::problem::Problem;
use crate::property::Target;
use crate::replay::{Replayer, Script};
use crate::unroll::{Counting, Found, NodeId, PathStep, Unmodelled, Unroller, Violation};
use crate::verdict::{Certification, Finding, Reason, Report, Verdict};
use robusto_analyses::facts::Facts;
use robusto_analyses::interval::Invariants;
use robusto_analyses::symbolic::{Contents, Encoder};
use robusto_cfa::ir::{Op, Program};
use robusto_cpa::control::Location;
use robusto_interp::EdgeRef;
use robusto_logic::{Answer, Evaluator, Model, Solver, Term};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// What can be chosen.
#[derive(Clone, Debug)]
pub struct Options {
    /// Loops are unrolled at most this far.
    pub max_bound: Option<u32>,
    /// Whether to use interval invariants.
    pub invariants: bool,
    /// Whether to write down the steps of counterexamples.
    pub traces: bool,
    /// Where to write every query of the solver.
    pub smt2: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Self {
        Self { max_bound: None, invariants: true, traces: true, smt2: None }
    }
}

/// Effort, in conflicts, of a query for reachable nodes beyond the bound.
const PRUNING_EFFORT: i32 = 4_000;

/// Greatest number of such queries for one bound.
const PRUNING_QUERIES: usize = 100;

/// Executions of one target that are tried when replays fail.
const ATTEMPTS: u32 = 4;

/// Checks a property.
pub fn check(problem: &Problem, options: &Options, limits: &Limits, progress: &Progress) -> Report {
    let mut phases = Phases::default();
    let Problem { facts, targets, each, .. } = problem;
    if facts.program.main.is_none() {
        return Report::unknown(Reason::NoMain);
    }
    let invariants = options.invariants.then(|| problem.intervals(limits)).flatten();
    phases.end("interval invariants");
    let mut encoder = Encoder::new(facts);
    let mut solver = Solver::new(limits.stopper());
    solver.set_dump(options.smt2.clone());
    let mut search = Search::new(&mut encoder, targets, !each, options.traces, invariants, limits);
    let open = search.run(&mut encoder, &mut solver, options.max_bound, progress).err();
    phases.end("search");
    phases.split("unrolling", search.unrolling_time);
    phases.split("solver", solver.statistics().time);
    let statistics = solver.statistics();
    let counters = vec![
        ("bound", search.bound.to_string()),
        ("nodes", search.nodes().to_string()),
        ("terms", encoder.terms.len().to_string()),
        ("solver calls", statistics.calls.to_string()),
        ("SAT variables", statistics.variables.to_string()),
        ("SAT clauses", statistics.clauses.to_string()),
    ];
    let findings = search.findings(open.clone());
    let certificate = Certificate::Unrolled { bound: search.bound };
    report(facts, targets, &encoder, findings, certificate, open, phases, counters)
}

/// The report of an engine that ended with these findings; if they are all true, because of this certificate.
#[expect(clippy::too_many_arguments, reason = "the fields of a report")]
pub(crate) fn report(
    facts: &Facts,
    targets: &[Target],
    encoder: &Encoder<'_>,
    findings: Vec<Finding>,
    certificate: Certificate,
    open: Option<Reason>,
    phases: Phases,
    counters: Vec<(&'static str, String)>,
) -> Report {
    let verdict = match (Report::overall(&findings), open) {
        // Without targets there is nothing to violate, however the search ended.
        (Verdict::True, Some(reason)) if !targets.is_empty() => Verdict::Unknown(reason),
        (verdict, _) => verdict,
    };
    let certificate = match Report::proves(&verdict, &findings) {
        true if targets.is_empty() => Some(Certificate::Vacuous),
        true => Some(certificate),
        false => None,
    };
    Report {
        verdict,
        findings,
        assumptions: facts.program.assumptions.clone(),
        certificate,
        certification: Certification::None,
        approximations: encoder.approximations().map(|a| (a.pos, a.what)).collect(),
        invariants: Vec::new(),
        phases: phases.list,
        counters,
    }
}

/// The bound after this one: every one at first, then in growing steps.
pub(crate) fn next_bound(bound: u32) -> u32 {
    if bound < 6 { bound + 1 } else { bound + bound / 3 }
}

/// The search for violations, bound by bound.
pub(crate) struct Search<'c, 'f> {
    targets: &'c [Target],
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
        targets: &'c [Target],
        one_is_enough: bool,
        traces: bool,
        invariants: Option<&'f Invariants>,
        limits: &'c Limits,
    ) -> Self {
        let facts = encoder.facts();
        let mut unroller = Unroller::new(facts, Counting::Loops).within(invariants);
        if let Some(main) = facts.program.main {
            let start = encoder.initial();
            unroller.start(Location { function: main, loc: facts.program.functions[main].entry }, start);
        }
        Self {
            targets,
            verdicts: vec![None; targets.len()],
            failures: vec![(0, None); targets.len()],
            one_is_enough,
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

    /// Number of nodes of the unrolled program.
    pub fn nodes(&self) -> usize {
        self.unroller.len()
    }

    /// Whether nothing is left beyond the bound.
    pub fn is_exhausted(&self) -> bool {
        self.unroller.next_bound().is_none()
    }

    /// Raises the bound until all is said.
    fn run(
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
        let found = |v: &Option<Verdict>| matches!(v, Some(Verdict::False(_)));
        (self.one_is_enough && self.verdicts.iter().any(found)) || self.verdicts.iter().all(Option::is_some)
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
        let limits = self.limits;
        let mut poll = || limits.poll();
        let run = self.unroller.run(encoder, 0, bound, &mut poll, &mut found);
        self.unrolling_time += start.elapsed();
        progress.reached.store(self.unroller.len() as u64, Ordering::Relaxed);
        run?;
        self.unmodelled.append(&mut found.unmodelled);
        self.violations(encoder, solver, found.violations)?;
        self.bound = bound;
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

    fn stopped(&self) -> Reason {
        stopped(self.limits)
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
            match solver.check(&mut encoder.terms, &[any]) {
                Err(_) => return Err(self.stopped()),
                Ok(Answer::Unsat) => return Ok(()),
                Ok(Answer::Sat) => {}
            }
            let model = solver.model(&encoder.terms);
            let holds = |v: &Violation| encoder.terms.evaluate(v.guard, &model) == 1;
            let violation = open.iter().position(holds).expect("the model violates something");
            let violation = open.swap_remove(violation);
            let target = self.target(&violation).expect("only targets are kept");
            match self.replay(encoder, violation, target, &model)? {
                verdict @ Verdict::False(_) => {
                    self.verdicts[target] = Some(verdict);
                    if self.one_is_enough {
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
        self.targets.iter().position(|t| t.edge == violation.step.edge_ref())
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
        let path = self.unroller.path(encoder, violation, model);
        let script = script(encoder, program, &path, model)?;
        let (function, edge) = self.targets[target].edge;
        let replayer = self.replayer.get_or_insert_with(|| Replayer::new(program));
        let verdict = match replayer.replay(script, EdgeRef { function, edge }, self.traces, &self.limits.cancel) {
            Ok(counterexample) => Verdict::False(counterexample),
            Err(instead) => Verdict::Unknown(Reason::Imprecise(match encoder.approximations().next() {
                Some(a) => format!("{} at line {} is over-approximated", a.what, a.pos.line),
                None => format!("spurious counterexample: {instead}"),
            })),
        };
        // A replay that the user interrupts says nothing.
        self.limits.poll()?;
        Ok(verdict)
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
            match solver.check_within(&mut encoder.terms, &[any], PRUNING_EFFORT) {
                Err(_) => return Err(self.stopped()),
                Ok(None) => return Ok(()),
                Ok(Some(Answer::Sat)) => {
                    let model = solver.model(&encoder.terms);
                    let mut values = Evaluator::new(&encoder.terms, &model);
                    open.retain(|&(_, guard)| values.value(guard) == 0);
                }
                Ok(Some(Answer::Unsat)) => {
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
            match solver.check(&mut encoder.terms, &[end.guard]) {
                Err(_) => return Err(self.stopped()),
                Ok(Answer::Sat) => return Err(Reason::Unsupported(end.what.clone())),
                Ok(Answer::Unsat) => {}
            }
            self.unmodelled.pop();
        }
        Ok(())
    }

    /// What is known of each target; those that are open have this reason.
    pub fn findings(&mut self, open: Option<Reason>) -> Vec<Finding> {
        let found = self.verdicts.iter().flatten().any(|v| matches!(v, Verdict::False(_)));
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

/// Why a solver was stopped.
pub(crate) fn stopped(limits: &Limits) -> Reason {
    // The clock is not read at every poll.
    for _ in 0..32 {
        if let Err(stopped) = limits.poll() {
            return stopped.into();
        }
    }
    Reason::Timeout
}

/// The nondeterministic choices along a path. The formulas of this one path are built anew; their choices get the numbers
/// that they had in the merged formulas, and so the values of the model.
pub(crate) fn script(
    encoder: &mut Encoder<'_>,
    program: &Program,
    path: &[PathStep],
    model: &Model,
) -> Result<Script, Reason> {
    let mut script = Script::default();
    let mut at = encoder.initial();
    let main = program.main.expect("the search starts there");
    let fresh = |encoder: &Encoder<'_>, all: Vec<Contents>, script: &mut Script| {
        let bytes = all.iter().map(|contents| contents.bytes(encoder, model)).filter(|bytes| !bytes.is_empty());
        script.fresh.extend(bytes);
    };
    let objects = encoder.contents_of_objects(&at, main)?;
    fresh(encoder, objects, &mut script);
    for step in path {
        at.choices = step.choices;
        let (function, edge) = step.step.edge_ref();
        let edge = EdgeRef { function, edge };
        let Some(after) = encoder.step(&at, step.step)? else { break };
        match step.step.edge(program).op {
            Op::Havoc { .. } => {
                let choice = encoder.choice(&at, step.step);
                let value = choice.map(|choice| encoder.terms.evaluate(choice, model) as u64);
                script.values.push_back((edge, value));
            }
            Op::HavocMem { .. } => {
                for contents in encoder.contents(&at, &after, step.step)? {
                    script.fills.push_back((edge, contents.bytes(encoder, model)));
                }
            }
            Op::Alloc { .. } | Op::Call { .. } => {
                let objects = encoder.contents(&at, &after, step.step)?;
                fresh(encoder, objects, &mut script);
            }
            _ => {}
        }
        at = after;
    }
    Ok(script)
}
