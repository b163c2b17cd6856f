//! The report on a terminal.

use robusto_cfa::ir::SrcPos;
use robusto_engine::{Counterexample, Finding, Property, Report, TraceLine, Verdict};
use std::fmt::Write as _;

/// How much of a counterexample's trace is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TraceLength {
    /// The steps that change something or choose a branch, folded in the middle if there are many.
    Short,
    /// Every step.
    Full,
}

/// Lines of a short trace before it is folded.
const SHORT: usize = 40;

/// The last line: `RESULT: true`, `RESULT: false(unreach-call)`, `RESULT: unknown(timeout)`. Of several properties that
/// the user named, it names the first one that is violated.
pub fn result_line(report: &Report, property: &Property) -> String {
    let violated =
        || report.findings.iter().find(|f| matches!(f.verdict, Verdict::False(_))).map(|f| f.target.property());
    match &report.verdict {
        Verdict::True => "RESULT: true".to_owned(),
        Verdict::False(_) => match (property, violated()) {
            (Property::Several(_), Some(name)) => format!("RESULT: false({name})"),
            _ => format!("RESULT: false({property})"),
        },
        Verdict::Unknown(reason) => format!("RESULT: unknown({reason})"),
    }
}

/// The whole report but the result line.
pub fn text(report: &Report, files: &[Box<str>], property: &Property, trace: TraceLength) -> String {
    let mut out = String::new();
    if property.has_many_verdicts() {
        table(&mut out, report, files);
    }
    for finding in &report.findings {
        if let Verdict::False(cex) = &finding.verdict
            && (!property.has_many_verdicts() || trace == TraceLength::Full)
        {
            counterexample(&mut out, finding, cex, files, trace);
        }
    }
    if !report.assumptions.is_empty() {
        let _ = writeln!(out, "assumptions:");
        for a in &report.assumptions {
            let _ = writeln!(out, "  {} ({})", a.text, place(files, a.pos));
        }
    }
    if !report.approximations.is_empty() {
        let _ = writeln!(out, "over-approximated at {} places, first:", report.approximations.len());
        for (pos, what) in report.approximations.iter().take(5) {
            let _ = writeln!(out, "  {what} ({})", place(files, *pos));
        }
    }
    if !report.phases.is_empty() {
        let _ = writeln!(out, "statistics:");
        for phase in &report.phases {
            let _ = writeln!(out, "  {:<24}{:.3} s", phase.name, phase.time.as_secs_f64());
        }
    }
    for (name, value) in &report.counters {
        let _ = writeln!(out, "  {name:<24}{value}");
    }
    out
}

fn place(files: &[Box<str>], pos: SrcPos) -> String {
    match files.get(usize::from(pos.file)) {
        Some(name) if pos.line > 0 => format!("{name}:{}:{}", pos.line, pos.column),
        _ => "no position".to_owned(),
    }
}

fn table(out: &mut String, report: &Report, files: &[Box<str>]) {
    let width = report.findings.iter().map(|f| f.target.name.len()).max().unwrap_or(0).max(8);
    let _ = writeln!(out, "{:<width$}  verdict  place", "property");
    for finding in &report.findings {
        let verdict = match &finding.verdict {
            Verdict::True => "true",
            Verdict::False(_) => "false",
            Verdict::Unknown(_) => "unknown",
        };
        let _ = write!(out, "{:<width$}  {verdict:<7}  {}", finding.target.name, place(files, finding.target.pos));
        match &finding.verdict {
            Verdict::Unknown(reason) => {
                let _ = write!(out, "  ({reason})");
            }
            Verdict::False(cex) if !cex.inputs.is_empty() => {
                let values: Vec<&str> = cex.inputs.iter().map(|i| i.value.as_str()).collect();
                let _ = write!(out, "  inputs {}", values.join(" "));
            }
            _ => {}
        }
        out.push('\n');
    }
    let count = |wanted: fn(&Verdict) -> bool| report.findings.iter().filter(|f| wanted(&f.verdict)).count();
    let _ = writeln!(
        out,
        "{} properties: {} true, {} false, {} unknown",
        report.findings.len(),
        count(|v| *v == Verdict::True),
        count(|v| matches!(v, Verdict::False(_))),
        count(|v| matches!(v, Verdict::Unknown(_)))
    );
}

fn counterexample(out: &mut String, finding: &Finding, cex: &Counterexample, files: &[Box<str>], trace: TraceLength) {
    let _ = writeln!(out, "{} is reached at {}", finding.target.name, place(files, finding.target.pos));
    if !cex.inputs.is_empty() {
        let _ = writeln!(out, "inputs, in order:");
        for input in &cex.inputs {
            let _ = writeln!(out, "  {}: {}", place(files, input.pos), input.value);
        }
    }
    let lines: Vec<&TraceLine> = match trace {
        TraceLength::Full => cex.trace.iter().collect(),
        TraceLength::Short => cex.trace.iter().filter(|l| l.change.is_some() || calls(l)).collect(),
    };
    let _ = writeln!(out, "trace ({} of {} steps):", lines.len(), cex.trace.len());
    let folded = trace == TraceLength::Short && lines.len() > SHORT;
    for (i, line) in lines.iter().enumerate() {
        if folded && i == SHORT / 4 {
            let _ = writeln!(out, "  … {} steps; `--trace full` shows them", lines.len() - SHORT);
        }
        if folded && i >= SHORT / 4 && i < lines.len() - SHORT * 3 / 4 {
            continue;
        }
        let indent = (line.depth * 2).min(24);
        let _ = write!(out, "  {:<24} {:indent$}{}", place(files, line.pos), "", line.operation);
        if let Some((name, value)) = &line.change {
            let _ = write!(out, "    [{name} = {value}]");
        }
        out.push('\n');
    }
}

/// Whether a step is a call; calls structure a trace.
fn calls(line: &TraceLine) -> bool {
    line.operation.starts_with("call ")
}
