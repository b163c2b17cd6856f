//! Smaller unsatisfiable cores, by deletion.

use super::{Answer, Query, Solver};
use crate::term::{Term, Terms};
use robusto_limits::Stopped;

/// Queries spent on one core.
const CALLS: usize = 200;
/// Conflicts per query; an assumption whose removal is not decided within them stays.
const CONFLICTS: i32 = 2000;

impl Solver {
    /// A subset of an unsatisfiable set of assumptions that is unsatisfiable too, and minimal unless the budget of
    /// queries ran out. Afterwards [`Solver::core`] is that subset.
    pub fn minimize_core(&mut self, terms: &mut Terms, core: &[Term]) -> Result<Vec<Term>, Stopped> {
        let mut core = core.to_vec();
        let mut calls = 0;
        // From the back: assumptions before `kept` are open, those from there on are needed.
        let mut open = core.len();
        while open > 0 && calls < CALLS {
            open -= 1;
            calls += 1;
            let mut rest = core.clone();
            rest.remove(open);
            let query = Query { assumptions: &rest, extra: &[], watched: &[], conflicts: Some(CONFLICTS) };
            if self.query(terms, query)? == Some(Answer::Unsat) {
                // The new core may lack more than the one removed; order is kept, so the open ones are still in front.
                let needed = core[open + 1..].to_vec();
                core = self.core.clone();
                open = core.iter().filter(|t| !needed.contains(t)).count();
            }
        }
        self.core = core.clone();
        self.answer = Some(Answer::Unsat);
        Ok(core)
    }
}
