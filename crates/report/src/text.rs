//! The report on a terminal.

use crate::path;
use crate::source::Sources;
use crate::style::Style;
use robusto_syntax::Excerpt;
use robusto_verdict::{
    Certification, Counterexample, Finding, Place, Property, Refuted, Report, StepKind, Target, TraceLine, Vacuity,
    Verdict, Violation, Write,
};
use std::fmt::Write as _;

/// How much of a counterexample's trace is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TraceLength {
    /// The source lines that matter, with values, iterations folded.
    Short,
    /// Every step.
    Full,
}

/// Inputs that have a line each.
const SHOWN_INPUTS: usize = 12;

/// The last line: `RESULT: true`, `RESULT: false(unreach-call)`, `RESULT: unknown(timeout)`. Of several properties that
/// the user named, it names the first one that is violated.
pub fn result_line(report: &Report, property: &Property) -> String {
    let violated =
        || report.findings.iter().find(|f| matches!(f.verdict, Verdict::False(_))).map(|f| f.target.property());
    match &report.verdict {
        Verdict::True => "RESULT: true".to_owned(),
        Verdict::False(_) => match (property, violated()) {
            (Property::Several(_) | Property::Default | Property::MemSafety | Property::Memory, Some(name)) => {
                format!("RESULT: false({name})")
            }
            _ => format!("RESULT: false({property})"),
        },
        Verdict::Unknown(reason) => format!("RESULT: unknown({reason})"),
    }
}

/// The whole report but the result line.
pub fn text(report: &Report, sources: &Sources, property: &Property, trace: TraceLength, style: Style) -> String {
    let mut out = String::new();
    if property.has_many_verdicts() {
        if *property == Property::Default {
            kinds(&mut out, report, sources);
        } else {
            table(&mut out, report, sources);
        }
        if trace == TraceLength::Short {
            let violated = report.findings.iter().filter(|f| matches!(f.verdict, Verdict::False(_)));
            let others = violated.filter(|finding| !first_shown(report, property, finding));
            others.for_each(|finding| headline(&mut out, finding, sources, style));
        }
    }
    for finding in &report.findings {
        if let Verdict::False(cex) = &finding.verdict
            && (!property.has_many_verdicts() || trace == TraceLength::Full || first_shown(report, property, finding))
        {
            counterexample(&mut out, finding, cex, sources, trace, style);
        }
    }
    if let (Verdict::True, Some(vacuity)) = (&report.verdict, report.vacuous) {
        let _ = writeln!(out, "vacuous: {}", vacuous(vacuity, property));
    } else {
        for part in without_target(report, property) {
            let _ = writeln!(out, "vacuous: {}", vacuous(Vacuity::Nothing, part));
        }
    }
    if let (Verdict::Unknown(_), Some(bound)) = (&report.verdict, report.cleared) {
        let _ = writeln!(out, "known: {}", cleared(bound));
    }
    match &report.certification {
        Certification::None => {}
        Certification::Yes { checks, time } => {
            let plural = if *checks == 1 { "" } else { "s" };
            let _ = writeln!(out, "certified: yes ({checks} check{plural} in {:.3} s)", time.as_secs_f64());
        }
        Certification::No(why) => {
            let _ = writeln!(out, "certified: no ({why})");
        }
    }
    for Refuted { engine, what } in &report.refuted {
        let _ = writeln!(out, "{} the certificate of {engine} is wrong: {what}", style.bad("warning:"));
    }
    if !report.assumptions.is_empty() {
        let _ = writeln!(out, "assumptions:");
        for a in &report.assumptions {
            let _ = writeln!(out, "  {} ({})", a.text, sources.place(a.pos));
        }
    }
    if !report.approximations.is_empty() {
        let _ = writeln!(out, "over-approximated at {} places, first:", report.approximations.len());
        for (pos, what) in report.approximations.iter().take(5) {
            let _ = writeln!(out, "  {what} ({})", sources.place(*pos));
        }
    }
    out.push_str(&statistics(report));
    out
}

/// Times and counters, one per line.
fn statistics(report: &Report) -> String {
    let times = report.phases.iter().map(|phase| (phase.name, format!("{:.3} s", phase.time.as_secs_f64())));
    let counters = report.counters.iter().map(|(name, value)| (*name, value.clone()));
    let lines: Vec<(&str, String)> = times.chain(counters).collect();
    let width = lines.iter().map(|(name, _)| name.chars().count() + 1).max().unwrap_or(0).max(24);
    let mut out = String::new();
    if !report.phases.is_empty() {
        let _ = writeln!(out, "statistics:");
    }
    for (name, value) in lines {
        let _ = writeln!(out, "  {name:<width$}{value}");
    }
    out
}

/// Whether a finding is the one whose execution is shown although there are several: the first violation of what a developer
/// means.
fn first_shown(report: &Report, property: &Property, finding: &Finding) -> bool {
    let first = report.findings.iter().find(|f| matches!(f.verdict, Verdict::False(_)));
    *property == Property::Default && first == Some(finding)
}

/// A line for each kind of property, with the places where it is violated or open.
fn kinds(out: &mut String, report: &Report, sources: &Sources) {
    const DEREF: &str = "valid-deref";
    let mut kinds: Vec<String> = report.findings.iter().map(|f| f.target.property()).collect();
    if report.valid_accesses > 0 {
        kinds.push(DEREF.to_owned());
    }
    kinds.sort_unstable();
    kinds.dedup();
    let width = kinds.iter().map(String::len).max().unwrap_or(0).max(8);
    let _ = writeln!(out, "{:<width$}  verdict  places", "property");
    for kind in kinds {
        let of_kind: Vec<&Finding> = report.findings.iter().filter(|f| f.target.property() == kind).collect();
        let count = |wanted: fn(&Verdict) -> bool| of_kind.iter().filter(|f| wanted(&f.verdict)).count();
        let (bad, open) = (count(|v| matches!(v, Verdict::False(_))), count(|v| matches!(v, Verdict::Unknown(_))));
        let verdict = if bad > 0 {
            "false"
        } else if open > 0 {
            "unknown"
        } else {
            "true"
        };
        let before = if kind == DEREF { report.valid_accesses } else { 0 };
        let _ = writeln!(out, "{kind:<width$}  {verdict:<7}  {}", of_kind.len() + before);
        for finding in of_kind {
            let (mark, more) = match &finding.verdict {
                Verdict::True => continue,
                Verdict::False(cex) => {
                    let values: Vec<&str> = cex.inputs.iter().map(|i| i.value.as_str()).collect();
                    let inputs =
                        if values.is_empty() { String::new() } else { format!(" (inputs {})", values.join(" ")) };
                    ("false", inputs)
                }
                Verdict::Unknown(reason) => ("unknown", format!(" ({reason})")),
            };
            let place = sources.place(sources.place_of(finding));
            let _ = writeln!(out, "{:<width$}  {mark:<7}  {place}: {}{more}", "", finding.target.name);
        }
    }
}

/// Those of several properties that nothing in the program could violate.
pub(crate) fn without_target<'p>(report: &Report, property: &'p Property) -> Vec<&'p Property> {
    let (Property::Several(parts), Verdict::True | Verdict::False(_)) = (property, &report.verdict) else {
        return Vec::new();
    };
    let has_target = |part: &&Property| {
        let is_of = |finding: &Finding| match finding.target.kind {
            Some(Violation::Label) => part.marks(&finding.target.name),
            Some(kind) => part.counts(kind),
            None => false,
        };
        report.findings.iter().any(is_of)
            || report.valid_accesses > 0 && (part.counts(Violation::Deref) || part.counts(Violation::Free))
    };
    parts.iter().filter(|part| !has_target(part)).collect()
}

/// Why a `true` says little.
pub(crate) fn vacuous(vacuity: Vacuity, property: &Property) -> String {
    match vacuity {
        Vacuity::Nothing => format!(
            "nothing in the program, dead code left out, could violate {property}; `robusto help properties` lists what can be checked"
        ),
        Vacuity::NotCalled => format!("no code that could violate {property} can be reached from the start"),
        Vacuity::Ended => {
            format!("every execution ends, or runs for ever, before it comes to code that could violate {property}")
        }
    }
}

/// What is known without a verdict.
pub(crate) fn cleared(bound: u64) -> String {
    let iterations = if bound == 1 { "iteration" } else { "iterations" };
    format!("no violation within {bound} {iterations} of every loop and recursion")
}

fn table(out: &mut String, report: &Report, sources: &Sources) {
    let width = report.findings.iter().map(|f| f.target.name.len()).max().unwrap_or(0).max(8);
    let _ = writeln!(out, "{:<width$}  verdict  place", "property");
    for finding in &report.findings {
        let verdict = match &finding.verdict {
            Verdict::True => "true",
            Verdict::False(_) => "false",
            Verdict::Unknown(_) => "unknown",
        };
        let _ =
            write!(out, "{:<width$}  {verdict:<7}  {}", finding.target.name, sources.place(sources.place_of(finding)));
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

/// The violation as a compiler would say it, so that editors find the place: `a.c:3:5: error: error call in main [unreach-call]`.
fn headline(out: &mut String, finding: &Finding, sources: &Sources, style: Style) {
    let place = style.bold(&format!("{}:", sources.place(sources.place_of(finding))));
    let (name, property) = (sources.named(finding), finding.target.property());
    let _ = writeln!(out, "{place} {} {name} [{property}]", style.bad("error:"));
}

fn counterexample(
    out: &mut String,
    finding: &Finding,
    cex: &Counterexample,
    sources: &Sources,
    trace: TraceLength,
    style: Style,
) {
    headline(out, finding, sources, style);
    excerpt(out, sources.place_of(finding), sources, style);
    if !cex.inputs.is_empty() {
        let _ = writeln!(out, "inputs, in order:");
        let shown = if trace == TraceLength::Full { usize::MAX } else { SHOWN_INPUTS };
        for input in cex.inputs.iter().take(shown) {
            let of = match (&input.external, input.unmodelled) {
                (Some(name), _) => format!(" ({name})"),
                (None, true) => format!(" (not modelled, in {})", input.function),
                (None, false) => String::new(),
            };
            // The arguments of a function that is checked without `main` have names.
            let name = if input.function == Write::START { format!("{} = ", input.name) } else { String::new() };
            let _ = writeln!(out, "  {}: {name}{}{of}", sources.place(input.pos), style.value(&input.value));
        }
        if cex.inputs.len() > shown {
            let rest: Vec<&str> = cex.inputs.iter().skip(shown).map(|i| i.value.as_str()).collect();
            let more = if rest.len() > 40 {
                format!("{} … ({} in all)", rest[..40].join(" "), cex.inputs.len())
            } else {
                rest.join(" ")
            };
            let _ = writeln!(out, "  then {}", style.value(&more));
        }
    }
    if !cex.writes.is_empty() {
        let _ = writeln!(out, "written by functions without a body:");
        let shown = if trace == TraceLength::Full { usize::MAX } else { SHOWN_INPUTS };
        for write in cex.writes.iter().take(shown) {
            let Write { function, to, bytes, pos, .. } = write;
            let value = style.value(&hexadecimal(bytes));
            let who = if write.is_of_start() { "the caller" } else { function };
            let _ = writeln!(out, "  {}: {who} writes to {to}: {value}", sources.place(*pos));
        }
    }
    for line in cex.trace.iter().filter(|line| line.kind == StepKind::Undefined).take(SHOWN_INPUTS) {
        let (place, what) = (sources.place(line.pos), &line.operation);
        let _ = writeln!(out, "undefined: {what} at {place}; a compiled program may stop there");
    }
    for &pos in &cex.orders {
        let place = sources.place(pos);
        let _ = writeln!(out, "order of evaluation: another one than usual at {place}; C leaves it open");
    }
    match trace {
        TraceLength::Short => path::write(out, &cex.trace, &finding.target, sources, style),
        TraceLength::Full => steps(out, &cex.trace, &finding.target, sources, style),
    }
}

/// The source line with a mark below.
fn excerpt(out: &mut String, pos: Place, sources: &Sources, style: Style) {
    let Some(line) = sources.line(pos) else { return };
    let column = usize::from(pos.column);
    let indent = line.chars().take_while(|c| c.is_whitespace()).count().min(column.saturating_sub(1));
    let line: String = line.chars().skip(indent).collect();
    let Excerpt { text, mark } = Excerpt::new(&line, column - indent, 1);
    let _ = writeln!(out, "{}{text}", style.dim(&format!("{:>5} | ", pos.line)));
    let blanks = mark.len() - 1;
    let _ = writeln!(out, "{}{}{}", style.dim("      | "), &mark[..blanks], style.bad(&mark[blanks..]));
}

/// Every step, with what it changed, and the violation that they lead to.
fn steps(out: &mut String, trace: &[TraceLine], target: &Target, sources: &Sources, style: Style) {
    let _ = writeln!(out, "trace ({} steps):", trace.len());
    for line in trace {
        let indent = (line.depth * 2).min(24);
        let _ = write!(out, "  {:<24} {:indent$}{}", sources.place(line.pos), "", line.operation);
        if let Some((name, value)) = &line.change {
            let _ = write!(out, "    {}", style.value(&format!("[{name} = {value}]")));
        } else if let Some(stored) = &line.memory {
            let _ = write!(out, "    {}", style.value(&format!("[{} = {}]", stored.name, stored.value)));
        }
        out.push('\n');
    }
    let indent = (trace.last().map_or(0, |last| last.depth) * 2).min(24);
    let _ = writeln!(out, "  {:<24} {:indent$}{}", sources.place(target.pos), "", style.bad(&target.name));
}

/// The first bytes, up to the last one that is not zero.
fn hexadecimal(bytes: &[u8]) -> String {
    const MOST: usize = 32;
    let len = bytes.iter().rposition(|&b| b != 0).map_or(1, |last| last + 1).min(bytes.len());
    let shown: Vec<String> = bytes[..len.min(MOST)].iter().map(|b| format!("{b:02x}")).collect();
    let rest = match (len > MOST, len < bytes.len()) {
        (true, _) => " …",
        (false, true) => " 00 …",
        (false, false) => "",
    };
    shown.join(" ") + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use robusto_verdict::{Phase, Reason};
    use std::time::Duration;

    #[test]
    fn names_and_numbers_of_statistics_stand_apart() {
        let mut report = Report::unknown(Reason::NoProgress);
        report.phases = vec![Phase { name: "exploration", time: Duration::from_millis(1500) }];
        assert_eq!(statistics(&report), "statistics:\n  exploration             1.500 s\n");
        report.counters = vec![("abstractions from the cache", "72".to_owned())];
        let expected = "statistics:\n  exploration                 1.500 s\n  abstractions from the cache 72\n";
        assert_eq!(statistics(&report), expected);
    }
}
