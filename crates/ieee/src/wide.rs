//! Unsigned integers of 256 bits, as far as exact products and sums of significands need them.

use std::cmp::Ordering;

/// The upper and the lower half.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Wide {
    high: u128,
    low: u128,
}

impl Wide {
    pub const ZERO: Wide = Wide { high: 0, low: 0 };

    pub fn new(low: u128) -> Self {
        Self { high: 0, low }
    }

    pub fn is_zero(self) -> bool {
        self == Self::ZERO
    }

    /// The lowest 128 bits.
    pub fn low(self) -> u128 {
        self.low
    }

    /// Number of bits without leading zeros.
    pub fn length(self) -> u32 {
        if self.high != 0 { 256 - self.high.leading_zeros() } else { 128 - self.low.leading_zeros() }
    }

    pub fn shl(self, by: u32) -> Self {
        match by {
            0 => self,
            1..128 => Self { high: self.high << by | self.low >> (128 - by), low: self.low << by },
            128..256 => Self { high: self.low << (by - 128), low: 0 },
            _ => Self::ZERO,
        }
    }

    pub fn shr(self, by: u32) -> Self {
        match by {
            0 => self,
            1..128 => Self { high: self.high >> by, low: self.low >> by | self.high << (128 - by) },
            128..256 => Self { high: 0, low: self.high >> (by - 128) },
            _ => Self::ZERO,
        }
    }

    /// Shifted right; what falls out is or'ed into the lowest bit.
    pub fn shr_sticky(self, by: u32) -> Self {
        let kept = self.shr(by);
        let lost = kept.shl(by) != self;
        Self { low: kept.low | u128::from(lost), ..kept }
    }

    pub fn add(self, other: Self) -> Self {
        let (low, carry) = self.low.overflowing_add(other.low);
        Self { high: self.high.wrapping_add(other.high).wrapping_add(carry.into()), low }
    }

    /// The other one is not larger.
    pub fn sub(self, other: Self) -> Self {
        debug_assert!(self.cmp(&other) != Ordering::Less, "a difference of significands is not negative");
        let (low, borrow) = self.low.overflowing_sub(other.low);
        Self { high: self.high.wrapping_sub(other.high).wrapping_sub(borrow.into()), low }
    }

    pub fn product(a: u128, b: u128) -> Self {
        let half = |x: u128| (x >> 64, x & u128::from(u64::MAX));
        let ((a1, a0), (b1, b0)) = (half(a), half(b));
        let middle = |x: u128| Self::new(x).shl(64);
        Self { high: a1 * b1, low: a0 * b0 }.add(middle(a1 * b0)).add(middle(a0 * b1))
    }
}
