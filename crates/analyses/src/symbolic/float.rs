//! Floating-point numbers as their bits.
//!
//! Negation and comparison are exact (IEEE 754: a NaN is unequal to everything, −0 equals +0, other numbers are ordered
//! by sign and magnitude). Arithmetic and conversions of values that are not constant are uninterpreted functions.

use robusto_cfa::ir::{BinOp, CastOp, DataModel, Ty, fold};
use robusto_logic::{Term, Terms};

/// Exponent bits of a float of this many bits, and of its mantissa.
fn format(width: u16) -> (u16, u16) {
    if width == 32 { (8, 23) } else { (11, 52) }
}

fn is_nan(terms: &mut Terms, x: Term) -> Term {
    let width = terms.width(x);
    let (exponent, mantissa) = format(width);
    let magnitude = terms.extract(x, 0, width - 1);
    let infinity = terms.constant(width - 1, ((1 << exponent) - 1) << mantissa);
    terms.ult(infinity, magnitude)
}

/// The sign with its opposite.
pub(super) fn negate(terms: &mut Terms, x: Term) -> Term {
    let width = terms.width(x);
    let sign = terms.constant(width, 1 << (width - 1));
    terms.xor(x, sign)
}

/// Without the sign.
pub(super) fn absolute(terms: &mut Terms, x: Term) -> Term {
    let width = terms.width(x);
    let magnitude = terms.extract(x, 0, width - 1);
    terms.zext(magnitude, width)
}

/// A comparison of floats.
pub(super) fn compare(terms: &mut Terms, op: BinOp, a: Term, b: Term) -> Term {
    let width = terms.width(a);
    let (nan_a, nan_b) = (is_nan(terms, a), is_nan(terms, b));
    let unordered = terms.or(nan_a, nan_b);
    let ordered = terms.not(unordered);
    let (size_a, size_b) = (terms.extract(a, 0, width - 1), terms.extract(b, 0, width - 1));
    let zero = terms.constant(width - 1, 0);
    let either = terms.or(size_a, size_b);
    let zeros = terms.eq(either, zero);
    let same = terms.eq(a, b);
    let equal = terms.or(same, zeros);
    if matches!(op, BinOp::FEq | BinOp::FNe) {
        let equal = terms.and(ordered, equal);
        return if op == BinOp::FEq { equal } else { terms.not(equal) };
    }
    let (sign_a, sign_b) = (terms.extract(a, width - 1, 1), terms.extract(b, width - 1, 1));
    let (nearer, farther) = (terms.ult(size_b, size_a), terms.ult(size_a, size_b));
    let (yes, no) = (terms.yes(), terms.no());
    let if_negative = terms.ite(sign_b, nearer, yes);
    let if_positive = terms.ite(sign_b, no, farther);
    let less = terms.ite(sign_a, if_negative, if_positive);
    let result = if op == BinOp::FLt {
        let distinct = terms.not(zeros);
        terms.and(less, distinct)
    } else {
        terms.or(less, equal)
    };
    terms.and(ordered, result)
}

/// Arithmetic; whether it is exact.
pub(super) fn arithmetic(terms: &mut Terms, op: BinOp, ty: Ty, a: Term, b: Term) -> (Term, bool) {
    let width = terms.width(a);
    if let (Some(x), Some(y)) = (terms.as_const(a), terms.as_const(b)) {
        let value = fold::binary(op, ty, width.into(), x as u64, y as u64);
        return (terms.constant(width, value.into()), true);
    }
    let number = match op {
        BinOp::FAdd => 0,
        BinOp::FSub => 1,
        BinOp::FMul => 2,
        _ => 3,
    };
    // `float` and `double` have functions of their own: equal bits of different widths are different numbers.
    let format = if width == 32 { 0 } else { 1 };
    (terms.opaque(4 * format + number, a, b, width), false)
}

/// A conversion from or to a float; whether it is exact.
pub(super) fn convert(terms: &mut Terms, op: CastOp, from: Ty, to: Ty, model: DataModel, x: Term) -> (Term, bool) {
    let width = to.bits(model) as u16;
    if let Some(value) = terms.as_const(x) {
        let value = if from == Ty::Int(128) || to == Ty::Int(128) {
            fold::cast_wide(op, from, to, model, value)
        } else {
            fold::cast(op, from, to, model, value as u64).into()
        };
        return (terms.constant(width, value), true);
    }
    let code = |ty: Ty| match ty {
        Ty::Int(bits) => u32::from(bits),
        Ty::F32 => 129,
        Ty::F64 => 130,
        Ty::Ptr => 131,
    };
    let number = match op {
        CastOp::SToF => 0,
        CastOp::UToF => 1,
        CastOp::FToS => 2,
        CastOp::FToU => 3,
        _ => 4,
    };
    let nothing = terms.constant(1, 0);
    (terms.opaque(8 + (number * 132 + code(from)) * 132 + code(to), x, nothing, width), false)
}
