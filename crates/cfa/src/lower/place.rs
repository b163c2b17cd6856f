//! Places: what can be read, written, and mostly has an address.

use super::layout::BitRange;
use super::types::{CType, IntKind, TypeId};
use super::{Lower, R, Val, Volatile};
use crate::ir::{self, BinOp, Builtin, CastOp, ExprId, Granted, HavocSource, Idx, Op, Ty, UnOp};
use robusto_syntax::ast::{Expr, ExprKind, UnaryOp};
use robusto_syntax::{Span, Symbol};

/// A place in memory.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Address.
    pub addr: ExprId,
    /// Type of what is there.
    pub ty: TypeId,
    /// The bits, if it is a bit-field.
    pub bits: Option<BitRange>,
}

impl<'a> Lower<'a, '_> {
    /// The place that an expression names.
    pub(super) fn place(&mut self, e: &Expr<'a>) -> R<Place> {
        match e.kind {
            ExprKind::Ident(name) => self.named_place(name, e.span),
            ExprKind::Unary(UnaryOp::Deref, inner) => {
                let pointer = self.rvalue(inner)?;
                self.deref(pointer, e.span)
            }
            ExprKind::Index(vector, index) if self.is_vector(vector) => self.vector_element(vector, index, e.span),
            ExprKind::Index(array, index) => {
                let pointer = self.binary(robusto_syntax::ast::BinaryOp::Add, array, index, e.span)?;
                self.deref(pointer, e.span)
            }
            ExprKind::Member(inner, field) => {
                let base = self.aggregate(inner)?;
                self.field(base, field, e.span)
            }
            ExprKind::Arrow(inner, field) => {
                let pointer = self.rvalue(inner)?;
                let base = self.deref(pointer, inner.span)?;
                self.field(base, field, e.span)
            }
            ExprKind::Str(units, encoding) => {
                let (bytes, elem) = self.string_bytes(units, encoding);
                let len = bytes.len() as u64 / self.types.size(elem).unwrap_or(1);
                let obj = self.constant_object(bytes, elem);
                let ty = self.types.array(elem, Some(len));
                Ok(Place { addr: self.obj_addr(obj), ty, bits: None })
            }
            ExprKind::CompoundLiteral(name, init) => self.compound_literal(name, init),
            // GNU: these are places if their operand is.
            ExprKind::Generic(..) | ExprKind::ChooseExpr(..) => {
                let chosen = self.chosen(e)?;
                self.place(chosen)
            }
            ExprKind::Unary(UnaryOp::Real | UnaryOp::Imag, inner) => {
                let place = self.place(inner)?;
                let imaginary = matches!(e.kind, ExprKind::Unary(UnaryOp::Imag, _));
                match *self.types.get(place.ty) {
                    CType::Complex(part) => {
                        let offset = if imaginary { self.types.size(part).unwrap_or(0) } else { 0 };
                        let addr = self.offset_by(place.addr, offset);
                        Ok(Place { addr, ty: part, bits: None })
                    }
                    _ if imaginary => self.error(e.span, "a real number has no imaginary part that can be written"),
                    _ => Ok(place),
                }
            }
            _ => self.error(e.span, "this expression is not a place that can be written or have its address taken"),
        }
    }

    /// Whether an expression is a vector.
    fn is_vector(&mut self, e: &Expr<'a>) -> bool {
        self.types.has_vectors()
            && self.decayed_type_of(e).is_ok_and(|ty| matches!(self.types.get(ty), CType::Vector(..)))
    }

    /// One part of a vector.
    fn vector_element(&mut self, vector: &Expr<'a>, index: &Expr<'a>, span: Span) -> R<Place> {
        let value = self.rvalue(vector)?;
        let Some((part, _)) = self.parts_of(value.ty) else { return self.error(span, "this is not a vector") };
        let first = Val { e: value.e, ty: self.types.pointer(part) };
        let index = self.rvalue(index)?;
        let element = self.pointer_offset(first, index, false, span)?;
        self.deref(element, span)
    }

    /// A struct or union, be it a place or a value (a call's result).
    fn aggregate(&mut self, e: &Expr<'a>) -> R<Place> {
        match e.kind {
            ExprKind::Ident(_)
            | ExprKind::Index(..)
            | ExprKind::Member(..)
            | ExprKind::Arrow(..)
            | ExprKind::CompoundLiteral(..)
            | ExprKind::Unary(UnaryOp::Deref, _) => self.place(e),
            _ => {
                let value = self.rvalue(e)?;
                if !self.types.is_aggregate(value.ty) {
                    let text = self.types.describe(value.ty);
                    return self.error(e.span, format!("a member of `{text}`, which is not a struct or union"));
                }
                Ok(Place { addr: value.e, ty: value.ty, bits: None })
            }
        }
    }

    /// The member of a struct or union.
    pub(super) fn field(&mut self, base: Place, name: Symbol, span: Span) -> R<Place> {
        let text = self.text(name).to_owned();
        let of = self.types.describe(base.ty);
        let Some((offset, field)) = self.types.find_field(base.ty, name) else {
            return match self.types.get(base.ty) {
                CType::Record(_) if self.types.size(base.ty).is_none() => {
                    self.error(span, format!("`{of}` is declared but not defined, so it has no member `{text}`"))
                }
                CType::Record(_) => self.error(span, format!("`{of}` has no member `{text}`")),
                _ => self.error(span, format!("member `{text}` of `{of}`, which is not a struct or union")),
            };
        };
        let (ty, bits, reversed) = (field.ty, field.bits, field.reversed_array);
        let computed = self.types.computed_offsets(base.ty, name);
        if reversed {
            self.unsupported("an array in a struct of reverse storage order");
        }
        let ty = self.types.qualified_like(ty, base.ty);
        let mut addr = self.offset_by(base.addr, offset);
        for index in computed {
            let offset = self.var_here(self.vla_counts[index as usize]);
            addr = self.program.exprs.binary(BinOp::PtrAdd, addr, offset);
        }
        Ok(Place { addr, ty, bits })
    }

    /// An address plus a constant number of bytes.
    pub(super) fn offset_by(&mut self, addr: ExprId, bytes: u64) -> ExprId {
        let offset = self.program.exprs.size(bytes);
        self.program.exprs.binary(BinOp::PtrAdd, addr, offset)
    }

    /// What a pointer points to.
    pub(super) fn deref(&mut self, pointer: Val, span: Span) -> R<Place> {
        match *self.types.get(pointer.ty) {
            CType::Pointer(to) => Ok(Place { addr: pointer.e, ty: to, bits: None }),
            _ => {
                let text = self.types.describe(pointer.ty);
                self.error(span, format!("`{text}` is not a pointer, so it cannot be dereferenced"))
            }
        }
    }

    /// Reads a place. Arrays become pointers to their first element, functions pointers to themselves.
    pub(super) fn read(&mut self, place: Place, span: Span) -> R<Val> {
        let is_value = self.types.is_scalar(place.ty) || self.types.is_aggregate(place.ty);
        if place.ty.is_volatile() && is_value && (self.register(place).is_some() || self.is_volatile_read(span)) {
            return Ok(self.any_in(place));
        }
        let place = Place { ty: place.ty.unqualified(), ..place };
        let value = self.read_here(place, span)?;
        // What is made of it may not need the value, but the access takes place.
        let is_scalar = self.types.is_scalar(place.ty) && self.types.value_ty(value.ty).is_some();
        Ok(if is_scalar && self.leaves_object(place) { self.capture(value) } else { value })
    }

    /// Whether a place lies outside of the object that it names, by its type: `a[2]` of `int a[2]`.
    pub(super) fn leaves_object(&self, place: Place) -> bool {
        let exprs = &self.program.exprs;
        let (base, offset) = match exprs.get(place.addr) {
            ir::Expr::Binary(BinOp::PtrAdd, base, offset) => (base, exprs.as_const(offset)),
            _ => (place.addr, Some(0)),
        };
        let (ir::Expr::ObjAddr(obj), Some(offset)) = (exprs.get(base), offset) else { return false };
        let size = place.bits.map_or_else(|| self.types.size(place.ty), |bits| Some(bits.unit.into()));
        let Some(size) = size.filter(|_| self.types.size(self.objects[obj.index()].ty).is_some()) else { return false };
        offset.checked_add(size).is_none_or(|end| end > self.program.objects[obj].size)
    }

    fn read_here(&mut self, place: Place, span: Span) -> R<Val> {
        if let Some(bits) = place.bits {
            return Ok(self.read_bits(place, bits));
        }
        match *self.types.get(place.ty) {
            CType::Array(of, _) | CType::Vla(of, _) => Ok(Val { e: place.addr, ty: self.types.pointer(of) }),
            CType::Function(_) => Ok(Val { e: place.addr, ty: self.types.pointer(place.ty) }),
            CType::Void => Ok(Val { e: place.addr, ty: place.ty }),
            CType::Record(_) if self.types.size(place.ty).is_none() && !self.is_variable_size(place.ty) => {
                let text = self.types.describe(place.ty);
                self.error(span, format!("a value of incomplete type `{text}`"))
            }
            _ => match self.types.value_ty(place.ty) {
                Some(ty) => Ok(Val { e: self.program.exprs.load(ty, place.addr), ty: place.ty }),
                None => Ok(Val { e: place.addr, ty: place.ty }),
            },
        }
    }

    /// Any value that a place may hold which is `volatile`.
    fn any_in(&mut self, place: Place) -> Val {
        let ty = place.ty.unqualified();
        match place.bits {
            Some(bits) if !bits.whole => {
                let var = self.temp(Ty::Int(bits.width as u8), false);
                self.emit(Op::Havoc { var, source: HavocSource::Volatile });
                let value = self.program.exprs.var(var);
                self.field_value(ty, bits, value)
            }
            _ => self.any_value(ty, HavocSource::Volatile),
        }
    }

    /// The address of a place that is a device's register: something `volatile` at a number, and what is added to that. What that means
    /// is listed.
    fn register(&mut self, place: Place) -> Option<ExprId> {
        if !place.ty.is_volatile() {
            return None;
        }
        let exprs = &self.program.exprs;
        let (mut base, mut offsets) = (place.addr, Vec::new());
        while let ir::Expr::Binary(BinOp::PtrAdd, inner, offset) = exprs.get(base) {
            base = inner;
            offsets.push(offset);
        }
        let number = match exprs.get(base) {
            ir::Expr::Const(_, number) => number,
            ir::Expr::Load(..) => self.fixed_number(base)?,
            _ => return None,
        };
        if number == 0 {
            return None;
        }
        if !self.fun.quiet {
            self.noted.add(Some(self.fun.builder.id), Granted::Register, self.fun.pos);
        }
        let start = self.program.exprs.constant(Ty::Ptr, number);
        let add = |address, &offset: &ExprId| self.program.exprs.binary(BinOp::PtrAdd, address, offset);
        Some(offsets.iter().rev().fold(start, add))
    }

    /// Whether reading something `volatile` gives any value; if not, that is listed as an assumption.
    fn is_volatile_read(&mut self, span: Span) -> bool {
        if self.volatile == Volatile::Havoc {
            return true;
        }
        self.assume(span, Granted::Volatile);
        false
    }

    /// Writes a value that has the place's type already.
    pub(super) fn write(&mut self, place: Place, value: Val) {
        // What a struct is copied from is still an access.
        if !self.types.is_aggregate(place.ty)
            && let Some(address) = self.register(place)
        {
            // What is read there by other ways may have changed (`engine/border`).
            let size = place.bits.map_or(self.types.size(place.ty).unwrap_or(0), |bits| bits.unit.into());
            let args = [address, self.program.exprs.size(size)].into();
            return self.emit(Op::Builtin { result: None, builtin: Builtin::Register, args });
        }
        if let Some(bits) = place.bits {
            return self.write_bits(place, bits, value);
        }
        if self.types.is_aggregate(place.ty) {
            return self.copy_aggregate(place.addr, value);
        }
        self.emit(Op::Store { addr: place.addr, value: value.e });
    }

    /// Copies a struct, union or opaque value to an address.
    pub(super) fn copy_aggregate(&mut self, dst: ExprId, value: Val) {
        let size = match self.is_variable_size(value.ty) {
            true => self.size_of_value(value.ty),
            false => {
                let size = self.types.size(value.ty).unwrap_or(0);
                self.program.exprs.size(size)
            }
        };
        if self.program.exprs.as_const(size) != Some(0) {
            self.emit(Op::Copy { dst, src: value.e, size });
        }
    }

    /// The place takes any value.
    pub(super) fn havoc_place(&mut self, place: Place, source: HavocSource) {
        if let (Some(bits), Some(ty)) = (place.bits, self.types.value_ty(place.ty)) {
            let var = self.temp(ty, true);
            self.emit(Op::Havoc { var, source });
            let e = self.program.exprs.var(var);
            return self.write_bits(place, bits, Val { e, ty: place.ty });
        }
        let size = match self.is_variable_size(place.ty) {
            true => self.size_of_value(place.ty),
            false => {
                let size = self.types.size(place.ty).unwrap_or(0);
                self.program.exprs.size(size)
            }
        };
        self.emit(Op::HavocMem { addr: place.addr, size, source });
    }

    /// The bytes that hold a bit-field, as one integer.
    fn read_unit(&mut self, addr: ExprId, bits: BitRange) -> ExprId {
        if bits.unit <= 8 {
            let unit = self.program.exprs.load(Ty::Int(bits.unit as u8 * 8), addr);
            return if bits.reversed { self.byte_swap(unit, bits.unit) } else { unit };
        }
        // A packed field of 64 bits that starts within a byte covers nine.
        let mut all = self.program.exprs.int(128, 0);
        for byte in 0..bits.unit {
            let at = self.offset_by(addr, byte.into());
            let value = self.program.exprs.load(Ty::Int(8), at);
            let value = self.program.exprs.cast(CastOp::ZExt, Ty::Int(128), value);
            let shift = self.program.exprs.int(128, bits.position_of(byte).into());
            let value = self.program.exprs.binary(BinOp::Shl, value, shift);
            all = self.program.exprs.binary(BinOp::Or, all, value);
        }
        all
    }

    fn write_unit(&mut self, addr: ExprId, bits: BitRange, value: ExprId) {
        if bits.unit <= 8 {
            let value = if bits.reversed { self.byte_swap(value, bits.unit) } else { value };
            return self.emit(Op::Store { addr, value });
        }
        let var = self.temp(Ty::Int(128), false);
        self.assign_var(var, value);
        let value = self.program.exprs.var(var);
        for byte in 0..bits.unit {
            let shift = self.program.exprs.int(128, bits.position_of(byte).into());
            let part = self.program.exprs.binary(BinOp::LShr, value, shift);
            let part = self.program.exprs.resize(part, false, 8);
            let at = self.offset_by(addr, byte.into());
            self.emit(Op::Store { addr: at, value: part });
        }
    }

    /// An integer of some bytes with the bytes in the other order.
    fn byte_swap(&mut self, value: ExprId, bytes: u32) -> ExprId {
        let width = bytes as u8 * 8;
        let pool = &mut self.program.exprs;
        let mut swapped = pool.int(width, 0);
        for byte in 0..bytes {
            let from = pool.int(width, (byte * 8).into());
            let part = pool.binary(BinOp::LShr, value, from);
            let part = pool.resize(part, false, 8);
            let part = pool.resize(part, false, width);
            let to = pool.int(width, ((bytes - 1 - byte) * 8).into());
            let part = pool.binary(BinOp::Shl, part, to);
            swapped = pool.binary(BinOp::Or, swapped, part);
        }
        swapped
    }

    fn read_bits(&mut self, place: Place, bits: BitRange) -> Val {
        if bits.whole && self.types.as_int(place.ty).is_none() {
            self.unsupported("a pointer or floating number in reverse storage order");
            return self.any_of(place.ty);
        }
        let unit = self.read_unit(place.addr, bits);
        let Ty::Int(unit_bits) = self.program.exprs.ty(unit) else { unreachable!("a unit is an integer") };
        let shift = self.program.exprs.int(unit_bits, bits.shift().into());
        let shifted = self.program.exprs.binary(BinOp::LShr, unit, shift);
        let narrow = self.program.exprs.resize(shifted, false, bits.width as u8);
        if bits.whole {
            return Val { e: narrow, ty: place.ty };
        }
        self.field_value(place.ty, bits, narrow)
    }

    /// The value of a bit-field from its bits.
    fn field_value(&mut self, ty: TypeId, bits: BitRange, narrow: ExprId) -> Val {
        let kind = self.types.as_int(ty).unwrap_or(IntKind::Int);
        // The value has the type that integer promotion gives it: `int` where that holds all values.
        let ty = if bits.width < 32 || (bits.width == 32 && kind.is_signed()) {
            IntKind::Int
        } else if bits.width == 32 {
            IntKind::UInt
        } else if bits.width < kind.bits(self.model()).into() && bits.width < 64 {
            IntKind::Field { width: bits.width as u8, signed: kind.is_signed() }
        } else {
            kind
        };
        let e = self.program.exprs.resize(narrow, kind.is_signed(), ty.bits(self.model()));
        Val { e, ty: self.types.int(ty) }
    }

    fn write_bits(&mut self, place: Place, bits: BitRange, value: Val) {
        if bits.whole && self.types.as_int(place.ty).is_none() {
            return self.unsupported("a pointer or floating number in reverse storage order");
        }
        let unit = self.read_unit(place.addr, bits);
        let Ty::Int(unit_bits) = self.program.exprs.ty(unit) else { unreachable!("a unit is an integer") };
        let pool = &mut self.program.exprs;
        let narrow = pool.resize(value.e, false, bits.width as u8);
        let wide = pool.resize(narrow, false, unit_bits);
        let shift = pool.int(unit_bits, bits.shift().into());
        let placed = pool.binary(BinOp::Shl, wide, shift);
        let ones = pool.int(bits.width as u8, -1);
        let ones = pool.resize(ones, false, unit_bits);
        let mask = pool.binary(BinOp::Shl, ones, shift);
        let keep = pool.unary(UnOp::Not, mask);
        let kept = pool.binary(BinOp::And, unit, keep);
        let new = pool.binary(BinOp::Or, kept, placed);
        self.write_unit(place.addr, bits, new);
    }
}

impl BitRange {
    /// How far the field lies from the lowest bit of the unit's value.
    pub(super) fn shift(self) -> u32 {
        if self.reversed { self.unit * 8 - self.start - self.width } else { self.start }
    }

    /// The byte of the unit that holds a bit of its value.
    pub(super) fn byte_of(self, bit: u32) -> u32 {
        if self.reversed { self.unit - 1 - bit / 8 } else { bit / 8 }
    }

    /// The lowest bit of a byte of the unit, in the unit's value.
    pub(super) fn position_of(self, byte: u32) -> u32 {
        if self.reversed { (self.unit - 1 - byte) * 8 } else { byte * 8 }
    }
}
