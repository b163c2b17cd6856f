//! What is known of a word: bounds in both orders, and low bits.

/// The widest words that are tracked: sums of products of two of them fit into 128 bits, or it is noticed that they do not.
pub(super) const WIDEST: u16 = 64;

/// A set of words, never empty: those within both pairs of bounds that have the known low bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Values {
    pub width: u16,
    /// As unsigned numbers.
    pub unsigned: (i128, i128),
    /// As signed numbers.
    pub signed: (i128, i128),
    /// How many of the lowest bits are known, and what they are.
    pub low: (u16, i128),
}

impl Values {
    /// All words of a width.
    pub fn any(width: u16) -> Self {
        let half = 1i128 << (width - 1);
        Self { width, unsigned: (0, 2 * half - 1), signed: (-half, half - 1), low: (0, 0) }
    }

    /// One word.
    pub fn constant(width: u16, bits: i128) -> Self {
        let signed = if bits >> (width - 1) & 1 == 1 { bits - (1 << width) } else { bits };
        Self { width, unsigned: (bits, bits), signed: (signed, signed), low: (width, bits) }
    }

    /// A truth value.
    pub fn truth(value: bool) -> Self {
        Self::constant(1, value.into())
    }

    /// The integers from `lo` to `hi`, modulo 2^w.
    pub fn integers(width: u16, lo: i128, hi: i128) -> Self {
        let any = Self::any(width);
        let period = 1i128 << width;
        let moved = |least: i128| {
            let first = lo.checked_sub(least)?.div_euclid(period);
            (first == hi.checked_sub(least)?.div_euclid(period)).then(|| (lo - first * period, hi - first * period))
        };
        let unsigned = moved(0).unwrap_or(any.unsigned);
        let signed = moved(any.signed.0).unwrap_or(any.signed);
        Self { unsigned, signed, ..any }.reduced().unwrap_or(any)
    }

    /// Words with these low bits.
    pub fn low(width: u16, known: u16, bits: i128) -> Self {
        let any = Self::any(width);
        Self { low: (known, bits & ((1 << known) - 1)), ..any }.reduced().unwrap_or(any)
    }

    /// The only word, if there is just one.
    pub fn as_constant(&self) -> Option<i128> {
        (self.unsigned.0 == self.unsigned.1).then_some(self.unsigned.0)
    }

    /// The only truth value, if there is just one.
    pub fn as_truth(&self) -> Option<bool> {
        self.as_constant().map(|value| value == 1)
    }

    /// Whether the only word is the one with the highest bit alone, and there are others.
    pub fn is_sign(&self) -> bool {
        self.width > 1 && self.unsigned.0 == self.unsigned.1 && self.signed.0 == -(1 << (self.width - 1))
    }

    /// The words in both sets, if there are any.
    pub fn meet(&self, other: &Self) -> Option<Self> {
        if self == other {
            return Some(*self);
        }
        let both = |a: (i128, i128), b: (i128, i128)| (a.0.max(b.0), a.1.min(b.1));
        let (longer, shorter) = if self.low.0 >= other.low.0 { (self.low, other.low) } else { (other.low, self.low) };
        if (longer.1 ^ shorter.1) & ((1 << shorter.0) - 1) != 0 {
            return None;
        }
        let (unsigned, signed) = (both(self.unsigned, other.unsigned), both(self.signed, other.signed));
        Self { width: self.width, unsigned, signed, low: longer }.reduced()
    }

    /// At least the words of both.
    pub fn hull(&self, other: &Self) -> Self {
        let both = |a: (i128, i128), b: (i128, i128)| (a.0.min(b.0), a.1.max(b.1));
        let common = ((self.low.1 ^ other.low.1).trailing_zeros() as u16).min(self.low.0).min(other.low.0);
        Self {
            width: self.width,
            unsigned: both(self.unsigned, other.unsigned),
            signed: both(self.signed, other.signed),
            low: (common, self.low.1 & ((1 << common) - 1)),
        }
    }

    /// The same words with the tightest bounds that each part tells of the others; nothing if there is no word.
    pub fn reduced(mut self) -> Option<Self> {
        let (half, period) = (1i128 << (self.width - 1), 1i128 << self.width);
        // A second time, as the second order may tell something of the first.
        for _ in 0..2 {
            let (known, bits) = self.low;
            if known > 0 {
                let modulus = 1i128 << known;
                let inward = |(lo, hi): (i128, i128)| {
                    (lo + (bits - lo).rem_euclid(modulus), hi - (hi - bits).rem_euclid(modulus))
                };
                self.unsigned = inward(self.unsigned);
                self.signed = inward(self.signed);
            }
            if self.unsigned.0 > self.unsigned.1 || self.signed.0 > self.signed.1 {
                return None;
            }
            let both = |a: (i128, i128), b: (i128, i128)| (a.0.max(b.0), a.1.min(b.1));
            if self.unsigned.1 < half {
                self.signed = both(self.signed, self.unsigned);
            } else if self.unsigned.0 >= half {
                self.signed = both(self.signed, (self.unsigned.0 - period, self.unsigned.1 - period));
            }
            if self.signed.0 >= 0 {
                self.unsigned = both(self.unsigned, self.signed);
            } else if self.signed.1 < 0 {
                self.unsigned = both(self.unsigned, (self.signed.0 + period, self.signed.1 + period));
            }
            if self.unsigned.0 > self.unsigned.1 || self.signed.0 > self.signed.1 {
                return None;
            }
        }
        if let Some(value) = self.as_constant() {
            let only = Self::constant(self.width, value);
            let fits = self.signed.0 <= only.signed.0 && only.signed.0 <= self.signed.1;
            let congruent = (value ^ self.low.1) & ((1 << self.low.0) - 1) == 0;
            return (fits && congruent).then_some(only);
        }
        Some(self)
    }
}
