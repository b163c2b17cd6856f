//! From operands to results.
//!
//! Rounding to nearest keeps the order of numbers, so the results at the ends of ranges are the ends of the results, exactly: nothing
//! has to be rounded outward. Infinities are taken apart from finite numbers, since `∞ - ∞`, `0 · ∞` and `∞ / ∞` are no numbers.
//!
//! A result that is no number is an operand that is none, made quiet, or the one of an invalid operation
//! ([`Format::no_number`]).

use crate::exact::{integral, of_double, root, to_double};
use crate::set::{Range, infinity, sign};
use crate::{Arithmetic, Floats, Format, Rounding};

/// Numbers of one sign: finite ones, and whether infinity is there.
#[derive(Clone, Copy)]
struct Signed {
    negative: bool,
    finite: Option<Range>,
    infinite: bool,
}

impl Signed {
    fn has_zero(&self) -> bool {
        self.finite.is_some_and(|(lo, _)| lo == 0)
    }

    fn has_other(&self) -> bool {
        self.infinite || self.finite.is_some_and(|(_, hi)| hi > 0)
    }
}

impl Floats {
    fn signed(&self) -> impl Iterator<Item = Signed> + use<> {
        let (most, numbers) = (infinity(self.width()), self.numbers().parts());
        [false, true].into_iter().zip(numbers).filter_map(move |(negative, part)| {
            let (lo, hi) = part?;
            let finite = Some((lo, hi.min(most - 1))).filter(|(lo, hi)| lo <= hi);
            Some(Signed { negative, finite, infinite: hi == most })
        })
    }

    /// All results of an operator that rounds to nearest even.
    pub fn arithmetic(op: Arithmetic, a: &Self, b: &Self) -> Self {
        let mut result = Self::none(a.width());
        if a.is_empty() || b.is_empty() {
            return result;
        }
        let b = if op == Arithmetic::Sub { b.negated() } else { *b };
        for x in a.signed() {
            for y in b.signed() {
                match op {
                    Arithmetic::Add | Arithmetic::Sub => result.put_sum(x, y),
                    Arithmetic::Mul => result.put_product(x, y),
                    Arithmetic::Div => result.put_quotient(x, y),
                }
            }
        }
        // A NaN that is subtracted keeps its sign.
        let b = if op == Arithmetic::Sub { b.negated() } else { b };
        result.put_quiet(a);
        result.put_quiet(&b);
        result
    }

    fn put_sum(&mut self, x: Signed, y: Signed) {
        let (width, most) = (self.width(), infinity(self.width()));
        if let (Some(a), Some(b)) = (x.finite, y.finite) {
            let bits = |s: Signed, magnitude: u64| if s.negative { magnitude | sign(width) } else { magnitude };
            // From the least to the greatest number, not magnitude.
            let ends = |s: Signed, r: Range| if s.negative { (bits(s, r.1), bits(s, r.0)) } else { r };
            let (a, b) = (ends(x, a), ends(y, b));
            let (lo, hi) = (Arithmetic::Add.host(width, a.0, b.0), Arithmetic::Add.host(width, a.1, b.1));
            self.put_between(lo, hi);
        }
        if x.infinite && y.infinite && x.negative != y.negative {
            self.put_invalid();
        }
        if x.infinite && (y.finite.is_some() || y.infinite && x.negative == y.negative) {
            self.put_range(x.negative, (most, most));
        }
        if y.infinite && x.finite.is_some() {
            self.put_range(y.negative, (most, most));
        }
    }

    fn put_product(&mut self, x: Signed, y: Signed) {
        let (width, most) = (self.width(), infinity(self.width()));
        let negative = x.negative != y.negative;
        if let (Some(a), Some(b)) = (x.finite, y.finite) {
            let product = |a, b| Arithmetic::Mul.host(width, a, b);
            self.put_range(negative, (product(a.0, b.0), product(a.1, b.1)));
        }
        if x.infinite && y.has_zero() || y.infinite && x.has_zero() {
            self.put_invalid();
        }
        if x.infinite && y.has_other() || y.infinite && x.has_other() {
            self.put_range(negative, (most, most));
        }
    }

    fn put_quotient(&mut self, x: Signed, y: Signed) {
        let (width, most) = (self.width(), infinity(self.width()));
        let negative = x.negative != y.negative;
        // By what is not zero.
        if let (Some(a), Some((lo, hi @ 1..))) = (x.finite, y.finite) {
            let quotient = |a, b| Arithmetic::Div.host(width, a, b);
            self.put_range(negative, (quotient(a.0, hi), quotient(a.1, lo.max(1))));
        }
        if x.has_zero() && y.has_zero() || x.infinite && y.infinite {
            self.put_invalid();
        }
        if x.has_other() && y.has_zero() || x.infinite && y.finite.is_some() {
            self.put_range(negative, (most, most));
        }
        if x.finite.is_some() && y.infinite {
            self.put_range(negative, (0, 0));
        }
    }

    /// All square roots.
    pub fn root(&self) -> Self {
        let mut result = Self::none(self.width());
        let [positive, negative] = self.numbers().parts();
        if let Some((lo, hi)) = positive {
            result.put_range(false, (root(self.width(), lo), root(self.width(), hi)));
        }
        if let Some((lo, hi)) = negative {
            if lo == 0 {
                result.put_range(true, (0, 0));
            }
            if hi > 0 {
                result.put_invalid();
            }
        }
        result.put_quiet(self);
        result
    }

    /// The nearest integers in a direction.
    pub fn integral(&self, rounding: Rounding) -> Self {
        self.mapped(self.width(), |bits| integral(self.width(), rounding, bits))
    }

    /// In another format, rounded to nearest even.
    pub fn converted(&self, width: u16) -> Self {
        if width == self.width() {
            return *self;
        }
        self.mapped(width, |bits| of_double(width, to_double(self.width(), bits)))
    }

    /// A function that keeps signs and order. NaNs of a sign become all of that sign.
    fn mapped(&self, width: u16, function: impl Fn(u64) -> u64) -> Self {
        let mut result = Self::none(width);
        let flag = |width, negative: bool| if negative { sign(width) } else { 0 };
        for (negative, part) in [false, true].into_iter().zip(self.numbers().parts()) {
            let Some((lo, hi)) = part else { continue };
            let end = |magnitude| function(magnitude | flag(self.width(), negative)) & (sign(width) - 1);
            result.put_range(negative, (end(lo), end(hi)));
        }
        for (negative, part) in [false, true].into_iter().zip(self.nans().parts()) {
            if part.is_some() {
                result.put_range(negative, (quiet(width), sign(width) - 1));
            }
        }
        result
    }

    /// All results of `fmod`: its sign is that of the first operand, and it is smaller than the second one.
    pub fn fmod(a: &Self, b: &Self) -> Self {
        let mut result = Self::none(a.width());
        if a.is_empty() || b.is_empty() {
            return result;
        }
        let most = infinity(a.width());
        let divisor = b.numbers().absolute().parts()[0];
        for x in a.signed() {
            let Some((least, largest)) = divisor else { continue };
            if x.infinite || least == 0 {
                result.put_invalid();
            }
            let Some((lo, hi)) = x.finite else { continue };
            if hi < least {
                // The first operand itself.
                result.put_range(x.negative, (lo, hi));
            } else if largest > 0 {
                result.put_range(x.negative, (0, hi.min(if largest == most { most - 1 } else { largest - 1 })));
            }
        }
        result.put_quiet(a);
        result.put_quiet(b);
        result
    }

    /// Adds the numbers between two, which are given by their bits.
    fn put_between(&mut self, lo: u64, hi: u64) {
        let flag = sign(self.width());
        let (low, high) = (lo & (flag - 1), hi & (flag - 1));
        match (lo & flag != 0, hi & flag != 0) {
            (false, _) => self.put_range(false, (low, high)),
            (true, true) => self.put_range(true, (high, low)),
            (true, false) => {
                self.put_range(true, (0, low));
                self.put_range(false, (0, high));
            }
        }
    }

    pub(crate) fn put_invalid(&mut self) {
        self.put(Format::of(self.width()).invalid() as u64);
    }

    /// Adds what is no number in a set, made quiet.
    pub(crate) fn put_quiet(&mut self, set: &Self) {
        let quiet = quiet(self.width());
        for (negative, part) in [false, true].into_iter().zip(set.nans().parts()) {
            match part {
                Some((lo, hi)) if lo >= quiet => self.put_range(negative, (lo, hi)),
                Some(_) => self.put_range(negative, (quiet, sign(self.width()) - 1)),
                None => {}
            }
        }
    }
}

/// The least magnitude of what is quiet and no number.
fn quiet(width: u16) -> u64 {
    let format = Format::of(width);
    (format.infinity() | format.quiet()) as u64
}

/// Conversions from and to integers.
impl Floats {
    /// Of the integers between two bounds.
    pub fn of_integers(width: u16, lo: i128, hi: i128) -> Self {
        let bits = |value: i128| -> u64 {
            if width == 32 { (value as f32).to_bits().into() } else { (value as f64).to_bits() }
        };
        let mut result = Self::none(width);
        if lo <= hi {
            // No integer becomes the zero with a sign.
            let positive = (hi >= 0).then(|| (bits(lo.max(0)), bits(hi)));
            let negative = (lo < 0).then(|| (bits(-hi.min(-1)), bits(lo.checked_neg().unwrap_or(i128::MAX))));
            result = Self::of_parts(width, positive, negative);
        }
        result
    }

    /// The least and the greatest integer toward zero, within bounds beyond which they do not go; 0 for what is no number.
    pub fn to_integers(&self, (least, most): (i128, i128)) -> Option<(i128, i128)> {
        let numbers = self.bounds().map(|(lo, hi)| ((lo as i128).clamp(least, most), (hi as i128).clamp(least, most)));
        match (numbers, self.has_nan()) {
            (Some((lo, hi)), true) => Some((lo.min(0), hi.max(0))),
            (None, true) => Some((0, 0)),
            (numbers, false) => numbers,
        }
    }
}
