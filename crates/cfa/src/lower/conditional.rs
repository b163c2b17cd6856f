//! Expressions that choose among operands: `?:`, `_Generic` and `__builtin_choose_expr`.

use super::types::{CType, TypeId};
use super::{Lower, R, Val};
use crate::ir::{LocId, SrcPos, Ty};
use robusto_syntax::Span;
use robusto_syntax::ast::{Expr, ExprKind};

impl<'a> Lower<'a, '_> {
    pub(super) fn conditional(
        &mut self,
        cond: &Expr<'a>,
        then: Option<&Expr<'a>>,
        otherwise: &Expr<'a>,
        span: Span,
    ) -> R<Val> {
        let Some(then) = then else { return self.elvis(cond, otherwise, span) };
        let written = [then, otherwise];
        if let Some(value) = self.try_constant_condition(cond)? {
            // Only the chosen arm is evaluated, but both decide the type.
            let (chosen, other) = if value { (then, otherwise) } else { (otherwise, then) };
            let other = self.decayed_type_of(other)?;
            let chosen = self.sequenced(|lower| lower.rvalue(chosen))?;
            let (a, b) = if value { (chosen.ty, other) } else { (other, chosen.ty) };
            let ty = self.conditional_type([a, b], written, span)?;
            return self.convert(chosen, ty, span);
        }
        let (yes, no) = (self.location(), self.location());
        self.condition(cond, yes, no)?;
        self.fun.at = yes;
        self.at_span(then.span);
        let first = self.sequenced(|lower| lower.rvalue(then))?;
        let yes = (self.fun.at, self.fun.pos);
        self.fun.at = no;
        self.at_span(otherwise.span);
        let second = self.sequenced(|lower| lower.rvalue(otherwise))?;
        let no = (self.fun.at, self.fun.pos);
        self.join([(yes, first), (no, second)], written, span)
    }

    /// `a ?: b`
    fn elvis(&mut self, cond: &Expr<'a>, otherwise: &Expr<'a>, span: Span) -> R<Val> {
        let written = [cond, otherwise];
        let first = self.rvalue(cond)?;
        let first = self.capture(first);
        let test = self.truth(first, cond.span)?;
        let (yes, no) = (self.location(), self.location());
        if let Some(value) = self.program.exprs.as_const(test) {
            let other = self.decayed_type_of(otherwise)?;
            let ty = self.conditional_type([first.ty, other], written, span)?;
            let chosen = if value != 0 { first } else { self.sequenced(|lower| lower.rvalue(otherwise))? };
            return self.convert(chosen, ty, span);
        }
        self.branch(test, yes, no);
        let yes = (yes, self.fun.pos);
        self.fun.at = no;
        self.at_span(otherwise.span);
        let second = self.sequenced(|lower| lower.rvalue(otherwise))?;
        let no = (self.fun.at, self.fun.pos);
        self.join([(yes, first), (no, second)], written, span)
    }

    /// Two arms end, each at its location with its value; afterwards one value of their common type.
    fn join(&mut self, arms: [((LocId, SrcPos), Val); 2], written: [&Expr<'a>; 2], span: Span) -> R<Val> {
        let ty = self.conditional_type(arms.map(|(_, value)| value.ty), written, span)?;
        let void = matches!(self.types.get(ty), CType::Void);
        let result = (!void).then(|| self.temp(self.types.value_ty(ty).unwrap_or(Ty::Ptr), self.types.is_signed(ty)));
        let end = self.location();
        for ((at, pos), value) in arms {
            (self.fun.at, self.fun.pos) = (at, pos);
            if let Some(result) = result {
                let value = self.convert(value, ty, span)?;
                self.assign_var(result, value.e);
            }
            self.jump(end);
        }
        self.fun.at = end;
        Ok(self.var_value(result, ty))
    }

    /// The common type of two arms. Only of pointers it matters whether they are written as null: to find that out, constants are
    /// computed once more, which nested conditions would turn into exponential time.
    fn conditional_type(&mut self, [a, b]: [TypeId; 2], written: [&Expr<'a>; 2], span: Span) -> R<TypeId> {
        // Integers are promoted, also two of the same type: `sizeof(c ? c : c)` is that of `int`.
        if a == b && !matches!(self.types.get(a), CType::Int(_)) {
            return Ok(a);
        }
        let (x, y) = (self.types.get(a).clone(), self.types.get(b).clone());
        Ok(match (x, y) {
            (CType::Void, _) | (_, CType::Void) => self.types.void(),
            (CType::Pointer(_), CType::Pointer(_)) if self.is_null_constant(written[0]) => b,
            (CType::Pointer(_), CType::Pointer(_)) if self.is_null_constant(written[1]) => a,
            (CType::Pointer(to), CType::Pointer(other)) => {
                // To what has the qualifiers of both.
                let chosen = if matches!(self.types.get(to), CType::Void) { to } else { other };
                let chosen = self.types.qualified_like(chosen, to);
                let chosen = self.types.qualified_like(chosen, other);
                self.types.pointer(chosen)
            }
            (CType::Pointer(_), CType::Int(_)) => a,
            (CType::Int(_), CType::Pointer(_)) => b,
            (
                CType::Int(_) | CType::Float(_) | CType::Half { .. } | CType::Complex(_),
                CType::Int(_) | CType::Float(_) | CType::Half { .. } | CType::Complex(_),
            ) => self.usual_type(a, b),
            _ => {
                let (x, y) = (self.types.describe(a), self.types.describe(b));
                return self.error(span, format!("the arms of `?:` have types `{x}` and `{y}`"));
            }
        })
    }

    /// The operand that `_Generic` or `__builtin_choose_expr` chooses.
    pub(super) fn chosen(&mut self, e: &Expr<'a>) -> R<&'a Expr<'a>> {
        match e.kind {
            ExprKind::ChooseExpr(cond, a, b) => Ok(if self.constant(cond)? != 0 { a } else { b }),
            ExprKind::Generic(control, arms) => {
                let ty = match self.bit_field_type(control) {
                    Some(ty) => ty,
                    None => self.decayed_type_of(control)?,
                };
                for (name, arm) in arms {
                    if let Some(name) = name {
                        let candidate = self.type_name(name)?;
                        if self.types.compatible(candidate, ty) {
                            return Ok(arm);
                        }
                    }
                }
                match arms.iter().find(|(name, _)| name.is_none()) {
                    Some((_, arm)) => Ok(arm),
                    None => {
                        let text = self.types.describe(ty);
                        self.error(e.span, format!("no arm of `_Generic` fits type `{text}`"))
                    }
                }
            }
            _ => unreachable!("only called for these two"),
        }
    }
}
