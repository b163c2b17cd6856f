//! Comparing two path edges whose choices have the same names.

use super::{PathEdge, PathId, Symbolic};
use robusto_limits::Stopped;
use robusto_logic::{Sort, Substitution, Symbol, Term, qbf};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// What is compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Compared {
    /// States at the entry.
    Entries,
    /// Those, and the states at the node.
    Pairs,
}

/// The choices of path edges that are known, under other names: the variables ξ2. One renaming does for all, since each
/// member of the union is asked about alone.
#[derive(Debug, Default)]
pub(crate) struct Primes {
    map: Substitution,
    renamed: FxHashSet<Symbol>,
    /// Results so far. (A counter of 10 bits compares each of 1,024 path edges with those before.)
    known: FxHashMap<PathId, Rc<[Term]>>,
    /// The way back.
    back: Substitution,
    pub existential: FxHashSet<Symbol>,
    pub selectors: FxHashSet<Symbol>,
}

impl Primes {
    /// Guard, entry values and values of a path edge over other choices.
    fn prime(&mut self, symbolic: &mut Symbolic<'_>, path: PathId) -> Rc<[Term]> {
        if let Some(known) = self.known.get(&path) {
            return Rc::clone(known);
        }
        let edge = symbolic.edge(path);
        let all: Vec<Term> = [edge.guard].iter().chain(edge.entry.iter()).chain(edge.now.iter()).copied().collect();
        let mut symbols: Vec<Symbol> =
            symbolic.symbols_of(&all).into_iter().filter(|symbol| !self.renamed.contains(symbol)).collect();
        symbols.sort_unstable();
        for symbol in symbols {
            let fresh = symbolic.terms.fresh("p", Sort::BOOL);
            let original = symbolic.terms.symbol_term(symbol);
            self.renamed.insert(symbol);
            self.map.insert_new(&symbolic.terms, symbol, fresh);
            if let Some(prime) = symbolic.terms.as_symbol(fresh) {
                self.existential.insert(prime);
                self.back.insert_new(&symbolic.terms, prime, original);
                if symbolic.selectors.contains(&symbol) {
                    self.selectors.insert(prime);
                }
            }
        }
        let primed: Rc<[Term]> = all.iter().map(|&t| symbolic.terms.substitute(t, &mut self.map)).collect();
        self.known.insert(path, Rc::clone(&primed));
        primed
    }

    /// That a path edge, over other choices, has the pair that the first one has.
    pub fn member(&mut self, symbolic: &mut Symbolic<'_>, mine: &PathEdge, other: PathId, compared: Compared) -> Term {
        let primed = self.prime(symbolic, other);
        let states = mine.now.iter().filter(|_| compared == Compared::Pairs);
        let mut member = primed[0];
        for (&mine, &yours) in mine.entry.iter().chain(states).zip(&primed[1..]) {
            let equal = symbolic.terms.eq(mine, yours);
            member = symbolic.terms.and(member, equal);
            if symbolic.terms.is_false(member) {
                break;
            }
        }
        member
    }

    /// A condition under which a path edge has the pair that the first one has, without choices of its own: those that the
    /// pair defines are defined by it, the others are the same as in the first one.
    pub fn matching(&mut self, symbolic: &mut Symbolic<'_>, mine: &PathEdge, other: PathId) -> Result<Term, Stopped> {
        let member = self.member(symbolic, mine, other, Compared::Pairs);
        if symbolic.terms.is_false(member) {
            return Ok(member);
        }
        let limits = symbolic.limits().clone();
        let defined = qbf::without_definitions(&mut symbolic.terms, &self.existential, member, &limits)?;
        Ok(symbolic.terms.substitute(defined, &mut self.back))
    }
}
