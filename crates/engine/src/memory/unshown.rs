//! Accesses that a `true` takes to be valid.
//!
//! Where accesses are not checked, an execution ends at its first invalid one, and a `true` says nothing of what lies
//! behind. So it tells how many accesses were not shown to be valid: neither by the form of their addresses, nor by an
//! access that dominates them, nor by where pointers point and the bounds of indices.

use super::{Accesses, checks};
use crate::problem::Problem;
use crate::property::place;
use robusto_verdict::{Assumption, Place, Report};

/// So many places are named.
const NAMED: usize = 3;

/// Tells in a report how many accesses were shown to be valid before the engines ran; of a `true` that did not ask for them, which
/// were not, among the assumptions.
pub fn tell(problem: &Problem, report: &mut Report) {
    report.valid_accesses = problem.accesses.valid();
    if !matches!(report.verdict, robusto_verdict::Verdict::True) || problem.accesses.all() > 0 {
        return;
    }
    let mut program = problem.facts.program.clone();
    let called = program.functions.ids().filter(|&id| problem.facts.calls.is_reachable(id)).collect::<Vec<_>>();
    let mut counted = Accesses::default();
    let mut places: Vec<Place> = Vec::new();
    for (id, checks) in checks(&mut program, &called, &mut counted) {
        for (loc, _) in checks {
            places.extend(program.functions[id].out(loc).next().map(|(_, edge)| place(edge.pos)));
        }
    }
    places.sort_unstable_by_key(|at| (at.file, at.line, at.column));
    places.dedup();
    for (i, &pos) in places.iter().take(NAMED).enumerate() {
        let text = match i {
            0 => format!(
                "{} of {} accesses to memory are valid; `--property memory` checks them; the first is here",
                counted.checked,
                counted.all()
            ),
            _ => "another access that is taken to be valid".to_owned(),
        };
        report.assumptions.push(Assumption { text: text.into(), pos });
    }
}
