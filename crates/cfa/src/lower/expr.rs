//! Expressions: values, conditions, constants, types.
//!
//! A value is a pool expression that later edges evaluate, so it may mention memory that a later edge changes. Where C
//! orders the read before the change (`x++`, an assignment's value, both arms of `?:`), the value is captured in a
//! temporary. Where C leaves the order open (`x + f()`), the read comes last.

use super::arith::Wanted;
use super::place::Place;
use super::scope::Sym;
use super::types::{CType, FloatKind, IntKind, TypeId};
use super::{Lower, R, Val};
use crate::ir::{CastOp, Expr as Node, ExprId, Idx, LocId, Op, SrcPos, Ty, UnOp, VarKind};
use robusto_syntax::ast::{
    Base, BinaryOp, Block, Designator, Encoding, Expr, ExprKind, FloatLit, FloatSuffix, Init, IntLit, StmtKind,
    TypeName, UnaryOp,
};
use robusto_syntax::{Span, Symbol};

impl<'a> Lower<'a, '_> {
    /// The value of an expression; arrays and functions become pointers.
    pub(super) fn rvalue(&mut self, e: &Expr<'a>) -> R<Val> {
        match e.kind {
            ExprKind::Int(lit) => Ok(self.int_literal(lit)),
            ExprKind::Float(lit) => Ok(self.float_literal(lit, e.span)),
            ExprKind::Char(value, encoding) => Ok(self.char_literal(value, encoding)),
            ExprKind::Ident(name) => self.identifier(name, e.span),
            ExprKind::Str(..) | ExprKind::Index(..) | ExprKind::Member(..) | ExprKind::Arrow(..) => {
                let place = self.place(e)?;
                self.read(place, e.span)
            }
            ExprKind::CompoundLiteral(name, init) => {
                let place = self.compound_literal(name, init)?;
                self.read(place, e.span)
            }
            ExprKind::Unary(op, inner) => self.unary(op, inner, e.span),
            ExprKind::PostIncrement(inner) => self.increment(inner, true, Wanted::Old, e.span),
            ExprKind::PostDecrement(inner) => self.increment(inner, false, Wanted::Old, e.span),
            ExprKind::Binary(op, lhs, rhs) => self.binary(op, lhs, rhs, e.span),
            ExprKind::Assign(op, lhs, rhs) => self.assign(op, lhs, rhs, e.span, true),
            ExprKind::Conditional(cond, then, otherwise) => self.conditional(cond, then, otherwise, e.span),
            ExprKind::Comma(first, second) => {
                self.effect(first)?;
                self.rvalue(second)
            }
            ExprKind::Cast(name, inner) => self.cast(name, inner, e.span),
            ExprKind::Call(callee, args) => self.call(callee, args, e.span),
            ExprKind::SizeofExpr(inner) => {
                let ty = self.type_of(inner)?;
                self.sizeof(ty, e.span)
            }
            ExprKind::SizeofType(name) => {
                let ty = self.type_name(name)?;
                self.sizeof(ty, e.span)
            }
            ExprKind::AlignofExpr(inner) => {
                let ty = self.type_of(inner)?;
                let mut align = self.types.align(ty);
                if let ExprKind::Ident(name) = inner.kind
                    && let Some(Sym::Object(obj)) = self.scopes.lookup(name)
                {
                    align = align.max(self.program.objects[obj].align.into());
                }
                Ok(self.size_value(align))
            }
            ExprKind::AlignofType(name) => {
                let ty = self.type_name(name)?;
                let align = self.types.align(ty);
                Ok(self.size_value(align))
            }
            ExprKind::Statement(block) => self.statement_expression(block),
            ExprKind::LabelAddress(name) => {
                let e = self.label_address(name, e.span);
                let void = self.types.void();
                Ok(Val { e, ty: self.types.pointer(void) })
            }
            ExprKind::Generic(..) | ExprKind::ChooseExpr(..) => {
                let chosen = self.chosen(e)?;
                self.rvalue(chosen)
            }
            ExprKind::Offsetof(name, path) => self.offsetof(name, path, e.span),
            ExprKind::VaArg(list, name) => self.va_arg(list, name),
            ExprKind::TypesCompatible(a, b) => {
                let (a, b) = (self.type_name(a)?, self.type_name(b)?);
                let same = self.types.compatible(a, b);
                Ok(self.int_value(same.into()))
            }
        }
    }

    /// An expression whose value is not used.
    pub(super) fn effect(&mut self, e: &Expr<'a>) -> R<()> {
        match e.kind {
            ExprKind::Assign(op, lhs, rhs) => self.assign(op, lhs, rhs, e.span, false).map(|_| ()),
            ExprKind::PostIncrement(inner) | ExprKind::Unary(UnaryOp::PreIncrement, inner) => {
                self.increment(inner, true, Wanted::Nothing, e.span).map(|_| ())
            }
            ExprKind::PostDecrement(inner) | ExprKind::Unary(UnaryOp::PreDecrement, inner) => {
                self.increment(inner, false, Wanted::Nothing, e.span).map(|_| ())
            }
            ExprKind::Comma(first, second) => {
                self.effect(first)?;
                self.effect(second)
            }
            ExprKind::Cast(name, inner) => {
                let ty = self.type_name(name)?;
                if matches!(self.types.get(ty), CType::Void) {
                    return self.effect(inner);
                }
                self.rvalue(e).map(|_| ())
            }
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, ..) => {
                let end = self.location();
                self.condition(e, end, end)?;
                self.fun.at = end;
                Ok(())
            }
            ExprKind::Conditional(cond, Some(then), otherwise) => {
                let (yes, no, end) = (self.location(), self.location(), self.location());
                self.condition(cond, yes, no)?;
                self.fun.at = yes;
                self.effect(then)?;
                self.jump(end);
                self.fun.at = no;
                self.effect(otherwise)?;
                self.label_here(end);
                Ok(())
            }
            ExprKind::Statement(block) => {
                self.block(block);
                Ok(())
            }
            _ => self.rvalue(e).map(|_| ()),
        }
    }

    /// Branches on an expression; afterwards the current location is unreachable.
    pub(super) fn condition(&mut self, e: &Expr<'a>, yes: LocId, no: LocId) -> R<()> {
        match e.kind {
            ExprKind::Unary(UnaryOp::Not, inner) => self.condition(inner, no, yes),
            ExprKind::Binary(BinaryOp::And, lhs, rhs) => {
                let middle = self.location();
                self.condition(lhs, middle, no)?;
                self.fun.at = middle;
                self.condition(rhs, yes, no)
            }
            ExprKind::Binary(BinaryOp::Or, lhs, rhs) => {
                let middle = self.location();
                self.condition(lhs, yes, middle)?;
                self.fun.at = middle;
                self.condition(rhs, yes, no)
            }
            ExprKind::Comma(first, second) => {
                self.effect(first)?;
                self.condition(second, yes, no)
            }
            _ => {
                let value = self.rvalue(e)?;
                let cond = self.truth(value, e.span)?;
                self.at_span(e.span);
                self.branch(cond, yes, no);
                Ok(())
            }
        }
    }

    /// Whether a value differs from zero, as a condition.
    pub(super) fn truth(&mut self, value: Val, span: Span) -> R<ExprId> {
        use crate::ir::BinOp;
        if !self.types.is_scalar(value.ty) {
            if matches!(self.types.get(value.ty), CType::Opaque { .. }) {
                self.unsupported("arithmetic on complex numbers or vectors");
                return Ok(self.program.exprs.bool(false));
            }
            let text = self.types.describe(value.ty);
            return self.error(span, format!("a value of type `{text}` is neither true nor false"));
        }
        let pool = &mut self.program.exprs;
        if let Node::ObjAddr(_) | Node::FuncAddr(_) = pool.get(value.e) {
            return Ok(pool.bool(true));
        }
        Ok(match pool.ty(value.e) {
            Ty::Int(bits) => {
                let zero = pool.int(bits, 0);
                pool.binary(BinOp::Ne, value.e, zero)
            }
            ty @ Ty::Ptr => {
                let zero = pool.constant(ty, 0);
                pool.binary(BinOp::Ne, value.e, zero)
            }
            ty => {
                let zero = pool.constant(ty, 0);
                pool.binary(BinOp::FNe, value.e, zero)
            }
        })
    }

    /// A condition as a C `int`.
    pub(super) fn truth_value(&mut self, cond: ExprId) -> Val {
        let e = self.program.exprs.cast(CastOp::ZExt, Ty::Int(32), cond);
        Val { e, ty: self.types.int(IntKind::Int) }
    }

    /// Holds a value fast against later changes of memory.
    pub(super) fn capture(&mut self, value: Val) -> Val {
        let Some(ty) = self.types.value_ty(value.ty) else { return value };
        let stable = match self.program.exprs.get(value.e) {
            Node::Const(..) | Node::ObjAddr(_) | Node::FuncAddr(_) => true,
            Node::Var(var) => matches!(self.program.vars[var].kind, VarKind::Temp(_)),
            _ => false,
        };
        if stable {
            return value;
        }
        let var = self.temp(ty, self.types.is_signed(value.ty));
        self.assign_var(var, value.e);
        Val { e: self.program.exprs.var(var), ty: value.ty }
    }

    /// The type of an expression, which is not evaluated. Arrays stay arrays.
    pub(super) fn type_of(&mut self, e: &Expr<'a>) -> R<TypeId> {
        let is_place = matches!(
            e.kind,
            ExprKind::Ident(_)
                | ExprKind::Index(..)
                | ExprKind::Member(..)
                | ExprKind::Arrow(..)
                | ExprKind::Str(..)
                | ExprKind::CompoundLiteral(..)
                | ExprKind::Unary(UnaryOp::Deref, _)
        );
        if let ExprKind::Ident(name) = e.kind
            && let Some(Sym::Constant(_, ty)) = self.scopes.lookup(name)
        {
            return Ok(ty);
        }
        self.in_scratch(|lower| if is_place { lower.place(e).map(|p| p.ty) } else { lower.rvalue(e).map(|v| v.ty) }).0
    }

    /// The type of an expression's value: arrays and functions become pointers.
    pub(super) fn decayed_type_of(&mut self, e: &Expr<'a>) -> R<TypeId> {
        self.in_scratch(|lower| lower.rvalue(e).map(|v| v.ty)).0
    }

    /// The value of an integer constant expression.
    pub(super) fn constant(&mut self, e: &Expr<'a>) -> R<i128> {
        match self.try_constant(e)? {
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
        if bits == 128 {
            return self.wide_constant(value.e).map(|v| v as i128);
        }
        let raw = pool.as_const(value.e)?;
        Some(if kind.is_signed() { crate::ir::fold::signed(bits.into(), raw).into() } else { raw.into() })
    }

    fn wide_constant(&self, e: ExprId) -> Option<u128> {
        let pool = &self.program.exprs;
        match pool.get(e) {
            Node::Const(_, bits) => Some(bits.into()),
            Node::Cast(op, to, x) => {
                let from = pool.ty(x);
                Some(crate::ir::fold::cast_wide(op, from, to, self.model(), self.wide_constant(x)?))
            }
            Node::Binary(op, a, b) if pool.ty(a) == Ty::Int(128) && !op.is_comparison() => {
                Some(crate::ir::fold::binary_wide(op, self.wide_constant(a)?, self.wide_constant(b)?))
            }
            Node::Unary(UnOp::Neg, a) => Some(self.wide_constant(a)?.wrapping_neg()),
            Node::Unary(UnOp::Not, a) => Some(!self.wide_constant(a)?),
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

    /// A value of type `int`.
    pub(super) fn int_value(&mut self, value: i64) -> Val {
        Val { e: self.program.exprs.constant(Ty::Int(32), value as u64), ty: self.types.int(IntKind::Int) }
    }

    /// A value of type `size_t`.
    pub(super) fn size_value(&mut self, value: u64) -> Val {
        Val { e: self.program.exprs.size(value), ty: self.types.size_t() }
    }

    fn int_literal(&mut self, lit: &IntLit) -> Val {
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
        let kind = candidates.iter().find(fits).copied().unwrap_or(UInt128);
        if lit.imaginary {
            self.unsupported("complex numbers");
        }
        let e = self.program.exprs.int(kind.bits(model), lit.value as i128);
        Val { e, ty: self.types.int(kind) }
    }

    fn float_literal(&mut self, lit: &FloatLit, span: Span) -> Val {
        if lit.imaginary {
            self.unsupported("complex numbers");
        }
        let kind = match lit.suffix {
            FloatSuffix::Float => {
                let e = self.program.exprs.constant(Ty::F32, lit.single.to_bits().into());
                return Val { e, ty: self.types.float(FloatKind::Float) };
            }
            FloatSuffix::Double => FloatKind::Double,
            FloatSuffix::LongDouble => FloatKind::LongDouble,
            FloatSuffix::Float128 => FloatKind::Float128,
        };
        self.note_precision(kind, span);
        let e = self.program.exprs.constant(Ty::F64, lit.double.to_bits());
        Val { e, ty: self.types.float(kind) }
    }

    /// Wider floats are computed as doubles; say so.
    pub(super) fn note_precision(&mut self, kind: FloatKind, span: Span) {
        if matches!(kind, FloatKind::LongDouble | FloatKind::Float128) {
            self.assume(span, "`long double` and `_Float128` are computed with the precision of `double`".into());
        }
    }

    fn char_literal(&mut self, value: i32, encoding: Encoding) -> Val {
        let kind = match encoding {
            Encoding::Plain | Encoding::Wide => IntKind::Int,
            Encoding::Utf16 => IntKind::UShort,
            Encoding::Utf32 => IntKind::UInt,
        };
        let e = self.program.exprs.int(kind.bits(self.model()), value.into());
        Val { e, ty: self.types.int(kind) }
    }

    /// The bytes of a string literal with its closing zero, and its element type.
    pub(super) fn string_bytes(&mut self, units: &[u32], encoding: Encoding) -> (Vec<u8>, TypeId) {
        let (kind, size) = match encoding {
            Encoding::Plain => (IntKind::Char, 1),
            Encoding::Wide => (IntKind::Int, 4),
            Encoding::Utf16 => (IntKind::UShort, 2),
            Encoding::Utf32 => (IntKind::UInt, 4),
        };
        let bytes = units.iter().chain(&[0]).flat_map(|u| u.to_le_bytes().into_iter().take(size)).collect();
        (bytes, self.types.int(kind))
    }

    fn identifier(&mut self, name: Symbol, span: Span) -> R<Val> {
        if let Some(Sym::Constant(value, ty)) = self.scopes.lookup(name) {
            let bits = self.types.as_int(ty).map_or(32, |k| k.bits(self.model()));
            return Ok(Val { e: self.program.exprs.int(bits, value), ty });
        }
        let place = self.named_place(name, span)?;
        self.read(place, span)
    }

    /// The variable or function of this name.
    pub(super) fn named_place(&mut self, name: Symbol, span: Span) -> R<Place> {
        match self.scopes.lookup(name) {
            Some(Sym::Object(obj)) => {
                // The object's own type may be more complete than the declaration in scope.
                let ty = self.objects[obj.index()].ty;
                Ok(Place { addr: self.obj_addr(obj), ty, bits: None })
            }
            Some(Sym::Vla(var, ty)) => Ok(Place { addr: self.program.exprs.var(var), ty, bits: None }),
            Some(Sym::Function(id)) => {
                let ty = self.functions[id.index()].ty;
                Ok(Place { addr: self.func_addr(id), ty, bits: None })
            }
            Some(Sym::Constant(..)) => self.error(span, "an enumerator has no place"),
            Some(Sym::Typedef(..)) => {
                let text = self.text(name).to_owned();
                self.error(span, format!("`{text}` is a type, not a value"))
            }
            None => self.undeclared(name, span),
        }
    }

    fn undeclared(&mut self, name: Symbol, span: Span) -> R<Place> {
        let text = self.text(name).to_owned();
        if matches!(text.as_str(), "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__") {
            let function = self.fun.name.map(|f| self.text(f).to_owned()).unwrap_or_default();
            let mut bytes = function.into_bytes();
            bytes.push(0);
            let char = self.types.int(IntKind::Char);
            let ty = self.types.array(char, Some(bytes.len() as u64));
            let obj = self.constant_object(bytes, char);
            return Ok(Place { addr: self.obj_addr(obj), ty, bits: None });
        }
        self.error(span, format!("`{text}` is not declared"))
    }

    // ---- forms ----------------------------------------------------------------------------------------------------

    fn statement_expression(&mut self, block: &Block<'a>) -> R<Val> {
        self.scopes.push();
        let value = match block.stmts.split_last() {
            Some((last, rest)) => {
                self.block_items(rest);
                match last.kind {
                    StmtKind::Expr(e) => self.rvalue(e).map(|v| self.capture_any(v)),
                    StmtKind::Label(..) => {
                        // A label before the final expression: lower the label, then take the expression's value.
                        self.labelled_value(last)
                    }
                    _ => self.stmt(last).map(|()| self.void_value()),
                }
            }
            None => Ok(self.void_value()),
        };
        self.close_scope();
        value
    }

    fn labelled_value(&mut self, stmt: &robusto_syntax::ast::Stmt<'a>) -> R<Val> {
        let mut inner = stmt;
        while let StmtKind::Label(_, next) = inner.kind {
            inner = next;
        }
        if let StmtKind::Expr(e) = inner.kind {
            // The expression is lowered for its value after the labels have been placed.
            let mut at = stmt;
            while let StmtKind::Label(name, next) = at.kind {
                let empty = robusto_syntax::ast::Stmt { kind: StmtKind::Empty, span: at.span };
                let label = StmtKind::Label(name, self.arena.alloc(empty));
                self.stmt(&robusto_syntax::ast::Stmt { kind: label, span: at.span })?;
                at = next;
            }
            return self.rvalue(e).map(|v| self.capture_any(v));
        }
        self.stmt(stmt)?;
        Ok(self.void_value())
    }

    /// Holds a value fast, a struct's bytes too.
    fn capture_any(&mut self, value: Val) -> Val {
        if self.types.is_aggregate(value.ty) {
            let copy = self.temp_object(value.ty);
            self.copy_aggregate(copy, value);
            return Val { e: copy, ty: value.ty };
        }
        self.capture(value)
    }

    /// What an expression of type `void` gives.
    pub(super) fn void_value(&mut self) -> Val {
        Val { e: self.program.exprs.bool(false), ty: self.types.void() }
    }

    fn conditional(&mut self, cond: &Expr<'a>, then: Option<&Expr<'a>>, otherwise: &Expr<'a>, span: Span) -> R<Val> {
        let Some(then) = then else { return self.elvis(cond, otherwise, span) };
        let null = (self.is_null_constant(then), self.is_null_constant(otherwise));
        if let Some(value) = self.try_constant_condition(cond)? {
            // Only the chosen arm is evaluated, but both decide the type.
            let (chosen, other) = if value { (then, otherwise) } else { (otherwise, then) };
            let other = self.decayed_type_of(other)?;
            let chosen = self.rvalue(chosen)?;
            let (a, b) = if value { (chosen.ty, other) } else { (other, chosen.ty) };
            let ty = self.conditional_type(a, b, null, span)?;
            return self.convert(chosen, ty, span);
        }
        let (yes, no) = (self.location(), self.location());
        self.condition(cond, yes, no)?;
        self.fun.at = yes;
        self.at_span(then.span);
        let first = self.rvalue(then)?;
        let yes = (self.fun.at, self.fun.pos);
        self.fun.at = no;
        self.at_span(otherwise.span);
        let second = self.rvalue(otherwise)?;
        let no = (self.fun.at, self.fun.pos);
        self.join([(yes, first), (no, second)], null, span)
    }

    /// `a ?: b`
    fn elvis(&mut self, cond: &Expr<'a>, otherwise: &Expr<'a>, span: Span) -> R<Val> {
        let null = (self.is_null_constant(cond), self.is_null_constant(otherwise));
        let first = self.rvalue(cond)?;
        let first = self.capture(first);
        let test = self.truth(first, cond.span)?;
        let (yes, no) = (self.location(), self.location());
        if let Some(value) = self.program.exprs.as_const(test) {
            let other = self.decayed_type_of(otherwise)?;
            let ty = self.conditional_type(first.ty, other, null, span)?;
            let chosen = if value != 0 { first } else { self.rvalue(otherwise)? };
            return self.convert(chosen, ty, span);
        }
        self.branch(test, yes, no);
        let yes = (yes, self.fun.pos);
        self.fun.at = no;
        self.at_span(otherwise.span);
        let second = self.rvalue(otherwise)?;
        let no = (self.fun.at, self.fun.pos);
        self.join([(yes, first), (no, second)], null, span)
    }

    /// Two arms end, each at its location with its value; afterwards one value of their common type.
    fn join(&mut self, arms: [((LocId, SrcPos), Val); 2], null: (bool, bool), span: Span) -> R<Val> {
        let ty = self.conditional_type(arms[0].1.ty, arms[1].1.ty, null, span)?;
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

    /// The truth of a condition if it is constant.
    pub(super) fn try_constant_condition(&mut self, cond: &Expr<'a>) -> R<Option<bool>> {
        if !self.looks_constant(cond) {
            return Ok(None);
        }
        let (value, edges) = self.in_scratch(|lower| {
            let value = lower.rvalue(cond)?;
            lower.truth(value, cond.span)
        });
        let value = value?;
        if edges {
            return Ok(None);
        }
        Ok(self.program.exprs.as_const(value).map(|bits| bits != 0))
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
            ExprKind::Ident(name) => {
                matches!(self.scopes.lookup(name), Some(Sym::Constant(..) | Sym::Function(_)))
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

    /// Whether an expression is a null pointer constant: 0, or 0 cast to `void *`.
    pub(super) fn is_null_constant(&mut self, e: &Expr<'a>) -> bool {
        match e.kind {
            ExprKind::Int(lit) => lit.value == 0,
            ExprKind::Cast(_, inner) => self.is_null_constant(inner),
            _ => false,
        }
    }

    fn conditional_type(&mut self, a: TypeId, b: TypeId, null: (bool, bool), span: Span) -> R<TypeId> {
        if a == b {
            return Ok(a);
        }
        let (x, y) = (self.types.get(a).clone(), self.types.get(b).clone());
        Ok(match (x, y) {
            (CType::Void, _) | (_, CType::Void) => self.types.void(),
            (CType::Pointer(_), CType::Pointer(_)) if null.0 => b,
            (CType::Pointer(_), CType::Pointer(_)) if null.1 => a,
            (CType::Pointer(to), CType::Pointer(_)) => {
                if matches!(self.types.get(to), CType::Void) {
                    a
                } else {
                    b
                }
            }
            (CType::Pointer(_), CType::Int(_)) => a,
            (CType::Int(_), CType::Pointer(_)) => b,
            (CType::Int(_) | CType::Float(_), CType::Int(_) | CType::Float(_)) => self.usual_type(a, b),
            _ => {
                let (x, y) = (self.types.describe(a), self.types.describe(b));
                return self.error(span, format!("the arms of `?:` have types `{x}` and `{y}`"));
            }
        })
    }

    fn cast(&mut self, name: &TypeName<'a>, inner: &Expr<'a>, span: Span) -> R<Val> {
        let ty = self.type_name(name)?;
        if matches!(self.types.get(ty), CType::Void) {
            self.effect(inner)?;
            return Ok(self.void_value());
        }
        let value = self.rvalue(inner)?;
        if let CType::Record(_) = self.types.get(ty)
            && value.ty != ty
        {
            return self.cast_to_union(ty, value, span);
        }
        self.convert(value, ty, span)
    }

    /// GNU: a cast to a union makes a union with that member.
    fn cast_to_union(&mut self, ty: TypeId, value: Val, span: Span) -> R<Val> {
        let CType::Record(record) = *self.types.get(ty) else { return Ok(value) };
        let record = self.types.record(record);
        let fits = record.union
            && record.layout.as_ref().is_some_and(|l| l.fields.iter().any(|f| self.types.compatible(f.ty, value.ty)));
        if !fits {
            let (from, to) = (self.types.describe(value.ty), self.types.describe(ty));
            return self.error(span, format!("`{from}` cannot be converted to `{to}`"));
        }
        let addr = self.temp_object(ty);
        self.write(Place { addr, ty: value.ty, bits: None }, value);
        Ok(Val { e: addr, ty })
    }

    /// The operand that `_Generic` or `__builtin_choose_expr` chooses.
    pub(super) fn chosen(&mut self, e: &Expr<'a>) -> R<&'a Expr<'a>> {
        match e.kind {
            ExprKind::ChooseExpr(cond, a, b) => Ok(if self.constant(cond)? != 0 { a } else { b }),
            ExprKind::Generic(control, arms) => {
                let ty = self.decayed_type_of(control)?;
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

    fn offsetof(&mut self, name: &TypeName<'a>, path: &[Designator<'a>], span: Span) -> R<Val> {
        let ty = self.type_name(name)?;
        let mut place = Place { addr: self.program.exprs.null(), ty, bits: None };
        for step in path {
            place = match step {
                Designator::Field(field, at) => self.field(place, *field, *at)?,
                Designator::Index(index) | Designator::Range(index, _) => {
                    let base = self.read(place, span)?;
                    let index = self.rvalue(index)?;
                    let at = self.pointer_offset(base, index, false, span)?;
                    self.deref(at, span)?
                }
            };
        }
        let size = self.model().size_ty();
        let e = self.program.exprs.cast(CastOp::PtrToInt, size, place.addr);
        Ok(Val { e, ty: self.types.size_t() })
    }

    /// `sizeof` as a value.
    fn sizeof(&mut self, ty: TypeId, span: Span) -> R<Val> {
        if self.is_variable_size(ty) {
            return Ok(Val { e: self.size_of_value(ty), ty: self.types.size_t() });
        }
        match self.types.size(ty) {
            Some(size) => Ok(self.size_value(size)),
            None => {
                let text = self.types.describe(ty);
                self.error(span, format!("`{text}` is incomplete, so its size is not known"))
            }
        }
    }

    /// Whether the size is only known at run time.
    pub(super) fn is_variable_size(&self, ty: TypeId) -> bool {
        match self.types.get(ty) {
            CType::Vla(..) => true,
            CType::Array(of, _) => self.is_variable_size(*of),
            _ => false,
        }
    }

    /// The size as an expression.
    pub(super) fn size_of_value(&mut self, ty: TypeId) -> ExprId {
        use crate::ir::BinOp;
        match *self.types.get(ty) {
            CType::Vla(of, index) => {
                let count = self.program.exprs.var(self.vla_counts[index as usize]);
                let size = self.size_of_value(of);
                self.program.exprs.binary(BinOp::Mul, count, size)
            }
            CType::Array(of, Some(len)) if self.is_variable_size(of) => {
                let count = self.program.exprs.size(len);
                let size = self.size_of_value(of);
                self.program.exprs.binary(BinOp::Mul, size, count)
            }
            _ => {
                let size = self.types.size(ty).unwrap_or(1);
                self.program.exprs.size(size)
            }
        }
    }

    fn va_arg(&mut self, list: &Expr<'a>, name: &TypeName<'a>) -> R<Val> {
        let ty = self.type_name(name)?;
        let place = self.place(list)?;
        let cursor = self.read(place, list.span)?;
        let cursor = self.capture(cursor);
        let slot = self.slot_size(ty);
        let next = self.offset_by(cursor.e, slot);
        self.write(place, Val { e: next, ty: cursor.ty });
        let argument = Place { addr: cursor.e, ty, bits: None };
        if self.types.is_aggregate(ty) {
            // The slot holds the address of the caller's copy.
            let addr = self.program.exprs.load(Ty::Ptr, cursor.e);
            return Ok(Val { e: addr, ty });
        }
        let value = self.read(argument, list.span)?;
        Ok(self.capture(value))
    }

    /// Bytes that a variable argument takes in the array of slots.
    pub(super) fn slot_size(&self, ty: TypeId) -> u64 {
        if self.types.value_ty(ty) == Some(Ty::Int(128)) { 16 } else { 8 }
    }

    pub(super) fn compound_literal(&mut self, name: &TypeName<'a>, init: &Init<'a>) -> R<Place> {
        let mut ty = self.type_name(name)?;
        if self.types.size(ty).is_none() {
            ty = self.completed_by(ty, init)?;
        }
        if self.fun.constant_only && !self.fun.in_function_scratch {
            let (image, ty) = self.static_image(ty, init)?;
            self.anonymous += 1;
            let text = format!("literal{}", self.anonymous);
            let kind = crate::ir::ObjectKind::Global(crate::ir::Image::default());
            let obj = self.new_object(&text, ty, kind, 1, self.fun.pos);
            self.objects[obj.index()].defined = Some(name.span);
            self.set_image(obj, ty, image);
            return Ok(Place { addr: self.obj_addr(obj), ty, bits: None });
        }
        let addr = self.temp_object(ty);
        self.initialise(addr, ty, init)?;
        Ok(Place { addr, ty, bits: None })
    }

    /// A variable that takes a result of this type; none for `void` and aggregates.
    pub(super) fn result_var(&mut self, ty: TypeId) -> Option<crate::ir::VarId> {
        let value = self.types.value_ty(ty)?;
        Some(self.temp(value, self.types.is_signed(ty)))
    }

    /// Reads a result variable as a value.
    pub(super) fn var_value(&mut self, var: Option<crate::ir::VarId>, ty: TypeId) -> Val {
        match var {
            Some(var) => Val { e: self.program.exprs.var(var), ty },
            None => self.void_value(),
        }
    }

    /// Any value of a type, from this source.
    pub(super) fn havoc_value(&mut self, ty: TypeId, source: crate::ir::HavocSource) -> Val {
        if let Some(var) = self.result_var(ty) {
            self.emit(Op::Havoc { var, source });
            return self.var_value(Some(var), ty);
        }
        if self.types.is_aggregate(ty) {
            let addr = self.temp_object(ty);
            self.havoc_place(Place { addr, ty, bits: None }, source);
            return Val { e: addr, ty };
        }
        self.void_value()
    }
}
