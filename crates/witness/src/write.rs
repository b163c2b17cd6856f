//! Witnesses from reports.

use crate::format::{
    Claims, Content, Contract, Invariant, Location, Metadata, Segment, Version, Waypoint, WaypointKind, Witness,
};
use crate::index::{Branch, Call, Index, Shape, pos_of};
use robusto_cfa::ir::SrcPos;
use robusto_verdict::{Counterexample, Report, StepKind, Target, TraceLine, ValueKind, Verdict, Violation};
use sha2::{Digest as _, Sha256};
use std::collections::HashMap;
use std::fmt::Write as _;

/// Most branches that a witness lists; with more of them it lists the inputs only.
const MOST_BRANCHES: usize = 2000;

/// The witness of a report; none for `unknown`.
pub fn witness(report: &Report, index: &Index, file: &str, metadata: Metadata) -> Option<Witness> {
    let place = Place { index, file };
    let content = match &report.verdict {
        Verdict::Unknown(_) => return None,
        Verdict::True => {
            let is_known = metadata.format >= Version::V2_1;
            let contracts = if is_known { contracts(report, place) } else { Vec::new() };
            Content::Correctness(Claims { invariants: invariants(report, place), contracts, ..Claims::default() })
        }
        Verdict::False(_) => {
            let (target, cex) = report.findings.iter().find_map(|f| match &f.verdict {
                Verdict::False(cex) => Some((&f.target, cex)),
                _ => None,
            })?;
            Content::Violation(segments(target, cex, place, metadata.format)?)
        }
    };
    Some(Witness { metadata, content, beyond: None })
}

/// A file and its places.
#[derive(Clone, Copy)]
struct Place<'i> {
    index: &'i Index,
    file: &'i str,
}

impl Place<'_> {
    fn location(self, offset: usize, function: &str) -> Location {
        let (line, column) = self.index.place(offset);
        Location { file: self.file.to_owned(), line, column: Some(column), function: Some(function.to_owned()) }
    }
}

/// The invariants at the loops and statements that begin at their locations.
fn invariants(report: &Report, place: Place<'_>) -> Vec<Invariant> {
    let mut list = Vec::new();
    for invariant in &report.invariants {
        if !place.index.is_unambiguous(&invariant.expression, &invariant.function) {
            continue;
        }
        let said = |of_loop: bool, location| Invariant { of_loop, location, value: invariant.expression.clone() };
        let loops =
            place.index.loops_at(pos_of(invariant.pos)).map(|l| said(true, place.location(l.keyword, &l.function)));
        let before = list.len();
        list.extend(loops);
        if list.len() == before {
            // The head of a loop made of jumps, or of a `do`, whose invariants are those before its condition.
            let statement = place.index.statement_at(pos_of(invariant.pos));
            list.extend(statement.map(|s| said(false, place.location(s.inner, &s.function))));
        }
    }
    list
}

/// What functions ask and give, at their definitions.
fn contracts(report: &Report, place: Place<'_>) -> Vec<Contract> {
    let said = |contract: &robusto_verdict::Contract| {
        let body = place.index.bodies.iter().find(|body| body.function == contract.function)?;
        let clear = |value: &Option<String>| {
            value.clone().filter(|value| place.index.is_unambiguous(value, &contract.function))
        };
        let (requires, ensures) = (clear(&contract.requires), clear(&contract.ensures));
        let location = place.location(body.start, &body.function);
        (requires.is_some() || ensures.is_some()).then_some(Contract { location, requires, ensures })
    };
    report.contracts.iter().filter_map(said).collect()
}

fn segments(target: &Target, cex: &Counterexample, place: Place<'_>, format: Version) -> Option<Vec<Segment>> {
    let mut segments = Vec::new();
    let branches = branches(before_the_failed_check(target, &cex.trace), place);
    let mut inputs = cex.inputs.iter().filter(|i| i.external.is_none() && !i.unmodelled);
    for (i, step) in cex.trace.iter().enumerate() {
        if step.kind == StepKind::Input
            && let Some(input) = inputs.next()
            && let Some(call) = place.index.calls.iter().find(|c| c.pos == pos_of(step.pos))
            && let Some(constraint) = constraint(input.kind, &input.value)
        {
            let location = place.location(call.span.end - 1, &call.function);
            segments.push(follow(WaypointKind::FunctionReturn(Some(constraint)), location));
        }
        if format >= Version::V2_1
            && let Some(call) = entered(step, place)
        {
            segments.push(follow(WaypointKind::FunctionEnter, place.location(call.span.end - 1, &call.function)));
        }
        if let Some((value, location)) = uninitialised(&cex.trace[i..], place) {
            segments.push(follow(WaypointKind::Assumption(value), location));
        }
        // A macro may hold several branches, which all are where its name stands.
        let here = |b: &&Branch, other: &Branch| place.index.place(b.keyword) == place.index.place(other.keyword);
        let is_alone = |branch: &Branch| place.index.branches.iter().filter(|b| here(b, branch)).count() == 1;
        if let Some((branch, truth)) = branches.get(&i).filter(|(branch, _)| is_alone(branch)) {
            let location = place.location(branch.keyword, &branch.function);
            segments.push(follow(WaypointKind::Branching(truth.to_string()), location));
        }
    }
    let pos = pos_of(target.pos);
    let statement = place.index.statement_around(pos).or_else(|| place.index.last_before(pos))?;
    segments.push(follow(WaypointKind::Target, place.location(statement.inner, &statement.function)));
    Some(segments)
}

/// The call by which a step enters a function, if it is the only one in its place.
fn entered<'i>(step: &TraceLine, place: Place<'i>) -> Option<&'i Call> {
    let mut calls = place.index.calls.iter().filter(|c| c.pos == pos_of(step.pos) && step.kind == StepKind::Call);
    calls.next().filter(|_| calls.next().is_none())
}

/// What an uninitialised variable must be, before the statement that comes next in its function.
fn uninitialised(trace: &[TraceLine], place: Place<'_>) -> Option<(String, Location)> {
    let (step, rest) = trace.split_first()?;
    let (name, value) = step.change.as_ref().filter(|_| step.matters && step.kind == StepKind::Uninitialised)?;
    let is_name = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let number: i64 = value.parse().ok().filter(|_| is_name)?;
    let here = place.index.statement_around(pos_of(step.pos))?;
    let mut later = rest.iter().take_while(|s| s.depth >= step.depth).filter(|s| s.depth == step.depth);
    let next = later.find_map(|s| place.index.statement_around(pos_of(s.pos)).filter(|s| s.span != here.span))?;
    Some((format!("{name} == {number}"), place.location(next.inner, &next.function)))
}

fn follow(kind: WaypointKind, location: Location) -> Segment {
    Segment { avoid: Vec::new(), follow: Waypoint { kind, location } }
}

/// `\result == value`; none for what C cannot write.
fn constraint(kind: ValueKind, value: &str) -> Option<String> {
    // A `long double` that no double holds has no literal that every reader takes.
    if matches!(kind, ValueKind::Float | ValueKind::Double | ValueKind::LongDouble) {
        let number: f64 = value.parse().ok()?;
        return number.is_finite().then(|| format!("\\result == {number:?}"));
    }
    let text = match value {
        // There is no literal for the least number.
        "-2147483648" => "(-2147483647 - 1)",
        "-9223372036854775808" => "(-9223372036854775807LL - 1)",
        other => other,
    };
    Some(format!("\\result == {text}"))
}

/// The steps without the one that finds that an operation is not allowed: where a condition holds it, the condition has no value.
fn before_the_failed_check<'t>(target: &Target, trace: &'t [TraceLine]) -> &'t [TraceLine] {
    let is_step = matches!(target.kind, Some(Violation::ErrorCall | Violation::Assertion | Violation::Label) | None);
    let check = trace.iter().rposition(|step| matches!(step.kind, StepKind::Branch(_))).filter(|_| !is_step);
    &trace[..check.unwrap_or(trace.len())]
}

/// The decisions of `if`s and loops, by the step of the trace that completes them.
fn branches<'i>(trace: &[TraceLine], place: Place<'i>) -> HashMap<usize, (&'i Branch, bool)> {
    let mut first: HashMap<SrcPos, &Branch> = HashMap::new();
    for branch in &place.index.branches {
        if let Some(shape) = &branch.shape {
            first.insert(shape.first(), branch);
        }
    }
    let mut found = HashMap::new();
    for (i, step) in trace.iter().enumerate() {
        let (StepKind::Branch(_), Some(branch)) = (step.kind, first.get(&pos_of(step.pos))) else { continue };
        let Some(shape) = &branch.shape else { continue };
        let mut leaves = trace[i..]
            .iter()
            .enumerate()
            .take_while(|(_, s)| s.depth >= step.depth)
            .filter(|(_, s)| s.depth == step.depth)
            .filter_map(|(j, s)| match s.kind {
                StepKind::Branch(truth) => Some((i + j, pos_of(s.pos), truth)),
                _ => None,
            });
        let mut last = i;
        if let Some(truth) = shape.decide(&mut leaves, &mut last) {
            found.insert(last, (*branch, truth));
        }
        if found.len() > MOST_BRANCHES {
            return HashMap::new();
        }
    }
    found
}

impl Shape {
    fn first(&self) -> SrcPos {
        match self {
            Shape::Leaf(pos) => *pos,
            Shape::Not(inner) | Shape::And(inner, _) | Shape::Or(inner, _) => inner.first(),
        }
    }

    /// The value of the condition, from the branches that were taken for its leaves.
    fn decide(&self, leaves: &mut impl Iterator<Item = (usize, SrcPos, bool)>, last: &mut usize) -> Option<bool> {
        match self {
            Shape::Leaf(pos) => {
                let (at, found, truth) = leaves.next()?;
                *last = at;
                (found == *pos).then_some(truth)
            }
            Shape::Not(inner) => inner.decide(leaves, last).map(|truth| !truth),
            Shape::And(a, b) => {
                if a.decide(leaves, last)? {
                    b.decide(leaves, last)
                } else {
                    Some(false)
                }
            }
            Shape::Or(a, b) => {
                if a.decide(leaves, last)? {
                    Some(true)
                } else {
                    b.decide(leaves, last)
                }
            }
        }
    }
}

/// The SHA-256 of a file in hexadecimal digits.
pub fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// A UUID (RFC 9562, version 8) from whatever makes the witness unique.
pub fn uuid(seed: &str) -> String {
    let mut hex: Vec<char> = hash(seed.as_bytes()).chars().take(32).collect();
    hex[12] = '8';
    hex[16] = 'a';
    let part = |range: std::ops::Range<usize>| hex[range].iter().collect::<String>();
    format!("{}-{}-{}-{}-{}", part(0..8), part(8..12), part(12..16), part(16..20), part(20..32))
}
