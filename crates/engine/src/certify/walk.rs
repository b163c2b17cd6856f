//! All paths from one entry of a certificate up to the next.
//!
//! Paths are encoded in the order of the automaton, with merging where they meet. A cycle that passes no entry is refused.
//! Calls are followed, but for those of procedures with a contract ([`super::summaries`]), which are stepped over.
//!
//! Paths are left out only where their guard is unsatisfiable, or where no error edge and nothing that is not modelled can
//! be reached ([`Relevance`]).

use super::obligation::{Bad, Obligation, Order, Refuted, refute};
use super::prover::Prover;
use super::summaries::Contract;
use super::{Failure, Statistics, place};
use crate::certificate::instances::{Accesses, any_index, at_index};
use crate::property::edge_of;
use crate::unroll::Relevance;
use robusto_analyses::symbolic::{Encoder, PathFormula};
use robusto_cfa::analysis::order::Order as Positions;
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{FuncId, IdxVec, LocId};
use robusto_cpa::Step;
use robusto_cpa::control::{Location, StackId, Stacks, steps};
use robusto_limits::{Limits, Stopped};
use robusto_logic::{Sort, Term};
use robusto_verdict::Target;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// What formulas are to show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Goal<'c> {
    /// That the error edges of these targets are not taken.
    Safety(&'c [Target]),
    /// Nothing but that they hold.
    Induction,
}

/// Deepest call stack.
const STACK_LIMIT: u32 = 1000;

/// Where control is.
pub(super) type Control = (StackId, Location);

/// From where paths are to be looked at.
enum Source {
    /// An entry.
    Entry(Control),
    /// The beginning of a procedure with a contract.
    Procedure(FuncId),
}

/// The check of a certificate with entries.
pub(super) struct Walk<'c, 'f> {
    facts: &'f Facts,
    pub encoder: Encoder<'f>,
    pub stacks: Stacks,
    formulas: FxHashMap<Control, Term>,
    /// Procedures whose calls are stepped over; `None` if all calls are followed.
    pub contracts: Option<FxHashMap<FuncId, Contract>>,
    goal: Goal<'c>,
    limits: &'c Limits,
    rpo: IdxVec<FuncId, IdxVec<LocId, u32>>,
    relevance: Relevance,
    order: Order,
    statistics: Statistics,
    /// What was come to and not yet left.
    todo: Vec<Source>,
    reached: FxHashSet<Control>,
    called: FxHashSet<FuncId>,
}

/// A place in the order of exploration.
type Key = (Vec<u32>, StackId, Location);

/// The paths from one source.
struct Paths {
    prover: Prover,
    assumed: Term,
    waiting: BTreeMap<Key, PathFormula>,
    /// Control states that were expanded, with their successors.
    expanded: FxHashMap<Control, Vec<Control>>,
    obligations: Vec<Obligation>,
}

impl Paths {
    fn new(limits: &Limits, assumed: Term) -> Self {
        Self {
            prover: Prover::new(limits),
            assumed,
            waiting: BTreeMap::new(),
            expanded: FxHashMap::default(),
            obligations: Vec::new(),
        }
    }
}

impl<'c, 'f> Walk<'c, 'f> {
    /// No entry yet, and no path.
    pub fn new(facts: &'f Facts, goal: Goal<'c>, limits: &'c Limits) -> Self {
        let rpo = facts.program.functions.iter().map(|f| {
            let order = Positions::of(f);
            f.locs().map(|loc| order.position(loc).map_or(u32::MAX, |p| p as u32)).collect()
        });
        Self {
            facts,
            encoder: Encoder::new(facts),
            stacks: Stacks::new(STACK_LIMIT),
            formulas: FxHashMap::default(),
            contracts: None,
            goal,
            limits,
            rpo: rpo.collect(),
            relevance: Relevance::of(facts),
            order: Order::of(facts),
            statistics: Statistics::default(),
            todo: Vec::new(),
            reached: FxHashSet::default(),
            called: FxHashSet::default(),
        }
    }

    /// What holds at a control state, by the certificate.
    pub fn add_entry(&mut self, at: Control, formula: Term) -> Result<(), Failure> {
        match self.formulas.insert(at, formula) {
            None => Ok(()),
            Some(_) => Err(Failure::Refuted(format!("there are two entries for {}", place(self.facts, at.1)))),
        }
    }

    /// Looks at the paths from all that was come to.
    pub fn rest(mut self) -> Result<Statistics, Failure> {
        while let Some(source) = self.todo.pop() {
            match source {
                Source::Entry(entry) => self.entry_to_entries(entry)?,
                Source::Procedure(function) => self.procedure_to_entries(function)?,
            }
        }
        Ok(self.statistics)
    }

    fn entry_to_entries(&mut self, source: Control) -> Result<(), Failure> {
        let formula = self.formulas[&source];
        if self.encoder.terms.is_false(formula) {
            return Ok(());
        }
        let mut calls = source.0;
        let mut root = source.1.function;
        while let Some((caller, _)) = self.stacks.top(calls) {
            root = caller;
            calls = self.stacks.below(calls);
        }
        let pre = self.contract(root).map(|contract| contract.pre_of_old);
        let assumed = pre.map_or(formula, |pre| self.encoder.terms.and(pre, formula));
        let start = anything_at(&mut self.encoder, &self.stacks, source);
        self.paths(source, start, assumed)
    }

    fn procedure_to_entries(&mut self, function: FuncId) -> Result<(), Failure> {
        let contract = self.contract(function).expect("it was called as one with a contract");
        let (assumed, cells) = (contract.pre_of_old, contract.old_cells.clone());
        if self.encoder.terms.is_false(assumed) {
            return Ok(());
        }
        let start = self.encoder.entered(function, cells);
        let entry = Location { function, loc: self.facts.program.functions[function].entry };
        self.paths((StackId::EMPTY, entry), start, assumed)
    }

    /// The contract of a function, if its calls are stepped over.
    fn contract(&self, function: FuncId) -> Option<&Contract> {
        self.contracts.as_ref()?.get(&function)
    }

    /// Looks at all paths from a source up to entries.
    pub fn paths(&mut self, source: Control, start: PathFormula, assumed: Term) -> Result<(), Failure> {
        let mut paths = Paths::new(self.limits, assumed);
        paths.waiting.insert(self.key(source), start);
        while let Some(((_, stack, location), formula)) = paths.waiting.pop_first() {
            self.limits.poll()?;
            self.expand(&mut paths, (stack, location), &formula)?;
        }
        self.discharge(&mut paths)?;
        self.statistics.calls += paths.prover.calls;
        Ok(())
    }

    /// Rank of a control state: positions of the pending calls from the bottom, then of the location.
    fn key(&self, (stack, location): Control) -> Key {
        let mut ranks = vec![self.rpo[location.function][location.loc]];
        let mut at = stack;
        while let Some((caller, edge)) = self.stacks.top(at) {
            ranks.push(self.rpo[caller][self.facts.program.functions[caller].edge(edge).src]);
            at = self.stacks.below(at);
        }
        ranks.reverse();
        (ranks, stack, location)
    }

    fn expand(&mut self, paths: &mut Paths, (stack, location): Control, formula: &PathFormula) -> Result<(), Failure> {
        let (facts, program) = (self.facts, &self.facts.program);
        self.grant(paths, (stack, location), formula);
        let mut next = Vec::new();
        steps(program, facts, None, location, self.stacks.top(stack), &mut next);
        let mut ends = Vec::new();
        let mut successors = Vec::new();
        for step in next {
            let after = match self.encoder.step(formula, step) {
                Ok(Some(after)) => after,
                Ok(None) => continue,
                Err(Stopped::Unsupported(what)) => {
                    ends.push(what);
                    continue;
                }
                Err(stopped) => return Err(stopped.into()),
            };
            if step.is_error(program) {
                if let Goal::Safety(targets) = self.goal
                    && targets.iter().any(|t| edge_of(t) == step.edge_ref())
                {
                    let what = format!("the error edge at {} can be taken", place(facts, location));
                    paths.obligations.push(Obligation { bad: Bad::Taken(after.guard), what });
                }
                continue;
            }
            let mut to = location.transfer(program, step);
            if !self.relevance.contains(to.function, to.loc) {
                continue;
            }
            let (mut after, mut target) = (after, stack);
            match step {
                Step::Enter { caller, edge, callee } if self.contract(callee).is_some() => {
                    let Some(exit) = self.step_over(paths, location, &after, step)? else { continue };
                    let leave = Step::Leave { callee, caller, edge };
                    to = to.transfer(program, leave);
                    match self.encoder.step(&exit, leave)? {
                        Some(behind) if self.relevance.contains(to.function, to.loc) => after = behind,
                        _ => continue,
                    }
                }
                Step::Enter { callee, .. } if facts.calls.is_recursive(callee) => {
                    if self.contracts.is_some() {
                        let name = &program.functions[callee].name;
                        return Err(Failure::Refuted(format!("`{name}` is recursive and has no summary")));
                    }
                    if self.is_unreachable(paths, after.guard)? {
                        continue;
                    }
                    target = self.stacks.transfer(stack, step)?;
                }
                _ => target = self.stacks.transfer(stack, step)?,
            }
            successors.push((target, to));
            self.arrive(paths, (stack, location), (target, to), after)?;
        }
        for what in ends {
            if let Goal::Safety(_) = self.goal {
                let what = format!("something that is not modelled ({what}) is reached at {}", place(facts, location));
                paths.obligations.push(Obligation { bad: Bad::Taken(formula.guard), what });
            }
        }
        paths.expanded.entry((stack, location)).or_default().extend(successors);
        Ok(())
    }

    /// At the exit of a procedure with a contract, what it grants must hold.
    fn grant(&mut self, paths: &mut Paths, (stack, location): Control, formula: &PathFormula) {
        let body = &self.facts.program.functions[location.function];
        if stack == StackId::EMPTY
            && location.loc == body.exit
            && let Some(contract) = self.contract(location.function)
        {
            let what = format!("the summary of `{}` does not hold where it returns", body.name);
            paths.obligations.push(Obligation { bad: Bad::Violating(contract.post, formula.clone()), what });
        }
    }

    /// A call of a procedure with a contract: shows that it may be called, and goes on to its exit, if there is a way on from
    /// there.
    fn step_over(
        &mut self,
        paths: &mut Paths,
        at: Location,
        inside: &PathFormula,
        call: Step,
    ) -> Result<Option<PathFormula>, Failure> {
        let Step::Enter { callee, .. } = call else { unreachable!("the caller has looked") };
        let body = &self.facts.program.functions[callee];
        let contract = self.contract(callee).expect("the caller has looked");
        let (pre, post) = (contract.pre, contract.post);
        let wanted = self.encoder.about_youngest(inside, callee, pre);
        let what =
            format!("what `{}` demands does not hold where it is called, at {}", body.name, place(self.facts, at));
        paths.obligations.push(Obligation { bad: Bad::Violating(wanted, inside.clone()), what });
        if self.called.insert(callee) {
            self.todo.push(Source::Procedure(callee));
        }
        if !self.relevance.contains(callee, body.exit) {
            return Ok(None);
        }
        let exit = self.encoder.step_over(inside, call.edge_ref(), callee);
        let granted = self.encoder.summary(inside, &exit, callee, post);
        let exit = self.encoder.assume(&exit, granted);
        Ok((!self.encoder.terms.is_false(exit.guard)).then_some(exit))
    }

    /// The start of the program, which is that of a procedure: shows that what it demands holds, and looks at the paths from
    /// there.
    pub fn start_procedure(&mut self, main: FuncId) -> Result<(), Failure> {
        let contract = self.contract(main).expect("the caller has looked");
        let (pre, cells) = (contract.pre, contract.old_cells.clone());
        let initial = self.encoder.initial();
        let what = format!("what `{}` demands does not hold at the start", self.facts.program.functions[main].name);
        let mut paths = Paths::new(self.limits, self.encoder.terms.yes());
        paths.obligations.push(Obligation { bad: Bad::Violating(pre, initial.clone()), what });
        self.discharge(&mut paths)?;
        if self.facts.calls.is_recursive(main) {
            // It is called again.
            if self.called.insert(main) {
                self.todo.push(Source::Procedure(main));
            }
            return Ok(());
        }
        // The entry copies are the initial values; arrays are not compared, and nothing is known of theirs.
        let mut equal = Vec::new();
        for cell in cells {
            if !matches!(self.encoder.sort(cell), Sort::Bits(_)) {
                continue;
            }
            let (old, value) = (self.encoder.old(cell), self.encoder.value(&initial, cell));
            equal.push(self.encoder.terms.eq(old, value));
        }
        let assumed = self.encoder.terms.and_all(&equal);
        let start = Location { function: main, loc: self.facts.program.functions[main].entry };
        self.paths((StackId::EMPTY, start), initial, assumed)
    }

    fn arrive(&mut self, paths: &mut Paths, from: Control, to: Control, after: PathFormula) -> Result<(), Failure> {
        if let Some(&wanted) = self.formulas.get(&to) {
            let what = format!("the invariant at {} does not hold on a path from an entry", place(self.facts, to.1));
            paths.obligations.push(Obligation { bad: Bad::Violating(wanted, after), what });
            if self.reached.insert(to) {
                self.todo.push(Source::Entry(to));
            }
            return Ok(());
        }
        let key = self.key(to);
        if let Some(waiting) = paths.waiting.get_mut(&key) {
            *waiting = self.encoder.merge(waiting, &after);
            return Ok(());
        }
        if from == to || (paths.expanded.contains_key(&to) && leads_to(&paths.expanded, to, from)) {
            if !self.is_unreachable(paths, after.guard)? {
                return Err(Failure::Refuted(format!("a cycle without invariant at {}", place(self.facts, to.1))));
            }
            return Ok(());
        }
        paths.waiting.insert(key, after);
        Ok(())
    }

    /// Whether the solver shows that paths have no execution.
    fn is_unreachable(&mut self, paths: &mut Paths, guard: Term) -> Result<bool, Failure> {
        Ok(paths.prover.excludes(&mut self.encoder.terms, paths.assumed, guard)?)
    }

    /// Shows that nothing happens that must not.
    fn discharge(&mut self, paths: &mut Paths) -> Result<(), Failure> {
        let obligations = std::mem::take(&mut paths.obligations);
        self.statistics.checks += obligations.len() as u64;
        let instantiated = self.instantiated(paths.assumed, &obligations);
        // What is said of all elements of arrays was no diagram before, and never is a small one.
        let order = Some(&self.order).filter(|_| instantiated.is_none());
        let assumed = instantiated.unwrap_or(paths.assumed);
        let refuted = refute(&mut self.encoder, &mut paths.prover, order, assumed, &obligations);
        match refuted? {
            None => Ok(()),
            Some(Refuted { what, fact: None }) => Err(Failure::Refuted(what.to_owned())),
            Some(Refuted { what, fact: Some(fact) }) => Err(Failure::Refuted(format!("{what}: {}", self.shown(fact)))),
        }
    }

    /// What is assumed, also of the indices at which the obligations look at memory; `None` if nothing is about all indices.
    fn instantiated(&mut self, assumed: Term, obligations: &[Obligation]) -> Option<Term> {
        let any = any_index(&mut self.encoder);
        let about_any: Vec<Term> = self.encoder.terms.conjuncts(assumed);
        let about_any: Vec<Term> =
            about_any.into_iter().filter(|&t| self.encoder.terms.subterms(&[t]).contains(&any)).collect();
        if about_any.is_empty() {
            return None;
        }
        let about_any = self.encoder.terms.and_all(&about_any);
        let looked_at: Vec<Term> = obligations.iter().flat_map(|o| o.terms(&mut self.encoder)).collect();
        let accesses = Accesses::of(&self.encoder.terms, &looked_at);
        let terms = &mut self.encoder.terms;
        let mut all = vec![assumed];
        for index in accesses.indices(terms, any, about_any) {
            all.push(at_index(terms, any, index, about_any));
        }
        Some(terms.and_all(&all))
    }

    /// A formula for people.
    fn shown(&self, t: Term) -> String {
        const LONGEST: usize = 120;
        let text = self.encoder.terms.display(t).to_string();
        let shown: String = text.chars().take(LONGEST).collect();
        format!("{shown}{}", if shown.len() < text.len() { "…" } else { "" })
    }
}

/// Any values at a control state.
fn anything_at(encoder: &mut Encoder<'_>, stacks: &Stacks, (stack, location): Control) -> PathFormula {
    let mut active = vec![location.function];
    let mut at = stack;
    while let Some((caller, _)) = stacks.top(at) {
        active.push(caller);
        at = stacks.below(at);
    }
    encoder.anything_in(active)
}

/// Whether one expanded control state leads to another.
fn leads_to(edges: &FxHashMap<Control, Vec<Control>>, from: Control, to: Control) -> bool {
    let mut seen = FxHashSet::from_iter([from]);
    let mut todo = vec![from];
    while let Some(at) = todo.pop() {
        if at == to {
            return true;
        }
        todo.extend(edges.get(&at).into_iter().flatten().copied().filter(|&next| seen.insert(next)));
    }
    false
}
