//! Operators on floats as terms of single bits, for those who know nothing else.

use crate::blast::aig::{Aig, Lit};
use crate::term::{Node, Term, Terms};

/// A term that is equal to an operator on floats and has none at its root: the gates of its circuit, bit by bit.
///
/// # Panics
/// If the term is something else.
pub fn spell_out(terms: &mut Terms, t: Term) -> Term {
    let Node::Float(op, a, b, width) = terms.node(t) else { panic!("no operator on floats") };
    let mut aig = Aig::default();
    // By node; the constant comes first.
    let mut meanings = vec![terms.no()];
    let mut inputs = |terms: &mut Terms, aig: &mut Aig, operand: Term| -> Vec<Lit> {
        (0..terms.width(operand))
            .map(|i| {
                meanings.push(terms.extract(operand, i, 1));
                aig.input()
            })
            .collect()
    };
    let (x, y) = (inputs(terms, &mut aig, a), inputs(terms, &mut aig, b));
    let result = super::circuit(&mut aig, op, &x, &y, width.into());
    let of = |terms: &mut Terms, meanings: &[Term], lit: Lit| {
        let meaning = meanings[lit.node()];
        if lit.is_negated() { terms.not(meaning) } else { meaning }
    };
    for node in meanings.len()..aig.len() {
        let (left, right) = aig.conjunction(node).expect("inputs come before gates");
        let (left, right) = (of(terms, &meanings, left), of(terms, &meanings, right));
        meanings.push(terms.and(left, right));
    }
    let bits: Vec<Term> = result.into_iter().map(|lit| of(terms, &meanings, lit)).collect();
    bits.into_iter().reduce(|low, high| terms.concat(high, low)).expect("a result has bits")
}
