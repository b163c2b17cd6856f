//! Boolean abstraction of formulas with few values, by decision diagrams.
//!
//! The solver enumerates the combinations of predicates that a block allows: one query each, on a formula with all of the
//! block. Programs that switch on states and events have blocks with hundreds of branches and thousands of combinations,
//! but their variables take few values, or are compared with few. There ψ ∧ φ is a set over the numbers of their
//! [`ranges`], each predicate at the block's end is a function of these, and the abstraction is the image
//! ∃x. (ψ ∧ φ)(x) ∧ ⋀ᵢ (vᵢ ⇔ pᵢ(x)), with each x quantified as soon as nothing speaks of it any more.
//! (`Problem04` of RERS 2012: 246 abstractions took 5778 queries and 50 s; each takes 10 ms now.)
//!
//! | formula | here |
//! |---|---|
//! | which terms are of this kind | `shapes` |
//! | a truth value | a diagram over the bits of ranges (`evaluate`) |
//! | a word | its leaves, which are terms without a case distinction, each with the diagram of where it is taken |
//! | an operator on words | the same on each combination of leaves, simplified |
//! | a comparison of leaves | after simplification a constant, or a symbol against a constant; anything else is not for us |
//! | the order of all variables | `order` |
//!
//! The diagrams of terms are kept, for blocks come again and again. Where all of them take more than [`SHARED`], a question
//! has its own: there, terms are functions on the states of ψ ∧ φ alone, and what no such state asks for is never built.
//! (`Problem06`: 8 million nodes do not hold the functions of its loop body, on the states of one ψ they have 5 to 140 thousand.)
//!
//! Exact: ranges of different symbols do not depend on each other, and no range is empty. What is not of this kind, or
//! takes more than [`SINGLE`], is left to the solver.

mod evaluate;
mod order;
mod ranges;
mod shapes;

pub use order::ranks;

use super::Precision;
use super::question::{Failure, Question};
use ranges::Ranges;
use robusto_diagram::{Bdd, Diagrams, Full, StoreSize, VarIndex};
use robusto_limits::Limits;
use robusto_logic::{Symbol, Term, Terms};
use rustc_hash::FxHashMap;
use shapes::Shape;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Most nodes of the diagrams of all terms met so far. (`Problem05` of RERS 2012 has 1.1 million; `test_locks_5` with blocks k:300 and
/// all paths merged has 3.8 million: 4.6 s of CPU time in a development build with 2²² nodes, 5.7 s in a release build with 2²¹.)
const SHARED: usize = 1 << 22;

/// Most nodes for one question.
const SINGLE: usize = 1 << 23;

/// Questions that may need more than [`SINGLE`] before no more are tried.
const TRIES: u32 = 2;

/// For how long diagrams of terms are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    /// For all questions.
    Shared,
    /// For one question.
    Single {
        /// Questions that needed too many nodes.
        failures: u32,
    },
}

/// Computes abstractions of formulas with few values.
pub struct Finite {
    mode: Mode,
    shapes: FxHashMap<Term, Shape>,
    ranges: Ranges,
    diagrams: Diagrams,
    /// Where symbols stand, from the top.
    ranks: FxHashMap<Symbol, u32>,
    /// The bits of the number of a symbol's range.
    bits: BTreeMap<Symbol, Vec<VarIndex>>,
    /// The variables of predicates, here, and the symbol beside which they stand.
    predicates: BTreeMap<VarIndex, (VarIndex, Option<Symbol>)>,
    /// The states that a question is about, as far as they are known.
    care: Bdd,
    /// Comparisons of leaves.
    atoms: FxHashMap<Term, Bdd>,
    /// Truth values on the states of `care`.
    truths: FxHashMap<Term, Bdd>,
    /// Words on the states of `care`.
    words: FxHashMap<Term, Rc<[(Term, Bdd)]>>,
    limits: Limits,
}

impl Finite {
    /// Knows no formula yet.
    pub fn new(limits: &Limits) -> Self {
        let diagrams = store(Mode::Shared);
        Self {
            mode: Mode::Shared,
            shapes: FxHashMap::default(),
            ranges: Ranges::default(),
            care: diagrams.top(),
            diagrams,
            ranks: FxHashMap::default(),
            bits: BTreeMap::new(),
            predicates: BTreeMap::new(),
            atoms: FxHashMap::default(),
            truths: FxHashMap::default(),
            words: FxHashMap::default(),
            limits: limits.clone(),
        }
    }

    /// The predicates' values in diagrams of the caller, `Some(None)` if the conditions have no model; `None` if the question
    /// is not of this kind.
    pub fn answer(
        &mut self,
        terms: &mut Terms,
        precision: &Precision,
        diagrams: &Diagrams,
        question: &Question,
    ) -> Result<Option<Option<Bdd>>, Failure> {
        if self.mode == (Mode::Single { failures: TRIES }) {
            return Ok(None);
        }
        let Question { conditions, literals, .. } = question;
        let roots: Vec<Term> = conditions.iter().copied().chain(literals.iter().map(|&(_, term)| term)).collect();
        let all = terms.subterms(&roots);
        if !self.scan(terms, &all, &roots) {
            return Ok(None);
        }
        loop {
            match self.image(terms, precision, question, &all) {
                Ok(Some(set)) => return Ok(Some(Some(self.export(diagrams, &set)?))),
                Ok(None) => return Ok(Some(None)),
                Err(Failure::Full) => {}
                Err(stopped) => return Err(stopped),
            }
            self.mode = match self.mode {
                Mode::Shared => Mode::Single { failures: 0 },
                Mode::Single { failures } => Mode::Single { failures: failures + 1 },
            };
            self.forget();
            if self.mode != (Mode::Single { failures: 0 }) {
                return Ok(None);
            }
        }
    }

    /// Forgets all diagrams.
    fn forget(&mut self) {
        self.forget_terms();
        self.atoms.clear();
        self.bits.clear();
        self.predicates.clear();
        self.diagrams = store(self.mode);
        self.care = self.diagrams.top();
    }

    /// Forgets what terms are on the states of one question.
    fn forget_terms(&mut self) {
        self.truths.clear();
        self.words.clear();
        self.care = self.diagrams.top();
    }

    /// The image: the values of the predicates where the conditions hold; `None` if they never do.
    fn image(
        &mut self,
        terms: &mut Terms,
        precision: &Precision,
        question: &Question,
        all: &[Term],
    ) -> Result<Option<Bdd>, Failure> {
        self.encode(terms, precision, question, all)?;
        let mut set = self.diagrams.top();
        let mut conditions = question.conditions.clone();
        if self.mode != Mode::Shared {
            self.forget_terms();
            // What is said about few values first: it leaves the fewest states to the others.
            conditions.sort_by_cached_key(|&condition| (terms.subterms(&[condition]).len(), condition));
        }
        for &condition in &conditions {
            self.evaluate(terms, condition)?;
            set = self.diagrams.and(&set, &self.truths[&condition])?;
            if self.diagrams.is_false(&set) {
                return Ok(None);
            }
            if self.mode != Mode::Shared {
                self.care = set.clone();
            }
        }
        let mut links = Vec::with_capacity(question.literals.len());
        for (variable, term) in &question.literals {
            self.evaluate(terms, *term)?;
            let value = self.diagrams.var(self.predicates[variable].0)?;
            links.push(self.diagrams.iff(&value, &self.truths[term])?);
        }
        Ok(Some(self.linked(set, &links)?))
    }

    /// What the links say of a set, without the bits of ranges.
    fn linked(&self, set: Bdd, links: &[Bdd]) -> Result<Bdd, Failure> {
        // Bits that later links do not have are quantified.
        let ours: BTreeSet<VarIndex> = self.predicates.values().map(|&(variable, _)| variable).collect();
        let mut needed: Vec<BTreeSet<VarIndex>> = vec![BTreeSet::new()];
        for link in links.iter().rev() {
            let mut all = needed.last().expect("there is one").clone();
            all.extend(self.diagrams.support(link));
            needed.push(all);
        }
        needed.reverse();
        let free = |set: &Bdd, link: &Bdd, later: &BTreeSet<VarIndex>| -> Result<Bdd, Failure> {
            self.limits.poll()?;
            let both = [self.diagrams.support(set), self.diagrams.support(link)].concat();
            let gone: BTreeSet<VarIndex> =
                both.into_iter().filter(|v| !later.contains(v) && !ours.contains(v)).collect();
            let cube = self.diagrams.cube(&gone.into_iter().collect::<Vec<_>>())?;
            Ok(self.diagrams.and_exists(set, link, &cube)?)
        };
        let mut set = free(&set, &self.diagrams.top(), &needed[0])?;
        for (link, later) in links.iter().zip(&needed[1..]) {
            set = free(&set, link, later)?;
        }
        Ok(set)
    }

    /// A set of predicates' values in diagrams of the caller, where predicates are their own variables.
    fn export(&self, diagrams: &Diagrams, set: &Bdd) -> Result<Bdd, Full> {
        let theirs: FxHashMap<VarIndex, VarIndex> = self.predicates.iter().map(|(&v, &(own, _))| (own, v)).collect();
        let node = |variable: VarIndex, high: Result<Bdd, Full>, low: Result<Bdd, Full>| {
            diagrams.ite(&diagrams.var(theirs[&variable])?, &high?, &low?)
        };
        self.diagrams.fold(set, Ok(diagrams.top()), Ok(diagrams.bottom()), node)
    }
}

fn store(mode: Mode) -> Diagrams {
    let nodes = if mode == Mode::Shared { SHARED } else { SINGLE };
    Diagrams::new(0, StoreSize { nodes, cache: 1 << 18 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::predicate::Scope;
    use crate::predicate::question::Oracle;
    use robusto_cfa::ir::{FuncId, LocId};
    use robusto_cpa::control::Location;
    use robusto_logic::Sort;
    use robusto_testing::Random;

    const AT: Location = Location { function: FuncId::FIRST, loc: LocId::FIRST };

    /// A random truth value over three words, one truth value and some constants.
    fn truth(terms: &mut Terms, random: &mut Random, depth: u32) -> Term {
        if depth == 0 || random.below(6u64) == 0 {
            if random.below(4u64) == 0 {
                return terms.symbol("flag", Sort::BOOL);
            }
            let (a, b) = (word(terms, random, 1), word(terms, random, 0));
            return match random.below(4u64) {
                0 => terms.ult(a, b),
                1 => terms.sle(a, b),
                _ => terms.eq(a, b),
            };
        }
        let (a, b) = (truth(terms, random, depth - 1), truth(terms, random, depth - 1));
        match random.below(4u64) {
            0 => terms.and(a, b),
            1 => terms.or(a, b),
            2 => terms.not(a),
            _ => {
                let c = truth(terms, random, depth - 1);
                terms.ite(c, a, b)
            }
        }
    }

    /// A random word: a symbol or a constant at depth 0, else a choice or a sum with a constant.
    fn word(terms: &mut Terms, random: &mut Random, depth: u32) -> Term {
        let leaf = |terms: &mut Terms, random: &mut Random| match random.below(3u64) {
            0 => terms.symbol(random.pick(&["x", "y", "z"]), Sort::Bits(8)),
            _ => terms.constant(8, random.pick(&[0, 1, 5, 127, 128, 255])),
        };
        if depth == 0 {
            let constant = random.pick(&[0, 1, 5, 127, 128, 255]);
            return terms.constant(8, constant);
        }
        let (a, b) = (leaf(terms, random), leaf(terms, random));
        match random.below(3u64) {
            0 => a,
            1 => {
                let one = terms.constant(8, 1);
                terms.add(a, one)
            }
            _ => {
                let condition = truth(terms, random, 1);
                terms.ite(condition, a, b)
            }
        }
    }

    #[test]
    fn diagrams_and_the_solver_agree() {
        for mode in [Mode::Shared, Mode::Single { failures: 0 }] {
            let mut answered = 0;
            for seed in 0..400 {
                let mut random = Random::new(seed);
                let (mut terms, mut precision) = (Terms::new(), Precision::new(Scope::Location));
                let diagrams = Diagrams::new(4, StoreSize::default());
                let limits = Limits::none();
                let (mut finite, mut oracle) = (Finite::new(&limits), Oracle::new(&limits));
                finite.mode = mode;
                // Several questions to one, so that ranges become finer on the way, with an order that changes.
                for round in 0..3 {
                    for (rank, name) in ["z", "x"].into_iter().enumerate().take(round) {
                        let symbol = terms.symbol(name, Sort::Bits(8));
                        finite.place(terms.as_symbol(symbol).expect("a symbol"), rank as u32);
                    }
                    let conditions = (0..2).map(|_| truth(&mut terms, &mut random, 3)).collect();
                    let mut literals = Vec::new();
                    for i in 0..4 {
                        let name = terms.symbol(&format!("p{i}"), Sort::BOOL);
                        precision.add(AT, name);
                        literals.push((VarIndex::new(i), truth(&mut terms, &mut random, 2)));
                    }
                    let question = Question { conditions, literals, cartesian: false };
                    let found = finite.answer(&mut terms, &precision, &diagrams, &question);
                    let Ok(Some(found)) = found else { continue };
                    answered += 1;
                    let expected = oracle.answer(&mut terms, &diagrams, &question).ok().expect("nothing stops it");
                    assert!(found == expected, "seed {seed}, {mode:?}");
                }
            }
            assert!(answered > 400, "only {answered} of 1200 questions were answered");
        }
    }
}
