//! Floating-point numbers as their bits.
//!
//! All of it is exact. Negation and comparison are terms over the bits (IEEE 754: a NaN is unequal to everything, −0 equals +0,
//! other numbers are ordered by sign and magnitude); arithmetic, conversions, and the library functions that are defined bit for
//! bit are operators of the logic.

use robusto_cfa::ir::directed::Directed;
use robusto_cfa::ir::{BinOp, Builtin, CastOp};
use robusto_ieee::{COMPACT, EXTENDED, Format};
use robusto_logic::{FloatKind, FloatOp, Rounding, Term, Terms};

/// Exponent bits of a float of this many bits, and of its mantissa.
fn format(width: u16) -> (usize, usize) {
    let format = Format::of(width);
    (format.exponent, format.fraction)
}

/// A float in the layout of IEEE 754: of the 80 bits of x87 the leading one of the significand goes (see [`robusto_ieee::compact`]).
fn inner(terms: &mut Terms, x: Term) -> Term {
    if terms.width(x) != EXTENDED {
        return x;
    }
    let (fraction, leading) = (terms.extract(x, 0, 63), terms.extract(x, 63, 1));
    let (field, sign) = (terms.extract(x, 64, 15), terms.extract(x, 79, 1));
    let zero = terms.constant(15, 0);
    let lowest = terms.eq(field, zero);
    let wide = terms.zext(leading, 15);
    // The leading one counts the lowest exponent up; without it any other is invalid.
    let counted = terms.ite(lowest, wide, field);
    let upper = terms.concat(sign, counted);
    let number = terms.concat(upper, fraction);
    let invalid = terms.constant(COMPACT, Format::of(COMPACT).invalid());
    let either = terms.or(leading, lowest);
    terms.ite(either, number, invalid)
}

/// The way back, to a width.
fn outer(terms: &mut Terms, x: Term, width: u16) -> Term {
    if width != EXTENDED {
        return x;
    }
    let (fraction, field, upper) = (terms.extract(x, 0, 63), terms.extract(x, 63, 15), terms.extract(x, 63, 16));
    let zero = terms.constant(15, 0);
    let lowest = terms.eq(field, zero);
    let leading = terms.not(lowest);
    let upper = terms.concat(upper, leading);
    terms.concat(upper, fraction)
}

/// The width in which a float of some width is computed.
fn inner_width(width: u16) -> u16 {
    if width == EXTENDED { COMPACT } else { width }
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
    let (a, b) = (inner(terms, a), inner(terms, b));
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
    let (a, b) = (inner(terms, a), inner(terms, b));
    let result = terms.float(FloatOp::nearest(kind), a, b, inner_width(width));
    outer(terms, result, width)
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
    let (from_float, to_float) = match op {
        CastOp::SToF | CastOp::UToF => (false, true),
        CastOp::FToS | CastOp::FToU => (true, false),
        _ => (true, true),
    };
    let x = if from_float { inner(terms, x) } else { x };
    let result = terms.float_unary(FloatOp::nearest(kind), x, if to_float { inner_width(width) } else { width });
    if to_float { outer(terms, result, width) } else { result }
}

/// An operator that rounds in a direction, if it has a circuit; the result has `width` bits.
pub(super) fn directed(terms: &mut Terms, builtin: Builtin, args: &[Term], width: u16) -> Option<Term> {
    let (of, rounding) = robusto_cfa::ir::directed::directed(builtin)?;
    let kind = match of {
        Directed::Add => FloatKind::Add,
        Directed::Sub => FloatKind::Sub,
        Directed::Mul => FloatKind::Mul,
        Directed::Div => FloatKind::Div,
        Directed::Sqrt => FloatKind::Sqrt,
        Directed::Rint => FloatKind::Round,
        Directed::Fma => FloatKind::Fma,
        Directed::Convert => FloatKind::Convert,
        Directed::OfSigned => FloatKind::OfSigned,
        Directed::OfUnsigned => FloatKind::OfUnsigned,
    };
    let op = FloatOp { kind, rounding };
    let of_integer = matches!(of, Directed::OfSigned | Directed::OfUnsigned);
    let first = if of_integer { *args.first()? } else { inner(terms, *args.first()?) };
    let result = inner_width(width);
    let value = match (of, args) {
        (Directed::Fma, _) if width == EXTENDED => return None,
        (Directed::Fma, &[_, y, z]) => {
            let factors = terms.concat(first, y);
            terms.float(op, factors, z, result)
        }
        (Directed::Add | Directed::Sub | Directed::Mul | Directed::Div, &[_, y]) => {
            let y = inner(terms, y);
            terms.float(op, first, y, result)
        }
        _ => terms.float_unary(op, first, result),
    };
    Some(outer(terms, value, width))
}

/// The result of a library function, if it is defined bit for bit and has a circuit. The arguments have the type of the result.
pub(super) fn library(terms: &mut Terms, builtin: Builtin, args: &[Term]) -> Option<Term> {
    use Builtin::*;
    let width = terms.width(*args.first()?);
    let x = match (builtin, args) {
        (Fmod | Fmodf | Fmodl, &[x, y]) => return Some(remainder(terms, FloatKind::Fmod, x, y)),
        (Remainder | Remainderf | Remainderl, &[x, y]) => return Some(remainder(terms, FloatKind::Remainder, x, y)),
        (Fma | Fmaf, &[x, y, z]) => {
            let factors = terms.concat(x, y);
            return Some(terms.float(FloatOp::nearest(FloatKind::Fma), factors, z, width));
        }
        (_, &[x]) => x,
        _ => return None,
    };
    let (kind, rounding) = match builtin {
        Fabs | Fabsf | Fabsl => return Some(absolute(terms, x)),
        Sqrt | Sqrtf | Sqrtl => (FloatKind::Sqrt, Rounding::NearestEven),
        Floor | Floorf | Floorl => (FloatKind::Round, Rounding::Down),
        Ceil | Ceilf | Ceill => (FloatKind::Round, Rounding::Up),
        Trunc | Truncf | Truncl => (FloatKind::Round, Rounding::Zero),
        Round | Roundf | Roundl => (FloatKind::Round, Rounding::NearestAway),
        Rint | Rintf | Rintl | Roundeven | Roundevenf | Roundevenl => (FloatKind::Round, Rounding::NearestEven),
        _ => return None,
    };
    let x = inner(terms, x);
    let result = terms.float_unary(FloatOp { kind, rounding }, x, inner_width(width));
    Some(outer(terms, result, width))
}

fn remainder(terms: &mut Terms, kind: FloatKind, x: Term, y: Term) -> Term {
    let width = terms.width(x);
    let (x, y) = (inner(terms, x), inner(terms, y));
    let result = terms.float(FloatOp::nearest(kind), x, y, inner_width(width));
    outer(terms, result, width)
}
