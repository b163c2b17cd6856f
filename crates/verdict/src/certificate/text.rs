//! Certificates as files; `docs/certificates.md` describes the form for users.
//!
//! ```text
//! robusto certificate 1
//! property unreach-call
//! data-model LP64
//! program sha256 0f3a…
//! kind invariant
//! at main 3
//!   (ult v0:main::x 11:32)
//! at step 2 from main 7
//!   true
//! end
//! ```
//!
//! `kind` is `vacuous`, `invariant`, `unrolled BOUND`, `inductive K`, `summaries`, `accelerated BOUND`, `parts`, or `sliced`: then another `kind`
//! follows on the next line, with all that belongs to it, about the slice of the program. Summaries begin with the procedures:
//!
//! ```text
//! procedure sum
//!   pre (sle 0:32 v3:sum::n)
//!   post (eq v5:sum::result (old v3:sum::n))
//! ```
//!
//! `accelerated BOUND` has closed forms of loops, each with the head (function and location) and the width of n:
//!
//! ```text
//! loop main 3 count 32
//!   when (ult v0:main::x 100:32)
//!   valid (or (eq count:32 0:32) (ult count:32 99:32))
//!   value v0:main::x (add v0:main::x count:32)
//! ```
//!
//! A part begins with a line `part main 7, f 2`
//! that lists error edges (function and edge), and goes on with a `kind` and entries of its own. An entry names the function, its location, and the
//! pending calls (caller and edge), the oldest first; its formula stands on the next line.

use super::{Call, Certificate, ClosedForm, Entry, Part, Summary};
use std::fmt::Write as _;

/// What a certificate is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Subject {
    /// The property, as on the command line.
    pub property: String,
    /// `ILP32` or `LP64`.
    pub model: String,
    /// SHA-256 of the automaton's text form, in hexadecimal.
    pub program: String,
}

impl Subject {
    /// Why a certificate about `self` says nothing about another subject.
    pub fn differs_from(&self, other: &Subject) -> Option<String> {
        let differs = |what: &str, here: &str, there: &str| {
            (here != there).then(|| format!("it is about another {what}: {here}, not {there}"))
        };
        differs("property", &self.property, &other.property)
            .or_else(|| differs("data model", &self.model, &other.model))
            .or_else(|| differs("program", &self.program, &other.program))
    }
}

/// A text that is no certificate.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct ReadError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub message: String,
}

const FIRST_LINE: &str = "robusto certificate 1";

/// Writes a certificate.
pub fn write(subject: &Subject, certificate: &Certificate) -> String {
    let Subject { property, model, program } = subject;
    let mut out = format!("{FIRST_LINE}\nproperty {property}\ndata-model {model}\nprogram sha256 {program}\n");
    write_reason(&mut out, certificate);
    out.push_str("end\n");
    out
}

fn write_reason(out: &mut String, certificate: &Certificate) {
    let _ = match certificate {
        Certificate::Vacuous => writeln!(out, "kind vacuous"),
        Certificate::Invariant(_) => writeln!(out, "kind invariant"),
        Certificate::Unrolled { bound } => writeln!(out, "kind unrolled {bound}"),
        Certificate::Inductive { k, .. } => writeln!(out, "kind inductive {k}"),
        Certificate::Summaries { .. } => writeln!(out, "kind summaries"),
        Certificate::Accelerated { bound, .. } => writeln!(out, "kind accelerated {bound}"),
        Certificate::Parts(_) => writeln!(out, "kind parts"),
        Certificate::Sliced(inner) => {
            out.push_str("kind sliced\n");
            return write_reason(out, inner);
        }
    };
    if let Certificate::Summaries { procedures, .. } = certificate {
        for Summary { function, pre, post } in procedures {
            let _ = writeln!(out, "procedure {function}\n  pre {pre}\n  post {post}");
        }
    }
    if let Certificate::Accelerated { loops, .. } = certificate {
        for ClosedForm { function, location, width, when, valid, values } in loops {
            let _ = writeln!(out, "loop {function} {location} count {width}\n  when {when}\n  valid {valid}");
            for (cell, value) in values {
                let _ = writeln!(out, "  value {cell} {value}");
            }
        }
    }
    for entry in certificate.entries() {
        let _ = write!(out, "at {} {}", entry.function, entry.location);
        for (i, call) in entry.calls.iter().enumerate() {
            let _ = write!(out, "{} {} {}", if i == 0 { " from" } else { "," }, call.function, call.edge);
        }
        let _ = writeln!(out, "\n  {}", entry.formula);
    }
    if let Certificate::Parts(parts) = certificate {
        for part in parts {
            let errors: Vec<String> = part.errors.iter().map(|(f, edge)| format!("{f} {edge}")).collect();
            let _ = writeln!(out, "part {}", errors.join(", "));
            write_reason(out, &part.certificate);
        }
    }
}

/// Reads a certificate.
pub fn read(text: &str) -> Result<(Subject, Certificate), ReadError> {
    let mut lines = text.lines().enumerate();
    let mut next = |expected: &str| match lines.next() {
        Some((i, line)) => Ok((i + 1, line)),
        None => Err(ReadError { line: text.lines().count() + 1, message: format!("{expected} is missing") }),
    };
    let error = |line: usize, message: &str| ReadError { line, message: message.to_owned() };
    let (line, first) = next("the first line")?;
    if first != FIRST_LINE {
        return Err(error(line, "this is no certificate of version 1"));
    }
    let mut field = |name: &str| {
        let (line, text) = next(name)?;
        let value = text.strip_prefix(name).and_then(|rest| rest.strip_prefix(' '));
        value.map(str::to_owned).ok_or_else(|| error(line, &format!("`{name}` is missing")))
    };
    let subject =
        Subject { property: field("property")?, model: field("data-model")?, program: field("program sha256")? };
    let (mut line, mut text) = next("kind")?;
    let is_sliced = text == "kind sliced";
    if is_sliced {
        (line, text) = next("kind")?;
    }
    let mut certificate = kind(text).map_err(|message| error(line, message))?;
    loop {
        let (line, text) = next("`end`")?;
        if text == "end" {
            let certificate = if is_sliced { Certificate::Sliced(Box::new(certificate)) } else { certificate };
            return Ok((subject, certificate));
        }
        if let Certificate::Parts(parts) = &mut certificate
            && let Some(errors) = text.strip_prefix("part ")
        {
            let errors: Option<Vec<_>> = errors.split(", ").map(pair).collect();
            let errors = errors.ok_or_else(|| error(line, "this is no list of edges"))?;
            let (line, text) = next("kind")?;
            match kind(text).map_err(|message| error(line, message))? {
                Certificate::Parts(_) => return Err(error(line, "a part has no parts")),
                certificate => parts.push(Part { errors, certificate }),
            }
            continue;
        }
        let whole = &mut certificate;
        let open = match whole {
            Certificate::Parts(parts) => parts.last_mut().map(|part| &mut part.certificate),
            whole => Some(whole),
        };
        if let Some(Certificate::Summaries { procedures, .. }) = open
            && let Some(function) = text.strip_prefix("procedure ")
        {
            let mut formula = |name: &str| {
                let (line, text) = next(name)?;
                let formula = text.trim().strip_prefix(name).and_then(|rest| rest.strip_prefix(' '));
                formula.map(str::to_owned).ok_or_else(|| error(line, &format!("`{name}` is missing")))
            };
            procedures.push(Summary { function: function.to_owned(), pre: formula("pre")?, post: formula("post")? });
            continue;
        }
        if let Some(Certificate::Accelerated { loops, .. }) = open {
            if let Some(head) = text.strip_prefix("loop ") {
                let (head, width) = head.split_once(" count ").ok_or_else(|| error(line, "`count` is missing"))?;
                let (function, location) = pair(head).ok_or_else(|| error(line, "this is no head of a loop"))?;
                let width = width.parse().map_err(|_| error(line, "this is no number"))?;
                let mut formula = |name: &str| {
                    let (line, text) = next(name)?;
                    let formula = text.trim().strip_prefix(name).and_then(|rest| rest.strip_prefix(' '));
                    formula.map(str::to_owned).ok_or_else(|| error(line, &format!("`{name}` is missing")))
                };
                let (when, valid) = (formula("when")?, formula("valid")?);
                loops.push(ClosedForm { function, location, width, when, valid, values: Vec::new() });
                continue;
            }
            let value = text.trim().strip_prefix("value ").and_then(|rest| rest.split_once(' '));
            let (Some(last), Some((cell, value))) = (loops.last_mut(), value) else {
                return Err(error(line, "this is no closed form"));
            };
            last.values.push((cell.to_owned(), value.to_owned()));
            continue;
        }
        let (calls, function, location) = place(text).ok_or_else(|| error(line, "this is no place"))?;
        let (_, formula) = next("a formula")?;
        let entry = Entry { calls, function, location, formula: formula.trim().to_owned() };
        match open {
            Some(
                Certificate::Invariant(entries)
                | Certificate::Inductive { invariants: entries, .. }
                | Certificate::Summaries { entries, .. },
            ) => entries.push(entry),
            _ => return Err(error(line, "this kind of certificate has no entries")),
        }
    }
}

/// `kind KIND [NUMBER]`: a certificate without its entries.
fn kind(text: &str) -> Result<Certificate, &'static str> {
    let words: Vec<&str> = text.split(' ').collect();
    let number = |word: &str| word.parse().map_err(|_| "this is no number");
    match words[..] {
        ["kind", "vacuous"] => Ok(Certificate::Vacuous),
        ["kind", "invariant"] => Ok(Certificate::Invariant(Vec::new())),
        ["kind", "unrolled", bound] => Ok(Certificate::Unrolled { bound: number(bound)? }),
        ["kind", "inductive", k] => Ok(Certificate::Inductive { k: number(k)?, invariants: Vec::new() }),
        ["kind", "summaries"] => Ok(Certificate::Summaries { procedures: Vec::new(), entries: Vec::new() }),
        ["kind", "accelerated", bound] => Ok(Certificate::Accelerated { bound: number(bound)?, loops: Vec::new() }),
        ["kind", "parts"] => Ok(Certificate::Parts(Vec::new())),
        _ => Err("this kind of certificate is not known"),
    }
}

/// `FUNCTION NUMBER`
fn pair(text: &str) -> Option<(String, u32)> {
    let (function, number) = text.split_once(' ')?;
    Some((function.to_owned(), number.parse().ok()?))
}

/// `at FUNCTION LOCATION [from FUNCTION EDGE {, FUNCTION EDGE}]`
fn place(line: &str) -> Option<(Vec<Call>, String, u32)> {
    let (here, calls) = match line.strip_prefix("at ")?.split_once(" from ") {
        Some((here, calls)) => (here, calls.split(", ").collect()),
        None => (line.strip_prefix("at ")?, Vec::new()),
    };
    let calls: Option<Vec<Call>> =
        calls.into_iter().map(|call| pair(call).map(|(function, edge)| Call { function, edge })).collect();
    let (function, location) = pair(here)?;
    Some((calls?, function, location))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summaries() -> Certificate {
        let calls = vec![Call { function: "f".to_owned(), edge: 2 }];
        let entry = Entry { calls, function: "f".to_owned(), location: 3, formula: "(eq a b)".to_owned() };
        let summary =
            |name: &str| Summary { function: name.to_owned(), pre: "true".to_owned(), post: "(not a)".to_owned() };
        Certificate::Summaries { procedures: vec![summary("f"), summary("0:g")], entries: vec![entry] }
    }

    #[test]
    fn summaries_are_read_back() {
        let [property, model, program] = ["assert", "none", "00"].map(str::to_owned);
        let subject = Subject { property, model, program };
        let part = Part { errors: vec![("f".to_owned(), 1)], certificate: summaries() };
        let sliced = Certificate::Sliced(Box::new(Certificate::Parts(vec![part.clone()])));
        for certificate in [summaries(), Certificate::Parts(vec![part]), sliced] {
            let text = write(&subject, &certificate);
            assert_eq!(read(&text), Ok((subject.clone(), certificate)), "{text}");
            for end in (0..text.len() - 1).filter(|&end| text.is_char_boundary(end)) {
                assert!(read(&text[..end]).is_err(), "{}", &text[..end]);
            }
        }
    }

    #[test]
    fn closed_forms_are_read_back() {
        let [property, model, program] = ["assert", "none", "00"].map(str::to_owned);
        let subject = Subject { property, model, program };
        let closed = |location, values: &[&str]| ClosedForm {
            function: "f".to_owned(),
            location,
            width: 32,
            when: "(ult a b)".to_owned(),
            valid: "true".to_owned(),
            values: values.iter().map(|&cell| (cell.to_owned(), "(add a count:32)".to_owned())).collect(),
        };
        let loops = vec![closed(3, &["a", "b"]), closed(7, &[]), closed(7, &["c"])];
        let certificate = Certificate::Accelerated { bound: 2, loops };
        let part = Part { errors: vec![("f".to_owned(), 1)], certificate: certificate.clone() };
        for certificate in [certificate, Certificate::Parts(vec![part])] {
            let text = write(&subject, &certificate);
            assert_eq!(read(&text), Ok((subject.clone(), certificate)), "{text}");
            for end in (0..text.len() - 1).filter(|&end| text.is_char_boundary(end)) {
                assert!(read(&text[..end]).is_err(), "{}", &text[..end]);
            }
        }
    }

    #[test]
    fn a_procedure_needs_both_formulas() {
        let text = "robusto certificate 1\nproperty p\ndata-model m\nprogram sha256 0\nkind summaries\nprocedure f\n";
        let message = |rest: &str| read(&format!("{text}{rest}")).expect_err("it is wrong").to_string();
        assert_eq!(message("end\n"), "line 7: `pre` is missing");
        assert_eq!(message("  pre true\nend\n"), "line 8: `post` is missing");
        assert_eq!(message("  pre true\n  post true\n"), "line 9: `end` is missing");
    }
}
