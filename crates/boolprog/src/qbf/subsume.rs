//! Equation (8): is a path edge a part of the union of others?
//!
//! `∀ξ1. γ1(ξ1) ⇒ ⋁_k ∃ξ2. γ_k(ξ2) ∧ ω_i1(ξ1) = ω_ik(ξ2) ∧ ω_o1(ξ1) = ω_ok(ξ2)`, over what matters of the entry and what is live
//! at the node. At an entry only the entry states are compared (trap (a)): the locals have any value there.

use super::Solver;
use crate::symbolic::{PathId, Symbolic};
use robusto_limits::Stopped;
use robusto_logic::qbf::Question;
use robusto_logic::{Sort, Substitution, Symbol, Term};
use rustc_hash::FxHashSet;

/// The choices of path edges that are known, under other names: the variables ξ2. One renaming does for all, since each
/// member of the union is asked about alone.
#[derive(Debug, Default)]
pub(super) struct Primes {
    map: Substitution,
    renamed: FxHashSet<Symbol>,
    existential: FxHashSet<Symbol>,
    selectors: FxHashSet<Symbol>,
}

/// What is compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Compared {
    /// States at the entry.
    Entries,
    /// Those, and the states at the node.
    Pairs,
}

impl Primes {
    /// Terms over other choices.
    fn prime(&mut self, symbolic: &mut Symbolic<'_>, all: &[Term]) -> Vec<Term> {
        let mut symbols: Vec<Symbol> =
            symbolic.symbols_of(all).into_iter().filter(|symbol| !self.renamed.contains(symbol)).collect();
        symbols.sort_unstable();
        for symbol in symbols {
            let fresh = symbolic.terms.fresh("p", Sort::BOOL);
            self.renamed.insert(symbol);
            self.existential.extend(symbolic.terms.as_symbol(fresh));
            if symbolic.selectors.contains(&symbol) {
                self.selectors.extend(symbolic.terms.as_symbol(fresh));
            }
            self.map.insert_new(&symbolic.terms, symbol, fresh);
        }
        all.iter().map(|&t| symbolic.terms.substitute(t, &mut self.map)).collect()
    }
}

impl Solver<'_> {
    /// Whether a path edge has a pair that none of the known ones to the same node has.
    pub(super) fn is_new(&mut self, path: PathId, known: &[PathId], compared: Compared) -> Result<bool, Stopped> {
        let edge = self.symbolic.edge(path).clone();
        let at_entry = compared == Compared::Entries;
        let mut union = self.symbolic.terms.no();
        for &other in known {
            let other = self.symbolic.edge(other).clone();
            if (other.guard, &other.entry) == (edge.guard, &edge.entry) && (at_entry || other.now == edge.now) {
                return Ok(false);
            }
            let mut all = vec![other.guard];
            all.extend(other.entry.iter().chain(other.now.iter().filter(|_| !at_entry)));
            let primed = self.primes.prime(&mut self.symbolic, &all);
            let (guard, values) = (primed[0], &primed[1..]);
            let mine = edge.entry.iter().chain(edge.now.iter().filter(|_| !at_entry));
            let mut member = guard;
            for (&mine, &yours) in mine.zip(values) {
                let equal = self.symbolic.terms.eq(mine, yours);
                member = self.symbolic.terms.and(member, equal);
            }
            union = self.symbolic.terms.or(union, member);
        }
        if self.symbolic.terms.is_false(union) {
            return Ok(true);
        }
        let question = Question {
            existential: &self.primes.existential,
            selectors: &self.primes.selectors,
            premise: edge.guard,
            conclusion: union,
        };
        Ok(!self.qbf.is_valid(&mut self.symbolic.terms, question)?)
    }
}
