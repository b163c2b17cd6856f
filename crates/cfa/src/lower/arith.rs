//! Arithmetic, comparison, logic.

use super::checks::{Checked, checked};
use super::order::Operand;
use super::types::{CType, IntKind, TypeId};
use super::{Lower, R, Val};
use crate::ir::directed::Directed;
use crate::ir::{BinOp, CastOp, DataModel, ExprId, Granted, HavocSource, Op, Ty, UnOp};
use robusto_syntax::ast::{BinaryOp, Expr, ExprKind, UnaryOp};
use robusto_syntax::{Diagnostic, Span};

impl<'a> Lower<'a, '_> {
    /// A prefix operator.
    pub(super) fn unary(&mut self, op: UnaryOp, inner: &Expr<'a>, span: Span) -> R<Val> {
        match op {
            UnaryOp::AddressOf => self.address_of(inner, span),
            UnaryOp::Deref => {
                let pointer = self.rvalue(inner)?;
                if matches!(self.types.get(pointer.ty), CType::Pointer(to) if matches!(self.types.get(*to), CType::Function(_)))
                {
                    return Ok(pointer);
                }
                let place = self.deref(pointer, span)?;
                self.read(place, span)
            }
            UnaryOp::PreIncrement => self.increment(inner, true, Wanted::New, span),
            UnaryOp::PreDecrement => self.increment(inner, false, Wanted::New, span),
            UnaryOp::Not => {
                self.only_truth(inner);
                let value = self.rvalue(inner)?;
                let truth = self.truth(value, inner.span)?;
                let e = self.program.exprs.unary(UnOp::Not, truth);
                Ok(self.truth_value(e))
            }
            UnaryOp::Plus | UnaryOp::Minus | UnaryOp::BitNot => {
                let value = self.rvalue(inner)?;
                self.arithmetic_unary(op, value, span)
            }
            UnaryOp::Real | UnaryOp::Imag => {
                let value = self.rvalue(inner)?;
                if self.types.is_scalar(value.ty) {
                    return Ok(if op == UnaryOp::Real { value } else { self.any_of(value.ty) });
                }
                Ok(self.part(value, u64::from(op == UnaryOp::Imag)))
            }
        }
    }

    pub(super) fn arithmetic_unary(&mut self, op: UnaryOp, value: Val, span: Span) -> R<Val> {
        match self.types.get(value.ty) {
            CType::Int(_) => {
                let value = self.promote_int(value);
                let e = match op {
                    UnaryOp::Minus => {
                        self.at_checked(span);
                        self.check_negation(value);
                        self.program.exprs.unary(UnOp::Neg, value.e)
                    }
                    UnaryOp::BitNot => self.program.exprs.unary(UnOp::Not, value.e),
                    _ => value.e,
                };
                Ok(Val { e, ty: value.ty })
            }
            CType::Float(_) if op == UnaryOp::Minus => {
                let e = self.program.exprs.unary(UnOp::FNeg, value.e);
                self.note_conversion(value, value.ty, e);
                Ok(Val { e, ty: value.ty })
            }
            CType::Float(_) if op == UnaryOp::Plus => Ok(value),
            CType::Half { .. } => {
                let single = self.types.float(super::types::FloatKind::Float);
                let value = self.convert(value, single, span)?;
                self.arithmetic_unary(op, value, span)
            }
            CType::Complex(_) | CType::Vector(..) => self.composite_unary(op, value, span),
            _ => {
                let text = self.types.describe(value.ty);
                self.error(span, format!("this operator does not take a value of type `{text}`"))
            }
        }
    }

    fn address_of(&mut self, inner: &Expr<'a>, span: Span) -> R<Val> {
        // `&*p` is `p`, `&a[i]` is `a + i`: nothing is read.
        let place = self.place(inner)?;
        if place.bits.is_some() {
            return self.error(span, "a bit-field has no address");
        }
        Ok(Val { e: place.addr, ty: self.types.pointer(place.ty) })
    }

    /// A binary operator.
    pub(super) fn binary(&mut self, op: BinaryOp, lhs: &Expr<'a>, rhs: &Expr<'a>, span: Span) -> R<Val> {
        if matches!(op, BinaryOp::And | BinaryOp::Or) {
            return self.logical(op, lhs, rhs);
        }
        self.unsequenced(&[Operand::Value(lhs), Operand::Value(rhs)], span, |lower| {
            lower.note_sign(op, lhs, rhs);
            let a = lower.rvalue(lhs)?;
            let a = lower.hold_before(a, rhs);
            let b = lower.rvalue(rhs)?;
            lower.binary_values(op, a, b, span)
        })
    }

    /// A comparison with zero needs only the sign, and `==` and `!=` only whether it is zero.
    fn note_sign(&mut self, op: BinaryOp, lhs: &Expr<'a>, rhs: &Expr<'a>) {
        use BinaryOp::*;
        if !matches!(op, Lt | Gt | Le | Ge | Eq | Ne) {
            return;
        }
        let is_zero = |e: &Expr<'a>| matches!(e.kind, ExprKind::Int(lit) if lit.value == 0);
        let compared = match (is_zero(lhs), is_zero(rhs)) {
            (_, true) => lhs,
            (true, false) => rhs,
            (false, false) => return,
        };
        if matches!(op, Eq | Ne) {
            self.only_truth(compared);
        } else {
            self.only_sign(compared);
        }
    }

    /// A binary operator on values, but not `&&` and `||`.
    pub(super) fn binary_values(&mut self, op: BinaryOp, a: Val, b: Val, span: Span) -> R<Val> {
        use BinaryOp::*;
        self.at_checked(span);
        let (x, y) = (self.types.get(a.ty).clone(), self.types.get(b.ty).clone());
        match (op, &x, &y) {
            (Add, CType::Pointer(_), CType::Int(_)) => self.pointer_offset(a, b, false, span),
            (Add, CType::Int(_), CType::Pointer(_)) => self.pointer_offset(b, a, false, span),
            (Sub, CType::Pointer(_), CType::Int(_)) => self.pointer_offset(a, b, true, span),
            (Sub, CType::Pointer(_), CType::Pointer(_)) => self.pointer_difference(a, b, span),
            (Lt | Gt | Le | Ge | Eq | Ne, CType::Pointer(_), CType::Pointer(_) | CType::Int(_)) => {
                let b = self.convert(b, a.ty, span)?;
                Ok(self.compare(op, a.e, b.e, false))
            }
            (Lt | Gt | Le | Ge | Eq | Ne, CType::Int(_), CType::Pointer(_)) => {
                let a = self.convert(a, b.ty, span)?;
                Ok(self.compare(op, a.e, b.e, false))
            }
            (Shl | Shr, CType::Int(_), CType::Int(_)) => self.shift(op, a, b),
            (
                _,
                CType::Int(_) | CType::Float(_) | CType::Half { .. },
                CType::Int(_) | CType::Float(_) | CType::Half { .. },
            ) => self.arithmetic(op, a, b, span),
            (_, CType::Complex(_) | CType::Vector(..), _) | (_, _, CType::Complex(_) | CType::Vector(..)) => {
                self.composite_binary(op, a, b, span)
            }
            (BinaryOp::Eq | BinaryOp::Ne, CType::Record(_), CType::Record(_)) => {
                let text =
                    format!("C does not compare structs or unions, here of type `{}`", self.types.describe(a.ty));
                self.report(Diagnostic::error(span, text).help("compare their members one by one"))
            }
            _ => {
                let (x, y) = (self.types.describe(a.ty), self.types.describe(b.ty));
                self.error(span, format!("this operator does not take values of types `{x}` and `{y}`"))
            }
        }
    }

    fn arithmetic(&mut self, op: BinaryOp, a: Val, b: Val, span: Span) -> R<Val> {
        use BinaryOp::*;
        let ty = self.usual_type(a.ty, b.ty);
        let (a, b) = (self.convert(a, ty, span)?, self.convert(b, ty, span)?);
        if matches!(op, Lt | Gt | Le | Ge | Eq | Ne) {
            self.precision_decides(&[a, b], span);
            return Ok(self.compare(op, a.e, b.e, self.types.is_signed(ty)));
        }
        if matches!(self.types.get(ty), CType::Float(_)) {
            if self.model() == DataModel::Ilp32 && !self.in_model {
                self.assume(span, Granted::FloatRounding);
            }
            let float = match op {
                Add => BinOp::FAdd,
                Sub => BinOp::FSub,
                Mul => BinOp::FMul,
                Div => BinOp::FDiv,
                _ => {
                    let text = self.types.describe(ty);
                    return self.error(span, format!("this operator does not take values of type `{text}`"));
                }
            };
            let nearest = self.program.exprs.binary(float, a.e, b.e);
            let directed = match float {
                BinOp::FAdd => Directed::Add,
                BinOp::FSub => Directed::Sub,
                BinOp::FMul => Directed::Mul,
                _ => Directed::Div,
            };
            let e = self.in_mode(directed, nearest, &[a.e, b.e]);
            self.note_rounding(float, a, b, e);
            return Ok(Val { e, ty });
        }
        let signed = self.types.is_signed(ty);
        let int = match op {
            Add => BinOp::Add,
            Sub => BinOp::Sub,
            Mul => BinOp::Mul,
            BitAnd => BinOp::And,
            BitOr => BinOp::Or,
            BitXor => BinOp::Xor,
            Div if signed => BinOp::SDiv,
            Div => BinOp::UDiv,
            Rem if signed => BinOp::SRem,
            Rem => BinOp::URem,
            Shl | Shr | Lt | Gt | Le | Ge | Eq | Ne | And | Or => unreachable!("handled before"),
        };
        if matches!(op, Div | Rem) {
            return Ok(self.divide(int, a, b, ty));
        }
        if let Some(checked) = checked(op) {
            self.check_overflow(checked, a.e, b.e, ty);
        }
        Ok(Val { e: self.program.exprs.binary(int, a.e, b.e), ty })
    }

    /// Division; by zero it gives any value, unless that is an error.
    fn divide(&mut self, op: BinOp, a: Val, b: Val, ty: TypeId) -> Val {
        let Ty::Int(bits) = self.program.exprs.ty(b.e) else { unreachable!("integers are divided") };
        let zero = self.program.exprs.int(bits, 0);
        let is_zero = self.program.exprs.binary(BinOp::Eq, b.e, zero);
        let checked = self.check_divisor(is_zero);
        self.check_overflow(Checked::Div, a.e, b.e, ty);
        if checked {
            return Val { e: self.program.exprs.binary(op, a.e, b.e), ty };
        }
        self.guarded(is_zero, ty, [a, b], |lower, a, b| lower.program.exprs.binary(op, a, b))
    }

    /// A shift; by a negative amount or one at or beyond the width it gives any value.
    fn shift(&mut self, op: BinaryOp, a: Val, b: Val) -> R<Val> {
        let (a, b) = (self.promote_int(a), self.promote_int(b));
        let (Ty::Int(bits), Ty::Int(amount_bits)) = (self.program.exprs.ty(a.e), self.program.exprs.ty(b.e)) else {
            unreachable!("integers are shifted")
        };
        let ir = match op {
            BinaryOp::Shl => BinOp::Shl,
            _ if self.types.is_signed(a.ty) => BinOp::AShr,
            _ => BinOp::LShr,
        };
        if op == BinaryOp::Shl {
            self.check_overflow(Checked::Shl, a.e, b.e, a.ty);
        }
        let limit = self.program.exprs.int(amount_bits, bits.into());
        let bad = self.program.exprs.binary(BinOp::ULe, limit, b.e);
        let shifted = |lower: &mut Self, a, b| {
            let amount = lower.program.exprs.resize(b, false, bits);
            lower.program.exprs.binary(ir, a, amount)
        };
        if self.check_amount(bad) {
            return Ok(Val { e: shifted(self, a.e, b.e), ty: a.ty });
        }
        Ok(self.guarded(bad, a.ty, [a, b], shifted))
    }

    /// An operation whose result is undefined where `bad` holds.
    pub(super) fn guarded(
        &mut self,
        bad: ExprId,
        ty: TypeId,
        [a, b]: [Val; 2],
        compute: impl FnOnce(&mut Self, ExprId, ExprId) -> ExprId,
    ) -> Val {
        match self.constant_truth(bad) {
            Some(false) => return Val { e: compute(self, a.e, b.e), ty },
            Some(_) => return self.havoc_value(ty, HavocSource::Undefined),
            None => {}
        }
        let (undefined, defined, end) = (self.location(), self.location(), self.location());
        let value_ty = self.types.value_ty(ty).unwrap_or_else(|| self.program.exprs.ty(a.e));
        let result = self.temp(value_ty, self.types.is_signed(ty));
        self.branch(bad, undefined, defined);
        self.fun.at = undefined;
        self.emit(Op::Havoc { var: result, source: HavocSource::Undefined });
        self.jump(end);
        self.fun.at = defined;
        let value = compute(self, a.e, b.e);
        self.assign_var(result, value);
        self.label_here(end);
        Val { e: self.program.exprs.var(result), ty }
    }

    fn compare(&mut self, op: BinaryOp, a: ExprId, b: ExprId, signed: bool) -> Val {
        use BinaryOp::*;
        let float = self.program.exprs.ty(a).is_float();
        let (lt, le) = match (float, signed) {
            (true, _) => (BinOp::FLt, BinOp::FLe),
            (false, true) => (BinOp::SLt, BinOp::SLe),
            (false, false) => (BinOp::ULt, BinOp::ULe),
        };
        let pool = &mut self.program.exprs;
        let cond = match op {
            Lt => pool.binary(lt, a, b),
            Gt => pool.binary(lt, b, a),
            Le => pool.binary(le, a, b),
            Ge => pool.binary(le, b, a),
            Eq => pool.binary(if float { BinOp::FEq } else { BinOp::Eq }, a, b),
            _ => pool.binary(if float { BinOp::FNe } else { BinOp::Ne }, a, b),
        };
        self.truth_value(cond)
    }

    /// `&&` and `||` as a value.
    fn logical(&mut self, op: BinaryOp, lhs: &Expr<'a>, rhs: &Expr<'a>) -> R<Val> {
        let decides = op == BinaryOp::Or;
        if let Some(first) = self.try_constant_condition(lhs)? {
            if first == decides {
                return Ok(self.int_value(decides.into()));
            }
            let second = self.sequenced(|lower| lower.rvalue(rhs))?;
            let truth = self.truth(second, rhs.span)?;
            return Ok(self.truth_value(truth));
        }
        let result = self.temp(Ty::Int(32), true);
        let (middle, yes, no, end) = (self.location(), self.location(), self.location(), self.location());
        if decides {
            self.condition(lhs, yes, middle)?;
        } else {
            self.condition(lhs, middle, no)?;
        }
        self.fun.at = middle;
        self.sequenced(|lower| lower.condition(rhs, yes, no))?;
        for (at, value) in [(yes, 1), (no, 0)] {
            self.fun.at = at;
            let value = self.program.exprs.int(32, value);
            self.assign_var(result, value);
            self.jump(end);
        }
        self.fun.at = end;
        Ok(Val { e: self.program.exprs.var(result), ty: self.types.int(IntKind::Int) })
    }

    /// A pointer plus or minus a number of elements.
    pub(super) fn pointer_offset(&mut self, pointer: Val, index: Val, minus: bool, span: Span) -> R<Val> {
        let Some(to) = self.types.pointee(pointer.ty) else {
            return self.error(span, "this needs a pointer");
        };
        let signed = self.types.is_signed(index.ty);
        if self.types.as_int(index.ty).is_none() {
            return self.error(span, "a pointer can be moved by an integer only");
        }
        if self.types.size(to).is_none() && !self.is_variable_size(to) {
            let text = self.types.describe(to);
            return self.error(span, format!("arithmetic on a pointer to incomplete type `{text}`"));
        }
        let bits = self.model().pointer_bits();
        let mut index = self.program.exprs.resize(index.e, signed, bits);
        if minus {
            index = self.program.exprs.unary(UnOp::Neg, index);
        }
        let size = self.size_of_value(to);
        let offset = self.program.exprs.binary(BinOp::Mul, index, size);
        Ok(Val { e: self.program.exprs.binary(BinOp::PtrAdd, pointer.e, offset), ty: pointer.ty })
    }

    fn pointer_difference(&mut self, a: Val, b: Val, span: Span) -> R<Val> {
        let Some(to) = self.types.pointee(a.ty) else {
            return self.error(span, "this needs a pointer");
        };
        let size = self.size_of_value(to);
        if self.program.exprs.as_const(size) == Some(0) {
            return self.error(span, "the difference of pointers to an empty type is not defined");
        }
        let int = self.model().size_ty();
        // Within one object the distance is a constant.
        if let (Some((x, from)), Some((y, to)), Some(unit)) =
            (self.address_constant(a.e), self.address_constant(b.e), self.program.exprs.as_const(size))
            && x == y
        {
            let distance = from.wrapping_sub(to) / i64::try_from(unit).unwrap_or(1).max(1);
            let e = self.program.exprs.constant(int, distance as u64);
            return Ok(Val { e, ty: self.types.ptrdiff_t() });
        }
        let pool = &mut self.program.exprs;
        let (a, b) = (pool.cast(CastOp::PtrToInt, int, a.e), pool.cast(CastOp::PtrToInt, int, b.e));
        let bytes = pool.binary(BinOp::Sub, a, b);
        let e = pool.binary(BinOp::SDiv, bytes, size);
        Ok(Val { e, ty: self.types.ptrdiff_t() })
    }

    /// `++` and `--`.
    pub(super) fn increment(&mut self, inner: &Expr<'a>, up: bool, wanted: Wanted, span: Span) -> R<Val> {
        let place = self.place(inner)?;
        let mut old = self.read(place, span)?;
        if wanted == Wanted::Old {
            old = self.capture(old);
        }
        let one = self.int_value(1);
        let op = if up { BinaryOp::Add } else { BinaryOp::Sub };
        let new = self.binary_values(op, old, one, span)?;
        let mut new = self.convert(new, place.ty, span)?;
        if wanted == Wanted::New {
            new = self.capture(new);
        }
        self.at_span(span);
        self.write(place, new);
        match wanted {
            Wanted::Old => Ok(old),
            Wanted::New if place.bits.is_some() => {
                let stored = self.read(place, span)?;
                Ok(self.capture(stored))
            }
            Wanted::New | Wanted::Nothing => Ok(new),
        }
    }
}

/// Which value of an increment is used.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// The value before.
    Old,
    /// The value after.
    New,
    /// None.
    Nothing,
}
