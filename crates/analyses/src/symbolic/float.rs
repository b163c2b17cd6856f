//! Floating-point numbers as their bits.
//!
//! All of it is exact. Negation and comparison are terms over the bits (IEEE 754: a NaN is unequal to everything, −0 equals +0,
//! other numbers are ordered by sign and magnitude); arithmetic, conversions, and the library functions that are defined bit for
//! bit are operators of the logic.

use robusto_cfa::ir::{BinOp, Builtin, CastOp};
use robusto_logic::{FloatKind, FloatOp, Rounding, Term, Terms};

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
fn absolute(terms: &mut Terms, x: Term) -> Term {
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

/// Arithmetic.
pub(super) fn arithmetic(terms: &mut Terms, op: BinOp, a: Term, b: Term) -> Term {
    let kind = match op {
        BinOp::FAdd => FloatKind::Add,
        BinOp::FSub => FloatKind::Sub,
        BinOp::FMul => FloatKind::Mul,
        BinOp::FDiv => FloatKind::Div,
        _ => unreachable!("{op:?} is no arithmetic of floats"),
    };
    let width = terms.width(a);
    terms.float(FloatOp::nearest(kind), a, b, width)
}

/// A conversion from or to a float.
pub(super) fn convert(terms: &mut Terms, op: CastOp, x: Term, width: u16) -> Term {
    let kind = match op {
        CastOp::SToF => FloatKind::OfSigned,
        CastOp::UToF => FloatKind::OfUnsigned,
        CastOp::FToS => FloatKind::ToSigned,
        CastOp::FToU => FloatKind::ToUnsigned,
        CastOp::FToF => FloatKind::Convert,
        _ => unreachable!("{op:?} is no conversion of floats"),
    };
    terms.float_unary(FloatOp::nearest(kind), x, width)
}

/// The result of a library function, if it is defined bit for bit and has a circuit. The arguments have the type of the result.
pub(super) fn library(terms: &mut Terms, builtin: Builtin, args: &[Term]) -> Option<Term> {
    use Builtin::*;
    let width = terms.width(*args.first()?);
    let x = match (builtin, args) {
        (Fmod | Fmodf, &[x, y]) => return Some(terms.float(FloatOp::nearest(FloatKind::Fmod), x, y, width)),
        (Remainder | Remainderf, &[x, y]) => {
            return Some(terms.float(FloatOp::nearest(FloatKind::Remainder), x, y, width));
        }
        (Fma | Fmaf, &[x, y, z]) => {
            let factors = terms.concat(x, y);
            return Some(terms.float(FloatOp::nearest(FloatKind::Fma), factors, z, width));
        }
        (_, &[x]) => x,
        _ => return None,
    };
    let (kind, rounding) = match builtin {
        Fabs | Fabsf => return Some(absolute(terms, x)),
        Sqrt | Sqrtf => (FloatKind::Sqrt, Rounding::NearestEven),
        Floor | Floorf => (FloatKind::Round, Rounding::Down),
        Ceil | Ceilf => (FloatKind::Round, Rounding::Up),
        Trunc | Truncf => (FloatKind::Round, Rounding::Zero),
        Round | Roundf => (FloatKind::Round, Rounding::NearestAway),
        Rint | Rintf => (FloatKind::Round, Rounding::NearestEven),
        _ => return None,
    };
    Some(terms.float_unary(FloatOp { kind, rounding }, x, width))
}
