//! The double description of a polyhedron: constraints and generators, both minimal.

use super::chernikova::{Dual, dual, extend};
use super::cone::{Cone, Rows};
use super::number::{Number, Overflow};
use crate::ideal::Sum;

/// A polyhedron with at least one point. That the leading entry of a generator is not negative is understood, and not one of the
/// constraints.
#[derive(Clone, PartialEq, Debug)]
pub struct Double<N> {
    pub constraints: Cone<N>,
    pub generators: Cone<N>,
}

impl<N: Number> Double<N> {
    /// All points.
    pub fn universe(dimensions: usize) -> Result<Self, Overflow> {
        let width = dimensions + 1;
        let mut generators = Cone::new(width);
        generators.rays = leading(width)?;
        for i in 1..width {
            for j in 0..width {
                generators.lines.data.push(N::of(i128::from(i == j))?);
            }
        }
        Ok(Self { constraints: Cone::new(width), generators })
    }

    pub fn dimensions(&self) -> usize {
        self.constraints.width() - 1
    }

    /// From generators, one of which is a point.
    pub fn from_generators(generators: &Cone<N>) -> Result<Self, Overflow> {
        Self::of_dual(dual(generators)?)
    }

    /// The convex hull with more generators.
    pub fn with_generators(&self, more: &Cone<N>) -> Result<Self, Overflow> {
        let mut bounds = self.constraints.clone();
        if self.is_bounded_by_leading()? {
            bounds.rays.push(&leading::<N>(bounds.width())?.data);
        }
        Self::of_dual(extend(bounds, &self.generators, more)?)
    }

    /// The points that satisfy more constraints, if there are such.
    pub fn with_constraints(&self, more: &Cone<N>) -> Result<Option<Self>, Overflow> {
        let mut known = self.constraints.clone();
        known.rays.push(&leading::<N>(known.width())?.data);
        let Dual { cut, left } = extend(self.generators.clone(), &known, more)?;
        let mut met = Self { constraints: cut, generators: left };
        met.constraints.rays.retain(says_something);
        let has_point = met.generators.rays.iter().any(|ray| ray[0].sign().is_gt());
        Ok(has_point.then_some(met))
    }

    fn of_dual(Dual { cut, left }: Dual<N>) -> Result<Self, Overflow> {
        let mut double = Self { constraints: left, generators: cut };
        double.constraints.rays.retain(says_something);
        Ok(double)
    }

    /// Whether the constraint that is understood does not follow from the others: no constraint is an equality for all
    /// directions.
    fn is_bounded_by_leading(&self) -> Result<bool, Overflow> {
        for constraint in self.constraints.rays.iter() {
            let mut all = true;
            for ray in self.generators.rays.iter().filter(|ray| ray[0].sign().is_eq()) {
                all &= N::wide_sign(&N::dot(constraint, ray)?).is_eq();
            }
            if all {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether all of these generators are in it.
    pub fn includes(&self, generators: &Cone<N>) -> Result<bool, Overflow> {
        let sign = |a: &[N], b: &[N]| N::dot(a, b).map(|product| N::wide_sign(&product));
        for equation in self.constraints.lines.iter() {
            for generator in generators.lines.iter().chain(generators.rays.iter()) {
                if sign(equation, generator)?.is_ne() {
                    return Ok(false);
                }
            }
        }
        for constraint in self.constraints.rays.iter() {
            for line in generators.lines.iter() {
                if sign(constraint, line)?.is_ne() {
                    return Ok(false);
                }
            }
            for ray in generators.rays.iter() {
                if sign(constraint, ray)?.is_lt() {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// The same with other numbers.
    pub fn converted<M: Number>(&self, number: &impl Fn(&N) -> Result<M, Overflow>) -> Result<Double<M>, Overflow> {
        Ok(Double { constraints: self.constraints.converted(number)?, generators: self.generators.converted(number)? })
    }

    /// The product of polyhedra, with the coordinates that those of each become, which are all there are.
    pub fn product(parts: &[(&Self, &[usize])], dimensions: usize) -> Result<Self, Overflow> {
        let width = dimensions + 1;
        let mut product = Self { constraints: Cone::new(width), generators: Cone::new(width) };
        let mut points: Rows<N> = leading(width)?;
        for (part, places) in parts {
            let placed = |rows: &Rows<N>| {
                rows.map(width, |row, out| {
                    let start = out.len();
                    out.resize(start + width, N::of(0)?);
                    out[start] = row[0].clone();
                    row[1..].iter().zip(*places).for_each(|(x, place)| out[start + 1 + place] = x.clone());
                    Ok(())
                })
            };
            product.constraints.lines.data.extend(placed(&part.constraints.lines)?.data);
            product.constraints.rays.data.extend(placed(&part.constraints.rays)?.data);
            product.generators.lines.data.extend(placed(&part.generators.lines)?.data);
            let rays = placed(&part.generators.rays)?;
            let mut more = Rows::new(width);
            for ray in rays.iter() {
                if ray[0].sign().is_eq() {
                    product.generators.rays.push(ray);
                    continue;
                }
                // v/d and w/e are (e·v + d·w)/(d·e).
                let mut moved = ray.to_vec();
                moved[0] = N::of(0)?;
                for point in points.iter() {
                    more.push_combination(&ray[0].wide(), point, &point[0].wide(), &moved)?;
                }
            }
            points = more;
        }
        product.generators.rays.data.extend(points.data);
        Ok(product)
    }

    /// The points after x := sum, where the sum has x with a factor other than 0, so that nothing is forgotten.
    pub fn substituted(&self, x: usize, sum: &Sum<usize>) -> Result<Option<Self>, Overflow> {
        let Some(&(_, factor)) = sum.terms().iter().find(|term| term.0 == x) else { return Ok(None) };
        // x = (x' - rest) / factor: a constraint with c·x becomes |factor|·(others) + c·sign·(x' - rest).
        let rest = sum_row::<N>(&sum.plus(-factor, &Sum::variable(x)).ok_or(Overflow)?, self.dimensions())?;
        let (size, sign) = (N::of(factor.checked_abs().ok_or(Overflow)?)?.wide(), factor.signum());
        let constraint = |row: &[N], out: &mut Vec<N>| {
            let c = &row[x + 1];
            let mut others = row.to_vec();
            others[x + 1] = N::of(0)?;
            let signed = if sign > 0 { c.clone() } else { c.negated()? };
            let mut moved: Vec<N> = rest.iter().map(N::negated).collect::<Result<_, _>>()?;
            moved[x + 1] = N::of(1)?;
            N::combine(&size, &others, &signed.wide(), &moved, out)
        };
        let mut constraints = self.constraints.clone();
        let width = self.dimensions() + 1;
        // A combination of rows that is divided by a common factor of both is still the same constraint.
        constraints.lines = constraints.lines.map(width, constraint)?;
        constraints.rays = constraints.rays.map(width, constraint)?;
        constraints.reduce()?;
        let mut sums: Vec<Vec<N>> = Vec::new();
        for y in 0..self.dimensions() {
            let value = if x == y { sum.clone() } else { Sum::variable(y) };
            sums.push(sum_row(&value, self.dimensions())?);
        }
        let mut generators = self.generators.image(&sums)?;
        generators.reduce()?;
        Ok(Some(Self { constraints, generators }))
    }
}

impl<N: Number> Cone<N> {
    pub fn converted<M: Number>(&self, number: &impl Fn(&N) -> Result<M, Overflow>) -> Result<Cone<M>, Overflow> {
        let convert = |rows: &Rows<N>| -> Result<Rows<M>, Overflow> {
            Ok(Rows { width: rows.width, data: rows.data.iter().map(number).collect::<Result<_, _>>()? })
        };
        Ok(Cone { lines: convert(&self.lines)?, rays: convert(&self.rays)? })
    }

    /// The generators whose coordinates are the values of these sums.
    pub fn image(&self, sums: &[Vec<N>]) -> Result<Self, Overflow> {
        let width = sums.len() + 1;
        let value = |row: &[N], out: &mut Vec<N>| {
            let mut image = vec![row[0].wide()];
            for sum in sums {
                image.push(N::dot(sum, row)?);
            }
            if image.iter().any(|x| N::wide_sign(x).is_ne()) {
                N::push(image, out)?;
            }
            Ok(())
        };
        Ok(Self { lines: self.lines.map(width, value)?, rays: self.rays.map(width, value)? })
    }
}

/// A sum as a row: its product with a generator is its value.
pub fn sum_row<N: Number>(sum: &Sum<usize>, dimensions: usize) -> Result<Vec<N>, Overflow> {
    let mut row = vec![N::of(0)?; dimensions + 1];
    row[0] = N::of(sum.offset())?;
    for &(x, coefficient) in sum.terms() {
        row[x + 1] = N::of(coefficient)?;
    }
    Ok(row)
}

/// 1 ≥ 0, and the origin.
fn leading<N: Number>(width: usize) -> Result<Rows<N>, Overflow> {
    let data: Result<Vec<N>, Overflow> = (0..width).map(|i| N::of(i128::from(i == 0))).collect();
    Ok(Rows { width, data: data? })
}

fn says_something<N: Number>(row: &[N]) -> bool {
    row[1..].iter().any(|x| x.sign().is_ne())
}
