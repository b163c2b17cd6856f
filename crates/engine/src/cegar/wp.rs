//! Predicates from one infeasible path: weakest preconditions, sliced by an unsatisfiable core.
//!
//! Of the conditions along the path, a minimal unsatisfiable set is kept. Seen from any position on the path, the
//! conditions of that set behind it, pulled back to the position by weakest preconditions, contradict what holds there;
//! their atoms are the predicates that tell so. (Weakest preconditions of the sliced path as interpolants: McMillan's
//! conditions hold with the conjunction of what lies behind as B.) Positions where what lies behind is unsatisfiable by
//! itself need no predicates.
//!
//! A condition that depends on a choice made between the position and the condition has no precondition without
//! quantifiers and is left out; the caller notices if what remains is too weak.

use super::path::PathStep;
use robusto_analyses::symbolic::Encoder;
use robusto_limits::Stopped;
use robusto_logic::craig::sliced;
use robusto_logic::{Answer, Solver, Term};

/// For each boundary between blocks (the end of block 0, of block 1, …) the predicates there; `None` if the path is feasible. The
/// solver should know nothing: one path is small, and among the formulas of whole blocks its questions would take far longer.
pub fn predicates(
    encoder: &mut Encoder<'_>,
    mut solver: Solver,
    steps: &[PathStep],
    boundaries: usize,
) -> Result<Option<Vec<Vec<Term>>>, Stopped> {
    let core = core(encoder, &mut solver, steps)?;
    let mut found = vec![Vec::new(); boundaries];
    let Some(&last) = core.last() else { return Ok(None) };
    // The effect of each step by itself.
    let mut effects = Vec::with_capacity(last + 1);
    let mut at = encoder.initial();
    for step in &steps[..=last] {
        let start = encoder.identity(&at);
        match encoder.step(&start, step.step)? {
            Some(effect) => {
                at = encoder.identity(&effect);
                effects.push(Some(effect));
            }
            None => effects.push(None),
        }
    }
    let mut behind: Vec<Term> = Vec::new();
    for k in (0..=last).rev() {
        let Some(effect) = &effects[k] else { continue };
        let mut pulled: Vec<Term> = Vec::new();
        for term in std::mem::take(&mut behind) {
            let before = encoder.apply(effect, term);
            if !encoder.has_choices(before) {
                pulled.push(before);
            }
        }
        if core.binary_search(&k).is_ok() && !encoder.has_choices(effect.guard) {
            pulled.push(effect.guard);
        }
        pulled.sort_unstable();
        pulled.dedup();
        behind = pulled;
        // The first step of a block stands right behind a boundary.
        if k > 0 && steps[k - 1].block != steps[k].block {
            let assumptions: Vec<Term> = behind.clone();
            if solver.check(&mut encoder.terms, &assumptions)? == Answer::Unsat {
                break;
            }
            let mut atoms: Vec<Term> = behind.iter().flat_map(|&t| encoder.terms.atoms(t)).collect();
            atoms.retain(|&t| encoder.terms.as_const(t).is_none());
            atoms.sort_unstable();
            atoms.dedup();
            found[steps[k - 1].block] = atoms;
        }
    }
    Ok(Some(found))
}

/// The positions of the steps whose conditions make the path infeasible, ascending; none if it is feasible.
pub fn core(encoder: &mut Encoder<'_>, solver: &mut Solver, steps: &[PathStep]) -> Result<Vec<usize>, Stopped> {
    let mut at = encoder.initial();
    let yes = encoder.terms.truth(true);
    let mut conditions: Vec<(usize, Term)> = Vec::new();
    for (k, step) in steps.iter().enumerate() {
        let Some(mut next) = encoder.step(&at, step.step)? else { return Ok(vec![k]) };
        if next.guard != yes {
            conditions.push((k, next.guard));
            next.guard = yes;
        }
        at = next;
    }
    let terms: Vec<Term> = conditions.iter().map(|&(_, t)| t).collect();
    let positions = sliced(solver, &mut encoder.terms, &terms)?;
    Ok(positions.unwrap_or_default().into_iter().map(|i| conditions[i].0).collect())
}
