//! Terms as sums modulo 2^w.

use robusto_logic::{BinaryOp, Node, Term, Terms};
use std::collections::BTreeMap;

/// Deepest terms that are taken apart; what is below counts as one summand.
const DEPTH: u32 = 64;

/// A sum of terms with coefficients, and of a constant, modulo 2^width.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Sum {
    pub width: u16,
    pub constant: u128,
    /// The summands, none with coefficient 0.
    pub terms: BTreeMap<Term, u128>,
}

/// A number modulo 2^width.
pub(super) fn modulo(width: u16, value: u128) -> u128 {
    if width >= 128 { value } else { value & ((1 << width) - 1) }
}

impl Sum {
    fn constant(width: u16, constant: u128) -> Self {
        Self { width, constant: modulo(width, constant), terms: BTreeMap::new() }
    }

    /// The term as a sum.
    pub fn of(terms: &mut Terms, t: Term) -> Self {
        Self::within(terms, t, DEPTH)
    }

    fn within(terms: &mut Terms, t: Term, depth: u32) -> Self {
        let width = terms.width(t);
        let atom = || Self { width, constant: 0, terms: BTreeMap::from([(t, 1)]) };
        if depth == 0 {
            return atom();
        }
        let depth = depth - 1;
        match terms.node(t) {
            Node::Const { bits, .. } => Self::constant(width, bits),
            Node::Neg(x) => Self::within(terms, x, depth).times(u128::MAX),
            Node::Not(x) if width > 1 => {
                let mut sum = Self::within(terms, x, depth).times(u128::MAX);
                sum.constant = modulo(width, sum.constant.wrapping_sub(1));
                sum
            }
            Node::Binary(BinaryOp::Add, a, b) => {
                let mut sum = Self::within(terms, a, depth);
                sum.add(&Self::within(terms, b, depth), 1);
                sum
            }
            Node::Binary(BinaryOp::Sub, a, b) => {
                let mut sum = Self::within(terms, a, depth);
                sum.add(&Self::within(terms, b, depth), u128::MAX);
                sum
            }
            Node::Binary(BinaryOp::Mul, a, b) => match (terms.as_const(a), terms.as_const(b)) {
                (Some(factor), _) => Self::within(terms, b, depth).times(factor),
                (_, Some(factor)) => Self::within(terms, a, depth).times(factor),
                _ => atom(),
            },
            Node::Binary(BinaryOp::Shl, a, b) => match terms.as_const(b) {
                Some(by) if by < u128::from(width) => Self::within(terms, a, depth).times(1 << by),
                _ => atom(),
            },
            Node::Extract { arg, lo: 0, .. } => {
                let whole = Self::within(terms, arg, depth);
                let mut sum = Self::constant(width, whole.constant);
                for (summand, factor) in whole.terms {
                    let low = terms.extract(summand, 0, width);
                    if low == t {
                        return atom();
                    }
                    let low = Self::within(terms, low, depth);
                    sum.add(&low, factor);
                }
                sum
            }
            _ => atom(),
        }
    }

    /// Adds a multiple of another sum of the same width.
    pub fn add(&mut self, other: &Self, factor: u128) {
        self.constant = modulo(self.width, self.constant.wrapping_add(other.constant.wrapping_mul(factor)));
        for (&summand, &coefficient) in &other.terms {
            let sum = self.terms.entry(summand).or_default();
            *sum = modulo(self.width, sum.wrapping_add(coefficient.wrapping_mul(factor)));
        }
        self.terms.retain(|_, coefficient| *coefficient != 0);
    }

    fn times(self, factor: u128) -> Self {
        let mut product = Self::constant(self.width, 0);
        product.add(&self, factor);
        product
    }

    /// The sum as a term.
    pub fn term(&self, terms: &mut Terms) -> Term {
        let mut sum = terms.constant(self.width, self.constant);
        for (&summand, &coefficient) in &self.terms {
            let product = scaled(terms, summand, coefficient);
            sum = terms.add(sum, product);
        }
        sum
    }
}

/// A multiple of a term.
pub(super) fn scaled(terms: &mut Terms, t: Term, factor: u128) -> Term {
    let width = terms.width(t);
    let factor = terms.constant(width, modulo(width, factor));
    terms.mul(t, factor)
}

#[cfg(test)]
mod tests {
    use super::*;
    use robusto_logic::{Model, Sort};

    #[test]
    fn sums_have_the_value_of_their_terms() {
        let mut terms = Terms::new();
        let x = terms.symbol("x", Sort::Bits(8));
        let y = terms.symbol("y", Sort::Bits(8));
        let wide = terms.zext(x, 16);
        let three = terms.constant(16, 3);
        let big = terms.mul(wide, three);
        let low = terms.extract(big, 0, 8);
        let two = terms.constant(8, 2);
        let shifted = terms.shl(y, two);
        let not = terms.not(shifted);
        let sum = terms.sub(not, low);
        let product = terms.mul(x, y);
        let all = terms.add(sum, product);
        let linear = Sum::of(&mut terms, all);
        assert_eq!(linear.terms.get(&x), Some(&253));
        assert_eq!(linear.terms.get(&y), Some(&252));
        assert_eq!(linear.terms.get(&product), Some(&1));
        let back = linear.term(&mut terms);
        for (a, b) in [(0, 0), (1, 2), (255, 7), (100, 200), (17, 255)] {
            let mut model = Model::new();
            model.set(terms.as_symbol(x).expect("a symbol"), a);
            model.set(terms.as_symbol(y).expect("a symbol"), b);
            assert_eq!(terms.evaluate(all, &model), terms.evaluate(back, &model), "{a} {b}");
        }
    }
}
