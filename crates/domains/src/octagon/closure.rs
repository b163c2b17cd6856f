//! Tight closure: every bound is the least one, over the integers.
//!
//! Bagnara, Hill, Zaffanella, Theorem 3: close the matrix as if numbers were rational, make the bounds of 2a even, check
//! a ≤ -(-a), and apply a + b ≤ ⌊s(a, a)/2⌋ + ⌊s(b, b)/2⌋ once. What results is tightly closed; cubic, and quadratic if only
//! one constraint is new.

use super::{INFINITY, Literal, Matrix, capped, negated};

impl Matrix {
    /// Closes any matrix. Whether there is a point; if not, the matrix is of no use any more.
    pub(super) fn close(&mut self) -> bool {
        for x in 0..self.dimensions {
            self.close_by(2 * x);
        }
        self.tighten()
    }

    /// Adds a + b ≤ bound to a tightly closed matrix. Whether a point is left; if not, the matrix is of no use any more.
    pub(super) fn add(&mut self, a: Literal, b: Literal, bound: i128) -> bool {
        let bound = capped(bound);
        if bound >= self.get(a, b) {
            return true;
        }
        // u + v ≤ (u - a) + (a + b) + (v - b), the same with a and b exchanged, and with two uses of the constraint
        // u + v ≤ (u - b) + (b + a) - 2a + (a + b) + (v - b).
        let to = |matrix: &Self, literal: Literal| -> Vec<i128> {
            (0..matrix.literals()).map(|u| matrix.get(u, negated(literal))).collect()
        };
        let (to_a, to_b) = (to(self, a), to(self, b));
        let (twice_a, twice_b) = (self.get(negated(a), negated(a)), self.get(negated(b), negated(b)));
        // The bound of u + b, which one use (from a) or two uses (from b) give, and that of u + a.
        let with = |to: &[i128], other: &[i128], twice: i128| -> Vec<i128> {
            let both = capped(bound + twice);
            to.iter().zip(other).map(|(&to, &other)| capped(bound + to.min(capped(both + other)))).collect()
        };
        let past_a = with(&to_a, &to_b, twice_a);
        let past_b = with(&to_b, &to_a, twice_b);
        for u in 0..self.literals() {
            if past_a[u] >= INFINITY && past_b[u] >= INFINITY {
                continue;
            }
            for v in 0..=u {
                self.lower(u, v, (past_a[u] + to_b[v]).min(past_b[u] + to_a[v]));
            }
        }
        self.tighten()
    }

    /// One step of Floyd and Warshall's algorithm, for a variable's two literals at once (Miné, Definition 3).
    fn close_by(&mut self, c: Literal) {
        let column =
            |matrix: &Self, c: Literal| -> Vec<i128> { (0..matrix.literals()).map(|a| matrix.get(a, c)).collect() };
        let (mut plus, mut minus) = (column(self, c), column(self, negated(c)));
        let (twice_plus, twice_minus) = (self.get(c, c), self.get(negated(c), negated(c)));
        for (plus, minus) in plus.iter_mut().zip(&mut minus) {
            // a + c ≤ (a - c) + 2c, a - c ≤ (a + c) - 2c
            let (p, m) = (*plus, *minus);
            *plus = capped(p.min(m + twice_plus));
            *minus = capped(m.min(p + twice_minus));
        }
        for a in 0..self.literals() {
            if plus[a] >= INFINITY && minus[a] >= INFINITY {
                continue;
            }
            for b in 0..=a {
                self.lower(a, b, (plus[a] + minus[b]).min(minus[a] + plus[b]));
            }
        }
    }

    /// From a closed to a tightly closed matrix; whether there is a point.
    fn tighten(&mut self) -> bool {
        for x in 0..self.dimensions {
            let (a, b) = (2 * x, 2 * x + 1);
            if self.get(a, b) < 0 {
                return false;
            }
            for literal in [a, b] {
                let bound = self.get(literal, literal);
                if bound < INFINITY {
                    self.lower(literal, literal, bound & !1);
                }
            }
            if self.get(a, a) + self.get(b, b) < 0 {
                return false;
            }
        }
        self.strengthen();
        true
    }

    /// a + b is at most the bound of a and that of b.
    pub(super) fn strengthen(&mut self) {
        let unary: Vec<i128> = (0..self.literals()).map(|a| self.unary(a)).collect();
        for (a, b) in self.pairs() {
            if unary[a] < INFINITY && unary[b] < INFINITY {
                self.lower(a, b, unary[a] + unary[b]);
            }
        }
    }
}
