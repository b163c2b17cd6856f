//! Machine integers over domains of ideal integers.
//!
//! Octagons and polyhedra speak of integers that never wrap around; programs compute modulo 2^w. Simon, King: *Taming the
//! wrapping of integer arithmetic*, SAS 2007: an expression is a sum modulo 2^w as long as nobody asks for its size, and is
//! brought into the range of its type only where somebody does.
//!
//! A variable with relations is the integer that its type says ([`Integer`]), so it is always within the range of that type;
//! the range is met in when the variable is used. Beside the ideal element there are [`Boxes`]: bounds in both orders and
//! congruences of all variables, which know what non-linear operators do.
//!
//! | what | how |
//! |---|---|
//! | `+ - * c`, `<< c`, `~`, narrowing | sums, exact modulo 2^w whatever overflows (`linear`) |
//! | a comparison, a widening, an assignment | needs the value in a range: the sum itself if it stays in one period; if it crosses at most [`MAX_PERIODS`], split by period, shifted and joined; else only what the boxes know (`wrap`) |
//! | `/ % >> &` by a small constant | a spare variable q with c·q ≤ e < c·q + c |
//! | a value beyond so many periods, `==` and `!=` | equations modulo 2^w, where the domain has such |
//! | other operators | a spare variable with the bounds that the boxes tell |
//! | ¬(a ≤ b) | b + 1 ≤ a, over the integers |
//!
//! Soundness: a point of the program is in γ if it is in both parts. Boxes are right under wrap-around by themselves. For the
//! ideal part every point is followed: spare variables have a value that satisfies their constraints, splitting by period
//! covers all values in the range that the element has, and what is given up is projected away. Tested on random expressions
//! against all points of small widths.

mod boxed;
mod constraint;
mod linear;
#[cfg(test)]
mod tests;
mod transfer;
mod values;
mod wrap;

pub use transfer::{Source, variables_of};
pub use values::{Values, assume, width};

use crate::environment::Boxes;
use crate::ideal::Ideal;
use crate::interval::Interval;
use crate::lattice::{Lattice, Thresholds};
use robusto_cfa::ir::VarId;

/// The most periods that a value is split by.
pub const MAX_PERIODS: i128 = 4;

/// How the bits of a variable are an integer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Integer {
    /// Number of bits, 1 to 64.
    pub width: u32,
    /// Whether the highest bit is a sign.
    pub signed: bool,
}

impl Integer {
    /// The least and the greatest value.
    pub fn bounds(self) -> (i128, i128) {
        let half = 1i128 << (self.width - 1);
        if self.signed { (-half, half - 1) } else { (0, 2 * half - 1) }
    }

    /// How many values there are.
    fn period(self) -> i128 {
        1 << self.width
    }

    /// The integer of some bits.
    pub fn of_bits(self, bits: u64) -> i128 {
        let value = i128::from(bits) & (self.period() - 1);
        if value > self.bounds().1 { value - self.period() } else { value }
    }

    /// The least and the greatest value in an interval of that width; none if it is empty.
    pub fn of_interval(self, interval: &Interval) -> Option<(i128, i128)> {
        if self.signed {
            interval.signed_bounds().map(|(lo, hi)| (lo.into(), hi.into()))
        } else {
            interval.unsigned_bounds().map(|(lo, hi)| (lo.into(), hi.into()))
        }
    }

    /// The values from `lo` to `hi` that there are.
    pub fn interval(self, lo: i128, hi: i128) -> Interval {
        let (least, most) = self.bounds();
        let (lo, hi) = (lo.max(least), hi.min(most));
        if lo > hi {
            Interval::bottom(self.width)
        } else if self.signed {
            Interval::signed(self.width, lo as i64, hi as i64)
        } else {
            Interval::unsigned(self.width, lo as u64, hi as u64)
        }
    }
}

/// What the layer asks of variables.
pub trait Types {
    /// How a variable is an integer in relations; `None` if there are none for it, and only the boxes know it.
    fn integer(&self, var: VarId) -> Option<Integer>;

    /// Variables that occur in no expression, by number.
    fn spare(&self, number: usize) -> VarId;
}

/// Points of machine integers: those whose bits are in the boxes, and whose integers are in the ideal element.
#[derive(Clone, PartialEq, Debug)]
pub struct Machine<D> {
    boxes: Boxes<VarId>,
    ideal: D,
}

impl<D: Ideal<Var = VarId>> Machine<D> {
    /// All points.
    pub fn top() -> Self {
        Self { boxes: Boxes::new(), ideal: D::top() }
    }

    /// No point.
    pub fn bottom() -> Self {
        Self { boxes: Boxes::bottom(), ideal: D::bottom() }
    }

    /// The bounds and congruences of single variables. What the relations say of them may be more.
    pub fn boxes(&self) -> &Boxes<VarId> {
        &self.boxes
    }

    /// The relations.
    pub fn ideal(&self) -> &D {
        &self.ideal
    }

    /// Whether a point, given by bits, is in γ(a).
    pub fn contains(&self, types: &impl Types, point: impl Fn(VarId) -> u64) -> bool {
        use crate::numeric::Numeric;
        let integer = |x: VarId| types.integer(x).map_or(0, |ty| ty.of_bits(point(x)));
        self.boxes.contains(&point) && self.ideal.contains(integer)
    }

    /// From two parts, of which neither is empty unless both are.
    fn of(boxes: Boxes<VarId>, ideal: D) -> Self {
        if boxes.is_bottom() || ideal.is_bottom() { Self::bottom() } else { Self { boxes, ideal } }
    }
}

impl<D: Ideal<Var = VarId>> Lattice for Machine<D> {
    fn is_top(&self) -> bool {
        self.boxes.is_top() && self.ideal.is_top()
    }

    fn is_bottom(&self) -> bool {
        self.boxes.is_bottom()
    }

    fn leq(&self, other: &Self) -> bool {
        self.boxes.leq(&other.boxes) && self.ideal.leq(&other.ideal)
    }

    fn join(&self, other: &Self) -> Self {
        Self::of(self.boxes.join(&other.boxes), self.ideal.join(&other.ideal).shortened())
    }

    fn meet(&self, other: &Self) -> Self {
        Self::of(self.boxes.meet(&other.boxes), self.ideal.meet(&other.ideal))
    }

    fn widen(&self, newer: &Self, thresholds: &Thresholds) -> Self {
        Self::of(self.boxes.widen(&newer.boxes, thresholds), self.ideal.widen(&newer.ideal, thresholds).shortened())
    }

    fn narrow(&self, newer: &Self) -> Self {
        Self::of(self.boxes.narrow(&newer.boxes), self.ideal.narrow(&newer.ideal))
    }
}
