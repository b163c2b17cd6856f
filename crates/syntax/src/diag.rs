//! Diagnostics: what is wrong, where, and what to do.

use crate::excerpt::Excerpt;
use crate::source::{SourceMap, Span};
use std::fmt::Write as _;

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Severity {
    /// The input is not accepted.
    Error,
    /// The input is accepted, with this remark.
    Warning,
}

/// A message about a place in the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// One sentence, lower case, no full stop.
    pub message: String,
    /// The place.
    pub span: Span,
    /// Further places with their own sentences ("previous declaration is here").
    pub notes: Vec<(Span, String)>,
    /// What the user can do.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(span: Span, message: impl Into<String>) -> Self {
        Self { severity: Severity::Error, message: message.into(), span, notes: Vec::new(), help: None }
    }

    /// A warning at a place.
    pub fn warning(span: Span, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(span, message) }
    }

    /// Adds a further place.
    pub fn note(mut self, span: Span, message: impl Into<String>) -> Self {
        self.notes.push((span, message.into()));
        self
    }

    /// Adds what the user can do.
    pub fn help(mut self, message: impl Into<String>) -> Self {
        self.help = Some(message.into());
        self
    }

    /// The diagnostic as lines of text: `file:line:column: error: message`, the source line, a caret.
    pub fn render(&self, sources: &SourceMap) -> String {
        let mut out = String::new();
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        render_place(&mut out, sources, self.span, severity, &self.message);
        for (span, message) in &self.notes {
            render_place(&mut out, sources, *span, "note", message);
        }
        if let Some(help) = &self.help {
            let _ = writeln!(out, "  help: {help}");
        }
        out
    }
}

fn render_place(out: &mut String, sources: &SourceMap, span: Span, label: &str, message: &str) {
    let place = sources.position(span.lo);
    let name = sources.names().get(place.file as usize).map_or("<input>", String::as_str);
    let _ = writeln!(out, "{name}:{}:{}: {label}: {message}", place.line, place.column);
    let width = sources.snippet(span).chars().take_while(|&c| c != '\n').count();
    let Excerpt { text, mark } = Excerpt::new(sources.line_text(span.lo), place.column as usize, width);
    let gutter = place.line.to_string();
    let _ = writeln!(out, "{gutter} | {text}");
    let _ = writeln!(out, "{:pad$} | {mark}", "", pad = gutter.len());
}
