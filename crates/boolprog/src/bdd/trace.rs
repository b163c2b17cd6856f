//! An execution from layers of path edges: backwards from the target, then forwards for the choices.
//!
//! Each layer was made of layers with smaller stamps. So a state in a layer has a predecessor in the sets as they were
//! before the layer's stamp; a state behind a call has a state before the call and a summary edge there. Walking back, the
//! stamps fall, and the walk ends at the start of the program.

use super::encoding::Leaves;
use super::step::Step as Relation;
use super::{Cause, Result, Solver};
use crate::program::{Edge, EdgeId, NodeId, Op, ProcId, VarId};
use crate::replay::{Machine, Step, Trace};
use crate::targets::Goal;
use robusto_diagram::{Bdd, VarIndex};
use robusto_limits::Limits;

/// A state of a path edge: its procedure, its node, and values of the diagrams' variables, those at the entry included.
#[derive(Clone)]
struct State {
    procedure: ProcId,
    node: NodeId,
    values: Vec<bool>,
}

/// A step backwards: an edge and the values behind it; for a call, those at the callee's entry.
struct Taken {
    procedure: ProcId,
    edge: EdgeId,
    after: Vec<bool>,
}

/// An execution that reaches the goal; `None` if the layers hold none, which would be a mistake of the search.
pub(super) fn trace(solver: &Solver<'_>, goal: &Goal, limits: &Limits) -> Result<Option<Trace>> {
    let set = &solver.reached[goal.procedure.index()][goal.node.index()].all;
    let Some(values) = pick(solver, set) else { return Ok(None) };
    let mut state = State { procedure: goal.procedure, node: goal.node, values };
    let mut taken: Vec<Taken> = Vec::new();
    // Calls that returned on the way, with the state before them, innermost last.
    let mut calls: Vec<(State, EdgeId)> = Vec::new();
    loop {
        limits.look()?;
        let Some((stamp, cause)) = layer(solver, &state) else { return Ok(None) };
        let after = state.values.clone();
        let before = match cause {
            Cause::Start | Cause::Enter(..) if !calls.is_empty() => {
                let Some((before, edge)) = calls.pop() else { break };
                taken.push(Taken { procedure: before.procedure, edge, after });
                Some(before)
            }
            Cause::Start => break,
            Cause::Enter(caller, edge) => {
                taken.push(Taken { procedure: caller, edge, after });
                before_entry(solver, &state, stamp, caller, edge)?
            }
            Cause::Edge(edge) => {
                taken.push(Taken { procedure: state.procedure, edge, after });
                before_edge(solver, &state, stamp, edge)?
            }
            Cause::Return(edge) => match before_return(solver, &state, stamp, edge)? {
                Some((before, exit)) => {
                    calls.push((before, edge));
                    Some(exit)
                }
                None => None,
            },
        };
        let Some(before) = before else { return Ok(None) };
        state = before;
    }
    taken.reverse();
    forwards(solver, &state, &taken)
}

/// The layer in which a state was added.
fn layer(solver: &Solver<'_>, state: &State) -> Option<(u64, Cause)> {
    let layers = &solver.reached[state.procedure.index()][state.node.index()].layers;
    let first = layers.partition_point(|layer| !solver.diagrams.evaluate(&layer.total, &state.values));
    layers.get(first).map(|layer| (layer.stamp, layer.cause))
}

/// The path edges to a node as they were before a stamp.
fn known_before(solver: &Solver<'_>, procedure: ProcId, node: NodeId, stamp: u64) -> Bdd {
    let layers = &solver.reached[procedure.index()][node.index()].layers;
    let count = layers.partition_point(|layer| layer.stamp < stamp);
    count.checked_sub(1).map_or(solver.diagrams.bottom(), |last| layers[last].total.clone())
}

/// Some member of a set, unless it is empty.
fn pick(solver: &Solver<'_>, set: &Bdd) -> Option<Vec<bool>> {
    let values = solver.diagrams.pick(set)?;
    Some(values.into_iter().map(|value| value.unwrap_or(false)).collect())
}

/// Literals that keep what a step of a procedure keeps: values at the entry, and current ones that are not written and matter
/// behind the step.
fn unchanged(solver: &Solver<'_>, state: &State, written: impl Fn(VarId) -> bool) -> Vec<(VarIndex, bool)> {
    let (id, encoding) = (state.procedure, &solver.encoding);
    let mut live = solver.facts.live(id, state.node).clone();
    live.extend(solver.kept(id));
    let now = live.iter().filter(|&var| !written(var)).map(|var| encoding.now(id, var));
    let entry = solver.copied(id).into_iter().map(|var| encoding.entry(id, var));
    now.chain(entry).map(|var| (var, state.values[var.index()])).collect()
}

fn before_edge(solver: &Solver<'_>, state: &State, stamp: u64, edge_id: EdgeId) -> Result<Option<State>> {
    let (id, diagrams, encoding) = (state.procedure, &solver.diagrams, &solver.encoding);
    let edge = solver.program.procedure(id).edge(edge_id);
    let mut set = known_before(solver, id, edge.from, stamp);
    let written = match (&edge.op, solver.steps[id.index()][edge_id.index()].as_deref()) {
        (Op::Assume(_), Some(Relation::Assume { relation, .. })) => {
            set = diagrams.and(&set, relation)?;
            Vec::new()
        }
        (Op::Assign { .. } | Op::Return(_), Some(Relation::Assign { relation, .. })) => {
            let targets: Vec<VarId> = match &edge.op {
                Op::Assign { targets, .. } => targets.clone(),
                _ => (0..solver.program.procedure(id).results as usize).map(|i| solver.program.result(id, i)).collect(),
            };
            let live = solver.facts.live(id, edge.to);
            let wanted = targets.iter().filter(|&&target| live.contains(target));
            let next: Vec<_> =
                wanted.map(|&t| (encoding.next(id, t), state.values[encoding.now(id, t).index()])).collect();
            let relation = diagrams.cofactor(relation, &diagrams.literals(&next)?)?;
            set = diagrams.and(&set, &relation)?;
            targets
        }
        _ => Vec::new(),
    };
    let same = unchanged(solver, state, |var| written.contains(&var));
    let set = diagrams.and(&set, &diagrams.literals(&same)?)?;
    Ok(pick(solver, &set).map(|values| State { procedure: id, node: edge.from, values }))
}

/// A state before a call that led to this state at the callee's entry.
fn before_entry(
    solver: &Solver<'_>,
    state: &State,
    stamp: u64,
    caller: ProcId,
    edge_id: EdgeId,
) -> Result<Option<State>> {
    let (id, diagrams, encoding) = (state.procedure, &solver.diagrams, &solver.encoding);
    let edge = solver.program.procedure(caller).edge(edge_id);
    let Some(Relation::Call(call)) = solver.steps[caller.index()][edge_id.index()].as_deref() else { return Ok(None) };
    let mut passed = Vec::new();
    for var in solver.facts.entry(solver.program, id) {
        let is_global = solver.program.is_global(var);
        let place = if is_global { encoding.now(caller, var) } else { encoding.next(id, var) };
        passed.push((place, state.values[encoding.now(id, var).index()]));
    }
    let set = diagrams.and(&known_before(solver, caller, edge.from, stamp), &diagrams.literals(&passed)?)?;
    let set = diagrams.and(&set, &call.arguments)?;
    Ok(pick(solver, &set).map(|values| State { procedure: caller, node: edge.from, values }))
}

/// A state before a call, and one at the callee's exit, that led to this state behind the call.
fn before_return(solver: &Solver<'_>, state: &State, stamp: u64, edge_id: EdgeId) -> Result<Option<(State, State)>> {
    let (id, program, diagrams, encoding) = (state.procedure, solver.program, &solver.diagrams, &solver.encoding);
    let edge = program.procedure(id).edge(edge_id);
    let (Some(Relation::Call(call)), Op::Call { targets, .. }) =
        (solver.steps[id.index()][edge_id.index()].as_deref(), &edge.op)
    else {
        return Ok(None);
    };
    let (callee, exit) = (call.callee, program.procedure(call.callee).exit);
    let live = solver.facts.live(id, edge.to);
    let changed = |var: VarId| solver.facts.changes_global(program, callee, var);
    let mut next: Vec<(VarIndex, bool)> = Vec::new();
    let value = |var: VarId| state.values[encoding.now(id, var).index()];
    for var in live.iter().filter(|&var| changed(var) && !targets.contains(&Some(var))) {
        next.push((encoding.next(callee, var), value(var)));
    }
    for (i, target) in targets.iter().enumerate() {
        if let Some(target) = target.filter(|&target| live.contains(target)) {
            next.push((encoding.next(callee, program.result(callee, i)), value(target)));
        }
    }
    let same = unchanged(solver, state, |var| changed(var) || targets.contains(&Some(var)));
    let summary = diagrams.rename(&known_before(solver, callee, exit, stamp), &call.summary)?;
    let summary = diagrams.and(&summary, &diagrams.literals(&next)?)?;
    let set = diagrams.and(&known_before(solver, id, edge.from, stamp), &diagrams.literals(&same)?)?;
    let set = diagrams.and(&diagrams.and(&set, &call.arguments)?, &summary)?;
    let Some(values) = pick(solver, &set) else { return Ok(None) };
    // The callee's side: its values at the entry and at the exit stand under the caller's names.
    let mut inside = vec![false; values.len()];
    for var in solver.facts.entry(program, callee) {
        let from = if program.is_global(var) { encoding.now(id, var) } else { encoding.next(callee, var) };
        let is_copied = solver.facts.changed(callee).contains(var);
        let to = if is_copied { encoding.entry(callee, var) } else { encoding.now(callee, var) };
        inside[to.index()] = values[from.index()];
    }
    let at_exit = solver.facts.live(callee, exit);
    for var in at_exit.iter().filter(|&var| !program.is_global(var) || changed(var)) {
        inside[encoding.now(callee, var).index()] = values[encoding.next(callee, var).index()];
    }
    let before = State { procedure: id, node: edge.from, values };
    Ok(Some((before, State { procedure: callee, node: exit, values: inside })))
}

/// Executes the steps to find the choices that lead to the values behind each.
fn forwards(solver: &Solver<'_>, first: &State, taken: &[Taken]) -> Result<Option<Trace>> {
    let (program, encoding) = (solver.program, &solver.encoding);
    let frame = (0..program.frame_size(first.procedure)).map(|i| VarId(i as u32));
    let start: Vec<bool> = frame.map(|var| first.values[encoding.now(first.procedure, var).index()]).collect();
    let Ok(mut machine) = Machine::start(program, &start) else { return Ok(None) };
    let mut steps = Vec::with_capacity(taken.len());
    for Taken { procedure, edge: edge_id, after } in taken {
        let edge = program.procedure(*procedure).edge(*edge_id);
        let Some(choices) = choices(solver, &machine, *procedure, edge, after)? else { return Ok(None) };
        let locals = match edge.op {
            Op::Call { callee, .. } => {
                program.locals(callee).map(|var| after[encoding.now(callee, var).index()]).collect()
            }
            _ => Vec::new(),
        };
        let step = Step { edge: *edge_id, choices, locals };
        if machine.step(&step).is_err() {
            return Ok(None);
        }
        steps.push(step);
    }
    Ok(Some(Trace { start, steps }))
}

/// Choices for an edge, from the state of an execution, that lead to the wanted values where they matter.
fn choices(
    solver: &Solver<'_>,
    machine: &Machine<'_>,
    id: ProcId,
    edge: &Edge,
    after: &[bool],
) -> Result<Option<Vec<bool>>> {
    let (program, diagrams, encoding) = (solver.program, &solver.diagrams, &solver.encoding);
    let now = |var: VarId| Ok(diagrams.constant(machine.value(var)));
    let choice = |number: u32| diagrams.var(encoding.choice(number));
    let leaves = Leaves { now, next: now, choice };
    let mut wanted = diagrams.top();
    let mut want = |value: &Bdd, truth: bool| -> Result<()> {
        let equal = diagrams.iff(value, &diagrams.constant(truth))?;
        wanted = diagrams.and(&wanted, &equal)?;
        Ok(())
    };
    let of = |owner: ProcId, var: VarId| after[encoding.now(owner, var).index()];
    match &edge.op {
        Op::Skip => {}
        Op::Assume(formula) => want(&encoding.formula(diagrams, formula, &leaves)?, true)?,
        Op::Assign { targets, values, constrain } => {
            let live = solver.facts.live(id, edge.to);
            let values: Vec<Bdd> =
                values.iter().map(|value| encoding.formula(diagrams, value, &leaves)).collect::<Result<_>>()?;
            for (&target, value) in targets.iter().zip(&values).filter(|(target, _)| live.contains(**target)) {
                want(value, of(id, target))?;
            }
            if let Some(formula) = constrain {
                let next = |var: VarId| match targets.iter().position(|target| *target == var) {
                    Some(i) => Ok(values[i].clone()),
                    None => now(var),
                };
                want(&encoding.formula(diagrams, formula, &Leaves { now, next, choice })?, true)?;
            }
        }
        Op::Return(values) => {
            for (i, value) in values.iter().enumerate() {
                let result = program.result(id, i);
                if solver.facts.live(id, edge.to).contains(result) {
                    want(&encoding.formula(diagrams, value, &leaves)?, of(id, result))?;
                }
            }
        }
        Op::Call { callee, args, .. } => {
            let inputs = solver.facts.entry(program, *callee);
            for (i, arg) in args.iter().enumerate().filter(|(i, _)| inputs.contains(&program.formal(*i))) {
                want(&encoding.formula(diagrams, arg, &leaves)?, of(*callee, program.formal(i)))?;
            }
        }
    }
    let Some(values) = pick(solver, &wanted) else { return Ok(None) };
    Ok(Some((0..edge.choices).map(|number| values[encoding.choice(number).index()]).collect()))
}
