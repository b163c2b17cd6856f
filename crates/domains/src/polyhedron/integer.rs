//! Whether equations have an integer solution.

use super::cone::Rows;
use super::number::Number;
use dashu_int::IBig;
use dashu_int::ops::{DivRem, UnsignedAbs};

/// Whether there are integers x with c₀ + c·x = 0 for all rows.
///
/// Unimodular operations on the columns lead to a triangular matrix (Hermite's normal form), where one unknown after the other
/// is determined. Exact: the affine hull of a polyhedron without integer points has no subset with such points, so this test
/// does not make a smaller polyhedron seem to have points where a larger one has none.
pub fn solvable<N: Number>(equations: &Rows<N>) -> bool {
    // The first entry that is not 0 is one that no other equation has: if it is 1, it can be solved whatever the others are.
    if equations
        .iter()
        .all(|row| row[1..].iter().find(|x| x.sign().is_ne()).is_none_or(|x| x.big().unsigned_abs().is_one()))
    {
        return true;
    }
    let mut rows: Vec<Vec<IBig>> = equations.iter().map(|row| row.iter().map(N::big).collect()).collect();
    let mut values: Vec<IBig> = Vec::new();
    for r in 0..rows.len() {
        // Columns 1 … values.len() have their values.
        let first = values.len() + 1;
        let Some(pivot) = clear_row(&mut rows, r, first) else { continue };
        rows.iter_mut().for_each(|row| row.swap(first, pivot));
        let row = &rows[r];
        let known: IBig = row[1..first].iter().zip(&values).map(|(c, x)| c * x).sum();
        let (quotient, rest) = (-(known + &row[0])).div_rem(&row[first]);
        if !rest.is_zero() {
            return false;
        }
        values.push(quotient);
    }
    true
}

/// Euclid's algorithm on the columns from `first` on, until a row has one entry at most there: its column.
fn clear_row(rows: &mut [Vec<IBig>], r: usize, first: usize) -> Option<usize> {
    loop {
        let entries = (first..rows[r].len()).filter(|&j| !rows[r][j].is_zero());
        let pivot = entries.min_by_key(|&j| (&rows[r][j]).unsigned_abs())?;
        let others: Vec<usize> = (first..rows[r].len()).filter(|&j| j != pivot && !rows[r][j].is_zero()).collect();
        if others.is_empty() {
            return Some(pivot);
        }
        for j in others {
            let factor = &rows[r][j] / &rows[r][pivot];
            for row in rows.iter_mut() {
                let change = &factor * &row[pivot];
                row[j] -= change;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use robusto_testing::Random;

    #[test]
    fn against_enumeration() {
        let mut random = Random::new(1);
        let (mut solved, mut unsolved) = (0, 0);
        for _ in 0..2000 {
            let data: Vec<i64> = (0..6).map(|_| i64::from(random.below(9)) - 4).collect();
            let equations = Rows { width: 3, data };
            let mut cone = super::super::cone::Cone { lines: equations.clone(), rays: Rows::new(3) };
            cone.reduce().expect("small numbers");
            let (r, s) = (equations.row(0), equations.row(1));
            if r[1] * s[2] == r[2] * s[1] {
                continue;
            }
            // One solution: by Cramer's rule within this box if it is an integer.
            let zero = |row: &[i64], x: i64, y: i64| row[0] + row[1] * x + row[2] * y == 0;
            let expected = (-32..=32).any(|x| (-32..=32).any(|y| zero(r, x, y) && zero(s, x, y)));
            assert_eq!(solvable(&cone.lines), expected, "{equations:?}");
            *if expected { &mut solved } else { &mut unsolved } += 1;
        }
        assert!(solved > 100 && unsolved > 100);
        // 6x + 10y + 15z = 1 has a solution, 6x + 10y + 4z = 1 has none.
        assert!(solvable(&Rows { width: 4, data: vec![-1i64, 6, 10, 15] }));
        assert!(!solvable(&Rows { width: 4, data: vec![-1i64, 6, 10, 4] }));
    }
}
