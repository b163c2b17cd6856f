//! Widening of polyhedra.
//!
//! Bagnara, Hill, Ricci, Zaffanella: *Precise widening operators for convex polyhedra*, SAS 2003 (Science of Computer
//! Programming 58, 2005), on top of the standard widening of Halbwachs 1979. A result is taken if its [`Certificate`] is less
//! than that of the old polyhedron, of which there is no infinite descending chain: the hull itself, or the standard widening cut by
//! combined constraints, or the hull with directions in which points or rays evolve, or the standard widening.
//!
//! With thresholds, the result is cut by x ≤ t and x ≥ t where the hull satisfies it. That keeps chains finite because the number
//! of such bounds that hold comes before the certificate, and the cut is left out where neither gets less.

use super::cone::{Cone, Rows};
use super::double::Double;
use super::number::{Number, Overflow};
use std::cmp::Ordering;

/// Theorem 3: what the widening makes less, in lexicographic order.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Certificate {
    equations: usize,
    /// Dimensions that are not those of a line.
    without_line: usize,
    constraints: usize,
    points: usize,
    /// How many rays have so many zeros, from the most on.
    rays: Vec<usize>,
}

impl Certificate {
    fn of<N: Number>(double: &Double<N>) -> Self {
        let Double { constraints, generators } = double;
        let dimensions = double.dimensions();
        let mut rays = vec![0; dimensions + 1];
        let mut points = 0;
        for ray in generators.rays.iter() {
            if ray[0].sign().is_gt() {
                points += 1;
            } else {
                let zeros = ray[1..].iter().filter(|x| x.sign().is_eq()).count();
                rays[dimensions - zeros] += 1;
            }
        }
        Self {
            equations: constraints.lines.len(),
            without_line: dimensions - generators.lines.len(),
            constraints: constraints.lines.len() + constraints.rays.len(),
            points,
            rays,
        }
    }
}

/// The widening of `old` to `hull`, which includes it.
pub fn widen<N: Number>(old: &Double<N>, hull: &Double<N>, thresholds: &[i128]) -> Result<Double<N>, Overflow> {
    if old.includes(&hull.generators)? {
        return Ok(old.clone());
    }
    let wide = bhrz03(old, hull)?;
    if thresholds.is_empty() {
        return Ok(wide);
    }
    let (_, rows) = limits(hull, thresholds)?;
    let Some(limited) = wide.with_constraints(&rows)? else { return Ok(wide) };
    let progress = limits(&limited, thresholds)?.0 < limits(old, thresholds)?.0;
    Ok(if progress || Certificate::of(&limited) < Certificate::of(old) { limited } else { wide })
}

/// How many bounds at thresholds hold, strictly or not, and the closest ones, as constraints.
fn limits<N: Number>(double: &Double<N>, thresholds: &[i128]) -> Result<(usize, Cone<N>), Overflow> {
    let width = double.dimensions() + 1;
    let mut count = 0;
    let mut rows = Cone::new(width);
    for x in 1..width {
        for sign in [1, -1] {
            // sign·x ≤ t, in order of growing t.
            let mut found = false;
            let ordered: Vec<i128> = if sign == 1 {
                thresholds.to_vec()
            } else {
                thresholds.iter().rev().map(|t| t.saturating_neg()).collect()
            };
            for limit in ordered {
                let mut row = vec![N::of(0)?; width];
                (row[0], row[x]) = (N::of(limit)?, N::of(-sign)?);
                let Some(strict) = satisfied(double, &row)? else { continue };
                count += 1 + usize::from(strict);
                if !found {
                    rows.rays.push(&row);
                    found = true;
                }
            }
        }
    }
    Ok((count, rows))
}

/// Whether all points satisfy a constraint; and if so, whether none with equality.
fn satisfied<N: Number>(double: &Double<N>, row: &[N]) -> Result<Option<bool>, Overflow> {
    let mut strict = true;
    for line in double.generators.lines.iter() {
        if N::wide_sign(&N::dot(row, line)?).is_ne() {
            return Ok(None);
        }
    }
    for ray in double.generators.rays.iter() {
        match N::wide_sign(&N::dot(row, ray)?) {
            Ordering::Less => return Ok(None),
            Ordering::Equal if ray[0].sign().is_gt() => strict = false,
            _ => {}
        }
    }
    Ok(Some(strict))
}

/// Section 5: the first technique whose result is on the way to an end.
fn bhrz03<N: Number>(old: &Double<N>, hull: &Double<N>) -> Result<Double<N>, Overflow> {
    let certificate = Certificate::of(old);
    if Certificate::of(hull) < certificate {
        return Ok(hull.clone());
    }
    let (kept, dropped) = standard(old, hull)?;
    let standard = Double::universe(old.dimensions())?.with_constraints(&kept)?.unwrap_or_else(|| hull.clone());
    let better = |candidate: &Double<N>| -> Result<bool, Overflow> {
        Ok(Certificate::of(candidate) < certificate && !candidate.includes(&standard.generators)?)
    };
    if let Some(candidate) = combined_constraints(old, &standard, &dropped)?
        && better(&candidate)?
    {
        return Ok(candidate);
    }
    for directions in [evolving_points(old, hull)?, evolving_rays(old, hull)?] {
        if directions.is_empty() {
            continue;
        }
        let larger = hull.with_generators(&Cone { lines: Rows::new(directions.width), rays: directions })?;
        if let Some(candidate) = larger.with_constraints(&standard.constraints)?
            && better(&candidate)?
        {
            return Ok(candidate);
        }
    }
    Ok(standard)
}

/// Halbwachs: the constraints of the hull that are on the border for the same generators of the old polyhedron as one of its own;
/// and the other ones.
fn standard<N: Number>(old: &Double<N>, hull: &Double<N>) -> Result<(Cone<N>, Rows<N>), Overflow> {
    let touched = |row: &[N]| -> Result<Vec<bool>, Overflow> {
        let generators = old.generators.lines.iter().chain(old.generators.rays.iter());
        generators.map(|generator| N::dot(row, generator).map(|product| N::wide_sign(&product).is_eq())).collect()
    };
    let own: Result<Vec<Vec<bool>>, Overflow> = old.constraints.rays.iter().map(touched).collect();
    let own = own?;
    let mut kept = Cone::new(hull.constraints.width());
    kept.lines = hull.constraints.lines.clone();
    let mut dropped = Rows::new(hull.constraints.width());
    for row in hull.constraints.rays.iter() {
        let touched = touched(row)?;
        if touched.iter().all(|on_border| *on_border) || own.contains(&touched) {
            kept.rays.push(row);
        } else {
            dropped.push(row);
        }
    }
    Ok((kept, dropped))
}

/// Section 5.1: at each old point inside the standard widening, the sum of the dropped constraints that it is on the border of.
fn combined_constraints<N: Number>(
    old: &Double<N>,
    standard: &Double<N>,
    dropped: &Rows<N>,
) -> Result<Option<Double<N>>, Overflow> {
    if dropped.len() <= 1 {
        return Ok(None);
    }
    let on_border = |row: &[N], point: &[N]| N::dot(row, point).map(|product| N::wide_sign(&product).is_eq());
    let mut more = Cone::new(dropped.width);
    'points: for point in old.generators.rays.iter().filter(|ray| ray[0].sign().is_gt()) {
        for row in standard.constraints.rays.iter() {
            if on_border(row, point)? {
                continue 'points;
            }
        }
        let mut sum: Option<Vec<N>> = None;
        for row in dropped.iter() {
            if on_border(row, point)? {
                let one = N::of(1)?.wide();
                let mut next = Vec::new();
                match &sum {
                    None => next = row.to_vec(),
                    Some(sum) => N::combine(&one, sum, &one, row, &mut next)?,
                }
                sum = Some(next);
            }
        }
        if let Some(sum) = sum.filter(|sum| sum[1..].iter().any(|x| x.sign().is_ne())) {
            more.rays.push(&sum);
        }
    }
    if more.is_empty() { Ok(None) } else { standard.with_constraints(&more) }
}

/// Section 5.2: from each old point to each new one outside the old polyhedron.
fn evolving_points<N: Number>(old: &Double<N>, hull: &Double<N>) -> Result<Rows<N>, Overflow> {
    let mut directions = Rows::new(hull.generators.width());
    for new in outside(old, hull, Ordering::Greater)? {
        for point in old.generators.rays.iter().filter(|ray| ray[0].sign().is_gt()) {
            let back = N::wide_negated(&new[0].wide())?;
            directions.push_combination(&point[0].wide(), new, &back, point)?;
        }
    }
    Ok(directions)
}

/// Section 5.3: each new ray, turned on to the axes in the direction in which it is turned from an old one.
fn evolving_rays<N: Number>(old: &Double<N>, hull: &Double<N>) -> Result<Rows<N>, Overflow> {
    let mut directions = Rows::new(hull.generators.width());
    for new in outside(old, hull, Ordering::Equal)? {
        for ray in old.generators.rays.iter().filter(|ray| ray[0].sign().is_eq()) {
            let mut turned = new.to_vec();
            let mut considered = vec![false; new.len()];
            for k in 1..new.len() {
                for h in k + 1..new.len() {
                    if considered[k] {
                        break;
                    }
                    if considered[h] {
                        continue;
                    }
                    let minus = new[h].negated()?;
                    let turn = N::wide_sign(&N::dot(&[new[k].clone(), minus], &[ray[h].clone(), ray[k].clone()])?);
                    let same_signs = new[k].sign() == new[h].sign();
                    if new[k].sign().is_eq() || new[h].sign().is_eq() || turn.is_eq() {
                        continue;
                    }
                    let cleared = if turn.is_gt() == same_signs { h } else { k };
                    turned[cleared] = N::of(0)?;
                    considered[cleared] = true;
                }
            }
            if turned.iter().any(|x| x.sign().is_ne()) {
                N::push(turned.iter().map(N::wide).collect(), &mut directions.data)?;
            }
        }
    }
    Ok(directions)
}

/// The points, or the rays, of the hull that are outside the old polyhedron.
fn outside<'h, N: Number>(old: &Double<N>, hull: &'h Double<N>, leading: Ordering) -> Result<Vec<&'h [N]>, Overflow> {
    let mut found = Vec::new();
    for ray in hull.generators.rays.iter().filter(|ray| ray[0].sign() == leading) {
        let alone = Cone { lines: Rows::new(ray.len()), rays: Rows { width: ray.len(), data: ray.to_vec() } };
        if !old.includes(&alone)? {
            found.push(ray);
        }
    }
    Ok(found)
}
