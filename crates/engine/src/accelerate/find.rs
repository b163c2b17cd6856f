//! Closed forms of the loops of a program.
//!
//! For each loop, all its paths together are tried as one iteration, if they choose nothing; else each path by itself. An iteration
//! has a closed form if its recurrences have solutions ([`super::recurrence`]) and it is known how often its condition holds
//! ([`super::condition`]), or the condition goes on to hold once it does, which the solver is asked. What an iteration chooses
//! is the same in all iterations of a row. Whether a closed form is complete is asked as its certificate will be checked.

use super::condition::{Held, held};
use super::paths::{Path, paths};
use super::recurrence::Recurrences;
use crate::certificate::{formula, may_be_read};
use crate::certify::accelerated::Iteration;
use crate::unroll::{Closed, Relevance};
use robusto_analyses::symbolic::{Cell, Encoder};
use robusto_cfa::analysis::loops::LoopForest;
use robusto_cpa::control::Location;
use robusto_limits::{Limits, Stopped};
use robusto_logic::{Answer, Solver, Sort, Substitution, Term};
use std::rc::Rc;

/// Conflicts for a question about a closed form.
pub(super) const EFFORT: i32 = 5_000;

/// Most loops that are looked at.
const MOST_LOOPS: usize = 400;

/// Closed forms of all loops, inner loops first.
pub(super) fn closed_forms(
    encoder: &mut Encoder<'_>,
    solver: &mut Solver,
    limits: &Limits,
) -> Result<Vec<Rc<Closed>>, Stopped> {
    let facts = encoder.facts();
    let relevance = Relevance::of(facts);
    let mut found: Vec<Rc<Closed>> = Vec::new();
    let mut loops = 0;
    for (function, body) in facts.program.functions.enumerate() {
        if !facts.calls.is_reachable(function) || facts.calls.is_recursive(function) {
            continue;
        }
        let forest = LoopForest::of(body);
        // Inner loops have greater numbers.
        let mut heads: Vec<_> = forest.heads().collect();
        heads.reverse();
        for loc in heads {
            loops += 1;
            if loops > MOST_LOOPS {
                return Ok(found);
            }
            if relevance.contains(function, loc) {
                let closed = of_loop(encoder, solver, Location { function, loc }, &found, limits)?;
                found.extend(closed.into_iter().map(Rc::new));
            }
        }
    }
    Ok(found)
}

/// Closed forms of a loop.
fn of_loop(
    encoder: &mut Encoder<'_>,
    solver: &mut Solver,
    head: Location,
    inner: &[Rc<Closed>],
    limits: &Limits,
) -> Result<Vec<Closed>, Stopped> {
    let inner: Vec<Rc<Closed>> =
        inner.iter().filter(|closed| closed.complete && closed.asks.is_empty()).cloned().collect();
    let Some(iteration) = Iteration::of(encoder, head, &inner, limits)? else { return Ok(Vec::new()) };
    let mut finder = Finder { encoder, solver, head, iteration };
    if let [all] = &finder.iteration.back[..]
        && all.choices == 0
    {
        let all = Path { formula: all.clone(), asks: Vec::new() };
        if let Some(closed) = finder.close(&all)?
            && closed.complete
        {
            return Ok(vec![closed]);
        }
    }
    let mut found = Vec::new();
    for path in paths(finder.encoder, finder.solver, head, &inner, limits)? {
        found.extend(finder.close(&path)?);
    }
    Ok(found)
}

struct Finder<'e, 'f> {
    encoder: &'e mut Encoder<'f>,
    solver: &'e mut Solver,
    head: Location,
    iteration: Iteration,
}

impl Finder<'_, '_> {
    /// The closed form of rows of iterations along a path, if it has one.
    fn close(&mut self, path: &Path) -> Result<Option<Closed>, Stopped> {
        let changed: Vec<Cell> = path.formula.env.keys().copied().collect();
        let mut updates: Vec<(Cell, Term, Term)> = Vec::new();
        for cell in changed {
            if may_be_read(self.encoder, &[], self.head, cell) {
                let after = path.formula.env[&cell];
                updates.push((cell, self.encoder.input(cell), after));
            }
        }
        let pairs: Vec<(Term, Term)> = updates.iter().map(|&(_, before, after)| (before, after)).collect();
        let Some(cells) = Recurrences::solve(&mut self.encoder.terms, &pairs) else { return Ok(None) };
        if cells.is_empty() || !self.knows_choices(path, &pairs) {
            return Ok(None);
        }
        let conditions = self.encoder.terms.conjuncts(path.formula.guard);
        let width = self.count_width(&pairs, &conditions);
        let count = formula::count(self.encoder, width);
        let one = self.encoder.terms.constant(width, 1);
        let last = self.encoder.terms.sub(count, one);
        let terms = &self.encoder.terms;
        let fixed_choices = |t: &Term| self.encoder.has_choices(*t);
        let (asked, conditions): (Vec<Term>, Vec<Term>) = conditions.into_iter().partition(fixed_choices);
        if asked.iter().any(|&t| cells.moves(terms, t)) {
            return Ok(None);
        }
        let (mut until, mut times) = (Vec::new(), Vec::new());
        let mut when = conditions.clone();
        for condition in conditions {
            let terms = &mut self.encoder.terms;
            let known = match cells.moves(terms, condition) {
                false => Some(Held { until: condition, sooner: terms.yes(), times: None }),
                true => held(terms, &cells, condition, last),
            };
            match known {
                Some(known) => {
                    until.push(known.until);
                    when.push(known.sooner);
                    times.extend(cells.moves(terms, condition).then_some(known.times));
                }
                None if self.goes_on(path.formula.guard, condition, &pairs)? => until.push(condition),
                None => return Ok(None),
            }
        }
        let Encoder { terms, .. } = &mut *self.encoder;
        let zero = terms.constant(width, 0);
        let none = terms.eq(count, zero);
        let until = terms.and_all(&until);
        let valid = terms.or(none, until);
        let when = terms.and_all(&when);
        let values = cells.values(terms, count);
        let cell_of = |before: Term| updates.iter().find(|update| update.1 == before).expect("a cell").0;
        let values = values.into_iter().map(|(before, value)| (cell_of(before), value)).collect();
        let terms = &self.encoder.terms;
        let asked_cells = asked.iter().flat_map(|&t| terms.symbols(t)).any(|s| self.encoder.cell_of(s).is_some());
        let asked = self.encoder.terms.and_all(&asked);
        let asks = path.asks.clone();
        // The condition that fails first is known where there is one.
        let times = if let [times] = times[..] { times } else { None };
        let mut closed = Closed { head: self.head, count, when, valid, values, complete: false, asks, asked, times };
        // What is chosen may not matter, or all iterations but those of a row would be left out.
        let chooses = closed.values.iter().any(|&(_, value)| self.encoder.has_choices(value));
        closed.complete =
            !asked_cells && !chooses && self.iteration.is_closed(self.encoder, self.solver, &closed, EFFORT)?;
        Ok(Some(closed))
    }

    /// Whether all that a path depends on are cells and values that it asks for.
    fn knows_choices(&self, path: &Path, updates: &[(Term, Term)]) -> bool {
        let terms = &self.encoder.terms;
        let roots: Vec<Term> = updates.iter().map(|&(_, after)| after).chain([path.formula.guard]).collect();
        let mut symbols = terms.subterms(&roots).into_iter().filter_map(|t| Some((t, terms.as_symbol(t)?)));
        symbols.all(|(t, symbol)| {
            self.encoder.cell_of(symbol).is_some() || path.asks.iter().any(|&(_, asked)| asked == Some(t))
        })
    }

    /// Bits for the number of iterations: enough for the loops that end by comparing a counter.
    fn count_width(&self, updates: &[(Term, Term)], conditions: &[Term]) -> u16 {
        let terms = &self.encoder.terms;
        let is_wide = |t: &Term| matches!(terms.sort(*t), Sort::Bits(width) if width > 32);
        let changing: Vec<Term> = updates.iter().map(|&(before, _)| before).filter(is_wide).collect();
        let compared = |t: &Term| terms.symbols(*t).iter().any(|&s| changing.contains(&terms.symbol_term(s)));
        if conditions.iter().any(compared) { 64 } else { 32 }
    }

    /// Whether a condition of an iteration holds in the next one as well.
    fn goes_on(&mut self, guard: Term, condition: Term, updates: &[(Term, Term)]) -> Result<bool, Stopped> {
        let mut map = Substitution::new();
        for &(before, after) in updates {
            map.insert(before, after);
        }
        let terms = &mut self.encoder.terms;
        let next = terms.substitute(condition, &mut map);
        let stops = terms.not(next);
        Ok(self.solver.check_within(terms, &[guard, stops], EFFORT)? == Some(Answer::Unsat))
    }
}
