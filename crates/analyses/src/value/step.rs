//! What steps do to values of variables, one by one: for constants, and for intervals that are kept apart.

use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{ExprId, ExprPool, VarId, VarKind};
use robusto_cpa::control::Location;
use robusto_cpa::{Effect, Guard, Step, Value};
use robusto_domains::machine::{Values, assume, width};
use robusto_domains::{Boxes, Interval, Lattice as _, Numeric as _};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The effect of a step, ready to be applied many times.
pub(crate) struct Prepared {
    /// Where it starts.
    pub from: Location,
    /// Where it leads.
    pub to: Location,
    /// The condition, and what it mentions.
    pub guard: Option<(ExprId, bool, Box<[VarId]>)>,
    pub assign: Vec<(VarId, Source)>,
    forget: Vec<VarId>,
}

/// What a variable takes.
#[derive(Clone, Copy)]
pub(crate) enum Source {
    Expr(ExprId),
    Within(Interval),
    Anything,
}

/// The values after a step, and the constants of variables that nobody wants here.
type After = (Boxes<VarId>, Vec<(VarId, u64)>);

impl Prepared {
    fn of(facts: &Facts, step: Step) -> Self {
        let program = &facts.program;
        let effect = Effect::of(facts, step);
        let guard = match effect.guard {
            Guard::Test { cond, truth } => Some((cond, truth, facts.uses.vars(cond).into())),
            // A block of tests is taken where none of its variables has a value here; where functions lie is not known.
            Guard::Always | Guard::Paths { .. } | Guard::Calls { .. } => None,
        };
        let source = |(var, value): &(VarId, Value<'_>)| {
            let source = match *value {
                Value::Expr(e) => Source::Expr(e),
                // Never null.
                Value::Allocated => {
                    Source::Within(Interval::unsigned(program.model.pointer_bits().into(), 1, u64::MAX))
                }
                Value::Any | Value::Mismatched | Value::Library(..) => Source::Anything,
            };
            (*var, source)
        };
        let assign: Vec<(VarId, Source)> = effect.assign.iter().map(source).collect();
        let mut forget = effect.dying.clone();
        forget.extend(effect.overlaid(facts, step));
        forget.retain(|var| assign.iter().all(|(assigned, _)| assigned != var));
        let from = Location { function: step.edge_ref().0, loc: step.edge(program).src };
        Self { from, to: from.transfer(program, step), guard, assign, forget }
    }

    /// The values of wanted variables after the step; `None` if it cannot be taken.
    pub fn apply(&self, pool: &ExprPool, state: &Boxes<VarId>, wanted: impl Fn(VarId) -> bool) -> Option<After> {
        let mut after = match &self.guard {
            Some((cond, truth, _)) => assume(pool, state, *cond, *truth)?,
            None => state.clone(),
        };
        let mut told = Vec::new();
        let mut values = Values::new(pool, state);
        let mut new: Vec<(VarId, Option<Interval>)> = Vec::with_capacity(self.assign.len());
        for &(var, source) in &self.assign {
            let value = match source {
                Source::Expr(e) => values.value(e).filter(|value| !value.is_top()),
                Source::Within(interval) => Some(interval),
                Source::Anything => None,
            };
            let is_wanted = wanted(var);
            if let Some(constant) = value.filter(|_| !is_wanted).and_then(|value| value.as_constant()) {
                told.push((var, constant));
            }
            new.push((var, value.filter(|_| is_wanted)));
        }
        if !self.forget.is_empty() {
            after = after.project(&self.forget);
        }
        for (var, value) in new {
            match value {
                Some(value) => after.insert(var, value),
                None => after.remove(&var),
            }
        }
        if let Some((_, _, mentioned)) = &self.guard {
            mentioned.iter().filter(|&&var| !wanted(var)).for_each(|var| after.remove(var));
        }
        Some((after, told))
    }

    /// The same without what is no constant; before the step there was nothing else.
    pub fn only_constants(&self, mut values: Boxes<VarId>) -> Boxes<VarId> {
        let mentioned = self.guard.iter().flat_map(|(_, _, mentioned)| mentioned.iter());
        for var in mentioned.chain(self.assign.iter().map(|(var, _)| var)) {
            if values.get(var).is_some_and(|value| value.as_constant().is_none()) {
                values.remove(var);
            }
        }
        values
    }
}

/// The effects of a program's steps, each computed once.
pub(crate) struct Steps<'f> {
    facts: &'f Facts,
    known: FxHashMap<Step, Rc<Prepared>>,
}

impl<'f> Steps<'f> {
    pub fn new(facts: &'f Facts) -> Self {
        Self { facts, known: FxHashMap::default() }
    }

    pub fn get(&mut self, step: Step) -> Rc<Prepared> {
        let facts = self.facts;
        self.known.entry(step).or_insert_with(|| Rc::new(Prepared::of(facts, step))).clone()
    }
}

/// The values of wanted globals when the program starts.
pub(crate) fn start(facts: &Facts, wanted: impl Fn(VarId) -> bool) -> Boxes<VarId> {
    let program = &facts.program;
    let mut state = Boxes::new();
    let Some(main) = program.main else { return state };
    let live = facts.liveness.at(main, program.functions[main].entry);
    let nothing = Boxes::new();
    let mut values = Values::new(&program.exprs, &nothing);
    for (var, info) in program.vars.enumerate() {
        if let VarKind::Global(init) = info.kind
            && live.contains(var)
            && wanted(var)
            && width(&program.exprs, info.ty).is_some()
            && let Some(value) = values.value(init)
        {
            state.insert(var, value);
        }
    }
    state
}
