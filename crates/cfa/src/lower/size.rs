//! Sizes and offsets as values: `sizeof`, `offsetof`, slots of variable arguments.

use super::place::Place;
use super::scope::Sym;
use super::types::{CType, FloatKind, TypeId};
use super::{Lower, R, Val};
use crate::ir::{CastOp, ExprId, HavocSource, Ty};
use robusto_syntax::Span;
use robusto_syntax::ast::{Designator, Expr, ExprKind, TypeName};

impl<'a> Lower<'a, '_> {
    pub(super) fn offsetof(&mut self, name: &TypeName<'a>, path: &[Designator<'a>], span: Span) -> R<Val> {
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
    pub(super) fn sizeof(&mut self, ty: TypeId, span: Span) -> R<Val> {
        if self.is_variable_size(ty) {
            return Ok(Val { e: self.size_of_value(ty), ty: self.types.size_t() });
        }
        match self.types.size(ty) {
            Some(size) => Ok(self.size_value(size)),
            // Where only a type is asked for, lengths are not evaluated: `sizeof(sizeof(int[n]))`.
            None if self.fun.in_function_scratch && matches!(self.types.get(ty), CType::Array(..)) => {
                let size_t = self.types.size_t();
                Ok(self.havoc_value(size_t, HavocSource::Undefined))
            }
            None => {
                let text = self.types.describe(ty);
                self.error(span, format!("`{text}` is incomplete, so its size is not known"))
            }
        }
    }

    /// `_Alignof e`
    pub(super) fn alignof_expr(&mut self, e: &Expr<'a>, span: Span) -> R<Val> {
        let ty = self.type_of(e)?;
        let preferred = self.preferred_align(ty, span);
        let align = match e.kind {
            ExprKind::Ident(name) => match self.scopes.lookup(name) {
                Some(Sym::Object(obj)) => preferred.max(self.program.objects[obj].align.into()),
                Some(Sym::Function(id)) => {
                    self.symbols.alignments.get(&id).map_or(preferred, |&own| own.max(preferred))
                }
                _ => preferred,
            },
            ExprKind::Member(inner, field) => {
                let of = self.type_of(inner)?;
                self.types.find_field(of, field).map_or(preferred, |(_, f)| f.align)
            }
            ExprKind::Arrow(inner, field) => {
                let of = self.decayed_type_of(inner)?;
                let of = self.types.pointee(of).unwrap_or(of);
                self.types.find_field(of, field).map_or(preferred, |(_, f)| f.align)
            }
            _ => preferred,
        };
        Ok(self.size_value(align))
    }

    /// `_Alignof(type)`
    pub(super) fn alignof_type(&mut self, name: &TypeName<'a>, span: Span) -> R<Val> {
        // Sizes in the name are not evaluated.
        let declared = self.in_scratch(|lower| lower.declared_type_name(name)).0?;
        let align = match declared.own {
            Some(align) => align,
            None => self.preferred_align(declared.ty, span),
        };
        Ok(self.size_value(align.max(declared.align)))
    }

    /// The type that a name means, without evaluating the sizes in it.
    pub(super) fn named_type(&mut self, name: &TypeName<'a>) -> R<TypeId> {
        self.in_scratch(|lower| lower.type_name(name)).0
    }

    /// `_Alignof` gives what a member of a struct has, `__alignof__` what a variable has; on x86 with 32 bits they differ
    /// for 8-byte scalars.
    fn preferred_align(&self, ty: TypeId, span: Span) -> u64 {
        let least = self.types.align(ty);
        let mut element = ty;
        while let CType::Array(of, _) | CType::Vla(of, _) = *self.types.get(element) {
            element = of;
        }
        let wide = match self.types.get(element) {
            CType::Int(_) => true,
            CType::Float(kind) => *kind == FloatKind::Double,
            _ => false,
        };
        if wide && self.types.size(element) == Some(8) && self.sources.snippet(span).starts_with("__alignof") {
            return 8;
        }
        least
    }

    /// Whether the size is only known at run time.
    pub(super) fn is_variable_size(&self, ty: TypeId) -> bool {
        match self.types.get(ty) {
            CType::Vla(..) => true,
            CType::Array(of, _) => self.is_variable_size(*of),
            CType::Record(record) => self.types.record(*record).layout.as_ref().is_some_and(|l| l.computed.is_some()),
            _ => false,
        }
    }

    /// The size as an expression.
    pub(super) fn size_of_value(&mut self, ty: TypeId) -> ExprId {
        use crate::ir::BinOp;
        match *self.types.get(ty) {
            CType::Vla(of, index) => {
                let count = self.var_here(self.vla_counts[index as usize]);
                let size = self.size_of_value(of);
                self.program.exprs.binary(BinOp::Mul, count, size)
            }
            CType::Array(of, Some(len)) if self.is_variable_size(of) => {
                let count = self.program.exprs.size(len);
                let size = self.size_of_value(of);
                self.program.exprs.binary(BinOp::Mul, size, count)
            }
            CType::Record(record) if self.is_variable_size(ty) => {
                let computed = self.types.record(record).layout.as_ref().and_then(|l| l.computed);
                let index = computed.expect("a struct of variable size has its size computed");
                self.var_here(self.vla_counts[index as usize])
            }
            _ => {
                let size = self.types.size(ty).unwrap_or(1);
                self.program.exprs.size(size)
            }
        }
    }

    /// Bytes that a variable argument takes in the array of slots.
    pub(super) fn slot_size(&self, ty: TypeId) -> u64 {
        if self.types.value_ty(ty).is_some_and(Ty::is_wide) { 16 } else { 8 }
    }
}
