//! The numeric part: what NUMPREDDOM asks of a numeric domain (ABSDOM, Figure 3).
//!
//! | the paper | here |
//! |---|---|
//! | N | [`Numbers::Element`] |
//! | N.αPost(s) | [`Numbers::post`] |
//! | N.α(t) ⊓ n | [`Numbers::assume`] for a term as programs have them, [`Numbers::restrict`] for a linear constraint |
//! | N.γ(n) | [`Numbers::constraints`] |
//!
//! The elements are handled by an object, which knows what all of them have in common (types, limits of effort). A term may be
//! more than a linear constraint: a condition on machine integers is one only where nothing overflows, and what it says of
//! an element depends on the element.

use robusto_domains::{Constraint, Ideal, Lattice, Order, Sum};
use std::fmt::Debug;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::marker::PhantomData;

/// A numeric domain with its terms and statements.
pub trait Numbers {
    /// A set of points.
    type Element: Lattice;
    /// Names a coordinate. Its value is an ideal integer.
    type Var: Copy + Ord + Hash + Debug;
    /// A condition on points.
    type Term: Clone + PartialEq + Debug;
    /// An assignment.
    type Statement: Clone + PartialEq + Debug;

    /// All points.
    fn top(&self) -> Self::Element;

    /// No point.
    fn bottom(&self) -> Self::Element;

    /// The points that satisfy a term, and perhaps more.
    fn assume(&self, element: &Self::Element, term: &Self::Term) -> Self::Element;

    /// Terms of which one holds exactly where the given term does not.
    fn complement(&self, term: &Self::Term) -> Vec<Self::Term>;

    /// The constraint that means the same as a term at every point, if there is one.
    fn constraint(&self, term: &Self::Term) -> Option<Constraint<Self::Var>>;

    /// The points after a statement.
    fn post(&self, element: &Self::Element, statement: &Self::Statement) -> Self::Element;

    /// The variables that a statement changes.
    fn written(&self, statement: &Self::Statement) -> Vec<Self::Var>;

    /// The points that satisfy a constraint, and perhaps more.
    fn restrict(&self, element: &Self::Element, constraint: &Constraint<Self::Var>) -> Self::Element;

    /// Constraints that all points satisfy; `None` for no points.
    fn constraints(&self, element: &Self::Element) -> Option<Vec<Constraint<Self::Var>>>;

    /// A number that equal elements have in common, however they are represented.
    fn signature(&self, element: &Self::Element) -> u64;
}

/// Linear constraints of which one holds exactly where this one does not: ¬(e ≤ 0) is e ≥ 1, and ¬(e = 0) is e ≤ -1 or e ≥ 1.
/// Nothing is known (and no constraint excluded) if a constant is too large: then the answer is a constraint that always holds.
pub fn complement<X: Copy + Ord>(constraint: &Constraint<X>) -> Vec<Constraint<X>> {
    let below = |sum: Option<Sum<X>>| Constraint { sum: sum.unwrap_or(Sum::constant(0)), order: Order::AtMost };
    let one = Sum::constant(1);
    let less = || below(constraint.sum.plus(1, &one));
    let more = || below(one.plus(-1, &constraint.sum));
    match constraint.order {
        Order::AtMost => vec![more()],
        Order::Equal => vec![less(), more()],
        Order::Different => vec![Constraint { sum: constraint.sum.clone(), order: Order::Equal }],
    }
}

/// Constraints without ≠ of which one holds exactly where this one does.
pub fn split<X: Copy + Ord>(constraint: &Constraint<X>) -> Vec<Constraint<X>> {
    match constraint.order {
        Order::Different => complement(&Constraint { sum: constraint.sum.clone(), order: Order::Equal }),
        _ => vec![constraint.clone()],
    }
}

/// A domain of ideal integers, with linear constraints as terms and parallel linear assignments as statements.
#[derive(Clone, Debug)]
pub struct Integers<D: Ideal> {
    variables: Vec<D::Var>,
    domain: PhantomData<D>,
}

impl<D: Ideal> Integers<D> {
    /// Over these variables; others may be mentioned, and make elements no longer easy to tell apart.
    pub fn new(variables: Vec<D::Var>) -> Self {
        Self { variables, domain: PhantomData }
    }
}

/// What a parallel assignment gives to a variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value<X> {
    /// A sum of old values.
    Sum(Sum<X>),
    /// Any number.
    Any,
}

impl<D: Ideal> Numbers for Integers<D>
where
    D::Var: Hash + Debug,
{
    type Element = D;
    type Var = D::Var;
    type Term = Constraint<D::Var>;
    type Statement = Vec<(D::Var, Value<D::Var>)>;

    fn top(&self) -> D {
        D::top()
    }

    fn bottom(&self) -> D {
        D::bottom()
    }

    fn assume(&self, element: &D, term: &Self::Term) -> D {
        element.assume(term)
    }

    fn complement(&self, term: &Self::Term) -> Vec<Self::Term> {
        complement(term)
    }

    fn constraint(&self, term: &Self::Term) -> Option<Constraint<D::Var>> {
        Some(term.clone())
    }

    fn post(&self, element: &D, statement: &Self::Statement) -> D {
        let (mut sums, mut any) = (Vec::new(), Vec::new());
        for (x, value) in statement {
            match value {
                Value::Sum(sum) => sums.push((*x, sum.clone())),
                Value::Any => any.push(*x),
            }
        }
        let assigned = element.assign(&sums);
        if any.is_empty() { assigned } else { assigned.project(&any) }
    }

    fn written(&self, statement: &Self::Statement) -> Vec<D::Var> {
        statement.iter().map(|(x, _)| *x).collect()
    }

    fn restrict(&self, element: &D, constraint: &Constraint<D::Var>) -> D {
        element.assume(constraint)
    }

    fn constraints(&self, element: &D) -> Option<Vec<Constraint<D::Var>>> {
        element.constraints()
    }

    fn signature(&self, element: &D) -> u64 {
        let mut hasher = DefaultHasher::new();
        for &x in &self.variables {
            element.range(&Sum::variable(x)).map(|range| (range.lo, range.hi)).hash(&mut hasher);
        }
        hasher.finish()
    }
}
