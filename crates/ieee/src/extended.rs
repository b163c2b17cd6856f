//! The 80 bits of x87: sign, 15 bits of exponent, and a significand whose leading one is written down.
//!
//! As the leading one follows from the exponent, 79 bits hold the same numbers in the layout of IEEE 754. Everything is computed in
//! these. Of the encodings that the processor itself never makes, a subnormal number with a leading one is the normal number with
//! the least exponent; others are invalid operands and count as what is no number, as they do for the processor.

use crate::Format;

/// Bits of x87's extended format.
pub const EXTENDED: u16 = 80;
/// Bits of the same numbers in the layout of IEEE 754.
pub const COMPACT: u16 = 79;

const FRACTION: u32 = 63;

/// The 79 bits of a number of 80 bits.
pub fn compact(bits: u128) -> u128 {
    let format = Format::of(COMPACT);
    let fraction = bits & ((1 << FRACTION) - 1);
    let leading = bits >> FRACTION & 1 != 0;
    let field = bits >> (FRACTION + 1) & 0x7fff;
    let sign = if bits >> (EXTENDED - 1) & 1 != 0 { format.sign() } else { 0 };
    match (field, leading) {
        (0, true) => sign | 1 << FRACTION | fraction,
        (0, false) => sign | fraction,
        (_, false) => format.invalid(),
        _ => sign | field << FRACTION | fraction,
    }
}

/// The 80 bits of a number of 79 bits.
pub fn extended(bits: u128) -> u128 {
    let fraction = bits & ((1 << FRACTION) - 1);
    let upper = bits >> FRACTION & 0xffff;
    let leading = u128::from(upper & 0x7fff != 0);
    upper << (FRACTION + 1) | leading << FRACTION | fraction
}
