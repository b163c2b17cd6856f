//! TRANS: Table 1, over the operations of [`program`](mod@crate::program), and the ways into a procedure.

use super::{Choices, Origin, PathEdge, PathId, Symbolic};
use crate::program::{self, EdgeId, Formula, NodeId, Op, ProcId, VarId};
use robusto_limits::Stopped;
use robusto_logic::Term;
use rustc_hash::FxHashSet;
use std::convert::Infallible;
use std::rc::Rc;

/// The choices of a condition that are few are tried instead of named: `assume *` needs no variable.
const TRIED: u32 = 3;

/// What the leaves of a formula stand for.
#[derive(Clone, Copy)]
pub(super) struct Leaves<'a> {
    /// The values before.
    pub now: &'a [Term],
    /// The values after.
    pub next: &'a [Term],
    /// The choices.
    pub choices: &'a [Term],
}

impl Symbolic<'_> {
    /// All states that a procedure can be entered with, by anyone: ⟨n_i, true, ω_*⟩.
    pub fn start(&mut self, id: ProcId) -> PathId {
        let mut now = vec![self.terms.no(); self.program.frame_size(id)];
        let inputs = self.facts.entry(self.program, id);
        let entry: Rc<[Term]> = inputs.iter().map(|_| self.choice()).collect();
        for (var, &value) in inputs.iter().zip(entry.iter()) {
            now[var.index()] = value;
        }
        let (node, guard) = (self.program.procedure(id).entry, self.terms.yes());
        self.push(PathEdge { procedure: id, node, entry, guard, now: now.into(), origin: Origin::Start })
    }

    /// The states that a call enters its callee with.
    pub fn enter(&mut self, from: PathId, edge_id: EdgeId) -> Option<PathId> {
        let before = self.edge(from).clone();
        let program = self.program;
        let edge = program.procedure(before.procedure).edge(edge_id);
        let Op::Call { callee, args, .. } = &edge.op else { return None };
        let choices: Rc<[Term]> = (0..edge.choices).map(|_| self.choice()).collect();
        let entry = self.actuals(&before.now, *callee, args, &choices);
        let mut now = vec![self.terms.no(); program.frame_size(*callee)];
        for (var, &value) in self.facts.entry(program, *callee).iter().zip(entry.iter()) {
            now[var.index()] = value;
        }
        let origin = Origin::Enter { from, edge: edge_id, choices: Choices::Terms(choices) };
        let node = program.procedure(*callee).entry;
        Some(self.push(PathEdge { procedure: *callee, node, entry, guard: before.guard, now: now.into(), origin }))
    }

    /// Whether a path edge has just entered its procedure.
    pub fn is_entering(&self, id: PathId) -> bool {
        matches!(self.edge(id).origin, Origin::Enter { .. } | Origin::Start)
    }

    /// The values that a callee's entry needs, at a call.
    pub(super) fn actuals(&mut self, now: &[Term], callee: ProcId, args: &[Formula], choices: &[Term]) -> Rc<[Term]> {
        let program = self.program;
        let inputs = self.facts.entry(program, callee);
        let leaves = Leaves { now, next: now, choices };
        inputs
            .iter()
            .map(|var| match var.index().checked_sub(program.globals.len()) {
                None => now[var.index()],
                Some(formal) => self.formula(&args[formal], leaves),
            })
            .collect()
    }

    /// The same states with any values of the locals.
    pub fn with_locals(&mut self, from: PathId) -> PathId {
        let mut edge = self.edge(from).clone();
        let mut now = edge.now.to_vec();
        let live = self.facts.live(edge.procedure, edge.node);
        let locals: Vec<VarId> = self.program.locals(edge.procedure).filter(|&var| live.contains(var)).collect();
        for var in locals {
            now[var.index()] = self.choice();
        }
        (edge.now, edge.origin) = (now.into(), Origin::Locals { from });
        self.push(edge)
    }

    /// TRANS along an edge that is no call; `None` if no state can take it.
    pub fn trans(&mut self, from: PathId, edge_id: EdgeId) -> Result<Option<PathId>, Stopped> {
        let before = self.edge(from).clone();
        let (program, id) = (self.program, before.procedure);
        let edge = program.procedure(id).edge(edge_id);
        let choices: Rc<[Term]> = match &edge.op {
            Op::Skip => Rc::from([]),
            Op::Assume(_) if edge.choices <= TRIED => Rc::from([]),
            _ => (0..edge.choices).map(|_| self.choice()).collect(),
        };
        let leaves = Leaves { now: &before.now, next: &before.now, choices: &choices };
        let mut now = before.now.to_vec();
        let mut condition = self.terms.yes();
        let mut taken = Choices::Terms(choices.clone());
        match &edge.op {
            Op::Skip => {}
            Op::Assume(formula) => {
                condition = if edge.choices <= TRIED {
                    taken = Choices::Any;
                    self.for_some_choice(formula, &before.now, edge.choices)
                } else {
                    self.formula(formula, leaves)
                };
                self.learn(condition, &mut now);
            }
            Op::Assign { targets, values, constrain } => {
                let needed = self.facts.needed(id, edge);
                for (&target, value) in targets.iter().zip(values).filter(|(target, _)| needed.contains(**target)) {
                    now[target.index()] = self.formula(value, leaves);
                }
                if let Some(formula) = constrain {
                    condition = self.formula(formula, Leaves { next: &now, ..leaves });
                }
            }
            Op::Return(values) => {
                let live = self.facts.live(id, edge.to);
                for (i, value) in values.iter().enumerate() {
                    let result = program.result(id, i);
                    if live.contains(result) {
                        now[result.index()] = self.formula(value, leaves);
                    }
                }
            }
            Op::Call { .. } => return Ok(None),
        }
        let guard = self.terms.and(before.guard, condition);
        if guard != before.guard && !self.satisfiable(&[guard])? {
            return Ok(None);
        }
        self.forget(id, edge.to, &mut now);
        let origin = Origin::Step { from, edge: edge_id, choices: taken };
        let (entry, now) = (before.entry, now.into());
        Ok(Some(self.push(PathEdge { procedure: id, node: edge.to, entry, guard, now, origin })))
    }

    /// Values that do not matter at a node become false.
    pub(super) fn forget(&mut self, id: ProcId, node: NodeId, now: &mut [Term]) {
        let live = self.facts.live(id, node);
        for (i, value) in now.iter_mut().enumerate() {
            if !live.contains(VarId(i as u32)) {
                *value = self.terms.no();
            }
        }
    }

    /// Values that a condition fixes.
    fn learn(&mut self, condition: Term, now: &mut [Term]) {
        let parts: FxHashSet<Term> = self.terms.conjuncts(condition).into_iter().collect();
        for value in now {
            if self.terms.as_const(*value).is_none() {
                if parts.contains(value) {
                    *value = self.terms.yes();
                } else if parts.contains(&self.terms.not(*value)) {
                    *value = self.terms.no();
                }
            }
        }
    }

    /// A condition for some of its choices.
    fn for_some_choice(&mut self, formula: &Formula, now: &[Term], count: u32) -> Term {
        let mut any = self.terms.no();
        for bits in 0..1u32 << count {
            let choices: Vec<Term> = (0..count).map(|i| self.terms.truth(bits & (1 << i) != 0)).collect();
            let holds = self.formula(formula, Leaves { now, next: now, choices: &choices });
            any = self.terms.or(any, holds);
        }
        any
    }

    /// The value of a formula.
    pub(super) fn formula(&mut self, formula: &Formula, leaves: Leaves<'_>) -> Term {
        let terms = &mut self.terms;
        let value = formula.fold(|term, values: &[Term]| {
            let at = |i: &u32| values[*i as usize];
            Ok::<Term, Infallible>(match term {
                program::Term::Const(value) => terms.truth(*value),
                program::Term::Var(var) => leaves.now[var.index()],
                program::Term::Next(var) => leaves.next[var.index()],
                program::Term::Choice(number) => leaves.choices[*number as usize],
                program::Term::Not(inner) => terms.not(at(inner)),
                program::Term::And(list) => list.iter().fold(terms.yes(), |all, i| terms.and(all, at(i))),
                program::Term::Or(list) => list.iter().fold(terms.no(), |any, i| terms.or(any, at(i))),
                program::Term::Xor(list) => list.iter().fold(terms.no(), |odd, i| terms.xor(odd, at(i))),
                program::Term::Ite(condition, then, otherwise) => terms.ite(at(condition), at(then), at(otherwise)),
            })
        });
        value.unwrap_or_else(|never| match never {})
    }
}
