//! The SAT solver over gates, for those who bring an and-inverter graph of their own and think in literals.

use super::Answer;
use super::sat::{Outcome, Sat};
use crate::blast::aig::{Aig, Lit};
use robusto_limits::{Limits, Stopped};

/// An incremental SAT solver that knows the gates of one graph, as far as it was asked for them.
pub struct Gates(Sat);

impl Gates {
    /// A solver that gives up soon after a limit is reached. It is for many small questions that have much in common: it
    /// keeps what they share. (Property-directed reachability of `s3_srvr_4`: 2.3 s, otherwise 9.5 s.)
    pub fn new(limits: &Limits) -> Self {
        let mut sat = Sat::new(limits);
        sat.keep_trail();
        Self(sat)
    }

    /// A literal that stands for no gate.
    pub fn fresh(&mut self) -> i32 {
        self.0.cnf.fresh()
    }

    /// The literal of a gate.
    pub fn literal(&mut self, aig: &Aig, lit: Lit) -> i32 {
        self.0.literal(aig, lit)
    }

    /// The literal of a gate if it has been asked for.
    pub fn existing(&self, lit: Lit) -> Option<i32> {
        self.0.cnf.existing(lit)
    }

    /// Demands one of some literals for ever.
    pub fn clause(&mut self, clause: &[i32]) {
        self.0.clause(clause);
    }

    /// Whether the clauses have a model in which all assumptions hold, and one of `one_of`, unless that is empty.
    pub fn solve(&mut self, assumptions: &[i32], one_of: &[i32]) -> Result<Answer, Stopped> {
        self.0.constrain(one_of);
        match self.0.solve(assumptions, None)? {
            Outcome::Sat => Ok(Answer::Sat),
            Outcome::Unsat => Ok(Answer::Unsat),
            Outcome::Limit => unreachable!("no limit was set"),
        }
    }

    /// Whether an assumption takes part in the contradiction found last.
    pub fn failed(&mut self, assumption: i32) -> bool {
        self.0.failed(assumption)
    }

    /// The value of a literal in the model found last.
    pub fn value(&mut self, literal: i32) -> bool {
        self.0.value(literal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_call_demands_the_next_does_not() {
        let mut aig = Aig::default();
        let (a, b) = (aig.input(), aig.input());
        let both = aig.and(a, b);
        let mut gates = Gates::new(&Limits::none());
        let [a, b, both] = [a, b, both].map(|lit| gates.literal(&aig, lit));
        assert_eq!(gates.solve(&[both], &[-a, -b]), Ok(Answer::Unsat));
        assert!(gates.failed(both));
        assert_eq!(gates.solve(&[both], &[]), Ok(Answer::Sat));
        assert!(gates.value(a) && gates.value(b));
        assert_eq!(gates.solve(&[a], &[-a, -b]), Ok(Answer::Sat));
        assert!(!gates.value(both));
    }
}
