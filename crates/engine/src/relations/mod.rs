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
use crate::unroll::{ContextId, Counting, Found, Place, Unroller};
use robusto_analyses::symbolic::{Cell, Encoder, PathFormula};
use robusto_cfa::ir::{EdgeId, FuncId, Ty};
use robusto_cpa::control::Location;
use robusto_limits::{Limits, Stopped};
use robusto_logic::{Answer, Solver, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::time::Duration;

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

/// A stage: what it finds at each head.
type Stage = fn(&mut Asking<'_, '_>, &Graph) -> Result<Vec<Term>, Stopped>;

/// Cheap stages first. Bounds sharpen the equations: a loop ends with i = n only where i ≤ n is known.
const STAGES: [Stage; 6] =
    [affine::equations, bounds::comparisons, affine::equations, bounds::differences, bounds::sums, affine::equations];

/// The search for relations, stage by stage.
pub struct Relations {
    graph: Graph,
    solver: Solver,
    stages: std::slice::Iter<'static, Stage>,
}

impl Relations {
    /// A search that takes no longer than `time`, given what is known at each head that [`Unroller::heads`] lists.
    pub fn new(encoder: &mut Encoder<'_>, known: &[Term], time: Duration, limits: &Limits) -> Option<Self> {
        if known.len() > MAX_HEADS {
            return None;
        }
        let limits = limits.within(time);
        let graph = Graph::of(encoder, known, &limits).ok()??;
        Some(Self { graph, solver: Solver::new(&limits), stages: STAGES.iter() })
    }

    /// What the next stage finds at each head; `None` after the last one, or when the time is over.
    pub fn next(&mut self, encoder: &mut Encoder<'_>) -> Option<Vec<Term>> {
        let stage = self.stages.next()?;
        let found = stage(&mut Asking { encoder, solver: &mut self.solver }, &self.graph);
        let Ok(found) = found else {
            self.stages = [].iter();
            return None;
        };
        for (head, &more) in self.graph.heads.iter_mut().zip(&found) {
            head.known = encoder.terms.and(head.known, more);
        }
        Some(found)
    }
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
        let mut graph = Graph { heads: Vec::new(), links: Vec::new(), violations: Vec::new() };
        for (i, place) in places.iter().enumerate() {
            let calls = unroller.contexts().stack(place.context);
            graph.heads.push(Head { calls, location: place.location, known: known[i], variables: Vec::new() });
            let anything = encoder.identity_where(&start, known[i]);
            unroller.start_at(Place { origin: i as u32, ..*place }, anything);
        }
        let origin = places.len() as u32;
        if let Some(&to) = number.get(&(ContextId::EMPTY, entry)) {
            graph.links.push(Link { from: None, to, paths: start.clone() });
        }
        unroller.start_at(Place { origin, block: 0, context: ContextId::EMPTY, location: entry }, start);
        for from in 0..=origin {
            let mut found = Found::default();
            unroller.run(encoder, from, 0, limits, &mut found)?;
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

    /// The conditions of all links and violations.
    fn conditions(&self) -> impl Iterator<Item = Term> + '_ {
        self.links.iter().map(|l| l.paths.guard).chain(self.violations.iter().flatten().copied())
    }

    /// Variables that a condition depends on or that a block changes, the former first.
    fn choose_variables(&mut self, encoder: &mut Encoder<'_>) {
        let program = &encoder.facts().program;
        let mut tested = FxHashSet::default();
        for guard in self.conditions() {
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
    solver: &'a mut Solver,
}

impl Asking<'_, '_> {
    /// Whether a path along a link ends in a state with something, given what is known at its source, and `more`. `None` if
    /// so many conflicts do not suffice to tell.
    fn along(
        &mut self,
        graph: &Graph,
        link: &Link,
        more: &[Term],
        something: Term,
        conflicts: i32,
    ) -> Result<Option<Answer>, Stopped> {
        let mut assumptions = vec![link.paths.guard, something];
        assumptions.extend(link.from.map(|from| graph.heads[from].known));
        assumptions.extend(more);
        self.solver.check_within(&mut self.encoder.terms, &assumptions, conflicts)
    }
}
