//! Order, join, meet, widening and narrowing.

use super::{Interval, Range};
use crate::lattice::{Lattice, Thresholds};
use robusto_cfa::ir::fold;

impl Lattice for Interval {
    fn is_top(&self) -> bool {
        *self == Self::top(self.width())
    }

    fn is_bottom(&self) -> bool {
        self.low.is_none() && self.high.is_none()
    }

    fn leq(&self, other: &Self) -> bool {
        debug_assert_eq!(self.width, other.width);
        if self.is_bottom() {
            return true;
        }
        let within = |a: Option<Range>, b: Option<Range>| match (a, b) {
            (None, _) => true,
            (Some(a), Some(b)) => b.lo <= a.lo && a.hi <= b.hi,
            (Some(_), None) => false,
        };
        let congruent = other.known == 0
            || (other.known <= self.known && fold::mask(other.known.into(), self.residue ^ other.residue) == 0);
        within(self.low, other.low) && within(self.high, other.high) && congruent
    }

    fn join(&self, other: &Self) -> Self {
        debug_assert_eq!(self.width, other.width);
        if self.is_bottom() {
            return *other;
        }
        if other.is_bottom() {
            return *self;
        }
        let hull = |a: Option<Range>, b: Option<Range>| match (a, b) {
            (Some(a), Some(b)) => Some(Range { lo: a.lo.min(b.lo), hi: a.hi.max(b.hi) }),
            (one, None) | (None, one) => one,
        };
        let common = (self.residue ^ other.residue).trailing_zeros();
        let known = u32::from(self.known.min(other.known)).min(common);
        let residue = if known == 0 { 0 } else { fold::mask(known, self.residue) };
        Self {
            width: self.width,
            known: known as u8,
            residue,
            low: hull(self.low, other.low),
            high: hull(self.high, other.high),
        }
    }

    fn meet(&self, other: &Self) -> Self {
        debug_assert_eq!(self.width, other.width);
        let common = |a: Option<Range>, b: Option<Range>| {
            let (a, b) = (a?, b?);
            let (lo, hi) = (a.lo.max(b.lo), a.hi.min(b.hi));
            (lo <= hi).then_some(Range { lo, hi })
        };
        let both = Self { low: common(self.low, other.low), high: common(self.high, other.high), ..*self };
        both.with_residue(other.known.into(), other.residue)
    }

    /// An end that moves outward jumps to the next threshold, or else to the end of its half.
    fn widen(&self, newer: &Self, thresholds: &Thresholds) -> Self {
        let thresholds = thresholds.at(self.width());
        let joined = self.join(newer);
        let half = 1u64 << (self.width() - 1);
        let outward = |old: Option<Range>, new: Option<Range>, least: u64, greatest: u64| {
            let (Some(old), Some(new)) = (old, new) else { return new };
            let mut wide = new;
            if new.lo < old.lo {
                let below = thresholds.partition_point(|&t| t <= new.lo);
                wide.lo = thresholds[..below].last().map_or(least, |&t| t.max(least));
            }
            if new.hi > old.hi {
                let above = thresholds.partition_point(|&t| t < new.hi);
                wide.hi = thresholds.get(above).map_or(greatest, |&t| t.min(greatest));
            }
            Some(wide)
        };
        let max = fold::mask(self.width(), u64::MAX);
        let low = outward(self.low, joined.low, 0, half - 1);
        let high = outward(self.high, joined.high, half, max);
        Self { low, high, ..joined }.reduced()
    }
}
