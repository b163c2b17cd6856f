//! Sizes and offsets as values: `sizeof`, `offsetof`, slots of variable arguments.

use super::place::Place;
use super::types::{CType, TypeId};
use super::{Lower, R, Val};
use crate::ir::{CastOp, ExprId, Ty};
use robusto_syntax::Span;
use robusto_syntax::ast::{Designator, TypeName};

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
                let count = self.var_here(self.vla_counts[index as usize]);
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

    /// Bytes that a variable argument takes in the array of slots.
    pub(super) fn slot_size(&self, ty: TypeId) -> u64 {
        if self.types.value_ty(ty) == Some(Ty::Int(128)) { 16 } else { 8 }
    }
}
