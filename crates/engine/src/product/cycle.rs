//! The loop of exploration and refinement.
//!
//! The exploration stops at the first error that is not decided. Its path is one that the sets of the graph have. Values
//! along the path may exclude it: then a domain keeps more of them, and the exploration starts again. Otherwise a solver decides
//! whether it has an execution, which the interpreter replays; if not, predicates may exclude it, and in the end what its
//! refutation rests on goes to the diagrams. A path that no domain can exclude leaves its target open: imprecise.
//!
//! It starts again from the beginning and not from a pivot, as in lazy abstraction: a node of the product is a union of
//! what came by many paths, and each refinement adds a variable for the whole program. There are as many as variables.

use super::Options;
use crate::bmc;
use crate::cegar::path::PathStep;
use crate::cegar::wp;
use crate::problem::Problem;
use crate::property::edge_of;
use crate::replay::Replayer;
use robusto_analyses::product::{self, Assignment, Domain, Domainwise, Excluded, Parts, State};
use robusto_analyses::value::dependencies;
use robusto_cfa::ir::{FuncId, Program, VarId};
use robusto_cpa::control::Location;
use robusto_cpa::{Composite, Event, Exploration, Run, StateId, Step};
use robusto_limits::{Limits, Progress, Stopped};
use robusto_logic::{Answer, Solver};
use robusto_verdict::{Finding, Reason, Target, Verdict};
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Deepest call stack; deeper recursion is not explored.
const STACK_LIMIT: u32 = 200;

/// The loop.
pub(super) struct Cycle<'c> {
    /// The analysis.
    pub cpa: Composite<'c, Domainwise<'c>, Parts>,
    /// Its graph.
    pub exploration: Exploration<State>,
    pub problem: &'c Problem,
    options: &'c Options,
    main: FuncId,
    assignment: Assignment,
    /// Of each target, as soon as it is known.
    verdicts: Vec<Option<Verdict>>,
    replayer: Option<Replayer<'c>>,
    limits: &'c Limits,
    progress: &'c Progress,
    refinements: u64,
    pub refinement_time: Duration,
}

impl<'c> Cycle<'c> {
    /// Prepares the exploration from the start of the program.
    pub fn start(
        problem: &'c Problem,
        options: &'c Options,
        main: FuncId,
        limits: &'c Limits,
        progress: &'c Progress,
    ) -> Result<Self, Stopped> {
        let facts = &problem.facts;
        let assignment = Assignment::of(facts, &options.domains);
        let data = product::new(facts, &assignment, options.scope, options.store, limits);
        let blocks = data.left.right.blocks().clone();
        let mut cpa = Composite::new(&facts.program, data, facts, STACK_LIMIT).with_strategy(Parts).with_blocks(blocks);
        let exploration = Exploration::start(&mut cpa, main, options.order)?;
        Ok(Self {
            cpa,
            exploration,
            problem,
            options,
            main,
            assignment,
            verdicts: vec![None; problem.targets.len()],
            replayer: None,
            limits,
            progress,
            refinements: 0,
            refinement_time: Duration::ZERO,
        })
    }

    /// Until all errors that are reached are decided.
    pub fn run(&mut self) -> Result<(), Reason> {
        loop {
            let Some((target, node)) = self.explore()? else { return Ok(()) };
            let start = Instant::now();
            let done = self.analyse(target, node);
            self.refinement_time += start.elapsed();
            if done? {
                return Ok(());
            }
        }
    }

    /// Explores up to the next error that is not decided. An error edge is the only one of its location, so nothing of the
    /// expansion is lost by stopping there.
    fn explore(&mut self) -> Result<Option<(usize, StateId)>, Reason> {
        let Self { cpa, exploration, problem, verdicts, progress, .. } = self;
        let mut found = None;
        let run = exploration.run(cpa, |event| match event {
            Event::Expanding { reached, waiting, .. } => {
                progress.reached.store(reached as u64, Ordering::Relaxed);
                progress.waiting.store(waiting as u64, Ordering::Relaxed);
                progress.expanded.fetch_add(1, Ordering::Relaxed);
                ControlFlow::Continue(())
            }
            Event::Reached { id, step, .. } if step.is_error(&problem.facts.program) => {
                let target = problem.targets.iter().position(|t| edge_of(t) == step.edge_ref());
                match target.filter(|&target| verdicts[target].is_none()) {
                    Some(target) => {
                        found = Some((target, id));
                        ControlFlow::Break(())
                    }
                    None => ControlFlow::Continue(()),
                }
            }
            Event::Reached { .. } => ControlFlow::Continue(()),
        });
        match run {
            Run::Complete | Run::Interrupted => Ok(found),
            Run::Stopped(stopped) => Err(stopped.into()),
        }
    }

    /// Decides whether an error is reachable, or refines; whether all is said.
    fn analyse(&mut self, target: usize, node: StateId) -> Result<bool, Reason> {
        let Some(steps) = product::path(&mut self.cpa.data, &self.exploration.arg, node)? else {
            return Ok(self.decide(target, imprecise("the abstract path has no start")));
        };
        let excluded = product::refine(&mut self.cpa.data, &self.options.domains, &steps);
        let refined = match excluded {
            Excluded::Refined => true,
            Excluded::Stuck => self.predicates(&steps)?,
            Excluded::No => match self.is_feasible(&steps)? {
                true => {
                    let verdict = self.replay(target, &steps)?;
                    return Ok(self.decide(target, verdict));
                }
                false => self.predicates(&steps)?,
            },
        };
        if !refined && !self.hand_to_diagrams(&steps)? {
            return Ok(self.decide(target, imprecise("no domain of the product excludes a path without execution")));
        }
        self.refinements += 1;
        self.progress.refinements.fetch_add(1, Ordering::Relaxed);
        self.exploration = Exploration::start(&mut self.cpa, self.main, self.options.order)?;
        Ok(false)
    }

    /// Notes what is known of a target; whether all is said.
    fn decide(&mut self, target: usize, verdict: Verdict) -> bool {
        let is_false = matches!(verdict, Verdict::False(_));
        let enough = !self.problem.each && self.problem.targets[target].is_violation() && is_false;
        self.verdicts[target] = Some(verdict);
        enough || self.verdicts.iter().all(Option::is_some)
    }

    /// Whether a path has an execution.
    fn is_feasible(&mut self, steps: &[Step]) -> Result<bool, Reason> {
        let encoder = &mut self.cpa.data.right.encoder;
        let mut at = encoder.initial();
        for &step in steps {
            match encoder.step(&at, step)? {
                Some(next) => at = next,
                None => return Ok(false),
            }
        }
        let mut solver = Solver::new(self.limits);
        Ok(solver.check(&mut encoder.terms, &[at.guard])? == Answer::Sat)
    }

    /// Executes a path.
    fn replay(&mut self, target: usize, steps: &[Step]) -> Result<Verdict, Reason> {
        let Self { cpa, problem, options, replayer, limits, .. } = self;
        let replayer = replayer.get_or_insert_with(|| Replayer::of(problem));
        let edge = edge_of(&problem.targets[target]);
        let encoder = &mut cpa.data.right.encoder;
        bmc::replay_path(encoder, Solver::new(limits), steps, edge, (replayer, options.traces), limits)
    }

    /// Tracks the predicates of a refutation, if predicates are a domain; whether any is new.
    fn predicates(&mut self, steps: &[Step]) -> Result<bool, Reason> {
        if !self.options.domains.has(Domain::Predicate) {
            return Ok(false);
        }
        let predicates = &mut self.cpa.data.right;
        let boundaries = steps.len().saturating_sub(1);
        let found = wp::predicates(&mut predicates.encoder, Solver::new(self.limits), &numbered(steps), boundaries)?;
        let found = found.unwrap_or_default();
        let program = &self.problem.facts.program;
        let mut grown = false;
        for (&step, here) in steps.iter().zip(found) {
            let at = target_of(program, step);
            here.into_iter().for_each(|predicate| grown |= predicates.track(at, predicate));
        }
        Ok(grown)
    }

    /// Hands what the refutation of a path rests on to the diagrams, if they are a domain; whether that is new.
    fn hand_to_diagrams(&mut self, steps: &[Step]) -> Result<bool, Reason> {
        if !self.options.domains.has(Domain::Bdd) {
            return Ok(false);
        }
        let facts = &self.problem.facts;
        let encoder = &mut self.cpa.data.right.encoder;
        let core = wp::core(encoder, &mut Solver::new(self.limits), &numbered(steps))?;
        if !self.assignment.move_to_bdd(facts, dependencies(facts, steps, &core)) {
            return Ok(false);
        }
        product::reassign(&mut self.cpa.data, &self.assignment, self.options.store, self.limits);
        self.cpa.set_blocks(self.cpa.data.left.right.blocks().clone());
        Ok(true)
    }

    /// What is known of each target; `open` is why the loop has ended before it was done.
    pub fn findings(&mut self, open: Option<&Reason>) -> Vec<Finding> {
        let verdicts = std::mem::take(&mut self.verdicts);
        let targets = &self.problem.targets;
        let is_violated = |(target, verdict): (&Target, &Option<Verdict>)| {
            target.is_violation() && matches!(verdict, Some(Verdict::False(_)))
        };
        let ended = !self.problem.each && targets.iter().zip(&verdicts).any(is_violated);
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
        targets.iter().zip(verdicts).filter_map(finding).collect()
    }

    /// What it took.
    pub fn counters(&self) -> Vec<(&'static str, String)> {
        let program = &self.problem.facts.program;
        let product::Numbers { left: value, right: ranges, .. } = &self.cpa.data.left.left;
        let names = |vars: Vec<VarId>| {
            let names: Vec<&str> = vars.iter().map(|&var| &*program.vars[var].name).collect();
            format!("{} ({})", names.len(), names.join(", "))
        };
        let encoding = self.cpa.data.left.right.encoding();
        vec![
            ("expansions", self.exploration.arg.num_expansions().to_string()),
            ("reached states", self.exploration.arg.len().to_string()),
            ("refinements", self.refinements.to_string()),
            ("variables in diagrams", format!("{} in {} bits", encoding.num_tracked(), encoding.num_bits())),
            ("intervals kept apart", names(ranges.split().collect())),
            ("explicit variables", names(value.precision.variables())),
            ("predicates", self.cpa.data.right.len().to_string()),
        ]
    }
}

/// A path whose steps are blocks of their own.
fn numbered(steps: &[Step]) -> Vec<PathStep> {
    steps.iter().enumerate().map(|(block, &step)| PathStep { step, block }).collect()
}

/// Nothing is known of an error that the abstraction has.
fn imprecise(why: &str) -> Verdict {
    Verdict::Unknown(Reason::Imprecise(why.to_owned()))
}

/// Where a step leads.
fn target_of(program: &Program, step: Step) -> Location {
    let from = Location { function: step.edge_ref().0, loc: step.edge(program).src };
    from.transfer(program, step)
}
