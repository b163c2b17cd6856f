//! Builtins on floats: constants and classification, for every floating type.

use crate::ir::{BinOp, Builtin, CastOp, DataModel, ExprId, Granted, HavocSource, Op, Ty, UnOp};
use crate::lower::types::{CType, FloatKind, IntKind};
use crate::lower::{Lower, R, Val};
use robusto_ieee::Format;
use robusto_syntax::Span;
use robusto_syntax::ast::{Encoding, Expr, ExprKind};

impl<'a> Lower<'a, '_> {
    /// A call to a builtin on floats; `None` if the name is none of these.
    pub(in crate::lower) fn float_builtin(&mut self, name: &str, args: &[Expr<'a>], span: Span) -> R<Option<Val>> {
        if let Some(kind) = suffix_of(name, &["inf", "huge_val"]) {
            let e = self.limit(kind, Format::infinity);
            return Ok(Some(Val { e, ty: self.types.float(kind) }));
        }
        if let Some(kind) = suffix_of(name, &["nan", "nans"]) {
            return self.nan(kind, name.starts_with("nans"), args, span).map(Some);
        }
        let comparison =
            matches!(name, "isunordered" | "isgreater" | "isgreaterequal" | "isless" | "islessequal" | "islessgreater");
        if comparison {
            let [a, b] = self.float_pair(args, span)?;
            let cond = self.quiet_comparison(name, a.e, b.e);
            return Ok(Some(self.truth_value(cond)));
        }
        if name == "fpclassify" {
            return self.fpclassify(args, span).map(Some);
        }
        if suffix_of(name, &["powi"]).is_some() {
            return self.power(name, args, span).map(Some);
        }
        let class = ["isnan", "isinf", "isfinite", "finite", "isnormal", "signbit"];
        let Some(class) = class.into_iter().find(|class| suffix_of(name, &[class]).is_some()) else {
            return Ok(match name {
                "isinf_sign" => {
                    let value = self.float_argument(args, span)?;
                    let (plus, minus) = self.infinite(value);
                    let pool = &mut self.program.exprs;
                    let (plus, minus) =
                        (pool.cast(CastOp::ZExt, Ty::Int(32), plus), pool.cast(CastOp::ZExt, Ty::Int(32), minus));
                    Some(Val { e: pool.binary(BinOp::Sub, plus, minus), ty: self.types.int(IntKind::Int) })
                }
                _ => None,
            });
        };
        let value = self.float_argument(args, span)?;
        let cond = match class {
            "isnan" => self.program.exprs.binary(BinOp::FNe, value.e, value.e),
            "isinf" => {
                let (plus, minus) = self.infinite(value);
                self.program.exprs.binary(BinOp::Or, plus, minus)
            }
            "isnormal" => self.between(value, true),
            "signbit" => {
                let ty = suffix_of(name, &["signbit"]).filter(|_| name != "signbit").unwrap_or(FloatKind::Double);
                let value = if name == "signbit" { value } else { self.converted(value, ty, span)? };
                return self.sign_value(value).map(Some);
            }
            _ => self.between(value, false),
        };
        Ok(Some(self.truth_value(cond)))
    }

    /// A number that a format has.
    fn limit(&mut self, kind: FloatKind, of: impl Fn(Format) -> u128) -> ExprId {
        let ty = match kind {
            FloatKind::Float => Ty::F32,
            FloatKind::LongDouble => Ty::F80,
            FloatKind::Double | FloatKind::Float128 => Ty::F64,
        };
        self.program.exprs.float(ty, of(ty.format()))
    }

    fn converted(&mut self, value: Val, kind: FloatKind, span: Span) -> R<Val> {
        let ty = self.types.float(kind);
        self.convert(value, ty, span)
    }

    /// `nan("123")`: the string is a number that becomes the payload.
    fn nan(&mut self, kind: FloatKind, signalling: bool, args: &[Expr<'a>], span: Span) -> R<Val> {
        let payload = match args.first().map(|arg| arg.kind) {
            Some(ExprKind::Str(units, Encoding::Plain)) => payload(units),
            _ => {
                self.evaluate(args)?;
                self.assume(span, Granted::NanPayload);
                0
            }
        };
        let quiet = |bit: u32| if signalling { 0 } else { 1 << bit };
        let single = u64::from(0x7f80_0000u32) | quiet(22) | payload & ((1 << 22) - 1);
        let double = 0x7ff0_0000_0000_0000 | quiet(51) | payload & ((1 << 51) - 1);
        if kind == FloatKind::LongDouble {
            // A constant has the payload that a double has, and is quiet: an operation on a signalling one gives that.
            let e = self.limit(kind, |format| format.infinity() | format.quiet() | u128::from(payload) << 11);
            return Ok(Val { e, ty: self.types.float(kind) });
        }
        // A signalling NaN needs some bit, or it is an infinity.
        let some = |bits: u64, bit: u32| if signalling && payload == 0 { bits | 1 << bit } else { bits };
        let e = match kind {
            FloatKind::Float => self.program.exprs.constant(Ty::F32, some(single, 21)),
            _ => self.program.exprs.constant(Ty::F64, some(double, 50)),
        };
        Ok(Val { e, ty: self.types.float(kind) })
    }

    fn quiet_comparison(&mut self, name: &str, a: ExprId, b: ExprId) -> ExprId {
        let pool = &mut self.program.exprs;
        match name {
            "isgreater" => pool.binary(BinOp::FLt, b, a),
            "isgreaterequal" => pool.binary(BinOp::FLe, b, a),
            "isless" => pool.binary(BinOp::FLt, a, b),
            "islessequal" => pool.binary(BinOp::FLe, a, b),
            "isunordered" => {
                let (x, y) = (pool.binary(BinOp::FNe, a, a), pool.binary(BinOp::FNe, b, b));
                pool.binary(BinOp::Or, x, y)
            }
            _ => {
                let (less, more) = (pool.binary(BinOp::FLt, a, b), pool.binary(BinOp::FLt, b, a));
                pool.binary(BinOp::Or, less, more)
            }
        }
    }

    /// Whether a value is plus, or minus, infinity.
    fn infinite(&mut self, value: Val) -> (ExprId, ExprId) {
        let (plus, minus) = self.both_signs(value, Format::infinity);
        let pool = &mut self.program.exprs;
        (pool.binary(BinOp::FEq, value.e, plus), pool.binary(BinOp::FEq, value.e, minus))
    }

    /// Whether a value is finite; with `normal`, also at least the least normal number in magnitude.
    fn between(&mut self, value: Val, normal: bool) -> ExprId {
        let (infinite, minus) = self.both_signs(value, Format::infinity);
        let (least, negative) = self.both_signs(value, |format| 1 << format.fraction);
        let (e, pool) = (value.e, &mut self.program.exprs);
        let (above, below) = (pool.binary(BinOp::FLt, minus, e), pool.binary(BinOp::FLt, e, infinite));
        let finite = pool.binary(BinOp::And, above, below);
        if !normal {
            return finite;
        }
        let (positive, negative) = (pool.binary(BinOp::FLe, least, e), pool.binary(BinOp::FLe, e, negative));
        let large = pool.binary(BinOp::Or, positive, negative);
        pool.binary(BinOp::And, finite, large)
    }

    fn both_signs(&mut self, value: Val, of: impl Fn(Format) -> u128) -> (ExprId, ExprId) {
        let kind = match self.types.get(value.ty) {
            CType::Float(kind) => *kind,
            _ => FloatKind::Double,
        };
        let plus = self.limit(kind, of);
        (plus, self.program.exprs.unary(UnOp::FNeg, plus))
    }

    /// `signbit` has the value that gcc's code for x86 has: the bit where it stands, and 1 for doubles, whose bits are moved down, and
    /// for constants. (Code of x87, as under ILP32, tests a bit of its status word.)
    fn sign_value(&mut self, value: Val) -> R<Val> {
        let ty = self.program.exprs.ty(value.e);
        let int = self.types.int(IntKind::Int);
        let known = match ty {
            Ty::F80 => self.program.exprs.as_extended(value.e).map(|bits| bits >> 79 != 0),
            _ => self.program.exprs.as_const(value.e).map(|bits| bits >> (ty.format().width() - 1) != 0),
        };
        if let Some(known) = known {
            return Ok(self.int_value(known.into()));
        }
        let place = match ty {
            _ if self.model() == DataModel::Ilp32 => 9,
            Ty::F80 => 9,
            Ty::F32 => 31,
            _ => 0,
        };
        let mut addr = self.bytes_of(value);
        let mut bits = ty.bits(self.model()) as u8;
        if ty == Ty::F80 {
            (addr, bits) = (self.offset_by(addr, 8), 16);
        }
        let pool = &mut self.program.exprs;
        let (raw, zero, place) = (pool.load(Ty::Int(bits), addr), pool.int(bits, 0), pool.int(32, place));
        let negative = pool.binary(BinOp::SLt, raw, zero);
        let bit = pool.cast(CastOp::ZExt, Ty::Int(32), negative);
        Ok(Val { e: pool.binary(BinOp::Shl, bit, place), ty: int })
    }

    /// `__builtin_fpclassify(nan, infinite, normal, subnormal, zero, x)`
    fn fpclassify(&mut self, args: &[Expr<'a>], span: Span) -> R<Val> {
        let [classes @ .., _] = args else { return self.error(span, "this call needs six arguments") };
        let mut values = Vec::new();
        for class in classes {
            let value = self.argument(std::slice::from_ref(class), 0, Ty::Int(32), span)?;
            values.push(self.hold_bits(value));
        }
        let &[nan, infinite, normal, subnormal, zero] = &values[..] else {
            return self.error(span, "this call needs six arguments");
        };
        let x = self.float_argument(&args[5..], span)?;
        let is_nan = self.program.exprs.binary(BinOp::FNe, x.e, x.e);
        let is_normal = self.between(x, true);
        let is_finite = self.between(x, false);
        let null = self.float_zero(x);
        let is_zero = self.program.exprs.binary(BinOp::FEq, x.e, null);
        let small = self.select(is_zero, zero, subnormal);
        let finite = self.select(is_normal, normal, small);
        let number = self.select(is_finite, finite, infinite);
        let e = self.select(is_nan, nan, number);
        Ok(Val { e, ty: self.types.int(IntKind::Int) })
    }

    fn float_zero(&mut self, like: Val) -> ExprId {
        let ty = self.program.exprs.ty(like.e);
        self.program.exprs.float(ty, 0)
    }

    /// `__builtin_powi(x, n)`, by the library's power.
    fn power(&mut self, name: &str, args: &[Expr<'a>], span: Span) -> R<Val> {
        let x = self.argument(args, 0, Ty::F64, span)?;
        let n = self.argument(args, 1, Ty::Int(32), span)?;
        let kind = suffix_of(name, &["powi"]).unwrap_or(FloatKind::Double);
        let ty = self.types.float(kind);
        if kind == FloatKind::LongDouble {
            return Ok(self.havoc_value(ty, HavocSource::Unmodelled));
        }
        let n = self.program.exprs.cast(CastOp::SToF, Ty::F64, n);
        let double = self.types.float(FloatKind::Double);
        let result = self.result_var(double);
        self.at_span(span);
        self.emit(Op::Builtin { result, builtin: Builtin::Pow, args: [x, n].into() });
        let value = self.var_value(result, double);
        self.convert(value, ty, span)
    }

    fn float_argument(&mut self, args: &[Expr<'a>], span: Span) -> R<Val> {
        let Some(arg) = args.first() else { return self.error(span, "this call needs an argument") };
        let value = self.rvalue(arg)?;
        let value = match self.types.get(value.ty) {
            CType::Float(kind) => {
                self.note_precision(*kind, span);
                value
            }
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
}

/// The type that the end of a name says, if the rest is one of these.
fn suffix_of(name: &str, stems: &[&str]) -> Option<FloatKind> {
    stems.iter().find_map(|stem| {
        Some(match name.strip_prefix(stem)? {
            "" | "f64" | "f32x" => FloatKind::Double,
            "f" | "f32" => FloatKind::Float,
            "l" | "f64x" => FloatKind::LongDouble,
            "f128" | "q" => FloatKind::Float128,
            _ => return None,
        })
    })
}

/// The number in the string of `nan`: decimal, octal or hexadecimal; 0 if it is none.
fn payload(units: &[u32]) -> u64 {
    let text: String = units.iter().filter_map(|&unit| char::from_u32(unit)).collect();
    let (digits, base) = match (text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")), text.strip_prefix('0')) {
        (Some(hex), _) => (hex, 16),
        (_, Some(octal)) if !octal.is_empty() => (octal, 8),
        _ => (text.as_str(), 10),
    };
    u64::from_str_radix(digits, base).unwrap_or(0)
}
