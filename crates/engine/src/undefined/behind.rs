//! What lies behind an invalid access.
//!
//! Where each violation has a verdict of its own, executions end at an invalid access all the same: C gives what comes behind it no meaning. If
//! one was found, and every path to another target leads through the access, nobody has looked at that target for the executions in which the access is
//! invalid. So it is not called true, but says behind what it was not checked.
//!
//! "Every path" is decided by the shape of the automata, as vacuity is ([`Reached`]): the target cannot be reached if executions end
//! at the access.

use super::named;
use crate::problem::Problem;
use crate::property::edge_of;
use crate::vacuous::Reached;
use robusto_cfa::ir::{EdgeId, Expr, FuncId, LocId, Op, Program, SrcPos};
use robusto_verdict::{Finding, Place, Reason, Report, Verdict, Violation};
use rustc_hash::FxHashSet;

/// Accesses that are tried alone, to name the one that a target lies behind.
const MOST: usize = 16;

/// Whether a finding is an invalid access that was found.
fn is_bad(finding: &&Finding) -> bool {
    matches!(finding.target.kind, Some(Violation::Deref | Violation::Free))
        && matches!(finding.verdict, Verdict::False(_))
}

/// The places of invalid accesses that were found.
pub(super) fn passed(report: &Report) -> Vec<SrcPos> {
    let bad = report.findings.iter().filter(is_bad).map(|finding| finding.target.pos);
    bad.map(|Place { file, column, line }| SrcPos { file, column, line }).collect()
}

/// Marks the targets that are true and lie behind an invalid access that was found; which of the findings these are.
pub(super) fn mark(problem: &Problem, report: &mut Report) -> Vec<usize> {
    let program = &problem.facts.program;
    let bad: Vec<&Finding> = report.findings.iter().filter(is_bad).collect();
    let (Some(main), false, true) = (program.main, bad.is_empty(), problem.each) else { return Vec::new() };
    let guards: Vec<FxHashSet<_>> = bad.iter().map(|finding| guards(program, edge_of(&finding.target))).collect();
    let all: FxHashSet<(FuncId, LocId)> = guards.iter().flatten().copied().collect();
    let nowhere = FxHashSet::default();
    let reached = |ends| Reached::from(main, &problem.facts, None, ends);
    let (without, with) = (reached(&nowhere), reached(&all));
    let alone: Vec<Reached<'_>> = guards.iter().take(MOST).map(reached).collect();
    let mut marked = Vec::new();
    for (number, finding) in report.findings.iter().enumerate() {
        let (function, edge) = edge_of(&finding.target);
        let loc = program.functions[function].edge(edge).src;
        if finding.verdict != Verdict::True || !without.comes_to(function, loc) || with.comes_to(function, loc) {
            continue;
        }
        let first = alone.iter().position(|reached| !reached.comes_to(function, loc)).unwrap_or(0);
        marked.push((number, named(program, bad[first])));
    }
    for (number, place) in &marked {
        report.findings[*number].verdict = Verdict::Unknown(Reason::Behind(place.clone()));
    }
    marked.into_iter().map(|(number, _)| number).collect()
}

/// The locations where it is decided whether executions come to an error edge: those before it, and of a call through a pointer all that
/// compare it.
fn guards(program: &Program, (function, edge): (FuncId, EdgeId)) -> FxHashSet<(FuncId, LocId)> {
    let body = &program.functions[function];
    let compares = |op: &Op| match *op {
        Op::Assume { cond, .. } => {
            program.exprs.operands(cond).any(|part| matches!(program.exprs.get(part), Expr::FuncAddr(_)))
        }
        _ => false,
    };
    let mut found = FxHashSet::default();
    let mut open = vec![(body.edge(edge).src, true)];
    while let Some((loc, is_error)) = open.pop() {
        for edge in body.edges().iter().filter(|edge| edge.dst == loc && (is_error || compares(&edge.op))) {
            if found.insert((function, edge.src)) && compares(&edge.op) {
                open.push((edge.src, false));
            }
        }
    }
    found
}
