//! Calls.

use super::order::{self, Operand};
use super::place::Place;
use super::scope::Sym;
use super::types::{CType, FunctionType, TypeId};
use super::{Lower, R, Val, models};
use crate::ir::{Callee, ErrorKind, ExprId, FuncId, HavocSource, Idx, ObjectKind, Op, Ty};
use robusto_syntax::ast::{Expr, ExprKind};
use robusto_syntax::{Diagnostic, Span};

impl<'a> Lower<'a, '_> {
    /// A call.
    pub(super) fn call(&mut self, callee: &Expr<'a>, args: &[Expr<'a>], span: Span) -> R<Val> {
        if let ExprKind::Ident(name) = callee.kind
            && !order::evaluates_arguments(self.text(name))
        {
            return self.call_planned(callee, args, span);
        }
        let operands: Vec<Operand<'_, 'a>> = std::iter::once(callee).chain(args).map(Operand::Value).collect();
        self.unsequenced(&operands, span, |lower| lower.call_planned(callee, args, span))
    }

    fn call_planned(&mut self, callee: &Expr<'a>, args: &[Expr<'a>], span: Span) -> R<Val> {
        if let ExprKind::Ident(name) = callee.kind {
            let function = match self.scopes.lookup(name) {
                Some(Sym::Function(id)) => Some(id),
                None if super::atomics::is_atomic(self.text(name)) => return self.atomic(name, args, span),
                None => Some(self.declare_implicitly(name, callee.span)),
                Some(_) => None,
            };
            if let Some(id) = function {
                return self.direct_call(id, args, span);
            }
        }
        let pointer = self.rvalue(callee)?;
        let Some(function) = self.types.as_function(pointer.ty).cloned() else {
            let text = self.types.describe(pointer.ty);
            return self.error(callee.span, format!("a value of type `{text}` cannot be called"));
        };
        // The callee is known after all: `(*f)(x)`, `(&f)(x)`. Through a cast, the pointer's type counts.
        if let crate::ir::Expr::FuncAddr(id) = self.program.exprs.get(pointer.e)
            && let CType::Pointer(to) = *self.types.get(pointer.ty)
        {
            if self.types.compatible(to, self.functions[id.index()].ty) {
                let id = self.called_by_pointer(id);
                return self.direct_call(id, args, span);
            }
            if self.checks.calls || self.passes_otherwise(&function, self.functions[id.index()].ty) {
                return self.incompatible_call(id, &function, args, span);
            }
        }
        if !function.prototype && function.params.is_empty() && !function.variadic && !args.is_empty() {
            return self.call_without_prototype(pointer, function.ret, args, span);
        }
        let outside = self.function_outside(pointer.ty);
        let (args, result_at) = self.arguments(&function, args, span)?;
        self.emit_call(Callee::Indirect(pointer.e, outside), &function, args, result_at, span)
    }

    /// A call through a pointer to a function of which no parameters are known: the arguments have the types of default promotions.
    fn call_without_prototype(&mut self, pointer: Val, ret: TypeId, args: &[Expr<'a>], span: Span) -> R<Val> {
        let result_at = self.types.is_aggregate(ret).then(|| self.temp_object(ret));
        let mut values: Vec<ExprId> = result_at.into_iter().collect();
        let mut params = Vec::new();
        for (i, arg) in args.iter().enumerate() {
            let value = self.rvalue(arg)?;
            let value = self.promote_argument(value, arg.span)?;
            let value = args[i + 1..].iter().fold(value, |value, next| self.hold_before(value, next));
            params.push(value.ty.unqualified());
            values.push(self.pass(value));
        }
        let function = FunctionType { ret, params: params.into(), variadic: false, prototype: true };
        let ty = self.types.intern(CType::Function(function.clone()));
        let ty = self.types.pointer(ty);
        let outside = self.function_outside(ty);
        self.emit_call(Callee::Indirect(pointer.e, outside), &function, values, result_at, span)
    }

    /// Whether a call by one type of function hands over something else than a function of the other type takes, so that even the
    /// machine gives it no meaning: a struct for a pointer, or too few arguments.
    fn passes_otherwise(&self, call: &FunctionType, called: TypeId) -> bool {
        let CType::Function(called) = self.types.get(called) else { return true };
        let is_struct = |&ty: &TypeId| self.types.is_aggregate(ty);
        let differ = |(a, b): (&TypeId, &TypeId)| is_struct(a) != is_struct(b);
        is_struct(&call.ret) != is_struct(&called.ret)
            || call.prototype
                && called.prototype
                && (call.params.len() < called.params.len() || call.params.iter().zip(&called.params).any(differ))
    }

    /// A call of a function as if it had another type, with which its own is not compatible (C17 6.5.2.2 paragraph 9).
    fn incompatible_call(&mut self, id: FuncId, function: &FunctionType, args: &[Expr<'a>], span: Span) -> R<Val> {
        self.evaluate(args)?;
        self.at_span(span);
        if self.checks.calls {
            self.emit_end(Op::Error(ErrorKind::Deref));
        } else {
            let name = self.text(self.functions[id.index()].name).to_owned();
            self.unsupported(&format!("call of `{name}` through a pointer of a type that is not compatible with it"));
        }
        Ok(self.any_value(function.ret, HavocSource::Undefined))
    }

    pub(super) fn direct_call(&mut self, id: FuncId, args: &[Expr<'a>], span: Span) -> R<Val> {
        let info = &self.functions[id.index()];
        let name = self.text(info.name).to_owned();
        let defined = info.defined.is_some();
        if let Some(value) = self.known_call(&name, defined, id, args, span)? {
            return Ok(value);
        }
        if let Some(value) = self.unknown_builtin(id, &name, args, span)? {
            return Ok(value);
        }
        let info = &self.functions[id.index()];
        let (defined, ty) = (info.defined, info.ty);
        let CType::Function(mut function) = self.types.get(ty).clone() else {
            return self.error(span, "this is not a function");
        };
        // The call may see `f()` only, and the definition with its parameters comes later.
        function.prototype &= defined.is_none_or(|definition| definition.lo < span.lo);
        if defined.is_none() && !self.nested.contains_key(&id) {
            return self.external_call(id, &function, args, span);
        }
        if !self.fun.quiet {
            self.functions[id.index()].used = true;
        }
        let too_few = !function.prototype && !function.variadic && args.len() < function.params.len();
        if too_few && self.checks.arguments {
            // What does not fit is found where calls through pointers are looked at.
            let e = self.program.exprs.intern(crate::ir::Expr::FuncAddr(id));
            let pointer = Val { e, ty: self.types.pointer(ty) };
            return self.call_without_prototype(pointer, function.ret, args, span);
        }
        let (args, result_at) = self.arguments(&function, args, span)?;
        self.emit_call(Callee::Direct(id), &function, args, result_at, span)
    }

    /// A builtin that neither the compiler part nor a model knows: the library function of that name if it is declared,
    /// else nothing that could be relied on.
    fn unknown_builtin(&mut self, id: FuncId, name: &str, args: &[Expr<'a>], span: Span) -> R<Option<Val>> {
        let Some(plain) = name.strip_prefix("__builtin_") else { return Ok(None) };
        if self.functions[id.index()].defined.is_some() || models::source(name).is_some() {
            return Ok(None);
        }
        if let Some(&known) = self.names.get(plain).and_then(|symbol| self.linked_functions.get(&symbol)) {
            return self.direct_call(known, args, span).map(Some);
        }
        self.evaluate(args)?;
        self.at_span(span);
        self.unsupported(&format!("call of `{name}`"));
        let ret = match self.types.get(self.functions[id.index()].ty) {
            CType::Function(f) => f.ret,
            _ => self.types.int(super::types::IntKind::Int),
        };
        Ok(Some(self.any_of(ret)))
    }

    /// `__builtin_strlen` is `strlen`, unless a model defines it by its full name.
    pub(super) fn plain_function(&mut self, id: FuncId, name: &str) -> FuncId {
        let Some(plain) = name.strip_prefix("__builtin_") else { return id };
        match models::source(plain) {
            Some(text) if !text.contains(&format!("{name}(")) => {
                let symbol = self.names.intern(plain);
                if let Some(&known) = self.linked_functions.get(&symbol) {
                    return known;
                }
                let ty = self.functions[id.index()].ty;
                let known = self.declare_implicitly(symbol, Span::default());
                self.functions[known.index()].ty = ty;
                known
            }
            _ => id,
        }
    }

    /// Evaluates arguments by the calling convention; also the address that takes a struct result.
    pub(super) fn arguments(
        &mut self,
        function: &FunctionType,
        args: &[Expr<'a>],
        span: Span,
    ) -> R<(Vec<ExprId>, Option<ExprId>)> {
        if function.prototype
            && (args.len() < function.params.len() || args.len() > function.params.len() && !function.variadic)
        {
            let wanted = function.params.len();
            return self.error(span, format!("the function takes {wanted} arguments, the call has {}", args.len()));
        }
        let mut values = Vec::with_capacity(args.len() + 2);
        let result_at = self.types.is_aggregate(function.ret).then(|| self.temp_object(function.ret));
        values.extend(result_at);
        for (i, (arg, &ty)) in args.iter().zip(function.params.iter()).enumerate() {
            let value = self.rvalue(arg)?;
            let value = self.convert(value, ty, arg.span)?;
            let value = args[i + 1..].iter().fold(value, |value, next| self.hold_before(value, next));
            values.push(self.pass(value));
        }
        // A call without prototype may give fewer arguments than the definition takes.
        for &ty in function.params.iter().skip(args.len()) {
            let value = self.havoc_value(ty, HavocSource::Undefined);
            values.push(value.e);
        }
        let rest = args.get(function.params.len()..).unwrap_or_default();
        if function.variadic {
            values.push(self.variable_arguments(rest)?);
        } else {
            for arg in rest {
                self.effect(arg)?;
            }
        }
        Ok((values, result_at))
    }

    /// A value as an argument; a struct is copied first.
    fn pass(&mut self, value: Val) -> ExprId {
        if !self.types.is_aggregate(value.ty) {
            return value.e;
        }
        let copy = self.temp_object(value.ty);
        self.copy_aggregate(copy, value);
        copy
    }

    /// Stores variable arguments in an array of slots; gives its address.
    fn variable_arguments(&mut self, args: &[Expr<'a>]) -> R<ExprId> {
        // The variable arguments of this function, passed on.
        if let Some(varargs) = self.fun.varargs
            && args.last().is_some_and(|last| self.is_pack(last))
        {
            if args.len() > 1 {
                self.evaluate(&args[..args.len() - 1])?;
                self.unsupported("`__builtin_va_arg_pack` after other variable arguments");
            }
            return Ok(self.program.exprs.var(varargs));
        }
        let mut values = Vec::new();
        for arg in args {
            let value = self.rvalue(arg)?;
            values.push((self.promote_argument(value, arg.span)?, arg.span));
        }
        let total: u64 = values.iter().map(|(v, _)| self.slot_size(v.ty)).sum();
        if total == 0 {
            return Ok(self.program.exprs.null());
        }
        let word = self.types.int(super::types::IntKind::ULongLong);
        let ty = self.types.array(word, Some(total / 8));
        self.fun.temps += 1;
        let name = format!("t{}", self.fun.temps);
        let obj = self.new_object(&name, ty, ObjectKind::Local(self.fun.builder.id), 16, self.fun.pos);
        let base = self.obj_addr(obj);
        let mut offset = 0;
        for (value, _) in values {
            let addr = self.offset_by(base, offset);
            offset += self.slot_size(value.ty);
            let passed = self.pass(value);
            self.emit(Op::Store { addr, value: passed });
        }
        Ok(base)
    }

    fn is_pack(&self, e: &Expr<'a>) -> bool {
        let ExprKind::Call(callee, _) = e.kind else { return false };
        matches!(callee.kind, ExprKind::Ident(name) if self.text(name) == "__builtin_va_arg_pack")
    }

    pub(super) fn emit_call(
        &mut self,
        callee: Callee,
        function: &FunctionType,
        args: Vec<ExprId>,
        result_at: Option<ExprId>,
        span: Span,
    ) -> R<Val> {
        self.at_span(span);
        let result = self.result_var(function.ret);
        let chain = if let Callee::Direct(id) = callee { self.chain_argument(id) } else { None };
        let args = args.into_iter().chain(chain).collect();
        self.emit(Op::Call { result, callee, args });
        Ok(match result_at {
            Some(address) => Val { e: address, ty: function.ret },
            None => self.var_value(result, function.ret),
        })
    }

    /// Evaluates one argument and converts it to the type that a library function's parameter has.
    pub(super) fn argument(&mut self, args: &[Expr<'a>], index: usize, ty: Ty, span: Span) -> R<ExprId> {
        use super::types::{FloatKind, IntKind};
        let Some(arg) = args.get(index) else {
            return Ok(self.missing_argument(ty, index, span));
        };
        let target = match ty {
            Ty::Ptr => {
                let void = self.types.void();
                self.types.pointer(void)
            }
            Ty::F32 => self.types.float(FloatKind::Float),
            Ty::F64 => self.types.float(FloatKind::Double),
            Ty::F80 => self.types.float(FloatKind::LongDouble),
            Ty::Int(8) => self.types.int(IntKind::UChar),
            Ty::Int(16) => self.types.int(IntKind::UShort),
            Ty::Int(32) => self.types.int(IntKind::Int),
            Ty::Int(128) => self.types.int(IntKind::UInt128),
            Ty::Int(_) => self.types.int(IntKind::ULongLong),
        };
        let value = self.rvalue(arg)?;
        Ok(self.convert(value, target, arg.span)?.e)
    }

    /// A library function that is declared without prototype may be called with too few arguments; they have any value.
    pub(super) fn missing_argument(&mut self, ty: Ty, index: usize, span: Span) -> ExprId {
        if !self.fun.quiet {
            let text = format!("this call needs at least {} arguments", index + 1);
            self.diagnostics.push(Diagnostic::warning(span, text));
        }
        let var = self.temp(ty, false);
        self.emit(Op::Havoc { var, source: HavocSource::Undefined });
        self.program.exprs.var(var)
    }

    /// The place that a pointer argument points to.
    pub(super) fn pointed(&mut self, arg: &Expr<'a>) -> R<Place> {
        let pointer = self.rvalue(arg)?;
        let pointer = self.capture(pointer);
        self.deref(pointer, arg.span)
    }
}
