//! Proofs about all elements of arrays: invariants `for all k in [lo, hi): φ(a[k], k, scalars)` at the heads of loops.
//!
//! | module | does |
//! |---|---|
//! | `facts` | guesses φ, from what error edges deny and what loops write |
//! | `recurrences` | guesses φ where an element is made of the one before |
//! | `layout` | tells which element an address means |
//! | `segments` | guesses lo and hi, from indices and conditions of the program (after Cousot, Cousot, Logozzo, POPL 2011) |
//! | `slice` | keeps what the proof rests on, for the certificate |
//! | `inductive` | keeps the clauses that hold along every link together (Houdini), instantiated at what paths access (after Monniaux, Gonnord, SAS 2016) |
//!
//! Equations and inequalities between scalars come from `crate::relations`, in turn with the clauses: a sum of elements
//! needs to know what these are, and a clause may need that `i == 6 * j + 1`.
//!
//! Where we deviate from the papers: arrays are not abstracted. Segments are guards of clauses over the arrays themselves, so
//! that the same memory serves several facts and orders of bounds are not needed; and in place of a solver for Horn clauses
//! over cells there is a fixed set of guesses, all of them from the program's text. What is found is less, and is found in
//! seconds.
//!
//! Soundness: clauses that are left have been shown for every link from those at its source, for an index that nothing is
//! known of; instances of them hold because they hold for all. No violation is a model of what is known at its source. The
//! check of the certificate does all of it again.

mod facts;
mod inductive;
mod layout;
mod recurrences;
mod segments;
mod slice;

use crate::auto::EXPLAIN;
use crate::certificate::Collector;
use crate::kind::invariant;
use crate::outcome;
use crate::phases::Phases;
use crate::problem::Problem;
use crate::property::place;
use crate::registry::{Call, Engine, INVARIANTS, invariants};
use crate::relations::graph::{Asking, Graph};
use crate::relations::{affine, bounds, loops};
use crate::unroll::{Counting, Unroller};
use facts::{Facts, reads};
use inductive::Clauses;
use layout::Layout;
use robusto_analyses::interval::Invariants;
use robusto_analyses::symbolic::Encoder;
use robusto_cpa::control::Location;
use robusto_limits::{Limits, Progress, Stopped};
use robusto_logic::{Answer, BinaryOp, Node, Solver, Term};
use robusto_verdict::{Certificate, Finding, Reason, Report, Verdict};
use slice::Needed;

/// Places looked at for heads of loops, and most of these.
const MAX_PLACES: (usize, usize) = (20_000, 40);

/// The engine.
pub static ENGINE: Engine = Engine {
    name: "arrays",
    about: "Invariants about all elements of arrays, in segments",
    help: "\
Invariants about all elements of arrays: for all k in [lo, hi), something about a[k], k and other
variables, with bounds from the program. For loops that fill, copy, search or sum up arrays of
any size. It proves, and finds no errors. (docs/arrays.md)",
    options: &[&EXPLAIN, &INVARIANTS],
    call: Call::Alone(|job| {
        let options = Options { invariants: invariants(job.values) };
        check(job.problem, &options, job.limits, job.progress, |told| {
            if let Some(tell) = &job.outputs.explanation {
                tell(told);
            }
        })
    }),
};

/// What can be chosen.
#[derive(Clone, Debug)]
pub struct Options {
    /// Whether to start with interval invariants.
    pub invariants: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { invariants: true }
    }
}

/// Relations between scalars, one stage after the other.
type Stage = fn(&mut Asking<'_, '_>, &mut Graph) -> Result<Vec<Term>, Stopped>;

/// What is tried between two rounds of clauses.
const ROUNDS: [&[Stage]; 3] = [
    &[affine::equations, bounds::comparisons, affine::equations],
    &[affine::equations, bounds::comparisons, affine::equations],
    &[bounds::differences, bounds::sums, affine::equations],
];

/// Checks a property, and tells which facts and clauses were tried.
pub fn check(
    problem: &Problem,
    options: &Options,
    limits: &Limits,
    progress: &Progress,
    tell: impl FnOnce(&str),
) -> Report {
    let mut phases = Phases::default();
    let intervals = options.invariants.then(|| problem.intervals(limits)).flatten();
    phases.end("interval invariants");
    let mut encoder = Encoder::new(&problem.facts);
    progress.set_activity("heads of loops");
    let mut search = match Search::new(problem, &mut encoder, intervals, limits) {
        Ok(search) => search,
        Err(reason) => return Report { phases: phases.list, ..Report::unknown(reason) },
    };
    phases.end("graph of loops");
    progress.set_activity("clauses about elements");
    let end = search.run(&mut encoder);
    phases.end("search");
    tell(&search.told);
    let (is_proved, open) = match end {
        Ok(true) => (true, None),
        Ok(false) => {
            (false, Some(Reason::Imprecise("the invariants about elements that were found do not suffice".to_owned())))
        }
        Err(stopped) => (false, Some(stopped.into())),
    };
    let verdict = match &open {
        None => Verdict::True,
        Some(reason) => Verdict::Unknown(reason.clone()),
    };
    let finding = |target: &robusto_verdict::Target| Finding { target: target.clone(), verdict: verdict.clone() };
    let findings = problem.targets.iter().map(finding).collect();
    let counters = search.counters();
    let report = outcome::report(problem, findings, open, || is_proved.then(|| search.certificate(&mut encoder)));
    phases.end("certificate");
    let approximations = encoder.approximations().map(|a| (place(a.pos), a.what)).collect();
    Report { approximations, phases: phases.list, counters, ..report }
}

/// The search for invariants.
struct Search {
    graph: Graph,
    solver: Solver,
    /// What is known at each point of scalars; what the graph knows besides are instances of clauses.
    known: Vec<Term>,
    /// What was known at each point from the start of cells that have one value; the links have it built in.
    constants: Vec<Vec<Term>>,
    /// What the proof needs at each point.
    invariants: Vec<Vec<Term>>,
    facts: usize,
    guessed: usize,
    held: usize,
    rounds: usize,
    /// What was chosen, for people.
    told: String,
}

impl Search {
    fn new(
        problem: &Problem,
        encoder: &mut Encoder<'_>,
        intervals: Option<&Invariants>,
        limits: &Limits,
    ) -> Result<Self, Reason> {
        let facts = &problem.facts;
        let program = &facts.program;
        let main = program.main.ok_or(Reason::NoMain)?;
        if program.functions.ids().any(|f| facts.calls.is_reachable(f) && facts.calls.is_recursive(f)) {
            return Err(Reason::Unsupported("elements of arrays in recursive functions".to_owned()));
        }
        let mut unroller = Unroller::new(facts, Counting::Blocks);
        let entry = Location { function: main, loc: program.functions[main].entry };
        let places = unroller.heads(entry, MAX_PLACES.0).filter(|places| places.len() <= MAX_PLACES.1);
        let Some(places) = places else {
            return Err(Reason::Unsupported("elements of arrays in so many loops".to_owned()));
        };
        let known: Vec<Term> = places
            .iter()
            .map(|&place| match intervals {
                Some(intervals) => invariant(encoder, &unroller, intervals, place),
                None => encoder.terms.yes(),
            })
            .collect();
        let graph = loops::graph(encoder, &known, limits)?.expect("there are heads, and a start");
        if !layout::roots(&graph).iter().any(|&t| reads(&encoder.terms, t)) {
            return Err(Reason::Unsupported("no element of an array matters".to_owned()));
        }
        let constants = known.iter().map(|&known| constants(encoder, known)).collect();
        let invariants = vec![Vec::new(); graph.points.len()];
        let solver = Solver::new(limits);
        Ok(Self {
            graph,
            solver,
            known,
            constants,
            invariants,
            facts: 0,
            guessed: 0,
            held: 0,
            rounds: 0,
            told: String::new(),
        })
    }

    /// Looks for invariants until no violation is left; whether it has come so far.
    fn run(&mut self, encoder: &mut Encoder<'_>) -> Result<bool, Stopped> {
        let Self { graph, solver, known, .. } = self;
        for stages in ROUNDS {
            self.rounds += 1;
            for stage in stages {
                let found = stage(&mut Asking { encoder, solver }, graph)?;
                for (i, more) in found.into_iter().enumerate() {
                    known[i] = encoder.terms.and(known[i], more);
                    let point = &mut graph.points[i];
                    point.known = encoder.terms.and(point.known, more);
                }
            }
            let layout = Layout::of(encoder, graph);
            let guesses = Facts::of(encoder, graph, &layout, &self.constants);
            let all = segments::clauses(encoder, graph, &layout, &guesses);
            self.facts = guesses.list.len();
            self.guessed = all.iter().map(Vec::len).sum();
            let asking = &mut Asking { encoder, solver };
            let mut clauses = Clauses::new(asking, all);
            clauses.thin_out(asking, graph)?;
            self.held = clauses.at.iter().map(Vec::len).sum();
            let told = tell(asking.encoder, graph, &guesses, &clauses);
            self.told += &format!("round {}: {} clauses guessed\n{told}", self.rounds, self.guessed);
            if !is_violated(asking, graph, &mut clauses)? {
                // What the graph knows besides are instances of clauses, which are there.
                clauses.extend(asking, known);
                let needed = slice::needed(asking, graph, &self.constants, &mut clauses)?;
                if !matches!(needed, Needed::NotShown) {
                    self.invariants = if let Needed::Facts(facts) = needed { facts } else { clauses.at };
                    return Ok(true);
                }
            }
            for from in 0..graph.points.len() {
                let ways = graph.links.iter().map(|link| &link.way).filter(|way| way.from == Some(from));
                let mut paths: Vec<Term> = graph.violations[from].clone();
                paths.extend(ways.flat_map(|way| way.paths.env.values().copied().chain([way.paths.guard])));
                let hints = clauses.hints(asking, graph, from, &paths);
                let hints = asking.encoder.terms.and_all(&hints);
                let point = &mut graph.points[from];
                point.known = asking.encoder.terms.and(point.known, hints);
            }
        }
        Ok(false)
    }

    /// What it took.
    fn counters(&self) -> Vec<(&'static str, String)> {
        vec![
            ("points", self.graph.points.len().to_string()),
            ("facts", self.facts.to_string()),
            ("clauses", format!("{} of {}", self.held, self.guessed)),
            ("needed", self.invariants.iter().map(Vec::len).sum::<usize>().to_string()),
            ("rounds", self.rounds.to_string()),
            ("solver calls", self.solver.statistics().calls.to_string()),
        ]
    }

    /// What is known at each point, for scalars and for all elements.
    fn certificate(&self, encoder: &mut Encoder<'_>) -> Certificate {
        let mut collector = Collector::default();
        for (point, needed) in self.graph.points.iter().zip(&self.invariants) {
            let all = encoder.terms.and_all(needed);
            collector.add(point.calls.clone(), point.location, all);
        }
        Certificate::Invariant(collector.finish(encoder))
    }
}

/// The conjuncts that say that a cell has one value.
fn constants(encoder: &mut Encoder<'_>, known: Term) -> Vec<Term> {
    let mut all = encoder.terms.conjuncts(known);
    let is_constant = |t: &Term| match encoder.terms.node(*t) {
        Node::Binary(BinaryOp::Eq, cell, value) => {
            encoder.terms.as_const(value).is_some() && encoder.terms.as_symbol(cell).is_some()
        }
        _ => false,
    };
    all.retain(is_constant);
    all
}

/// Whether a violation, or something that is not modelled, may be reached as far as is known.
fn is_violated(asking: &mut Asking<'_, '_>, graph: &Graph, clauses: &mut Clauses) -> Result<bool, Stopped> {
    for from in 0..=graph.points.len() {
        let source = (from < graph.points.len()).then_some(from);
        for &guard in graph.violations[from].iter().chain(&graph.unmodelled[from]) {
            let assumed = clauses.before(asking, graph, source, &[guard]);
            if asking.solver.check(&mut asking.encoder.terms, &[assumed, guard])? == Answer::Sat {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// What was guessed and what of it holds, for people.
fn tell(encoder: &Encoder<'_>, graph: &Graph, guesses: &Facts, clauses: &Clauses) -> String {
    let mut told = String::new();
    for &fact in &guesses.list {
        told += &format!("  fact: {}\n", encoder.terms.display(fact));
    }
    for (point, kept) in graph.points.iter().zip(&clauses.at) {
        let function = &encoder.facts().program.functions[point.location.function];
        let line = function.out(point.location.loc).map(|(_, edge)| edge.pos.line).find(|&line| line > 0);
        told += &format!("  loop at line {}: {} clauses hold\n", line.unwrap_or(0), kept.len());
    }
    told
}
