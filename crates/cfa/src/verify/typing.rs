//! Which operands an operator takes. Shared by the verifier and the parser of the text form.

use crate::ir::{BinOp, CastOp, DataModel, Expr, ExprId, Ty, UnOp, fold};

/// Whether there is such a type: integers have 1 to 64, or 128, bits.
pub(crate) fn exists(ty: Ty) -> bool {
    !matches!(ty, Ty::Int(bits) if bits == 0 || (bits > 64 && bits != 128))
}

/// Checks a node against the types of its operands; says what is wrong.
pub(crate) fn check(model: DataModel, expr: Expr, ty_of: impl Fn(ExprId) -> Ty) -> Result<(), String> {
    match expr {
        Expr::Const(ty, bits) => constant(model, ty, bits),
        Expr::Var(_) | Expr::ObjAddr(_) | Expr::FuncAddr(_) => Ok(()),
        Expr::Load(ty, _) if !exists(ty) => Err(format!("there is no type {ty}")),
        Expr::Load(_, addr) => expect(ty_of(addr), Ty::Ptr, "an address"),
        Expr::Unary(op, arg) => {
            let ty = ty_of(arg);
            match op {
                UnOp::FNeg if !ty.is_float() => Err(format!("{op:?} of {ty}, which is no float")),
                UnOp::Neg | UnOp::Not if !is_int(ty) => Err(format!("{op:?} of {ty}, which is no integer")),
                _ => Ok(()),
            }
        }
        Expr::Binary(op, lhs, rhs) => binary(model, op, ty_of(lhs), ty_of(rhs)),
        Expr::Cast(op, ty, arg) => cast(model, op, ty_of(arg), ty),
        Expr::Holds(_, addr, size) => {
            expect(ty_of(addr), Ty::Ptr, "an address")?;
            expect(ty_of(size), model.size_ty(), "a size")
        }
    }
}

fn expect(found: Ty, wanted: Ty, what: &str) -> Result<(), String> {
    if found == wanted { Ok(()) } else { Err(format!("{what} has type {found} instead of {wanted}")) }
}

fn is_int(ty: Ty) -> bool {
    matches!(ty, Ty::Int(_))
}

fn constant(model: DataModel, ty: Ty, bits: u64) -> Result<(), String> {
    if !exists(ty) {
        return Err(format!("there is no type {ty}"));
    }
    match ty.bits(model) {
        wide if wide > 64 => Err(format!("a constant of {wide} bits")),
        width if fold::mask(width, bits) != bits => Err(format!("the constant {bits:#x} does not fit in {ty}")),
        _ => Ok(()),
    }
}

fn binary(model: DataModel, op: BinOp, lhs: Ty, rhs: Ty) -> Result<(), String> {
    use BinOp::*;
    let takes = match op {
        PtrAdd => {
            expect(lhs, Ty::Ptr, "the left operand of PtrAdd")?;
            return expect(rhs, model.size_ty(), "the right operand of PtrAdd");
        }
        FAdd | FSub | FMul | FDiv | FEq | FNe | FLt | FLe => lhs.is_float(),
        Eq | Ne | ULt | ULe => is_int(lhs) || lhs == Ty::Ptr,
        Add | Sub | Mul | UDiv | SDiv | URem | SRem | And | Or | Xor | Shl | LShr | AShr | SLt | SLe => is_int(lhs),
    };
    if !takes {
        return Err(format!("{op:?} does not take {lhs}"));
    }
    if lhs != rhs {
        return Err(format!("{op:?} of different types, {lhs} and {rhs}"));
    }
    Ok(())
}

fn cast(model: DataModel, op: CastOp, from: Ty, to: Ty) -> Result<(), String> {
    use CastOp::*;
    let (narrow, wide) = (from.bits(model), to.bits(model));
    let fits = match op {
        Trunc => is_int(from) && is_int(to) && narrow > wide,
        ZExt | SExt => is_int(from) && is_int(to) && narrow < wide,
        SToF | UToF => is_int(from) && to.is_float(),
        FToS | FToU => from.is_float() && is_int(to),
        FToF => from.is_float() && to.is_float() && from != to,
        PtrToInt => from == Ty::Ptr && to == model.size_ty(),
        IntToPtr => from == model.size_ty() && to == Ty::Ptr,
    };
    if fits && exists(to) { Ok(()) } else { Err(format!("{op:?} does not convert {from} to {to}")) }
}
