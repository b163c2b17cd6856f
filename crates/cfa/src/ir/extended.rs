//! The operators on floats of 80 bits.

use super::{BinOp, CastOp, DataModel, Ty, UnOp, fold};
use super::{Expr, ExprId, ExprPool};
use robusto_ieee::{Format, Rounding, compact, extended, soft};

fn format() -> Format {
    Ty::F80.format()
}

/// With the opposite sign.
pub fn negated(a: u128) -> u128 {
    a ^ 1 << 79
}

/// A binary operator; comparisons give 0 or 1.
pub fn binary(op: BinOp, a: u128, b: u128) -> u128 {
    let (format, a, b) = (format(), compact(a), compact(b));
    let number =
        |operator: fn(Format, Rounding, u128, u128) -> u128| extended(operator(format, Rounding::NearestEven, a, b));
    match op {
        BinOp::FAdd => number(soft::add),
        BinOp::FSub => number(soft::sub),
        BinOp::FMul => number(soft::mul),
        BinOp::FDiv => number(soft::div),
        BinOp::FEq => soft::equal(format, a, b).into(),
        BinOp::FNe => (!soft::equal(format, a, b)).into(),
        BinOp::FLt => soft::less(format, a, b).into(),
        BinOp::FLe => (soft::less(format, a, b) || soft::equal(format, a, b)).into(),
        _ => unreachable!("{op:?} has no floats as operands"),
    }
}

/// A conversion from or to a float of 80 bits.
pub fn cast(op: CastOp, from: Ty, to: Ty, model: DataModel, a: u128) -> u128 {
    let (from_bits, to_bits) = (from.bits(model), to.bits(model));
    let ones = u128::MAX >> (128 - to_bits);
    match op {
        CastOp::SToF => {
            let unused = 128 - from_bits;
            let value = ((a << unused) as i128) >> unused;
            extended(soft::of_integer(format(), Rounding::NearestEven, value < 0, value.unsigned_abs()))
        }
        CastOp::UToF => extended(soft::of_integer(format(), Rounding::NearestEven, false, a)),
        CastOp::FToS => {
            let (negative, size) = soft::to_integer(format(), compact(a));
            let most = ones >> 1;
            if negative { size.min(most + 1).wrapping_neg() & ones } else { size.min(most) }
        }
        CastOp::FToU => match soft::to_integer(format(), compact(a)) {
            (true, _) => 0,
            (false, size) => size.min(ones),
        },
        CastOp::FToF if from == to => a,
        CastOp::FToF => {
            let a = if from == Ty::F80 { compact(a) } else { a };
            let value = soft::convert(from.format(), to.format(), Rounding::NearestEven, a);
            if to == Ty::F80 { extended(value) } else { value }
        }
        _ => unreachable!("{op:?} converts no floats"),
    }
}

/// A number as a literal of C without suffix, in decimal where a double holds it; else in words.
pub fn text(bits: u128) -> String {
    let inner = compact(bits);
    let double = soft::convert(format(), Format::of(64), Rounding::NearestEven, inner);
    let sign = if bits >> 79 & 1 != 0 { "-" } else { "" };
    if format().is_nan(inner) {
        return format!("{sign}NaN");
    }
    let back = soft::convert(Format::of(64), format(), Rounding::NearestEven, double);
    if back == inner {
        return format!("{:?}", f64::from_bits(double as u64));
    }
    let significand = extended(inner) as u64;
    let exponent = (inner >> 63 & 0x7fff).max(1) as i64 - 16383 - 63 + i64::from(significand.trailing_zeros());
    format!("{sign}{:#x}p{exponent}", significand >> significand.trailing_zeros())
}

/// How deep the expression of a constant is at most: the greatest exponents are products of powers of two that a double has.
const DEPTH: usize = 40;

impl ExprPool {
    /// A constant of 80 bits, built from narrower ones. Of what is no number, the payload that a double has is kept; an encoding that
    /// the processor does not make gives what is no number.
    pub fn extended(&mut self, bits: u128) -> ExprId {
        let inner = compact(bits);
        let double = soft::convert(format(), Format::of(64), Rounding::NearestEven, inner);
        if format().is_nan(inner) || fold::cast_wide(CastOp::FToF, Ty::F64, Ty::F80, self.model(), double) == bits {
            return self.exact(double as u64);
        }
        let field = (inner >> 63 & 0x7fff) as i64;
        let significand = extended(inner) as u64;
        let odd = significand >> significand.trailing_zeros();
        let whole = self.constant(Ty::Int(64), odd);
        let mut result = self.intern(Expr::Cast(CastOp::UToF, Ty::F80, whole));
        let mut exponent = field.max(1) - 16383 - 63 + i64::from(significand.trailing_zeros());
        // Exact products, as long as the last one is the only subnormal one.
        let mut negative = bits >> 79 & 1 != 0;
        while exponent != 0 || negative {
            let step = exponent.clamp(-1000, 1000);
            let power = 2f64.powi(step as i32);
            let factor = self.exact(if std::mem::take(&mut negative) { -power } else { power }.to_bits());
            result = self.intern(Expr::Binary(BinOp::FMul, result, factor));
            exponent -= step;
        }
        result
    }

    /// All bits zero, of any type.
    pub fn zero(&mut self, ty: Ty) -> ExprId {
        match ty {
            Ty::F80 => self.exact(0),
            Ty::Int(bits) => self.int(bits, 0),
            ty => self.constant(ty, 0),
        }
    }

    /// A float of any type, by its bits in the layout of IEEE 754.
    pub fn float(&mut self, ty: Ty, bits: u128) -> ExprId {
        if ty == Ty::F80 { self.extended(extended(bits)) } else { self.constant(ty, bits as u64) }
    }

    /// The float of a type that is nearest to a double.
    pub fn float_near(&mut self, ty: Ty, value: f64) -> ExprId {
        let bits = soft::convert(Format::of(64), ty.format(), Rounding::NearestEven, value.to_bits().into());
        self.float(ty, bits)
    }

    fn exact(&mut self, double: u64) -> ExprId {
        let double = self.constant(Ty::F64, double);
        self.intern(Expr::Cast(CastOp::FToF, Ty::F80, double))
    }

    /// The bits of a constant of 80 bits, of the form that [`ExprPool::extended`] gives it.
    pub fn as_extended(&self, e: ExprId) -> Option<u128> {
        self.extended_below(e, DEPTH)
    }

    fn extended_below(&self, e: ExprId, depth: usize) -> Option<u128> {
        match self.get(e) {
            Expr::Cast(op, Ty::F80, inner) => {
                let bits = self.as_const(inner)?;
                Some(cast(op, self.ty(inner), Ty::F80, self.model(), bits.into()))
            }
            Expr::Binary(op @ BinOp::FMul, a, b) if depth > 0 && self.ty(a) == Ty::F80 => {
                let b = self.extended_below(b, 0)?;
                Some(binary(op, self.extended_below(a, depth - 1)?, b))
            }
            _ => None,
        }
    }

    /// An operator on constants of 80 bits, or a conversion of one, if it is that.
    pub(super) fn folded_extended(&mut self, expr: Expr) -> Option<ExprId> {
        match expr {
            Expr::Unary(UnOp::FNeg, a) if self.ty(a) == Ty::F80 => {
                let a = self.as_extended(a)?;
                Some(self.extended(negated(a)))
            }
            Expr::Binary(op, a, b) if self.ty(a) == Ty::F80 => {
                let value = binary(op, self.as_extended(a)?, self.as_extended(b)?);
                Some(if op.is_comparison() { self.bool(value != 0) } else { self.extended(value) })
            }
            Expr::Cast(op, to, a) if self.ty(a) == Ty::F80 => {
                let value = cast(op, Ty::F80, to, self.model(), self.as_extended(a)?);
                Some(match to {
                    Ty::Int(128) => self.int(128, value as i128),
                    to => self.constant(to, value as u64),
                })
            }
            Expr::Cast(op, Ty::F80, a) => {
                let value = cast(op, self.ty(a), Ty::F80, self.model(), self.as_const(a)?.into());
                Some(self.extended(value))
            }
            _ => None,
        }
    }
}
