//! Sets of floats: a range of magnitudes for each sign.
//!
//! The magnitude of a float is all its bits but the sign. Magnitudes are ordered as the numbers are, infinity is the greatest
//! number, and what lies above it is no number. So two ranges, one for each sign, tell signed zeros, infinities and NaNs without
//! flags, and leave the gap around zero, which divisions need. They are also the signed and the unsigned bounds of the bits, in which
//! form invariants and certificates have them already.
//!
//! A set with numbers and NaNs of one sign has all numbers of it from its least one to infinity. A result that is invalid has the
//! sign set, so what is lost is the lower bound of a number, and only where a NaN could not be excluded.

use crate::Format;
use crate::exact::{ceiling, floor, of_double, to_double};

/// Magnitudes from the first to the second.
pub(crate) type Range = (u64, u64);

/// A set of floats of 32 or 64 bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Floats {
    width: u16,
    /// Magnitudes of those with a clear sign, and with a sign that is set.
    parts: [Option<Range>; 2],
}

impl Floats {
    /// All floats.
    pub fn any(width: u16) -> Self {
        let all = Some((0, sign(width) - 1));
        Self { width, parts: [all, all] }
    }

    /// No float.
    pub fn none(width: u16) -> Self {
        assert!(matches!(width, 32 | 64), "floats of {width} bits");
        Self { width, parts: [None, None] }
    }

    /// From ranges of magnitudes, for the sign clear and set.
    pub fn of_parts(width: u16, positive: Option<(u64, u64)>, negative: Option<(u64, u64)>) -> Self {
        let valid = |range: Option<Range>| range.filter(|(lo, hi)| lo <= hi);
        Self { parts: [valid(positive), valid(negative)], ..Self::none(width) }
    }

    /// Ranges of magnitudes, for the sign clear and set.
    pub fn parts(&self) -> [Option<(u64, u64)>; 2] {
        self.parts
    }

    /// One float.
    pub fn constant(width: u16, bits: u64) -> Self {
        let mut set = Self::none(width);
        set.put(bits);
        set
    }

    /// The numbers from `lo` to `hi`, with both zeros if 0 is among them; none if one of these is no number.
    pub fn between(width: u16, lo: f64, hi: f64) -> Self {
        let mut set = Self::none(width);
        let (lo, hi) = (ceiling(width, lo), floor(width, hi));
        if lo <= hi {
            let magnitude = |value: f64| of_double(width, value.abs());
            if hi >= 0.0 {
                set.parts[0] = Some((magnitude(lo.max(0.0)), magnitude(hi)));
            }
            if lo <= 0.0 {
                set.parts[1] = Some((magnitude(hi.min(0.0)), magnitude(lo)));
            }
        }
        set
    }

    /// The number of bits.
    pub fn width(&self) -> u16 {
        self.width
    }

    /// Whether there is no float.
    pub fn is_empty(&self) -> bool {
        self.parts == [None, None]
    }

    /// Whether a float is in the set.
    pub fn contains(&self, bits: u64) -> bool {
        let magnitude = bits & (sign(self.width) - 1);
        self.parts[usize::from(bits & sign(self.width) != 0)].is_some_and(|(lo, hi)| lo <= magnitude && magnitude <= hi)
    }

    /// Whether something is no number.
    pub fn has_nan(&self) -> bool {
        self.parts.iter().flatten().any(|part| part.1 > infinity(self.width))
    }

    /// The numbers.
    pub fn numbers(&self) -> Self {
        let most = infinity(self.width);
        let part = |range: Option<Range>| range.map(|(lo, hi)| (lo, hi.min(most))).filter(|(lo, hi)| lo <= hi);
        Self { width: self.width, parts: self.parts.map(part) }
    }

    /// What is no number.
    pub fn nans(&self) -> Self {
        let least = infinity(self.width) + 1;
        let part = |range: Option<Range>| range.map(|(lo, hi)| (lo.max(least), hi)).filter(|(lo, hi)| lo <= hi);
        Self { width: self.width, parts: self.parts.map(part) }
    }

    /// The least and the greatest number, if there is one.
    pub fn bounds(&self) -> Option<(f64, f64)> {
        let [positive, negative] = self.numbers().parts;
        let value = |magnitude: u64| to_double(self.width, magnitude);
        let lo = negative.map(|part| -value(part.1)).or(positive.map(|part| value(part.0)))?;
        let hi = positive.map(|part| value(part.1)).or(negative.map(|part| -value(part.0)))?;
        Some((lo, hi))
    }

    /// Whether zero, of either sign, is in the set.
    pub fn has_zero(&self) -> bool {
        self.parts.iter().flatten().any(|part| part.0 == 0)
    }

    /// Whether an infinity is in the set.
    pub fn has_infinity(&self) -> bool {
        let most = infinity(self.width);
        self.parts.iter().flatten().any(|&(lo, hi)| lo <= most && most <= hi)
    }

    /// With the opposite signs.
    pub fn negated(&self) -> Self {
        Self { width: self.width, parts: [self.parts[1], self.parts[0]] }
    }

    /// Without signs.
    pub fn absolute(&self) -> Self {
        self.join(&self.negated()).with_sign(false)
    }

    /// Those with a sign.
    pub fn with_sign(&self, negative: bool) -> Self {
        let mut parts = self.parts;
        parts[usize::from(!negative)] = None;
        Self { width: self.width, parts }
    }

    /// At least the floats of both.
    pub fn join(&self, other: &Self) -> Self {
        let part = |a: Option<Range>, b: Option<Range>| match (a, b) {
            (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
            (one, None) | (None, one) => one,
        };
        Self { width: self.width, parts: [0, 1].map(|i| part(self.parts[i], other.parts[i])) }
    }

    /// The floats of both.
    pub fn meet(&self, other: &Self) -> Self {
        let part = |a: Option<Range>, b: Option<Range>| {
            let (a, b) = (a?, b?);
            Some((a.0.max(b.0), a.1.min(b.1))).filter(|(lo, hi)| lo <= hi)
        };
        Self { width: self.width, parts: [0, 1].map(|i| part(self.parts[i], other.parts[i])) }
    }

    /// Adds a float.
    pub(crate) fn put(&mut self, bits: u64) {
        let magnitude = bits & (sign(self.width) - 1);
        self.put_range(bits & sign(self.width) != 0, (magnitude, magnitude));
    }

    /// Adds magnitudes with a sign.
    pub(crate) fn put_range(&mut self, negative: bool, range: Range) {
        let mut more = Self { width: self.width, parts: [None, None] };
        more.parts[usize::from(negative)] = Some(range);
        *self = self.join(&more);
    }
}

/// The bit of the sign.
pub(crate) fn sign(width: u16) -> u64 {
    1 << (width - 1)
}

/// The magnitude of infinity.
pub(crate) fn infinity(width: u16) -> u64 {
    Format::of(width).infinity() as u64
}
