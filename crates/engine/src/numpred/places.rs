//! Places in arrays: equations between indices that are sums of tracked variables.

use super::numbers::Tracked;
use robusto_analyses::symbolic::{Cell, Encoder};
use robusto_cfa::ir::VarId;
use robusto_domains::machine::{Integer, Types};
use robusto_domains::{Constraint, Order, Sum};
use robusto_logic::{BinaryOp, Node, Substitution, Term};

/// The arrays that a term reads, with the places.
pub fn reads(encoder: &Encoder<'_>, term: Term) -> Vec<(Term, Term)> {
    let all = encoder.terms.subterms(&[term]);
    let read = |t: Term| match encoder.terms.node(t) {
        Node::Select(array, index) => Some((array, index)),
        _ => None,
    };
    all.into_iter().filter_map(read).collect()
}

/// a = b over the integers, if both are sums of tracked variables.
pub fn equation(encoder: &Encoder<'_>, tracked: &Tracked<'_>, a: Term, b: Term) -> Option<Constraint<VarId>> {
    let sum = sum(encoder, tracked, a)?.plus(-1, &sum(encoder, tracked, b)?)?;
    let equation = Constraint { sum, order: Order::Equal };
    equation.tightened().ok()
}

/// An equation solved for one of its variables, where all are equally wide: what holds of the integers holds modulo 2^w. Then
/// equal places are equal terms, and the solver need not compare adders. (Figure 2 with an array: without this, more than 1000 conflicts.)
pub fn solved(encoder: &mut Encoder<'_>, equation: &Constraint<VarId>, values: &[(VarId, Term)]) -> Substitution {
    let mut map = Substitution::new();
    let terms = &mut encoder.terms;
    let Some(&(_, first)) = values.first() else { return map };
    let width = terms.width(first);
    let coefficients = equation.sum.terms();
    let Some(&(own, sign)) = coefficients.iter().find(|(_, k)| k.abs() == 1) else { return map };
    if values.iter().any(|&(_, value)| terms.width(value) != width) {
        return map;
    }
    // k·x + rest = 0 with k = ±1 is x = -k·rest.
    let mut sum = terms.constant(width, (-sign * equation.sum.offset()) as u128);
    for &(var, k) in coefficients.iter().filter(|(var, _)| *var != own) {
        let Some(&(_, value)) = values.iter().find(|(other, _)| *other == var) else { return map };
        let factor = terms.constant(width, (-sign * k) as u128);
        let product = terms.mul(value, factor);
        sum = terms.add(sum, product);
    }
    if let Some(&(_, value)) = values.iter().find(|(other, _)| *other == own) {
        map.insert(value, sum);
    }
    map
}

/// Deepest index that is read as a sum.
const DEEPEST: usize = 16;

/// A term as a sum, as if nothing wrapped around: only a candidate, which the solver judges.
fn sum(encoder: &Encoder<'_>, tracked: &Tracked<'_>, root: Term) -> Option<Sum<VarId>> {
    let terms = &encoder.terms;
    let mut total = Sum::constant(0);
    let mut todo = vec![(root, 1i128, 0)];
    while let Some((t, factor, depth)) = todo.pop() {
        if depth > DEEPEST {
            return None;
        }
        let next = depth + 1;
        match terms.node(t) {
            Node::Const { width, bits } => {
                total = total.plus(factor, &Sum::constant(signed(width, bits)?))?;
            }
            Node::Symbol(symbol) => match encoder.cell_of(symbol) {
                Some(Cell::Var(var, 0)) if tracked.integer(var).is_some() => {
                    total = total.plus(factor, &Sum::variable(var))?;
                }
                _ => return None,
            },
            Node::Neg(x) => todo.push((x, factor.checked_neg()?, next)),
            Node::SExt(x, _) | Node::ZExt(x, _) => todo.push((x, factor, next)),
            Node::Binary(BinaryOp::Add, x, y) => todo.extend([(x, factor, next), (y, factor, next)]),
            Node::Binary(BinaryOp::Sub, x, y) => todo.extend([(x, factor, next), (y, factor.checked_neg()?, next)]),
            Node::Binary(BinaryOp::Mul, x, y) => {
                let (x, constant) = match (terms.as_const(x), terms.as_const(y)) {
                    (Some(constant), _) => (y, constant),
                    (_, Some(constant)) => (x, constant),
                    _ => return None,
                };
                let constant = signed(terms.width(t), constant)?;
                todo.push((x, factor.checked_mul(constant)?, next));
            }
            Node::Binary(BinaryOp::Shl, x, y) => {
                let shift = u32::try_from(terms.as_const(y)?).ok().filter(|&shift| shift < 64)?;
                todo.push((x, factor.checked_mul(1 << shift)?, next));
            }
            // The low bits of a product by a power of two.
            Node::Concat(high, low) if terms.as_const(low) == Some(0) => {
                todo.push((high, factor.checked_mul(1 << terms.width(low).min(63))?, next));
            }
            Node::Extract { arg, lo: 0, .. } => todo.push((arg, factor, next)),
            _ => return None,
        }
    }
    Some(total)
}

fn signed(width: u16, bits: u128) -> Option<i128> {
    let ty = Integer { width: width.into(), signed: true };
    (width <= 64).then(|| ty.of_bits(bits as u64))
}
