//! Formulas with shared parts, from the leaves upwards.

use crate::program::{Formula, Term};
use robusto_logic::{BinaryOp, Node, Symbol, Terms};
use rustc_hash::FxHashMap;

/// Builds a formula; equal terms are built once.
#[derive(Clone, Debug, Default)]
pub struct Builder {
    terms: Vec<Term>,
    known: FxHashMap<Term, u32>,
}

impl Builder {
    /// A builder without terms.
    pub fn new() -> Self {
        Self::default()
    }

    /// A term; its operands are numbers that this function gave.
    pub fn add(&mut self, term: Term) -> u32 {
        *self.known.entry(term).or_insert_with_key(|term| {
            self.terms.push(term.clone());
            self.terms.len() as u32 - 1
        })
    }

    /// A Boolean term of the logic, `leaf` saying what its symbols are; `None` if it has a part that is not Boolean.
    pub fn add_logic(
        &mut self,
        terms: &Terms,
        root: robusto_logic::Term,
        mut leaf: impl FnMut(Symbol) -> Option<Term>,
    ) -> Option<u32> {
        let mut done: FxHashMap<robusto_logic::Term, u32> = FxHashMap::default();
        // Operands come first.
        for t in terms.subterms(&[root]) {
            if terms.width(t) != 1 {
                return None;
            }
            let node = terms.node(t);
            let operands: Option<Vec<u32>> = node.operands().iter().map(|operand| done.get(operand).copied()).collect();
            let operands = operands?;
            let both = || operands.clone().into_boxed_slice();
            let number = match node {
                Node::Const { bits, .. } => self.add(Term::Const(bits == 1)),
                Node::Symbol(symbol) => {
                    let term = leaf(symbol)?;
                    self.add(term)
                }
                Node::Not(_) => self.add(Term::Not(operands[0])),
                Node::Binary(BinaryOp::And, ..) => self.add(Term::And(both())),
                Node::Binary(BinaryOp::Or, ..) => self.add(Term::Or(both())),
                Node::Binary(BinaryOp::Xor, ..) => self.add(Term::Xor(both())),
                Node::Binary(BinaryOp::Eq, ..) => {
                    let differ = self.add(Term::Xor(both()));
                    self.add(Term::Not(differ))
                }
                Node::Ite(..) => self.add(Term::Ite(operands[0], operands[1], operands[2])),
                _ => return None,
            };
            done.insert(t, number);
        }
        done.get(&root).copied()
    }

    /// The formula with this root: what the root does not need is left out.
    pub fn formula(&self, root: u32) -> Formula {
        let mut needed = vec![false; self.terms.len()];
        needed[root as usize] = true;
        for i in (0..=root as usize).rev() {
            if needed[i] {
                self.terms[i].operands().for_each(|operand| needed[operand as usize] = true);
            }
        }
        let mut numbers = vec![0; root as usize + 1];
        let mut kept = Vec::new();
        for i in (0..=root as usize).filter(|&i| needed[i]) {
            numbers[i] = kept.len() as u32;
            kept.push(self.terms[i].with_operands(|operand| numbers[operand as usize]));
        }
        Formula(kept.into())
    }
}
