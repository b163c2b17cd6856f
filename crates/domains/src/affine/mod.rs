//! Affine relations between machine integers: the affine hull of points modulo 2^w.
//!
//! Müller-Olm, Seidl: *Analysis of modular arithmetic*, TOPLAS 29(5), 2007. An element is given by points; its relations
//! are the vectors a with a₀ + a₁x₁ + … + aₙxₙ = 0 (mod 2^w) at every point. They form a module over a ring with zero
//! divisors, so there are relations such as 2^(w-1)·x = 0: x is even.
//!
//! With a leading 1, points generate a module, too, and each of the two modules is all that annihilates the other: so the
//! same procedure leads from points to relations and back (`matrix::annihilator`). The hull is what has a leading 1 in it.
//!
//! A point that is not in the hull makes it strictly larger; chains have at most w·(n+1)+1 elements, so no widening is
//! needed. Joins, assignments, projections and equations are exact; other conditions only tell whether constants satisfy them.

mod equations;
mod matrix;
#[cfg(test)]
mod tests;

use crate::lattice::{Lattice, Thresholds};
use crate::modular::inverse;
use crate::numeric::{Comparison, Condition, Linear, Numeric};
pub use equations::Equations;
use matrix::{Row, annihilator, dot, echelon, mask};

/// The largest coefficient that one variable is given so that those of the others are small as well.
const LARGEST_FACTOR: u64 = 15;

/// The affine hull of some points.
#[derive(Clone, Debug)]
pub struct Affine {
    width: u32,
    dimensions: usize,
    /// Each with a leading 1.
    points: Vec<Row>,
}

/// `constant + Σ coefficients[i]·x[i] = 0` modulo 2^`width`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Relation {
    /// What it is modulo; at most the width of the variables, whose low bits it speaks of if it is less.
    pub width: u32,
    /// Without a variable.
    pub constant: u64,
    /// Of each variable.
    pub coefficients: Vec<u64>,
}

impl Affine {
    /// No point at all.
    pub fn bottom(width: u32, dimensions: usize) -> Self {
        assert!((1..=64).contains(&width), "machine integers have 1 to 64 bits");
        Self { width, dimensions, points: Vec::new() }
    }

    /// All points.
    pub fn top(width: u32, dimensions: usize) -> Self {
        Self::bottom(width, dimensions).where_all(&[])
    }

    /// One point.
    pub fn point(width: u32, point: &[u64]) -> Self {
        let row = std::iter::once(1).chain(point.iter().map(|x| x & mask(width))).collect();
        Self { points: vec![row], ..Self::bottom(width, point.len()) }
    }

    /// Relations that generate all others; for the empty hull, the one that nothing satisfies.
    pub fn relations(&self) -> Vec<Relation> {
        if self.is_bottom() {
            return vec![Relation { width: self.width, constant: 1, coefficients: vec![0; self.dimensions] }];
        }
        let mut rows = self.rows();
        echelon(&mut rows, self.width);
        rows.into_iter().map(|row| self.relation(row)).collect()
    }

    /// Generators of all relations.
    fn rows(&self) -> Vec<Row> {
        annihilator(&self.points, self.dimensions + 1, self.width)
    }

    /// The points that satisfy some relations.
    fn where_all(&self, relations: &[Row]) -> Self {
        let mut points = annihilator(relations, self.dimensions + 1, self.width);
        let Some(first) = points.iter().position(|point| point[0] & 1 == 1) else {
            return Self::bottom(self.width, self.dimensions);
        };
        points.swap(0, first);
        matrix::normalize(&mut points[0], 0, self.width);
        let (origin, others) = points.split_at_mut(1);
        for point in others {
            let missing = point[0].wrapping_sub(1);
            matrix::subtract(point, &origin[0], missing, self.width);
        }
        Self { points, ..*self }
    }

    /// The value of an expression, if it has the same at every point.
    fn constant(&self, linear: &Linear<usize>) -> Option<u64> {
        let mut values = self.points.iter().map(|point| linear.evaluate(|x| point[x + 1]));
        let value = values.next()?;
        values.all(|other| other == value).then_some(value)
    }

    /// A row with its common power of two taken out, times the odd number that makes its coefficients smallest.
    fn relation(&self, row: Vec<u64>) -> Relation {
        let common = row.iter().filter(|&&x| x != 0).map(|x| x.trailing_zeros()).min().unwrap_or(0);
        let width = self.width - common;
        let row: Vec<u64> = row.into_iter().map(|x| x >> common).collect();
        let size = |x: u64| (((x << (64 - width)) as i64) >> (64 - width)).unsigned_abs();
        let scaled = |factor: u64| row.iter().map(move |x| x.wrapping_mul(factor) & mask(width));
        let coefficients = row[1..].iter().filter(|&&x| x != 0);
        let factors = coefficients.flat_map(|&x| {
            let one = inverse(x >> x.trailing_zeros());
            (1..=LARGEST_FACTOR).step_by(2).map(move |small| one.wrapping_mul(small))
        });
        let best = factors.min_by_key(|&factor| scaled(factor).skip(1).map(size).max()).unwrap_or(1);
        let mut row = scaled(best);
        let constant = row.next().expect("rows start with the constant");
        Relation { width, constant, coefficients: row.collect() }
    }
}

impl Relation {
    /// Whether a point satisfies it.
    pub fn holds(&self, point: &[u64]) -> bool {
        let products = self.coefficients.iter().zip(point).map(|(a, x)| a.wrapping_mul(*x));
        products.fold(self.constant, u64::wrapping_add) & mask(self.width) == 0
    }
}

/// Whether they have the same points.
impl PartialEq for Affine {
    fn eq(&self, other: &Self) -> bool {
        self.leq(other) && other.leq(self)
    }
}

impl Lattice for Affine {
    fn is_top(&self) -> bool {
        self.rows().is_empty()
    }

    fn is_bottom(&self) -> bool {
        self.points.is_empty()
    }

    fn leq(&self, other: &Self) -> bool {
        debug_assert_eq!((self.width, self.dimensions), (other.width, other.dimensions));
        let rows = if self.is_bottom() { Vec::new() } else { other.rows() };
        self.points.iter().all(|point| rows.iter().all(|row| dot(row, point, self.width) == 0))
    }

    fn join(&self, other: &Self) -> Self {
        debug_assert_eq!((self.width, self.dimensions), (other.width, other.dimensions));
        Self { points: self.points.iter().chain(&other.points).cloned().collect(), ..*self }
    }

    fn meet(&self, other: &Self) -> Self {
        self.where_all(&[self.rows(), other.rows()].concat())
    }

    fn widen(&self, newer: &Self, _: &Thresholds) -> Self {
        self.join(newer)
    }
}

impl Numeric for Affine {
    type Var = usize;

    fn contains(&self, point: impl Fn(usize) -> u64) -> bool {
        let point: Vec<u64> = (0..self.dimensions).map(point).collect();
        Self::point(self.width, &point).leq(self)
    }

    fn project(&self, variables: &[usize]) -> Self {
        let mut projected = self.clone();
        if let Some(point) = self.points.first() {
            for &x in variables {
                let mut other = point.clone();
                other[x + 1] = other[x + 1].wrapping_add(1) & mask(self.width);
                projected.points.push(other);
            }
        }
        projected
    }

    fn assign(&self, assignments: &[(usize, Linear<usize>)]) -> Self {
        let mut after = self.clone();
        for (point, before) in after.points.iter_mut().zip(&self.points) {
            for (x, value) in assignments {
                point[x + 1] = value.evaluate(|x| before[x + 1]) & mask(self.width);
            }
        }
        after
    }

    fn assume(&self, condition: &Condition<usize>) -> Self {
        let Condition { comparison, left, right } = condition;
        if let (Some(left), Some(right)) = (self.constant(left), self.constant(right)) {
            let holds = comparison.holds(self.width, left, right);
            return if holds { self.clone() } else { Self::bottom(self.width, self.dimensions) };
        }
        if *comparison != Comparison::Eq || self.is_bottom() {
            return self.clone();
        }
        let mut difference = vec![0u64; self.dimensions + 1];
        difference[0] = left.constant.wrapping_sub(right.constant);
        for &(x, coefficient) in &left.terms {
            difference[x + 1] = difference[x + 1].wrapping_add(coefficient);
        }
        for &(x, coefficient) in &right.terms {
            difference[x + 1] = difference[x + 1].wrapping_sub(coefficient);
        }
        difference.iter_mut().for_each(|x| *x &= mask(self.width));
        let mut rows = self.rows();
        rows.push(difference);
        self.where_all(&rows)
    }
}
