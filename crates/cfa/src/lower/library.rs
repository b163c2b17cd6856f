//! Library functions whose meaning is settled here.
//!
//! [`table`] says of every function how it is modelled; this module dispatches. `effects` are functions of which only
//! is known what they may change, `scan` is the family of `scanf`, `primitives` is what models in C are made of, and
//! `endings` is what happens when the program ends.

mod effects;
mod endings;
mod gnu;
mod iso;
mod math;
mod page;
mod posix;
mod primitives;
mod scan;
mod system;
pub(crate) mod table;
mod threads;

pub(super) use endings::Pending;
pub use page::{page, text};

use super::types::{CType, FloatKind, IntKind, TypeId};
use super::{Lower, R, Val};
use crate::ir::{AllocKind, BinOp, Builtin, Callee, CastOp, ErrorKind, ExprId, FuncId, HavocSource, Idx, Op, Ty};
use robusto_syntax::Span;
use robusto_syntax::ast::{Expr, ExprKind};
use table::{By, Entry, Treatment};

/// What the function means that a call by this name calls: `__builtin_strlen` is `strlen`.
fn entry(full_name: &str) -> Option<&'static Entry> {
    table::entry(full_name).or_else(|| table::entry(full_name.strip_prefix("__builtin_")?))
}

/// Whether calling a function of this name is an error, whatever it does.
pub(super) fn is_error_function(name: &str) -> bool {
    matches!(name, "reach_error" | "__VERIFIER_error")
}

impl<'a> Lower<'a, '_> {
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
                return Ok(Some(self.void_value()));
            }
            self.error_or_go_on(ErrorKind::ReachError);
            if !defined {
                return Ok(Some(self.void_value()));
            }
        }
        if defined && !self.model_types.contains_key(&id) {
            return Ok(None);
        }
        let name = full_name.strip_prefix("__builtin_").unwrap_or(full_name);
        if full_name.starts_with("__builtin_")
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
        if let Some(value) = self.lowered_call(name, id, args, span)? {
            return Ok(Some(value));
        }
        let Some(entry) = entry(full_name).filter(|entry| args.len() >= entry.arity) else { return Ok(None) };
        let value = self.table_call(entry, full_name, id, args, span)?;
        if value.is_some() && (entry.treatment == Treatment::Over || matches!(entry.by, By::Interpreter)) {
            let value = value.map(|value| self.capture(value));
            self.touch_errno(entry.name);
            return Ok(value);
        }
        Ok(value)
    }

    /// Functions that become edges of their own.
    fn lowered_call(&mut self, name: &str, id: FuncId, args: &[Expr<'a>], span: Span) -> R<Option<Val>> {
        Ok(Some(match name {
            "__assert_fail" | "__assert" | "__assert_rtn" | "__assert_perror_fail" => {
                self.evaluate(args)?;
                self.emit_end(Op::Error(ErrorKind::Assert));
                self.void_value()
            }
            "assert" | "__VERIFIER_assert" if args.len() == 1 => {
                let (fine, bad) = (self.location(), self.location());
                self.condition(&args[0], fine, bad)?;
                self.fun.at = bad;
                self.emit_end(Op::Error(ErrorKind::Assert));
                self.fun.at = fine;
                self.void_value()
            }
            "__VERIFIER_assume" if args.len() == 1 => {
                let value = self.rvalue(&args[0])?;
                let cond = self.truth(value, span)?;
                self.at_span(span);
                self.emit(Op::Assume { cond, truth: true });
                self.void_value()
            }
            "abort" | "trap" | "__chk_fail" | "__stack_chk_fail" => {
                self.evaluate(args)?;
                self.emit_end(Op::Halt { status: None });
                self.void_value()
            }
            "exit" | "_exit" | "_Exit" | "quick_exit" => {
                let status = match args.first() {
                    Some(_) => self.argument(args, 0, Ty::Int(32), span)?,
                    None => {
                        let int = self.types.int(IntKind::Int);
                        self.havoc_value(int, HavocSource::Undefined).e
                    }
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
                let size = self.program.exprs.binary(BinOp::Mul, count, size);
                self.allocate(size, AllocKind::Heap, true, span)
            }
            "alloca" | "__alloca" | "alloca_with_align" | "alloca_with_align_and_max" => {
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
            "scanf" | "fscanf" | "sscanf" => self.scan(name, id, args, span)?,
            "__VERIFIER_nondet_memory" if args.len() >= 2 => {
                let (addr, size) = (self.argument(args, 0, Ty::Ptr, span)?, self.size_argument(args, 1, span)?);
                self.evaluate(&args[2..])?;
                self.at_span(span);
                self.emit(Op::HavocMem { addr, size, source: HavocSource::Input });
                self.void_value()
            }
            _ if name.starts_with("__VERIFIER_nondet_") => {
                self.evaluate(args)?;
                self.at_span(span);
                self.nondet(name, id)
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
            By::Lowering => return Ok(None),
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
        let symbol = self.names.intern(name);
        let ret = self.return_type(id);
        let target = match self.linked_functions.get(&symbol) {
            Some(&target) => target,
            None => {
                let target = self.declare_implicitly(symbol, span);
                let known = self.functions[id.index()].ty;
                if let CType::Function(f) = self.types.get(known).clone() {
                    let f = super::types::FunctionType { params: Box::new([]), variadic: false, prototype: false, ..f };
                    self.functions[target.index()].ty = self.types.intern(CType::Function(f));
                }
                target
            }
        };
        let own = self.functions[target.index()].defined.is_some() && !self.model_types.contains_key(&target);
        if missing || own {
            self.evaluate(args)?;
            self.at_span(span);
            let name = self.text(self.functions[id.index()].name).to_owned();
            self.unsupported(&format!("call of `{name}`"));
            return Ok(self.any_of(ret));
        }
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

    fn size_argument(&mut self, args: &[Expr<'a>], index: usize, span: Span) -> R<ExprId> {
        let Some(arg) = args.get(index) else {
            return Ok(self.missing_argument(self.program.model.size_ty(), index, span));
        };
        let value = self.rvalue(arg)?;
        let size_t = self.types.size_t();
        Ok(self.convert(value, size_t, arg.span)?.e)
    }

    /// Lists that an allocation has room: engines drop the executions where it has not.
    pub(super) fn assume_room(&mut self, span: Span, kind: AllocKind) {
        let text = match kind {
            AllocKind::Heap => "memory allocation does not fail",
            AllocKind::Stack => "the stack has room for `alloca` and for arrays of variable length",
        };
        self.assume(span, text.into());
    }

    fn allocate(&mut self, size: ExprId, kind: AllocKind, zeroed: bool, span: Span) -> Val {
        self.assume_room(span, kind);
        self.at_span(span);
        let var = self.temp(Ty::Ptr, false);
        self.emit(Op::Alloc { var, size, kind, zeroed });
        let void = self.types.void();
        Val { e: self.program.exprs.var(var), ty: self.types.pointer(void) }
    }

    fn copy_call(&mut self, name: &str, args: &[Expr<'a>], span: Span) -> R<Val> {
        let dst = self.argument(args, 0, Ty::Ptr, span)?;
        let src = self.argument(args, 1, Ty::Ptr, span)?;
        let size = self.size_argument(args, 2, span)?;
        self.evaluate(&args[3..])?;
        let void = self.types.void();
        let ty = self.types.pointer(void);
        let dst = self.capture(Val { e: dst, ty });
        self.at_span(span);
        self.emit(Op::Copy { dst: dst.e, src, size });
        if name == "mempcpy" {
            let e = self.program.exprs.binary(BinOp::PtrAdd, dst.e, size);
            return Ok(Val { e, ty });
        }
        Ok(dst)
    }

    fn fill_call(&mut self, args: &[Expr<'a>], span: Span) -> R<Val> {
        let dst = self.argument(args, 0, Ty::Ptr, span)?;
        let byte = self.argument(args, 1, Ty::Int(8), span)?;
        let size = self.size_argument(args, 2, span)?;
        self.evaluate(&args[3..])?;
        let void = self.types.void();
        let ty = self.types.pointer(void);
        let dst = self.capture(Val { e: dst, ty });
        self.at_span(span);
        self.emit(Op::Fill { dst: dst.e, byte, size });
        Ok(dst)
    }

    /// `__VERIFIER_nondet_T()`: the declared type counts; without a declaration, the one the name says.
    fn nondet(&mut self, name: &str, id: FuncId) -> Val {
        let mut ty = self.return_type(id);
        let declared = matches!(self.types.get(self.functions[id.index()].ty), CType::Function(f) if f.prototype);
        if !declared && self.types.as_int(ty) == Some(IntKind::Int) {
            let kind = match name.trim_start_matches("__VERIFIER_nondet_") {
                "bool" | "_Bool" => Some(IntKind::Bool),
                "char" => Some(IntKind::Char),
                "uchar" | "unsigned_char" => Some(IntKind::UChar),
                "short" => Some(IntKind::Short),
                "ushort" => Some(IntKind::UShort),
                "uint" | "unsigned" | "u32" | "unsigned_int" => Some(IntKind::UInt),
                "long" => Some(IntKind::Long),
                "ulong" | "size_t" => Some(IntKind::ULong),
                "longlong" => Some(IntKind::LongLong),
                "ulonglong" => Some(IntKind::ULongLong),
                "float" => {
                    ty = self.types.float(FloatKind::Float);
                    None
                }
                "double" => {
                    ty = self.types.float(FloatKind::Double);
                    None
                }
                "pointer" => {
                    let void = self.types.void();
                    ty = self.types.pointer(void);
                    None
                }
                _ => None,
            };
            if let Some(kind) = kind {
                ty = self.types.int(kind);
            }
        }
        if self.types.as_int(ty) == Some(IntKind::Bool) {
            // Any byte would not do: a _Bool is 0 or 1.
            let var = self.temp(Ty::BOOL, false);
            self.emit(Op::Havoc { var, source: HavocSource::Input });
            let bit = self.program.exprs.var(var);
            return Val { e: self.program.exprs.cast(CastOp::ZExt, Ty::Int(8), bit), ty };
        }
        self.havoc_value(ty, HavocSource::Input)
    }

    fn builtin(&mut self, builtin: Builtin, id: FuncId, args: &[Expr<'a>], span: Span) -> R<Val> {
        let ty = self.functions[id.index()].ty;
        let CType::Function(function) = self.types.get(ty).clone() else { return Ok(self.void_value()) };
        let mut values = Vec::with_capacity(args.len());
        for (i, arg) in args.iter().enumerate() {
            let value = self.rvalue(arg)?;
            let value = match function.params.get(i) {
                Some(&ty) => self.convert(value, ty, arg.span)?,
                None => self.promote_argument(value, arg.span)?,
            };
            values.push(value.e);
        }
        self.at_span(span);
        if self.writes_count(builtin, args, span) {
            return Ok(self.any_of(function.ret));
        }
        let result = self.result_var(function.ret);
        self.emit(Op::Builtin { result, builtin, args: values.into() });
        Ok(self.var_value(result, function.ret))
    }

    /// Whether a format has `%n`, which writes to memory; then the call is unsupported.
    fn writes_count(&mut self, builtin: Builtin, args: &[Expr<'a>], span: Span) -> bool {
        use Builtin::*;
        let format = match builtin {
            Printf | Vprintf => 0,
            Fprintf | Vfprintf | Sprintf | Vsprintf => 1,
            Snprintf | Vsnprintf => 2,
            _ => return false,
        };
        let Some(format) = args.get(format) else { return false };
        match literal(format) {
            Some(text) => {
                let counts = has_count(&text);
                if counts {
                    self.unsupported(&format!("`%n` in a format of `{}`", builtin.name()));
                }
                counts
            }
            None => {
                let text = format!("formats of `{}` that are not literals have no `%n`", builtin.name());
                self.assume(span, text);
                false
            }
        }
    }
}

/// The bytes of a string literal.
fn literal(e: &Expr<'_>) -> Option<Vec<u8>> {
    match e.kind {
        ExprKind::Str(units, _) => Some(units.iter().map(|&unit| u8::try_from(unit).unwrap_or(b'?')).collect()),
        ExprKind::Cast(_, inner) => literal(inner),
        _ => None,
    }
}

/// Whether a format of `printf` has a conversion `%n`.
fn has_count(format: &[u8]) -> bool {
    let mut rest = format.iter();
    while rest.by_ref().any(|&b| b == b'%') {
        let conversion = rest.by_ref().find(|b| b.is_ascii_alphabetic() && !b"hlLqjzt".contains(b) || **b == b'%');
        if conversion == Some(&b'n') {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::has_count;

    #[test]
    fn counts_in_formats() {
        assert!(has_count(b"a%n"));
        assert!(has_count(b"%5d%hhn"));
        assert!(has_count(b"%%%ln"));
        assert!(!has_count(b"%d\n"));
        assert!(!has_count(b"%%n"));
        assert!(!has_count(b"100%"));
    }
}
