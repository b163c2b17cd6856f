//! Operators on values of any width, for where speed does not matter.

use robusto_cfa::ir::{BinOp, CastOp, DataModel, Ty, UnOp, fold};

/// The low bits of a value that its type has.
pub(crate) fn mask(ty: Ty, model: DataModel, value: u128) -> u128 {
    value & (u128::MAX >> (128 - ty.bits(model)))
}

pub(crate) fn unary(op: UnOp, ty: Ty, model: DataModel, a: u128) -> u128 {
    match op {
        UnOp::Neg => mask(ty, model, a.wrapping_neg()),
        UnOp::Not => mask(ty, model, !a),
        UnOp::FNeg if ty.is_wide() => fold::unary_wide(op, a),
        UnOp::FNeg => fold::unary(op, ty, a as u64).into(),
    }
}

/// `ty` is the operands' type.
pub(crate) fn binary(op: BinOp, ty: Ty, model: DataModel, a: u128, b: u128) -> u128 {
    if ty.is_wide() {
        fold::binary_wide(op, ty, a, b)
    } else {
        fold::binary(op, ty, ty.bits(model), a as u64, b as u64).into()
    }
}

pub(crate) fn cast(op: CastOp, from: Ty, to: Ty, model: DataModel, a: u128) -> u128 {
    if from.is_wide() || to.is_wide() {
        fold::cast_wide(op, from, to, model, a)
    } else {
        fold::cast(op, from, to, model, a as u64).into()
    }
}
