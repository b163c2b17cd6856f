//! Formulas as text for other solvers: QDIMACS 1.1, prenex, in clauses.

use super::Question;
use crate::blast::Blaster;
use crate::blast::cnf::Cnf;
use crate::term::{Node, Terms};
use robusto_limits::{Limits, Stopped};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The formula as text. The variables of its gates follow from the others, so they stand innermost, with Y.
pub fn qdimacs(terms: &mut Terms, question: Question<'_>, limits: &Limits) -> Result<String, Stopped> {
    let formula = terms.implies(question.premise, question.conclusion);
    let (mut blaster, mut cnf) = (Blaster::default(), Cnf::default());
    blaster.blast(terms, formula, limits)?;
    let mut clauses = String::new();
    let mut count = 0;
    let mut emit = |clause: &[i32]| {
        count += 1;
        for literal in clause {
            let _ = write!(clauses, "{literal} ");
        }
        clauses.push_str("0\n");
    };
    let root = cnf.literal(&blaster.aig, blaster.bits(terms, formula)[0], &mut emit);
    emit(&[root]);
    let mut universal = BTreeSet::new();
    for &term in blaster.symbols() {
        if let Node::Symbol(symbol) = terms.node(term)
            && !question.existential.contains(&symbol)
        {
            universal.extend(blaster.bits(terms, term).iter().filter_map(|&bit| cnf.existing(bit)));
        }
    }
    let variables = cnf.variables() as i32;
    let mut text = format!("p cnf {variables} {count}\n");
    let mut block = |quantifier: char, members: &mut dyn Iterator<Item = i32>| {
        let mut members = members.peekable();
        if members.peek().is_some() {
            text.push(quantifier);
            members.for_each(|variable| {
                let _ = write!(text, " {variable}");
            });
            text.push_str(" 0\n");
        }
    };
    block('a', &mut universal.iter().copied());
    block('e', &mut (1..=variables).filter(|variable| !universal.contains(variable)));
    text.push_str(&clauses);
    Ok(text)
}
