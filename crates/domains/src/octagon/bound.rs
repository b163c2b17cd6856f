//! Bounds of linear forms on an octagon, and what a linear condition says about ±x ± y.
//!
//! The least upper bound of a form is a linear program. We pair terms greedily instead: k·a + l·b is at most
//! min(k, l)·s(a, b) and the rest. For forms of one or two literals that is exact; Miné (Section 4.5) uses the bounds of single
//! variables only.

use super::{INFINITY, LIMIT, Literal, Matrix, capped, negated};
use crate::ideal::Sum;

/// A literal, if any, plus a constant.
#[derive(Clone, Copy)]
pub(super) struct Simple {
    literal: Option<Literal>,
    offset: i128,
}

impl Simple {
    pub(super) fn of(sum: &Sum<usize>) -> Option<Self> {
        let literal = match sum.terms() {
            [] => None,
            &[(x, 1)] => Some(2 * x),
            &[(x, -1)] => Some(2 * x + 1),
            _ => return None,
        };
        let offset = sum.offset();
        (-LIMIT..=LIMIT).contains(&offset).then_some(Self { literal, offset })
    }

    /// Its value for a variable, or the negation for the variable's negation.
    pub(super) fn signed(self, of: Literal) -> Self {
        if of.is_multiple_of(2) { self } else { Self { literal: self.literal.map(negated), offset: -self.offset } }
    }
}

impl Matrix {
    /// The least upper bound of a sum of two.
    pub(super) fn simple_bound(&self, left: Simple, right: Simple) -> i128 {
        let bound = match (left.literal, right.literal) {
            (None, None) => 0,
            (Some(a), None) | (None, Some(a)) => self.unary(a),
            (Some(a), Some(b)) => self.get(a, b),
        };
        bound + left.offset + right.offset
    }

    /// An upper bound of a + b, where the literals stand for sums.
    pub(super) fn pair_bound(&self, sums: &[Sum<usize>], a: Literal, b: Literal) -> i128 {
        let sign = |a: Literal| if a.is_multiple_of(2) { 1 } else { -1 };
        let left = Sum::constant(0).plus(sign(a), &sums[a / 2]);
        if a == b {
            // An integer's double.
            return capped(left.map_or(INFINITY, |sum| capped(2 * self.bound(&sum))));
        }
        left.and_then(|left| left.plus(sign(b), &sums[b / 2])).map_or(INFINITY, |sum| self.bound(&sum))
    }

    /// An upper bound of a sum.
    pub(super) fn bound(&self, sum: &Sum<usize>) -> i128 {
        self.try_bound(sum).map_or(INFINITY, capped)
    }

    fn try_bound(&self, sum: &Sum<usize>) -> Option<i128> {
        let mut total = sum.offset();
        let mut terms = Vec::with_capacity(sum.terms().len());
        for &(x, coefficient) in sum.terms() {
            terms.push((2 * x + usize::from(coefficient < 0), coefficient.checked_abs()?));
        }
        while let Some((i, j)) = self.best_pair(&terms) {
            let ((a, k), (b, l)) = (terms[i], terms[j]);
            let times = k.min(l);
            total = total.checked_add(times.checked_mul(self.get(a, b))?)?;
            terms[i].1 -= times;
            terms[j].1 -= times;
            terms.retain(|term| term.1 > 0);
        }
        for (a, k) in terms {
            let bound = self.unary(a);
            if bound == INFINITY {
                return None;
            }
            total = total.checked_add(k.checked_mul(bound)?)?;
        }
        Some(total)
    }

    /// The two terms of which the relation says most: first those that have no bounds alone.
    fn best_pair(&self, terms: &[(Literal, i128)]) -> Option<(usize, usize)> {
        let mut best = None;
        for i in 0..terms.len() {
            for j in 0..i {
                let ((a, k), (b, l)) = (terms[i], terms[j]);
                let (bound, left, right) = (self.get(a, b), self.unary(a), self.unary(b));
                if bound >= INFINITY || bound >= left + right {
                    continue;
                }
                let unbounded = u8::from(left == INFINITY) + u8::from(right == INFINITY);
                let saved = if unbounded > 0 { 0 } else { k.min(l).saturating_mul(left + right - bound) };
                if best.is_none_or(|(most, _)| most < (unbounded, saved)) {
                    best = Some(((unbounded, saved), (i, j)));
                }
            }
        }
        best.map(|(_, pair)| pair)
    }

    /// Adds what sum ≤ 0 says about two literals. Whether a point is left; if not, the matrix is of no use any more.
    pub(super) fn at_most_zero(&mut self, sum: &Sum<usize>) -> bool {
        let terms = sum.terms().iter().map(|&(x, k)| (2 * x + usize::from(k < 0), k.saturating_abs()));
        let terms: Vec<(Literal, i128)> = terms.collect();
        match terms[..] {
            [(a, k)] => return self.add_scaled(a, a, k, sum.offset().saturating_neg().saturating_mul(2)),
            [(a, k), (b, l)] if k == l => return self.add_scaled(a, b, k, sum.offset().saturating_neg()),
            _ => {}
        }
        let Some(opposite) = Sum::constant(0).plus(-1, sum) else { return true };
        if self.bound(&opposite) < 0 {
            return false;
        }
        // k·(u + v) ≤ k·(u + v) - sum, which is bounded by what is known.
        for (i, &(a, k)) in terms.iter().enumerate() {
            let others = terms.iter().enumerate().filter(|&(j, _)| j != i).map(|(_, term)| term.0);
            let partners = others.flat_map(|b| [b, negated(b)]);
            for b in std::iter::once(a).chain(partners) {
                let difference = literal(a, k).and_then(|left| left.plus(1, &literal(b, if a == b { 0 } else { k })?));
                let Some(difference) = difference.and_then(|both| both.plus(-1, sum)) else { continue };
                let bound = self.bound(&difference);
                let bound = if a == b { 2 * bound } else { bound };
                if bound < INFINITY && !self.add_scaled(a, b, k, bound) {
                    return false;
                }
            }
        }
        true
    }

    /// Adds k·(a + b) ≤ bound.
    fn add_scaled(&mut self, a: Literal, b: Literal, k: i128, bound: i128) -> bool {
        self.add(a, b, bound.div_euclid(k))
    }
}

/// A multiple of a literal.
fn literal(a: Literal, k: i128) -> Option<Sum<usize>> {
    Sum::new(0, [(a / 2, if a.is_multiple_of(2) { k } else { k.checked_neg()? })])
}
