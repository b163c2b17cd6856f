//! Cones by rows of a matrix: what generates one, or what bounds one.

use super::number::{Number, Overflow};
use std::cmp::Ordering;

/// Vectors of the same length, one after the other.
#[derive(Clone, PartialEq, Debug)]
pub struct Rows<N> {
    pub width: usize,
    pub data: Vec<N>,
}

impl<N: Number> Rows<N> {
    pub fn new(width: usize) -> Self {
        Self { width, data: Vec::new() }
    }

    pub fn len(&self) -> usize {
        self.data.len() / self.width
    }

    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    pub fn row(&self, i: usize) -> &[N] {
        &self.data[i * self.width..(i + 1) * self.width]
    }

    pub fn iter(&self) -> std::slice::ChunksExact<'_, N> {
        self.data.chunks_exact(self.width)
    }

    pub fn push(&mut self, row: &[N]) {
        self.data.extend_from_slice(row);
    }

    /// Appends a·x + b·y, divided by the greatest common divisor.
    pub fn push_combination(&mut self, a: &N::Wide, x: &[N], b: &N::Wide, y: &[N]) -> Result<(), Overflow> {
        N::combine(a, x, b, y, &mut self.data)
    }

    pub fn retain(&mut self, keep: impl Fn(&[N]) -> bool) {
        let kept: Vec<N> = self.iter().filter(|row| keep(row)).flatten().cloned().collect();
        self.data = kept;
    }

    /// Each row by a function.
    pub fn map<M: Number>(
        &self,
        width: usize,
        f: impl Fn(&[N], &mut Vec<M>) -> Result<(), Overflow>,
    ) -> Result<Rows<M>, Overflow> {
        let mut rows = Rows::new(width);
        for row in self.iter() {
            f(row, &mut rows.data)?;
        }
        Ok(rows)
    }
}

/// Two kinds of rows: those that count in both directions, and those that count in one.
///
/// As generators: lines and rays. As constraints: equations, whose product with a generator is 0, and inequalities, with
/// which it is not negative. The cone of a polyhedron has one more dimension: a point v/d is the ray (d, v) with d > 0, a
/// direction the ray (0, v), and c₀ + c·x ≥ 0 is (c₀, c).
#[derive(Clone, PartialEq, Debug)]
pub struct Cone<N> {
    pub lines: Rows<N>,
    pub rays: Rows<N>,
}

impl<N: Number> Cone<N> {
    pub fn new(width: usize) -> Self {
        Self { lines: Rows::new(width), rays: Rows::new(width) }
    }

    pub fn width(&self) -> usize {
        self.lines.width
    }

    pub fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.rays.is_empty()
    }

    /// With the rows of both.
    pub fn extend(&mut self, other: &Self) {
        self.lines.data.extend_from_slice(&other.lines.data);
        self.rays.data.extend_from_slice(&other.rays.data);
    }

    /// Makes it canonical, apart from the order, if none of its rows follows from others: each line has a pivot, its first
    /// entry after the leading one, which no other row has. Lines that follow from others are dropped.
    pub fn reduce(&mut self) -> Result<(), Overflow> {
        if self.lines.is_empty() {
            return Ok(());
        }
        let width = self.width();
        let mut done: Rows<N> = Rows::new(width);
        let mut rest = std::mem::replace(&mut self.lines, Rows::new(width));
        for column in 1..width {
            let Some(pivot) = (0..rest.len()).find(|&i| rest.row(i)[column].sign().is_ne()) else { continue };
            let mut row = rest.row(pivot).to_vec();
            rest.data.drain(pivot * width..(pivot + 1) * width);
            if row[column].sign().is_lt() {
                row = row.iter().map(N::negated).collect::<Result<_, _>>()?;
            }
            eliminate(&mut rest, &row, column)?;
            eliminate(&mut done, &row, column)?;
            eliminate(&mut self.rays, &row, column)?;
            done.push(&row);
        }
        self.lines = done;
        Ok(())
    }
}

/// Subtracts multiples of a row, whose pivot is positive, from positive multiples of others.
fn eliminate<N: Number>(rows: &mut Rows<N>, pivot: &[N], column: usize) -> Result<(), Overflow> {
    if rows.iter().all(|row| row[column].sign().is_eq()) {
        return Ok(());
    }
    let mut cleared = Rows::new(rows.width);
    for row in rows.iter() {
        if row[column].sign() == Ordering::Equal {
            cleared.push(row);
        } else {
            let factor = N::wide_negated(&row[column].wide())?;
            cleared.push_combination(&pivot[column].wide(), row, &factor, pivot)?;
        }
    }
    *rows = cleared;
    Ok(())
}
