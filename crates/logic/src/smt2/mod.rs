//! Queries as SMT-LIB 2 scripts, for comparison with other solvers.
//!
//! One `define-fun` per operator node keeps the script linear in the size of the graph. Truth values are bit-vectors of
//! width 1 throughout, as they are here. Arrays stay arrays (logic `QF_AUFBV`), so that another solver checks our
//! treatment of them as well; only a splice has no counterpart, and a read through one is replaced by what it means, step
//! by step down to arrays without splices. Operators on floats are those of the theory of floating-point numbers (`float`).

mod float;

use crate::Answer;
use crate::blast::definition;
use crate::term::{BinaryOp, Node, Sort, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;

/// The script that asks whether assertions and assumptions have a common model.
pub fn script(terms: &mut Terms, assertions: &[Term], assumptions: &[Term], answer: Option<Answer>) -> String {
    let roots: Vec<Term> = assertions.iter().chain(assumptions).copied().collect();
    let mut writer = Writer { text: String::new(), done: FxHashSet::default(), reads: FxHashMap::default() };
    let order = writer.order(terms, &roots);
    let floats = order.iter().any(|&t| matches!(terms.node(t), Node::Float(..)));
    let logic = if floats { "ALL" } else { "QF_AUFBV" };
    let mut text = format!("(set-logic {logic})\n");
    match answer {
        Some(Answer::Sat) => text.push_str("(set-info :status sat)\n"),
        Some(Answer::Unsat) => text.push_str("(set-info :status unsat)\n"),
        None => {}
    }
    for &t in &order {
        writer.define(terms, t);
    }
    text.push_str(&writer.text);
    for &root in &roots {
        writeln!(text, "(assert (= {} #b1))", name(terms, root)).expect("a string takes all");
    }
    text.push_str("(check-sat)\n(exit)\n");
    text
}

struct Writer {
    text: String,
    done: FxHashSet<Term>,
    /// Reads through splices, by what they mean.
    reads: FxHashMap<Term, Term>,
}

impl Writer {
    /// All terms to define, operands first.
    fn order(&mut self, terms: &mut Terms, roots: &[Term]) -> Vec<Term> {
        let mut order = Vec::new();
        let mut stack: Vec<Term> = roots.to_vec();
        while let Some(&top) = stack.last() {
            if self.done.contains(&top) {
                stack.pop();
                continue;
            }
            let node = terms.node(top);
            let pending = stack.len();
            if let Node::Select(array, index) = node
                && has_splice(terms, array)
            {
                let meaning = *self.reads.entry(top).or_insert_with(|| definition(terms, array, index));
                if !self.done.contains(&meaning) {
                    stack.push(meaning);
                }
            } else {
                stack.extend(node.operands().iter().filter(|t| !self.done.contains(t)));
            }
            if stack.len() == pending {
                stack.pop();
                self.done.insert(top);
                order.push(top);
            }
        }
        order
    }

    fn define(&mut self, terms: &Terms, t: Term) {
        let node = terms.node(t);
        let body = match node {
            Node::Const { .. } => return,
            Node::Symbol(_) => {
                writeln!(self.text, "(declare-const {} {})", name(terms, t), sort(terms.sort(t))).expect("a string");
                return;
            }
            Node::Select(..) if self.reads.contains_key(&t) => name(terms, self.reads[&t]),
            Node::Float(op, a, b, width) => {
                let application =
                    float::Application { op, a: (name(terms, a), terms.width(a)), b: name(terms, b), width };
                self.text.push_str(&application.define(&name(terms, t)));
                return;
            }
            _ => body(terms, node),
        };
        writeln!(self.text, "(define-fun {} () {} {body})", name(terms, t), sort(terms.sort(t))).expect("a string");
    }
}

fn has_splice(terms: &Terms, array: Term) -> bool {
    let mut seen = FxHashSet::default();
    let mut todo = vec![array];
    while let Some(t) = todo.pop() {
        if !seen.insert(t) {
            continue;
        }
        if let Node::Splice { .. } = terms.node(t) {
            return true;
        }
        todo.extend(terms.node(t).operands().iter().filter(|&&x| matches!(terms.sort(x), Sort::Array { .. })));
    }
    false
}

fn sort(sort: Sort) -> String {
    match sort {
        Sort::Bits(width) => format!("(_ BitVec {width})"),
        Sort::Array { index, element } => format!("(Array (_ BitVec {index}) (_ BitVec {element}))"),
    }
}

fn name(terms: &Terms, t: Term) -> String {
    match terms.node(t) {
        Node::Const { width, bits } => format!("(_ bv{bits} {width})"),
        Node::Symbol(symbol) => {
            // Neither bars nor backslashes may stand in a quoted name; the number keeps names apart.
            let name = terms.symbol_name(symbol);
            if name.contains(['|', '\\']) {
                format!("|{}#{}|", name.replace(['|', '\\'], "_"), symbol.index())
            } else {
                format!("|{name}|")
            }
        }
        // No name of a program starts so.
        _ => format!("?{}", t.index()),
    }
}

fn body(terms: &Terms, node: Node) -> String {
    use BinaryOp::*;
    let n = |t: Term| name(terms, t);
    match node {
        Node::Not(a) => format!("(bvnot {})", n(a)),
        Node::Neg(a) => format!("(bvneg {})", n(a)),
        Node::Binary(op, a, b) => {
            let (a, b) = (n(a), n(b));
            let function = match op {
                Add => "bvadd",
                Sub => "bvsub",
                Mul => "bvmul",
                UDiv => "bvudiv",
                SDiv => "bvsdiv",
                URem => "bvurem",
                SRem => "bvsrem",
                And => "bvand",
                Or => "bvor",
                Xor => "bvxor",
                Shl => "bvshl",
                LShr => "bvlshr",
                AShr => "bvashr",
                Eq => "=",
                ULt => "bvult",
                ULe => "bvule",
                SLt => "bvslt",
                SLe => "bvsle",
            };
            if op.is_comparison() {
                format!("(ite ({function} {a} {b}) #b1 #b0)")
            } else {
                format!("({function} {a} {b})")
            }
        }
        Node::Ite(cond, a, b) => format!("(ite (= {} #b1) {} {})", n(cond), n(a), n(b)),
        Node::Extract { arg, lo, width } => format!("((_ extract {} {lo}) {})", lo + width - 1, n(arg)),
        Node::Concat(high, low) => format!("(concat {} {})", n(high), n(low)),
        Node::ZExt(a, width) => format!("((_ zero_extend {}) {})", width - terms.width(a), n(a)),
        Node::SExt(a, width) => format!("((_ sign_extend {}) {})", width - terms.width(a), n(a)),
        Node::Select(array, at) => format!("(select {} {})", n(array), n(at)),
        Node::Store(array, at, value) => format!("(store {} {} {})", n(array), n(at), n(value)),
        Node::ConstArray { index, value } => {
            let sort = sort(Sort::Array { index, element: terms.width(value) });
            format!("((as const {sort}) {})", n(value))
        }
        Node::Const { .. } | Node::Symbol(_) | Node::Float(..) | Node::Splice { .. } => {
            unreachable!("{node:?} is written elsewhere")
        }
    }
}
