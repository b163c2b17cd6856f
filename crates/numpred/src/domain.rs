//! The interface NUMPREDDOM (Figure 4), which extends ABSDOM (Figure 3).
//!
//! | the paper | here |
//! |---|---|
//! | α_P, α_N | [`Domain::literal`] and [`Domain::assume_n`] of ⊤ |
//! | proj_N, proj_P | [`Space::numeric`], [`Space::propositional`] |
//! | α(e) | [`assume`](crate::transformer::assume) of ⊤ |
//! | αPost_N | [`Domain::post_n`] |
//! | meet, join, widen, leq, isTop, isBot, exists, unprime, reduce, γ | the same names |
//!
//! The paper's Figure 3 has slips: α(e) must be above e (e ⇒ γ(α(e))), and leq is about γ.
//!
//! γ(a) is a set of states: a point, and a value of every predicate. A predicate that is a constraint of the numeric domain has the
//! value that the constraint has at the point; between the two halves of a step (a value with primed predicates) it may differ,
//! so nothing is reduced there.

use crate::Halt;
use crate::numbers::Numbers;
use crate::pool::{NumId, Pool};
use crate::space::{Predicate, Side, Space};
use robusto_diagram::{Bdd, StoreSize, VarIndex};
use robusto_domains::{Constraint, Thresholds};
use robusto_limits::Limits;
use std::fmt::Debug;

/// What all data structures are made of.
pub struct Base<N: Numbers> {
    /// Predicates and diagrams.
    pub space: Space<N::Var>,
    /// Numeric values.
    pub pool: Pool<N>,
    /// When to stop.
    pub limits: Limits,
}

impl<N: Numbers> Base<N> {
    /// With predicates, each with the constraint that it is, if it is one.
    pub fn new(
        numbers: N,
        predicates: Vec<Option<Constraint<N::Var>>>,
        thresholds: Thresholds,
        limits: Limits,
    ) -> Result<Self, Halt> {
        let space = Space::new(predicates, StoreSize::default())?;
        Ok(Self { space, pool: Pool::new(numbers, thresholds), limits })
    }
}

/// A part of γ(a): states whose predicates are in a set and whose numbers satisfy all constraints.
#[derive(Clone, PartialEq, Debug)]
pub struct Disjunct<X> {
    /// The values of the predicates.
    pub predicates: Bdd,
    /// The constraints.
    pub numbers: Vec<Constraint<X>>,
    /// The numeric value that they come from, if they come from one: it may say more than constraints can.
    pub element: Option<NumId>,
}

/// How large a value is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Size {
    /// Pairs of predicates and numbers, or nodes of the diagram for NDD.
    pub parts: usize,
    /// Nodes of diagrams.
    pub nodes: usize,
}

/// One of the data structures. Values belong to the object that made them.
pub trait Domain {
    /// The numeric domain.
    type Numbers: Numbers;
    /// An abstract value.
    type Value: Clone + PartialEq + Debug;

    /// Predicates and numeric values.
    fn base(&mut self) -> &mut Base<Self::Numbers>;

    /// Everything.
    fn top(&mut self) -> Result<Self::Value, Halt>;

    /// Nothing.
    fn bottom(&mut self) -> Result<Self::Value, Halt>;

    /// Whether this is everything, as far as the representation tells.
    fn is_top(&mut self, a: &Self::Value) -> Result<bool, Halt> {
        Ok(*a == self.top()?)
    }

    /// Whether this is nothing, as far as the representation tells.
    fn is_bottom(&mut self, a: &Self::Value) -> Result<bool, Halt> {
        Ok(*a == self.bottom()?)
    }

    /// Only if γ(a) ⊆ γ(b). It may miss an inclusion.
    fn leq(&mut self, a: &Self::Value, b: &Self::Value) -> Result<bool, Halt>;

    /// γ(a) ∩ γ(b) ⊆ γ(meet(a, b))
    fn meet(&mut self, a: &Self::Value, b: &Self::Value) -> Result<Self::Value, Halt>;

    /// γ(a) ∪ γ(b) ⊆ γ(join(a, b))
    fn join(&mut self, a: &Self::Value, b: &Self::Value) -> Result<Self::Value, Halt>;

    /// At least the join; a sequence a, a ∇ b, (a ∇ b) ∇ c, … becomes stable.
    fn widen(&mut self, a: &Self::Value, b: &Self::Value) -> Result<Self::Value, Halt>;

    /// Where a predicate has a value, in one copy. What it says of numbers is added by the caller.
    fn literal(&mut self, a: &Self::Value, predicate: Predicate, side: Side, value: bool) -> Result<Self::Value, Halt>;

    /// Where a numeric term holds.
    fn assume_n(&mut self, a: &Self::Value, term: &<Self::Numbers as Numbers>::Term) -> Result<Self::Value, Halt>;

    /// Where a linear constraint holds, which is not ≠.
    fn restrict(
        &mut self,
        a: &Self::Value,
        constraint: &Constraint<<Self::Numbers as Numbers>::Var>,
    ) -> Result<Self::Value, Halt>;

    /// αPost_N: after a numeric statement. Predicates keep their values.
    fn post_n(
        &mut self,
        a: &Self::Value,
        statement: &<Self::Numbers as Numbers>::Statement,
    ) -> Result<Self::Value, Halt>;

    /// ∃ V. a
    fn exists(&mut self, a: &Self::Value, predicates: &[Predicate]) -> Result<Self::Value, Halt>;

    /// p′ becomes p.
    fn unprime(&mut self, a: &Self::Value) -> Result<Self::Value, Halt>;

    /// The second half of τ_N ∧ τ_P: `a` has the new values of the predicates in their primed copies.
    fn post_both(
        &mut self,
        a: &Self::Value,
        predicates: &[Predicate],
        statement: &<Self::Numbers as Numbers>::Statement,
    ) -> Result<Self::Value, Halt> {
        let new = self.exists(a, predicates)?;
        let new = self.unprime(&new)?;
        self.post_n(&new, statement)
    }

    /// The same states, with what predicates and numbers say of each other.
    fn reduce(&mut self, a: &Self::Value) -> Result<Self::Value, Halt>;

    /// The same states in a smaller form, where the data structure has several for them.
    fn compact(&mut self, a: &Self::Value) -> Result<Self::Value, Halt> {
        Ok(a.clone())
    }

    /// γ(a) as a disjunction.
    fn gamma(&mut self, a: &Self::Value) -> Result<Vec<Disjunct<<Self::Numbers as Numbers>::Var>>, Halt>;

    /// The value as one diagram over predicates and terms, if that is what it is: γ lists its paths, of which there may be many.
    fn diagram(&self, _a: &Self::Value) -> Option<Bdd> {
        None
    }

    /// What a variable of such a diagram says of numbers where it is true, if it is no predicate.
    fn term(&self, _variable: VarIndex) -> Option<&Constraint<<Self::Numbers as Numbers>::Var>> {
        None
    }

    /// How large a value is.
    fn size(&mut self, a: &Self::Value) -> Result<Size, Halt>;
}

/// Pairs as parts of γ.
pub(crate) fn disjuncts<N: Numbers>(base: &mut Base<N>, pairs: &[(Bdd, NumId)]) -> Vec<Disjunct<N::Var>> {
    let mut all = Vec::new();
    for (predicates, number) in pairs {
        if let Some(numbers) = base.pool.constraints(*number) {
            all.push(Disjunct { predicates: predicates.clone(), numbers, element: Some(*number) });
        }
    }
    all
}
