//! The engine of the BDD-based analysis: one exploration for all targets, counterexamples replayed.

use crate::certificate::cuts::{self, Cuts};
use crate::certificate::{Collector, calls_of, may_be_read, youngest};
use crate::draw::{self, Appearance};
use crate::outcome;
use crate::phases::Phases;
use crate::problem::Problem;
use crate::property::{edge_of, place};
use crate::registry::{ARG, Call, Engine, Job, Kind, ORDER, Opt, order};
use crate::replay::{Choices, Replayer};
use robusto_analyses::bdd::{Bdd, Frontier, Set, Trace};
use robusto_analyses::symbolic::{Cell, Encoder};
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{Op, Program, VarId};
use robusto_cpa::{Arg, Composite, Event, Order, Run, StateId, Status, Step, explore};
use robusto_diagram::StoreSize;
use robusto_interp::EdgeRef;
use robusto_limits::{Limits, Progress};
use robusto_verdict::{Certificate, Finding, Reason, Report, Target, Verdict};
use rustc_hash::FxHashMap;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

/// What can be chosen.
#[derive(Clone, Debug)]
pub struct Options {
    /// The order of exploration.
    pub order: Order,
    /// Whether a whole condition is one step.
    pub blocks: bool,
    /// Size of the node store.
    pub store: StoreSize,
    /// Whether to write down the steps of counterexamples.
    pub traces: bool,
    /// Whether to measure the time in decision diagrams.
    pub timing: bool,
    /// Longest path between two cut points of the certificate, in edges.
    pub longest_uncut: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            order: Order::default(),
            blocks: true,
            store: StoreSize::default(),
            traces: false,
            timing: false,
            longest_uncut: cuts::LONGEST,
        }
    }
}

/// The engine.
pub static ENGINE: Engine = Engine {
    name: "bdd",
    about: "Sets of states as decision diagrams",
    help: "\
Sets of states as binary decision diagrams, explored to a fixed point. For programs whose
variables are flags, modes and counters; gives all properties in one run. Variables that are
only compared with constants take few bits, others their full width. Memory behind pointers
is over-approximated. (docs/bdd.md)",
    options: &[&ORDER, &ARG, &STATISTICS],
    call: Call::Alone(call),
};

static STATISTICS: Opt =
    Opt { name: "statistics", help: "measure also the time inside decision diagrams", kind: Kind::Flag };

fn call(job: &Job<'_>) -> Report {
    let timing = job.values.has(&STATISTICS);
    let options = Options { order: order(job.values), traces: job.traces, timing, ..Options::default() };
    check(job.problem, &options, job.limits, job.progress, |bdd, arg| {
        let Some(take) = &job.outputs.graph else { return };
        take(
            ENGINE.name,
            draw::graph(&job.problem.facts.program, arg, draw::condition, |set| {
                // A store that is full has no room for pictures.
                let text = bdd.show(&set.all).into_iter().collect();
                Appearance { text, shaded: false }
            }),
        );
    })
}

/// Deepest call stack; deeper recursion is not explored.
const STACK_LIMIT: u32 = 200;

/// Checks a property. The graph goes to `inspect` when the exploration is over.
pub fn check(
    problem: &Problem,
    options: &Options,
    limits: &Limits,
    progress: &Progress,
    inspect: impl FnOnce(&Bdd<'_>, &Arg<Set>),
) -> Report {
    let mut phases = Phases::default();
    let Problem { facts, targets, each, .. } = problem;
    let Some(main) = facts.program.main else { return Report::unknown(Reason::NoMain) };
    let analysis = match Bdd::new(facts, options.store, limits) {
        Ok(analysis) => analysis,
        Err(stopped) => return Report::unknown(stopped.into()),
    };
    analysis.diagrams().set_timing(options.timing);
    let own = limits.clone();
    analysis.diagrams().stop_when(move || own.look().is_err());
    let blocks = analysis.blocks().clone();
    let mut cpa = Composite::new(&facts.program, analysis, facts, STACK_LIMIT).with_strategy(Frontier);
    if options.blocks {
        cpa = cpa.with_blocks(blocks);
    }
    progress.set_activity("exploration");
    let mut reached = Reached { targets, states: vec![None; targets.len()], one_is_enough: !each };
    let (exploration, run) = explore(&mut cpa, main, options.order, |event| match event {
        Event::Expanding { reached, waiting, .. } => {
            progress.reached.store(reached as u64, Ordering::Relaxed);
            progress.waiting.store(waiting as u64, Ordering::Relaxed);
            progress.expanded.fetch_add(1, Ordering::Relaxed);
            ControlFlow::Continue(())
        }
        Event::Reached { id, step, .. } if step.is_error(&facts.program) => reached.add(step, id),
        Event::Reached { .. } => ControlFlow::Continue(()),
    });
    let run = match run {
        // A store that was told to stop looks full.
        Run::Stopped(stopped) => Run::Stopped(limits.look().err().unwrap_or(stopped)),
        run => run,
    };
    // What was reached is an execution, which is not thrown away because the time for the exploration is over.
    let cancel = limits.cancel.clone();
    cpa.data.diagrams().stop_when(move || cancel.load(Ordering::Relaxed));
    phases.end("exploration");
    progress.set_activity("counterexamples");
    let mut witnesses = Witnesses {
        analysis: &mut cpa.data,
        problem,
        facts,
        arg: &exploration.arg,
        replayer: None,
        traces: options.traces,
        limits,
    };
    let findings = findings(&mut witnesses, targets, &reached.states, &run);
    phases.end("counterexamples");
    inspect(&cpa.data, &exploration.arg);
    let counters = counters(&cpa.data, &facts.program, &exploration.arg, options.timing);
    let report = outcome::report(problem, findings, None, || {
        certificate(&cpa, facts, &exploration.arg, options.longest_uncut, limits)
    });
    phases.end("certificate");
    let approximations = cpa.data.approximations().map(|a| (place(a.pos), a.what)).collect();
    Report { approximations, phases: phases.list, counters, ..report }
}

/// The targets that were reached, and where.
struct Reached<'t> {
    targets: &'t [Target],
    states: Vec<Option<StateId>>,
    /// Whether the first violation ends the exploration.
    one_is_enough: bool,
}

impl Reached<'_> {
    /// An error edge leads to a state; whether there is more to look for.
    fn add(&mut self, step: Step, id: StateId) -> ControlFlow<()> {
        let target = self.targets.iter().position(|t| edge_of(t) == step.edge_ref());
        let Some(i) = target.filter(|&i| self.states[i].is_none()) else { return ControlFlow::Continue(()) };
        self.states[i] = Some(id);
        let is_enough = self.one_is_enough && self.targets[i].is_violation();
        if is_enough || self.states.iter().all(Option::is_some) {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

/// Names of full-width variables that are shown.
const NAMES: usize = 8;

/// What it took.
fn counters(analysis: &Bdd<'_>, program: &Program, arg: &Arg<Set>, timing: bool) -> Vec<(&'static str, String)> {
    let (statistics, encoding) = (analysis.statistics(), analysis.encoding());
    let wide: Vec<&str> = encoding.full_width().map(|v| &*program.vars[v].name).collect();
    let shown = wide.iter().take(NAMES).copied().collect::<Vec<_>>().join(", ");
    let wide = match wide.len() {
        0 => "none".to_owned(),
        n if n <= NAMES => format!("{n} ({shown})"),
        n => format!("{n} ({shown}, …)"),
    };
    let mut counters = vec![
        ("reached states", arg.len().to_string()),
        ("expansions", arg.num_expansions().to_string()),
        ("tracked variables", format!("{} in {} bits", encoding.num_tracked(), encoding.num_bits())),
        ("full-width variables", wide),
        ("BDD operations", statistics.operations.to_string()),
        ("BDD nodes", format!("{} (peak {})", statistics.nodes, statistics.peak_nodes)),
    ];
    if timing {
        counters.push(("time in BDD operations", format!("{:.3} s", statistics.time.as_secs_f64())));
    }
    counters
}

/// The certificate of a fixed point: the sets at cut points. `None` if there is no room for them as formulas, or if nobody
/// waits for them any more.
fn certificate(
    cpa: &Composite<'_, Bdd<'_>, Frontier>,
    facts: &Facts,
    arg: &Arg<Set>,
    longest_uncut: usize,
    limits: &Limits,
) -> Option<Certificate> {
    let cuts = Cuts::of(facts, longest_uncut);
    let mut encoder = Encoder::new(facts);
    let mut collector = Collector::default();
    for node in arg.ids().map(|id| arg.node(id)).filter(|node| node.status == Status::Live) {
        let at = node.state.location;
        if !cuts.contains(at) {
            continue;
        }
        if limits.cancel.load(Ordering::Relaxed) {
            return None;
        }
        let calls = calls_of(&cpa.stacks, node.state.stack);
        let cells: FxHashMap<VarId, Cell> = facts
            .program
            .vars
            .ids()
            .filter_map(|var| Some((var, youngest(&encoder, &calls, at, var)?)))
            .filter(|&(_, cell)| may_be_read(&encoder, &calls, at, cell))
            .collect();
        let set = cpa.data.formula(&mut encoder, &node.state.data.all, |var| cells.get(&var).copied()).ok()?;
        collector.add(calls, at, set);
    }
    Some(Certificate::Invariant(collector.finish(&mut encoder)))
}

fn findings(
    witnesses: &mut Witnesses<'_, '_>,
    targets: &[Target],
    reached: &[Option<StateId>],
    run: &Run,
) -> Vec<Finding> {
    let open = match run {
        Run::Complete | Run::Interrupted => None,
        Run::Stopped(stopped) => Some(Reason::from(stopped.clone())),
    };
    let any_reached = targets.iter().zip(reached).any(|(target, node)| target.is_violation() && node.is_some());
    let verdicts = targets.iter().zip(reached).map(|(target, reached)| {
        let verdict = match (reached, &open, run) {
            (Some(node), _, _) => witnesses.counterexample(target, *node),
            (None, Some(reason), _) => Verdict::Unknown(reason.clone()),
            // The exploration ended at another violation.
            (None, None, Run::Interrupted) if any_reached => return None,
            (None, None, _) => Verdict::True,
        };
        Some(Finding { target: target.clone(), verdict })
    });
    verdicts.flatten().collect()
}

/// What it takes to turn a reached error into an execution.
struct Witnesses<'w, 'f> {
    analysis: &'w mut Bdd<'f>,
    problem: &'f Problem,
    facts: &'f Facts,
    arg: &'w Arg<Set>,
    replayer: Option<Replayer<'f>>,
    traces: bool,
    limits: &'w Limits,
}

impl Witnesses<'_, '_> {
    fn counterexample(&mut self, target: &Target, node: StateId) -> Verdict {
        let trace = match self.analysis.trace(self.arg, node) {
            Ok(Some(trace)) => trace,
            Ok(None) => return Verdict::Unknown(self.imprecise("the abstract path has no start")),
            Err(stopped) => return Verdict::Unknown(stopped.into()),
        };
        let (function, edge) = edge_of(target);
        let choices = choices(self.facts, &trace);
        let replayer = self.replayer.get_or_insert_with(|| Replayer::of(self.problem));
        match replayer.replay(choices, EdgeRef { function, edge }, self.traces, self.limits) {
            Ok(counterexample) => Verdict::False(counterexample),
            Err(instead) => Verdict::Unknown(outcome::spurious(self.analysis.approximations(), &instead)),
        }
    }

    /// Why an abstract error is no real one: the first approximation, if there is any.
    fn imprecise(&self, otherwise: &str) -> Reason {
        outcome::imprecise(self.analysis.approximations(), otherwise)
    }
}

/// The nondeterministic choices along a path, in order.
fn choices(facts: &Facts, trace: &Trace) -> Choices {
    trace
        .steps
        .iter()
        .filter(|s| matches!(s.step.edge(&facts.program).op, Op::Havoc { .. }))
        .map(|s| {
            let (function, edge) = s.step.edge_ref();
            (EdgeRef { function, edge }, s.input.map(u128::from))
        })
        .collect()
}
