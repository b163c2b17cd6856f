//! Conversions between formats and integers, and rounding to integers.

use super::{Exact, Gates};
use crate::blast::aig::Lit;
use crate::blast::word::{Word, of_constant};
use crate::term::float::{Format, Rounding};

impl Gates<'_> {
    /// An integer as a float. The sign is that of two's complement, or zero.
    pub(super) fn of_integer(&mut self, format: Format, rounding: Rounding, a: &[Lit], sign: Lit) -> Word {
        let minus = self.aig.neg(a);
        let magnitude = self.aig.mux_word(sign, &minus, a);
        let some = self.any(&magnitude);
        // Enough bits for the exponent of the highest one and its sign.
        let exponent = self.number(10, a.len() as i64 - 1);
        let (exponent, significand) = self.normalise(&exponent, &magnitude);
        let finite = self.pack(format, rounding, &Exact { sign, exponent, significand });
        let zero = self.zero(format, Lit::FALSE);
        self.aig.mux_word(some, &finite, &zero)
    }

    /// A float as an integer, toward zero; what does not fit becomes the nearest that does, what is no number 0.
    pub(super) fn integer_of(&mut self, format: Format, a: &[Lit], width: usize, signed: bool) -> Word {
        let x = self.unpack(format, a);
        let fraction = format.fraction;
        // Of a number below 1 nothing is left; a subnormal one is among them.
        let negative_exponent = x.exponent[x.exponent.len() - 1];
        let mut wide: Word = x.significand.clone();
        wide.resize(fraction + width, Lit::FALSE);
        // A distance of the width or more is an overflow, so the shift needs only the bits below.
        let magnitude_bits = usize::BITS - (width - 1).leading_zeros();
        let distance = &x.exponent[..(magnitude_bits as usize).min(x.exponent.len())];
        let shifted = self.aig.shl(&wide, distance);
        let magnitude: Word = shifted[fraction..].iter().map(|&bit| self.aig.and(bit, !negative_exponent)).collect();
        // The highest bit of the number is that of its exponent.
        let bits = x.exponent.len().max(9);
        let exponent = self.extend(&x.exponent, bits);
        let limit = self.number(bits, if signed { width as i64 - 1 } else { width as i64 });
        let fits = self.aig.slt(&exponent, &limit);
        let too_large = self.aig.or(!fits, x.infinite);
        let (least, most) = if signed {
            (of_constant(width, 1 << (width - 1)), of_constant(width, (1u128 << (width - 1)) - 1))
        } else {
            (of_constant(width, 0), vec![Lit::TRUE; width])
        };
        let limit = self.aig.mux_word(x.sign, &least, &most);
        let minus = if signed { self.aig.neg(&magnitude) } else { of_constant(width, 0) };
        let value = self.aig.mux_word(x.sign, &minus, &magnitude);
        let value = self.aig.mux_word(too_large, &limit, &value);
        value.iter().map(|&bit| self.aig.and(bit, !x.nan)).collect()
    }

    /// A number in another format.
    pub(super) fn convert(&mut self, from: Format, to: Format, rounding: Rounding, a: &[Lit]) -> Word {
        let x = self.unpack_normal(from, a);
        let exact = Exact { sign: x.sign, exponent: x.exponent.clone(), significand: x.significand.clone() };
        let finite = self.pack(to, rounding, &exact);
        let zero = self.zero(to, x.sign);
        let infinity = self.signed(self.infinity(to), x.sign);
        let result = self.aig.mux_word(x.zero, &zero, &finite);
        let result = self.aig.mux_word(x.infinite, &infinity, &result);
        // The upper bits of the payload stay.
        let fraction = &a[..from.fraction];
        let mut nan: Word = if to.fraction >= from.fraction {
            [&vec![Lit::FALSE; to.fraction - from.fraction], fraction].concat()
        } else {
            fraction[from.fraction - to.fraction..].to_vec()
        };
        nan[to.fraction - 1] = Lit::TRUE;
        nan.resize(to.width() - 1, Lit::TRUE);
        nan.push(x.sign);
        self.aig.mux_word(x.nan, &nan, &result)
    }

    /// The nearest integer in the direction of rounding; zero keeps its sign.
    pub(super) fn round(&mut self, format: Format, rounding: Rounding, a: &[Lit]) -> Word {
        let x = self.unpack(format, a);
        let fraction = format.fraction as i64;
        // With the exponent of the fraction's last bit or above it, it is an integer.
        let limit = self.number(x.exponent.len(), fraction);
        let open = self.aig.slt(&x.exponent, &limit);
        let distance = self.aig.sub(&limit, &x.exponent);
        let distance: Word = distance.iter().map(|&bit| self.aig.and(bit, open)).collect();
        let widened = [&[Lit::FALSE; 2], &x.significand[..]].concat();
        let shifted = self.shift_sticky(&widened, &distance);
        let up = self.rounds_up(rounding, x.sign, shifted[2], shifted[1], shifted[0]);
        let mut whole = shifted[2..].to_vec();
        whole.push(Lit::FALSE);
        let zeros = vec![Lit::FALSE; whole.len()];
        let whole = self.aig.add(&whole, &zeros, up);
        let some = self.any(&whole);
        let exponent = self.number(x.exponent.len(), fraction + 1);
        let (exponent, significand) = self.normalise(&exponent, &whole);
        let finite = self.pack(format, Rounding::Zero, &Exact { sign: x.sign, exponent, significand });
        let zero = self.zero(format, x.sign);
        let finite = self.aig.mux_word(some, &finite, &zero);
        let result = self.aig.mux_word(open, &finite, a);
        let nan = self.no_number(format, &[(a, x.nan)]);
        self.aig.mux_word(x.nan, &nan, &result)
    }
}
