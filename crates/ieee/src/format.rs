//! Formats and directions of rounding.

/// Widths of exponent and fraction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Format {
    /// Bits of the exponent.
    pub exponent: usize,
    /// Bits of the fraction, without the leading one.
    pub fraction: usize,
}

impl Format {
    /// The format of numbers with this many bits; 79 are those of x87's extended format without the leading one of its significand.
    ///
    /// # Panics
    /// If there is none.
    pub fn of(width: u16) -> Self {
        let (exponent, fraction) = match width {
            16 => (5, 10),
            32 => (8, 23),
            64 => (11, 52),
            79 => (15, 63),
            _ => panic!("no floats have {width} bits"),
        };
        Self { exponent, fraction }
    }

    /// The number of bits.
    pub fn width(self) -> usize {
        1 + self.exponent + self.fraction
    }

    /// The exponent field of 1.
    pub fn bias(self) -> u128 {
        (1 << (self.exponent - 1)) - 1
    }

    /// The bits of infinity.
    pub fn infinity(self) -> u128 {
        ((1 << self.exponent) - 1) << self.fraction
    }

    /// The bit of the sign.
    pub fn sign(self) -> u128 {
        1 << (self.exponent + self.fraction)
    }

    /// The bit that makes what is no number quiet.
    pub fn quiet(self) -> u128 {
        1 << (self.fraction - 1)
    }

    /// The bits of what is no number where no operand is to blame.
    pub fn invalid(self) -> u128 {
        self.sign() | self.infinity() | self.quiet()
    }

    /// Whether bits are no number.
    pub fn is_nan(self, bits: u128) -> bool {
        bits & !self.sign() > self.infinity()
    }

    /// The bits of a result that is no number: the first operand that is none, made quiet, else those of an invalid operation.
    pub fn no_number(self, operands: &[u128]) -> u128 {
        operands.iter().find(|&&x| self.is_nan(x)).map_or(self.invalid(), |x| x | self.quiet())
    }
}

/// Directions of rounding.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Rounding {
    /// To the nearest number; halves to the even one.
    NearestEven,
    /// To the nearest number; halves away from zero.
    NearestAway,
    /// Toward positive infinity.
    Up,
    /// Toward negative infinity.
    Down,
    /// Toward zero.
    Zero,
}

impl Rounding {
    /// All of them.
    pub const ALL: [Rounding; 5] =
        [Rounding::NearestEven, Rounding::NearestAway, Rounding::Up, Rounding::Down, Rounding::Zero];
}
