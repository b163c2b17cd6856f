//! Conditions backwards: what operands can be when the result is known.

use super::Interval;
use crate::lattice::Lattice;
use robusto_cfa::ir::{BinOp, CastOp, UnOp, fold};

impl Interval {
    /// The operands for which a binary operator can give a value in `result`; at most what they were.
    pub fn refine_binary(op: BinOp, a: &Self, b: &Self, result: &Self) -> (Self, Self) {
        use BinOp::*;
        if matches!(op, FAdd | FSub | FMul | FDiv | FEq | FNe | FLt | FLe) {
            return Self::refine_float_binary(op, a, b, result);
        }
        if op.is_comparison() {
            return match result.as_constant() {
                Some(truth) => refine_comparison(op, truth == 1, a, b),
                None => (*a, *b),
            };
        }
        match op {
            Add | PtrAdd => (a.meet(&Self::binary(Sub, result, b)), b.meet(&Self::binary(Sub, result, a))),
            Sub => (a.meet(&Self::binary(Add, result, b)), b.meet(&Self::binary(Sub, a, result))),
            Xor => (a.meet(&Self::binary(Xor, result, b)), b.meet(&Self::binary(Xor, result, a))),
            // Both are at least, and as sets of bits include, the result.
            And => {
                let Some((least, _)) = result.unsigned_bounds() else { return (*result, *result) };
                let above = Self::unsigned(a.width(), least, u64::MAX);
                (a.meet(&above), b.meet(&above))
            }
            Or => {
                let Some((_, most)) = result.unsigned_bounds() else { return (*result, *result) };
                let below = Self::unsigned(a.width(), 0, most);
                (a.meet(&below), b.meet(&below))
            }
            _ => (*a, *b),
        }
    }

    /// The operands for which a unary operator can give a value in `result`.
    pub fn refine_unary(op: UnOp, a: &Self, result: &Self) -> Self {
        match op {
            UnOp::Neg | UnOp::Not | UnOp::FNeg => a.meet(&Self::unary(op, result)),
        }
    }

    /// The operands for which a conversion can give a value in `result`.
    pub fn refine_cast(op: CastOp, a: &Self, result: &Self) -> Self {
        let (from, to) = (a.width(), result.width());
        match op {
            CastOp::ZExt => {
                let fits = result.meet(&Self::unsigned(to, 0, fold::mask(from, u64::MAX)));
                a.meet(&Self::cast(CastOp::Trunc, &fits, from))
            }
            CastOp::SExt => {
                let limit = i64::MAX >> (64 - from);
                let fits = result.meet(&Self::signed(to, -limit - 1, limit));
                a.meet(&Self::cast(CastOp::Trunc, &fits, from))
            }
            CastOp::PtrToInt | CastOp::IntToPtr => a.meet(&Self::cast(op, result, from)),
            // Where no value loses bits, narrowing has an inverse; otherwise only low bits go back.
            CastOp::Trunc => {
                let back = if a.leq(&Self::unsigned(from, 0, fold::mask(to, u64::MAX))) {
                    a.meet(&Self::cast(CastOp::ZExt, result, from))
                } else if a.leq(&Self::signed(from, -(i64::MAX >> (64 - to)) - 1, i64::MAX >> (64 - to))) {
                    a.meet(&Self::cast(CastOp::SExt, result, from))
                } else {
                    *a
                };
                if result.is_bottom() {
                    return Self::bottom(from);
                }
                let (known, residue) = result.congruence();
                back.with_residue(known, residue)
            }
            CastOp::SToF | CastOp::UToF | CastOp::FToS | CastOp::FToU | CastOp::FToF => {
                Self::refine_float_cast(op, a, result)
            }
        }
    }
}

/// The operands of a comparison that has this truth value.
fn refine_comparison(op: BinOp, truth: bool, a: &Interval, b: &Interval) -> (Interval, Interval) {
    use BinOp::*;
    let width = a.width();
    let swap = |(x, y)| (y, x);
    match (op, truth) {
        (Eq, true) | (Ne, false) => {
            let both = a.meet(b);
            (both, both)
        }
        (Ne, true) | (Eq, false) => (a.without(b), b.without(a)),
        (ULt, false) => swap(refine_comparison(ULe, true, b, a)),
        (ULe, false) => swap(refine_comparison(ULt, true, b, a)),
        (SLt, false) => swap(refine_comparison(SLe, true, b, a)),
        (SLe, false) => swap(refine_comparison(SLt, true, b, a)),
        (ULt | ULe, true) => {
            let (Some((least, _)), Some((_, most))) = (a.unsigned_bounds(), b.unsigned_bounds()) else {
                return (Interval::bottom(width), Interval::bottom(width));
            };
            let strict = u64::from(op == ULt);
            let (Some(most), Some(least)) = (most.checked_sub(strict), least.checked_add(strict)) else {
                return (Interval::bottom(width), Interval::bottom(width));
            };
            if least > fold::mask(width, u64::MAX) {
                return (Interval::bottom(width), Interval::bottom(width));
            }
            let max = u64::MAX;
            (a.meet(&Interval::unsigned(width, 0, most)), b.meet(&Interval::unsigned(width, least, max)))
        }
        (SLt | SLe, true) => {
            let (Some((least, _)), Some((_, most))) = (a.signed_bounds(), b.signed_bounds()) else {
                return (Interval::bottom(width), Interval::bottom(width));
            };
            let limit = i64::MAX >> (64 - width);
            let strict = i64::from(op == SLt);
            let (Some(most), Some(least)) = (most.checked_sub(strict), least.checked_add(strict)) else {
                return (Interval::bottom(width), Interval::bottom(width));
            };
            (a.meet(&Interval::signed(width, -limit - 1, most)), b.meet(&Interval::signed(width, least, limit)))
        }
        _ => (*a, *b),
    }
}

impl Interval {
    /// Without a value that `other` must have, if that is an end.
    fn without(&self, other: &Self) -> Self {
        let Some(value) = other.as_constant() else { return *self };
        let step = 1u64.checked_shl(self.known.into()).unwrap_or(0);
        let mut rest = *self;
        for range in [&mut rest.low, &mut rest.high] {
            match *range {
                Some(r) if r.lo == value && r.hi == value => *range = None,
                Some(ref mut r) if r.lo == value => r.lo += step,
                Some(ref mut r) if r.hi == value => r.hi -= step,
                _ => {}
            }
        }
        rest.reduced()
    }
}
