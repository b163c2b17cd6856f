//! Affine equations modulo powers of two between ideal integers, beside bounds of variables.
//!
//! Machine integers of different widths are all integers, so one hull modulo 2^64 relates them: an equation modulo 2^w is the one
//! modulo 2^64 that is 2^(64-w) times as large. Bounds tell where an expression stays within one period; where it does not, the
//! equation modulo its period is kept ([`Ideal::assume_multiple`]), which nothing that wraps around destroys.
//!
//! Both parts are kept apart. Together they answer how large a sum is: bounds move inward to the next value that has the
//! residue that the equations tell. So x ≡ y modulo 2^32, of variables with 32 bits, is x = y.

use super::matrix::{Row, echelon};
use super::{Affine, Lattice, Relation};
use crate::ideal::{Constraint, Ideal, Order, Range, Sum};
use crate::lattice::Thresholds;
use crate::ranges::Ranges;
use std::fmt::Debug;

/// The modulus of all equations is 2 to this.
const WIDTH: u32 = 64;

/// Equations between variables modulo powers of two, and their bounds.
#[derive(Clone, Debug)]
pub struct Equations<X> {
    ranges: Ranges<X>,
    /// The variables of the hull, ascending. Others can have any value.
    variables: Vec<X>,
    /// Empty if and only if there is no point.
    hull: Affine,
}

impl<X: Copy + Ord + Debug> Equations<X> {
    fn of(ranges: Ranges<X>, variables: Vec<X>, hull: Affine) -> Self {
        if ranges.is_bottom() || hull.is_bottom() {
            return Self::bottom();
        }
        Self { ranges, variables, hull }
    }

    /// The same with fewer generators, and without variables that can have any value.
    fn tidy(mut self) -> Self {
        let Some((origin, others)) = self.hull.points.split_first() else { return Self::bottom() };
        let difference = |point: &Row| point.iter().zip(origin).map(|(a, b)| a.wrapping_sub(*b)).collect();
        let mut directions: Vec<Row> = others.iter().map(difference).collect();
        echelon(&mut directions, WIDTH);
        // A direction along one axis: that variable can have any value.
        let axis = |row: &Row| {
            let mut entries = row.iter().enumerate().filter(|(_, x)| **x != 0);
            let (place, _) = entries.next().filter(|(_, x)| **x == 1)?;
            entries.next().is_none().then_some(place)
        };
        let free: Vec<usize> = directions.iter().filter_map(axis).collect();
        directions.retain(|row| axis(row).is_none());
        let sum = |row: &Row| -> Row { row.iter().zip(origin).map(|(a, b)| a.wrapping_add(*b)).collect() };
        let points: Vec<Row> = std::iter::once(origin.clone()).chain(directions.iter().map(sum)).collect();
        self.hull.points = points;
        self.keep(|place| !free.contains(&place))
    }

    /// The same with the columns that are wanted, by place; the constant is at 0.
    fn keep(mut self, wanted: impl Fn(usize) -> bool) -> Self {
        let places: Vec<usize> = (0..=self.variables.len()).filter(|&place| place == 0 || wanted(place)).collect();
        if places.len() <= self.variables.len() {
            let cut = |point: &Row| places.iter().map(|&place| point[place]).collect();
            self.hull = Affine {
                points: self.hull.points.iter().map(cut).collect(),
                ..Affine::bottom(WIDTH, places.len() - 1)
            };
            self.variables = places[1..].iter().map(|&place| self.variables[place - 1]).collect();
        }
        self
    }

    /// The hull with columns for some variables, ascending, which are those that it has and perhaps more.
    fn hull_over(&self, variables: &[X]) -> Affine {
        if self.variables == variables || self.hull.is_bottom() {
            return Affine { dimensions: variables.len(), ..self.hull.clone() };
        }
        let place = |x: &X| self.variables.binary_search(x).ok().map(|i| i + 1);
        let places: Vec<Option<usize>> = variables.iter().map(place).collect();
        let row = |point: &Row| -> Row {
            std::iter::once(1).chain(places.iter().map(|place| place.map_or(0, |place| point[place]))).collect()
        };
        let mut points: Vec<Row> = self.hull.points.iter().map(row).collect();
        for (i, _) in places.iter().enumerate().filter(|(_, place)| place.is_none()) {
            let mut other = points[0].clone();
            other[i + 1] = 1;
            points.push(other);
        }
        Affine { points, ..Affine::bottom(WIDTH, variables.len()) }
    }

    /// The variables of this and some more.
    fn with<'v>(&self, more: impl IntoIterator<Item = &'v X>) -> Vec<X>
    where
        X: 'v,
    {
        let mut all = self.variables.clone();
        all.extend(more);
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Both hulls with the same columns.
    fn aligned(&self, other: &Self) -> (Vec<X>, Affine, Affine) {
        let variables = self.with(&other.variables);
        let (mine, theirs) = (self.hull_over(&variables), other.hull_over(&variables));
        (variables, mine, theirs)
    }

    /// The points where some relations hold of the columns of some variables.
    fn restricted(&self, variables: Vec<X>, relation: Row) -> Self {
        let hull = self.hull_over(&variables);
        let mut rows = hull.rows();
        rows.push(relation);
        let hull = hull.where_all(&rows);
        Self::of(self.ranges.clone(), variables, hull)
    }

    /// How many low bits of a sum are the same at all points, and these bits.
    fn residue(&self, sum: &Sum<X>) -> (u32, u64) {
        let mut values = self.hull.points.iter().map(|point| {
            sum.terms().iter().try_fold(sum.offset() as u64, |total, &(x, factor)| {
                let place = self.variables.binary_search(&x).ok()?;
                Some(total.wrapping_add((factor as u64).wrapping_mul(point[place + 1])))
            })
        });
        let Some(Some(first)) = values.next() else {
            // A variable that can be anything: what is known is known of its multiple.
            let zeros = sum.terms().iter().map(|term| term.1.trailing_zeros()).min().unwrap_or(0).min(WIDTH);
            return (zeros, low(zeros, sum.offset() as u64));
        };
        let known = values.flatten().map(|value| (value ^ first).trailing_zeros()).min().unwrap_or(WIDTH).min(WIDTH);
        (known, low(known, first))
    }

    /// Σ coefficient · variable + constant over some columns, times a power of two.
    fn row(variables: &[X], sum: &Sum<X>, shift: u32) -> Row {
        let shifted = |number: i128| (number as u64) << shift;
        let mut row: Row = std::iter::once(shifted(sum.offset())).chain(variables.iter().map(|_| 0)).collect();
        for &(x, factor) in sum.terms() {
            row[1 + variables.binary_search(&x).expect("a column for each variable")] = shifted(factor);
        }
        row
    }
}

fn low(known: u32, bits: u64) -> u64 {
    if known == 0 { 0 } else { bits & (u64::MAX >> (64 - known)) }
}

impl<X: Copy + Ord + Debug> PartialEq for Equations<X> {
    fn eq(&self, other: &Self) -> bool {
        self.leq(other) && other.leq(self)
    }
}

impl<X: Copy + Ord + Debug> Lattice for Equations<X> {
    fn is_top(&self) -> bool {
        self.ranges.is_top() && self.hull.is_top()
    }

    fn is_bottom(&self) -> bool {
        self.ranges.is_bottom()
    }

    fn leq(&self, other: &Self) -> bool {
        if self.is_bottom() || other.is_bottom() {
            return self.is_bottom();
        }
        let (_, mine, theirs) = self.aligned(other);
        self.ranges.leq(&other.ranges) && mine.leq(&theirs)
    }

    fn join(&self, other: &Self) -> Self {
        if self.is_bottom() || other.is_bottom() {
            return if self.is_bottom() { other.clone() } else { self.clone() };
        }
        let (variables, mine, theirs) = self.aligned(other);
        Self::of(self.ranges.join(&other.ranges), variables, mine.join(&theirs)).tidy()
    }

    fn meet(&self, other: &Self) -> Self {
        let ranges = self.ranges.meet(&other.ranges);
        if ranges.is_bottom() {
            return Self::bottom();
        }
        let (variables, mine, theirs) = self.aligned(other);
        Self::of(ranges, variables, mine.meet(&theirs))
    }

    /// Chains of hulls are finite by themselves.
    fn widen(&self, newer: &Self, thresholds: &Thresholds) -> Self {
        let joined = self.join(newer);
        Self { ranges: self.ranges.widen(&newer.ranges, thresholds), ..joined }
    }
}

impl<X: Copy + Ord + Debug> Ideal for Equations<X> {
    type Var = X;

    fn top() -> Self {
        Self { ranges: Ranges::top(), variables: Vec::new(), hull: Affine::point(WIDTH, &[]) }
    }

    fn bottom() -> Self {
        Self { ranges: Ranges::bottom(), variables: Vec::new(), hull: Affine::bottom(WIDTH, 0) }
    }

    fn contains(&self, point: impl Fn(X) -> i128) -> bool {
        let row: Vec<u64> = self.variables.iter().map(|&x| point(x) as u64).collect();
        self.ranges.contains(&point) && Affine::point(WIDTH, &row).leq(&self.hull)
    }

    fn project(&self, variables: &[X]) -> Self {
        let wanted = |place: usize| !variables.contains(&self.variables[place - 1]);
        let ranges = self.ranges.project(variables);
        Self { ranges, ..self.clone() }.keep(wanted)
    }

    fn assign(&self, assignments: &[(X, Sum<X>)]) -> Self {
        if self.is_bottom() {
            return Self::bottom();
        }
        let named = assignments.iter().flat_map(|(x, sum)| sum.terms().iter().map(|term| &term.0).chain([x]));
        let variables = self.with(named);
        let mut hull = self.hull_over(&variables);
        let place = |x: &X| 1 + variables.binary_search(x).expect("a column for each variable");
        for point in &mut hull.points {
            let before = point.clone();
            for (x, sum) in assignments {
                let products = sum.terms().iter().map(|(y, factor)| (*factor as u64).wrapping_mul(before[place(y)]));
                point[place(x)] = products.fold(sum.offset() as u64, u64::wrapping_add);
            }
        }
        Self::of(self.ranges.assign(assignments), variables, hull).tidy()
    }

    fn assume(&self, constraint: &Constraint<X>) -> Self {
        let ranges = self.ranges.assume(constraint);
        if ranges.is_bottom() {
            return Self::bottom();
        }
        let narrower = Self { ranges, ..self.clone() };
        match constraint.order {
            Order::Equal => narrower.assume_multiple(&constraint.sum, WIDTH, true),
            Order::AtMost | Order::Different => {
                let range = narrower.range(&constraint.sum);
                let zero = Range { lo: Some(0), hi: Some(0) };
                let never = range.is_none_or(|range| {
                    if constraint.order == Order::AtMost { range.lo.is_some_and(|lo| lo > 0) } else { range == zero }
                });
                if never { Self::bottom() } else { narrower }
            }
        }
    }

    fn range(&self, sum: &Sum<X>) -> Option<Range> {
        let Range { lo, hi } = self.ranges.range(sum)?;
        let (known, bits) = self.residue(sum);
        let (modulus, bits) = (1i128 << known, i128::from(bits));
        let up = |lo: i128| lo.checked_add(bits.checked_sub(lo)?.rem_euclid(modulus));
        let down = |hi: i128| hi.checked_sub(hi.checked_sub(bits)?.rem_euclid(modulus));
        let (lo, hi) = (lo.and_then(up), hi.and_then(down));
        // No value has both the bounds and the residue.
        if lo.zip(hi).is_some_and(|(lo, hi)| lo > hi) { None } else { Some(Range { lo, hi }) }
    }

    fn constraints(&self) -> Option<Vec<Constraint<X>>> {
        self.ranges.constraints()
    }

    fn assume_multiple(&self, sum: &Sum<X>, bits: u32, truth: bool) -> Self {
        let bits = bits.min(WIDTH);
        if self.is_bottom() {
            return Self::bottom();
        }
        if !truth {
            let (known, residue) = self.residue(sum);
            return if known >= bits && low(bits, residue) == 0 { Self::bottom() } else { self.clone() };
        }
        let variables = self.with(sum.terms().iter().map(|term| &term.0));
        let row = Self::row(&variables, sum, WIDTH - bits);
        self.restricted(variables, row).tidy()
    }

    fn multiples(&self) -> Vec<(Sum<X>, u32)> {
        let signed = |width: u32, bits: u64| i128::from(((bits << (64 - width)) as i64) >> (64 - width));
        let named = |relation: Relation| {
            let Relation { width, constant, coefficients } = relation;
            let terms = self.variables.iter().zip(coefficients).map(|(&x, factor)| (x, signed(width, factor)));
            Some((Sum::new(signed(width, constant), terms)?, width))
        };
        self.hull.relations().into_iter().filter_map(named).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::ideal::{Exact, check_ideal};

    #[test]
    fn operations_agree_with_points() {
        check_ideal::<Equations<usize>>(17, Exact { sums: |_| false, integers: false });
    }

    fn sum(constant: i128, terms: &[(usize, i128)]) -> Sum<usize> {
        Sum::new(constant, terms.iter().copied()).expect("small numbers")
    }

    /// x := x + 1, y := y + 2 modulo 2^32, from (0, 0): y = 2x, whatever wraps around.
    #[test]
    fn counters_that_wrap_around() {
        let start = Equations::top().assign(&[(0, sum(0, &[])), (1, sum(0, &[]))]);
        let mut all = start.clone();
        for _ in 0..3 {
            // The new values are in the variables 2 and 3, which are as large as the type allows.
            let wrapped = |a: Equations<usize>, to: usize, value: &Sum<usize>| {
                a.assume_multiple(&value.plus(-1, &Sum::variable(to)).expect("small numbers"), 32, true)
            };
            let after = wrapped(wrapped(all.clone(), 2, &sum(1, &[(0, 1)])), 3, &sum(2, &[(1, 1)]));
            let after = after.assign(&[(0, sum(0, &[(2, 1)])), (1, sum(0, &[(3, 1)]))]).project(&[2, 3]);
            all = all.join(&after);
        }
        let (known, bits) = all.residue(&sum(0, &[(1, 1), (0, -2)]));
        assert_eq!((known, bits), (32, 0));
        assert!(all.contains(|x| [7, 14][x]) && all.contains(|x| [1 << 31, 0][x]) && !all.contains(|x| [7, 15][x]));
        assert!(all.assume_multiple(&sum(0, &[(1, 1), (0, -2)]), 32, false).is_bottom());
        // With bounds, the equation modulo 2^32 is one of integers.
        let bounded =
            [(0, 1, -5), (0, -1, 0), (1, 1, -100), (1, -1, 0)].into_iter().fold(all, |a, (x, sign, constant)| {
                a.assume(&Constraint { sum: sum(constant, &[(x, sign)]), order: Order::AtMost })
            });
        let difference = bounded.range(&sum(0, &[(1, 1), (0, -2)]));
        assert_eq!(difference, Some(Range { lo: Some(0), hi: Some(0) }));
    }

    /// Multiples of powers of two, against all points of a small box.
    #[test]
    fn multiples_are_exact() {
        use crate::laws::ideal::element;
        let mut random = robusto_testing::Random::new(3);
        let (mut empty, mut kept) = (0, 0);
        for _ in 0..2000 {
            let a: Equations<usize> = element(&mut random);
            let terms: Vec<(usize, i128)> = (0..3).map(|x| (x, i128::from(random.below(7)) - 3)).collect();
            let (form, bits) = (sum(i128::from(random.below(4)), &terms), 1 + random.below(3) as u32);
            let (is, is_not) = (a.assume_multiple(&form, bits, true), a.assume_multiple(&form, bits, false));
            for point in (0..343).map(|i| [i % 7 - 3, i / 7 % 7 - 3, i / 49 - 3]) {
                let value = form.evaluate(|x| point[x]).expect("small numbers");
                let multiple = value.rem_euclid(1 << bits) == 0;
                let inside = a.contains(|x| point[x]);
                assert_eq!(is.contains(|x| point[x]), inside && multiple, "{a:?} {form:?} {bits} {point:?}");
                assert!(is_not.contains(|x| point[x]) || !inside || multiple, "{a:?} {form:?} {bits} {point:?}");
            }
            empty += u32::from(is_not.is_bottom());
            kept += u32::from(!is.is_bottom());
        }
        assert!(empty > 100 && kept > 500, "{empty} {kept}");
    }
}
