//! Terms as diagrams, on the states that a question is about.
//!
//! A term is evaluated when somebody asks for it: of a choice whose condition is decided, one side is; of a conjunction, the
//! second part is only if the first can hold. What comes out is simplified where it does not matter, which are the states
//! outside of [`Finite::care`] (*restrict* of Coudert and Madre, ICCAD 1990). So of a chain of two hundred branches, a set of
//! states sees those that it can take.
//!
//! Exact on the states of `care`: every operator works state by state, and a simplified operand has the same value there.

use super::Finite;
use super::ranges::Comparison;
use super::shapes::Shape;
use crate::predicate::question::Failure;
use robusto_diagram::{Bdd, VarIndex};
use robusto_logic::{BinaryOp, Node, Term, Terms};
use std::collections::BTreeMap;
use std::rc::Rc;

impl Finite {
    /// Makes the diagrams of a term.
    pub(super) fn evaluate(&mut self, terms: &mut Terms, root: Term) -> Result<(), Failure> {
        let mut todo = vec![root];
        while let Some(&t) = todo.last() {
            if self.is_known(t) {
                todo.pop();
                continue;
            }
            let before = todo.len();
            self.missing(terms, t, &mut todo);
            if todo.len() > before {
                continue;
            }
            self.limits.poll()?;
            match self.shapes[&t] {
                Shape::Foreign => unreachable!("the operands of a term with few values have few values"),
                Shape::Truth => {
                    let truth = self.truth(terms, t)?;
                    let truth = self.simplified(truth)?;
                    self.truths.insert(t, truth);
                }
                Shape::Word(_) => {
                    let word = self.word(terms, t)?;
                    self.words.insert(t, word);
                }
            }
        }
        Ok(())
    }

    fn is_known(&self, t: Term) -> bool {
        self.truths.contains_key(&t) || self.words.contains_key(&t)
    }

    /// A function that agrees with one where it matters.
    fn simplified(&self, f: Bdd) -> Result<Bdd, Failure> {
        if self.diagrams.is_true(&self.care) { Ok(f) } else { Ok(self.diagrams.restrict_minimise(&f, &self.care)?) }
    }

    /// The operands that must be known next before a term can be; none if it can.
    fn missing(&self, terms: &Terms, t: Term, todo: &mut Vec<Term>) {
        let mut need = |operand: Term| {
            if !self.is_known(operand) {
                todo.push(operand);
            }
        };
        match terms.node(t) {
            Node::Ite(c, a, b) => match self.truths.get(&c) {
                None => need(c),
                Some(condition) if self.diagrams.is_true(condition) => need(a),
                Some(condition) if self.diagrams.is_false(condition) => need(b),
                Some(_) => {
                    need(a);
                    need(b);
                }
            },
            Node::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) if terms.width(a) == 1 => match self.truths.get(&a)
            {
                None => need(a),
                Some(first) if self.diagrams.constant(op == BinaryOp::Or) == *first => {}
                Some(_) => need(b),
            },
            node => node.operands().iter().for_each(|&operand| need(operand)),
        }
    }

    fn truth(&mut self, terms: &mut Terms, t: Term) -> Result<Bdd, Failure> {
        use BinaryOp::{And, Eq, Or, Xor};
        let node = terms.node(t);
        let d = &self.diagrams;
        if let Some(value) = terms.as_const(t) {
            return Ok(d.constant(value == 1));
        }
        // What is not known does not matter.
        let unknown = d.bottom();
        let of = |t: &Term| self.truths.get(t).unwrap_or(&unknown);
        let result = match &node {
            Node::Symbol(symbol) => d.var(self.bits[symbol][0])?,
            Node::Not(a) => d.not(of(a))?,
            Node::Ite(c, a, b) => d.ite(of(c), of(a), of(b))?,
            Node::Binary(op, a, b) if terms.width(*a) == 1 => match op {
                And => d.and(of(a), of(b))?,
                Or => d.or(of(a), of(b))?,
                Xor => d.xor(of(a), of(b))?,
                Eq => d.iff(of(a), of(b))?,
                _ => unreachable!("it is no connective"),
            },
            _ => {
                let mut result = d.bottom();
                for (atom, taken) in self.combined(terms, &node)? {
                    let atom = self.atom(terms, atom)?;
                    let both = self.diagrams.and(&taken, &atom)?;
                    result = self.diagrams.or(&result, &both)?;
                }
                result
            }
        };
        Ok(result)
    }

    fn word(&mut self, terms: &mut Terms, t: Term) -> Result<Rc<[(Term, Bdd)]>, Failure> {
        let d = &self.diagrams;
        let node = terms.node(t);
        let leaves: Vec<(Term, Bdd)> = match &node {
            Node::Const { .. } | Node::Symbol(_) => return Ok(Rc::new([(t, d.top())])),
            Node::Ite(c, a, b) => {
                let condition = &self.truths[c];
                if d.is_true(condition) || d.is_false(condition) {
                    let side = if d.is_true(condition) { a } else { b };
                    return Ok(self.words[side].clone());
                }
                let mut taken: BTreeMap<Term, [Bdd; 2]> = BTreeMap::new();
                for (side, operand) in [a, b].into_iter().enumerate() {
                    for (leaf, when) in self.words[operand].iter() {
                        taken.entry(*leaf).or_insert_with(|| [d.bottom(), d.bottom()])[side] = when.clone();
                    }
                }
                let mut word = Vec::with_capacity(taken.len());
                for (leaf, [yes, no]) in taken {
                    word.push((leaf, d.ite(condition, &yes, &no)?));
                }
                word
            }
            _ => self.combined(terms, &node)?.into_iter().collect(),
        };
        let mut word = Vec::with_capacity(leaves.len());
        for (leaf, when) in leaves {
            let when = self.simplified(when)?;
            if !d.is_false(&when) {
                word.push((leaf, when));
            }
        }
        if let [(_, when)] = &mut word[..] {
            *when = d.top();
        }
        Ok(word.into())
    }

    /// What an operator gives on the leaves of its operands, and where.
    fn combined(&self, terms: &mut Terms, node: &Node) -> Result<BTreeMap<Term, Bdd>, Failure> {
        let d = &self.diagrams;
        let mut combinations: Vec<(Vec<Term>, Bdd)> = vec![(Vec::new(), d.top())];
        for operand in node.operands().iter() {
            let mut extended = Vec::new();
            let leaves: Vec<(Term, Bdd)> = match self.words.get(operand) {
                Some(word) => word.to_vec(),
                None => vec![(terms.no(), d.not(&self.truths[operand])?), (terms.yes(), self.truths[operand].clone())],
            };
            for (combination, taken) in &combinations {
                for (leaf, when) in &leaves {
                    let both = d.and(taken, when)?;
                    if !d.is_false(&both) {
                        extended.push(([&combination[..], &[*leaf]].concat(), both));
                    }
                }
            }
            combinations = extended;
        }
        let mut results: BTreeMap<Term, Bdd> = BTreeMap::new();
        for (leaves, taken) in combinations {
            let result = terms.build(node.with_operands(&leaves));
            let so_far = results.entry(result).or_insert_with(|| d.bottom());
            *so_far = d.or(so_far, &taken)?;
        }
        Ok(results)
    }

    /// A comparison of leaves.
    fn atom(&mut self, terms: &mut Terms, atom: Term) -> Result<Bdd, Failure> {
        if let Some(value) = terms.as_const(atom) {
            return Ok(self.diagrams.constant(value == 1));
        }
        if let Some(known) = self.atoms.get(&atom) {
            return Ok(known.clone());
        }
        let (positive, negated) = match terms.node(atom) {
            Node::Not(inner) => (inner, true),
            _ => (atom, false),
        };
        let comparison = Comparison::of(terms, positive).expect("the scan has seen it");
        let mut result = self.diagrams.bottom();
        let starts = self.ranges.starts(comparison.symbol);
        let bits = &self.bits[&comparison.symbol];
        // Numbers without a range stand for the last one.
        for number in 0..1usize << bits.len() {
            let start = starts[number.min(starts.len() - 1)];
            if comparison.holds(terms, start) != negated {
                let literals: Vec<(VarIndex, bool)> =
                    bits.iter().enumerate().map(|(i, &bit)| (bit, number >> i & 1 == 1)).collect();
                let one = self.diagrams.literals(&literals)?;
                result = self.diagrams.or(&result, &one)?;
            }
        }
        self.atoms.insert(atom, result.clone());
        Ok(result)
    }
}
