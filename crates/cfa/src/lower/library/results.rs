//! What functions return that are known by their effects.

use super::table::Give;
use crate::ir::{AllocKind, BinOp, CastOp, ExprId, FuncId, Granted, HavocSource, ObjId, Op, Ty, VarId};
use crate::lower::types::{CType, IntKind, TypeId};
use crate::lower::{Lower, R, Val};
use robusto_syntax::Span;

/// Size of an object of which the program knows no type: a handle that it only passes on.
const HANDLE: u64 = 16;

impl Lower<'_, '_> {
    /// The result of a call of the library function of this name.
    pub(super) fn given(
        &mut self,
        name: &'static str,
        give: Give,
        ret: TypeId,
        values: &[(Val, TypeId)],
        id: FuncId,
        span: Span,
    ) -> R<Val> {
        let source = HavocSource::External(id);
        let Some(ty) = self.types.value_ty(ret) else { return Ok(self.havoc_value(ret, source)) };
        let signed = self.types.is_signed(ret);
        let argument = match give {
            Give::UpTo(at) | Give::AtMost(at) | Give::ArgumentOr(at) | Give::Argument(at) => {
                let Some(&(value, _)) = values.get(usize::from(at)) else { return Ok(self.havoc_value(ret, source)) };
                self.convert(value, ret, span)?
            }
            _ => Val { e: self.program.exprs.zero(ty), ty: ret },
        };
        Ok(match (give, ty) {
            (Give::Unknown, _) => self.havoc_value(ret, HavocSource::Unmodelled),
            (Give::Zero, _) => Val { e: self.program.exprs.zero(ty), ty: ret },
            (Give::Status, Ty::Int(bits)) if bits > 1 => {
                let bit = self.any_bit(source);
                Val { e: self.program.exprs.cast(CastOp::SExt, ty, bit), ty: ret }
            }
            (Give::Bit, Ty::Int(bits)) if bits > 1 => {
                let bit = self.any_bit(source);
                Val { e: self.program.exprs.cast(CastOp::ZExt, ty, bit), ty: ret }
            }
            (Give::Count, Ty::Int(bits)) if signed => {
                let (var, value) = self.any_number(ty, source);
                let error = self.program.exprs.int(bits, -1);
                let fits = self.program.exprs.binary(BinOp::SLe, error, value);
                self.unless(fits, var, error);
                Val { e: value, ty: ret }
            }
            (Give::Natural, Ty::Int(bits)) if signed => {
                let value = self.havoc_value(ret, source);
                let mask = self.program.exprs.int(bits, (1i128 << (bits - 1)) - 1);
                Val { e: self.program.exprs.binary(BinOp::And, value.e, mask), ty: ret }
            }
            (Give::UpTo(_) | Give::AtMost(_), Ty::Int(bits)) => {
                let (var, value) = self.any_number(ty, source);
                // As unsigned numbers: what is below zero lies above, and a length that is no result allows any.
                let fits = self.program.exprs.binary(BinOp::ULe, value, argument.e);
                let other = if matches!(give, Give::UpTo(_)) { -1 } else { 0 };
                let other = self.program.exprs.int(bits, other);
                self.unless(fits, var, other);
                Val { e: value, ty: ret }
            }
            (Give::ArgumentOr(_), Ty::Int(bits)) => {
                let fine = self.any_bit(source);
                let var = self.temp(ty, true);
                self.assign_var(var, argument.e);
                let error = self.program.exprs.int(bits, -1);
                self.unless(fine, var, error);
                Val { e: self.program.exprs.var(var), ty: ret }
            }
            (Give::Entry, Ty::Ptr) => match self.types.pointee(ret) {
                Some(to) if self.typed_size(ret).is_some() => {
                    self.assume(span, Granted::OldEntries { name: name.to_owned() });
                    self.null_or(ret, source, |lower, var| lower.any_entry(name, to, var, source))
                }
                _ => self.null_or(ret, source, |lower, var| {
                    let size = lower.program.exprs.size(HANDLE);
                    lower.emit(Op::Alloc { var, size, kind: AllocKind::Library, zeroed: false });
                }),
            },
            (Give::Argument(_), _) => argument,
            _ => self.havoc_value(ret, source),
        })
    }

    fn any_bit(&mut self, source: HavocSource) -> ExprId {
        let var = self.temp(Ty::BOOL, false);
        self.emit(Op::Havoc { var, source });
        self.program.exprs.var(var)
    }

    fn any_number(&mut self, ty: Ty, source: HavocSource) -> (VarId, ExprId) {
        let var = self.temp(ty, true);
        self.emit(Op::Havoc { var, source });
        (var, self.program.exprs.var(var))
    }

    /// Sets a variable where a condition does not hold.
    fn unless(&mut self, holds: ExprId, var: VarId, value: ExprId) {
        let (set, done) = (self.location(), self.location());
        self.branch(holds, done, set);
        self.fun.at = set;
        self.assign_var(var, value);
        self.label_here(done);
    }

    /// Null, or what `make` puts into the variable.
    fn null_or(&mut self, ret: TypeId, source: HavocSource, make: impl FnOnce(&mut Self, VarId)) -> Val {
        let cond = self.any_bit(source);
        let var = self.temp(Ty::Ptr, false);
        let null = self.program.exprs.null();
        self.assign_var(var, null);
        let (there, done) = (self.location(), self.location());
        self.branch(cond, there, done);
        self.fun.at = there;
        make(self, var);
        self.label_here(done);
        Val { e: self.program.exprs.var(var), ty: ret }
    }

    /// One of two objects, with new content: what an earlier call gave is changed, or stays.
    fn any_entry(&mut self, name: &'static str, ty: TypeId, var: VarId, source: HavocSource) {
        let [first, second] = [0, 1].map(|which| {
            let object = self.library_object(name, which, ty);
            self.obj_addr(object)
        });
        self.assign_var(var, first);
        let same = self.any_bit(source);
        self.unless(same, var, second);
        let addr = self.program.exprs.var(var);
        let size = self.program.exprs.size(self.types.size(ty).unwrap_or(0));
        self.emit(Op::HavocMem { addr, size, source });
        self.close_texts(addr, ty);
    }

    /// An object that the functions of a name share.
    fn library_object(&mut self, name: &'static str, which: u8, ty: TypeId) -> ObjId {
        if let Some(&object) = self.library_objects.get(&(name, which)) {
            return object;
        }
        let label = format!("<{name} {which}>");
        let object = self.static_object(&label, ty.unqualified());
        self.library_objects.insert((name, which), object);
        object
    }

    /// Members that are arrays of characters end with a zero. One of a single character stands for any number of them.
    pub(super) fn close_texts(&mut self, addr: ExprId, ty: TypeId) {
        let mut ends = Vec::new();
        self.ends_of_texts(ty, 0, &mut ends);
        for end in ends {
            let at = self.program.exprs.size(end);
            let at = self.program.exprs.binary(BinOp::PtrAdd, addr, at);
            let zero = self.program.exprs.int(8, 0);
            self.emit(Op::Store { addr: at, value: zero });
        }
    }

    fn ends_of_texts(&self, ty: TypeId, at: u64, ends: &mut Vec<u64>) {
        match self.types.get(ty) {
            CType::Record(id) if !self.types.record(*id).union => {
                let layout = self.types.record(*id).layout.as_ref();
                for field in layout.map_or(&[][..], |layout| &layout.fields) {
                    self.ends_of_texts(field.ty, at + field.offset, ends);
                }
            }
            CType::Array(of, Some(count)) if *count > 1 => {
                if matches!(self.types.as_int(*of), Some(IntKind::Char | IntKind::SChar)) {
                    ends.push(at + count - 1);
                }
            }
            _ => {}
        }
    }
}
