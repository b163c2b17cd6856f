//! Affine relations between machine integers: the affine hull of points modulo 2^w.
//!
//! Müller-Olm, Seidl: *Analysis of modular arithmetic*, TOPLAS 29(5), 2007. An element is given by points; its relations
//! are the vectors a with a₀ + a₁x₁ + … + aₙxₙ = 0 (mod 2^w) at every point. They form a module over a ring with zero
//! divisors, so there are relations such as 2^(w-1)·x = 0: x is even.
//!
//! The matrix of the points is made diagonal by invertible operations on rows and columns, with a pivot of the least power
//! of two, which divides all the rest. In the diagonal's coordinates the relations can be read off: all of them where the
//! diagonal is 0, multiples of 2^(w-v) where it is 2^v.
//!
//! A point that is not in the hull makes it strictly larger; chains have at most w·(n+1)+1 elements, so no widening is
//! needed.

/// The largest coefficient that one variable is given so that those of the others are small as well.
const LARGEST_FACTOR: u64 = 15;

/// The affine hull of some points.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Affine {
    width: u32,
    dimensions: usize,
    /// Each with a leading 1.
    points: Vec<Vec<u64>>,
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

    /// Whether there is no point.
    pub fn is_bottom(&self) -> bool {
        self.points.is_empty()
    }

    /// Adds a point.
    pub fn join(&mut self, point: &[u64]) {
        assert_eq!(point.len(), self.dimensions);
        let mask = mask(self.width);
        self.points.push(std::iter::once(1).chain(point.iter().map(|x| x & mask)).collect());
    }

    /// Relations that generate all others; for the empty hull, the one that nothing satisfies.
    pub fn relations(&self) -> Vec<Relation> {
        if self.is_bottom() {
            return vec![Relation { width: self.width, constant: 1, coefficients: vec![0; self.dimensions] }];
        }
        let mut generators = self.generators();
        self.echelon(&mut generators);
        generators.into_iter().map(|row| self.relation(row)).collect()
    }

    /// The relations, by way of a diagonal matrix.
    fn generators(&self) -> Vec<Vec<u64>> {
        let columns = self.dimensions + 1;
        let mut rows = self.points.clone();
        // The operations on columns so far, by columns.
        let mut basis: Vec<Vec<u64>> =
            (0..columns).map(|i| (0..columns).map(|j| u64::from(i == j)).collect()).collect();
        let mut diagonal = Vec::new();
        while diagonal.len() < columns {
            let at = diagonal.len();
            let entries = (at..rows.len()).flat_map(|i| (at..columns).map(move |j| (i, j)));
            let pivot = entries.filter(|&(i, j)| rows[i][j] != 0).min_by_key(|&(i, j)| rows[i][j].trailing_zeros());
            let Some((i, j)) = pivot else { break };
            rows.swap(at, i);
            rows.iter_mut().for_each(|row| row.swap(at, j));
            basis.swap(at, j);
            let power = self.normalize(&mut rows[at], at);
            let pivot_row = rows[at].clone();
            for row in &mut rows[at + 1..] {
                let factor = row[at] >> power;
                self.subtract(row, &pivot_row, factor);
            }
            // Below the pivot the column is 0 now: what the columns' operations do to the matrix is to clear its row.
            let pivot_column = basis[at].clone();
            for j in at + 1..columns {
                self.subtract(&mut basis[j], &pivot_column, pivot_row[j] >> power);
                rows[at][j] = 0;
            }
            diagonal.push(power);
        }
        for (i, column) in basis.iter_mut().enumerate() {
            if let Some(&power) = diagonal.get(i) {
                let factor = if power == 0 { 0 } else { 1u64 << (self.width - power) };
                column.iter_mut().for_each(|x| *x = x.wrapping_mul(factor) & mask(self.width));
            }
        }
        basis.retain(|column| column.iter().any(|&x| x != 0));
        basis
    }

    /// Makes the relations sparse: each pivot, of the last variables first, is cleared in the others as far as possible.
    fn echelon(&self, rows: &mut Vec<Vec<u64>>) {
        let mut done = 0;
        for column in (0..=self.dimensions).rev() {
            let candidates = (done..rows.len()).filter(|&i| rows[i][column] != 0);
            let Some(i) = candidates.min_by_key(|&i| rows[i][column].trailing_zeros()) else { continue };
            rows.swap(done, i);
            let power = self.normalize(&mut rows[done], column);
            let pivot = rows[done].clone();
            for (_, row) in rows.iter_mut().enumerate().filter(|&(i, _)| i != done) {
                let factor = row[column] >> power;
                self.subtract(row, &pivot, factor);
            }
            done += 1;
        }
        rows.truncate(done);
    }

    /// Multiplies a row by an odd number so that an entry becomes a power of two; its exponent.
    fn normalize(&self, row: &mut [u64], entry: usize) -> u32 {
        let power = row[entry].trailing_zeros();
        let inverse = inverse(row[entry] >> power);
        row.iter_mut().for_each(|x| *x = x.wrapping_mul(inverse) & mask(self.width));
        power
    }

    fn subtract(&self, row: &mut [u64], other: &[u64], factor: u64) {
        if factor != 0 {
            let mask = mask(self.width);
            row.iter_mut().zip(other).for_each(|(x, y)| *x = x.wrapping_sub(y.wrapping_mul(factor)) & mask);
        }
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

fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

/// The inverse of an odd number modulo 2^64, by Newton's iteration: each round doubles the bits that are right.
fn inverse(odd: u64) -> u64 {
    let mut x = odd;
    for _ in 0..5 {
        x = x.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(x)));
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;
    use robusto_testing::Random;

    fn hull(width: u32, points: &[&[u64]]) -> Affine {
        let mut hull = Affine::bottom(width, points[0].len());
        points.iter().for_each(|p| hull.join(p));
        hull
    }

    #[test]
    fn inverses() {
        for odd in (1..1000u64).step_by(2).chain([u64::MAX, 0x1234_5678_9abc_def1]) {
            assert_eq!(odd.wrapping_mul(inverse(odd)), 1);
        }
    }

    /// All points of three small variables, against all vectors of coefficients.
    #[test]
    fn against_enumeration() {
        const WIDTH: u32 = 2;
        const SIZE: u64 = 1 << WIDTH;
        let all: Vec<[u64; 3]> = (0..SIZE.pow(3)).map(|i| [i % SIZE, i / SIZE % SIZE, i / SIZE / SIZE]).collect();
        let vectors: Vec<[u64; 4]> = all.iter().flat_map(|p| (0..SIZE).map(|c| [c, p[0], p[1], p[2]])).collect();
        let satisfies =
            |a: &[u64; 4], p: &[u64; 3]| (a[0] + a[1] * p[0] + a[2] * p[1] + a[3] * p[2]).is_multiple_of(SIZE);
        let mut random = Random::new(1);
        for _ in 0..500 {
            let chosen: Vec<[u64; 3]> = (0..1 + random.below(5)).map(|_| random.pick(&all)).collect();
            let points: Vec<&[u64]> = chosen.iter().map(|p| p.as_slice()).collect();
            let relations = hull(WIDTH, &points).relations();
            let valid: Vec<_> = vectors.iter().filter(|a| chosen.iter().all(|p| satisfies(a, p))).collect();
            for p in &all {
                let expected = valid.iter().all(|a| satisfies(a, p));
                assert_eq!(relations.iter().all(|r| r.holds(p)), expected, "{chosen:?} {p:?} {relations:?}");
            }
        }
    }

    #[test]
    fn relations_are_readable() {
        // x + y = 10, both anything else.
        let relations = hull(32, &[&[0, 10, 7], &[3, 7, 1], &[u64::MAX, 11, 124]]).relations();
        assert_eq!(relations.len(), 1, "{relations:?}");
        assert_eq!(
            relations[0],
            Relation { width: 32, constant: u64::from(-10i32 as u32), coefficients: vec![1, 1, 0] }
        );
        // 3x = 5y + 1.
        let relations = hull(32, &[&[2, 1], &[7, 4], &[12, 7]]).relations();
        let [relation] = &relations[..] else { panic!("{relations:?}") };
        let signed: Vec<i32> = relation.coefficients.iter().map(|&c| c as i32).collect();
        assert!(signed == [3, -5] || signed == [-3, 5], "{relation:?}");
        // Even numbers.
        let relations = hull(32, &[&[2], &[4], &[14]]).relations();
        assert_eq!(relations, [Relation { width: 1, constant: 0, coefficients: vec![1] }]);
    }

    #[test]
    fn nothing_satisfies_bottom() {
        let bottom = Affine::bottom(8, 1);
        assert!((0..256).all(|x| !bottom.relations().iter().all(|r| r.holds(&[x]))));
    }
}
