//! Counterexample-guided abstraction refinement with lazy abstraction, for the predicate analysis and for IMPACT.
//!
//! Clarke, Grumberg, Jha, Lu, Veith: *Counterexample-guided abstraction refinement*, J. ACM 2003; Henzinger, Jhala,
//! Majumdar, Sutre: *Lazy abstraction*, POPL 2002; McMillan: *Lazy abstraction with interpolants*, CAV 2006. Blocks as in
//! Beyer, Keremoglu, Wendler, FMCAD 2010.
//!
//! The exploration stops at each error state of the abstraction. `refine` finds the execution behind it, or predicates
//! that refute the path of blocks; then the graph is cut back:
//!
//! - predicate analysis: at the first block boundary with a new predicate (the pivot), which is abstracted anew;
//! - IMPACT: nowhere, but the boundaries take labels that refute the path, and what stands behind `false` is removed.

mod certificate;
mod craig;
mod engine;
mod impact;
mod path;
mod refine;
mod samples;
mod siblings;
mod wp;

pub use engine::{IMPACT, PREDICATE};

use crate::certificate::formula;
use crate::phases::Phases;
use crate::problem::Problem;
use crate::property::{edge_of, place};
use crate::replay::Replayer;
use crate::{bmc, outcome, unroll};
use path::PathStep;
use refine::{Hints, Refined};
use robusto_analyses::facts::Facts;
use robusto_analyses::predicate::{
    self, Abe, AbstractionKind, BlockId, BlockOperator, Blockwise, MergeKind, Role, Scope, State,
};
use robusto_cpa::control::Location;
use robusto_cpa::{Arg, Composite, Event, Exploration, Order, Run, StateId};
use robusto_interp::EdgeRef;
use robusto_limits::{Limits, Progress};
use robusto_logic::{Answer, QueryLog};
use robusto_verdict::{Finding, Reason, Report, Target, Verdict};
use rustc_hash::FxHashMap;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// What can be chosen.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where blocks end.
    pub block: BlockOperator,
    /// How abstractions are computed, and what is done with refuted paths.
    pub abstraction: AbstractionKind,
    /// Where predicates are tracked.
    pub scope: Scope,
    /// Which states of a block are merged.
    pub merge: MergeKind,
    /// The order of exploration.
    pub order: Order,
    /// Whether to use interval invariants.
    pub invariants: bool,
    /// Whether to write down the steps of counterexamples.
    pub traces: bool,
    /// Who is told every query of the solvers.
    pub smt2: Option<QueryLog>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            block: BlockOperator::Loops,
            abstraction: AbstractionKind::Boolean,
            scope: Scope::Location,
            merge: MergeKind::default(),
            order: Order::ReversePostOrder,
            invariants: true,
            traces: true,
            smt2: None,
        }
    }
}

/// Deepest call stack; deeper recursion is not explored.
const STACK_LIMIT: u32 = 400;

/// Checks a property. The graph goes to `inspect` when the exploration is over.
pub fn check(
    problem: &Problem,
    options: &Options,
    limits: &Limits,
    progress: &Progress,
    inspect: impl FnOnce(&mut Abe<'_>, &Arg<State>),
) -> Report {
    let start = Instant::now();
    let (mut report, predicates) = search(problem, options, &[], limits, progress, inspect);
    if options.block.holds_loops() && !problem.targets.is_empty() && Report::proves(&report.verdict, &report.findings) {
        let mut phases = Phases::default();
        report.certificate = certificate::at_heads(problem, options, &report, &predicates, start.elapsed(), limits);
        phases.end("proof at loop heads");
        report.phases.append(&mut phases.list);
    }
    report
}

/// Checks a property, starting with some predicates at loop heads; the report, and all predicates if blocks hold loops,
/// which then have no certificate. Predicates are in the notation of certificates.
fn search(
    problem: &Problem,
    options: &Options,
    predicates: &[String],
    limits: &Limits,
    progress: &Progress,
    inspect: impl FnOnce(&mut Abe<'_>, &Arg<State>),
) -> (Report, Vec<String>) {
    let mut phases = Phases::default();
    let Problem { facts, targets, each, .. } = problem;
    let Some(main) = facts.program.main else { return (Report::unknown(Reason::NoMain), Vec::new()) };
    let &Options { block, abstraction, scope, merge, .. } = options;
    let abe_options = predicate::Options { block, abstraction, scope, merge };
    let mut abe = Abe::new(facts, abe_options, limits);
    abe.set_log(options.smt2.clone());
    abe.set_invariants(options.invariants.then(|| problem.intervals(limits)).flatten());
    phases.end("interval invariants");
    for text in predicates {
        // What cannot be read speaks of choices, which no head knows.
        if let Ok(predicate) = formula::parse(&mut abe.encoder, text) {
            abe.track_at_heads(predicate);
        }
    }
    let mut cpa = Composite::new(&facts.program, abe, facts, STACK_LIMIT).with_strategy(Blockwise);
    let exploration = match Exploration::start(&mut cpa, main, options.order) {
        Ok(exploration) => exploration,
        Err(stopped) => return (Report::unknown(stopped.into()), Vec::new()),
    };
    let error_locations = targets.iter().enumerate().fold(FxHashMap::default(), |mut map, (i, target)| {
        let (function, edge) = edge_of(target);
        let loc = facts.program.functions[function].edge(edge).dst;
        map.entry(Location { function, loc }).or_insert_with(Vec::new).push(i);
        map
    });
    let mut cegar = Cegar {
        cpa,
        exploration,
        facts,
        targets,
        error_locations,
        verdicts: vec![None; targets.len()],
        nodes: Vec::new(),
        one_is_enough: !each,
        replayer: None,
        traces: options.traces,
        limits,
        progress,
        depth: 20,
        hints: None,
        refinements: 0,
        refinement_time: Duration::ZERO,
        longest: 0,
    };
    let end = cegar.run();
    phases.end("exploration");
    let Cegar { mut cpa, exploration, verdicts, refinements, refinement_time, longest, .. } = cegar;
    let open = match &end {
        Ok(()) => None,
        Err(reason) => Some(reason.clone()),
    };
    let found = targets.iter().zip(&verdicts).any(|(t, v)| t.is_violation() && matches!(v, Some(Verdict::False(_))));
    let findings: Vec<Finding> = targets
        .iter()
        .zip(verdicts)
        .filter_map(|(target, verdict)| {
            let verdict = match (verdict, &open) {
                (Some(verdict), _) => verdict,
                (None, Some(reason)) => Verdict::Unknown(reason.clone()),
                // The exploration ended at another violation.
                (None, None) if found && !each => return None,
                (None, None) => Verdict::True,
            };
            Some(Finding { target: target.clone(), verdict })
        })
        .collect();
    inspect(&mut cpa.data, &exploration.arg);
    phases.split("abstraction", cpa.data.abstraction_time);
    phases.split("refinement", refinement_time);
    let statistics = cpa.data.solver.statistics();
    phases.split("solver (part of both)", statistics.time);
    let counters = vec![
        ("reached states", exploration.arg.len().to_string()),
        ("abstractions", cpa.data.num_abstractions().to_string()),
        ("refinements", refinements.to_string()),
        ("longest error path", format!("{longest} blocks")),
        ("predicates", format!("{} (at most {} in one place)", cpa.data.precision.len(), cpa.data.precision.most())),
        ("solver calls", statistics.calls.to_string()),
    ];
    let mut found = Vec::new();
    let report = outcome::report(problem, findings, open, || {
        if options.block.holds_loops() {
            let predicates = cpa.data.precision.predicates();
            found = predicates.iter().map(|&p| formula::print(&cpa.data.encoder, p)).collect();
            return None;
        }
        Some(certificate::make(&mut cpa, &exploration.arg))
    });
    phases.end("certificate");
    let approximations = cpa.data.encoder.approximations().map(|a| (place(a.pos), a.what)).collect();
    (Report { approximations, phases: phases.list, counters, ..report }, found)
}

/// Why the exploration stops at a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Found {
    /// It is an error.
    Error,
    /// Recursion is deeper than in all executions so far.
    Depth,
}

/// The loop of abstraction and refinement.
struct Cegar<'c, 'f> {
    cpa: Composite<'f, Abe<'f>, Blockwise>,
    exploration: Exploration<State>,
    facts: &'f Facts,
    targets: &'c [Target],
    /// For each location behind an error edge, the targets that end there.
    error_locations: FxHashMap<Location, Vec<usize>>,
    verdicts: Vec<Option<Verdict>>,
    /// The node of each block's start.
    nodes: Vec<Option<StateId>>,
    one_is_enough: bool,
    replayer: Option<Replayer<'f>>,
    traces: bool,
    limits: &'c Limits,
    progress: &'c Progress,
    /// Recursion deeper than this is explored only after an execution that deep was found, else an abstraction without
    /// the right predicates would descend for ever.
    depth: u32,
    /// Candidate predicates, found when the first are needed.
    hints: Option<Hints>,
    refinements: u64,
    refinement_time: Duration,
    longest: usize,
}

impl Cegar<'_, '_> {
    /// Until the abstraction has no more errors that are not decided.
    fn run(&mut self) -> Result<(), Reason> {
        loop {
            let Some((node, found)) = self.explore()? else { return Ok(()) };
            let start = Instant::now();
            let done = self.analyse(node, found);
            self.refinement_time += start.elapsed();
            if done? {
                return Ok(());
            }
        }
    }

    /// Explores up to the next error state.
    fn explore(&mut self) -> Result<Option<(StateId, Found)>, Reason> {
        let Self { cpa, exploration, nodes, error_locations, verdicts, progress, depth, .. } = self;
        let mut error = None;
        let run = exploration.run(cpa, |event| {
            if let Event::Expanding { id, state, reached, waiting } = event {
                progress.reached.store(reached as u64, Ordering::Relaxed);
                progress.waiting.store(waiting as u64, Ordering::Relaxed);
                progress.expanded.fetch_add(1, Ordering::Relaxed);
                if state.data.role == Role::Start {
                    let block = state.data.block.index();
                    if nodes.len() <= block {
                        nodes.resize(block + 1, None);
                    }
                    nodes[block] = Some(id);
                    let deep = state.data.formula.activations.values().any(|&count| count > *depth);
                    let open = |targets: &Vec<usize>| targets.iter().any(|&i| verdicts[i].is_none());
                    if deep {
                        error = Some((id, Found::Depth));
                        return ControlFlow::Break(());
                    }
                    if state.data.block != BlockId::FIRST && error_locations.get(&state.location).is_some_and(open) {
                        error = Some((id, Found::Error));
                        return ControlFlow::Break(());
                    }
                }
            }
            ControlFlow::Continue(())
        });
        match run {
            Run::Complete | Run::Interrupted => Ok(error),
            Run::Stopped(stopped) => Err(stopped.into()),
        }
    }

    /// Decides whether a state is reachable; whether all is said.
    fn analyse(&mut self, node: StateId, found: Found) -> Result<bool, Reason> {
        let state = self.exploration.arg.node(node).state.clone();
        let blocks = path::blocks(&self.cpa.data, &self.nodes, &state.data);
        self.longest = self.longest.max(blocks.len());
        match refine::refine(&mut self.cpa.data, &mut self.hints, &self.exploration.arg, &blocks)? {
            Refined::Feasible(_) if found == Found::Depth => {
                self.depth += 1 + self.depth / 4;
                Ok(false)
            }
            Refined::Feasible(steps) => {
                let last = steps.last().map(|s| s.step.edge_ref());
                let of_edge = self.targets.iter().position(|t| Some(edge_of(t)) == last);
                let target = of_edge.expect("an error path ends with an error edge");
                let verdict = self.replay(target, &steps)?;
                // One violation can be enough; a replay that failed is none, and the other targets are still to be decided.
                let enough =
                    self.one_is_enough && self.targets[target].is_violation() && matches!(verdict, Verdict::False(_));
                self.verdicts[target] = Some(verdict);
                Ok(enough || self.verdicts.iter().all(Option::is_some))
            }
            Refined::Infeasible { pivot, predicates } => {
                self.refinements += 1;
                self.progress.refinements.fetch_add(1, Ordering::Relaxed);
                match self.cpa.data.kind() {
                    AbstractionKind::Impact => impact::strengthen(self, &blocks, &predicates)?,
                    AbstractionKind::Boolean | AbstractionKind::Cartesian => self.cut(blocks[pivot].end),
                }
                Ok(false)
            }
            Refined::NoProgress => Err(Reason::NoProgress),
        }
    }

    /// Cuts the graph back to an abstraction state, which is abstracted anew.
    fn cut(&mut self, at: StateId) {
        let block = self.exploration.arg.node(at).state.data.block;
        let from = self.cpa.data.block(block).from.clone().expect("the start of the program is no pivot");
        self.exploration.cut(&self.cpa, at, from);
    }

    /// Executes the path that was found. Its steps are encoded once more as one straight path, whose model gives all
    /// nondeterministic choices in order.
    fn replay(&mut self, target: usize, steps: &[PathStep]) -> Result<Verdict, Reason> {
        let program = &self.facts.program;
        let abe = &mut self.cpa.data;
        let mut at = abe.encoder.initial();
        let mut path = Vec::with_capacity(steps.len());
        for step in steps {
            path.push(unroll::PathStep { step: step.step, choices: at.choices });
            let Some(next) = abe.encoder.step(&at, step.step)? else { return Ok(self.imprecise("a path that ends")) };
            at = next;
        }
        let mut solver = abe.fresh_solver();
        if solver.check(&mut abe.encoder.terms, &[at.guard])? == Answer::Unsat {
            return Ok(self.imprecise("a path without execution"));
        }
        let model = solver.model(&abe.encoder.terms);
        let script = bmc::script(&mut abe.encoder, program, &path, &model)?;
        let (function, edge) = edge_of(&self.targets[target]);
        let replayer = self.replayer.get_or_insert_with(|| Replayer::new(program));
        Ok(match replayer.replay(script, EdgeRef { function, edge }, self.traces, self.limits) {
            Ok(counterexample) => Verdict::False(counterexample),
            Err(instead) => self.imprecise(&instead),
        })
    }

    /// Why an abstract error is no real one: the first approximation, if there is any.
    fn imprecise(&self, instead: &str) -> Verdict {
        Verdict::Unknown(Reason::Imprecise(match self.cpa.data.encoder.approximations().next() {
            Some(a) => format!("{} at line {} is over-approximated", a.what, a.pos.line),
            None => format!("spurious counterexample: {instead}"),
        }))
    }
}
