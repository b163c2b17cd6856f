//! Matrices over the integers modulo 2^w.

use crate::modular::inverse;

/// A vector.
pub type Row = Vec<u64>;

/// Generators of the vectors that are orthogonal to all rows.
///
/// The matrix is made diagonal by invertible operations on rows and columns, with a pivot of the least power of two, which
/// divides all the rest. In the diagonal's coordinates the result can be read off: everything where the diagonal is 0,
/// multiples of 2^(w-v) where it is 2^v.
pub fn annihilator(rows: &[Row], columns: usize, width: u32) -> Vec<Row> {
    let mut rows = rows.to_vec();
    // The operations on columns so far, by columns.
    let mut basis: Vec<Row> = (0..columns).map(|i| (0..columns).map(|j| u64::from(i == j)).collect()).collect();
    let mut diagonal = Vec::new();
    while diagonal.len() < columns {
        let at = diagonal.len();
        let entries = (at..rows.len()).flat_map(|i| (at..columns).map(move |j| (i, j)));
        let pivot = entries.filter(|&(i, j)| rows[i][j] != 0).min_by_key(|&(i, j)| rows[i][j].trailing_zeros());
        let Some((i, j)) = pivot else { break };
        rows.swap(at, i);
        rows.iter_mut().for_each(|row| row.swap(at, j));
        basis.swap(at, j);
        let power = normalize(&mut rows[at], at, width);
        let pivot_row = rows[at].clone();
        for row in &mut rows[at + 1..] {
            let factor = row[at] >> power;
            subtract(row, &pivot_row, factor, width);
        }
        // Below the pivot the column is 0 now: what the columns' operations do to the matrix is to clear its row.
        let pivot_column = basis[at].clone();
        for j in at + 1..columns {
            subtract(&mut basis[j], &pivot_column, pivot_row[j] >> power, width);
            rows[at][j] = 0;
        }
        diagonal.push(power);
    }
    for (i, column) in basis.iter_mut().enumerate() {
        if let Some(&power) = diagonal.get(i) {
            let factor = if power == 0 { 0 } else { 1u64 << (width - power) };
            column.iter_mut().for_each(|x| *x = x.wrapping_mul(factor) & mask(width));
        }
    }
    basis.retain(|column| column.iter().any(|&x| x != 0));
    basis
}

/// Makes rows sparse: each pivot, of the last columns first, is cleared in the others as far as possible.
pub fn echelon(rows: &mut Vec<Row>, width: u32) {
    let columns = rows.first().map_or(0, Vec::len);
    let mut done = 0;
    for column in (0..columns).rev() {
        let candidates = (done..rows.len()).filter(|&i| rows[i][column] != 0);
        let Some(i) = candidates.min_by_key(|&i| rows[i][column].trailing_zeros()) else { continue };
        rows.swap(done, i);
        let power = normalize(&mut rows[done], column, width);
        let pivot = rows[done].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|&(i, _)| i != done) {
            let factor = row[column] >> power;
            subtract(row, &pivot, factor, width);
        }
        done += 1;
    }
    rows.truncate(done);
}

/// Multiplies a row by an odd number so that an entry becomes a power of two; its exponent.
pub fn normalize(row: &mut [u64], entry: usize, width: u32) -> u32 {
    let power = row[entry].trailing_zeros();
    let inverse = inverse(row[entry] >> power);
    row.iter_mut().for_each(|x| *x = x.wrapping_mul(inverse) & mask(width));
    power
}

/// Subtracts a multiple of another row.
pub fn subtract(row: &mut [u64], other: &[u64], factor: u64, width: u32) {
    if factor != 0 {
        let mask = mask(width);
        row.iter_mut().zip(other).for_each(|(x, y)| *x = x.wrapping_sub(y.wrapping_mul(factor)) & mask);
    }
}

/// The product of two vectors.
pub fn dot(a: &[u64], b: &[u64], width: u32) -> u64 {
    a.iter().zip(b).fold(0u64, |sum, (x, y)| sum.wrapping_add(x.wrapping_mul(*y))) & mask(width)
}

/// All bits of a width.
pub fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}
