//! Lines that GitHub's workflows show beside the code (*Workflow commands*: `::error file=a.c,line=3,col=5::text`).

use crate::diagnostic::Diagnostic;
use crate::source::Sources;
use robusto_verdict::{Place, Property, Report, Verdict};

/// One line per violation and per open target; none for what is proved.
pub fn github(report: &Report, property: &Property, sources: &Sources) -> String {
    let mut out = String::new();
    for finding in &report.findings {
        let target = &finding.target;
        let at = at(sources.place_of(finding), sources);
        let title = format!("robusto {}", target.property());
        match &finding.verdict {
            Verdict::True => {}
            Verdict::False(cex) => {
                let inputs: Vec<&str> = cex.inputs.iter().take(8).map(|input| input.value.as_str()).collect();
                let inputs = if inputs.is_empty() { String::new() } else { format!("\ninputs: {}", inputs.join(" ")) };
                out += &command("error", &at, &title, &format!("{}{inputs}", sources.named(finding)));
            }
            Verdict::Unknown(reason) => {
                out += &command("warning", &at, &title, &format!("{}: unknown ({reason})", target.name));
            }
        }
    }
    if let (true, Verdict::Unknown(reason)) = (out.is_empty(), &report.verdict) {
        out += &command("warning", &[], &format!("robusto {property}"), &format!("unknown ({reason})"));
    }
    out
}

/// One line per message about the input.
pub fn github_error(message: &str, diagnostics: &[Diagnostic]) -> String {
    if diagnostics.is_empty() {
        return command("error", &[], "robusto", message);
    }
    let line = |diagnostic: &Diagnostic| {
        let at = diagnostic.place.as_ref().map_or(Vec::new(), |place| {
            let mut at = vec![("file", place.file.clone())];
            at.extend(
                [("line", place.line), ("col", place.column)]
                    .iter()
                    .filter(|(_, n)| *n > 0)
                    .map(|(k, n)| (*k, n.to_string())),
            );
            at
        });
        command(diagnostic.severity, &at, "robusto", &diagnostic.message)
    };
    diagnostics.iter().map(line).collect()
}

fn at(pos: Place, sources: &Sources) -> Vec<(&'static str, String)> {
    let Some(file) = sources.name(pos) else { return Vec::new() };
    vec![("file", file.to_owned()), ("line", pos.line.to_string()), ("col", pos.column.to_string())]
}

fn command(name: &str, at: &[(&'static str, String)], title: &str, text: &str) -> String {
    let mut parameters: Vec<String> = at.iter().map(|(key, value)| format!("{key}={}", parameter(value))).collect();
    parameters.push(format!("title={}", parameter(title)));
    format!("::{name} {}::{}\n", parameters.join(","), data(text))
}

/// Characters that would end the line or begin an escape.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// And those that would end a parameter.
fn parameter(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes() {
        let line = command("error", &[("file", "a,b.c".to_owned())], "x:y", "50%\nnext: one");
        assert_eq!(line, "::error file=a%2Cb.c,title=x%3Ay::50%25%0Anext: one\n");
    }
}
