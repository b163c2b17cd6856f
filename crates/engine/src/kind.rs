//! k-induction over blocks, strengthened by interval invariants.
//!
//! Sheeran, Singh, Stålmarck: *Checking safety properties using induction and a SAT-solver*, FMCAD 2000; for programs with
//! invariants from another analysis, Beyer, Dangl, Wendler: *Boosting k-induction with continuously-refined invariants*,
//! CAV 2015. A block leads from one head of a loop, in one calling context, to the next (the *cut points*); blocks have no
//! loops inside.
//!
//! | the papers | here |
//! |---|---|
//! | base case | bounded model checking ([`crate::bmc`]) up to bound k: all executions with at most k heads |
//! | step case | from any state at any cut point that satisfies the invariants: k blocks, then a violation |
//! | auxiliary invariants | [`Invariants`]: intervals of the variables at the cut point, and of what pending calls leave alone; what a numeric domain knows (`numeric::supply`) |
//! | continuously refined | where induction fails at first, relations between variables (`Relations`) are added |
//!
//! The hypothesis that the first k blocks violate nothing needs no formula: an execution that violates something ends
//! there, so a path that goes on for k blocks has not.
//!
//! Soundness: take a violation after n heads, with n least. If n ≤ k, the base case finds it. Otherwise its path passes a
//! cut point with k heads left, in a state that satisfies the invariants, and is a model of the step case. The step case
//! over-approximates (any memory, any values without bounds), so that it can only fail to prove. Paths into something that
//! is not modelled count as violations of everything.

use crate::bmc::{Options, Search, next_bound};
use crate::certificate::Collector;
use crate::certificate::cuts::{self, Cuts};
use crate::numeric::{self, Domain, Supplied};
use crate::outcome;
use crate::phases::Phases;
use crate::problem::Problem;
use crate::property::{edge_of, place};
use crate::registry::{Call, Engine, INVARIANTS, Kind, MAX_BOUND, Opt, SMT2, Values, invariants};
use crate::relations::Relations;
use crate::unroll::{Counting, Found, Place, Unroller};
use robusto_analyses::interval::Invariants;
use robusto_analyses::symbolic::Encoder;
use robusto_cpa::control::Location;
use robusto_limits::{Limits, Progress, Stopped};
use robusto_logic::{Answer, Solver, Term};
use robusto_verdict::{Certificate, Reason, Report, Target};
use std::time::{Duration, Instant};

/// Places looked at for cut points; programs with more calling contexts get no step case.
const MAX_PLACES: usize = 200_000;

/// Time that the step case may take before it has to share with the base case.
const HEAD_START: Duration = Duration::from_secs(2);

/// The first k whose failure is worth the search for relations between variables.
const RELATE_FROM: u32 = 2;

/// How long that search may take.
const RELATE_TIME: Duration = Duration::from_secs(8);

/// How long numeric analysis may take: at most this, and at most this share of what is left.
const STRENGTHEN: (Duration, u32) = (Duration::from_secs(3), 10);

static STRENGTHENED: Opt = Opt {
    name: "strengthen",
    help: "numeric invariants that are tried where induction fails, before relations are looked for",
    kind: Kind::Choice {
        value: "DOMAIN",
        list: &[
            ("poly", "Convex polyhedra"),
            ("oct", "Octagons"),
            ("affine", "Affine equations between variables, modulo 2^w"),
            ("none", "None"),
        ],
    },
};

/// The chosen domain, if there is one; none by default where engines are to start with nothing.
pub(crate) fn strengthen(values: &Values) -> Option<Domain> {
    if !invariants(values) && !values.has(&STRENGTHENED) {
        return None;
    }
    match values.text(&STRENGTHENED) {
        Some("none") => None,
        Some("affine") => Some(Domain::Affine),
        Some("oct") => Some(Domain::Octagon),
        _ => Some(Domain::Polyhedron),
    }
}

/// The engine.
pub static ENGINE: Engine = Engine {
    name: "kind",
    about: "k-induction with interval invariants and relations between variables",
    help: "\
k-induction with interval and numeric invariants and relations between variables, in turn with
bmc. For loops that run for ever and keep a local invariant. (docs/bmc.md)",
    options: &[&INVARIANTS, &STRENGTHENED, &MAX_BOUND, &SMT2],
    call: Call::Alone(|job| check(job.problem, &Options::of(job), job.limits, job.progress)),
};

/// Checks a property.
pub fn check(problem: &Problem, options: &Options, limits: &Limits, progress: &Progress) -> Report {
    let mut phases = Phases::default();
    let Problem { facts, .. } = problem;
    if facts.program.main.is_none() {
        return Report::unknown(Reason::NoMain);
    }
    let invariants = options.invariants.then(|| problem.intervals(limits)).flatten();
    phases.end("interval invariants");
    let mut encoder = Encoder::new(facts);
    let mut solver = Solver::new(limits);
    solver.set_log(options.smt2.clone());
    let mut search = Search::new(&mut encoder, problem, options.traces, invariants, limits);
    let mut induction = Induction::new(&mut encoder, invariants, limits);
    let end = run(problem, &mut encoder, &mut solver, &mut search, &mut induction, options, progress);
    phases.end("search");
    phases.split("base case", search.unrolling_time + solver.statistics().time);
    let mut counters = vec![("bound", search.bound.to_string()), ("nodes", search.nodes().to_string())];
    let mut calls = solver.statistics().calls;
    let mut variables = solver.statistics().variables;
    match &induction {
        Ok(induction) => {
            phases.split("step case", induction.time);
            calls += induction.solver.statistics().calls;
            variables += induction.solver.statistics().variables;
            let proved = induction.proved.map_or("none".to_owned(), |k| k.to_string());
            counters.push(("inductive at", proved));
            counters.push(("cut points", induction.cuts.len().to_string()));
            counters.push(("nodes of the step case", induction.unroller.len().to_string()));
        }
        Err(reason) => counters.push(("no step case", reason.to_string())),
    }
    counters.push(("terms", encoder.terms.len().to_string()));
    counters.push(("solver calls", calls.to_string()));
    counters.push(("SAT variables", variables.to_string()));
    // Stopped on the way, nothing is known of what lies beyond the bound.
    let exhausted = end.is_ok() && search.is_exhausted();
    let open = end.err();
    let findings = search.findings(open.clone());
    let report = outcome::report(problem, findings, open, || match induction {
        _ if exhausted => Some(Certificate::Unrolled { bound: search.bound }),
        Ok(induction) => Some(induction.certificate(&mut encoder, invariants, search.bound)),
        Err(_) => None,
    });
    let approximations = encoder.approximations().map(|a| (place(a.pos), a.what)).collect();
    Report { approximations, phases: phases.list, counters, ..report }
}

/// Base case and step case in turn, with growing k.
fn run<'f>(
    problem: &Problem,
    encoder: &mut Encoder<'f>,
    solver: &mut Solver,
    search: &mut Search<'_, 'f>,
    induction: &mut Result<Induction<'_, 'f>, Reason>,
    options: &Options,
    progress: &Progress,
) -> Result<(), Reason> {
    let targets = &problem.targets;
    loop {
        let mut k = next_bound(search.bound);
        if let Some(max) = options.max_bound {
            if search.bound >= max {
                return Err(Reason::Bound(max.into()));
            }
            k = k.min(max);
        }
        if search.deepen(encoder, solver, k, progress)? {
            return Ok(());
        }
        let Ok(induction) = induction else { continue };
        // Where induction fails again and again, it must not keep the base case from its bugs.
        let base = search.unrolling_time + solver.statistics().time;
        if induction.time > 2 * base + HEAD_START {
            continue;
        }
        let open: Vec<usize> = (0..targets.len()).filter(|&i| search.verdicts[i].is_none()).collect();
        let mut proved = induction.step(encoder, targets, &open, k)?;
        if let Some(domain) = options.strengthen
            && proved.len() < open.len()
            && induction.strengthen(encoder, problem, domain)
        {
            proved = induction.step(encoder, targets, &open, k)?;
        }
        while proved.len() < open.len() && k >= RELATE_FROM && options.invariants && induction.relate(encoder) {
            proved = induction.step(encoder, targets, &open, k)?;
        }
        if !proved.is_empty() {
            search.is_modelled(encoder, solver)?;
            proved.into_iter().for_each(|target| search.prove(target));
            if search.is_decided() {
                return Ok(());
            }
        }
    }
}

/// Where blocks start, and from which states.
struct Cut {
    /// Where.
    place: Place,
    /// The invariants there.
    invariant: Term,
    /// Blocks that are unrolled from here.
    blocks: Option<u32>,
    /// What the last of these blocks can come to.
    found: Found,
}

/// The step case.
struct Induction<'c, 'f> {
    cuts: Vec<Cut>,
    unroller: Unroller<'f>,
    solver: Solver,
    limits: &'c Limits,
    /// The cut point that refuted the last step case, which will most likely refute the next.
    stubborn: usize,
    /// The first k that proved something.
    proved: Option<u32>,
    /// The search for relations between variables, once it has begun; `None` inside if there is none.
    relations: Option<Option<Relations>>,
    /// Whether relations are part of the invariants.
    is_related: bool,
    /// What numeric analysis has found at cut points, once it was asked.
    supplied: Option<Supplied>,
    time: Duration,
}

impl<'c, 'f> Induction<'c, 'f> {
    /// Finds the cut points.
    fn new(encoder: &mut Encoder<'f>, invariants: Option<&Invariants>, limits: &'c Limits) -> Result<Self, Reason> {
        let facts = encoder.facts();
        let program = &facts.program;
        let main = program.main.ok_or(Reason::NoMain)?;
        if program.functions.ids().any(|f| facts.calls.is_reachable(f) && facts.calls.is_recursive(f)) {
            return Err(Reason::Unsupported("induction over recursive functions".to_owned()));
        }
        let mut unroller = Unroller::new(facts, Counting::Blocks);
        let entry = Location { function: main, loc: program.functions[main].entry };
        let Some(places) = unroller.heads(entry, MAX_PLACES) else {
            return Err(Reason::Unsupported("induction with so many calling contexts".to_owned()));
        };
        let mut cuts = Vec::new();
        for (origin, place) in places.into_iter().enumerate() {
            let place = Place { origin: origin as u32, ..place };
            let invariant = match invariants {
                Some(invariants) => invariant(encoder, &unroller, invariants, place),
                None => encoder.terms.yes(),
            };
            let start = encoder.anything_in(unroller.contexts().active(place.context, place.location));
            let anything = encoder.identity_where(&start, invariant);
            unroller.start_at(place, anything);
            cuts.push(Cut { place, invariant, blocks: None, found: Found::default() });
        }
        let solver = Solver::new(limits);
        Ok(Self {
            cuts,
            unroller,
            solver,
            limits,
            stubborn: 0,
            proved: None,
            relations: None,
            is_related: false,
            supplied: None,
            time: Duration::ZERO,
        })
    }

    /// Adds what numeric analysis finds to the invariants, the first time; whether it has found something.
    fn strengthen(&mut self, encoder: &mut Encoder<'f>, problem: &Problem, domain: Domain) -> bool {
        if self.supplied.is_some() {
            return false;
        }
        let start = Instant::now();
        let (most, share) = STRENGTHEN;
        let time = self.limits.remaining().map_or(most, |left| most.min(left / share));
        let supplied = numeric::supply(problem, domain, encoder, &self.limits.within(time)).unwrap_or_default();
        for Cut { place, invariant, .. } in &mut self.cuts {
            let calls = self.unroller.contexts().stack(place.context);
            if let Some(&more) = supplied.get(&(calls, place.location)) {
                *invariant = encoder.terms.and(*invariant, more);
            }
        }
        self.time += start.elapsed();
        !self.supplied.insert(supplied).is_empty()
    }

    /// Adds relations between variables to the invariants; whether there is more to be tried with.
    fn relate(&mut self, encoder: &mut Encoder<'f>) -> bool {
        let start = Instant::now();
        let (cuts, limits) = (&mut self.cuts, self.limits);
        let relations = self.relations.get_or_insert_with(|| {
            let known: Vec<Term> = cuts.iter().map(|cut| cut.invariant).collect();
            Relations::new(encoder, &known, RELATE_TIME, limits)
        });
        let found = relations.as_mut().and_then(|relations| relations.next(encoder));
        for (cut, &more) in cuts.iter_mut().zip(found.iter().flatten()) {
            cut.invariant = encoder.terms.and(cut.invariant, more);
        }
        self.time += start.elapsed();
        self.is_related |= found.is_some();
        found.is_some()
    }

    /// What proved the targets, with the bound that the base case is done for.
    fn certificate(mut self, encoder: &mut Encoder<'f>, invariants: Option<&Invariants>, bound: u32) -> Certificate {
        let mut collector = Collector::default();
        if let Some(invariants) = invariants
            && !self.is_related
        {
            self.between(encoder, invariants, &mut collector);
        }
        for Cut { place, invariant, .. } in self.cuts {
            collector.add(self.unroller.contexts().stack(place.context), place.location, invariant);
        }
        // What was proved with fewer blocks is inductive with more of them too.
        Certificate::Inductive { k: bound, invariants: collector.finish(encoder) }
    }

    /// Invariants inside of long loop bodies, so that those at the heads are easier to check. They imply each other, other
    /// than relations, which are known at the heads only.
    fn between(&mut self, encoder: &mut Encoder<'f>, invariants: &Invariants, collector: &mut Collector) {
        let facts = encoder.facts();
        let program = &facts.program;
        let cuts = Cuts::of(facts, cuts::LONGEST);
        let Some(main) = program.main else { return };
        let entry = Location { function: main, loc: program.functions[main].entry };
        let places = self.unroller.places(entry, MAX_PLACES).unwrap_or_default();
        let is_head = |at: Location| self.unroller.contexts().is_head(at);
        for place in places.into_iter().filter(|place| cuts.contains(place.location) && !is_head(place.location)) {
            let intervals = invariant(encoder, &self.unroller, invariants, place);
            let calls = self.unroller.contexts().stack(place.context);
            let supplied = self.supplied.as_ref().and_then(|supplied| supplied.get(&(calls.clone(), place.location)));
            let known = supplied.map_or(intervals, |&more| encoder.terms.and(intervals, more));
            collector.add(calls, place.location, known);
        }
    }

    /// The open targets that no path of k blocks from a cut point violates after that.
    fn step(
        &mut self,
        encoder: &mut Encoder<'f>,
        targets: &[Target],
        open: &[usize],
        k: u32,
    ) -> Result<Vec<usize>, Reason> {
        let start = Instant::now();
        let result = self.inductive(encoder, targets, open, k);
        self.time += start.elapsed();
        if matches!(&result, Ok(proved) if !proved.is_empty()) {
            self.proved.get_or_insert(k);
        }
        result
    }

    fn inductive(
        &mut self,
        encoder: &mut Encoder<'f>,
        targets: &[Target],
        open: &[usize],
        k: u32,
    ) -> Result<Vec<usize>, Reason> {
        let mut left = open.to_vec();
        let order: Vec<usize> = (0..self.cuts.len()).map(|i| (i + self.stubborn) % self.cuts.len()).collect();
        for cut in order {
            if encoder.terms.is_false(self.cuts[cut].invariant) {
                continue;
            }
            self.unroll(encoder, cut, k)?;
            let invariant = self.cuts[cut].invariant;
            let unmodelled: Vec<Term> = self.cuts[cut].found.unmodelled.iter().map(|u| u.guard).collect();
            let violations = self.cuts[cut].found.violations.clone();
            let unmodelled = encoder.terms.or_all(&unmodelled);
            let mut kept = Vec::new();
            for target in left {
                let edge = edge_of(&targets[target]);
                let guards: Vec<Term> =
                    violations.iter().filter(|v| v.step.edge_ref() == edge).map(|v| v.guard).collect();
                let violated = encoder.terms.or_all(&guards);
                let question = encoder.terms.or(violated, unmodelled);
                if encoder.terms.is_false(question) {
                    kept.push(target);
                    continue;
                }
                match self.solver.check(&mut encoder.terms, &[invariant, question])? {
                    Answer::Unsat => kept.push(target),
                    Answer::Sat => self.stubborn = cut,
                }
            }
            left = kept;
            if left.is_empty() {
                break;
            }
        }
        Ok(left)
    }

    /// Unrolls k blocks from a cut point; keeps what the last one comes to.
    fn unroll(&mut self, encoder: &mut Encoder<'f>, cut: usize, k: u32) -> Result<(), Stopped> {
        let first = self.cuts[cut].blocks.map_or(0, |done| done + 1);
        for block in first..=k {
            let mut found = Found::default();
            self.unroller.run(encoder, cut as u32, block, self.limits, &mut found)?;
            self.cuts[cut].found = found;
            self.cuts[cut].blocks = Some(block);
        }
        Ok(())
    }
}

/// What is known at a place.
pub(crate) fn invariant(
    encoder: &mut Encoder<'_>,
    unroller: &Unroller<'_>,
    invariants: &Invariants,
    place: Place,
) -> Term {
    let mut all = vec![invariants.here(encoder, place.location, 0)];
    let mut callee = place.location.function;
    for (caller, edge) in unroller.contexts().calls(place.context) {
        all.push(invariants.pending(encoder, (caller, edge), callee, 0));
        callee = caller;
    }
    encoder.terms.and_all(&all)
}
