//! Comparisons: what they may say of the floats of two sets, and what their outcome says of these. What is no number compares with
//! nothing; both zeros are equal.

use crate::Floats;
use crate::exact::{above, below};

/// Comparisons of floats; the others are these with operands swapped, or negated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Comparison {
    /// a = b
    Equal,
    /// a < b
    Less,
    /// a ≤ b
    LessEqual,
}

impl Comparison {
    /// All of them.
    pub const ALL: [Comparison; 3] = [Comparison::Equal, Comparison::Less, Comparison::LessEqual];

    /// Whether two floats may compare so, and whether they may not.
    pub fn outcomes(self, a: &Floats, b: &Floats) -> (bool, bool) {
        if a.is_empty() || b.is_empty() {
            return (false, false);
        }
        let unordered = a.has_nan() || b.has_nan();
        let (Some(x), Some(y)) = (a.bounds(), b.bounds()) else { return (false, true) };
        let (yes, no) = match self {
            Comparison::Equal => {
                let (x_to_y, y_to_x) = Comparison::Equal.operands(true, a, b);
                (!x_to_y.is_empty() && !y_to_x.is_empty(), !(x.0 == x.1 && x == y))
            }
            Comparison::Less => (x.0 < y.1, x.1 >= y.0),
            Comparison::LessEqual => (x.0 <= y.1, x.1 > y.0),
        };
        (yes, no || unordered)
    }

    /// The floats of two sets for which the comparison can have this outcome.
    pub fn operands(self, truth: bool, a: &Floats, b: &Floats) -> (Floats, Floats) {
        let none = (Floats::none(a.width()), Floats::none(b.width()));
        if a.is_empty() || b.is_empty() {
            return none;
        }
        if !truth {
            // A float that is no number goes with all others.
            return if a.has_nan() || b.has_nan() { (*a, *b) } else { self.opposite(a, b) };
        }
        let (a, b) = (a.numbers(), b.numbers());
        let (Some(x), Some(y)) = (a.bounds(), b.bounds()) else { return none };
        let width = a.width();
        let within = |set: Floats, lo: f64, hi: f64| set.meet(&Floats::between(width, lo, hi));
        match self {
            Comparison::Equal => {
                let (lo, hi) = (x.0.max(y.0), x.1.min(y.1));
                (within(a, lo, hi), within(b, lo, hi))
            }
            Comparison::Less if y.1 == f64::NEG_INFINITY || x.0 == f64::INFINITY => none,
            Comparison::Less => {
                (within(a, f64::NEG_INFINITY, below(width, y.1)), within(b, above(width, x.0), f64::INFINITY))
            }
            Comparison::LessEqual => (within(a, f64::NEG_INFINITY, y.1), within(b, x.0, f64::INFINITY)),
        }
    }

    /// The numbers that do not compare so.
    fn opposite(self, a: &Floats, b: &Floats) -> (Floats, Floats) {
        let swapped = |comparison: Comparison| {
            let (b, a) = comparison.operands(true, b, a);
            (a, b)
        };
        match self {
            Comparison::Less => swapped(Comparison::LessEqual),
            Comparison::LessEqual => swapped(Comparison::Less),
            Comparison::Equal => (a.without(b), b.without(a)),
        }
    }
}

impl Floats {
    /// Without the only number of another set, where it is an end.
    fn without(&self, other: &Self) -> Self {
        let Some((value, last)) = other.bounds() else { return *self };
        if value != last {
            return *self;
        }
        let excluded = Self::between(self.width(), value, value);
        let parts = [0, 1].map(|i| match (self.parts()[i], excluded.parts()[i]) {
            (Some((lo, hi)), Some((gone, _))) => {
                let (lo, hi) = (lo + u64::from(lo == gone), i128::from(hi) - i128::from(hi == gone));
                (i128::from(lo) <= hi).then_some((lo, hi as u64))
            }
            (part, _) => part,
        });
        Self::of_parts(self.width(), parts[0], parts[1])
    }
}
