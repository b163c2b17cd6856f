//! The report for programs; `docs/json.md` describes the schema.
//!
//! The structs below are the schema: fields are added, never renamed or removed, without a new number in `schema`.

use crate::diagnostic::Diagnostic;
use crate::source::Sources;
use crate::text;
use robusto_verdict::{Certification, Counterexample, Place, Property, Report, StepKind, Verdict};
use serde::Serialize;
use std::collections::BTreeMap;

/// What the report says beside what the engine found.
#[derive(Clone, Debug, Default)]
pub struct RunInfo {
    /// The tool's version.
    pub version: String,
    /// The command line.
    pub command: Vec<String>,
    /// The input files as on the command line.
    pub input_files: Vec<String>,
    /// `ILP32` or `LP64`, once it is known.
    pub data_model: Option<String>,
    /// The analysis.
    pub analysis: String,
    /// The verdict that the task expects.
    pub expected: Option<bool>,
    /// Wall time.
    pub seconds: f64,
    /// Peak resident memory in bytes, where the system tells.
    pub peak_memory: Option<u64>,
    /// The exit code.
    pub exit_code: u8,
}

/// A run without a report: the input is not understood, or there was an internal error.
pub fn json_error(info: &RunInfo, property: Option<&Property>, message: &str, diagnostics: &[Diagnostic]) -> String {
    let result = Outcome { verdict: "error", property: None, reason: Some(message.to_owned()) };
    let document = Document::new(info, property.map(ToString::to_string), result);
    render(&Document { diagnostics, ..document })
}

/// The report as JSON.
pub fn json<'r>(report: &'r Report, info: &RunInfo, property: &Property, sources: &Sources) -> String {
    let mut result = outcome(&report.verdict);
    if result.verdict == "false" {
        let violated = report.findings.iter().find(|f| matches!(f.verdict, Verdict::False(_)));
        result.property = violated.map(|f| f.target.property());
    }
    let mut document = Document::new(info, Some(property.to_string()), result);
    let finding = |finding: &'r robusto_verdict::Finding| Finding {
        name: &finding.target.name,
        property: finding.target.property(),
        location: Location::of(finding.target.pos, sources),
        result: outcome(&finding.verdict),
        counterexample: match &finding.verdict {
            Verdict::False(cex) => Some(counterexample(cex, sources)),
            Verdict::True | Verdict::Unknown(_) => None,
        },
    };
    document.findings = report.findings.iter().map(finding).collect();
    document.undefined = report.undefined.as_ref().map(finding);
    document.valid_accesses = report.valid_accesses;
    if let (Verdict::True, Some(vacuity)) = (&report.verdict, report.vacuous) {
        (document.vacuous, document.vacuity) = (true, Some(text::vacuous(vacuity, property, sources)));
    }
    if let (Verdict::Unknown(_), Some(bound), None) = (&report.verdict, report.cleared, &report.undefined) {
        document.known = Some(Known { text: text::cleared(bound), iterations: bound });
    }
    document.assumptions =
        report.assumptions.iter().map(|a| Remark { text: &a.text, location: Location::of(a.pos, sources) }).collect();
    document.approximations = report
        .approximations
        .iter()
        .map(|(pos, what)| Remark { text: what, location: Location::of(*pos, sources) })
        .collect();
    document.invariants = report
        .invariants
        .iter()
        .map(|i| Invariant {
            location: Location::of(i.pos, sources),
            function: &i.function,
            kind: if i.of_loop { "loop" } else { "location" },
            expression: &i.expression,
        })
        .collect();
    document.certification = match &report.certification {
        Certification::None => None,
        Certification::Yes { checks, time } => Some(CertificationOutcome {
            certified: true,
            checks: Some(*checks),
            seconds: Some(time.as_secs_f64()),
            reason: None,
        }),
        Certification::No(why) => {
            Some(CertificationOutcome { certified: false, checks: None, seconds: None, reason: Some(why) })
        }
    };
    document.refuted = report.refuted.iter().map(|r| Refuted { engine: &r.engine, reason: &r.what }).collect();
    document.statistics.phases =
        report.phases.iter().map(|p| Phase { name: p.name, seconds: p.time.as_secs_f64() }).collect();
    document.statistics.counters = report.counters.iter().map(|(name, value)| (*name, value.as_str())).collect();
    render(&document)
}

fn render(document: &Document<'_>) -> String {
    let mut text = serde_json::to_string_pretty(document).expect("strings and numbers are JSON");
    text.push('\n');
    text
}

fn outcome(verdict: &Verdict) -> Outcome {
    let (verdict, reason) = match verdict {
        Verdict::True => ("true", None),
        Verdict::False(_) => ("false", None),
        Verdict::Unknown(reason) => ("unknown", Some(reason.to_string())),
    };
    Outcome { verdict, property: None, reason }
}

fn counterexample<'r>(cex: &'r Counterexample, sources: &Sources) -> Cex<'r> {
    let inputs = cex
        .inputs
        .iter()
        .map(|i| Input {
            value: &i.value,
            location: Location::of(i.pos, sources),
            function: &i.function,
            external: i.external.as_deref(),
            unmodelled: i.unmodelled,
        })
        .collect();
    let trace = cex
        .trace
        .iter()
        .map(|line| Step {
            kind: match line.kind {
                StepKind::Input => "input",
                StepKind::Uninitialised => "uninitialised",
                StepKind::Undefined => "undefined",
                StepKind::Branch(true) => "branch-true",
                StepKind::Branch(false) => "branch-false",
                StepKind::Call => "call",
                StepKind::Return => "return",
                StepKind::Error => "error",
                StepKind::Other => "step",
            },
            location: Location::of(line.pos, sources),
            function: &line.function,
            depth: line.depth,
            operation: &line.operation,
            variable: line.change.as_ref().map(|(name, _)| name.as_str()),
            value: line.change.as_ref().map(|(_, value)| value.as_str()),
            memory: line.memory.as_ref().map(|stored| Memory { place: &stored.name, value: &stored.value }),
            matters: line.matters,
        })
        .collect();
    let writes = cex
        .writes
        .iter()
        .map(|w| Written {
            function: &w.function,
            argument: w.argument,
            to: &w.to,
            bytes: w.bytes.iter().map(|b| format!("{b:02x}")).collect(),
            location: Location::of(w.pos, sources),
        })
        .collect();
    Cex { inputs, writes, trace }
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

#[derive(Serialize)]
struct Document<'r> {
    schema: &'static str,
    tool: Tool<'r>,
    command: &'r [String],
    input_files: &'r [String],
    data_model: Option<&'r str>,
    property: Option<String>,
    analysis: &'r str,
    result: Outcome,
    expected: Option<bool>,
    exit_code: u8,
    findings: Vec<Finding<'r>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    undefined: Option<Finding<'r>>,
    #[serde(skip_serializing_if = "is_zero")]
    valid_accesses: usize,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    vacuous: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    vacuity: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    known: Option<Known>,
    #[serde(skip_serializing_if = "<[Diagnostic]>::is_empty")]
    diagnostics: &'r [Diagnostic],
    assumptions: Vec<Remark<'r>>,
    approximations: Vec<Remark<'r>>,
    invariants: Vec<Invariant<'r>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    certification: Option<CertificationOutcome<'r>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    refuted: Vec<Refuted<'r>>,
    statistics: Statistics<'r>,
}

/// What is known without a verdict.
#[derive(Serialize)]
struct Known {
    text: String,
    iterations: u64,
}

#[derive(Serialize)]
struct CertificationOutcome<'r> {
    certified: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    checks: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'r str>,
}

/// A certificate that is wrong.
#[derive(Serialize)]
struct Refuted<'r> {
    engine: &'r str,
    reason: &'r str,
}

impl<'r> Document<'r> {
    fn new(info: &'r RunInfo, property: Option<String>, result: Outcome) -> Self {
        Self {
            schema: "robusto-check/1",
            tool: Tool { name: "robusto", version: &info.version },
            command: &info.command,
            input_files: &info.input_files,
            data_model: info.data_model.as_deref(),
            property,
            analysis: &info.analysis,
            result,
            expected: info.expected,
            exit_code: info.exit_code,
            findings: Vec::new(),
            undefined: None,
            valid_accesses: 0,
            vacuous: false,
            vacuity: None,
            known: None,
            diagnostics: &[],
            assumptions: Vec::new(),
            approximations: Vec::new(),
            invariants: Vec::new(),
            certification: None,
            refuted: Vec::new(),
            statistics: Statistics {
                seconds: info.seconds,
                peak_memory_bytes: info.peak_memory,
                phases: Vec::new(),
                counters: BTreeMap::new(),
            },
        }
    }
}

#[derive(Serialize)]
struct Tool<'r> {
    name: &'static str,
    version: &'r str,
}

#[derive(Serialize)]
struct Outcome {
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    property: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

#[derive(Serialize)]
struct Location {
    file: String,
    line: u32,
    column: u16,
}

impl Location {
    fn of(pos: Place, sources: &Sources) -> Option<Self> {
        Some(Self { file: sources.name(pos)?.to_owned(), line: pos.line, column: pos.column })
    }
}

#[derive(Serialize)]
struct Finding<'r> {
    name: &'r str,
    property: String,
    location: Option<Location>,
    result: Outcome,
    #[serde(skip_serializing_if = "Option::is_none")]
    counterexample: Option<Cex<'r>>,
}

#[derive(Serialize)]
struct Cex<'r> {
    inputs: Vec<Input<'r>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    writes: Vec<Written<'r>>,
    trace: Vec<Step<'r>>,
}

#[derive(Serialize)]
struct Input<'r> {
    value: &'r str,
    location: Option<Location>,
    function: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    external: Option<&'r str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    unmodelled: bool,
}

#[derive(Serialize)]
struct Written<'r> {
    function: &'r str,
    argument: u8,
    to: &'r str,
    bytes: String,
    location: Option<Location>,
}

#[derive(Serialize)]
struct Step<'r> {
    kind: &'static str,
    location: Option<Location>,
    function: &'r str,
    depth: usize,
    operation: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    variable: Option<&'r str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<&'r str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    memory: Option<Memory<'r>>,
    matters: bool,
}

#[derive(Serialize)]
struct Memory<'r> {
    place: &'r str,
    value: &'r str,
}

#[derive(Serialize)]
struct Remark<'r> {
    text: &'r str,
    location: Option<Location>,
}

#[derive(Serialize)]
struct Invariant<'r> {
    location: Option<Location>,
    function: &'r str,
    kind: &'static str,
    expression: &'r str,
}

#[derive(Serialize)]
struct Statistics<'r> {
    seconds: f64,
    peak_memory_bytes: Option<u64>,
    phases: Vec<Phase>,
    counters: BTreeMap<&'static str, &'r str>,
}

#[derive(Serialize)]
struct Phase {
    name: &'static str,
    seconds: f64,
}
