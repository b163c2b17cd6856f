//! Library functions whose meaning is settled here.
//!
//! [`table`] says of every function how it is modelled; this module dispatches. `effects` are functions of which only
//! is known what they may change, `scan` is the family of `scanf`, `primitives` is what models in C are made of, and
//! `endings` is what happens when the program ends; `memory` and `print` are functions that are one edge. `loose` are results
//! of which not all is fixed, and `given` is what calls take for granted.

mod beside;
mod effects;
mod endings;
mod given;
mod gnu;
mod iso;
mod loose;
mod math;
mod memory;
mod page;
mod posix;
mod primitives;
mod print;
mod results;
mod scan;
mod sizes;
mod system;
pub(crate) mod table;
mod threads;
mod verifiers;

use beside::acts_beside;
pub(super) use endings::Pending;
use endings::touches_errno;
use loose::{is_comparison, is_predicate};
pub use page::{page, text};

use super::types::{CType, FunctionType, IntKind, TypeId};
use super::{Lower, R, Val};
use crate::ir::{AllocKind, BinOp, Builtin, Callee, ErrorKind, FuncId, HavocSource, Idx, Op, Ty};
use robusto_syntax::Span;
use robusto_syntax::ast::Expr;
use table::{By, Entry};

/// What the function means that a call by this name calls: `__builtin_strlen` is `strlen`.
fn entry(full_name: &str) -> Option<&'static Entry> {
    table::entry(full_name).or_else(|| table::entry(full_name.strip_prefix("__builtin_")?))
}

/// Whether calling a function of this name is an error, whatever it does.
pub(super) fn is_error_function(name: &str) -> bool {
    matches!(name, "reach_error" | "__VERIFIER_error")
}

/// Whether a function computes as operators do, so that its arithmetic is the program's: `abs(INT_MIN)` is an overflow.
pub(super) fn computes_as_operator(name: &str) -> bool {
    matches!(name, "abs" | "labs" | "llabs" | "imaxabs" | "div" | "ldiv" | "lldiv" | "imaxdiv")
}

/// The function that a name of fortified headers stands for: `__fgets_alias` is `fgets`, `__fgets_chk_warn` is
/// `__fgets_chk`.
fn alias(name: &str) -> Option<&'static Entry> {
    match name.strip_suffix("_warn") {
        Some(plain) => table::entry(plain),
        None => table::entry(name.strip_prefix("__")?.strip_suffix("_alias")?),
    }
}

impl<'a> Lower<'a, '_> {
    /// What an error function without a body returns: any value of the type that it is declared with.
    fn error_result(&mut self, id: FuncId) -> R<Val> {
        let ret = self.types.as_function(self.functions[id.index()].ty).map(|function| function.ret);
        Ok(match ret {
            Some(ret) => self.havoc_value(ret, HavocSource::Unmodelled),
            None => self.void_value(),
        })
    }

    /// A call to a function that has a fixed meaning; `None` if it has none, or the program defines it.
    pub(super) fn known_call(
        &mut self,
        full_name: &str,
        defined: bool,
        id: FuncId,
        args: &[Expr<'a>],
        span: Span,
    ) -> R<Option<Val>> {
        // Verification tasks may define these; the call itself is the error. Where that is not asked for, it is a call.
        if is_error_function(full_name) {
            if !defined {
                self.evaluate(args)?;
            }
            self.at_span(span);
            if !defined && self.functions[id.index()].noreturn {
                self.emit_end(Op::Error(ErrorKind::ReachError));
                return self.error_result(id).map(Some);
            }
            self.error_or_go_on(ErrorKind::ReachError);
            if !defined {
                return self.error_result(id).map(Some);
            }
        }
        if defined && !self.model_types.contains_key(&id) {
            return Ok(None);
        }
        if let Some(value) = self.verifier_call(full_name, id, args, span)? {
            return Ok(Some(value));
        }
        let name = full_name.strip_prefix("__builtin_").unwrap_or(full_name);
        if (full_name.starts_with("__builtin_") || self.is_settled())
            && let Some(value) = self.folded_builtin(name, args)?
        {
            return Ok(Some(value));
        }
        if (full_name.starts_with("__builtin_") || super::builtins::is_compiled(full_name))
            && let Some(value) = self.compiler_builtin(name, args, span)?
        {
            return Ok(Some(value));
        }
        if self.in_model
            && let Some(value) = self.primitive(name, args, span)?
        {
            return Ok(Some(value));
        }
        self.at_span(span);
        // These are the compiler's only.
        let lowered = match full_name {
            "__builtin_trap" | "__builtin_alloca_with_align" | "__builtin_alloca_with_align_and_max" => full_name,
            _ => name,
        };
        if self.in_model
            && let Some(builtin) = full_name.strip_prefix("__robusto_math_").and_then(Builtin::from_name)
        {
            return self.builtin(builtin, id, args, span).map(Some);
        }
        if let Some(value) = self.lowered_call(lowered, id, args, span)? {
            return Ok(Some(value));
        }
        let Some(entry) = entry(full_name).filter(|entry| args.len() >= entry.arity) else {
            // Fortified headers give the plain functions such names.
            return match alias(full_name) {
                Some(entry) => self.same_call(entry.name, &[], 0, id, args, span).map(Some),
                None => Ok(None),
            };
        };
        if self.writes_count(entry.name, args, span) {
            self.evaluate(args)?;
            self.at_span(span);
            self.unsupported(&format!("`%n` in a format of `{}`", entry.name));
            let ret = self.return_type(id);
            return Ok(Some(self.any_of(ret)));
        }
        self.take_for_granted(entry.name, args, span);
        let value = self.table_call(entry, full_name, id, args, span)?;
        if value.is_some() && acts_beside(entry.name) {
            let value = value.map(|value| self.capture(value));
            self.change_beside(entry, id);
            return Ok(value.inspect(|&value| {
                if touches_errno(entry) {
                    self.touch_errno_after(entry, value);
                }
            }));
        }
        if let Some(value) = value
            && is_comparison(entry.name)
            && !self.in_model
            && self.fun.sign_only != Some(span)
        {
            return Ok(Some(self.any_of_sign(value, id)));
        }
        if let Some(value) = value
            && is_predicate(entry.name)
            && !self.in_model
            && self.fun.truth_only != Some(span)
        {
            return Ok(Some(self.any_of_truth(value, id)));
        }
        let Some(value) = value.filter(|_| touches_errno(entry)) else { return Ok(value) };
        let value = self.capture(value);
        self.touch_errno_after(entry, value);
        Ok(Some(value))
    }

    /// Whether a call by this name does something that the library's function of that name does not do itself.
    pub(super) fn does_more_by_name(&self, name: &str) -> bool {
        self.changes_by_name(name) || entry(name).is_some_and(|entry| is_predicate(entry.name))
    }

    /// The same, if it is more than another result.
    pub(super) fn changes_by_name(&self, name: &str) -> bool {
        let Some(entry) = entry(name) else { return false };
        is_comparison(entry.name)
            || acts_beside(entry.name)
            || touches_errno(entry) && entry.name != "__errno_location" && self.names.get("__errno_location").is_some()
    }

    /// Functions that become edges of their own.
    fn lowered_call(&mut self, name: &str, id: FuncId, args: &[Expr<'a>], span: Span) -> R<Option<Val>> {
        Ok(Some(match name {
            "__assert_fail" | "__assert" | "__assert_rtn" | "__assert_perror_fail" => {
                self.evaluate(args)?;
                self.emit_end(Op::Error(ErrorKind::Assert));
                self.void_value()
            }
            "assert" if args.len() == 1 => {
                let (fine, bad) = (self.location(), self.location());
                self.condition(&args[0], fine, bad)?;
                self.fun.at = bad;
                self.emit_end(Op::Error(ErrorKind::Assert));
                self.fun.at = fine;
                self.void_value()
            }
            "abort" | "__builtin_trap" | "__chk_fail" | "__stack_chk_fail" => {
                self.evaluate(args)?;
                self.emit_end(Op::Halt { status: None });
                self.void_value()
            }
            "exit" | "_exit" | "_Exit" | "quick_exit" => {
                let status = match args.first() {
                    Some(_) => self.argument(args, 0, Ty::Int(32), span)?,
                    None => self.missing_argument(Ty::Int(32), 0, span),
                };
                self.evaluate(args.get(1..).unwrap_or_default())?;
                match name {
                    "exit" => self.emit_exit(status),
                    "quick_exit" => self.emit_quick_exit(status),
                    _ => self.emit_end(Op::Halt { status: Some(status) }),
                }
                self.void_value()
            }
            "malloc" | "__kmalloc" | "kmalloc" | "vmalloc" if !args.is_empty() => {
                let size = self.size_argument(args, 0, span)?;
                self.evaluate(&args[1..])?;
                self.allocate(size, AllocKind::Heap, false, span)
            }
            "kzalloc" | "vzalloc" if !args.is_empty() => {
                let size = self.size_argument(args, 0, span)?;
                self.evaluate(&args[1..])?;
                self.allocate(size, AllocKind::Heap, true, span)
            }
            "calloc" => {
                let (count, size) = (self.size_argument(args, 0, span)?, self.size_argument(args, 1, span)?);
                self.evaluate(&args[2..])?;
                let value = self.allocate_array(count, size, span);
                let value = self.capture(value);
                let null = self.program.exprs.null();
                let is_null = self.program.exprs.binary(BinOp::Eq, value.e, null);
                self.touch_errno_if(is_null, name);
                value
            }
            "alloca" | "__alloca" | "__builtin_alloca_with_align" | "__builtin_alloca_with_align_and_max" => {
                let size = self.size_argument(args, 0, span)?;
                self.evaluate(&args[1..])?;
                self.allocate(size, AllocKind::Stack, false, span)
            }
            "free" | "cfree" => {
                let ptr = self.argument(args, 0, Ty::Ptr, span)?;
                self.evaluate(&args[1..])?;
                self.at_span(span);
                self.emit(Op::Free { ptr, kind: AllocKind::Heap });
                self.void_value()
            }
            "memcpy" | "memmove" | "__memcpy" | "__memmove" | "mempcpy" => self.copy_call(name, args, span)?,
            "memset" | "__memset" => self.fill_call(args, span)?,
            "bzero" | "explicit_bzero" => {
                let (dst, size) = (self.argument(args, 0, Ty::Ptr, span)?, self.size_argument(args, 1, span)?);
                self.evaluate(&args[2..])?;
                let byte = self.program.exprs.int(8, 0);
                self.emit(Op::Fill { dst, byte, size });
                self.void_value()
            }
            "scanf" | "fscanf" => {
                let value = self.scan(name, id, args, span)?;
                self.touch_errno(name);
                if let Some(entry) = entry(name) {
                    self.change_beside(entry, id);
                }
                value
            }
            "__robusto_object_size" if self.in_model => self.builtin(Builtin::ObjectSize, id, args, span)?,
            _ => return Ok(None),
        }))
    }

    /// A call by the table; `None` if the name means another function here.
    fn table_call(
        &mut self,
        entry: &'static Entry,
        full_name: &str,
        id: FuncId,
        args: &[Expr<'a>],
        span: Span,
    ) -> R<Option<Val>> {
        Ok(Some(match entry.by {
            By::Lowering | By::Outside => return Ok(None),
            By::Model { .. } => return self.model_call(entry, full_name, id, args, span),
            By::Interpreter => match Builtin::from_name(entry.name) {
                Some(builtin) => self.builtin(builtin, id, args, span)?,
                None => return Ok(None),
            },
            By::Effects(writes, give) => self.effects_call(entry, writes, give, id, args, span)?,
            By::Same(name, positions, rest) => self.same_call(name, positions, rest, id, args, span)?,
            By::Nothing => {
                self.evaluate(args)?;
                self.at_span(span);
                self.unsupported(&format!("call of `{}`", entry.name));
                let ret = self.return_type(id);
                self.any_of(ret)
            }
        }))
    }

    /// A call of a model. The result has the type that the program declares: its `struct tm` is not the model's.
    fn model_call(
        &mut self,
        entry: &Entry,
        full_name: &str,
        id: FuncId,
        args: &[Expr<'a>],
        span: Span,
    ) -> R<Option<Val>> {
        let id = self.plain_function(id, full_name);
        self.declare_model(entry.name);
        let Some(&declared) = self.model_types.get(&id) else { return Ok(None) };
        let CType::Function(mut function) = self.types.get(self.functions[id.index()].ty).clone() else {
            return Ok(None);
        };
        function.prototype = false;
        if !self.fun.quiet {
            self.functions[id.index()].used = true;
            if entry.name == "__errno_location" {
                self.pending.errno_is_used = true;
            }
        }
        let (args, result_at) = self.arguments(&function, args, span)?;
        let value = self.emit_call(Callee::Direct(id), &function, args, result_at, span)?;
        let ret = match self.types.get(declared) {
            CType::Function(f) if self.types.value_ty(f.ret) == self.types.value_ty(value.ty) => f.ret,
            _ => value.ty,
        };
        Ok(Some(Val { ty: ret, ..value }))
    }

    /// A call that means a call of another function, with some of the arguments.
    fn same_call(
        &mut self,
        name: &'static str,
        positions: &[u8],
        rest: u8,
        id: FuncId,
        args: &[Expr<'a>],
        span: Span,
    ) -> R<Val> {
        let rest = usize::from(rest).min(args.len());
        let missing = positions.iter().any(|&position| usize::from(position) >= args.len());
        let ret = self.return_type(id);
        if missing {
            self.evaluate(args)?;
            self.at_span(span);
            let name = self.text(self.functions[id.index()].name).to_owned();
            self.unsupported(&format!("call of `{name}`"));
            return Ok(self.any_of(ret));
        }
        let target = self.library_function(name, id, span);
        for (i, arg) in args[..rest].iter().enumerate() {
            if !positions.iter().any(|&position| usize::from(position) == i) {
                self.effect(arg)?;
            }
        }
        let chosen = positions.iter().map(|&position| args[usize::from(position)]);
        let chosen: Vec<Expr<'a>> = chosen.chain(args[rest..].iter().copied()).collect();
        let value = self.direct_call(target, &chosen, span)?;
        match self.types.value_ty(ret) {
            Some(_) if self.types.value_ty(value.ty).is_some() => self.convert(value, ret, span),
            _ => Ok(value),
        }
    }

    /// Evaluates arguments for their effects.
    pub(super) fn evaluate(&mut self, args: &[Expr<'a>]) -> R<()> {
        args.iter().try_for_each(|arg| self.effect(arg))
    }

    fn return_type(&mut self, id: FuncId) -> TypeId {
        let ty = self.functions[id.index()].ty;
        match self.types.get(ty) {
            CType::Function(f) => f.ret,
            _ => self.types.int(IntKind::Int),
        }
    }

    /// The library's function of this name, for a call that another one stands for: also if the program defines a
    /// function of that name, as fortified headers do. Without a declaration it returns what the other one returns.
    fn library_function(&mut self, name: &'static str, id: FuncId, span: Span) -> FuncId {
        let symbol = self.names.intern(name);
        let own = self.program_defines(symbol);
        if own {
            self.declare_model(name);
        }
        let known = if own { self.private_models.get(&symbol) } else { self.linked_functions.get(&symbol) };
        if let Some(&known) = known {
            return known;
        }
        let ret = self.return_type(id);
        let ty = FunctionType { ret, params: Box::new([]), variadic: false, prototype: false };
        let ty = self.types.intern(CType::Function(ty));
        let target = self.new_function(symbol, ty, own, span);
        if own { &mut self.private_models } else { &mut self.linked_functions }.insert(symbol, target);
        target
    }
}
