//! Octagons over the integers: bounds of ±x ± y.
//!
//! Miné: *The octagon abstract domain*, Higher-Order and Symbolic Computation 19, 2006; tight closure by Bagnara, Hill,
//! Zaffanella: *Weakly-relational shapes for numeric abstractions*, Formal Methods in System Design 35, 2009.
//!
//! A literal is x or -x. For every two literals a and b there is the least upper bound s(a, b) of a + b, so s(a, a) bounds
//! 2a. That is Miné's difference-bound matrix, with m(i, j) = s(j, -i); as s is symmetric, what he calls coherent is here
//! one number, and half of the matrix is stored.
//!
//! | the paper | here |
//! |---|---|
//! | closed: s(a, b) ≤ s(a, c) + s(-c, b) | `closure` |
//! | strongly closed: 2·s(a, b) ≤ s(a, a) + s(b, b) | `closure` |
//! | tightly closed: s(a, a) is even | `closure` |
//! | incremental closure | `closure` |
//! | strong reduction, widening (Bagnara, Hill, Mazzi, Zaffanella, SAS 2005) | `widening` |
//!
//! Every matrix that leaves this module is tightly closed, so that each bound is attained by an integer point: `leq`, `meet`,
//! `join`, projections and assignments of ±x + c are exact over the integers. Other assignments and conditions are
//! approximated by bounds of linear forms (`bound`).
//!
//! A bound is an i128, which holds all sums of machine integers. One beyond 2^120 is given up, which is sound: it
//! becomes +∞, or as small as numbers get.

mod bound;
mod closure;
#[cfg(test)]
mod tests;
mod widening;

use crate::blocks::{Block, Blocks, Ratio};
use crate::ideal::{Constraint, Order, Sum};
use crate::lattice::Thresholds;
use bound::Simple;
use dashu_int::IBig;

/// Octagons over variables of some type, decomposed.
pub type Octagon<X> = Blocks<X, Matrix>;

/// The largest bound that is kept. Five of them, and two of [`INFINITY`], add up in 128 bits.
const LIMIT: i128 = 1 << 120;

/// No bound.
const INFINITY: i128 = 1 << 124;

/// x is 2·x, and -x is 2·x + 1.
type Literal = usize;

/// An octagon: tightly closed and not empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Matrix {
    dimensions: usize,
    /// s(a, b) for a ≥ b, row by row.
    bounds: Vec<i128>,
}

fn index(a: Literal, b: Literal) -> usize {
    let (a, b) = if a >= b { (a, b) } else { (b, a) };
    a * (a + 1) / 2 + b
}

fn negated(a: Literal) -> Literal {
    a ^ 1
}

/// A bound in the range of bounds.
fn capped(bound: i128) -> i128 {
    if bound > LIMIT { INFINITY } else { bound.max(-LIMIT) }
}

impl Matrix {
    fn literals(&self) -> usize {
        2 * self.dimensions
    }

    /// s(a, b)
    fn get(&self, a: Literal, b: Literal) -> i128 {
        self.bounds[index(a, b)]
    }

    /// The least upper bound of a literal.
    fn unary(&self, a: Literal) -> i128 {
        let double = self.get(a, a);
        if double == INFINITY { INFINITY } else { double.div_euclid(2) }
    }

    fn lower(&mut self, a: Literal, b: Literal, bound: i128) {
        let entry = &mut self.bounds[index(a, b)];
        *entry = capped(bound).min(*entry);
    }

    /// All pairs a ≥ b, without a literal and its negation.
    fn pairs(&self) -> impl Iterator<Item = (Literal, Literal)> + use<> {
        (0..self.literals()).flat_map(|a| (0..=a).map(move |b| (a, b))).filter(|&(a, b)| a != negated(b))
    }

    /// Whether s(a, b) says more than the bounds of a and b.
    fn relates(&self, a: Literal, b: Literal) -> bool {
        self.get(a, b) < capped(self.unary(a) + self.unary(b))
    }
}

impl Block for Matrix {
    fn universe(dimensions: usize) -> Self {
        let mut bounds = vec![INFINITY; dimensions * (2 * dimensions + 1)];
        (0..dimensions).for_each(|x| bounds[index(2 * x + 1, 2 * x)] = 0);
        Self { dimensions, bounds }
    }

    fn is_universe(&self) -> bool {
        self.pairs().all(|(a, b)| self.get(a, b) == INFINITY)
    }

    fn product(parts: &[(&Self, Vec<usize>)], dimensions: usize) -> Self {
        let mut product = Self::universe(dimensions);
        for (part, places) in parts {
            let place = |a: Literal| 2 * places[a / 2] + a % 2;
            part.pairs().for_each(|(a, b)| product.bounds[index(place(a), place(b))] = part.get(a, b));
        }
        product.strengthen();
        product
    }

    fn contains(&self, point: &[i128]) -> bool {
        let value = |a: Literal| if a.is_multiple_of(2) { point[a / 2] } else { point[a / 2].saturating_neg() };
        self.pairs().all(|(a, b)| {
            let bound = self.get(a, b);
            bound == INFINITY || value(a).saturating_add(value(b)) <= bound
        })
    }

    fn leq(&self, other: &Self) -> bool {
        self.bounds.iter().zip(&other.bounds).all(|(mine, other)| mine <= other)
    }

    /// The greater bounds are tightly closed as they are.
    fn join(&self, other: &Self) -> Self {
        let bounds = self.bounds.iter().zip(&other.bounds).map(|(a, b)| *a.max(b)).collect();
        Self { dimensions: self.dimensions, bounds }
    }

    fn meet(&self, other: &Self) -> Option<Self> {
        let bounds = self.bounds.iter().zip(&other.bounds).map(|(a, b)| *a.min(b)).collect();
        let mut met = Self { dimensions: self.dimensions, bounds };
        met.close().then_some(met)
    }

    fn widen(&self, newer: &Self, thresholds: &Thresholds) -> Self {
        self.widened(newer, &thresholds.integers())
    }

    fn restrict(&self, constraints: &[Constraint<usize>]) -> Option<Self> {
        let mut restricted = self.clone();
        for Constraint { sum, order } in constraints {
            let negated = if *order == Order::Equal { Sum::constant(0).plus(-1, sum) } else { None };
            for sum in [Some(sum), negated.as_ref()].into_iter().flatten() {
                if !restricted.at_most_zero(sum) {
                    return None;
                }
            }
        }
        Some(restricted)
    }

    fn image(&self, sums: &[Sum<usize>]) -> Self {
        let simple: Vec<Option<Simple>> = sums.iter().map(Simple::of).collect();
        let mut image = Self::universe(sums.len());
        for (a, b) in image.pairs() {
            let bound = match (simple[a / 2], simple[b / 2]) {
                (Some(left), Some(right)) => self.simple_bound(left.signed(a), right.signed(b)),
                _ => self.pair_bound(sums, a, b),
            };
            image.bounds[index(a, b)] = capped(bound);
        }
        // What the bounds of other forms say is sound, but need not be closed.
        if simple.iter().any(Option::is_none) {
            let nonempty = image.close();
            debug_assert!(nonempty, "the image of a point is in the image");
        }
        image
    }

    fn supremum(&self, sum: &Sum<usize>) -> Option<Ratio> {
        let bound = self.bound(sum);
        (bound < INFINITY).then(|| Ratio { numerator: bound.into(), denominator: IBig::ONE })
    }

    /// Those of the strong reduction: the others follow.
    fn constraints(&self) -> Vec<Option<Constraint<usize>>> {
        let (_, kept) = self.reduced();
        let constraint = |(a, b): (Literal, Literal)| {
            let sign = |a: Literal| if a.is_multiple_of(2) { 1 } else { -1 };
            let (bound, terms) = if a == b {
                (self.unary(a), vec![(a / 2, sign(a))])
            } else {
                (self.get(a, b), vec![(a / 2, sign(a)), (b / 2, sign(b))])
            };
            Sum::new(-bound, terms).map(|sum| Constraint { sum, order: Order::AtMost })
        };
        kept.into_iter().map(constraint).collect()
    }

    fn split(self) -> Vec<(Vec<usize>, Self)> {
        let mut group: Vec<usize> = (0..self.dimensions).collect();
        for (a, b) in self.pairs() {
            let (from, to) = (group[a / 2], group[b / 2]);
            if from != to && self.relates(a, b) {
                group.iter_mut().filter(|group| **group == from).for_each(|group| *group = to);
            }
        }
        let members = |g: usize| -> Vec<usize> { (0..self.dimensions).filter(|&x| group[x] == g).collect() };
        let parts: Vec<Vec<usize>> = (0..self.dimensions).map(members).filter(|part| !part.is_empty()).collect();
        if let [all] = &parts[..] {
            return if self.is_universe() { Vec::new() } else { vec![(all.clone(), self)] };
        }
        let part = |places: Vec<usize>| {
            let onto: Vec<Sum<usize>> = places.iter().map(|&x| Sum::variable(x)).collect();
            (places, self.image(&onto))
        };
        parts.into_iter().map(part).filter(|(_, part)| !part.is_universe()).collect()
    }
}
