//! The few conditions of an infeasible path that matter.
//!
//! Word-level interpolation for straight-line paths needs no proof: the weakest preconditions of the conditions in an
//! unsatisfiable core, taken backwards along the path, are a sequence of interpolants (Henzinger, Jhala, Majumdar and
//! McMillan, "Abstractions from Proofs", POPL 2004, compare both). The core decides how general they are: a smaller core
//! speaks of fewer variables.

use crate::{Answer, Solver, Term, Terms};
use robusto_limits::Stopped;

/// Positions, ascending, of conditions that are unsatisfiable together, and minimal within the solver's effort. The
/// conditions are truth values over common symbols in the order of the path. `None` if all are satisfiable together.
pub fn sliced(solver: &mut Solver, terms: &mut Terms, conditions: &[Term]) -> Result<Option<Vec<usize>>, Stopped> {
    if solver.check(terms, conditions)? == Answer::Sat {
        return Ok(None);
    }
    let core = solver.core().to_vec();
    let core = solver.minimize_core(terms, &core)?;
    // Of a condition that the path repeats, the first occurrence.
    let mut positions: Vec<usize> =
        core.iter().filter_map(|t| conditions.iter().position(|condition| condition == t)).collect();
    positions.sort_unstable();
    positions.dedup();
    Ok(Some(positions))
}
