//! From constraints to generators, and back: the same procedure, as the two cones are dual to each other.
//!
//! Chernikova: *Algorithm for discovering the set of all the solutions of a linear programming problem*, 1968, in the form of
//! Le Verge: *A note on Chernikova's algorithm*, 1992, with lines apart from rays. The cone starts with all points and is cut
//! by one row after the other. A ray on the right side stays; two on different sides that span a face of two dimensions give one
//! on the border. They do if no third ray is on all borders that both are on.
//!
//! Rays that are left are extreme, so what results is minimal. Of the rows, inequalities that all rays satisfy with equality
//! are equations, and an inequality that is an equality for fewer rays than another one follows from the others.

use super::cone::{Cone, Rows};
use super::number::{Number, Overflow};
use std::cmp::Ordering;

/// The minimal rows of a cone in both forms: what cuts, and what is left.
pub struct Dual<N> {
    pub cut: Cone<N>,
    pub left: Cone<N>,
}

/// Cuts all points by rows.
pub fn dual<N: Number>(rows: &Cone<N>) -> Result<Dual<N>, Overflow> {
    let width = rows.width();
    let mut all = Cone::new(width);
    for i in 0..width {
        for j in 0..width {
            all.lines.data.push(N::of(i128::from(i == j))?);
        }
    }
    extend(all, &Cone::new(width), rows)
}

/// Cuts a cone, which some rows leave and whose own rows are minimal, by more rows.
pub fn extend<N: Number>(left: Cone<N>, rows: &Cone<N>, more: &Cone<N>) -> Result<Dual<N>, Overflow> {
    let known = rows.lines.iter().map(|row| (row, true)).chain(rows.rays.iter().map(|row| (row, false)));
    let known: Vec<(&[N], bool)> = known.collect();
    let new: Vec<(&[N], bool)> =
        more.lines.iter().map(|row| (row, true)).chain(more.rays.iter().map(|row| (row, false))).collect();
    let words = (known.len() + new.len()).div_ceil(64).max(1);
    let mut cut = Cut { left, borders: Vec::new(), words, done: known.len() };
    for ray in cut.left.rays.iter() {
        let start = cut.borders.len();
        cut.borders.resize(start + words, 0);
        for (bit, (row, equation)) in known.iter().enumerate() {
            if *equation || N::wide_sign(&N::dot(row, ray)?).is_eq() {
                set(&mut cut.borders[start..], bit);
            }
        }
    }
    for (row, equation) in &new {
        cut.by(row, *equation)?;
    }
    let all: Vec<(&[N], bool)> = known.into_iter().chain(new).collect();
    let mut minimal = cut.minimal(&all);
    minimal.reduce()?;
    let mut left = cut.left;
    left.reduce()?;
    Ok(Dual { cut: minimal, left })
}

struct Cut<N> {
    left: Cone<N>,
    /// For each ray, the rows on whose border it is: whose product with it is 0.
    borders: Vec<u64>,
    /// Length of each of these sets.
    words: usize,
    /// How many rows are in them.
    done: usize,
}

fn set(bits: &mut [u64], bit: usize) {
    bits[bit / 64] |= 1 << (bit % 64);
}

impl<N: Number> Cut<N> {
    fn borders(&self, ray: usize) -> &[u64] {
        &self.borders[ray * self.words..(ray + 1) * self.words]
    }

    /// Cuts by one row.
    fn by(&mut self, row: &[N], equation: bool) -> Result<(), Overflow> {
        let products: Result<Vec<N::Wide>, Overflow> = self.left.lines.iter().map(|line| N::dot(row, line)).collect();
        let products = products?;
        match products.iter().position(|product| N::wide_sign(product).is_ne()) {
            Some(pivot) => self.by_line(row, equation, &products, pivot)?,
            None => self.by_rays(row, equation)?,
        }
        self.done += 1;
        Ok(())
    }

    /// A line leaves the border: all others are moved onto it along that line, of which half is left.
    fn by_line(&mut self, row: &[N], equation: bool, products: &[N::Wide], pivot: usize) -> Result<(), Overflow> {
        let mut line = self.left.lines.row(pivot).to_vec();
        let mut along = products[pivot].clone();
        if N::wide_sign(&along).is_lt() {
            line = line.iter().map(N::negated).collect::<Result<_, _>>()?;
            along = N::wide_negated(&along)?;
        }
        let width = row.len();
        let mut lines = Rows::new(width);
        for (i, other) in self.left.lines.iter().enumerate().filter(|&(i, _)| i != pivot) {
            // The products are those of the lines as they were, with the sign of the pivot's line.
            move_onto(&mut lines, other, &products[i], &line, &along)?;
        }
        let mut rays = Rows::new(width);
        for ray in self.left.rays.iter() {
            move_onto(&mut rays, ray, &N::dot(row, ray)?, &line, &along)?;
        }
        for ray in 0..rays.len() {
            set(&mut self.borders[ray * self.words..(ray + 1) * self.words], self.done);
        }
        if !equation {
            rays.push(&line);
            let start = self.borders.len();
            self.borders.resize(start + self.words, 0);
            (0..self.done).for_each(|bit| set(&mut self.borders[start..], bit));
        }
        self.left = Cone { lines, rays };
        Ok(())
    }

    /// No line leaves the border: rays on the wrong side are replaced.
    fn by_rays(&mut self, row: &[N], equation: bool) -> Result<(), Overflow> {
        let products: Result<Vec<N::Wide>, Overflow> = self.left.rays.iter().map(|ray| N::dot(row, ray)).collect();
        let products = products?;
        let signs: Vec<Ordering> = products.iter().map(N::wide_sign).collect();
        let kept = |sign: Ordering| sign == Ordering::Equal || sign == Ordering::Greater && !equation;
        if signs.iter().all(|&sign| kept(sign)) {
            for (ray, sign) in signs.iter().enumerate() {
                if sign.is_eq() {
                    set(&mut self.borders[ray * self.words..(ray + 1) * self.words], self.done);
                }
            }
            return Ok(());
        }
        let mut rays = Rows::new(row.len());
        let mut borders: Vec<u64> = Vec::with_capacity(self.borders.len());
        for (ray, &sign) in signs.iter().enumerate().filter(|&(_, &sign)| kept(sign)) {
            rays.push(self.left.rays.row(ray));
            let start = borders.len();
            borders.extend_from_slice(self.borders(ray));
            if sign.is_eq() {
                set(&mut borders[start..], self.done);
            }
        }
        // A face of two dimensions is on so many borders at least.
        let least = row.len().saturating_sub(self.left.lines.len() + 2);
        let mut common = vec![0; self.words];
        for (up, _) in signs.iter().enumerate().filter(|(_, sign)| sign.is_gt()) {
            for (down, _) in signs.iter().enumerate().filter(|(_, sign)| sign.is_lt()) {
                let both = self.borders(up).iter().zip(self.borders(down));
                common.iter_mut().zip(both).for_each(|(common, (a, b))| *common = a & b);
                let count: u32 = common.iter().map(|word| word.count_ones()).sum();
                if (count as usize) < least || !self.span_a_face(up, down, &common) {
                    continue;
                }
                let away = N::wide_negated(&products[down])?;
                rays.push_combination(&away, self.left.rays.row(up), &products[up], self.left.rays.row(down))?;
                let start = borders.len();
                borders.extend_from_slice(&common);
                set(&mut borders[start..], self.done);
            }
        }
        self.left.rays = rays;
        self.borders = borders;
        Ok(())
    }

    /// Whether no third ray is on all the borders that two rays have in common.
    fn span_a_face(&self, a: usize, b: usize, common: &[u64]) -> bool {
        let includes = |borders: &[u64]| borders.iter().zip(common).all(|(borders, common)| common & !borders == 0);
        let mut all = self.borders.chunks_exact(self.words).enumerate();
        !all.any(|(ray, borders)| ray != a && ray != b && includes(borders))
    }

    /// The rows that are needed.
    fn minimal(&self, rows: &[(&[N], bool)]) -> Cone<N> {
        let rays = self.left.rays.len();
        let mut cone = Cone::new(self.left.width());
        let words = rays.div_ceil(64).max(1);
        // For each inequality that is none in disguise, the rays on its border.
        let mut inequalities: Vec<(&[N], u32)> = Vec::new();
        let mut touching: Vec<u64> = Vec::new();
        for (bit, (row, equation)) in rows.iter().enumerate() {
            if *equation {
                cone.lines.push(row);
                continue;
            }
            let start = touching.len();
            touching.resize(start + words, 0);
            for (ray, borders) in self.borders.chunks_exact(self.words).enumerate() {
                if borders[bit / 64] >> (bit % 64) & 1 == 1 {
                    set(&mut touching[start..], ray);
                }
            }
            let count: u32 = touching[start..].iter().map(|word| word.count_ones()).sum();
            if count as usize == rays {
                cone.lines.push(row);
                touching.truncate(start);
            } else {
                inequalities.push((row, count));
            }
        }
        let set_of = |i: usize| &touching[i * words..(i + 1) * words];
        for (i, &(row, count)) in inequalities.iter().enumerate() {
            let follows = inequalities.iter().enumerate().any(|(j, &(_, other))| {
                let more = other > count || other == count && j < i;
                more && set_of(i).iter().zip(set_of(j)).all(|(mine, other)| mine & !other == 0)
            });
            if !follows {
                cone.rays.push(row);
            }
        }
        cone
    }
}

/// Appends along·row - product·line, which is on the border.
fn move_onto<N: Number>(
    rows: &mut Rows<N>,
    row: &[N],
    product: &N::Wide,
    line: &[N],
    along: &N::Wide,
) -> Result<(), Overflow> {
    if N::wide_sign(product).is_eq() {
        rows.push(row);
        return Ok(());
    }
    rows.push_combination(along, row, &N::wide_negated(product)?, line)
}
