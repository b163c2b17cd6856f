//! Builtins of the compiler that are not library functions.

use super::types::{CType, FloatKind, IntKind};
use super::{Lower, R, Val};
use crate::ir::{BinOp, CastOp, HavocSource, Op, Ty, UnOp};
use robusto_syntax::Span;
use robusto_syntax::ast::Expr;

impl<'a> Lower<'a, '_> {
    /// Builtins of the compiler that are not library functions.
    pub(super) fn compiler_builtin(&mut self, name: &str, args: &[Expr<'a>], span: Span) -> R<Option<Val>> {
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
                let place = self.va_list_place(list)?;
                let e = self.program.exprs.var(varargs);
                self.write(place, Val { e, ty: place.ty });
                self.void_value()
            }
            "va_copy" => {
                let [to, from] = args else { return self.error(span, "`va_copy` needs two arguments") };
                let place = self.va_list_place(to)?;
                let from_place = self.va_list_place(from)?;
                let value = self.read(from_place, from.span)?;
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
