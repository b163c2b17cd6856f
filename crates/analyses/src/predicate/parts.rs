//! Independent parts of an abstraction.
//!
//! Conditions without a common symbol say nothing about each other, so the abstraction of a conjunction of them is the
//! conjunction of their abstractions. A block touches few of the facts that are tracked: the part with what it touches is
//! asked about, the others are the same question as before and come from the cache. Without this, n facts about unrelated
//! variables with m values each are mⁿ assignments to enumerate (`floppy_simpl4` was stopped after
//! 50 s, 46 s of them in 1164 abstractions).

use super::Precision;
use robusto_diagram::{Bdd, Diagrams, Full, VarIndex};
use robusto_logic::{DisjointSets, Symbol, Term, Terms};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The symbols of terms met before.
#[derive(Debug, Default)]
pub struct Ties {
    known: FxHashMap<Term, Rc<[Symbol]>>,
}

impl Ties {
    /// Decision diagrams without common variables whose conjunction is this one.
    pub fn split(
        &mut self,
        terms: &Terms,
        precision: &Precision,
        diagrams: &Diagrams,
        set: &Bdd,
    ) -> Result<Vec<Bdd>, Full> {
        let support = diagrams.support(set);
        let predicates: Vec<Term> = support.iter().map(|&variable| precision.predicate(variable)).collect();
        let groups = self.independent(terms, &predicates);
        let mut rest = set.clone();
        let mut factors = Vec::with_capacity(groups.len());
        for group in groups.iter().skip(1) {
            let inside: Vec<VarIndex> = group.iter().map(|&i| support[i]).collect();
            let outside: Vec<VarIndex> = support.iter().copied().filter(|v| !inside.contains(v)).collect();
            let factor = diagrams.exists(&rest, &diagrams.cube(&outside)?)?;
            let without = diagrams.exists(&rest, &diagrams.cube(&inside)?)?;
            if diagrams.and(&factor, &without)? == rest {
                factors.push(factor);
                rest = without;
            }
        }
        factors.push(rest);
        Ok(factors)
    }

    /// The positions of terms, grouped: terms with common symbols are in the same group, directly or through others.
    pub fn independent(&mut self, terms: &Terms, list: &[Term]) -> Vec<Vec<usize>> {
        let mut sets = DisjointSets::new(list.len());
        let mut first: FxHashMap<Symbol, usize> = FxHashMap::default();
        for (i, &term) in list.iter().enumerate() {
            for &symbol in self.of(terms, term).iter() {
                sets.unite(*first.entry(symbol).or_insert(i), i);
            }
        }
        sets.groups()
    }

    /// The symbols of a term.
    pub fn of(&mut self, terms: &Terms, term: Term) -> Rc<[Symbol]> {
        let find = || terms.subterms(&[term]).iter().filter_map(|&t| terms.as_symbol(t)).collect();
        self.known.entry(term).or_insert_with(find).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::predicate::Scope;
    use robusto_cfa::ir::{FuncId, Idx, LocId};
    use robusto_cpa::control::Location;
    use robusto_diagram::StoreSize;
    use robusto_logic::Sort;

    fn is(terms: &mut Terms, name: &str, value: u128) -> Term {
        let symbol = terms.symbol(name, Sort::Bits(32));
        let constant = terms.constant(32, value);
        terms.eq(symbol, constant)
    }

    #[test]
    fn terms_with_common_symbols_are_together() {
        let (mut terms, mut ties) = (Terms::new(), Ties::default());
        let [a0, b0, a1, c0] = [("a", 0), ("b", 0), ("a", 1), ("c", 0)].map(|(name, n)| is(&mut terms, name, n));
        assert_eq!(ties.independent(&terms, &[a0, b0, a1]), [vec![0, 2], vec![1]]);
        let link = terms.or(b0, c0);
        assert_eq!(ties.independent(&terms, &[b0, a0, c0, link]), [vec![0, 2, 3], vec![1]]);
    }

    #[test]
    fn a_conjunction_falls_into_its_factors_and_a_disjunction_does_not() {
        let mut terms = Terms::new();
        let mut precision = Precision::new(Scope::Location);
        let at = Location { function: FuncId::new(0), loc: LocId::new(0) };
        for name in ["a", "b", "c"] {
            let predicate = is(&mut terms, name, 0);
            precision.add(at, predicate);
        }
        let diagrams = Diagrams::new(3, StoreSize::default());
        let [a, b, c] = [0, 1, 2].map(|i| diagrams.var(VarIndex::new(i)).expect("there is room"));
        let either = diagrams.or(&a, &c).expect("there is room");
        let psi = diagrams.and(&either, &b).expect("there is room");
        let mut factors = Ties::default().split(&terms, &precision, &diagrams, &psi).expect("there is room");
        factors.sort_by_key(|factor| diagrams.support(factor));
        assert_eq!(factors, [either, b]);
    }
}
