//! Accesses that a `true` takes to be valid.
//!
//! Where accesses are not checked, an execution ends at its first invalid one, and a `true` says nothing of what lies
//! behind. So it tells how many accesses were not shown to be valid: neither by the form of their addresses, nor by an
//! access that dominates them, nor by the bounds of their indices.

use super::access::Verdict;
use super::{Accesses, available};
use crate::problem::Problem;
use crate::property::place;
use robusto_domains::machine::assume;
use robusto_limits::Limits;
use robusto_verdict::{Assumption, Place, Report};

/// So many places are named.
const NAMED: usize = 3;

/// Adds the accesses that were not shown to be valid to a report's assumptions.
pub fn tell(problem: &Problem, report: &mut Report, limits: &Limits) {
    if !matches!(report.verdict, robusto_verdict::Verdict::True) || problem.accesses.all > 0 {
        return;
    }
    let mut program = problem.facts.program.clone();
    let intervals = problem.intervals(limits);
    let mut counted = Accesses::default();
    let mut places: Vec<Place> = Vec::new();
    let mut open = 0;
    for id in problem.facts.program.functions.ids().filter(|&id| problem.facts.calls.is_reachable(id)) {
        for (loc, demands) in available::checks(&mut program, id, &mut counted) {
            for demand in demands {
                let state = intervals.and_then(|known| known.state(id, loc));
                let is_shown = match (demand.conditions(&mut program), state) {
                    (Verdict::Valid, _) => true,
                    // No execution comes there.
                    (_, None) if intervals.is_some() => true,
                    (Verdict::Where(conditions), Some(state)) => {
                        conditions.iter().all(|&cond| assume(&program.exprs, state, cond, false).is_none())
                    }
                    _ => false,
                };
                if !is_shown {
                    open += 1;
                    places.extend(program.functions[id].out(loc).next().map(|(_, edge)| place(edge.pos)));
                }
            }
        }
    }
    places.sort_unstable_by_key(|at| (at.file, at.line, at.column));
    places.dedup();
    for (i, &pos) in places.iter().take(NAMED).enumerate() {
        let text = match i {
            0 => format!(
                "{open} of {} accesses to memory are valid; `--property memory` checks them; the first is here",
                counted.all
            ),
            _ => "another access that is taken to be valid".to_owned(),
        };
        report.assumptions.push(Assumption { text: text.into(), pos });
    }
}
