//! `va_list` and `va_arg`.
//!
//! The variable arguments of a call lie in an array of slots, and a list is a cursor there. Under ILP32 that is all, as with
//! gcc. Under LP64 a `va_list` is an array of one struct of 24 bytes, of which the cursor is the first member: so a function
//! that gets a list advances the caller's.

use super::layout::{MemberSpec, RecordSpec, layout};
use super::place::Place;
use super::types::{CType, IntKind, TypeId};
use super::{Lower, R, Val};
use crate::ir::{DataModel, ExprId, Op, Ty, VarId};
use robusto_syntax::ast::{Expr, ExprKind, TypeName, UnaryOp};

impl<'a> Lower<'a, '_> {
    /// The type `va_list`.
    pub(super) fn va_list_type(&mut self) -> TypeId {
        match self.model() {
            DataModel::Ilp32 => self.cursor_type(),
            DataModel::Lp64 => {
                let record = self.va_list_record();
                self.types.array(record, Some(1))
            }
        }
    }

    fn cursor_type(&mut self) -> TypeId {
        let char = self.types.int(IntKind::Char);
        self.types.pointer(char)
    }

    fn va_list_record(&mut self) -> TypeId {
        if let Some(known) = self.va_list_record {
            return known;
        }
        let (id, ty) = self.types.new_record("__va_list_tag", false);
        let (cursor, word) = (self.cursor_type(), self.types.int(IntKind::ULong));
        let rest = self.types.array(word, Some(2));
        let member = |ty| MemberSpec { name: None, ty, bits: None, packed: false, align: 0, type_align: 8 };
        let spec = RecordSpec { union: false, packed: false, align: 0, pack: None, big_endian: false };
        if let Some(layout) = layout(&self.types, spec, &[member(cursor), member(rest)]) {
            self.types.complete_record(id, layout);
        }
        self.va_list_record = Some(ty);
        ty
    }

    /// Whether a type is that of the address of a list, as arguments and parameters have it.
    fn is_va_list_address(&self, ty: TypeId) -> bool {
        let Some(record) = self.va_list_record else { return false };
        let to = match *self.types.get(ty) {
            CType::Pointer(to) => to.unqualified(),
            _ => return false,
        };
        to == record || matches!(*self.types.get(to), CType::Array(of, Some(1)) if of.unqualified() == record)
    }

    /// The cursor of the `va_list` that an expression names or points to: in C it may be an array, so its address will do as
    /// well.
    pub(super) fn va_list_place(&mut self, list: &Expr<'a>) -> R<Place> {
        let ty = self.cursor_type();
        let is_address = matches!(list.kind, ExprKind::Cast(..) | ExprKind::Unary(UnaryOp::AddressOf, _));
        let decayed = self.decayed_type_of(list)?;
        if is_address || decayed == self.types.pointer(ty) || self.is_va_list_address(decayed) {
            return Ok(Place { addr: self.rvalue(list)?.e, ty, bits: None });
        }
        self.place(list)
    }

    /// A list as the functions of the interpreter take it: its cursor.
    pub(super) fn cursor_of(&mut self, value: Val) -> ExprId {
        if self.is_va_list_address(value.ty) { self.program.exprs.load(Ty::Ptr, value.e) } else { value.e }
    }

    /// A variable that holds the variable arguments of this function as an argument of type `va_list`, and its type.
    pub(super) fn own_va_list(&mut self, cursor: VarId) -> (VarId, TypeId) {
        if self.model() == DataModel::Ilp32 {
            return (cursor, self.cursor_type());
        }
        let record = self.va_list_record();
        let list = self.temp_object(record);
        let value = self.program.exprs.var(cursor);
        self.emit(Op::Store { addr: list, value });
        let var = self.temp(Ty::Ptr, false);
        self.assign_var(var, list);
        (var, self.types.pointer(record))
    }

    pub(super) fn va_arg(&mut self, list: &Expr<'a>, name: &TypeName<'a>) -> R<Val> {
        let ty = self.type_name(name)?;
        let place = self.va_list_place(list)?;
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
}
