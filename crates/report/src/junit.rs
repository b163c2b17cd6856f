//! The report as a test result, in the XML that continuous-integration servers read ("JUnit XML"): each way to violate the
//! property is a test case.

use crate::json::RunInfo;
use crate::source::Sources;
use robusto_verdict::{Property, Report, Verdict};
use std::fmt::Write as _;

/// A test case.
struct Case {
    class: String,
    name: String,
    end: End,
}

/// How a test case ended: element, message and text.
enum End {
    Passed,
    Other(&'static str, String, String),
}

/// The report of a run that has a verdict.
pub fn junit(report: &Report, info: &RunInfo, property: &Property, sources: &Sources) -> String {
    let end = |verdict: &Verdict, place: String, name: &str| match verdict {
        Verdict::True => End::Passed,
        Verdict::False(cex) => {
            let inputs: Vec<&str> = cex.inputs.iter().map(|input| input.value.as_str()).collect();
            let inputs = if inputs.is_empty() { String::new() } else { format!("\ninputs: {}", inputs.join(" ")) };
            End::Other("failure", name.to_owned(), format!("{place}: error: {name}{inputs}"))
        }
        Verdict::Unknown(reason) => End::Other("skipped", format!("unknown: {reason}"), String::new()),
    };
    let files = info.input_files.join(" ");
    let mut cases: Vec<Case> = report
        .findings
        .iter()
        .map(|finding| {
            let target = &finding.target;
            let pos = sources.place_of(finding);
            let (place, class) = (sources.place(pos), sources.name(pos).unwrap_or(&files).to_owned());
            let name = format!("{}: {} (line {})", target.property(), target.name, pos.line);
            Case { class, name, end: end(&finding.verdict, place, &sources.named(finding)) }
        })
        .collect();
    if cases.is_empty() {
        let verdict = end(&report.verdict, files.clone(), &property.to_string());
        cases.push(Case { class: files, name: property.to_string(), end: verdict });
    }
    document(info, &cases)
}

/// The report of a run whose input was not understood, or that broke.
pub fn junit_error(info: &RunInfo, message: &str) -> String {
    let class = info.input_files.join(" ");
    let end = End::Other("error", message.to_owned(), String::new());
    document(info, &[Case { class, name: "robusto check".to_owned(), end }])
}

fn document(info: &RunInfo, cases: &[Case]) -> String {
    let count = |element: &str| cases.iter().filter(|c| matches!(c.end, End::Other(e, ..) if e == element)).count();
    let (failures, errors, skipped) = (count("failure"), count("error"), count("skipped"));
    let counts = format!(
        "tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\" time=\"{:.3}\"",
        cases.len(),
        info.seconds
    );
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(out, "<testsuites {counts}>\n  <testsuite name=\"robusto\" {counts}>");
    for Case { class, name, end } in cases {
        let _ = write!(out, "    <testcase classname=\"{}\" name=\"{}\"", escape(class), escape(name));
        match end {
            End::Passed => out.push_str("/>\n"),
            End::Other(element, message, text) => {
                let _ = writeln!(
                    out,
                    ">\n      <{element} message=\"{}\">{}</{element}>\n    </testcase>",
                    escape(message),
                    escape(text)
                );
            }
        }
    }
    out.push_str("  </testsuite>\n</testsuites>\n");
    out
}

/// Text in XML; control characters, which XML 1.0 does not have, become a question mark.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\t' => out.push('\t'),
            c if c.is_control() => out.push('?'),
            c => out.push(c),
        }
    }
    out
}
