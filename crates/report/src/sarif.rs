//! The report for code-scanning sites and editors: SARIF 2.1.0 (OASIS, *Static Analysis Results Interchange Format*).
//!
//! | of ours | in SARIF |
//! |---|---|
//! | a property | a rule; its name is the rule's id, labels share one |
//! | a violation | a result of kind `fail`, with the steps of its execution as a code flow |
//! | a target that cannot be reached | a result of kind `pass` |
//! | an open target | a result of kind `open` |
//! | no verdict, a limit, rejected input, assumptions | notifications of the invocation |
//!
//! What the sites keep is little: 1,000 steps per result. So steps that do not matter go first.

use crate::diagnostic::Diagnostic;
use crate::json::RunInfo;
use crate::source::Sources;
use robusto_verdict::{Counterexample, Finding, Place, Reason, Report, TraceLine, Verdict};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Most steps of a code flow.
const STEPS: usize = 1000;

/// The report of a run that has a verdict.
pub fn sarif(report: &Report, info: &RunInfo, sources: &Sources) -> String {
    let mut rules: Vec<String> = report.findings.iter().map(rule_id).collect();
    rules.sort();
    rules.dedup();
    let mut seen = BTreeMap::new();
    let results: Vec<Value> = report.findings.iter().map(|f| result(f, &rules, sources, &mut seen)).collect();
    let mut notes: Vec<Value> = Vec::new();
    if let Verdict::Unknown(reason) = &report.verdict {
        notes.push(json!({ "level": "warning", "message": { "text": format!("no verdict: {reason}") } }));
    }
    for assumption in &report.assumptions {
        let text = format!("assumption: {}", assumption.text);
        let mut note = json!({ "level": "note", "message": { "text": text } });
        if let Some(location) = location(assumption.pos, sources) {
            note["locations"] = json!([location]);
        }
        notes.push(note);
    }
    let ended_early =
        matches!(report.verdict, Verdict::Unknown(Reason::Timeout | Reason::Memory | Reason::Interrupted));
    log(info, !ended_early, &rules, results, notes)
}

/// The report of a run whose input was not understood, or that broke.
pub fn sarif_error(info: &RunInfo, message: &str, diagnostics: &[Diagnostic]) -> String {
    let mut notes: Vec<Value> = diagnostics
        .iter()
        .map(|diagnostic| {
            let text = &diagnostic.message;
            let mut note = json!({ "level": diagnostic.severity, "message": { "text": text } });
            if let Some(place) = &diagnostic.place {
                note["locations"] = json!([physical(&place.file, place.line, place.column)]);
            }
            note
        })
        .collect();
    if notes.is_empty() {
        notes.push(json!({ "level": "error", "message": { "text": message } }));
    }
    log(info, false, &[], Vec::new(), notes)
}

fn log(info: &RunInfo, successful: bool, rules: &[String], results: Vec<Value>, notes: Vec<Value>) -> String {
    let rules: Vec<Value> = rules.iter().map(|id| rule(id)).collect();
    let arguments: Vec<&String> = info.command.iter().skip(1).collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "robusto", "version": info.version, "rules": rules } },
            "columnKind": "unicodeCodePoints",
            "invocations": [{
                "arguments": arguments,
                "executionSuccessful": successful,
                "exitCode": info.exit_code,
                "toolExecutionNotifications": notes,
            }],
            "results": results,
        }],
    });
    let mut text = serde_json::to_string_pretty(&log).expect("strings and numbers are JSON");
    text.push('\n');
    text
}

/// The id of a rule: the property's name. All labels are one rule, or a rename would make a new one.
fn rule_id(finding: &Finding) -> String {
    let property = finding.target.property();
    property.split(':').next().unwrap_or_default().to_owned()
}

/// What a rule is about.
fn rule(id: &str) -> Value {
    let (short, help) = match id {
        "unreach-call" => ("An error function can be called", "The program calls reach_error() or __VERIFIER_error()."),
        "assert" => ("An assertion can fail", "The condition of an assert is false in this execution."),
        "label" => ("A label that stands for an error can be reached", "The execution comes to the label."),
        "no-overflow" => {
            ("Signed arithmetic can overflow", "The result does not fit its type, which C leaves undefined.")
        }
        "div-by-zero" => ("A divisor can be zero", "C leaves a division by zero undefined."),
        "bad-shift" => ("A shift can be by too much", "The amount is negative, or not less than the width."),
        "valid-deref" => (
            "Memory can be accessed that is not there",
            "The address is null, outside of its object, or of a dead one.",
        ),
        "valid-free" => {
            ("Something can be freed that is no live heap object", "It was freed before, or never came from malloc.")
        }
        "valid-memtrack" => ("Memory can be lost", "No pointer leads to the object any more."),
        "valid-memcleanup" => ("Memory can be left at the end", "The object is not freed when the program ends."),
        "uninit" => (
            "A value that was never set can decide a branch",
            "The condition is computed from memory or from a variable that nothing has been written to.",
        ),
        _ => ("The property can be violated", "An execution violates the property."),
    };
    json!({
        "id": id,
        "shortDescription": { "text": short },
        "fullDescription": { "text": format!("{short}: shown by an execution that was replayed with concrete inputs.") },
        "help": { "text": format!("{help} The code flow is the execution; `robusto check --trace full` prints every step.") },
        "defaultConfiguration": { "level": "error" },
    })
}

fn result(finding: &Finding, rules: &[String], sources: &Sources, seen: &mut BTreeMap<String, usize>) -> Value {
    let target = &finding.target;
    let id = rule_id(finding);
    let (kind, level, text) = match &finding.verdict {
        Verdict::False(cex) => ("fail", "error", format!("{}{}", sources.named(finding), inputs(cex))),
        Verdict::True => ("pass", "none", format!("{}: cannot be reached", target.name)),
        Verdict::Unknown(reason) => ("open", "none", format!("{}: {reason}", target.name)),
    };
    // Stable when lines move: rule, file, what it is and in which function, and which of several such.
    let named = format!("{id} {} {}", sources.name(target.pos).unwrap_or_default(), target.name);
    let number = seen.entry(named.clone()).or_default();
    let fingerprint = format!("{:016x}", fnv(&format!("{named} {number}")));
    *number += 1;
    let mut result = json!({
        "ruleId": id,
        "ruleIndex": rules.iter().position(|rule| *rule == id),
        "kind": kind,
        "level": level,
        "message": { "text": text },
        "partialFingerprints": { "robustoTarget/v1": fingerprint },
    });
    if let Some(location) = location(sources.place_of(finding), sources) {
        result["locations"] = json!([location]);
    }
    if let Verdict::False(cex) = &finding.verdict {
        let steps = flow(&cex.trace, sources);
        if !steps.is_empty() {
            result["codeFlows"] = json!([{ "threadFlows": [{ "locations": steps }] }]);
        }
    }
    result
}

fn inputs(cex: &Counterexample) -> String {
    const SHOWN: usize = 8;
    if cex.inputs.is_empty() {
        return String::new();
    }
    let values: Vec<&str> = cex.inputs.iter().take(SHOWN).map(|i| i.value.as_str()).collect();
    let more = if cex.inputs.len() > SHOWN { " …" } else { "" };
    format!(", with inputs {}{more}", values.join(" "))
}

/// The steps in the user's files: all of them, or those that matter, or the last ones of these.
fn flow(trace: &[TraceLine], sources: &Sources) -> Vec<Value> {
    let mut steps: Vec<&TraceLine> = trace.iter().filter(|line| !sources.is_builtin(line.pos)).collect();
    if steps.len() > STEPS {
        steps.retain(|line| line.matters);
    }
    let skipped = steps.len().saturating_sub(STEPS);
    let number = |(order, line): (usize, &&TraceLine)| {
        let mut place = location(line.pos, sources)?;
        let change = line.change.as_ref().map_or(String::new(), |(name, value)| format!("  [{name} = {value}]"));
        place["message"] = json!({ "text": format!("{}{change}", line.operation) });
        let importance = if line.matters { "essential" } else { "unimportant" };
        Some(json!({
            "location": place,
            "nestingLevel": line.depth,
            "executionOrder": order,
            "importance": importance,
        }))
    };
    steps.iter().enumerate().skip(skipped).filter_map(number).collect()
}

fn location(pos: Place, sources: &Sources) -> Option<Value> {
    Some(physical(sources.name(pos)?, pos.line, pos.column.into()))
}

fn physical(file: &str, line: u32, column: u32) -> Value {
    let mut physical = json!({ "artifactLocation": { "uri": uri(file) } });
    if line > 0 {
        physical["region"] = json!({ "startLine": line, "startColumn": column.max(1) });
    }
    json!({ "physicalLocation": physical })
}

/// A file as a URI reference: relative paths stay relative, so that sites find the file in a repository.
fn uri(file: &str) -> String {
    let file = file.strip_prefix("./").unwrap_or(file);
    let mut out = if file.starts_with('/') { "file://".to_owned() } else { String::new() };
    for byte in file.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => out.push(byte.into()),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

/// FNV-1a with 64 bits: the same in every build.
fn fnv(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uris() {
        assert_eq!(uri("./src/a b.c"), "src/a%20b.c");
        assert_eq!(uri("/tmp/ä.c"), "file:///tmp/%C3%A4.c");
    }
}
