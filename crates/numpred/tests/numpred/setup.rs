//! What the tests have in common: short names for constraints, all data structures, points.

use robusto_domains::{Constraint, Order, Sum, Thresholds};
use robusto_limits::Limits;
use robusto_numpred::fixpoint::{self, Options};
use robusto_numpred::transformer::Of;
use robusto_numpred::{Base, Disjunct, Domain, Edge, Expression, Integers, Numbers, Place, Predicate, Program, Value};

pub type Term = Constraint<usize>;
pub type Statement = Vec<(usize, Value<usize>)>;
pub type Tau = robusto_numpred::Transformer<Term, Statement>;
pub type Condition = Expression<Term>;

fn sum(terms: &[(usize, i128)], constant: i128) -> Sum<usize> {
    Sum::new(constant, terms.iter().copied()).expect("small numbers")
}

/// Σ ≤ c
pub fn le(terms: &[(usize, i128)], c: i128) -> Term {
    Constraint { sum: sum(terms, -c), order: Order::AtMost }
}

/// Σ ≥ c
pub fn ge(terms: &[(usize, i128)], c: i128) -> Term {
    let negated: Vec<_> = terms.iter().map(|&(x, k)| (x, -k)).collect();
    Constraint { sum: sum(&negated, c), order: Order::AtMost }
}

/// Σ = c
pub fn eq(terms: &[(usize, i128)], c: i128) -> Term {
    Constraint { sum: sum(terms, -c), order: Order::Equal }
}

/// Σ ≠ c
pub fn ne(terms: &[(usize, i128)], c: i128) -> Term {
    Constraint { sum: sum(terms, -c), order: Order::Different }
}

pub fn term(term: Term) -> Condition {
    Expression::Term(term)
}

pub fn yes(p: u32) -> Condition {
    Expression::Predicate(Predicate(p), true)
}

pub fn no(p: u32) -> Condition {
    Expression::Predicate(Predicate(p), false)
}

pub fn all<const N: usize>(parts: [Condition; N]) -> Condition {
    Expression::All(parts.into())
}

pub fn any<const N: usize>(parts: [Condition; N]) -> Condition {
    Expression::Any(parts.into())
}

/// x := Σ + c
pub fn set(x: usize, terms: &[(usize, i128)], c: i128) -> Statement {
    vec![(x, Value::Sum(sum(terms, c)))]
}

pub fn choice(p: u32, yes: Condition, no: Condition) -> robusto_numpred::Choice<Term> {
    robusto_numpred::Choice { predicate: Predicate(p), yes, no }
}

pub fn base<D: robusto_domains::Ideal<Var = usize>>(
    variables: usize,
    predicates: &[Option<Term>],
) -> Base<Integers<D>> {
    let numbers = Integers::new((0..variables).collect());
    Base::new(numbers, predicates.to_vec(), Thresholds::NONE, Limits::none()).expect("a small store")
}

/// Runs a block once for each data structure over a numeric domain.
#[macro_export]
macro_rules! each {
    ($domain:ty, $variables:expr, $predicates:expr, |$d:ident, $name:ident| $body:block) => {{
        use robusto_numpred::{Mtndd, Ndd, Nex, Nexpoint, Simulated};
        {
            let ($name, mut $d) = ("nexpoint", Nexpoint::new($crate::setup::base::<$domain>($variables, $predicates)));
            $body
        }
        {
            let ($name, mut $d) = ("nex", Nex::new($crate::setup::base::<$domain>($variables, $predicates)));
            $body
        }
        {
            let ($name, mut $d) =
                ("mtndd", Mtndd::new($crate::setup::base::<$domain>($variables, $predicates)).expect("room"));
            $body
        }
        {
            let ($name, mut $d) =
                ("simulated", Simulated::new($crate::setup::base::<$domain>($variables, $predicates)));
            $body
        }
        {
            let ($name, mut $d) = ("ndd", Ndd::new($crate::setup::base::<$domain>($variables, $predicates)));
            $body
        }
    }};
}

/// Whether a state is in a part of γ.
pub fn inside<D: Domain>(
    domain: &mut D,
    parts: &[Disjunct<usize>],
    point: &dyn Fn(usize) -> i128,
    predicates: &[bool],
) -> bool
where
    D::Numbers: Numbers<Var = usize>,
{
    let diagrams = &domain.base().space.diagrams;
    let mut assignment = vec![false; diagrams.variables() as usize];
    predicates.iter().enumerate().for_each(|(i, &value)| assignment[2 * i] = value);
    parts.iter().any(|part| {
        diagrams.evaluate(&part.predicates, &assignment) && part.numbers.iter().all(|c| c.holds(point) == Some(true))
    })
}

/// A program under construction.
#[derive(Default)]
pub struct Builder {
    pub edges: Vec<Edge<Term, Statement>>,
}

impl Builder {
    pub fn edge(&mut self, from: u32, to: u32, transformer: Tau) {
        self.edges.push(Edge { from: Place(from), to: Place(to), transformer });
    }
}

/// Whether the place of errors is not reached; and the values.
pub fn proves<D: Domain>(
    domain: &mut D,
    edges: &[Edge<Term, Statement>],
    error: u32,
    options: &Options,
) -> (bool, Vec<D::Value>)
where
    D::Numbers: Numbers<Term = Term, Statement = Statement>,
    Of<D>: Clone,
{
    let program = Program { edges: edges.to_vec() };
    let top = domain.top().expect("room");
    let values = fixpoint::run(domain, &program, top, options).expect("no limits");
    let proved = domain.is_bottom(&values[error as usize]).expect("room");
    (proved, values)
}
