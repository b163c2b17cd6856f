//! Function bodies.

use super::library::is_error_function;
use super::scope::{LevelId, ScopeEnds, ScopeVariables, Sym};
use super::types::{CType, FunctionType, TypeId};
use super::{FnInfo, Lower, R, Val};
use crate::ir::{
    FuncId, FunctionBuilder, HavocSource, Idx, LocId, ObjId, ObjectKind, Op, SrcPos, Ty, Var, VarId, VarKind,
};
use robusto_syntax::ast::{DeclaratorPart, Expr, ExprKind, FunctionDef, Params};
use robusto_syntax::{Span, Symbol};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The function being lowered.
pub struct FnState {
    /// Its automaton so far.
    pub builder: FunctionBuilder,
    /// The current location.
    pub at: LocId,
    /// Source position of the edges to come.
    pub pos: SrcPos,
    /// Number of temporaries so far.
    pub temps: u32,
    /// Nothing of this is kept: a type or a constant is computed.
    pub quiet: bool,
    /// Only constants are allowed (prototypes, file scope).
    pub constant_only: bool,
    /// A scratch state inside a function body, where local variables may be mentioned.
    pub in_function_scratch: bool,
    /// Undefined arithmetic is not checked here.
    pub unchecked: bool,
    /// What the compiler may or may not know counts as not known: a constant is required.
    pub settled: bool,
    /// Return type.
    pub ret: TypeId,
    /// Address that takes a struct result.
    pub ret_address: Option<VarId>,
    /// Address of the variable arguments.
    pub varargs: Option<VarId>,
    /// Name, for `__func__`.
    pub name: Option<Symbol>,
    /// How many scopes are open outside the function.
    pub outer_scopes: usize,
    /// Targets of `break`, innermost last, each with the number of scopes open there.
    pub breaks: Vec<(LocId, usize)>,
    /// Targets of `continue`, likewise.
    pub continues: Vec<(LocId, usize)>,
    /// Enclosing `switch` statements, innermost last.
    pub switches: Vec<Switch>,
    /// Labels.
    pub labels: FxHashMap<Symbol, LabelState>,
    /// Jumps to labels.
    pub gotos: Vec<PendingGoto>,
    /// Labels whose address is taken, in order, with their addresses; `goto *e` chooses among them.
    pub label_addresses: Vec<(Symbol, Span, u64)>,
    /// Labels that a block declares (`__label__`), innermost last: depth of the scope, name, and the name that it has
    /// in `labels`.
    pub local_labels: Vec<(usize, Symbol, Symbol)>,
    /// The frame for nested functions.
    pub frame: Option<super::nested::Frame>,
    /// In a nested function, the address of the frame of the function around it.
    pub chain: Option<VarId>,
    /// Where all `goto *e` go, with the variable that holds the target.
    pub computed_goto: Option<(LocId, VarId)>,
    /// The scopes around each `goto *e`.
    pub computed_from: Vec<Vec<LevelId>>,
    /// An enclosing operator has settled the order of what is lowered now.
    pub planned: bool,
    /// Values of expressions that were evaluated ahead, by their place in the arena.
    pub held: FxHashMap<usize, Val>,
    /// Number of enclosing choices between orders.
    pub choices: u32,
    /// A call of whose result only the sign is used.
    pub sign_only: Option<Span>,
    /// A call of whose result is only used whether it is zero.
    pub truth_only: Option<Span>,
}

/// A label: its location, whether it was defined, and where it was first used.
pub struct LabelState {
    /// The location.
    pub loc: LocId,
    /// Whether the label stands in the function.
    pub defined: bool,
    /// First mention.
    pub span: Span,
    /// The scopes around it where something happens at the end, as far as they are declared there.
    pub ends: Vec<ScopeEnds>,
    /// The scopes around it that declare variables before it.
    pub variables: Vec<ScopeVariables>,
}

/// A `goto`: what happens on the way to its label, out of scopes and into others, is known when the function ends.
pub struct PendingGoto {
    /// The label.
    pub label: Symbol,
    /// Where it starts.
    pub at: LocId,
    /// Where it stands.
    pub pos: SrcPos,
    /// The scopes around it where something happens at the end, innermost first.
    pub ends: Vec<ScopeEnds>,
    /// The scopes around it.
    pub scopes: Vec<LevelId>,
}

/// A `switch` being lowered.
pub struct Switch {
    /// Cases in order: lowest and highest value, target.
    pub cases: Vec<(i128, i128, Entrance)>,
    /// The cases by their lowest values: highest value, where it stands.
    pub taken: BTreeMap<i128, (i128, Span)>,
    /// Target of `default`.
    pub default: Option<Entrance>,
    /// Type of the controlling expression.
    pub ty: TypeId,
    /// How many scopes are open outside of its body.
    pub depth: usize,
}

/// A place in the body of a `switch` to which it jumps.
#[derive(Clone)]
pub struct Entrance {
    /// The place.
    pub loc: LocId,
    /// The variables whose declarations the jump passes.
    pub passed: Vec<ObjId>,
}

impl FnState {
    /// A state for computing types and constants; nothing of it is kept.
    pub fn scratch(id: FuncId, void: TypeId) -> Self {
        let builder = FunctionBuilder::new(id, "", SrcPos::default());
        let mut state = Self::new(builder, void);
        state.quiet = true;
        state.constant_only = true;
        state
    }

    fn new(builder: FunctionBuilder, ret: TypeId) -> Self {
        Self {
            at: builder.header.entry,
            pos: builder.header.pos,
            builder,
            temps: 0,
            quiet: false,
            constant_only: false,
            in_function_scratch: false,
            unchecked: false,
            settled: false,
            ret,
            ret_address: None,
            varargs: None,
            name: None,
            outer_scopes: 0,
            breaks: Vec::new(),
            continues: Vec::new(),
            switches: Vec::new(),
            labels: FxHashMap::default(),
            gotos: Vec::new(),
            label_addresses: Vec::new(),
            local_labels: Vec::new(),
            frame: None,
            chain: None,
            computed_goto: None,
            computed_from: Vec::new(),
            planned: false,
            held: FxHashMap::default(),
            choices: 0,
            sign_only: None,
            truth_only: None,
        }
    }
}

impl<'a> Lower<'a, '_> {
    /// Runs `f` on a scratch function; returns also whether it left edges.
    pub(super) fn in_scratch<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> (T, bool) {
        let mut scratch = FnState::scratch(self.fun.builder.id, self.fun.ret);
        scratch.name = self.fun.name;
        scratch.in_function_scratch = self.fun.in_function_scratch || !self.fun.constant_only;
        scratch.unchecked = self.fun.unchecked;
        scratch.settled = self.fun.settled;
        scratch.varargs = self.fun.varargs;
        scratch.chain = self.fun.chain;
        scratch.local_labels.clone_from(&self.fun.local_labels);
        // The addresses of labels in a static initialiser are the function's.
        scratch.label_addresses = std::mem::take(&mut self.fun.label_addresses);
        let outer = std::mem::replace(&mut self.fun, scratch);
        let result = f(self);
        let scratch = std::mem::replace(&mut self.fun, outer);
        self.fun.label_addresses = scratch.label_addresses;
        (result, scratch.builder.num_edges() > 0)
    }

    /// Starts the automaton of a function: parameters by the calling convention. Returns the parameter variables that
    /// stand for the C parameters.
    pub(super) fn begin(&mut self, id: FuncId, ty: TypeId, pos: SrcPos) -> Vec<VarId> {
        let CType::Function(function) = self.types.get(ty).clone() else { return Vec::new() };
        let name = self.program.functions[id].name.clone();
        self.fun = FnState::new(FunctionBuilder::new(id, &name, pos), function.ret);
        let param = |lower: &mut Self, name: &str, ty: Ty, signed: bool| {
            lower.new_var(Var { name: name.into(), ty, signed, kind: VarKind::Param(id), pos })
        };
        if self.types.is_aggregate(function.ret) {
            self.fun.ret_address = Some(param(self, "result", Ty::Ptr, false));
        }
        let mut params = Vec::new();
        for (i, &ty) in function.params.iter().enumerate() {
            let signed = self.types.is_signed(ty);
            let value = self.types.value_ty(ty).unwrap_or(Ty::Ptr);
            params.push(param(self, &format!("arg{}", i + 1), value, signed));
        }
        if function.variadic {
            self.fun.varargs = Some(param(self, "varargs", Ty::Ptr, false));
        }
        if self.nested.contains_key(&id) {
            self.fun.chain = Some(param(self, "chain", Ty::Ptr, false));
        }
        self.fun.builder.header.ret = self.types.value_ty(function.ret);
        params
    }

    pub(super) fn end(&mut self, id: FuncId) {
        self.close_frame();
        let void = self.types.void();
        let done = std::mem::replace(&mut self.fun, FnState::scratch(FuncId::FIRST, void));
        self.program.functions[id] = done.builder.finish();
    }

    /// Lowers a function definition.
    pub(super) fn function_body(&mut self, def: &FunctionDef<'a>) -> R<()> {
        let Some(name) = def.declarator.name else { return Ok(()) };
        let Some(Sym::Function(id)) = self.scopes.lookup(name) else { return Ok(()) };
        let info = &mut self.functions[id.index()];
        if info.lowered || info.defined != Some(def.declarator.span) {
            return Ok(()); // an inline definition that another one replaces
        }
        info.lowered = true;
        let ty = info.ty;
        let pos = self.pos(def.declarator.span);
        let vars = self.begin(id, ty, pos);
        self.fun.name = Some(name);
        self.fun.outer_scopes = self.scopes.depth();
        self.scopes.push();
        let result = self.parameters_and_body(def, &vars);
        self.scopes.pop();
        self.end(id);
        result
    }

    pub(super) fn parameters_and_body(&mut self, def: &FunctionDef<'a>, vars: &[VarId]) -> R<()> {
        let Some(DeclaratorPart::Function(params)) = def.declarator.parts.first() else { return Ok(()) };
        self.bind_parameters(def, params, vars)?;
        self.at_span(def.declarator.span);
        // Errors in a body are reported statement by statement.
        self.block_items(def.body.stmts);
        self.at_span(Span::new(def.body.span.hi.saturating_sub(1), def.body.span.hi));
        self.fall_off_end();
        self.check_labels()
    }

    fn bind_parameters(&mut self, def: &FunctionDef<'a>, params: &Params<'a>, vars: &[VarId]) -> R<()> {
        if params.prototype {
            for (param, &var) in params.params.iter().zip(vars) {
                let ty = self.parameter(param)?;
                if let Some(name) = param.declarator.name {
                    self.bind_parameter(name, ty, var, param.declarator.span);
                }
            }
            return Ok(());
        }
        for (&name, &var) in params.kr_names.iter().zip(vars) {
            let (ty, span) = self.kr_parameter(def, name)?;
            self.bind_parameter(name, ty, var, span);
        }
        Ok(())
    }

    /// The declared type of a K&R parameter.
    pub(super) fn kr_parameter(&mut self, def: &FunctionDef<'a>, name: Symbol) -> R<(TypeId, Span)> {
        for declaration in def.kr_params {
            if let Some(d) = declaration.declarators.iter().find(|d| d.declarator.name == Some(name)) {
                let base = self.specifiers(&declaration.specs, false)?;
                let ty = self.declarator(base, &d.declarator)?.ty;
                return Ok((self.adjust_parameter(ty), d.declarator.span));
            }
        }
        Ok((self.types.int(super::types::IntKind::Int), def.declarator.span))
    }

    fn bind_parameter(&mut self, name: Symbol, ty: TypeId, var: VarId, span: Span) {
        let text = self.text(name).to_owned();
        let pos = self.pos(span);
        self.program.vars[var].name = text.as_str().into();
        self.program.vars[var].pos = pos;
        self.fun.pos = pos;
        if self.types.is_aggregate(ty) {
            // The caller made a copy; the parameter is that memory.
            return self.scopes.declare(name, Sym::Vla(var, ty), span);
        }
        let obj = self.new_object(&text, ty, ObjectKind::Local(self.fun.builder.id), 1, pos);
        self.scopes.declare(name, Sym::Object(obj), span);
        let addr = self.obj_addr(obj);
        let value = self.program.exprs.var(var);
        self.emit(Op::Store { addr, value });
    }

    fn fall_off_end(&mut self) {
        let value = match self.fun.builder.header.ret {
            None => None,
            Some(ty) if self.fun.name.is_some_and(|n| self.text(n) == "main") => Some(self.program.exprs.zero(ty)),
            Some(ty) => {
                let var = self.temp(ty, true);
                self.emit(Op::Havoc { var, source: HavocSource::Undefined });
                Some(self.program.exprs.var(var))
            }
        };
        self.leave_function();
        self.emit_return(value);
    }

    /// An edge to the exit.
    pub(super) fn emit_return(&mut self, value: Option<crate::ir::ExprId>) {
        let (at, exit, pos) = (self.fun.at, self.fun.builder.header.exit, self.fun.pos);
        self.fun.builder.edge(at, exit, Op::Return { value }, pos);
        self.fun.at = self.fun.builder.location();
    }

    /// The function that a pointer to this one points to: itself, unless calling it is an error. Then it is one that makes
    /// it so, and calls it.
    pub(super) fn error_by_pointer(&mut self, id: FuncId) -> FuncId {
        let FnInfo { name, ty, .. } = self.functions[id.index()];
        let text = self.text(name);
        if text == "__errno_location" && !self.in_model && !self.fun.quiet {
            self.pending.errno_is_used = true;
        }
        let text = self.text(name);
        if !is_error_function(text) && (self.in_model || !self.does_more_by_name(text)) {
            return id;
        }
        let symbol = format!("{text}$pointer");
        if let Some(&known) = self.by_pointer.get(&id) {
            return known;
        }
        let symbol = self.names.intern(&symbol);
        let pos = self.program.functions[id].pos;
        self.functions[id.index()].used = true;
        let wrapper = self.new_function(symbol, ty, true, Span::default());
        self.program.functions[wrapper].pos = pos;
        self.by_pointer.insert(id, wrapper);
        wrapper
    }

    /// The function that is called when a pointer points to this one.
    pub(super) fn called_by_pointer(&self, id: FuncId) -> FuncId {
        self.by_pointer.iter().find(|(_, wrapper)| **wrapper == id).map_or(id, |(&called, _)| called)
    }

    /// Gives a function without a body an automaton: it does what a call by name does.
    pub(super) fn stub(&mut self, id: FuncId) -> R<()> {
        let called = self.called_by_pointer(id);
        let ty = self.functions[id.index()].ty;
        let CType::Function(function) = self.types.get(ty).clone() else { return Ok(()) };
        let pos = self.program.functions[id].pos;
        let vars = self.begin(id, ty, pos);
        self.scopes.push();
        // What stands for a call by name is the program's.
        let in_model = self.in_model;
        self.in_model &= called == id;
        let result = self.call_by_name(id, called, &function, &vars);
        self.in_model = in_model;
        self.scopes.pop();
        self.end(id);
        result
    }

    fn call_by_name(&mut self, id: FuncId, called: FuncId, function: &FunctionType, vars: &[VarId]) -> R<()> {
        let arena = self.arena;
        let mut args: Vec<Expr<'a>> = Vec::new();
        for (i, (&ty, &var)) in function.params.iter().zip(vars).enumerate() {
            let name = self.names.intern(&format!("arg{}", i + 1));
            self.bind_parameter(name, ty, var, Span::default());
            args.push(Expr { kind: ExprKind::Ident(name), span: Span::default() });
        }
        let name = self.functions[called.index()].name;
        let text = self.text(name).to_owned();
        let defined = self.functions[called.index()].defined.is_some();
        let plain = text.strip_prefix("__builtin_").unwrap_or(&text);
        // What has variable arguments is handed over as a list, to the function that takes it so.
        let by_list = if function.variadic { variadic_by_list(plain) } else { None };
        let value = if let Some(by_list) = by_list {
            let list = self.names.intern("arguments");
            if let Some(var) = self.fun.varargs {
                let (var, ty) = self.own_va_list(var);
                self.bind_parameter(list, ty, var, Span::default());
            }
            args.push(Expr { kind: ExprKind::Ident(list), span: Span::default() });
            let symbol = self.names.intern(by_list);
            let callee = arena.alloc(Expr { kind: ExprKind::Ident(symbol), span: Span::default() });
            self.call(callee, arena.alloc_slice_copy(&args), Span::default())?
        } else if called != id {
            self.direct_call(called, &args, Span::default())?
        } else {
            match self.known_call(&text, defined, id, &args, Span::default())? {
                Some(value) => value,
                None => {
                    self.fun.builder.header.external = true;
                    let values: Vec<Val> = function
                        .params
                        .iter()
                        .zip(vars)
                        .map(|(&ty, &var)| Val { e: self.program.exprs.var(var), ty })
                        .collect();
                    self.external_effects(id, function, (&values, &[]), Span::default())
                }
            }
        };
        let value = match (self.fun.ret_address, self.fun.builder.header.ret) {
            (Some(address), _) => {
                let dst = self.program.exprs.var(address);
                self.copy_aggregate(dst, value);
                None
            }
            (None, Some(_)) => Some(self.convert(value, function.ret, Span::default())?.e),
            (None, None) => None,
        };
        self.emit_return(value);
        Ok(())
    }
}

/// The function that does the same with a list of arguments.
fn variadic_by_list(name: &str) -> Option<&'static str> {
    Some(match name {
        "printf" => "vprintf",
        "fprintf" => "vfprintf",
        "sprintf" => "vsprintf",
        "snprintf" => "vsnprintf",
        "scanf" => "vscanf",
        "fscanf" => "vfscanf",
        "sscanf" => "vsscanf",
        _ => return None,
    })
}
