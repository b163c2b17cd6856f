//! Library functions and compiler builtins whose meaning is settled here.

use super::types::{CType, FloatKind, IntKind, TypeId};
use super::{Lower, R, Val};
use crate::ir::{AllocKind, BinOp, Builtin, CastOp, ErrorKind, ExprId, FuncId, HavocSource, Idx, Op, Ty, UnOp};
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
        if full_name.starts_with("__builtin_")
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
    fn evaluate(&mut self, args: &[Expr<'a>]) -> R<()> {
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

    /// Builtins of the compiler that are not library functions.
    fn compiler_builtin(&mut self, name: &str, args: &[Expr<'a>], span: Span) -> R<Option<Val>> {
        let int = self.types.int(IntKind::Int);
        Ok(Some(match name {
            "expect" | "expect_with_probability" if !args.is_empty() => {
                let long = self.types.int(IntKind::Long);
                let value = self.rvalue(&args[0])?;
                self.convert(value, long, span)?
            }
            "assume_aligned" if !args.is_empty() => self.rvalue(&args[0])?,
            "constant_p" if !args.is_empty() => {
                let (value, edges) = self.unchecked(|lower| lower.in_scratch(|lower| lower.rvalue(&args[0])));
                let constant = !edges && self.program.exprs.as_const(value?.e).is_some();
                self.int_value(constant.into())
            }
            "unreachable" => {
                let never = self.program.exprs.bool(false);
                self.emit_end(Op::Assume { cond: never, truth: true });
                self.void_value()
            }
            "prefetch" | "va_end" | "___clear_cache" | "stack_restore" => {
                self.evaluate(args)?;
                self.void_value()
            }
            "va_start" | "c23_va_start" => {
                let Some(list) = args.first() else { return self.error(span, "`va_start` needs an argument") };
                let Some(varargs) = self.fun.varargs else {
                    return self.error(span, "`va_start` stands in a function without variable arguments");
                };
                let place = self.place(list)?;
                let e = self.program.exprs.var(varargs);
                self.write(place, Val { e, ty: place.ty });
                self.void_value()
            }
            "va_copy" => {
                let [to, from] = args else { return self.error(span, "`va_copy` needs two arguments") };
                let place = self.place(to)?;
                let value = self.rvalue(from)?;
                self.write(place, value);
                self.void_value()
            }
            "object_size" | "dynamic_object_size" => self.size_value(u64::MAX),
            "return_address" | "frame_address" | "extract_return_addr" | "stack_save" => {
                self.evaluate(args)?;
                let void = self.types.void();
                let pointer = self.types.pointer(void);
                self.havoc_value(pointer, HavocSource::Unmodelled)
            }
            "add_overflow" | "sub_overflow" | "mul_overflow" | "sadd_overflow" | "saddl_overflow"
            | "saddll_overflow" | "uadd_overflow" | "uaddl_overflow" | "uaddll_overflow" | "ssub_overflow"
            | "ssubl_overflow" | "ssubll_overflow" | "usub_overflow" | "usubl_overflow" | "usubll_overflow"
            | "smul_overflow" | "smull_overflow" | "smulll_overflow" | "umul_overflow" | "umull_overflow"
            | "umulll_overflow" => self.checked_arithmetic(name, args, span)?,
            "inf" | "huge_val" | "infl" | "huge_vall" => self.double_constant(f64::INFINITY),
            "nan" | "nanl" | "nans" => self.double_constant(f64::NAN),
            "inff" | "huge_valf" => self.float_constant(f32::INFINITY),
            "nanf" | "nansf" => self.float_constant(f32::NAN),
            "isnan" | "isnanf" | "isnanl" => {
                let value = self.float_argument(args, span)?;
                let cond = self.program.exprs.binary(BinOp::FNe, value.e, value.e);
                self.truth_value(cond)
            }
            "isunordered" => {
                let [a, b] = self.float_pair(args, span)?;
                let (x, y) =
                    (self.program.exprs.binary(BinOp::FNe, a.e, a.e), self.program.exprs.binary(BinOp::FNe, b.e, b.e));
                let cond = self.program.exprs.binary(BinOp::Or, x, y);
                self.truth_value(cond)
            }
            "isgreater" | "isgreaterequal" | "isless" | "islessequal" | "islessgreater" => {
                let [a, b] = self.float_pair(args, span)?;
                let pool = &mut self.program.exprs;
                let cond = match name {
                    "isgreater" => pool.binary(BinOp::FLt, b.e, a.e),
                    "isgreaterequal" => pool.binary(BinOp::FLe, b.e, a.e),
                    "isless" => pool.binary(BinOp::FLt, a.e, b.e),
                    "islessequal" => pool.binary(BinOp::FLe, a.e, b.e),
                    _ => {
                        let (less, more) = (pool.binary(BinOp::FLt, a.e, b.e), pool.binary(BinOp::FLt, b.e, a.e));
                        pool.binary(BinOp::Or, less, more)
                    }
                };
                self.truth_value(cond)
            }
            "isinf" | "isinff" | "isinfl" | "isfinite" | "finite" | "isinf_sign" => {
                let value = self.float_argument(args, span)?;
                let ty = self.program.exprs.ty(value.e);
                let bits = if ty == Ty::F32 { f32::INFINITY.to_bits().into() } else { f64::INFINITY.to_bits() };
                let infinite = self.program.exprs.constant(ty, bits);
                let minus = self.program.exprs.unary(UnOp::FNeg, infinite);
                let pool = &mut self.program.exprs;
                if matches!(name, "isfinite" | "finite") {
                    let (low, high) =
                        (pool.binary(BinOp::FLt, minus, value.e), pool.binary(BinOp::FLt, value.e, infinite));
                    let cond = pool.binary(BinOp::And, low, high);
                    return Ok(Some(self.truth_value(cond)));
                }
                // The sign of the infinity, as gcc's isinf gives it.
                let (plus, minus) =
                    (pool.binary(BinOp::FEq, value.e, infinite), pool.binary(BinOp::FEq, value.e, minus));
                let (plus, minus) =
                    (pool.cast(CastOp::ZExt, Ty::Int(32), plus), pool.cast(CastOp::ZExt, Ty::Int(32), minus));
                Val { e: pool.binary(BinOp::Sub, plus, minus), ty: int }
            }
            "classify_type" => {
                self.evaluate(args)?;
                self.int_value(1)
            }
            _ if args.is_empty() && matches!(name, "cpu_init") => self.void_value(),
            _ => return Ok(None),
        }))
    }

    fn double_constant(&mut self, value: f64) -> Val {
        Val { e: self.program.exprs.constant(Ty::F64, value.to_bits()), ty: self.types.float(FloatKind::Double) }
    }

    fn float_constant(&mut self, value: f32) -> Val {
        Val { e: self.program.exprs.constant(Ty::F32, value.to_bits().into()), ty: self.types.float(FloatKind::Float) }
    }

    fn float_argument(&mut self, args: &[Expr<'a>], span: Span) -> R<Val> {
        let Some(arg) = args.first() else { return self.error(span, "this call needs an argument") };
        let value = self.rvalue(arg)?;
        let value = match self.types.get(value.ty) {
            CType::Float(_) => value,
            _ => {
                let double = self.types.float(FloatKind::Double);
                self.convert(value, double, span)?
            }
        };
        Ok(self.capture(value))
    }

    fn float_pair(&mut self, args: &[Expr<'a>], span: Span) -> R<[Val; 2]> {
        let [a, b] = args else { return self.error(span, "this call needs two arguments") };
        let (a, b) = (self.rvalue(a)?, self.rvalue(b)?);
        let ty = self.usual_type(a.ty, b.ty);
        Ok([self.convert(a, ty, span)?, self.convert(b, ty, span)?])
    }

    /// `__builtin_add_overflow` and its kin: computes in 128 bits, stores the wrapped result, says whether it differs.
    fn checked_arithmetic(&mut self, name: &str, args: &[Expr<'a>], span: Span) -> R<Val> {
        let [a, b, out] = args else { return self.error(span, "this call needs three arguments") };
        let op = if name.contains("add") {
            BinOp::Add
        } else if name.contains("sub") {
            BinOp::Sub
        } else {
            BinOp::Mul
        };
        let (a, b) = (self.rvalue(a)?, self.rvalue(b)?);
        let place = self.pointed(out)?;
        let Some(kind) = self.types.as_int(place.ty) else {
            return self.error(out.span, "the result goes to an integer");
        };
        let wide = self.types.int(IntKind::Int128);
        let (x, y) = (self.convert(a, wide, span)?, self.convert(b, wide, span)?);
        let exact = self.program.exprs.binary(op, x.e, y.e);
        let exact = self.capture(Val { e: exact, ty: wide });
        let bits = kind.bits(self.model());
        let wrapped = self.program.exprs.resize(exact.e, true, bits);
        let back = self.program.exprs.resize(wrapped, kind.is_signed(), 128);
        let differs = self.program.exprs.binary(BinOp::Ne, exact.e, back);
        self.write(place, Val { e: wrapped, ty: place.ty });
        let bool = self.truth_value(differs);
        let ty = self.types.int(IntKind::Bool);
        self.convert(bool, ty, span)
    }
}
