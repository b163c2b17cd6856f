//! Invariants of certificates as C expressions, for people and for correctness witnesses.
//!
//! An invariant is given at a loop head as the disjunction over the calling contexts of what holds there. It speaks of named
//! integer variables only; conjuncts that cannot be written so, at the top or inside of disjunctions, are left out, which
//! weakens it. Every variable is cast to the
//! unsigned type of its width, since automata know no signs, so that the expression means in C what the formula means,
//! whatever C's conversions do; signed comparisons cast to the signed type.

use super::{formula, readable};
use crate::problem::Problem;
use crate::property::place;
use robusto_analyses::symbolic::{Cell, Encoder};
use robusto_cfa::ir::{FuncId, Idx as _, LocId, Program, Ty, VarId, VarKind};
use robusto_logic::{BinaryOp, Node, Symbol, Term};
use robusto_verdict::{Certificate, Contract, Invariant};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Most nodes of one expression, counted as a tree.
const MOST_NODES: u32 = 300;

/// Deepest nesting of one expression.
const DEEPEST: u32 = 60;

/// What a certificate says at loop heads, as far as C can say it. The position is where the loop's condition begins.
pub fn invariants(problem: &Problem, certificate: &Certificate) -> Vec<Invariant> {
    if let Certificate::Parts(parts) = certificate {
        return parts.iter().flat_map(|part| invariants(problem, &part.certificate)).collect();
    }
    let program = &problem.facts.program;
    let mut encoder = Encoder::new(&problem.facts);
    let mut places: BTreeMap<(FuncId, LocId), Option<Vec<(String, String)>>> = BTreeMap::new();
    for entry in certificate.entries() {
        let Some(function) = program.function_named(&entry.function) else { continue };
        let Ok(formula) = formula::parse(&mut encoder, &entry.formula) else { continue };
        let possible =
            places.entry((function, LocId::new(entry.location as usize))).or_insert_with(|| Some(Vec::new()));
        if encoder.terms.is_false(formula) {
            continue;
        }
        let mut parts = Vec::new();
        let activation = entry.calls.iter().filter(|call| call.function == entry.function).count() as u32;
        let mut said = Vec::new();
        let conjuncts = encoder.terms.conjuncts(formula);
        let scope = Scope { encoder: &encoder, function, activation };
        for conjunct in conjuncts {
            let part = Printer { scope: &scope, nodes: 0 }.implied(conjunct, 0);
            said.extend(part.is_some().then_some(conjunct));
            parts.extend(part);
        }
        match possible {
            // In some context nothing is known.
            _ if parts.is_empty() => *possible = None,
            Some(list) => {
                let expression = parts.join(" && ");
                let readable = readable::conjunction(&scope, &said).unwrap_or_else(|| expression.clone());
                list.push((expression, readable));
            }
            None => {}
        }
    }
    let mut found = Vec::new();
    for ((function, loc), possible) in places {
        let mut possible = possible.unwrap_or_default();
        possible.sort();
        possible.dedup();
        let pos = program.functions[function].out(loc).map(|(_, edge)| edge.pos).find(|pos| pos.line > 0);
        let (expressions, mut readable): (Vec<String>, Vec<String>) = possible.into_iter().unzip();
        // What differs only in casts is the same for people.
        readable.dedup();
        let (Some(expression), Some(readable)) = (either(&expressions), either(&readable)) else { continue };
        let function = program.functions[function].name.to_string();
        found.extend(pos.map(|pos| Invariant { pos: place(pos), of_loop: true, function, expression, readable }));
    }
    found
}

/// What a certificate says of functions, as far as C can say it.
pub fn contracts(problem: &Problem, certificate: &Certificate) -> Vec<Contract> {
    let procedures = match certificate {
        Certificate::Parts(parts) => {
            return parts.iter().flat_map(|part| contracts(problem, &part.certificate)).collect();
        }
        Certificate::Summaries { procedures, .. } => procedures,
        _ => return Vec::new(),
    };
    let program = &problem.facts.program;
    let mut encoder = Encoder::new(&problem.facts);
    let mut found = Vec::new();
    for summary in procedures {
        let Some(function) = program.function_named(&summary.function) else { continue };
        let mut said = |formula: &str| {
            let formula =
                formula::parse(&mut encoder, formula).ok().filter(|&formula| !encoder.terms.is_true(formula))?;
            let scope = Scope { encoder: &encoder, function, activation: 0 };
            Printer { scope: &scope, nodes: 0 }.implied(formula, 0)
        };
        // A function that never returns grants everything.
        let never = summary.post == "false";
        let (requires, ensures) = (said(&summary.pre), said(&summary.post).filter(|_| !never));
        if requires.is_some() || ensures.is_some() {
            found.push(Contract { function: summary.function.clone(), requires, ensures });
        }
    }
    found
}

/// What is said in one of several contexts; nothing if there is none.
fn either(possible: &[String]) -> Option<String> {
    Some(match possible {
        [] => return None,
        [one] => one.clone(),
        several => several.iter().map(|p| format!("({p})")).collect::<Vec<_>>().join(" || "),
    })
}

/// What names mean.
pub(super) struct Scope<'p, 'f> {
    pub encoder: &'p Encoder<'f>,
    pub function: FuncId,
    /// The number of its youngest activation, which its variables' names mean.
    pub activation: u32,
}

impl Scope<'_, '_> {
    /// The name of a variable, if it means that.
    pub fn variable(&self, symbol: Symbol) -> Option<Cow<'_, str>> {
        let program = &self.encoder.facts().program;
        if let Some(Cell::Var(var, _)) = self.encoder.old_of(symbol) {
            let name = name_of(program, self.function, var)?;
            let state = if program.vars[var].kind.owner().is_some() { "Old" } else { "Pre" };
            return Some(format!("\\at({name}, {state})").into());
        }
        let Some(Cell::Var(var, activation)) = self.encoder.cell_of(symbol) else { return None };
        if self.encoder.facts().results[self.function] == Some(var) {
            return Some("\\result".into());
        }
        let global = matches!(program.vars[var].kind, VarKind::Global(_));
        let means = if global { 0 } else { self.activation };
        name_of(program, self.function, var).filter(|_| activation == means).map(Cow::from)
    }

    /// Whether a variable is signed in C.
    pub fn sign(&self, symbol: Symbol) -> Option<bool> {
        let Some(Cell::Var(var, _)) = self.encoder.cell_of(symbol) else { return None };
        Some(self.encoder.facts().program.vars[var].signed)
    }
}

struct Printer<'s, 'p, 'f> {
    scope: &'s Scope<'p, 'f>,
    nodes: u32,
}

impl Printer<'_, '_, '_> {
    fn enter(&mut self, depth: u32) -> Option<()> {
        self.nodes += 1;
        (self.nodes <= MOST_NODES && depth <= DEEPEST).then_some(())
    }

    /// Something that follows from a truth value: it itself, if it can be written.
    fn implied(&mut self, t: Term, depth: u32) -> Option<String> {
        let next = depth + 1;
        match self.scope.encoder.terms.node(t) {
            Node::Binary(BinaryOp::And, a, b) => {
                self.enter(depth)?;
                match (self.implied(a, next), self.implied(b, next)) {
                    (Some(a), Some(b)) => Some(format!("({a} && {b})")),
                    (a, b) => a.or(b),
                }
            }
            Node::Binary(BinaryOp::Or, a, b) => {
                self.enter(depth)?;
                Some(format!("({} || {})", self.implied(a, next)?, self.implied(b, next)?))
            }
            _ => self.truth(t, depth),
        }
    }

    /// A truth value as an expression that binds like a primary one.
    fn truth(&mut self, t: Term, depth: u32) -> Option<String> {
        self.enter(depth)?;
        let terms = &self.scope.encoder.terms;
        let next = depth + 1;
        Some(match terms.node(t) {
            Node::Const { bits, .. } => bits.to_string(),
            Node::Not(x) => match terms.node(x) {
                Node::Binary(BinaryOp::Eq, a, b) if terms.width(a) > 1 => self.compare("!=", a, b, false, next)?,
                Node::Binary(BinaryOp::ULt, a, b) => self.compare(">=", a, b, false, next)?,
                Node::Binary(BinaryOp::SLt, a, b) => self.compare(">=", a, b, true, next)?,
                _ => format!("!{}", self.truth(x, next)?),
            },
            Node::Binary(op, a, b) if terms.width(a) == 1 => {
                let operator = match op {
                    BinaryOp::And => "&&",
                    BinaryOp::Or => "||",
                    BinaryOp::Eq => "==",
                    BinaryOp::Xor => "!=",
                    _ => return None,
                };
                format!("({} {operator} {})", self.truth(a, next)?, self.truth(b, next)?)
            }
            Node::Binary(BinaryOp::Eq, a, b) => self.compare("==", a, b, false, next)?,
            Node::Binary(BinaryOp::ULt, a, b) => self.compare("<", a, b, false, next)?,
            Node::Binary(BinaryOp::ULe, a, b) => self.compare("<=", a, b, false, next)?,
            Node::Binary(BinaryOp::SLt, a, b) => self.compare("<", a, b, true, next)?,
            Node::Binary(BinaryOp::SLe, a, b) => self.compare("<=", a, b, true, next)?,
            Node::Ite(c, x, y) => {
                format!("({} ? {} : {})", self.truth(c, next)?, self.truth(x, next)?, self.truth(y, next)?)
            }
            Node::Extract { arg, lo, width: 1 } => format!("(({} >> {lo}) & 1)", self.word(arg, next)?),
            _ => return None,
        })
    }

    fn compare(&mut self, operator: &str, a: Term, b: Term, signed: bool, depth: u32) -> Option<String> {
        let side = if signed { Self::signed } else { Self::word };
        Some(format!("({} {operator} {})", side(self, a, depth)?, side(self, b, depth)?))
    }

    /// A bit-vector as an expression of the signed type of its width, or one promoted from it, that binds like a cast.
    fn signed(&mut self, t: Term, depth: u32) -> Option<String> {
        let terms = &self.scope.encoder.terms;
        let width = terms.width(t);
        let ty = type_of(width, true)?;
        match terms.node(t) {
            // There is no literal for the least number.
            Node::Const { bits, .. } if bits != 1 << (width - 1) => {
                let value = (bits as i128) << (128 - width) >> (128 - width);
                Some(format!("{value}{}", if width == 64 { "LL" } else { "" }))
            }
            Node::Symbol(symbol) => Some(format!("({ty}){}", self.scope.variable(symbol)?)),
            _ => Some(format!("({ty}){}", self.word(t, depth)?)),
        }
    }

    /// A bit-vector as an expression of the unsigned type of its width, or one promoted from it, that binds like a cast.
    fn word(&mut self, t: Term, depth: u32) -> Option<String> {
        self.enter(depth)?;
        let terms = &self.scope.encoder.terms;
        let width = terms.width(t);
        let ty = type_of(width, false)?;
        // Arithmetic on narrow types would be done on signed ints.
        let wide = type_of(width.max(32), false)?;
        let next = depth + 1;
        Some(match terms.node(t) {
            Node::Const { bits, .. } => match width {
                64 => format!("{bits}ULL"),
                32 => format!("{bits}U"),
                _ => bits.to_string(),
            },
            Node::Symbol(symbol) => format!("({ty}){}", self.scope.variable(symbol)?),
            Node::Not(x) => format!("({ty})~({wide}){}", self.word(x, next)?),
            Node::Neg(x) => format!("({ty})(0 - ({wide}){})", self.word(x, next)?),
            Node::Binary(op, a, b) => {
                let constant = terms.as_const(b);
                let operator = match op {
                    BinaryOp::Add => "+",
                    BinaryOp::Sub => "-",
                    BinaryOp::Mul => "*",
                    BinaryOp::And => "&",
                    BinaryOp::Or => "|",
                    BinaryOp::Xor => "^",
                    // Where C leaves nothing undefined.
                    BinaryOp::UDiv if constant.is_some_and(|b| b != 0) => "/",
                    BinaryOp::URem if constant.is_some_and(|b| b != 0) => "%",
                    BinaryOp::Shl if constant.is_some_and(|b| b < width.into()) => "<<",
                    BinaryOp::LShr if constant.is_some_and(|b| b < width.into()) => ">>",
                    _ => return None,
                };
                format!("({ty})(({wide}){} {operator} ({wide}){})", self.word(a, next)?, self.word(b, next)?)
            }
            Node::Ite(c, x, y) => {
                format!("({ty})({} ? {} : {})", self.truth(c, next)?, self.word(x, next)?, self.word(y, next)?)
            }
            Node::Extract { arg, lo, .. } => format!("({ty})({} >> {lo})", self.word(arg, next)?),
            Node::ZExt(x, _) if terms.width(x) == 1 => format!("({ty}){}", self.truth(x, next)?),
            Node::ZExt(x, _) => format!("({ty}){}", self.word(x, next)?),
            Node::SExt(x, _) => format!("({ty})({}){}", type_of(terms.width(x), true)?, self.word(x, next)?),
            _ => return None,
        })
    }
}

/// The C type of a width.
pub(super) fn type_of(width: u16, signed: bool) -> Option<&'static str> {
    Some(match (width, signed) {
        (8, true) => "signed char",
        (8, false) => "unsigned char",
        (16, true) => "short",
        (16, false) => "unsigned short",
        (32, true) => "int",
        (32, false) => "unsigned int",
        (64, true) => "long long",
        (64, false) => "unsigned long long",
        _ => return None,
    })
}

/// The name of an integer variable, if it means that variable everywhere in the function.
fn name_of(program: &Program, function: FuncId, var: VarId) -> Option<&str> {
    let info = &program.vars[var];
    let visible = |kind: VarKind| match kind {
        VarKind::Global(_) => true,
        VarKind::Param(owner) | VarKind::Local(owner) => owner == function,
        VarKind::Temp(_) => false,
    };
    let is_name = info.name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && info.name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let same = program.vars.iter().filter(|v| v.name == info.name && visible(v.kind)).count();
    let objects = program.objects.iter().any(|o| o.name == info.name);
    (matches!(info.ty, Ty::Int(_)) && visible(info.kind) && is_name && same == 1 && !objects).then_some(&*info.name)
}
