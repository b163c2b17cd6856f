//! Relations between variables that hold whenever control comes to the head of a loop.
//!
//! Intervals say nothing of how variables depend on each other; k-induction and many proofs need that. Two stages, each
//! over the graph of the blocks from one head to the next, with the solver as the best transformer (Reps, Sagiv, Yorsh:
//! *Symbolic implementation of the best transformer*, VMCAI 2004):
//!
//! | module | finds | method |
//! |---|---|---|
//! | `affine` | equations with constant coefficients modulo 2^w | least fixpoint of affine hulls (King, Søndergaard: *Automatic abstraction for congruences*, VMCAI 2010) |
//! | `bounds` | inequalities between two or three variables, conditions of the program | the greatest inductive subset of candidates (Flanagan, Leino: *Houdini, an annotation assistant for ESC/Java*, FME 2001) |
//!
//! Soundness: each stage ends when the solver has shown for every link that what is known at its source implies what is
//! claimed at its target; a stage that is cut short claims nothing.

mod affine;
mod bounds;

use crate::certificate::may_be_read;
use crate::limits::Limits;
use crate::unroll::{ContextId, Counting, Found, Place, Unroller};
use robusto_analyses::symbolic::{Cell, Encoder, PathFormula};
use robusto_cfa::ir::{EdgeId, FuncId, Ty};
use robusto_cpa::Stopped;
use robusto_cpa::control::Location;
use robusto_logic::{Answer, Cancelled, Solver, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::time::{Duration, Instant};

/// Most heads; programs with more are state machines, whose proofs need other invariants.
const MAX_HEADS: usize = 40;

/// Most variables per head and width.
const MAX_VARIABLES: usize = 10;

/// The head of a loop with its pending calls.
struct Head {
    /// The pending calls, the oldest first.
    calls: Vec<(FuncId, EdgeId)>,
    location: Location,
    /// What is known already.
    known: Term,
    /// Inputs for the variables worth relating, by width.
    variables: Vec<Vec<Term>>,
}

/// All paths from the start of the program, or from a head, to a next head.
struct Link {
    from: Option<usize>,
    to: usize,
    paths: PathFormula,
}

struct Graph {
    heads: Vec<Head>,
    links: Vec<Link>,
    /// By head, when a block from there violates something.
    violations: Vec<Vec<Term>>,
}

/// What relates the variables at each head that [`Unroller::heads`] lists, given what is known there. Takes no longer
/// than `time`; what is not known by then is true.
pub fn at_heads(encoder: &mut Encoder<'_>, known: &[Term], time: Duration, limits: &Limits) -> Vec<Term> {
    let mut found = vec![encoder.terms.yes(); known.len()];
    if known.len() > MAX_HEADS {
        return found;
    }
    let end = Instant::now() + time;
    let deadline = limits.deadline.map_or(end, |deadline| deadline.min(end));
    let limits = Limits::until(Some(deadline), limits.memory, limits.cancel.clone());
    let Ok(Some(mut graph)) = Graph::of(encoder, known, &limits) else { return found };
    let mut asking = Asking { encoder, solver: Solver::new(limits.stopper()) };
    // Bounds sharpen the equations: a loop ends with i = n only where i ≤ n is known.
    for stage in [affine::equations, bounds::inequalities, affine::equations] {
        let Ok(more) = stage(&mut asking, &graph) else { break };
        for (i, more) in more.into_iter().enumerate() {
            let terms = &mut asking.encoder.terms;
            found[i] = terms.and(found[i], more);
            graph.heads[i].known = terms.and(graph.heads[i].known, more);
        }
    }
    found
}

impl Graph {
    fn of(encoder: &mut Encoder<'_>, known: &[Term], limits: &Limits) -> Result<Option<Self>, Stopped> {
        let program = &encoder.facts().program;
        let Some(main) = program.main else { return Ok(None) };
        let entry = Location { function: main, loc: program.functions[main].entry };
        let mut unroller = Unroller::new(encoder.facts(), Counting::Blocks);
        let Some(places) = unroller.heads(entry, usize::MAX) else { return Ok(None) };
        assert_eq!(places.len(), known.len(), "something is known at each head");
        let number: FxHashMap<_, _> =
            places.iter().enumerate().map(|(i, place)| ((place.context, place.location), i)).collect();
        let start = encoder.initial();
        let anything = encoder.identity(&start);
        let mut graph = Graph { heads: Vec::new(), links: Vec::new(), violations: Vec::new() };
        for (i, place) in places.iter().enumerate() {
            let mut calls: Vec<_> = unroller.contexts().calls(place.context).collect();
            calls.reverse();
            graph.heads.push(Head { calls, location: place.location, known: known[i], variables: Vec::new() });
            unroller.start_at(Place { origin: i as u32, ..*place }, anything.clone());
        }
        let origin = places.len() as u32;
        if let Some(&to) = number.get(&(ContextId::EMPTY, entry)) {
            graph.links.push(Link { from: None, to, paths: start.clone() });
        }
        unroller.start_at(Place { origin, block: 0, context: ContextId::EMPTY, location: entry }, start);
        for from in 0..=origin {
            let mut found = Found::default();
            unroller.run(encoder, from, 0, &mut || limits.poll(), &mut found)?;
            graph.violations.push(found.violations.iter().map(|v| v.guard).collect());
        }
        for (place, paths) in unroller.ends() {
            let to = number[&(place.context, place.location)];
            let from = (place.origin != origin).then_some(place.origin as usize);
            graph.links.push(Link { from, to, paths: paths.clone() });
        }
        graph.choose_variables(encoder);
        Ok(Some(graph))
    }

    /// Variables that a condition depends on or that a block changes, the former first.
    fn choose_variables(&mut self, encoder: &mut Encoder<'_>) {
        let program = &encoder.facts().program;
        let mut tested = FxHashSet::default();
        let guards = self.links.iter().map(|l| l.paths.guard).chain(self.violations.iter().flatten().copied());
        for guard in guards {
            tested.extend(encoder.terms.symbols(guard).into_iter().filter_map(|s| encoder.cell_of(s)));
        }
        let changed: FxHashSet<Cell> =
            self.links.iter().filter(|l| l.from.is_some()).flat_map(|l| l.paths.env.keys().copied()).collect();
        for head in &mut self.heads {
            let mut by_width: Vec<(u16, Vec<(bool, Term)>)> = Vec::new();
            for var in program.vars.ids() {
                let cell = Cell::Var(var, 0);
                let Ty::Int(width @ 2..=64) = program.vars[var].ty else { continue };
                let (is_tested, is_changed) = (tested.contains(&cell), changed.contains(&cell));
                if (is_tested || is_changed) && may_be_read(encoder, &head.calls, head.location, cell) {
                    let input = encoder.input(cell);
                    match by_width.iter_mut().find(|(w, _)| *w == u16::from(width)) {
                        Some((_, group)) => group.push((!is_tested, input)),
                        None => by_width.push((width.into(), vec![(!is_tested, input)])),
                    }
                }
            }
            head.variables = by_width
                .into_iter()
                .map(|(_, mut group)| {
                    group.sort_by_key(|&(later, _)| later);
                    group.into_iter().take(MAX_VARIABLES).map(|(_, input)| input).collect()
                })
                .collect();
        }
    }
}

/// Questions about links.
struct Asking<'a, 'f> {
    encoder: &'a mut Encoder<'f>,
    solver: Solver,
}

impl Asking<'_, '_> {
    /// Whether a path along a link ends in a state with something, given what is known at its source. `more` is known too.
    fn along(&mut self, graph: &Graph, link: &Link, more: &[Term], something: Term) -> Result<bool, Cancelled> {
        let mut assumptions = vec![link.paths.guard, something];
        assumptions.extend(link.from.map(|from| graph.heads[from].known));
        assumptions.extend(more);
        Ok(self.solver.check(&mut self.encoder.terms, &assumptions)? == Answer::Sat)
    }
}
