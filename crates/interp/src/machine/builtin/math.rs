//! The functions of `<math.h>`.

use robusto_cfa::ir::directed::{Directed, directed};
use robusto_cfa::ir::{Builtin, Ty, fold};
use robusto_ieee::{COMPACT, Format, Rounding, compact, soft};

/// The value of a mathematical function; `None` if it is none. What is defined bit for bit is so; others are what the C library of
/// this machine gives.
pub(super) fn evaluate(builtin: Builtin, args: &[(u128, Ty)]) -> Option<u128> {
    use Builtin::{Fabs, Fabsf, Fmod, Fmodf, Remainder, Remainderf};
    if let Some((of, rounding)) = directed(builtin) {
        return directed_value(of, rounding, args);
    }
    if let Some(value) = extended(builtin, args) {
        return Some(value);
    }
    let width = |ty: Ty| if ty == Ty::F32 { 32 } else { 64 };
    match (builtin, args) {
        (Fabs | Fabsf, &[(x, ty)]) if ty.is_float() => return Some(x & ((1 << (width(ty) - 1)) - 1)),
        (Fmod | Fmodf, &[(x, ty), (y, other)]) if ty == other && ty.is_float() => {
            return Some(robusto_ieee::fmod(width(ty), x, y));
        }
        (Remainder | Remainderf, &[(x, ty), (y, other)]) if ty == other && ty.is_float() => {
            return Some(robusto_ieee::remainder(width(ty), x, y));
        }
        _ => {}
    }
    let (value, ty) = number(builtin, args)?;
    let operands: Vec<u64> = args.iter().filter(|&&(_, of)| of == ty).map(|&(x, _)| x as u64).collect();
    let is_nan = as_double(value.into(), ty).is_nan();
    Some(if is_nan { fold::no_number(ty, &operands) } else { value }.into())
}

/// An operator that rounds in a direction.
fn directed_value(of: Directed, rounding: Rounding, args: &[(u128, Ty)]) -> Option<u128> {
    let inner =
        |index: usize| args.get(index).map_or(0, |&(bits, ty)| if ty == Ty::F80 { compact(bits) } else { bits });
    let ty = args.get(usize::from(matches!(of, Directed::Convert | Directed::OfSigned | Directed::OfUnsigned)))?.1;
    let (from, format) = (args.first()?.1, ty.format());
    let [a, b, c] = [0, 1, 2].map(inner);
    let value = match of {
        Directed::Add => soft::add(format, rounding, a, b),
        Directed::Sub => soft::sub(format, rounding, a, b),
        Directed::Mul => soft::mul(format, rounding, a, b),
        Directed::Div => soft::div(format, rounding, a, b),
        Directed::Sqrt => soft::sqrt(format, rounding, a),
        Directed::Rint => soft::integral(format, rounding, a),
        Directed::Fma => soft::fma(format, rounding, a, b, c),
        Directed::Convert => soft::convert(from.format(), format, rounding, a),
        Directed::OfUnsigned => soft::of_integer(format, rounding, false, a),
        Directed::OfSigned => {
            let Ty::Int(bits) = from else { return None };
            let unused = 128 - u32::from(bits);
            let number = ((a << unused) as i128) >> unused;
            soft::of_integer(format, rounding, number < 0, number.unsigned_abs())
        }
    };
    Some(if ty == Ty::F80 { robusto_ieee::extended(value) } else { value })
}

/// The functions on `long double`.
fn extended(builtin: Builtin, args: &[(u128, Ty)]) -> Option<u128> {
    use Builtin::*;
    let format = Format::of(COMPACT);
    let arg = |index: usize| args.get(index).map_or(0, |&(bits, _)| compact(bits));
    let round = |rounding| soft::integral(format, rounding, arg(0));
    Some(robusto_ieee::extended(match builtin {
        Fabsl => return Some(args.first()?.0 & !(1 << 79)),
        Sqrtl => soft::sqrt(format, Rounding::NearestEven, arg(0)),
        Floorl => round(Rounding::Down),
        Ceill => round(Rounding::Up),
        Truncl => round(Rounding::Zero),
        Roundl => round(Rounding::NearestAway),
        Rintl | Roundevenl => round(Rounding::NearestEven),
        Fmodl => robusto_ieee::fmod(COMPACT, arg(0), arg(1)),
        Remainderl => robusto_ieee::remainder(COMPACT, arg(0), arg(1)),
        Fmal => soft::fma(format, Rounding::NearestEven, arg(0), arg(1), arg(2)),
        _ => return None,
    }))
}

/// A function by its name, for doubles and for singles.
macro_rules! functions {
    ($builtin:expr, $double:expr, $single:expr; $($name:ident $narrow:ident $function:expr, $other:expr;)+) => {
        match $builtin {
            $(Builtin::$name => {
                let function: fn(&dyn Fn(usize) -> f64) -> f64 = $function;
                Some((function($double).to_bits(), Ty::F64))
            })+
            $(Builtin::$narrow => {
                let function: fn(&dyn Fn(usize) -> f32) -> f32 = $other;
                Some((function($single).to_bits().into(), Ty::F32))
            })+
            _ => None,
        }
    };
}

fn number(builtin: Builtin, args: &[(u128, Ty)]) -> Option<(u64, Ty)> {
    let double = |index: usize| args.get(index).map_or(0.0, |&(bits, ty)| as_double(bits, ty));
    let single = |index: usize| double(index) as f32;
    functions! {
        builtin, &double, &single;
        Sqrt Sqrtf |x| x(0).sqrt(), |x| x(0).sqrt();
        Floor Floorf |x| x(0).floor(), |x| x(0).floor();
        Ceil Ceilf |x| x(0).ceil(), |x| x(0).ceil();
        Round Roundf |x| x(0).round(), |x| x(0).round();
        Trunc Truncf |x| x(0).trunc(), |x| x(0).trunc();
        Rint Rintf |x| x(0).round_ties_even(), |x| x(0).round_ties_even();
        Roundeven Roundevenf |x| x(0).round_ties_even(), |x| x(0).round_ties_even();
        Fma Fmaf |x| x(0).mul_add(x(1), x(2)), |x| x(0).mul_add(x(1), x(2));
        Sin Sinf |x| x(0).sin(), |x| x(0).sin();
        Cos Cosf |x| x(0).cos(), |x| x(0).cos();
        Tan Tanf |x| x(0).tan(), |x| x(0).tan();
        Asin Asinf |x| x(0).asin(), |x| x(0).asin();
        Acos Acosf |x| x(0).acos(), |x| x(0).acos();
        Atan Atanf |x| x(0).atan(), |x| x(0).atan();
        Atan2 Atan2f |x| x(0).atan2(x(1)), |x| x(0).atan2(x(1));
        Sinh Sinhf |x| x(0).sinh(), |x| x(0).sinh();
        Cosh Coshf |x| x(0).cosh(), |x| x(0).cosh();
        Tanh Tanhf |x| x(0).tanh(), |x| x(0).tanh();
        Asinh Asinhf |x| x(0).asinh(), |x| x(0).asinh();
        Acosh Acoshf |x| x(0).acosh(), |x| x(0).acosh();
        Atanh Atanhf |x| x(0).atanh(), |x| x(0).atanh();
        Exp Expf |x| x(0).exp(), |x| x(0).exp();
        Exp2 Exp2f |x| x(0).exp2(), |x| x(0).exp2();
        Exp10 Exp10f |x| 10.0f64.powf(x(0)), |x| 10.0f32.powf(x(0));
        Expm1 Expm1f |x| x(0).exp_m1(), |x| x(0).exp_m1();
        Log Logf |x| x(0).ln(), |x| x(0).ln();
        Log2 Log2f |x| x(0).log2(), |x| x(0).log2();
        Log10 Log10f |x| x(0).log10(), |x| x(0).log10();
        Log1p Log1pf |x| x(0).ln_1p(), |x| x(0).ln_1p();
        Pow Powf |x| x(0).powf(x(1)), |x| x(0).powf(x(1));
        Cbrt Cbrtf |x| x(0).cbrt(), |x| x(0).cbrt();
        Hypot Hypotf |x| x(0).hypot(x(1)), |x| x(0).hypot(x(1));
    }
}

fn as_double(bits: u128, ty: Ty) -> f64 {
    fold::as_double(ty, bits as u64)
}
