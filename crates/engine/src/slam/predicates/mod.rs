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
use crate::problem::Problem;
use crate::procedures::{CutId, Procedures};
use expression::Scope;
use robusto_analyses::symbolic::Encoder;
use robusto_cfa::ir::FuncId;
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

/// Where a predicate stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Section {
    Entry(FuncId),
    Local(FuncId),
    Exit(FuncId),
    Global,
}

/// Adds the predicates of a file to the precision.
pub fn read(
    encoder: &mut Encoder<'_>,
    procedures: &Procedures<'_>,
    precision: &mut Precision,
    text: &str,
) -> Result<(), BadPredicate> {
    for (line, section, term) in lines(encoder, text, true)? {
        let number = |function: FuncId| {
            let unknown =
                || format!("the function `{}` is never called", encoder.facts().program.functions[function].name);
            procedures.number(function).ok_or_else(|| BadPredicate { line, what: unknown() })
        };
        match section {
            Section::Entry(function) => {
                precision.add_entry(encoder, procedures, number(function)?, term);
            }
            Section::Exit(function) => {
                precision.add_exit(encoder, procedures, number(function)?, term);
            }
            Section::Local(function) => everywhere(encoder, procedures, precision, number(function)?, term),
            Section::Global => {
                for number in 0..procedures.list.len() {
                    precision.add_entry(encoder, procedures, number, term);
                    precision.add_exit(encoder, procedures, number, term);
                    everywhere(encoder, procedures, precision, number, term);
                }
            }
        }
    }
    Ok(())
}

/// The predicates of a file for an engine that has one set of predicates for all places; values at the entry, `old(x)`, mean nothing
/// to it.
pub fn list(encoder: &mut Encoder<'_>, text: &str) -> Result<Vec<Term>, BadPredicate> {
    Ok(lines(encoder, text, false)?.into_iter().map(|(_, _, term)| term).collect())
}

/// How many predicates a file has, or what is wrong with it.
pub fn of(problem: &Problem, text: &str) -> Result<usize, BadPredicate> {
    list(&mut Encoder::new(&problem.facts), text).map(|list| list.len())
}

/// The predicates with their lines and sections; `old` tells whether values at the entry of a function have a meaning.
fn lines(encoder: &mut Encoder<'_>, text: &str, old: bool) -> Result<Vec<(usize, Section, Term)>, BadPredicate> {
    let (mut section, mut found) = (None, Vec::new());
    for (i, line) in text.lines().enumerate() {
        let bad = |what: String| BadPredicate { line: i + 1, what };
        let mut line = line.split('#').next().unwrap_or("").trim();
        if let Some((head, rest)) = line.split_once(':') {
            section = Some(header(encoder, head).map_err(bad)?);
            line = rest.trim();
        }
        if line.is_empty() {
            continue;
        }
        let section = section
            .ok_or_else(|| bad("there is no `FUNCTION entry:`, `local:`, `exit:` or `global:` above".to_owned()))?;
        let scope = match section {
            Section::Entry(function) => Scope { function: Some(function), result: false, old: false },
            Section::Exit(function) => Scope { function: Some(function), result: true, old },
            Section::Local(function) => Scope { function: Some(function), result: false, old },
            Section::Global => Scope { function: None, result: false, old: false },
        };
        found.push((i + 1, section, expression::parse(encoder, scope, line).map_err(bad)?));
    }
    Ok(found)
}

fn header(encoder: &Encoder<'_>, head: &str) -> Result<Section, String> {
    let words: Vec<&str> = head.split_whitespace().collect();
    let (name, kind): (&str, fn(FuncId) -> Section) = match words[..] {
        ["global"] => return Ok(Section::Global),
        [name, "entry"] => (name, Section::Entry),
        [name, "local"] => (name, Section::Local),
        [name, "exit"] => (name, Section::Exit),
        _ => return Err(format!("`{head}` is neither `global` nor a function with entry, local or exit")),
    };
    encoder.facts().program.function_named(name).map(kind).ok_or_else(|| format!("there is no function `{name}`"))
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
