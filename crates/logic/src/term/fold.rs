//! The meaning of the operators on constants: the simplifier folds with it, and models are evaluated with it.
//!
//! Values are the bits of a bit-vector, zero-extended to 128. All operators are total, as in SMT-LIB: division by zero
//! gives all ones (`bvudiv`) or the dividend (`bvurem`), and a shift by the width or more shifts everything out.

use super::BinaryOp;

/// All ones of a width (1 to 128).
#[inline]
pub fn ones(width: u16) -> u128 {
    debug_assert!((1..=128).contains(&width), "width {width}");
    u128::MAX >> (128 - width)
}

/// The lowest bits of a value.
#[inline]
pub fn mask(width: u16, value: u128) -> u128 {
    value & ones(width)
}

/// The value of a bit-vector read as two's complement.
#[inline]
pub fn signed(width: u16, bits: u128) -> i128 {
    let unused = 128 - width;
    ((bits << unused) as i128) >> unused
}

/// The smallest signed number of a width, as bits; also the weight of the sign bit.
#[inline]
pub fn sign_bit(width: u16) -> u128 {
    1 << (width - 1)
}

/// A binary operator on two values of `width` bits; comparisons give 0 or 1.
pub fn binary(op: BinaryOp, width: u16, a: u128, b: u128) -> u128 {
    use BinaryOp::*;
    let (sa, sb) = (signed(width, a), signed(width, b));
    let value = match op {
        Add => a.wrapping_add(b),
        Sub => a.wrapping_sub(b),
        Mul => a.wrapping_mul(b),
        UDiv => a.checked_div(b).unwrap_or(u128::MAX),
        URem => a.checked_rem(b).unwrap_or(a),
        SDiv if b == 0 => (if sa < 0 { 1i128 } else { -1 }) as u128,
        SDiv => sa.wrapping_div(sb) as u128,
        SRem if b == 0 => a,
        SRem => sa.wrapping_rem(sb) as u128,
        And => a & b,
        Or => a | b,
        Xor => a ^ b,
        Shl | LShr if b >= width.into() => 0,
        Shl => a << b,
        LShr => a >> b,
        AShr => (sa >> b.min(u128::from(width) - 1)) as u128,
        Eq => return (a == b).into(),
        ULt => return (a < b).into(),
        ULe => return (a <= b).into(),
        SLt => return (sa < sb).into(),
        SLe => return (sa <= sb).into(),
    };
    mask(width, value)
}
