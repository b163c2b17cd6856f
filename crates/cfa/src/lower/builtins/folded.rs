//! Builtins of constants, where a constant is required: `enum { BITS = __builtin_popcount(MASK) }`. Elsewhere most of these are
//! calls of library models, which no constant expression can hold.

use crate::ir::Ty;
use crate::lower::scope::Sym;
use crate::lower::types::{CType, FloatKind, IntKind, TypeId};
use crate::lower::{Lower, R, Val};
use robusto_syntax::ast::{Expr, ExprKind};

impl<'a> Lower<'a, '_> {
    /// The value of a builtin of constants; `None` for others, and where C leaves it undefined.
    pub(in crate::lower) fn folded_builtin(&mut self, name: &str, args: &[Expr<'a>]) -> R<Option<Val>> {
        let [arg] = args else { return Ok(None) };
        if !self.is_settled() && !self.is_plain_constant(arg) {
            return Ok(None);
        }
        match name {
            "strlen" => {
                let ExprKind::Str(units, robusto_syntax::ast::Encoding::Plain) = arg.kind else { return Ok(None) };
                let length = units.iter().position(|&unit| unit == 0).unwrap_or(units.len());
                Ok(Some(self.size_value(length as u64)))
            }
            "fabs" | "sqrt" | "floor" | "ceil" | "trunc" => self.folded_float(name, arg),
            _ => match self.of_integer(name) {
                None => Ok(None),
                Some((operation, kind)) => self.folded_integer(operation, kind, arg),
            },
        }
    }

    /// Whether an expression is a constant by its form, without calls.
    fn is_plain_constant(&self, e: &Expr<'a>) -> bool {
        match e.kind {
            ExprKind::Int(_)
            | ExprKind::Char(..)
            | ExprKind::Float(_)
            | ExprKind::Str(..)
            | ExprKind::SizeofType(_) => true,
            ExprKind::Ident(name) => matches!(self.scopes.lookup(name), Some(Sym::Constant(..))),
            ExprKind::Unary(_, inner) | ExprKind::Cast(_, inner) => self.is_plain_constant(inner),
            ExprKind::Binary(_, a, b) => self.is_plain_constant(a) && self.is_plain_constant(b),
            _ => false,
        }
    }

    /// An operation on integers and the type of its operand: `ctzl` is `ctz` of an `unsigned long`.
    fn of_integer<'n>(&self, name: &'n str) -> Option<(&'n str, IntKind)> {
        Some(match name {
            "bswap16" => ("bswap", IntKind::UShort),
            "bswap32" => ("bswap", IntKind::UInt),
            "bswap64" => ("bswap", IntKind::ULongLong),
            "abs" => ("abs", IntKind::Int),
            "labs" => ("abs", IntKind::Long),
            "llabs" => ("abs", IntKind::LongLong),
            _ => {
                let operation =
                    ["ffs", "clz", "ctz", "popcount", "parity"].into_iter().find(|o| name.starts_with(o))?;
                let kind = match &name[operation.len()..] {
                    "" => IntKind::UInt,
                    "l" => IntKind::ULong,
                    "ll" => IntKind::ULongLong,
                    _ => return None,
                };
                (&name[..operation.len()], kind)
            }
        })
    }

    fn folded_integer(&mut self, operation: &str, kind: IntKind, arg: &Expr<'a>) -> R<Option<Val>> {
        let Some(value) = self.try_constant(arg)? else { return Ok(None) };
        let (operand, int) = (self.types.int(kind), self.types.int(IntKind::Int));
        let value = self.wrap_constant(value, operand);
        let bits = u32::from(kind.bits(self.model()));
        let raw = value as u128 & (u128::MAX >> (128 - bits));
        let (result, ty): (i128, TypeId) = match operation {
            "bswap" => ((raw.swap_bytes() >> (128 - bits)) as i128, operand),
            // The least number has no absolute value.
            "abs" if value == -1 << (bits - 1) => return Ok(None),
            "abs" => (value.abs(), operand),
            "clz" | "ctz" if raw == 0 => return Ok(None),
            "ffs" if raw == 0 => (0, int),
            "ffs" => (i128::from(raw.trailing_zeros()) + 1, int),
            "ctz" => (raw.trailing_zeros().into(), int),
            "clz" => (i128::from(raw.leading_zeros()) - i128::from(128 - bits), int),
            "parity" => ((raw.count_ones() % 2).into(), int),
            _ => (raw.count_ones().into(), int),
        };
        let width = self.types.as_int(ty).map_or(32, |kind| kind.bits(self.model()));
        Ok(Some(Val { e: self.program.exprs.int(width, result), ty }))
    }

    /// A function of doubles whose result IEEE 754 fixes.
    fn folded_float(&mut self, name: &str, arg: &Expr<'a>) -> R<Option<Val>> {
        let double = self.types.float(FloatKind::Double);
        let (value, edges) = self.unchecked(|lower| {
            lower.in_scratch(|lower| {
                let value = lower.rvalue(arg)?;
                match lower.types.get(value.ty) {
                    CType::Int(_) | CType::Float(_) => lower.convert(value, double, arg.span),
                    _ => Ok(value),
                }
            })
        });
        let value = value?;
        let constant = self.program.exprs.as_const(value.e).filter(|_| !edges && value.ty == double);
        let Some(x) = constant.map(f64::from_bits) else { return Ok(None) };
        let result = match name {
            "fabs" => x.abs(),
            "sqrt" if x >= 0.0 => x.sqrt(),
            "floor" => x.floor(),
            "ceil" => x.ceil(),
            "trunc" => x.trunc(),
            _ => return Ok(None),
        };
        Ok(Some(Val { e: self.program.exprs.constant(Ty::F64, result.to_bits()), ty: double }))
    }
}
