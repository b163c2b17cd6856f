//! The language of NuSMV and nuXmv: words, definitions, assignments; no TRANS.
//!
//! The counter is a range of integers, truth values are words of one bit. What the language leaves open is not used: a division
//! never has a divisor of zero, signed division is done on magnitudes, a shift by a computed distance is a row of shifts by
//! powers of two. NuSMV takes words of up to 64 bits, nuXmv any.

use super::System;
use super::system::COUNTER;
use robusto_logic::term::fold::ones;
use robusto_logic::{BinaryOp, Node, Term, Terms};
use rustc_hash::FxHashMap;
use std::fmt::Write as _;

/// The system as a file.
pub(super) fn write(system: &System) -> String {
    let mut text = String::new();
    for (number, location) in system.locations.iter().enumerate() {
        text += &format!("-- {COUNTER} = {number}: {}\n", location.meaning);
    }
    let word = |t: Term| format!("unsigned word[{}]", system.terms.width(t));
    text += "MODULE main\n";
    if !system.inputs.is_empty() {
        text += "IVAR\n";
    }
    for input in &system.inputs {
        text += &format!("  {} : {}; -- {}\n", input.name, word(input.symbol), input.meaning);
    }
    text += &format!("VAR\n  {COUNTER} : 0..{};\n", system.locations.len().max(2) - 1);
    for variable in &system.variables {
        text += &format!("  {} : {}; -- {}\n", variable.name, word(variable.symbol), variable.meaning);
    }
    let mut writer = Writer { terms: &system.terms, names: FxHashMap::default(), parts: String::new() };
    let named = system.variables.iter().map(|v| (v.symbol, &v.name));
    for (symbol, name) in named.chain(system.inputs.iter().map(|i| (i.symbol, &i.name))) {
        writer.names.insert(symbol, name.clone());
    }
    let roots: Vec<Term> = system.exits.iter().flatten().flat_map(super::system::Exit::terms).collect();
    text += "DEFINE\n";
    for t in system.terms.subterms(&roots) {
        if system.terms.as_symbol(t).is_none() && system.terms.as_const(t).is_none() {
            let body = writer.body(t);
            text += &std::mem::take(&mut writer.parts);
            text += &format!("  t{} := {body};\n", t.index());
        }
    }
    text += &assignments(system, &writer);
    for (location, name) in system.bad() {
        text += &format!("INVARSPEC NAME {name} := {COUNTER} != {location};\n");
    }
    text
}

/// Start and next values, a case for each exit.
fn assignments(system: &System, writer: &Writer<'_>) -> String {
    let mut text = format!("ASSIGN\n  init({COUNTER}) := 0;\n  next({COUNTER}) := case\n");
    let mut values: Vec<String> = vec![String::new(); system.variables.len()];
    for (from, block) in system.exits.iter().enumerate() {
        for exit in block {
            let condition = match system.terms.is_true(exit.guard) {
                true => format!("{COUNTER} = {from}"),
                false => format!("({COUNTER} = {from}) & bool({})", writer.name(exit.guard)),
            };
            writeln!(text, "    {condition} : {};", exit.to).expect("a string takes all");
            for &(variable, value) in &exit.assign {
                writeln!(values[variable], "    {condition} : {};", writer.name(value)).expect("a string takes all");
            }
        }
    }
    text += &format!("    TRUE : {COUNTER};\n  esac;\n");
    for (variable, cases) in system.variables.iter().zip(values) {
        let name = &variable.name;
        if let Some(start) = variable.start {
            text += &format!("  init({name}) := {};\n", constant(system.terms.width(variable.symbol), start));
        }
        text += &format!("  next({name}) := case\n{cases}    TRUE : {name};\n  esac;\n");
    }
    text
}

fn constant(width: u16, bits: u128) -> String {
    format!("0ud{width}_{bits}")
}

struct Writer<'t> {
    terms: &'t Terms,
    /// Of symbols.
    names: FxHashMap<Term, String>,
    /// Definitions that the next term needs.
    parts: String,
}

impl Writer<'_> {
    fn name(&self, t: Term) -> String {
        match self.terms.node(t) {
            Node::Const { width, bits } => constant(width, bits),
            Node::Symbol(_) => self.names[&t].clone(),
            _ => format!("t{}", t.index()),
        }
    }

    /// A definition that a term needs; gives its name.
    fn part(&mut self, t: Term, suffix: &str, body: &str) -> String {
        let name = format!("t{}_{suffix}", t.index());
        writeln!(self.parts, "  {name} := {body};").expect("a string takes all");
        name
    }

    /// The outermost operation of a term, over the names of its operands.
    fn body(&mut self, t: Term) -> String {
        if let Node::Binary(op, a, b) = self.terms.node(t) {
            return self.binary(t, op, a, b);
        }
        let n = |t: Term| self.name(t);
        match self.terms.node(t) {
            Node::Not(a) => format!("!{}", n(a)),
            Node::Neg(a) => format!("-{}", n(a)),
            Node::Ite(c, a, b) => format!("(bool({}) ? {} : {})", n(c), n(a), n(b)),
            Node::Extract { arg, lo, width } => format!("{}[{}:{lo}]", n(arg), lo + width - 1),
            Node::Concat(high, low) => format!("({} :: {})", n(high), n(low)),
            Node::ZExt(a, width) => format!("extend({}, {})", n(a), width - self.terms.width(a)),
            Node::SExt(a, width) => format!("unsigned(extend(signed({}), {}))", n(a), width - self.terms.width(a)),
            node => unreachable!("the model has no {node:?}, and leaves are not defined"),
        }
    }

    fn binary(&mut self, t: Term, op: BinaryOp, a: Term, b: Term) -> String {
        use BinaryOp::*;
        let width = self.terms.width(a);
        let (x, y) = (&*self.name(a), &*self.name(b));
        match op {
            Add => format!("({x} + {y})"),
            Sub => format!("({x} - {y})"),
            Mul => format!("({x} * {y})"),
            And => format!("({x} & {y})"),
            Or => format!("({x} | {y})"),
            Xor => format!("({x} xor {y})"),
            Eq => format!("word1({x} = {y})"),
            ULt => format!("word1({x} < {y})"),
            ULe => format!("word1({x} <= {y})"),
            SLt => format!("word1(signed({x}) < signed({y}))"),
            SLe => format!("word1(signed({x}) <= signed({y}))"),
            Shl => self.shift(t, x, b, &constant(width, 0), |x, by| format!("({x} << {by})")),
            LShr => self.shift(t, x, b, &constant(width, 0), |x, by| format!("({x} >> {by})")),
            AShr => {
                let ones = constant(width, ones(width));
                let signs = format!("({} ? {ones} : {})", negative(x, width), constant(width, 0));
                self.shift(t, x, b, &signs, |x, by| format!("unsigned(signed({x}) >> {by})"))
            }
            UDiv => self.quotient(t, x, y, width),
            URem => self.remainder(t, x, y, width),
            SDiv | SRem => {
                let (is_x, is_y) = (negative(x, width), negative(y, width));
                let x = self.part(t, "dividend", &format!("({is_x} ? -{x} : {x})"));
                let y = self.part(t, "divisor", &format!("({is_y} ? -{y} : {y})"));
                let (size, sign) = match op {
                    SDiv => (self.quotient(t, &x, &y, width), format!("({is_x} xor {is_y})")),
                    _ => (self.remainder(t, &x, &y, width), is_x),
                };
                let size = self.part(t, "size", &size);
                format!("({sign} ? -{size} : {size})")
            }
        }
    }

    /// A shift, bit by bit of the distance; `beyond` if it is the width or more.
    fn shift(&mut self, t: Term, x: &str, distance: Term, beyond: &str, by: fn(&str, u128) -> String) -> String {
        let width = self.terms.width(t);
        if let Some(distance) = self.terms.as_const(distance) {
            return if distance < width.into() { by(x, distance) } else { beyond.to_owned() };
        }
        let distance = self.name(distance);
        let mut shifted = x.to_owned();
        for bit in (0..width).take_while(|bit| 1_u32 << bit < u32::from(width)) {
            let body = format!("(bool({distance}[{bit}:{bit}]) ? {} : {shifted})", by(&shifted, 1 << bit));
            shifted = self.part(t, &bit.to_string(), &body);
        }
        format!("(({distance} < {}) ? {shifted} : {beyond})", constant(width, width.into()))
    }

    /// All ones if the divisor is zero.
    fn quotient(&mut self, t: Term, x: &str, y: &str, width: u16) -> String {
        let by = self.nonzero(t, y, width);
        format!("(({y} = {}) ? {} : ({x} / {by}))", constant(width, 0), constant(width, ones(width)))
    }

    /// The dividend if the divisor is zero.
    fn remainder(&mut self, t: Term, x: &str, y: &str, width: u16) -> String {
        let by = self.nonzero(t, y, width);
        format!("(({y} = {}) ? {x} : ({x} mod {by}))", constant(width, 0))
    }

    fn nonzero(&mut self, t: Term, y: &str, width: u16) -> String {
        self.part(t, "nonzero", &format!("(({y} = {}) ? {} : {y})", constant(width, 0), constant(width, 1)))
    }
}

fn negative(x: &str, width: u16) -> String {
    format!("bool({x}[{0}:{0}])", width - 1)
}
