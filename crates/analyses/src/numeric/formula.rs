//! States as formulas. Inequalities are written at a width at which nothing overflows.

use crate::interval::within;
use robusto_cfa::ir::{VarId, fold};
use robusto_domains::machine::Types;
use robusto_domains::{Constraint, Ideal, Interval, Machine, Order, Sum};
use robusto_logic::{Term, Terms};

/// The widest words that there are.
const MAX_WIDTH: u32 = 128;

/// What a state says of the variables that have a value; about others it may say nothing.
pub fn formula<D: Ideal<Var = VarId>>(
    terms: &mut Terms,
    types: &impl Types,
    state: &Machine<D>,
    mut value: impl FnMut(&mut Terms, VarId) -> Option<Term>,
) -> Term {
    let Some(constraints) = state.ideal().constraints() else { return terms.no() };
    let mut all = Vec::new();
    for (&var, interval) in state.boxes().iter() {
        if let Some(value) = value(terms, var) {
            all.push(bounded(terms, value, interval));
        }
    }
    for constraint in constraints.iter().filter(|constraint| !is_of_box(types, state, constraint)) {
        all.extend(inequality(terms, types, constraint, &mut value));
    }
    for (sum, bits) in state.ideal().multiples() {
        all.extend(multiple(terms, types, &sum, bits, &mut value));
    }
    terms.and_all(&all)
}

/// Whether a constraint on one variable follows from its box. Often it does, but the ideal element may know more.
fn is_of_box<D: Ideal<Var = VarId>>(types: &impl Types, state: &Machine<D>, constraint: &Constraint<VarId>) -> bool {
    let &[(var, _)] = constraint.sum.terms() else { return false };
    let bounds = match (types.integer(var), state.boxes().get(&var)) {
        (Some(ty), Some(interval)) => ty.of_interval(interval),
        (Some(ty), None) => Some(ty.bounds()),
        (None, _) => None,
    };
    let holds_at = |value: i128| constraint.holds(|_| value) == Some(true);
    constraint.order != Order::Different && bounds.is_some_and(|(lo, hi)| holds_at(lo) && holds_at(hi))
}

/// A sum of variables is a multiple of 2^bits: it is 0 at that width.
fn multiple(
    terms: &mut Terms,
    types: &impl Types,
    sum: &Sum<VarId>,
    bits: u32,
    value: &mut impl FnMut(&mut Terms, VarId) -> Option<Term>,
) -> Option<Term> {
    let width = bits as u16;
    let number = |terms: &mut Terms, number: i128| terms.constant(width, fold::mask(bits, number as u64).into());
    let mut total = number(terms, sum.offset());
    for &(x, coefficient) in sum.terms() {
        let (ty, value) = (types.integer(x)?, value(terms, x)?);
        let resized = match ty.width {
            wide if wide > bits => terms.extract(value, 0, width),
            _ if ty.signed => terms.sext(value, width),
            _ => terms.zext(value, width),
        };
        let factor = number(terms, coefficient);
        let product = terms.mul(resized, factor);
        total = terms.add(total, product);
    }
    let zero = number(terms, 0);
    Some(terms.eq(total, zero))
}

/// A value is in an interval. Signed bounds are enough where they say all, which is less for a solver to look at.
fn bounded(terms: &mut Terms, value: Term, interval: &Interval) -> Term {
    let Some((lo, hi)) = interval.signed_bounds() else { return terms.no() };
    if interval.as_constant().is_some() || Interval::signed(interval.width(), lo, hi) != *interval {
        return within(terms, value, interval);
    }
    let width = interval.width();
    let [lo, hi] = [lo, hi].map(|bound| terms.constant(width as u16, fold::mask(width, bound as u64).into()));
    let (low, high) = (terms.sle(lo, value), terms.sle(value, hi));
    terms.and(low, high)
}

/// A constraint between several variables; nothing if it would need words that are too wide.
pub fn inequality(
    terms: &mut Terms,
    types: &impl Types,
    constraint: &Constraint<VarId>,
    value: &mut impl FnMut(&mut Terms, VarId) -> Option<Term>,
) -> Option<Term> {
    let sum = &constraint.sum;
    // The sum of what the parts can be at most, and a sign.
    let mut most = sum.offset().unsigned_abs();
    for &(x, coefficient) in sum.terms() {
        let ty = types.integer(x)?;
        most = most.checked_add(coefficient.unsigned_abs().checked_mul(1u128.checked_shl(ty.width)?)?)?;
    }
    let width = MAX_WIDTH - most.leading_zeros() + 1;
    let width = u16::try_from(width).ok().filter(|&width| u32::from(width) <= MAX_WIDTH)?;
    let constant = |terms: &mut Terms, number: i128| {
        terms.constant(width, number as u128 & (u128::MAX >> (MAX_WIDTH - u32::from(width))))
    };
    let mut total = constant(terms, sum.offset());
    for &(x, coefficient) in sum.terms() {
        let (ty, narrow) = (types.integer(x)?, value(terms, x)?);
        let wide = if ty.signed { terms.sext(narrow, width) } else { terms.zext(narrow, width) };
        let factor = constant(terms, coefficient);
        let product = terms.mul(wide, factor);
        total = terms.add(total, product);
    }
    let zero = constant(terms, 0);
    Some(match constraint.order {
        Order::AtMost => terms.sle(total, zero),
        Order::Equal => terms.eq(total, zero),
        Order::Different => terms.ne(total, zero),
    })
}
