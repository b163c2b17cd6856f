//! Remainders: `fmod` and IEEE's, by long division of the significands.
//!
//! A quotient has as many digits as the exponents are apart, 2,098 for doubles at most: some two million gates. Hardly any question
//! needs so many, so a circuit can be made for so many digits only; it tells for which operands that suffices. For others it says what
//! holds anyway: the result is a number, it is less than the divisor, and `fmod` keeps the sign.

use super::{Exact, Gates};
use crate::blast::aig::Lit;
use crate::blast::word::Word;
use crate::term::float::{Format, Rounding};

/// The result of a division, as far as it was made.
pub struct Division {
    /// The result where `fits`.
    pub result: Word,
    /// Whether the digits suffice, or none are needed.
    pub fits: Lit,
    /// Where they do not: the least bits of the magnitude that are too many, and whether the sign is that of the first operand.
    pub limit: Word,
    /// The sign of the first operand.
    pub sign: Lit,
}

/// The most by which exponents of normalised numbers differ.
pub fn all_digits(format: Format) -> usize {
    (1 << format.exponent) - 3 + format.fraction
}

impl Gates<'_> {
    /// The remainder of `a / b`; the quotient is rounded toward zero, or to nearest even.
    pub(super) fn remainder(&mut self, format: Format, nearest: bool, a: &[Lit], b: &[Lit], digits: usize) -> Division {
        let (x, y) = (self.unpack_normal(format, a), self.unpack_normal(format, b));
        let bits = x.exponent.len() + 2;
        let (e, f) = (self.extend(&x.exponent, bits), self.extend(&y.exponent, bits));
        let distance = self.aig.sub(&e, &f);
        // One bit for twice the rest, one for the borrow.
        let widen = |word: &[Lit]| [word, &[Lit::FALSE; 2]].concat();
        let (mut rest, divisor) = (widen(&x.significand), widen(&y.significand));
        let top = rest.len() - 1;
        let mut odd = Lit::FALSE;
        for digit in (0..=digits).rev() {
            // The exponents are at least so far apart.
            let least = self.number(bits, digit as i64 - 1);
            let active = self.aig.slt(&least, &distance);
            let difference = self.aig.sub(&rest, &divisor);
            let kept = self.aig.mux_word(difference[top], &rest, &difference);
            odd = self.aig.and(active, !difference[top]);
            let next = if digit > 0 { [&[Lit::FALSE], &kept[..top]].concat() } else { kept };
            rest = self.aig.mux_word(active, &next, &rest);
        }
        let minus = self.number(bits, -1);
        let below = self.aig.slt(&distance, &self.number(bits, 0));
        let exponent = self.aig.mux_word(below, &e, &f);
        let (mut significand, mut sign) = (rest.clone(), x.sign);
        if nearest {
            // Twice the rest, in units of the divisor; where the first operand's exponent is less by one, that is its significand.
            let just_below = self.aig.eq(&distance, &minus);
            let far_below = self.aig.and(below, !just_below);
            let double = [&[Lit::FALSE], &rest[..top]].concat();
            let twice = self.aig.mux_word(just_below, &rest, &double);
            let (greater, equal) = (self.aig.ult(&divisor, &twice), self.aig.eq(&divisor, &twice));
            let tie = self.aig.and(equal, odd);
            let up = self.aig.or(greater, tie);
            let up = self.aig.and(up, !far_below);
            let doubled = [&[Lit::FALSE], &divisor[..top]].concat();
            let whole = self.aig.mux_word(just_below, &doubled, &divisor);
            let other = self.aig.sub(&whole, &rest);
            significand = self.aig.mux_word(up, &other, &rest);
            sign = self.aig.xor(x.sign, up);
        }
        let some = self.any(&significand);
        // The second highest bit weighs twice what the exponent says.
        let exponent = self.plus(&exponent, 1);
        let (exponent, significand) = self.normalise(&exponent, &significand[..top]);
        let finite = self.pack(format, Rounding::Zero, &Exact { sign, exponent, significand });
        let zero = self.zero(format, x.sign);
        let finite = self.aig.mux_word(some, &finite, &zero);
        let unchanged = self.aig.or(x.zero, y.infinite);
        let result = self.aig.mux_word(unchanged, a, &finite);
        let invalid = self.aig.or(x.infinite, y.zero);
        let either = self.aig.or(x.nan, y.nan);
        let bad = self.aig.or(invalid, either);
        let nan = self.no_number(format, &[(a, x.nan), (b, y.nan)]);
        let result = self.aig.mux_word(bad, &nan, &result);
        let most = self.number(bits, digits as i64 + 1);
        let near = self.aig.slt(&distance, &most);
        let special = self.aig.or(bad, unchanged);
        let fits = self.aig.or(near, special);
        Division { result, fits, limit: b[..b.len() - 1].to_vec(), sign: x.sign }
    }
}
