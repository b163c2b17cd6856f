//! Equation (8): is a path edge a part of the union of others?
//!
//! `∀ξ1. γ1(ξ1) ⇒ ⋁_k ∃ξ2. γ_k(ξ2) ∧ ω_i1(ξ1) = ω_ik(ξ2) ∧ ω_o1(ξ1) = ω_ok(ξ2)`, over what matters of the entry and what is live
//! at the node. At an entry only the entry states are compared (trap (a)): the locals have any value there.

use super::Solver;
use crate::symbolic::PathId;
use robusto_limits::Stopped;
use robusto_logic::qbf::Question;

/// What is compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Compared {
    /// States at the entry.
    Entries,
    /// Those, and the states at the node.
    Pairs,
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
            let member = self.primes.member(&mut self.symbolic, &edge, &other, !at_entry);
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
