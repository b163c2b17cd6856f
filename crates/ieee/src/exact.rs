//! The host's arithmetic on bits, single and double, rounded to nearest even.

use crate::Rounding;

/// Operators whose results the host rounds as C does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Arithmetic {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Quotient.
    Div,
}

impl Arithmetic {
    /// All of them.
    pub const ALL: [Arithmetic; 4] = [Arithmetic::Add, Arithmetic::Sub, Arithmetic::Mul, Arithmetic::Div];

    /// The result, of 32 or 64 bits. What is no number has any bits that are none.
    pub fn host(self, width: u16, a: u64, b: u64) -> u64 {
        macro_rules! with {
            ($float:ty, $bits:ty) => {{
                let (a, b) = (<$float>::from_bits(a as $bits), <$float>::from_bits(b as $bits));
                let value = match self {
                    Arithmetic::Add => a + b,
                    Arithmetic::Sub => a - b,
                    Arithmetic::Mul => a * b,
                    Arithmetic::Div => a / b,
                };
                u64::from(value.to_bits())
            }};
        }
        if width == 32 { with!(f32, u32) } else { with!(f64, u64) }
    }
}

/// The square root.
pub(crate) fn root(width: u16, x: u64) -> u64 {
    if width == 32 { f32::from_bits(x as u32).sqrt().to_bits().into() } else { f64::from_bits(x).sqrt().to_bits() }
}

/// The nearest integer in a direction, as a float.
pub(crate) fn integral(width: u16, rounding: Rounding, x: u64) -> u64 {
    let x = to_double(width, x);
    let value = match rounding {
        Rounding::NearestEven => x.round_ties_even(),
        Rounding::NearestAway => x.round(),
        Rounding::Up => x.ceil(),
        Rounding::Down => x.floor(),
        Rounding::Zero => x.trunc(),
    };
    // An integer that a single is near to is a single.
    of_double(width, value)
}

/// The number as a double, which has room for all singles.
pub fn to_double(width: u16, bits: u64) -> f64 {
    if width == 32 { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits) }
}

/// The nearest float of a width.
pub fn of_double(width: u16, value: f64) -> u64 {
    if width == 32 { (value as f32).to_bits().into() } else { value.to_bits() }
}

/// The next greater float of a width; infinity stays.
pub(crate) fn above(width: u16, value: f64) -> f64 {
    if width == 32 { f64::from((value as f32).next_up()) } else { value.next_up() }
}

/// The next smaller float of a width.
pub(crate) fn below(width: u16, value: f64) -> f64 {
    -above(width, -value)
}

/// The least float of a width that is not less than a double.
pub(crate) fn ceiling(width: u16, value: f64) -> f64 {
    let near = to_double(width, of_double(width, value));
    if near < value { above(width, near) } else { near }
}

/// The greatest float of a width that is not greater.
pub(crate) fn floor(width: u16, value: f64) -> f64 {
    -ceiling(width, -value)
}
