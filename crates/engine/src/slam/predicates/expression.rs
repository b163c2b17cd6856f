//! Expressions of predicates: C's operators on integers and pointers that are variables.
//!
//! ```text
//! primary   number | name | name [ expression ] | result | old ( name ) | ( expression )
//! unary     - + ! ~
//! binary    * / %   + -   << >>   < <= > >=   == !=   &   ^   |   &&   ||      from the tightest to the loosest, as in C
//! ```
//!
//! Types and conversions are C's: promotion to `int`, then the usual arithmetic conversions. Names mean the variables of the
//! function, then globals. Of memory only elements of named arrays have an expression, if the program accesses the array in elements of
//! one size: they count as signed integers of that size. Floating-point numbers have none.

use robusto_analyses::symbolic::{Cell, Encoder};
use robusto_cfa::ir::{FuncId, ObjectKind, Ty, VarId, VarKind};
use robusto_logic::Term;

/// Deepest nesting of an expression.
const DEEPEST: usize = 200;

/// Where an expression stands.
#[derive(Clone, Copy)]
pub struct Scope {
    /// The function whose variables are in scope.
    pub function: Option<FuncId>,
    /// Whether `result` has a meaning.
    pub result: bool,
    /// Whether `old(x)` has one.
    pub old: bool,
}

/// A truth value.
pub fn parse(encoder: &mut Encoder<'_>, scope: Scope, text: &str) -> Result<Term, String> {
    let mut parser = Parser { encoder, scope, tokens: tokens(text)?, at: 0, depth: 0 };
    let value = parser.binary(0)?;
    if let Some(token) = parser.tokens.get(parser.at) {
        return Err(format!("`{token}` is not expected here"));
    }
    Ok(parser.truth(value))
}

/// A value with its C type.
#[derive(Clone, Copy)]
struct Value {
    term: Term,
    signed: bool,
}

/// Binary operators, from the loosest to the tightest.
const LEVELS: [&[&str]; 10] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<", "<=", ">", ">="],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

struct Parser<'a, 'f, 't> {
    encoder: &'a mut Encoder<'f>,
    scope: Scope,
    tokens: Vec<&'t str>,
    at: usize,
    depth: usize,
}

fn tokens(text: &str) -> Result<Vec<&str>, String> {
    const OPERATORS: [&str; 25] = [
        "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "<", ">", "+", "-", "*", "/", "%", "&", "|", "^", "!", "~",
        "(", ")", ",", "[", "]",
    ];
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let word = |c: char| c.is_alphanumeric() || c == '_' || c == '$' || c == '.';
        let length = if word(first) {
            rest.find(|c| !word(c)).unwrap_or(rest.len())
        } else {
            let operator = OPERATORS.iter().find(|operator| rest.starts_with(**operator));
            operator.ok_or_else(|| format!("`{first}` has no meaning in a predicate"))?.len()
        };
        tokens.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    Ok(tokens)
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '$')
}

impl<'t> Parser<'_, '_, 't> {
    fn peek(&self) -> Option<&'t str> {
        self.tokens.get(self.at).copied()
    }

    fn next(&mut self) -> Result<&'t str, String> {
        let token = self.peek().ok_or("the expression ends too early")?;
        self.at += 1;
        Ok(token)
    }

    fn expect(&mut self, wanted: &str) -> Result<(), String> {
        match self.next()? {
            token if token == wanted => Ok(()),
            token => Err(format!("`{wanted}` is expected instead of `{token}`")),
        }
    }

    fn binary(&mut self, level: usize) -> Result<Value, String> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        while let Some(operator) = self.peek().filter(|token| operators.contains(token)) {
            self.at += 1;
            let right = self.binary(level + 1)?;
            left = self.apply(operator, left, right);
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Value, String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(format!("the expression is nested deeper than {DEEPEST} levels"));
        }
        let value = match self.next()? {
            "-" => {
                let value = self.unary()?;
                let value = self.promoted(value);
                Value { term: self.encoder.terms.neg(value.term), ..value }
            }
            "+" => {
                let value = self.unary()?;
                self.promoted(value)
            }
            "~" => {
                let value = self.unary()?;
                let value = self.promoted(value);
                Value { term: self.encoder.terms.not(value.term), ..value }
            }
            "!" => {
                let value = self.unary()?;
                let truth = self.truth(value);
                let no = self.encoder.terms.not(truth);
                self.int(no)
            }
            "(" => {
                let value = self.binary(0)?;
                self.expect(")")?;
                value
            }
            token if token.starts_with(|c: char| c.is_ascii_digit()) => self.number(token)?,
            "result" if self.scope.result => self.result()?,
            "old" if self.scope.old && self.peek() == Some("(") => {
                self.expect("(")?;
                let name = self.next()?;
                self.expect(")")?;
                let (var, signed) = self.variable(name)?;
                Value { term: self.encoder.old(Cell::Var(var, 0)), signed }
            }
            name if is_name(name) && self.peek() == Some("[") => {
                self.expect("[")?;
                let index = self.binary(0)?;
                self.expect("]")?;
                self.element(name, index)?
            }
            name if is_name(name) => {
                let (var, signed) = self.variable(name)?;
                Value { term: self.encoder.input(Cell::Var(var, 0)), signed }
            }
            token => return Err(format!("`{token}` is not expected here")),
        };
        self.depth -= 1;
        Ok(value)
    }

    /// An element of a named array: of the function's own one, else of a global one.
    fn element(&mut self, name: &str, index: Value) -> Result<Value, String> {
        let program = &self.encoder.facts().program;
        let named = || program.objects.enumerate().filter(|(_, object)| &*object.name == name);
        let own = named().find(|(_, object)| match object.kind {
            ObjectKind::Local(owner) => Some(owner) == self.scope.function,
            _ => false,
        });
        let global = || named().find(|(_, object)| matches!(object.kind, ObjectKind::Global(_)));
        let (object, _) = own.or_else(global).ok_or_else(|| format!("there is no array `{name}` here"))?;
        let index = self.promoted(index);
        let width = u16::from(program.model.pointer_bits());
        let index = match self.encoder.terms.width(index.term) {
            wide if wide > width => self.encoder.terms.extract(index.term, 0, width),
            _ => self.extended(index, width),
        };
        let term = self.encoder.array_element(object, index);
        let term = term.ok_or_else(|| format!("the program does not access `{name}` in elements of one size"))?;
        Ok(Value { term, signed: true })
    }

    fn result(&mut self) -> Result<Value, String> {
        let facts = self.encoder.facts();
        let function = self.scope.function.ok_or("there is no function whose result it could be")?;
        let var = facts.results[function].ok_or("the function returns nothing")?;
        // The result has the sign of what is returned, which its variable does not keep.
        Ok(Value { term: self.encoder.input(Cell::Var(var, 0)), signed: facts.program.vars[var].signed })
    }

    /// A variable and whether it is signed.
    fn variable(&self, name: &str) -> Result<(VarId, bool), String> {
        let program = &self.encoder.facts().program;
        let with = |wanted: Option<FuncId>| -> Vec<VarId> {
            let named = program.vars.enumerate().filter(|(_, var)| &*var.name == name);
            let own = named.filter(|(_, var)| var.kind.owner() == wanted && !matches!(var.kind, VarKind::Temp(_)));
            own.map(|(id, _)| id).collect()
        };
        let mut found = self.scope.function.map_or(Vec::new(), |function| with(Some(function)));
        if found.is_empty() {
            found = with(None);
        }
        match found[..] {
            [] => Err(format!("there is no variable `{name}` here, or it lies in memory")),
            [var] if program.vars[var].ty.is_float() => Err(format!("`{name}` is a floating-point number")),
            [var] => Ok((var, program.vars[var].signed && program.vars[var].ty != Ty::Ptr)),
            _ => Err(format!("there are several variables `{name}` in this function")),
        }
    }

    fn number(&mut self, token: &str) -> Result<Value, String> {
        let digits = token.trim_end_matches(['u', 'U', 'l', 'L']);
        let suffix = token[digits.len()..].to_ascii_lowercase();
        let value = match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
            Some(hex) => u64::from_str_radix(hex, 16),
            None if digits.len() > 1 && digits.starts_with('0') => u64::from_str_radix(&digits[1..], 8),
            None => digits.parse(),
        };
        let value = value.map_err(|_| format!("`{token}` is no number"))?;
        let unsigned = suffix.contains('u');
        let wide = suffix.contains('l') || value > u64::from(u32::MAX) || (!unsigned && value > i32::MAX as u64);
        let term = self.encoder.terms.constant(if wide { 64 } else { 32 }, value.into());
        Ok(Value { term, signed: !unsigned && value <= i64::MAX as u64 })
    }

    /// A truth value as C has it: an `int`.
    fn int(&mut self, truth: Term) -> Value {
        Value { term: self.encoder.terms.zext(truth, 32), signed: true }
    }

    fn truth(&mut self, value: Value) -> Term {
        let terms = &mut self.encoder.terms;
        let zero = terms.constant(terms.width(value.term), 0);
        terms.ne(value.term, zero)
    }

    fn promoted(&mut self, value: Value) -> Value {
        match self.encoder.terms.width(value.term) {
            width if width < 32 => Value { term: self.extended(value, 32), signed: true },
            _ => value,
        }
    }

    fn extended(&mut self, value: Value, width: u16) -> Term {
        let terms = &mut self.encoder.terms;
        if value.signed { terms.sext(value.term, width) } else { terms.zext(value.term, width) }
    }

    fn apply(&mut self, operator: &str, left: Value, right: Value) -> Value {
        if matches!(operator, "&&" | "||") {
            let (a, b) = (self.truth(left), self.truth(right));
            let terms = &mut self.encoder.terms;
            let both = if operator == "&&" { terms.and(a, b) } else { terms.or(a, b) };
            return self.int(both);
        }
        let (left, right) = (self.promoted(left), self.promoted(right));
        let width = self.encoder.terms.width(left.term).max(self.encoder.terms.width(right.term));
        let wide = |value: Value, terms: &robusto_logic::Terms| terms.width(value.term) == width;
        let unsigned =
            (!left.signed && wide(left, &self.encoder.terms)) || (!right.signed && wide(right, &self.encoder.terms));
        let (a, b) = (self.extended(left, width), self.extended(right, width));
        let terms = &mut self.encoder.terms;
        let compared = match operator {
            "==" => Some(terms.eq(a, b)),
            "!=" => Some(terms.ne(a, b)),
            "<" => Some(if unsigned { terms.ult(a, b) } else { terms.slt(a, b) }),
            ">" => Some(if unsigned { terms.ult(b, a) } else { terms.slt(b, a) }),
            "<=" => Some(if unsigned { terms.ule(a, b) } else { terms.sle(a, b) }),
            ">=" => Some(if unsigned { terms.ule(b, a) } else { terms.sle(b, a) }),
            _ => None,
        };
        if let Some(truth) = compared {
            return self.int(truth);
        }
        let term = match operator {
            "+" => terms.add(a, b),
            "-" => terms.sub(a, b),
            "*" => terms.mul(a, b),
            "/" if unsigned => terms.udiv(a, b),
            "/" => terms.sdiv(a, b),
            "%" if unsigned => terms.urem(a, b),
            "%" => terms.srem(a, b),
            "&" => terms.and(a, b),
            "|" => terms.or(a, b),
            "^" => terms.xor(a, b),
            _ => return self.shift(operator, left, right),
        };
        Value { term, signed: !unsigned }
    }

    /// A shift has the type of what is shifted.
    fn shift(&mut self, operator: &str, left: Value, right: Value) -> Value {
        let width = self.encoder.terms.width(left.term);
        let by = match self.encoder.terms.width(right.term) {
            more if more > width => self.encoder.terms.extract(right.term, 0, width),
            _ => self.extended(right, width),
        };
        let terms = &mut self.encoder.terms;
        let term = match operator {
            "<<" => terms.shl(left.term, by),
            _ if left.signed => terms.ashr(left.term, by),
            _ => terms.lshr(left.term, by),
        };
        Value { term, ..left }
    }
}
