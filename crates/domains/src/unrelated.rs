//! The domain that knows no relation: what is left of [`Machine`](crate::Machine) are its boxes (BOX of the paper's Table II).

use crate::ideal::{Constraint, Ideal, Range, Sum};
use crate::lattice::{Lattice, Thresholds};
use std::fmt::Debug;
use std::marker::PhantomData;

/// All points, or none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unrelated<X> {
    empty: bool,
    variables: PhantomData<X>,
}

impl<X> Unrelated<X> {
    const ALL: Self = Self { empty: false, variables: PhantomData };
    const NONE: Self = Self { empty: true, variables: PhantomData };
}

impl<X: Copy + PartialEq + Debug> Lattice for Unrelated<X> {
    fn is_top(&self) -> bool {
        !self.empty
    }

    fn is_bottom(&self) -> bool {
        self.empty
    }

    fn leq(&self, other: &Self) -> bool {
        self.empty || !other.empty
    }

    fn join(&self, other: &Self) -> Self {
        if self.empty { *other } else { *self }
    }

    fn meet(&self, other: &Self) -> Self {
        if self.empty { *self } else { *other }
    }

    fn widen(&self, newer: &Self, _: &Thresholds) -> Self {
        self.join(newer)
    }
}

impl<X: Copy + Ord + Debug> Ideal for Unrelated<X> {
    type Var = X;

    fn top() -> Self {
        Self::ALL
    }

    fn bottom() -> Self {
        Self::NONE
    }

    fn contains(&self, _: impl Fn(X) -> i128) -> bool {
        !self.empty
    }

    fn project(&self, _: &[X]) -> Self {
        *self
    }

    fn assign(&self, _: &[(X, Sum<X>)]) -> Self {
        *self
    }

    fn assume(&self, constraint: &Constraint<X>) -> Self {
        match constraint.clone().tightened() {
            Err(false) => Self::NONE,
            _ => *self,
        }
    }

    fn range(&self, sum: &Sum<X>) -> Option<Range> {
        let constant = sum.terms().is_empty().then_some(sum.offset());
        (!self.empty).then_some(Range { lo: constant, hi: constant })
    }

    fn constraints(&self) -> Option<Vec<Constraint<X>>> {
        (!self.empty).then(Vec::new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::check_lattice;

    #[test]
    fn laws() {
        check_lattice(&[Unrelated::<usize>::top(), Unrelated::bottom()]);
        let never = Constraint { sum: Sum::constant(1), order: crate::Order::AtMost };
        assert!(Unrelated::<usize>::top().assume(&never).is_bottom());
    }
}
