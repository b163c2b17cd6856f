//! Circuits for floating-point operators.
//!
//! After the usual construction (as in Muller et al., *Handbook of Floating-Point Arithmetic*, 2nd edition, chapter 8): unpack,
//! compute exactly or with a sticky bit, normalise, round once. Words have the lowest bit first and any width, so an operator
//! needs no case for a format.
//!
//! A finite result is a sign, an exponent `e` in two's complement and a significand whose highest bit weighs 2^e, with all that
//! lies below its lowest bit or'ed into that bit. `pack` rounds it. Zeros, infinities and what is no number are chosen at the end.

mod arithmetic;
mod conversion;
mod gates;
mod remainder;

pub use gates::spell_out;
pub use remainder::{Division, all_digits};

use super::aig::{Aig, Lit};
use super::word::{Word, of_constant};
use crate::term::float::{FloatKind, FloatOp, Format, Rounding};

/// The bits of a result.
pub fn circuit(aig: &mut Aig, op: FloatOp, a: &[Lit], b: &[Lit], width: usize) -> Word {
    use FloatKind::*;
    let rounding = op.rounding;
    let format = |bits: usize| Format::of(bits as u16);
    let mut gates = Gates { aig };
    match op.kind {
        Add => gates.add(format(width), rounding, a, b, Lit::FALSE),
        Sub => gates.add(format(width), rounding, a, b, Lit::TRUE),
        Mul => gates.mul(format(width), rounding, a, b),
        Div => gates.div(format(width), rounding, a, b),
        Sqrt => gates.sqrt(format(width), rounding, a),
        Fma => gates.fma(format(width), rounding, &a[width..], &a[..width], b),
        Fmod | Remainder => {
            let digits = all_digits(format(width));
            gates.remainder(format(width), op.kind == Remainder, a, b, digits).result
        }
        Round => gates.round(format(width), rounding, a),
        OfSigned => gates.of_integer(format(width), rounding, a, a[a.len() - 1]),
        OfUnsigned => gates.of_integer(format(width), rounding, a, Lit::FALSE),
        ToSigned => gates.integer_of(format(a.len()), a, width, true),
        ToUnsigned => gates.integer_of(format(a.len()), a, width, false),
        Convert => gates.convert(format(a.len()), format(width), rounding, a),
    }
}

/// A remainder with so many digits of the quotient.
pub fn divide(aig: &mut Aig, kind: FloatKind, a: &[Lit], b: &[Lit], digits: usize) -> Division {
    let format = Format::of(a.len() as u16);
    Gates { aig }.remainder(format, kind == FloatKind::Remainder, a, b, digits)
}

/// A number in its parts.
struct Parts {
    sign: Lit,
    nan: Lit,
    infinite: Lit,
    zero: Lit,
    /// Of the highest bit of the significand; two's complement.
    exponent: Word,
    /// As wide as the fraction and one more.
    significand: Word,
}

/// A finite number before it is rounded.
struct Exact {
    sign: Lit,
    exponent: Word,
    /// The highest bit is one, unless the number is zero.
    significand: Word,
}

struct Gates<'a> {
    aig: &'a mut Aig,
}

impl Gates<'_> {
    fn all(&mut self, word: &[Lit]) -> Lit {
        word.iter().fold(Lit::TRUE, |all, &bit| self.aig.and(all, bit))
    }

    fn any(&mut self, word: &[Lit]) -> Lit {
        word.iter().fold(Lit::FALSE, |any, &bit| self.aig.or(any, bit))
    }

    /// In two's complement, as wide as wanted.
    fn extend(&self, word: &[Lit], width: usize) -> Word {
        let mut word = word.to_vec();
        word.resize(width, word[word.len() - 1]);
        word
    }

    /// A small number in two's complement.
    fn number(&self, width: usize, value: i64) -> Word {
        of_constant(width, value as i128 as u128)
    }

    fn sum(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        self.aig.add(a, b, Lit::FALSE)
    }

    fn plus(&mut self, a: &[Lit], value: i64) -> Word {
        let b = self.number(a.len(), value);
        self.sum(a, &b)
    }

    /// The parts of a number. A subnormal one has the smallest exponent and a significand that begins with zeros.
    fn unpack(&mut self, format: Format, x: &[Lit]) -> Parts {
        let (fraction, rest) = x.split_at(format.fraction);
        let (field, sign) = rest.split_at(format.exponent);
        let (ones, some) = (self.all(field), self.any(field));
        let nonzero = self.any(fraction);
        let mut significand = fraction.to_vec();
        significand.push(some);
        // The field 0 means the exponent of 1.
        let mut exponent = field.to_vec();
        exponent[0] = self.aig.or(field[0], !some);
        exponent.extend([Lit::FALSE; 2]);
        let exponent = self.plus(&exponent, -(format.bias() as i64));
        Parts {
            sign: sign[0],
            nan: self.aig.and(ones, nonzero),
            infinite: self.aig.and(ones, !nonzero),
            zero: !self.aig.or(some, nonzero),
            exponent,
            significand,
        }
    }

    /// The same with a significand that begins with a one, unless it is zero.
    fn unpack_normal(&mut self, format: Format, x: &[Lit]) -> Parts {
        let mut parts = self.unpack(format, x);
        (parts.exponent, parts.significand) = self.normalise(&parts.exponent, &parts.significand);
        parts
    }

    /// Shifts a significand left until its highest bit is one, and takes the distance off the exponent.
    fn normalise(&mut self, exponent: &[Lit], significand: &[Lit]) -> (Word, Word) {
        let width = significand.len();
        let mut significand = significand.to_vec();
        let stages = usize::BITS - (width - 1).leading_zeros();
        let mut distance: Word = Vec::new();
        for stage in (0..stages).rev() {
            let by = 1usize << stage;
            let empty = !self.any(&significand[width - by..]);
            let shifted: Word = (0..width).map(|i| if i < by { Lit::FALSE } else { significand[i - by] }).collect();
            significand = self.aig.mux_word(empty, &shifted, &significand);
            distance.push(empty);
        }
        distance.reverse();
        distance.resize(exponent.len(), Lit::FALSE);
        (self.aig.sub(exponent, &distance), significand)
    }

    /// Shifts right; what falls out is or'ed into the lowest bit. The distance is unsigned.
    fn shift_sticky(&mut self, word: &[Lit], distance: &[Lit]) -> Word {
        let width = word.len();
        let mut word = word.to_vec();
        let mut far = Lit::FALSE;
        for (stage, &bit) in distance.iter().enumerate() {
            if stage >= 16 || 1 << stage >= width {
                far = self.aig.or(far, bit);
                continue;
            }
            let by = 1usize << stage;
            let lost = self.any(&word[..=by]);
            let shifted: Word = (0..width)
                .map(|i| if i == 0 { lost } else { word.get(i + by).copied().unwrap_or(Lit::FALSE) })
                .collect();
            word = self.aig.mux_word(bit, &shifted, &word);
        }
        let some = self.any(&word);
        let gone: Word = (0..width).map(|i| if i == 0 { some } else { Lit::FALSE }).collect();
        self.aig.mux_word(far, &gone, &word)
    }

    /// Whether a magnitude is made larger, by its lowest bit, the first bit behind it, and whether more follows.
    fn rounds_up(&mut self, rounding: Rounding, sign: Lit, last: Lit, half: Lit, more: Lit) -> Lit {
        let inexact = self.aig.or(half, more);
        match rounding {
            Rounding::NearestEven => {
                let odd = self.aig.or(last, more);
                self.aig.and(half, odd)
            }
            Rounding::NearestAway => half,
            Rounding::Up => self.aig.and(!sign, inexact),
            Rounding::Down => self.aig.and(sign, inexact),
            Rounding::Zero => Lit::FALSE,
        }
    }

    /// Rounds a finite number that is not zero to a format.
    fn pack(&mut self, format: Format, rounding: Rounding, exact: &Exact) -> Word {
        let fraction = format.fraction;
        // Two bits below the fraction at least: the half and the rest.
        let mut significand = exact.significand.clone();
        while significand.len() < fraction + 3 {
            significand.insert(0, Lit::FALSE);
        }
        let spare = significand.len() - (fraction + 3);
        if spare > 0 {
            let rest = self.any(&significand[..=spare]);
            significand.splice(..=spare, [rest]);
        }
        // Wide enough for the bias, and for the distance to the smallest exponent.
        let width = exact.exponent.len().max(format.exponent + 2) + 1;
        let exponent = self.extend(&exact.exponent, width);
        let biased = self.plus(&exponent, format.bias() as i64);
        // Subnormal: the field would be 0 or less.
        let one = self.number(width, 1);
        let subnormal = self.aig.slt(&biased, &one);
        let distance = self.aig.sub(&one, &biased);
        let distance: Word = distance.iter().map(|&bit| self.aig.and(bit, subnormal)).collect();
        let significand = self.shift_sticky(&significand, &distance[..width - 1]);
        let field: Word = biased.iter().map(|&bit| self.aig.and(bit, !subnormal)).collect();
        let top = significand.len() - 1;
        let low = top - fraction;
        let (half, more) = (significand[low - 1], self.any(&significand[..low - 1]));
        let up = self.rounds_up(rounding, exact.sign, significand[low], half, more);
        // A carry out of the fraction counts the exponent up, also from subnormal to normal.
        let mut magnitude = significand[low..top].to_vec();
        magnitude.extend(&field);
        let zero = vec![Lit::FALSE; magnitude.len()];
        let magnitude = self.aig.add(&magnitude, &zero, up);
        let (low, field) = magnitude.split_at(fraction);
        let largest = of_constant(width, (1 << format.exponent) - 2);
        let overflow = self.aig.ult(&largest, field);
        let infinite = match rounding {
            Rounding::NearestEven | Rounding::NearestAway => Lit::TRUE,
            Rounding::Up => !exact.sign,
            Rounding::Down => exact.sign,
            Rounding::Zero => Lit::FALSE,
        };
        let (infinity, greatest) = (self.infinity(format), of_constant(format.width() - 1, format.infinity() - 1));
        let beyond = self.aig.mux_word(infinite, &infinity, &greatest);
        let within: Word = low.iter().chain(&field[..format.exponent]).copied().collect();
        let mut result = self.aig.mux_word(overflow, &beyond, &within);
        result.push(exact.sign);
        result
    }

    /// The magnitude of infinity.
    fn infinity(&self, format: Format) -> Word {
        of_constant(format.width() - 1, format.infinity())
    }

    /// A magnitude with a sign.
    fn signed(&self, mut magnitude: Word, sign: Lit) -> Word {
        magnitude.push(sign);
        magnitude
    }

    /// Zero with a sign.
    fn zero(&self, format: Format, sign: Lit) -> Word {
        self.signed(vec![Lit::FALSE; format.width() - 1], sign)
    }

    /// What is no number: the first operand that is none, made quiet, else the one of an invalid operation.
    fn no_number(&mut self, format: Format, operands: &[(&[Lit], Lit)]) -> Word {
        let mut result = of_constant(format.width(), format.invalid());
        for &(operand, nan) in operands.iter().rev() {
            let mut quiet = operand.to_vec();
            quiet[format.fraction - 1] = Lit::TRUE;
            result = self.aig.mux_word(nan, &quiet, &result);
        }
        result
    }
}
