//! Results of which only the sign is fixed, or only whether they are zero.

use crate::ir::{BinOp, ExprId, ExprPool, FuncId, HavocSource, Ty};
use crate::lower::{Lower, Val};
use robusto_syntax::ast::{Expr, ExprKind};

/// Whether of the result of a function only the sign is fixed.
pub(super) fn is_comparison(name: &str) -> bool {
    matches!(
        name,
        "memcmp"
            | "bcmp"
            | "strcmp"
            | "strncmp"
            | "strcasecmp"
            | "strncasecmp"
            | "strcoll"
            | "wmemcmp"
            | "wcscmp"
            | "wcsncmp"
    )
}

/// Whether the result of a function is zero or anything else, which no standard fixes.
pub(super) fn is_predicate(name: &str) -> bool {
    matches!(
        name,
        "isalnum"
            | "isalpha"
            | "isascii"
            | "isblank"
            | "iscntrl"
            | "isdigit"
            | "isgraph"
            | "islower"
            | "isprint"
            | "ispunct"
            | "isspace"
            | "isupper"
            | "isxdigit"
            | "iswalnum"
            | "iswalpha"
            | "iswblank"
            | "iswcntrl"
            | "iswdigit"
            | "iswgraph"
            | "iswlower"
            | "iswprint"
            | "iswpunct"
            | "iswspace"
            | "iswupper"
            | "iswxdigit"
            | "__signbit"
            | "__signbitf"
            | "__signbitl"
            | "isnanl"
            | "__isnanl"
            | "isinfl"
            | "__isinfl"
            | "finitel"
            | "__finitel"
            | "isnan"
            | "isnanf"
            | "__isnan"
            | "__isnanf"
            | "isinf"
            | "isinff"
            | "__isinf"
            | "__isinff"
            | "finite"
            | "finitef"
            | "__finite"
            | "__finitef"
    )
}

impl<'a> Lower<'a, '_> {
    /// Any value of the sign of another one.
    pub(super) fn any_of_sign(&mut self, value: Val, id: FuncId) -> Val {
        self.any_alike(value, id, |pool, zero, value, any| {
            // Both are below zero, or both above.
            let [a, b] = [value, any].map(|e| pool.binary(BinOp::SLt, e, zero));
            let both_below = pool.binary(BinOp::And, a, b);
            let [a, b] = [value, any].map(|e| pool.binary(BinOp::SLt, zero, e));
            let both_above = pool.binary(BinOp::And, a, b);
            pool.binary(BinOp::Or, both_below, both_above)
        })
    }

    /// Zero if another value is zero, else any other value.
    pub(super) fn any_of_truth(&mut self, value: Val, id: FuncId) -> Val {
        self.any_alike(value, id, |pool, zero, value, any| {
            let [a, b] = [value, any].map(|e| pool.binary(BinOp::Ne, e, zero));
            pool.binary(BinOp::And, a, b)
        })
    }

    /// A value, or any other one that is alike: the closure gets zero, the value and the other one.
    fn any_alike(
        &mut self,
        value: Val,
        id: FuncId,
        alike: impl FnOnce(&mut ExprPool, ExprId, ExprId, ExprId) -> ExprId,
    ) -> Val {
        let Some(Ty::Int(bits)) = self.types.value_ty(value.ty) else { return value };
        if self.program.exprs.as_const(value.e) == Some(0) {
            return value;
        }
        let value = self.capture(value);
        let any = self.havoc_value(value.ty, HavocSource::External(id));
        let var = self.temp(Ty::Int(bits), true);
        self.assign_var(var, value.e);
        let pool = &mut self.program.exprs;
        let zero = pool.int(bits, 0);
        let same = alike(pool, zero, value.e, any.e);
        let (other, end) = (self.location(), self.location());
        self.branch(same, other, end);
        self.fun.at = other;
        self.assign_var(var, any.e);
        self.label_here(end);
        Val { e: self.program.exprs.var(var), ty: value.ty }
    }

    /// Remembers that of a call only the sign of the result is used.
    pub(in crate::lower) fn only_sign(&mut self, e: &Expr<'a>) {
        if matches!(e.kind, ExprKind::Call(..)) {
            self.fun.sign_only = Some(e.span);
        }
    }

    /// Remembers that of the result of a call is only used whether it is zero.
    pub(in crate::lower) fn only_truth(&mut self, e: &Expr<'a>) {
        if matches!(e.kind, ExprKind::Call(..)) {
            self.fun.sign_only = Some(e.span);
            self.fun.truth_only = Some(e.span);
        }
    }
}
