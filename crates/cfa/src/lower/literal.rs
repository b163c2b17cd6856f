//! Literals as values.

use super::types::{CType, FloatKind, IntKind, TypeId};
use super::{Lower, Val};
use crate::ir::{BinOp, CastOp, DataModel, Expr as Node, ExprId, Granted, HavocSource, Op, Ty};
use robusto_syntax::Span;
use robusto_syntax::ast::{Base, Encoding, FloatLit, FloatSuffix, IntLit};

impl<'a> Lower<'a, '_> {
    /// A value of type `int`.
    pub(super) fn int_value(&mut self, value: i64) -> Val {
        Val { e: self.program.exprs.constant(Ty::Int(32), value as u64), ty: self.types.int(IntKind::Int) }
    }

    /// A value of type `size_t`.
    pub(super) fn size_value(&mut self, value: u64) -> Val {
        Val { e: self.program.exprs.size(value), ty: self.types.size_t() }
    }

    pub(super) fn int_literal(&mut self, lit: &IntLit) -> Val {
        use IntKind::*;
        let candidates: &[IntKind] = match (lit.unsigned, lit.longs, lit.base) {
            (false, 0, Base::Decimal) => &[Int, Long, LongLong, Int128],
            (false, 0, Base::Other) => &[Int, UInt, Long, ULong, LongLong, ULongLong, Int128],
            (false, 1, Base::Decimal) => &[Long, LongLong, Int128],
            (false, 1, Base::Other) => &[Long, ULong, LongLong, ULongLong, Int128],
            (false, _, Base::Decimal) => &[LongLong, Int128],
            (false, _, Base::Other) => &[LongLong, ULongLong, Int128],
            (true, 0, _) => &[UInt, ULong, ULongLong, UInt128],
            (true, 1, _) => &[ULong, ULongLong, UInt128],
            (true, _, _) => &[ULongLong, UInt128],
        };
        let model = self.model();
        let fits = |kind: &&IntKind| {
            let bits = u32::from(kind.bits(model)) - u32::from(kind.is_signed());
            bits >= 128 || lit.value >> bits == 0
        };
        let mut kind = candidates.iter().find(fits).copied().unwrap_or(UInt128);
        if model == DataModel::Ilp32 && matches!(kind, Int128 | UInt128) {
            kind = ULongLong; // there is nothing wider
        }
        let e = self.program.exprs.int(kind.bits(model), lit.value as i128);
        let value = Val { e, ty: self.types.int(kind) };
        if lit.imaginary { self.imaginary(value) } else { value }
    }

    pub(super) fn float_literal(&mut self, lit: &FloatLit, span: Span) -> Val {
        let value = self.real_literal(lit, span);
        if lit.imaginary { self.imaginary(value) } else { value }
    }

    fn real_literal(&mut self, lit: &FloatLit, span: Span) -> Val {
        let kind = match lit.suffix {
            FloatSuffix::Float => {
                let e = self.program.exprs.constant(Ty::F32, lit.single.to_bits().into());
                return Val { e, ty: self.types.float(FloatKind::Float) };
            }
            FloatSuffix::Half => {
                let e = self.rounded_half(lit.double);
                return Val { e, ty: self.types.intern(CType::Half { brain: false }) };
            }
            FloatSuffix::Double => FloatKind::Double,
            FloatSuffix::LongDouble => FloatKind::LongDouble,
            FloatSuffix::Float128 => FloatKind::Float128,
        };
        if kind == FloatKind::LongDouble {
            let e = self.program.exprs.extended(lit.extended);
            return Val { e, ty: self.types.float(kind) };
        }
        self.note_precision(kind, span);
        let e = self.program.exprs.constant(Ty::F64, lit.double.to_bits());
        if kind != FloatKind::Double && !lit.exact {
            self.rounded.insert(e);
        }
        Val { e, ty: self.types.float(kind) }
    }

    /// `_Float128` is computed as double; say so.
    pub(super) fn note_precision(&mut self, kind: FloatKind, span: Span) {
        if kind == FloatKind::Float128 {
            self.assume(span, Granted::WideFloats);
        }
    }

    /// Wider floats decide something here: they are compared, or converted to a narrower type. Unless their values are
    /// sure to be exact as doubles, the outcome may be another one, which an `unsupported` edge beside stands for.
    pub(super) fn precision_decides(&mut self, values: &[Val], span: Span) {
        if values.iter().all(|v| !self.is_wide(v.ty) || self.is_exact(v.e)) {
            return;
        }
        if self.fun.quiet {
            // An edge: what is decided by it is no constant.
            let bit = self.temp(Ty::BOOL, false);
            return self.emit(Op::Havoc { var: bit, source: HavocSource::Precision });
        }
        self.note_precision(FloatKind::Float128, span);
        self.at_span(span);
        let bit = self.temp(Ty::BOOL, false);
        self.emit(Op::Havoc { var: bit, source: HavocSource::Precision });
        let (other, here) = (self.location(), self.location());
        let cond = self.program.exprs.var(bit);
        self.branch(cond, other, here);
        self.fun.at = other;
        self.unsupported("a decision by the precision of `_Float128`");
        self.fun.at = here;
    }

    /// Whether a type is wider than the double as which it is computed.
    fn is_wide(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), CType::Float(FloatKind::Float128))
    }

    /// A wide constant was computed from others: notes if it was rounded on the way, or may be.
    pub(super) fn note_rounding(&mut self, op: BinOp, a: Val, b: Val, result: ExprId) {
        let value = |e: ExprId| self.program.exprs.as_const(e).map(f64::from_bits);
        let (Some(x), Some(y), Some(z)) = (value(a.e), value(b.e), value(result)) else { return };
        if self.is_wide(a.ty) && !(self.is_exact(a.e) && self.is_exact(b.e) && is_exact_result(op, x, y, z)) {
            self.rounded.insert(result);
        }
    }

    /// The same of a conversion of an integer, or of another sign.
    pub(super) fn note_conversion(&mut self, from: Val, ty: TypeId, result: ExprId) {
        let Some(value) = self.program.exprs.as_const(result).map(f64::from_bits) else { return };
        let differs = match self.as_integer(from) {
            Some(number) => value as i128 != number,
            None => self.rounded.contains(&from.e),
        };
        if self.is_wide(ty) && differs {
            self.rounded.insert(result);
        }
    }

    /// Whether a value is the same as a double and as a wider float: a short constant, or converted from a narrow type.
    fn is_exact(&self, e: ExprId) -> bool {
        let pool = &self.program.exprs;
        match pool.get(e) {
            Node::Const(_, bits) => bits.trailing_zeros() >= 20 && !self.rounded.contains(&e),
            Node::Unary(_, inner) => self.is_exact(inner),
            Node::Cast(CastOp::SToF | CastOp::UToF, _, from) => pool.ty(from).bits(self.model()) <= 32,
            Node::Cast(CastOp::FToF, _, from) => pool.ty(from) != Ty::F80,
            _ => false,
        }
    }

    pub(super) fn char_literal(&mut self, value: i32, encoding: Encoding) -> Val {
        let kind = match encoding {
            Encoding::Plain => IntKind::Int,
            Encoding::Wide => self.wide_char(),
            Encoding::Utf16 => IntKind::UShort,
            Encoding::Utf32 => IntKind::UInt,
        };
        let e = self.program.exprs.int(kind.bits(self.model()), value.into());
        Val { e, ty: self.types.int(kind) }
    }

    /// `wchar_t` of Linux: `int`, and `long` under ILP32.
    fn wide_char(&self) -> IntKind {
        match self.model() {
            DataModel::Ilp32 => IntKind::Long,
            DataModel::Lp64 => IntKind::Int,
        }
    }

    /// The bytes of a string literal with its closing zero, and its element type.
    pub(super) fn string_bytes(&mut self, units: &[u32], encoding: Encoding) -> (Vec<u8>, TypeId) {
        let (kind, size) = match encoding {
            Encoding::Plain => (IntKind::Char, 1),
            Encoding::Wide => (self.wide_char(), 4),
            Encoding::Utf16 => (IntKind::UShort, 2),
            Encoding::Utf32 => (IntKind::UInt, 4),
        };
        let bytes = units.iter().chain(&[0]).flat_map(|u| u.to_le_bytes().into_iter().take(size)).collect();
        (bytes, self.types.int(kind))
    }
}

/// Whether the result of an operation on doubles was not rounded: the error, which is a double itself, is zero (Knuth, *The Art of Computer
/// Programming*, volume 2, section 4.2.2).
fn is_exact_result(op: BinOp, x: f64, y: f64, z: f64) -> bool {
    if !x.is_finite() || !y.is_finite() || op == BinOp::FDiv && y == 0.0 {
        return true;
    }
    match op {
        BinOp::FAdd | BinOp::FSub => {
            let y = if op == BinOp::FSub { -y } else { y };
            let part = z - x;
            z.is_finite() && (x - (z - part)) + (y - part) == 0.0
        }
        BinOp::FMul => x == 0.0 || y == 0.0 || z.is_normal() && x.mul_add(y, -z) == 0.0,
        BinOp::FDiv => x == 0.0 || z.is_normal() && z.mul_add(y, -x) == 0.0,
        _ => false,
    }
}
