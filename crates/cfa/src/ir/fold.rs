//! The meaning of the operators on constants; the pool folds with it and the interpreter executes with it.

use super::extended;
use super::{BinOp, CastOp, DataModel, Ty, UnOp};

/// The lowest `bits` (1 to 64) bits of a value.
#[inline]
pub fn mask(bits: u32, value: u64) -> u64 {
    value & (u64::MAX >> (64 - bits))
}

/// The value of the lowest `bits` (1 to 64) bits, read as signed.
#[inline]
pub fn signed(bits: u32, value: u64) -> i64 {
    let unused = 64 - bits;
    ((value << unused) as i64) >> unused
}

/// A unary operator on a value of up to 64 bits; the result is not masked for `Neg` and `Not`.
#[inline]
pub fn unary(op: UnOp, ty: Ty, a: u64) -> u64 {
    match op {
        UnOp::Neg => a.wrapping_neg(),
        UnOp::Not => !a,
        UnOp::FNeg if ty == Ty::F32 => a ^ (1 << 31),
        UnOp::FNeg => a ^ (1 << 63),
    }
}

/// A binary operator on operands of type `ty` and up to 64 `bits`, both masked; the result is masked to the width of
/// the result.
#[inline]
pub fn binary(op: BinOp, ty: Ty, bits: u32, a: u64, b: u64) -> u64 {
    use BinOp::*;
    let sa = || signed(bits, a);
    let sb = || signed(bits, b);
    let value = match op {
        Add | PtrAdd => a.wrapping_add(b),
        Sub => a.wrapping_sub(b),
        Mul => a.wrapping_mul(b),
        UDiv => a.checked_div(b).unwrap_or(u64::MAX),
        URem => a.checked_rem(b).unwrap_or(a),
        SDiv if b == 0 => (if sa() < 0 { 1i64 } else { -1 }) as u64,
        SDiv => sa().wrapping_div(sb()) as u64,
        SRem if b == 0 => a,
        SRem => sa().wrapping_rem(sb()) as u64,
        And => a & b,
        Or => a | b,
        Xor => a ^ b,
        Shl if b >= bits.into() => 0,
        Shl => a << b,
        LShr if b >= bits.into() => 0,
        LShr => a >> b,
        AShr => (sa() >> b.min(u64::from(bits) - 1)) as u64,
        Eq => (a == b).into(),
        Ne => (a != b).into(),
        ULt => (a < b).into(),
        ULe => (a <= b).into(),
        SLt => (sa() < sb()).into(),
        SLe => (sa() <= sb()).into(),
        FAdd | FSub | FMul | FDiv | FEq | FNe | FLt | FLe => return float(op, ty, a, b),
    };
    mask(bits, value)
}

fn float(op: BinOp, ty: Ty, a: u64, b: u64) -> u64 {
    macro_rules! with {
        ($float:ty, $bits:ty) => {{
            let (a, b) = (<$float>::from_bits(a as $bits), <$float>::from_bits(b as $bits));
            let value = match op {
                BinOp::FAdd => a + b,
                BinOp::FSub => a - b,
                BinOp::FMul => a * b,
                BinOp::FDiv => a / b,
                BinOp::FEq => return (a == b) as u64,
                BinOp::FNe => return (a != b) as u64,
                BinOp::FLt => return (a < b) as u64,
                _ => return (a <= b) as u64,
            };
            value.to_bits() as u64
        }};
    }
    let value = if ty == Ty::F32 { with!(f32, u32) } else { with!(f64, u64) };
    if is_nan(ty, value) { no_number(ty, &[a, b]) } else { value }
}

/// Whether the bits of a float are no number.
#[inline]
fn is_nan(ty: Ty, bits: u64) -> bool {
    as_double(ty, bits).is_nan()
}

/// The highest bit of the fraction, which makes what is no number quiet, of a float.
fn quiet(ty: Ty) -> u64 {
    if ty == Ty::F32 { 1 << 22 } else { 1 << 51 }
}

/// The bits of a result that is no number. The host and the compiler of this program may choose others each time, so these are
/// ours, as SSE has them: the first operand that is no number, made quiet, else the one of an invalid operation.
pub fn no_number(ty: Ty, operands: &[u64]) -> u64 {
    let invalid = if ty == Ty::F32 { 0xffc0_0000 } else { 0xfff8 << 48 };
    operands.iter().find(|&&x| is_nan(ty, x)).map_or(invalid, |x| x | quiet(ty))
}

/// A unary operator on operands of 80 or 128 bits; the result is not masked.
pub fn unary_wide(op: UnOp, a: u128) -> u128 {
    match op {
        UnOp::Neg => a.wrapping_neg(),
        UnOp::Not => !a,
        UnOp::FNeg => extended::negated(a),
    }
}

/// A binary operator on operands of 80 or 128 bits, whose type is given; comparisons give 0 or 1.
pub fn binary_wide(op: BinOp, ty: Ty, a: u128, b: u128) -> u128 {
    use BinOp::*;
    if ty == Ty::F80 {
        return extended::binary(op, a, b);
    }
    let (sa, sb) = (a as i128, b as i128);
    match op {
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
        Shl => {
            if b >= 128 {
                0
            } else {
                a << b
            }
        }
        LShr => {
            if b >= 128 {
                0
            } else {
                a >> b
            }
        }
        AShr => (sa >> b.min(127)) as u128,
        Eq => (a == b).into(),
        Ne => (a != b).into(),
        ULt => (a < b).into(),
        ULe => (a <= b).into(),
        SLt => (sa < sb).into(),
        SLe => (sa <= sb).into(),
        FAdd | FSub | FMul | FDiv | FEq | FNe | FLt | FLe | PtrAdd => {
            unreachable!("{op:?} has no operands of 128 bits")
        }
    }
}

/// A conversion from a type of up to 64 bits to one of up to 64 bits; the result is masked.
#[inline]
pub fn cast(op: CastOp, from: Ty, to: Ty, model: DataModel, a: u64) -> u64 {
    let (from_bits, to_bits) = (from.bits(model), to.bits(model));
    let value = match op {
        CastOp::Trunc | CastOp::ZExt | CastOp::PtrToInt | CastOp::IntToPtr => a,
        CastOp::SExt => signed(from_bits, a) as u64,
        CastOp::SToF if to == Ty::F32 => (signed(from_bits, a) as f32).to_bits().into(),
        CastOp::SToF => (signed(from_bits, a) as f64).to_bits(),
        CastOp::UToF if to == Ty::F32 => (a as f32).to_bits().into(),
        CastOp::UToF => (a as f64).to_bits(),
        CastOp::FToS => {
            let limit = i64::MAX >> (64 - to_bits);
            (as_double(from, a) as i64).clamp(-limit - 1, limit) as u64
        }
        CastOp::FToU => (as_double(from, a) as u64).min(mask(to_bits, u64::MAX)),
        CastOp::FToF if from == to => a,
        // What is no number keeps its sign and the upper bits of its payload, and is made quiet.
        CastOp::FToF if to == Ty::F32 && is_nan(from, a) => a >> 32 & 1 << 31 | a >> 29 & 0x3f_ffff | 0x7fc0_0000,
        CastOp::FToF if to == Ty::F32 => (f64::from_bits(a) as f32).to_bits().into(),
        CastOp::FToF if is_nan(from, a) => (a & 1 << 31) << 32 | (a & 0x3f_ffff) << 29 | 0x7ff8 << 48,
        CastOp::FToF => f64::from(f32::from_bits(a as u32)).to_bits(),
    };
    mask(to_bits, value)
}

/// A float of either type as double (exact).
#[inline]
pub fn as_double(ty: Ty, bits: u64) -> f64 {
    if ty == Ty::F32 { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits) }
}

/// A conversion from or to 80 or 128 bits; the result is masked to 128 bits or less.
pub fn cast_wide(op: CastOp, from: Ty, to: Ty, model: DataModel, a: u128) -> u128 {
    if from == Ty::F80 || to == Ty::F80 {
        return extended::cast(op, from, to, model, a);
    }
    let from_bits = from.bits(model);
    let as_signed = || {
        let unused = 128 - from_bits;
        ((a << unused) as i128) >> unused
    };
    let value = match op {
        CastOp::Trunc | CastOp::ZExt | CastOp::PtrToInt | CastOp::IntToPtr => a,
        CastOp::SExt => as_signed() as u128,
        CastOp::SToF if to == Ty::F32 => (as_signed() as f32).to_bits().into(),
        CastOp::SToF => (as_signed() as f64).to_bits().into(),
        CastOp::UToF if to == Ty::F32 => (a as f32).to_bits().into(),
        CastOp::UToF => (a as f64).to_bits().into(),
        CastOp::FToS => as_double(from, a as u64) as i128 as u128,
        CastOp::FToU => as_double(from, a as u64) as u128,
        CastOp::FToF => unreachable!("no float has 128 bits"),
    };
    value & (u128::MAX >> (128 - to.bits(model)))
}
