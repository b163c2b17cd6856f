//! Predicates at the exit of a procedure from an infeasible path: an interpolant with the callee's part on one side.
//!
//! *A* is the path from the callee's entry to its exit, *B* all the rest: how it is entered, and what comes behind. They share
//! the values at the entry and those at the exit, and so does the interpolant: its atoms relate the two. Arrays
//! are not interpolated; a call that reads or leaves some gives nothing.

use super::path::Path;
use super::refine::Refinement;
use robusto_analyses::symbolic::{Cell, PathFormula};
use robusto_cfa::ir::FuncId;
use robusto_cpa::Step;
use robusto_limits::Stopped;
use robusto_logic::craig::{Error, sequence};
use robusto_logic::{Sort, Substitution, Term};
use std::collections::BTreeSet;

/// Instances of the choices of the callee's part and of what comes behind.
const INSIDE: u32 = 1;
const BEHIND: u32 = 2;

impl Refinement<'_, '_> {
    /// Adds predicates at the exits of the calls that returned; whether any is new.
    pub(super) fn summaries(&mut self, path: &Path) -> Result<bool, Stopped> {
        let mut progress = false;
        let mut open: Vec<(usize, FuncId)> = Vec::new();
        for (i, step) in path.steps.iter().enumerate() {
            match step.step {
                Step::Enter { callee, .. } if self.procedures.number(callee).is_some() => open.push((i, callee)),
                Step::Leave { callee, .. } if self.procedures.number(callee).is_some() => {
                    let Some((entered, _)) = open.pop() else { break };
                    progress |= self.summary(path, entered, i, callee)?;
                }
                _ => {}
            }
        }
        Ok(progress)
    }

    /// Predicates for the call that is entered with one step and left with another.
    fn summary(&mut self, path: &Path, entered: usize, left: usize, callee: FuncId) -> Result<bool, Stopped> {
        let start = self.encoder.initial();
        let Some(before) = self.along(path, &start, 0..entered + 1)? else { return Ok(false) };
        let start = self.encoder.identity(&before);
        let Some(inside) = self.along(path, &start, entered + 1..left)? else { return Ok(false) };
        let start = self.encoder.identity(&inside);
        let Some(behind) = self.along(path, &start, left..path.steps.len())? else { return Ok(false) };
        let activation = before.activations.get(&callee).map_or(0, |count| count.saturating_sub(1));
        // What the rest reads of what the callee leaves, and what the callee reads.
        let mut left: BTreeSet<Cell> = self.cells(&[behind.guard]);
        left.retain(|cell| inside.env.contains_key(cell));
        let values: Vec<Term> = left.iter().map(|cell| inside.env[cell]).chain([inside.guard]).collect();
        let read = self.cells(&values);
        let encoder = &mut *self.encoder;
        if left.iter().chain(&read).any(|&cell| !matches!(encoder.sort(cell), Sort::Bits(_))) {
            return Ok(false);
        }
        let mut at_entry = imbl::OrdMap::new();
        let (mut a, mut b) = (Vec::new(), vec![before.guard]);
        for &cell in &read {
            let copy = copy(encoder, cell, "entry");
            let value = encoder.value(&before, cell);
            b.push(encoder.terms.eq(copy, value));
            at_entry.insert(cell, copy);
        }
        a.push(encoder.place(&at_entry, inside.guard, INSIDE));
        let mut at_exit = before.env.clone();
        for &cell in &left {
            let copy = copy(encoder, cell, "exit");
            let value = encoder.place(&at_entry, inside.env[&cell], INSIDE);
            a.push(encoder.terms.eq(copy, value));
            at_exit.insert(cell, copy);
        }
        b.push(encoder.place(&at_exit, behind.guard, BEHIND));
        let groups = [encoder.terms.and_all(&a), encoder.terms.and_all(&b)];
        let interpolant = match sequence(&mut encoder.terms, &groups, self.limits) {
            Ok(Some(interpolants)) => interpolants.first().copied(),
            Ok(None) | Err(Error::Uninterpreted) => None,
            Err(Error::Stopped(stopped)) => return Err(stopped),
        };
        let Some(interpolant) = interpolant else { return Ok(false) };
        let first = |cell: Cell| match cell {
            Cell::Var(var, of) if of == activation => Cell::Var(var, 0),
            cell => cell,
        };
        let mut back = Substitution::new();
        for (&cell, &copy) in &at_entry {
            back.insert(copy, encoder.old(first(cell)));
        }
        for &cell in &left {
            back.insert(at_exit[&cell], encoder.input(first(cell)));
        }
        let relation = encoder.terms.substitute(interpolant, &mut back);
        let number = self.procedures.number(callee).expect("a kept function");
        let mut progress = false;
        for atom in self.encoder.terms.atoms(relation) {
            progress |= self.precision.add_exit(self.encoder, self.procedures, number, atom);
        }
        Ok(progress)
    }

    /// The formula of some steps; `None` if they cannot be taken at all.
    fn along(
        &mut self,
        path: &Path,
        start: &PathFormula,
        range: std::ops::Range<usize>,
    ) -> Result<Option<PathFormula>, Stopped> {
        let mut at = start.clone();
        for step in &path.steps[range] {
            let Some(next) = self.encoder.step(&at, step.step)? else { return Ok(None) };
            at = next;
        }
        Ok(Some(at))
    }

    /// The cells whose inputs terms depend on.
    fn cells(&self, terms: &[Term]) -> BTreeSet<Cell> {
        let all = terms.iter().flat_map(|&t| self.encoder.terms.symbols(t));
        all.filter_map(|symbol| self.encoder.cell_of(symbol)).collect()
    }
}

/// A symbol for a cell's value at the callee's entry or exit.
fn copy(encoder: &mut robusto_analyses::symbolic::Encoder<'_>, cell: Cell, place: &str) -> Term {
    let input = encoder.input(cell);
    let sort = encoder.terms.sort(input);
    let name = format!("{} at {place}", encoder.terms.display(input));
    encoder.terms.symbol(&name, sort)
}
