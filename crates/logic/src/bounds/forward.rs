//! From operands to results.

use super::floats;
use super::values::Values;
use crate::term::BinaryOp;

/// The complement.
pub(super) fn not(x: &Values) -> Values {
    let all = (1i128 << x.width) - 1;
    let bounds = Values::integers(x.width, -1 - x.signed.1, -1 - x.signed.0);
    let other = Values::integers(x.width, all - x.unsigned.1, all - x.unsigned.0);
    let low = Values::low(x.width, x.low.0, !x.low.1);
    both(&both(&bounds, &other), &low)
}

/// x + factor · y, for a factor of 1 or -1.
pub(super) fn sum(x: &Values, factor: i128, y: &Values) -> Values {
    let of = |(a, b): (i128, i128), (c, d): (i128, i128)| {
        let (c, d) = if factor < 0 { (-d, -c) } else { (c, d) };
        Values::integers(x.width, a + c, b + d)
    };
    let low = Values::low(x.width, x.low.0.min(y.low.0), x.low.1 + factor * y.low.1);
    both(&both(&of(x.signed, y.signed), &of(x.unsigned, y.unsigned)), &low)
}

/// An operator that gives a word of the same width.
pub(super) fn binary(op: BinaryOp, x: &Values, y: &Values) -> Values {
    let width = x.width;
    match op {
        BinaryOp::Add => sum(x, 1, y),
        BinaryOp::Sub => sum(x, -1, y),
        BinaryOp::Mul => product(x, y),
        BinaryOp::UDiv if y.unsigned.0 > 0 => {
            Values::integers(width, x.unsigned.0 / y.unsigned.1, x.unsigned.1 / y.unsigned.0)
        }
        BinaryOp::SDiv => quotient(x, y),
        BinaryOp::URem if y.unsigned.0 > 0 => remainder(width, x.unsigned, y.unsigned.1, y.as_constant()),
        BinaryOp::SRem if y.signed.0 > 0 || y.signed.1 < 0 => {
            // The sign of the divisor does not matter.
            let largest = y.signed.0.abs().max(y.signed.1.abs());
            remainder(width, x.signed, largest, y.as_constant().map(|_| y.signed.0.abs()))
        }
        BinaryOp::And => {
            let bounds = Values::integers(width, 0, x.unsigned.1.min(y.unsigned.1));
            both(&bounds, &Values::low(width, x.low.0.min(y.low.0), x.low.1 & y.low.1))
        }
        BinaryOp::Or => {
            let bounds = Values::integers(width, x.unsigned.0.max(y.unsigned.0), ones(x.unsigned.1 | y.unsigned.1));
            both(&bounds, &Values::low(width, x.low.0.min(y.low.0), x.low.1 | y.low.1))
        }
        // The other sign of a float.
        BinaryOp::Xor if x.is_sign() || y.is_sign() => {
            let [low, high] = floats::halves(if y.is_sign() { x } else { y });
            floats::of_halves(width, [high, low]).unwrap_or(Values::any(width))
        }
        BinaryOp::Xor => {
            let bounds = Values::integers(width, 0, ones(x.unsigned.1 | y.unsigned.1));
            both(&bounds, &Values::low(width, x.low.0.min(y.low.0), x.low.1 ^ y.low.1))
        }
        BinaryOp::Shl => match y.as_constant() {
            Some(shift) if shift < width.into() => product(x, &Values::constant(width, 1 << shift)),
            Some(_) => Values::constant(width, 0),
            None => Values::any(width),
        },
        BinaryOp::LShr => match y.as_constant() {
            Some(shift) if shift < width.into() => {
                Values::integers(width, x.unsigned.0 >> shift, x.unsigned.1 >> shift)
            }
            Some(_) => Values::constant(width, 0),
            None => Values::integers(width, 0, x.unsigned.1),
        },
        BinaryOp::AShr => match y.as_constant() {
            Some(shift) => {
                let shift = shift.min(i128::from(width) - 1);
                Values::integers(width, x.signed.0 >> shift, x.signed.1 >> shift)
            }
            None => Values::any(width),
        },
        BinaryOp::Eq | BinaryOp::ULt | BinaryOp::ULe | BinaryOp::SLt | BinaryOp::SLe => comparison(op, x, y),
        BinaryOp::UDiv | BinaryOp::URem | BinaryOp::SRem => Values::any(width),
    }
}

fn comparison(op: BinaryOp, x: &Values, y: &Values) -> Values {
    let decided = match op {
        BinaryOp::Eq => match (x.as_constant(), y.as_constant()) {
            (Some(a), Some(b)) => Some(a == b),
            _ => x.meet(y).is_none().then_some(false),
        },
        BinaryOp::ULt => less(x.unsigned, y.unsigned),
        BinaryOp::SLt => less(x.signed, y.signed),
        BinaryOp::ULe => less(y.unsigned, x.unsigned).map(|less| !less),
        _ => less(y.signed, x.signed).map(|less| !less),
    };
    decided.map_or(Values::any(1), Values::truth)
}

fn less(x: (i128, i128), y: (i128, i128)) -> Option<bool> {
    if x.1 < y.0 {
        Some(true)
    } else if x.0 >= y.1 {
        Some(false)
    } else {
        None
    }
}

fn product(x: &Values, y: &Values) -> Values {
    let of = |(a, b): (i128, i128), (c, d): (i128, i128)| {
        let corners = [a.checked_mul(c)?, a.checked_mul(d)?, b.checked_mul(c)?, b.checked_mul(d)?];
        Some(Values::integers(x.width, *corners.iter().min()?, *corners.iter().max()?))
    };
    // (r + 2^k·u)(s + 2^l·v): what is not r·s is a multiple of 2^k·s, 2^l·r or 2^(k+l).
    let zeros = |(known, bits): (u16, i128)| if bits == 0 { known } else { bits.trailing_zeros() as u16 };
    let known = (x.low.0 + zeros(y.low)).min(y.low.0 + zeros(x.low)).min(x.width);
    let low = Values::low(x.width, known, x.low.1.wrapping_mul(y.low.1));
    let bounds = of(x.signed, y.signed).into_iter().chain(of(x.unsigned, y.unsigned));
    bounds.fold(low, |all, more| both(&all, &more))
}

fn quotient(x: &Values, y: &Values) -> Values {
    let ((a, b), (c, d)) = (x.signed, y.signed);
    if c <= 0 && d >= 0 {
        return Values::any(x.width);
    }
    // Monotone in the dividend, and in the divisor on each side of 0.
    let corners = [a / c, a / d, b / c, b / d];
    let (lo, hi) = corners.iter().fold((i128::MAX, i128::MIN), |(lo, hi), &corner| (lo.min(corner), hi.max(corner)));
    Values::integers(x.width, lo, hi)
}

/// The remainder of a division toward zero by a positive number that is at most `largest`.
fn remainder(width: u16, (lo, hi): (i128, i128), largest: i128, divisor: Option<i128>) -> Values {
    if let Some(divisor) = divisor
        && lo / divisor == hi / divisor
        && (lo >= 0 || hi <= 0)
    {
        let multiple = lo / divisor * divisor;
        return Values::integers(width, lo - multiple, hi - multiple);
    }
    let least = if lo >= 0 { 0 } else { lo.max(1 - largest) };
    let most = if hi <= 0 { 0 } else { hi.min(largest - 1) };
    Values::integers(width, least, most)
}

/// Bits from `lo` on.
pub(super) fn extract(x: &Values, lo: u16, width: u16) -> Values {
    let bounds = Values::integers(width, x.unsigned.0 >> lo, x.unsigned.1 >> lo);
    let known = x.low.0.saturating_sub(lo).min(width);
    let low = both(&bounds, &Values::low(width, known, x.low.1 >> lo));
    if lo > 0 {
        return low;
    }
    let low = both(&low, &Values::integers(width, x.signed.0, x.signed.1));
    if width + 1 < x.width {
        return low;
    }
    // All but the highest bit, as in magnitudes of floats.
    let parts = floats::halves(x).into_iter().flatten();
    let magnitudes = parts.map(|(lo, hi)| Values::integers(width, lo.into(), hi.into())).reduce(|a, b| a.hull(&b));
    magnitudes.map_or(low, |magnitudes| both(&low, &magnitudes))
}

/// One word above another.
pub(super) fn concat(high: &Values, low: &Values) -> Values {
    let (width, shift) = (high.width + low.width, low.width);
    let bounds = Values::integers(
        width,
        (high.unsigned.0 << shift) + low.unsigned.0,
        (high.unsigned.1 << shift) + low.unsigned.1,
    );
    let known = if low.low.0 == shift { shift + high.low.0 } else { low.low.0 };
    both(&bounds, &Values::low(width, known, low.low.1 | high.low.1 << shift))
}

/// A word with these bounds and low bits at a greater width.
pub(super) fn resized(width: u16, bounds: (i128, i128), low: (u16, i128)) -> Values {
    both(&Values::integers(width, bounds.0, bounds.1), &Values::low(width, low.0, low.1))
}

/// The least number with all bits 1 that is at least so large.
fn ones(value: i128) -> i128 {
    (1i128 << (128 - value.leading_zeros())) - 1
}

/// Both are right, so they have something in common.
pub(super) fn both(x: &Values, y: &Values) -> Values {
    x.meet(y).unwrap_or(*x)
}
