//! Independent parts of an abstraction.
//!
//! Conditions without a common symbol say nothing about each other, so the abstraction of a conjunction of them is the
//! conjunction of their abstractions. A block touches few of the facts that are tracked: the part with what it touches is
//! asked about, the others are the same question as before and come from the cache. Without this, n facts about unrelated
//! variables with m values each are mⁿ assignments to enumerate (`floppy_simpl4`: 50 s for 1164 abstractions).
//!
//! Uninterpreted functions relate terms without common symbols, so all terms with one are in the same part.

use super::Abe;
use robusto_diagram::{Bdd, Full, VarIndex};
use robusto_logic::{Node, Symbol, Term};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// What relates a term to others.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Tie {
    /// A symbol.
    Symbol(Symbol),
    /// Some uninterpreted function.
    Opaque,
}

/// The ties of terms met before.
pub type Ties = FxHashMap<Term, Rc<[Tie]>>;

impl Abe<'_> {
    /// Conditions whose conjunction is a decision diagram over predicates, split where they are independent.
    pub(super) fn factors(&mut self, psi: &Bdd) -> Result<Vec<Term>, Full> {
        let support = self.diagrams.support(psi);
        let predicates: Vec<Term> = support.iter().map(|&variable| self.precision.predicate(variable)).collect();
        let groups = self.independent(&predicates);
        let mut rest = psi.clone();
        let mut factors = Vec::with_capacity(groups.len());
        for group in groups.iter().skip(1) {
            let inside: Vec<VarIndex> = group.iter().map(|&i| support[i]).collect();
            let outside: Vec<VarIndex> = support.iter().copied().filter(|v| !inside.contains(v)).collect();
            let factor = self.diagrams.exists(&rest, &self.diagrams.cube(&outside)?)?;
            let without = self.diagrams.exists(&rest, &self.diagrams.cube(&inside)?)?;
            if self.diagrams.and(&factor, &without)? == rest {
                factors.push(factor);
                rest = without;
            }
        }
        factors.push(rest);
        Ok(factors.iter().map(|factor| self.term_of(factor)).collect())
    }

    /// The positions of terms, grouped: terms with common symbols are in the same group, directly or through others.
    pub(super) fn independent(&mut self, terms: &[Term]) -> Vec<Vec<usize>> {
        // A forest of positions; the root is the first of its group.
        let mut parent: Vec<usize> = (0..terms.len()).collect();
        let mut first: FxHashMap<Tie, usize> = FxHashMap::default();
        for (i, &term) in terms.iter().enumerate() {
            for &tie in self.ties(term).iter() {
                let (a, b) = (root(&parent, *first.entry(tie).or_insert(i)), root(&parent, i));
                parent[a.max(b)] = a.min(b);
            }
        }
        let mut groups: Vec<Vec<usize>> = vec![Vec::new(); terms.len()];
        for i in 0..terms.len() {
            groups[root(&parent, i)].push(i);
        }
        groups.retain(|group| !group.is_empty());
        groups
    }

    fn ties(&mut self, term: Term) -> Rc<[Tie]> {
        let terms = &self.encoder.terms;
        let find = || {
            let tie = |&t: &Term| match terms.node(t) {
                Node::Opaque(..) => Some(Tie::Opaque),
                _ => terms.as_symbol(t).map(Tie::Symbol),
            };
            terms.subterms(&[term]).iter().filter_map(tie).collect()
        };
        self.ties.entry(term).or_insert_with(find).clone()
    }
}

fn root(parent: &[usize], mut i: usize) -> usize {
    while parent[i] != i {
        i = parent[i];
    }
    i
}
