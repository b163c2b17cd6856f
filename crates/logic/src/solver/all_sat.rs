//! All satisfying assignments of some literals.
//!
//! Boolean predicate abstraction (Graf and Saïdi, CAV 1997) by enumeration (Lahiri, Nieuwenhuis and Oliveras, *SMT
//! Techniques for Fast Predicate Abstraction*, CAV 2006): find a model, report the values of the literals, exclude them
//! by a clause, repeat. Literals with one value only (the backbone) are found first: a clause demands that some literal
//! takes a value not yet seen, and when that is contradictory, the literals without a second value are constant. So
//! there are at most as many queries as literals that vary, plus one, and the constant ones stay out of the clauses that
//! exclude. The assignments seen on the way are reported without another query. A literal that shares no symbol with
//! anything else and varies is `None` in every cube: the solutions are a product.

use super::{Answer, Query, Solver, View};
use crate::term::{Symbol, Term, Terms};
use robusto_limits::Stopped;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::ControlFlow;

impl Solver {
    /// Calls `each` with all assignments of the literals that are consistent with the assertions and the assumptions,
    /// as disjoint cubes: `None` stands for both values. Ends early on `Break`. The solver is afterwards as before.
    pub fn all_sat(
        &mut self,
        terms: &mut Terms,
        assumptions: &[Term],
        literals: &[Term],
        mut each: impl FnMut(&[Option<bool>]) -> ControlFlow<()>,
    ) -> Result<(), Stopped> {
        let wanted = self.literals(terms, literals)?;
        let mut search = Enumeration { solver: self, terms, assumptions, literals, wanted, live: Vec::new() };
        let outcome = search.run(&mut each);
        // The clauses of the enumeration hold for ever now, whatever the assignment.
        for literal in std::mem::take(&mut search.live) {
            self.sat.clause(&[-literal]);
        }
        self.answer = None;
        outcome
    }
}

struct Enumeration<'a> {
    solver: &'a mut Solver,
    terms: &'a mut Terms,
    assumptions: &'a [Term],
    literals: &'a [Term],
    /// Their SAT literals.
    wanted: Vec<i32>,
    /// Activation literals of the clauses added.
    live: Vec<i32>,
}

impl Enumeration<'_> {
    fn run(&mut self, each: &mut dyn FnMut(&[Option<bool>]) -> ControlFlow<()>) -> Result<(), Stopped> {
        let Some(first) = self.assignment(&[])? else { return Ok(()) };
        let count = first.len();
        let mut varies = vec![false; count];
        let mut seen = vec![first.clone()];
        let mut known: FxHashSet<Vec<bool>> = FxHashSet::from_iter([first.clone()]);
        loop {
            let active = self.solver.sat.cnf.fresh();
            let mut clause = vec![-active];
            for i in (0..count).filter(|&i| !varies[i]) {
                let literal = self.wanted[i];
                clause.push(if first[i] { -literal } else { literal });
            }
            if clause.len() == 1 {
                break;
            }
            self.live.push(active);
            self.solver.sat.clause(&clause);
            let Some(other) = self.assignment(&[active])? else { break };
            for i in 0..count {
                varies[i] |= other[i] != first[i];
            }
            if known.insert(other.clone()) {
                seen.push(other);
            }
        }
        let free = self.free(&varies);
        let varying: Vec<usize> = (0..count).filter(|&i| varies[i] && !free[i]).collect();
        // Assignments that differ in free literals only are one cube.
        let mut cubes = FxHashSet::default();
        seen.retain(|assignment| cubes.insert(varying.iter().map(|&i| assignment[i]).collect::<Vec<_>>()));
        let active = self.solver.sat.cnf.fresh();
        self.live.push(active);
        for assignment in seen {
            if self.report(&assignment, &varying, &free, active, each).is_break() {
                return Ok(());
            }
        }
        if varying.is_empty() {
            return Ok(());
        }
        while let Some(assignment) = self.assignment(&[active])? {
            if self.report(&assignment, &varying, &free, active, each).is_break() {
                break;
            }
        }
        Ok(())
    }

    /// The literals among those that vary which share no symbol with the assertions, the assumptions and one another.
    fn free(&self, varies: &[bool]) -> Vec<bool> {
        let terms = &*self.terms;
        let mut users: FxHashMap<Symbol, usize> = FxHashMap::default();
        let mut used: Vec<Vec<Symbol>> = Vec::with_capacity(self.literals.len());
        let mut free = varies.to_vec();
        for &literal in self.literals {
            let below = terms.subterms(&[literal]);
            let symbols: Vec<Symbol> = below.iter().filter_map(|&t| terms.as_symbol(t)).collect();
            for &symbol in &symbols {
                *users.entry(symbol).or_default() += 1;
            }
            used.push(symbols);
        }
        for (free, symbols) in free.iter_mut().zip(&used) {
            *free &= symbols.iter().all(|symbol| users[symbol] == 1);
        }
        // The assumptions may be large: look at them only if it can matter.
        if free.contains(&true) {
            let roots = [self.assumptions, &self.solver.assertions].concat();
            let bound: FxHashSet<Symbol> =
                terms.subterms(&roots).into_iter().filter_map(|t| terms.as_symbol(t)).collect();
            for (free, symbols) in free.iter_mut().zip(&used) {
                *free &= symbols.iter().all(|symbol| !bound.contains(symbol));
            }
        }
        free
    }

    /// The values of the literals in some model.
    fn assignment(&mut self, extra: &[i32]) -> Result<Option<Vec<bool>>, Stopped> {
        let query = Query { assumptions: self.assumptions, extra, watched: self.literals, conflicts: None };
        if self.solver.query(self.terms, query)? != Some(Answer::Sat) {
            return Ok(None);
        }
        let mut view = View::new(&mut self.solver.sat, &self.solver.blaster);
        let bits = self.literals.iter().map(|&t| view.blaster.bits(self.terms, t)[0]);
        Ok(Some(bits.collect::<Vec<_>>().into_iter().map(|bit| view.lit(bit)).collect()))
    }

    /// Reports an assignment and excludes it.
    fn report(
        &mut self,
        assignment: &[bool],
        varying: &[usize],
        free: &[bool],
        active: i32,
        each: &mut dyn FnMut(&[Option<bool>]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut clause = vec![-active];
        for &i in varying {
            clause.push(if assignment[i] { -self.wanted[i] } else { self.wanted[i] });
        }
        self.solver.sat.clause(&clause);
        let cube: Vec<Option<bool>> =
            assignment.iter().zip(free).map(|(&value, free)| (!free).then_some(value)).collect();
        each(&cube)
    }
}
