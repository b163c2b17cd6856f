//! Complex numbers and vectors (GNU C): arithmetic as sequences of operations on their parts.
//!
//! A value is the address of its bytes, as for structs. An operation reads the parts, computes with them and stores the
//! results in an unnamed object. Where all parts are constants they are remembered with the object, so that static
//! initialisers can have them.

use super::place::Place;
use super::types::{CType, IntKind, TypeId};
use super::{Lower, R, Val};
use crate::ir::{BinOp, Callee, ExprId, Idx, Op, Ty};
use robusto_syntax::Span;
use robusto_syntax::ast::{BinaryOp, UnaryOp};

impl Lower<'_, '_> {
    /// The type of the parts and their number, of a complex number or a vector.
    pub(super) fn parts_of(&self, ty: TypeId) -> Option<(TypeId, u64)> {
        match *self.types.get(ty) {
            CType::Complex(part) => Some((part, 2)),
            CType::Vector(part, len) => Some((part, len)),
            _ => None,
        }
    }

    /// One part of a complex number or a vector.
    pub(super) fn part(&mut self, value: Val, index: u64) -> Val {
        if let Some(parts) = self.composites.get(&value.e) {
            return parts[index as usize];
        }
        let Some((ty, _)) = self.parts_of(value.ty) else { return value };
        let place = self.part_place(value, ty, index);
        let e = self.program.exprs.load(self.types.value_ty(ty).unwrap_or(Ty::F64), place.addr);
        Val { e, ty }
    }

    fn part_place(&mut self, value: Val, ty: TypeId, index: u64) -> Place {
        let size = self.types.size(ty).unwrap_or(1);
        Place { addr: self.offset_by(value.e, index * size), ty, bits: None }
    }

    /// A complex number or vector with these parts.
    pub(super) fn composed(&mut self, ty: TypeId, parts: &[Val]) -> Val {
        let addr = self.temp_object(ty);
        let value = Val { e: addr, ty };
        for (index, part) in parts.iter().enumerate() {
            let place = self.part_place(value, part.ty, index as u64);
            self.emit(Op::Store { addr: place.addr, value: part.e });
        }
        if parts.iter().all(|part| self.program.exprs.as_const(part.e).is_some()) {
            self.composites.insert(addr, parts.into());
        }
        value
    }

    /// The number times the imaginary unit.
    pub(super) fn imaginary(&mut self, value: Val) -> Val {
        let ty = self.types.intern(CType::Complex(value.ty));
        let zero = self.any_of(value.ty);
        self.composed(ty, &[zero, value])
    }

    /// Converts from or to a complex number or a vector.
    pub(super) fn convert_composite(&mut self, value: Val, to: TypeId, span: Span) -> R<Val> {
        match (self.types.get(value.ty).clone(), self.types.get(to).clone()) {
            (CType::Complex(_), CType::Complex(part)) => {
                let (re, im) = (self.part(value, 0), self.part(value, 1));
                let parts = [self.convert(re, part, span)?, self.convert(im, part, span)?];
                Ok(self.composed(to, &parts))
            }
            (CType::Complex(_), CType::Int(IntKind::Bool)) => {
                let truth = self.composite_truth(value, span)?;
                let truth = self.truth_value(truth);
                self.convert(truth, to, span)
            }
            (CType::Complex(_), CType::Int(_) | CType::Float(_)) => {
                let re = self.part(value, 0);
                self.convert(re, to, span)
            }
            (CType::Int(_) | CType::Float(_), CType::Complex(part)) => {
                let re = self.convert(value, part, span)?;
                let zero = self.any_of(part);
                Ok(self.composed(to, &[re, zero]))
            }
            (CType::Vector(..), CType::Vector(..)) if self.types.size(value.ty) == self.types.size(to) => {
                Ok(Val { e: value.e, ty: to })
            }
            (CType::Vector(..), CType::Int(_) | CType::Float(_))
                if self.types.size(value.ty) == self.types.size(to) =>
            {
                let place = Place { addr: value.e, ty: to, bits: None };
                self.read(place, span)
            }
            (CType::Int(_) | CType::Float(_), CType::Vector(..))
                if self.types.size(value.ty) == self.types.size(to) =>
            {
                let addr = self.temp_object(to);
                self.emit(Op::Store { addr, value: value.e });
                Ok(Val { e: addr, ty: to })
            }
            _ => {
                let (from, to_text) = (self.types.describe(value.ty), self.types.describe(to));
                self.unsupported(&format!("conversion of `{from}` to `{to_text}`"));
                Ok(self.any_of(to))
            }
        }
    }

    /// Whether a complex number differs from zero.
    pub(super) fn composite_truth(&mut self, value: Val, span: Span) -> R<ExprId> {
        if matches!(self.types.get(value.ty), CType::Vector(..)) {
            return self.error(span, "a vector is neither true nor false");
        }
        let (re, im) = (self.part(value, 0), self.part(value, 1));
        let (re, im) = (self.truth(re, span)?, self.truth(im, span)?);
        Ok(self.program.exprs.binary(BinOp::Or, re, im))
    }

    /// `+`, `-` and `~`; the last is the conjugate of a complex number.
    pub(super) fn composite_unary(&mut self, op: UnaryOp, value: Val, span: Span) -> R<Val> {
        let Some((part, len)) = self.parts_of(value.ty) else { return Ok(value) };
        let complex = matches!(self.types.get(value.ty), CType::Complex(_));
        let mut parts = Vec::new();
        for index in 0..len {
            let old = self.part(value, index);
            let new = match op {
                UnaryOp::BitNot if complex && index == 0 => old,
                UnaryOp::BitNot if complex => self.arithmetic_unary(UnaryOp::Minus, old, span)?,
                _ => self.unchecked(|lower| lower.arithmetic_unary(op, old, span))?,
            };
            parts.push(self.convert(new, part, span)?);
        }
        Ok(self.composed(value.ty.unqualified(), &parts))
    }

    /// A binary operator with a complex number or vector among the operands.
    pub(super) fn composite_binary(&mut self, op: BinaryOp, a: Val, b: Val, span: Span) -> R<Val> {
        let vector = |lower: &Self, v: Val| matches!(lower.types.get(v.ty), CType::Vector(..));
        if vector(self, a) || vector(self, b) {
            return self.vector_binary(op, a, b, span);
        }
        let ty = self.usual_type(a.ty, b.ty);
        let Some((part, _)) = self.parts_of(ty) else { return Ok(a) };
        if matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
            let (a, b) = (self.convert(a, ty, span)?, self.convert(b, ty, span)?);
            let re = self.part_operation(op, (a, 0), (b, 0), span)?;
            let im = self.part_operation(op, (a, 1), (b, 1), span)?;
            let both = if op == BinaryOp::Eq { BinaryOp::BitAnd } else { BinaryOp::BitOr };
            return self.binary_values(both, re, im, span);
        }
        let (real_a, real_b) = (self.types.is_scalar(a.ty), self.types.is_scalar(b.ty));
        let (re, im) = match op {
            // As in gcc, a real operand stays real.
            BinaryOp::Add | BinaryOp::Sub if real_a || real_b => {
                let re = self.part_operation(op, (a, 0), (b, 0), span)?;
                let im = match (real_a, op) {
                    (false, _) => self.part(a, 1),
                    (true, BinaryOp::Add) => self.part(b, 1),
                    _ => {
                        let im = self.part(b, 1);
                        self.arithmetic_unary(UnaryOp::Minus, im, span)?
                    }
                };
                (re, im)
            }
            BinaryOp::Add | BinaryOp::Sub => {
                let (a, b) = (self.convert(a, ty, span)?, self.convert(b, ty, span)?);
                (self.part_operation(op, (a, 0), (b, 0), span)?, self.part_operation(op, (a, 1), (b, 1), span)?)
            }
            BinaryOp::Mul if real_a => {
                let a = self.convert(a, part, span)?;
                (self.part_operation(op, (a, 0), (b, 0), span)?, self.part_operation(op, (a, 0), (b, 1), span)?)
            }
            BinaryOp::Mul | BinaryOp::Div if real_b => {
                let b = self.convert(b, part, span)?;
                (self.part_operation(op, (a, 0), (b, 0), span)?, self.part_operation(op, (a, 1), (b, 0), span)?)
            }
            BinaryOp::Mul | BinaryOp::Div => {
                let (a, b) = (self.convert(a, ty, span)?, self.convert(b, ty, span)?);
                return if op == BinaryOp::Mul {
                    self.complex_product(a, b, ty, span)
                } else {
                    self.complex_quotient(a, b, ty, span)
                };
            }
            _ => return self.error(span, "this operator does not take complex numbers"),
        };
        let parts = [self.convert(re, part, span)?, self.convert(im, part, span)?];
        Ok(self.composed(ty, &parts))
    }

    /// A binary operator on parts of two values; a scalar is its only part.
    fn part_operation(&mut self, op: BinaryOp, (a, i): (Val, u64), (b, j): (Val, u64), span: Span) -> R<Val> {
        let (a, b) = (self.part(a, i), self.part(b, j));
        self.binary_values(op, a, b, span)
    }

    fn complex_product(&mut self, a: Val, b: Val, ty: TypeId, span: Span) -> R<Val> {
        use BinaryOp::{Add, Mul, Sub};
        let Some((part, _)) = self.parts_of(ty) else { return Ok(a) };
        let mut products = Vec::new();
        for (i, j) in [(0, 0), (1, 1), (0, 1), (1, 0)] {
            products.push(self.part_operation(Mul, (a, i), (b, j), span)?);
        }
        let re = self.binary_values(Sub, products[0], products[1], span)?;
        let im = self.binary_values(Add, products[2], products[3], span)?;
        let (re, im) = (self.convert(re, part, span)?, self.convert(im, part, span)?);
        if self.types.as_int(part).is_some() {
            return Ok(self.composed(ty, &[re, im]));
        }
        let (re, im) = (self.capture(re), self.capture(im));
        let result = self.composed(ty, &[re, im]);
        let pool = &mut self.program.exprs;
        let (x, y) = (pool.binary(BinOp::FNe, re.e, re.e), pool.binary(BinOp::FNe, im.e, im.e));
        let special = pool.binary(BinOp::And, x, y);
        if pool.as_const(special) == Some(0) {
            return Ok(result);
        }
        // Infinite operands give infinite results, also where the formula gives none.
        let (recover, end) = (self.location(), self.location());
        self.branch(special, recover, end);
        self.fun.at = recover;
        if self.types.value_ty(part) == Some(Ty::F80) {
            // The function computes with doubles.
            self.unsupported("an infinite product of complex numbers of `long double`");
            self.fun.at = end;
            return Ok(result);
        }
        let double = self.types.float(super::types::FloatKind::Double);
        let recovered = self.complex_function("__muldc3", a, b, double, span)?;
        let recovered = self.convert(recovered, ty, span)?;
        self.copy_aggregate(result.e, recovered);
        self.composites.remove(&result.e);
        self.label_here(end);
        Ok(result)
    }

    fn complex_quotient(&mut self, a: Val, b: Val, ty: TypeId, span: Span) -> R<Val> {
        use super::types::FloatKind;
        match self.parts_of(ty).map(|(part, _)| self.types.get(part).clone()) {
            Some(CType::Float(kind)) => {
                if kind == FloatKind::LongDouble {
                    self.unsupported("the quotient of complex numbers of `long double`");
                    return Ok(self.any_of(ty));
                }
                let (name, kind) = match kind {
                    FloatKind::Float => ("__divsc3", FloatKind::Float),
                    _ => ("__divdc3", FloatKind::Double),
                };
                let part = self.types.float(kind);
                let quotient = self.complex_function(name, a, b, part, span)?;
                self.convert(quotient, ty, span)
            }
            _ => {
                self.unsupported("the quotient of complex integers");
                Ok(self.any_of(ty))
            }
        }
    }

    /// Calls a function of two complex numbers that takes their four parts.
    fn complex_function(&mut self, name: &str, a: Val, b: Val, part: TypeId, span: Span) -> R<Val> {
        let ty = self.types.intern(CType::Complex(part));
        let result = self.temp_object(ty);
        let mut args = vec![result];
        for (value, index) in [(a, 0), (a, 1), (b, 0), (b, 1)] {
            let argument = self.part(value, index);
            args.push(self.convert(argument, part, span)?.e);
        }
        self.declare_model(name);
        let symbol = self.names.intern(name);
        let Some(&id) = self.linked_functions.get(&symbol) else {
            self.unsupported("arithmetic on complex numbers");
            return Ok(Val { e: result, ty });
        };
        if !self.fun.quiet {
            self.functions[id.index()].used = true;
        }
        self.emit(Op::Call { result: None, callee: Callee::Direct(id), args: args.into() });
        Ok(Val { e: result, ty })
    }

    /// An operator on vectors, part by part; a scalar stands for a vector of equal parts.
    fn vector_binary(&mut self, op: BinaryOp, a: Val, b: Val, span: Span) -> R<Val> {
        use BinaryOp::*;
        let of = if matches!(self.types.get(a.ty), CType::Vector(..)) { a.ty } else { b.ty }.unqualified();
        let CType::Vector(part, len) = *self.types.get(of) else { return Ok(a) };
        for operand in [a, b] {
            let fits = match *self.types.get(operand.ty) {
                CType::Vector(_, other) => other == len && self.types.size(operand.ty) == self.types.size(of),
                CType::Int(_) | CType::Float(_) | CType::Half { .. } => true,
                _ => false,
            };
            if !fits {
                let (x, y) = (self.types.describe(a.ty), self.types.describe(b.ty));
                return self.error(span, format!("this operator does not take values of types `{x}` and `{y}`"));
            }
        }
        let scalar = |lower: &mut Self, v: Val| {
            if lower.types.is_scalar(v.ty) { lower.convert(v, part, span) } else { Ok(v) }
        };
        let (a, b) = (scalar(self, a)?, scalar(self, b)?);
        let comparison = matches!(op, Lt | Gt | Le | Ge | Eq | Ne);
        let (target, ty) = if comparison { self.mask_type(part, len) } else { (part, of) };
        let mut parts = Vec::new();
        for index in 0..len {
            let result = self.unchecked(|lower| lower.part_operation(op, (a, index), (b, index), span))?;
            // True is all bits.
            let result = if comparison { self.arithmetic_unary(UnaryOp::Minus, result, span)? } else { result };
            let result = self.convert(result, target, span)?;
            parts.push(self.capture(result));
        }
        Ok(self.composed(ty, &parts))
    }

    /// The vector type of a comparison: signed integers as wide as the operands'.
    fn mask_type(&mut self, part: TypeId, len: u64) -> (TypeId, TypeId) {
        let kind = match self.types.size(part) {
            Some(1) => IntKind::SChar,
            Some(2) => IntKind::Short,
            Some(4) => IntKind::Int,
            _ => IntKind::LongLong,
        };
        let part = self.types.int(kind);
        (part, self.types.intern(CType::Vector(part, len)))
    }
}
