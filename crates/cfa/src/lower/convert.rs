//! Conversions between C types.

use super::place::Place;
use super::types::{CType, IntKind, TypeId};
use super::{Lower, R, Val};
use crate::ir::{BinOp, CastOp, Ty, UnOp};
use robusto_syntax::Span;

impl Lower<'_, '_> {
    /// Converts as by assignment or cast; assignments that only a cast would allow are let pass, as gcc does.
    pub(super) fn convert(&mut self, value: Val, to: TypeId, span: Span) -> R<Val> {
        let to = to.unqualified();
        if value.ty.unqualified() == to {
            return Ok(Val { e: value.e, ty: to });
        }
        let (from_type, to_type) = (self.types.get(value.ty).clone(), self.types.get(to).clone());
        let size = self.model().size_ty();
        let pointer_bits = self.model().pointer_bits();
        let e = match (&from_type, &to_type) {
            (_, CType::Void) => return Ok(Val { e: value.e, ty: to }),
            (CType::Half { .. }, _) | (_, CType::Half { .. }) => return self.convert_half(value, to, span),
            (CType::Int(_) | CType::Float(_) | CType::Pointer(_), CType::Int(IntKind::Bool)) => {
                let truth = self.truth(value, span)?;
                self.program.exprs.cast(CastOp::ZExt, Ty::Int(8), truth)
            }
            (CType::Int(from), CType::Int(to)) => {
                let bits = to.bits(self.model());
                self.program.exprs.resize(value.e, from.is_signed(), bits)
            }
            (CType::Int(from), CType::Float(kind)) => {
                self.note_precision(*kind, span);
                let op = if from.is_signed() { CastOp::SToF } else { CastOp::UToF };
                let ty = self.types.value_ty(to).unwrap_or(Ty::F64);
                let e = self.cast_in_mode(op, ty, value.e);
                self.note_conversion(value, to, e);
                e
            }
            (CType::Float(_), CType::Int(kind)) => {
                self.precision_decides(&[value], span);
                return Ok(self.truncated(value, *kind, to));
            }
            (CType::Float(from), CType::Float(kind)) => {
                // Initialisers such as `static double x = 0.1L` are constants.
                if from > kind && !self.fun.quiet {
                    self.precision_decides(&[value], span);
                }
                self.note_precision(*kind, span);
                let ty = self.types.value_ty(to).unwrap_or(Ty::F64);
                if self.program.exprs.ty(value.e) == ty {
                    value.e
                } else {
                    self.cast_in_mode(CastOp::FToF, ty, value.e)
                }
            }
            (CType::Pointer(_), CType::Pointer(_)) => value.e,
            (CType::Int(from), CType::Pointer(_)) => {
                let wide = self.program.exprs.resize(value.e, from.is_signed(), pointer_bits);
                self.program.exprs.cast(CastOp::IntToPtr, Ty::Ptr, wide)
            }
            (CType::Pointer(_), CType::Int(to)) => {
                let int = self.program.exprs.cast(CastOp::PtrToInt, size, value.e);
                // gcc extends the sign.
                let bits = to.bits(self.model());
                self.program.exprs.resize(int, true, bits)
            }
            (CType::Record(_), CType::Record(_)) if self.same_layout(value.ty, to) => value.e,
            (_, CType::Record(record)) if self.types.record(*record).transparent => {
                return self.convert_to_transparent(value, to, span);
            }
            (CType::Complex(_) | CType::Vector(..), _) | (_, CType::Complex(_) | CType::Vector(..)) => {
                return self.convert_composite(value, to, span);
            }
            (CType::Void, _) => return self.error(span, "a `void` expression has no value"),
            _ => {
                let (a, b) = (self.types.describe(value.ty), self.types.describe(to));
                return self.error(span, format!("`{a}` cannot be converted to `{b}`"));
            }
        };
        Ok(Val { e, ty: to })
    }

    /// A float without its fraction. A number whose whole part the type has not, and what is no number, gives any value (C11 6.3.1.4,
    /// paragraph 1): what compilers make of it differs with the options, the type and whether it is a constant. Constants of
    /// static objects are the nearest number of the type, as gcc computes them.
    fn truncated(&mut self, value: Val, kind: IntKind, to: TypeId) -> Val {
        let bits = kind.bits(self.model());
        let op = if kind.is_signed() { CastOp::FToS } else { CastOp::FToU };
        if self.fun.constant_only && !self.fun.in_function_scratch {
            return Val { e: self.program.exprs.cast(op, Ty::Int(bits), value.e), ty: to };
        }
        let float = self.program.exprs.ty(value.e);
        let digits = float.format().fraction as u8 + 1;
        let half = 2f64.powi(i32::from(bits) - 1);
        // Numbers above -1, or above the least number minus 1 where the type of floats has it, lose their fraction.
        let (least, below, above) = match kind.is_signed() {
            false => (-1.0, BinOp::FLt, 2.0 * half),
            true if bits <= digits.min(53) => (-half - 1.0, BinOp::FLt, half),
            true => (-half, BinOp::FLe, half),
        };
        let [least, above] = [least, above].map(|bound| self.program.exprs.float_near(float, bound));
        let pool = &mut self.program.exprs;
        let (not_below, not_above) = (pool.binary(below, least, value.e), pool.binary(BinOp::FLt, value.e, above));
        let fits = pool.binary(BinOp::And, not_below, not_above);
        let bad = pool.unary(UnOp::Not, fits);
        self.guarded(bad, to, [value, value], |lower, a, _| lower.program.exprs.cast(op, Ty::Int(bits), a))
    }

    /// Structs of the same name and size from different files count as the same type.
    fn same_layout(&self, a: TypeId, b: TypeId) -> bool {
        let (a, b) = (a.unqualified(), b.unqualified());
        self.types.describe(a) == self.types.describe(b) && self.types.size(a) == self.types.size(b)
    }

    /// Some value of a type, where control never comes.
    pub(super) fn any_of(&mut self, ty: TypeId) -> Val {
        match self.types.value_ty(ty) {
            Some(Ty::Int(bits)) => Val { e: self.program.exprs.int(bits, 0), ty },
            Some(value @ Ty::F80) => Val { e: self.program.exprs.float(value, 0), ty },
            Some(value) => Val { e: self.program.exprs.constant(value, 0), ty },
            None => Val { e: self.program.exprs.null(), ty },
        }
    }

    /// Integer promotion.
    pub(super) fn promote_int(&mut self, value: Val) -> Val {
        match self.types.as_int(value.ty) {
            Some(kind) if kind.rank() < IntKind::Int.rank() => {
                let e = self.program.exprs.resize(value.e, kind.is_signed(), 32);
                Val { e, ty: self.types.int(IntKind::Int) }
            }
            _ => value,
        }
    }

    /// The common type of the usual arithmetic conversions.
    pub(super) fn usual_type(&mut self, a: TypeId, b: TypeId) -> TypeId {
        match (self.types.get(a), self.types.get(b)) {
            (CType::Complex(x), CType::Complex(y)) if x == y => a,
            (CType::Complex(_), _) | (_, CType::Complex(_)) => {
                let x = self.parts_of(a).map_or(a, |(part, _)| part);
                let y = self.parts_of(b).map_or(b, |(part, _)| part);
                let part = self.usual_type(x, y);
                self.types.intern(CType::Complex(part))
            }
            (CType::Half { .. }, CType::Half { .. }) => self.types.float(super::types::FloatKind::Float),
            (CType::Half { .. }, _) => {
                let single = self.types.float(super::types::FloatKind::Float);
                self.usual_type(single, b)
            }
            (_, CType::Half { .. }) => {
                let single = self.types.float(super::types::FloatKind::Float);
                self.usual_type(a, single)
            }
            (CType::Float(x), CType::Float(y)) => {
                if x >= y {
                    a
                } else {
                    b
                }
            }
            (CType::Float(_), _) => a,
            (_, CType::Float(_)) => b,
            (CType::Int(x), CType::Int(y)) => {
                let (x, y) = (promoted(*x), promoted(*y));
                let (wide_x, wide_y) = (x.bits(self.model()), y.bits(self.model()));
                let field = matches!(x, IntKind::Field { .. }) || matches!(y, IntKind::Field { .. });
                let kind = if field && wide_x != wide_y {
                    if wide_x > wide_y { x } else { y }
                } else if x.is_signed() == y.is_signed() {
                    x.max_rank(y)
                } else {
                    let (signed, unsigned) = if x.is_signed() { (x, y) } else { (y, x) };
                    if unsigned.rank() >= signed.rank() {
                        unsigned
                    } else if signed.bits(self.model()) > unsigned.bits(self.model()) {
                        signed
                    } else {
                        signed.to_unsigned()
                    }
                };
                self.types.int(kind)
            }
            _ => a,
        }
    }

    /// Default argument promotion: small integers to `int`, `float` to `double`.
    pub(super) fn promote_argument(&mut self, value: Val, span: Span) -> R<Val> {
        use super::types::FloatKind;
        if matches!(self.types.get(value.ty), CType::Float(FloatKind::Float)) {
            let double = self.types.float(FloatKind::Double);
            return self.convert(value, double, span);
        }
        let value = self.promote_int(value);
        self.convert_to_stored(value, span)
    }

    /// A wide bit-field's value as one of the type that an object can have.
    fn convert_to_stored(&mut self, value: Val, span: Span) -> R<Val> {
        let ty = self.stored_type(value.ty);
        self.convert(value, ty, span)
    }

    /// The type of an object that holds values of a type.
    pub(super) fn stored_type(&mut self, ty: TypeId) -> TypeId {
        match self.types.as_int(ty) {
            Some(kind) => self.types.int(kind.stored()),
            None => ty,
        }
    }

    /// A value as a transparent union: of the member with its type, or else one that it converts to.
    fn convert_to_transparent(&mut self, value: Val, to: TypeId, span: Span) -> R<Val> {
        let CType::Record(record) = *self.types.get(to) else { return Ok(value) };
        let fields = self.types.record(record).layout.as_ref().map(|l| l.fields.clone()).unwrap_or_default();
        let pointer = |ty| matches!(self.types.get(ty), CType::Pointer(_));
        let member = fields
            .iter()
            .find(|f| self.types.compatible(f.ty, value.ty))
            .or_else(|| fields.iter().find(|f| pointer(f.ty) && pointer(value.ty)))
            .or_else(|| fields.iter().find(|f| pointer(f.ty) && self.program.exprs.as_const(value.e) == Some(0)));
        let Some(member) = member else {
            let (from, to) = (self.types.describe(value.ty), self.types.describe(to));
            return self.error(span, format!("`{from}` is no member of the transparent `{to}`"));
        };
        let (ty, bits) = (member.ty, member.bits);
        let value = self.convert(value, ty, span)?;
        let addr = self.temp_object(to);
        self.write(Place { addr, ty, bits }, value);
        Ok(Val { e: addr, ty: to })
    }
}

fn promoted(kind: IntKind) -> IntKind {
    if kind.rank() < IntKind::Int.rank() { IntKind::Int } else { kind }
}

impl IntKind {
    fn max_rank(self, other: IntKind) -> IntKind {
        if self.rank() >= other.rank() { self } else { other }
    }
}
