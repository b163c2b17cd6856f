//! The functions of `<math.h>`.

use robusto_cfa::ir::{Builtin, Ty, fold};

/// The value of a mathematical function; `None` if it is none.
pub(super) fn evaluate(builtin: Builtin, args: &[(u128, Ty)]) -> Option<u128> {
    if let (Builtin::Fabs | Builtin::Fabsf, &[(x, ty)]) = (builtin, args)
        && ty.is_float()
    {
        return Some(if ty == Ty::F32 { x & 0x7fff_ffff } else { x & u128::from(u64::MAX >> 1) });
    }
    let (value, ty) = number(builtin, args)?;
    let operands: Vec<u64> = args.iter().filter(|&&(_, of)| of == ty).map(|&(x, _)| x as u64).collect();
    let is_nan = as_double(value.into(), ty).is_nan();
    Some(if is_nan { fold::no_number(ty, &operands) } else { value }.into())
}

fn number(builtin: Builtin, args: &[(u128, Ty)]) -> Option<(u64, Ty)> {
    let double = |index: usize| args.get(index).map_or(0.0, |&(bits, ty)| as_double(bits, ty));
    let single = |index: usize| double(index) as f32;
    let (x, s) = (double(0), single(0));
    use Builtin::*;
    let result = match builtin {
        Sqrt => x.sqrt(),
        Floor => x.floor(),
        Ceil => x.ceil(),
        Round => x.round(),
        Trunc => x.trunc(),
        Rint => x.round_ties_even(),
        Fmod => x % double(1),
        Sin => x.sin(),
        Cos => x.cos(),
        Tan => x.tan(),
        Atan => x.atan(),
        Atan2 => x.atan2(double(1)),
        Exp => x.exp(),
        Log => x.ln(),
        Pow => x.powf(double(1)),
        Sqrtf => return bits(s.sqrt()),
        Floorf => return bits(s.floor()),
        Ceilf => return bits(s.ceil()),
        Roundf => return bits(s.round()),
        Truncf => return bits(s.trunc()),
        Rintf => return bits(s.round_ties_even()),
        Fmodf => return bits(s % single(1)),
        _ => return None,
    };
    Some((result.to_bits(), Ty::F64))
}

fn bits(value: f32) -> Option<(u64, Ty)> {
    Some((value.to_bits().into(), Ty::F32))
}

fn as_double(bits: u128, ty: Ty) -> f64 {
    fold::as_double(ty, bits as u64)
}
