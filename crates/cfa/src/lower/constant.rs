//! Constant expressions (C11 6.6).

use super::scope::Sym;
use super::type_of::Question;
use super::types::{CType, TypeId};
use super::{Lower, R, Val};
use crate::ir::{BinOp, CastOp, Expr as Node, ExprId, Ty, UnOp};
use robusto_syntax::ast::{BinaryOp, Expr, ExprKind, UnaryOp};

impl<'a> Lower<'a, '_> {
    /// The value of an integer constant expression.
    pub(super) fn constant(&mut self, e: &Expr<'a>) -> R<i128> {
        let outer = std::mem::replace(&mut self.fun.settled, true);
        let value = self.try_constant(e);
        self.fun.settled = outer;
        match value? {
            Some(value) => Ok(value),
            None => self.error(e.span, "this must be an integer constant"),
        }
    }

    /// The value of an expression if it is an integer constant.
    pub(super) fn try_constant(&mut self, e: &Expr<'a>) -> R<Option<i128>> {
        if let ExprKind::Int(lit) = e.kind {
            return Ok(Some(lit.value as i128));
        }
        let (value, edges) = self.unchecked(|lower| lower.in_scratch(|lower| lower.rvalue(e)));
        let value = value?;
        if edges {
            return Ok(None);
        }
        Ok(self.as_integer(value))
    }

    /// The number that an integer value is, if constant.
    pub(super) fn as_integer(&self, value: Val) -> Option<i128> {
        let kind = self.types.as_int(value.ty)?;
        let pool = &self.program.exprs;
        let bits = kind.bits(self.model());
        let raw = match pool.as_const(value.e) {
            Some(raw) if bits < 128 => raw,
            _ => self.wide_constant(value.e)? as u64,
        };
        if bits == 128 {
            return self.wide_constant(value.e).map(|v| v as i128);
        }
        Some(if kind.is_signed() { crate::ir::fold::signed(bits.into(), raw).into() } else { raw.into() })
    }

    fn wide_constant(&self, e: ExprId) -> Option<u128> {
        let pool = &self.program.exprs;
        let wide = |e| pool.ty(e) == Ty::Int(128);
        match pool.get(e) {
            Node::Const(_, bits) => Some(bits.into()),
            Node::Cast(op, to, x) if op != CastOp::FToF => {
                let from = pool.ty(x);
                Some(crate::ir::fold::cast_wide(op, from, to, self.model(), self.wide_constant(x)?))
            }
            Node::Binary(op, a, b) if wide(a) => {
                Some(crate::ir::fold::binary_wide(op, Ty::Int(128), self.wide_constant(a)?, self.wide_constant(b)?))
            }
            Node::Binary(op @ (BinOp::And | BinOp::Or), a, b) if pool.ty(a) == Ty::BOOL => {
                Some(crate::ir::fold::binary_wide(op, Ty::BOOL, self.wide_constant(a)?, self.wide_constant(b)?))
            }
            Node::Unary(UnOp::Neg, a) if wide(a) => Some(self.wide_constant(a)?.wrapping_neg()),
            Node::Unary(UnOp::Not, a) if wide(a) => Some(!self.wide_constant(a)?),
            Node::Unary(UnOp::Not, a) if pool.ty(a) == Ty::BOOL => Some(1 ^ self.wide_constant(a)?),
            _ => None,
        }
    }

    /// The truth of a condition that is constant, also one of wide integers, which the pool does not fold.
    pub(super) fn constant_truth(&self, cond: ExprId) -> Option<bool> {
        let pool = &self.program.exprs;
        if let Some(value) = pool.as_const(cond) {
            return Some(value != 0);
        }
        match pool.get(cond) {
            Node::Binary(_, a, _) if matches!(pool.ty(a), Ty::Int(128) | Ty::BOOL) => {
                self.wide_constant(cond).map(|value| value != 0)
            }
            _ => None,
        }
    }

    /// A number reduced to the range of an integer type.
    pub(super) fn wrap_constant(&self, value: i128, ty: TypeId) -> i128 {
        let Some(kind) = self.types.as_int(ty) else { return value };
        let unused = 128 - u32::from(kind.bits(self.model()));
        if kind.is_signed() { (value << unused) >> unused } else { (((value as u128) << unused) >> unused) as i128 }
    }

    // ---- leaves ---------------------------------------------------------------------------------------------------

    /// The truth of a condition if it is constant.
    pub(super) fn try_constant_condition(&mut self, cond: &Expr<'a>) -> R<Option<bool>> {
        if !self.looks_constant(cond) {
            return Ok(None);
        }
        let question = Question::Truth { unchecked: self.fun.unchecked, settled: self.is_settled() };
        self.known_answer(cond, question, |lower| {
            let (value, edges) = lower.in_scratch(|lower| {
                let value = lower.rvalue(cond)?;
                lower.truth(value, cond.span)
            });
            let value = value?;
            Ok(lower.constant_truth(value).filter(|_| !edges))
        })
    }

    /// Whether an expression may be constant, judged by its form. It spares lowering conditions twice, which nested
    /// conditions would turn into exponential time.
    fn looks_constant(&self, e: &Expr<'a>) -> bool {
        match e.kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Char(..)
            | ExprKind::Str(..)
            | ExprKind::SizeofExpr(_)
            | ExprKind::SizeofType(_)
            | ExprKind::AlignofExpr(_)
            | ExprKind::AlignofType(_)
            | ExprKind::Offsetof(..)
            | ExprKind::TypesCompatible(..)
            | ExprKind::Generic(..)
            | ExprKind::ChooseExpr(..) => true,
            ExprKind::Ident(name) => match self.scopes.lookup(name) {
                Some(Sym::Constant(..)) => true,
                // The address of a weak function may be null.
                Some(Sym::Function(id)) => !self.is_weak_function(id),
                _ => false,
            },
            ExprKind::Unary(UnaryOp::AddressOf, Expr { kind: ExprKind::Ident(name), .. }) => {
                match self.scopes.lookup(*name) {
                    Some(Sym::Function(id)) => !self.is_weak_function(id),
                    Some(Sym::Object(obj)) => !self.is_weak_object(obj),
                    _ => true,
                }
            }
            ExprKind::Unary(UnaryOp::AddressOf, _) => true,
            ExprKind::Unary(UnaryOp::PreIncrement | UnaryOp::PreDecrement | UnaryOp::Deref, _) => false,
            ExprKind::Unary(_, inner) | ExprKind::Cast(_, inner) => self.looks_constant(inner),
            // `0 && x` and `1 || x` are constant whatever x is.
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, lhs, _) => self.looks_constant(lhs),
            ExprKind::Binary(_, lhs, rhs) => self.looks_constant(lhs) && self.looks_constant(rhs),
            ExprKind::Conditional(cond, ..) => self.looks_constant(cond),
            ExprKind::Call(callee, _) => {
                matches!(callee.kind, ExprKind::Ident(name) if self.text(name).starts_with("__builtin_"))
            }
            _ => false,
        }
    }

    /// Whether an expression is a null pointer constant: an integer constant 0, or that cast to `void *` (C11 6.3.2.3).
    pub(super) fn is_null_constant(&mut self, e: &Expr<'a>) -> bool {
        match e.kind {
            ExprKind::Int(lit) => lit.value == 0,
            _ if !self.looks_constant(e) => false,
            _ => {
                let answer = self.known_answer(e, Question::Null, |lower| Ok(Some(lower.comes_to_null(e))));
                matches!(answer, Ok(Some(true)))
            }
        }
    }

    fn comes_to_null(&mut self, e: &Expr<'a>) -> bool {
        match e.kind {
            ExprKind::Cast(name, inner) => {
                // The type may have sizes to be evaluated, which are not wanted here.
                let (ty, _) = self.in_scratch(|lower| lower.type_name(name));
                self.is_zero(if ty.is_ok_and(|ty| self.is_plain_void_pointer(ty)) { inner } else { e })
            }
            _ => self.is_zero(e),
        }
    }

    fn is_zero(&mut self, e: &Expr<'a>) -> bool {
        self.looks_constant(e) && matches!(self.try_constant(e), Ok(Some(0)))
    }

    fn is_plain_void_pointer(&self, ty: TypeId) -> bool {
        matches!(*self.types.get(ty), CType::Pointer(to) if to == to.unqualified() && matches!(self.types.get(to), CType::Void))
    }
}
