//! `_Float16`, the format of 16 bits of IEEE 754: 1 bit for the sign, 5 for the exponent, 10 for the fraction.
//!
//! Where it is computed with, it becomes a `float`, which has all its values; what is stored is the nearest value of the format.
//! Both conversions are made of operations on integers and exact ones on floats:
//!
//! - from bits: the fraction with its leading bit, times 2^-24, times 2^(exponent - 1); the exponents 0 and 1 count alike;
//! - to bits: 2^24 times the number is divided by powers of two until it lies below 2^11, and rounded to an integer. Exponent and
//!   integer are added: the integer's leading bit, if it has one, counts one exponent up, and so does what rounding carries.

use super::types::{CType, FloatKind, TypeId};
use super::{Lower, R, Val};
use crate::ir::{BinOp, CastOp, ExprId, Ty, UnOp};
use robusto_syntax::Span;

/// Exponent of infinities and of what is no number.
const SPECIAL: i128 = 31;

impl Lower<'_, '_> {
    /// A conversion from or to a type of 16 bits.
    pub(super) fn convert_half(&mut self, value: Val, to: TypeId, span: Span) -> R<Val> {
        let number = |lower: &Self, ty: TypeId| matches!(lower.types.get(ty), CType::Int(_) | CType::Float(_));
        match (self.types.get(value.ty), self.types.get(to)) {
            (CType::Half { brain: false }, _) if number(self, to) => {
                let single = self.types.float(FloatKind::Float);
                let e = self.float_of_half(value.e);
                self.convert(Val { e, ty: single }, to, span)
            }
            (_, CType::Half { brain: false }) if number(self, value.ty) => {
                // A `double` holds more than twice the digits: rounding twice comes to the same for floats and small integers.
                let double = self.types.float(FloatKind::Double);
                let value = self.convert(value, double, span)?;
                Ok(Val { e: self.half_of_double(value.e), ty: to })
            }
            _ => {
                let name = if matches!(self.types.get(value.ty), CType::Half { .. }) { value.ty } else { to };
                let text = format!("computing with `{}`", self.types.describe(name));
                self.unsupported(&text);
                Ok(self.any_of(to))
            }
        }
    }

    /// The value of the nearest number of the format.
    pub(super) fn rounded_half(&mut self, value: f64) -> ExprId {
        let value = self.program.exprs.constant(Ty::F64, value.to_bits());
        self.half_of_double(value)
    }

    fn float_of_half(&mut self, bits: ExprId) -> ExprId {
        let pool = &mut self.program.exprs;
        let bits = pool.resize(bits, false, 32);
        let part = |pool: &mut crate::ir::ExprPool, shift: i128, mask: i128| {
            let (shift, mask) = (pool.int(32, shift), pool.int(32, mask));
            let shifted = pool.binary(BinOp::LShr, bits, shift);
            pool.binary(BinOp::And, shifted, mask)
        };
        let (sign, exponent, fraction) = (part(pool, 15, 1), part(pool, 10, 31), part(pool, 0, 1023));
        let (zero, one, two) = (pool.int(32, 0), pool.int(32, 1), pool.int(32, 2));
        let normal = pool.binary(BinOp::Ne, exponent, zero);
        let normal = pool.cast(CastOp::ZExt, Ty::Int(32), normal);
        let ten = pool.int(32, 10);
        let leading = pool.binary(BinOp::Shl, normal, ten);
        let digits = pool.binary(BinOp::Or, fraction, leading);
        let digits = pool.cast(CastOp::UToF, Ty::F32, digits);
        let power = pool.binary(BinOp::Sub, exponent, normal);
        let power = pool.binary(BinOp::Shl, one, power);
        let power = pool.cast(CastOp::UToF, Ty::F32, power);
        let unit = pool.constant(Ty::F32, 2f32.powi(-24).to_bits().into());
        let small = pool.binary(BinOp::FMul, digits, unit);
        let finite = pool.binary(BinOp::FMul, small, power);
        // An infinity is 1 / 0, anything else without a value 0 / 0.
        let no_fraction = pool.binary(BinOp::Eq, fraction, zero);
        let (single, nothing) = (|x: f32| u64::from(x.to_bits()), f32::NAN);
        let (infinite, nothing) =
            (pool.constant(Ty::F32, single(f32::INFINITY)), pool.constant(Ty::F32, single(nothing)));
        let highest = pool.int(32, SPECIAL);
        let special = pool.binary(BinOp::Eq, exponent, highest);
        let twice = pool.binary(BinOp::Mul, sign, two);
        let factor = pool.binary(BinOp::Sub, one, twice);
        let factor = pool.cast(CastOp::SToF, Ty::F32, factor);
        let without = self.select(no_fraction, infinite, nothing);
        let magnitude = self.select(special, without, finite);
        self.program.exprs.binary(BinOp::FMul, magnitude, factor)
    }

    fn half_of_double(&mut self, value: ExprId) -> ExprId {
        let pool = &mut self.program.exprs;
        let double = |pool: &mut crate::ir::ExprPool, x: f64| pool.constant(Ty::F64, x.to_bits());
        let (zero, one) = (double(pool, 0.0), double(pool, 1.0));
        // -0 is not below 0, but 1 / -0 is.
        let inverse = pool.binary(BinOp::FDiv, one, value);
        let is_zero = pool.binary(BinOp::FEq, value, zero);
        let (below, under) = (pool.binary(BinOp::FLt, value, zero), pool.binary(BinOp::FLt, inverse, zero));
        let negative_zero = pool.binary(BinOp::And, is_zero, under);
        let negative = pool.binary(BinOp::Or, below, negative_zero);
        let opposite = pool.unary(UnOp::FNeg, value);
        let no_number = pool.binary(BinOp::FNe, value, value);
        let magnitude = self.select(negative, opposite, value);
        let pool = &mut self.program.exprs;
        // Half way between the greatest number, 65504, and what would come next.
        let limit = double(pool, 65520.0);
        let too_large = pool.binary(BinOp::FLe, limit, magnitude);
        let scale = double(pool, 2f64.powi(24));
        let mut rest = pool.binary(BinOp::FMul, magnitude, scale);
        let mut exponent = pool.int(32, 0);
        let unit = pool.int(32, 1);
        for step in [16, 8, 4, 2, 1] {
            let bound = double(pool, 2f64.powi(10 + step));
            let divides = pool.binary(BinOp::FLe, bound, rest);
            let divides = pool.cast(CastOp::ZExt, Ty::Int(32), divides);
            let by = pool.int(32, step.into());
            let by = pool.binary(BinOp::Mul, divides, by);
            exponent = pool.binary(BinOp::Add, exponent, by);
            let power = pool.binary(BinOp::Shl, unit, by);
            let power = pool.cast(CastOp::UToF, Ty::F64, power);
            rest = pool.binary(BinOp::FDiv, rest, power);
        }
        // Above 2^52 there are no fractions: the sum is rounded to an integer, half way to the even one.
        let whole = double(pool, 2f64.powi(52));
        let sum = pool.binary(BinOp::FAdd, rest, whole);
        let rounded = pool.binary(BinOp::FSub, sum, whole);
        let digits = pool.cast(CastOp::FToU, Ty::Int(32), rounded);
        let ten = pool.int(32, 10);
        let exponent = pool.binary(BinOp::Shl, exponent, ten);
        let finite = pool.binary(BinOp::Add, exponent, digits);
        let (infinite, nothing) = (pool.int(32, SPECIAL << 10), pool.int(32, SPECIAL << 10 | 1 << 9));
        let sign = pool.cast(CastOp::ZExt, Ty::Int(32), negative);
        let fifteen = pool.int(32, 15);
        let sign = pool.binary(BinOp::Shl, sign, fifteen);
        let bits = self.select(too_large, infinite, finite);
        let bits = self.select(no_number, nothing, bits);
        let bits = self.program.exprs.binary(BinOp::Or, bits, sign);
        self.program.exprs.resize(bits, false, 16)
    }
}
