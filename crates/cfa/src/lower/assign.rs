//! Assignments.

use super::order::Operand;
use super::{Lower, R, Val};
use robusto_syntax::Span;
use robusto_syntax::ast::{BinaryOp, Expr};

impl<'a> Lower<'a, '_> {
    /// `lhs = rhs` or `lhs op= rhs`. With `wanted`, the result is the value that the place then holds, unaffected by
    /// later changes.
    pub(super) fn assign(
        &mut self,
        op: Option<BinaryOp>,
        lhs: &Expr<'a>,
        rhs: &Expr<'a>,
        span: Span,
        wanted: bool,
    ) -> R<Val> {
        let target = if op.is_some() { Operand::Updated(lhs) } else { Operand::Place(lhs) };
        self.unsequenced(&[target, Operand::Value(rhs)], span, |lower| lower.assign_planned(op, lhs, rhs, span, wanted))
    }

    fn assign_planned(
        &mut self,
        op: Option<BinaryOp>,
        lhs: &Expr<'a>,
        rhs: &Expr<'a>,
        span: Span,
        wanted: bool,
    ) -> R<Val> {
        let mut place = self.place(lhs)?;
        let ty = self.types.pointer(place.ty);
        place.addr = self.hold_before(Val { e: place.addr, ty }, rhs).e;
        let value = self.rvalue(rhs)?;
        let value = match op {
            None => value,
            Some(op) => {
                let old = match self.held(lhs) {
                    Some(old) => old,
                    None => self.read(place, lhs.span)?,
                };
                self.binary_values(op, old, value, span)?
            }
        };
        let mut value = self.convert(value, place.ty, rhs.span)?;
        if wanted {
            value = self.capture(value);
        }
        self.at_span(span);
        self.write(place, value);
        if wanted && place.bits.is_some() {
            let stored = self.read(place, span)?;
            return Ok(self.capture(stored));
        }
        Ok(value)
    }
}
