//! Abstract transformers (Figure 5), for every data structure at once.
//!
//! | the paper | here |
//! |---|---|
//! | τ_N | [`Transformer::Numeric`] |
//! | assume(e) | [`Transformer::Assume`] |
//! | e ? τ_N | [`Transformer::Conditional`] |
//! | p := choice(t, f) ∧ … | [`Transformer::Predicate`] |
//! | (e ? τ_N) ∧ τ_P | [`Transformer::Both`] |
//! | τ ; τ and τ ∨ τ | [`Transformer::Sequence`], [`Transformer::Either`] |
//!
//! Where this differs from the paper's text: a condition is met with the value disjunct by disjunct, and the results are joined; α of
//! the whole relation R = ⋀ (p′ ∧ ¬f) ∨ (¬p′ ∧ ¬t), as printed, joins numbers of different predicates before they meet the
//! value, and loses Figure 2 in NEX and MTNDD. Nothing is reduced between τ_P and τ_N, since then predicates are those of after and
//! numbers those of before.
//!
//! Soundness: a step from (x, P) to (x′, P′) with t ⇒ WP(p) and f ⇒ WP(¬p) has p′ ∧ ¬f or ¬p′ ∧ ¬t at (x, P). A predicate that
//! is a constraint over a changed variable, and gets no choice, is forgotten.

use crate::Halt;
use crate::domain::Domain;
use crate::expression::Expression;
use crate::numbers::Numbers;
use crate::space::{Predicate, Side};
use std::time::Instant;

/// p := choice(t, f): true where t holds, false where f holds, anything elsewhere.
#[derive(Clone, PartialEq, Debug)]
pub struct Choice<T> {
    /// p
    pub predicate: Predicate,
    /// t, which implies WP(p)
    pub yes: Expression<T>,
    /// f, which implies WP(¬p)
    pub no: Expression<T>,
}

/// A transformer over terms and numeric statements. The depth of nesting is small: what works on it recurses.
#[derive(Clone, PartialEq, Debug)]
pub enum Transformer<T, S> {
    /// Numbers change.
    Numeric(S),
    /// Goes on only where this holds.
    Assume(Expression<T>),
    /// Goes on only where this holds; numbers change.
    Conditional(Expression<T>, S),
    /// Different predicates get new values, all at once.
    Predicate(Vec<Choice<T>>),
    /// Goes on where the condition holds; predicates and numbers change at once.
    Both(Expression<T>, Vec<Choice<T>>, S),
    /// One after the other.
    Sequence(Vec<Self>),
    /// One of them.
    Either(Vec<Self>),
}

/// The transformers of a data structure.
pub type Of<D> = Transformer<<<D as Domain>::Numbers as Numbers>::Term, <<D as Domain>::Numbers as Numbers>::Statement>;

/// The expressions of a data structure.
pub type ExpressionOf<D> = Expression<<<D as Domain>::Numbers as Numbers>::Term>;

/// The choices of a data structure.
pub type ChoiceOf<D> = Choice<<<D as Domain>::Numbers as Numbers>::Term>;

/// αPost(τ)(a)
pub fn apply<D: Domain>(domain: &mut D, transformer: &Of<D>, a: &D::Value) -> Result<D::Value, Halt> {
    let started = Instant::now();
    let result = step(domain, transformer, a);
    domain.base().pool.counters.apply.add(started);
    result
}

fn step<D: Domain>(domain: &mut D, transformer: &Of<D>, a: &D::Value) -> Result<D::Value, Halt> {
    match transformer {
        Transformer::Numeric(statement) => {
            let forgotten = touched(domain, statement, &[]);
            post(domain, a, &forgotten, statement)
        }
        Transformer::Assume(condition) => assume(domain, a, condition),
        Transformer::Conditional(condition, statement) => {
            let a = assume(domain, a, condition)?;
            step(domain, &Transformer::Numeric(statement.clone()), &a)
        }
        Transformer::Predicate(choices) => {
            let a = choose(domain, a, choices)?;
            let a = domain.exists(&a, &assigned(choices))?;
            domain.unprime(&a)
        }
        Transformer::Both(condition, choices, statement) => {
            let a = assume(domain, a, condition)?;
            let a = choose(domain, &a, choices)?;
            let mut changed = assigned(choices);
            changed.extend(touched(domain, statement, &changed));
            post(domain, &a, &changed, statement)
        }
        Transformer::Sequence(all) => all.iter().try_fold(a.clone(), |a, one| step(domain, one, &a)),
        Transformer::Either(all) => {
            let mut result = domain.bottom()?;
            for one in all {
                let branch = step(domain, one, a)?;
                result = join(domain, &result, &branch)?;
            }
            Ok(result)
        }
    }
}

/// Where a condition holds: αPost(assume(e)); of ⊤ it is α(e).
pub fn assume<D: Domain>(domain: &mut D, a: &D::Value, condition: &ExpressionOf<D>) -> Result<D::Value, Halt> {
    match condition {
        Expression::Predicate(predicate, value) => {
            let a = domain.literal(a, *predicate, Side::Now, *value)?;
            match domain.base().space.numeric(*predicate, *value) {
                None => Ok(a),
                Some(parts) => {
                    let mut result = domain.bottom()?;
                    for part in &parts {
                        let part = domain.restrict(&a, part)?;
                        result = join(domain, &result, &part)?;
                    }
                    Ok(result)
                }
            }
        }
        Expression::Term(term) => {
            let started = Instant::now();
            let mut result = domain.assume_n(a, term)?;
            let base = domain.base();
            base.pool.counters.post.add(started);
            let constraint = base.pool.numbers().constraint(term);
            for (predicate, value) in constraint.map(|c| base.space.propositional(&c)).unwrap_or_default() {
                result = domain.literal(&result, predicate, Side::Now, value)?;
            }
            Ok(result)
        }
        Expression::All(all) => all.iter().try_fold(a.clone(), |a, one| assume(domain, &a, one)),
        Expression::Any(all) => {
            let mut result = domain.bottom()?;
            for one in all {
                let part = assume(domain, a, one)?;
                result = join(domain, &result, &part)?;
            }
            Ok(result)
        }
    }
}

/// a ⊓ ⋀ (p′ ∧ ¬f) ∨ (¬p′ ∧ ¬t)
fn choose<D: Domain>(domain: &mut D, a: &D::Value, choices: &[ChoiceOf<D>]) -> Result<D::Value, Halt> {
    let mut result = a.clone();
    for Choice { predicate, yes, no } in choices {
        let numbers = domain.base().pool.numbers();
        let (not_no, not_yes) = (no.negated(&|t| numbers.complement(t)), yes.negated(&|t| numbers.complement(t)));
        let positive = assume(domain, &result, &not_no)?;
        let positive = domain.literal(&positive, *predicate, Side::Next, true)?;
        let negative = assume(domain, &result, &not_yes)?;
        let negative = domain.literal(&negative, *predicate, Side::Next, false)?;
        result = join(domain, &positive, &negative)?;
    }
    Ok(result)
}

fn assigned<T>(choices: &[Choice<T>]) -> Vec<Predicate> {
    choices.iter().map(|choice| choice.predicate).collect()
}

/// Predicates that are constraints over variables that a statement changes, but for some.
fn touched<D: Domain>(
    domain: &mut D,
    statement: &<D::Numbers as Numbers>::Statement,
    but: &[Predicate],
) -> Vec<Predicate> {
    let base = domain.base();
    let written = base.pool.numbers().written(statement);
    let touches = |p: &Predicate| {
        let meaning = base.space.meaning(*p);
        meaning.is_some_and(|c| c.sum.terms().iter().any(|(x, _)| written.contains(x)))
    };
    base.space.interpreted().into_iter().filter(|p| !but.contains(p) && touches(p)).collect()
}

/// Numbers change, and predicates get the values of their primed copies, or any.
fn post<D: Domain>(
    domain: &mut D,
    a: &D::Value,
    changed: &[Predicate],
    statement: &<D::Numbers as Numbers>::Statement,
) -> Result<D::Value, Halt> {
    let started = Instant::now();
    let result = if changed.is_empty() { domain.post_n(a, statement) } else { domain.post_both(a, changed, statement) };
    domain.base().pool.counters.post.add(started);
    result
}

/// The join, measured.
pub(crate) fn join<D: Domain>(domain: &mut D, a: &D::Value, b: &D::Value) -> Result<D::Value, Halt> {
    let started = Instant::now();
    let result = domain.join(a, b);
    domain.base().pool.counters.join.add(started);
    result
}
