//! Files of predicates.
//!
//! ```text
//! # comment
//! NAME entry:       predicates when the function is entered: parameters and globals
//!   EXPRESSION
//! NAME local:       at its loop heads and calls: what is in scope, and values at the entry, old(x)
//!   EXPRESSION
//! NAME exit:        when it returns: result, globals, values at the entry
//!   EXPRESSION
//! global:           globals, everywhere
//!   EXPRESSION
//! ```
//!
//! An expression may stand behind the colon. `expression` has what it may be.

mod expression;

use super::precision::Precision;
use crate::procedures::{CutId, Procedures};
use expression::Scope;
use robusto_analyses::symbolic::Encoder;
use robusto_logic::Term;

/// What is wrong with a file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct BadPredicate {
    /// Where.
    pub line: usize,
    /// What.
    pub what: String,
}

#[derive(Clone, Copy)]
enum Section {
    Entry(usize),
    Local(usize),
    Exit(usize),
    Global,
}

/// Adds the predicates of a file.
pub fn read(
    encoder: &mut Encoder<'_>,
    procedures: &Procedures<'_>,
    precision: &mut Precision,
    text: &str,
) -> Result<(), BadPredicate> {
    let mut section = None;
    for (i, line) in text.lines().enumerate() {
        let bad = |what: String| BadPredicate { line: i + 1, what };
        let mut line = line.split('#').next().unwrap_or("").trim();
        if let Some((head, rest)) = line.split_once(':') {
            section = Some(header(encoder, procedures, head).map_err(bad)?);
            line = rest.trim();
        }
        if line.is_empty() {
            continue;
        }
        let section = section
            .ok_or_else(|| bad("there is no `FUNCTION entry:`, `local:`, `exit:` or `global:` above".to_owned()))?;
        predicate(encoder, procedures, precision, section, line).map_err(bad)?;
    }
    Ok(())
}

fn header(encoder: &Encoder<'_>, procedures: &Procedures<'_>, head: &str) -> Result<Section, String> {
    let words: Vec<&str> = head.split_whitespace().collect();
    let (name, kind): (&str, fn(usize) -> Section) = match words[..] {
        ["global"] => return Ok(Section::Global),
        [name, "entry"] => (name, Section::Entry),
        [name, "local"] => (name, Section::Local),
        [name, "exit"] => (name, Section::Exit),
        _ => return Err(format!("`{head}` is neither `global` nor a function with entry, local or exit")),
    };
    let function =
        encoder.facts().program.function_named(name).ok_or_else(|| format!("there is no function `{name}`"))?;
    procedures.number(function).map(kind).ok_or_else(|| format!("the function `{name}` is never called"))
}

fn predicate(
    encoder: &mut Encoder<'_>,
    procedures: &Procedures<'_>,
    precision: &mut Precision,
    section: Section,
    text: &str,
) -> Result<(), String> {
    let parse = |encoder: &mut Encoder<'_>, number: Option<usize>, result: bool, old: bool| -> Result<Term, String> {
        let function = number.map(|number| procedures.list[number].function);
        expression::parse(encoder, Scope { function, result, old }, text)
    };
    match section {
        Section::Entry(number) => {
            let term = parse(encoder, Some(number), false, false)?;
            precision.add_entry(encoder, procedures, number, term);
        }
        Section::Exit(number) => {
            let term = parse(encoder, Some(number), true, true)?;
            precision.add_exit(encoder, procedures, number, term);
        }
        Section::Local(number) => {
            let term = parse(encoder, Some(number), false, true)?;
            everywhere(encoder, procedures, precision, number, term);
        }
        Section::Global => {
            let term = parse(encoder, None, false, false)?;
            for number in 0..procedures.list.len() {
                precision.add_entry(encoder, procedures, number, term);
                precision.add_exit(encoder, procedures, number, term);
                everywhere(encoder, procedures, precision, number, term);
            }
        }
    }
    Ok(())
}

/// Tracks a predicate at all cut points where it can be told.
fn everywhere(
    encoder: &mut Encoder<'_>,
    procedures: &Procedures<'_>,
    precision: &mut Precision,
    number: usize,
    term: Term,
) {
    for cut in (0..procedures.list[number].cuts.len()).map(CutId::new) {
        precision.add_local(encoder, procedures, (number, cut), term);
    }
}
