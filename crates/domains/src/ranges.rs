//! Boxes of ideal integers: a least and a greatest value for each variable, and no congruence.
//!
//! The counterpart of [`Boxes`](crate::Boxes) among the domains whose numbers do not wrap around ([`Ideal`]).

use crate::ideal::{Constraint, Ideal, Order, Range, Sum};
use crate::lattice::{Lattice, Thresholds};
use std::collections::BTreeMap;
use std::fmt::Debug;

/// Bounds of variables. One that is not mentioned can have any value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ranges<X> {
    /// With at least one bound each, and lo ≤ hi. None if there is no point.
    bounds: Option<BTreeMap<X, Range>>,
}

const ANY: Range = Range { lo: None, hi: None };

/// How often bounds are propagated through one condition: a second time helps where a variable was unbounded at first.
const ROUNDS: usize = 2;

impl<X: Copy + Ord + Debug> Ranges<X> {
    fn of(bounds: BTreeMap<X, Range>) -> Self {
        let empty = |range: &Range| matches!((range.lo, range.hi), (Some(lo), Some(hi)) if lo > hi);
        if bounds.values().any(empty) {
            return Self { bounds: None };
        }
        let bounds = bounds.into_iter().filter(|(_, range)| *range != ANY).collect();
        Self { bounds: Some(bounds) }
    }

    fn get(bounds: &BTreeMap<X, Range>, x: X) -> Range {
        bounds.get(&x).copied().unwrap_or(ANY)
    }

    /// The points with sum ≤ 0.
    fn at_most(&self, sum: &Sum<X>) -> Self {
        let Some(mut bounds) = self.bounds.clone() else { return self.clone() };
        for _ in 0..ROUNDS {
            for &(x, factor) in sum.terms() {
                // factor · x ≤ -(the least value of the rest)
                let rest = sum.plus(-factor, &Sum::variable(x)).and_then(|rest| least(&bounds, &rest));
                let Some(most) = rest.and_then(i128::checked_neg) else { continue };
                let range = bounds.entry(x).or_insert(ANY);
                if factor > 0 {
                    let hi = most.div_euclid(factor);
                    range.hi = Some(range.hi.map_or(hi, |old| old.min(hi)));
                } else if let Some(lo) = most.div_euclid(factor.saturating_abs()).checked_neg() {
                    range.lo = Some(range.lo.map_or(lo, |old| old.max(lo)));
                }
                if matches!((range.lo, range.hi), (Some(lo), Some(hi)) if lo > hi) {
                    return Self { bounds: None };
                }
            }
        }
        if least(&bounds, sum).is_some_and(|least| least > 0) {
            return Self { bounds: None };
        }
        Self::of(bounds)
    }
}

/// The least value of a sum, if it has one of at most 128 bits.
fn least<X: Copy + Ord + Debug>(bounds: &BTreeMap<X, Range>, sum: &Sum<X>) -> Option<i128> {
    sum.terms().iter().try_fold(sum.offset(), |total, &(x, factor)| {
        let range = Ranges::get(bounds, x);
        let bound = if factor > 0 { range.lo } else { range.hi };
        total.checked_add(factor.checked_mul(bound?)?)
    })
}

fn negated<X: Copy + Ord>(sum: &Sum<X>) -> Option<Sum<X>> {
    Sum::constant(0).plus(-1, sum)
}

impl<X: Copy + Ord + Debug> Lattice for Ranges<X> {
    fn is_top(&self) -> bool {
        self.bounds.as_ref().is_some_and(BTreeMap::is_empty)
    }

    fn is_bottom(&self) -> bool {
        self.bounds.is_none()
    }

    fn leq(&self, other: &Self) -> bool {
        let (mine, theirs) = match (&self.bounds, &other.bounds) {
            (None, _) => return true,
            (_, None) => return false,
            (Some(mine), Some(theirs)) => (mine, theirs),
        };
        theirs.iter().all(|(&x, outer)| {
            let inner = Self::get(mine, x);
            outer.lo.is_none_or(|lo| inner.lo.is_some_and(|mine| mine >= lo))
                && outer.hi.is_none_or(|hi| inner.hi.is_some_and(|mine| mine <= hi))
        })
    }

    fn join(&self, other: &Self) -> Self {
        let (mine, theirs) = match (&self.bounds, &other.bounds) {
            (None, _) => return other.clone(),
            (_, None) => return self.clone(),
            (Some(mine), Some(theirs)) => (mine, theirs),
        };
        let both = |(&x, a): (&X, &Range)| {
            let b = Self::get(theirs, x);
            let range = Range { lo: a.lo.zip(b.lo).map(|(a, b)| a.min(b)), hi: a.hi.zip(b.hi).map(|(a, b)| a.max(b)) };
            (x, range)
        };
        Self::of(mine.iter().map(both).collect())
    }

    fn meet(&self, other: &Self) -> Self {
        let (Some(mine), Some(theirs)) = (&self.bounds, &other.bounds) else { return Self { bounds: None } };
        let mut bounds = mine.clone();
        for (&x, b) in theirs {
            let a = bounds.entry(x).or_insert(ANY);
            a.lo = a.lo.max(b.lo);
            a.hi = a.hi.into_iter().chain(b.hi).min();
        }
        Self::of(bounds)
    }

    fn widen(&self, newer: &Self, thresholds: &Thresholds) -> Self {
        let (mine, theirs) = match (&self.bounds, &newer.bounds) {
            (None, _) => return newer.clone(),
            (_, None) => return self.clone(),
            (Some(mine), Some(theirs)) => (mine, theirs),
        };
        let stops = thresholds.integers();
        let below = |lo: i128| stops[..stops.partition_point(|&stop| stop <= lo)].last().copied();
        let above = |hi: i128| stops.get(stops.partition_point(|&stop| stop < hi)).copied();
        let wider = |(&x, a): (&X, &Range)| {
            let b = Self::get(theirs, x);
            let lo = a.lo.zip(b.lo).and_then(|(a, b)| if b >= a { Some(a) } else { below(b) });
            let hi = a.hi.zip(b.hi).and_then(|(a, b)| if b <= a { Some(a) } else { above(b) });
            (x, Range { lo, hi })
        };
        Self::of(mine.iter().map(wider).collect())
    }
}

impl<X: Copy + Ord + Debug> Ideal for Ranges<X> {
    type Var = X;

    fn top() -> Self {
        Self { bounds: Some(BTreeMap::new()) }
    }

    fn bottom() -> Self {
        Self { bounds: None }
    }

    fn contains(&self, point: impl Fn(X) -> i128) -> bool {
        let inside = |(&x, range): (&X, &Range)| {
            let value = point(x);
            range.lo.is_none_or(|lo| lo <= value) && range.hi.is_none_or(|hi| value <= hi)
        };
        self.bounds.as_ref().is_some_and(|bounds| bounds.iter().all(inside))
    }

    fn project(&self, variables: &[X]) -> Self {
        let mut bounds = self.bounds.clone();
        bounds.iter_mut().for_each(|bounds| bounds.retain(|x, _| !variables.contains(x)));
        Self { bounds }
    }

    fn assign(&self, assignments: &[(X, Sum<X>)]) -> Self {
        let Some(mut bounds) = self.bounds.clone() else { return self.clone() };
        for (x, sum) in assignments {
            bounds.insert(*x, self.range(sum).unwrap_or(ANY));
        }
        Self::of(bounds)
    }

    fn assume(&self, constraint: &Constraint<X>) -> Self {
        if self.bounds.is_none() {
            return self.clone();
        }
        let Constraint { sum, order } = match constraint.clone().tightened() {
            Ok(constraint) => constraint,
            Err(true) => return self.clone(),
            Err(false) => return Self::bottom(),
        };
        let opposite = negated(&sum);
        let at_least = |set: &Self| opposite.as_ref().map_or(set.clone(), |sum| set.at_most(sum));
        match order {
            Order::AtMost => self.at_most(&sum),
            Order::Equal => at_least(&self.at_most(&sum)),
            Order::Different => match self.range(&sum) {
                Some(Range { lo: Some(0), hi: Some(0) }) => Self::bottom(),
                // Only the bounds of one variable can be sharpened.
                Some(range) => match sum.terms() {
                    &[(x, factor)] if range.lo == Some(0) || range.hi == Some(0) => {
                        let side: i128 = if (range.lo == Some(0)) == (factor > 0) { 1 } else { -1 };
                        // Tightened, so factor is 1 or -1, and x ≠ zero leaves x ≥ zero + 1 or x ≤ zero - 1.
                        let zero = sum.offset().checked_mul(-factor);
                        let away = zero.and_then(|zero| side.checked_mul(zero)).and_then(|zero| zero.checked_add(1));
                        let away = away.and_then(|constant| Sum::new(constant, [(x, -side)]));
                        away.map_or(self.clone(), |sum| self.at_most(&sum))
                    }
                    _ => self.clone(),
                },
                None => self.clone(),
            },
        }
    }

    fn range(&self, sum: &Sum<X>) -> Option<Range> {
        let bounds = self.bounds.as_ref()?;
        let hi = negated(sum).and_then(|sum| least(bounds, &sum)).and_then(i128::checked_neg);
        Some(Range { lo: least(bounds, sum), hi })
    }

    fn constraints(&self) -> Option<Vec<Constraint<X>>> {
        let bounds = self.bounds.as_ref()?;
        let mut all = Vec::new();
        for (&x, range) in bounds {
            let below = range.hi.and_then(i128::checked_neg).and_then(|c| Sum::new(c, [(x, 1)]));
            let above = range.lo.and_then(|c| Sum::new(c, [(x, -1)]));
            all.extend(above.into_iter().chain(below).map(|sum| Constraint { sum, order: Order::AtMost }));
        }
        Some(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::ideal::{Exact, check_ideal};

    #[test]
    fn operations_agree_with_points() {
        let single = |sum: &Sum<usize>| sum.terms().len() <= 1 && sum.terms().iter().all(|term| term.1.abs() == 1);
        check_ideal::<Ranges<usize>>(16, Exact { sums: single, integers: true });
    }
}
