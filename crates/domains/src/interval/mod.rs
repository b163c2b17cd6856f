//! Sets of bit-vectors of 1 to 64 bits: a signed and an unsigned interval, and a congruence modulo a power of two.
//!
//! Intervals of machine integers that are right under wrap-around, after Simon, King: *Taming the wrapping of integer
//! arithmetic*, SAS 2007; congruences after Granger: *Static analysis of arithmetical congruences*, Int. J. Comput. Math.
//! 1989, for powers of two only, which are what wrapping arithmetic keeps.
//!
//! The signed and the unsigned interval, reduced against each other, are the same as one interval for the values with the
//! sign bit clear and one for those with it set: with both halves there, the unsigned interval goes from the least value
//! of the lower half to the greatest of the upper, the signed one from the least of the upper to the greatest of the
//! lower. That is how they are kept: no operation has to think of both views, since within a half they agree.
//!
//! | here | meaning |
//! |---|---|
//! | `low` | the interval within 0 … 2^(w-1) - 1 |
//! | `high` | the interval within 2^(w-1) … 2^w - 1, that is the negative numbers |
//! | `known`, `residue` | all values are `residue` modulo 2^`known` |
//!
//! Floats are their bits (`float`).
//!
//! Reduced: the ends of both intervals have the residue, and a single value knows all its bits. Soundness of every
//! operation is checked exhaustively at small widths.

mod float;
mod lattice;
mod refine;
#[cfg(test)]
mod tests;
mod transfer;

use crate::lattice::Lattice;
use robusto_cfa::ir::fold;
use std::fmt;

/// An interval within one half of the values; unsigned, both ends included.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Range {
    lo: u64,
    hi: u64,
}

/// A set of bit-vectors of one width.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Interval {
    width: u8,
    known: u8,
    residue: u64,
    low: Option<Range>,
    high: Option<Range>,
}

impl Interval {
    /// All values.
    pub fn top(width: u32) -> Self {
        let max = fold::mask(width, u64::MAX);
        Self::unsigned(width, 0, max)
    }

    /// No value.
    pub fn bottom(width: u32) -> Self {
        Self { width: checked(width), known: 0, residue: 0, low: None, high: None }
    }

    /// One value.
    pub fn constant(width: u32, bits: u64) -> Self {
        let bits = fold::mask(width, bits);
        Self::unsigned(width, bits, bits)
    }

    /// A truth value, of one bit.
    pub fn truth(value: bool) -> Self {
        Self::constant(1, value.into())
    }

    /// The values from `lo` to `hi` as unsigned numbers; none if `lo` is greater.
    pub fn unsigned(width: u32, lo: u64, hi: u64) -> Self {
        let half = 1u64 << (width - 1);
        let (lo, hi) = (fold::mask(width, lo), fold::mask(width, hi));
        let within = |from: u64, to: u64| {
            let (lo, hi) = (lo.max(from), hi.min(to));
            (lo <= hi).then_some(Range { lo, hi })
        };
        let (low, high) = (within(0, half - 1), within(half, fold::mask(width, u64::MAX)));
        Self { width: checked(width), known: 0, residue: 0, low, high }.reduced()
    }

    /// The values from `lo` to `hi` as signed numbers; none if `lo` is greater.
    pub fn signed(width: u32, lo: i64, hi: i64) -> Self {
        if lo > hi {
            return Self::bottom(width);
        }
        Self::arc(width, lo as u64, lo.abs_diff(hi))
    }

    /// The values from `start` on, `size` steps upward, around the end.
    fn arc(width: u32, start: u64, size: u64) -> Self {
        let max = fold::mask(width, u64::MAX);
        if size >= max {
            return Self::top(width);
        }
        let start = fold::mask(width, start);
        let end = fold::mask(width, start.wrapping_add(size));
        if start <= end {
            Self::unsigned(width, start, end)
        } else {
            Self::unsigned(width, start, max).join(&Self::unsigned(width, 0, end))
        }
    }

    /// All of these values whose lowest `known` bits are those of `residue`.
    fn with_residue(mut self, known: u32, residue: u64) -> Self {
        let known = known.min(self.width());
        if known > 0 {
            let residue = fold::mask(known, residue);
            let both = u32::from(self.known).min(known);
            if both > 0 && fold::mask(both, residue ^ self.residue) != 0 {
                return Self::bottom(self.width());
            }
            if known > self.known.into() {
                self.known = known as u8;
                self.residue = residue;
            }
        }
        self.reduced()
    }

    /// Moves the ends inward to the next values with the residue.
    fn reduced(mut self) -> Self {
        if self.known > 0 {
            let (known, residue) = (u32::from(self.known), self.residue);
            let inward = |range: Option<Range>| {
                let Range { lo, hi } = range?;
                let up = lo.checked_add(fold::mask(known, residue.wrapping_sub(lo)))?;
                let down = hi.checked_sub(fold::mask(known, hi.wrapping_sub(residue)))?;
                (up <= down).then_some(Range { lo: up, hi: down })
            };
            self.low = inward(self.low);
            self.high = inward(self.high);
        }
        match (self.low, self.high) {
            (None, None) => Self::bottom(self.width()),
            (Some(one), None) | (None, Some(one)) if one.lo == one.hi => {
                Self { known: self.width, residue: one.lo, ..self }
            }
            _ => self,
        }
    }

    /// Number of bits.
    pub fn width(&self) -> u32 {
        self.width.into()
    }

    /// The only value, if there is just one.
    pub fn as_constant(&self) -> Option<u64> {
        (!self.is_bottom() && self.known == self.width).then_some(self.residue)
    }

    /// Whether a value is in the set.
    pub fn contains(&self, bits: u64) -> bool {
        let inside = self.parts().any(|r| r.lo <= bits && bits <= r.hi);
        inside && (self.known == 0 || fold::mask(self.known.into(), bits ^ self.residue) == 0)
    }

    /// The least and the greatest value as unsigned numbers.
    pub fn unsigned_bounds(&self) -> Option<(u64, u64)> {
        let lo = self.low.or(self.high)?.lo;
        let hi = self.high.or(self.low)?.hi;
        Some((lo, hi))
    }

    /// The least and the greatest value as signed numbers.
    pub fn signed_bounds(&self) -> Option<(i64, i64)> {
        let signed = |bits| fold::signed(self.width(), bits);
        let lo = self.high.or(self.low)?.lo;
        let hi = self.low.or(self.high)?.hi;
        Some((signed(lo), signed(hi)))
    }

    /// The number of lowest bits that all values share, and these bits.
    pub fn congruence(&self) -> (u32, u64) {
        (self.known.into(), self.residue)
    }

    fn parts(&self) -> impl Iterator<Item = Range> + use<> {
        self.low.into_iter().chain(self.high)
    }
}

fn checked(width: u32) -> u8 {
    assert!((1..=64).contains(&width), "a width of {width} bits");
    width as u8
}

impl fmt::Debug for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((lo, hi)) = self.signed_bounds() else { return f.write_str("none") };
        write!(f, "[{lo}, {hi}]")?;
        if let (Some(low), Some(high)) = (self.low, self.high)
            && (low.lo != 0 || high.hi != fold::mask(self.width(), u64::MAX))
        {
            write!(f, " without ({}, {})", fold::signed(self.width(), high.hi), low.lo)?;
        }
        if self.known > 0 && self.known < self.width {
            write!(f, " = {} mod 2^{}", self.residue, self.known)?;
        }
        Ok(())
    }
}
