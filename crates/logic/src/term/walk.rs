//! Operands, and the questions that walk over a whole term.

use super::BinaryOp::{And, Or};
use super::{Node, Symbol, Term, Terms};
use rustc_hash::FxHashSet;

/// The operands of a node: at most five.
#[derive(Clone, Copy, Debug)]
pub struct Operands {
    items: [Term; 5],
    len: u8,
}

impl std::ops::Deref for Operands {
    type Target = [Term];

    fn deref(&self) -> &[Term] {
        &self.items[..self.len.into()]
    }
}

impl IntoIterator for Operands {
    type Item = Term;
    type IntoIter = std::iter::Take<std::array::IntoIter<Term, 5>>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter().take(self.len.into())
    }
}

impl Operands {
    fn of(terms: &[Term]) -> Self {
        let mut items = [Term(0); 5];
        items[..terms.len()].copy_from_slice(terms);
        Self { items, len: terms.len() as u8 }
    }
}

impl Node {
    /// The operands, in the order in which the node lists them.
    pub fn operands(&self) -> Operands {
        match *self {
            Node::Const { .. } | Node::Symbol(_) => Operands::of(&[]),
            Node::Not(a) | Node::Neg(a) | Node::ZExt(a, _) | Node::SExt(a, _) => Operands::of(&[a]),
            Node::Extract { arg: a, .. } | Node::ConstArray { value: a, .. } => Operands::of(&[a]),
            Node::Binary(_, a, b) | Node::Concat(a, b) | Node::Float(_, a, b, _) | Node::Select(a, b) => {
                Operands::of(&[a, b])
            }
            Node::Ite(a, b, c) | Node::Store(a, b, c) => Operands::of(&[a, b, c]),
            Node::Splice { base, source, to, from, size } => Operands::of(&[base, source, to, from, size]),
        }
    }

    /// The same node over other operands.
    pub fn with_operands(&self, new: &[Term]) -> Node {
        match *self {
            Node::Const { .. } | Node::Symbol(_) => *self,
            Node::Not(_) => Node::Not(new[0]),
            Node::Neg(_) => Node::Neg(new[0]),
            Node::ZExt(_, width) => Node::ZExt(new[0], width),
            Node::SExt(_, width) => Node::SExt(new[0], width),
            Node::Extract { lo, width, .. } => Node::Extract { arg: new[0], lo, width },
            Node::ConstArray { index, .. } => Node::ConstArray { index, value: new[0] },
            Node::Binary(op, ..) => Node::Binary(op, new[0], new[1]),
            Node::Concat(..) => Node::Concat(new[0], new[1]),
            Node::Float(op, _, _, width) => Node::Float(op, new[0], new[1], width),
            Node::Select(..) => Node::Select(new[0], new[1]),
            Node::Ite(..) => Node::Ite(new[0], new[1], new[2]),
            Node::Store(..) => Node::Store(new[0], new[1], new[2]),
            Node::Splice { .. } => {
                Node::Splice { base: new[0], source: new[1], to: new[2], from: new[3], size: new[4] }
            }
        }
    }
}

impl Terms {
    /// All subterms of some terms, operands first.
    pub fn subterms(&self, roots: &[Term]) -> Vec<Term> {
        let mut seen = FxHashSet::default();
        let mut stack: Vec<Term> = roots.to_vec();
        let mut all = Vec::new();
        while let Some(t) = stack.pop() {
            if seen.insert(t) {
                all.push(t);
                stack.extend(self.node(t).operands().iter());
            }
        }
        // Operands have smaller numbers.
        all.sort_unstable();
        all
    }

    /// The free variables of a term, ascending, each once.
    pub fn symbols(&self, t: Term) -> Vec<Symbol> {
        let mut symbols: Vec<Symbol> = self.subterms(&[t]).into_iter().filter_map(|t| self.as_symbol(t)).collect();
        symbols.sort_unstable();
        symbols
    }

    /// The atoms of a formula: its maximal truth-valued subterms that are no connectives, ascending, constants left out.
    pub fn atoms(&self, t: Term) -> Vec<Term> {
        let mut seen = FxHashSet::default();
        let mut stack = vec![t];
        let mut atoms = Vec::new();
        while let Some(t) = stack.pop() {
            if !seen.insert(t) {
                continue;
            }
            if self.is_connective(t) {
                stack.extend(self.node(t).operands().iter());
            } else if self.as_const(t).is_none() {
                atoms.push(t);
            }
        }
        atoms.sort_unstable();
        atoms
    }

    /// The conjuncts of a formula, also those of a negated disjunction; in no particular order, each once.
    pub fn conjuncts(&mut self, t: Term) -> Vec<Term> {
        let mut seen = FxHashSet::default();
        let mut stack = vec![(t, true)];
        let mut conjuncts = Vec::new();
        while let Some((t, positive)) = stack.pop() {
            if !seen.insert((t, positive)) {
                continue;
            }
            match (self.node(t), positive) {
                (Node::Not(x), _) => stack.push((x, !positive)),
                (Node::Binary(And, a, b), true) | (Node::Binary(Or, a, b), false) => {
                    stack.extend([(b, positive), (a, positive)]);
                }
                _ if positive => conjuncts.push(t),
                _ => conjuncts.push(self.not(t)),
            }
        }
        conjuncts.retain(|&t| !self.is_true(t));
        conjuncts
    }
}

impl std::ops::DerefMut for Operands {
    fn deref_mut(&mut self) -> &mut [Term] {
        &mut self.items[..self.len.into()]
    }
}
