//! Branch and prune beside SAT, for queries with arithmetic of floats.
//!
//! A circuit of a float operator has thousands of gates, and a chain of them is out of reach for SAT; bounds ([`crate::bounds`])
//! refute many such queries in milliseconds, and know nothing of others, for which SAT is good. So both take turns, each with
//! four times the effort of its last turn: the cost is at most about twice that of the better one. The first turn is that of
//! bounds, where the first circuit would be added: a query for which arithmetic does not matter never comes here.

use super::{Query, Solver};
use crate::bounds;
use crate::term::{Term, Terms};
use robusto_limits::Stopped;

/// Revisions of terms in the first turn: some ten milliseconds.
const REVISIONS: usize = 500_000;

/// Conflicts of SAT in its first turn with circuits.
const CONFLICTS: i32 = 3_000;

/// First turns in vain, more than those that were not, after which they are short.
const PATIENCE: i32 = 4;

/// The turns of one query.
#[derive(Default)]
pub(super) struct Turns {
    taken: u32,
}

impl Turns {
    /// How long SAT may work, given what the caller wants; without end where there are no floats.
    pub fn conflicts(&self, wanted: Option<i32>) -> Option<i32> {
        match self.taken {
            0 => wanted,
            turn => {
                let mine = CONFLICTS.saturating_mul(4i32.saturating_pow(turn - 1));
                Some(wanted.map_or(mine, |wanted| wanted.min(mine)))
            }
        }
    }

    /// Whether bounds are still to have their first turn.
    pub fn is_first(&self) -> bool {
        self.taken == 0
    }
}

impl Solver {
    /// A turn of bounds: whether they show that the query has no model.
    pub(super) fn prune(&mut self, terms: &Terms, query: Query<'_>, turns: &mut Turns) -> Result<bool, Stopped> {
        let first = turns.is_first();
        let mut revisions = REVISIONS.saturating_mul(4usize.saturating_pow(turns.taken));
        if first && self.in_vain > PATIENCE {
            revisions /= 50;
        }
        turns.taken += 1;
        let formulas: Vec<Term> = self.assertions.iter().chain(query.assumptions).copied().collect();
        let refuted = bounds::refutes_within(terms, &formulas, revisions, self.sat.limits())?;
        self.statistics.pruned += u64::from(refuted);
        if refuted {
            self.in_vain = (self.in_vain - 1).max(-PATIENCE);
        } else if first {
            self.in_vain += 1;
        }
        Ok(refuted)
    }
}
