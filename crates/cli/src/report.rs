//! Diagnostics on standard error.

use robusto_report::{Diagnostic as Told, DiagnosticPlace};
use robusto_syntax::source::Position;
use robusto_syntax::{Diagnostic, Severity, SourceMap};
use std::fmt::Write as _;
use std::io::{self, IsTerminal as _, Write as _};

/// How many diagnostics of one kind are shown; machine-made code can have thousands.
const SHOWN: usize = 50;

/// Shows diagnostics and counts them.
pub struct Reporter {
    colour: bool,
    errors: usize,
    warnings: usize,
    /// What was shown, for programs.
    told: Vec<Told>,
}

impl Reporter {
    /// A reporter that has shown nothing. It uses colour on a terminal, unless `NO_COLOR` is set.
    pub fn new() -> Self {
        let colour = io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty());
        Self { colour, errors: 0, warnings: 0, told: Vec::new() }
    }

    /// Shows diagnostics about places in the sources.
    pub fn show(&mut self, sources: &SourceMap, diagnostics: &[Diagnostic]) {
        for diagnostic in diagnostics {
            if self.count(diagnostic.severity) <= SHOWN {
                self.print(&diagnostic.render(sources));
                let Position { file, line, column } = sources.position(diagnostic.span.lo);
                let file = sources.names().get(file as usize).cloned().unwrap_or_default();
                self.told.push(Told {
                    severity: label(diagnostic.severity),
                    message: diagnostic.message.clone(),
                    place: Some(DiagnosticPlace { file, line, column }),
                    help: diagnostic.help.clone(),
                });
            }
        }
    }

    /// Shows a message about a file as a whole.
    pub fn say(&mut self, severity: Severity, file: &str, message: &str) {
        self.count(severity);
        self.print(&format!("{file}: {}: {message}\n", label(severity)));
        let place = Some(DiagnosticPlace { file: file.to_owned(), line: 0, column: 0 });
        self.told.push(Told { severity: label(severity), message: message.to_owned(), place, help: None });
    }

    /// Passes on what the C compiler said.
    pub fn pass_on(&mut self, severity: Severity, text: &[u8]) {
        self.count(severity);
        let _ = io::stderr().write_all(text);
        self.told.extend(String::from_utf8_lossy(text).lines().filter_map(Told::of_compiler));
    }

    /// Prints the closing line: `2 errors, 1 warning`. Nothing if nothing was shown. Gives what was shown.
    pub fn finish(self) -> Vec<Told> {
        if let Some(summary) = summary(self.errors, self.warnings) {
            let _ = writeln!(io::stderr(), "{summary}");
        }
        self.told
    }

    fn count(&mut self, severity: Severity) -> usize {
        let counter = match severity {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
        };
        *counter += 1;
        *counter
    }

    fn print(&self, text: &str) {
        let mut out = String::with_capacity(text.len());
        for line in text.split_inclusive('\n') {
            out.push_str(&if self.colour { paint(line) } else { line.into() });
        }
        let _ = io::stderr().write_all(out.as_bytes());
    }
}

fn label(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

fn summary(errors: usize, warnings: usize) -> Option<String> {
    let mut out = String::new();
    for (count, what) in [(errors, "error"), (warnings, "warning")] {
        if count > 0 {
            let comma = if out.is_empty() { "" } else { ", " };
            let plural = if count == 1 { "" } else { "s" };
            let _ = write!(out, "{comma}{count} {what}{plural}");
        }
    }
    (!out.is_empty()).then_some(out)
}

/// The first label of a line in colour.
fn paint(line: &str) -> String {
    let labels = [(": error: ", "1;31"), (": warning: ", "1;35"), (": note: ", "1;36")];
    let first = labels.iter().filter_map(|(label, code)| Some((line.find(label)?, label, code))).min();
    match first {
        Some((at, label, code)) => {
            let (place, rest) = line.split_at(at);
            let word = &label[2..label.len() - 1];
            format!("\x1b[1m{place}:\x1b[0m \x1b[{code}m{word}\x1b[0m {}", &rest[label.len()..])
        }
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closing_line() {
        assert_eq!(summary(0, 0), None);
        assert_eq!(summary(1, 0).as_deref(), Some("1 error"));
        assert_eq!(summary(2, 1).as_deref(), Some("2 errors, 1 warning"));
    }

    #[test]
    fn colour_marks_the_first_label() {
        assert_eq!(
            paint("a.c:1:2: error: x: note: y\n"),
            "\x1b[1ma.c:1:2:\x1b[0m \x1b[1;31merror:\x1b[0m x: note: y\n"
        );
        assert_eq!(paint("1 | int x;\n"), "1 | int x;\n");
    }
}
