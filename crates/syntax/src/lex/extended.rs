//! Literals of type `long double`: the nearest number of 64 significant bits, halves to the even one, in the layout of x87.

use std::cmp::Ordering;

/// Digits beyond these only tell whether something follows.
const DIGITS: usize = 6000;
/// Powers of ten beyond these are zero or infinity.
const POWER: i64 = 12_000;

/// A number without sign, the lowest 32 bits first, without leading zeros.
#[derive(Clone, PartialEq, Eq)]
struct Natural(Vec<u32>);

impl Natural {
    fn length(&self) -> i64 {
        self.0.last().map_or(0, |&top| 32 * self.0.len() as i64 - i64::from(top.leading_zeros()))
    }

    /// Times a number, and another one added.
    fn scale(&mut self, by: u32, plus: u32) {
        let mut carry = u64::from(plus);
        for limb in &mut self.0 {
            carry += u64::from(*limb) * u64::from(by);
            *limb = carry as u32;
            carry >>= 32;
        }
        if carry != 0 {
            self.0.push(carry as u32);
        }
    }

    fn shifted(&self, by: i64) -> Self {
        let (whole, part) = ((by / 32) as usize, (by % 32) as u32);
        let mut limbs = vec![0; whole];
        let mut carry = 0u64;
        for &limb in &self.0 {
            carry |= u64::from(limb) << part;
            limbs.push(carry as u32);
            carry >>= 32;
        }
        if carry != 0 {
            limbs.push(carry as u32);
        }
        Natural(limbs)
    }

    fn compare(&self, other: &Self) -> Ordering {
        self.0.len().cmp(&other.0.len()).then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }

    /// The other one is not larger.
    fn subtract(&mut self, other: &Self) {
        let mut borrow = 0i64;
        for (index, limb) in self.0.iter_mut().enumerate() {
            borrow += i64::from(*limb) - i64::from(other.0.get(index).copied().unwrap_or(0));
            *limb = borrow as u32;
            borrow >>= 32;
        }
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }
}

/// A decimal number as written, without suffix.
pub(super) fn of_decimal(text: &str) -> u128 {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let negative = exponent.starts_with('-');
    let exponent = exponent.parse().unwrap_or(if negative { i64::MIN / 4 } else { i64::MAX / 4 });
    let all = format!("{whole}{fraction}");
    let significant = all.trim_start_matches('0');
    let (digits, rest) = significant.split_at(significant.len().min(DIGITS));
    let mut power = exponent - fraction.len() as i64 + rest.len() as i64;
    let sticky = rest.bytes().any(|digit| digit != b'0');
    let mut numerator = Natural(Vec::new());
    for digit in digits.bytes() {
        numerator.scale(10, u32::from(digit - b'0'));
    }
    power = power.clamp(-POWER, POWER);
    if numerator.0.is_empty() {
        return 0;
    }
    let mut divisor = Natural(vec![1]);
    for _ in 0..power.unsigned_abs() {
        if power > 0 { numerator.scale(10, 0) } else { divisor.scale(10, 0) }
    }
    // A quotient of 66 or 67 bits.
    let shift = divisor.length() + 66 - numerator.length();
    let (mut rest, mut divisor) = (numerator.shifted(shift.max(0)), divisor.shifted((-shift).max(0)));
    let mut quotient = 0u128;
    divisor = divisor.shifted(67);
    for _ in 0..68 {
        quotient <<= 1;
        if rest.compare(&divisor) != Ordering::Less {
            rest.subtract(&divisor);
            quotient |= 1;
        }
        rest = rest.shifted(1);
    }
    round(quotient, -shift, sticky || !rest.0.is_empty())
}

/// The nearest number to `significand * 2^exponent`, and a little more if `sticky`.
pub(super) fn round(significand: u128, exponent: i64, sticky: bool) -> u128 {
    const LEAST: i64 = 1 - 16383 - 63;
    if significand == 0 {
        return 0;
    }
    let shift = significand.leading_zeros();
    let (significand, exponent) = (significand << shift, exponent - i64::from(shift));
    let lost = 64 + (LEAST - (exponent + 64)).max(0);
    if lost > 129 {
        return 0;
    }
    // Of a number that loses all its bits, the first one may count as half.
    let kept = significand.checked_shr(lost as u32).unwrap_or(0);
    let half = significand.checked_shr(lost as u32 - 1).unwrap_or(0) & 1 != 0;
    let below = lost as u32 - 1;
    let more = sticky || if below >= 128 { true } else { significand & ((1 << below) - 1) != 0 };
    let rounded = kept + u128::from(half && (more || kept & 1 != 0));
    let (rounded, exponent) = if rounded >> 64 != 0 { (rounded >> 1, exponent + 1) } else { (rounded, exponent) };
    let field = match rounded >> 63 {
        0 => 0,
        _ => exponent + lost - LEAST + 1,
    };
    if field >= 0x7fff { 0x7fff_8000_0000_0000_0000 } else { (field as u128) << 64 | rounded }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What gcc makes of the literals.
    #[test]
    fn decimal_literals() {
        for (text, bits) in LITERALS {
            assert_eq!(of_decimal(text), *bits, "{text}");
        }
    }

    const LITERALS: &[(&str, u128)] = &[
        ("0.0", 0x00000000000000000000),
        ("1.0", 0x3fff8000000000000000),
        ("0.1", 0x3ffbcccccccccccccccd),
        ("1.1", 0x3fff8ccccccccccccccd),
        ("3.14159265358979323846264338327950288", 0x4000c90fdaa22168c235),
        ("1e4932", 0x7ffed72cb2a95c7ef6cd),
        ("1.18973149535723176502e+4932", 0x7ffeffffffffffffffff),
        ("1.18973149535723176503e+4932", 0x7ffeffffffffffffffff),
        ("1.189731495357231765055e+4932", 0x7fff8000000000000000),
        ("1.2e4932", 0x7fff8000000000000000),
        ("3.36210314311209350626e-4932", 0x00018000000000000000),
        ("3.6e-4951", 0x00000000000000000001),
        ("1.8e-4951", 0x00000000000000000000),
        ("1.9e-4951", 0x00000000000000000001),
        ("1.82e-4951", 0x00000000000000000000),
        ("1.5e-4951", 0x00000000000000000000),
        ("1e-4960", 0x00000000000000000000),
        ("9007199254740993.0", 0x40348000000000000400),
        ("18446744073709551615.0", 0x403effffffffffffffff),
        ("18446744073709551616.5", 0x403f8000000000000000),
        ("36893488147419103233.0", 0x40408000000000000000),
        ("36893488147419103234.0", 0x40408000000000000000),
        ("36893488147419103231.0", 0x40408000000000000000),
        ("1e19", 0x403e8ac7230489e80000),
        ("123456789012345678901234567890.0", 0x405fc77487fb61b9f077),
        ("0.333333333333333333333333333333333333", 0x3ffdaaaaaaaaaaaaaaab),
        ("1e-20", 0x3fbcbce5086492111aeb),
        ("5e-324", 0x3bcd818995ce7aa0e1b2),
        ("2.5e-4940", 0x00000000000ff7e2e3f5),
        ("1.00000000000000000005421010862427522170037264004349708557128906250", 0x3fff8000000000000000),
        ("1.000000000000000000054210108624275221700372640043497085571289062500001", 0x3fff8000000000000001),
        ("9.98259791e28", 0x405fa1470ea9448f759d),
        ("3.833788762e25", 0x4053fdb2e86b1f1f8017),
        ("4.012904047966697251027346e2", 0x4007c8a52bfc002624d5),
        ("4.5896935049258991394e-26", 0x3faae34546fac326dd1a),
        ("8.7151620466109906958483040119e-4446", 0x0650e3bc60cd95e75b28),
        ("9.49420555266786e-24", 0x3fb2b7a5075e166b8162),
        ("9.34648485069506e4693", 0x7ce882f58ba4fb35e55a),
        ("5.57e8", 0x401c84cc950000000000),
        ("2.709005474995252559446109e119", 0x418bd6da62fc275bf42f),
        ("0.435261195537215397431e-18", 0x3fc2807767f602cecd7e),
        ("9.92451959264847564696062307e3398", 0x6c1a955c85bba49b996e),
        ("4.78e3950", 0x7342ea6ceaa07887d25e),
        ("4.1941300836900712843088609152e3903", 0x72a6bbe338f685cdcded),
        ("6.331812342079e18", 0x403dafbe3b8e341b1b80),
    ];
}
