//! Terms: bit-vectors and arrays, hash-consed, simplified as they are built.
//!
//! A term is a number into the pool [`Terms`]; equal terms have equal numbers. A truth value is a bit-vector of width 1,
//! so `and`, `or` and `not` are the Boolean connectives and the bitwise operators at once. Widths go from 1 to 128.
//!
//! Formulas of paths are graphs of up to a million nodes and of that depth, so nothing here recurses over the depth of
//! a term. The constructors rewrite locally and look a bounded number of levels down; every rule keeps the value of the
//! term under every assignment (`tests/simplifier.rs` checks that on random terms) and none copies a subterm.
//!
//! # Normal forms that others may rely on
//!
//! * A constant operand of a commutative operator stands on the right; otherwise operands are ordered by number.
//! * `a <= b` is `!(b < a)`, and `k < x` is `!(x < k + 1)`: one atom per bound. There is no `ULe`, `SLe`, `Xor` of
//!   width 1 from the constructors, and no `Sub` of a constant.
//! * Neither `And` nor `Or` has two operands that are both negated: `!a && !b` is `!(a || b)`.
//! * No `Ite` has a negated condition; an `Ite` of two truth values is a connective where one branch is constant.

mod arith;
mod array;
mod bits;
mod compare;
mod display;
mod evaluate;
pub mod float;
pub mod fold;
mod ite;
mod leaf;
mod narrow;
mod node;
mod substitute;
#[cfg(test)]
mod tests;
mod walk;

pub use display::Displayed;
pub use evaluate::{ArrayValue, Evaluator, Model, Source};
pub use float::{FloatKind, FloatOp, Rounding};
pub use narrow::Narrowed;
pub use node::{BinaryOp, Node, Sort, Symbol, Term};
pub use substitute::Substitution;
pub use walk::Operands;

use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

/// The pool: all terms, each distinct one once.
#[derive(Clone)]
pub struct Terms {
    nodes: Vec<Node>,
    sorts: Vec<Sort>,
    table: HashTable<Term>,
    names: Vec<Box<str>>,
    /// Terms of the symbols, by symbol.
    symbol_terms: Vec<Term>,
    by_name: FxHashMap<Box<str>, Symbol>,
    /// Next number for [`Terms::fresh`].
    fresh: u32,
    /// How deep the rules that look through operators have recursed; see [`Terms::bounded`].
    depth: u32,
}

/// How many operators a rule looks through.
const DEPTH: u32 = 64;

impl Default for Terms {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for Terms {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} terms, {} symbols", self.nodes.len(), self.names.len())
    }
}

fn hash(node: &Node) -> u64 {
    let mut hasher = FxHasher::default();
    node.hash(&mut hasher);
    hasher.finish()
}

impl Terms {
    /// A pool that holds the two truth values only.
    pub fn new() -> Self {
        let mut terms = Self {
            nodes: Vec::new(),
            sorts: Vec::new(),
            table: HashTable::new(),
            names: Vec::new(),
            symbol_terms: Vec::new(),
            by_name: FxHashMap::default(),
            fresh: 0,
            depth: 0,
        };
        terms.constant(1, 0);
        terms.constant(1, 1);
        terms
    }

    /// The node of a term.
    #[inline]
    pub fn node(&self, t: Term) -> Node {
        self.nodes[t.index()]
    }

    /// The sort of a term.
    #[inline]
    pub fn sort(&self, t: Term) -> Sort {
        self.sorts[t.index()]
    }

    /// The width of a bit-vector.
    ///
    /// # Panics
    /// On an array.
    #[inline]
    pub fn width(&self, t: Term) -> u16 {
        match self.sort(t) {
            Sort::Bits(width) => width,
            Sort::Array { .. } => panic!("an array has no width"),
        }
    }

    /// Widths of the indices and elements of an array.
    ///
    /// # Panics
    /// On a bit-vector.
    pub fn array_widths(&self, t: Term) -> (u16, u16) {
        match self.sort(t) {
            Sort::Array { index, element } => (index, element),
            Sort::Bits(_) => panic!("a bit-vector is no array"),
        }
    }

    /// Number of distinct terms.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: the truth values are always there.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The node as it is, without simplification. Prefer the constructors.
    pub fn intern(&mut self, node: Node) -> Term {
        let hash_of = hash(&node);
        if let Some(&term) = self.table.find(hash_of, |&t| self.nodes[t.index()] == node) {
            return term;
        }
        let sort = self.sort_of(node);
        let term = self.push(node, sort);
        self.table.insert_unique(hash_of, term, |&t| hash(&self.nodes[t.index()]));
        term
    }

    fn push(&mut self, node: Node, sort: Sort) -> Term {
        let term = Term(u32::try_from(self.nodes.len()).expect("fewer than 2^32 terms"));
        self.nodes.push(node);
        self.sorts.push(sort);
        term
    }

    fn sort_of(&self, node: Node) -> Sort {
        match node {
            Node::Const { width, .. } | Node::Extract { width, .. } => Sort::Bits(width),
            Node::Symbol(symbol) => self.sort(self.symbol_terms[symbol.index()]),
            Node::Not(arg) | Node::Neg(arg) => self.sort(arg),
            Node::Binary(op, lhs, rhs) => {
                let (lhs, rhs) = (self.width(lhs), self.width(rhs));
                assert_eq!(lhs, rhs, "{op:?} of two widths");
                Sort::Bits(if op.is_comparison() { 1 } else { lhs })
            }
            Node::Ite(cond, yes, no) => {
                assert_eq!(self.sort(cond), Sort::BOOL, "condition of an if");
                assert_eq!(self.sort(yes), self.sort(no), "branches of an if");
                self.sort(yes)
            }
            Node::Concat(high, low) => Sort::Bits(self.width(high) + self.width(low)),
            Node::ZExt(_, width) | Node::SExt(_, width) | Node::Float(.., width) => Sort::Bits(width),
            Node::Select(array, at) => {
                let (index, element) = self.array_widths(array);
                assert_eq!(self.width(at), index, "index of a select");
                Sort::Bits(element)
            }
            Node::Store(array, at, value) => {
                let (index, element) = self.array_widths(array);
                assert_eq!((self.width(at), self.width(value)), (index, element), "operands of a store");
                self.sort(array)
            }
            Node::ConstArray { index, value } => Sort::Array { index, element: self.width(value) },
            Node::Splice { base, source, to, from, size } => {
                let (index, _) = self.array_widths(base);
                assert_eq!(self.sort(base), self.sort(source), "arrays of a splice");
                let widths = (self.width(to), self.width(from), self.width(size));
                assert_eq!(widths, (index, index, index), "indices of a splice");
                self.sort(base)
            }
        }
    }

    /// The simplified term of a node.
    pub fn build(&mut self, node: Node) -> Term {
        match node {
            Node::Const { width, bits } => self.constant(width, bits),
            Node::Symbol(symbol) => self.symbol_term(symbol),
            Node::Not(arg) => self.not(arg),
            Node::Neg(arg) => self.neg(arg),
            Node::Binary(op, lhs, rhs) => self.binary(op, lhs, rhs),
            Node::Ite(cond, yes, no) => self.ite(cond, yes, no),
            Node::Extract { arg, lo, width } => self.extract(arg, lo, width),
            Node::Concat(high, low) => self.concat(high, low),
            Node::ZExt(arg, width) => self.zext(arg, width),
            Node::SExt(arg, width) => self.sext(arg, width),
            Node::Float(op, a, b, width) => self.float(op, a, b, width),
            Node::Select(array, at) => self.select(array, at),
            Node::Store(array, at, value) => self.store(array, at, value),
            Node::ConstArray { index, value } => self.const_array(index, value),
            Node::Splice { base, source, to, from, size } => self.splice(base, source, to, from, size),
        }
    }

    /// An operator on two bit-vectors.
    pub fn binary(&mut self, op: BinaryOp, lhs: Term, rhs: Term) -> Term {
        use BinaryOp::*;
        match op {
            Add => self.add(lhs, rhs),
            Sub => self.sub(lhs, rhs),
            Mul => self.mul(lhs, rhs),
            UDiv => self.udiv(lhs, rhs),
            SDiv => self.sdiv(lhs, rhs),
            URem => self.urem(lhs, rhs),
            SRem => self.srem(lhs, rhs),
            And => self.and(lhs, rhs),
            Or => self.or(lhs, rhs),
            Xor => self.xor(lhs, rhs),
            Shl => self.shl(lhs, rhs),
            LShr => self.lshr(lhs, rhs),
            AShr => self.ashr(lhs, rhs),
            Eq => self.eq(lhs, rhs),
            ULt => self.ult(lhs, rhs),
            ULe => self.ule(lhs, rhs),
            SLt => self.slt(lhs, rhs),
            SLe => self.sle(lhs, rhs),
        }
    }

    /// Runs a rule that may call itself on operands of operands; `None` if that went on for too long. Without it,
    /// `((x + 1 ^ 3) + 1 ^ 3 …) == k` would recurse as deep as the term.
    fn bounded(&mut self, rule: impl FnOnce(&mut Self) -> Term) -> Option<Term> {
        if self.depth >= DEPTH {
            return None;
        }
        self.depth += 1;
        let result = rule(self);
        self.depth -= 1;
        Some(result)
    }

    /// Folds two constants, or an if of two constants with a constant; operands of a commutative operator come back in
    /// normal order.
    fn fold_binary(&mut self, op: BinaryOp, lhs: Term, rhs: Term) -> Result<Term, (Term, Term)> {
        let width = self.width(lhs);
        debug_assert_eq!(width, self.width(rhs), "{op:?} of two widths");
        let result = if op.is_comparison() { 1 } else { width };
        match (self.as_const(lhs), self.as_const(rhs)) {
            (Some(a), Some(b)) => return Ok(self.constant(result, fold::binary(op, width, a, b))),
            (Some(a), None) => {
                if let Some((cond, x, y)) = self.as_choice(rhs) {
                    let (x, y) = (fold::binary(op, width, a, x), fold::binary(op, width, a, y));
                    return Ok(self.choice(cond, result, x, y));
                }
            }
            (None, Some(b)) => {
                if let Some((cond, x, y)) = self.as_choice(lhs) {
                    let (x, y) = (fold::binary(op, width, x, b), fold::binary(op, width, y, b));
                    return Ok(self.choice(cond, result, x, y));
                }
            }
            (None, None) => {}
        }
        let constant_left = self.as_const(lhs).is_some();
        if op.is_commutative() && (constant_left || (lhs > rhs && self.as_const(rhs).is_none())) {
            return Err((rhs, lhs));
        }
        Err((lhs, rhs))
    }

    /// An if between two constants of more than one bit, also in the form of a widened truth value.
    fn as_choice(&self, t: Term) -> Option<(Term, u128, u128)> {
        match self.node(t) {
            Node::Ite(cond, x, y) => Some((cond, self.as_const(x)?, self.as_const(y)?)),
            Node::ZExt(cond, _) if self.width(cond) == 1 => Some((cond, 1, 0)),
            _ => None,
        }
    }

    fn choice(&mut self, cond: Term, width: u16, x: u128, y: u128) -> Term {
        let (x, y) = (self.constant(width, x), self.constant(width, y));
        self.ite(cond, x, y)
    }
}
