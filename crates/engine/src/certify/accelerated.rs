//! Closed forms of loops: by induction over the number of iterations.
//!
//! Of a closed form at a head it is shown, for any values *s* of the cells there, that
//!
//! 1. after 0 iterations the values are *s*, and 0 is a valid number;
//! 2. if n is valid, and an iteration from the values after n iterations starts where `when` holds and comes back to the head,
//!    then n is not the greatest number of its width, n + 1 is valid, and the values that the iteration leaves are those
//!    after n + 1 iterations.
//!
//! Binomial coefficients of n are symbols that are 0 at first and step by the rule of Pascal's triangle (`unroll::binomial`).
//!
//! So any row of such iterations has a valid length, and leaves the values that the closed form says. What an iteration does
//! comes from the program: all paths from the head back to it, where inner loops are passed by their own closed forms, shown
//! before. That no path stays in an inner loop is part of 2.
//!
//! That the values are right where n is valid although there are no such n iterations is not asked: then more executions are
//! looked at than there are, and a proof about them holds all the same. Floyd's method with n as a ghost variable, which never
//! has to be written down as an invariant of the program.

use super::unrolled::complete_sliding;
use super::{Failure, Statistics, place, polynomial};
use crate::certificate::instances::Linear;
use crate::certificate::{formula, may_be_read};
use crate::problem::Problem;
use crate::unroll::{Closed, Counting, Found, Unroller, binomial};
use robusto_analyses::symbolic::{Cell, Encoder, PathFormula};
use robusto_cfa::analysis::loops::LoopForest;
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{Idx as _, LocId};
use robusto_cpa::control::Location;
use robusto_limits::{Limits, Stopped};
use robusto_logic::term::fold::{mask, signed};
use robusto_logic::{Answer, BinaryOp, Node, Solver, Sort, Substitution, Term, Terms};
use robusto_verdict::Target;
use robusto_verdict::certificate::ClosedForm;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Checks closed forms, and that with them nothing is violated within the bound and nothing lies beyond.
pub(super) fn check(
    problem: &Problem,
    bound: u32,
    loops: &[ClosedForm],
    targets: &[Target],
    limits: &Limits,
) -> Result<Statistics, Failure> {
    let facts = &problem.facts;
    let mut encoder = Encoder::new(facts);
    let mut solver = Solver::new(limits);
    let mut shown: Vec<Rc<Closed>> = Vec::new();
    let mut statistics = Statistics::default();
    for form in loops {
        let closed = read(facts, &mut encoder, form)?;
        let at = place(facts, closed.head);
        let inner: Vec<Rc<Closed>> = shown.iter().filter(|other| other.head != closed.head).cloned().collect();
        let iteration = Iteration::of(&mut encoder, closed.head, &inner, limits)?
            .ok_or_else(|| Failure::Refuted(format!("no closed form can be shown of the loop at {at}")))?;
        let calls = solver.statistics().calls;
        if !iteration.is_closed(&mut encoder, &mut solver, &closed, i32::MAX)? {
            return Err(Failure::Refuted(format!("the closed form of the loop at {at} does not hold")));
        }
        statistics = statistics + Statistics { checks: 2, calls: solver.statistics().calls - calls };
        shown.push(Rc::new(closed));
    }
    Ok(statistics + complete_sliding(problem, &mut encoder, &shown, bound, targets, limits)?)
}

/// A closed form of a certificate. It speaks of values that may be read at the head, and of the number of iterations.
fn read(facts: &Facts, encoder: &mut Encoder<'_>, form: &ClosedForm) -> Result<Closed, Failure> {
    let program = &facts.program;
    let wrong = |what: String| Failure::Refuted(what);
    let function = program
        .function_named(&form.function)
        .filter(|&function| (form.location as usize) < program.functions[function].num_locs())
        .ok_or_else(|| wrong(format!("there is no location {} of `{}`", form.location, form.function)))?;
    let head = Location { function, loc: LocId::new(form.location as usize) };
    let width = u16::try_from(form.width).ok().filter(|width| (1..=64).contains(width));
    let width = width.ok_or_else(|| wrong("a number of iterations has 1 to 64 bits".to_owned()))?;
    let count = formula::count(encoder, width);
    let mut parsed = |text: &str, counted: bool| {
        let t = formula::parse(encoder, text).map_err(|message| wrong(format!("a closed form: {message}")))?;
        for symbol in encoder.terms.symbols(t) {
            let is_known = match encoder.cell_of(symbol) {
                Some(cell) => may_be_read(encoder, &[], head, cell),
                None if binomial::chosen(&encoder.terms, symbol).is_some() => counted,
                None => counted && encoder.terms.symbol_term(symbol) == count,
            };
            if !is_known {
                let name = encoder.terms.symbol_name(symbol);
                return Err(wrong(format!("a closed form speaks of {name}")));
            }
        }
        let cell = encoder.terms.as_symbol(t).and_then(|symbol| encoder.cell_of(symbol));
        Ok((t, cell, encoder.terms.sort(t)))
    };
    let is_truth = |(t, _, sort): (Term, Option<Cell>, Sort)| match sort {
        Sort::BOOL => Ok(t),
        _ => Err(wrong("a condition of a closed form is no truth value".to_owned())),
    };
    let when = is_truth(parsed(&form.when, false)?)?;
    let valid = is_truth(parsed(&form.valid, true)?)?;
    let mut values = Vec::new();
    for (cell, value) in &form.values {
        let ((_, cell, sort), (value, _, other)) = (parsed(cell, false)?, parsed(value, true)?);
        match cell {
            Some(cell) if sort == other => values.push((cell, value)),
            _ => return Err(wrong("a value of a closed form is of another sort".to_owned())),
        }
    }
    let distinct: BTreeSet<Cell> = values.iter().map(|&(cell, _)| cell).collect();
    if distinct.len() < values.len() {
        return Err(wrong("a closed form has two values for one cell".to_owned()));
    }
    let asked = encoder.terms.yes();
    Ok(Closed { head, count, when, valid, values, complete: true, asks: Vec::new(), asked, times: None })
}

/// What an iteration of a loop does.
pub(crate) struct Iteration {
    head: Location,
    /// The paths from the head back to it.
    pub back: Vec<PathFormula>,
    /// When a path stays inside, in a loop of its own.
    stays: Term,
}

impl Iteration {
    /// The paths of a loop; `None` if it is none, can be entered elsewhere, or is in a recursive function. Loops inside are passed by their
    /// closed forms.
    pub fn of(
        encoder: &mut Encoder<'_>,
        head: Location,
        inner: &[Rc<Closed>],
        limits: &Limits,
    ) -> Result<Option<Self>, Stopped> {
        let facts = encoder.facts();
        let forest = LoopForest::of(&facts.program.functions[head.function]);
        let reducible = forest.headed_by(head.loc).is_some_and(|id| !forest.get(id).irreducible);
        if !reducible || facts.calls.is_recursive(head.function) {
            return Ok(None);
        }
        let start = encoder.anything_in([head.function]);
        let mut unroller = Unroller::new(facts, Counting::Loops).inside(head).sliding(inner.iter().cloned());
        unroller.start(head, start);
        unroller.run(encoder, 0, 1, limits, &mut Found::default())?;
        let (mut back, mut stays) = (Vec::new(), encoder.terms.no());
        for (end, paths) in unroller.ends() {
            if end.location == head && unroller.contexts().pending(end.context).is_none() {
                back.push(paths.clone());
            } else {
                stays = encoder.terms.or(stays, paths.guard);
            }
        }
        Ok(Some(Self { head, back, stays }))
    }

    /// Whether a closed form holds of every row of iterations; `effort` bounds the conflicts of each question, and what is not decided
    /// counts as no.
    pub fn is_closed(
        &self,
        encoder: &mut Encoder<'_>,
        solver: &mut Solver,
        closed: &Closed,
        effort: i32,
    ) -> Result<bool, Stopped> {
        let width = encoder.terms.width(closed.count);
        let zero = encoder.terms.constant(width, 0);
        let mut first = Substitution::new();
        first.insert(closed.count, zero);
        for (symbol, _) in binomials(encoder, closed) {
            let zero = encoder.terms.constant(encoder.terms.width(symbol), 0);
            first.insert(symbol, zero);
        }
        let mut claims = vec![encoder.terms.substitute(closed.valid, &mut first)];
        for &(cell, value) in &closed.values {
            let (before, after) = (encoder.input(cell), encoder.terms.substitute(value, &mut first));
            let Some(same) = equal(encoder, before, after) else { return Ok(false) };
            claims.push(same);
        }
        let yes = encoder.terms.yes();
        if !is_implied(encoder, solver, yes, &claims, effort)? {
            return Ok(false);
        }
        // From here on, the cells have their values after n iterations, and what is claimed of the next is of n + 1.
        let one = encoder.terms.constant(width, 1);
        let next = encoder.terms.add(closed.count, one);
        let mut following = Substitution::new();
        following.insert(closed.count, next);
        for (symbol, j) in binomials(encoder, closed) {
            let width = encoder.terms.width(symbol);
            let next = binomial::neighbour(&mut encoder.terms, j, width, closed.count, true);
            following.insert(symbol, next);
        }
        let mut now = Substitution::new();
        for &(cell, value) in &closed.values {
            let input = encoder.input(cell);
            now.insert(input, value);
        }
        let when = encoder.terms.substitute(closed.when, &mut now);
        let starts = encoder.terms.and(closed.valid, when);
        let stays = encoder.terms.substitute(self.stays, &mut now);
        let moves_on = encoder.terms.not(stays);
        if !is_implied(encoder, solver, starts, &[moves_on], effort)? {
            return Ok(false);
        }
        for paths in &self.back {
            let guard = encoder.terms.substitute(paths.guard, &mut now);
            let premise = encoder.terms.and(starts, guard);
            let mut claims = vec![encoder.terms.ne(next, zero)];
            claims.push(encoder.terms.substitute(closed.valid, &mut following));
            let changed = paths.env.keys().copied().chain(closed.values.iter().map(|&(cell, _)| cell));
            for cell in changed.collect::<BTreeSet<Cell>>() {
                if !may_be_read(encoder, &[], self.head, cell) {
                    continue;
                }
                let after = encoder.value(paths, cell);
                let after = encoder.terms.substitute(after, &mut now);
                let claimed = closed.values.iter().find(|&&(other, _)| other == cell).map(|&(_, value)| value);
                let claimed = match claimed {
                    Some(value) => encoder.terms.substitute(value, &mut following),
                    None => encoder.input(cell),
                };
                let Some(same) = equal(encoder, after, claimed) else { return Ok(false) };
                claims.push(same);
            }
            if !is_implied(encoder, solver, premise, &claims, effort)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The binomial coefficients that a closed form speaks of.
fn binomials(encoder: &Encoder<'_>, closed: &Closed) -> Vec<(Term, usize)> {
    let terms = &encoder.terms;
    let roots: Vec<Term> = closed.values.iter().map(|&(_, value)| value).chain([closed.valid]).collect();
    let symbols = terms.subterms(&roots).into_iter().filter_map(|t| Some((t, terms.as_symbol(t)?)));
    symbols.filter_map(|(t, symbol)| Some((t, binomial::chosen(terms, symbol)?))).collect()
}

/// That two values are equal; arrays only if they are the same term.
fn equal(encoder: &mut Encoder<'_>, a: Term, b: Term) -> Option<Term> {
    if a == b {
        return Some(encoder.terms.yes());
    }
    matches!(encoder.terms.sort(a), Sort::Bits(_)).then(|| polynomial::equal(&mut encoder.terms, a, b))
}

fn is_implied(
    encoder: &mut Encoder<'_>,
    solver: &mut Solver,
    premise: Term,
    claims: &[Term],
    effort: i32,
) -> Result<bool, Stopped> {
    let all = encoder.terms.and_all(claims);
    let some = encoder.terms.not(all);
    let bad = encoder.terms.and(premise, some);
    if encoder.terms.is_false(bad) {
        return Ok(true);
    }
    let mut assumed = lemmas(encoder, all);
    assumed.push(bad);
    let answer = match effort {
        i32::MAX => Some(solver.check(&mut encoder.terms, &assumed)?),
        _ => solver.check_within(&mut encoder.terms, &assumed, effort)?,
    };
    Ok(answer == Some(Answer::Unsat))
}

/// Tautologies that spare the solver arithmetic. A closed form says `n < d` where two values meet after d iterations, as in
/// `n < b - i`, and the proof turns on what `n = d` means for the values themselves: `i + n = b`. So that is told for each such
/// comparison, and with the inverse of an odd coefficient, too: `n = k·(b - s)` means `s + k⁻¹·n = b`. From circuits of adders, let alone of
/// multiplications, that takes a solver 25 ms, or minutes.
fn lemmas(encoder: &mut Encoder<'_>, claims: Term) -> Vec<Term> {
    let terms = &mut encoder.terms;
    let mut found = Vec::new();
    for t in terms.subterms(&[claims]) {
        let Node::Binary(BinaryOp::ULt | BinaryOp::ULe, x, y) = terms.node(t) else { continue };
        let inner = |t: Term| if let Node::ZExt(inner, _) = terms.node(t) { inner } else { t };
        let (x, y) = (inner(x), inner(y));
        let width = terms.width(x).min(terms.width(y));
        let [x, y] = [x, y].map(|t| binomial::resized(terms, t, width));
        let (of_x, mut sum) = (Linear::of(terms, x), Linear::of(terms, y));
        sum.constant = sum.constant.wrapping_sub(of_x.constant);
        for (summand, coefficient) in of_x.coefficients {
            let difference = sum.coefficients.entry(summand).or_default();
            *difference = difference.wrapping_sub(coefficient);
        }
        let is_odd = |k: u128| k % 2 == 1 && k != 1 && k != mask(width, u128::MAX);
        let odd = sum.coefficients.values().map(|&k| mask(width, k)).find(|&k| is_odd(k));
        let meets = terms.eq(x, y);
        for factor in [Some(1), odd.map(|odd| binomial::inverse(odd, width))].into_iter().flatten() {
            let is = balanced(terms, &sum, factor);
            found.push(terms.implies(meets, is));
        }
    }
    found
}

/// That a multiple of a sum is zero, as an equation whose coefficients are not negative.
fn balanced(terms: &mut Terms, sum: &Linear, factor: u128) -> Term {
    let width = sum.width;
    let zero = terms.constant(width, 0);
    let mut sides = [zero, zero];
    let summands = sum.coefficients.iter().map(|(&t, &k)| (Some(t), k)).chain([(None, sum.constant)]);
    for (summand, coefficient) in summands {
        let coefficient = signed(width, mask(width, coefficient.wrapping_mul(factor)));
        let side = &mut sides[usize::from(coefficient < 0)];
        let size = terms.constant(width, mask(width, coefficient.unsigned_abs()));
        let part = summand.map_or(size, |summand| terms.mul(summand, size));
        *side = terms.add(*side, part);
    }
    terms.eq(sides[0], sides[1])
}
