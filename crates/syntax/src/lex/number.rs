//! Numeric literals.
//!
//! A floating literal is rounded to double and to float, each once and correctly: decimal ones by the standard library,
//! hexadecimal ones by `HexFloat::round`.

use super::extended;
use crate::ast::{Base, FloatLit, FloatSuffix, IntLit};

/// A number as written.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Number {
    /// An integer.
    Int(IntLit),
    /// A floating literal.
    Float(FloatLit),
}

/// Longest literal quoted whole in a message.
const SHOWN: usize = 40;

/// Reads a preprocessing number. The error is the message for the user.
pub fn read(text: &str) -> Result<Number, String> {
    read_as(text, text.get(..SHOWN).unwrap_or(text))
}

/// Reads `text`, which messages call `shown`.
fn read_as(text: &str, shown: &str) -> Result<Number, String> {
    if let Some(value) = short_decimal(text.as_bytes()) {
        let base = if value == 0 { Base::Other } else { Base::Decimal };
        return Ok(Number::Int(IntLit { value, base, unsigned: false, longs: 0, imaginary: false }));
    }
    let lower = text.to_ascii_lowercase();
    if let Some(digits) = lower.strip_prefix("0x") {
        let hexadecimal = |b: u8| b.is_ascii_hexdigit();
        return if digits.contains(['.', 'p']) {
            hex_float(digits, shown)
        } else {
            integer(digits, hexadecimal, 16, shown)
        };
    }
    if let Some(digits) = lower.strip_prefix("0b") {
        return integer(digits, |b| b.is_ascii_digit(), 2, shown);
    }
    let mantissa = lower.bytes().take_while(|b| b.is_ascii_digit() || *b == b'.').count();
    if lower[..mantissa].contains('.') || lower[mantissa..].starts_with('e') {
        return decimal_float(&lower, mantissa, shown);
    }
    let radix = if lower.starts_with('0') { 8 } else { 10 };
    integer(&lower, |b| b.is_ascii_digit(), radix, shown)
}

/// The value of a short decimal integer without suffix: nearly all literals, so they are spared the long way.
fn short_decimal(digits: &[u8]) -> Option<u128> {
    let short = matches!(digits, [b'0'] | [b'1'..=b'9', ..]) && digits.len() <= 18;
    let plain = short && digits.iter().all(u8::is_ascii_digit);
    plain.then(|| u128::from(digits.iter().fold(0u64, |value, digit| value * 10 + u64::from(digit - b'0'))))
}

fn integer(lower: &str, is_digit: impl Fn(u8) -> bool, radix: u32, text: &str) -> Result<Number, String> {
    let count = lower.bytes().take_while(|&b| is_digit(b)).count();
    let (digits, suffix) = lower.split_at(count);
    if digits.is_empty() {
        return Err(format!("`{text}` has no digits"));
    }
    if let Some(wrong) = digits.chars().find(|c| !c.is_digit(radix)) {
        return Err(format!("digit `{wrong}` does not belong to a number of base {radix}"));
    }
    let value = u128::from_str_radix(digits, radix).map_err(|_| format!("`{text}` exceeds 128 bits"))?;
    let base = if radix == 10 { Base::Decimal } else { Base::Other };
    let mut literal = IntLit { value, base, unsigned: false, longs: 0, imaginary: false };
    let mut rest = suffix;
    while !rest.is_empty() {
        let (taken, fresh) = if let Some(after) = rest.strip_prefix("ll") {
            (after, std::mem::replace(&mut literal.longs, 2) == 0)
        } else if let Some(after) = rest.strip_prefix('l') {
            (after, std::mem::replace(&mut literal.longs, 1) == 0)
        } else if let Some(after) = rest.strip_prefix('u') {
            (after, !std::mem::replace(&mut literal.unsigned, true))
        } else if let Some(after) = rest.strip_prefix(['i', 'j']) {
            (after, !std::mem::replace(&mut literal.imaginary, true))
        } else {
            (rest, false)
        };
        if !fresh {
            return Err(format!("suffix `{suffix:.20}` does not belong to an integer"));
        }
        rest = taken;
    }
    Ok(Number::Int(literal))
}

/// Suffixes of floating literals, and what they stand for.
const SUFFIXES: &[(&str, FloatSuffix)] = &[
    ("f128", FloatSuffix::Float128),
    ("f64x", FloatSuffix::LongDouble),
    ("f32x", FloatSuffix::Double),
    ("f64", FloatSuffix::Double),
    ("f32", FloatSuffix::Float),
    ("f16", FloatSuffix::Half),
    ("q", FloatSuffix::Float128),
    ("d", FloatSuffix::Double),
    ("w", FloatSuffix::LongDouble),
    ("l", FloatSuffix::LongDouble),
    ("f", FloatSuffix::Float),
];

fn float_suffix(lower: &str) -> Result<(FloatSuffix, bool), String> {
    let before = lower.strip_prefix(['i', 'j']);
    let core = before.unwrap_or(lower);
    let after = core.strip_suffix(['i', 'j']);
    let core = after.unwrap_or(core);
    let imaginary = before.is_some() || after.is_some();
    if core.is_empty() {
        return Ok((FloatSuffix::Double, imaginary));
    }
    let found = SUFFIXES.iter().find(|(suffix, _)| *suffix == core);
    match found {
        Some(&(_, suffix)) if before.is_none() || after.is_none() => Ok((suffix, imaginary)),
        _ => Err(format!("suffix `{lower:.20}` does not belong to a floating number")),
    }
}

fn decimal_float(lower: &str, mantissa: usize, text: &str) -> Result<Number, String> {
    let mut end = mantissa;
    if lower[end..].starts_with('e') {
        end += 1;
        if lower[end..].starts_with(['+', '-']) {
            end += 1;
        }
        let digits = lower[end..].bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            return Err(format!("the exponent of `{text}` has no digits"));
        }
        end += digits;
    }
    let (suffix, imaginary) = float_suffix(&lower[end..])?;
    let malformed = |_| format!("`{text}` is not a number");
    let double: f64 = lower[..end].parse().map_err(malformed)?;
    let single = lower[..end].parse().map_err(malformed)?;
    let exact = (double == 0.0 || double.is_normal()) && is_double(&lower[..end]);
    let near = exact || is_near(&lower[..end], double);
    let extended = if suffix == FloatSuffix::LongDouble { extended::of_decimal(&lower[..end]) } else { 0 };
    Ok(Number::Float(FloatLit { double, single, extended, exact, near, suffix, imaginary }))
}

/// Whether a decimal number is nearer to a double than 0.49 of the distance between doubles.
fn is_near(text: &str, double: f64) -> bool {
    // More digits than a wider float tells apart, and few enough for the arithmetic.
    const DIGITS: usize = 30;
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = format!("{whole}{fraction}");
    let digits = all.trim_start_matches('0');
    let Ok(exponent) = exponent.parse::<i64>() else { return false };
    let exponent = exponent.saturating_add(whole.len() as i64 - (all.len() - digits.len()) as i64 - 1);
    let shown = format!("{double:.width$e}", width = DIGITS - 1);
    let Some((rounded, of_rounded)) = shown.split_once('e') else { return false };
    let padded: String = digits.chars().chain("0".repeat(DIGITS).chars()).take(DIGITS).collect();
    let numbers = (padded.parse::<i128>(), rounded.replace('.', "").parse::<i128>());
    let (Ok(number), Ok(rounded)) = numbers else { return false };
    let step = double.to_bits().checked_add(1).map_or(f64::NAN, f64::from_bits) - double;
    let step = if step.is_finite() { step } else { double - f64::from_bits(double.to_bits() - 1) };
    // In units of the last digit; the power of ten has an error far below what is left of half a step.
    let unit = double / rounded as f64;
    double.is_normal()
        && of_rounded.parse() == Ok(exponent)
        && ((number - rounded).unsigned_abs() + 1) as f64 * unit < 0.49 * step
}

/// Whether a decimal number within the range of doubles is one: its odd part has at most 53 bits. Of numbers with very many digits
/// it is not known.
fn is_double(text: &str) -> bool {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let short = digits.trim_end_matches('0');
    let dropped = (digits.len() - short.len()) as i64;
    if short.is_empty() {
        return true;
    }
    let (Ok(number), Ok(exponent)) = (short.parse::<u128>(), exponent.parse::<i64>()) else { return false };
    let power = exponent.saturating_add(dropped - fraction.len() as i64);
    let Some(fives) = u32::try_from(power.unsigned_abs()).ok().and_then(|power| 5u128.checked_pow(power)) else {
        return false;
    };
    let product = if power >= 0 { number.checked_mul(fives) } else { (number % fives == 0).then(|| number / fives) };
    product.is_some_and(|product| product >> product.trailing_zeros() < 1 << 53)
}

fn hex_float(digits: &str, text: &str) -> Result<Number, String> {
    let Some((mantissa, rest)) = digits.split_once('p') else {
        return Err(format!("`{text}` has no exponent"));
    };
    let mut value = HexFloat { mantissa: 0, sticky: false, exponent: 0 };
    let mut seen_digit = false;
    let mut seen_point = false;
    for c in mantissa.chars() {
        match c.to_digit(16) {
            Some(digit) => {
                seen_digit = true;
                value.push(digit, seen_point);
            }
            None if c == '.' && !seen_point => seen_point = true,
            None => return Err(format!("`{text}` is not a number")),
        }
    }
    let (negative, rest) = match rest.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, rest.strip_prefix('+').unwrap_or(rest)),
    };
    let count = rest.bytes().take_while(u8::is_ascii_digit).count();
    if !seen_digit || count == 0 {
        return Err(format!("`{text}` has no digits"));
    }
    // Beyond this the value is zero or infinite whatever the (less than 2^32) digits of the mantissa are.
    let exponent = rest[..count].parse().unwrap_or(i64::MAX).min(1 << 40);
    value.exponent += if negative { -exponent } else { exponent };
    let (suffix, imaginary) = float_suffix(&rest[count..])?;
    let double = f64::from_bits(value.round(53, -1022, 1023));
    let single = f32::from_bits(value.round(24, -126, 127) as u32);
    let odd = value.mantissa.checked_shr(value.mantissa.trailing_zeros()).unwrap_or(0);
    let exact = !value.sticky && (odd == 0 || odd < 1 << 53 && double.is_normal());
    let extended = match suffix {
        FloatSuffix::LongDouble => extended::round(value.mantissa, value.exponent, value.sticky),
        _ => 0,
    };
    Ok(Number::Float(FloatLit { double, single, extended, exact, near: exact, suffix, imaginary }))
}

/// `mantissa * 2^exponent`, and a little more if `sticky`.
struct HexFloat {
    mantissa: u128,
    sticky: bool,
    exponent: i64,
}

impl HexFloat {
    fn push(&mut self, digit: u32, fraction: bool) {
        if self.mantissa >> 124 == 0 {
            self.mantissa = self.mantissa << 4 | u128::from(digit);
            self.exponent -= if fraction { 4 } else { 0 };
        } else {
            self.sticky |= digit != 0;
            self.exponent += if fraction { 0 } else { 4 };
        }
    }

    /// The nearest binary floating number (ties to even) with `precision` bits and exponents from `min` to `max`, in
    /// the layout of IEEE 754. A carry out of the fraction runs into the exponent, which is just what is needed.
    fn round(&self, precision: u32, min: i64, max: i64) -> u64 {
        if self.mantissa == 0 {
            return 0;
        }
        let infinity = ((max - min + 2) as u64) << (precision - 1);
        let shift = self.mantissa.leading_zeros();
        // The upper half has more bits than are kept.
        let whole = self.mantissa << shift;
        let mantissa = whole >> 64;
        let sticky = self.sticky || whole << 64 != 0;
        let exponent = self.exponent - i64::from(shift) + 127;
        if exponent > max {
            return infinity;
        }
        let lost = 64 - i64::from(precision) + (min - exponent).max(0);
        if lost > 65 {
            return 0;
        }
        let kept = (mantissa >> lost) as u64;
        let (rest, half) = (mantissa & ((1 << lost) - 1), 1u128 << (lost - 1));
        let up = rest > half || (rest == half && (sticky || kept & 1 == 1));
        let biased = if exponent < min { 0 } else { (exponent - min) as u64 };
        (biased << (precision - 1)) + kept + u64::from(up)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(text: &str, value: u128, base: Base, unsigned: bool, longs: u8) {
        let expected = IntLit { value, base, unsigned, longs, imaginary: false };
        assert_eq!(read(text), Ok(Number::Int(expected)), "{text}");
    }

    fn float(text: &str, double: f64, single: f32, suffix: FloatSuffix) {
        let Ok(Number::Float(found)) = read(text) else { panic!("{text}") };
        let expected = FloatLit {
            double,
            single,
            extended: found.extended,
            exact: found.exact,
            near: found.near,
            suffix,
            imaginary: false,
        };
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn numbers_that_are_doubles() {
        let is_exact = |text: &str| match read(text) {
            Ok(Number::Float(found)) => found.exact,
            other => panic!("{text}: {other:?}"),
        };
        let doubles = [
            "0.0",
            "1.0",
            "0.5e1",
            "1e22",
            "0.375",
            "100.00e-2",
            "9007199254740992.0",
            "0x1.8p0",
            "0x0p0",
            "123456789e3",
        ];
        doubles.iter().for_each(|text| assert!(is_exact(text), "{text}"));
        let others = [
            "0.1",
            "1.0000000000000000001",
            "9007199254740993.0",
            "1e23",
            "1e400",
            "1e-400",
            "0x1.00000000000008p0",
            "0x1p-1074",
            "0x1p-9999",
        ];
        others.iter().for_each(|text| assert!(!is_exact(text), "{text}"));
        let is_near = |text: &str| matches!(read(text), Ok(Number::Float(found)) if found.near);
        let near =
            ["1.79769313486231570814527423731704357e+308L", "2.22044604925031308084726333618164062e-16L", "0.1L"];
        near.iter().for_each(|text| assert!(is_near(text), "{text}"));
        // Half way between 1 and the next double, a little more, and beyond all doubles.
        let far =
            ["1.00000000000000011102230246251565404L", "1.0000000000000001110223024625156541L", "1e4000L", "1e-320L"];
        far.iter().for_each(|text| assert!(!is_near(text), "{text}"));
    }

    fn error(text: &str, message: &str) {
        assert_eq!(read(text), Err(message.to_owned()), "{text}");
    }

    #[test]
    fn integers() {
        int("0", 0, Base::Other, false, 0);
        int("42", 42, Base::Decimal, false, 0);
        int("0777", 511, Base::Other, false, 0);
        int("0xFFull", 255, Base::Other, true, 2);
        int("0b101", 5, Base::Other, false, 0);
        int("10LU", 10, Base::Decimal, true, 1);
        int("18446744073709551615", u128::from(u64::MAX), Base::Decimal, false, 0);
        let imaginary = IntLit { value: 3, base: Base::Decimal, unsigned: false, longs: 0, imaginary: true };
        assert_eq!(read("3i"), Ok(Number::Int(imaginary)));
    }

    #[test]
    fn floats() {
        float("1.5", 1.5, 1.5, FloatSuffix::Double);
        float(".5f", 0.5, 0.5, FloatSuffix::Float);
        float("1e3L", 1000.0, 1000.0, FloatSuffix::LongDouble);
        float("010.", 10.0, 10.0, FloatSuffix::Double);
        float("089e0", 89.0, 89.0, FloatSuffix::Double);
        float("2.0f64x", 2.0, 2.0, FloatSuffix::LongDouble);
        float("2.0d", 2.0, 2.0, FloatSuffix::Double);
        float("2.0q", 2.0, 2.0, FloatSuffix::Float128);
        float("1e999", f64::INFINITY, f32::INFINITY, FloatSuffix::Double);
        let imaginary = FloatLit {
            double: 1.0,
            single: 1.0,
            extended: 0,
            exact: true,
            near: true,
            suffix: FloatSuffix::Float,
            imaginary: true,
        };
        assert_eq!(read("1.0if"), Ok(Number::Float(imaginary)));
        assert_eq!(read("1.0fi"), Ok(Number::Float(imaginary)));
    }

    #[test]
    fn rounding_twice_would_differ() {
        // Just above the middle between two floats, but the nearest double is the middle itself.
        let text = "1.00000005960464477540";
        assert_eq!(text.parse::<f64>().map(|d| d as f32), Ok(1.0));
        float(text, 1.000_000_059_604_644_8, 1.000_000_1, FloatSuffix::Double);
    }

    #[test]
    fn hexadecimal_floats() {
        float("0x1.8p1", 3.0, 3.0, FloatSuffix::Double);
        float("0x.8p0f", 0.5, 0.5, FloatSuffix::Float);
        float("0xAp-2", 2.5, 2.5, FloatSuffix::Double);
        float("0x1p-1074", f64::from_bits(1), 0.0, FloatSuffix::Double);
        float("0x1p-1075", 0.0, 0.0, FloatSuffix::Double);
        float("0x1.8p-1075", f64::from_bits(1), 0.0, FloatSuffix::Double);
        float("0x1p-149", 2f64.powi(-149), f32::from_bits(1), FloatSuffix::Double);
        float("0x1.fffffffffffff8p1023", f64::INFINITY, f32::INFINITY, FloatSuffix::Double);
        float("0x1.fffffffffffff7p1023", f64::MAX, f32::INFINITY, FloatSuffix::Double);
        float("0x0.fffffffffffff8p-1022", f64::MIN_POSITIVE, 0.0, FloatSuffix::Double);
        float("0x1.000001p0", 1.0 + 2f64.powi(-24), 1.0, FloatSuffix::Double);
        float("0x1.00000100000000000000001p0", 1.0 + 2f64.powi(-24), 1.0 + f32::EPSILON, FloatSuffix::Double);
        float("0x1p99999999999999999999", f64::INFINITY, f32::INFINITY, FloatSuffix::Double);
        float("0x1p-99999999999999999999", 0.0, 0.0, FloatSuffix::Double);
        float("0x0p5", 0.0, 0.0, FloatSuffix::Double);
    }

    #[test]
    fn errors() {
        error("09", "digit `9` does not belong to a number of base 8");
        error("0x", "`0x` has no digits");
        error("12abc", "suffix `abc` does not belong to an integer");
        error("1f", "suffix `f` does not belong to an integer");
        error("1ulu", "suffix `ulu` does not belong to an integer");
        error("1.0x", "suffix `x` does not belong to a floating number");
        error("1e+", "the exponent of `1e+` has no digits");
        error("0x1.8", "`0x1.8` has no exponent");
        error("1.2.3", "`1.2.3` is not a number");
        error("0xe+1", "suffix `+1` does not belong to an integer");
        error(&"9".repeat(100), &format!("`{}` exceeds 128 bits", "9".repeat(40)));
    }
}
