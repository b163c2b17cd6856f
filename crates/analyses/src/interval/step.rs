//! The effect of each step on a state: how guards and values become intervals.
//!
//! There is one state per location for all calls of a function, so what happens around a call is different from other
//! domains: the called function sees no variable of its caller, and behind the call these come from the state before it.

use super::State;
use robusto_cfa::analysis::uses::defined;
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{Op, VarId, VarKind};
use robusto_cpa::{Effect, Guard, Step, Value};
use robusto_domains::machine::{Values, assume, width};
use robusto_domains::{Interval, Lattice, Numeric};

/// The values of the globals when the program starts.
pub fn start(facts: &Facts) -> State {
    let program = &facts.program;
    let mut state = State::new();
    let Some(main) = program.main else { return state };
    let nothing = State::new();
    let mut values = Values::new(&program.exprs, &nothing);
    let entry = program.functions[main].entry;
    for (var, info) in program.vars.enumerate() {
        if let VarKind::Global(init) = info.kind
            && facts.liveness.at(main, entry).contains(var)
            && let Some(value) = values.value(init)
        {
            set(facts, &mut state, var, Some(value));
        }
    }
    state
}

/// The state after a step; `None` if it cannot be taken.
pub fn after(facts: &Facts, state: &State, step: Step) -> Option<State> {
    match step {
        Step::Edge(..) => match step.edge(&facts.program).op {
            ref op @ Op::Call { .. } => Some(skip_unknown(facts, state, defined(op))),
            _ => edge(facts, state, step),
        },
        // Tests change nothing.
        Step::Block { .. } => Some(state.clone()),
        Step::Enter { .. } => Some(enter(facts, state, step)),
        Step::Leave { .. } => Some(leave(facts, &State::new(), state, step)),
    }
}

/// The state after an edge; `None` if it cannot be taken.
fn edge(facts: &Facts, state: &State, step: Step) -> Option<State> {
    let effect = Effect::of(facts, step);
    let after = match effect.guard {
        Guard::Test { cond, truth } => assume(&facts.program.exprs, state, cond, truth)?,
        // The analysis takes the tests of a block one by one, and does not know where functions lie.
        Guard::Always | Guard::Paths { .. } | Guard::Calls { .. } => state.clone(),
    };
    Some(update(facts, state, &effect, after))
}

/// The state at the start of a called function: it sees the globals and its parameters.
fn enter(facts: &Facts, state: &State, step: Step) -> State {
    update(facts, state, &Effect::of(facts, step), keep(state, |var| is_global(facts, var)))
}

/// The state after a call, from the one before it and the one at the end of the called function: the caller's own
/// variables and the globals that the call cannot write are as before.
pub fn leave(facts: &Facts, before: &State, end: &State, step: Step) -> State {
    let Step::Leave { callee, caller, .. } = step else { unreachable!("calls are left") };
    let live = facts.liveness.at(caller, step.edge(&facts.program).dst);
    let written = |var: VarId| is_global(facts, var) && facts.may_write(callee, var);
    let mut after = keep(before, |var| live.contains(var) && !written(var));
    for (&var, &value) in end.iter().filter(|(var, _)| live.contains(**var) && written(**var)) {
        after.insert(var, value);
    }
    update(facts, end, &Effect::of(facts, step), after)
}

/// The state after a call of something that is not known: the globals can have any value.
fn skip_unknown(facts: &Facts, before: &State, result: Option<VarId>) -> State {
    keep(before, |var| !is_global(facts, var) && Some(var) != result)
}

/// Assigns what an effect assigns, with the values that expressions have in a state, and forgets what dies.
fn update(facts: &Facts, state: &State, effect: &Effect<'_>, after: State) -> State {
    let mut after = after.project(&effect.dying);
    let mut values = Values::new(&facts.program.exprs, state);
    for &(var, value) in &effect.assign {
        let value = match value {
            Value::Expr(e) => values.value(e),
            // Never null.
            Value::Allocated => Some(Interval::unsigned(facts.program.model.pointer_bits().into(), 1, u64::MAX)),
            Value::Library(builtin, args) => {
                let args: Option<Vec<Interval>> = args.iter().map(|&arg| values.value(arg)).collect();
                args.and_then(|args| Interval::library(builtin, &args))
            }
            Value::Any | Value::Mismatched => None,
        };
        set(facts, &mut after, var, value);
    }
    after
}

/// Gives a variable a value; `None` stands for any.
fn set(facts: &Facts, state: &mut State, var: VarId, value: Option<Interval>) {
    let ty = facts.program.vars[var].ty;
    match value.filter(|v| !v.is_top() && width(&facts.program.exprs, ty) == Some(v.width())) {
        Some(value) => state.insert(var, value),
        None => state.remove(&var),
    }
}

/// The wanted part of a state. It shares what it can with the whole, so that comparing the two is quick.
fn keep(state: &State, wanted: impl Fn(VarId) -> bool) -> State {
    let others: Vec<VarId> = state.iter().map(|(&var, _)| var).filter(|&var| !wanted(var)).collect();
    state.project(&others)
}

fn is_global(facts: &Facts, var: VarId) -> bool {
    facts.program.vars[var].kind.owner().is_none()
}
