//! Expressions: values, conditions, types.
//!
//! A value is a pool expression that later edges evaluate, so it may mention memory that a later edge changes. Where C
//! orders the read before the change (`x++`, an assignment's value, both arms of `?:`), the value is captured in a
//! temporary. Where C leaves the order open (`x + f()`) and it cannot matter, the read comes last; see [`super::order`].

use super::arith::Wanted;
use super::place::Place;
use super::types::{CType, FloatKind, IntKind, TypeId};
use super::{Lower, R, Val};
use crate::ir::{BinOp, CastOp, Expr as Node, ExprId, Idx, LocId, ObjectKind, Op, Ty, VarKind};
use robusto_syntax::Span;
use robusto_syntax::ast::{BinaryOp, Block, Expr, ExprKind, FloatSuffix, Init, StmtKind, TypeName, UnaryOp};

impl<'a> Lower<'a, '_> {
    /// The value of an expression; arrays and functions become pointers.
    pub(super) fn rvalue(&mut self, e: &Expr<'a>) -> R<Val> {
        if let Some(value) = self.held(e) {
            return Ok(value);
        }
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
                self.sequenced(|lower| lower.rvalue(second))
            }
            ExprKind::Cast(name, inner) => self.cast(name, inner, e.span),
            ExprKind::Call(callee, args) => self.call(callee, args, e.span),
            ExprKind::SizeofExpr(inner) => {
                let ty = self.type_of(inner)?;
                // C11 6.5.3.4 paragraph 2: the operand is evaluated if its size is not constant.
                let ty = if self.is_variable_size(ty) { self.place(inner)?.ty } else { ty };
                self.sizeof(ty, e.span)
            }
            ExprKind::SizeofType(name) => {
                let ty = self.type_name(name)?;
                self.sizeof(ty, e.span)
            }
            ExprKind::AlignofExpr(inner) => self.alignof_expr(inner, e.span),
            ExprKind::AlignofType(name) => self.alignof_type(name, e.span),
            ExprKind::Statement(block) => self.sequenced(|lower| lower.statement_expression(block)),
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
                let (a, b) = (self.named_type(a)?, self.named_type(b)?);
                let same = self.types.compatible(a.unqualified(), b.unqualified());
                Ok(self.int_value(same.into()))
            }
        }
    }

    /// An expression whose value is not used.
    pub(super) fn effect(&mut self, e: &Expr<'a>) -> R<()> {
        if self.held(e).is_some() {
            return Ok(());
        }
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
                self.sequenced(|lower| lower.effect(second))
            }
            ExprKind::Cast(name, inner) => {
                // Where the name has sizes to be evaluated, it does not mean `void`.
                if name.declarator.parts.is_empty() {
                    let ty = self.type_name(name)?;
                    if matches!(self.types.get(ty), CType::Void) {
                        return self.effect(inner);
                    }
                }
                self.discarded(e)
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
                self.sequenced(|lower| lower.effect(then))?;
                self.jump(end);
                self.fun.at = no;
                self.sequenced(|lower| lower.effect(otherwise))?;
                self.label_here(end);
                Ok(())
            }
            ExprKind::Statement(block) => {
                self.sequenced(|lower| lower.block(block));
                Ok(())
            }
            _ => {
                self.only_truth(e);
                self.discarded(e)
            }
        }
    }

    /// A value that nobody uses; memory that it is read from is still accessed.
    fn discarded(&mut self, e: &Expr<'a>) -> R<()> {
        let value = self.rvalue(e)?;
        if self.types.is_aggregate(value.ty) && self.may_be_invalid(value) {
            let copy = self.temp_object(value.ty);
            self.copy_aggregate(copy, value);
        } else if self.program.exprs.accesses(value.e) {
            let var = self.temp(self.program.exprs.ty(value.e), false);
            self.assign_var(var, value.e);
        }
        Ok(())
    }

    /// Whether a struct may lie where no object does: anywhere but within an object that is named.
    fn may_be_invalid(&self, value: Val) -> bool {
        let place = Place { addr: value.e, ty: value.ty, bits: None };
        match self.program.exprs.get(value.e) {
            Node::ObjAddr(_) => self.leaves_object(place),
            Node::Binary(BinOp::PtrAdd, base, offset)
                if matches!(self.program.exprs.get(base), Node::ObjAddr(_))
                    && self.program.exprs.as_const(offset).is_some() =>
            {
                self.leaves_object(place)
            }
            _ => true,
        }
    }

    /// Branches on an expression; afterwards the current location is unreachable.
    pub(super) fn condition(&mut self, e: &Expr<'a>, yes: LocId, no: LocId) -> R<()> {
        match e.kind {
            _ if self.held(e).is_some() => self.plain_condition(e, yes, no),
            ExprKind::Unary(UnaryOp::Not, inner) => self.condition(inner, no, yes),
            ExprKind::Binary(BinaryOp::And, lhs, rhs) => {
                let middle = self.location();
                self.condition(lhs, middle, no)?;
                self.fun.at = middle;
                self.sequenced(|lower| lower.condition(rhs, yes, no))
            }
            ExprKind::Binary(BinaryOp::Or, lhs, rhs) => {
                let middle = self.location();
                self.condition(lhs, yes, middle)?;
                self.fun.at = middle;
                self.sequenced(|lower| lower.condition(rhs, yes, no))
            }
            ExprKind::Comma(first, second) => {
                self.effect(first)?;
                self.sequenced(|lower| lower.condition(second, yes, no))
            }
            _ => self.plain_condition(e, yes, no),
        }
    }

    fn plain_condition(&mut self, e: &Expr<'a>, yes: LocId, no: LocId) -> R<()> {
        self.only_truth(e);
        let value = self.rvalue(e)?;
        let cond = self.truth(value, e.span)?;
        self.at_span(e.span);
        self.branch(cond, yes, no);
        Ok(())
    }

    /// Whether a value differs from zero, as a condition.
    pub(super) fn truth(&mut self, value: Val, span: Span) -> R<ExprId> {
        if !self.types.is_scalar(value.ty) {
            if self.parts_of(value.ty).is_some() {
                return self.composite_truth(value, span);
            }
            let text = self.types.describe(value.ty);
            return self.error(span, format!("a value of type `{text}` is neither true nor false"));
        }
        if matches!(self.types.get(value.ty), CType::Half { .. }) {
            let single = self.types.float(super::types::FloatKind::Float);
            let value = self.convert(value, single, span)?;
            return self.truth(value, span);
        }
        self.precision_decides(&[value], span);
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
                let zero = pool.float(ty, 0);
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
        if self.types.value_ty(value.ty).is_none() {
            return if self.parts_of(value.ty).is_some() { self.capture_any(value) } else { value };
        }
        let stable = match self.program.exprs.get(value.e) {
            Node::Const(..) | Node::ObjAddr(_) | Node::FuncAddr(_) => true,
            Node::Var(var) => matches!(self.program.vars[var].kind, VarKind::Temp(_)),
            _ => false,
        };
        if stable { value } else { self.in_temp(value) }
    }

    /// A temporary variable with a scalar value.
    fn in_temp(&mut self, value: Val) -> Val {
        let ty = self.program.exprs.ty(value.e);
        let var = self.temp(ty, self.types.is_signed(value.ty));
        self.assign_var(var, value.e);
        Val { e: self.program.exprs.var(var), ty: value.ty }
    }

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
        // The address of an object that ends here is taken before it does.
        let value = value.map(|value| match self.program.exprs.get(value.e) {
            Node::ObjAddr(object)
                if matches!(self.program.objects[object].kind, ObjectKind::Local(_))
                    && self.types.value_ty(value.ty).is_some() =>
            {
                self.in_temp(value)
            }
            _ => value,
        });
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
        if self.composites.contains_key(&value.e) {
            return value;
        }
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

    fn cast(&mut self, name: &TypeName<'a>, inner: &Expr<'a>, span: Span) -> R<Val> {
        let ty = self.type_name(name)?;
        if matches!(self.types.get(ty), CType::Void) {
            self.effect(inner)?;
            return Ok(self.void_value());
        }
        // A `_Float128` that is converted to double.
        if let (ExprKind::Float(literal), CType::Float(FloatKind::Double)) = (&inner.kind, self.types.get(ty))
            && literal.suffix == FloatSuffix::Float128
            && literal.near
            && !literal.imaginary
        {
            let e = self.program.exprs.constant(Ty::F64, literal.double.to_bits());
            return Ok(Val { e, ty });
        }
        let value = self.rvalue(inner)?;
        if let CType::Record(_) = self.types.get(ty)
            && value.ty != ty.unqualified()
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

    pub(super) fn compound_literal(&mut self, name: &TypeName<'a>, init: &Init<'a>) -> R<Place> {
        let mut ty = self.type_name(name)?;
        if self.types.size(ty).is_none() {
            ty = self.completed_by(ty, init)?;
        }
        if self.fun.constant_only && !self.fun.in_function_scratch {
            let (image, ty, size) = self.static_image(ty, init)?;
            self.anonymous += 1;
            let text = format!("literal{}", self.anonymous);
            let kind = crate::ir::ObjectKind::Global(crate::ir::Image::default());
            let obj = self.new_object(&text, ty, kind, 1, self.fun.pos);
            self.objects[obj.index()].defined = Some(name.span);
            self.set_image(obj, ty, image, size);
            return Ok(Place { addr: self.obj_addr(obj), ty, bits: None });
        }
        let obj = self.unnamed_object(ty);
        if !self.fun.quiet {
            self.end_with_block(obj);
        }
        let addr = self.obj_addr(obj);
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
