//! The operators on sets of values.
//!
//! Each operator is applied to each pair of halves, within which the signed and the unsigned order agree; results are
//! stretches of the circle of values, joined. Low bits go by their own rules. Division by zero and large shifts are as in
//! [`fold`].

use super::{Interval, Range};
use crate::lattice::Lattice;
use robusto_cfa::ir::{BinOp, CastOp, UnOp, fold};

impl Interval {
    /// All results of a unary operator.
    pub fn unary(op: UnOp, a: &Self) -> Self {
        if a.is_bottom() {
            return *a;
        }
        match op {
            UnOp::Neg => Self::constant(a.width(), 0).sub(a),
            // -1 - x
            UnOp::Not => Self::constant(a.width(), u64::MAX).sub(a),
            UnOp::FNeg => a.float_negated(),
        }
    }

    /// All results of a binary operator; comparisons give one bit.
    pub fn binary(op: BinOp, a: &Self, b: &Self) -> Self {
        use BinOp::*;
        if a.is_bottom() || b.is_bottom() {
            return Self::bottom(if op.is_comparison() { 1 } else { a.width() });
        }
        match op {
            Add | PtrAdd => a.add(b),
            Sub => a.sub(b),
            Mul => a.mul(b),
            UDiv => a.pairwise(b, udiv),
            URem => a.pairwise(b, urem).with_remainder(a, b),
            SDiv => a.pairwise(b, sdiv),
            SRem => a.pairwise(b, srem).with_remainder(a, b),
            And | Or | Xor => a.bitwise(op, b),
            Shl | LShr | AShr => a.shift(op, b),
            Eq | Ne | ULt | ULe | SLt | SLe => a.compare(op, b),
            FAdd | FSub | FMul | FDiv | FEq | FNe | FLt | FLe => Self::float_binary(op, a, b),
        }
    }

    /// All results of a conversion to a width.
    pub fn cast(op: CastOp, a: &Self, width: u32) -> Self {
        use CastOp::*;
        if a.is_bottom() {
            return Self::bottom(width);
        }
        match op {
            Trunc | ZExt | PtrToInt | IntToPtr => {
                let parts = a.parts().map(|r| Self::arc(width, r.lo, r.hi - r.lo));
                joined(width, parts).with_residue(a.known.into(), a.residue)
            }
            SExt => {
                let start = |r: Range| fold::signed(a.width(), r.lo) as u64;
                let wide = joined(width, a.parts().map(|r| Self::arc(width, start(r), r.hi - r.lo)));
                wide.with_residue(a.known.into(), a.residue)
            }
            SToF | UToF | FToS | FToU | FToF => Self::float_cast(op, a, width),
        }
    }

    fn pairwise(&self, b: &Self, results: impl Fn(u32, Range, Range) -> Interval) -> Self {
        let width = self.width();
        joined(width, self.parts().flat_map(|x| b.parts().map(move |y| (x, y))).map(|(x, y)| results(width, x, y)))
    }

    fn add(&self, b: &Self) -> Self {
        let sum = self.pairwise(b, |w, x, y| {
            let size = (x.hi - x.lo).saturating_add(y.hi - y.lo);
            Self::arc(w, x.lo.wrapping_add(y.lo), size)
        });
        sum.with_residue(self.known.min(b.known).into(), self.residue.wrapping_add(b.residue))
    }

    fn sub(&self, b: &Self) -> Self {
        let difference = self.pairwise(b, |w, x, y| {
            let size = (x.hi - x.lo).saturating_add(y.hi - y.lo);
            Self::arc(w, x.lo.wrapping_sub(y.hi), size)
        });
        difference.with_residue(self.known.min(b.known).into(), self.residue.wrapping_sub(b.residue))
    }

    fn mul(&self, b: &Self) -> Self {
        let product = self.pairwise(b, |w, x, y| {
            // Signed numbers of 64 bits have products below 2^126.
            let s = |bits| i128::from(fold::signed(w, bits));
            let corners = [s(x.lo) * s(y.lo), s(x.lo) * s(y.hi), s(x.hi) * s(y.lo), s(x.hi) * s(y.hi)];
            let by_sign = span(w, corners);
            let (lo, hi) = (u128::from(x.lo) * u128::from(y.lo), u128::from(x.hi) * u128::from(y.hi));
            by_sign.meet(&Self::arc(w, lo as u64, u64::try_from(hi - lo).unwrap_or(u64::MAX)))
        });
        // (r + 2^k m)(s + 2^l n): every term but r s is a multiple of the least of these powers.
        let zeros = |x: &Self| if x.residue == 0 { u32::from(x.known) } else { x.residue.trailing_zeros() };
        let (k, l) = (u32::from(self.known), u32::from(b.known));
        let known = (k + zeros(b)).min(l + zeros(self));
        product.with_residue(known, self.residue.wrapping_mul(b.residue))
    }

    /// The remainder of `a` by a multiple of a power of two keeps the bits of `a` below that.
    fn with_remainder(self, a: &Self, b: &Self) -> Self {
        let divisor = if b.residue == 0 { b.known } else { b.residue.trailing_zeros() as u8 };
        self.with_residue(a.known.min(divisor).into(), a.residue)
    }

    fn bitwise(&self, op: BinOp, b: &Self) -> Self {
        let bounds = match op {
            BinOp::And => self.pairwise(b, |w, x, y| Self::unsigned(w, and_min(w, x, y), and_max(w, x, y))),
            BinOp::Or => self.pairwise(b, |w, x, y| Self::unsigned(w, or_min(w, x, y), or_max(w, x, y))),
            _ => self.pairwise(b, |w, x, y| Self::unsigned(w, xor_min(w, x, y), xor_max(w, x, y))),
        };
        let bit = |x: &Self, i: u32| (i < x.known.into()).then_some(x.residue >> i & 1);
        let mut residue = 0;
        let mut known = 0;
        while known < self.width() {
            let value = match (op, bit(self, known), bit(b, known)) {
                (BinOp::And, Some(0), _) | (BinOp::And, _, Some(0)) => 0,
                (BinOp::Or, Some(1), _) | (BinOp::Or, _, Some(1)) => 1,
                (_, Some(x), Some(y)) => fold_bit(op, x, y),
                _ => break,
            };
            residue |= value << known;
            known += 1;
        }
        bounds.with_residue(known, residue)
    }

    fn shift(&self, op: BinOp, b: &Self) -> Self {
        let width = self.width();
        let Some((least, most)) = b.unsigned_bounds() else { return Self::bottom(width) };
        // From the width on, all amounts give the same.
        let last = most.min(width.into());
        let amounts = (least.min(last)..=last).filter(|&n| n == u64::from(width) || b.contains(n));
        joined(width, amounts.map(|n| self.shift_by(op, n as u32)))
    }

    fn shift_by(&self, op: BinOp, n: u32) -> Self {
        let width = self.width();
        match op {
            BinOp::Shl if n >= width => Self::constant(width, 0),
            BinOp::Shl => {
                let parts = self.parts().map(|r| {
                    let size = u128::from(r.hi - r.lo) << n;
                    Self::arc(width, r.lo << n, u64::try_from(size).unwrap_or(u64::MAX))
                });
                joined(width, parts).with_residue(u32::from(self.known) + n, self.residue << n)
            }
            BinOp::LShr if n >= width => Self::constant(width, 0),
            BinOp::LShr => {
                let parts = self.parts().map(|r| Self::unsigned(width, r.lo >> n, r.hi >> n));
                joined(width, parts).with_residue(u32::from(self.known).saturating_sub(n), self.residue >> n)
            }
            _ => {
                let n = n.min(width - 1);
                let s = |bits| fold::signed(width, bits) >> n;
                let parts = self.parts().map(|r| Self::signed(width, s(r.lo), s(r.hi)));
                joined(width, parts).with_residue(u32::from(self.known).saturating_sub(n), self.residue >> n)
            }
        }
    }

    fn compare(&self, op: BinOp, b: &Self) -> Self {
        use BinOp::*;
        let both = Self::top(1);
        let ordered = |least_a, most_a, least_b, most_b, strict: bool| {
            let (always, never) =
                if strict { (most_a < least_b, least_a >= most_b) } else { (most_a <= least_b, least_a > most_b) };
            if always || never { Self::truth(always) } else { both }
        };
        match op {
            Eq | Ne => match (self.as_constant(), b.as_constant()) {
                (Some(x), Some(y)) => Self::truth((x == y) == (op == Eq)),
                _ if self.meet(b).is_bottom() => Self::truth(op == Ne),
                _ => both,
            },
            ULt | ULe => match (self.unsigned_bounds(), b.unsigned_bounds()) {
                (Some((a, c)), Some((d, e))) => {
                    ordered(i128::from(a), i128::from(c), i128::from(d), i128::from(e), op == ULt)
                }
                _ => Self::bottom(1),
            },
            _ => match (self.signed_bounds(), b.signed_bounds()) {
                (Some((a, c)), Some((d, e))) => ordered(a.into(), c.into(), d.into(), e.into(), op == SLt),
                _ => Self::bottom(1),
            },
        }
    }
}

fn joined(width: u32, parts: impl Iterator<Item = Interval>) -> Interval {
    parts.fold(Interval::bottom(width), |all, part| all.join(&part))
}

/// The stretch from the least to the greatest of some numbers.
fn span(width: u32, corners: [i128; 4]) -> Interval {
    let lo = corners.into_iter().min().unwrap_or(0);
    let hi = corners.into_iter().max().unwrap_or(0);
    Interval::arc(width, lo as u64, u64::try_from(hi - lo).unwrap_or(u64::MAX))
}

fn udiv(width: u32, x: Range, y: Range) -> Interval {
    let mut all = Interval::bottom(width);
    if y.lo == 0 {
        all = Interval::constant(width, u64::MAX);
    }
    if let Some(least) = x.lo.checked_div(y.hi) {
        all = all.join(&Interval::unsigned(width, least, x.hi / y.lo.max(1)));
    }
    all
}

fn urem(width: u32, x: Range, y: Range) -> Interval {
    let same = Interval::unsigned(width, x.lo, x.hi);
    let mut all = if y.lo == 0 { same } else { Interval::bottom(width) };
    if y.hi > 0 {
        let least = y.lo.max(1);
        let rest = if x.hi < least {
            same
        } else if y.lo == y.hi && x.lo / y.lo == x.hi / y.lo {
            Interval::unsigned(width, x.lo % y.lo, x.hi % y.lo)
        } else {
            Interval::unsigned(width, 0, x.hi.min(y.hi - 1))
        };
        all = all.join(&rest);
    }
    all
}

/// The divisor without zero, and what division by zero gives.
fn divisor(width: u32, y: Range) -> (Option<(i128, i128)>, bool) {
    let s = |bits| i128::from(fold::signed(width, bits));
    if y.lo > 0 {
        return (Some((s(y.lo), s(y.hi))), false);
    }
    ((y.hi > 0).then(|| (1, s(y.hi))), true)
}

fn sdiv(width: u32, x: Range, y: Range) -> Interval {
    let (lo, hi) = (i128::from(fold::signed(width, x.lo)), i128::from(fold::signed(width, x.hi)));
    let (nonzero, zero) = divisor(width, y);
    let mut all = Interval::bottom(width);
    if zero {
        // A half has one sign.
        all = Interval::constant(width, if lo < 0 { 1 } else { u64::MAX });
    }
    if let Some((a, b)) = nonzero {
        all = all.join(&span(width, [lo / a, lo / b, hi / a, hi / b]));
    }
    all
}

fn srem(width: u32, x: Range, y: Range) -> Interval {
    let same = Interval::unsigned(width, x.lo, x.hi);
    let (lo, hi) = (i128::from(fold::signed(width, x.lo)), i128::from(fold::signed(width, x.hi)));
    let (nonzero, zero) = divisor(width, y);
    let mut all = if zero { same } else { Interval::bottom(width) };
    if let Some((a, b)) = nonzero {
        let (least, most) = (a.abs().min(b.abs()), a.abs().max(b.abs()));
        let rest = if lo.abs().max(hi.abs()) < least {
            same
        } else if a == b && lo / a == hi / a {
            Interval::signed(width, (lo % a) as i64, (hi % a) as i64)
        } else if lo < 0 {
            Interval::signed(width, lo.max(1 - most) as i64, 0)
        } else {
            Interval::signed(width, 0, hi.min(most - 1) as i64)
        };
        all = all.join(&rest);
    }
    all
}

fn fold_bit(op: BinOp, x: u64, y: u64) -> u64 {
    match op {
        BinOp::And => x & y,
        BinOp::Or => x | y,
        _ => x ^ y,
    }
}

/// The least `x | y`: from the highest bit on, setting a bit that only the other needs to have, and clearing all below it,
/// can save bits. (The idea is in Warren: *Hacker's Delight*, section 4-3.)
fn or_min(width: u32, x: Range, y: Range) -> u64 {
    for i in (0..width).rev() {
        let bit = 1u64 << i;
        let below = bit - 1;
        let raised = |from: Range| ((from.lo | bit) & !below <= from.hi).then_some((from.lo | bit) & !below);
        if x.lo & bit == 0
            && y.lo & bit != 0
            && let Some(x) = raised(x)
        {
            return x | y.lo;
        }
        if x.lo & bit != 0
            && y.lo & bit == 0
            && let Some(y) = raised(y)
        {
            return x.lo | y;
        }
    }
    x.lo | y.lo
}

/// The greatest `x | y`: where both upper ends have a bit, one of them can do without it and have all below instead.
fn or_max(width: u32, x: Range, y: Range) -> u64 {
    for i in (0..width).rev() {
        let bit = 1u64 << i;
        if x.hi & y.hi & bit == 0 {
            continue;
        }
        let lowered = |from: Range| {
            let value = (from.hi & !bit) | (bit - 1);
            (value >= from.lo).then_some(value)
        };
        if let Some(x) = lowered(x) {
            return x | y.hi;
        }
        if let Some(y) = lowered(y) {
            return x.hi | y;
        }
    }
    x.hi | y.hi
}

/// The complements of all values of a range.
fn complement(width: u32, r: Range) -> Range {
    Range { lo: fold::mask(width, !r.hi), hi: fold::mask(width, !r.lo) }
}

fn and_min(width: u32, x: Range, y: Range) -> u64 {
    fold::mask(width, !or_max(width, complement(width, x), complement(width, y)))
}

fn and_max(width: u32, x: Range, y: Range) -> u64 {
    fold::mask(width, !or_min(width, complement(width, x), complement(width, y)))
}

/// A lower bound of `x ^ y`: `(x & !y) | (!x & y)` with both sides bounded by themselves.
fn xor_min(width: u32, x: Range, y: Range) -> u64 {
    and_min(width, x, complement(width, y)) | and_min(width, complement(width, x), y)
}

/// An upper bound of `x ^ y`, in the same way.
fn xor_max(width: u32, x: Range, y: Range) -> u64 {
    let a = Range { lo: 0, hi: and_max(width, x, complement(width, y)) };
    let b = Range { lo: 0, hi: and_max(width, complement(width, x), y) };
    or_max(width, a, b)
}
