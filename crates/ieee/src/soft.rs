//! Arithmetic on bits by integers, in every format and direction of rounding.
//!
//! A finite result is computed exactly, or with all that lies below its lowest bit or'ed into that bit, and rounded once. The
//! circuits of `robusto-logic` are made the same way and compared with these functions, these with the host's processor.

use crate::wide::Wide;
use crate::{Format, Rounding};

/// A finite number that is not zero: `significand * 2^exponent`.
#[derive(Clone, Copy)]
struct Exact {
    negative: bool,
    exponent: i64,
    significand: Wide,
}

/// The number of some bits, which are finite and not zero.
fn unpack(format: Format, bits: u128) -> Exact {
    let (field, fraction) = (magnitude(format, bits) >> format.fraction, bits & ((1 << format.fraction) - 1));
    let (significand, field) = if field == 0 { (fraction, 1) } else { (fraction | 1 << format.fraction, field) };
    let exponent = field as i64 - format.bias() as i64 - format.fraction as i64;
    Exact { negative: is_negative(format, bits), exponent, significand: Wide::new(significand) }
}

fn magnitude(format: Format, bits: u128) -> u128 {
    bits & !format.sign()
}

fn is_negative(format: Format, bits: u128) -> bool {
    bits & format.sign() != 0
}

fn is_infinite(format: Format, bits: u128) -> bool {
    magnitude(format, bits) == format.infinity()
}

fn is_zero(format: Format, bits: u128) -> bool {
    magnitude(format, bits) == 0
}

fn with_sign(format: Format, negative: bool, magnitude: u128) -> u128 {
    magnitude | if negative { format.sign() } else { 0 }
}

/// Whether a magnitude is made larger, by whether it is odd, the first bit behind it, and whether more follows.
fn rounds_up(rounding: Rounding, negative: bool, odd: bool, half: bool, more: bool) -> bool {
    match rounding {
        Rounding::NearestEven => half && (odd || more),
        Rounding::NearestAway => half,
        Rounding::Up => !negative && (half || more),
        Rounding::Down => negative && (half || more),
        Rounding::Zero => false,
    }
}

/// `significand * 2^exponent` with `lost` bits off: the rest and whether it is rounded up.
fn cut(rounding: Rounding, exact: Exact, lost: u32) -> u128 {
    let Exact { negative, significand, .. } = exact;
    if lost == 0 {
        return significand.low();
    }
    // One bit for the half, one for what is below.
    let kept = if lost == 1 { significand.shl(1) } else { significand.shr_sticky(lost - 2) };
    let bits = kept.low();
    let up = rounds_up(rounding, negative, bits & 4 != 0, bits & 2 != 0, bits & 1 != 0);
    kept.shr(2).low() + u128::from(up)
}

/// Rounds to a format.
fn pack(format: Format, rounding: Rounding, exact: Exact) -> u128 {
    let Exact { negative, mut exponent, mut significand } = exact;
    if significand.is_zero() {
        return with_sign(format, negative, 0);
    }
    let fraction = format.fraction as i64;
    let wanted = fraction + 1;
    let length = i64::from(significand.length());
    if length < wanted {
        significand = significand.shl((wanted - length) as u32);
        exponent -= wanted - length;
    }
    let least = 1 - format.bias() as i64 - fraction;
    let surplus = i64::from(significand.length()) - wanted;
    let lost = surplus.max(least - exponent).max(0);
    let field = exponent + lost - least;
    if field >= 1 << format.exponent {
        return beyond(format, rounding, negative);
    }
    let rounded = cut(rounding, Exact { significand, ..exact }, lost.min(255) as u32);
    // The leading one counts the exponent up, and so does a carry.
    let bits = rounded + ((field as u128) << format.fraction);
    if bits >= format.infinity() { beyond(format, rounding, negative) } else { with_sign(format, negative, bits) }
}

/// What is too large.
fn beyond(format: Format, rounding: Rounding, negative: bool) -> u128 {
    let infinite = match rounding {
        Rounding::NearestEven | Rounding::NearestAway => true,
        Rounding::Up => !negative,
        Rounding::Down => negative,
        Rounding::Zero => false,
    };
    with_sign(format, negative, format.infinity() - u128::from(!infinite))
}

/// The exact sum of two numbers; only bits far below the result are or'ed together.
fn sum(x: Exact, y: Exact) -> Exact {
    let (high, low) = if x.exponent >= y.exponent { (x, y) } else { (y, x) };
    let distance = high.exponent - low.exponent;
    // As far up as there is room, and the other one down by the rest.
    let room = i64::from(255 - high.significand.length());
    let up = distance.min(room);
    let exponent = high.exponent - up;
    let a = high.significand.shl(up as u32);
    let b = low.significand.shr_sticky((distance - up).min(256) as u32);
    let (negative, significand) = if high.negative == low.negative {
        (high.negative, a.add(b))
    } else if a >= b {
        (high.negative, a.sub(b))
    } else {
        (low.negative, b.sub(a))
    };
    Exact { negative, exponent, significand }
}

/// `a + b`
pub fn add(format: Format, rounding: Rounding, a: u128, b: u128) -> u128 {
    if format.is_nan(a) || format.is_nan(b) {
        return format.no_number(&[a, b]);
    }
    match (is_infinite(format, a), is_infinite(format, b)) {
        (true, true) if a != b => return format.invalid(),
        (true, _) => return a,
        (_, true) => return b,
        _ => {}
    }
    match (is_zero(format, a), is_zero(format, b)) {
        (true, true) => return if a == b { a } else { with_sign(format, rounding == Rounding::Down, 0) },
        (true, false) => return b,
        (false, true) => return a,
        _ => {}
    }
    let exact = sum(unpack(format, a), unpack(format, b));
    if exact.significand.is_zero() {
        return with_sign(format, rounding == Rounding::Down, 0);
    }
    pack(format, rounding, exact)
}

/// `a - b`
pub fn sub(format: Format, rounding: Rounding, a: u128, b: u128) -> u128 {
    if format.is_nan(a) || format.is_nan(b) {
        return format.no_number(&[a, b]);
    }
    add(format, rounding, a, b ^ format.sign())
}

/// `a * b`
pub fn mul(format: Format, rounding: Rounding, a: u128, b: u128) -> u128 {
    if format.is_nan(a) || format.is_nan(b) {
        return format.no_number(&[a, b]);
    }
    let negative = is_negative(format, a) != is_negative(format, b);
    let (infinite, zero) = (is_infinite(format, a) || is_infinite(format, b), is_zero(format, a) || is_zero(format, b));
    match (infinite, zero) {
        (true, true) => format.invalid(),
        (true, false) => with_sign(format, negative, format.infinity()),
        (false, true) => with_sign(format, negative, 0),
        (false, false) => pack(format, rounding, product(unpack(format, a), unpack(format, b))),
    }
}

fn product(x: Exact, y: Exact) -> Exact {
    Exact {
        negative: x.negative != y.negative,
        exponent: x.exponent + y.exponent,
        significand: Wide::product(x.significand.low(), y.significand.low()),
    }
}

/// `a / b`
pub fn div(format: Format, rounding: Rounding, a: u128, b: u128) -> u128 {
    if format.is_nan(a) || format.is_nan(b) {
        return format.no_number(&[a, b]);
    }
    let negative = is_negative(format, a) != is_negative(format, b);
    let infinite = (is_infinite(format, a), is_infinite(format, b));
    match (infinite, (is_zero(format, a), is_zero(format, b))) {
        ((true, true), _) | (_, (true, true)) => return format.invalid(),
        ((true, _), _) | (_, (_, true)) => return with_sign(format, negative, format.infinity()),
        ((_, true), _) | (_, (true, _)) => return with_sign(format, negative, 0),
        _ => {}
    }
    let (x, y) = (unpack(format, a), unpack(format, b));
    // The quotient of normalised significands, digit by digit: two more than the format has, and what is left.
    let wanted = format.fraction as u32 + 1;
    let normal = |exact: Exact| {
        let up = wanted - exact.significand.length();
        (exact.significand.low() << up, exact.exponent - i64::from(up))
    };
    let ((mut rest, high), (divisor, low)) = (normal(x), normal(y));
    let mut quotient = 0u128;
    for _ in 0..wanted + 2 {
        let fits = rest >= divisor;
        rest -= if fits { divisor } else { 0 };
        quotient = quotient << 1 | u128::from(fits);
        rest <<= 1;
    }
    let significand = Wide::new(quotient << 1 | u128::from(rest != 0));
    pack(format, rounding, Exact { negative, exponent: high - low - i64::from(wanted) - 2, significand })
}

/// The square root.
pub fn sqrt(format: Format, rounding: Rounding, a: u128) -> u128 {
    if format.is_nan(a) {
        return format.no_number(&[a]);
    }
    if is_zero(format, a) || a == format.infinity() {
        return a;
    }
    if is_negative(format, a) {
        return format.invalid();
    }
    let x = unpack(format, a);
    // An even exponent, and as many digits as the root needs, from the top down.
    let digits = format.fraction as u32 + 3;
    let mut up = 2 * digits - x.significand.length();
    if (x.exponent - i64::from(up)) % 2 != 0 {
        up -= 1;
    }
    let radicand = x.significand.shl(up);
    let (mut root, mut rest) = (0u128, 0u128);
    for digit in (0..digits).rev() {
        rest = rest << 2 | radicand.shr(2 * digit).low() & 3;
        let trial = root << 2 | 1;
        root <<= 1;
        if rest >= trial {
            rest -= trial;
            root |= 1;
        }
    }
    let significand = Wide::new(root << 1 | u128::from(rest != 0));
    pack(format, rounding, Exact { negative: false, exponent: (x.exponent - i64::from(up)) / 2 - 1, significand })
}

/// `a * b + c`, rounded once.
pub fn fma(format: Format, rounding: Rounding, a: u128, b: u128, c: u128) -> u128 {
    let infinite = is_infinite(format, a) || is_infinite(format, b);
    let zero = is_zero(format, a) || is_zero(format, b);
    if format.is_nan(a) || format.is_nan(b) || format.is_nan(c) {
        return format.no_number(&[a, b, c]);
    }
    if infinite && zero {
        return format.invalid();
    }
    let negative = is_negative(format, a) != is_negative(format, b);
    if infinite {
        return add(format, rounding, with_sign(format, negative, format.infinity()), c);
    }
    if is_infinite(format, c) {
        return c;
    }
    if zero {
        return add(format, rounding, with_sign(format, negative, 0), c);
    }
    let exact = product(unpack(format, a), unpack(format, b));
    if is_zero(format, c) {
        return pack(format, rounding, exact);
    }
    let exact = sum(exact, unpack(format, c));
    if exact.significand.is_zero() {
        return with_sign(format, rounding == Rounding::Down, 0);
    }
    pack(format, rounding, exact)
}

/// The nearest integer in a direction, as a float; zero keeps its sign.
pub fn integral(format: Format, rounding: Rounding, a: u128) -> u128 {
    if format.is_nan(a) {
        return format.no_number(&[a]);
    }
    if is_infinite(format, a) || is_zero(format, a) {
        return a;
    }
    let x = unpack(format, a);
    if x.exponent >= 0 {
        return a;
    }
    let whole = cut(rounding, x, x.exponent.unsigned_abs().min(255) as u32);
    pack(format, Rounding::Zero, Exact { exponent: 0, significand: Wide::new(whole), ..x })
}

/// An integer of 128 bits as a float.
pub fn of_integer(format: Format, rounding: Rounding, negative: bool, magnitude: u128) -> u128 {
    if magnitude == 0 {
        return 0;
    }
    pack(format, rounding, Exact { negative, exponent: 0, significand: Wide::new(magnitude) })
}

/// Toward zero, as a sign and a magnitude; what is beyond 128 bits is the greatest number of these, what is no number 0.
pub fn to_integer(format: Format, a: u128) -> (bool, u128) {
    if format.is_nan(a) || is_zero(format, a) {
        return (false, 0);
    }
    let negative = is_negative(format, a);
    if is_infinite(format, a) {
        return (negative, u128::MAX);
    }
    let x = unpack(format, a);
    let length = i64::from(x.significand.length());
    let value = if x.exponent <= 0 {
        x.significand.shr(x.exponent.unsigned_abs().min(256) as u32).low()
    } else if length + x.exponent > 128 {
        u128::MAX
    } else {
        x.significand.low() << x.exponent
    };
    (negative, value)
}

/// A number in another format. What is no number keeps its sign and the upper bits of its payload, and is made quiet.
pub fn convert(from: Format, to: Format, rounding: Rounding, a: u128) -> u128 {
    let negative = is_negative(from, a);
    if from.is_nan(a) {
        let fraction = a & ((1 << from.fraction) - 1);
        let payload = if to.fraction >= from.fraction {
            fraction << (to.fraction - from.fraction)
        } else {
            fraction >> (from.fraction - to.fraction)
        };
        return with_sign(to, negative, to.infinity() | to.quiet() | payload);
    }
    if is_infinite(from, a) || is_zero(from, a) {
        return with_sign(to, negative, if is_zero(from, a) { 0 } else { to.infinity() });
    }
    pack(to, rounding, unpack(from, a))
}

/// Whether two numbers are equal.
pub fn equal(format: Format, a: u128, b: u128) -> bool {
    !format.is_nan(a) && !format.is_nan(b) && (a == b || is_zero(format, a) && is_zero(format, b))
}

/// Whether a number is less than another.
pub fn less(format: Format, a: u128, b: u128) -> bool {
    if format.is_nan(a) || format.is_nan(b) || is_zero(format, a) && is_zero(format, b) {
        return false;
    }
    match (is_negative(format, a), is_negative(format, b)) {
        (true, false) => true,
        (false, true) => false,
        (false, false) => a < b,
        (true, true) => a > b,
    }
}
