//! The program unrolled into path formulas: bounded model checking's translation, done edge by edge.
//!
//! Biere, Cimatti, Clarke, Zhu: *Symbolic model checking without BDDs*, TACAS 1999; for C with merging at joins, Clarke,
//! Kroening, Lerda: *A tool for checking ANSI-C programs*, TACAS 2004. A node is a location with its pending calls and the
//! iterations of the loops around it. Nodes are expanded in a topological order of the unrolled program ([`context`]), so
//! all paths into a node are merged before it is expanded, and the formulas together stay linear in the unrolled program.
//!
//! What lies beyond the bound is kept: when the bound is raised, the exploration goes on from there. A node that is
//! reached again by such later paths is a new instance.
//!
//! Paths end where nothing that decides the verdict can be reached any more ([`relevance`]), and at locations that are
//! unreachable by invariants, if there are any.
//!
//! Where loops have closed forms ([`Closed`]), the unrolling slides over any number of iterations at once.
//!
//! Calls of functions that do the same whenever they are given the same are taken in one step, with what was found out of an earlier call
//! ([`WholeCalls`]), errors inside included.
//!
//! Soundness: every execution that stays within the bound follows the edges from node to node, its guard holds at each
//! of them by the correctness of the encoder, and an edge is dropped only when its guard is false.

pub mod binomial;
mod context;
mod relevance;
mod slide;

pub use context::{ContextId, Contexts, Counting, Place};
pub use slide::{Closed, Slid};

use context::Key;
pub use relevance::Relevance;
use robusto_analyses::interval::Invariants;
use robusto_analyses::symbolic::{Encoder, Entered, Outcome, Part, PathFormula, WholeCalls};
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{FuncId, Idx, IdxVec, Program};
use robusto_cpa::Step;
use robusto_cpa::control::{Location, steps};
use robusto_limits::{Limits, Stopped};
use robusto_logic::{Evaluator, Model, Term};
use rustc_hash::FxHashSet;
use slide::Slides;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A node of the unrolled program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(u32);

impl Idx for NodeId {
    fn new(index: usize) -> Self {
        Self(u32::try_from(index).expect("fewer than 2^32 nodes"))
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// How paths come into a node.
#[derive(Clone, Copy, Debug)]
struct Incoming {
    from: NodeId,
    step: Step,
    guard: Term,
    /// The call that is taken at once with that step, if it is one.
    call: Option<CallId>,
}

/// A call that is taken at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct CallId(u32);

/// Most calls that are taken at once. What each was entered with is kept for the paths of counterexamples, about a kilobyte.
const MOST_CALLS: usize = 300_000;

struct Node {
    place: Place,
    /// The paths to it; dropped when it is expanded, which for millions of nodes is most of the memory.
    formula: Option<PathFormula>,
    /// Choices made on the paths to it.
    choices: u32,
    first: Option<Incoming>,
    more: Vec<Incoming>,
}

/// A node beyond the bound.
struct Deferred {
    node: NodeId,
    /// The bound that includes it.
    count: u32,
}

/// A step that violates a property.
#[derive(Clone, Copy, Debug)]
pub struct Violation {
    /// Where it is taken.
    pub node: NodeId,
    /// The step, along an error edge.
    pub step: Step,
    /// When it is taken.
    pub guard: Term,
    /// The call at that node that it is taken in, if it is taken at once.
    call: Option<CallId>,
}

/// Paths that end at something which is not modelled.
#[derive(Clone, Debug)]
pub struct Unmodelled {
    /// What it is.
    pub what: String,
    /// When it is met.
    pub guard: Term,
}

/// What an expansion comes across.
#[derive(Default, Debug)]
pub struct Found {
    /// Violations, in the order of exploration.
    pub violations: Vec<Violation>,
    /// Ends of the model.
    pub unmodelled: Vec<Unmodelled>,
}

/// A step of a path.
#[derive(Clone, Debug)]
pub struct PathStep {
    /// The step.
    pub step: Step,
    /// Choices that the encoder had counted before it.
    pub choices: u32,
    /// Iterations of a loop that are taken at once before it.
    pub slid: Vec<Slid>,
}

impl PathStep {
    /// A step with nothing before it.
    pub fn new(step: Step, choices: u32) -> Self {
        Self { step, choices, slid: Vec::new() }
    }
}

/// The unrolled program so far.
pub struct Unroller<'f> {
    facts: &'f Facts,
    contexts: Contexts<'f>,
    relevance: Relevance,
    invariants: Option<&'f Invariants>,
    /// Functions whose calls are not entered.
    kept: FxHashSet<FuncId>,
    /// Where these are called.
    sites: FxHashSet<Location>,
    nodes: IdxVec<NodeId, Node>,
    waiting: BTreeMap<Key, NodeId>,
    deferred: BTreeMap<Key, Deferred>,
    slides: Slides,
    /// The loop that paths stay in.
    inside: Option<Location>,
    /// What calls do that are taken at once.
    whole: Option<WholeCalls>,
    /// These, with the steps that enter them.
    calls: Vec<(Step, Entered)>,
}

impl<'f> Unroller<'f> {
    /// Nothing is unrolled yet.
    pub fn new(facts: &'f Facts, counting: Counting) -> Self {
        Self {
            facts,
            contexts: Contexts::new(&facts.program, counting),
            relevance: Relevance::of(facts),
            invariants: None,
            kept: FxHashSet::default(),
            sites: FxHashSet::default(),
            nodes: IdxVec::new(),
            waiting: BTreeMap::new(),
            deferred: BTreeMap::new(),
            slides: Slides::default(),
            inside: None,
            whole: None,
            calls: Vec::new(),
        }
    }

    /// Calls of functions that do the same whenever they are given the same are taken at once. Comes after all else that is chosen.
    pub fn reusing_calls(mut self, encoder: &Encoder<'f>) -> Self {
        self.whole = Some(WholeCalls::of(encoder, |at| self.is_relevant_at(at)));
        self
    }

    /// Calls that were walked to be taken at once, and calls that were like one before.
    pub fn call_counts(&self) -> (u64, u64) {
        self.whole.as_ref().map_or((0, 0), |whole| whole.counts)
    }

    /// Paths stay in the loop with a head, called functions included.
    pub fn inside(self, head: Location) -> Self {
        Self { inside: Some(head), ..self }
    }

    /// Iterations of loops are taken at once where closed forms say what they do. Those of a head are tried in their order.
    pub fn sliding(mut self, closed: impl IntoIterator<Item = std::rc::Rc<Closed>>) -> Self {
        debug_assert!(self.contexts.counts_loops(), "blocks end at every head");
        self.slides = Slides::new(closed);
        self
    }

    /// Paths end also where no execution comes, as invariants say.
    pub fn within(self, invariants: Option<&'f Invariants>) -> Self {
        Self { invariants, ..self }
    }

    /// Calls of these functions are not entered. Paths end where one is called, and at the end of the function that they
    /// started in.
    pub fn keeping(mut self, kept: &[FuncId]) -> Self {
        self.kept = kept.iter().copied().collect();
        for &function in kept {
            for site in self.facts.calls.sites(function) {
                if site.callees.iter().any(|callee| self.kept.contains(callee)) {
                    let loc = self.facts.program.functions[function].edge(site.edge).src;
                    self.sites.insert(Location { function, loc });
                }
            }
        }
        self
    }

    /// Whether calls of a function are not entered.
    pub fn keeps(&self, function: FuncId) -> bool {
        self.kept.contains(&function)
    }

    /// Whether a kept function is called at a location.
    pub fn is_site(&self, location: Location) -> bool {
        self.sites.contains(&location)
    }

    /// Whether paths that keep functions end at a place.
    pub fn is_end(&self, place: Place) -> bool {
        let Location { function, loc } = place.location;
        let is_exit = || loc == self.program().functions[function].exit;
        !self.kept.is_empty()
            && (self.is_site(place.location) || (is_exit() && self.contexts.pending(place.context).is_none()))
    }

    fn program(&self) -> &'f Program {
        &self.facts.program
    }

    /// The places so far.
    pub fn contexts(&self) -> &Contexts<'f> {
        &self.contexts
    }

    /// Starts at a location without pending calls.
    pub fn start(&mut self, location: Location, formula: PathFormula) {
        let place = self.contexts.start(location);
        self.start_at(place, formula);
    }

    /// Starts at a place of these [`Contexts`].
    pub fn start_at(&mut self, place: Place, formula: PathFormula) {
        let node = self.add(place, formula, None);
        self.deferred.insert(self.contexts.key(place), Deferred { node, count: 0 });
    }

    /// All places at heads of loops that control can come to; see [`Self::places`].
    pub fn heads(&mut self, start: Location, limit: usize) -> Option<Vec<Place>> {
        let mut heads = self.places(start, limit)?;
        heads.retain(|place| self.contexts.is_head(place.location));
        Some(heads)
    }

    /// All places that control can come to, whatever the values are; `None` if there are more than `limit` places to look
    /// at. Only places from which the verdict can be decided are listed.
    pub fn places(&mut self, start: Location, limit: usize) -> Option<Vec<Place>> {
        let start = self.contexts.start(start);
        let mut seen = FxHashSet::from_iter([(start.location, start.context)]);
        let mut todo = vec![start];
        let mut places = Vec::new();
        while let Some(place) = todo.pop() {
            places.push(place);
            let mut next = Vec::new();
            let pending = self.contexts.pending(place.context);
            steps(self.program(), self.facts, None, place.location, pending, &mut next);
            for step in next {
                let (to, _) = self.contexts.follow(place, step);
                if self.is_relevant(to) && seen.insert((to.location, to.context)) {
                    todo.push(Place { block: 0, ..to });
                }
            }
            if seen.len() > limit {
                return None;
            }
        }
        Some(places)
    }

    /// Whether something that decides the verdict can be reached from a place.
    pub fn is_relevant(&self, place: Place) -> bool {
        self.is_relevant_at(place.location)
    }

    fn is_relevant_at(&self, Location { function, loc }: Location) -> bool {
        self.relevance.contains(function, loc) && self.invariants.is_none_or(|known| known.is_reachable(function, loc))
    }

    fn add(&mut self, place: Place, formula: PathFormula, first: Option<Incoming>) -> NodeId {
        let choices = formula.choices;
        self.nodes.push(Node { place, formula: Some(formula), choices, first, more: Vec::new() })
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Expands all nodes of an origin within the bound.
    pub fn run(
        &mut self,
        encoder: &mut Encoder<'f>,
        origin: u32,
        bound: u32,
        limits: &Limits,
        found: &mut Found,
    ) -> Result<(), Stopped> {
        let deferred = self.deferred.range(Key::of_origin(origin));
        let ready: Vec<Key> = deferred.filter(|(_, d)| d.count <= bound).map(|(key, _)| key.clone()).collect();
        for key in ready {
            let deferred = self.deferred.remove(&key).expect("it was there");
            self.waiting.insert(key, deferred.node);
        }
        while let Some((key, id)) = self.waiting.pop_first() {
            if let Err(stopped) = limits.poll() {
                self.waiting.insert(key, id);
                return Err(stopped);
            }
            self.expand(encoder, id, bound, limits, found)?;
        }
        Ok(())
    }

    fn expand(
        &mut self,
        encoder: &mut Encoder<'f>,
        id: NodeId,
        bound: u32,
        limits: &Limits,
        found: &mut Found,
    ) -> Result<(), Stopped> {
        let program = self.program();
        let place = self.nodes[id].place;
        let mut formula = self.nodes[id].formula.take().expect("a node is expanded once");
        if self.slides.is_at(place.location) {
            formula = self.slides.slide(encoder, id, place, formula);
        }
        let mut next = Vec::new();
        steps(program, self.facts, None, place.location, self.contexts.pending(place.context), &mut next);
        next.retain(|step| !matches!(step, Step::Enter { callee, .. } if self.kept.contains(callee)));
        for step in next {
            let mut after = match encoder.step(&formula, step) {
                Ok(Some(after)) => after,
                Ok(None) => continue,
                Err(Stopped::Unsupported(what)) => {
                    found.unmodelled.push(Unmodelled { what, guard: formula.guard });
                    continue;
                }
                Err(stopped) => return Err(stopped),
            };
            if step.is_error(program) {
                found.violations.push(Violation { node: id, step, guard: after.guard, call: None });
                continue;
            }
            let (mut to, mut count) = self.contexts.follow(place, step);
            if !self.is_relevant(to) || self.inside.is_some_and(|head| !self.contexts.is_inside(head, to)) {
                continue;
            }
            let mut call = None;
            if let Step::Enter { caller, edge, callee } = step
                && let Some(outcome) = self.whole(encoder, callee, &after, limits)?
            {
                let id_of_call = CallId(self.calls.len() as u32);
                self.calls.push((step, Entered { callee, formula: after.clone() }));
                call = Some(id_of_call);
                for &(step, condition) in &outcome.errors {
                    let guard = encoder.terms.and(after.guard, condition);
                    if !encoder.terms.is_false(guard) {
                        found.violations.push(Violation { node: id, step, guard, call });
                    }
                }
                let leave = Step::Leave { callee, caller, edge };
                let Some(exit) = encoder.at_exit(&after, &outcome) else { continue };
                let Some(left) = encoder.step(&exit, leave)? else { continue };
                after = left;
                (to, count) = self.contexts.follow(to, leave);
                if !self.is_relevant(to) {
                    continue;
                }
            }
            if let Some(before) = self.contexts.iteration_before(to)
                && !self.slides.leave(encoder, before, &mut after)
            {
                continue;
            }
            let count = if self.is_end(to) { u32::MAX } else { count };
            let incoming = Incoming { from: id, step, guard: after.guard, call };
            self.arrive(encoder, to, count, bound, after, incoming);
        }
        Ok(())
    }

    /// What a call does, if it is taken at once.
    fn whole(
        &mut self,
        encoder: &mut Encoder<'f>,
        callee: FuncId,
        entered: &PathFormula,
        limits: &Limits,
    ) -> Result<Option<Rc<Outcome>>, Stopped> {
        match &mut self.whole {
            Some(whole) if self.calls.len() < MOST_CALLS => whole.outcome(encoder, callee, entered, limits),
            _ => Ok(None),
        }
    }

    fn arrive(
        &mut self,
        encoder: &mut Encoder<'f>,
        place: Place,
        count: u32,
        bound: u32,
        formula: PathFormula,
        incoming: Incoming,
    ) {
        let key = self.contexts.key(place);
        let known = self.waiting.get(&key).copied().or_else(|| self.deferred.get(&key).map(|d| d.node));
        if let Some(id) = known {
            let node = &mut self.nodes[id];
            let old = node.formula.as_ref().expect("it waits to be expanded");
            let merged = encoder.merge(old, &formula);
            node.choices = merged.choices;
            node.formula = Some(merged);
            node.more.push(incoming);
            return;
        }
        let id = self.add(place, formula, Some(incoming));
        if count > bound {
            self.deferred.insert(key, Deferred { node: id, count });
        } else {
            self.waiting.insert(key, id);
        }
    }

    /// The nodes beyond the bound, with their guards.
    pub fn frontier(&self) -> impl Iterator<Item = (NodeId, Term)> + '_ {
        self.deferred.values().filter_map(|d| Some((d.node, self.nodes[d.node].formula.as_ref()?.guard)))
    }

    /// The places beyond the bound, with the paths to them.
    pub fn ends(&self) -> impl Iterator<Item = (Place, &PathFormula)> + '_ {
        self.deferred.values().filter_map(|d| Some((self.nodes[d.node].place, self.nodes[d.node].formula.as_ref()?)))
    }

    /// The nodes beyond the bound of one origin, with the paths to them.
    pub fn ends_of(&self, origin: u32) -> impl Iterator<Item = (NodeId, Place, &PathFormula)> + '_ {
        let deferred = self.deferred.range(Key::of_origin(origin)).map(|(_, d)| d.node);
        deferred.filter_map(|node| Some((node, self.nodes[node].place, self.nodes[node].formula.as_ref()?)))
    }

    /// The least bound with something new, if anything is left.
    pub fn next_bound(&self) -> Option<u32> {
        self.deferred.values().map(|d| d.count).min()
    }

    /// Forgets nodes beyond the bound that no execution reaches.
    pub fn prune(&mut self, unreachable: &FxHashSet<NodeId>) {
        self.deferred.retain(|_, d| !unreachable.contains(&d.node));
    }

    /// The path to a violation that a model describes, from the start on.
    pub fn path(
        &mut self,
        encoder: &mut Encoder<'f>,
        violation: Violation,
        model: &Model,
        limits: &Limits,
    ) -> Result<Vec<PathStep>, Stopped> {
        let mut path = self.parts_to(encoder, violation.node, model);
        match violation.call {
            None => path.push(Part::Step(self.path_step(violation.node, violation.step))),
            Some(call) => {
                let (enter, entered) = &self.calls[call.0 as usize];
                path.push(Part::Step(self.path_step(violation.node, *enter)));
                path.push(Part::Inside(entered.clone()));
            }
        }
        self.steps(encoder, path, model, limits)
    }

    /// A path with the steps of the calls that were taken at once.
    fn steps(
        &mut self,
        encoder: &mut Encoder<'f>,
        path: Vec<Part<PathStep>>,
        model: &Model,
        limits: &Limits,
    ) -> Result<Vec<PathStep>, Stopped> {
        match &mut self.whole {
            // Nothing is chosen inside of these calls.
            Some(whole) => whole.steps(encoder, path, model, |step| PathStep::new(step, 0), limits),
            None => Ok(path.into_iter().filter_map(Part::step).collect()),
        }
    }

    fn path_step(&self, from: NodeId, step: Step) -> PathStep {
        PathStep { step, choices: self.nodes[from].choices, slid: self.slides.at(from).to_vec() }
    }

    /// The path to a node that a model describes, from its start on, where no calls are taken at once.
    pub fn path_to(&self, encoder: &Encoder<'_>, node: NodeId, model: &Model) -> Vec<PathStep> {
        debug_assert!(self.whole.is_none(), "calls are walked through");
        self.parts_to(encoder, node, model).into_iter().filter_map(Part::step).collect()
    }

    fn parts_to(&self, encoder: &Encoder<'_>, node: NodeId, model: &Model) -> Vec<Part<PathStep>> {
        let mut values = Evaluator::new(&encoder.terms, model);
        let mut path = Vec::new();
        let mut at = node;
        loop {
            let node = &self.nodes[at];
            let Some(first) = &node.first else { break };
            let taken = if node.more.is_empty() {
                first
            } else {
                // Guards exclude each other, and the guard of the node is their disjunction.
                let mut all = std::iter::once(first).chain(&node.more);
                all.find(|i| values.value(i.guard) == 1).expect("the model has a path")
            };
            if let Some(call) = taken.call
                && let (Step::Enter { caller, edge, callee }, entered) = &self.calls[call.0 as usize]
            {
                let leave = Step::Leave { callee: *callee, caller: *caller, edge: *edge };
                path.push(Part::Step(PathStep::new(leave, entered.formula.choices)));
                path.push(Part::Inside(entered.clone()));
            }
            path.push(Part::Step(self.path_step(taken.from, taken.step)));
            at = taken.from;
        }
        path.reverse();
        path
    }
}
