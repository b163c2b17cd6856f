//! Linear expressions in an environment of intervals.

use super::{Boxes, Lattice};
use crate::interval::Interval;
use crate::modular::inverse;
use crate::numeric::{Condition, Linear, Numeric};
use robusto_cfa::ir::BinOp;
use std::fmt::Debug;

impl<X: Ord + Copy + Debug> Numeric for Boxes<X> {
    type Var = X;

    fn contains(&self, point: impl Fn(X) -> u64) -> bool {
        !self.empty && self.iter().all(|(&x, value)| value.contains(point(x)))
    }

    fn project(&self, variables: &[X]) -> Self {
        let mut rest = self.clone();
        variables.iter().for_each(|x| rest.remove(x));
        rest
    }

    fn assign(&self, assignments: &[(X, Linear<X>)]) -> Self {
        let mut after = self.clone();
        for (x, value) in assignments {
            after.insert(*x, *self.sums(value).last().expect("a sum starts with its constant"));
        }
        after
    }

    fn assume(&self, condition: &Condition<X>) -> Self {
        if self.empty {
            return Self::bottom();
        }
        let Condition { comparison, left, right } = condition;
        let sides = [left, right].map(|side| (side, self.sums(side)));
        let [a, b] = [&sides[0].1, &sides[1].1].map(|sums| sums.last().expect("a sum starts with its constant"));
        let (a, b) = Interval::refine_binary(comparison.op(), a, b, &Interval::truth(true));
        let mut after = self.clone();
        for ((side, sums), result) in sides.iter().zip([a, b]) {
            self.refine(side, sums, result, &mut after);
        }
        after
    }
}

impl<X: Ord + Copy + Debug> Boxes<X> {
    fn value(&self, width: u32, x: X) -> Interval {
        self.get(&x).copied().unwrap_or(Interval::top(width))
    }

    /// The values of the constant, the constant with the first term, and so on.
    fn sums(&self, linear: &Linear<X>) -> Vec<Interval> {
        let mut sum = Interval::constant(linear.width, linear.constant);
        let mut sums = vec![sum];
        for &(x, coefficient) in &linear.terms {
            sum = Interval::binary(BinOp::Add, &sum, &self.product(linear.width, x, coefficient));
            sums.push(sum);
        }
        sums
    }

    fn product(&self, width: u32, x: X, coefficient: u64) -> Interval {
        Interval::binary(BinOp::Mul, &self.value(width, x), &Interval::constant(width, coefficient))
    }

    /// From the values of a sum back to those of its variables.
    fn refine(&self, linear: &Linear<X>, sums: &[Interval], mut result: Interval, after: &mut Self) {
        let width = linear.width;
        for (&(x, coefficient), before) in linear.terms.iter().zip(sums).rev() {
            let product = self.product(width, x, coefficient);
            let (rest, product) = Interval::refine_binary(BinOp::Add, before, &product, &result);
            // An odd factor has an inverse.
            if coefficient & 1 == 1 && !after.empty {
                let inverse = Interval::constant(width, inverse(coefficient));
                let value = Interval::binary(BinOp::Mul, &product, &inverse);
                after.insert(x, after.value(width, x).meet(&value));
            }
            result = rest;
        }
        if result.is_bottom() {
            *after = Self::bottom();
        }
    }
}
