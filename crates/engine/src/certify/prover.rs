//! Shows that formulas have no model, with products and quotients in them.
//!
//! Products, quotients and remainders make large circuits that are hard for a SAT solver, and most invariants do not
//! depend on their values. So a formula is tried first with any value in their place: if even that has no model, the
//! formula has none. If that is not enough and the formula is hard, it is split into cases, by the conditions under which
//! one or another of them is a variable's value; in each case there are fewer of them.

use crate::limits::Limits;
use robusto_logic::{Answer, BinaryOp, Cancelled, Node, Solver, Sort, Substitution, Term, Terms};
use rustc_hash::FxHashSet;

/// Conflicts for a formula with any values in place of arithmetic.
const ROUGHLY: i32 = 20_000;

/// Conflicts for a formula that can be split.
const UNSPLIT: i32 = 1_000;

/// A solver for formulas as they are, and one for formulas without arithmetic.
pub(super) struct Prover {
    exact: Solver,
    rough: Solver,
    replaced: Substitution,
    /// Conflicts for a formula that can be split.
    unsplit: i32,
    /// How often a solver was called.
    pub calls: u64,
}

impl Prover {
    pub fn new(limits: &Limits) -> Self {
        let solver = || Solver::new(limits.stopper());
        Self { exact: solver(), rough: solver(), replaced: Substitution::new(), unsplit: UNSPLIT, calls: 0 }
    }

    /// Whether formulas are seen to have no common model with so many conflicts.
    pub fn excludes_easily(
        &mut self,
        terms: &mut Terms,
        assumed: Term,
        bad: Term,
        conflicts: i32,
    ) -> Result<bool, Cancelled> {
        let has_arithmetic = self.replace_arithmetic(terms, &[assumed, bad]);
        if has_arithmetic && let answer @ (Some(Answer::Unsat) | None) = self.roughly(terms, assumed, bad, conflicts)? {
            return Ok(answer.is_some());
        }
        self.calls += 1;
        Ok(self.exact.check_within(terms, &[assumed, bad], conflicts)? == Some(Answer::Unsat))
    }

    /// Whether formulas have no common model.
    pub fn excludes(&mut self, terms: &mut Terms, assumed: Term, bad: Term) -> Result<bool, Cancelled> {
        let mut cases = vec![bad];
        while let Some(case) = cases.pop() {
            let has_arithmetic = self.replace_arithmetic(terms, &[assumed, case]);
            if has_arithmetic && self.roughly(terms, assumed, case, ROUGHLY)? == Some(Answer::Unsat) {
                continue;
            }
            self.calls += 1;
            let Some(condition) = choice(terms, case) else {
                if self.exact.check(terms, &[assumed, case])? == Answer::Sat {
                    return Ok(false);
                }
                continue;
            };
            match self.exact.check_within(terms, &[assumed, case], self.unsplit)? {
                Some(Answer::Sat) => return Ok(false),
                Some(Answer::Unsat) => continue,
                None => {}
            }
            for holds in [true, false] {
                let constant = if holds { terms.yes() } else { terms.no() };
                let mut chosen = Substitution::new();
                chosen.insert(condition, constant);
                let rest = terms.substitute(case, &mut chosen);
                let side = if holds { condition } else { terms.not(condition) };
                cases.push(terms.and(side, rest));
            }
        }
        Ok(true)
    }

    fn roughly(
        &mut self,
        terms: &mut Terms,
        assumed: Term,
        bad: Term,
        conflicts: i32,
    ) -> Result<Option<Answer>, Cancelled> {
        self.calls += 1;
        let rough = [assumed, bad].map(|t| terms.substitute(t, &mut self.replaced));
        self.rough.check_within(terms, &rough, conflicts)
    }

    /// Finds arithmetic in formulas and what stands for it. Returns whether there is any.
    fn replace_arithmetic(&mut self, terms: &mut Terms, formulas: &[Term]) -> bool {
        let mut any = false;
        for t in terms.subterms(formulas) {
            if !is_hard(terms, t) {
                continue;
            }
            any = true;
            if self.replaced.get(t).is_none() {
                let value = terms.fresh("any", terms.sort(t));
                self.replaced.insert(t, value);
            }
        }
        any
    }
}

fn is_hard(terms: &Terms, t: Term) -> bool {
    use BinaryOp::{Mul, SDiv, SRem, UDiv, URem};
    matches!(terms.node(t), Node::Binary(Mul | SDiv | SRem | UDiv | URem, ..))
}

/// The condition of an outermost choice between values with arithmetic in them.
fn choice(terms: &Terms, formula: Term) -> Option<Term> {
    let mut hard: FxHashSet<Term> = FxHashSet::default();
    let mut last = None;
    // Operands come first.
    for t in terms.subterms(&[formula]) {
        let node = terms.node(t);
        if !is_hard(terms, t) && !node.operands().iter().any(|operand| hard.contains(operand)) {
            continue;
        }
        hard.insert(t);
        if let Node::Ite(condition, ..) = node
            && terms.sort(t) != Sort::BOOL
        {
            last = Some(condition);
        }
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn prover(unsplit: i32) -> Prover {
        Prover { unsplit, ..Prover::new(&Limits::new(None, None, Arc::default())) }
    }

    /// A variable whose value is a product, a quotient or a remainder, by two conditions, and what it is compared with.
    fn formula(terms: &mut Terms, n: u64) -> (Term, Term) {
        let width = 6;
        let mut digits = n;
        let mut digit = |below: u64| {
            let d = digits % below;
            digits /= below;
            d
        };
        let [x, y] = ["x", "y"].map(|name| terms.symbol(name, Sort::Bits(width)));
        let mut value = x;
        for _ in 0..2 {
            let factor = terms.constant(width, u128::from(3 + digit(5)));
            let other = match digit(3) {
                0 => terms.mul(value, factor),
                1 => terms.udiv(value, factor),
                _ => terms.urem(value, factor),
            };
            let bound = terms.constant(width, u128::from(digit(3) * 20));
            let condition = terms.ult(y, bound);
            value = terms.ite(condition, other, value);
        }
        let (low, high) = (terms.constant(width, 9), terms.constant(width, u128::from(20 * digit(3)) + 3));
        let assumed = terms.ult(x, low);
        let bad = terms.ult(high, value);
        (assumed, bad)
    }

    #[test]
    fn agrees_with_the_solver() {
        let (mut yes, mut no) = (0, 0);
        for n in (0..5 * 3 * 3 * 5 * 3 * 3 * 3).step_by(7) {
            let mut terms = Terms::new();
            let (assumed, bad) = formula(&mut terms, n);
            let expected = Solver::new(|| false).check(&mut terms, &[assumed, bad]) == Ok(Answer::Unsat);
            for unsplit in [0, UNSPLIT] {
                assert_eq!(prover(unsplit).excludes(&mut terms, assumed, bad), Ok(expected), "{n}");
            }
            let easily = prover(UNSPLIT).excludes_easily(&mut terms, assumed, bad, UNSPLIT);
            assert_eq!(easily, Ok(expected), "{n}");
            *(if expected { &mut yes } else { &mut no }) += 1;
        }
        assert!(yes > 50 && no > 50, "{yes} {no}");
    }

    #[test]
    fn arithmetic_that_does_not_matter_is_not_looked_at() {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.symbol(name, Sort::Bits(64)));
        let (product, square) = (terms.mul(x, y), terms.mul(y, y));
        let (sum, back) = (terms.add(product, square), terms.add(square, product));
        let differ = terms.ne(sum, back);
        let less = terms.ult(product, square);
        let more = terms.ult(square, product);
        let both = terms.and(less, more);
        let bad = terms.or(differ, both);
        let mut prover = prover(UNSPLIT);
        let yes = terms.yes();
        assert_eq!(prover.excludes(&mut terms, yes, bad), Ok(true));
        assert_eq!(prover.calls, 1, "the rough one");
    }
}
