//! The outcome of a run as the page's scripts read it. Nobody else does: programs read `--json`.

use super::drawing::{self, Drawing};
use super::steps::{self, Execution};
use super::{Page, walk};
use robusto_cfa::draw::NodeId;
use robusto_cfa::ir::Idx as _;
use robusto_verdict::{Certification, Place, Report, Verdict};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// A place: number of the file, line, column.
#[derive(Clone, Copy, Serialize)]
pub struct Spot(u16, u32, u16);

impl Spot {
    /// The place, if it is one.
    pub fn of(pos: Place) -> Option<Self> {
        (pos.line > 0).then_some(Self(pos.file, pos.line, pos.column))
    }
}

#[derive(Serialize)]
pub struct Document<'r> {
    version: &'r str,
    command: &'r [String],
    inputs: &'r [String],
    model: Option<&'r str>,
    analysis: &'r str,
    property: String,
    /// Whether each violation is a property of its own.
    many: bool,
    verdict: &'static str,
    reason: Option<String>,
    result: String,
    expected: Option<bool>,
    seconds: f64,
    memory: Option<u64>,
    /// Why a `true` says little.
    vacuous: Option<String>,
    certification: Option<Certified<'r>>,
    refuted: Vec<(&'r str, &'r str)>,
    files: BTreeMap<u16, File<'r>>,
    findings: Vec<Found<'r>>,
    assumptions: Vec<Remark<'r>>,
    approximations: Vec<Remark<'r>>,
    invariants: Vec<Invariant<'r>>,
    turns: Vec<Turn<'r>>,
    phases: Vec<(&'r str, f64)>,
    counters: Vec<(&'r str, &'r str)>,
    globals: Vec<(&'r str, &'r str)>,
    automata: Vec<Drawing>,
    graph: Option<Drawing>,
}

#[derive(Serialize)]
struct Certified<'r> {
    yes: bool,
    checks: Option<u64>,
    seconds: Option<f64>,
    reason: Option<&'r str>,
}

#[derive(Serialize)]
struct File<'r> {
    name: &'r str,
    /// The lines; none if nobody knows them.
    text: Option<String>,
}

#[derive(Serialize)]
struct Found<'r> {
    name: &'r str,
    property: String,
    at: Option<Spot>,
    verdict: &'static str,
    reason: Option<String>,
    execution: Option<Execution<'r>>,
}

#[derive(Serialize)]
struct Remark<'r> {
    text: &'r str,
    at: Option<Spot>,
}

#[derive(Serialize)]
struct Invariant<'r> {
    at: Option<Spot>,
    #[serde(rename = "fn")]
    function: &'r str,
    of_loop: bool,
    text: &'r str,
}

#[derive(Serialize)]
struct Turn<'r> {
    lane: usize,
    engine: &'r str,
    of_slice: bool,
    start: f64,
    end: f64,
    outcome: &'r str,
    decided: bool,
}

/// A verdict in a word.
pub fn word(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::True => "true",
        Verdict::False(_) => "false",
        Verdict::Unknown(_) => "unknown",
    }
}

fn reason(verdict: &Verdict) -> Option<String> {
    match verdict {
        Verdict::Unknown(reason) => Some(reason.to_string()),
        Verdict::True | Verdict::False(_) => None,
    }
}

/// Everything that the page shows.
pub fn document<'r>(page: &Page<'r>) -> Document<'r> {
    let Page { report, info, property, sources, pictures } = *page;
    let mut findings: Vec<Found<'r>> = report
        .findings
        .iter()
        .chain(&report.undefined)
        .map(|finding| Found {
            name: &finding.target.name,
            property: finding.target.property(),
            at: Spot::of(finding.target.pos),
            verdict: word(&finding.verdict),
            reason: reason(&finding.verdict),
            execution: match &finding.verdict {
                Verdict::False(cex) => Some(steps::execution(cex, &finding.target)),
                Verdict::True | Verdict::Unknown(_) => None,
            },
        })
        .collect();
    let graph = reachability(page, &mut findings);
    let remark = |text: &'r str, pos: Place| Remark { text, at: Spot::of(pos) };
    Document {
        version: &info.version,
        command: &info.command,
        inputs: &info.input_files,
        model: info.data_model.as_deref(),
        analysis: &info.analysis,
        property: property.to_string(),
        many: property.has_many_verdicts(),
        verdict: word(&report.verdict),
        reason: reason(&report.verdict),
        result: crate::result_line(report, property),
        expected: info.expected,
        seconds: info.seconds,
        memory: info.peak_memory,
        vacuous: report
            .vacuous
            .filter(|_| report.verdict == Verdict::True)
            .map(|why| crate::text::vacuous(why, property, sources)),
        certification: certified(report),
        refuted: report.refuted.iter().map(|r| (r.engine.as_str(), r.what.as_str())).collect(),
        files: files(page),
        findings,
        assumptions: report.assumptions.iter().map(|a| remark(&a.text, a.pos)).collect(),
        approximations: report.approximations.iter().map(|&(pos, what)| remark(what, pos)).collect(),
        invariants: report
            .invariants
            .iter()
            .filter(|i| !sources.is_builtin(i.pos))
            .map(|i| Invariant { at: Spot::of(i.pos), function: &i.function, of_loop: i.of_loop, text: &i.readable })
            .collect(),
        turns: report
            .turns
            .iter()
            .map(|turn| Turn {
                lane: turn.lane,
                engine: turn.engine,
                of_slice: turn.of_slice,
                start: turn.start.as_secs_f64(),
                end: turn.end.as_secs_f64(),
                outcome: &turn.outcome,
                decided: turn.decided,
            })
            .collect(),
        phases: report.phases.iter().map(|phase| (phase.name, phase.time.as_secs_f64())).collect(),
        counters: report.counters.iter().map(|(name, value)| (*name, value.as_str())).collect(),
        globals: pictures.globals.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect(),
        automata: drawing::automata(&pictures.automata, &functions(report)),
        graph,
    }
}

fn certified(report: &Report) -> Option<Certified<'_>> {
    match &report.certification {
        Certification::None => None,
        Certification::Yes { checks, time } => {
            Some(Certified { yes: true, checks: Some(*checks), seconds: Some(time.as_secs_f64()), reason: None })
        }
        Certification::No(why) => Some(Certified { yes: false, checks: None, seconds: None, reason: Some(why) }),
    }
}

/// The graph, with the ways of the executions through it.
fn reachability(page: &Page<'_>, findings: &mut [Found<'_>]) -> Option<Drawing> {
    let graph = page.pictures.graph.as_ref().filter(|graph| !graph.nodes.is_empty())?;
    let sources = walk::sources(&page.pictures.automata);
    let ways: Vec<Vec<Vec<NodeId>>> = page
        .report
        .findings
        .iter()
        .map(|finding| match &finding.verdict {
            Verdict::False(cex) => walk::walk(graph, &cex.trace, &sources),
            Verdict::True | Verdict::Unknown(_) => Vec::new(),
        })
        .collect();
    let wanted: BTreeSet<NodeId> = ways.iter().flatten().flatten().copied().collect();
    let (drawing, numbers) = drawing::reachability(graph, &wanted);
    for (found, way) in findings.iter_mut().zip(&ways) {
        let number = |node: &NodeId| numbers[*node].map(|node| node.index() as u32);
        if let Some(execution) = &mut found.execution {
            execution.way = way.iter().map(|nodes| nodes.iter().filter_map(number).collect()).collect();
        }
    }
    Some(drawing)
}

/// The files in which something is.
fn files<'r>(page: &Page<'r>) -> BTreeMap<u16, File<'r>> {
    let report = page.report;
    let mut places: Vec<Place> = report.findings.iter().map(|f| f.target.pos).collect();
    places.extend(report.assumptions.iter().map(|a| a.pos));
    places.extend(report.approximations.iter().map(|(pos, _)| *pos));
    places.extend(report.invariants.iter().map(|i| i.pos));
    for finding in report.findings.iter().chain(&report.undefined) {
        if let Verdict::False(cex) = &finding.verdict {
            places.extend(cex.trace.iter().map(|line| line.pos));
        }
    }
    let mut numbers: BTreeSet<u16> = places.iter().filter(|pos| pos.line > 0).map(|pos| pos.file).collect();
    let is_input = |name: &str| page.info.input_files.iter().any(|input| input == name);
    let all = page.sources.names().iter().enumerate();
    numbers.extend(all.filter(|(_, name)| is_input(name)).map(|(number, _)| number as u16));
    let file = |number: u16| {
        let name = page.sources.names().get(usize::from(number)).filter(|name| !name.starts_with('<'))?;
        Some((number, File { name, text: page.sources.lines(number).map(|lines| lines.join("\n")) }))
    };
    numbers.into_iter().filter_map(file).collect()
}

/// The functions that executions run through.
fn functions(report: &Report) -> BTreeSet<u32> {
    let executions = report.findings.iter().chain(&report.undefined).filter_map(|finding| match &finding.verdict {
        Verdict::False(cex) => Some(&cex.trace),
        Verdict::True | Verdict::Unknown(_) => None,
    });
    executions.flatten().filter_map(|line| line.at).map(|at| at.function).collect()
}
