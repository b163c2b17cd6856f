//! What is asked of the solver for an abstraction, and the solver that answers.

use robusto_diagram::{Bdd, Diagrams, Full, VarIndex};
use robusto_limits::{Limits, Stopped};
use robusto_logic::{Answer, Model, QueryLog, Solver, Statistics, Term, Terms};
use std::ops::ControlFlow;

/// Which values some predicates can have where some conditions hold.
#[derive(PartialEq, Eq, Hash, Debug)]
pub struct Question {
    /// What holds.
    pub conditions: Vec<Term>,
    /// Predicates, and what each says at the end of the block.
    pub literals: Vec<(VarIndex, Term)>,
    /// Whether each predicate is asked about by itself.
    pub cartesian: bool,
}

/// The solver for abstractions. What is asked of it is about single blocks, so that it stays small.
pub struct Oracle {
    solver: Solver,
    limits: Limits,
    log: Option<QueryLog>,
}

impl Oracle {
    /// Knows nothing yet.
    pub fn new(limits: &Limits) -> Self {
        Self { solver: Solver::for_enumeration(limits), limits: limits.clone(), log: None }
    }

    /// Tells every query.
    pub fn set_log(&mut self, log: Option<QueryLog>) {
        self.solver.set_log(log.clone());
        self.log = log;
    }

    /// A solver like this one that knows nothing yet.
    pub fn fresh(&self) -> Solver {
        let mut solver = Solver::for_enumeration(&self.limits);
        solver.set_log(self.log.clone());
        solver
    }

    /// Forgets what was learnt.
    pub fn restart(&mut self) {
        self.solver = self.fresh();
    }

    /// What was asked so far.
    pub fn statistics(&self) -> Statistics {
        self.solver.statistics()
    }

    /// Whether conditions have a common model.
    pub fn check(&mut self, terms: &mut Terms, conditions: &[Term]) -> Result<Answer, Stopped> {
        self.solver.check(terms, conditions)
    }

    /// A common model of conditions.
    pub fn model(&mut self, terms: &mut Terms, conditions: &[Term]) -> Result<Option<Model>, Stopped> {
        let answer = self.solver.check(terms, conditions)?;
        Ok((answer == Answer::Sat).then(|| self.solver.model(terms)))
    }

    /// The predicates' values, `None` if the conditions have no model.
    pub fn answer(
        &mut self,
        terms: &mut Terms,
        diagrams: &Diagrams,
        question: &Question,
    ) -> Result<Option<Bdd>, Failure> {
        if self.check(terms, &question.conditions)? == Answer::Unsat {
            return Ok(None);
        }
        if question.literals.is_empty() {
            return Ok(Some(diagrams.top()));
        }
        let set = match question.cartesian {
            false => self.boolean(terms, diagrams, question)?,
            true => self.cartesian(terms, diagrams, question)?,
        };
        Ok(Some(set))
    }

    /// The strongest Boolean combination.
    fn boolean(&mut self, terms: &mut Terms, diagrams: &Diagrams, question: &Question) -> Result<Bdd, Failure> {
        let Question { conditions, literals, .. } = question;
        let at_end: Vec<Term> = literals.iter().map(|&(_, term)| term).collect();
        let mut set = diagrams.bottom();
        let mut full = None;
        self.solver.all_sat(terms, conditions, &at_end, |cube| {
            let cube: Vec<(VarIndex, bool)> =
                literals.iter().zip(cube).filter_map(|(&(v, _), value)| value.map(|value| (v, value))).collect();
            match diagrams.literals(&cube).and_then(|cube| diagrams.or(&set, &cube)) {
                Ok(union) => {
                    set = union;
                    ControlFlow::Continue(())
                }
                Err(error) => {
                    full = Some(error);
                    ControlFlow::Break(())
                }
            }
        })?;
        match full {
            Some(full) => Err(full.into()),
            None => Ok(set),
        }
    }

    /// The strongest conjunction.
    fn cartesian(&mut self, terms: &mut Terms, diagrams: &Diagrams, question: &Question) -> Result<Bdd, Failure> {
        let mut known: Vec<(VarIndex, bool)> = Vec::new();
        for &(variable, term) in &question.literals {
            for value in [true, false] {
                let opposite = if value { terms.not(term) } else { term };
                let mut assumptions = question.conditions.clone();
                assumptions.push(opposite);
                if self.check(terms, &assumptions)? == Answer::Unsat {
                    known.push((variable, value));
                    break;
                }
            }
        }
        Ok(diagrams.literals(&known)?)
    }
}

/// Why an abstraction was not computed.
pub enum Failure {
    /// Somebody asked to stop.
    Stopped(Stopped),
    /// There is no room for its diagram.
    Full,
}

impl From<Stopped> for Failure {
    fn from(stopped: Stopped) -> Self {
        Failure::Stopped(stopped)
    }
}

impl From<Full> for Failure {
    fn from(_: Full) -> Self {
        Failure::Full
    }
}

impl From<Failure> for Stopped {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Stopped(stopped) => stopped,
            Failure::Full => Stopped::Memory,
        }
    }
}
