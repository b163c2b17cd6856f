//! Predicates from one infeasible path: Craig interpolants at the block boundaries.
//!
//! The complete fallback where weakest preconditions lose a condition to a choice. Each block of the path is a group of
//! conditions over its own copy of what it reads, which tell what the next block starts with; neighbours share only
//! the copies of what is still read. Interpolants of the groups are over these, and their atoms are the predicates.
//!
//! What is read is a variable, or an element of memory at an index that does not depend on later choices. Elements are
//! taken for unrelated to each other, so a path that is infeasible only because two indices are equal may be missed.

use super::path::PathStep;
use robusto_analyses::symbolic::{Encoder, PathFormula};
use robusto_limits::{Limits, Stopped};
use robusto_logic::craig::{Error, sequence};
use robusto_logic::{Node, Sort, Substitution, Term};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// For each boundary between blocks the predicates there, if there are any. The path is infeasible.
pub fn predicates(
    encoder: &mut Encoder<'_>,
    steps: &[PathStep],
    boundaries: usize,
    limits: &Limits,
) -> Result<Vec<Vec<Term>>, Stopped> {
    let blocks = blocks(encoder, steps, boundaries + 1)?;
    let found = interpolants(encoder, &blocks.iter().collect::<Vec<_>>(), limits)?;
    let atoms = |interpolants: Vec<Term>| interpolants.into_iter().map(|t| encoder.terms.atoms(t)).collect();
    Ok(found.map_or_else(|| vec![Vec::new(); boundaries], atoms))
}

/// For each boundary between blocks that have no execution together an interpolant: what holds before it implies that, with the
/// block behind it that implies the next one, and the last block contradicts the last one. `None` if that is not found.
pub fn interpolants(
    encoder: &mut Encoder<'_>,
    blocks: &[&PathFormula],
    limits: &Limits,
) -> Result<Option<Vec<Term>>, Stopped> {
    // What is read from the start of each block on, and its value at the end of the block before.
    let mut read: Vec<BTreeSet<Term>> = vec![BTreeSet::new(); blocks.len() + 1];
    let mut values: Vec<Vec<(Term, Term)>> = vec![Vec::new(); blocks.len()];
    for (i, block) in blocks.iter().enumerate().rev() {
        values[i] = read[i + 1].iter().map(|&t| (t, encoder.apply(block, t))).collect();
        let roots: Vec<Term> = values[i].iter().map(|&(_, value)| value).chain([block.guard]).collect();
        read[i] = reads(encoder, &roots);
    }
    let mut copies: Vec<Substitution> = Vec::with_capacity(blocks.len());
    let mut groups = Vec::with_capacity(blocks.len());
    for (i, block) in blocks.iter().enumerate() {
        let mut map = copies_of(encoder, &read[i], i);
        let guard = encoder.terms.substitute(block.guard, &mut map);
        let mut group = rename_choices(encoder, guard, i);
        let mut next = copies_of(encoder, &read[i + 1], i + 1);
        for &(t, value) in &values[i] {
            let value = encoder.terms.substitute(value, &mut map);
            let value = rename_choices(encoder, value, i);
            let copy = encoder.terms.substitute(t, &mut next);
            let same = encoder.terms.eq(copy, value);
            group = encoder.terms.and(group, same);
        }
        copies.push(map);
        groups.push(group);
    }
    let found = match sequence(&mut encoder.terms, &groups, limits) {
        Ok(Some(interpolants)) => interpolants,
        Ok(None) | Err(Error::Uninterpreted) => return Ok(None),
        Err(Error::Stopped(stopped)) => return Err(stopped),
    };
    let mut here = Vec::with_capacity(blocks.len() - 1);
    for (i, interpolant) in found.into_iter().enumerate().take(blocks.len() - 1) {
        let mut back = Substitution::new();
        for &t in &read[i + 1] {
            let copy = encoder.terms.substitute(t, &mut copies[i + 1]);
            back.insert(copy, t);
        }
        here.push(encoder.terms.substitute(interpolant, &mut back));
    }
    Ok(Some(here))
}

/// The variables and the elements of memory that terms depend on.
fn reads(encoder: &Encoder<'_>, roots: &[Term]) -> BTreeSet<Term> {
    let terms = &encoder.terms;
    let is_input = |t: Term| terms.as_symbol(t).is_some_and(|s| encoder.cell_of(s).is_some());
    let mut found = BTreeSet::new();
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut stack = roots.to_vec();
    while let Some(t) = stack.pop() {
        if !seen.insert(t) {
            continue;
        }
        let whole = match terms.node(t) {
            Node::Select(array, index) => is_input(array) && !encoder.has_choices(index),
            Node::Symbol(_) => is_input(t) && matches!(terms.sort(t), Sort::Bits(_)),
            _ => false,
        };
        if whole {
            found.insert(t);
        } else {
            stack.extend_from_slice(&terms.node(t).operands());
        }
    }
    found
}

/// The variables that stand for what is read at the start of block `i`.
fn copies_of(encoder: &mut Encoder<'_>, read: &BTreeSet<Term>, i: usize) -> Substitution {
    let mut map = Substitution::new();
    for &t in read {
        let sort = encoder.terms.sort(t);
        let copy = encoder.terms.symbol(&format!("read!{}@{i}", t.index()), sort);
        map.insert(t, copy);
    }
    map
}

fn rename_choices(encoder: &mut Encoder<'_>, t: Term, i: usize) -> Term {
    encoder.place(&imbl::OrdMap::new(), t, i as u32)
}

/// The steps of each block as one formula.
fn blocks(encoder: &mut Encoder<'_>, steps: &[PathStep], count: usize) -> Result<Vec<PathFormula>, Stopped> {
    let mut at = encoder.initial();
    let mut blocks = Vec::with_capacity(count);
    for i in 0..count {
        for step in steps.iter().filter(|s| s.block == i) {
            match encoder.step(&at, step.step)? {
                Some(next) => at = next,
                None => at.guard = encoder.terms.no(),
            }
        }
        let next = encoder.identity(&at);
        blocks.push(std::mem::replace(&mut at, next));
    }
    Ok(blocks)
}
