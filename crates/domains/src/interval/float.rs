//! Floats: intervals of their bits.
//!
//! The half with a clear sign bit is the range of the positive floats by magnitude, the other one that of the negative floats, and
//! what is no number lies beyond infinity: that is [`Floats`], so a float needs no domain of its own, and its bounds are invariants
//! like any other's. The operators are those of [`robusto_ieee`]. They round to nearest, which keeps the order of numbers: the ends
//! of the result are results.

use super::{Interval, Range};
use crate::lattice::Lattice;
use robusto_cfa::ir::{BinOp, Builtin, CastOp};
use robusto_ieee::{Arithmetic, Comparison, Floats, Rounding};

impl Interval {
    /// The floats with these bits.
    pub fn floats(&self) -> Floats {
        let half = 1u64 << (self.width() - 1);
        let part = |range: Option<Range>, offset: u64| range.map(|r| (r.lo - offset, r.hi - offset));
        Floats::of_parts(self.width() as u16, part(self.low, 0), part(self.high, half))
    }

    /// The bits of some floats.
    pub fn of_floats(set: &Floats) -> Self {
        let width = u32::from(set.width());
        let half = 1u64 << (width - 1);
        let part =
            |range: Option<(u64, u64)>, offset: u64| range.map(|(lo, hi)| Range { lo: lo + offset, hi: hi + offset });
        let [positive, negative] = set.parts();
        Self { width: width as u8, known: 0, residue: 0, low: part(positive, 0), high: part(negative, half) }.reduced()
    }

    /// All results of an operator on floats.
    pub(super) fn float_binary(op: BinOp, a: &Self, b: &Self) -> Self {
        let (x, y) = (a.floats(), b.floats());
        if let Some(op) = arithmetic(op) {
            return Self::of_floats(&Floats::arithmetic(op, &x, &y));
        }
        let Some((comparison, negated)) = comparison(op) else { return Self::top(a.width()) };
        match comparison.outcomes(&x, &y) {
            (true, true) => Self::top(1),
            (false, false) => Self::bottom(1),
            (yes, _) => Self::truth(yes != negated),
        }
    }

    /// The operands for which an operator on floats can give a value in `result`.
    pub(super) fn refine_float_binary(op: BinOp, a: &Self, b: &Self, result: &Self) -> (Self, Self) {
        let (x, y) = (a.floats(), b.floats());
        let (x, y) = if let Some(op) = arithmetic(op) {
            Floats::arithmetic_back(op, &x, &y, &result.floats())
        } else if let (Some((comparison, negated)), Some(truth)) = (comparison(op), result.as_constant()) {
            comparison.operands((truth == 1) != negated, &x, &y)
        } else {
            return (*a, *b);
        };
        (a.meet(&Self::of_floats(&x)), b.meet(&Self::of_floats(&y)))
    }

    /// The floats with the opposite signs.
    pub(super) fn float_negated(&self) -> Self {
        Self::of_floats(&self.floats().negated())
    }

    /// All results of a conversion from or to floats.
    pub(super) fn float_cast(op: CastOp, a: &Self, width: u32) -> Self {
        let bounds = if op == CastOp::SToF { wide(a.signed_bounds()) } else { wide(a.unsigned_bounds()) };
        match op {
            CastOp::SToF | CastOp::UToF => match bounds {
                Some((lo, hi)) => Self::of_floats(&Floats::of_integers(width as u16, lo, hi)),
                None => Self::bottom(width),
            },
            CastOp::FToF => Self::of_floats(&a.floats().converted(width as u16)),
            CastOp::FToS | CastOp::FToU => match a.floats().to_integers(limits(op, width)) {
                Some((lo, hi)) => integers(op, width, lo, hi),
                None => Self::bottom(width),
            },
            _ => unreachable!("{op:?} is no conversion of floats"),
        }
    }

    /// The operands for which a conversion from or to floats can give a value in `result`.
    pub(super) fn refine_float_cast(op: CastOp, a: &Self, result: &Self) -> Self {
        let (from, to) = (a.width(), result.width());
        let bounds = |x: &Self, signed: bool| if signed { wide(x.signed_bounds()) } else { wide(x.unsigned_bounds()) };
        let back = match op {
            CastOp::SToF | CastOp::UToF => {
                let operands = bounds(a, op == CastOp::SToF).and_then(|old| result.floats().of_integers_back(old));
                operands.map_or(Self::bottom(from), |(lo, hi)| integers(op, from, lo, hi))
            }
            CastOp::FToF => Self::of_floats(&a.floats().converted_back(&result.floats())),
            CastOp::FToS | CastOp::FToU => match bounds(result, op == CastOp::FToS) {
                Some(wanted) => Self::of_floats(&a.floats().to_integers_back(wanted, limits(op, to))),
                None => Self::bottom(from),
            },
            _ => unreachable!("{op:?} is no conversion of floats"),
        };
        a.meet(&back)
    }

    /// All results of a library function on floats, if it is one that is defined bit for bit.
    pub fn library(builtin: Builtin, args: &[Self]) -> Option<Self> {
        use Builtin::*;
        let first = args.first().filter(|x| matches!(x.width(), 32 | 64))?.floats();
        let result = match (builtin, args) {
            (Fabs | Fabsf, [_]) => first.absolute(),
            (Sqrt | Sqrtf, [_]) => first.root(),
            (Floor | Floorf, [_]) => first.integral(Rounding::Down),
            (Ceil | Ceilf, [_]) => first.integral(Rounding::Up),
            (Trunc | Truncf, [_]) => first.integral(Rounding::Zero),
            (Round | Roundf, [_]) => first.integral(Rounding::NearestAway),
            (Rint | Rintf, [_]) => first.integral(Rounding::NearestEven),
            (Fmod | Fmodf, [_, second]) => Floats::fmod(&first, &second.floats()),
            _ => return None,
        };
        Some(Self::of_floats(&result))
    }
}

fn arithmetic(op: BinOp) -> Option<Arithmetic> {
    Some(match op {
        BinOp::FAdd => Arithmetic::Add,
        BinOp::FSub => Arithmetic::Sub,
        BinOp::FMul => Arithmetic::Mul,
        BinOp::FDiv => Arithmetic::Div,
        _ => return None,
    })
}

/// The comparison, and whether the operator is its negation.
fn comparison(op: BinOp) -> Option<(Comparison, bool)> {
    Some(match op {
        BinOp::FEq => (Comparison::Equal, false),
        BinOp::FNe => (Comparison::Equal, true),
        BinOp::FLt => (Comparison::Less, false),
        BinOp::FLe => (Comparison::LessEqual, false),
        _ => return None,
    })
}

fn wide<N: Into<i128>>(bounds: Option<(N, N)>) -> Option<(i128, i128)> {
    bounds.map(|(lo, hi)| (lo.into(), hi.into()))
}

fn limits(op: CastOp, width: u32) -> (i128, i128) {
    let half = 1i128 << (width - 1);
    if op == CastOp::FToS { (-half, half - 1) } else { (0, 2 * half - 1) }
}

fn integers(op: CastOp, width: u32, lo: i128, hi: i128) -> Interval {
    if matches!(op, CastOp::FToS | CastOp::SToF) {
        Interval::signed(width, lo as i64, hi as i64)
    } else {
        Interval::unsigned(width, lo as u64, hi as u64)
    }
}
