//! Allocation, copies, and inputs: library functions that are one edge.

use crate::ir::{AllocKind, BinOp, CastOp, ExprId, FuncId, Granted, HavocSource, Idx, Op, Ty};
use crate::lower::types::{CType, FloatKind, IntKind};
use crate::lower::{Lower, Malloc, R, Val};
use robusto_syntax::Span;
use robusto_syntax::ast::Expr;

impl<'a> Lower<'a, '_> {
    pub(super) fn size_argument(&mut self, args: &[Expr<'a>], index: usize, span: Span) -> R<ExprId> {
        let Some(arg) = args.get(index) else {
            return Ok(self.missing_argument(self.program.model.size_ty(), index, span));
        };
        let value = self.rvalue(arg)?;
        let size_t = self.types.size_t();
        Ok(self.convert(value, size_t, arg.span)?.e)
    }

    /// Lists that an allocation has room: engines drop the executions where it has not.
    pub(in crate::lower) fn assume_room(&mut self, span: Span, kind: AllocKind) {
        let kind = match kind {
            AllocKind::Heap | AllocKind::Library | AllocKind::Caller => Granted::HeapRoom,
            AllocKind::Stack => Granted::StackRoom,
        };
        self.assume(span, kind);
    }

    /// The address of a new object, or null.
    pub(super) fn allocate(&mut self, size: ExprId, kind: AllocKind, zeroed: bool, span: Span) -> Val {
        let void = self.types.void();
        let ty = self.types.pointer(void);
        let fails = if kind == AllocKind::Heap { self.allocation_fails(size, span) } else { None };
        if fails.is_some_and(|fails| self.program.exprs.as_const(fails) == Some(1)) {
            return Val { e: self.program.exprs.null(), ty };
        }
        if kind != AllocKind::Heap || self.malloc == Malloc::NeverFails {
            self.assume_room(span, kind);
        }
        let var = self.temp(Ty::Ptr, false);
        let Some(fails) = fails else {
            self.at_span(span);
            self.emit(Op::Alloc { var, size, kind, zeroed });
            return Val { e: self.program.exprs.var(var), ty };
        };
        let (none, there, end) = (self.location(), self.location(), self.location());
        self.branch(fails, none, there);
        self.fun.at = none;
        let null = self.program.exprs.null();
        self.assign_var(var, null);
        self.jump(end);
        self.fun.at = there;
        self.at_span(span);
        self.emit(Op::Alloc { var, size, kind, zeroed });
        self.label_here(end);
        Val { e: self.program.exprs.var(var), ty }
    }

    /// Whether an allocation on the heap fails, if it may: as an implementation has no object that large, or as it likes.
    fn allocation_fails(&mut self, size: ExprId, span: Span) -> Option<ExprId> {
        let pool = &mut self.program.exprs;
        let most = pool.size(self.program.model.largest_object());
        let too_large = pool.binary(BinOp::ULt, most, size);
        let known = pool.as_const(too_large);
        if known == Some(1) || self.malloc == Malloc::NeverFails {
            return Some(too_large).filter(|_| known != Some(0));
        }
        self.at_span(span);
        let var = self.temp(Ty::BOOL, false);
        self.emit(Op::Havoc { var, source: HavocSource::Allocation });
        let pool = &mut self.program.exprs;
        let fails = pool.var(var);
        Some(pool.binary(BinOp::Or, too_large, fails))
    }

    /// `calloc`: a product that is no size gives null.
    pub(super) fn allocate_array(&mut self, count: ExprId, size: ExprId, span: Span) -> Val {
        let bits = self.model().size_ty().bits(self.model());
        let pool = &mut self.program.exprs;
        let most = u64::MAX >> (64 - bits);
        let total = pool.binary(BinOp::Mul, count, size);
        // Sizes of types are constants; small ones leave room for the check in one comparison.
        let fits = match (pool.as_const(count), pool.as_const(size)) {
            (Some(0), _) | (_, Some(0)) => pool.bool(true),
            (Some(known), _) => {
                let limit = pool.size(most / known);
                pool.binary(BinOp::ULe, size, limit)
            }
            (None, Some(known)) => {
                let limit = pool.size(most / known);
                pool.binary(BinOp::ULe, count, limit)
            }
            (None, None) => {
                let (zero, quotient) = (pool.size(0), pool.binary(BinOp::UDiv, total, size));
                let (empty, same) = (pool.binary(BinOp::Eq, size, zero), pool.binary(BinOp::Eq, quotient, count));
                pool.binary(BinOp::Or, empty, same)
            }
        };
        if self.program.exprs.as_const(fits) == Some(1) {
            return self.allocate(total, AllocKind::Heap, true, span);
        }
        let var = self.temp(Ty::Ptr, false);
        let (there, none, end) = (self.location(), self.location(), self.location());
        self.branch(fits, there, none);
        self.fun.at = none;
        let null = self.program.exprs.null();
        self.assign_var(var, null);
        self.jump(end);
        self.fun.at = there;
        let value = self.allocate(total, AllocKind::Heap, true, span);
        self.assign_var(var, value.e);
        self.label_here(end);
        Val { e: self.program.exprs.var(var), ty: value.ty }
    }

    pub(super) fn copy_call(&mut self, name: &str, args: &[Expr<'a>], span: Span) -> R<Val> {
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

    pub(super) fn fill_call(&mut self, args: &[Expr<'a>], span: Span) -> R<Val> {
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

    /// `__VERIFIER_nondet_T()`, `nondet_T()`: the declared type counts; without a declaration, the one the name says.
    pub(super) fn nondet(&mut self, name: &str, id: FuncId) -> Val {
        let mut ty = self.return_type(id);
        let declared = matches!(self.types.get(self.functions[id.index()].ty), CType::Function(f) if f.prototype);
        if !declared && self.types.as_int(ty) == Some(IntKind::Int) {
            let kind = match name.trim_start_matches("__VERIFIER_").trim_start_matches("nondet_") {
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
}
