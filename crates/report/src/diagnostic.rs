//! What is wrong with an input, for programs.

use serde::Serialize;

/// A message about the input.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Diagnostic {
    /// `error` or `warning`.
    pub severity: &'static str,
    /// One sentence.
    pub message: String,
    /// Where, as far as that is known.
    #[serde(rename = "location")]
    pub place: Option<DiagnosticPlace>,
    /// What the user can do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
}

/// A place in a file; line and column are 0 where the file as a whole is meant.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct DiagnosticPlace {
    /// The file.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
}

impl Diagnostic {
    /// Whether it is an error.
    pub fn is_error(&self) -> bool {
        self.severity == "error"
    }

    /// Reads a line of a C compiler: `a.c:3:5: error: …`, `a.c:3: warning: …`. Lines that go on are none.
    pub fn of_compiler(line: &str) -> Option<Self> {
        let labels = [(": fatal error: ", "error"), (": error: ", "error"), (": warning: ", "warning")];
        let (at, label, severity) = labels.iter().filter_map(|(l, s)| Some((line.find(l)?, *l, *s))).min()?;
        let message = line[at + label.len()..].trim_end().to_owned();
        let mut place = line[..at].rsplitn(3, ':');
        let numbers: Vec<Option<u32>> = place.by_ref().take(2).map(|part| part.parse().ok()).collect();
        let (file, line_number, column) = match (numbers.as_slice(), place.next()) {
            ([Some(column), Some(line)], Some(file)) => (file, *line, *column),
            ([Some(number), _], _) => (line[..at].rsplit_once(':')?.0, *number, 0),
            _ => (&line[..at], 0, 0),
        };
        let place = Some(DiagnosticPlace { file: file.to_owned(), line: line_number, column });
        Some(Self { severity, message, place, help: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_compilers() {
        let read = |line| {
            let Diagnostic { severity, message, place, .. } = Diagnostic::of_compiler(line)?;
            let DiagnosticPlace { file, line, column } = place?;
            Some(format!("{severity} {file} {line} {column} {message}"))
        };
        assert_eq!(read("a.c:3:5: error: no: such").as_deref(), Some("error a.c 3 5 no: such"));
        assert_eq!(read("b/a.c:3: warning: odd").as_deref(), Some("warning b/a.c 3 0 odd"));
        assert_eq!(
            read("x.c:1:10: fatal error: y.h: No such file").as_deref(),
            Some("error x.c 1 10 y.h: No such file")
        );
        assert_eq!(read("cc: error: unknown option").as_deref(), Some("error cc 0 0 unknown option"));
        assert_eq!(read("    3 | int x = ;"), None);
        assert_eq!(read("compilation terminated."), None);
    }
}
