//! Library functions whose meaning is settled here.

use super::types::{CType, FloatKind, IntKind, TypeId};
use super::{Lower, R, Val};
use crate::ir::{AllocKind, BinOp, Builtin, CastOp, ErrorKind, ExprId, FuncId, HavocSource, Idx, Op, Ty};
use robusto_syntax::Span;
use robusto_syntax::ast::Expr;

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
        // Verification tasks may define these; the call itself is the error.
        if matches!(full_name, "reach_error" | "__VERIFIER_error") {
            self.at_span(span);
            self.emit_end(Op::Error(ErrorKind::ReachError));
            return Ok(Some(self.void_value()));
        }
        if defined {
            return Ok(None);
        }
        let name = full_name.strip_prefix("__builtin_").unwrap_or(full_name);
        if (full_name.starts_with("__builtin_") || super::builtins::is_compiled(full_name))
            && let Some(value) = self.compiler_builtin(name, args, span)?
        {
            return Ok(Some(value));
        }
        self.at_span(span);
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
            "abort" | "trap" => {
                self.emit_end(Op::Halt { status: None });
                self.void_value()
            }
            "exit" | "_exit" | "_Exit" | "quick_exit" => {
                let status = self.argument(args, 0, Ty::Int(32), span)?;
                self.emit_end(Op::Halt { status: Some(status) });
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
                let size = self.program.exprs.binary(BinOp::Mul, count, size);
                self.allocate(size, AllocKind::Heap, true, span)
            }
            "alloca" | "__alloca" | "alloca_with_align" => {
                let size = self.size_argument(args, 0, span)?;
                self.allocate(size, AllocKind::Stack, false, span)
            }
            "free" | "cfree" => {
                let ptr = self.argument(args, 0, Ty::Ptr, span)?;
                self.at_span(span);
                self.emit(Op::Free { ptr, kind: AllocKind::Heap });
                self.void_value()
            }
            "memcpy" | "memmove" | "__memcpy" | "__memmove" | "__memcpy_chk" | "__memmove_chk" | "mempcpy" => {
                self.copy_call(name, args, span)?
            }
            "__builtin___memcpy_chk" | "___memcpy_chk" | "___memmove_chk" => self.copy_call(name, args, span)?,
            "memset" | "__memset" | "__memset_chk" | "___memset_chk" => self.fill_call(args, span)?,
            "bzero" => {
                let (dst, size) = (self.argument(args, 0, Ty::Ptr, span)?, self.size_argument(args, 1, span)?);
                let byte = self.program.exprs.int(8, 0);
                self.emit(Op::Fill { dst, byte, size });
                self.void_value()
            }
            "pthread_create" | "setjmp" | "_setjmp" | "__sigsetjmp" | "longjmp" | "siglongjmp" | "fork" | "vfork" => {
                self.evaluate(args)?;
                self.at_span(span);
                self.unsupported(&format!("call of `{name}`"));
                let ret = self.return_type(id);
                self.any_of(ret)
            }
            _ if name.starts_with("__VERIFIER_nondet_") => self.nondet(name, id),
            _ => match Builtin::from_name(name) {
                Some(builtin) => self.builtin(builtin, id, args, span)?,
                None => return Ok(None),
            },
        }))
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
            return self.error(span, format!("this call needs at least {} arguments", index + 1));
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
        let result = self.result_var(function.ret);
        self.emit(Op::Builtin { result, builtin, args: values.into() });
        Ok(self.var_value(result, function.ret))
    }
}
