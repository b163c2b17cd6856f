//! Assignments, assumptions and projections, block by block.

use super::{Block, Blocks, Part, Ratio, classes, gather, scatter, touched};
use crate::ideal::{Constraint, Ideal, Order, Range, Sum};
use crate::lattice::Lattice;
use dashu_int::IBig;
use dashu_int::ops::DivEuclid;
use std::fmt::Debug;
use std::sync::Arc;

impl<X: Copy + Ord + Debug, B: Block> Ideal for Blocks<X, B> {
    type Var = X;

    fn top() -> Self {
        Self::of(Vec::new())
    }

    fn bottom() -> Self {
        Self::BOTTOM
    }

    fn contains(&self, point: impl Fn(X) -> i128) -> bool {
        let inside =
            |part: &Part<X, B>| part.block.contains(&part.variables.iter().map(|&x| point(x)).collect::<Vec<i128>>());
        self.parts.as_ref().is_some_and(|parts| parts.iter().all(|part| inside(part)))
    }

    fn project(&self, variables: &[X]) -> Self {
        let Some(mine) = &self.parts else { return Self::BOTTOM };
        let mut parts = Vec::new();
        for part in mine {
            if !part.variables.iter().any(|x| variables.contains(x)) {
                parts.push(Arc::clone(part));
                continue;
            }
            let kept: Vec<usize> =
                (0..part.variables.len()).filter(|&i| !variables.contains(&part.variables[i])).collect();
            let onto: Vec<Sum<usize>> = kept.iter().map(|&i| Sum::variable(i)).collect();
            let names: Vec<X> = kept.iter().map(|&i| part.variables[i]).collect();
            scatter(&names, part.block.image(&onto), &mut parts);
        }
        Self::of(parts)
    }

    fn assign(&self, assignments: &[(X, Sum<X>)]) -> Self {
        let Some(mine) = &self.parts else { return Self::BOTTOM };
        let assigned = |x: &X| assignments.iter().any(|(y, _)| y == x);
        let read: Vec<Vec<X>> =
            assignments.iter().map(|(_, sum)| sum.terms().iter().map(|term| term.0).collect()).collect();
        let written: Vec<X> = assignments.iter().map(|(x, _)| *x).collect();
        let mentioned: Vec<X> = read.iter().flatten().chain(&written).copied().collect();
        let involved = touched(mine, &mentioned);
        let mut parts: Vec<_> =
            mine.iter().filter(|part| !involved.iter().any(|i| Arc::ptr_eq(i, part))).cloned().collect();
        // Each class of variables before is mapped to the variables that stay and those that read the class.
        let groups = involved.iter().map(|part| &part.variables[..]).chain(read.iter().map(Vec::as_slice));
        let mut sources = classes(groups);
        sources.push(Vec::new());
        for class in sources {
            let stay = class.iter().filter(|x| !assigned(x)).map(|&x| (x, Sum::variable(x)));
            let reads = |sum: &Sum<X>| sum.terms().first().map_or(class.is_empty(), |term| class.contains(&term.0));
            let become_new = assignments.iter().filter(|(_, sum)| reads(sum)).cloned();
            let mut targets: Vec<(X, Sum<X>)> = stay.chain(become_new).collect();
            targets.sort_by_key(|target| target.0);
            if targets.is_empty() {
                continue;
            }
            let place = |x: X| class.binary_search(&x).expect("a right side reads one class");
            let sums: Vec<Sum<usize>> = targets.iter().map(|(_, sum)| sum.rename(place)).collect();
            let names: Vec<X> = targets.iter().map(|target| target.0).collect();
            scatter(&names, gather(&touched(mine, &class), &class).image(&sums), &mut parts);
        }
        Self::of(parts)
    }

    fn assume(&self, constraint: &Constraint<X>) -> Self {
        let Some(mine) = &self.parts else { return Self::BOTTOM };
        let constraint = match constraint.clone().tightened() {
            Ok(constraint) => constraint,
            Err(true) => return self.clone(),
            Err(false) => return Self::BOTTOM,
        };
        if constraint.order == Order::Different {
            return self.assume_different(&constraint.sum);
        }
        let read: Vec<X> = constraint.sum.terms().iter().map(|term| term.0).collect();
        let involved = touched(mine, &read);
        let variables = classes(involved.iter().map(|part| &part.variables[..]).chain([&read[..]])).concat();
        let place = |x: X| variables.binary_search(&x).expect("all variables of the constraint are there");
        let local = Constraint { sum: constraint.sum.rename(place), order: constraint.order };
        let Some(block) = gather(&involved, &variables).restrict(&[local]) else { return Self::BOTTOM };
        let mut parts: Vec<_> =
            mine.iter().filter(|part| !involved.iter().any(|i| Arc::ptr_eq(i, part))).cloned().collect();
        scatter(&variables, block, &mut parts);
        Self::of(parts)
    }

    fn range(&self, sum: &Sum<X>) -> Option<Range> {
        self.parts.as_ref()?;
        let floor = |ratio: Ratio| i128::try_from(ratio.numerator.div_euclid(&ratio.denominator)).ok();
        let hi = self.supremum(sum).and_then(floor);
        let lo = Sum::constant(0).plus(-1, sum).and_then(|negated| self.supremum(&negated)).and_then(floor);
        Some(Range { lo: lo.and_then(i128::checked_neg), hi })
    }

    fn constraints(&self) -> Option<Vec<Constraint<X>>> {
        let parts = self.parts.as_ref()?;
        let of = |part: &Arc<Part<X, B>>| -> Vec<Constraint<X>> {
            let constraints = part.block.constraints().into_iter().flatten();
            let named = |c: Constraint<usize>| Constraint { sum: c.sum.rename(|i| part.variables[i]), order: c.order };
            constraints.map(named).collect()
        };
        Some(parts.iter().flat_map(of).collect())
    }

    fn is_long(&self) -> bool {
        self.parts.iter().flatten().any(|part| part.block.is_long())
    }
}

impl<X: Copy + Ord + Debug, B: Block> Blocks<X, B> {
    /// The hull of what is below and what is above.
    fn assume_different(&self, sum: &Sum<X>) -> Self {
        let one = Sum::constant(1);
        let (Some(below), Some(above)) = (one.plus(1, sum), one.plus(-1, sum)) else { return self.clone() };
        let at_most = |sum| self.assume(&Constraint { sum, order: Order::AtMost });
        at_most(below).join(&at_most(above))
    }

    /// The least upper bound of a sum, if there is one: the sum of those of its blocks, which do not depend on each other.
    pub(super) fn supremum(&self, sum: &Sum<X>) -> Option<Ratio> {
        let parts = self.parts.as_ref()?;
        let mut total = Ratio { numerator: sum.offset().into(), denominator: IBig::ONE };
        let mut left = sum.terms().len();
        for part in parts {
            let terms = sum.terms().iter();
            let local: Vec<(usize, i128)> =
                terms.filter_map(|&(x, k)| part.variables.binary_search(&x).ok().map(|i| (i, k))).collect();
            if !local.is_empty() {
                left -= local.len();
                let Ratio { numerator, denominator } = part.block.supremum(&Sum::new(0, local)?)?;
                total.numerator = total.numerator * &denominator + numerator * &total.denominator;
                total.denominator *= denominator;
            }
        }
        (left == 0).then_some(total)
    }
}
