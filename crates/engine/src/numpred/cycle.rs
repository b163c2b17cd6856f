//! Abstraction and refinement (Section VI).
//!
//! It starts with no predicates and no tracked variables. Of an error that the abstraction reaches, a way that the abstraction has is
//! checked by the solver (a shortest one of the graph, where joins and widenings alone lead there). If it has an execution, that is replayed. If not, weakest preconditions of the way, sliced by an unsatisfiable core,
//! name variables, which are tracked from now on; only if all of these are tracked already, their atoms become predicates.

use super::abstraction::Abstraction;
use super::certificate;
use super::explain::{Cause, Search};
use super::graph::Graph;
use super::learn::Learner;
use super::numbers::{Test, Tracked, Update, Words};
use super::show;
use crate::certificate::Collector;
use crate::certificate::cuts::{self, Cuts};
use crate::numeric::Domain as NumericDomain;
use crate::phases::Phases;
use crate::problem::Problem;
use crate::property::{edge_of, place};
use crate::replay::Replayer;
use crate::slam;
use crate::{bmc, outcome};
use robusto_analyses::interval::thresholds;
use robusto_analyses::numeric::Variables;
use robusto_analyses::symbolic::Encoder;
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::VarId;
use robusto_cpa::Step;
use robusto_domains::{Equations, Ideal, Octagon, Polyhedron, Ranges};
use robusto_limits::{Limits, Progress, Stopped};
use robusto_logic::{Solver, Term};
use robusto_numpred::fixpoint::{self, Options as Iteration};
use robusto_numpred::{Base, Counters, Domain, Edge, Halt, Mtndd, Ndd, Nex, Nexpoint, Place, Program, Size};
use robusto_verdict::certificate::Entry;
use robusto_verdict::{Certificate, Finding, Reason, Report, Verdict};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// The data structure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Structure {
    /// 2^2^P × N
    Nexpoint,
    /// 2^P → N, as pairs
    Nex,
    /// 2^P → N, as a diagram
    Mtndd,
    /// 2^P → 2^N
    Ndd,
}

/// What can be chosen.
#[derive(Clone, Debug)]
pub struct Options {
    /// The data structure.
    pub structure: Structure,
    /// The numeric domain.
    pub domain: NumericDomain,
    /// Whether loops are widened.
    pub widening: bool,
    /// The file of the predicates, if they are fixed.
    pub predicates: Option<String>,
    /// The names of the tracked variables, if they are fixed.
    pub variables: Option<Vec<String>>,
    /// Whether to write down the steps of counterexamples.
    pub traces: bool,
}

/// Checks a property. The last abstract program goes to `show`.
pub fn check(
    problem: &Problem,
    options: &Options,
    limits: &Limits,
    progress: &Progress,
    show: impl FnOnce(&str),
) -> Report {
    let facts = &problem.facts;
    let Some(main) = facts.program.main else { return Report::unknown(Reason::NoMain) };
    let mut phases = Phases::default();
    let graph = match Graph::new(facts, main, limits) {
        Ok(graph) => graph,
        Err(stopped) => return Report::unknown(stopped.into()),
    };
    phases.end("unfolding");
    progress.set_activity("predicates and numbers");
    let variables = Variables::of(facts, 0);
    let fixed = options.variables.as_ref().map(|names| named(facts, names));
    let mut abstraction = Abstraction::new(Encoder::new(facts), Solver::new(limits));
    if let Some(text) = &options.predicates {
        match slam::list(&mut abstraction.encoder, text) {
            Ok(list) => abstraction.predicates = list,
            Err(bad) => return Report::unknown(Reason::Unsupported(format!("a predicate: {bad}"))),
        }
    }
    let mut cycle = Cycle {
        problem,
        options,
        graph,
        variables: &variables,
        abstraction,
        tracked: fixed.unwrap_or_default(),
        verdicts: vec![None; problem.targets.len()],
        refinements: 0,
        shown: String::new(),
        counters: Counters::default(),
        largest: Size::default(),
        last: Duration::ZERO,
        limits,
        progress,
    };
    let done = cycle.run();
    show(&cycle.shown);
    phases.end("analysis and refinement");
    let (entries, open) = match done {
        Ok(entries) => (entries, None),
        Err(reason) => (None, Some(reason)),
    };
    let verdict = |verdict: &Option<Verdict>| match (verdict, &open) {
        (Some(verdict), _) => Some(verdict.clone()),
        (None, Some(reason)) => Some(Verdict::Unknown(reason.clone())),
        (None, None) if entries.is_some() => Some(Verdict::True),
        // The search ended at a violation of another target.
        (None, None) => None,
    };
    let targets = problem.targets.iter().zip(&cycle.verdicts);
    let findings: Vec<Finding> = targets
        .filter_map(|(target, known)| Some(Finding { target: target.clone(), verdict: verdict(known)? }))
        .collect();
    let counters = cycle.report();
    let approximations = cycle.abstraction.encoder.approximations().map(|a| (place(a.pos), a.what)).collect();
    let report = outcome::report(problem, findings, open, || entries.map(Certificate::Invariant));
    Report { approximations, phases: phases.list, counters, ..report }
}

/// The variables with these names, which may have a function before them.
fn named(facts: &Facts, names: &[String]) -> BTreeSet<VarId> {
    let program = &facts.program;
    let is_named = |&(_, info): &(VarId, &robusto_cfa::ir::Var)| {
        let owner = info.kind.owner().map(|f| format!("{}::{}", program.functions[f].name, info.name));
        names.iter().any(|name| **name == *info.name || owner.as_ref() == Some(name))
    };
    program.vars.enumerate().filter(is_named).map(|(var, _)| var).collect()
}

struct Cycle<'c> {
    problem: &'c Problem,
    options: &'c Options,
    graph: Graph,
    variables: &'c Variables,
    abstraction: Abstraction<'c>,
    /// V_N
    tracked: BTreeSet<VarId>,
    /// Of each target, as soon as it is known.
    verdicts: Vec<Option<Verdict>>,
    refinements: u64,
    /// The last abstract program.
    shown: String,
    counters: Counters,
    /// The sizes of the largest values of the last abstraction.
    largest: Size,
    /// The time of the last abstraction.
    last: Duration,
    limits: &'c Limits,
    progress: &'c Progress,
}

/// What one abstraction says.
enum Attempt {
    /// It excludes all errors that are open: what holds at cut points.
    Proof(Vec<Entry>),
    /// It reaches an error of a target on a way that has an execution.
    Way(usize, Vec<Step>),
    /// It reaches an error on ways without an execution, and something was learned from them.
    Refined,
    /// The same, of a target, and nothing is left to learn.
    Stuck(usize),
}

impl<'c> Cycle<'c> {
    /// Until no error is open; then what holds, unless a violation ended the search.
    fn run(&mut self) -> Result<Option<Vec<Entry>>, Reason> {
        loop {
            let started = Instant::now();
            let attempt = match self.options.domain {
                NumericDomain::Box => self.attempt::<Ranges<VarId>>(),
                NumericDomain::Affine => self.attempt::<Equations<VarId>>(),
                NumericDomain::Octagon => self.attempt::<Octagon<VarId>>(),
                NumericDomain::Polyhedron => self.attempt::<Polyhedron<VarId>>(),
            };
            self.last = started.elapsed();
            match attempt.map_err(reason)? {
                Attempt::Proof(entries) => return Ok(Some(entries)),
                Attempt::Way(target, way) => {
                    let verdict = self.replay(&way)?;
                    let enough = matches!(verdict, Verdict::False(_)) && !self.problem.each;
                    self.verdicts[target] = Some(verdict);
                    if enough {
                        return Ok(None);
                    }
                }
                Attempt::Refined => {
                    self.refinements += 1;
                    self.progress.refinements.fetch_add(1, Ordering::Relaxed);
                }
                Attempt::Stuck(target) => {
                    let why = "no predicates or variables are left that would exclude an error";
                    self.verdicts[target] = Some(Verdict::Unknown(Reason::Imprecise(why.to_owned())));
                }
            }
        }
    }

    /// An error that is reached, and its target, which is not decided yet.
    fn open_error(&self, reached: &[bool]) -> Option<(usize, usize)> {
        self.graph.errors.iter().enumerate().filter(|(_, (node, _))| reached[*node]).find_map(|(i, (_, step))| {
            let target = self.problem.targets.iter().position(|target| edge_of(target) == step.edge_ref())?;
            self.verdicts[target].is_none().then_some((i, target))
        })
    }

    fn attempt<D: Ideal<Var = VarId>>(&mut self) -> Result<Attempt, Halt> {
        let facts = &self.problem.facts;
        let tracked = Tracked::new(self.variables, self.tracked.iter().copied());
        let program = self.program(&tracked)?;
        let meanings: Vec<_> =
            self.abstraction.predicates.iter().map(|&p| self.abstraction.meaning(&tracked, p)).collect();
        let words: Words<'_, D> = Words::new(facts, tracked);
        let base = Base::new(words, meanings, thresholds(facts), self.limits.clone())?;
        match self.options.structure {
            Structure::Nexpoint => self.solve(Nexpoint::new(base), program),
            Structure::Nex => self.solve(Nex::new(base), program),
            Structure::Mtndd => self.solve(Mtndd::new(base)?, program),
            Structure::Ndd => self.solve(Ndd::new(base), program),
        }
    }

    /// The abstract program: place 0 is before the start, place n + 1 is node n.
    fn program(&mut self, tracked: &Tracked<'_>) -> Result<Program<Test, Update>, Halt> {
        let start = self.abstraction.start(tracked)?;
        let mut edges = vec![Edge { from: Place(0), to: Place(1), transformer: start }];
        let mut known = FxHashMap::default();
        for &(from, to, step) in &self.graph.links {
            let transformer = match known.get(&step) {
                Some(transformer) => transformer,
                None => {
                    let transformer = self.abstraction.step(tracked, step)?;
                    known.entry(step).or_insert(transformer)
                }
            };
            if let Some(transformer) = transformer.clone() {
                let (from, to) = (Place(from as u32 + 1), Place(to as u32 + 1));
                edges.push(Edge { from, to, transformer });
            }
        }
        let program = Program { edges };
        self.shown = show::text(&self.abstraction.encoder, &self.abstraction.predicates, &program);
        Ok(program)
    }

    fn solve<'f, D, S>(&mut self, mut domain: S, program: Program<Test, Update>) -> Result<Attempt, Halt>
    where
        D: Ideal<Var = VarId>,
        S: Domain<Numbers = Words<'f, D>>,
    {
        let iteration = Iteration { widening: self.options.widening.then_some(WIDENING_DELAY), ..Iteration::default() };
        let top = domain.top()?;
        let values = fixpoint::run(&mut domain, &program, top, &iteration)?;
        let mut reached = vec![false; self.graph.len()];
        for (node, reached) in reached.iter_mut().enumerate() {
            *reached = match values.get(node + 1) {
                Some(value) => !domain.is_bottom(value)?,
                None => false,
            };
        }
        self.counters = domain.base().pool.counters;
        self.largest = Size::default();
        for value in &values {
            let size = domain.size(value)?;
            self.largest.parts = self.largest.parts.max(size.parts);
            self.largest.nodes = self.largest.nodes.max(size.nodes);
        }
        let Some((error, target)) = self.open_error(&reached) else {
            return Ok(Attempt::Proof(self.entries(&mut domain, &values, &reached)?));
        };
        let tracked = Tracked::new(self.variables, self.tracked.iter().copied());
        let mut search = Search::new(&self.graph, error, self.limits);
        let mut known: FxHashMap<usize, Term> = FxHashMap::default();
        let mut inside = |abstraction: &mut Abstraction<'_>, node: usize| {
            if let Some(&known) = known.get(&node) {
                return Ok(known);
            }
            let Abstraction { encoder, predicates, .. } = abstraction;
            let (calls, at) = self.graph.place(node);
            let value = &values[node + 1];
            let formula = certificate::formula(&mut domain, value, encoder, predicates, &tracked, (&calls, at))?;
            known.insert(node, formula);
            Ok(formula)
        };
        let learner = Learner { options: self.options, variables: self.variables };
        while let Some(cause) = search.next(&mut self.abstraction, &mut inside)? {
            match cause {
                Cause::Way(way) => return Ok(Attempt::Way(target, way)),
                Cause::Atoms(atoms) => {
                    if learner.learn(&mut self.abstraction, &mut self.tracked, &atoms) {
                        return Ok(Attempt::Refined);
                    }
                }
            }
        }
        Ok(Attempt::Stuck(target))
    }

    fn entries<'f, D, S>(&mut self, domain: &mut S, values: &[S::Value], reached: &[bool]) -> Result<Vec<Entry>, Halt>
    where
        D: Ideal<Var = VarId>,
        S: Domain<Numbers = Words<'f, D>>,
    {
        let cuts = Cuts::of(&self.problem.facts, cuts::LONGEST);
        let mut collector = Collector::default();
        let tracked = Tracked::new(self.variables, self.tracked.iter().copied());
        let Abstraction { encoder, predicates, .. } = &mut self.abstraction;
        for node in (0..self.graph.len()).filter(|&node| reached[node]) {
            let (calls, at) = self.graph.place(node);
            if !cuts.contains(at) {
                continue;
            }
            self.limits.look()?;
            let value = &values[node + 1];
            let possible = certificate::formula(domain, value, encoder, predicates, &tracked, (&calls, at))?;
            collector.add(calls, at, possible);
        }
        Ok(collector.finish(encoder))
    }

    fn replay(&mut self, way: &[Step]) -> Result<Verdict, Reason> {
        let replayer = Replayer::of(self.problem);
        let Some(last) = way.last() else { return Err(Reason::NoProgress) };
        let solver = Solver::new(self.limits);
        let encoder = &mut self.abstraction.encoder;
        bmc::replay_path(encoder, solver, way, last.edge_ref(), (&replayer, self.options.traces), self.limits)
    }

    /// What it took; the operations are those of the last abstraction, as in Table IV.
    fn report(&self) -> Vec<(&'static str, String)> {
        let (counters, micros) = (&self.counters, |time: Duration| time.as_micros().to_string());
        vec![
            ("nodes", self.graph.len().to_string()),
            ("refinements", self.refinements.to_string()),
            ("predicates", self.abstraction.predicates.len().to_string()),
            ("numeric variables", self.tracked.len().to_string()),
            ("largest parts", self.largest.parts.to_string()),
            ("largest nodes", self.largest.nodes.to_string()),
            ("gammas", counters.gamma.count.to_string()),
            ("gamma µs", micros(counters.gamma.time)),
            ("joins", counters.join.count.to_string()),
            ("join µs", micros(counters.join.time)),
            ("posts", counters.post.count.to_string()),
            ("post µs", micros(counters.post.time)),
            ("transformers", counters.apply.count.to_string()),
            ("apply µs", micros(counters.apply.time)),
            ("last round µs", micros(self.last)),
        ]
    }
}

/// Joins at the head of a loop before values are widened.
const WIDENING_DELAY: u32 = 2;

fn reason(halt: Halt) -> Reason {
    match halt {
        Halt::Full(_) => Stopped::Memory.into(),
        Halt::Stopped(stopped) => stopped.into(),
    }
}
