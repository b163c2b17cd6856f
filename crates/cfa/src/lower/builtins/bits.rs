//! Builtins that count, turn and swap bits, as expressions without loops.

use crate::ir::{BinOp, ExprId, HavocSource, UnOp};
use crate::lower::types::IntKind;
use crate::lower::{Lower, R, Val};
use robusto_syntax::Span;
use robusto_syntax::ast::Expr;

impl<'a> Lower<'a, '_> {
    /// A call to a builtin on bits; `None` if the name is none of these. The plain `__builtin_clz`, `__builtin_popcount`
    /// and so on are library models.
    pub(in crate::lower) fn bit_builtin(&mut self, name: &str, args: &[Expr<'a>], span: Span) -> R<Option<Val>> {
        if let Some(suffix) = name.strip_prefix("clrsb") {
            let kind = match suffix {
                "" => Some(IntKind::Int),
                "l" => Some(IntKind::Long),
                "ll" => Some(IntKind::LongLong),
                "g" => None,
                _ => return Ok(None),
            };
            let (e, bits) = self.bits_argument(args, kind, span)?;
            let sign = self.shifted(BinOp::AShr, e, bits - 1);
            let differing = self.program.exprs.binary(BinOp::Xor, e, sign);
            let zeros = self.leading_zeros(differing, bits);
            let one = self.program.exprs.int(bits, 1);
            let count = self.program.exprs.binary(BinOp::Sub, zeros, one);
            return Ok(Some(self.count_value(count)));
        }
        if let Some(width) = name.strip_prefix("bitreverse") {
            let Some(kind) = kind_of_width(width) else { return Ok(None) };
            let (e, bits) = self.bits_argument(args, Some(kind), span)?;
            let e = self.reversed(e, bits, 1);
            return Ok(Some(Val { e, ty: self.types.int(kind) }));
        }
        if name == "bswap128" {
            let (e, bits) = self.bits_argument(args, Some(IntKind::UInt128), span)?;
            let e = self.reversed(e, bits, 8);
            return Ok(Some(Val { e, ty: self.types.int(IntKind::UInt128) }));
        }
        for (prefix, left) in [("rotateleft", true), ("rotateright", false)] {
            if let Some(kind) = name.strip_prefix(prefix).and_then(kind_of_width) {
                return self.rotate(args, kind, left, span).map(Some);
            }
        }
        if !matches!(name, "clzg" | "ctzg" | "popcountg" | "parityg" | "ffsg") {
            return Ok(None);
        }
        let (e, bits) = self.bits_argument(args, None, span)?;
        let zero = self.program.exprs.int(bits, 0);
        let count = match name {
            "clzg" => self.leading_zeros(e, bits),
            "popcountg" => self.ones(e, bits),
            "parityg" => {
                let (ones, one) = (self.ones(e, bits), self.program.exprs.int(bits, 1));
                self.program.exprs.binary(BinOp::And, ones, one)
            }
            "ctzg" => self.trailing_zeros(e, bits),
            _ => {
                let (zeros, one) = (self.trailing_zeros(e, bits), self.program.exprs.int(bits, 1));
                let position = self.program.exprs.binary(BinOp::Add, zeros, one);
                let empty = self.program.exprs.binary(BinOp::Eq, e, zero);
                self.select(empty, zero, position)
            }
        };
        let count = self.count_value(count);
        if !matches!(name, "clzg" | "ctzg") {
            return Ok(Some(count));
        }
        // Of 0, the second argument; without it, undefined.
        let fallback = match args.get(1) {
            Some(fallback) => {
                let value = self.rvalue(fallback)?;
                self.convert(value, count.ty, span)?
            }
            None => self.havoc_value(count.ty, HavocSource::Undefined),
        };
        let empty = self.program.exprs.binary(BinOp::Eq, e, zero);
        Ok(Some(Val { e: self.select(empty, fallback.e, count.e), ty: count.ty }))
    }

    /// The argument as bits, and how many; without a type, its own.
    fn bits_argument(&mut self, args: &[Expr<'a>], kind: Option<IntKind>, span: Span) -> R<(ExprId, u8)> {
        let Some(arg) = args.first() else { return self.error(span, "this call needs an argument") };
        let mut value = self.rvalue(arg)?;
        if let Some(kind) = kind {
            let ty = self.types.int(kind);
            value = self.convert(value, ty, arg.span)?;
        }
        let Some(kind) = self.types.as_int(value.ty) else {
            return self.error(arg.span, "this argument must be an integer");
        };
        Ok((self.hold_bits(value.e), kind.bits(self.model())))
    }

    fn rotate(&mut self, args: &[Expr<'a>], kind: IntKind, left: bool, span: Span) -> R<Val> {
        let [_, amount] = args else { return self.error(span, "this call needs two arguments") };
        let (e, bits) = self.bits_argument(args, Some(kind), span)?;
        let (by, _) = self.bits_argument(std::slice::from_ref(amount), Some(kind), span)?;
        let pool = &mut self.program.exprs;
        let mask = pool.int(bits, i128::from(bits) - 1);
        let minus = pool.unary(UnOp::Neg, by);
        let (forth, back) = (pool.binary(BinOp::And, by, mask), pool.binary(BinOp::And, minus, mask));
        let (one, other) = if left { (BinOp::Shl, BinOp::LShr) } else { (BinOp::LShr, BinOp::Shl) };
        let (a, b) = (pool.binary(one, e, forth), pool.binary(other, e, back));
        Ok(Val { e: pool.binary(BinOp::Or, a, b), ty: self.types.int(kind) })
    }

    fn count_value(&mut self, count: ExprId) -> Val {
        Val { e: self.program.exprs.resize(count, false, 32), ty: self.types.int(IntKind::Int) }
    }

    fn shifted(&mut self, op: BinOp, e: ExprId, by: u8) -> ExprId {
        let crate::ir::Ty::Int(bits) = self.program.exprs.ty(e) else { return e };
        let by = self.program.exprs.int(bits, by.into());
        self.program.exprs.binary(op, e, by)
    }

    /// Fields of `width` bits, alternately all ones and all zeros, ones at the bottom.
    fn mask(&mut self, bits: u8, width: u8) -> ExprId {
        let mut mask = 0u128;
        for i in 0..u32::from(bits) {
            mask |= u128::from(i / u32::from(width) % 2 == 0) << i;
        }
        self.program.exprs.int(bits, mask as i128)
    }

    /// The number of ones, by sums of neighbouring fields.
    pub(in crate::lower) fn ones(&mut self, e: ExprId, bits: u8) -> ExprId {
        let (mut e, mut width) = (e, 1);
        while width < bits {
            let mask = self.mask(bits, width);
            let high = self.shifted(BinOp::LShr, e, width);
            let pool = &mut self.program.exprs;
            let (low, high) = (pool.binary(BinOp::And, e, mask), pool.binary(BinOp::And, high, mask));
            let sum = pool.binary(BinOp::Add, low, high);
            e = self.hold_bits(sum);
            width *= 2;
        }
        e
    }

    /// The number of zeros above the highest one: the ones of the complement once everything below it is set.
    pub(in crate::lower) fn leading_zeros(&mut self, e: ExprId, bits: u8) -> ExprId {
        let (mut e, mut width) = (e, 1);
        while width < bits {
            let lower = self.shifted(BinOp::LShr, e, width);
            let filled = self.program.exprs.binary(BinOp::Or, e, lower);
            e = self.hold_bits(filled);
            width *= 2;
        }
        let above = self.program.exprs.unary(UnOp::Not, e);
        self.ones(above, bits)
    }

    /// The number of zeros below the lowest one.
    pub(in crate::lower) fn trailing_zeros(&mut self, e: ExprId, bits: u8) -> ExprId {
        let pool = &mut self.program.exprs;
        let one = pool.int(bits, 1);
        let (not, less) = (pool.unary(UnOp::Not, e), pool.binary(BinOp::Sub, e, one));
        let below = pool.binary(BinOp::And, not, less);
        self.ones(below, bits)
    }

    /// Fields of `unit` bits in the opposite order, by swapping halves.
    pub(in crate::lower) fn reversed(&mut self, e: ExprId, bits: u8, unit: u8) -> ExprId {
        let (mut e, mut width) = (e, unit);
        while width < bits {
            let mask = self.mask(bits, width);
            let high = self.shifted(BinOp::LShr, e, width);
            let high = self.program.exprs.binary(BinOp::And, high, mask);
            let low = self.program.exprs.binary(BinOp::And, e, mask);
            let low = self.shifted(BinOp::Shl, low, width);
            let swapped = self.program.exprs.binary(BinOp::Or, high, low);
            e = self.hold_bits(swapped);
            width *= 2;
        }
        e
    }
}

fn kind_of_width(width: &str) -> Option<IntKind> {
    Some(match width {
        "8" => IntKind::UChar,
        "16" => IntKind::UShort,
        "32" => IntKind::UInt,
        "64" => IntKind::ULongLong,
        _ => return None,
    })
}
