//! Independent parts of an abstraction.
//!
//! Conditions without a common symbol say nothing about each other, so the abstraction of a conjunction of them is the
//! conjunction of their abstractions. A block touches few of the facts that are tracked: the part with what it touches is
//! asked about, the others are the same question as before and come from the cache. Without this, n facts about unrelated
//! variables with m values each are mⁿ assignments to enumerate (`floppy_simpl4` was stopped after
//! 50 s, 46 s of them in 1164 abstractions).
//!
//! Uninterpreted functions relate terms without common symbols, so all terms with one are in the same part.

use super::Abe;
use robusto_diagram::{Bdd, Full, VarIndex};
use robusto_logic::{DisjointSets, Node, Symbol, Term};
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
    /// Decision diagrams without common variables whose conjunction is this one.
    pub(super) fn split(&mut self, set: &Bdd) -> Result<Vec<Bdd>, Full> {
        let support = self.diagrams.support(set);
        let predicates: Vec<Term> = support.iter().map(|&variable| self.precision.predicate(variable)).collect();
        let groups = self.independent(&predicates);
        let mut rest = set.clone();
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
        Ok(factors)
    }

    /// The positions of terms, grouped: terms with common symbols are in the same group, directly or through others.
    pub(super) fn independent(&mut self, terms: &[Term]) -> Vec<Vec<usize>> {
        let mut sets = DisjointSets::new(terms.len());
        let mut first: FxHashMap<Tie, usize> = FxHashMap::default();
        for (i, &term) in terms.iter().enumerate() {
            for &tie in self.ties(term).iter() {
                sets.unite(*first.entry(tie).or_insert(i), i);
            }
        }
        sets.groups()
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

#[cfg(test)]
mod tests {
    use crate::facts::Facts;
    use crate::predicate::{Abe, AbstractionKind, BlockOperator, MergeKind, Options, Scope};
    use crate::symbolic::Cell;
    use robusto_cfa::ir::{Idx, VarId};
    use robusto_logic::Term;

    const PROGRAM: &str = "\
program LP64
main main
file 0 \"flags.c\"

function main() -> i32 @1:5 {
  local a: s32 @2:9
  local b: s32 @2:12
  local c: s32 @2:15
  entry L0, exit L1
  L0 -> L1: return 0   @3:5
}
";

    fn abe(facts: &Facts) -> Abe<'_> {
        let (abstraction, merge) = (AbstractionKind::Boolean, MergeKind::default());
        let options = Options { block: BlockOperator::Lbe, abstraction, scope: Scope::Location, merge };
        Abe::new(facts, options, &robusto_limits::Limits::none())
    }

    fn is(abe: &mut Abe<'_>, var: usize, value: u128) -> Term {
        let input = abe.encoder.input(Cell::Var(VarId::new(var), 0));
        let constant = abe.encoder.terms.constant(32, value);
        abe.encoder.terms.eq(input, constant)
    }

    #[test]
    fn terms_with_common_symbols_are_together() {
        let facts = Facts::of(robusto_cfa::text::parse(PROGRAM).expect("it is well-formed"));
        let mut abe = abe(&facts);
        let (a0, b0, a1, c0) = (is(&mut abe, 0, 0), is(&mut abe, 1, 0), is(&mut abe, 0, 1), is(&mut abe, 2, 0));
        assert_eq!(abe.independent(&[a0, b0, a1]), [vec![0, 2], vec![1]]);
        let link = abe.encoder.terms.or(b0, c0);
        assert_eq!(abe.independent(&[b0, a0, c0, link]), [vec![0, 2, 3], vec![1]]);
    }

    #[test]
    fn a_conjunction_falls_into_its_factors_and_a_disjunction_does_not() {
        let facts = Facts::of(robusto_cfa::text::parse(PROGRAM).expect("it is well-formed"));
        let mut abe = abe(&facts);
        abe.diagrams.add_variables(3);
        let at = robusto_cpa::control::Location {
            function: facts.program.main.expect("there is a main"),
            loc: robusto_cfa::ir::LocId::new(0),
        };
        let predicates: Vec<Term> = (0..3).map(|var| is(&mut abe, var, 0)).collect();
        for &predicate in &predicates {
            abe.precision.add(at, predicate);
        }
        let [a, b, c] = [0, 1, 2].map(|i| abe.diagrams.var(super::VarIndex::new(i)).expect("there is room"));
        let either = abe.diagrams.or(&a, &c).expect("there is room");
        let psi = abe.diagrams.and(&either, &b).expect("there is room");
        let mut factors = abe.split(&psi).expect("there is room");
        factors.sort_by_key(|factor| abe.diagrams.support(factor));
        assert_eq!(factors, [either, b]);
    }
}
