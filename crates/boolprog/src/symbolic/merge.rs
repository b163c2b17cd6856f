//! MERGE: several path edges to one node as one.

use super::{Origin, PathEdge, PathId, Symbolic};
use robusto_limits::Stopped;
use robusto_logic::{Answer, Symbol, Term};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// Conflicts spent on finding out whether two guards exclude each other; a selector does where that is not known.
const CONFLICTS: i32 = 100;

impl Symbolic<'_> {
    /// One path edge for several to one node; `None` for none.
    pub fn merge(&mut self, mut all: Vec<PathId>) -> Result<Option<PathId>, Stopped> {
        all.dedup();
        // Pairs of neighbours, so that a value is below few ifs.
        while all.len() > 1 {
            let mut next = Vec::with_capacity(all.len().div_ceil(2));
            for pair in all.chunks(2) {
                next.push(match *pair {
                    [one, other] => self.merge_two(one, other)?,
                    _ => pair[0],
                });
            }
            all = next;
        }
        Ok(all.pop())
    }

    fn merge_two(&mut self, yes: PathId, no: PathId) -> Result<PathId, Stopped> {
        self.limits.look()?;
        self.figures.merges += 1;
        let (one, other) = (self.edge(yes).clone(), self.edge(no).clone());
        if one.entry == other.entry && one.now == other.now {
            let guard = self.terms.or(one.guard, other.guard);
            let origin = Origin::Merge { condition: one.guard, yes, no };
            return Ok(self.push(PathEdge { guard, origin, ..one }));
        }
        // What both guards have is kept out of the choice.
        let (mine, yours) = (self.terms.conjuncts(one.guard), self.terms.conjuncts(other.guard));
        let known: FxHashSet<Term> = yours.iter().copied().collect();
        let (common, mine): (Vec<Term>, Vec<Term>) = mine.into_iter().partition(|part| known.contains(part));
        let known: FxHashSet<Term> = common.iter().copied().collect();
        let yours: Vec<Term> = yours.into_iter().filter(|part| !known.contains(part)).collect();
        let condition = match self.exclusive(&common, &mine, &yours)? {
            Some(condition) => condition,
            None => {
                let selector = self.choice();
                self.figures.selectors += 1;
                self.selectors.extend(self.terms.as_symbol(selector));
                selector
            }
        };
        let (mine, yours) = (self.terms.and_all(&mine), self.terms.and_all(&yours));
        let chosen = self.terms.ite(condition, mine, yours);
        let common = self.terms.and_all(&common);
        let guard = self.terms.and(common, chosen);
        let mut choose = |one: &[Term], other: &[Term]| -> Rc<[Term]> {
            one.iter().zip(other).map(|(&a, &b)| self.terms.ite(condition, a, b)).collect()
        };
        let (entry, now) = (choose(&one.entry, &other.entry), choose(&one.now, &other.now));
        let origin = Origin::Merge { condition, yes, no };
        Ok(self.push(PathEdge { procedure: one.procedure, node: one.node, entry, guard, now, origin }))
    }

    /// A condition that is true where the first guard holds and false where the second does, if they exclude each other.
    fn exclusive(&mut self, common: &[Term], mine: &[Term], yours: &[Term]) -> Result<Option<Term>, Stopped> {
        if mine.is_empty() || yours.is_empty() {
            return Ok(None);
        }
        let known: FxHashSet<Term> = yours.iter().copied().collect();
        for &part in mine {
            if known.contains(&self.terms.not(part)) {
                return Ok(Some(part));
            }
        }
        let (mine_symbols, yours_symbols) = (self.symbols_of(mine), self.symbols_of(yours));
        if mine_symbols.is_disjoint(&yours_symbols) {
            return Ok(None);
        }
        let query: Vec<Term> = common.iter().chain(mine).chain(yours).copied().collect();
        let answer = self.sat.check_within(&mut self.terms, &query, CONFLICTS)?;
        Ok((answer == Some(Answer::Unsat)).then(|| self.terms.and_all(mine)))
    }

    /// The choices that terms depend on.
    pub fn symbols_of(&self, all: &[Term]) -> FxHashSet<Symbol> {
        self.terms.subterms(all).into_iter().filter_map(|t| self.terms.as_symbol(t)).collect()
    }
}
