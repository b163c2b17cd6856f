//! Predicates along paths, for the product: cartesian abstraction after every step, states with different truth values kept apart.
//!
//! Ball, Podelski, Rajamani: *Boolean and Cartesian abstraction for model checking C programs*, TACAS 2001. The other domains of
//! the product keep states step by step, so predicates do as well; where formulas of whole blocks pay, there is
//! [`crate::predicate`].
//!
//! | CPA | here |
//! |---|---|
//! | E | [`Literals`]: the predicates that hold and those that do not |
//! | ⇝ | for each predicate at the target, whether the literals and the step imply it or its negation |
//! | merge, stop | merge^sep; ⊑ if the other has no other literals |
//! | prec | [`Predicates::track`]: the predicates of each location; none at first |
//!
//! Soundness: literals are kept only where the solver has shown that they hold after the step.

use crate::symbolic::{Encoder, PathFormula};
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{FuncId, IdxVec};
use robusto_cpa::blocks::Blocks;
use robusto_cpa::control::Location;
use robusto_cpa::{Analysis, Merge, Step};
use robusto_limits::{Limits, Stopped};
use robusto_logic::{Answer, Solver, Term};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Predicates with their truth values, ascending by predicate.
#[derive(Clone, Debug)]
pub struct Literals {
    pub(super) known: Rc<[(Term, bool)]>,
    /// Which activations there are, for recursive functions.
    at: Rc<PathFormula>,
}

/// What a step makes of literals; nothing if it cannot be taken.
type Successor = Option<(Rc<[(Term, bool)]>, Rc<PathFormula>)>;

/// The analysis.
pub struct Predicates<'f> {
    /// Terms and path formulas.
    pub encoder: Encoder<'f>,
    facts: &'f Facts,
    solver: Solver,
    places: FxHashMap<Location, Vec<Term>>,
    known: FxHashMap<(Step, Rc<[(Term, bool)]>), Successor>,
}

impl<'f> Predicates<'f> {
    /// Prepares the analysis.
    pub fn new(facts: &'f Facts, limits: &Limits) -> Self {
        let (encoder, solver) = (Encoder::new(facts), Solver::new(limits));
        Self { encoder, facts, solver, places: FxHashMap::default(), known: FxHashMap::default() }
    }

    /// Block steps are those of these blocks.
    pub fn set_blocks(&mut self, blocks: IdxVec<FuncId, Blocks>) {
        self.encoder.set_blocks(blocks);
        self.known.clear();
    }

    /// Tracks a predicate at a location, if all that it speaks of may be read there; whether that is new.
    pub fn track(&mut self, at: Location, predicate: Term) -> bool {
        let may_be_read = |symbol| self.encoder.cell_of(symbol).is_some_and(|cell| self.encoder.may_be_read(at, cell));
        if !self.encoder.terms.symbols(predicate).into_iter().all(may_be_read) {
            return false;
        }
        let here = self.places.entry(at).or_default();
        let new = !here.contains(&predicate);
        if new {
            here.push(predicate);
            self.known.clear();
        }
        new
    }

    /// Number of predicates, each counted at each of its places.
    pub fn len(&self) -> usize {
        self.places.values().map(Vec::len).sum()
    }

    /// Whether there is no predicate.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The literals as a formula.
    pub fn formula(&mut self, state: &Literals) -> Term {
        self.conjunction(&state.known)
    }

    fn conjunction(&mut self, literals: &[(Term, bool)]) -> Term {
        let terms = &mut self.encoder.terms;
        let all: Vec<Term> = literals.iter().map(|&(p, truth)| if truth { p } else { terms.not(p) }).collect();
        terms.and_all(&all)
    }

    fn successor(&mut self, state: &Literals, step: Step) -> Result<Successor, Stopped> {
        let start = self.encoder.identity(&state.at);
        let Some(effect) = self.encoder.step(&start, step)? else { return Ok(None) };
        let before = self.conjunction(&state.known);
        let question = self.encoder.terms.and(before, effect.guard);
        if !self.encoder.terms.is_true(question)
            && self.solver.check(&mut self.encoder.terms, &[question])? == Answer::Unsat
        {
            return Ok(None);
        }
        let program = &self.facts.program;
        let from = Location { function: step.edge_ref().0, loc: step.edge(program).src };
        let tracked = self.places.get(&from.transfer(program, step)).cloned().unwrap_or_default();
        let mut literals: Vec<(Term, bool)> = Vec::new();
        for predicate in tracked {
            let after = self.encoder.apply(&effect, predicate);
            let not = self.encoder.terms.not(after);
            for (wrong, truth) in [(not, true), (after, false)] {
                if self.solver.check(&mut self.encoder.terms, &[question, wrong])? == Answer::Unsat {
                    literals.push((predicate, truth));
                    break;
                }
            }
        }
        literals.sort_unstable();
        Ok(Some((literals.into(), Rc::new(self.encoder.identity(&effect)))))
    }
}

impl Analysis for Predicates<'_> {
    type State = Literals;

    fn initial(&mut self) -> Result<Literals, Stopped> {
        Ok(Literals { known: Rc::new([]), at: Rc::new(self.encoder.initial()) })
    }

    fn transfer(&mut self, state: &Literals, step: Step) -> Result<Option<Literals>, Stopped> {
        // Without predicates there is nothing to know; the first ones start the exploration anew.
        if self.places.is_empty() {
            return Ok(Some(state.clone()));
        }
        let recursive = self.facts.calls.is_recursive(step.edge_ref().0);
        let key = (step, state.known.clone());
        let successor = match self.known.get(&key) {
            Some(known) if !recursive => known.clone(),
            _ => {
                let successor = self.successor(state, step)?;
                self.known.insert(key, successor.clone());
                successor
            }
        };
        Ok(successor.map(|(known, at)| Literals { known, at }))
    }

    fn merge(&mut self, _: &Literals, _: &Literals, _: Location) -> Result<Merge<Literals>, Stopped> {
        Ok(Merge::Keep)
    }

    fn stop(&self, new: &Literals, old: &Literals) -> Result<bool, Stopped> {
        Ok(old.known.iter().all(|literal| new.known.binary_search(literal).is_ok()))
    }
}
