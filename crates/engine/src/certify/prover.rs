//! Shows that formulas have no model.
//!
//! What has arithmetic is tried by bounds first. All other questions of an entry at once are for SAT, if they are not too large;
//! what is left over goes through the attempts ([`ATTEMPTS`], then [`Prover::by_sat`]):
//!
//! | attempt | what it is | for |
//! |---|---|---|
//! | [`Prover::excludes_by_bounds`] | propagation of bounds ([`bounds`]) | products and quotients in boxes: the check of Problem12_label15 of `eca-rers2012` took 32 s without them, 5 s with them |
//! | [`Prover::by_diagrams`] | decision diagrams ([`Decider`]) | invariants that were diagrams before, quotients by constants |
//! | [`Prover::by_rough_sat`] | SAT, with any values for products and quotients | invariants that do not depend on them, which is most; if even that has no model, the formula has none |
//! | [`Prover::by_bounded_sat`] | SAT, with bounded effort | what is easy after all |
//! | [`Prover::by_cases`] | cases, by the conditions under which one or another product or quotient is a variable's value | what has several of them |
//! | [`Prover::by_restricted_diagrams`] | decision diagrams over the values that the assumptions leave | long chains of quotients |
//! | [`Prover::by_sat`] | SAT, without end | the rest |

use robusto_limits::{Limits, Stopped};
use robusto_logic::{Answer, BinaryOp, Decider, Node, Solver, Sort, Substitution, Symbol, Term, Terms, bounds};
use rustc_hash::FxHashSet;
use std::cell::OnceCell;

/// How much SAT may do for a formula before something else is tried: conflicts, times the terms of the formula, as a conflict
/// takes the longer the larger the formula is (0.1 s for the 180,000 terms of an obligation of `token_ring.13`).
const CONFLICTS_TIMES_TERMS: usize = 4_000_000;

/// Most conflicts, and the fewest for which it is worth to begin.
const CONFLICTS: (i32, i32) = (2_000, 100);

/// Nodes of decision diagrams for a formula with arithmetic that is still to be restricted, and for others.
const NODES: (usize, usize) = (1 << 18, 1 << 23);

/// Revisions of terms by bounds: a few milliseconds.
const REVISIONS: usize = 200_000;

/// How often diagrams may be too large more often than not before they are no longer tried.
const FAILURES: u32 = 2;

/// What it takes to show that formulas have no model.
pub(super) struct Prover {
    exact: Solver,
    /// For formulas with any values in place of arithmetic.
    rough: Solver,
    replaced: Substitution,
    limits: Limits,
    diagrams: Option<Decider>,
    /// How often diagrams were too large, less how often they were not.
    failures: u32,
    /// Most conflicts, and the fewest for which it is worth to begin.
    conflicts: (i32, i32),
    /// How often a solver was called.
    pub calls: u64,
}

impl Prover {
    pub fn new(limits: &Limits) -> Self {
        Self {
            exact: Solver::new(limits),
            rough: Solver::new(limits),
            replaced: Substitution::new(),
            limits: limits.clone(),
            diagrams: None,
            failures: 0,
            conflicts: CONFLICTS,
            calls: 0,
        }
    }

    /// Tries decision diagrams from now on, with this order of variables.
    pub fn set_order(&mut self, terms: &mut Terms, order: &[Vec<Symbol>]) -> Result<(), Stopped> {
        self.diagrams = Some(Decider::new(terms, order, &self.limits)?);
        Ok(())
    }

    /// Whether bounds show that what is assumed excludes each of some formulas; asked only of arithmetic, as SAT is at ease with
    /// the rest.
    pub fn excludes_by_bounds(&mut self, terms: &mut Terms, assumed: Term, bad: &[Term]) -> bool {
        let any = terms.or_all(bad);
        if terms.is_false(any) || !has_arithmetic(terms, any) {
            return false;
        }
        self.calls += 1;
        bounds::refutes(terms, &[assumed, any], REVISIONS)
    }

    /// Whether formulas are easily seen to have no common model.
    pub fn excludes_easily(&mut self, terms: &mut Terms, assumed: Term, bad: Term) -> Result<bool, Stopped> {
        Ok(self.easily(terms, assumed, bad)? == Some(Answer::Unsat))
    }

    /// Whether formulas have a common model, if that is easily seen: by diagrams if there are, else by SAT.
    pub fn easily(&mut self, terms: &mut Terms, assumed: Term, bad: Term) -> Result<Option<Answer>, Stopped> {
        let case = Case::new(assumed, bad);
        let attempts: &[Attempt] = match self.diagrams {
            Some(_) => &[Self::by_diagrams],
            None if self.conflicts(terms, &case) < self.conflicts.1 => &[],
            None => &[Self::by_rough_sat, Self::by_bounded_sat],
        };
        Ok(match self.first(attempts, terms, &case)? {
            Some(Outcome::Answer(answer)) => Some(answer),
            Some(Outcome::Cases(_)) | None => None,
        })
    }

    /// Whether formulas have no common model.
    pub fn excludes(&mut self, terms: &mut Terms, assumed: Term, bad: Term) -> Result<bool, Stopped> {
        let mut open = vec![bad];
        while let Some(bad) = open.pop() {
            let case = Case::new(assumed, bad);
            let answer = match self.first(ATTEMPTS, terms, &case)? {
                Some(Outcome::Answer(answer)) => answer,
                Some(Outcome::Cases(cases)) => {
                    open.extend(cases);
                    continue;
                }
                None => self.by_sat(terms, &case)?,
            };
            if answer == Answer::Sat {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What the first of some attempts that has an outcome says.
    fn first(&mut self, attempts: &[Attempt], terms: &mut Terms, case: &Case) -> Result<Option<Outcome>, Stopped> {
        for attempt in attempts {
            if let Some(outcome) = attempt(self, terms, case)? {
                return Ok(Some(outcome));
            }
        }
        Ok(None)
    }

    /// Conflicts that are a moderate effort for a case.
    fn conflicts(&self, terms: &Terms, case: &Case) -> i32 {
        ((CONFLICTS_TIMES_TERMS / case.size(terms)) as i32).min(self.conflicts.0)
    }

    /// The same, but enough to be worth to begin.
    fn effort(&self, terms: &Terms, case: &Case) -> i32 {
        self.conflicts(terms, case).max(self.conflicts.1)
    }

    /// What diagrams say.
    fn by_diagrams(&mut self, terms: &mut Terms, case: &Case) -> Result<Option<Outcome>, Stopped> {
        let nodes = if has_arithmetic(terms, case.bad) { NODES.0 } else { NODES.1 };
        self.ask(terms, |terms, diagrams| diagrams.check(terms, &case.formulas(), nodes))
    }

    /// What SAT says if products and quotients can have any value; a model says nothing.
    fn by_rough_sat(&mut self, terms: &mut Terms, case: &Case) -> Result<Option<Outcome>, Stopped> {
        if !self.replace_arithmetic(terms, &case.formulas()) {
            return Ok(None);
        }
        self.calls += 1;
        let conflicts = self.effort(terms, case);
        let rough = case.formulas().map(|t| terms.substitute(t, &mut self.replaced));
        let answer = self.rough.check_within(terms, &rough, conflicts)?;
        Ok(answer.filter(|&answer| answer == Answer::Unsat).map(Outcome::Answer))
    }

    /// What SAT says with moderate effort.
    fn by_bounded_sat(&mut self, terms: &mut Terms, case: &Case) -> Result<Option<Outcome>, Stopped> {
        self.calls += 1;
        let conflicts = self.effort(terms, case);
        Ok(self.exact.check_within(terms, &case.formulas(), conflicts)?.map(Outcome::Answer))
    }

    /// A case by a condition that holds in the one and not in the other.
    fn by_cases(&mut self, terms: &mut Terms, case: &Case) -> Result<Option<Outcome>, Stopped> {
        let Some(condition) = choice(terms, case.bad) else { return Ok(None) };
        let cases = [true, false].map(|holds| {
            let mut chosen = Substitution::new();
            chosen.insert(condition, terms.truth(holds));
            let rest = terms.substitute(case.bad, &mut chosen);
            let side = if holds { condition } else { terms.not(condition) };
            terms.and(side, rest)
        });
        Ok(Some(Outcome::Cases(cases)))
    }

    /// What diagrams say of the arithmetic over the values that the rest leaves.
    fn by_restricted_diagrams(&mut self, terms: &mut Terms, case: &Case) -> Result<Option<Outcome>, Stopped> {
        let (mut known, hard): (Vec<Term>, Vec<Term>) =
            terms.conjuncts(case.bad).into_iter().partition(|&t| !has_arithmetic(terms, t));
        if hard.is_empty() {
            return Ok(None);
        }
        known.push(case.assumed);
        let hard = terms.and_all(&hard);
        self.ask(terms, |terms, diagrams| diagrams.check_restricted(terms, &known, hard, NODES.1))
    }

    /// What SAT says, however long it takes.
    fn by_sat(&mut self, terms: &mut Terms, case: &Case) -> Result<Answer, Stopped> {
        self.calls += 1;
        self.exact.check(terms, &case.formulas())
    }

    /// What diagrams say, if they are there and are of use.
    fn ask(
        &mut self,
        terms: &mut Terms,
        ask: impl FnOnce(&mut Terms, &mut Decider) -> Result<Option<Answer>, Stopped>,
    ) -> Result<Option<Outcome>, Stopped> {
        let Some(diagrams) = self.diagrams.as_mut().filter(|_| self.failures <= FAILURES) else { return Ok(None) };
        self.calls += 1;
        let answer = ask(terms, diagrams)?;
        self.failures = if answer.is_none() { self.failures + 1 } else { self.failures.saturating_sub(1) };
        Ok(answer.map(Outcome::Answer))
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

/// Formulas that are to have no common model.
struct Case {
    assumed: Term,
    bad: Term,
    /// Number of their terms, counted when it is first asked for.
    size: OnceCell<usize>,
}

impl Case {
    fn new(assumed: Term, bad: Term) -> Self {
        Self { assumed, bad, size: OnceCell::new() }
    }

    fn formulas(&self) -> [Term; 2] {
        [self.assumed, self.bad]
    }

    fn size(&self, terms: &Terms) -> usize {
        *self.size.get_or_init(|| terms.subterms(&self.formulas()).len())
    }
}

/// What an attempt finds out.
enum Outcome {
    /// Whether there is a model.
    Answer(Answer),
    /// There is one if there is one for one of these in place of what is bad.
    Cases([Term; 2]),
}

/// A way to find out whether a case has a model; `None` if it does not tell.
type Attempt = fn(&mut Prover, &mut Terms, &Case) -> Result<Option<Outcome>, Stopped>;

/// What is tried, in this order.
const ATTEMPTS: &[Attempt] = &[
    Prover::by_diagrams,
    Prover::by_rough_sat,
    Prover::by_bounded_sat,
    Prover::by_cases,
    Prover::by_restricted_diagrams,
];

fn has_arithmetic(terms: &Terms, t: Term) -> bool {
    terms.subterms(&[t]).into_iter().any(|t| is_hard(terms, t))
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

    fn prover(conflicts: (i32, i32)) -> Prover {
        Prover { conflicts, ..Prover::new(&Limits::new(None, None, Arc::default())) }
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
            let expected = Solver::new(&Limits::none()).check(&mut terms, &[assumed, bad]) == Ok(Answer::Unsat);
            for conflicts in [(0, 0), CONFLICTS] {
                let mut prover = prover(conflicts);
                assert_eq!(prover.excludes(&mut terms, assumed, bad), Ok(expected), "{n}");
                prover.set_order(&mut terms, &[]).expect("not stopped");
                assert_eq!(prover.excludes(&mut terms, assumed, bad), Ok(expected), "by diagrams: {n}");
                assert_eq!(prover.excludes_easily(&mut terms, assumed, bad), Ok(expected), "by diagrams: {n}");
            }
            let easily = prover(CONFLICTS).excludes_easily(&mut terms, assumed, bad);
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
        let mut prover = prover(CONFLICTS);
        let yes = terms.yes();
        assert_eq!(prover.excludes(&mut terms, yes, bad), Ok(true));
        assert_eq!(prover.calls, 1, "the rough one");
    }
}
