//! The predicates of a run: their variables in decision diagrams, and what they say of numbers.

use crate::Halt;
use crate::numbers::{complement, split};
use robusto_diagram::{Bdd, Diagrams, Renaming, StoreSize, VarIndex};
use robusto_domains::{Constraint, Order, Sum};

/// A predicate of V_P.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Predicate(pub u32);

/// Which copy of a predicate: p or p′.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// Before the step.
    Now,
    /// After it.
    Next,
}

/// Diagrams with two variables per predicate, p above p′, and above everything that is added later.
pub struct Space<X> {
    /// The store.
    pub diagrams: Diagrams,
    meanings: Vec<Option<Constraint<X>>>,
    unprime: Renaming,
}

impl<X: Copy + Ord> Space<X> {
    /// Predicates, each with the constraint that it is, if it is one of the numeric domain's.
    pub fn new(meanings: Vec<Option<Constraint<X>>>, size: StoreSize) -> Result<Self, Halt> {
        let count = u32::try_from(meanings.len()).expect("few predicates");
        let diagrams = Diagrams::new(2 * count, size);
        let pairs: Vec<_> = (0..count).map(|i| (VarIndex::new(2 * i + 1), VarIndex::new(2 * i))).collect();
        let unprime = diagrams.renaming(&pairs)?;
        // A constraint without variables says nothing of numbers.
        let meanings = meanings.into_iter().map(|meaning| meaning.and_then(|c| c.tightened().ok())).collect();
        Ok(Self { diagrams, meanings, unprime })
    }

    /// How many predicates there are.
    pub fn predicates(&self) -> u32 {
        self.meanings.len() as u32
    }

    /// The variable of a predicate.
    pub fn variable(&self, predicate: Predicate, side: Side) -> VarIndex {
        VarIndex::new(2 * predicate.0 + u32::from(side == Side::Next))
    }

    /// The predicate of a variable, if it is one of a predicate.
    pub fn predicate(&self, variable: VarIndex) -> Option<(Predicate, Side)> {
        let (predicate, next) = (variable.index() as u32 / 2, variable.index() % 2 == 1);
        let side = if next { Side::Next } else { Side::Now };
        (predicate < self.predicates()).then_some((Predicate(predicate), side))
    }

    /// The set where a predicate has a value.
    pub fn literal(&self, predicate: Predicate, side: Side, value: bool) -> Result<Bdd, Halt> {
        Ok(self.diagrams.literal(self.variable(predicate, side), value)?)
    }

    /// The cube of some predicates, for quantification.
    pub fn cube(&self, predicates: &[Predicate]) -> Result<Bdd, Halt> {
        let variables: Vec<_> = predicates.iter().map(|&p| self.variable(p, Side::Now)).collect();
        Ok(self.diagrams.cube(&variables)?)
    }

    /// The renaming of p′ to p.
    pub fn unprime(&self) -> &Renaming {
        &self.unprime
    }

    /// The constraint that a predicate is.
    pub fn meaning(&self, predicate: Predicate) -> Option<&Constraint<X>> {
        self.meanings.get(predicate.0 as usize)?.as_ref()
    }

    /// proj_N of a literal: constraints of which one holds if the predicate has this value; `None` if it says nothing.
    pub fn numeric(&self, predicate: Predicate, value: bool) -> Option<Vec<Constraint<X>>> {
        let meaning = self.meaning(predicate)?;
        Some(if value { split(meaning) } else { complement(meaning) })
    }

    /// Predicates that are constraints.
    pub fn interpreted(&self) -> Vec<Predicate> {
        (0..self.predicates()).map(Predicate).filter(|&p| self.meaning(p).is_some()).collect()
    }

    /// proj_P of a constraint: the literals of predicates that are the same constraint or its complement.
    pub fn propositional(&self, constraint: &Constraint<X>) -> Vec<(Predicate, bool)> {
        let Ok(constraint) = constraint.clone().tightened() else { return Vec::new() };
        let holds = |p: Predicate| {
            let meaning = self.meaning(p)?;
            if same(meaning, &constraint) {
                return Some((p, true));
            }
            match &complement(meaning)[..] {
                [only] if same(only, &constraint) => Some((p, false)),
                _ => (opposite(meaning, &constraint)).then_some((p, false)),
            }
        };
        (0..self.predicates()).map(Predicate).filter_map(holds).collect()
    }
}

/// e = 0 and e ≠ 0.
fn opposite<X: Copy + Ord>(a: &Constraint<X>, b: &Constraint<X>) -> bool {
    let orders = (a.order, b.order);
    let opposed = matches!(orders, (Order::Equal, Order::Different) | (Order::Different, Order::Equal));
    opposed && same(&Constraint { sum: a.sum.clone(), order: b.order }, b)
}

/// Whether two tight constraints are the same; an equation may be multiplied by -1.
fn same<X: Copy + Ord>(a: &Constraint<X>, b: &Constraint<X>) -> bool {
    if a.order != b.order {
        return false;
    }
    let negated = || Sum::constant(0).plus(-1, &a.sum);
    a.sum == b.sum || a.order != Order::AtMost && negated().is_some_and(|sum| sum == b.sum)
}
