//! Equation (8): is a path edge a part of the union of others?
//!
//! `∀ξ1. γ1(ξ1) ⇒ ⋁_k ∃ξ2. γ_k(ξ2) ∧ ω_i1(ξ1) = ω_ik(ξ2) ∧ ω_o1(ξ1) = ω_ok(ξ2)`, over what matters of the entry and what is live
//! at the node. At an entry only the entry states are compared (trap (a)): the locals have any value there.

use super::Solver;
use crate::symbolic::{Compared, PathId};
use robusto_limits::Stopped;
use robusto_logic::qbf::Question;

impl Solver<'_> {
    /// Whether a path edge has a pair that none of the known ones to the same node has.
    pub(super) fn is_new(&mut self, path: PathId, known: &[PathId], compared: Compared) -> Result<bool, Stopped> {
        let edge = self.symbolic.edge(path).clone();
        let mut union = self.symbolic.terms.no();
        for &other in known {
            let earlier = self.symbolic.edge(other);
            let is_same = (earlier.guard, &earlier.entry) == (edge.guard, &edge.entry);
            if is_same && (compared == Compared::Entries || earlier.now == edge.now) {
                return Ok(false);
            }
            let member = self.primes.member(&mut self.symbolic, &edge, other, compared);
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
