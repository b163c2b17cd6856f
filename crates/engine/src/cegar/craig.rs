//! Predicates from one infeasible path: Craig interpolants at the block boundaries.
//!
//! The complete fallback where weakest preconditions lose a condition to a choice. Each block of the path is a group of
//! conditions over its own copy of the variables, which tell what the next block starts with; neighbours share the
//! copies of the variables that are still read. Interpolants of the groups are over these, and their atoms are the
//! predicates.
//!
//! Memory that is an array has no copy: it is cut off at the boundaries, so paths that are infeasible because of it are
//! left to the caller.

use super::path::{self, PathStep};
use imbl::OrdMap;
use robusto_analyses::predicate::Abe;
use robusto_analyses::symbolic::{Cell, PathFormula};
use robusto_cpa::Stopped;
use robusto_logic::craig::{Error, sequence};
use robusto_logic::{Sort, Substitution, Term};
use std::collections::BTreeSet;

/// For each boundary between blocks the predicates there, if there are any. The path is infeasible.
pub fn predicates(abe: &mut Abe<'_>, steps: &[PathStep], boundaries: usize) -> Result<Vec<Vec<Term>>, Stopped> {
    let nothing = vec![Vec::new(); boundaries];
    let blocks = blocks(abe, steps, boundaries + 1)?;
    // The cells that each block and its successors read.
    let mut read: Vec<BTreeSet<Cell>> = vec![BTreeSet::new(); blocks.len() + 1];
    for (i, block) in blocks.iter().enumerate().rev() {
        let wanted: Vec<Term> = read[i + 1].iter().filter_map(|cell| block.env.get(cell).copied()).collect();
        let kept = read[i + 1].iter().filter(|&cell| !block.env.contains_key(cell)).copied();
        let mut here: BTreeSet<Cell> = kept.collect();
        for term in wanted.into_iter().chain([block.guard]) {
            here.extend(abe.encoder.terms.symbols(term).into_iter().filter_map(|s| abe.encoder.cell_of(s)));
        }
        read[i] = here;
    }
    let groups: Vec<Term> = (0..blocks.len())
        .map(|i| {
            let inputs: OrdMap<Cell, Term> = read[i].iter().map(|&cell| (cell, path::copy(abe, cell, i))).collect();
            let mut group = abe.encoder.place(&inputs, blocks[i].guard, i as u32);
            for &cell in &read[i + 1] {
                if matches!(abe.encoder.sort(cell), Sort::Bits(_)) {
                    let value = abe.encoder.value(&blocks[i], cell);
                    let value = abe.encoder.place(&inputs, value, i as u32);
                    let next = path::copy(abe, cell, i + 1);
                    let same = abe.encoder.terms.eq(next, value);
                    group = abe.encoder.terms.and(group, same);
                }
            }
            group
        })
        .collect();
    let stop = abe.stopper();
    let interpolants = match sequence(&mut abe.encoder.terms, &groups, stop) {
        Ok(Some(interpolants)) => interpolants,
        Ok(None) | Err(Error::Uninterpreted) => return Ok(nothing),
        Err(Error::Cancelled(_)) => return Err(abe.stopped()),
    };
    let mut found = nothing;
    for (i, interpolant) in interpolants.into_iter().enumerate().take(boundaries) {
        let mut back = Substitution::new();
        for &cell in &read[i + 1] {
            let (copy, input) = (path::copy(abe, cell, i + 1), abe.encoder.input(cell));
            back.insert(copy, input);
        }
        let here = abe.encoder.terms.substitute(interpolant, &mut back);
        found[i] = abe.encoder.terms.atoms(here);
    }
    Ok(found)
}

/// The steps of each block as one formula.
fn blocks(abe: &mut Abe<'_>, steps: &[PathStep], count: usize) -> Result<Vec<PathFormula>, Stopped> {
    let mut at = abe.encoder.initial();
    let mut blocks = Vec::with_capacity(count);
    for i in 0..count {
        for step in steps.iter().filter(|s| s.block == i) {
            match abe.encoder.step(&at, step.step)? {
                Some(next) => at = next,
                None => at.guard = abe.encoder.terms.no(),
            }
        }
        let next = abe.encoder.identity(&at);
        blocks.push(std::mem::replace(&mut at, next));
    }
    Ok(blocks)
}
