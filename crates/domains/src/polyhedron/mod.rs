//! Convex polyhedra: linear inequalities between variables.
//!
//! Double description (Motzkin et al. 1953): constraints, and points, rays and lines that generate the same polyhedron, both
//! minimal. Each operation is simple on one side: meets and conditions add constraints, joins add generators, assignments and
//! projections map generators. The other side follows by Chernikova's algorithm (`chernikova`), from what was there before the
//! rows were added, and only when it is needed: a join or an assignment leaves generators, from which the constraints come with
//! the first question that needs them.
//!
//! | module | what |
//! |---|---|
//! | `number` | 64 bits, checked, and numbers of any size behind them |
//! | `cone` | matrices of generators or constraints |
//! | `chernikova` | from one form to the other, minimal |
//! | `double` | both forms of a polyhedron |
//! | `integer` | whether equations have an integer solution |
//! | `widening` | BHRZ03, with thresholds |
//!
//! Points are rational, except that a condition is rounded to integers before it is added, and a polyhedron whose equations have
//! no integer solution is empty. So meets, joins, `leq`, assignments and projections are exact over the rational numbers, which
//! is sound for the integers. Constraints are not strict: e < 0 is e ≤ -1 for integers.

mod chernikova;
mod cone;
mod double;
mod integer;
mod number;
mod split;
#[cfg(test)]
mod tests;
mod widening;

use crate::blocks::{Block, Blocks, Ratio};
use crate::ideal::{Constraint, Order, Sum};
use crate::lattice::Thresholds;
use cone::{Cone, Rows};
use dashu_int::IBig;
use double::{Double, sum_row};
use number::{Either, Form, Generators, Number, Overflow, attempt};
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

/// Polyhedra over variables of some type, decomposed.
pub type Polyhedron<X> = Blocks<X, Convex>;

/// A polyhedron with at least one point.
#[derive(Clone, Debug)]
pub struct Convex {
    dimensions: usize,
    /// What the form is made from, unless it is there.
    source: Source,
    form: OnceLock<Arc<Form>>,
}

#[derive(Clone, Debug)]
enum Source {
    /// The form is there.
    Known,
    /// Generators, which need not be minimal.
    Generators(Generators),
    /// The convex hull of a polyhedron with more generators.
    Hull(Arc<Form>, Generators),
}

impl Convex {
    fn known(dimensions: usize, form: Arc<Form>) -> Self {
        Self { dimensions, source: Source::Known, form: OnceLock::from(form) }
    }

    fn pending(dimensions: usize, source: Source) -> Self {
        Self { dimensions, source, form: OnceLock::new() }
    }

    /// Both forms, minimal.
    fn form(&self) -> &Arc<Form> {
        self.form.get_or_init(|| {
            Arc::new(match &self.source {
                Source::Known => unreachable!("a known form is there from the beginning"),
                Source::Generators(generators) => {
                    attempt(|| generated::<i64>(generators), || generated::<IBig>(generators))
                }
                Source::Hull(form, more) => attempt(|| hull::<i64>(form, more), || hull::<IBig>(form, more)),
            })
        })
    }

    /// Generators, minimal if the form is there.
    fn generators(&self) -> Cow<'_, Generators> {
        match (self.form.get().map(Arc::as_ref), &self.source) {
            (None, Source::Generators(generators)) => Cow::Borrowed(generators),
            (None, Source::Hull(form, more)) => {
                Cow::Owned(attempt(|| together::<i64>(&of(form), more), || together::<IBig>(&of(form), more)))
            }
            _ => Cow::Owned(of(self.form())),
        }
    }
}

fn of(form: &Form) -> Generators {
    match form {
        Form::Small(double) => Generators::Small(double.generators.clone()),
        Form::Big(double) => Generators::Big(double.generators.clone()),
    }
}

fn generated<N: Number>(generators: &Generators) -> Result<Form, Overflow> {
    Ok(N::store(Double::from_generators(&*N::cone(generators)?)?))
}

fn hull<N: Number>(form: &Form, more: &Generators) -> Result<Form, Overflow> {
    Ok(N::store(N::form(form)?.with_generators(&*N::cone(more)?)?))
}

fn together<N: Number>(one: &Generators, other: &Generators) -> Result<Generators, Overflow> {
    let mut all = N::cone(one)?.into_owned();
    all.extend(&*N::cone(other)?);
    Ok(N::store_cone(all))
}

fn universe(dimensions: usize) -> Form {
    attempt(|| Ok(i64::store(Double::universe(dimensions)?)), || Ok(IBig::store(Double::universe(dimensions)?)))
}

fn product<N: Number>(parts: &[(&Form, &[usize])], dimensions: usize) -> Result<Form, Overflow> {
    let forms: Result<Vec<Cow<'_, Double<N>>>, Overflow> = parts.iter().map(|(form, _)| N::form(form)).collect();
    let forms = forms?;
    let placed: Vec<(&Double<N>, &[usize])> =
        forms.iter().zip(parts).map(|(form, (_, places))| (form.as_ref(), *places)).collect();
    Ok(N::store(Double::product(&placed, dimensions)?))
}

fn includes<N: Number>(form: &Form, generators: &Generators) -> Result<bool, Overflow> {
    N::form(form)?.includes(&*N::cone(generators)?)
}

fn includes_point<N: Number>(form: &Form, point: &[i128]) -> Result<bool, Overflow> {
    let data: Result<Vec<N>, Overflow> = std::iter::once(1).chain(point.iter().copied()).map(N::of).collect();
    let width = point.len() + 1;
    N::form(form)?.includes(&Cone { lines: Rows::new(width), rays: Rows { width, data: data? } })
}

/// With constraints of another polyhedron.
fn meet<N: Number>(form: &Form, other: &Form) -> Result<Option<Form>, Overflow> {
    nonempty(N::form(form)?.with_constraints(&N::form(other)?.constraints)?)
}

fn restricted<N: Number>(form: &Form, constraints: &[Constraint<usize>]) -> Result<Option<Form>, Overflow> {
    let form = N::form(form)?;
    let mut more = Cone::new(form.dimensions() + 1);
    for Constraint { sum, order } in constraints {
        let row = sum_row::<N>(&Sum::constant(0).plus(-1, sum).ok_or(Overflow)?, form.dimensions())?;
        if *order == Order::Equal { more.lines.push(&row) } else { more.rays.push(&row) }
    }
    nonempty(form.with_constraints(&more)?)
}

fn nonempty<N: Number>(double: Option<Double<N>>) -> Result<Option<Form>, Overflow> {
    Ok(double.filter(|double| integer::solvable(&double.constraints.lines)).map(N::store))
}

fn image<N: Number>(generators: &Generators, dimensions: usize, sums: &[Sum<usize>]) -> Result<Generators, Overflow> {
    let rows: Result<Vec<Vec<N>>, Overflow> = sums.iter().map(|sum| sum_row(sum, dimensions)).collect();
    Ok(N::store_cone(N::cone(generators)?.image(&rows?)?))
}

fn substituted<N: Number>(form: &Form, x: usize, sum: &Sum<usize>) -> Result<Option<Form>, Overflow> {
    Ok(N::form(form)?.substituted(x, sum)?.map(N::store))
}

fn widened<N: Number>(old: &Form, hull: &Form, thresholds: &[i128]) -> Result<Form, Overflow> {
    Ok(N::store(widening::widen(&*N::form(old)?, &*N::form(hull)?, thresholds)?))
}

fn supremum<N: Number>(
    generators: &Generators,
    dimensions: usize,
    sum: &Sum<usize>,
) -> Result<Option<Ratio>, Overflow> {
    let (generators, row) = (N::cone(generators)?, sum_row::<N>(sum, dimensions)?);
    for line in generators.lines.iter() {
        if N::wide_sign(&N::dot(&row, line)?).is_ne() {
            return Ok(None);
        }
    }
    let mut greatest: Option<Ratio> = None;
    for ray in generators.rays.iter() {
        let product = N::dot(&row, ray)?;
        if ray[0].sign().is_eq() {
            if N::wide_sign(&product).is_gt() {
                return Ok(None);
            }
            continue;
        }
        let value = Ratio { numerator: N::wide_big(&product), denominator: ray[0].big() };
        let greater = |old: &Ratio| &value.numerator * &old.denominator > &old.numerator * &value.denominator;
        if greatest.as_ref().is_none_or(greater) {
            greatest = Some(value);
        }
    }
    Ok(greatest)
}

/// c₀ + c·x ≥ 0, or = 0.
fn constraint<N: Number>(row: &[N], order: Order) -> Option<Constraint<usize>> {
    let entry = |x: &N| i128::try_from(-x.big()).ok();
    let terms: Option<Vec<(usize, i128)>> = row[1..].iter().enumerate().map(|(x, c)| Some((x, entry(c)?))).collect();
    Some(Constraint { sum: Sum::new(entry(&row[0])?, terms?)?, order })
}

fn constraints<N: Number>(double: &Double<N>) -> Vec<Option<Constraint<usize>>> {
    let equations = double.constraints.lines.iter().map(|row| constraint(row, Order::Equal));
    equations.chain(double.constraints.rays.iter().map(|row| constraint(row, Order::AtMost))).collect()
}

impl Block for Convex {
    fn universe(dimensions: usize) -> Self {
        Self::known(dimensions, Arc::new(universe(dimensions)))
    }

    fn is_universe(&self) -> bool {
        match self.form().as_ref() {
            Either::Small(double) => double.constraints.is_empty(),
            Either::Big(double) => double.constraints.is_empty(),
        }
    }

    fn product(parts: &[(&Self, Vec<usize>)], dimensions: usize) -> Self {
        let free: Vec<usize> =
            (0..dimensions).filter(|x| !parts.iter().any(|(_, places)| places.contains(x))).collect();
        let rest = universe(free.len());
        let mut forms: Vec<(&Form, &[usize])> =
            parts.iter().map(|(part, places)| (part.form().as_ref(), &places[..])).collect();
        forms.push((&rest, &free));
        let form = attempt(|| product::<i64>(&forms, dimensions), || product::<IBig>(&forms, dimensions));
        Self::known(dimensions, Arc::new(form))
    }

    fn contains(&self, point: &[i128]) -> bool {
        let form = self.form();
        attempt(|| includes_point::<i64>(form, point), || includes_point::<IBig>(form, point))
    }

    fn leq(&self, other: &Self) -> bool {
        let (form, generators) = (other.form(), self.generators());
        attempt(|| includes::<i64>(form, &generators), || includes::<IBig>(form, &generators))
    }

    fn join(&self, other: &Self) -> Self {
        let source = match (self.form.get(), other.form.get()) {
            (Some(form), _) => Source::Hull(Arc::clone(form), other.generators().into_owned()),
            (None, Some(form)) => Source::Hull(Arc::clone(form), self.generators().into_owned()),
            (None, None) => {
                let (mine, others) = (self.generators(), other.generators());
                Source::Generators(attempt(|| together::<i64>(&mine, &others), || together::<IBig>(&mine, &others)))
            }
        };
        Self::pending(self.dimensions, source)
    }

    fn meet(&self, other: &Self) -> Option<Self> {
        let (form, other) = (self.form(), other.form());
        let met = attempt(|| meet::<i64>(form, other), || meet::<IBig>(form, other))?;
        Some(Self::known(self.dimensions, Arc::new(met)))
    }

    fn widen(&self, newer: &Self, thresholds: &Thresholds) -> Self {
        // Who widens has joined before, as a rule.
        let joined = if self.leq(newer) { newer.clone() } else { self.join(newer) };
        let (old, hull, thresholds) = (self.form(), joined.form(), thresholds.integers());
        let wide = attempt(|| widened::<i64>(old, hull, &thresholds), || widened::<IBig>(old, hull, &thresholds));
        Self::known(self.dimensions, Arc::new(wide))
    }

    fn restrict(&self, constraints: &[Constraint<usize>]) -> Option<Self> {
        let form = self.form();
        let met = attempt(|| restricted::<i64>(form, constraints), || restricted::<IBig>(form, constraints))?;
        Some(Self::known(self.dimensions, Arc::new(met)))
    }

    fn image(&self, sums: &[Sum<usize>]) -> Self {
        // An assignment that can be undone maps both forms.
        if sums.len() == self.dimensions
            && let Some(form) = self.form.get()
        {
            let changed: Vec<usize> = (0..sums.len()).filter(|&x| sums[x] != Sum::variable(x)).collect();
            if let [x] = changed[..] {
                let sum = &sums[x];
                if let Some(form) = attempt(|| substituted::<i64>(form, x, sum), || substituted::<IBig>(form, x, sum)) {
                    return Self::known(self.dimensions, Arc::new(form));
                }
            }
        }
        let (generators, dimensions) = (self.generators(), self.dimensions);
        let mapped =
            attempt(|| image::<i64>(&generators, dimensions, sums), || image::<IBig>(&generators, dimensions, sums));
        Self::pending(sums.len(), Source::Generators(mapped))
    }

    fn supremum(&self, sum: &Sum<usize>) -> Option<Ratio> {
        let (generators, dimensions) = (self.generators(), self.dimensions);
        attempt(|| supremum::<i64>(&generators, dimensions, sum), || supremum::<IBig>(&generators, dimensions, sum))
    }

    fn constraints(&self) -> Vec<Option<Constraint<usize>>> {
        match self.form().as_ref() {
            Either::Small(double) => constraints(double),
            Either::Big(double) => constraints(double),
        }
    }

    fn is_long(&self) -> bool {
        match (self.form.get().map(Arc::as_ref), &self.source) {
            (Some(form), _) => matches!(form, Form::Big(_)),
            (None, Source::Known) => false,
            (None, Source::Generators(generators)) => matches!(generators, Generators::Big(_)),
            (None, Source::Hull(form, more)) => {
                matches!(form.as_ref(), Form::Big(_)) || matches!(more, Generators::Big(_))
            }
        }
    }

    fn settle(&self) {
        self.form();
    }

    /// If the constraints are not there yet, the polyhedron stays as it is.
    fn split(self) -> Vec<(Vec<usize>, Self)> {
        let parts = match self.form.get().map(Arc::as_ref) {
            None => None,
            Some(Either::Small(double)) => double.split(),
            Some(Either::Big(double)) => double.split(),
        };
        match parts {
            None => vec![((0..self.dimensions).collect(), self)],
            Some(parts) => parts
                .into_iter()
                .map(|(places, form)| (places.clone(), Self::known(places.len(), Arc::new(form))))
                .collect(),
        }
    }
}
