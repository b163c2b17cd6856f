//! The check of certificates: is this really why the property holds?
//!
//! | certificate | what is checked |
//! |---|---|
//! | vacuous | there is no error edge |
//! | invariant | `invariant`: initiation, consecution along all paths between entries, no violation |
//! | unrolled | `unrolled`: the program unrolled to the bound has no violation, and nothing lies beyond |
//! | inductive | `unrolled`: base and step case, and `invariant` for the invariants that the step case uses |
//! | accelerated | `accelerated`: the closed forms by induction, then the program as for unrolled |
//! | summaries | `summaries`: each procedure by itself, calls by what the called procedure demands and grants |
//! | sliced | `slice`: the slice, made anew, has all of the program's violations; then its own certificate |
//! | parts | each part for the error edges that it lists, and that every error edge is in a list |
//!
//! What the check trusts: the automaton; which steps leave a control state ([`robusto_cpa::control`]); the encoding of
//! single steps as terms ([`robusto_analyses::symbolic`], whose meaning is tested against the interpreter); the solver; for
//! unrolled programs the translation `unroll`. It shares nothing else with the engines: no abstraction, no
//! decision diagram, no graph, no interval, no cache. Encoder and solver are new.
//!
//! A certificate can be right and its check too expensive; that is [`Failure::Incomplete`], which says nothing against
//! the verdict.

pub(crate) mod accelerated;
mod invariant;
mod obligation;
mod polynomial;
mod prover;
mod settle;
pub(crate) mod slice;
mod summaries;
mod unrolled;
mod walk;

pub use robusto_verdict::certify::{Failure, Policy, Statistics};
pub use settle::{Conditions, settle};

use crate::certificate::error_edge;
use crate::problem::Problem;
use crate::slice::Refused;
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::Idx as _;
use robusto_cpa::control::Location;
use robusto_limits::Limits;
use robusto_verdict::certificate::Part;
use robusto_verdict::{Certificate, Target};

/// Checks a certificate of all targets.
pub fn check(problem: &Problem, certificate: &Certificate, limits: &Limits) -> Result<Statistics, Failure> {
    check_targets(problem, certificate, &problem.targets, limits)
}

/// Checks a certificate of some targets.
pub(crate) fn check_targets(
    problem: &Problem,
    certificate: &Certificate,
    targets: &[Target],
    limits: &Limits,
) -> Result<Statistics, Failure> {
    let program = &problem.facts.program;
    if program.main.is_none() {
        return Err(Failure::Refuted("the program has no main".to_owned()));
    }
    match certificate {
        Certificate::Vacuous if problem.targets.is_empty() => Ok(Statistics { checks: 1, calls: 0 }),
        Certificate::Vacuous => {
            Err(Failure::Refuted("the program has error edges, or steps that are not modelled".to_owned()))
        }
        Certificate::Invariant(entries) => invariant::check(problem, entries, walk::Goal::Safety(targets), limits),
        Certificate::Unrolled { bound } => unrolled::complete(problem, *bound, targets, limits),
        Certificate::Accelerated { bound, loops } => accelerated::check(problem, *bound, loops, targets, limits),
        Certificate::Inductive { k, invariants } => {
            let auxiliary = invariant::check(problem, invariants, walk::Goal::Induction, limits)?;
            let rest = unrolled::inductive(problem, *k, invariants, targets, limits)?;
            Ok(auxiliary + rest)
        }
        Certificate::Summaries { procedures, entries } => {
            summaries::check(problem, procedures, entries, targets, limits)
        }
        Certificate::Sliced(inner) => {
            let none = |why: &Refused| Failure::Refuted(format!("the program has no slice: {why}"));
            let slice = problem.slice().map_err(none)?;
            // What can be violated in the slice is what can be in the program; all of it is excluded.
            check_targets(slice, inner, &slice.targets, limits)
        }
        Certificate::Parts(parts) => {
            let of = |part: &Part| -> Vec<Target> {
                targets.iter().filter(|t| part.errors.contains(&error_edge(program, t))).cloned().collect()
            };
            let is_covered = |target: &&Target| parts.iter().any(|part| of(part).contains(target));
            if let Some(open) = targets.iter().find(|t| !is_covered(t)) {
                let (function, edge) = error_edge(program, open);
                return Err(Failure::Refuted(format!("no part is about the error edge {edge} of `{function}`")));
            }
            parts.iter().try_fold(Statistics::default(), |sum, part| {
                Ok(sum + check_targets(problem, &part.certificate, &of(part), limits)?)
            })
        }
    }
}

/// A place in the automaton, for people.
fn place(facts: &Facts, at: Location) -> String {
    let function = &facts.program.functions[at.function];
    let line = function.out(at.loc).map(|(_, edge)| edge.pos.line).find(|&line| line > 0);
    let line = line.map(|line| format!(" (line {line})")).unwrap_or_default();
    format!("{} L{}{line}", function.name, at.loc.index())
}
