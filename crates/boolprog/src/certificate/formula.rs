//! Formulas of certificates as s-expressions ([`expression`]).
//!
//! ```text
//! relation  = [ "(same" now* ")" ] formula
//! leaf      = "true" | "false" | now | entry | choice
//! now       = "v" number [ ":" name ]       the value of a variable of the frame, by its number
//! entry     = "e" number [ ":" name ]       its value when the procedure was entered
//! choice    = "c" number                    a truth value: the formula holds if it does for some of them
//! operator  = not and or xor ite
//! ```

use super::{Builder, Relation};
use crate::program::{Formula, ProcId, Program, Term, VarId};
use robusto_verdict::certificate::expression::{self, Reader, Writer};
use std::fmt::Write as _;

/// Writes a relation of a procedure.
pub(super) fn print_relation(program: &Program, id: ProcId, relation: &Relation) -> String {
    let mut out = String::new();
    if !relation.same.is_empty() {
        out.push_str("(same");
        for &var in &relation.same {
            out.push(' ');
            variable(program, id, 'v', var, &mut out);
        }
        out.push_str(") ");
    }
    out + &print(program, id, &relation.formula)
}

/// Writes a formula of a procedure.
pub(super) fn print(program: &Program, id: ProcId, formula: &Formula) -> String {
    let below: Vec<u32> = (0..formula.0.len() as u32).collect();
    expression::write(&Terms { program, id, terms: &formula.0 }, &below, formula.0.len() as u32 - 1)
}

/// The terms of a formula that is written.
struct Terms<'p> {
    program: &'p Program,
    id: ProcId,
    terms: &'p [Term],
}

impl Writer for Terms<'_> {
    type Term = u32;

    fn operands(&self, term: u32) -> impl DoubleEndedIterator<Item = u32> {
        self.terms[term as usize].operands()
    }

    fn open(&self, term: u32, out: &mut String) -> bool {
        let operator = match &self.terms[term as usize] {
            Term::Const(value) => {
                let _ = write!(out, "{value}");
                return false;
            }
            Term::Var(var) => {
                variable(self.program, self.id, 'e', *var, out);
                return false;
            }
            Term::Next(var) => {
                variable(self.program, self.id, 'v', *var, out);
                return false;
            }
            Term::Choice(number) => {
                let _ = write!(out, "c{number}");
                return false;
            }
            Term::Not(_) => "(not",
            Term::And(_) => "(and",
            Term::Or(_) => "(or",
            Term::Xor(_) => "(xor",
            Term::Ite(..) => "(ite",
        };
        out.push_str(operator);
        true
    }
}

fn variable(program: &Program, id: ProcId, letter: char, var: VarId, out: &mut String) {
    let _ = write!(out, "{letter}{}:{}", var.0, plain(&program.variable(id, var).name));
}

/// A name without characters that mean something in a certificate.
pub(super) fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_whitespace() || c.is_control() || "(),".contains(c) { '_' } else { c }).collect()
}

/// Reads a relation of a procedure.
pub(super) fn parse_relation(program: &Program, id: ProcId, text: &str) -> Result<Relation, String> {
    let text = text.trim_start();
    let Some((list, rest)) = text.strip_prefix("(same").and_then(|rest| rest.split_once(')')) else {
        return Ok(Relation { same: Vec::new(), formula: parse(program, id, text)? });
    };
    let same = list.split_whitespace().map(|word| match leaf(program, id, word)? {
        Term::Next(var) => Ok(var),
        _ => Err(format!("`{word}` is no value of a variable now")),
    });
    Ok(Relation { same: same.collect::<Result<_, String>>()?, formula: parse(program, id, rest)? })
}

/// Reads a formula of a procedure.
pub(super) fn parse(program: &Program, id: ProcId, text: &str) -> Result<Formula, String> {
    let mut building = Building { program, id, builder: Builder::new() };
    let root = expression::read(&mut building, text)?;
    Ok(building.builder.formula(root))
}

/// A formula that is read.
struct Building<'p> {
    program: &'p Program,
    id: ProcId,
    builder: Builder,
}

impl Reader for Building<'_> {
    type Term = u32;

    fn numbers(&self, _: &str) -> usize {
        0
    }

    fn leaf(&mut self, word: &str) -> Result<u32, String> {
        Ok(self.builder.add(leaf(self.program, self.id, word)?))
    }

    fn list(&mut self, operator: &str, _: &[u16], operands: &[u32]) -> Result<u32, String> {
        Ok(self.builder.add(match (operator, operands) {
            ("not", &[x]) => Term::Not(x),
            ("ite", &[c, x, y]) => Term::Ite(c, x, y),
            ("and", operands) => Term::And(operands.into()),
            ("or", operands) => Term::Or(operands.into()),
            ("xor", operands) => Term::Xor(operands.into()),
            (operator, _) => return Err(format!("wrong operands of `{operator}`")),
        }))
    }
}

fn leaf(program: &Program, id: ProcId, token: &str) -> Result<Term, String> {
    let unknown = || format!("`{token}` is neither a truth value nor a variable of this procedure");
    match token {
        "true" => return Ok(Term::Const(true)),
        "false" => return Ok(Term::Const(false)),
        _ => {}
    }
    let kind = token.chars().next().filter(char::is_ascii).ok_or_else(unknown)?;
    let (number, name) = token[1..].split_once(':').map_or((&token[1..], None), |(number, name)| (number, Some(name)));
    let number: u32 = number.parse().map_err(|_| unknown())?;
    let is_variable = || {
        let is_there = (number as usize) < program.frame_size(id);
        is_there && name.is_none_or(|name| name == plain(&program.variable(id, VarId(number)).name))
    };
    match kind {
        'e' if is_variable() => Ok(Term::Var(VarId(number))),
        'v' if is_variable() => Ok(Term::Next(VarId(number))),
        'c' if name.is_none() => Ok(Term::Choice(number)),
        _ => Err(unknown()),
    }
}
