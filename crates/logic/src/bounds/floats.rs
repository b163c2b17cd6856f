//! Operators on floats, and the two halves of words that are floats.
//!
//! Signed and unsigned bounds together are a range for the words with a clear sign and one for those with the sign set: what
//! [`Floats`] has.

use super::values::Values;
use super::{Known, backward::narrow};
use crate::term::{FloatKind, FloatOp, Rounding};
use robusto_ieee::{Arithmetic, Floats};

/// The words with the highest bit clear and those with it set, without that bit.
pub(super) fn halves(x: &Values) -> [Option<(u64, u64)>; 2] {
    let half = 1i128 << (x.width - 1);
    let valid = |lo: i128, hi: i128| (lo <= hi).then_some((lo as u64, hi as u64));
    let low = valid(x.unsigned.0.max(x.signed.0).max(0), x.unsigned.1.min(x.signed.1).min(half - 1));
    // As signed numbers these are from -half to -1.
    let lo = (x.unsigned.0 - half).max(x.signed.0 + half).max(0);
    let hi = (x.unsigned.1 - half).min(x.signed.1 + half).min(half - 1);
    [low, valid(lo, hi)]
}

/// The words with these halves; nothing if there are none.
pub(super) fn of_halves(width: u16, parts: [Option<(u64, u64)>; 2]) -> Option<Values> {
    let half = 1i128 << (width - 1);
    let of = |part: Option<(u64, u64)>, offset: i128| {
        part.map(|(lo, hi)| (i128::from(lo) + offset, i128::from(hi) + offset))
    };
    let (low, high) = (of(parts[0], 0), of(parts[1], half));
    let (first, last) = (low.or(high)?, high.or(low)?);
    let below = of(parts[1], -half);
    let (least, most) = (below.or(low)?, low.or(below)?);
    Values { unsigned: (first.0, last.1), signed: (least.0, most.1), ..Values::any(width) }.reduced()
}

/// The floats among some words.
pub(super) fn floats(x: &Values) -> Floats {
    let [positive, negative] = halves(x);
    Floats::of_parts(x.width, positive, negative)
}

fn words(set: &Floats) -> Option<Values> {
    of_halves(set.width(), set.parts())
}

/// Whether bounds of an operator with these widths of operand and result are known.
pub(super) fn is_known(op: FloatOp, from: u16, to: u16) -> bool {
    use FloatKind::*;
    let is_float = |width: u16| matches!(width, 32 | 64);
    let nearest = op.rounding == Rounding::NearestEven;
    match op.kind {
        Add | Sub | Mul | Div | Sqrt => nearest && is_float(to),
        Convert => nearest && is_float(from) && is_float(to),
        Round | Fmod => is_float(to),
        OfSigned | OfUnsigned => nearest && is_float(to),
        ToSigned | ToUnsigned => is_float(from),
        Remainder | Fma => false,
    }
}

fn arithmetic(kind: FloatKind) -> Option<Arithmetic> {
    Some(match kind {
        FloatKind::Add => Arithmetic::Add,
        FloatKind::Sub => Arithmetic::Sub,
        FloatKind::Mul => Arithmetic::Mul,
        FloatKind::Div => Arithmetic::Div,
        _ => return None,
    })
}

/// Bounds of the integers of a width, as an operator reads or writes them.
fn limits(kind: FloatKind, width: u16) -> (i128, i128) {
    let any = Values::any(width);
    if matches!(kind, FloatKind::OfSigned | FloatKind::ToSigned) { any.signed } else { any.unsigned }
}

fn integers(kind: FloatKind, x: &Values) -> (i128, i128) {
    if matches!(kind, FloatKind::OfSigned | FloatKind::ToSigned) { x.signed } else { x.unsigned }
}

/// The results of an operator, of so many bits. Nothing if there is no operand.
pub(super) fn up(op: FloatOp, a: &Values, b: &Values, width: u16) -> Option<Values> {
    use FloatKind::*;
    let set = match op.kind {
        OfSigned | OfUnsigned => {
            let (lo, hi) = integers(op.kind, a);
            Floats::of_integers(width, lo, hi)
        }
        ToSigned | ToUnsigned => {
            let (lo, hi) = floats(a).to_integers(limits(op.kind, width))?;
            return Some(Values::integers(width, lo, hi));
        }
        Sqrt => floats(a).root(),
        Round => floats(a).integral(op.rounding),
        Convert => floats(a).converted(width),
        Fmod => Floats::fmod(&floats(a), &floats(b)),
        kind => Floats::arithmetic(arithmetic(kind)?, &floats(a), &floats(b)),
    };
    words(&set)
}

/// What a result tells of the operands: whether something has become narrower; nothing if no value is left.
pub(super) fn down(op: FloatOp, at: usize, (a, b): (usize, usize), known: &mut Known) -> Option<bool> {
    use FloatKind::*;
    let result = known[at];
    if let Some(kind) = arithmetic(op.kind) {
        let (x, y) = Floats::arithmetic_back(kind, &floats(&known[a]), &floats(&known[b]), &floats(&result));
        let first = narrow(known, a, &words(&x)?)?;
        return Some(narrow(known, b, &words(&y)?)? || first);
    }
    let operand = known[a];
    let narrower = match op.kind {
        OfSigned | OfUnsigned => {
            let (lo, hi) = floats(&result).of_integers_back(integers(op.kind, &operand))?;
            Values::integers(operand.width, lo, hi)
        }
        ToSigned | ToUnsigned => {
            let bounds = integers(op.kind, &result);
            words(&floats(&operand).to_integers_back(bounds, limits(op.kind, result.width)))?
        }
        Sqrt => words(&floats(&operand).root_back(&floats(&result)))?,
        Convert => words(&floats(&operand).converted_back(&floats(&result)))?,
        _ => return Some(false),
    };
    narrow(known, a, &narrower)
}
