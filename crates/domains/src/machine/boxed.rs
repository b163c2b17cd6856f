//! What the boxes alone tell, quickly: most conditions of a state machine compare a variable with a constant, and most are
//! decided.

use super::values::{Values, width};
use super::wrap::within;
use super::{Machine, Types};
use crate::ideal::{Ideal, Sum};
use crate::interval::Interval;
use crate::lattice::Lattice;
use robusto_cfa::ir::{Expr, ExprId, ExprPool, UnOp, VarId};

impl<D: Ideal<Var = VarId>> Machine<D> {
    /// The truth value that a condition has at every point, if the boxes tell.
    pub fn decides(&self, pool: &ExprPool, mut cond: ExprId) -> Option<bool> {
        let mut negated = false;
        while let Expr::Unary(UnOp::Not, x) = pool.get(cond) {
            (cond, negated) = (x, !negated);
        }
        let value = match pool.get(cond) {
            Expr::Binary(op, x, y) if op.is_comparison() => match (self.leaf(pool, x), self.leaf(pool, y)) {
                (Some(x), Some(y)) => Interval::binary(op, &x, &y),
                _ => Values::new(pool, &self.boxes).value(cond)?,
            },
            _ => Values::new(pool, &self.boxes).value(cond)?,
        };
        value.as_constant().map(|value| (value == 1) != negated)
    }

    /// The values of a variable or a constant.
    fn leaf(&self, pool: &ExprPool, id: ExprId) -> Option<Interval> {
        let bits = width(pool, pool.ty(id))?;
        match pool.get(id) {
            Expr::Var(var) => Some(self.boxes.get(&var).copied().unwrap_or(Interval::top(bits))),
            Expr::Const(_, value) => Some(Interval::constant(bits, value)),
            _ => None,
        }
    }

    /// The points where a variable has one of these values.
    pub fn restrict(&self, types: &impl Types, var: VarId, values: &Interval) -> Self {
        let met = self.boxes.get(&var).map_or(*values, |old| old.meet(values));
        if met.is_bottom() || self.is_bottom() {
            return Self::bottom();
        }
        let mut boxes = self.boxes.clone();
        boxes.insert(var, met);
        let bounds = types.integer(var).filter(|_| !met.is_top()).and_then(|ty| ty.of_interval(&met));
        let ideal = match bounds {
            Some(bounds) => within(&self.ideal, &Sum::variable(var), bounds),
            None => self.ideal.clone(),
        };
        Self::of(boxes, ideal)
    }
}
