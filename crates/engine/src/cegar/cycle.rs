//! The loop of abstraction and refinement: explores to an error of the abstraction, decides whether it is one of the program,
//! refines if it is not.

use super::path::{self, PathStep};
use super::refine::{self, Hints, Refined};
use super::search::Search;
use super::{Labels, impact};
use crate::bmc;
use crate::problem::Problem;
use crate::property::edge_of;
use crate::replay::Replayer;
use robusto_analyses::predicate::{Abe, AbstractionKind, BlockId, Blockwise, Role, State};
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::FuncId;
use robusto_cpa::control::Location;
use robusto_cpa::{Composite, Event, Exploration, Run, StateId, Step};
use robusto_limits::{Limits, Progress, Stopped};
use robusto_verdict::{Reason, Target, Verdict};
use rustc_hash::FxHashMap;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Deepest call stack; deeper recursion is not explored.
const STACK_LIMIT: u32 = 400;

/// Deepest recursion that is explored before there is an execution that deep.
const DEPTH: u32 = 20;

/// Why the exploration stops at a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Found {
    /// It is an error.
    Error,
    /// Recursion is deeper than in all executions so far.
    Depth,
}

/// The loop of abstraction and refinement.
pub struct Cegar<'c> {
    /// The analysis.
    pub cpa: Composite<'c, Abe<'c>, Blockwise>,
    /// Its graph.
    pub exploration: Exploration<State>,
    problem: &'c Problem,
    targets: &'c [Target],
    /// For each location behind an error edge, the targets that end there.
    error_locations: FxHashMap<Location, Vec<usize>>,
    /// Of each target, as soon as it is known.
    pub verdicts: Vec<Option<Verdict>>,
    /// The node of each block's start.
    nodes: Vec<Option<StateId>>,
    one_is_enough: bool,
    replayer: Option<Replayer<'c>>,
    traces: bool,
    limits: &'c Limits,
    progress: &'c Progress,
    /// Recursion deeper than this is explored only after an execution that deep was found, else an abstraction without
    /// the right predicates would descend for ever.
    depth: u32,
    hints: Hints,
    /// What labels of IMPACT are.
    pub labels: Labels,
    /// Whether no predicates are added.
    fixed: bool,
    /// Number of refinements.
    pub refinements: u64,
    /// Time spent on them.
    pub refinement_time: Duration,
    /// Blocks of the longest error path.
    pub longest: usize,
}

impl<'c> Cegar<'c> {
    /// Prepares the exploration from the start of the program.
    pub fn start(search: &Search<'c>, abe: Abe<'c>, main: FuncId) -> Result<Self, Stopped> {
        let &Search { problem, options, limits, progress, .. } = search;
        let Problem { facts, targets, each, .. } = problem;
        let large = abe.large_steps();
        let mut cpa = Composite::new(&facts.program, abe, facts, STACK_LIMIT).with_strategy(Blockwise);
        if let Some(steps) = large {
            cpa.set_blocks(steps);
        }
        let exploration = Exploration::start(&mut cpa, main, options.order)?;
        Ok(Self {
            cpa,
            exploration,
            problem,
            targets,
            error_locations: error_locations(facts, targets),
            verdicts: vec![None; targets.len()],
            nodes: Vec::new(),
            one_is_enough: !each,
            replayer: None,
            traces: options.traces,
            limits,
            progress,
            depth: DEPTH,
            hints: Hints::new(options.interpolation),
            labels: options.labels,
            fixed: options.predicates.is_some(),
            refinements: 0,
            refinement_time: Duration::ZERO,
            longest: 0,
        })
    }

    /// What it may spend.
    pub fn limits(&self) -> &'c Limits {
        self.limits
    }

    /// Whether a violation was found.
    pub fn has_violation(&self) -> bool {
        let mut all = self.targets.iter().zip(&self.verdicts);
        all.any(|(target, verdict)| target.is_violation() && matches!(verdict, Some(Verdict::False(_))))
    }

    /// Until the abstraction has no more errors that are not decided.
    pub fn run(&mut self) -> Result<(), Reason> {
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
        let blocks = path::blocks(&self.cpa.data, &self.exploration.arg, &self.nodes, &state.data);
        self.longest = self.longest.max(blocks.len());
        match refine::refine(&mut self.cpa.data, &mut self.hints, &self.exploration.arg, &blocks, self.limits)? {
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
            Refined::Infeasible { .. } if self.fixed => {
                Err(Reason::Imprecise("the given predicates do not exclude an error".to_owned()))
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

    /// Executes the path that was found.
    fn replay(&mut self, target: usize, steps: &[PathStep]) -> Result<Verdict, Reason> {
        let solver = self.cpa.data.fresh_solver();
        let replayer = self.replayer.get_or_insert_with(|| Replayer::of(self.problem));
        let steps: Vec<Step> = steps.iter().map(|step| step.step).collect();
        let edge = edge_of(&self.targets[target]);
        let encoder = self.cpa.data.encoder_mut();
        bmc::replay_path(encoder, solver, &steps, edge, (replayer, self.traces), self.limits)
    }
}

/// For each location behind an error edge, the targets that end there.
fn error_locations(facts: &Facts, targets: &[Target]) -> FxHashMap<Location, Vec<usize>> {
    let mut locations: FxHashMap<Location, Vec<usize>> = FxHashMap::default();
    for (i, target) in targets.iter().enumerate() {
        let (function, edge) = edge_of(target);
        let loc = facts.program.functions[function].edge(edge).dst;
        locations.entry(Location { function, loc }).or_default().push(i);
    }
    locations
}
