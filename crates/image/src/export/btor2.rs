//! BTOR2 (Niemetz, Preiner, Wolf, Biere: *Btor2, BtorMC and Boolector 3.0*, CAV 2018): states, inputs and terms as they are.

use super::System;
use super::system::COUNTER;
use robusto_logic::{BinaryOp, Node, Term, Terms};
use rustc_hash::FxHashMap;
use std::fmt::Write as _;

/// The system as a file.
pub(super) fn write(system: &mut System) -> String {
    let (counter, next) = system.next();
    let bad: Vec<(Term, String)> =
        system.bad().into_iter().map(|(location, name)| (system.is_at(location), name)).collect();
    let mut lines = Lines::default();
    for (number, location) in system.locations.iter().enumerate() {
        writeln!(lines.text, "; {COUNTER} {number}: {}", location.meaning).expect("a string takes all");
    }
    for input in &system.inputs {
        let sort = lines.sort(system.terms.width(input.symbol));
        writeln!(lines.text, "; {}: {}", input.name, input.meaning).expect("a string takes all");
        let number = lines.line(&format!("input {sort} {}", input.name));
        lines.numbers.insert(input.symbol, number);
    }
    let variables = system.variables.iter().map(|v| (v.symbol, &*v.name, &*v.meaning, v.start));
    let all: Vec<_> = [(system.counter, COUNTER, "location", Some(0))].into_iter().chain(variables).collect();
    for &(symbol, name, meaning, start) in &all {
        let sort = lines.sort(system.terms.width(symbol));
        // A value must have a smaller number than the state that starts with it.
        let start = start.map(|start| lines.line(&format!("constd {sort} {start}")));
        writeln!(lines.text, "; {name}: {meaning}").expect("a string takes all");
        let number = lines.line(&format!("state {sort} {name}"));
        lines.numbers.insert(symbol, number);
        if let Some(start) = start {
            lines.line(&format!("init {sort} {number} {start}"));
        }
    }
    let roots: Vec<Term> = [counter].into_iter().chain(next).collect();
    for t in system.terms.subterms(&[&roots[..], &bad.iter().map(|&(t, _)| t).collect::<Vec<_>>()].concat()) {
        lines.term(&system.terms, t);
    }
    for (&(symbol, ..), root) in all.iter().zip(&roots) {
        let sort = lines.sort(system.terms.width(symbol));
        let (state, next) = (lines.numbers[&symbol], lines.numbers[root]);
        lines.line(&format!("next {sort} {state} {next}"));
    }
    for (t, name) in bad {
        let is_at = lines.numbers[&t];
        lines.line(&format!("bad {is_at} {name}"));
    }
    lines.text
}

#[derive(Default)]
struct Lines {
    text: String,
    count: usize,
    sorts: FxHashMap<u16, usize>,
    numbers: FxHashMap<Term, usize>,
}

impl Lines {
    /// Adds a numbered line.
    fn line(&mut self, content: &str) -> usize {
        self.count += 1;
        writeln!(self.text, "{} {content}", self.count).expect("a string takes all");
        self.count
    }

    fn sort(&mut self, width: u16) -> usize {
        if let Some(&sort) = self.sorts.get(&width) {
            return sort;
        }
        let sort = self.line(&format!("sort bitvec {width}"));
        self.sorts.insert(width, sort);
        sort
    }

    /// A term whose operands have numbers.
    fn term(&mut self, terms: &Terms, t: Term) {
        if self.numbers.contains_key(&t) {
            return;
        }
        let sort = self.sort(terms.width(t));
        let n = |t: Term| self.numbers[&t];
        let content = match terms.node(t) {
            Node::Const { bits, .. } => format!("constd {sort} {bits}"),
            Node::Not(a) => format!("not {sort} {}", n(a)),
            Node::Neg(a) => format!("neg {sort} {}", n(a)),
            Node::Binary(op, a, b) => format!("{} {sort} {} {}", operator(op), n(a), n(b)),
            Node::Ite(c, a, b) => format!("ite {sort} {} {} {}", n(c), n(a), n(b)),
            Node::Extract { arg, lo, width } => format!("slice {sort} {} {} {lo}", n(arg), lo + width - 1),
            Node::Concat(high, low) => format!("concat {sort} {} {}", n(high), n(low)),
            Node::ZExt(a, width) => format!("uext {sort} {} {}", n(a), width - terms.width(a)),
            Node::SExt(a, width) => format!("sext {sort} {} {}", n(a), width - terms.width(a)),
            node => unreachable!("the model has no {node:?}, and symbols have numbers"),
        };
        let number = self.line(&content);
        self.numbers.insert(t, number);
    }
}

fn operator(op: BinaryOp) -> &'static str {
    use BinaryOp::*;
    match op {
        Add => "add",
        Sub => "sub",
        Mul => "mul",
        UDiv => "udiv",
        SDiv => "sdiv",
        URem => "urem",
        SRem => "srem",
        And => "and",
        Or => "or",
        Xor => "xor",
        Shl => "sll",
        LShr => "srl",
        AShr => "sra",
        Eq => "eq",
        ULt => "ult",
        ULe => "ulte",
        SLt => "slt",
        SLe => "slte",
    }
}
