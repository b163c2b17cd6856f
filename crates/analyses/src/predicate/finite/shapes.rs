//! Which terms have few values: truth values and words over the ranges of symbols.

use super::Finite;
use super::ranges::Comparison;
use robusto_logic::{Node, Sort, Term, Terms};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Most leaves of a word.
const LEAVES: usize = 64;

/// What a term is, before anything is known of ranges.
#[derive(Clone, Debug)]
pub enum Shape {
    /// A truth value.
    Truth,
    /// A word with these leaves.
    Word(Rc<[Term]>),
    /// Neither of them with few values.
    Foreign,
}

impl Finite {
    /// Finds out what terms are, and where symbols are cut; whether the roots are truth values over ranges.
    pub(super) fn scan(&mut self, terms: &mut Terms, all: &[Term], roots: &[Term]) -> bool {
        let mut finer = false;
        for &t in all {
            if !self.shapes.contains_key(&t) {
                let shape = self.shape(terms, t, &mut finer);
                self.shapes.insert(t, shape);
            }
        }
        if finer {
            self.forget();
        }
        roots.iter().all(|root| matches!(self.shapes[root], Shape::Truth))
    }

    fn shape(&mut self, terms: &mut Terms, t: Term, finer: &mut bool) -> Shape {
        let node = terms.node(t);
        let Sort::Bits(width) = terms.sort(t) else { return Shape::Foreign };
        if node.operands().iter().any(|operand| matches!(self.shapes[operand], Shape::Foreign)) {
            return Shape::Foreign;
        }
        let compares = matches!(node, Node::Binary(op, a, _) if op.is_comparison() && terms.width(a) > 1);
        match node {
            Node::Const { .. } | Node::Symbol(_) if width == 1 => Shape::Truth,
            Node::Const { .. } | Node::Symbol(_) => Shape::Word(Rc::new([t])),
            Node::Ite(_, a, b) if width > 1 => {
                let leaves: BTreeSet<Term> = self.leaves(terms, a).into_iter().chain(self.leaves(terms, b)).collect();
                word(leaves)
            }
            _ if width == 1 && terms.is_connective(t) => Shape::Truth,
            Node::Select(..) | Node::Store(..) | Node::ConstArray { .. } | Node::Splice { .. } | Node::Float(..) => {
                Shape::Foreign
            }
            _ => {
                let Some(results) = self.over_leaves(terms, &node) else { return Shape::Foreign };
                if width > 1 {
                    return word(results);
                }
                // Truth values of words: comparisons, or single bits of leaves that are constant.
                let ours = results.iter().all(|&atom| self.is_atom(terms, atom, finer));
                if ours && (compares || results.iter().all(|&atom| terms.as_const(atom).is_some())) {
                    Shape::Truth
                } else {
                    Shape::Foreign
                }
            }
        }
    }

    /// Whether an atom is about a range; cuts there.
    fn is_atom(&mut self, terms: &Terms, atom: Term, finer: &mut bool) -> bool {
        if terms.as_const(atom).is_some() {
            return true;
        }
        let positive = if let Node::Not(inner) = terms.node(atom) { inner } else { atom };
        let Some(comparison) = Comparison::of(terms, positive) else { return false };
        let new = self.ranges.cut(terms, &comparison);
        *finer |= new && self.bits.contains_key(&comparison.symbol);
        true
    }

    /// The leaves of a word or a truth value.
    fn leaves(&self, terms: &Terms, t: Term) -> Vec<Term> {
        match &self.shapes[&t] {
            Shape::Word(leaves) => leaves.to_vec(),
            _ => vec![terms.no(), terms.yes()],
        }
    }

    /// What an operator gives on the leaves of its operands.
    fn over_leaves(&self, terms: &mut Terms, node: &Node) -> Option<BTreeSet<Term>> {
        let operands = node.operands();
        let mut combinations: Vec<Vec<Term>> = vec![Vec::new()];
        for &operand in operands.iter() {
            let leaves = self.leaves(terms, operand);
            if combinations.len() * leaves.len() > LEAVES * LEAVES {
                return None;
            }
            let extended = |combination: &Vec<Term>| {
                let combination = combination.clone();
                leaves.iter().map(move |&leaf| [&combination[..], &[leaf]].concat()).collect::<Vec<_>>()
            };
            combinations = combinations.iter().flat_map(extended).collect();
        }
        Some(combinations.into_iter().map(|leaves| terms.build(node.with_operands(&leaves))).collect())
    }
}

fn word(leaves: BTreeSet<Term>) -> Shape {
    if leaves.len() > LEAVES { Shape::Foreign } else { Shape::Word(leaves.into_iter().collect()) }
}
