//! The engine of numeric analysis: boxes, equations, octagons or polyhedra at each location, and a certificate if they exclude all errors.
//!
//! Abstract interpretation finds invariants and no executions, so an error that may be reached is unknown: imprecise. First
//! one state per location, in cheap domains before dear ones; if that does not suffice, states are kept apart by the cells
//! between the constants that variables are compared with (`analyses::numeric::cells`).

use crate::certificate::cuts::{self, Cuts};
use crate::certificate::{Collector, may_be_read, youngest};
use crate::outcome;
use crate::phases::Phases;
use crate::problem::Problem;
use crate::property::edge_of;
use crate::registry::{Call, Engine, Job, Kind, Opt, Values};
use robusto_analyses::interval::thresholds;
use robusto_analyses::numeric::{Analysis, Cells, Graph, Node, Reached, Variables, formula, merged};
use robusto_analyses::symbolic::Encoder;
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{EdgeId, FuncId, IdxVec, VarId};
use robusto_cpa::control::Location;
use robusto_domains::{Equations, Ideal, Machine, Octagon, Polyhedron, Thresholds, Unrelated};
use robusto_limits::{Limits, Progress, Stopped};
use robusto_logic::Term;
use robusto_verdict::certificate::Entry;
use robusto_verdict::{Certificate, Finding, Reason, Report, Target, Verdict};
use std::collections::BTreeMap;

/// The numeric domain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Domain {
    /// Intervals with congruences.
    Box,
    /// Affine equations modulo 2^w besides.
    Affine,
    /// Bounds of ±x ± y besides.
    Octagon,
    /// Linear inequalities besides.
    Polyhedron,
}

impl Domain {
    /// Most variables that relations are kept for. A join relates all that changes together: an octagon of 30 variables has
    /// 1,830 bounds, and a polyhedron's generators may double with each variable.
    fn most_related(self) -> usize {
        match self {
            Domain::Box => 0,
            Domain::Affine => 30,
            Domain::Octagon => 30,
            Domain::Polyhedron => 10,
        }
    }

    /// The name of what it does, for statistics.
    fn phase(self) -> &'static str {
        match self {
            Domain::Box => "boxes",
            Domain::Affine => "affine equations",
            Domain::Octagon => "octagons",
            Domain::Polyhedron => "polyhedra",
        }
    }
}

/// Every attempt but the last gets this part of the time that is left.
const SHARE: u32 = 2;

/// Which states are kept apart at a location.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Split {
    /// None; if that does not suffice, those in different cells.
    Auto,
    /// None.
    No,
    /// Those in different cells.
    Cells,
}

pub(crate) static DOMAIN: Opt = Opt {
    name: "domain",
    help: "numeric domain",
    kind: Kind::Choice {
        value: "DOMAIN",
        list: &[
            ("auto", "One after the other, until one suffices"),
            ("box", "Intervals with congruences, modulo 2^w"),
            ("affine", "Affine equations between variables, modulo 2^w"),
            ("oct", "Octagons: bounds of sums and differences of two variables"),
            ("poly", "Convex polyhedra: linear inequalities"),
        ],
    },
};

static SPLIT: Opt = Opt {
    name: "split",
    help: "which states of a location are kept apart",
    kind: Kind::Choice {
        value: "HOW",
        list: &[
            ("auto", "None; if that does not suffice, as with cells"),
            ("none", "None: one state per location"),
            ("cells", "By the ranges between the constants that variables are compared with"),
        ],
    },
};

/// The engine.
pub static ENGINE: Engine = Engine {
    name: "numeric",
    about: "Numeric invariants: boxes, equations, octagons, polyhedra",
    help: "\
Abstract interpretation over boxes, affine equations, octagons or polyhedra of machine integers.
Proves programs whose loops keep linear equations or inequalities, and state machines with arithmetic, whose states are kept
apart by the constants that variables are compared with. Finds no violations. (docs/numeric.md)",
    options: &[&DOMAIN, &SPLIT],
    call: Call::Alone(|job: &Job<'_>| {
        check(job.problem, domains(job.values), split(job.values), job.limits, job.progress)
    }),
};

/// The domains to try.
pub(crate) fn domains(values: &Values) -> &'static [Domain] {
    match values.text(&DOMAIN) {
        Some("box") => &[Domain::Box],
        Some("affine") => &[Domain::Affine],
        Some("oct") => &[Domain::Octagon],
        Some("poly") => &[Domain::Polyhedron],
        _ => &[Domain::Box, Domain::Octagon, Domain::Polyhedron],
    }
}

fn split(values: &Values) -> Split {
    match values.text(&SPLIT) {
        Some("none") => Split::No,
        Some("cells") => Split::Cells,
        _ => Split::Auto,
    }
}

/// Checks a property: tries domains one after the other, the first of them also with cells.
pub fn check(problem: &Problem, domains: &[Domain], split: Split, limits: &Limits, progress: &Progress) -> Report {
    let mut phases = Phases::default();
    let facts = &problem.facts;
    let Some(main) = facts.program.main else { return Report::unknown(Reason::NoMain) };
    let graph = match Graph::new(facts, main, limits) {
        Ok(graph) => graph,
        Err(stopped) => return Report::unknown(stopped.into()),
    };
    phases.end("unfolding");
    progress.set_activity("numeric analysis");
    let run = Run { problem, graph, thresholds: thresholds(facts) };
    let plain = domains.iter().map(|&domain| (domain, false)).filter(|_| split != Split::Cells);
    let by_cells = domains.first().map(|&domain| (domain, true)).filter(|_| split != Split::No);
    let mut attempts: Vec<(Domain, bool)> = plain.collect();
    // Boxes with cells are cheaper than relations.
    let second = attempts.len().min(1);
    attempts.splice(second..second, by_cells);
    let mut best: Result<Attempt, Stopped> = Err(Stopped::Unsupported("no domain".to_owned()));
    for (i, &(domain, by_cells)) in attempts.iter().enumerate() {
        let is_last = i + 1 == attempts.len();
        let time = limits.remaining().filter(|_| !is_last).map(|left| left / SHARE);
        let own = time.map_or_else(|| limits.clone(), |time| limits.within(time));
        let attempt = run.attempt_in(domain, by_cells, &own);
        phases.end(if by_cells { "states by cells" } else { domain.phase() });
        if attempt.is_ok() || best.is_err() {
            best = attempt;
        }
        if best.as_ref().is_ok_and(|attempt| attempt.is_proof(problem)) || limits.look().is_err() {
            break;
        }
    }
    let Attempt { findings, entries, counters } = match best {
        Ok(attempt) => attempt,
        Err(stopped) => return Report { phases: phases.list, ..Report::unknown(stopped.into()) },
    };
    let report = outcome::report(problem, findings, None, || entries.map(Certificate::Invariant));
    Report { phases: phases.list, counters, ..report }
}

/// What all attempts share.
struct Run<'p> {
    problem: &'p Problem,
    graph: Graph,
    thresholds: Thresholds,
}

/// What an analysis has found.
struct Attempt {
    findings: Vec<Finding>,
    /// Invariants, if something is proved.
    entries: Option<Vec<Entry>>,
    counters: Vec<(&'static str, String)>,
}

impl Attempt {
    fn is_proof(&self, problem: &Problem) -> bool {
        problem.targets.is_empty() || self.findings.iter().all(|finding| finding.verdict == Verdict::True)
    }
}

impl Run<'_> {
    fn attempt_in(&self, domain: Domain, by_cells: bool, limits: &Limits) -> Result<Attempt, Stopped> {
        let facts = &self.problem.facts;
        let variables = Variables::of(facts, domain.most_related());
        let cells = if by_cells { Cells::of(facts, &variables) } else { Cells::one() };
        match domain {
            Domain::Box => self.attempt::<Unrelated<VarId>>(&variables, &cells, limits),
            Domain::Affine => self.attempt::<Equations<VarId>>(&variables, &cells, limits),
            Domain::Octagon => self.attempt::<Octagon<VarId>>(&variables, &cells, limits),
            Domain::Polyhedron => self.attempt::<Polyhedron<VarId>>(&variables, &cells, limits),
        }
    }

    fn attempt<D: Ideal<Var = VarId>>(
        &self,
        variables: &Variables,
        cells: &Cells,
        limits: &Limits,
    ) -> Result<Attempt, Stopped> {
        let Problem { facts, targets, .. } = self.problem;
        let wanted = self.wanted(facts, cells);
        let (graph, thresholds) = (&self.graph, &self.thresholds);
        let analysis = Analysis { facts, graph, variables, cells, thresholds, wanted: &wanted };
        let mut reached: Reached<D> = analysis.run(limits)?;
        let proves = |reached: &Reached<D>| targets.iter().any(|target| !reached.errors.contains(&edge_of(target)));
        if proves(&reached) {
            reached = analysis.detail(reached, limits)?;
        }
        let verdict = |target: &Target| {
            if reached.errors.contains(&edge_of(target)) {
                Verdict::Unknown(Reason::Imprecise("the numeric invariants do not exclude it".to_owned()))
            } else {
                Verdict::True
            }
        };
        let findings: Vec<Finding> =
            targets.iter().map(|target| Finding { target: target.clone(), verdict: verdict(target) }).collect();
        let counters = vec![
            ("nodes", graph.len().to_string()),
            ("states", reached.len().to_string()),
            ("steps", reached.steps.to_string()),
            ("widenings", reached.widenings.to_string()),
        ];
        let entries = if proves(&reached) { Some(self.entries(variables, &reached, &wanted, limits)?) } else { None };
        Ok(Attempt { findings, entries, counters })
    }

    /// Where invariants are stated. With cells, also before and behind products and quotients, so that each of them is checked
    /// for the few cells that come there.
    fn wanted(&self, facts: &Facts, cells: &Cells) -> IdxVec<Node, bool> {
        let graph = &self.graph;
        let cuts = Cuts::of(facts, cuts::LONGEST);
        let around = if cells.are_one() { IdxVec::filled(false, graph.len()) } else { graph.around_arithmetic() };
        graph.nodes().map(|node| around[node] || cuts.contains(graph.location(node))).collect()
    }

    fn entries<D: Ideal<Var = VarId>>(
        &self,
        variables: &Variables,
        reached: &Reached<D>,
        wanted: &IdxVec<Node, bool>,
        limits: &Limits,
    ) -> Result<Vec<Entry>, Stopped> {
        let mut encoder = Encoder::new(&self.problem.facts);
        let mut collector = Collector::default();
        for node in self.graph.nodes().filter(|&node| wanted[node]) {
            limits.look()?;
            let (calls, at) = (self.graph.calls(node), self.graph.location(node));
            for state in merged(reached.states[node].values().cloned().collect()) {
                let possible = written(&mut encoder, variables, &state, &calls, at);
                collector.add(calls.clone(), at, possible);
            }
        }
        Ok(collector.finish(&mut encoder))
    }

    /// One state per location, as formulas.
    fn supplied<D: Ideal<Var = VarId>>(
        &self,
        domain: Domain,
        encoder: &mut Encoder<'_>,
        limits: &Limits,
    ) -> Result<Supplied, Stopped> {
        let facts = &self.problem.facts;
        let (variables, cells) = (Variables::of(facts, domain.most_related()), Cells::one());
        let wanted = self.wanted(facts, &cells);
        let (graph, thresholds) = (&self.graph, &self.thresholds);
        let analysis = Analysis { facts, graph, variables: &variables, cells: &cells, thresholds, wanted: &wanted };
        let reached: Reached<D> = analysis.detail(analysis.run(limits)?, limits)?;
        let mut supplied = Supplied::new();
        for node in graph.nodes().filter(|&node| wanted[node]) {
            limits.look()?;
            let (calls, at) = (graph.calls(node), graph.location(node));
            let states: Vec<Term> =
                reached.states[node].values().map(|state| written(encoder, &variables, state, &calls, at)).collect();
            supplied.insert((calls, at), encoder.terms.or_all(&states));
        }
        Ok(supplied)
    }
}

/// What holds at cut points, by pending calls (the oldest first) and location.
pub(crate) type Supplied = BTreeMap<(Vec<(FuncId, EdgeId)>, Location), Term>;

/// Invariants for other engines, at the cut points of certificates, where they imply each other.
pub(crate) fn supply(
    problem: &Problem,
    domain: Domain,
    encoder: &mut Encoder<'_>,
    limits: &Limits,
) -> Result<Supplied, Stopped> {
    let facts = &problem.facts;
    let main = facts.program.main.ok_or_else(|| Stopped::Unsupported("a program without main".to_owned()))?;
    let run = Run { problem, graph: Graph::new(facts, main, limits)?, thresholds: thresholds(facts) };
    match domain {
        Domain::Box => run.supplied::<Unrelated<VarId>>(domain, encoder, limits),
        Domain::Affine => run.supplied::<Equations<VarId>>(domain, encoder, limits),
        Domain::Octagon => run.supplied::<Octagon<VarId>>(domain, encoder, limits),
        Domain::Polyhedron => run.supplied::<Polyhedron<VarId>>(domain, encoder, limits),
    }
}

/// A state as a formula on the variables that may be read at a place.
fn written<D: Ideal<Var = VarId>>(
    encoder: &mut Encoder<'_>,
    variables: &Variables,
    state: &Machine<D>,
    calls: &[(FuncId, EdgeId)],
    at: Location,
) -> Term {
    let mentioned = state.boxes().iter().map(|(&var, _)| var).chain(related(state.ideal()));
    let mut values: BTreeMap<VarId, Term> = BTreeMap::new();
    let mut dead: Vec<VarId> = Vec::new();
    for var in mentioned {
        let cell = youngest(encoder, calls, at, var);
        match cell.filter(|&cell| may_be_read(encoder, calls, at, cell)) {
            Some(cell) => drop(values.insert(var, encoder.input(cell))),
            None => dead.push(var),
        }
    }
    // What is said of others by way of these stays.
    let state = state.forget(&dead);
    formula(&mut encoder.terms, variables, &state, |_, var| values.get(&var).copied())
}

/// The variables that an element relates.
fn related<D: Ideal<Var = VarId>>(ideal: &D) -> Vec<VarId> {
    let sums = ideal.constraints().unwrap_or_default().into_iter().map(|constraint| constraint.sum);
    let all = sums.chain(ideal.multiples().into_iter().map(|(sum, _)| sum));
    all.flat_map(|sum| sum.terms().iter().map(|term| term.0).collect::<Vec<_>>()).collect()
}
