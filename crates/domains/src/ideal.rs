//! Domains of points with ideal integers: no number wraps around.
//!
//! Octagons and polyhedra speak of sums as mathematics knows them, so their expressions are not those of
//! [`Numeric`](crate::Numeric), where x + 1 ≤ x has a solution modulo 2^w. What both have in common is
//! [`Lattice`]. Who uses one of these domains for machine integers keeps each variable within the range of its type (by
//! [`assume`](Ideal::assume)), translates a machine expression only where [`range`](Ideal::range) shows that it stays in
//! range, and splits it by periods or gives it up elsewhere (Simon, King: *Taming the wrapping of integer arithmetic*, SAS 2007).

use crate::lattice::Lattice;

/// A domain whose elements are sets of points with integer coordinates. A variable that is not mentioned can have any value.
pub trait Ideal: Lattice {
    /// Names a coordinate of a point.
    type Var: Copy + Ord;

    /// All points.
    fn top() -> Self;

    /// No point.
    fn bottom() -> Self;

    /// Whether a point is in γ(a).
    fn contains(&self, point: impl Fn(Self::Var) -> i128) -> bool;

    /// ∃ x₁ … xₙ: nothing is known of these variables any more.
    fn project(&self, variables: &[Self::Var]) -> Self;

    /// The points after a parallel assignment to different variables: the right sides are those of before.
    fn assign(&self, assignments: &[(Self::Var, Sum<Self::Var>)]) -> Self;

    /// The points that satisfy a constraint, and perhaps more.
    fn assume(&self, constraint: &Constraint<Self::Var>) -> Self;

    /// Bounds of the values of a sum, `None` where there is no bound; none at all for no points.
    fn range(&self, sum: &Sum<Self::Var>) -> Option<Range>;

    /// Constraints that all points satisfy. Nothing else does that has the [`multiples`](Ideal::multiples), unless a coefficient
    /// is beyond 128 bits: such a constraint is left out. `None` for no points.
    fn constraints(&self) -> Option<Vec<Constraint<Self::Var>>>;

    /// The points where a sum is a multiple of 2^bits, or where it is none, and perhaps more. Most domains cannot tell.
    fn assume_multiple(&self, _sum: &Sum<Self::Var>, _bits: u32, _truth: bool) -> Self {
        self.clone()
    }

    /// Sums that are multiples of 2^bits at all points, with these bits.
    fn multiples(&self) -> Vec<(Sum<Self::Var>, u32)> {
        Vec::new()
    }

    /// Whether numbers of more than 64 bits are in use.
    fn is_long(&self) -> bool {
        false
    }

    /// These points, and more if numbers have become long: then only what can be said with short ones. Joins in a
    /// loop that multiplies variables double the length of numbers again and again (`gsv2008` of `loop-lit` did not end),
    /// and constraints with such numbers say little of machine integers.
    fn shortened(self) -> Self {
        if !self.is_long() {
            return self;
        }
        let Some(all) = self.constraints() else { return self };
        let is_short = |number: i128| number.unsigned_abs() <= SHORT;
        let short = all.iter().filter(|constraint| {
            let sum = &constraint.sum;
            is_short(sum.offset()) && sum.terms().iter().all(|&(_, coefficient)| is_short(coefficient))
        });
        short.fold(Self::top(), |points, constraint| points.assume(constraint))
    }
}

/// The greatest number of a short constraint: bounds of variables of 32 bits, with factors.
const SHORT: u128 = 1 << 40;

/// The least and the greatest value, where there are such.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    /// No value is less.
    pub lo: Option<i128>,
    /// No value is greater.
    pub hi: Option<i128>,
}

/// constant + Σ coefficient · variable, with integers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sum<X> {
    constant: i128,
    /// By variable, ascending, each once; no coefficient is 0.
    terms: Vec<(X, i128)>,
}

impl<X: Copy + Ord> Sum<X> {
    /// A sum; nothing if coefficients of the same variable add up to a number of more than 128 bits.
    pub fn new(constant: i128, terms: impl IntoIterator<Item = (X, i128)>) -> Option<Self> {
        let mut sum = Self { constant, terms: terms.into_iter().collect() };
        sum.terms.sort_by_key(|term| term.0);
        let mut merged: Vec<(X, i128)> = Vec::with_capacity(sum.terms.len());
        for (x, coefficient) in sum.terms {
            match merged.last_mut() {
                Some((last, total)) if *last == x => *total = total.checked_add(coefficient)?,
                _ => merged.push((x, coefficient)),
            }
        }
        merged.retain(|term| term.1 != 0);
        Some(Self { constant, terms: merged })
    }

    /// A constant.
    pub fn constant(constant: i128) -> Self {
        Self { constant, terms: Vec::new() }
    }

    /// A variable.
    pub fn variable(x: X) -> Self {
        Self { constant: 0, terms: vec![(x, 1)] }
    }

    /// What is added to the terms.
    pub fn offset(&self) -> i128 {
        self.constant
    }

    /// Variables with their coefficients, which are not 0; each variable once, ascending.
    pub fn terms(&self) -> &[(X, i128)] {
        &self.terms
    }

    /// This and so many times another, if 128 bits are enough.
    pub fn plus(&self, factor: i128, other: &Self) -> Option<Self> {
        let constant = self.constant.checked_add(factor.checked_mul(other.constant)?)?;
        let mut terms = self.terms.clone();
        for &(x, coefficient) in &other.terms {
            terms.push((x, factor.checked_mul(coefficient)?));
        }
        Self::new(constant, terms)
    }

    /// Its value at a point, if 128 bits are enough.
    pub fn evaluate(&self, point: impl Fn(X) -> i128) -> Option<i128> {
        let mut value = self.constant;
        for &(x, coefficient) in &self.terms {
            value = value.checked_add(coefficient.checked_mul(point(x))?)?;
        }
        Some(value)
    }

    /// The same sum with other names.
    pub(crate) fn rename<Y: Copy + Ord>(&self, name: impl Fn(X) -> Y) -> Sum<Y> {
        let mut terms: Vec<(Y, i128)> = self.terms.iter().map(|&(x, coefficient)| (name(x), coefficient)).collect();
        terms.sort_by_key(|term| term.0);
        Sum { constant: self.constant, terms }
    }
}

/// How a sum compares with 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// sum ≤ 0
    AtMost,
    /// sum = 0
    Equal,
    /// sum ≠ 0
    Different,
}

/// sum ⋈ 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Constraint<X> {
    /// The sum.
    pub sum: Sum<X>,
    /// ⋈
    pub order: Order,
}

impl<X: Copy + Ord> Constraint<X> {
    /// Whether a point satisfies it, if 128 bits are enough to tell.
    pub fn holds(&self, point: impl Fn(X) -> i128) -> Option<bool> {
        let value = self.sum.evaluate(point)?;
        Some(match self.order {
            Order::AtMost => value <= 0,
            Order::Equal => value == 0,
            Order::Different => value != 0,
        })
    }

    /// The same for all integer points, and tight: the greatest common divisor of the coefficients is taken out, and what it
    /// leaves of the constant is rounded. `Err` says whether a constraint without variables holds.
    pub fn tightened(self) -> Result<Self, bool> {
        let common = self.sum.terms.iter().fold(0u128, |common, term| gcd(common, term.1.unsigned_abs()));
        let Ok(common) = i128::try_from(common) else { return Ok(self) };
        if common == 0 {
            return Err(self.holds(|_| 0).unwrap_or(true));
        }
        let Sum { constant, mut terms } = self.sum;
        if self.order != Order::AtMost && constant % common != 0 {
            return Err(self.order == Order::Different);
        }
        // c + g·e ≤ 0 is e ≤ -c/g, rounded down: the constant is rounded up.
        let constant = constant.div_euclid(common) + i128::from(constant.rem_euclid(common) != 0);
        terms.iter_mut().for_each(|term| term.1 /= common);
        Ok(Self { sum: Sum { constant, terms }, order: self.order })
    }
}

/// The greatest common divisor; that of 0 and a number is the number.
pub(crate) fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = match (u64::try_from(a), u64::try_from(b)) {
            (Ok(a), Ok(b)) => (u128::from(b), u128::from(a % b)),
            _ => (b, a % b),
        };
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_merged() {
        let sum = Sum::new(3, [(2, 1), (1, 5), (2, -1), (1, 1)]).expect("small numbers");
        assert_eq!(sum.terms(), [(1, 6)]);
        assert_eq!(sum.evaluate(|_| 2), Some(15));
        assert!(Sum::new(0, [(1, i128::MAX), (1, 1)]).is_none());
        assert!(sum.plus(i128::MAX, &sum).is_none());
    }

    #[test]
    fn constraints_are_tightened() {
        let constraint = |constant, a, order| Constraint { sum: Sum::new(constant, [(0, a)]).expect("small"), order };
        // 2x ≤ 5 is x ≤ 2, -2x ≤ -5 is x ≥ 3.
        assert_eq!(constraint(-5, 2, Order::AtMost).tightened(), Ok(constraint(-2, 1, Order::AtMost)));
        assert_eq!(constraint(5, -2, Order::AtMost).tightened(), Ok(constraint(3, -1, Order::AtMost)));
        assert_eq!(constraint(5, 2, Order::Equal).tightened(), Err(false));
        assert_eq!(constraint(5, 2, Order::Different).tightened(), Err(true));
        assert_eq!(constraint(4, 2, Order::Equal).tightened(), Ok(constraint(2, 1, Order::Equal)));
        assert_eq!(constraint(1, 0, Order::AtMost).tightened(), Err(false));
    }
}
