//! From results to operands.

use super::values::Values;
use super::{Known, Revised, floats, forward};
use crate::term::BinaryOp;

/// What a term tells of its operands: whether something has become narrower; nothing if no value is left.
pub(super) fn revise(node: Revised, at: usize, known: &mut Known) -> Option<bool> {
    let result = known[at];
    match node {
        Revised::Leaf => Some(false),
        Revised::Not(x) => narrow(known, x, &forward::not(&result)),
        Revised::Neg(x) => narrow(known, x, &forward::sum(&Values::constant(result.width, 0), -1, &result)),
        Revised::Binary(op, x, y) => binary(op, &result, x, y, known),
        Revised::Ite(condition, yes, no) => match known[condition].as_truth() {
            Some(true) => narrow(known, yes, &result),
            Some(false) => narrow(known, no, &result),
            None if result.meet(&known[yes]).is_none() => narrow(known, condition, &Values::truth(false)),
            None if result.meet(&known[no]).is_none() => narrow(known, condition, &Values::truth(true)),
            None => Some(false),
        },
        Revised::Extract { arg, lo: 0 } => {
            let width = known[arg].width;
            let low = Values::low(width, result.low.0, result.low.1);
            let narrower = narrow(known, arg, &low)?;
            if result.width + 1 < width {
                return Some(narrower);
            }
            // All but the highest bit, as in magnitudes of floats.
            let bounds = Some((result.unsigned.0 as u64, result.unsigned.1 as u64));
            Some(narrow(known, arg, &floats::of_halves(width, [bounds, bounds])?)? || narrower)
        }
        Revised::Extract { arg, lo } if lo + 1 == known[arg].width => {
            let Some(sign) = result.as_truth() else { return Some(false) };
            let mut parts = floats::halves(&known[arg]);
            parts[usize::from(!sign)] = None;
            narrow(known, arg, &floats::of_halves(known[arg].width, parts)?)
        }
        Revised::Extract { .. } | Revised::Concat(..) => Some(false),
        Revised::Float(op, x, y) => floats::down(op, at, (x, y), known),
        Revised::ZExt(x) => {
            let arg = forward::both(&Values::any(known[x].width), &cut(known[x].width, result.unsigned, result.low)?);
            narrow(known, x, &arg)
        }
        Revised::SExt(x) => {
            let width = known[x].width;
            let all = Values::any(width).signed;
            let bounds = (result.signed.0.max(all.0), result.signed.1.min(all.1));
            if bounds.0 > bounds.1 {
                return None;
            }
            let low = Values::low(width, result.low.0.min(width), result.low.1);
            let narrower = narrow(known, x, &Values::integers(width, bounds.0, bounds.1))?;
            Some(narrow(known, x, &low)? || narrower)
        }
    }
}

pub(super) fn narrow(known: &mut Known, x: usize, with: &Values) -> Option<bool> {
    let met = known[x].meet(with)?;
    let changed = met != known[x];
    known[x] = met;
    Some(changed)
}

/// Unsigned bounds and low bits at a smaller width; nothing if the bounds are beyond it.
fn cut(width: u16, (lo, hi): (i128, i128), low: (u16, i128)) -> Option<Values> {
    let hi = hi.min((1 << width) - 1);
    (lo <= hi).then(|| forward::resized(width, (lo, hi), (low.0.min(width), low.1)))
}

fn binary(op: BinaryOp, result: &Values, x: usize, y: usize, known: &mut Known) -> Option<bool> {
    let (a, b) = (known[x], known[y]);
    let mut two = |for_x: &Values, for_y: &Values| {
        let first = narrow(known, x, for_x)?;
        Some(narrow(known, y, for_y)? || first)
    };
    match op {
        BinaryOp::Add => two(&forward::sum(result, -1, &b), &forward::sum(result, -1, &a)),
        BinaryOp::Sub => two(&forward::sum(result, 1, &b), &forward::sum(&a, -1, result)),
        BinaryOp::And | BinaryOp::Or if result.width == 1 => {
            // A conjunction that is true, or a disjunction that is not, has both operands so; else one of them is not.
            let all = op == BinaryOp::And;
            let any = Values::any(1);
            match (result.as_truth(), a.as_truth(), b.as_truth()) {
                (Some(truth), ..) if truth == all => two(&Values::truth(all), &Values::truth(all)),
                (Some(_), Some(first), _) if first == all => two(&any, &Values::truth(!all)),
                (Some(_), _, Some(second)) if second == all => two(&Values::truth(!all), &any),
                _ => Some(false),
            }
        }
        // Both have bits of the result only.
        BinaryOp::Or => {
            let below = Values::integers(result.width, 0, result.unsigned.1);
            two(&below, &below)
        }
        BinaryOp::Xor => two(&forward::binary(op, result, &b), &forward::binary(op, result, &a)),
        BinaryOp::Eq => match result.as_truth() {
            Some(true) => two(&b, &a),
            Some(false) => two(&without(&a, &b)?, &without(&b, &a)?),
            None => Some(false),
        },
        BinaryOp::ULt | BinaryOp::ULe | BinaryOp::SLt | BinaryOp::SLe => {
            let Some(truth) = result.as_truth() else { return Some(false) };
            let signed = matches!(op, BinaryOp::SLt | BinaryOp::SLe);
            let strict = matches!(op, BinaryOp::ULt | BinaryOp::SLt) == truth;
            let distance = i128::from(strict);
            if truth {
                let (a, b) = ordered(&a, &b, signed, distance)?;
                two(&a, &b)
            } else {
                // Not a ≤ b: b + 1 ≤ a.
                let (b, a) = ordered(&b, &a, signed, distance)?;
                two(&a, &b)
            }
        }
        _ => Some(false),
    }
}

/// The words of two sets with a + distance ≤ b.
fn ordered(a: &Values, b: &Values, signed: bool, distance: i128) -> Option<(Values, Values)> {
    let bounds = |x: &Values| if signed { x.signed } else { x.unsigned };
    let (x, y) = (bounds(a), bounds(b));
    let (most, least) = (x.1.min(y.1 - distance), y.0.max(x.0 + distance));
    if x.0 > most || least > y.1 {
        return None;
    }
    let below = Values::integers(a.width, x.0, most);
    let above = Values::integers(b.width, least, y.1);
    Some((a.meet(&below)?, b.meet(&above)?))
}

/// The words that differ from the only one of another set: only ends can be taken away.
fn without(x: &Values, other: &Values) -> Option<Values> {
    let Some(value) = other.as_constant() else { return Some(*x) };
    let mut left = *x;
    let end = |(lo, hi): (i128, i128), value: i128| (lo + i128::from(lo == value), hi - i128::from(hi == value));
    left.unsigned = end(x.unsigned, value);
    left.signed = end(x.signed, other.signed.0);
    if left.unsigned.0 > left.unsigned.1 || left.signed.0 > left.signed.1 {
        return None;
    }
    left.meet(x)
}
