//! Formulas with two quantifiers: is `∀X. premise(X) ⇒ ∃Y. conclusion(X, Y)` true?
//!
//! By counterexample-guided expansion (Janota and Marques-Silva, *Abstraction-Based Algorithm for 2QBF*, SAT 2011) with two
//! incremental solvers. One proposes an X for which the premise holds and no answer seen so far works. The other answers
//! with a Y for that X; if it cannot, X is the counterexample. If nothing can be proposed, the formula is true.
//!
//! An answer is not one Y but functions of X, made from that Y (`strategy`): where the conclusion says `y = f(X)`, the
//! value of y is `f(X)`, and only what is open then takes the constant. This matters where X has many free variables that
//! Y must follow: constants would have to be enumerated, `y = x` is one answer.
//!
//! Cheap things first: variables of Y that the conclusion defines are replaced before anything else, and if no Y is left
//! one satisfiability question decides.
//!
//! *Exact*: for any functions F, `conclusion(X, F(X))` implies `∃Y. conclusion(X, Y)`, so an X that fails for all Y is never
//! ruled out. *Terminating*: F(x) is the Y found for x, so x is not proposed again.

mod external;
mod qdimacs;
mod strategy;

pub use external::External;
pub use qdimacs::qdimacs;

use crate::solver::{Answer, Solver};
use crate::term::{Model, Symbol, Term, Terms};
use robusto_limits::{Limits, Stopped};
use rustc_hash::FxHashSet;
use std::time::{Duration, Instant};
use strategy::Existentials;

/// A formula `∀X. premise ⇒ ∃Y. conclusion`.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// Y; every other free variable is in X.
    pub existential: &'a FxHashSet<Symbol>,
    /// Those of Y that choose between alternatives: an answer fixes them first.
    pub selectors: &'a FxHashSet<Symbol>,
    /// Has no variable of Y.
    pub premise: Term,
    /// Over both.
    pub conclusion: Term,
}

/// What was asked so far.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Statistics {
    /// Formulas.
    pub calls: u64,
    /// Those in which no quantifier was left after definitions had been replaced.
    pub plain: u64,
    /// Answers for proposals, over all formulas.
    pub answers: u64,
    /// Time spent.
    pub time: Duration,
}

/// A conclusion without the existential variables that its equations define: `∃Y` of both is the same.
pub fn without_definitions(
    terms: &mut Terms,
    existential: &FxHashSet<Symbol>,
    conclusion: Term,
    limits: &Limits,
) -> Result<Term, Stopped> {
    Existentials::new(existential, &FxHashSet::default()).eliminate_definitions(terms, conclusion, limits)
}

/// Decides formulas with two quantifiers.
pub struct Qbf {
    limits: Limits,
    external: Option<External>,
    statistics: Statistics,
}

impl std::fmt::Debug for Qbf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Qbf").field("statistics", &self.statistics).finish_non_exhaustive()
    }
}

impl Qbf {
    /// A solver that gives up soon after a limit is reached.
    pub fn new(limits: &Limits) -> Self {
        Self { limits: limits.clone(), external: None, statistics: Statistics::default() }
    }

    /// A solver that asks another one, which reads QDIMACS.
    pub fn with_external(limits: &Limits, external: Option<External>) -> Self {
        Self { external, ..Self::new(limits) }
    }

    /// What was asked so far.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// Whether the formula is true. The external solver is asked if there is one.
    pub fn is_valid(&mut self, terms: &mut Terms, question: Question<'_>) -> Result<bool, Stopped> {
        let Some(external) = self.external.clone() else {
            return Ok(self.counterexample(terms, question)?.is_none());
        };
        let start = Instant::now();
        self.statistics.calls += 1;
        let answer =
            qdimacs(terms, question, &self.limits).and_then(|text| external.ask(&text).map_err(Stopped::Unsupported));
        self.statistics.time += start.elapsed();
        answer
    }

    /// An X for which the premise holds, and the conclusion for no Y; `None` if the formula is true.
    pub fn counterexample(&mut self, terms: &mut Terms, question: Question<'_>) -> Result<Option<Model>, Stopped> {
        let start = Instant::now();
        self.statistics.calls += 1;
        let answer = self.decide(terms, question);
        self.statistics.time += start.elapsed();
        answer
    }

    fn decide(&mut self, terms: &mut Terms, question: Question<'_>) -> Result<Option<Model>, Stopped> {
        let mut existentials = Existentials::new(question.existential, question.selectors);
        let conclusion = existentials.eliminate_definitions(terms, question.conclusion, &self.limits)?;
        let mut proposer = Solver::new(&self.limits);
        proposer.assert(terms, question.premise);
        if !existentials.occur(terms, conclusion) {
            self.statistics.plain += 1;
            let fails = terms.not(conclusion);
            let answer = proposer.check(terms, &[fails])?;
            return Ok((answer == Answer::Sat).then(|| proposer.model(terms)));
        }
        let universal: Vec<Symbol> =
            terms.symbols(conclusion).into_iter().filter(|symbol| !question.existential.contains(symbol)).collect();
        let mut answerer = Solver::new(&self.limits);
        answerer.assert(terms, conclusion);
        while proposer.check(terms, &[])? == Answer::Sat {
            let proposal = proposer.model(terms);
            let literals: Vec<Term> = universal
                .iter()
                .map(|&symbol| {
                    let term = terms.symbol_term(symbol);
                    let value = terms.constant(terms.width(term), proposal.get(symbol));
                    terms.eq(term, value)
                })
                .collect();
            if answerer.check(terms, &literals)? == Answer::Unsat {
                return Ok(Some(proposal));
            }
            self.statistics.answers += 1;
            let mut model = answerer.model(terms);
            for &symbol in &universal {
                model.set(symbol, proposal.get(symbol));
            }
            let works = existentials.strategy(terms, conclusion, &model, &self.limits)?;
            let fails = terms.not(works);
            proposer.assert(terms, fails);
        }
        Ok(None)
    }
}
