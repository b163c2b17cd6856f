//! Floating-point conversions of `printf`.
//!
//! Rust's `{:.*}` and `{:.*e}` round the exact decimal expansion to nearest even, as the C library does.

use super::format::Spec;

/// More digits after the point than any double has; further ones are zeros. (Rust's own limit is 65,535.)
const DIGITS: usize = 1100;

/// The digits of a number without sign, for conversion `f`, `e`, `g` or `a` in either case.
pub(super) fn magnitude(value: f64, conversion: u8, spec: Spec) -> String {
    let text = if !value.is_finite() {
        (if value.is_nan() { "nan" } else { "inf" }).to_owned()
    } else {
        let precision = spec.precision.unwrap_or(6);
        match conversion.to_ascii_lowercase() {
            b'f' => fixed(value, precision, spec.alternate),
            b'e' => exponential(value, precision, spec.alternate),
            b'g' => general(value, precision.max(1), spec.alternate),
            _ => hexadecimal(value, spec.precision, spec.alternate),
        }
    };
    if conversion.is_ascii_uppercase() { text.to_ascii_uppercase() } else { text }
}

fn fixed(value: f64, precision: usize, point: bool) -> String {
    let mut text = format!("{value:.*}", precision.min(DIGITS));
    text.extend(std::iter::repeat_n('0', precision.saturating_sub(DIGITS)));
    if precision == 0 && point {
        text.push('.');
    }
    text
}

/// Digits and exponent of `d.ddde±x`.
fn decimal(value: f64, precision: usize) -> (String, i32) {
    let text = format!("{value:.*e}", precision.min(DIGITS));
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let mut digits = digits.to_owned();
    digits.extend(std::iter::repeat_n('0', precision.saturating_sub(DIGITS)));
    (digits, exponent.parse().unwrap_or(0))
}

fn with_exponent(mut digits: String, exponent: i32) -> String {
    digits.push_str(&format!("e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs()));
    digits
}

fn exponential(value: f64, precision: usize, point: bool) -> String {
    let (mut digits, exponent) = decimal(value, precision);
    if precision == 0 && point {
        digits.push('.');
    }
    with_exponent(digits, exponent)
}

/// `%g`: C11 7.21.6.1, paragraph 8; `precision` is at least 1.
fn general(value: f64, precision: usize, alternate: bool) -> String {
    let (digits, exponent) = decimal(value, precision - 1);
    let keep = |digits: String| {
        if alternate {
            return if digits.contains('.') { digits } else { digits + "." };
        }
        match digits.contains('.') {
            true => digits.trim_end_matches('0').trim_end_matches('.').to_owned(),
            false => digits,
        }
    };
    if exponent < -4 || exponent >= precision as i32 {
        return with_exponent(keep(digits), exponent);
    }
    keep(fixed(value, (precision as i32 - 1 - exponent) as usize, false))
}

/// `%a` without the `0x`: one digit before the point (0 for subnormal numbers), rounded to nearest even.
fn hexadecimal(value: f64, precision: Option<usize>, point: bool) -> String {
    const FRACTION: u32 = 52;
    let bits = value.to_bits();
    let fraction = bits & ((1 << FRACTION) - 1);
    let biased = (bits >> FRACTION) as i32;
    let (leading, exponent) = match biased {
        0 if fraction == 0 => (0, 0),
        0 => (0, -1022),
        _ => (1, biased - 1023),
    };
    let mut number = leading << FRACTION | fraction;
    let wanted = precision.unwrap_or(13);
    if wanted < 13 {
        let cut = 4 * (13 - wanted as u32);
        let (half, below) = (1u64 << (cut - 1), number & ((1 << cut) - 1));
        number >>= cut;
        number += u64::from(below > half || below == half && number & 1 == 1);
        number <<= cut;
    }
    let mut digits = format!("{:013x}", number & ((1 << FRACTION) - 1));
    match precision {
        Some(precision) if precision <= 13 => digits.truncate(precision),
        Some(precision) => digits.extend(std::iter::repeat_n('0', precision - 13)),
        None => digits.truncate(digits.trim_end_matches('0').len()),
    }
    let dot = if digits.is_empty() && !point { "" } else { "." };
    format!("{:x}{dot}{digits}p{exponent:+}", number >> FRACTION)
}
