//! Predicates that refute a path: sliced weakest preconditions, in the scopes of the procedures.
//!
//! The atoms of the preconditions at the end of a block speak of the activations that are there. Those of the procedure on
//! top, of globals and memory are predicates of its scope. A variable of its caller has not changed since the call; where
//! an argument determines it, it is written as that parameter's value at the entry. Atoms that name another
//! activation are dropped.
//!
//! Where that finds nothing new, interpolants are tried: those between the blocks of the path, and for each call that
//! returned, one with the callee's part on one side, whose atoms are predicates of its exit.

use super::path::{Boundary, Path};
use super::precision::Precision;
use crate::cegar::{craig, wp};
use crate::procedures::{CutId, Procedures};
use robusto_analyses::symbolic::{Cell, Encoder};
use robusto_cpa::Step;
use robusto_limits::{Limits, Stopped};
use robusto_logic::{BinaryOp, Node, Solver, Substitution, Term};
use rustc_hash::FxHashMap;

/// What is refined.
pub struct Refinement<'a, 'f> {
    /// The terms.
    pub encoder: &'a mut Encoder<'f>,
    /// The procedures.
    pub procedures: &'a Procedures<'f>,
    /// The predicates.
    pub precision: &'a mut Precision,
    /// What may be spent.
    pub limits: &'a Limits,
}

impl Refinement<'_, '_> {
    /// Adds predicates that refute an infeasible path; whether any is new.
    pub fn refine(&mut self, path: &Path) -> Result<bool, Stopped> {
        let fresh = Solver::new(self.limits);
        let found = wp::predicates(self.encoder, fresh, &path.steps, path.boundaries.len())?.unwrap_or_default();
        if self.add(path, found)? {
            return Ok(true);
        }
        let found = craig::predicates(self.encoder, &path.steps, path.boundaries.len(), self.limits)?;
        let mut progress = self.add(path, found)?;
        progress |= self.summaries(path)?;
        Ok(progress)
    }

    /// Adds the predicates found at the boundaries.
    fn add(&mut self, path: &Path, found: Vec<Vec<Term>>) -> Result<bool, Stopped> {
        let mut progress = false;
        let callers = self.callers(path)?;
        for ((boundary, atoms), caller) in path.boundaries.iter().zip(found).zip(&callers) {
            for atom in atoms {
                progress |= self.add_at(boundary, caller, atom);
            }
        }
        Ok(progress)
    }

    fn add_at(&mut self, boundary: &Boundary, caller: &FxHashMap<Cell, Term>, atom: Term) -> bool {
        let (Some(cut), Some(&(number, _))) = (boundary.cut, boundary.stack.last()) else { return false };
        let Some(term) = self.own(boundary, caller, atom) else { return false };
        let Self { encoder, procedures, precision, .. } = self;
        match cut {
            CutId::ENTRY => precision.add_entry(encoder, procedures, number, term),
            CutId::EXIT => precision.add_exit(encoder, procedures, number, term),
            cut => precision.add_local(encoder, procedures, (number, cut), term),
        }
    }

    /// The number of the youngest activation of a procedure.
    fn activation(&self, stack: &[(usize, Option<usize>)], number: usize) -> u32 {
        let function = self.procedures.list[number].function;
        if !self.encoder.facts().calls.is_recursive(function) {
            return 0;
        }
        stack.iter().filter(|(other, _)| *other == number).count() as u32 - 1
    }

    /// A term about all activations as one about the procedure on top.
    fn own(&mut self, boundary: &Boundary, caller: &FxHashMap<Cell, Term>, term: Term) -> Option<Term> {
        let &(number, _) = boundary.stack.last()?;
        let function = self.procedures.list[number].function;
        let activation = self.activation(&boundary.stack, number);
        let mut map = Substitution::new();
        for symbol in self.encoder.terms.symbols(term) {
            let cell = self.encoder.cell_of(symbol)?;
            let Cell::Var(var, of) = cell else { continue };
            let owner = self.encoder.facts().program.vars[var].kind.owner();
            let kept = owner.is_some_and(|owner| self.procedures.number(owner).is_some());
            let value = if owner == Some(function) && of == activation {
                self.encoder.input(Cell::Var(var, 0))
            } else if kept {
                *caller.get(&cell)?
            } else {
                continue;
            };
            map.insert_symbol(&self.encoder.terms, symbol, value);
        }
        Some(self.encoder.terms.substitute(term, &mut map))
    }

    /// For each boundary, the caller's variables that the arguments of the procedure on top determine, as terms over its
    /// values at the entry.
    fn callers(&mut self, path: &Path) -> Result<Vec<FxHashMap<Cell, Term>>, Stopped> {
        let mut stack: Vec<FxHashMap<Cell, Term>> = vec![FxHashMap::default()];
        let mut at = self.encoder.initial();
        let mut all = Vec::with_capacity(path.boundaries.len());
        let mut steps = path.steps.iter().peekable();
        for block in 0..path.boundaries.len() {
            while let Some(step) = steps.next_if(|step| step.block == block) {
                let start = self.encoder.identity(&at);
                let Some(next) = self.encoder.step(&start, step.step)? else {
                    // The path ends here; what is behind needs no predicates.
                    all.resize(path.boundaries.len(), FxHashMap::default());
                    return Ok(all);
                };
                match step.step {
                    Step::Enter { callee, .. } if self.procedures.number(callee).is_some() => {
                        stack.push(self.determined(&next, callee));
                    }
                    Step::Leave { callee, .. } if self.procedures.number(callee).is_some() => {
                        stack.pop();
                    }
                    _ => {}
                }
                at = next;
            }
            all.push(stack.last().cloned().unwrap_or_default());
        }
        Ok(all)
    }

    /// The variables that the arguments of a function that has been entered determine.
    fn determined(
        &mut self,
        entered: &robusto_analyses::symbolic::PathFormula,
        callee: robusto_cfa::ir::FuncId,
    ) -> FxHashMap<Cell, Term> {
        let facts = self.encoder.facts();
        let count = entered.activations.get(&callee).map_or(0, |count| count.saturating_sub(1));
        let mut found = FxHashMap::default();
        for &param in &facts.program.functions[callee].params {
            let Some(&value) = entered.env.get(&Cell::Var(param, count)) else { continue };
            let old = self.encoder.old(Cell::Var(param, 0));
            let terms = &mut self.encoder.terms;
            let (symbol, value) = match terms.node(value) {
                Node::Symbol(symbol) => (symbol, old),
                Node::Binary(BinaryOp::Add, a, b) => {
                    let (variable, constant) = if terms.as_const(a).is_some() { (b, a) } else { (a, b) };
                    match (terms.as_symbol(variable), terms.as_const(constant)) {
                        (Some(symbol), Some(_)) => (symbol, terms.sub(old, constant)),
                        _ => continue,
                    }
                }
                _ => continue,
            };
            if let Some(cell) = self.encoder.cell_of(symbol) {
                found.entry(cell).or_insert(value);
            }
        }
        found
    }
}
