//! Contracts of functions as assertions.
//!
//! | part | becomes |
//! |---|---|
//! | `requires` | an assertion at the start of the body |
//! | `ensures` | an assertion in each `return`, behind its value, and at the closing brace |
//! | `\\result` | a variable of the function's type that takes the value first |
//! | `\\at(x, Old)`, `\\at(x, Pre)`, `\\old(x)` | a variable that takes the value of `x` at the start of the body |
//!
//! What a contract says is proved like any invariant, and assumed nowhere.

use crate::correctness::unless;
use crate::format::Contract;
use crate::index::{Body, Return};
use crate::instrument::Edits;
use crate::validate::{Validation, Validator, describe, rejected};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The result of a function.
const RESULT: &str = "__robusto_result";

/// What the names of values at the entry begin with.
const OLD: &str = "__robusto_old_";

impl Validator<'_> {
    /// Makes a contract assertions.
    pub(crate) fn contract(&self, contract: &Contract, edits: &mut Edits) -> Result<(), Validation> {
        let location = &contract.location;
        self.check_location(location)?;
        let is_here = |body: &&Body| [body.start, body.name].iter().any(|&at| self.is_at(at, location, &body.function));
        let Some(body) = self.index.bodies.iter().find(is_here) else {
            return rejected(format!("there is no function at {}", describe(location)));
        };
        let mut start = String::new();
        if let Some(value) = &contract.requires {
            self.check_expression(value)?;
            start.push_str(&unless(value));
        }
        if let Some(value) = &contract.ensures {
            let (value, olds) = translate(value)?;
            self.check_expression(&value)?;
            let unknown = |why: &str| Err(Validation::Unknown(format!("the contract of '{}': {why}", body.function)));
            if !self.index.is_unambiguous(&value, &body.function)
                || olds.iter().any(|name| !self.is_visible(name, body))
            {
                return unknown("a name means more than one variable");
            }
            for name in olds {
                let _ = write!(start, " __typeof__({name}) {OLD}{name} = {name};");
            }
            let has_result = body.returns.iter().any(|r| r.value.is_some());
            if has_result {
                let Some(parameters) = &body.parameters else { return unknown("a parameter has no name") };
                let _ = write!(start, " __typeof__({}({})) {RESULT};", body.function, parameters.join(", "));
            } else if value.contains(RESULT) {
                return rejected("a function without a result has none");
            }
            for at in &body.returns {
                at_return(at, &unless(&value), edits);
            }
            // Who does not return a value at the closing brace has no result; `main` has one.
            match (body.function.as_str(), value.contains(RESULT)) {
                ("main", _) if has_result => edits.at_end(body.brace, &format!("{RESULT} = 0; {}", unless(&value))),
                (_, false) => edits.at_end(body.brace, &unless(&value)),
                _ => {}
            }
        }
        edits.at_start(body.open, &start);
        Ok(())
    }

    /// Whether a name means a parameter or something global at the start of a body.
    fn is_visible(&self, name: &str, body: &Body) -> bool {
        let is_parameter = body.parameters.iter().flatten().any(|parameter| parameter == name);
        self.index.is_unambiguous(name, &body.function) && (is_parameter || self.index.is_global(name))
    }
}

fn at_return(at: &Return, check: &str, edits: &mut Edits) {
    match &at.value {
        Some(value) => edits.around_value(value, &format!("({{ {RESULT} = ("), &format!("); {check} {RESULT}; }})")),
        None => edits.around_value(&at.span, &format!("{{ {check} "), " }"),
    }
}

/// The expression in C, and the names whose values at the entry it speaks of.
fn translate(value: &str) -> Result<(String, BTreeSet<String>), Validation> {
    let mut out = String::new();
    let mut olds = BTreeSet::new();
    let mut rest = value;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(behind) = rest.strip_prefix("\\result") {
            out.push_str(RESULT);
            rest = behind;
            continue;
        }
        let unknown = || Validation::Unknown(format!("'{value}' has a word that is not supported"));
        let (inside, behind) = rest.split_once(')').ok_or_else(unknown)?;
        let (word, argument) = inside.split_once('(').ok_or_else(unknown)?;
        let name = match (word.trim(), argument.split_once(',')) {
            ("\\old", None) => argument,
            ("\\at", Some((name, state))) if matches!(state.trim(), "Old" | "Pre") => name,
            _ => return Err(unknown()),
        };
        let name = name.trim();
        if name.is_empty() || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
            return Err(unknown());
        }
        let _ = write!(out, "{OLD}{name}");
        olds.insert(name.to_owned());
        rest = behind;
    }
    out.push_str(rest);
    Ok((out, olds))
}
