//! ψ as a product: decision diagrams over predicates without common variables.
//!
//! Facts about unrelated variables are abstracted by themselves ([`super::parts`]), and stay apart here. One diagram of all
//! would depend on the order of its variables, which is that of discovery: n relations `lk1 == 1 ⇔ p1 != 0` take 2ⁿ nodes
//! if all `lk` are found before the first `p`.

use robusto_diagram::{Bdd, Diagrams, Full, VarIndex};

/// A conjunction of decision diagrams without common variables.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Product {
    /// None is constant, except that `false` is a single factor. By their first variables.
    factors: Vec<Factor>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Factor {
    /// Ascending.
    variables: Vec<VarIndex>,
    set: Bdd,
}

impl Factor {
    fn meets(&self, other: &Factor) -> bool {
        self.variables.iter().any(|variable| other.variables.binary_search(variable).is_ok())
    }
}

impl Product {
    /// No condition.
    pub fn top() -> Self {
        Self::default()
    }

    /// The conjunction of decision diagrams.
    pub fn of(diagrams: &Diagrams, sets: &[Bdd]) -> Result<Self, Full> {
        let mut product = Self::top();
        for set in sets {
            product.restrict(diagrams, set.clone())?;
        }
        Ok(product)
    }

    /// The conjunction of two.
    pub fn and(&self, diagrams: &Diagrams, other: &Self) -> Result<Self, Full> {
        let mut product = self.clone();
        for factor in &other.factors {
            product.restrict(diagrams, factor.set.clone())?;
        }
        Ok(product)
    }

    fn restrict(&mut self, diagrams: &Diagrams, set: Bdd) -> Result<(), Full> {
        if self.is_false(diagrams) {
            return Ok(());
        }
        let mut new = Factor { variables: diagrams.support(&set), set };
        let (met, mut rest): (Vec<_>, Vec<_>) = self.factors.drain(..).partition(|factor| factor.meets(&new));
        if !met.is_empty() {
            for factor in met {
                new.set = diagrams.and(&new.set, &factor.set)?;
            }
            new.variables = diagrams.support(&new.set);
        }
        if diagrams.is_false(&new.set) {
            rest.clear();
        }
        if !diagrams.is_true(&new.set) {
            rest.push(new);
        }
        rest.sort_by(|a, b| a.variables.first().cmp(&b.variables.first()));
        self.factors = rest;
        Ok(())
    }

    fn is_false(&self, diagrams: &Diagrams) -> bool {
        self.factors.iter().any(|factor| diagrams.is_false(&factor.set))
    }

    /// Whether one implies another.
    pub fn leq(&self, diagrams: &Diagrams, other: &Self) -> Result<bool, Full> {
        if self == other || self.is_false(diagrams) {
            return Ok(true);
        }
        for wanted in &other.factors {
            // Factors without common variables say nothing about it.
            let mut here = diagrams.top();
            for factor in self.factors.iter().filter(|factor| factor.meets(wanted)) {
                here = diagrams.and(&here, &factor.set)?;
            }
            if !diagrams.leq(&here, &wanted.set) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The factors.
    pub fn sets(&self) -> impl Iterator<Item = &Bdd> {
        self.factors.iter().map(|factor| &factor.set)
    }
}
