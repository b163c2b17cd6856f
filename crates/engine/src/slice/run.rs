//! The slice first, then the program.

use super::Left;
use crate::problem::Problem;
use crate::property::edge_of;
use crate::registry::{Job, Kind, Opt};
use robusto_cfa::ir::Idx as _;
use robusto_verdict::{Certificate, EdgeNumber, Finding, Report, Verdict};

/// Whether to check the part of the program first that the property depends on.
pub static SLICE: Opt = Opt {
    name: "slice",
    help: "which part of the program is checked first",
    kind: Kind::Choice {
        value: "PART",
        list: &[("dependence", "What the property depends on"), ("none", "All of it")],
    },
};

/// A program with fewer edges is not worth the trouble.
const SMALL: usize = 100;

/// Percent of the edges that may be left for a slice to count.
const MOST: usize = 80;

/// A slice counts as well if memory is accessed by one of so many edges, and by so many times fewer in the slice.
const LIFTED: usize = 4;

/// What the slice gets of the time that is left, in percent; the rest is for the program, should the slice not be enough. With 80,
/// `ddv_machzwd_inl` took 18.5 of 20 s: its slice is harder than the program, which takes 2.5 s.
const SHARE: u32 = 50;

/// Checks the slice of a problem, if it is much smaller, and the problem itself if that gives no answer.
pub fn run(job: &Job<'_>, check: impl Fn(&Job<'_>) -> Report) -> Report {
    let Some((slice, left)) = worthwhile(job) else { return check(job) };
    let tell = |text: &str| job.outputs.explanation.iter().for_each(|tell| tell(text));
    tell(&format!("slice: {left}"));
    let limits = match job.limits.remaining() {
        Some(time) => job.limits.within(time * SHARE / 100),
        None => job.limits.clone(),
    };
    let mut certify = job.certify;
    certify.limits = &limits;
    let report = check(&Job { problem: slice, limits: &limits, certify, ..*job });
    let report = Report { counters: with(report.counters, left), ..report };
    match report.verdict {
        Verdict::True | Verdict::False(_) => lifted(job.problem, slice, report),
        Verdict::Unknown(ref reason) if job.limits.reached().is_some() => {
            tell(&format!("slice: {reason}"));
            lifted(job.problem, slice, report)
        }
        Verdict::Unknown(reason) => {
            tell(&format!("slice: {reason}; now the whole program"));
            check(job)
        }
    }
}

/// The slice, if slicing is asked for and leaves out enough.
fn worthwhile<'j>(job: &Job<'j>) -> Option<(&'j Problem, Left)> {
    if job.values.text(&SLICE) == Some("none") || job.problem.each {
        return None;
    }
    let facts = &job.problem.facts;
    let edges = facts.program.functions.enumerate().filter(|(id, _)| facts.calls.is_reachable(*id));
    if edges.map(|(_, function)| function.edges().len()).sum::<usize>() < SMALL {
        return None;
    }
    let slice = job.problem.slice()?;
    let left = slice.whole()?.left;
    let is_smaller = left.edges.1 * 100 <= left.edges.0 * MOST;
    let is_lifted = left.accesses.1 * LIFTED <= left.accesses.0 && left.accesses.0 * LIFTED >= left.edges.0;
    (is_smaller || is_lifted).then_some((slice, left))
}

fn with(mut counters: Vec<(&'static str, String)>, left: Left) -> Vec<(&'static str, String)> {
    let Left { edges, functions, vars, accesses } = left;
    counters.push(("edges of the slice", format!("{} of {}", edges.1, edges.0)));
    counters.push(("functions of the slice", format!("{} of {}", functions.1, functions.0)));
    counters.push(("variables of the slice", format!("{} of {}", vars.1, vars.0)));
    counters.push(("memory accesses of the slice", format!("{} of {}", accesses.1, accesses.0)));
    counters
}

/// What was found of the slice, said of the program. Counterexamples are executions of the program already.
fn lifted(problem: &Problem, slice: &Problem, report: Report) -> Report {
    let Some(whole) = slice.whole() else { return report };
    let lift = |finding: Finding| {
        let (function, edge) = edge_of(&finding.target);
        let edge = whole.origin.edge(function, edge).index() as u32;
        let number = EdgeNumber { function: function.index() as u32, edge };
        let target = problem.targets.iter().find(|target| target.edge == number).cloned();
        Finding { target: target.unwrap_or(finding.target), ..finding }
    };
    let mut findings: Vec<Finding> = report.findings.into_iter().map(lift).collect();
    if report.verdict == Verdict::True {
        // The targets that the slice has not are those that nothing leads to.
        findings =
            problem.targets.iter().map(|target| Finding { target: target.clone(), verdict: Verdict::True }).collect();
    }
    let vacuous = report.vacuous.and_then(|_| problem.vacuity());
    let certificate = report.certificate.map(|inner| Certificate::Sliced(Box::new(inner)));
    // A call of another function may be left out, and lifted memory has no name in C.
    let main = problem.facts.program.main.map(|main| &*problem.facts.program.functions[main].name);
    let mut invariants = report.invariants;
    invariants.retain(|invariant| Some(&*invariant.function) == main && !invariant.expression.contains('@'));
    Report { findings, certificate, vacuous, invariants, ..report }
}
