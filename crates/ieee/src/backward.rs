//! From results to operands.
//!
//! If a result lies in `[lo, hi]`, what was rounded lies between the float below `lo` and the one above `hi`. There the operators are
//! those of real numbers and have inverses, whose bounds are rounded outward: the float next to a result of the host is beyond what
//! the host has rounded. A result that may be no number tells nothing.

use crate::exact::{above, below};
use crate::{Arithmetic, Floats};

/// Real numbers between two bounds, infinities included.
type Reals = (f64, f64);

/// All real numbers.
const ALL: Reals = (f64::NEG_INFINITY, f64::INFINITY);

impl Floats {
    /// The operands for which an operator can give a result of a set.
    pub fn arithmetic_back(op: Arithmetic, a: &Self, b: &Self, result: &Self) -> (Self, Self) {
        if result.is_empty() || a.is_empty() || b.is_empty() {
            let none = Self::none(a.width());
            return (none, none);
        }
        if result.has_nan() {
            return (*a, *b);
        }
        // What is no number gives what is none.
        let (a, b) = (a.numbers(), b.numbers());
        let (Some(x), Some(y), Some(z)) = (a.bounds(), b.bounds(), result.before_rounding()) else { return (a, b) };
        let (x_new, y_new) = match op {
            Arithmetic::Add => (difference(z, y), difference(z, x)),
            Arithmetic::Sub => (difference(z, (-y.1, -y.0)), difference(x, z)),
            Arithmetic::Mul => (quotient(z, y), quotient(z, x)),
            Arithmetic::Div if is_finite(z) && is_finite(y) => {
                (product(z, y), if is_finite(x) { quotient(x, z) } else { ALL })
            }
            Arithmetic::Div => (ALL, ALL),
        };
        let met = |set: Self, (lo, hi): Reals| set.meet(&Self::between(set.width(), lo, hi));
        (met(a, x_new), met(b, y_new))
    }

    /// The operands of a square root.
    pub fn root_back(&self, result: &Self) -> Self {
        if result.has_nan() {
            return *self;
        }
        let Some((lo, hi)) = result.before_rounding() else { return Self::none(self.width()) };
        let lo = if lo > 0.0 { (lo * lo).next_down() } else { 0.0 };
        let hi = if hi < 0.0 { 0.0 } else { (hi * hi).next_up() };
        self.numbers().meet(&Self::between(self.width(), lo, hi))
    }

    /// The operands of a conversion between formats.
    pub fn converted_back(&self, result: &Self) -> Self {
        if result.has_nan() {
            return *self;
        }
        match result.before_rounding() {
            Some((lo, hi)) => self.numbers().meet(&Self::between(self.width(), lo, hi)),
            None => Self::none(self.width()),
        }
    }

    /// The integers, between two bounds, for which a conversion can give a result of a set; nothing if there is none.
    pub fn of_integers_back(&self, (lo, hi): (i128, i128)) -> Option<(i128, i128)> {
        let (least, most) = self.before_rounding()?;
        // Conversions of floats to integers saturate.
        let bounds = (lo.max(least.ceil() as i128), hi.min(most.floor() as i128));
        (bounds.0 <= bounds.1).then_some(bounds)
    }

    /// The floats that become integers between two bounds, of those between `least` and `most`, which stand also for what is beyond
    /// them.
    pub fn to_integers_back(&self, (lo, hi): (i128, i128), (least, most): (i128, i128)) -> Self {
        // Within these bounds the numbers that are one away are exact; at others nothing is said.
        let near = |value: i128| value.unsigned_abs() < 1 << 52;
        let from = if lo > least && near(lo) { (lo - i128::from(lo <= 0)) as f64 } else { f64::NEG_INFINITY };
        let to = if hi < most && near(hi) { (hi + i128::from(hi >= 0)) as f64 } else { f64::INFINITY };
        let numbers = self.numbers().meet(&Self::between(self.width(), from, to));
        if lo <= 0 && 0 <= hi { numbers.join(&self.nans()) } else { numbers }
    }

    /// Bounds of the real numbers that are rounded to one of these.
    fn before_rounding(&self) -> Option<Reals> {
        let (lo, hi) = self.bounds()?;
        Some((below(self.width(), lo), above(self.width(), hi)))
    }
}

fn is_finite((lo, hi): Reals) -> bool {
    lo.is_finite() && hi.is_finite()
}

/// Bounds of x - y. A bound that is infinite says nothing.
fn difference(x: Reals, y: Reals) -> Reals {
    let lo = if x.0.is_finite() && y.1.is_finite() { (x.0 - y.1).next_down() } else { f64::NEG_INFINITY };
    let hi = if x.1.is_finite() && y.0.is_finite() { (x.1 - y.0).next_up() } else { f64::INFINITY };
    (lo, hi)
}

/// Bounds of x / y, if neither is unbounded and 0 is no divisor.
fn quotient(x: Reals, y: Reals) -> Reals {
    if !is_finite(x) || !is_finite(y) || y.0 <= 0.0 && y.1 >= 0.0 {
        return ALL;
    }
    outward([x.0 / y.0, x.0 / y.1, x.1 / y.0, x.1 / y.1])
}

/// Bounds of x · y, of bounded numbers.
fn product(x: Reals, y: Reals) -> Reals {
    outward([x.0 * y.0, x.0 * y.1, x.1 * y.0, x.1 * y.1])
}

fn outward(corners: [f64; 4]) -> Reals {
    let lo = corners.iter().copied().fold(f64::INFINITY, f64::min);
    let hi = corners.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    (lo.next_down(), hi.next_up())
}
