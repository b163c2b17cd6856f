//! Initial values of globals as images: bytes and relocations.

use super::entries::{Entries, Entry, Value};
use crate::ir::{BinOp, CastOp, Expr as Node, ExprId, Idx, Image, ObjId, ObjectKind, RelocTarget, Relocation, Ty};
use crate::lower::layout::BitRange;
use crate::lower::types::{CType, TypeId};
use crate::lower::{Lower, R, Val, trim};
use robusto_syntax::Span;
use robusto_syntax::ast::{Expr, ExprKind, Init};
use std::collections::BTreeMap;

impl<'a> Lower<'a, '_> {
    /// The initial content of a global, its type, completed by the initialiser if it was an array of unknown size, and
    /// its size, which a flexible array member may increase.
    pub(in crate::lower) fn static_image(&mut self, ty: TypeId, init: &Init<'a>) -> R<(Image, TypeId, u64)> {
        let ty = if self.types.size(ty).is_none() { self.completed_by(ty, init)? } else { ty };
        let mut entries = Entries::default();
        let reach = self.entries(ty, 0, init, &mut entries)?;
        if let Some((what, span)) = entries.open {
            return self.error(span, format!("not supported: {what}"));
        }
        let size = self.types.size(ty).unwrap_or(0) + self.flexible_part(ty, reach);
        let end = entries.iter().map(|e| e.offset + e.size).max().unwrap_or(0);
        let mut builder = ImageBuilder { bytes: vec![0; end as usize], relocations: BTreeMap::new() };
        for entry in entries.iter() {
            self.place_entry(entry, &mut builder)?;
        }
        let relocations = builder.relocations.into_values().collect();
        Ok((Image { bytes: trim(&builder.bytes), relocations }, ty, size))
    }

    /// Bytes that an initialiser which reaches this far adds to a struct, for its flexible array member. As in gcc, they
    /// come after the struct's whole size.
    fn flexible_part(&self, ty: TypeId, reach: u64) -> u64 {
        let CType::Record(record) = *self.types.get(ty) else { return 0 };
        let last = self.types.record(record).layout.as_ref().and_then(|l| l.fields.last());
        match last {
            Some(field) if matches!(self.types.get(field.ty), CType::Array(_, None)) => {
                reach.saturating_sub(field.offset)
            }
            _ => 0,
        }
    }

    /// Gives a global its content.
    pub(in crate::lower) fn set_image(&mut self, obj: ObjId, ty: TypeId, image: Image, size: u64) {
        self.objects[obj.index()].ty = ty;
        self.objects[obj.index()].initialised = true;
        let object = &mut self.program.objects[obj];
        object.size = size;
        object.kind = ObjectKind::Global(image);
    }

    fn place_entry(&mut self, entry: &Entry<'a>, image: &mut ImageBuilder) -> R<()> {
        match entry.value {
            Value::Str(units, encoding) => {
                let (mut bytes, _) = self.string_bytes(units, encoding);
                bytes.resize(entry.size as usize, 0);
                image.put(entry.offset, &bytes);
                Ok(())
            }
            Value::Expr(e) => {
                let (value, edges) = self.in_scratch(|lower| {
                    lower.fun.in_function_scratch = false;
                    let value = lower.initial_value(e)?;
                    lower.convert(value, entry.ty, e.span)
                });
                let value = value?;
                if let Some(parts) = self.composites.get(&value.e).cloned() {
                    return self.place_parts(entry, &parts, e.span, image);
                }
                if edges {
                    return self.not_constant(e.span);
                }
                self.place_value(entry, value, e.span, image)
            }
        }
    }

    /// The value of an expression; gcc takes a scalar compound literal for what it is made of.
    fn initial_value(&mut self, e: &Expr<'a>) -> R<Val> {
        if let ExprKind::CompoundLiteral(name, init) = e.kind
            && let Some(inner) = Self::as_expr(init)
        {
            let ty = self.type_name(name)?;
            if self.types.is_scalar(ty) {
                let value = self.initial_value(inner)?;
                return self.convert(value, ty, e.span);
            }
        }
        self.rvalue(e)
    }

    /// The parts of a constant complex number or vector.
    fn place_parts(&mut self, entry: &Entry<'a>, parts: &[Val], span: Span, image: &mut ImageBuilder) -> R<()> {
        let mut offset = entry.offset;
        for &part in parts {
            let size = self.types.size(part.ty).unwrap_or(0);
            let entry = Entry { offset, ty: part.ty, size, bits: None, value: entry.value, inside: false };
            self.place_value(&entry, part, span, image)?;
            offset += size;
        }
        Ok(())
    }

    fn not_constant<T>(&mut self, span: Span) -> R<T> {
        self.error(span, "the initialiser of a global or static variable must be constant")
    }

    fn place_value(&mut self, entry: &Entry<'a>, value: Val, span: Span, image: &mut ImageBuilder) -> R<()> {
        if self.types.is_aggregate(entry.ty) {
            // A struct value that is itself static: a compound literal.
            if let Node::ObjAddr(obj) = self.program.exprs.get(value.e)
                && let ObjectKind::Global(from) = &self.program.objects[obj].kind
            {
                let size = self.types.size(entry.ty).unwrap_or(0) as usize;
                let mut bytes = from.bytes.clone();
                bytes.resize(size, 0);
                image.put(entry.offset, &bytes);
                for r in from.relocations.clone() {
                    image.point(Relocation { offset: entry.offset + r.offset, ..r });
                }
                return Ok(());
            }
            return self.not_constant(span);
        }
        let size = self.types.size(entry.ty).unwrap_or(0);
        if let Some(bits) = entry.bits {
            let Some(value) = self.as_integer(value) else { return self.not_constant(span) };
            image.put_bits(entry.offset, bits, value as u128);
            return Ok(());
        }
        let value = self.constant_variable(value);
        if let Some(constant) = self.program.exprs.as_const(value.e) {
            let bytes = u128::from(constant).to_le_bytes();
            image.put(entry.offset, &bytes[..(size as usize).min(8)]);
            return Ok(());
        }
        if let Some(bits) = self.program.exprs.as_extended(value.e) {
            image.put(entry.offset, &bits.to_le_bytes()[..10]);
            return Ok(());
        }
        if let Some(wide) = self.as_integer(value) {
            image.put(entry.offset, &wide.to_le_bytes()[..size as usize]);
            return Ok(());
        }
        match self.address_constant(value.e) {
            Some((target, addend)) if size == u64::from(self.model().pointer_bits() / 8) => {
                image.put(entry.offset, &vec![0; size as usize]);
                image.point(Relocation { offset: entry.offset, target, addend });
                Ok(())
            }
            _ => self.not_constant(span),
        }
    }

    /// The value of a `const` variable with a constant initialiser, which gcc takes for a constant.
    fn constant_variable(&mut self, value: Val) -> Val {
        let ty = self.program.exprs.ty(value.e);
        match self.fixed_number(value.e) {
            Some(number) if ty != Ty::Ptr => Val { e: self.program.exprs.constant(ty, number), ty: value.ty },
            _ => value,
        }
    }

    /// The number that a `const` variable with a constant initialiser holds.
    pub(in crate::lower) fn fixed_number(&self, value: ExprId) -> Option<u64> {
        let Node::Load(ty, address) = self.program.exprs.get(value) else { return None };
        let bytes = match ty {
            Ty::Int(bits @ ..=64) => bits / 8,
            Ty::Ptr => self.model().pointer_bits() / 8,
            _ => return None,
        };
        let Node::ObjAddr(obj) = self.program.exprs.get(address) else { return None };
        let info = &self.objects[obj.index()];
        let ObjectKind::Global(image) = &self.program.objects[obj].kind else { return None };
        let fixed = info.ty.is_const() && !info.ty.is_volatile() && info.initialised && image.relocations.is_empty();
        let byte = |i: u8| u64::from(image.bytes.get(usize::from(i)).copied().unwrap_or(0)) << (8 * i);
        fixed.then(|| (0..bytes).map(byte).sum())
    }

    /// An address plus a constant.
    pub(in crate::lower) fn address_constant(&self, e: ExprId) -> Option<(RelocTarget, i64)> {
        let pool = &self.program.exprs;
        match pool.get(e) {
            Node::ObjAddr(obj) => Some((RelocTarget::Object(obj), 0)),
            Node::FuncAddr(func) => Some((RelocTarget::Function(func), 0)),
            Node::Binary(BinOp::PtrAdd | BinOp::Add, base, offset) => {
                let (target, addend) = self.address_constant(base)?;
                let bits = u32::from(self.model().pointer_bits());
                Some((target, addend.wrapping_add(crate::ir::fold::signed(bits, pool.as_const(offset)?))))
            }
            Node::Cast(CastOp::PtrToInt | CastOp::IntToPtr, _, inner) => self.address_constant(inner),
            _ => None,
        }
    }
}

/// Bytes and addresses of an image being built.
struct ImageBuilder {
    bytes: Vec<u8>,
    /// By their offsets.
    relocations: BTreeMap<u64, Relocation>,
}

impl ImageBuilder {
    fn reserve(&mut self, end: u64) {
        if self.bytes.len() < end as usize {
            self.bytes.resize(end as usize, 0);
        }
    }

    fn put(&mut self, offset: u64, bytes: &[u8]) {
        let end = offset + bytes.len() as u64;
        self.reserve(end);
        self.bytes[offset as usize..end as usize].copy_from_slice(bytes);
        // A later initialiser replaces what an earlier one put there.
        while let Some((&old, _)) = self.relocations.range(offset..end).next() {
            self.relocations.remove(&old);
        }
    }

    fn point(&mut self, relocation: Relocation) {
        self.relocations.insert(relocation.offset, relocation);
    }

    fn put_bits(&mut self, offset: u64, bits: BitRange, value: u128) {
        self.reserve(offset + u64::from(bits.unit));
        for i in 0..bits.width {
            let at = bits.shift() + i;
            let (byte, bit) = (offset as usize + (bits.byte_of(at) as usize), at % 8);
            self.bytes[byte] &= !(1 << bit);
            self.bytes[byte] |= (((value >> i) & 1) as u8) << bit;
        }
    }
}
