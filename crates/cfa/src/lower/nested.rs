//! Nested functions (GNU C).
//!
//! A nested function is a function of its own with one more parameter, the *chain*: the address of the *frame* of the
//! activation around it. A frame is a local object of the enclosing function with slots of eight bytes:
//!
//! | slot | holds |
//! |---|---|
//! | parent | the enclosing function's own chain |
//! | object | the address of a variable that a nested function uses |
//! | variable | a value that does not change while the function is called: the size or address of an array |
//! | taken | whether this activation handed out the address of one of its nested functions |
//!
//! Slots of objects are filled when the enclosing function starts, those of variables before each call, when they are
//! known. So every activation of a recursive function has its own variables.
//!
//! The address of a nested function is that of a second function, which has no chain and takes it from a global. That
//! global belongs to the activation that took the address first, until it returns; if another activation wants it
//! meanwhile, that is not supported.

use super::function::FnState;
use super::scope::Sym;
use super::types::{CType, IntKind, TypeId};
use super::{Lower, R};
use crate::ir::{BinOp, Callee, ExprId, FuncId, Idx, Image, ObjId, ObjectKind, Op, Ty, VarId, VarKind};
use robusto_syntax::ast::FunctionDef;
use robusto_syntax::{Diagnostic, Span, Symbol};

/// What is known of a nested function.
pub(super) struct Nested {
    /// The function around it.
    parent: FuncId,
    /// The function that stands for its address.
    pointed: Option<Pointed>,
}

#[derive(Clone, Copy)]
struct Pointed {
    function: FuncId,
    /// The global that holds the chain.
    chain: ObjId,
}

/// The frame of a function that has nested functions.
pub struct Frame {
    obj: ObjId,
    slots: Vec<Slot>,
    /// A nested function was called before its body was seen.
    called_early: bool,
}

/// What a slot of a frame holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Slot {
    Parent,
    Object(ObjId),
    Var(VarId),
    /// Of the global that holds the chain.
    Taken(ObjId),
}

const SLOT_BYTES: u64 = 8;

impl<'a> Lower<'a, '_> {
    /// A function definition inside a function.
    pub(super) fn nested_function(&mut self, def: &FunctionDef<'a>) -> R<()> {
        let Some(name) = def.declarator.name else { return Ok(()) };
        let ty = self.definition_type(def)?;
        let span = def.declarator.span;
        let id = self.declare_nested(name, ty, span)?;
        if self.fun.quiet {
            return Ok(()); // only the type of an expression around it is wanted
        }
        if let Some(previous) = self.functions[id.index()].defined {
            let text = self.text(name).to_owned();
            let error = Diagnostic::error(span, format!("function `{text}` is defined twice"));
            return self.report(error.note(previous, "the other definition is here"));
        }
        let pos = self.pos(span);
        let info = &mut self.functions[id.index()];
        (info.defined, info.ty, info.used, info.lowered) = (Some(span), ty, true, true);
        self.program.functions[id].pos = pos;
        let outer = self.replace_function();
        self.enclosing.push(outer);
        let vars = self.begin(id, ty, pos);
        self.fun.name = Some(name);
        self.scopes.push();
        let result = self.parameters_and_body(def, &vars);
        self.scopes.pop();
        self.end(id);
        if let Some(outer) = self.enclosing.pop() {
            self.fun = outer;
        }
        result
    }

    /// Declares a nested function (`auto int f(int);`, or its definition) in the innermost scope.
    pub(super) fn declare_nested(&mut self, name: Symbol, ty: TypeId, span: Span) -> R<FuncId> {
        match self.scopes.lookup_here(name) {
            Some((Sym::Function(id), _)) if self.nested.contains_key(&id) => return Ok(id),
            Some((_, previous)) => {
                let text = self.text(name).to_owned();
                let error = Diagnostic::error(span, format!("`{text}` is declared twice in this block"));
                return self.report(error.note(previous, "the other declaration is here"));
            }
            None => {}
        }
        let outer = self.program.functions[self.fun.builder.id].name.to_string();
        let full = self.unused_name(format!("{outer}.{}", self.text(name)));
        let id = self.new_function(full, ty, true, span);
        self.nested.insert(id, Nested { parent: self.fun.builder.id, pointed: None });
        self.scopes.declare(name, Sym::Function(id), span);
        if !self.fun.quiet && self.fun.frame.is_none() {
            let ty = self.slots_type(1);
            let kind = ObjectKind::Local(self.fun.builder.id);
            let obj = self.new_object("frame", ty, kind, SLOT_BYTES, self.fun.pos);
            self.fun.frame = Some(Frame { obj, slots: vec![Slot::Parent], called_early: false });
        }
        Ok(id)
    }

    fn unused_name(&mut self, text: String) -> Symbol {
        let mut name = text.clone();
        let mut number = 1;
        while self.program.function_named(&name).is_some() {
            number += 1;
            name = format!("{text}${number}");
        }
        self.names.intern(&name)
    }

    fn slots_type(&mut self, slots: usize) -> TypeId {
        let word = self.types.int(IntKind::ULongLong);
        self.types.array(word, Some(slots as u64))
    }

    fn replace_function(&mut self) -> FnState {
        let void = self.types.void();
        std::mem::replace(&mut self.fun, FnState::scratch(FuncId::FIRST, void))
    }

    /// The function around the current one that owns an object, if that is not the current one.
    pub(super) fn owner_of_object(&self, obj: ObjId) -> Option<FuncId> {
        match self.program.objects[obj].kind {
            ObjectKind::Local(owner) if owner != self.fun.builder.id && !self.enclosing.is_empty() => Some(owner),
            _ => None,
        }
    }

    /// The function around the current one that owns a variable, if that is not the current one.
    fn owner_of_var(&self, var: VarId) -> Option<FuncId> {
        match self.program.vars[var].kind {
            VarKind::Param(owner) | VarKind::Local(owner) | VarKind::Temp(owner)
                if owner != self.fun.builder.id && !self.enclosing.is_empty() =>
            {
                Some(owner)
            }
            _ => None,
        }
    }

    /// The address of an object of a function around the current one.
    pub(super) fn captured_object(&mut self, owner: FuncId, obj: ObjId) -> ExprId {
        self.obj_addr(obj);
        self.captured(owner, Slot::Object(obj), Ty::Ptr)
    }

    /// The value of a variable, which may be one of a function around the current one.
    pub(super) fn var_here(&mut self, var: VarId) -> ExprId {
        match self.owner_of_var(var) {
            Some(owner) => {
                let ty = self.program.vars[var].ty;
                self.captured(owner, Slot::Var(var), ty)
            }
            None => self.program.exprs.var(var),
        }
    }

    fn captured(&mut self, owner: FuncId, slot: Slot, ty: Ty) -> ExprId {
        let at = self.slot_address(owner, slot);
        self.program.exprs.load(ty, at)
    }

    /// Where a slot of the frame of the current function, or of one around it, lies.
    fn slot_address(&mut self, owner: FuncId, slot: Slot) -> ExprId {
        // Where nothing is kept there is no frame; the type is all that matters.
        let quiet = self.fun.quiet;
        let Some(frame) = self.frame_of(owner).filter(|_| !quiet) else { return self.program.exprs.null() };
        let early = frame.called_early;
        let (index, new) = match frame.slots.iter().position(|s| *s == slot) {
            Some(index) => (index, false),
            None => {
                frame.slots.push(slot);
                (frame.slots.len() - 1, true)
            }
        };
        if new && early && matches!(slot, Slot::Var(_)) {
            self.unsupported("a nested function that uses an array of variable size and is called before its body");
        }
        let base = self.frame_address(owner);
        self.offset_by(base, index as u64 * SLOT_BYTES)
    }

    fn frame_of(&mut self, owner: FuncId) -> Option<&mut Frame> {
        if self.fun.builder.id == owner {
            return self.fun.frame.as_mut();
        }
        self.enclosing.iter_mut().find(|f| f.builder.id == owner)?.frame.as_mut()
    }

    /// The address of the frame of the current function, or of one around it: the chain is followed.
    fn frame_address(&mut self, owner: FuncId) -> ExprId {
        if self.fun.builder.id == owner {
            return match &self.fun.frame {
                Some(frame) => {
                    let obj = frame.obj;
                    self.obj_addr(obj)
                }
                None => self.program.exprs.null(),
            };
        }
        let Some(chain) = self.fun.chain else { return self.program.exprs.null() };
        let mut address = self.program.exprs.var(chain);
        for outer in self.enclosing.iter().rev() {
            if outer.builder.id == owner {
                break;
            }
            address = self.program.exprs.load(Ty::Ptr, address);
        }
        address
    }

    /// The chain for a call of this function, if it is a nested one.
    pub(super) fn chain_argument(&mut self, id: FuncId) -> Option<ExprId> {
        let parent = self.nested.get(&id)?.parent;
        if self.fun.quiet {
            return Some(self.program.exprs.null());
        }
        let unseen = self.functions[id.index()].defined.is_none();
        if let Some(frame) = self.frame_of(parent) {
            frame.called_early |= unseen;
        }
        self.refresh(parent);
        Some(self.frame_address(parent))
    }

    /// Fills the slots of variables, if the frame is the current function's.
    fn refresh(&mut self, parent: FuncId) {
        if self.fun.builder.id != parent {
            return;
        }
        let slots = self.fun.frame.as_ref().map(|f| f.slots.clone()).unwrap_or_default();
        for slot in slots {
            if let Slot::Var(var) = slot {
                let addr = self.slot_address(parent, slot);
                let value = self.program.exprs.var(var);
                self.emit(Op::Store { addr, value });
            }
        }
    }

    /// The address of a function as a value.
    pub(super) fn function_address(&mut self, id: FuncId) -> ExprId {
        let Some(parent) = self.nested.get(&id).map(|n| n.parent) else { return self.func_addr(id) };
        if self.fun.quiet {
            // Not a constant, so no static initialiser may have it.
            let null = self.program.exprs.null();
            return self.program.exprs.load(Ty::Ptr, null);
        }
        let CType::Function(function) = self.types.get(self.functions[id.index()].ty) else {
            return self.func_addr(id);
        };
        if !function.prototype && self.functions[id.index()].defined.is_none() {
            self.unsupported("the address of a nested function before its parameters are known");
        }
        let pointed = self.pointed_function(id);
        self.refresh(parent);
        self.take_chain(parent, pointed.chain);
        self.func_addr(pointed.function)
    }

    /// Makes the current activation the owner of the global with the chain.
    fn take_chain(&mut self, parent: FuncId, global: ObjId) {
        let (check, free, busy, end) = (self.location(), self.location(), self.location(), self.location());
        let taken = self.slot_address(parent, Slot::Taken(global));
        let is_taken = self.is_set(taken);
        self.branch(is_taken, end, check);
        self.fun.at = check;
        let addr = self.obj_addr(global);
        let (null, chain) = (self.program.exprs.null(), self.program.exprs.load(Ty::Ptr, addr));
        let unowned = self.program.exprs.binary(BinOp::Eq, chain, null);
        self.branch(unowned, free, busy);
        self.fun.at = busy;
        self.unsupported("the address of a nested function, taken by two activations of the function around it");
        self.fun.at = free;
        let value = self.frame_address(parent);
        self.emit(Op::Store { addr, value });
        let value = self.program.exprs.int(64, 1);
        self.emit(Op::Store { addr: taken, value });
        self.label_here(end);
    }

    fn is_set(&mut self, taken: ExprId) -> ExprId {
        let (flag, zero) = (self.program.exprs.load(Ty::Int(64), taken), self.program.exprs.int(64, 0));
        self.program.exprs.binary(BinOp::Ne, flag, zero)
    }

    /// The function that stands for the address of a nested one.
    fn pointed_function(&mut self, id: FuncId) -> Pointed {
        if let Some(pointed) = self.nested.get(&id).and_then(|n| n.pointed) {
            return pointed;
        }
        let text = self.program.functions[id].name.to_string();
        let (ty, pos) = (self.functions[id.index()].ty, self.fun.pos);
        let span = self.functions[id.index()].defined.unwrap_or_default();
        let name = self.unused_name(format!("{text}.address"));
        let function = self.new_function(name, ty, true, span);
        let void = self.types.void();
        let pointer = self.types.pointer(void);
        let kind = ObjectKind::Global(Image::default());
        let chain = self.new_object(&format!("{text}.chain"), pointer, kind, 1, pos);
        self.objects[chain.index()].defined = Some(span);
        let pointed = Pointed { function, chain };
        if let Some(nested) = self.nested.get_mut(&id) {
            nested.pointed = Some(pointed);
        }
        let info = &mut self.functions[function.index()];
        (info.defined, info.used, info.lowered) = (Some(span), true, true);
        let outer = self.replace_function();
        self.begin(function, ty, pos);
        let ret = self.fun.ret;
        let result = self.result_var(ret);
        let mut args: Vec<ExprId> = Vec::new();
        for param in self.fun.builder.header.params.clone() {
            args.push(self.program.exprs.var(param));
        }
        let addr = self.obj_addr(chain);
        args.push(self.program.exprs.load(Ty::Ptr, addr));
        self.emit(Op::Call { result, callee: Callee::Direct(id), args: args.into() });
        let value = result.map(|var| self.program.exprs.var(var));
        self.emit_return(value);
        self.end(function);
        self.fun = outer;
        pointed
    }

    /// At the end of a function: its frame is filled where it starts, and given up where it returns.
    pub(super) fn close_frame(&mut self) {
        let Some(slots) = self.fun.frame.as_ref().map(|f| f.slots.clone()) else { return };
        let owner = self.fun.builder.id;
        for edge in self.fun.builder.take_returns() {
            (self.fun.at, self.fun.pos) = (edge.src, edge.pos);
            for &slot in &slots {
                if let Slot::Taken(global) = slot {
                    let (give, end) = (self.location(), self.location());
                    let taken = self.slot_address(owner, slot);
                    let is_taken = self.is_set(taken);
                    self.branch(is_taken, give, end);
                    self.fun.at = give;
                    let (addr, value) = (self.obj_addr(global), self.program.exprs.null());
                    self.emit(Op::Store { addr, value });
                    self.label_here(end);
                }
            }
            let at = self.fun.at;
            self.fun.builder.edge(at, edge.dst, edge.op, edge.pos);
        }
        let body = self.fun.builder.header.entry;
        let entry = self.location();
        self.fun.builder.header.entry = entry;
        (self.fun.at, self.fun.pos) = (entry, self.fun.builder.header.pos);
        for &slot in &slots {
            let value = match (slot, self.fun.chain) {
                (Slot::Parent, Some(chain)) => self.program.exprs.var(chain),
                (Slot::Object(obj), _) => self.obj_addr(obj),
                (Slot::Taken(_), _) => self.program.exprs.int(64, 0),
                (Slot::Parent, None) | (Slot::Var(_), _) => continue,
            };
            let addr = self.slot_address(owner, slot);
            self.emit(Op::Store { addr, value });
        }
        self.jump(body);
        if let Some(frame) = &self.fun.frame {
            let obj = frame.obj;
            let ty = self.slots_type(slots.len());
            self.objects[obj.index()].ty = ty;
            self.program.objects[obj].size = slots.len() as u64 * SLOT_BYTES;
        }
    }
}
