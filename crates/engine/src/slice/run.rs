//! The slice first, then the program beside it.

use super::beside::{self, Side};
use super::{Left, Refused};
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

/// Checks the slice of a problem, if it is much smaller, and after a while the problem itself beside it.
pub fn run(job: &Job<'_>, check: impl Fn(&Job<'_>) -> Report + Sync) -> Report {
    let tell = |text: &str| job.outputs.explanation.iter().for_each(|tell| tell(text));
    if job.values.text(&SLICE) == Some("none") {
        return check(job);
    }
    let (slice, left) = match worthwhile(job.problem) {
        Ok(found) => found,
        Err(why) => {
            tell(&format!("no slice: {why}"));
            return check(job);
        }
    };
    tell(&format!("slice: {left}"));
    let (side, report) = beside::check(job, slice, &check);
    if matches!(report.verdict, Verdict::True | Verdict::False(_)) {
        tell(&format!("decided: on {side}"));
    }
    match side {
        Side::Slice => lifted(job.problem, slice, Report { counters: with(report.counters, left), ..report }),
        Side::Program => report,
    }
}

/// The slice, if it leaves out enough.
fn worthwhile(problem: &Problem) -> Result<(&Problem, Left), Refused> {
    if problem.each {
        return Err(Refused::ManyVerdicts);
    }
    let facts = &problem.facts;
    let functions = facts.program.functions.enumerate().filter(|(id, _)| facts.calls.is_reachable(*id));
    let edges = functions.map(|(_, function)| function.edges().len()).sum::<usize>();
    if edges < SMALL {
        return Err(Refused::Small { edges, least: SMALL });
    }
    let slice = problem.slice().map_err(Clone::clone)?;
    let left = slice.whole().expect("a slice is one of a program").left;
    let is_smaller = left.edges.1 * 100 <= left.edges.0 * MOST;
    let is_lifted = left.accesses.1 * LIFTED <= left.accesses.0 && left.accesses.0 * LIFTED >= left.edges.0;
    if is_smaller || is_lifted { Ok((slice, left)) } else { Err(Refused::Large(left)) }
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
pub(crate) fn lifted(problem: &Problem, slice: &Problem, report: Report) -> Report {
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
    Report { findings, certificate, vacuous, invariants, contracts: Vec::new(), ..report }
}
