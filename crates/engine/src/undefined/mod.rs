//! What a `true` says nothing about: executions that leave the rules of C.
//!
//! Under a property that does not ask about memory, an execution ends at its first invalid access, and nothing behind it is looked at. The
//! accesses that were not shown to be valid are targets of the second rank. They are asked about once the asked property is proved, in
//! a problem of their own (`Unasked::Error`): a few executions with chosen inputs, then unrolling to a small bound, for no longer than the proof has taken.
//! So they never cost the asked property its answer. An execution that is found there was replayed as any other; a `true` then becomes
//! `unknown(undefined behaviour: …)`, unless such executions are asked to count as ended.
//!
//! Where each violation has a verdict of its own, what every path reaches through an invalid access that was found is not true (`behind`). It is looked
//! for in executions that go on there as machines do (`memory::passed`), and a violation that is found says behind what.
//!
//! A `true` is *vacuous* if every execution ends at an invalid access. That is asked where one of the first executions ends so and none as programs do: whether,
//! with invalid accesses as the only harmless end (`Unasked::OnlyEnd`), any other can be reached. Only complete unrolling may answer with no: an
//! execution without end must not count.

mod behind;

use crate::bmc::{self, Options};
use crate::memory;
use crate::problem::{Problem, Unasked};
use crate::test;
use robusto_cfa::ir::Program;
use robusto_limits::{Limits, Progress};
use robusto_verdict::{Finding, Place, Property, Reason, Report, Target, Vacuity, Verdict, Violation};
use std::time::Duration;

/// What an execution that leaves the rules of C means for a `true`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Undefined {
    /// Behind it anything may happen: there is no answer.
    Unknown,
    /// It ends there, and has violated nothing.
    Ends,
}

/// How accesses are looked at that nothing was asked about.
#[derive(Clone, Copy, Debug)]
pub struct Look<'l> {
    /// What is said of what is found.
    pub undefined: Undefined,
    /// How long the answer has taken.
    pub spent: Duration,
    /// What may be spent.
    pub limits: &'l Limits,
}

/// Time for unrolling if the answer has taken less.
const LEAST: Duration = Duration::from_secs(1);

/// The same where it only decides whether a `true` is called vacuous: a share of what the answer has taken, and so much.
const VACUITY: (u32, Duration) = (10, Duration::from_millis(200));

/// How far loops are unrolled for accesses that nothing was asked about. What the first iterations do not show, an execution of the first
/// seconds seldom does.
const BOUND: u32 = 8;

/// Tells in a report how many accesses were shown to be valid before the engines ran, and marks what lies behind an invalid one.
pub fn mark(problem: &Problem, report: &mut Report) {
    report.valid_accesses = problem.accesses.valid();
    behind::mark(problem, report);
}

/// Of what is true although nobody asked about all accesses:
/// says how many were not shown to be valid, looks for an execution that makes one of them invalid, and whether all do.
pub fn look(problem: &Problem, program: Program, property: &Property, look: &Look<'_>, report: &mut Report) {
    report.valid_accesses = problem.accesses.valid();
    let marked = behind::mark(problem, report);
    if !marked.is_empty() {
        search_behind(&program, property, &marked, look, report);
    }
    let asked = property.counts(Violation::Deref) && property.counts(Violation::Free);
    if asked || !Report::proves(&report.verdict, &report.findings) || problem.facts.program.main.is_none() {
        return;
    }
    let beside = Problem::beside(program.clone(), property, Unasked::Error);
    if beside.unshown.is_empty() {
        return;
    }
    memory::tell(&beside.unshown, report);
    if !beside.targets.iter().any(Target::is_violation) {
        return;
    }
    let enough: fn(&test::Glance) -> bool = match look.undefined {
        Undefined::Unknown => |glance| glance.found.is_some(),
        Undefined::Ends => |glance| glance.ended,
    };
    let glance = test::glance(&beside, enough, look.limits);
    if look.undefined == Undefined::Unknown
        && let Some(found) = glance.found.clone().or_else(|| unroll(&beside, look))
    {
        return doubt(&beside.facts.program, found, report);
    }
    if let Some(found) = glance.found.filter(|_| !glance.ended && report.verdict == Verdict::True)
        && nothing_else_ends(program, property, look)
    {
        report.vacuous = Some(Vacuity::Undefined(of_user(&beside.facts.program, &found)));
    }
}

/// An execution that makes an access invalid, if one is found quickly.
fn unroll(beside: &Problem, look: &Look<'_>) -> Option<Finding> {
    let found = unroll_all(beside, look);
    found.into_iter().find(|f| f.target.is_violation() && matches!(f.verdict, Verdict::False(_)))
}

/// What a short unrolling says of the targets of a problem.
fn unroll_all(problem: &Problem, look: &Look<'_>) -> Vec<Finding> {
    let limits = look.limits.within(look.spent.max(LEAST));
    let options = Options { max_bound: Some(BOUND), ..Options::default() };
    bmc::check(problem, &options, &limits, &Progress::default()).findings
}

/// Looks for violations of targets that lie behind invalid accesses, in executions that go on there.
fn search_behind(program: &Program, property: &Property, marked: &[usize], look: &Look<'_>, report: &mut Report) {
    let passed = behind::passed(report);
    let mut problem = Problem::passing(program.clone(), property, &passed);
    let wanted: Vec<Target> = marked.iter().map(|&number| report.findings[number].target.clone()).collect();
    let same = |a: &Target, b: &Target| (a.kind, &a.name, a.pos) == (b.kind, &b.name, b.pos);
    problem.targets.retain(|target| wanted.iter().any(|wanted| same(wanted, target)));
    for found in unroll_all(&problem, look) {
        let of_report = marked.iter().find(|&&number| same(&report.findings[number].target, &found.target));
        if let (Some(&number), Verdict::False(_)) = (of_report, &found.verdict) {
            let finding = &mut report.findings[number];
            if let Verdict::Unknown(Reason::Behind(place)) = &finding.verdict {
                finding.target.name += &format!(" behind {place}");
            }
            finding.verdict = found.verdict;
        }
    }
}

/// Whether no execution comes to an end of the program other than an invalid access, and none goes on for ever.
fn nothing_else_ends(program: Program, property: &Property, look: &Look<'_>) -> bool {
    let (share, least) = VACUITY;
    let limits = look.limits.within((look.spent / share).max(least));
    let problem = Problem::beside(program, property, Unasked::OnlyEnd);
    let options = Options { traces: false, ..Options::default() };
    bmc::check(&problem, &options, &limits, &Progress::default()).verdict == Verdict::True
}

/// What was true is so no longer: an execution leaves the rules of C.
fn doubt(program: &Program, found: Finding, report: &mut Report) {
    let what = match found.target.kind {
        Some(Violation::Free) => "invalid free",
        _ => "invalid access",
    };
    let unknown = Verdict::Unknown(Reason::Undefined(format!("{what} at {}", named(program, &found))));
    let of_property = report.findings.iter_mut().filter(|f| f.target.is_violation());
    let verdicts = of_property.map(|f| &mut f.verdict).chain([&mut report.verdict]);
    verdicts.filter(|verdict| **verdict == Verdict::True).for_each(|verdict| *verdict = unknown.clone());
    report.vacuous = None;
    report.undefined = Some(found);
}

/// `a.c:3`, the place of an access for the user.
fn named(program: &Program, found: &Finding) -> String {
    let Place { file, line, .. } = of_user(program, found);
    let file = program.files.get(usize::from(file)).map_or("", |file| file);
    format!("{file}:{line}")
}

/// Where the access is for the user: inside of the model of a library function, at the call that led there.
fn of_user(program: &Program, found: &Finding) -> Place {
    let own = |pos: &Place| program.files.get(usize::from(pos.file)).is_some_and(|file| !file.starts_with('<'));
    let Verdict::False(cex) = &found.verdict else { return found.target.pos };
    let mut steps = cex.trace.iter().rev().map(|step| step.pos);
    Some(found.target.pos).filter(own).or_else(|| steps.find(own)).unwrap_or(found.target.pos)
}
