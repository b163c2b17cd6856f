//! Expressions and conditions of programs in boxes.

use crate::environment::Boxes;
use crate::interval::Interval;
use crate::lattice::Lattice;
use robusto_cfa::ir::{Expr, ExprId, ExprPool, Ty, VarId};
use rustc_hash::FxHashMap;

/// Steps of the way back from a condition to its variables that are tried.
const MAX_STEPS: usize = 200;

/// The width of a type's values, if they are tracked.
pub fn width(pool: &ExprPool, ty: Ty) -> Option<u32> {
    match ty {
        Ty::Int(1..=64) | Ty::Ptr | Ty::F32 | Ty::F64 => Some(ty.bits(pool.model())),
        Ty::Int(_) | Ty::F80 => None,
    }
}

/// Evaluates expressions in one state. `None` stands for a value that is not tracked.
pub struct Values<'a> {
    pool: &'a ExprPool,
    state: &'a Boxes<VarId>,
    known: FxHashMap<ExprId, Option<Interval>>,
}

impl<'a> Values<'a> {
    /// Nothing is evaluated yet.
    pub fn new(pool: &'a ExprPool, state: &'a Boxes<VarId>) -> Self {
        Self { pool, state, known: FxHashMap::default() }
    }

    /// The values of an expression. Without recursion, as expressions can be long chains.
    pub fn value(&mut self, root: ExprId) -> Option<Interval> {
        let mut stack = vec![root];
        while let Some(&id) = stack.last() {
            if self.known.contains_key(&id) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            if !matches!(self.pool.get(id), Expr::Load(..) | Expr::Holds(..)) {
                stack.extend(self.pool.operands(id).filter(|x| !self.known.contains_key(x)));
            }
            if stack.len() == before {
                stack.pop();
                let value = self.node(id);
                self.known.insert(id, value);
            }
        }
        self.known[&root]
    }

    fn node(&self, id: ExprId) -> Option<Interval> {
        let width = width(self.pool, self.pool.ty(id))?;
        Some(match self.pool.get(id) {
            Expr::Const(_, bits) => Interval::constant(width, bits),
            Expr::Var(var) => self.state.get(&var).copied().unwrap_or(Interval::top(width)),
            // Nothing lies at address 0.
            Expr::ObjAddr(_) | Expr::FuncAddr(_) => Interval::unsigned(width, 1, u64::MAX),
            Expr::Load(..) | Expr::Holds(..) => Interval::top(width),
            Expr::Unary(op, x) => Interval::unary(op, &self.known[&x]?),
            Expr::Binary(op, x, y) => match (self.known[&x], self.known[&y]) {
                (Some(x), Some(y)) => Interval::binary(op, &x, &y),
                _ => Interval::top(width),
            },
            Expr::Cast(op, _, x) => match self.known[&x] {
                Some(x) => Interval::cast(op, &x, width),
                None => Interval::top(width),
            },
        })
    }
}

/// The state where a condition has a truth value; `None` if there is none.
pub fn assume(pool: &ExprPool, state: &Boxes<VarId>, cond: ExprId, truth: bool) -> Option<Boxes<VarId>> {
    let mut values = Values::new(pool, state);
    let wanted = Interval::truth(truth);
    if values.value(cond)?.meet(&wanted).is_bottom() {
        return None;
    }
    let mut refined = state.clone();
    let mut todo: Vec<(ExprId, Interval)> = vec![(cond, wanted)];
    for _ in 0..MAX_STEPS {
        let Some((id, result)) = todo.pop() else { break };
        let mut narrower = |x: ExprId, old: Interval, new: Interval| {
            if new != old {
                todo.push((x, new));
            }
            !new.is_bottom()
        };
        let feasible = match pool.get(id) {
            Expr::Var(var) => narrow(&mut refined, var, result),
            Expr::Unary(op, x) => match values.value(x) {
                Some(old) => narrower(x, old, Interval::refine_unary(op, &old, &result)),
                None => true,
            },
            Expr::Binary(op, x, y) => match (values.value(x), values.value(y)) {
                (Some(a), Some(b)) => {
                    let (new_a, new_b) = Interval::refine_binary(op, &a, &b, &result);
                    narrower(x, a, new_a) && narrower(y, b, new_b)
                }
                _ => true,
            },
            Expr::Cast(op, _, x) => match values.value(x) {
                Some(old) => narrower(x, old, Interval::refine_cast(op, &old, &result)),
                None => true,
            },
            Expr::Const(..) | Expr::ObjAddr(_) | Expr::FuncAddr(_) | Expr::Load(..) | Expr::Holds(..) => true,
        };
        if !feasible {
            return None;
        }
    }
    Some(refined)
}

/// Meets a variable's values with some; whether any are left.
fn narrow(state: &mut Boxes<VarId>, var: VarId, with: Interval) -> bool {
    let met = state.get(&var).map_or(with, |old| old.meet(&with));
    if !met.is_top() {
        state.insert(var, met);
    }
    !met.is_bottom()
}
