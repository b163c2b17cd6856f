//! Expressions as text.

use super::names::Names;
use crate::ir::{BinOp, CastOp, Expr, ExprId, ExprPool, Idx, IdxVec, Ty, UnOp, fold};
use std::fmt::{self, Write};

/// Largest number of nodes of an expression that is printed inside another.
const LIMIT: u32 = 48;

/// The expressions that are printed on their own: those whose tree, with such expressions as leaves, exceeds the limit.
/// What is printed in one piece then has at most `2 * LIMIT + 1` nodes, so the text is linear in the pool and the
/// recursion is bounded.
pub(super) fn cut(pool: &ExprPool) -> IdxVec<ExprId, bool> {
    let mut sizes = IdxVec::<ExprId, u32>::new();
    let mut large = IdxVec::<ExprId, bool>::new();
    for id in pool.ids() {
        // An operand that does not come before its user is a mistake that `verify` reports.
        let size = |x: ExprId| if x < id && !large[x] { sizes[x] } else { 1 };
        let size = 1 + pool.operands(id).map(size).sum::<u32>();
        sizes.push(size);
        large.push(size > LIMIT);
    }
    large
}

/// What the surroundings of an expression tell about it.
#[derive(Clone, Copy)]
pub(super) struct Context {
    /// The type is known; a constant needs no suffix.
    pub typed: bool,
    /// How the bits read.
    pub signed: Option<bool>,
    /// The bits count, not the number.
    pub mask: bool,
}

impl Context {
    /// The type is not known.
    pub const NONE: Context = Context { typed: false, signed: None, mask: false };
    /// The type is known.
    pub const TYPED: Context = Context { typed: true, signed: None, mask: false };
}

/// Writes expressions; `parts` holds the number of each large expression defined so far.
pub(super) struct ExprWriter<'a, W> {
    pub names: &'a Names<'a>,
    pub parts: Option<&'a IdxVec<ExprId, u32>>,
    pub out: W,
}

impl<W: Write> ExprWriter<'_, W> {
    /// Writes an expression as part of an edge or definition.
    pub fn write(&mut self, id: ExprId, context: Context) -> fmt::Result {
        match self.pool().ids().len() {
            len if id.index() >= len => write!(self.out, "?{id}"),
            _ if self.names.large[id] => self.part(id),
            _ => self.node(id, context),
        }
    }

    fn pool(&self) -> &ExprPool {
        &self.names.program.exprs
    }

    fn part(&mut self, id: ExprId) -> fmt::Result {
        match self.parts {
            Some(parts) => write!(self.out, "${}", parts[id]),
            None => self.out.write_char('…'),
        }
    }

    /// Writes the node itself, also if it is large.
    pub fn node(&mut self, id: ExprId, context: Context) -> fmt::Result {
        match self.pool().get(id) {
            Expr::Const(ty, bits) => self.constant(ty, bits, context),
            Expr::Var(var) => write!(self.out, "{}", self.names.var(var)),
            Expr::ObjAddr(object) => write!(self.out, "&{}", self.names.object(object)),
            Expr::FuncAddr(function) => write!(self.out, "&{}", self.names.function(function)),
            Expr::Load(ty, addr) => {
                write!(self.out, "{}[", Type(ty))?;
                self.operand(id, addr, Context::NONE)?;
                self.out.write_char(']')
            }
            Expr::Unary(op, arg) => {
                self.out.write_char(match op {
                    UnOp::Neg | UnOp::FNeg => '-',
                    UnOp::Not if self.pool().ty(id) == Ty::BOOL => '!',
                    UnOp::Not => '~',
                })?;
                let simple = arg < id
                    && (self.names.large[arg]
                        || !matches!(self.pool().get(arg), Expr::Const(..) | Expr::Unary(..) | Expr::Binary(..)));
                self.enclosed(!simple, id, arg, context)
            }
            Expr::Binary(op, lhs, rhs) => self.binary(id, op, lhs, rhs, context),
            Expr::Holds(claim, addr, size) => {
                write!(self.out, "{}(", claim.name())?;
                self.operand(id, addr, Context::NONE)?;
                self.out.write_str(", ")?;
                self.operand(id, size, Context { signed: Some(false), ..Context::TYPED })?;
                self.out.write_char(')')
            }
            Expr::Cast(op, ty, arg) => {
                let bits = ty.bits(self.names.program.model);
                match op {
                    CastOp::PtrToInt => self.out.write_str("int(")?,
                    CastOp::IntToPtr => self.out.write_str("ptr(")?,
                    _ => write!(self.out, "{}{bits}(", cast_name(op))?,
                }
                self.operand(id, arg, Context::NONE)?;
                self.out.write_char(')')
            }
        }
    }

    fn binary(&mut self, id: ExprId, op: BinOp, lhs: ExprId, rhs: ExprId, context: Context) -> fmt::Result {
        let reading = |signed| Context { signed, mask: false, ..context };
        let hint = self.reading(id, lhs).or_else(|| self.reading(id, rhs));
        let shared = match op {
            BinOp::SDiv | BinOp::SRem | BinOp::AShr => reading(Some(true)),
            BinOp::UDiv | BinOp::URem | BinOp::LShr => reading(Some(false)),
            BinOp::SLt | BinOp::SLe => Context { signed: Some(true), ..Context::NONE },
            BinOp::ULt | BinOp::ULe => Context { signed: Some(false), ..Context::NONE },
            _ if op.is_comparison() => Context { signed: hint, ..Context::NONE },
            BinOp::And | BinOp::Or | BinOp::Xor => Context { mask: true, ..reading(None) },
            _ => reading(hint.or(context.signed)),
        };
        let (left, right) = if op == BinOp::PtrAdd {
            (Context::NONE, Context { signed: Some(true), ..Context::TYPED })
        } else {
            let typed = shared.typed || self.is_typed(id, lhs) || self.is_typed(id, rhs);
            (Context { typed, ..shared }, Context { typed: true, ..shared })
        };
        self.enclosed(self.needs_parens(op, id, lhs, true), id, lhs, left)?;
        write!(self.out, " {} ", symbol(op))?;
        self.enclosed(self.needs_parens(op, id, rhs, false), id, rhs, right)
    }

    fn enclosed(&mut self, parens: bool, user: ExprId, arg: ExprId, context: Context) -> fmt::Result {
        if !parens {
            return self.operand(user, arg, context);
        }
        self.out.write_char('(')?;
        self.operand(user, arg, context)?;
        self.out.write_char(')')
    }

    fn operand(&mut self, user: ExprId, arg: ExprId, context: Context) -> fmt::Result {
        if arg >= user {
            return write!(self.out, "?{arg}");
        }
        self.write(arg, context)
    }

    /// How the variable reads its bits, if the expression is one.
    fn reading(&self, user: ExprId, id: ExprId) -> Option<bool> {
        if id >= user {
            return None;
        }
        match self.pool().get(id) {
            Expr::Var(var) => self.names.program.vars.get(var).map(|v| v.signed),
            _ => None,
        }
    }

    /// Whether the text of an operand tells its type without a suffix.
    fn is_typed(&self, user: ExprId, id: ExprId) -> bool {
        if id >= user || self.names.large[id] {
            return true;
        }
        match self.pool().get(id) {
            Expr::Const(ty, _) => matches!(ty, Ty::BOOL | Ty::Ptr),
            Expr::Unary(_, arg) => self.is_typed(id, arg),
            Expr::Binary(op, lhs, rhs) => {
                op.is_comparison() || op == BinOp::PtrAdd || self.is_typed(id, lhs) || self.is_typed(id, rhs)
            }
            _ => true,
        }
    }

    /// Sums, products and comparisons nest as in C; what people confuse gets parentheses.
    fn needs_parens(&self, op: BinOp, user: ExprId, arg: ExprId, left: bool) -> bool {
        if arg >= user || self.names.large[arg] {
            return false;
        }
        let Expr::Binary(inner, ..) = self.pool().get(arg) else { return false };
        let (outer, inner_level) = (precedence(symbol(op)), precedence(symbol(inner)));
        let plain = match outer {
            Some(SUM | PRODUCT) => inner_level > outer || (left && inner_level == outer),
            Some(ORDER | EQUALITY) => inner_level >= Some(SUM),
            _ => left && symbol(inner) == symbol(op) && !symbol(op).starts_with(['<', '>']),
        };
        !plain
    }

    fn constant(&mut self, ty: Ty, bits: u64, context: Context) -> fmt::Result {
        match (ty, bits) {
            (Ty::BOOL, 0) => return self.out.write_str("false"),
            (Ty::BOOL, 1) => return self.out.write_str("true"),
            (Ty::Ptr, 0) => return self.out.write_str("null"),
            (Ty::Ptr, _) => return write!(self.out, "{bits:#x}:ptr"),
            (Ty::F32, _) if !f32::from_bits(bits as u32).is_nan() => {
                write!(self.out, "{:?}", f32::from_bits(bits as u32))?;
            }
            (Ty::F64, _) if !f64::from_bits(bits).is_nan() => write!(self.out, "{:?}", f64::from_bits(bits))?,
            (Ty::F32 | Ty::F64 | Ty::F80, _) => write!(self.out, "{bits:#x}")?,
            (Ty::Int(_), 16..) if context.mask => write!(self.out, "{bits:#x}")?,
            (Ty::Int(width), _) => {
                let value = fold::signed(u32::from(width).clamp(1, 64), bits);
                // Without a hint, what is near zero reads as negative.
                let near = value >= -(1 << (u32::from(width.min(64)) * 5 / 8).min(40));
                if value < 0 && context.signed.unwrap_or(near) {
                    write!(self.out, "{value}")?;
                } else {
                    write!(self.out, "{bits}")?;
                }
            }
        }
        if context.typed { Ok(()) } else { write!(self.out, ":{}", Type(ty)) }
    }
}

/// A type, with `bool` for one bit.
pub(super) struct Type(pub Ty);

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == Ty::BOOL { f.write_str("bool") } else { self.0.fmt(f) }
    }
}

/// Precedence of `+`.
const SUM: u8 = 7;
/// Precedence of `*`.
const PRODUCT: u8 = 8;
/// Precedence of `<`.
const ORDER: u8 = 5;
/// Precedence of `==`.
const EQUALITY: u8 = 4;

/// C's precedence of a binary operator.
pub(in crate::text) fn precedence(symbol: &str) -> Option<u8> {
    Some(match symbol {
        "|" => 1,
        "^" => 2,
        "&" => 3,
        "==" | "!=" => EQUALITY,
        "<" | "<=" | "<s" | "<=s" | "<u" | "<=u" => ORDER,
        "<<" | ">>s" | ">>u" => 6,
        "+" | "-" => SUM,
        "*" | "/" | "/s" | "/u" | "%s" | "%u" => PRODUCT,
        _ => return None,
    })
}

/// An operator as it is written.
pub(in crate::text) fn symbol(op: BinOp) -> &'static str {
    use BinOp::*;
    match op {
        Add | FAdd | PtrAdd => "+",
        Sub | FSub => "-",
        Mul | FMul => "*",
        FDiv => "/",
        SDiv => "/s",
        UDiv => "/u",
        SRem => "%s",
        URem => "%u",
        And => "&",
        Or => "|",
        Xor => "^",
        Shl => "<<",
        LShr => ">>u",
        AShr => ">>s",
        Eq | FEq => "==",
        Ne | FNe => "!=",
        ULt => "<u",
        ULe => "<=u",
        SLt => "<s",
        SLe => "<=s",
        FLt => "<",
        FLe => "<=",
    }
}

/// Name of a conversion, which the width follows.
fn cast_name(op: CastOp) -> &'static str {
    match op {
        CastOp::Trunc => "trunc",
        CastOp::ZExt => "zext",
        CastOp::SExt => "sext",
        CastOp::SToF => "stof",
        CastOp::UToF => "utof",
        CastOp::FToS => "ftos",
        CastOp::FToU => "ftou",
        CastOp::FToF => "ftof",
        CastOp::PtrToInt => "int",
        CastOp::IntToPtr => "ptr",
    }
}

/// The conversion with this name.
pub(in crate::text) fn cast_from_name(name: &str) -> Option<CastOp> {
    use CastOp::*;
    [Trunc, ZExt, SExt, SToF, UToF, FToS, FToU, FToF, PtrToInt, IntToPtr].into_iter().find(|&op| cast_name(op) == name)
}
