//! Whole calls: what a call does is found once for all call sites where it is given the same.
//!
//! A function without loops and recursion, whose steps choose nothing, does the same whenever it is given the same: the arguments,
//! the globals that it may read or write, and the memory that it may access. So its paths are walked once for each such
//! *key*, under the condition `true`, and what came out ([`Outcome`]) is put in place of the call wherever the key comes again
//! (the tabulation of Reps, Horwitz, Sagiv: *Precise interprocedural dataflow analysis via graph reachability*, POPL 1995, with terms for
//! facts). Nothing is lost: the formula is the one of the paths, but for how its conditions are grouped.
//!
//! Keys are values rather than symbols, other than in a summary that is made once and instantiated: programs hand out constants, with
//! which most paths through a callee end at once. (Product lines: a client is one of three numbers, and which features are selected
//! is fixed; 480,000 steps of `email_spec11_productSimulator` make no more than 57,000 terms.)
//!
//! | what it speaks of | how |
//! |---|---|
//! | errors inside of the call | conditions in [`Outcome::errors`], each with its step |
//! | the path that an execution takes inside | walked again, with all conditions, when it is asked for ([`WholeCalls::steps`]) |
//!
//! Soundness: a step reads variables of its function, globals, and regions of memory, as the effects of calls and the
//! regions of accesses list them ([`WholeCalls::key`] has all of them, and every other cell that is not a variable); the same
//! values give the same terms. Cells that a path changes are those; a value from before the call that a merge keeps is one
//! of them as well. Cells of variables that nobody reads any more may differ. Debug builds walk again at the first reuses, and compare.

use super::{Cell, Encoder, PathFormula};
use imbl::ordmap::DiffItem;
use robusto_cfa::analysis::loops::LoopForest;
use robusto_cfa::analysis::uses::for_each_root;
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{Expr, FuncId, IdxVec, LocId, Op};
use robusto_cpa::Step;
use robusto_cpa::control::{Location, steps};
use robusto_limits::{Limits, Stopped};
use robusto_logic::{Evaluator, Model, Term};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Deepest nesting of calls that is walked at once.
const DEEPEST: u32 = 100;

/// Most values in the keys of all outcomes that are kept, some hundred megabytes.
const MOST: usize = 20_000_000;

/// Reuses that debug builds check.
const CHECKED: u64 = 200;

/// What a call does, from the entry of its function on.
#[derive(PartialEq, Eq, Debug)]
pub struct Outcome {
    /// If it returns: on which condition, and what has changed; a cell without a value is one that nobody reads any more.
    exit: Option<(Term, Vec<(Cell, Option<Term>)>)>,
    /// The error edges that it may take, each with the condition.
    pub errors: Vec<(Step, Term)>,
}

/// Why there is no outcome.
enum End {
    /// The function is not one of those that do the same each time.
    Refused,
    Stopped(Stopped),
}

impl From<Stopped> for End {
    fn from(stopped: Stopped) -> Self {
        match stopped {
            Stopped::Unsupported(_) => End::Refused,
            stopped => End::Stopped(stopped),
        }
    }
}

/// A function that does the same whenever it is given the same.
struct Body {
    /// Its locations, each before those that its edges lead to.
    order: Rc<[LocId]>,
    /// What it may read or change.
    cells: Vec<Cell>,
}

/// The values that a function is given: of its cells, and of all other cells that are not variables or memory.
type Key = (FuncId, Vec<Option<Term>>, Vec<(Cell, Term)>);

/// What calls do, as far as it was found out.
pub struct WholeCalls {
    /// Where paths are followed: also in functions that have no body here, so that a walk comes to them and is refused.
    relevant: IdxVec<FuncId, IdxVec<LocId, bool>>,
    bodies: IdxVec<FuncId, Option<Body>>,
    outcomes: FxHashMap<Key, Rc<Outcome>>,
    stored: usize,
    /// Calls that were walked, and calls that were like one before.
    pub counts: (u64, u64),
}

impl WholeCalls {
    /// Finds the functions that do the same whenever they are given the same, but for choices, which show when one is walked. Paths
    /// are followed to locations that are relevant.
    pub fn of(encoder: &Encoder<'_>, relevant: impl Fn(Location) -> bool) -> Self {
        let facts = encoder.facts();
        let functions = &facts.program.functions;
        let mut bodies: IdxVec<FuncId, Option<Body>> = functions.iter().map(|_| None).collect();
        let mut touched: FxHashMap<FuncId, BTreeSet<Cell>> = FxHashMap::default();
        let mut depth: IdxVec<FuncId, u32> = IdxVec::filled(0, functions.len());
        for &function in facts.calls.bottom_up() {
            let forest = LoopForest::of(&functions[function]);
            let sites = facts.calls.sites(function);
            let mut callees = sites.iter().flat_map(|site| &site.callees);
            if facts.calls.is_recursive(function)
                || encoder.counts_calls(function)
                || !facts.points_to.reached(function)
                || !forest.loops().is_empty()
                || sites.iter().any(|site| site.unknown)
                || functions[function].edges().iter().any(|edge| !is_plain(&edge.op))
                || callees.any(|&callee| bodies[callee].is_none())
            {
                continue;
            }
            let below = facts.calls.callees(function).map(|callee| depth[callee] + 1).max().unwrap_or(0);
            if below > DEEPEST {
                continue;
            }
            depth[function] = below;
            let mut memory = regions(encoder, function);
            for callee in facts.calls.callees(function) {
                memory.extend(touched[&callee].iter().copied());
            }
            let effects = facts.modref.of_call(function);
            let own = functions[function].params.iter().chain(&functions[function].locals).copied();
            let vars = own.chain(effects.reads.iter()).chain(effects.writes.iter());
            let cells: BTreeSet<Cell> = vars.map(|var| Cell::Var(var, 0)).chain(memory.iter().copied()).collect();
            touched.insert(function, memory);
            let order = forest.weak_topological_order().into();
            bodies[function] = Some(Body { order, cells: cells.into_iter().collect() });
        }
        let locations = |function| move |loc| Location { function, loc };
        let relevant = functions.enumerate().map(|(id, body)| body.locs().map(locations(id)).map(&relevant).collect());
        Self { relevant: relevant.collect(), bodies, outcomes: FxHashMap::default(), stored: 0, counts: (0, 0) }
    }

    /// Whether calls of a function may be taken at once.
    pub fn is_whole(&self, callee: FuncId) -> bool {
        self.bodies[callee].is_some()
    }

    fn is_relevant(&self, at: Location) -> bool {
        self.relevant[at.function][at.loc]
    }

    /// What a call does that was entered with a formula; `None` if its function turns out to choose something.
    pub fn outcome(
        &mut self,
        encoder: &mut Encoder<'_>,
        callee: FuncId,
        entered: &PathFormula,
        limits: &Limits,
    ) -> Result<Option<Rc<Outcome>>, Stopped> {
        match self.find(encoder, callee, entered, limits) {
            Ok(outcome) => Ok(Some(outcome)),
            Err(End::Refused) => Ok(None),
            Err(End::Stopped(stopped)) => Err(stopped),
        }
    }

    fn find(
        &mut self,
        encoder: &mut Encoder<'_>,
        callee: FuncId,
        entered: &PathFormula,
        limits: &Limits,
    ) -> Result<Rc<Outcome>, End> {
        let key = self.key(callee, entered).ok_or(End::Refused)?;
        if let Some(known) = self.outcomes.get(&key).cloned() {
            self.counts.1 += 1;
            if cfg!(debug_assertions) && self.counts.1 <= CHECKED {
                let again = self.walk(encoder, callee, entered, limits);
                assert!(again.is_err() || again.is_ok_and(|again| again == *known), "a call does the same each time");
            }
            return Ok(known);
        }
        self.counts.0 += 1;
        match self.walk(encoder, callee, entered, limits) {
            Ok(outcome) => {
                let outcome = Rc::new(outcome);
                self.stored += key.1.len() + key.2.len();
                if self.stored <= MOST {
                    self.outcomes.insert(key, outcome.clone());
                }
                Ok(outcome)
            }
            Err(End::Refused) => {
                self.bodies[callee] = None;
                Err(End::Refused)
            }
            Err(stopped) => Err(stopped),
        }
    }

    /// All that the outcome of a call depends on.
    fn key(&self, callee: FuncId, entered: &PathFormula) -> Option<Key> {
        let body = self.bodies[callee].as_ref()?;
        let values = body.cells.iter().map(|cell| entered.env.get(cell).copied()).collect();
        // Variables come first in the order of cells, then regions.
        let others = entered.env.range(Cell::HeapTop..).map(|(&cell, &value)| (cell, value)).collect();
        Some((callee, values, others))
    }

    /// Follows the paths of a call.
    fn walk(
        &mut self,
        encoder: &mut Encoder<'_>,
        callee: FuncId,
        entered: &PathFormula,
        limits: &Limits,
    ) -> Result<Outcome, End> {
        let facts = encoder.facts();
        let function = &facts.program.functions[callee];
        let order = self.bodies[callee].as_ref().ok_or(End::Refused)?.order.clone();
        let start = encoder.unconditional(entered);
        let mut waiting: FxHashMap<LocId, PathFormula> = FxHashMap::from_iter([(function.entry, start)]);
        let mut outcome = Outcome { exit: None, errors: Vec::new() };
        let mut next = Vec::new();
        for &loc in &*order {
            let Some(formula) = waiting.remove(&loc) else { continue };
            limits.poll()?;
            if loc == function.exit {
                outcome.exit = Some((formula.guard, changes(entered, &formula)));
                continue;
            }
            next.clear();
            steps(&facts.program, facts, None, Location { function: callee, loc }, None, &mut next);
            for &step in &next {
                let Some(mut after) = encoder.step(&formula, step)? else { continue };
                if after.choices != entered.choices {
                    return Err(End::Refused);
                }
                if step.is_error(&facts.program) {
                    outcome.errors.push((step, after.guard));
                    continue;
                }
                let mut to = Location { function: callee, loc }.transfer(&facts.program, step);
                if !self.is_relevant(to) {
                    continue;
                }
                if let Step::Enter { caller, edge, callee } = step {
                    let inner = self.find(encoder, callee, &after, limits)?;
                    for &(step, condition) in &inner.errors {
                        let guard = encoder.terms.and(after.guard, condition);
                        if !encoder.terms.is_false(guard) {
                            outcome.errors.push((step, guard));
                        }
                    }
                    let leave = Step::Leave { callee, caller, edge };
                    let Some(exit) = encoder.at_exit(&after, &inner) else { continue };
                    let Some(left) = encoder.step(&exit, leave)? else { continue };
                    if left.choices != entered.choices {
                        return Err(End::Refused);
                    }
                    to = to.transfer(&facts.program, leave);
                    if !self.is_relevant(to) {
                        continue;
                    }
                    after = left;
                }
                let merged = match waiting.get(&to.loc) {
                    Some(other) => encoder.merge(other, &after),
                    None => after,
                };
                waiting.insert(to.loc, merged);
            }
        }
        Ok(outcome)
    }
}

impl Encoder<'_> {
    /// The state at the exit of a call that was entered with a formula; `None` if it does not return.
    pub fn at_exit(&mut self, entered: &PathFormula, outcome: &Outcome) -> Option<PathFormula> {
        let (condition, changes) = outcome.exit.as_ref()?;
        let mut exit = entered.clone();
        for &(cell, value) in changes {
            match value {
                Some(value) => exit.env.insert(cell, value),
                None => exit.env.remove(&cell),
            };
        }
        self.restrict(&mut exit, *condition);
        (!self.terms.is_false(exit.guard)).then_some(exit)
    }

    /// A formula with its values, on no condition.
    fn unconditional(&self, f: &PathFormula) -> PathFormula {
        let mut free = PathFormula::empty(self.terms.yes(), f.activations.clone());
        (free.env, free.choices) = (f.env.clone(), f.choices);
        free
    }
}

/// Whether an operation can be one of a whole call. What allocates gives another address each time.
fn is_plain(op: &Op) -> bool {
    !matches!(op, Op::Alloc { .. } | Op::Free { .. })
}

/// The memory that the steps of a function access.
fn regions(encoder: &Encoder<'_>, function: FuncId) -> BTreeSet<Cell> {
    let Facts { program, uses, .. } = encoder.facts();
    let mut found = BTreeSet::new();
    for (number, edge) in program.functions[function].edges().enumerate() {
        for_each_root(&edge.op, |root| {
            for &load in uses.loads(root) {
                if let Expr::Load(ty, addr) = program.exprs.get(load) {
                    found.insert(encoder.regions.of_access(addr, ty.size(program.model)));
                }
            }
        });
        match edge.op {
            Op::Store { addr, value } => {
                let size = program.exprs.ty(value).size(program.model);
                found.insert(encoder.regions.of_access(addr, size));
            }
            Op::Copy { .. } => found.extend(encoder.regions.of_copy(function, number).regions()),
            _ => found.extend(encoder.regions.of_range(function, number).iter().map(|part| part.region)),
        }
    }
    for &object in &program.functions[function].objects {
        let parts = encoder.regions.of_base(robusto_cfa::analysis::points_to::Base::Object(object));
        found.extend(parts.iter().map(|part| part.region));
    }
    found.into_iter().map(Cell::Region).collect()
}

/// The cells in which two formulas differ, as the second has them.
fn changes(from: &PathFormula, to: &PathFormula) -> Vec<(Cell, Option<Term>)> {
    let change = |item| match item {
        DiffItem::Add(&cell, &new) => (cell, Some(new)),
        DiffItem::Update { new: (&cell, &new), .. } => (cell, Some(new)),
        DiffItem::Remove(&cell, _) => (cell, None),
    };
    from.env.diff(&to.env).map(change).collect()
}

/// The paths of a call, with their conditions; calls inside are steps of it.
struct Level {
    entry: LocId,
    branches: FxHashMap<LocId, Vec<Branch>>,
}

struct Branch {
    step: Step,
    guard: Term,
    /// If it is a call: what it is entered with, and if it returns, the return and its condition.
    call: Option<(Entered, Option<(Step, Term)>)>,
    /// Where it leads.
    to: LocId,
}

/// A call that is taken at once.
#[derive(Clone, Debug)]
pub struct Entered {
    /// Whose call it is.
    pub callee: FuncId,
    /// What it was entered with.
    pub formula: PathFormula,
}

/// A part of an execution.
#[derive(Clone, Debug)]
pub enum Part<S> {
    /// A step.
    Step(S),
    /// All steps of a call behind its beginning, up to an error or before the return.
    Inside(Entered),
}

impl<S> Part<S> {
    /// The step that it is.
    pub fn step(self) -> Option<S> {
        match self {
            Part::Step(step) => Some(step),
            Part::Inside(_) => None,
        }
    }
}

impl WholeCalls {
    /// The steps of an execution that a model describes, where calls that were taken at once are walked through again. `own` makes a
    /// step of one of these.
    pub fn steps<S>(
        &mut self,
        encoder: &mut Encoder<'_>,
        mut parts: Vec<Part<S>>,
        model: &Model,
        own: impl Fn(Step) -> S,
        limits: &Limits,
    ) -> Result<Vec<S>, Stopped> {
        while parts.iter().any(|part| matches!(part, Part::Inside(_))) {
            let mut levels = Vec::new();
            for part in &parts {
                if let Part::Inside(call) = part {
                    levels.push(self.level(encoder, call, limits)?);
                }
            }
            // One for all, since the conditions of later calls speak of what earlier ones have done.
            let mut values = Evaluator::new(&encoder.terms, model);
            let mut levels = levels.into_iter();
            let mut all = Vec::with_capacity(parts.len());
            for part in parts {
                match part {
                    Part::Step(step) => all.push(Part::Step(step)),
                    Part::Inside(_) => {
                        let level = levels.next().expect("each call has one");
                        level.follow(|guard| values.value(guard) == 1, &own, &mut all);
                    }
                }
            }
            parts = all;
        }
        Ok(parts.into_iter().filter_map(Part::step).collect())
    }

    /// The paths of a call.
    fn level(&mut self, encoder: &mut Encoder<'_>, call: &Entered, limits: &Limits) -> Result<Level, Stopped> {
        let facts = encoder.facts();
        let function = &facts.program.functions[call.callee];
        let order =
            self.bodies[call.callee].as_ref().map_or_else(|| Rc::new([]) as Rc<[LocId]>, |body| body.order.clone());
        let start = encoder.unconditional(&call.formula);
        let mut waiting: FxHashMap<LocId, PathFormula> = FxHashMap::from_iter([(function.entry, start)]);
        let mut branches: FxHashMap<LocId, Vec<Branch>> = FxHashMap::default();
        for &loc in &*order {
            let Some(formula) = waiting.remove(&loc) else { continue };
            limits.poll()?;
            let at = Location { function: call.callee, loc };
            let mut next = Vec::new();
            steps(&facts.program, facts, None, at, None, &mut next);
            for step in next {
                let Some(after) = encoder.step(&formula, step)? else { continue };
                let guard = after.guard;
                let mut to = at.transfer(&facts.program, step);
                if !step.is_error(&facts.program) && !self.is_relevant(to) {
                    continue;
                }
                let (mut behind, mut inside) = (None, None);
                if let Step::Enter { caller, edge, callee } = step {
                    let inner = self.outcome(encoder, callee, &after, limits)?;
                    let leave = Step::Leave { callee, caller, edge };
                    if let Some(exit) = inner.and_then(|inner| encoder.at_exit(&after, &inner)) {
                        behind = encoder.step(&exit, leave)?;
                    }
                    let left = behind.as_ref().map(|left| (leave, left.guard));
                    inside = Some((Entered { callee, formula: after }, left));
                    to = to.transfer(&facts.program, leave);
                } else {
                    behind = Some(after);
                }
                branches.entry(loc).or_default().push(Branch { step, guard, call: inside, to: to.loc });
                if let Some(behind) = behind {
                    let merged = match waiting.get(&to.loc) {
                        Some(other) => encoder.merge(other, &behind),
                        None => behind,
                    };
                    waiting.insert(to.loc, merged);
                }
            }
        }
        Ok(Level { entry: function.entry, branches })
    }
}

impl Level {
    /// The path on which all conditions hold.
    fn follow<S>(mut self, mut holds: impl FnMut(Term) -> bool, own: impl Fn(Step) -> S, all: &mut Vec<Part<S>>) {
        let mut loc = self.entry;
        while let Some(branches) = self.branches.remove(&loc) {
            let Some(branch) = branches.into_iter().find(|branch| holds(branch.guard)) else { return };
            all.push(Part::Step(own(branch.step)));
            if let Some((inside, left)) = branch.call {
                all.push(Part::Inside(inside));
                match left {
                    Some((leave, guard)) if holds(guard) => all.push(Part::Step(own(leave))),
                    _ => return,
                }
            }
            loc = branch.to;
        }
    }
}
