//! The functions of `<math.h>`.

use robusto_cfa::ir::{Builtin, Ty};

/// The value of a mathematical function; `None` if it is none.
pub(super) fn evaluate(builtin: Builtin, args: &[(u128, Ty)]) -> Option<u128> {
    let double = |index: usize| args.get(index).map_or(0.0, |&(bits, ty)| as_double(bits, ty));
    let single = |index: usize| double(index) as f32;
    let (x, s) = (double(0), single(0));
    use Builtin::*;
    let result = match builtin {
        Fabs => x.abs(),
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
        Fabsf => return bits(s.abs()),
        Sqrtf => return bits(s.sqrt()),
        Floorf => return bits(s.floor()),
        Ceilf => return bits(s.ceil()),
        Roundf => return bits(s.round()),
        Truncf => return bits(s.trunc()),
        Rintf => return bits(s.round_ties_even()),
        Fmodf => return bits(s % single(1)),
        _ => return None,
    };
    Some(result.to_bits().into())
}

fn bits(value: f32) -> Option<u128> {
    Some(value.to_bits().into())
}

fn as_double(bits: u128, ty: Ty) -> f64 {
    robusto_cfa::ir::fold::as_double(ty, bits as u64)
}
