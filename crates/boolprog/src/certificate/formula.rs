//! Formulas of certificates as s-expressions.
//!
//! ```text
//! relation  = [ "(same" now* ")" ] formula
//! formula   = "true" | "false" | leaf | "$" number | "(" operator formula* ")" | "(let" binding+ formula ")"
//! binding   = "(" "$" number formula ")"
//! leaf      = now | entry | choice
//! now       = "v" number [ ":" name ]       the value of a variable of the frame, by its number
//! entry     = "e" number [ ":" name ]       its value when the procedure was entered
//! choice    = "c" number                    a truth value: the formula holds if it does for some of them
//! operator  = not and or xor ite
//! ```
//!
//! A part that is used twice is bound by the outermost `let`, so the text is linear in the size of the shared formula.
//! Neither direction recurses.

use super::{Builder, Relation};
use crate::program::{Formula, ProcId, Program, Term, VarId};
use rustc_hash::FxHashMap;
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
    let terms = &formula.0;
    let mut uses = vec![0u32; terms.len()];
    terms.iter().flat_map(Term::operands).for_each(|operand| uses[operand as usize] += 1);
    let is_shared = |i: usize| uses[i] > 1 && terms[i].operands().next().is_some();
    // Operands have smaller numbers, so each shared term comes after those that it uses.
    let shared: Vec<usize> = (0..terms.len()).filter(|&i| is_shared(i)).collect();
    let names: FxHashMap<usize, usize> = shared.iter().enumerate().map(|(name, &i)| (i, name)).collect();
    let mut out = String::new();
    if !shared.is_empty() {
        out.push_str("(let ");
        for (name, &i) in shared.iter().enumerate() {
            let _ = write!(out, "(${name} ");
            tree(program, id, terms, &names, i, &mut out);
            out.push_str(") ");
        }
    }
    tree(program, id, terms, &names, terms.len() - 1, &mut out);
    if !shared.is_empty() {
        out.push(')');
    }
    out
}

/// Writes a term down to leaves and shared terms; the root is written out even if it is shared.
fn tree(program: &Program, id: ProcId, terms: &[Term], names: &FxHashMap<usize, usize>, root: usize, out: &mut String) {
    enum Item {
        Term(usize),
        Close,
    }
    let mut stack = vec![Item::Term(root)];
    let mut first = true;
    while let Some(item) = stack.pop() {
        let at = match item {
            Item::Close => {
                out.push(')');
                continue;
            }
            Item::Term(at) => at,
        };
        if !first {
            out.push(' ');
        }
        if let Some(name) = names.get(&at).filter(|_| !first) {
            let _ = write!(out, "${name}");
            continue;
        }
        first = false;
        let operator = match &terms[at] {
            Term::Const(value) => {
                let _ = write!(out, "{value}");
                continue;
            }
            Term::Var(var) => {
                variable(program, id, 'e', *var, out);
                continue;
            }
            Term::Next(var) => {
                variable(program, id, 'v', *var, out);
                continue;
            }
            Term::Choice(number) => {
                let _ = write!(out, "c{number}");
                continue;
            }
            Term::Not(_) => "(not",
            Term::And(_) => "(and",
            Term::Or(_) => "(or",
            Term::Xor(_) => "(xor",
            Term::Ite(..) => "(ite",
        };
        out.push_str(operator);
        stack.push(Item::Close);
        let from = stack.len();
        stack.extend(terms[at].operands().map(|operand| Item::Term(operand as usize)));
        stack[from..].reverse();
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

/// A list that is being read.
struct List<'t> {
    operator: &'t str,
    operands: Vec<u32>,
}

/// Reads a formula of a procedure.
pub(super) fn parse(program: &Program, id: ProcId, text: &str) -> Result<Formula, String> {
    let mut builder = Builder::new();
    let mut bound: FxHashMap<&str, u32> = FxHashMap::default();
    let mut open: Vec<List<'_>> = Vec::new();
    let mut tokens = Tokens(text);
    loop {
        let token = tokens.next().ok_or("the formula ends too early")?;
        let value = match token {
            "(" => {
                let operator = tokens.next().filter(|t| *t != "(" && *t != ")").ok_or("a list without operator")?;
                open.push(List { operator, operands: Vec::new() });
                continue;
            }
            ")" => {
                let list = open.pop().ok_or("a parenthesis closes nothing")?;
                if list.operator.starts_with('$') {
                    let &[value] = &list.operands[..] else {
                        return Err(format!("{} has not one value", list.operator));
                    };
                    if !open.last().is_some_and(|outer| outer.operator == "let" && outer.operands.is_empty()) {
                        return Err(format!("{} is bound outside of a let", list.operator));
                    }
                    if bound.insert(list.operator, value).is_some() {
                        return Err(format!("{} is bound twice", list.operator));
                    }
                    continue;
                }
                match (list.operator, &list.operands[..]) {
                    ("let", &[body]) => body,
                    ("not", &[x]) => builder.add(Term::Not(x)),
                    ("ite", &[c, x, y]) => builder.add(Term::Ite(c, x, y)),
                    ("and", operands) => builder.add(Term::And(operands.into())),
                    ("or", operands) => builder.add(Term::Or(operands.into())),
                    ("xor", operands) => builder.add(Term::Xor(operands.into())),
                    (operator, _) => return Err(format!("wrong operands of `{operator}`")),
                }
            }
            _ if token.starts_with('$') => *bound.get(token).ok_or_else(|| format!("{token} is not bound"))?,
            _ => builder.add(leaf(program, id, token)?),
        };
        match open.last_mut() {
            Some(list) => list.operands.push(value),
            None if tokens.next().is_some() => return Err("something follows the formula".to_owned()),
            None => return Ok(builder.formula(value)),
        }
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

/// The parentheses and words of a text.
struct Tokens<'t>(&'t str);

impl<'t> Iterator for Tokens<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        let text = self.0.trim_start();
        let end = match text.find(|c: char| c.is_whitespace() || c == '(' || c == ')') {
            Some(0) => 1,
            Some(end) => end,
            None => text.len(),
        };
        let (token, rest) = text.split_at(end);
        self.0 = rest;
        (!token.is_empty()).then_some(token)
    }
}
