//! Functions without a body: what the world outside of the program may do when it is called.
//!
//! The result is any value. What else changes is a matter of [`Externs`]. With `Args`, the default, everything that can be
//! reached from the arguments through pointers to non-const types may have any content afterwards, and functions that are
//! handed over may be called, any number of times. Pointers are followed by their types, inner ones before outer ones,
//! since the callee may use the old ones before it overwrites them.
//!
//! A type may say less than the truth: behind a `void *`, or in the object around a member, there may be pointers that are
//! not followed here. So each pointer that is handed over is one `escape` step, with how much behind it has been followed;
//! where points-to analysis knows of further pointers there, that step becomes an unsupported one (`engine/border.rs`).
//!
//! A pointer that leads on without end (a list) or to an unknown number of pointers is not followed; where it is not null,
//! the call is not supported.

use super::types::{CType, FunctionType, IntKind, RecordId, TypeId};
use super::{Externs, Lower, R, Val};
use crate::ir::{
    BinOp, Builtin, Callee, CastOp, Expr as Node, ExprId, FuncId, Granted, HavocSource, Idx, LocId, ObjId, ObjectKind,
    Op, Program, Ty,
};
use robusto_syntax::Span;
use robusto_syntax::ast::{Expr, ExprKind};

/// Most pointers that are followed one behind the other, and most pointers of one array.
const DEPTH: usize = 2;
const WIDTH: u64 = 16;

/// Most truth values of an external object that are told to be 0 or 1.
const BOOLS: usize = 64;

/// Who writes, and through which of its arguments (from 1; 0 if by way of further pointers).
#[derive(Clone, Copy)]
struct Writer<'n> {
    id: FuncId,
    name: &'n str,
    argument: u8,
    /// What it was given.
    given: &'n [Val],
}

impl<'a> Lower<'a, '_> {
    /// A call to a function without a body.
    pub(super) fn external_call(
        &mut self,
        id: FuncId,
        function: &FunctionType,
        args: &[Expr<'a>],
        span: Span,
    ) -> R<Val> {
        let mut values = Vec::with_capacity(args.len());
        let mut numbers = Vec::new();
        for (i, arg) in args.iter().enumerate() {
            let value = self.rvalue(arg)?;
            // What is behind a `void *` is known by the argument's own type.
            let to_void = function.params.get(i).is_some_and(|&to| self.is_void_pointer(to));
            let value = match function.params.get(i) {
                Some(&to) if !(to_void && self.is_pointer(value.ty)) => self.convert(value, to, arg.span)?,
                Some(&to) => self.without_const(value, to),
                None => value,
            };
            let value = self.capture(value);
            numbers.extend(self.address_as_number(arg, value)?);
            values.push(value);
        }
        self.at_span(span);
        Ok(self.external_effects(id, function, (&values, &numbers), span))
    }

    /// The pointer of an argument that is written as a number (`(unsigned long)&x`).
    fn address_as_number(&mut self, arg: &Expr<'a>, value: Val) -> R<Option<Val>> {
        let ExprKind::Cast(_, inner) = arg.kind else { return Ok(None) };
        let pointer = self.decayed_type_of(inner)?;
        if !self.is_pointer(pointer) || self.types.as_int(value.ty).is_none() {
            return Ok(None);
        }
        let e = self.program.exprs.cast(CastOp::IntToPtr, Ty::Ptr, value.e);
        Ok((self.program.exprs.ty(value.e) == self.model().size_ty()).then_some(Val { e, ty: pointer }))
    }

    /// What a function without a body does with these arguments, and with addresses that are among them as numbers; and its result.
    pub(super) fn external_effects(
        &mut self,
        id: FuncId,
        function: &FunctionType,
        (args, numbers): (&[Val], &[Val]),
        span: Span,
    ) -> Val {
        let info = &self.functions[id.index()];
        let (noreturn, pure) = (info.noreturn, info.pure);
        let name = self.text(info.name).to_owned();
        if !self.fun.quiet {
            self.functions[id.index()].used = true;
        }
        if self.symbols.twice.contains(&id) {
            self.unsupported(&format!("call of `{name}`, which may return twice"));
            return self.any_of(function.ret);
        }
        // The convention of `pure` speaks of functions by their names.
        let by_pointer = self.outside.values().any(|&outside| outside == id);
        let externs = if by_pointer && self.externs == Externs::Pure { Externs::Args } else { self.externs };
        let kind = match externs {
            Externs::Unknown => {
                self.unsupported(&format!("external function `{name}` (--extern unknown)"));
                return self.any_of(function.ret);
            }
            _ if noreturn => Granted::ExternalEnds { name: name.clone() },
            _ if pure => Granted::ExternalPure { name: name.clone() },
            Externs::Pure => Granted::ExternalNothing { name: name.clone() },
            Externs::Args => Granted::ExternalArguments { name: name.clone() },
            Externs::All => Granted::ExternalGlobals { name: name.clone() },
        };
        self.assume(span, kind);
        if !pure && externs != Externs::Pure {
            for (i, &arg) in args.iter().enumerate() {
                let writer = Writer { id, name: &name, argument: u8::try_from(i + 1).unwrap_or(0), given: args };
                self.hand_over(writer, arg);
            }
            for &number in numbers {
                self.hand_over(Writer { id, name: &name, argument: 0, given: args }, number);
            }
            if externs == Externs::All {
                self.escape_globals(id);
            }
        }
        if noreturn {
            self.end_outside(id);
            return self.any_of(function.ret);
        }
        self.any_value(function.ret, HavocSource::External(id))
    }

    /// A function without a body ends the program: at once, or as `exit` does if that runs something.
    fn end_outside(&mut self, id: FuncId) {
        let registers = ["atexit", "on_exit", "__cxa_atexit"].iter().any(|name| self.names.get(name).is_some());
        if registers || !self.symbols.destructors.is_empty() {
            let (exit, end) = (self.location(), self.location());
            self.choose(id, exit, end);
            self.fun.at = exit;
            let status = self.types.int(IntKind::Int);
            let status = self.any_value(status, HavocSource::External(id));
            self.emit_exit(status.e);
            self.fun.at = end;
        }
        self.emit_end(Op::Halt { status: None });
    }

    /// What a function outside of the program does that a pointer of this type leads to: the same as any without a body, under
    /// `--extern pure` what `args` says. If it is ever called is a matter of points-to analysis (`engine/border`).
    pub(super) fn function_outside(&mut self, pointer: TypeId) -> Option<FuncId> {
        let CType::Pointer(function) = *self.types.get(pointer) else { return None };
        if self.fun.quiet || self.externs == Externs::Unknown {
            return None;
        }
        if let Some(&known) = self.outside.get(&function) {
            return Some(known);
        }
        let text = self.types.describe(pointer.unqualified());
        let name = self.names.intern(&text);
        let id = self.new_function(name, function, false, Span::default());
        self.functions[id.index()].used = true;
        self.outside.insert(function, id);
        Some(id)
    }

    /// Marks the functions that pointers from outside may lead to, if there are calls through such. Also an address that leaves no trace in
    /// the automata, as an argument of a function without a body, counts.
    pub(super) fn mark_handed_out(&mut self) {
        if self.outside.is_empty() {
            return;
        }
        let Program { exprs, functions, .. } = &mut self.program;
        for id in exprs.ids() {
            if let Node::FuncAddr(function) = exprs.get(id) {
                let function = &mut functions[function];
                function.handed_out = !function.external && !function.edges().is_empty();
            }
        }
    }

    /// Any value that a type has; a `_Bool` is 0 or 1.
    pub(super) fn any_value(&mut self, ty: TypeId, source: HavocSource) -> Val {
        if self.types.as_int(ty) != Some(IntKind::Bool) {
            return self.havoc_value(ty, source);
        }
        let var = self.temp(Ty::BOOL, false);
        self.emit(Op::Havoc { var, source });
        let bit = self.program.exprs.var(var);
        Val { e: self.program.exprs.cast(CastOp::ZExt, Ty::Int(8), bit), ty }
    }

    fn is_pointer(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), CType::Pointer(_))
    }

    fn is_void_pointer(&self, ty: TypeId) -> bool {
        matches!(*self.types.get(ty), CType::Pointer(to) if matches!(self.types.get(to), CType::Void))
    }

    /// A pointer whose target is `const` if the parameter's is, or its own.
    fn without_const(&mut self, value: Val, parameter: TypeId) -> Val {
        let (&CType::Pointer(to), &CType::Pointer(wanted)) = (self.types.get(value.ty), self.types.get(parameter))
        else {
            return value;
        };
        let to = if wanted.is_const() { self.types.qualified(to, true, false) } else { to.unqualified() };
        Val { e: value.e, ty: self.types.pointer(to) }
    }

    /// A branch: runs `then` where the condition holds.
    fn when(&mut self, cond: ExprId, then: impl FnOnce(&mut Self)) {
        let (yes, end) = (self.location(), self.location());
        self.branch(cond, yes, end);
        self.fun.at = yes;
        then(self);
        self.label_here(end);
    }

    /// A function that is handed over may be called any number of times, with any arguments; where one is a pointer, with
    /// the pointers that were handed over too.
    fn callback(&mut self, id: FuncId, pointer: Val, function: &FunctionType, given: &[Val]) {
        let (head, again, end) = (self.location(), self.location(), self.location());
        self.label_here(head);
        self.choose(id, again, end);
        self.fun.at = again;
        let mut args = Vec::new();
        if self.types.is_aggregate(function.ret) {
            args.push(self.temp_object(function.ret));
        }
        for &param in &function.params {
            let any = self.any_value(param, HavocSource::External(id));
            if self.types.is_aggregate(param) || !self.is_pointer(param) {
                args.push(any.e);
                continue;
            }
            let chosen = self.temp(Ty::Ptr, false);
            self.assign_var(chosen, any.e);
            for value in given {
                if !self.is_pointer(value.ty) || self.types.as_function(value.ty).is_some() {
                    continue;
                }
                let (this, next) = (self.location(), self.location());
                self.choose(id, this, next);
                self.fun.at = this;
                self.assign_var(chosen, value.e);
                self.label_here(next);
            }
            args.push(self.program.exprs.var(chosen));
        }
        if function.variadic {
            args.push(self.program.exprs.null());
        }
        let result = self.result_var(function.ret);
        let null = self.program.exprs.null();
        let given = self.program.exprs.binary(BinOp::Ne, pointer.e, null);
        self.when(given, |lower| {
            lower.emit(Op::Call { result, callee: Callee::Indirect(pointer.e, None), args: args.into() });
        });
        self.jump(head);
        self.fun.at = end;
    }

    /// A choice of the outside.
    fn choose(&mut self, id: FuncId, yes: LocId, no: LocId) {
        let var = self.temp(Ty::BOOL, false);
        self.emit(Op::Havoc { var, source: HavocSource::External(id) });
        let cond = self.program.exprs.var(var);
        self.branch(cond, yes, no);
    }

    /// A value is handed over: a pointer, or a struct with pointers in it.
    fn hand_over(&mut self, writer: Writer<'_>, value: Val) {
        if self.is_pointer(value.ty) {
            self.escape(writer, value, &mut Vec::new());
        } else if self.types.is_aggregate(value.ty) {
            self.escape_parts(Writer { argument: 0, ..writer }, value.e, value.ty, &mut Vec::new());
        }
    }

    /// What a pointer reaches may change, and may be called. `outer` are the types on the way.
    fn escape(&mut self, writer: Writer<'_>, pointer: Val, outer: &mut Vec<TypeId>) {
        let CType::Pointer(to) = *self.types.get(pointer.ty) else { return };
        if let CType::Function(function) = self.types.get(to).clone() {
            return self.callback(writer.id, pointer, &function, writer.given);
        }
        let followed = self.leads_on(to, &mut Vec::new());
        if followed {
            let null = self.program.exprs.null();
            let given = self.program.exprs.binary(BinOp::Ne, pointer.e, null);
            self.when(given, |lower| {
                if outer.contains(&to.unqualified()) || outer.len() >= DEPTH || !lower.is_single(pointer, to) {
                    let name = writer.name;
                    return lower.unsupported(&format!(
                        "external function `{name}` gets a pointer to linked data or to an array of pointers, which it may change"
                    ));
                }
                lower.escape_parts(Writer { argument: 0, ..writer }, pointer.e, to, outer);
            });
        }
        if to.is_const() && self.names_plain_object(pointer.e) {
            return;
        }
        let function = self.func_addr_of(writer.id);
        let argument = self.program.exprs.int(8, writer.argument.into());
        let writes = self.program.exprs.bool(!to.is_const());
        let followed = if followed { self.types.size(to).unwrap_or(0) } else { 0 };
        let followed = self.program.exprs.size(followed);
        let args = [pointer.e, function, argument, writes, followed].into();
        self.emit(Op::Builtin { result: None, builtin: Builtin::Escape, args });
    }

    /// Whether an address is that of an object in which there are no pointers, by its type.
    fn names_plain_object(&self, e: ExprId) -> bool {
        let Node::ObjAddr(obj) = self.program.exprs.get(e) else { return false };
        !self.leads_on(self.objects[obj.index()].ty, &mut Vec::new())
    }

    /// The pointers in the value of a type that lies at an address.
    fn escape_parts(&mut self, writer: Writer<'_>, at: ExprId, ty: TypeId, outer: &mut Vec<TypeId>) {
        outer.push(ty.unqualified());
        let mut pointers = Vec::new();
        // A struct with many pointers, in which there are others, would make a call thousands of edges.
        let all = self.pointers_in(ty, 0, &mut pointers);
        if !all || pointers.len() as u64 > WIDTH {
            pointers.clear();
            let name = writer.name;
            self.unsupported(&format!(
                "external function `{name}` gets many pointers at once, behind which it may change something"
            ));
        }
        for (offset, ty) in pointers {
            let address = self.offset_by(at, offset);
            let e = self.program.exprs.load(Ty::Ptr, address);
            let inner = self.capture(Val { e, ty });
            self.escape(writer, inner, outer);
        }
        outer.pop();
    }

    /// Whether a pointer points to one object of a type, not to several of which some are pointers: a struct counts as one.
    fn is_single(&self, pointer: Val, to: TypeId) -> bool {
        if !self.is_pointer(to) {
            return true;
        }
        match self.program.exprs.get(pointer.e) {
            Node::ObjAddr(obj) => Some(self.program.objects[obj].size) == self.types.size(to),
            _ => false,
        }
    }

    /// Whether a value of a type holds pointers through which something can be written or called. A pointer to something
    /// constant of which the type says nothing may lead on, too. `outer` are the structs that have been looked at.
    fn leads_on(&self, ty: TypeId, outer: &mut Vec<RecordId>) -> bool {
        match *self.types.get(ty) {
            CType::Pointer(to) => {
                let open = match *self.types.get(to) {
                    CType::Function(_) | CType::Void => true,
                    CType::Record(record) => self.types.record(record).layout.is_none(),
                    _ => self.types.size(to) == Some(1),
                };
                open || !to.is_const() || self.leads_on(to, outer)
            }
            CType::Array(of, _) | CType::Vla(of, _) => self.leads_on(of, outer),
            CType::Record(record) if !outer.contains(&record) => {
                outer.push(record);
                let layout = self.types.record(record).layout.as_ref();
                layout.is_some_and(|l| l.fields.iter().any(|f| self.leads_on(f.ty, outer)))
            }
            _ => false,
        }
    }

    /// The pointers in a value of a type; whether that are all.
    fn pointers_in(&self, ty: TypeId, at: u64, found: &mut Vec<(u64, TypeId)>) -> bool {
        match *self.types.get(ty) {
            _ if !self.leads_on(ty, &mut Vec::new()) => true,
            CType::Pointer(_) => {
                found.push((at, ty.unqualified()));
                true
            }
            CType::Array(of, Some(len)) if len <= WIDTH => {
                let size = self.types.size(of).unwrap_or(0);
                (0..len).all(|i| self.pointers_in(of, at + i * size, found))
            }
            CType::Record(record) => {
                let Some(layout) = &self.types.record(record).layout else { return true };
                layout.fields.iter().all(|f| self.pointers_in(f.ty, at + f.offset, found))
            }
            _ => false,
        }
    }

    /// Makes each `_Bool` of an object that has any content 0 or 1, up to a number.
    pub(super) fn settle_bools(&mut self, at: ExprId, ty: TypeId, source: HavocSource) {
        let mut offsets = Vec::new();
        self.bools_in(ty, 0, &mut offsets);
        for offset in offsets {
            let address = self.offset_by(at, offset);
            let bool = self.types.int(IntKind::Bool);
            let value = self.any_value(bool, source);
            self.emit(Op::Store { addr: address, value: value.e });
        }
    }

    /// Whether an object has truth values.
    pub(super) fn has_bools(&self, obj: ObjId) -> bool {
        let mut found = Vec::new();
        self.bools_in(self.objects[obj.index()].ty, 0, &mut found);
        !found.is_empty()
    }

    fn bools_in(&self, ty: TypeId, at: u64, found: &mut Vec<u64>) {
        match *self.types.get(ty) {
            _ if found.len() >= BOOLS => {}
            CType::Int(IntKind::Bool) => found.push(at),
            CType::Array(of, Some(len)) => {
                let size = self.types.size(of).unwrap_or(0);
                (0..len.min(BOOLS as u64)).for_each(|i| self.bools_in(of, at + i * size, found));
            }
            CType::Record(record) => {
                let fields = self.types.record(record).layout.iter().flat_map(|l| &l.fields);
                fields.filter(|f| f.bits.is_none()).for_each(|f| self.bools_in(f.ty, at + f.offset, found));
            }
            _ => {}
        }
    }

    /// Objects with external linkage take any content.
    fn escape_globals(&mut self, id: FuncId) {
        let mut globals: Vec<_> = self.linked_objects.values().copied().collect();
        globals.sort_unstable();
        for obj in globals {
            let (ty, size) = (self.objects[obj.index()].ty, self.program.objects[obj].size);
            let elem = match *self.types.get(ty) {
                CType::Array(of, _) => of,
                _ => ty,
            };
            if elem.is_const() || size == 0 || !matches!(self.program.objects[obj].kind, ObjectKind::Global(_)) {
                continue;
            }
            let (addr, size) = (self.obj_addr(obj), self.program.exprs.size(size));
            self.emit(Op::HavocMem { addr, size, source: HavocSource::External(id) });
        }
    }
}
