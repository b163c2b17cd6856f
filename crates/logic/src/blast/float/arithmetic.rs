//! Sums, products, quotients, square roots.

use super::{Exact, Gates, Parts};
use crate::blast::aig::Lit;
use crate::blast::word::Word;
use crate::term::float::{Format, Rounding};

/// Bits below the significand while numbers are aligned: the first that is lost, the next, and the rest.
const BELOW: usize = 3;

impl Gates<'_> {
    /// `a + b`, or `a - b`.
    pub(super) fn add(&mut self, format: Format, rounding: Rounding, a: &[Lit], b: &[Lit], minus: Lit) -> Word {
        let x = self.unpack(format, a);
        let mut y = self.unpack(format, b);
        y.sign = self.aig.xor(y.sign, minus);
        self.sum_of(format, rounding, x, y, &[a, b])
    }

    /// `a * b + c`, rounded once.
    pub(super) fn fma(&mut self, format: Format, rounding: Rounding, a: &[Lit], b: &[Lit], c: &[Lit]) -> Word {
        let (x, y) = (self.unpack_normal(format, a), self.unpack_normal(format, b));
        let mut z = self.unpack_normal(format, c);
        let product = self.product(&x, &y);
        let wide = product.significand.len();
        while z.significand.len() < wide {
            z.significand.insert(0, Lit::FALSE);
        }
        z.exponent = self.extend(&z.exponent, product.exponent.len());
        let zero = self.aig.or(x.zero, y.zero);
        let infinite = self.aig.or(x.infinite, y.infinite);
        let invalid = self.aig.and(zero, infinite);
        // A product of zero must not hide the summand: its exponent is the smallest one.
        let least = self.number(product.exponent.len(), -(4 << format.exponent) + 1);
        let product = Parts {
            sign: product.sign,
            nan: invalid,
            infinite,
            zero,
            exponent: self.aig.mux_word(zero, &least, &product.exponent),
            significand: product.significand.iter().map(|&bit| self.aig.and(bit, !zero)).collect(),
        };
        z.exponent = self.aig.mux_word(z.zero, &least, &z.exponent);
        let (nan_a, nan_b, nan_c) = (x.nan, y.nan, z.nan);
        let result = self.sum_of(format, rounding, product, z, &[]);
        let some = [nan_a, nan_b, nan_c, invalid].into_iter().fold(Lit::FALSE, |any, bit| self.aig.or(any, bit));
        let nan = self.no_number(format, &[(a, nan_a), (b, nan_b), (c, nan_c)]);
        self.aig.mux_word(some, &nan, &result)
    }

    /// The sum of two numbers with significands of the same width. Where the exponents differ by two or more, one of the two
    /// highest bits of the number with the larger one is set, so that what is shifted out of the other is a sticky bit.
    fn sum_of(&mut self, format: Format, rounding: Rounding, x: Parts, y: Parts, operands: &[&[Lit]]) -> Word {
        let swap = self.aig.slt(&x.exponent, &y.exponent);
        let exponent = self.aig.mux_word(swap, &y.exponent, &x.exponent);
        let lower = self.aig.mux_word(swap, &x.exponent, &y.exponent);
        let distance = self.aig.sub(&exponent, &lower);
        let widen = |word: &[Lit]| [&[Lit::FALSE; BELOW], word, &[Lit::FALSE; 2]].concat();
        let large = self.aig.mux_word(swap, &y.significand, &x.significand);
        let small = self.aig.mux_word(swap, &x.significand, &y.significand);
        let (large, small) = (widen(&large), widen(&small));
        let small = self.shift_sticky(&small, &distance);
        let (sign_large, sign_small) = (self.aig.mux(swap, y.sign, x.sign), self.aig.mux(swap, x.sign, y.sign));
        let differ = self.aig.xor(sign_large, sign_small);
        let addend: Word = small.iter().map(|&bit| self.aig.xor(bit, differ)).collect();
        let total = self.aig.add(&large, &addend, differ);
        // Negative only if nothing was shifted out.
        let negative = self.aig.and(differ, total[total.len() - 1]);
        let minus = self.aig.neg(&total);
        let total = self.aig.mux_word(negative, &minus, &total);
        let magnitude = &total[..total.len() - 1];
        let some = self.any(magnitude);
        let wide = self.extend(&exponent, exponent.len() + 1);
        // The highest bit is the one of a carry.
        let exponent = self.plus(&wide, 1);
        let (exponent, significand) = self.normalise(&exponent, magnitude);
        let sign = self.aig.xor(sign_large, negative);
        let finite = self.pack(format, rounding, &Exact { sign, exponent, significand });
        // A sum of zeros, or one that cancels out.
        let down = Lit::from(rounding == Rounding::Down);
        let opposed = self.aig.xor(x.sign, y.sign);
        let sign_zero = self.aig.mux(opposed, down, x.sign);
        let zero = self.zero(format, sign_zero);
        let finite = self.aig.mux_word(some, &finite, &zero);
        let infinite = self.aig.or(x.infinite, y.infinite);
        let sign = self.aig.mux(x.infinite, x.sign, y.sign);
        let infinity = self.infinity(format);
        let infinity = self.signed(infinity, sign);
        let result = self.aig.mux_word(infinite, &infinity, &finite);
        let both = self.aig.and(x.infinite, y.infinite);
        let opposite = self.aig.and(both, opposed);
        let either = self.aig.or(x.nan, y.nan);
        let bad = self.aig.or(opposite, either);
        let nan = match operands {
            &[a, b] => self.no_number(format, &[(a, x.nan), (b, y.nan)]),
            _ => self.no_number(format, &[]),
        };
        self.aig.mux_word(bad, &nan, &result)
    }

    /// The exact product of two normal numbers. Its highest bit may be zero; the next one is not then.
    fn product(&mut self, x: &Parts, y: &Parts) -> Exact {
        let width = x.significand.len();
        let widen = |word: &[Lit]| [word, &vec![Lit::FALSE; width]].concat();
        let (a, b) = (widen(&x.significand), widen(&y.significand));
        let significand = self.aig.mul(&a, &b);
        let bits = x.exponent.len() + 2;
        let (e, f) = (self.extend(&x.exponent, bits), self.extend(&y.exponent, bits));
        let sum = self.sum(&e, &f);
        let exponent = self.plus(&sum, 1);
        let sign = self.aig.xor(x.sign, y.sign);
        Exact { sign, exponent, significand }
    }

    /// `a * b`
    pub(super) fn mul(&mut self, format: Format, rounding: Rounding, a: &[Lit], b: &[Lit]) -> Word {
        let (x, y) = (self.unpack_normal(format, a), self.unpack_normal(format, b));
        let product = self.product(&x, &y);
        let product = self.shift_once(product);
        let finite = self.pack(format, rounding, &product);
        let zero = self.aig.or(x.zero, y.zero);
        let infinite = self.aig.or(x.infinite, y.infinite);
        let invalid = self.aig.and(zero, infinite);
        self.choose(format, product.sign, finite, zero, infinite, invalid, &[(a, x.nan), (b, y.nan)])
    }

    /// `a / b`
    pub(super) fn div(&mut self, format: Format, rounding: Rounding, a: &[Lit], b: &[Lit]) -> Word {
        let (x, y) = (self.unpack_normal(format, a), self.unpack_normal(format, b));
        // Both significands are in [1, 2), so the quotient is in (1/2, 2).
        let steps = format.fraction + 1 + BELOW;
        let mut divisor = y.significand.clone();
        divisor.push(Lit::FALSE);
        let mut rest = x.significand.clone();
        rest.push(Lit::FALSE);
        let mut quotient: Word = Vec::with_capacity(steps + 1);
        for _ in 0..steps {
            let less = self.aig.ult(&rest, &divisor);
            let difference = self.aig.sub(&rest, &divisor);
            let kept = self.aig.mux_word(less, &rest, &difference);
            quotient.push(!less);
            // The rest is less than the divisor, twice it fits.
            rest = std::iter::once(Lit::FALSE).chain(kept[..kept.len() - 1].iter().copied()).collect();
        }
        quotient.push(self.any(&rest));
        quotient.reverse();
        let bits = x.exponent.len() + 1;
        let (e, f) = (self.extend(&x.exponent, bits), self.extend(&y.exponent, bits));
        let sign = self.aig.xor(x.sign, y.sign);
        let exact = Exact { sign, exponent: self.aig.sub(&e, &f), significand: quotient };
        let exact = self.shift_once(exact);
        let finite = self.pack(format, rounding, &exact);
        let zero = self.aig.or(x.zero, y.infinite);
        let infinite = self.aig.or(x.infinite, y.zero);
        let (zeros, infinities) = (self.aig.and(x.zero, y.zero), self.aig.and(x.infinite, y.infinite));
        let invalid = self.aig.or(zeros, infinities);
        self.choose(format, sign, finite, zero, infinite, invalid, &[(a, x.nan), (b, y.nan)])
    }

    /// The square root, digit by digit.
    pub(super) fn sqrt(&mut self, format: Format, rounding: Rounding, a: &[Lit]) -> Word {
        let x = self.unpack_normal(format, a);
        // An odd exponent is made even: the significand is in [1, 4) then, its root in [1, 2).
        let odd = x.exponent[0];
        let once = [&[Lit::FALSE], &x.significand[..], &[Lit::FALSE]].concat();
        let twice = [&[Lit::FALSE; 2], &x.significand[..]].concat();
        let mut radicand = self.aig.mux_word(odd, &twice, &once);
        // Pairs of digits, of which the first one stands before the point.
        let digits = format.fraction + BELOW;
        if radicand.len() % 2 == 1 {
            radicand.insert(0, Lit::FALSE);
        }
        let mut root: Word = Vec::new();
        let mut rest: Word = vec![Lit::FALSE; digits + 3];
        let width = rest.len();
        for digit in 0..digits {
            let high = radicand.len().checked_sub(2 * digit + 1).map_or(Lit::FALSE, |i| radicand[i]);
            let low = radicand.len().checked_sub(2 * digit + 2).map_or(Lit::FALSE, |i| radicand[i]);
            rest = [&[low, high], &rest[..width - 2]].concat();
            // 4 * root + 1
            let mut trial = vec![Lit::TRUE, Lit::FALSE];
            trial.extend(&root);
            trial.resize(width, Lit::FALSE);
            let less = self.aig.ult(&rest, &trial);
            let difference = self.aig.sub(&rest, &trial);
            rest = self.aig.mux_word(less, &rest, &difference);
            root.insert(0, !less);
        }
        let more = self.any(&rest);
        root.insert(0, more);
        // Half of the exponent, rounded down.
        let mut exponent = x.exponent[1..].to_vec();
        exponent.push(x.exponent[x.exponent.len() - 1]);
        let finite = self.pack(format, rounding, &Exact { sign: Lit::FALSE, exponent, significand: root });
        let negative = self.aig.and(x.sign, !x.zero);
        self.choose(format, x.sign, finite, x.zero, x.infinite, negative, &[(a, x.nan)])
    }

    /// Shifts by one bit if the highest one is zero.
    fn shift_once(&mut self, exact: Exact) -> Exact {
        let Exact { sign, exponent, significand } = exact;
        let full = significand[significand.len() - 1];
        let shifted: Word =
            std::iter::once(Lit::FALSE).chain(significand[..significand.len() - 1].iter().copied()).collect();
        let less = self.plus(&exponent, -1);
        Exact {
            sign,
            exponent: self.aig.mux_word(full, &exponent, &less),
            significand: self.aig.mux_word(full, &significand, &shifted),
        }
    }

    /// The result among its cases; what is invalid goes first, then infinity.
    #[expect(clippy::too_many_arguments, reason = "one for each case")]
    fn choose(
        &mut self,
        format: Format,
        sign: Lit,
        finite: Word,
        zero: Lit,
        infinite: Lit,
        invalid: Lit,
        operands: &[(&[Lit], Lit)],
    ) -> Word {
        let nothing = self.zero(format, sign);
        let result = self.aig.mux_word(zero, &nothing, &finite);
        let infinity = self.signed(self.infinity(format), sign);
        let result = self.aig.mux_word(infinite, &infinity, &result);
        let bad = operands.iter().fold(invalid, |any, &(_, nan)| self.aig.or(any, nan));
        let nan = self.no_number(format, operands);
        self.aig.mux_word(bad, &nan, &result)
    }
}
