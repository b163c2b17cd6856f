//! That two terms have the same value, where they are polynomials modulo 2^w. SAT takes minutes to see that a·(n + 1) = a·n + a at 32 bits.
//!
//! Sound: sums and products of words are those of the ring of integers modulo 2^w, so terms with the same normal form have the
//! same values. What is neither sum nor product is a variable. Of words that are cut, sums and products are those of what is
//! cut off from their operands.

use robusto_logic::term::fold::{mask, signed};
use robusto_logic::{BinaryOp, Node, Term, Terms};
use std::collections::BTreeMap;

/// Most monomials.
const MOST: usize = 200;

/// Monomials of a difference that is taken in place of both terms.
const FEW: usize = 6;

/// Deepest terms.
const DEPTH: u32 = 200;

/// Coefficients by monomials, which are sorted lists of variables; none is 0.
type Polynomial = BTreeMap<Vec<Term>, u128>;

/// That two terms of one width have the same value. What is the same in both as a polynomial is left out.
pub(super) fn equal(terms: &mut Terms, a: Term, b: Term) -> Term {
    if a == b {
        return terms.yes();
    }
    let width = terms.width(a);
    match difference(terms, a, b) {
        Some(rest) if rest.len() <= FEW => {
            // What is negative goes to the other side: sums of variables are what programs compute.
            let zero = terms.constant(width, 0);
            let mut sides = [zero, zero];
            for (monomial, coefficient) in rest {
                let coefficient = signed(width, coefficient);
                let mut product = terms.constant(width, mask(width, coefficient.unsigned_abs()));
                for variable in monomial {
                    product = terms.mul(variable, product);
                }
                let side = &mut sides[usize::from(coefficient < 0)];
                *side = terms.add(*side, product);
            }
            terms.eq(sides[0], sides[1])
        }
        _ => terms.eq(a, b),
    }
}

fn difference(terms: &mut Terms, a: Term, b: Term) -> Option<Polynomial> {
    let width = terms.width(a);
    let negated = times(width, &of(terms, b, DEPTH)?, &constant(u128::MAX))?;
    Some(plus(width, of(terms, a, DEPTH)?, negated))
}

/// A term as a polynomial; `None` if that is too large.
fn of(terms: &mut Terms, t: Term, depth: u32) -> Option<Polynomial> {
    let depth = depth.checked_sub(1)?;
    let width = terms.width(t);
    Some(match terms.node(t) {
        Node::Const { bits, .. } => reduced(width, [(Vec::new(), bits)]),
        Node::Neg(x) => times(width, &of(terms, x, depth)?, &constant(u128::MAX))?,
        Node::Binary(BinaryOp::Add, a, b) => plus(width, of(terms, a, depth)?, of(terms, b, depth)?),
        Node::Binary(BinaryOp::Sub, a, b) => {
            let negated = times(width, &of(terms, b, depth)?, &constant(u128::MAX))?;
            plus(width, of(terms, a, depth)?, negated)
        }
        Node::Binary(BinaryOp::Mul, a, b) => times(width, &of(terms, a, depth)?, &of(terms, b, depth)?)?,
        Node::Binary(BinaryOp::Shl, a, b) if terms.as_const(b).is_some_and(|by| by < u128::from(width)) => {
            let factor = constant(1 << terms.as_const(b).expect("it is one"));
            times(width, &of(terms, a, depth)?, &factor)?
        }
        Node::Extract { arg, lo: 0, .. } => {
            let mut sum = Polynomial::new();
            for (monomial, coefficient) in of(terms, arg, depth)? {
                let mut product = constant(coefficient);
                for variable in monomial {
                    let low = terms.extract(variable, 0, width);
                    let low = if low == t { Polynomial::from([(vec![t], 1)]) } else { of(terms, low, depth)? };
                    product = times(width, &product, &low)?;
                }
                sum = plus(width, sum, product);
            }
            sum
        }
        _ => Polynomial::from([(vec![t], 1)]),
    })
}

fn constant(value: u128) -> Polynomial {
    Polynomial::from([(Vec::new(), value)])
}

fn plus(width: u16, mut a: Polynomial, b: Polynomial) -> Polynomial {
    for (monomial, coefficient) in b {
        let sum = a.entry(monomial).or_default();
        *sum = sum.wrapping_add(coefficient);
    }
    reduced(width, a)
}

fn times(width: u16, a: &Polynomial, b: &Polynomial) -> Option<Polynomial> {
    let mut product = Polynomial::new();
    for (left, factor) in a {
        for (right, other) in b {
            let mut monomial = left.clone();
            monomial.extend(right);
            monomial.sort_unstable();
            let sum = product.entry(monomial).or_default();
            *sum = sum.wrapping_add(factor.wrapping_mul(*other));
        }
        if product.len() > MOST {
            return None;
        }
    }
    Some(reduced(width, product))
}

fn reduced(width: u16, all: impl IntoIterator<Item = (Vec<Term>, u128)>) -> Polynomial {
    let all = all.into_iter().map(|(monomial, coefficient)| (monomial, mask(width, coefficient)));
    all.filter(|&(_, coefficient)| coefficient != 0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use robusto_logic::{Model, Sort};
    use robusto_testing::Random;

    fn is_same(terms: &mut Terms, a: Term, b: Term) -> bool {
        let same = equal(terms, a, b);
        terms.is_true(same)
    }

    /// Random terms of four bits: products are the same when they are expanded, and what is called the same has the same values
    /// everywhere.
    #[test]
    fn the_same_polynomials_have_the_same_values() {
        let mut random = Random::new(1);
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.symbol(name, Sort::Bits(4)));
        let mut all = vec![x, y, terms.constant(4, 3), terms.constant(4, 15)];
        while all.len() < 150 {
            let [a, b] = [0, 1].map(|_| all[random.below(all.len() as u64) as usize]);
            let t = match random.below(6) {
                0 | 1 => terms.add(a, b),
                2 => terms.sub(a, b),
                3 => terms.mul(a, b),
                4 => {
                    let (a, b) = (terms.zext(a, 7), terms.sext(b, 7));
                    let product = terms.mul(a, b);
                    terms.extract(product, 0, 4)
                }
                _ => terms.and(a, b),
            };
            all.push(t);
        }
        // The same product in other words, and one that differs now and then.
        let (mut same, mut other) = (0, 0);
        for _ in 0..300 {
            let [a, b, c, d] = [0, 1, 2, 3].map(|_| all[random.below(all.len() as u64) as usize]);
            let (sum, difference) = (terms.add(a, b), terms.sub(c, d));
            let product = terms.mul(sum, difference);
            let [ac, ad, bc, bd] = [(a, c), (a, d), (b, c), (b, d)].map(|(x, y)| terms.mul(x, y));
            let (plus, minus) = (terms.add(ac, bc), terms.add(ad, bd));
            let expanded = terms.sub(plus, minus);
            assert!(is_same(&mut terms, product, expanded) || terms.subterms(&[product]).len() > 40);
            let wrong = terms.add(expanded, if random.below(2) == 0 { c } else { ac });
            for claimed in [expanded, wrong] {
                let says = equal(&mut terms, product, claimed);
                let claims = terms.is_true(says);
                same += u32::from(claims);
                other += u32::from(!claims);
                for values in 0..256u128 {
                    let mut model = Model::new();
                    model.set(terms.as_symbol(x).expect("a symbol"), values & 15);
                    model.set(terms.as_symbol(y).expect("a symbol"), values >> 4);
                    let equal = terms.evaluate(product, &model) == terms.evaluate(claimed, &model);
                    assert_eq!(equal, terms.evaluate(says, &model) == 1);
                }
            }
        }
        assert!(same > 100 && other > 100, "{same} {other}");
    }

    #[test]
    fn products_are_distributed() {
        let mut terms = Terms::new();
        let [a, n] = ["a", "n"].map(|name| terms.symbol(name, Sort::Bits(32)));
        let one = terms.constant(32, 1);
        let next = terms.add(n, one);
        let product = terms.mul(a, next);
        let before = terms.mul(a, n);
        let sum = terms.add(before, a);
        assert!(is_same(&mut terms, product, sum));
        let other = terms.add(sum, one);
        assert!(!is_same(&mut terms, product, other));
    }
}
