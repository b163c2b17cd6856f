//! Expressions as sums modulo 2^w.
//!
//! The sum of an expression has the expression's bits: they are equal modulo 2^w, where w is the expression's width, whatever
//! overflows on the way. Operators that need an operand in its range wrap it (`wrap`); what is not linear becomes a spare
//! variable.

use super::values::{Values, width};
use super::wrap::{at_least, at_most, within, wrapped};
use super::{Integer, Types};
use crate::environment::Boxes;
use crate::ideal::{Ideal, Sum};
use crate::interval::Interval;
use robusto_cfa::ir::{BinOp, CastOp, Expr, ExprId, ExprPool, UnOp, VarId, fold};
use rustc_hash::FxHashMap;

/// The largest divisor whose quotient gets constraints. With larger ones the bounds say nearly as much, and the coefficients
/// make polyhedra slow.
const MAX_DIVISOR: i128 = 256;

/// Most spare variables. Each may double the generators of a polyhedron: with up to ten of them the random tests took minutes
/// instead of seconds.
const MAX_SPARES: usize = 3;

/// Expressions in one state, which gets more and more spare variables.
pub(super) struct Linear<'a, D, T> {
    pool: &'a ExprPool,
    types: &'a T,
    values: Values<'a>,
    /// The state, with the ranges of the variables that were used, and the spare variables.
    pub ideal: D,
    spares: usize,
    known: FxHashMap<ExprId, Option<Sum<VarId>>>,
}

impl<'a, D: Ideal<Var = VarId>, T: Types> Linear<'a, D, T> {
    pub fn new(pool: &'a ExprPool, types: &'a T, boxes: &'a Boxes<VarId>, ideal: D) -> Self {
        let values = Values::new(pool, boxes);
        Self { pool, types, values, ideal, spares: 0, known: FxHashMap::default() }
    }

    /// The spare variables in use.
    pub fn spares(&self) -> Vec<VarId> {
        (0..self.spares).map(|number| self.types.spare(number)).collect()
    }

    fn spare(&mut self) -> Option<VarId> {
        let number = self.spares;
        self.spares = (number + 1).min(MAX_SPARES);
        (number < MAX_SPARES).then(|| self.types.spare(number))
    }

    /// What the boxes know of an expression.
    pub fn value(&mut self, id: ExprId) -> Option<Interval> {
        self.values.value(id)
    }

    /// The sum of an expression, if it is of a kind that is tracked. Without recursion.
    pub fn sum(&mut self, root: ExprId) -> Option<Sum<VarId>> {
        let mut stack = vec![root];
        while let Some(&id) = stack.last() {
            if self.known.contains_key(&id) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            if self.is_looked_into(id) {
                stack.extend(self.pool.operands(id).filter(|x| !self.known.contains_key(x)));
            }
            if stack.len() == before {
                stack.pop();
                let sum = self.node(id);
                self.known.insert(id, sum);
            }
        }
        self.known[&root].clone()
    }

    /// The integer of an expression within the range of a type.
    pub fn integer(&mut self, id: ExprId, ty: Integer) -> Option<Sum<VarId>> {
        let sum = self.sum(id)?;
        let values = self.value(id)?;
        let mut ideal = std::mem::replace(&mut self.ideal, D::bottom());
        let integer = wrapped(&mut ideal, &sum, ty, &values, || self.spare());
        self.ideal = ideal;
        integer
    }

    /// Whether the operands have anything to do with the sum.
    fn is_looked_into(&mut self, id: ExprId) -> bool {
        use BinOp::*;
        match self.pool.get(id) {
            Expr::Unary(UnOp::Neg | UnOp::Not, _) => true,
            Expr::Binary(Add | Sub | PtrAdd, ..) => true,
            Expr::Binary(Mul | Shl | UDiv | SDiv | URem | SRem | LShr | AShr | And, x, y) => {
                let is_constant = |value: Option<Interval>| value.is_some_and(|value| value.as_constant().is_some());
                is_constant(self.value(x)) || is_constant(self.value(y))
            }
            Expr::Cast(CastOp::Trunc | CastOp::ZExt | CastOp::SExt | CastOp::PtrToInt | CastOp::IntToPtr, ..) => true,
            _ => false,
        }
    }

    fn node(&mut self, id: ExprId) -> Option<Sum<VarId>> {
        let ty = self.pool.ty(id);
        let bits = width(self.pool, ty).filter(|_| !ty.is_float())?;
        let values = self.value(id)?;
        // A variable's value has to reach the relations, even if it is a constant: others may be related to it.
        if let Some(constant) = values.as_constant()
            && !matches!(self.pool.get(id), Expr::Var(_))
        {
            return Some(Sum::constant(fold::signed(bits, constant).into()));
        }
        self.linear(id, bits).or_else(|| self.opaque(&values))
    }

    /// The sum of an expression that is linear, or nearly so.
    fn linear(&mut self, id: ExprId, bits: u32) -> Option<Sum<VarId>> {
        match self.pool.get(id) {
            Expr::Var(var) => {
                let ty = self.types.integer(var).filter(|ty| ty.width == bits)?;
                let values = self.value(id)?;
                let bounds = ty.of_interval(&values)?;
                self.ideal = within(&self.ideal, &Sum::variable(var), bounds);
                Some(Sum::variable(var))
            }
            Expr::Unary(UnOp::Neg, x) => Sum::constant(0).plus(-1, &self.operand(x)?),
            Expr::Unary(UnOp::Not, x) => Sum::constant(-1).plus(-1, &self.operand(x)?),
            Expr::Binary(BinOp::Add | BinOp::PtrAdd, x, y) => self.operand(x)?.plus(1, &self.operand(y)?),
            Expr::Binary(BinOp::Sub, x, y) => self.operand(x)?.plus(-1, &self.operand(y)?),
            Expr::Binary(op, x, y) => self.by_constant(op, x, y, bits),
            Expr::Cast(op, _, x) => self.cast(op, x),
            _ => None,
        }
    }

    fn operand(&self, id: ExprId) -> Option<Sum<VarId>> {
        self.known.get(&id)?.clone()
    }

    /// An operator that is linear if an operand is constant.
    fn by_constant(&mut self, op: BinOp, x: ExprId, y: ExprId, bits: u32) -> Option<Sum<VarId>> {
        let (left, right) = (self.value(x)?.as_constant(), self.value(y)?.as_constant());
        let signed = |constant: u64| i128::from(fold::signed(bits, constant));
        let unsigned = Integer { width: bits, signed: false };
        match (op, left, right) {
            (BinOp::Mul, Some(factor), _) => Sum::constant(0).plus(signed(factor), &self.operand(y)?),
            (BinOp::Mul, _, Some(factor)) => Sum::constant(0).plus(signed(factor), &self.operand(x)?),
            (BinOp::Shl, _, Some(shift)) if shift < bits.into() => Sum::constant(0).plus(1 << shift, &self.operand(x)?),
            (BinOp::UDiv, _, Some(divisor)) => {
                let dividend = self.integer(x, unsigned)?;
                self.quotient(&dividend, divisor.into())
            }
            (BinOp::URem, _, Some(divisor)) => self.remainder(x, unsigned, divisor.into()),
            (BinOp::LShr, _, Some(shift)) if shift < bits.into() => {
                let dividend = self.integer(x, unsigned)?;
                self.quotient(&dividend, 1 << shift)
            }
            (BinOp::And, Some(mask), _) if is_mask(mask) => self.remainder(y, unsigned, i128::from(mask) + 1),
            (BinOp::And, _, Some(mask)) if is_mask(mask) => self.remainder(x, unsigned, i128::from(mask) + 1),
            (BinOp::SDiv, _, Some(divisor)) => {
                let divisor = signed(divisor);
                let dividend = self.integer(x, Integer { width: bits, signed: true })?;
                let quotient = self.quotient(&dividend, divisor.abs())?;
                if divisor < 0 { Sum::constant(0).plus(-1, &quotient) } else { Some(quotient) }
            }
            (BinOp::SRem, _, Some(divisor)) => {
                self.remainder(x, Integer { width: bits, signed: true }, signed(divisor).abs())
            }
            (BinOp::AShr, _, Some(shift)) if shift < bits.into() => {
                let dividend = self.integer(x, Integer { width: bits, signed: true })?;
                let floor = self.floor(&dividend, 1 << shift)?;
                Some(Sum::variable(floor))
            }
            _ => None,
        }
    }

    /// A new variable q with c·q ≤ e ≤ c·q + c - 1.
    fn floor(&mut self, dividend: &Sum<VarId>, divisor: i128) -> Option<VarId> {
        if !(1..=MAX_DIVISOR).contains(&divisor) {
            return None;
        }
        let range = self.ideal.range(dividend)?;
        let bounds = (range.lo?.div_euclid(divisor), range.hi?.div_euclid(divisor));
        let quotient = self.spare()?;
        let rest = dividend.plus(-divisor, &Sum::variable(quotient))?;
        let (low, high) = (at_least(&rest, 0)?, at_most(&rest, divisor - 1)?);
        self.ideal = within(&self.ideal, &Sum::variable(quotient), bounds).assume(&low).assume(&high);
        Some(quotient)
    }

    /// e / c, rounded toward zero, for c > 0.
    fn quotient(&mut self, dividend: &Sum<VarId>, divisor: i128) -> Option<Sum<VarId>> {
        let range = self.ideal.range(dividend)?;
        if range.lo? >= 0 {
            return self.floor(dividend, divisor).map(Sum::variable);
        }
        if range.hi? <= 0 {
            let negated = Sum::constant(0).plus(-1, dividend)?;
            let floor = self.floor(&negated, divisor)?;
            return Sum::constant(0).plus(-1, &Sum::variable(floor));
        }
        None
    }

    /// e - c · (e / c), for c > 0; e itself where it is small enough.
    fn remainder(&mut self, id: ExprId, ty: Integer, divisor: i128) -> Option<Sum<VarId>> {
        let dividend = self.integer(id, ty)?;
        let range = self.ideal.range(&dividend)?;
        if divisor == 0 || (-divisor < range.lo? && range.hi? < divisor) {
            return Some(dividend);
        }
        let quotient = self.quotient(&dividend, divisor)?;
        dividend.plus(-divisor, &quotient)
    }

    fn cast(&mut self, op: CastOp, x: ExprId) -> Option<Sum<VarId>> {
        let from = width(self.pool, self.pool.ty(x))?;
        match op {
            CastOp::Trunc | CastOp::PtrToInt | CastOp::IntToPtr => self.operand(x),
            CastOp::ZExt => self.integer(x, Integer { width: from, signed: false }),
            CastOp::SExt => self.integer(x, Integer { width: from, signed: true }),
            _ => None,
        }
    }

    /// A spare variable with the values that the boxes tell, in the order in which these are fewer.
    fn opaque(&mut self, values: &Interval) -> Option<Sum<VarId>> {
        let of = |signed: bool| Integer { width: values.width(), signed }.of_interval(values);
        let (signed, unsigned) = (of(true)?, of(false)?);
        let bounds = if unsigned.1 - unsigned.0 < signed.1 - signed.0 { unsigned } else { signed };
        let spare = Sum::variable(self.spare()?);
        self.ideal = within(&self.ideal, &spare, bounds);
        Some(spare)
    }

    /// Whether there is no point at all.
    pub fn is_empty(&self) -> bool {
        self.ideal.is_bottom()
    }
}

/// Whether the lowest bits are 1 and the others 0.
fn is_mask(bits: u64) -> bool {
    bits.checked_add(1).is_some_and(u64::is_power_of_two)
}
