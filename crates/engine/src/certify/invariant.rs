//! Invariants at cut points: initiation, consecution, safety.
//!
//! Floyd: *Assigning meanings to programs*, 1967. From the start of the program, and from every entry that can be come to,
//! all paths up to the next entries are encoded, with merging where they meet; at each entry its formula must be implied,
//! and no error edge may be taken. A cycle that passes no entry is refused.
//!
//! Soundness: by induction over the entries that an execution passes, it satisfies the formula of each; and every error
//! edge lies behind the start or an entry, on a path that has been encoded. Paths are left out only where their guard is
//! unsatisfiable, or where no error edge and nothing that is not modelled can be reached ([`Relevance`]). A formula speaks
//! of values that may still be read; all others the encoder may have dropped.

use super::obligation::{Bad, Obligation, Order, Refuted, refute};
use super::prover::Prover;
use super::{Failure, Statistics, place};
use crate::certificate::{calls_of, formula, unreadable};
use crate::problem::Problem;
use crate::property::edge_of;
use crate::unroll::Relevance;
use robusto_analyses::symbolic::{Encoder, PathFormula};
use robusto_cfa::analysis::order::Order as Positions;
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{Callee, EdgeId, FuncId, Idx as _, IdxVec, LocId, Op};
use robusto_cpa::Step;
use robusto_cpa::control::{Callees as _, Location, StackId, Stacks, steps};
use robusto_limits::{Limits, Stopped};
use robusto_logic::{Sort, Term};
use robusto_verdict::Target;
use robusto_verdict::certificate::Entry;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// What invariants are to show.
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
type Control = (StackId, Location);

/// Checks invariants.
pub(super) fn check(
    problem: &Problem,
    entries: &[Entry],
    goal: Goal<'_>,
    limits: &Limits,
) -> Result<Statistics, Failure> {
    let facts = &problem.facts;
    let mut stacks = Stacks::new(STACK_LIMIT);
    let mut encoder = Encoder::new(facts);
    let mut formulas = FxHashMap::default();
    for entry in entries {
        let (stack, location) = resolve(facts, &mut stacks, entry)?;
        let formula = read(&mut encoder, entry, &calls_of(&stacks, stack), location)?;
        if formulas.insert((stack, location), formula).is_some() {
            return Err(Failure::Refuted(format!("there are two entries for {}", place(facts, location))));
        }
    }
    let rpo = facts.program.functions.iter().map(|f| {
        let order = Positions::of(f);
        f.locs().map(|loc| order.position(loc).map_or(u32::MAX, |p| p as u32)).collect()
    });
    let mut checker = Checker {
        facts,
        order: Order::of(facts),
        stacks,
        formulas,
        goal,
        limits,
        rpo: rpo.collect(),
        relevance: Relevance::of(facts),
        statistics: Statistics::default(),
        todo: Vec::new(),
        reached: FxHashSet::default(),
        encoder,
    };
    checker.start_to_entries()?;
    while let Some(source) = checker.todo.pop() {
        checker.entry_to_entries(source)?;
    }
    Ok(checker.statistics)
}

/// The control state of an entry.
pub(super) fn resolve(facts: &Facts, stacks: &mut Stacks, entry: &Entry) -> Result<Control, Failure> {
    let program = &facts.program;
    let wrong = |what: String| Failure::Refuted(what);
    let function =
        |name: &str| program.function_named(name).ok_or_else(|| wrong(format!("there is no function `{name}`")));
    let mut stack = StackId::EMPTY;
    for (i, call) in entry.calls.iter().enumerate() {
        let caller = function(&call.function)?;
        let callee = function(entry.calls.get(i + 1).map_or(&entry.function, |next| &next.function))?;
        let edge = EdgeId::new(call.edge as usize);
        let may_call = match program.functions[caller].edges().get(edge).map(|e| &e.op) {
            Some(Op::Call { callee: Callee::Direct(direct), .. }) => *direct == callee,
            Some(Op::Call { callee: Callee::Indirect(pointer), .. }) => facts.callees(*pointer).contains(&callee),
            _ => false,
        };
        if !may_call {
            return Err(wrong(format!("edge {} of `{}` calls no `{}`", call.edge, call.function, entry.function)));
        }
        stack = stacks.transfer(stack, Step::Enter { caller, edge, callee })?;
    }
    let bottom = entry.calls.first().map_or(&entry.function, |call| &call.function);
    if program.main != Some(function(bottom)?) {
        return Err(wrong(format!("`{bottom}` is not where the program starts")));
    }
    let function = function(&entry.function)?;
    if entry.location as usize >= program.functions[function].num_locs() {
        return Err(wrong(format!("`{}` has no location {}", entry.function, entry.location)));
    }
    Ok((stack, Location { function, loc: LocId::new(entry.location as usize) }))
}

/// The formula of an entry.
pub(super) fn read(
    encoder: &mut Encoder<'_>,
    entry: &Entry,
    calls: &[(FuncId, EdgeId)],
    at: Location,
) -> Result<Term, Failure> {
    let facts = encoder.facts();
    let formula = formula::parse(encoder, &entry.formula)
        .map_err(|message| Failure::Refuted(format!("the formula at {}: {message}", place(facts, at))))?;
    if encoder.terms.sort(formula) != Sort::BOOL {
        return Err(Failure::Refuted(format!("the formula at {} is no truth value", place(facts, at))));
    }
    if let Some(symbol) = unreadable(encoder, calls, at, formula) {
        let name = encoder.terms.symbol_name(symbol);
        let message = format!("the formula at {} speaks of {name}, which is not live there", place(facts, at));
        return Err(Failure::Refuted(message));
    }
    Ok(formula)
}

struct Checker<'c, 'f> {
    facts: &'f Facts,
    encoder: Encoder<'f>,
    stacks: Stacks,
    formulas: FxHashMap<Control, Term>,
    goal: Goal<'c>,
    limits: &'c Limits,
    rpo: IdxVec<FuncId, IdxVec<LocId, u32>>,
    relevance: Relevance,
    order: Order,
    statistics: Statistics,
    /// Entries that were come to and not yet left.
    todo: Vec<Control>,
    reached: FxHashSet<Control>,
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

impl Checker<'_, '_> {
    fn start_to_entries(&mut self) -> Result<(), Failure> {
        let program = &self.facts.program;
        let function = program.main.expect("the caller has looked");
        let start = Location { function, loc: program.functions[function].entry };
        let (initial, anything) = (self.encoder.initial(), self.encoder.terms.yes());
        self.paths((StackId::EMPTY, start), initial, anything)
    }

    fn entry_to_entries(&mut self, source: Control) -> Result<(), Failure> {
        let assumed = self.formulas[&source];
        if self.encoder.terms.is_false(assumed) {
            return Ok(());
        }
        let start = anything_at(&mut self.encoder, &self.stacks, source);
        self.paths(source, start, assumed)
    }

    /// Looks at all paths from a source up to entries.
    fn paths(&mut self, source: Control, start: PathFormula, assumed: Term) -> Result<(), Failure> {
        let mut paths = Paths {
            prover: Prover::new(self.limits),
            assumed,
            waiting: BTreeMap::new(),
            expanded: FxHashMap::default(),
            obligations: Vec::new(),
        };
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
            let to = location.transfer(program, step);
            if !self.relevance.contains(to.function, to.loc) {
                continue;
            }
            if let Step::Enter { callee, .. } = step
                && facts.calls.is_recursive(callee)
                && self.is_unreachable(paths, after.guard)?
            {
                continue;
            }
            let target = (self.stacks.transfer(stack, step)?, to);
            successors.push(target);
            self.arrive(paths, (stack, location), target, after)?;
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

    fn arrive(&mut self, paths: &mut Paths, from: Control, to: Control, after: PathFormula) -> Result<(), Failure> {
        if let Some(&wanted) = self.formulas.get(&to) {
            let what = format!("the invariant at {} does not hold on a path from an entry", place(self.facts, to.1));
            paths.obligations.push(Obligation { bad: Bad::Violating(wanted, after), what });
            if self.reached.insert(to) {
                self.todo.push(to);
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
        let refuted = refute(&mut self.encoder, &mut paths.prover, &self.order, paths.assumed, &obligations);
        match refuted? {
            None => Ok(()),
            Some(Refuted { what, fact: None }) => Err(Failure::Refuted(what.to_owned())),
            Some(Refuted { what, fact: Some(fact) }) => Err(Failure::Refuted(format!("{what}: {}", self.shown(fact)))),
        }
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
pub(super) fn anything_at(encoder: &mut Encoder<'_>, stacks: &Stacks, (stack, location): Control) -> PathFormula {
    let facts = encoder.facts();
    let mut start = encoder.initial();
    start.activations.clear();
    let mut active = vec![location.function];
    let mut at = stack;
    while let Some((caller, _)) = stacks.top(at) {
        active.push(caller);
        at = stacks.below(at);
    }
    for function in active.into_iter().filter(|&f| facts.calls.is_recursive(f)) {
        let count = start.activations.get(&function).copied().unwrap_or(0);
        start.activations.insert(function, count + 1);
    }
    encoder.identity(&start)
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
