//! Remainders, bit for bit: `fmod` (the quotient is rounded toward zero) and `remainder` (to nearest even).
//!
//! Both are exact: a multiple of the lower one of two exponents that is less than a divisor is a float. Integers do it: significands
//! are divided bit by bit, as long as the exponents are apart. That is independent of the host's functions, with which it is
//! compared.

use crate::Format;

/// The remainder of `a / b` with the quotient rounded toward zero; of 16, 32 or 64 bits.
pub fn fmod(width: u16, a: u128, b: u128) -> u128 {
    divided(width, a, b).map_or_else(|bits| bits, |division| division.encode(width, a))
}

/// The remainder with the quotient rounded to nearest even.
pub fn remainder(width: u16, a: u128, b: u128) -> u128 {
    let mut division = match divided(width, a, b) {
        Ok(division) => division,
        Err(bits) => return bits,
    };
    let twice = 2 * division.rest;
    if twice > division.divisor || twice == division.divisor && division.odd {
        division.rest = division.divisor - division.rest;
        return division.encode(width, a ^ Format::of(width).sign());
    }
    division.encode(width, a)
}

/// A division of magnitudes: the rest and the divisor as multiples of 2^exponent, and the lowest bit of the quotient.
struct Division {
    rest: u128,
    divisor: u128,
    exponent: i64,
    odd: bool,
}

/// The division, or the bits of the result where there is none.
fn divided(width: u16, a: u128, b: u128) -> Result<Division, u128> {
    let format = Format::of(width);
    let magnitude = |x: u128| x & !format.sign();
    let is_invalid = magnitude(a) >= format.infinity() || magnitude(b) == 0 || format.is_nan(b);
    if is_invalid {
        return Err(format.no_number(&[a, b]));
    }
    if magnitude(b) == format.infinity() {
        return Err(a);
    }
    // The value is a significand times 2^exponent; the lowest exponent is that of subnormal numbers.
    let split = |x: u128| {
        let (field, fraction) = (magnitude(x) >> format.fraction, x & ((1 << format.fraction) - 1));
        if field == 0 { (fraction, 1) } else { (fraction | 1 << format.fraction, field as i64) }
    };
    let ((mut rest, high), (divisor, low)) = (split(a), split(b));
    if high < low {
        // The divisor is normal, so it is larger by far where the exponents are far apart.
        if low - high > 64 {
            return Err(a);
        }
        let divisor = divisor << (low - high);
        return Ok(Division { rest: rest % divisor, divisor, exponent: high, odd: rest / divisor % 2 == 1 });
    }
    let mut odd = rest / divisor % 2 == 1;
    rest %= divisor;
    for _ in low..high {
        rest *= 2;
        odd = rest >= divisor;
        if odd {
            rest -= divisor;
        }
    }
    Ok(Division { rest, divisor, exponent: low, odd })
}

impl Division {
    /// The rest as a float, with the sign of another one.
    fn encode(&self, width: u16, sign: u128) -> u128 {
        let format = Format::of(width);
        let sign = sign & format.sign();
        let length = 128 - i64::from(self.rest.leading_zeros());
        // How far the significand may be moved up until it has its leading one, or the exponent is the lowest.
        let room = format.fraction as i64 + 1 - length;
        let up = room.min(self.exponent - 1);
        let significand = if up >= 0 { self.rest << up } else { self.rest >> -up };
        let field = self.exponent - up - 1;
        // The leading one counts the exponent up.
        sign | if self.rest == 0 { 0 } else { significand + ((field as u128) << format.fraction) }
    }
}
