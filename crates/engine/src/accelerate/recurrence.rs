//! What an iteration does to the cells, as recurrences, and their solutions.
//!
//! After Frohn: *A calculus for modular loop acceleration*, TACAS 2020, where solutions are over the integers. Here they are modulo
//! 2^w, so they are written in binomials: if x grows by Σ aⱼ·C(k, j) in iteration k, then it is x₀ + Σ aⱼ·C(n, j+1) after n of
//! them, whatever wraps around. Coefficients are terms over the values before the first iteration.

use super::linear::{Sum, scaled};
use crate::unroll::binomial::{DEGREE, choose, neighbour, resized};
use robusto_logic::{Sort, Substitution, Term, Terms};
use std::collections::BTreeMap;

/// The value of a cell after n iterations.
#[derive(Clone, Debug)]
enum Solution {
    /// Σ aⱼ·C(n, j).
    Polynomial(Vec<Term>),
    /// What the last iteration has computed from the values that it found.
    Last(Term),
}

/// The cells that iterations change, by their symbols.
#[derive(Clone, Default, Debug)]
pub(super) struct Recurrences {
    solved: BTreeMap<Term, Solution>,
}

impl Recurrences {
    /// Solves for all cells: each symbol with its value after one iteration. `None` if one has no solution of this kind.
    pub fn solve(terms: &mut Terms, updates: &[(Term, Term)]) -> Option<Self> {
        let mut open: Vec<(Term, Term)> = updates.iter().copied().filter(|(cell, value)| cell != value).collect();
        if open.iter().any(|&(cell, _)| !matches!(terms.sort(cell), Sort::Bits(_))) {
            return None;
        }
        let changing: Vec<Term> = open.iter().map(|&(cell, _)| cell).collect();
        let mut all = Self::default();
        while !open.is_empty() {
            let before = open.len();
            let mut left = Vec::new();
            for (cell, value) in open {
                match all.solution(terms, &changing, cell, value) {
                    Some(solution) => {
                        all.solved.insert(cell, solution);
                    }
                    None => left.push((cell, value)),
                }
            }
            if left.len() == before {
                return None;
            }
            open = left;
        }
        Some(all)
    }

    /// Solves for one cell, given the solutions so far.
    fn solution(&self, terms: &mut Terms, changing: &[Term], cell: Term, value: Term) -> Option<Solution> {
        let mentioned = mentioned(terms, changing, value);
        if !mentioned.contains(&cell) {
            // What depends on what another iteration has set is left to unrolling.
            let is_known = |other: &Term| matches!(self.solved.get(other), Some(Solution::Polynomial(_)));
            return mentioned.iter().all(is_known).then_some(Solution::Last(value));
        }
        let mut step = Sum::of(terms, value);
        if step.terms.remove(&cell) != Some(1) {
            return None;
        }
        // What it grows by, as a polynomial.
        let width = terms.width(cell);
        let mut fixed = Sum { terms: BTreeMap::new(), ..step.clone() };
        let mut grows: Vec<Term> = Vec::new();
        for (&summand, &factor) in &step.terms {
            if self::mentioned(terms, changing, summand).is_empty() {
                fixed.terms.insert(summand, factor);
                continue;
            }
            let Some(Solution::Polynomial(coefficients)) = self.solved.get(&summand) else { return None };
            for (j, &coefficient) in coefficients.iter().enumerate() {
                let product = scaled(terms, coefficient, factor);
                match grows.get_mut(j) {
                    Some(sum) => *sum = terms.add(*sum, product),
                    None => grows.push(product),
                }
            }
        }
        let fixed = fixed.term(terms);
        match grows.first_mut() {
            Some(first) => *first = terms.add(*first, fixed),
            None => grows.push(fixed),
        }
        grows.insert(0, cell);
        debug_assert!(grows.iter().all(|&t| terms.width(t) == width));
        (grows.len() <= DEGREE + 1).then_some(Solution::Polynomial(grows))
    }

    /// Whether a term depends on cells that change.
    pub fn moves(&self, terms: &Terms, t: Term) -> bool {
        terms.symbols(t).into_iter().any(|symbol| self.solved.contains_key(&terms.symbol_term(symbol)))
    }

    /// Whether nothing changes.
    pub fn is_empty(&self) -> bool {
        self.solved.is_empty()
    }

    /// What a cell grows by in each iteration, if that is always the same.
    pub fn slope(&self, cell: Term) -> Option<Term> {
        match self.solved.get(&cell)? {
            Solution::Polynomial(coefficients) if coefficients.len() == 2 => Some(coefficients[1]),
            _ => None,
        }
    }

    /// The values of the cells after so many iterations, with binomial coefficients as symbols ([`crate::unroll::binomial`]).
    pub fn values(&self, terms: &mut Terms, count: Term) -> Vec<(Term, Term)> {
        let (now, mut before) = (self.polynomials(terms, count, false), Substitution::new());
        if now.len() == self.solved.len() {
            return now.into_iter().collect();
        }
        let width = terms.width(count);
        let zero = terms.constant(width, 0);
        let none = terms.eq(count, zero);
        for (cell, value) in self.polynomials(terms, count, true) {
            before.insert(cell, value);
        }
        let mut values = now;
        for (cell, solution) in &self.solved {
            if let Solution::Last(value) = *solution {
                let last = terms.substitute(value, &mut before);
                let now = terms.ite(none, *cell, last);
                values.insert(*cell, now);
            }
        }
        values.into_iter().collect()
    }

    fn polynomials(&self, terms: &mut Terms, count: Term, before: bool) -> BTreeMap<Term, Term> {
        let mut values = BTreeMap::new();
        for (&cell, solution) in &self.solved {
            if let Solution::Polynomial(coefficients) = solution {
                values.insert(cell, sum(terms, coefficients, count, before));
            }
        }
        values
    }
}

/// Which of the cells a term speaks of.
fn mentioned(terms: &Terms, cells: &[Term], t: Term) -> Vec<Term> {
    let symbols = terms.symbols(t).into_iter().map(|symbol| terms.symbol_term(symbol));
    symbols.filter(|symbol| cells.contains(symbol)).collect()
}

/// Σ aⱼ·C(n, j), or of n - 1.
fn sum(terms: &mut Terms, coefficients: &[Term], count: Term, before: bool) -> Term {
    let width = terms.width(coefficients[0]);
    let mut sum = coefficients[0];
    for (j, &coefficient) in coefficients.iter().enumerate().skip(1) {
        let binomial = match j {
            _ if before => neighbour(terms, j, width, count, false),
            1 => resized(terms, count, width),
            _ => choose(terms, j, width),
        };
        let product = terms.mul(coefficient, binomial);
        sum = terms.add(sum, product);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unroll::binomial::value;
    use robusto_logic::Model;

    /// Solutions against iteration, for all numbers of iterations of a narrow count and all start values of some.
    #[test]
    fn solutions_are_iterations() {
        for (width, counted) in [(3, 5), (4, 4), (5, 3), (8, 8)] {
            let mut terms = Terms::new();
            let [a, b, c, d, e] = ["a", "b", "c", "d", "e"].map(|name| terms.symbol(name, Sort::Bits(width)));
            let n = terms.symbol("n", Sort::Bits(counted));
            let three = terms.constant(width, 3);
            // a += 3; b += 2·a - e; c += b + a·7; d = c·a
            let a1 = terms.add(a, three);
            let twice = terms.add(a, a);
            let b1 = terms.add(b, twice);
            let b1 = terms.sub(b1, e);
            let seven = scaled(&mut terms, a, 7);
            let c1 = terms.add(c, b);
            let c1 = terms.add(c1, seven);
            let d1 = terms.mul(c, a);
            let updates = [(d, d1), (c, c1), (b, b1), (a, a1), (e, e)];
            let all = Recurrences::solve(&mut terms, &updates).expect("they have solutions");
            assert_eq!(all.slope(a), Some(three));
            assert_eq!(all.slope(b), None);
            let mut defined = Substitution::new();
            for j in 2..=DEGREE {
                let (symbol, value) = (choose(&mut terms, j, width), value(&mut terms, n, j, width));
                defined.insert(symbol, value);
            }
            let mut values = all.values(&mut terms, n);
            values.iter_mut().for_each(|(_, value)| *value = terms.substitute(*value, &mut defined));
            for seed in 0..20u128 {
                let mut state =
                    [a, b, c, d, e].map(|cell| (cell, (seed * 37 + cell.index() as u128 * 11) % (1 << width)));
                let start = state;
                for count in 0..1u128 << counted {
                    let mut model = Model::new();
                    start.iter().for_each(|&(cell, value)| model.set(terms.as_symbol(cell).expect("a symbol"), value));
                    model.set(terms.as_symbol(n).expect("a symbol"), count);
                    for &(cell, value) in &values {
                        let expected = state.iter().find(|(other, _)| *other == cell).expect("a cell").1;
                        assert_eq!(terms.evaluate(value, &model), expected, "{width} bits, {count} iterations");
                    }
                    let mut model = Model::new();
                    state.iter().for_each(|&(cell, value)| model.set(terms.as_symbol(cell).expect("a symbol"), value));
                    let next = |cell| updates.iter().find(|(other, _)| *other == cell).expect("a cell").1;
                    state = state.map(|(cell, _)| (cell, terms.evaluate(next(cell), &model)));
                }
            }
        }
    }

    #[test]
    fn what_is_not_linear_has_no_solution() {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.symbol(name, Sort::Bits(8)));
        let square = terms.mul(x, x);
        let sum = terms.add(y, square);
        let one = terms.constant(8, 1);
        let next = terms.add(x, one);
        assert!(Recurrences::solve(&mut terms, &[(x, next), (y, sum)]).is_none(), "a sum of squares");
        let double = terms.add(x, x);
        assert!(Recurrences::solve(&mut terms, &[(x, double)]).is_none(), "powers of two");
        assert!(Recurrences::solve(&mut terms, &[(x, y), (y, x)]).is_none(), "a swap");
    }
}
