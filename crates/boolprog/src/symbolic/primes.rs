//! Comparing two path edges whose choices have the same names.

use super::{PathEdge, Symbolic};
use robusto_limits::Stopped;
use robusto_logic::{Sort, Substitution, Symbol, Term, qbf};
use rustc_hash::FxHashSet;

/// The choices of path edges that are known, under other names: the variables ξ2. One renaming does for all, since each
/// member of the union is asked about alone.
#[derive(Debug, Default)]
pub(crate) struct Primes {
    map: Substitution,
    renamed: FxHashSet<Symbol>,
    /// The way back.
    back: Substitution,
    pub existential: FxHashSet<Symbol>,
    pub selectors: FxHashSet<Symbol>,
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
            let original = symbolic.terms.symbol_term(symbol);
            self.back.insert(fresh, original);
        }
        all.iter().map(|&t| symbolic.terms.substitute(t, &mut self.map)).collect()
    }

    /// That a path edge, over other choices, has the pair that the first one has.
    pub fn member(
        &mut self,
        symbolic: &mut Symbolic<'_>,
        mine: &PathEdge,
        other: &PathEdge,
        with_states: bool,
    ) -> Term {
        let mut all = vec![other.guard];
        all.extend(other.entry.iter().chain(other.now.iter().filter(|_| with_states)));
        let primed = self.prime(symbolic, &all);
        let values = mine.entry.iter().chain(mine.now.iter().filter(|_| with_states));
        let mut member = primed[0];
        for (&mine, &yours) in values.zip(&primed[1..]) {
            let equal = symbolic.terms.eq(mine, yours);
            member = symbolic.terms.and(member, equal);
        }
        member
    }

    /// A condition under which a path edge has the pair that the first one has, without choices of its own: those that the
    /// pair defines are defined by it, the others are the same as in the first one.
    pub fn matching(
        &mut self,
        symbolic: &mut Symbolic<'_>,
        mine: &PathEdge,
        other: &PathEdge,
    ) -> Result<Term, Stopped> {
        let member = self.member(symbolic, mine, other, true);
        let limits = symbolic.limits().clone();
        let defined = qbf::without_definitions(&mut symbolic.terms, &self.existential, member, &limits)?;
        Ok(symbolic.terms.substitute(defined, &mut self.back))
    }
}
