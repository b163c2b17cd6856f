//! Expressions over predicates and numeric terms, in negation normal form.

use crate::space::Predicate;

/// An expression. It is built by the abstraction, which bounds its depth: what works on it recurses.
#[derive(Clone, PartialEq, Debug)]
pub enum Expression<T> {
    /// A predicate, or its negation.
    Predicate(Predicate, bool),
    /// A numeric term. The negation of a term is made of terms.
    Term(T),
    /// All hold; of none, that is true.
    All(Vec<Self>),
    /// One holds; of none, that is false.
    Any(Vec<Self>),
}

impl<T: Clone> Expression<T> {
    /// true
    pub const TRUE: Self = Self::All(Vec::new());
    /// false
    pub const FALSE: Self = Self::Any(Vec::new());

    /// Where this does not hold, given terms of which one holds where a term does not.
    pub fn negated(&self, complement: &impl Fn(&T) -> Vec<T>) -> Self {
        match self {
            Self::Predicate(predicate, value) => Self::Predicate(*predicate, !value),
            Self::Term(term) => {
                let mut terms: Vec<Self> = complement(term).into_iter().map(Self::Term).collect();
                if terms.len() == 1 { terms.remove(0) } else { Self::Any(terms) }
            }
            Self::All(all) => Self::Any(all.iter().map(|one| one.negated(complement)).collect()),
            Self::Any(all) => Self::All(all.iter().map(|one| one.negated(complement)).collect()),
        }
    }
}
