//! Sums modulo 2^w as integers within a range.

use super::{Integer, MAX_PERIODS};
use crate::ideal::{Constraint, Ideal, Order, Sum};
use crate::interval::Interval;
use robusto_cfa::ir::VarId;

/// sum ≤ bound.
pub(super) fn at_most(sum: &Sum<VarId>, bound: i128) -> Option<Constraint<VarId>> {
    let sum = sum.plus(bound.checked_neg()?, &Sum::constant(1))?;
    Some(Constraint { sum, order: Order::AtMost })
}

/// sum ≥ bound.
pub(super) fn at_least(sum: &Sum<VarId>, bound: i128) -> Option<Constraint<VarId>> {
    let sum = Sum::constant(bound).plus(-1, sum)?;
    Some(Constraint { sum, order: Order::AtMost })
}

/// The points where a sum is from `lo` to `hi`. A bound that the element has already costs only a question.
pub(super) fn within<D: Ideal<Var = VarId>>(ideal: &D, sum: &Sum<VarId>, (lo, hi): (i128, i128)) -> D {
    let Some(range) = ideal.range(sum) else { return D::bottom() };
    let mut after = ideal.clone();
    if range.lo.is_none_or(|least| least < lo)
        && let Some(constraint) = at_least(sum, lo)
    {
        after = after.assume(&constraint);
    }
    if range.hi.is_none_or(|most| most > hi)
        && let Some(constraint) = at_most(sum, hi)
    {
        after = after.assume(&constraint);
    }
    after
}

/// The periods of a type that a sum reaches: numbers k such that it can be within `bounds + k · 2^w`. `None` if there is no
/// bound.
pub(super) fn periods<D: Ideal<Var = VarId>>(ideal: &D, sum: &Sum<VarId>, ty: Integer) -> Option<(i128, i128)> {
    let range = ideal.range(sum)?;
    let least = ty.bounds().0;
    let period = |value: i128| Some(value.checked_sub(least)?.div_euclid(ty.period()));
    Some((period(range.lo?)?, period(range.hi?)?))
}

/// The same sum, so many periods lower.
pub(super) fn lowered(sum: &Sum<VarId>, ty: Integer, periods: i128) -> Option<Sum<VarId>> {
    sum.plus(periods.checked_mul(ty.period())?.checked_neg()?, &Sum::constant(1))
}

/// Whether so many periods are split.
pub(super) fn are_few((first, last): (i128, i128)) -> bool {
    last - first < MAX_PERIODS
}

/// The points where a sum is in a period of a type.
pub(super) fn in_period<D: Ideal<Var = VarId>>(ideal: &D, sum: &Sum<VarId>, ty: Integer, period: i128) -> D {
    let (least, most) = ty.bounds();
    let shift = period.saturating_mul(ty.period());
    within(ideal, sum, (least.saturating_add(shift), most.saturating_add(shift)))
}

/// An expression whose bits are a sum modulo 2^w has these values: its integer, as a sum. `spare` gives a variable that the
/// element does not mention, and that may become that integer. Nothing if numbers get too large, or if there is no spare.
pub(super) fn wrapped<D: Ideal<Var = VarId>>(
    ideal: &mut D,
    sum: &Sum<VarId>,
    ty: Integer,
    values: &Interval,
    spare: impl FnOnce() -> Option<VarId>,
) -> Option<Sum<VarId>> {
    let bounds = ty.of_interval(values)?;
    let periods = periods(ideal, sum, ty);
    if let Some((first, last)) = periods
        && first == last
    {
        let sum = lowered(sum, ty, first)?;
        *ideal = within(ideal, &sum, bounds);
        return Some(sum);
    }
    let spare = spare()?;
    let split = match periods {
        Some((first, last)) if are_few((first, last)) => {
            let part = |period: i128| {
                let lowered = lowered(sum, ty, period)?;
                Some(in_period(ideal, sum, ty, period).assign(&[(spare, lowered)]))
            };
            (first..=last).map(part).collect::<Option<Vec<D>>>()
        }
        _ => None,
    };
    let value = Sum::variable(spare);
    match split {
        Some(parts) => *ideal = parts.iter().fold(D::bottom(), |all, part| all.join(part)),
        // Equal modulo 2^w, whatever wraps around.
        None => {
            if let Some(difference) = sum.plus(-1, &value) {
                *ideal = ideal.assume_multiple(&difference, ty.width, true);
            }
        }
    }
    *ideal = within(ideal, &value, bounds);
    Some(value)
}
