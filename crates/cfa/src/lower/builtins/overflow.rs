//! `__builtin_add_overflow` and its kin: the result as if computed with infinitely many bits.
//!
//! Operands of up to half a width are computed exactly at that width, 64 or 128 bits; their result overflows if it
//! does not come back from the result's type. There is no width for operands of 128 bits: these are taken apart into
//! sign and magnitude.

use crate::ir::{BinOp, ExprId, Op, Ty, UnOp};
use crate::lower::types::{CType, IntKind};
use crate::lower::{Lower, R, Val};
use robusto_syntax::Span;
use robusto_syntax::ast::Expr;

/// The range of an integer type or bit-field.
#[derive(Clone, Copy)]
struct Range {
    bits: u8,
    signed: bool,
}

/// A builtin by its name.
struct Form {
    op: BinOp,
    /// The type of operands and result, where the name says it.
    kind: Option<IntKind>,
    /// Only asks; the third operand gives the type.
    asks: bool,
}

impl<'a> Lower<'a, '_> {
    /// A call to a builtin that reports overflow; `None` if the name is none of these.
    pub(in crate::lower) fn overflow_builtin(&mut self, name: &str, args: &[Expr<'a>], span: Span) -> R<Option<Val>> {
        let Some(form) = form(name) else { return Ok(None) };
        let [a, b, out] = args else { return self.error(span, "this call needs three arguments") };
        let (mut x, mut y) = (self.rvalue(a)?, self.rvalue(b)?);
        if let Some(kind) = form.kind {
            let ty = self.types.int(kind);
            (x, y) = (self.convert(x, ty, a.span)?, self.convert(y, ty, b.span)?);
        }
        let (x, y) = (self.capture(x), self.capture(y));
        if form.asks {
            let range = self.range_of_operand(out)?;
            let (_, overflows) = self.checked(form.op, x, y, range, span)?;
            return self.as_bool(overflows, span).map(Some);
        }
        let mut place = self.pointed(out)?;
        if let Some(kind) = form.kind {
            place.ty = self.types.int(kind);
        }
        let Some(kind) = self.types.as_int(place.ty) else {
            return self.error(out.span, "the result goes to an integer");
        };
        let range = Range { bits: kind.bits(self.model()), signed: kind.is_signed() };
        let (wrapped, overflows) = self.checked(form.op, x, y, range, span)?;
        let bool = self.as_bool(overflows, span)?;
        let bool = self.capture(bool);
        self.at_span(span);
        self.write(place, Val { e: wrapped, ty: place.ty });
        Ok(Some(bool))
    }

    /// `__builtin_addc` and `__builtin_subc`: with a carry in and a carry out.
    pub(in crate::lower) fn carry_builtin(&mut self, name: &str, args: &[Expr<'a>], span: Span) -> R<Option<Val>> {
        let (op, suffix) = match (name.strip_prefix("addc"), name.strip_prefix("subc")) {
            (Some(suffix), _) => (BinOp::Add, suffix),
            (_, Some(suffix)) => (BinOp::Sub, suffix),
            _ => return Ok(None),
        };
        let kind = match suffix {
            "b" => IntKind::UChar,
            "s" => IntKind::UShort,
            "" => IntKind::UInt,
            "l" => IntKind::ULong,
            "ll" => IntKind::ULongLong,
            _ => return Ok(None),
        };
        let [a, b, carry, out] = args else { return self.error(span, "this call needs four arguments") };
        let ty = self.types.int(kind);
        let mut values = Vec::new();
        for arg in [a, b, carry] {
            let value = self.rvalue(arg)?;
            let value = self.convert(value, ty, arg.span)?;
            values.push(self.capture(value));
        }
        let place = self.pointed(out)?;
        let range = Range { bits: kind.bits(self.model()), signed: false };
        let (first, one) = self.checked(op, values[0], values[1], range, span)?;
        let first = self.capture(Val { e: first, ty });
        let (second, two) = self.checked(op, first, values[2], range, span)?;
        let second = self.capture(Val { e: second, ty });
        let carry = self.program.exprs.binary(BinOp::Or, one, two);
        let carry = self.truth_value(carry);
        let carry = self.convert(carry, place.ty, span)?;
        self.at_span(span);
        self.write(place, carry);
        Ok(Some(second))
    }

    /// The range of the third operand of `__builtin_add_overflow_p`, which is evaluated but not promoted.
    fn range_of_operand(&mut self, e: &Expr<'a>) -> R<Range> {
        use robusto_syntax::ast::ExprKind;
        if let ExprKind::Member(..) | ExprKind::Arrow(..) = e.kind {
            let place = self.place(e)?;
            if let (Some(bits), Some(kind)) = (place.bits, self.types.as_int(place.ty)) {
                return Ok(Range { bits: bits.width as u8, signed: kind.is_signed() });
            }
        }
        let value = self.rvalue(e)?;
        match self.types.as_int(value.ty) {
            Some(kind) => Ok(Range { bits: kind.bits(self.model()), signed: kind.is_signed() }),
            None => self.error(e.span, "this operand must be an integer"),
        }
    }

    /// The result cut to a range, and whether it lies outside of it.
    fn checked(&mut self, op: BinOp, a: Val, b: Val, to: Range, span: Span) -> R<(ExprId, ExprId)> {
        let (Some(x), Some(y)) = (self.types.as_int(a.ty), self.types.as_int(b.ty)) else {
            let other = if matches!(self.types.get(a.ty), CType::Int(_)) { b } else { a };
            let text = self.types.describe(other.ty);
            return self.error(span, format!("an operand of type `{text}`, which is not an integer"));
        };
        let operand = x.bits(self.model()).max(y.bits(self.model()));
        let width = if operand <= 32 && to.bits <= 64 { 64 } else { 128 };
        let pool = &mut self.program.exprs;
        let (wide_a, wide_b) = (pool.resize(a.e, x.is_signed(), width), pool.resize(b.e, y.is_signed(), width));
        let exact = pool.binary(op, wide_a, wide_b);
        let exact = self.hold_bits(exact);
        let wrapped = self.program.exprs.resize(exact, true, to.bits);
        if operand > 64 {
            let overflows = self.overflows_by_magnitude(op, (wide_a, x), (wide_b, y), to);
            return Ok((wrapped, overflows));
        }
        // A product of unsigned operands may need the top bit, which is no sign then.
        let unsigned = op == BinOp::Mul && !x.is_signed() && !y.is_signed();
        let pool = &mut self.program.exprs;
        let zero = pool.int(width, 0);
        let overflows = if to.bits < width {
            let back = pool.resize(wrapped, to.signed, width);
            pool.binary(BinOp::Ne, exact, back)
        } else if to.signed == unsigned {
            pool.binary(BinOp::SLt, exact, zero)
        } else {
            pool.bool(false)
        };
        Ok((wrapped, overflows))
    }

    /// Overflow of operands that fill all bits there are.
    fn overflows_by_magnitude(
        &mut self,
        op: BinOp,
        (a, x): (ExprId, IntKind),
        (b, y): (ExprId, IntKind),
        to: Range,
    ) -> ExprId {
        let (sign_a, a) = self.magnitude(a, x.is_signed());
        let (sign_b, b) = self.magnitude(b, y.is_signed());
        let sign_b = if op == BinOp::Sub { self.program.exprs.unary(UnOp::Not, sign_b) } else { sign_b };
        let differ = self.program.exprs.binary(BinOp::Xor, sign_a, sign_b);
        let (negative, size, lost) = if op == BinOp::Mul {
            let pool = &mut self.program.exprs;
            let (product, zero) = (pool.binary(BinOp::Mul, a, b), pool.int(128, 0));
            let quotient = pool.binary(BinOp::UDiv, product, a);
            let (some, wrong) = (pool.binary(BinOp::Ne, a, zero), pool.binary(BinOp::Ne, quotient, b));
            let lost = pool.binary(BinOp::And, some, wrong);
            (differ, product, lost)
        } else {
            let pool = &mut self.program.exprs;
            let (sum, forth, back) =
                (pool.binary(BinOp::Add, a, b), pool.binary(BinOp::Sub, a, b), pool.binary(BinOp::Sub, b, a));
            let (carry, less) = (pool.binary(BinOp::ULt, sum, a), pool.binary(BinOp::ULt, a, b));
            let same = pool.unary(UnOp::Not, differ);
            let lost = pool.binary(BinOp::And, same, carry);
            let difference = self.select(less, back, forth);
            let sign = self.select(less, sign_b, sign_a);
            (self.select(differ, sign, sign_a), self.select(differ, difference, sum), lost)
        };
        let limit = |bits: u8| if bits == 128 { u128::MAX } else { (1 << bits) - 1 };
        let (most, least) = if to.signed { (limit(to.bits - 1), limit(to.bits - 1) + 1) } else { (limit(to.bits), 0) };
        let pool = &mut self.program.exprs;
        let (most, least) = (pool.int(128, most as i128), pool.int(128, least as i128));
        let limit = self.select(negative, least, most);
        let beyond = self.program.exprs.binary(BinOp::ULt, limit, size);
        self.program.exprs.binary(BinOp::Or, lost, beyond)
    }

    /// Whether a number of 128 bits is negative, and its magnitude.
    fn magnitude(&mut self, e: ExprId, signed: bool) -> (ExprId, ExprId) {
        let pool = &mut self.program.exprs;
        if !signed {
            return (pool.bool(false), e);
        }
        let zero = pool.int(128, 0);
        let (negative, minus) = (pool.binary(BinOp::SLt, e, zero), pool.unary(UnOp::Neg, e));
        (negative, self.select(negative, minus, e))
    }

    /// `cond ? a : b` for values without effects.
    pub(in crate::lower) fn select(&mut self, cond: ExprId, a: ExprId, b: ExprId) -> ExprId {
        if let Some(known) = self.program.exprs.as_const(cond) {
            return if known != 0 { a } else { b };
        }
        let (yes, no, end) = (self.location(), self.location(), self.location());
        let result = self.temp(self.program.exprs.ty(a), false);
        self.branch(cond, yes, no);
        for (at, value) in [(yes, a), (no, b)] {
            self.fun.at = at;
            self.emit(Op::Assign { var: result, value });
            self.jump(end);
        }
        self.fun.at = end;
        self.program.exprs.var(result)
    }

    /// Holds an integer of any width fast, unless it is constant.
    pub(in crate::lower) fn hold_bits(&mut self, e: ExprId) -> ExprId {
        let ty @ Ty::Int(_) = self.program.exprs.ty(e) else { return e };
        if self.program.exprs.as_const(e).is_some() {
            return e;
        }
        let var = self.temp(ty, false);
        self.assign_var(var, e);
        self.program.exprs.var(var)
    }
}

fn form(name: &str) -> Option<Form> {
    let (name, asks) = match name.strip_suffix("_overflow_p") {
        Some(name) => (name, true),
        None => (name.strip_suffix("_overflow")?, false),
    };
    let op = |name: &str| {
        let ops = [("add", BinOp::Add), ("sub", BinOp::Sub), ("mul", BinOp::Mul)];
        ops.iter().find_map(|&(text, op)| Some((op, name.strip_prefix(text)?.to_owned())))
    };
    if let Some((op, rest)) = op(name) {
        return rest.is_empty().then_some(Form { op, kind: None, asks });
    }
    let (unsigned, rest) = match (name.strip_prefix('u'), name.strip_prefix('s')) {
        (Some(rest), _) => (true, rest),
        (_, Some(rest)) => (false, rest),
        _ => return None,
    };
    let (op, suffix) = op(rest)?;
    let kind = match (unsigned, suffix.as_str()) {
        (false, "") => IntKind::Int,
        (false, "l") => IntKind::Long,
        (false, "ll") => IntKind::LongLong,
        (true, "") => IntKind::UInt,
        (true, "l") => IntKind::ULong,
        (true, "ll") => IntKind::ULongLong,
        _ => return None,
    };
    (!asks).then_some(Form { op, kind: Some(kind), asks })
}
