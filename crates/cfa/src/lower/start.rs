//! Before and after `main`.
//!
//! Most programs start at `main`. Where something happens before or after it, a function of ours is the start: it gives
//! external objects and weak symbols their values, runs constructors, calls `main` and ends the program as `exit` does.
//! Without a `main` it calls the function that is asked for, with made-up arguments (`entry`).
//!
//! Constructors run by ascending priority, those without priority last, and in the order of their definitions (as GCC and
//! its linker arrange them); destructors in the opposite order, after what `atexit` registered.

use super::types::{CType, FunctionType, IntKind};
use super::{FnInfo, Lower};
use crate::ir::{
    BinOp, Callee, Edge, Expr, ExprId, FuncId, Function, Granted, HavocSource, Idx, Image, LocId, ObjId, Object,
    ObjectKind, Op, RelocTarget, SrcPos, Ty,
};
use robusto_syntax::Span;

/// Bytes of an array that is declared without a size and defined nowhere.
const UNSIZED: u64 = 1 << 16;

impl<'a> Lower<'a, '_> {
    /// Sets where the program starts.
    pub(super) fn set_start(&mut self) {
        if self.entry.is_some() {
            if let Some(function) = self.entry_function() {
                self.size_undefined_arrays();
                self.find_weak_references();
                let (undefined, constructors) = (self.undefined_objects(), self.in_order(&self.symbols.constructors));
                self.start_function(function, &undefined, &constructors);
            }
            return self.exit_body();
        }
        let main = self.names.get("main").and_then(|name| self.linked_functions.get(&name)).copied();
        self.program.main = main.filter(|m| self.functions[m.index()].lowered);
        if let Some(main) = self.program.main {
            self.start_at(main);
        }
        self.exit_body();
    }

    fn start_at(&mut self, main: FuncId) {
        self.size_undefined_arrays();
        self.find_weak_references();
        let undefined = self.undefined_objects();
        let constructors = self.in_order(&self.symbols.constructors);
        let needed = !constructors.is_empty()
            || !self.symbols.destructors.is_empty()
            || !self.symbols.addresses.is_empty()
            || !self.symbols.ifuncs.is_empty()
            || self.symbols.unknown_start.is_some()
            || self.exit_handlers().is_some()
            || !undefined.is_empty() && (self.is_called(main) || undefined.iter().any(|&obj| self.has_bools(obj)));
        if needed {
            self.start_function(main, &undefined, &constructors);
        } else if !undefined.is_empty() {
            self.havoc_before(main, &undefined);
        }
    }

    fn start_function(&mut self, main: FuncId, undefined: &[ObjId], constructors: &[FuncId]) {
        let pos = self.program.functions[main].pos;
        let ty = match self.entry.is_some() {
            true => self.nullary(),
            false => self.functions[main.index()].ty,
        };
        let start = self.own_function("_start", ty, pos);
        let params = self.begin(start, ty, pos);
        for &param in &self.program.functions[main].params.clone() {
            let name = self.program.vars[param].name.clone();
            let at = self.program.functions[main].params.iter().position(|&p| p == param);
            if let Some(&own) = at.and_then(|at| self.fun.builder.header.params.get(at)) {
                self.program.vars[own].name = name;
            }
        }
        for &obj in undefined {
            let op = self.havoc_object(obj);
            self.emit(op);
            let (ty, at) = (self.objects[obj.index()].ty, self.obj_addr(obj));
            self.settle_bools(at, ty, HavocSource::Unmodelled);
        }
        self.choose_addresses();
        self.run_resolvers();
        if let Some(what) = self.symbols.unknown_start.clone() {
            self.unsupported(&what);
        }
        let args: Vec<ExprId> = params.iter().map(|&param| self.program.exprs.var(param)).collect();
        for &constructor in constructors {
            self.call_with(constructor, &args);
        }
        if self.entry.is_some() {
            // Nothing is over: what the function has left belongs to its caller.
            self.call_entry(main);
            self.emit_end(Op::Halt { status: None });
            self.end(start);
            self.program.main = Some(start);
            return;
        }
        let value = self.call_with(main, &args);
        if self.exit_function().is_none() && self.exit_handlers().is_none() {
            self.emit_return(value);
        } else {
            let int = self.types.int(IntKind::Int);
            let status = value.filter(|&value| self.program.exprs.ty(value) == Ty::Int(32));
            let status = status.unwrap_or_else(|| self.havoc_value(int, HavocSource::Undefined).e);
            self.emit_exit(status);
        }
        self.end(start);
        self.program.main = Some(start);
    }

    /// `void (void)`
    fn nullary(&mut self) -> super::types::TypeId {
        let ret = self.types.void();
        let function = FunctionType { ret, params: Box::new([]), variadic: false, prototype: true };
        self.types.intern(CType::Function(function))
    }

    /// A function of ours.
    fn own_function(&mut self, name: &str, ty: super::types::TypeId, pos: SrcPos) -> FuncId {
        let mut text = name.to_owned();
        while self.program.function_named(&text).is_some() {
            text.push('_');
        }
        let id = self.program.functions.push(Function::header(&text, pos));
        let name = self.names.intern(&text);
        let defined = Some(Span::default());
        self.functions.push(FnInfo { ty, name, defined, noreturn: false, pure: false, lowered: true, used: true });
        id
    }

    /// Functions in the order in which they run; only those that are defined do.
    fn in_order(&self, functions: &[(i128, FuncId)]) -> Vec<FuncId> {
        let mut order: Vec<(i128, Span, FuncId)> = functions
            .iter()
            .filter_map(|&(priority, id)| self.functions[id.index()].defined.map(|span| (priority, span, id)))
            .collect();
        order.sort();
        let mut order: Vec<FuncId> = order.into_iter().map(|(.., id)| id).collect();
        let mut seen = Vec::new();
        order.retain(|&id| {
            let first = !seen.contains(&id);
            seen.push(id);
            first
        });
        order
    }

    // ---- the end --------------------------------------------------------------------------------------------------

    /// The model that runs what `atexit` registered, if the program registers something.
    fn exit_handlers(&self) -> Option<FuncId> {
        let name = self.names.get("__robusto_run_exit_handlers")?;
        self.linked_functions.get(&name).copied().filter(|id| self.functions[id.index()].lowered)
    }

    /// The function that runs the destructors and ends the program; `None` if there are none.
    pub(super) fn exit_function(&mut self) -> Option<FuncId> {
        if self.symbols.destructors.is_empty() {
            return None;
        }
        if self.symbols.exit.is_none() {
            let (ret, int) = (self.types.void(), self.types.int(IntKind::Int));
            let function = FunctionType { ret, params: Box::new([int]), variadic: false, prototype: true };
            let ty = self.types.intern(CType::Function(function));
            self.symbols.exit = Some(self.own_function("__robusto_exit", ty, SrcPos::default()));
        }
        self.symbols.exit
    }

    /// Once the destructors run, a further `exit` ends the program at once.
    fn exit_body(&mut self) {
        let Some(id) = self.symbols.exit else { return };
        let ty = self.functions[id.index()].ty;
        let params = self.begin(id, ty, SrcPos::default());
        let status = self.program.exprs.var(params[0]);
        let int = self.types.int(IntKind::Int);
        let exiting = self.static_object("__robusto_exiting", int);
        let exiting = self.obj_addr(exiting);
        let value = self.program.exprs.load(Ty::Int(32), exiting);
        let (zero, one) = (self.program.exprs.int(32, 0), self.program.exprs.int(32, 1));
        let first = self.program.exprs.binary(BinOp::Eq, value, zero);
        let (run, end) = (self.location(), self.location());
        self.branch(first, run, end);
        self.fun.at = run;
        self.emit(Op::Store { addr: exiting, value: one });
        for destructor in self.in_order(&self.symbols.destructors).into_iter().rev() {
            self.call_with(destructor, &[]);
        }
        self.label_here(end);
        self.emit_end(Op::Halt { status: Some(status) });
        self.end(id);
    }

    // ---- symbols --------------------------------------------------------------------------------------------------

    pub(super) fn static_object(&mut self, name: &str, ty: super::types::TypeId) -> ObjId {
        let obj = self.new_object(name, ty, ObjectKind::Global(Image::default()), 1, SrcPos::default());
        self.objects[obj.index()].defined = Some(Span::default());
        obj
    }

    /// The address of a weak symbol that no file defines: null, or that of something unknown.
    pub(super) fn weak_address(&mut self, target: RelocTarget) -> ExprId {
        let known = self.symbols.addresses.iter().find(|(known, _)| *known == target).map(|&(_, slot)| slot);
        let slot = match known {
            Some(slot) => slot,
            None => {
                let name = match target {
                    RelocTarget::Function(id) => self.program.functions[id].name.clone(),
                    RelocTarget::Object(obj) => self.program.objects[obj].name.clone(),
                };
                let pos = match target {
                    RelocTarget::Function(id) => self.program.functions[id].pos,
                    RelocTarget::Object(obj) => {
                        self.objects[obj.index()].used = true;
                        self.program.objects[obj].pos
                    }
                };
                self.assume_at(pos, Granted::WeakAddress { name: name.to_string() });
                let void = self.types.void();
                let pointer = self.types.pointer(void);
                let slot = self.static_object(&format!("&{name}"), pointer);
                self.symbols.addresses.push((target, slot));
                slot
            }
        };
        let slot = self.obj_addr(slot);
        self.program.exprs.load(Ty::Ptr, slot)
    }

    /// Weak symbols that the initial values of variables mention.
    fn find_weak_references(&mut self) {
        for (_, _, target, _) in self.weak_references() {
            self.weak_address(target);
        }
    }

    pub(super) fn assume_at(&mut self, pos: SrcPos, kind: Granted) {
        self.noted.add(None, kind, pos);
    }

    /// Where initial values point to weak symbols without definition: object, offset, target, addend.
    fn weak_references(&self) -> Vec<(ObjId, u64, RelocTarget, i64)> {
        let mut found = Vec::new();
        for (obj, object) in self.program.objects.enumerate() {
            let ObjectKind::Global(image) = &object.kind else { continue };
            for relocation in &image.relocations {
                let weak = match relocation.target {
                    RelocTarget::Function(id) => self.is_weak_function(id),
                    RelocTarget::Object(obj) => self.is_weak_object(obj),
                };
                if weak {
                    found.push((obj, relocation.offset, relocation.target, relocation.addend));
                }
            }
        }
        found
    }

    fn choose_addresses(&mut self) {
        for (target, slot) in self.symbols.addresses.clone() {
            let address = match target {
                RelocTarget::Function(id) => self.func_addr(id),
                RelocTarget::Object(obj) => self.obj_addr(obj),
            };
            let var = self.temp(Ty::BOOL, false);
            self.emit(Op::Havoc { var, source: HavocSource::Unmodelled });
            let cond = self.program.exprs.var(var);
            let (exists, after) = (self.location(), self.location());
            self.branch(cond, exists, after);
            self.fun.at = exists;
            let slot = self.obj_addr(slot);
            self.emit(Op::Store { addr: slot, value: address });
            self.label_here(after);
        }
        for (obj, offset, target, addend) in self.weak_references() {
            let address = self.weak_address(target);
            let base = self.obj_addr(obj);
            let addr = self.offset_by(base, offset);
            let bits = self.model().pointer_bits();
            let addend = self.program.exprs.int(bits, addend.into());
            let value = self.program.exprs.binary(BinOp::PtrAdd, address, addend);
            self.emit(Op::Store { addr, value });
        }
    }

    /// Asks what the functions with the attribute `ifunc` are, and gives them their bodies.
    fn run_resolvers(&mut self) {
        for (id, resolver) in self.symbols.ifuncs.clone() {
            let void = self.types.void();
            let pointer = self.types.pointer(void);
            let name = format!("&{}", self.program.functions[id].name);
            let slot = self.static_object(&name, pointer);
            let addr = self.obj_addr(slot);
            let value = self.call_with(resolver, &[]).filter(|&value| self.program.exprs.ty(value) == Ty::Ptr);
            match value {
                Some(value) => self.emit(Op::Store { addr, value }),
                None => self.unsupported("a resolver that returns no pointer"),
            }
            self.forwarding_body(id, addr);
        }
    }

    /// A function that calls the one whose address is stored somewhere.
    fn forwarding_body(&mut self, id: FuncId, slot: ExprId) {
        let (ty, pos) = (self.functions[id.index()].ty, self.program.functions[id].pos);
        let void = self.types.void();
        let outer = std::mem::replace(&mut self.fun, super::function::FnState::scratch(FuncId::FIRST, void));
        self.begin(id, ty, pos);
        let params = self.fun.builder.header.params.clone();
        let args: Vec<ExprId> = params.into_iter().map(|param| self.program.exprs.var(param)).collect();
        let result = self.result_var(self.fun.ret);
        let callee = Callee::Indirect(self.program.exprs.load(Ty::Ptr, slot), None);
        self.emit(Op::Call { result, callee, args: args.into() });
        let value = result.map(|var| self.program.exprs.var(var));
        self.emit_return(value);
        self.end(id);
        self.functions[id.index()].lowered = true;
        self.fun = outer;
    }

    /// Bodies that say that a function is not supported.
    pub(super) fn unsupported_bodies(&mut self) {
        for (id, what) in std::mem::take(&mut self.symbols.unsupported) {
            let (ty, pos) = (self.functions[id.index()].ty, self.program.functions[id].pos);
            self.begin(id, ty, pos);
            self.unsupported(&what);
            self.end(id);
            self.functions[id.index()].lowered = true;
        }
    }

    // ---- external objects -----------------------------------------------------------------------------------------

    /// Objects that are declared but defined nowhere; they have any content when the program starts.
    fn undefined_objects(&self) -> Vec<ObjId> {
        let undefined = |obj: &ObjId| {
            let (info, object) = (&self.objects[obj.index()], &self.program.objects[*obj]);
            info.used && info.defined.is_none() && matches!(object.kind, ObjectKind::Global(_)) && object.size > 0
        };
        self.program.objects.ids().filter(undefined).collect()
    }

    /// Arrays that are declared without a size and defined nowhere, alone or at the end of a struct, get one; nobody knows the real one.
    /// What is defined has the size of its type, so a local struct has no room behind it for its flexible member.
    fn size_undefined_arrays(&mut self) {
        for obj in self.program.objects.ids() {
            let info = self.objects[obj.index()];
            let global = matches!(self.program.objects[obj].kind, ObjectKind::Global(_));
            if !info.used || info.defined.is_some() || !global {
                continue;
            }
            let (of, flexible) = match *self.types.get(info.ty) {
                CType::Array(of, None) if self.program.objects[obj].size == 0 => (of, false),
                CType::Record(_) => match self.flexible_member(info.ty, 0) {
                    Some((_, of)) => (of, true),
                    None => continue,
                },
                _ => continue,
            };
            let elem = self.types.size(of).unwrap_or(1).max(1);
            let count = (UNSIZED / elem).max(1);
            self.program.objects[obj].size += count * elem;
            if !flexible {
                self.objects[obj.index()].ty = self.types.array(of, Some(count));
            }
            let Object { name, pos, .. } = &self.program.objects[obj];
            let kind = Granted::ExternalSize { name: name.to_string(), count: count.to_string() };
            self.noted.add(None, kind, *pos);
        }
    }

    fn havoc_object(&mut self, obj: ObjId) -> Op {
        let object = &self.program.objects[obj];
        let (pos, name, size) = (object.pos, object.name.clone(), object.size);
        self.assume_at(pos, Granted::ExternalObject { name: name.to_string() });
        let (addr, size) = (self.obj_addr(obj), self.program.exprs.size(size));
        self.fun.pos = pos;
        Op::HavocMem { addr, size, source: HavocSource::Unmodelled }
    }

    /// Whether the program itself may call this function.
    fn is_called(&self, id: FuncId) -> bool {
        let called = |edge: &Edge| matches!(edge.op, Op::Call { callee: Callee::Direct(callee), .. } if callee == id);
        let stored = |obj: ObjId| match &self.program.objects[obj].kind {
            ObjectKind::Global(image) | ObjectKind::Constant(image) => {
                image.relocations.iter().any(|r| r.target == RelocTarget::Function(id))
            }
            ObjectKind::Local(_) => false,
        };
        self.program.functions.ids().any(|f| self.program.functions[f].edges().iter().any(called))
            || self.program.exprs.ids().any(|e| self.program.exprs.get(e) == Expr::FuncAddr(id))
            || self.program.objects.ids().any(stored)
    }

    /// Puts the content of external objects before the body of `main`, which nobody calls.
    fn havoc_before(&mut self, main: FuncId, undefined: &[ObjId]) {
        let header = Function::header("", SrcPos::default());
        let mut function = std::mem::replace(&mut self.program.functions[main], header);
        let mut locations = function.num_locs();
        let mut edges = function.take_edges();
        let mut at = function.entry;
        for &obj in undefined.iter().rev() {
            let op = self.havoc_object(obj);
            let before = LocId::new(locations);
            locations += 1;
            edges.push(Edge { src: before, dst: at, op, pos: self.fun.pos });
            at = before;
        }
        function.entry = at;
        self.program.functions[main] = crate::ir::rebuild(function, locations, edges);
    }
}
