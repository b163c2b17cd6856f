//! `__sync_*`, `__atomic_*` and `__c11_atomic_*` builtins. There is one thread, so they are plain reads and writes.
//!
//! All arguments are evaluated first, once each; the memory orders too. The forms without `_n` take the addresses of
//! their values. Arithmetic wraps around, and moves a pointer by bytes, as gcc has it; only clang's `__c11_` forms count
//! elements.

use super::place::Place;
use super::types::{CType, IntKind, TypeId};
use super::{Lower, R, Val};
use crate::ir::{BinOp, CastOp, ExprId, Granted, HavocSource, Op, Ty, UnOp};
use robusto_syntax::ast::{BinaryOp, Expr};
use robusto_syntax::{Span, Symbol};

/// Whether a name is that of an atomic builtin.
pub(super) fn is_atomic(name: &str) -> bool {
    ["__sync_", "__atomic_", "__c11_atomic_"].iter().any(|prefix| name.starts_with(prefix))
}

impl<'a> Lower<'a, '_> {
    /// A call to an atomic builtin; the operand types decide the type of the result.
    pub(super) fn atomic(&mut self, name: Symbol, args: &[Expr<'a>], span: Span) -> R<Val> {
        let text = self.text(name).to_owned();
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            let value = self.rvalue(arg)?;
            values.push(self.capture(value));
        }
        self.at_span(span);
        let call = Call::new(&text);
        match call.action {
            "synchronize" | "thread_fence" | "signal_fence" => return Ok(self.void_value()),
            "always_lock_free" | "is_lock_free" => return self.lock_free(call.action, &values, span),
            _ => {}
        }
        let Some(&target) = values.first() else {
            return self.error(span, format!("`{text}` needs arguments"));
        };
        let mut place = self.deref(target, span)?;
        if matches!(call.action, "test_and_set" | "clear") || matches!(self.types.get(place.ty), CType::Void) {
            place.ty = self.types.int(IntKind::Bool);
        }
        if let (Some((op, new_wanted)), [_, operand, ..]) = (call.operator(), &values[..]) {
            return self.fetch_and(place, op, *operand, new_wanted, call.c11, span);
        }
        match (call.action, &values[..]) {
            ("init", [_, value, ..]) => {
                self.store(place, *value, span)?;
                Ok(self.void_value())
            }
            ("load", [_, to, _, ..]) if !call.by_value => {
                let value = self.load(place, span)?;
                let to = self.deref(*to, span)?;
                self.store(to, value, span)?;
                Ok(self.void_value())
            }
            ("load", _) => self.load(place, span),
            ("store", [_, value, ..]) => {
                let value = self.operand_given(&call, *value, span)?;
                self.store(place, value, span)?;
                Ok(self.void_value())
            }
            ("exchange", [_, from, to, _, ..]) if !call.by_value => {
                let old = self.load(place, span)?;
                let value = self.operand_given(&call, *from, span)?;
                let to = self.deref(*to, span)?;
                self.store(place, value, span)?;
                self.store(to, old, span)?;
                Ok(self.void_value())
            }
            ("exchange" | "lock_test_and_set", [_, value, ..]) => {
                let old = self.load(place, span)?;
                self.store(place, *value, span)?;
                Ok(old)
            }
            ("lock_release" | "clear", _) => {
                let zero = self.int_value(0);
                self.store(place, zero, span)?;
                Ok(self.void_value())
            }
            ("test_and_set", _) => {
                let old = self.load(place, span)?;
                let one = self.int_value(1);
                self.store(place, one, span)?;
                let set = self.truth(old, span)?;
                let set = self.truth_value(set);
                self.convert(set, place.ty, span)
            }
            ("val_compare_and_swap" | "bool_compare_and_swap", [_, expected, new, ..]) => {
                let old = self.load(place, span)?;
                let expected = self.convert(*expected, place.ty, span)?;
                let same = self.same(old, expected, span)?;
                let same = self.capture_condition(same);
                self.store_if(same, place, *new, span)?;
                if call.action.starts_with("val") {
                    return Ok(old);
                }
                self.as_bool(same, span)
            }
            (
                "compare_exchange" | "compare_exchange_strong" | "compare_exchange_weak",
                [_, expected, new, rest @ ..],
            ) => {
                let weak = match (call.action, rest) {
                    ("compare_exchange_weak", _) => self.program.exprs.bool(true),
                    ("compare_exchange", [weak, ..]) => self.truth(*weak, span)?,
                    _ => self.program.exprs.bool(false),
                };
                let expected = self.deref(*expected, span)?;
                self.compare_exchange(&call, place, expected, *new, weak, span)
            }
            _ => {
                self.unsupported(&format!("call of `{text}`"));
                Ok(self.any_of(place.ty))
            }
        }
    }

    fn compare_exchange(
        &mut self,
        call: &Call<'_>,
        place: Place,
        expected: Place,
        new: Val,
        weak: ExprId,
        span: Span,
    ) -> R<Val> {
        let new = self.operand_given(call, new, span)?;
        let old = self.load(place, span)?;
        let wanted = self.load(Place { ty: place.ty, ..expected }, span)?;
        let same = self.same(old, wanted, span)?;
        let success = if self.program.exprs.as_const(weak) == Some(0) {
            self.capture_condition(same)
        } else {
            self.assume(span, Granted::WeakExchange);
            let fails = self.temp(Ty::BOOL, false);
            self.emit(Op::Havoc { var: fails, source: HavocSource::Unmodelled });
            let pool = &mut self.program.exprs;
            let fails = pool.var(fails);
            let fails = pool.binary(BinOp::And, fails, weak);
            let holds = pool.unary(UnOp::Not, fails);
            let success = pool.binary(BinOp::And, same, holds);
            self.capture_condition(success)
        };
        let (yes, no, end) = (self.location(), self.location(), self.location());
        self.branch(success, yes, no);
        self.fun.at = yes;
        self.store(place, new, span)?;
        self.jump(end);
        self.fun.at = no;
        self.store(Place { ty: place.ty, ..expected }, old, span)?;
        self.label_here(end);
        self.as_bool(success, span)
    }

    /// The value of an operand, which some forms give by its address.
    fn operand_given(&mut self, call: &Call<'_>, operand: Val, span: Span) -> R<Val> {
        if call.by_value {
            return Ok(operand);
        }
        let place = self.deref(operand, span)?;
        self.load(place, span)
    }

    /// Reads a place; the value does not change when the place does.
    fn load(&mut self, place: Place, span: Span) -> R<Val> {
        let value = self.read(place, span)?;
        if self.types.is_aggregate(value.ty) {
            let copy = self.temp_object(value.ty);
            self.copy_aggregate(copy, value);
            return Ok(Val { e: copy, ty: value.ty });
        }
        Ok(self.capture(value))
    }

    fn store(&mut self, place: Place, value: Val, span: Span) -> R<()> {
        let value = self.convert(value, place.ty, span)?;
        self.write(place, value);
        Ok(())
    }

    fn store_if(&mut self, cond: ExprId, place: Place, new: Val, span: Span) -> R<()> {
        let (yes, end) = (self.location(), self.location());
        let new = self.convert(new, place.ty, span)?;
        self.branch(cond, yes, end);
        self.fun.at = yes;
        self.write(place, new);
        self.label_here(end);
        Ok(())
    }

    /// Whether two values of one type have the same bytes.
    fn same(&mut self, a: Val, b: Val, span: Span) -> R<ExprId> {
        if self.types.as_int(a.ty).is_some() || matches!(self.types.get(a.ty), CType::Pointer(_)) {
            let same = self.binary_values(BinaryOp::Eq, a, b, span)?;
            return self.truth(same, span);
        }
        let size = match self.types.size(a.ty) {
            _ if matches!(self.types.value_ty(a.ty), Some(Ty::F32)) => 4,
            _ if matches!(self.types.value_ty(a.ty), Some(Ty::F64)) => 8,
            Some(size @ (1 | 2 | 4 | 8 | 16)) => size,
            _ => {
                let text = self.types.describe(a.ty);
                self.unsupported(&format!("atomic comparison of values of type `{text}`"));
                return Ok(self.program.exprs.bool(false));
            }
        };
        let (a, b) = (self.bytes_of(a), self.bytes_of(b));
        let ty = Ty::Int(size as u8 * 8);
        let (a, b) = (self.program.exprs.load(ty, a), self.program.exprs.load(ty, b));
        Ok(self.program.exprs.binary(BinOp::Eq, a, b))
    }

    /// The address of a value's bytes.
    pub(super) fn bytes_of(&mut self, value: Val) -> ExprId {
        if self.types.is_aggregate(value.ty) {
            return value.e;
        }
        let addr = self.temp_object(value.ty);
        self.emit(Op::Store { addr, value: value.e });
        addr
    }

    fn capture_condition(&mut self, cond: ExprId) -> ExprId {
        if self.program.exprs.as_const(cond).is_some() {
            return cond;
        }
        let var = self.temp(Ty::BOOL, false);
        self.assign_var(var, cond);
        self.program.exprs.var(var)
    }

    /// A condition as a `_Bool`.
    pub(super) fn as_bool(&mut self, cond: ExprId, span: Span) -> R<Val> {
        let (value, ty) = (self.truth_value(cond), self.types.int(IntKind::Bool));
        self.convert(value, ty, span)
    }

    fn fetch_and(&mut self, place: Place, op: Fetch, operand: Val, new_wanted: bool, c11: bool, span: Span) -> R<Val> {
        let old = self.load(place, span)?;
        let Some(new) = self.updated(old, op, operand, c11, span)? else {
            self.unsupported("an atomic operation on a value that is neither integer nor pointer");
            return Ok(old);
        };
        let new = self.capture(new);
        self.write(place, new);
        Ok(if new_wanted { new } else { old })
    }

    fn updated(&mut self, old: Val, op: Fetch, operand: Val, c11: bool, span: Span) -> R<Option<Val>> {
        let (work, pointee): (TypeId, _) = match *self.types.get(old.ty) {
            CType::Int(IntKind::Bool) => (self.types.int(IntKind::UChar), None),
            CType::Int(_) => (old.ty, None),
            CType::Pointer(to) => (self.types.size_t(), Some(to)),
            _ => return Ok(None),
        };
        let (a, mut b) = (self.convert(old, work, span)?, self.convert(operand, work, span)?);
        if let Some(to) = pointee.filter(|_| c11) {
            let size = self.size_of_value(to);
            b.e = self.program.exprs.binary(BinOp::Mul, b.e, size);
        }
        if let (Some(_), Fetch::Op(BinOp::Add | BinOp::Sub)) = (pointee, op) {
            // As a move of the pointer, which analyses follow.
            let bytes = if op == Fetch::Op(BinOp::Sub) { self.program.exprs.unary(UnOp::Neg, b.e) } else { b.e };
            let e = self.program.exprs.binary(BinOp::PtrAdd, old.e, bytes);
            return Ok(Some(Val { e, ty: old.ty }));
        }
        let pool = &mut self.program.exprs;
        let e = match op {
            Fetch::Op(op) => pool.binary(op, a.e, b.e),
            Fetch::Nand => {
                let and = pool.binary(BinOp::And, a.e, b.e);
                pool.unary(UnOp::Not, and)
            }
        };
        self.convert(Val { e, ty: work }, old.ty, span).map(Some)
    }

    /// Up to the size of a register, objects are lock-free; for larger ones the library decides at run time.
    fn lock_free(&mut self, action: &str, values: &[Val], span: Span) -> R<Val> {
        let size = values.first().and_then(|&size| self.as_integer(size));
        let cond = match size {
            Some(1 | 2 | 4 | 8) => self.program.exprs.bool(true),
            _ if action == "always_lock_free" => self.program.exprs.bool(false),
            _ => {
                self.assume(span, Granted::LockFree);
                let bit = self.temp(Ty::BOOL, false);
                self.emit(Op::Havoc { var: bit, source: HavocSource::Unmodelled });
                self.program.exprs.var(bit)
            }
        };
        let e = self.program.exprs.cast(CastOp::ZExt, Ty::Int(8), cond);
        Ok(Val { e, ty: self.types.int(IntKind::Bool) })
    }
}

/// The name of a builtin, taken apart.
struct Call<'n> {
    action: &'n str,
    /// Values are given as such, not by address.
    by_value: bool,
    /// clang's functions behind `<stdatomic.h>`.
    c11: bool,
}

impl<'n> Call<'n> {
    fn new(name: &'n str) -> Self {
        let (rest, c11, sync) = if let Some(rest) = name.strip_prefix("__sync_") {
            (rest, false, true)
        } else if let Some(rest) = name.strip_prefix("__c11_atomic_") {
            (rest, true, false)
        } else {
            (name.strip_prefix("__atomic_").unwrap_or(name), false, false)
        };
        let sized = ["_n", "_1", "_2", "_4", "_8", "_16"].iter().find_map(|suffix| rest.strip_suffix(suffix));
        Call { action: sized.unwrap_or(rest), by_value: sized.is_some() || c11 || sync, c11 }
    }

    /// The operation of `fetch_and_add`, `add_and_fetch`, `fetch_add`, `add_fetch`; whether the new value is wanted.
    fn operator(&self) -> Option<(Fetch, bool)> {
        let (op, new) = if let Some(op) = self.action.strip_prefix("fetch_") {
            (op.strip_prefix("and_").unwrap_or(op), false)
        } else {
            let op = self.action.strip_suffix("_fetch")?;
            (op.strip_suffix("_and").unwrap_or(op), true)
        };
        let op = match op {
            "add" => Fetch::Op(BinOp::Add),
            "sub" => Fetch::Op(BinOp::Sub),
            "or" => Fetch::Op(BinOp::Or),
            "and" => Fetch::Op(BinOp::And),
            "xor" => Fetch::Op(BinOp::Xor),
            "nand" => Fetch::Nand,
            _ => return None,
        };
        Some((op, new))
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Fetch {
    Op(BinOp),
    Nand,
}
