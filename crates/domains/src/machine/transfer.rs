//! Assignments and conditions.

use super::linear::Linear;
use super::values::{assume, width};
use super::wrap::{are_few, in_period, lowered, periods, within};
use super::{Integer, Machine, Types};
use crate::ideal::{Constraint, Ideal, Order, Sum};
use crate::interval::Interval;
use crate::lattice::Lattice;
use crate::numeric::Numeric;
use robusto_cfa::ir::{BinOp, Expr, ExprId, ExprPool, Ty, UnOp, VarId};
use std::collections::BTreeSet;

/// What a variable takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// The value of an expression of its type.
    Value(ExprId),
    /// One of these, which have its width.
    Within(Interval),
    /// Any value.
    Anything,
}

/// Most literals of a condition that are taken apart.
const MAX_LITERALS: usize = 16;

impl<D: Ideal<Var = VarId>> Machine<D> {
    /// The points after a parallel assignment to different variables: the right sides are those of before.
    pub fn assign(&self, pool: &ExprPool, types: &impl Types, assignments: &[(VarId, Source)]) -> Self {
        let read = assignments.iter().filter_map(|&(_, source)| match source {
            Source::Value(value) => Some(value),
            _ => None,
        });
        let before = self.sharpened(pool, types, read);
        if before.is_bottom() {
            return Self::bottom();
        }
        let mut linear = Linear::new(pool, types, &before.boxes, before.ideal.clone());
        let mut boxes = before.boxes.clone();
        let (mut sums, mut unknown, mut bounded) = (Vec::new(), Vec::new(), Vec::new());
        for &(var, source) in assignments {
            let value = match source {
                Source::Value(value) => linear.value(value),
                Source::Within(interval) => Some(interval),
                Source::Anything => None,
            };
            match value {
                Some(value) => boxes.insert(var, value),
                None => boxes.remove(&var),
            }
            let Some(ty) = types.integer(var) else { continue };
            let sum = match source {
                Source::Value(value) => linear.integer(value, ty),
                _ => None,
            };
            match sum {
                Some(sum) => sums.push((var, sum)),
                None => unknown.push(var),
            }
            if let Some(bounds) = value.filter(|value| !value.is_top()).and_then(|value| ty.of_interval(&value)) {
                bounded.push((var, bounds));
            }
        }
        if linear.is_empty() {
            return Self::bottom();
        }
        let mut ideal = if sums.is_empty() { linear.ideal.clone() } else { linear.ideal.assign(&sums) };
        let gone: Vec<VarId> = unknown.into_iter().chain(linear.spares()).collect();
        if !gone.is_empty() {
            ideal = ideal.project(&gone);
        }
        for (var, bounds) in bounded {
            ideal = within(&ideal, &Sum::variable(var), bounds);
        }
        Self::of(boxes, ideal)
    }

    /// The points where a condition (of type `BOOL`) has a truth value, and perhaps more.
    pub fn assume(&self, pool: &ExprPool, types: &impl Types, cond: ExprId, truth: bool) -> Self {
        let before = self.sharpened(pool, types, [cond].into_iter());
        let Some(boxes) = assume(pool, &before.boxes, cond, truth) else { return Self::bottom() };
        let mut state = Self::of(boxes, before.ideal);
        let mut todo = vec![(cond, truth)];
        for _ in 0..MAX_LITERALS {
            let Some((id, truth)) = todo.pop() else { break };
            match (pool.get(id), truth) {
                (Expr::Unary(UnOp::Not, x), _) => todo.push((x, !truth)),
                (Expr::Binary(BinOp::And, x, y), true) | (Expr::Binary(BinOp::Or, x, y), false) => {
                    todo.extend([(x, truth), (y, truth)]);
                }
                (Expr::Binary(BinOp::Or, x, y), true) | (Expr::Binary(BinOp::And, x, y), false) => {
                    let either = [x, y].map(|side| state.literal(pool, types, side, truth));
                    state = either[0].join(&either[1]);
                }
                _ => state = state.literal(pool, types, id, truth),
            }
        }
        state
    }

    /// Nothing is known of these variables any more.
    pub fn forget(&self, variables: &[VarId]) -> Self {
        if variables.is_empty() || self.is_bottom() {
            return self.clone();
        }
        Self { boxes: self.boxes.project(variables), ideal: self.ideal.project(variables) }
    }

    /// The values of an expression; `None` if its type is not tracked.
    pub fn range(&self, pool: &ExprPool, types: &impl Types, id: ExprId) -> Option<Interval> {
        let before = self.sharpened(pool, types, [id].into_iter());
        let bits = width(pool, pool.ty(id))?;
        if before.is_bottom() {
            return Some(Interval::bottom(bits));
        }
        let mut linear = Linear::new(pool, types, &before.boxes, before.ideal.clone());
        let mut values = linear.value(id)?;
        for signed in [true, false] {
            let ty = Integer { width: bits, signed };
            if let Some(sum) = linear.integer(id, ty) {
                let Some(range) = linear.ideal.range(&sum) else { return Some(Interval::bottom(bits)) };
                let (least, most) = ty.bounds();
                values = values.meet(&ty.interval(range.lo.unwrap_or(least), range.hi.unwrap_or(most)));
            }
        }
        Some(values)
    }

    /// The integer of an expression as a sum of variables, if that is the same at every point: nothing wraps around, and
    /// nothing is approximated.
    pub fn term(&self, pool: &ExprPool, types: &impl Types, id: ExprId, ty: Integer) -> Option<Sum<VarId>> {
        let before = self.sharpened(pool, types, [id].into_iter());
        let mut linear = Linear::new(pool, types, &before.boxes, before.ideal.clone());
        let sum = linear.integer(id, ty)?;
        let spares = linear.spares();
        sum.terms().iter().all(|(x, _)| !spares.contains(x)).then_some(sum)
    }

    /// The same points, with what the relations say of the variables of some expressions in the boxes.
    fn sharpened(&self, pool: &ExprPool, types: &impl Types, roots: impl Iterator<Item = ExprId>) -> Self {
        let mut boxes = self.boxes.clone();
        for (var, ty) in variables(pool, types, roots) {
            let Some(range) = self.ideal.range(&Sum::variable(var)) else { return Self::bottom() };
            if range.lo.is_some() || range.hi.is_some() {
                let (least, most) = ty.bounds();
                let from_relations = ty.interval(range.lo.unwrap_or(least), range.hi.unwrap_or(most));
                let value = boxes.get(&var).map_or(from_relations, |old| old.meet(&from_relations));
                boxes.insert(var, value);
            }
        }
        Self::of(boxes, self.ideal.clone())
    }

    /// The points where a comparison, or the negation of one, has a truth value.
    fn literal(&self, pool: &ExprPool, types: &impl Types, mut id: ExprId, mut truth: bool) -> Self {
        while let Expr::Unary(UnOp::Not, x) = pool.get(id) {
            (id, truth) = (x, !truth);
        }
        let Some(boxes) = assume(pool, &self.boxes, id, truth) else { return Self::bottom() };
        let Some((compared, left, right)) = comparison(pool, id, truth) else {
            return Self::of(boxes, self.ideal.clone());
        };
        let mut linear = Linear::new(pool, types, &boxes, self.ideal.clone());
        let ideal = compared_ideal(pool, &mut linear, compared, left, right);
        let ideal = ideal.unwrap_or_else(|| linear.ideal.clone()).project(&linear.spares());
        Self::of(boxes.clone(), ideal).sharpened(pool, types, [id].into_iter())
    }
}

/// How two integers compare.
#[derive(Clone, Copy)]
enum Compared {
    Equal,
    Different,
    /// left + `distance` ≤ right, in the order of a signedness.
    Ordered {
        distance: i128,
        signed: bool,
    },
}

/// What a comparison with a truth value says: ¬(a ≤ b) is b + 1 ≤ a.
fn comparison(pool: &ExprPool, id: ExprId, truth: bool) -> Option<(Compared, ExprId, ExprId)> {
    let Expr::Binary(op, left, right) = pool.get(id) else { return None };
    let (distance, signed) = match (op, truth) {
        (BinOp::Eq, true) | (BinOp::Ne, false) => return Some((Compared::Equal, left, right)),
        (BinOp::Eq, false) | (BinOp::Ne, true) => return Some((Compared::Different, left, right)),
        (BinOp::ULt, true) | (BinOp::ULe, false) => (1, false),
        (BinOp::ULt, false) | (BinOp::ULe, true) => (0, false),
        (BinOp::SLt, true) | (BinOp::SLe, false) => (1, true),
        (BinOp::SLt, false) | (BinOp::SLe, true) => (0, true),
        _ => return None,
    };
    let (left, right) = if truth { (left, right) } else { (right, left) };
    Some((Compared::Ordered { distance, signed }, left, right))
}

/// The points where two expressions compare so; nothing if that cannot be said.
fn compared_ideal<D: Ideal<Var = VarId>, T: Types>(
    pool: &ExprPool,
    linear: &mut Linear<'_, D, T>,
    compared: Compared,
    left: ExprId,
    right: ExprId,
) -> Option<D> {
    let bits = width(pool, pool.ty(left)).filter(|_| !matches!(pool.ty(left), Ty::F32 | Ty::F64))?;
    let (a, b) = (linear.sum(left)?, linear.sum(right)?);
    match compared {
        Compared::Equal | Compared::Different => {
            // Equal modulo 2^w: the difference is a multiple of it.
            let difference = a.plus(-1, &b)?;
            let is_equal = matches!(compared, Compared::Equal);
            linear.ideal = linear.ideal.assume_multiple(&difference, bits, is_equal);
            let ideal = linear.ideal.clone();
            let range = ideal.range(&difference)?;
            let period = 1i128 << bits;
            let (first, last) = (-range.lo?.checked_neg()?.div_euclid(period), range.hi?.div_euclid(period));
            let is = |order: Order, k: i128| {
                let sum = difference.plus(-k.checked_mul(period)?, &Sum::constant(1))?;
                Some(ideal.assume(&Constraint { sum, order }))
            };
            match compared {
                Compared::Different if first == last => is(Order::Different, first),
                Compared::Different => None,
                _ if first > last => Some(D::bottom()),
                _ if are_few((first, last)) => {
                    let parts = (first..=last).map(|k| is(Order::Equal, k)).collect::<Option<Vec<D>>>()?;
                    Some(parts.iter().fold(D::bottom(), |all, part| all.join(part)))
                }
                _ => None,
            }
        }
        Compared::Ordered { distance, signed } => {
            let ty = Integer { width: bits, signed };
            let few = |ideal: &D, sum: &Sum<VarId>| periods(ideal, sum, ty).is_some_and(are_few);
            let a = if few(&linear.ideal, &a) { a } else { linear.integer(left, ty)? };
            let b = if few(&linear.ideal, &b) { b } else { linear.integer(right, ty)? };
            let ideal = &linear.ideal;
            let mut all = D::bottom();
            let (first, last) = periods(ideal, &a, ty)?;
            for period in first..=last {
                let part = if first == last { ideal.clone() } else { in_period(ideal, &a, ty, period) };
                if part.is_bottom() {
                    continue;
                }
                let left = lowered(&a, ty, period)?;
                let (first, last) = periods(&part, &b, ty)?;
                for period in first..=last {
                    let part = if first == last { part.clone() } else { in_period(&part, &b, ty, period) };
                    let right = lowered(&b, ty, period)?;
                    let sum = left.plus(-1, &right)?.plus(distance, &Sum::constant(1))?;
                    all = all.join(&part.assume(&Constraint { sum, order: Order::AtMost }));
                }
            }
            Some(all)
        }
    }
}

/// The variables of some expressions, without those of addresses.
pub fn variables_of(pool: &ExprPool, roots: impl Iterator<Item = ExprId>) -> BTreeSet<VarId> {
    let mut todo: Vec<ExprId> = roots.collect();
    let mut seen: BTreeSet<ExprId> = todo.iter().copied().collect();
    let mut found = BTreeSet::new();
    while let Some(id) = todo.pop() {
        match pool.get(id) {
            Expr::Var(var) => {
                found.insert(var);
            }
            Expr::Load(..) | Expr::Holds(..) => {}
            _ => todo.extend(pool.operands(id).filter(|&x| seen.insert(x))),
        }
    }
    found
}

/// The variables of some expressions that have relations.
fn variables(
    pool: &ExprPool,
    types: &impl Types,
    roots: impl Iterator<Item = ExprId>,
) -> impl Iterator<Item = (VarId, Integer)> {
    variables_of(pool, roots).into_iter().filter_map(|var| types.integer(var).map(|ty| (var, ty)))
}
