//! Error edges for arithmetic that C leaves undefined: signed overflow, division by zero, shifts by bad amounts.
//!
//! ISO C11, 6.5 paragraph 5: the behaviour is undefined if the result of an operation is not representable in its type,
//! which for signed integers is the promoted type (6.3.1.1) or the common type (6.3.1.8); 6.5.5 paragraph 6 adds
//! `INT_MIN / -1` and `INT_MIN % -1`, 6.5.7 paragraph 4 left shifts of negative values or beyond the range. A conversion
//! to a narrower type is implementation-defined (6.3.1.3 paragraph 3), hence no overflow.
//!
//! The conditions compare one operand with a bound made of the other (`a > INT_MAX - b` where `b >= 0`), because such
//! comparisons are what abstractions reason with; a product of two unknowns is computed at twice the width instead. A
//! condition that is constant leaves no branch, so arithmetic on constants costs nothing and an overflow of constants is
//! still an error edge.
//!
//! No checks: in constant expressions, which no execution evaluates; in library models, whose arithmetic is ours (but for
//! `abs`, `div` and their like, which are operators by another name: 7.22.6); in
//! atomic builtins, which wrap around (7.17.7.5 paragraph 3).

use super::library::computes_as_operator;
use super::types::TypeId;
use super::{Lower, Val};
use crate::ir::{BinOp, CastOp, ErrorKind, ExprId, HavocSource, LocId, Op, Ty};
use robusto_syntax::Span;
use robusto_syntax::ast::{BinaryOp, Expr, ExprKind, UnaryOp};

/// Which undefined arithmetic becomes an error edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Checks {
    /// Signed overflow.
    pub overflow: bool,
    /// Division by zero.
    pub div_by_zero: bool,
    /// Shifts by a negative amount, or by the width or more.
    pub shift: bool,
    /// Whether ends of blocks are marked, for checks of memory: no error edge by itself.
    pub scopes: bool,
    /// Whether calls of a function by a type that is not compatible with its own are errors.
    pub calls: bool,
    /// Whether executions end at calls that give a function too few arguments. Else those that are missing have any value, as on machines.
    pub arguments: bool,
    /// Whether operations on variables stay though their results are known (`x == x`): the values may be undefined.
    pub reads: bool,
    /// Whether executions may go on behind the error, as they do in reality: where several violations are looked for.
    pub go_on: bool,
}

impl Checks {
    /// No error edges; arithmetic wraps, division by zero gives any value.
    pub const NONE: Checks = Checks {
        overflow: false,
        div_by_zero: false,
        shift: false,
        scopes: false,
        calls: false,
        arguments: false,
        reads: false,
        go_on: false,
    };

    /// Whether some arithmetic has an error edge.
    pub(super) fn any_arithmetic(self) -> bool {
        self.overflow || self.div_by_zero || self.shift
    }

    /// What one or the other asks for.
    pub fn union(self, other: Checks) -> Checks {
        Checks {
            overflow: self.overflow || other.overflow,
            div_by_zero: self.div_by_zero || other.div_by_zero,
            shift: self.shift || other.shift,
            scopes: self.scopes || other.scopes,
            calls: self.calls || other.calls,
            arguments: self.arguments || other.arguments,
            reads: self.reads || other.reads,
            go_on: self.go_on || other.go_on,
        }
    }
}

/// The operations that can overflow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Checked {
    Add,
    Sub,
    Mul,
    /// Division and remainder.
    Div,
    Shl,
}

impl<'a> Lower<'a, '_> {
    /// The checks that apply here.
    pub(super) fn checks(&self) -> Checks {
        let outside = self.fun.unchecked || self.fun.constant_only && !self.fun.in_function_scratch;
        match self.in_model {
            _ if outside => Checks::NONE,
            false => self.checks,
            true if self.fun.name.is_some_and(|name| computes_as_operator(self.text(name))) => {
                Checks { scopes: false, ..self.checks }
            }
            true => Checks::NONE,
        }
    }

    /// Runs `f` without checks.
    pub(super) fn unchecked<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.fun.unchecked, true);
        let result = f(self);
        self.fun.unchecked = outer;
        result
    }

    /// An operand that is evaluated before another one with side effects. Its checks stand before them, so its value
    /// must be computed there too.
    pub(super) fn hold_before(&mut self, value: Val, next: &Expr<'a>) -> Val {
        if self.checks().any_arithmetic() && has_effects(next) { self.capture(value) } else { value }
    }

    /// The edges to come belong to this operation. Without checks an operation has no edge of its own.
    pub(super) fn at_checked(&mut self, span: Span) {
        if self.checks().any_arithmetic() {
            self.at_span(span);
        }
    }

    /// An error edge where the divisor is zero; says whether no execution goes on with that.
    pub(super) fn check_divisor(&mut self, is_zero: ExprId) -> bool {
        self.checks().div_by_zero && self.check_operand(is_zero, ErrorKind::DivByZero)
    }

    /// An error edge where an amount is too large for a shift; says whether no execution goes on with that.
    pub(super) fn check_amount(&mut self, too_large: ExprId) -> bool {
        self.checks().shift && self.check_operand(too_large, ErrorKind::BadShift)
    }

    fn check_operand(&mut self, is_bad: ExprId, kind: ErrorKind) -> bool {
        let bad = self.location();
        self.error_if(is_bad, bad);
        self.error_at(bad, kind);
        !self.checks().go_on
    }

    /// An error edge where an operation on operands of the given type overflows; for shifts, the type of the left one.
    pub(super) fn check_overflow(&mut self, op: Checked, a: ExprId, b: ExprId, ty: TypeId) {
        if !self.checks().overflow || !self.types.is_signed(ty) {
            return;
        }
        let Ty::Int(bits) = self.program.exprs.ty(a) else { return };
        let bad = self.location();
        match op {
            Checked::Add => self.sum_overflow(a, b, bits, bad),
            Checked::Sub => self.difference_overflow(a, b, bits, bad),
            Checked::Mul => self.product_overflow(a, b, bits, bad),
            Checked::Div => self.quotient_overflow(a, b, bits, bad),
            Checked::Shl => self.shift_overflow(a, b, bits, bad),
        }
        self.error_at(bad, ErrorKind::Overflow);
    }

    /// An error edge where the operand of a unary minus is the least number.
    pub(super) fn check_negation(&mut self, value: Val) {
        let Ty::Int(bits) = self.program.exprs.ty(value.e) else { return };
        if !self.checks().overflow || !self.types.is_signed(value.ty) {
            return;
        }
        let least = self.program.exprs.int(bits, min(bits));
        let cond = self.program.exprs.binary(BinOp::Eq, value.e, least);
        let bad = self.location();
        self.error_if(cond, bad);
        self.error_at(bad, ErrorKind::Overflow);
    }

    /// `b >= 0 ? a > MAX - b : a < MIN - b`
    fn sum_overflow(&mut self, mut a: ExprId, mut b: ExprId, bits: u8, bad: LocId) {
        if self.program.exprs.as_const(a).is_some() {
            (a, b) = (b, a);
        }
        self.by_sign(b, bits, |lower, positive| {
            let limit = lower.program.exprs.int(bits, if positive { max(bits) } else { min(bits) });
            let bound = lower.program.exprs.binary(BinOp::Sub, limit, b);
            let cond = if positive { lower.less(bound, a) } else { lower.less(a, bound) };
            lower.error_if(cond, bad);
        });
    }

    /// `b >= 0 ? a < MIN + b : a > MAX + b`
    fn difference_overflow(&mut self, a: ExprId, b: ExprId, bits: u8, bad: LocId) {
        self.by_sign(b, bits, |lower, positive| {
            let limit = lower.program.exprs.int(bits, if positive { min(bits) } else { max(bits) });
            let bound = lower.program.exprs.binary(BinOp::Add, limit, b);
            let cond = if positive { lower.less(a, bound) } else { lower.less(bound, a) };
            lower.error_if(cond, bad);
        });
    }

    /// With a constant factor, bounds of the other one; else the product at twice the width, which must come back.
    fn product_overflow(&mut self, mut a: ExprId, mut b: ExprId, bits: u8, bad: LocId) {
        if self.program.exprs.as_const(a).is_some() {
            (a, b) = (b, a);
        }
        if let Some(raw) = self.program.exprs.as_const(b) {
            let factor = i128::from(crate::ir::fold::signed(bits.into(), raw));
            // Of the limits divided by the factor, toward zero, the smaller is the least value allowed.
            if factor == 0 {
                return;
            }
            let (one, other) = (max(bits) / factor, min(bits) / factor);
            let (least, greatest) = (one.min(other), one.max(other));
            let (least, greatest) = (least.max(min(bits)), greatest.min(max(bits)));
            let pool = &mut self.program.exprs;
            let (least, greatest) = (pool.int(bits, least), pool.int(bits, greatest));
            let (below, above) = (self.less(a, least), self.less(greatest, a));
            self.error_if(below, bad);
            self.error_if(above, bad);
            return;
        }
        let pool = &mut self.program.exprs;
        if bits <= 64 {
            let wide = Ty::Int(if bits > 32 { 128 } else { bits * 2 });
            let (x, y) = (pool.cast(CastOp::SExt, wide, a), pool.cast(CastOp::SExt, wide, b));
            let product = pool.binary(BinOp::Mul, x, y);
            let narrow = pool.binary(BinOp::Mul, a, b);
            let back = pool.cast(CastOp::SExt, wide, narrow);
            let cond = pool.binary(BinOp::Ne, product, back);
            return self.error_if(cond, bad);
        }
        // There is nothing wider: a != 0, and the product divided by a is not b, or the division itself overflows.
        let (zero, minus_one, least) = (pool.int(bits, 0), pool.int(bits, -1), pool.int(bits, min(bits)));
        let product = pool.binary(BinOp::Mul, a, b);
        let quotient = pool.binary(BinOp::SDiv, product, a);
        let differs = pool.binary(BinOp::Ne, quotient, b);
        let is_zero = pool.binary(BinOp::Eq, a, zero);
        let negates = pool.binary(BinOp::Eq, a, minus_one);
        let b_least = pool.binary(BinOp::Eq, b, least);
        let (nonzero, negating, end) = (self.location(), self.location(), self.location());
        self.branch(is_zero, end, nonzero);
        self.fun.at = nonzero;
        self.error_if(differs, bad);
        self.branch(negates, negating, end);
        self.fun.at = negating;
        self.error_if(b_least, bad);
        self.label_here(end);
    }

    /// `a == MIN && b == -1`
    fn quotient_overflow(&mut self, a: ExprId, b: ExprId, bits: u8, bad: LocId) {
        let pool = &mut self.program.exprs;
        let (least, minus_one) = (pool.int(bits, min(bits)), pool.int(bits, -1));
        let is_least = pool.binary(BinOp::Eq, a, least);
        let negates = pool.binary(BinOp::Eq, b, minus_one);
        if pool.as_const(is_least) == Some(0) || pool.as_const(negates) == Some(0) {
            return;
        }
        let (at_least, end) = (self.location(), self.location());
        self.branch(negates, at_least, end);
        self.fun.at = at_least;
        self.error_if(is_least, bad);
        self.label_here(end);
    }

    /// `a < 0 || a > MAX >> b`; an amount that is too large leaves nothing of `MAX`. Both sides are computed at the
    /// width of the wider operand.
    fn shift_overflow(&mut self, a: ExprId, b: ExprId, bits: u8, bad: LocId) {
        let pool = &mut self.program.exprs;
        let Ty::Int(amount_bits) = pool.ty(b) else { return };
        let width = bits.max(amount_bits);
        let (a, b) = (pool.resize(a, true, width), pool.resize(b, false, width));
        let (zero, greatest) = (pool.int(width, 0), pool.int(width, max(bits)));
        let bound = pool.binary(BinOp::LShr, greatest, b);
        let (negative, above) = (self.less(a, zero), self.less(bound, a));
        self.error_if(negative, bad);
        self.error_if(above, bad);
    }

    fn less(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.program.exprs.binary(BinOp::SLt, a, b)
    }

    /// Calls `each` where `value >= 0` (true) and where `value < 0` (false); once if that is known.
    fn by_sign(&mut self, value: ExprId, bits: u8, mut each: impl FnMut(&mut Self, bool)) {
        let zero = self.program.exprs.int(bits, 0);
        let negative = self.less(value, zero);
        if let Some(known) = self.program.exprs.as_const(negative) {
            return each(self, known == 0);
        }
        let (yes, no, end) = (self.location(), self.location(), self.location());
        self.branch(negative, yes, no);
        self.fun.at = yes;
        each(self, false);
        self.jump(end);
        self.fun.at = no;
        each(self, true);
        self.label_here(end);
    }

    /// Goes to `bad` where the condition holds.
    fn error_if(&mut self, cond: ExprId, bad: LocId) {
        if self.program.exprs.as_const(cond) == Some(0) {
            return;
        }
        let good = self.location();
        self.branch(cond, bad, good);
        self.fun.at = good;
    }

    /// The error edge; without a way to `bad` it is dropped when the function is finished.
    fn error_at(&mut self, bad: LocId, kind: ErrorKind) {
        if !self.checks().go_on {
            let (end, pos) = (self.location(), self.fun.pos);
            self.fun.builder.edge(bad, end, Op::Error(kind), pos);
            return;
        }
        let good = std::mem::replace(&mut self.fun.at, bad);
        self.error_or_go_on(kind);
        self.jump(good);
        self.fun.at = good;
    }

    /// A violation that does not end the program by itself: an error edge or the way on, by choice. Where one violation is
    /// enough, that is decided later, when the property is known.
    pub(super) fn error_or_go_on(&mut self, kind: ErrorKind) {
        let passed = self.temp(Ty::BOOL, false);
        self.emit(Op::Havoc { var: passed, source: HavocSource::Violation });
        let cond = self.program.exprs.var(passed);
        let (on, bad) = (self.location(), self.location());
        self.branch(cond, on, bad);
        self.fun.at = bad;
        self.emit_end(Op::Error(kind));
        self.fun.at = on;
    }
}

/// The greatest number of a signed type.
fn max(bits: u8) -> i128 {
    i128::MAX >> (128 - u32::from(bits))
}

/// The least number of a signed type.
fn min(bits: u8) -> i128 {
    i128::MIN >> (128 - u32::from(bits))
}

/// Whether evaluating an expression may change something, judged by its form.
fn has_effects(e: &Expr<'_>) -> bool {
    match e.kind {
        ExprKind::Call(..)
        | ExprKind::Assign(..)
        | ExprKind::PostIncrement(_)
        | ExprKind::PostDecrement(_)
        | ExprKind::Unary(UnaryOp::PreIncrement | UnaryOp::PreDecrement, _)
        | ExprKind::Statement(_)
        | ExprKind::VaArg(..)
        | ExprKind::CompoundLiteral(..)
        | ExprKind::Generic(..)
        | ExprKind::ChooseExpr(..) => true,
        ExprKind::Unary(_, inner) | ExprKind::Cast(_, inner) => has_effects(inner),
        ExprKind::Member(inner, ..) | ExprKind::Arrow(inner, ..) => has_effects(inner),
        ExprKind::Binary(_, a, b) | ExprKind::Comma(a, b) | ExprKind::Index(a, b) => has_effects(a) || has_effects(b),
        ExprKind::Conditional(c, a, b) => has_effects(c) || a.is_some_and(has_effects) || has_effects(b),
        _ => false,
    }
}

/// The operation of a C operator, if it can overflow.
pub(super) fn checked(op: BinaryOp) -> Option<Checked> {
    match op {
        BinaryOp::Add => Some(Checked::Add),
        BinaryOp::Sub => Some(Checked::Sub),
        BinaryOp::Mul => Some(Checked::Mul),
        BinaryOp::Div | BinaryOp::Rem => Some(Checked::Div),
        BinaryOp::Shl => Some(Checked::Shl),
        _ => None,
    }
}
