//! Refutes an abstract error path block by block, where one question about all of it is too hard.
//!
//! 1. Forwards, the path is abstracted with the predicates known now: I₀ = true, I₍ᵢ₊₁₎ = (Iᵢ ∧ φᵢ)^πᵢ. If that ends in false,
//!    the predicates refute it. These abstractions are what the exploration asks for next, and are then known.
//! 2. Backwards, a model of Iᵢ ∧ φᵢ that ends with the predicates' values of the model behind it is found for each block. As
//!    Iᵢ₊₁ is the strongest combination of predicates, there is one. The models name a concrete path that the predicates do not
//!    refute.
//! 3. If that path is an execution, it is the error. Otherwise its refutation gives new predicates; where these do not suffice, all
//!    values of the variables with few values are tracked.
//!
//! Each question is about one block: an unrolling of twenty loop bodies of a state machine with some hundred branches
//! keeps the SAT solver busy for minutes, twenty questions about one body take a tenth of a second.

use super::path::{self, PathBlock, PathStep};
use super::refine::{self, Hints, ROUNDS, Refined};
use robusto_analyses::predicate::{Abe, Product, State};
use robusto_cpa::Arg;
use robusto_limits::{Limits, Stopped};
use robusto_logic::{Model, Term};

/// Rounds before the values of all variables with few values are tracked that the conditions behind a boundary speak of. A hard
/// path goes through conditions about most of them, and each round that finds a few abstracts all blocks anew; with all values,
/// abstractions are smaller sets. (RERS 2012 with 1 and 4 rounds: `Problem04_label04` 2.2 s and 4.5 s, `Problem05_label04` 2.8 s and
/// 5.8 s, `Problem06_label00` 6.4 s and 5.2 s; without, the last was stopped after 60 s with 49 of the 55 predicates.)
const LAZY: usize = 1;

/// Analyses an abstract error path, and adds predicates to the precision if it is infeasible; `found` has those found for it so
/// far.
pub fn refine(
    abe: &mut Abe<'_>,
    hints: &mut Hints,
    arg: &Arg<State>,
    blocks: &[PathBlock],
    mut found: Vec<Vec<Term>>,
    limits: &Limits,
) -> Result<Refined, Stopped> {
    for round in 0..ROUNDS {
        limits.poll()?;
        if hints.values || round == LAZY {
            hints.values = true;
            refine::learn_values(abe, hints, blocks, &mut found);
        }
        let Some(labels) = forwards(abe, blocks, &found)? else {
            return Ok(refine::refuted(abe, blocks, found));
        };
        let Some(steps) = backwards(abe, arg, blocks, &labels, &found)? else { return Ok(Refined::NoProgress) };
        match refine::learn(abe, hints, blocks, &steps, &mut found, limits)? {
            Some(true) => {}
            Some(false) => return Ok(Refined::NoProgress),
            None => return Ok(Refined::Feasible(steps)),
        }
    }
    Ok(Refined::NoProgress)
}

/// The abstractions at the start of each block; `None` if the path is refuted.
fn forwards(abe: &mut Abe<'_>, blocks: &[PathBlock], found: &[Vec<Term>]) -> Result<Option<Vec<Product>>, Stopped> {
    let mut labels = vec![Product::top()];
    let mut known = abe.encoder().terms.yes();
    for (i, block) in blocks.iter().enumerate() {
        let predicates = match found.get(i) {
            Some(found) => refine::known(abe, found, block.location),
            None => Vec::new(),
        };
        let label = abe.abstraction_over(&labels[i], known, &block.formula, &predicates)?;
        let Some(label) = label else { return Ok(None) };
        labels.push(label);
        known = block.invariant;
    }
    Ok(Some(labels))
}

/// A concrete path through the abstractions.
fn backwards(
    abe: &mut Abe<'_>,
    arg: &Arg<State>,
    blocks: &[PathBlock],
    labels: &[Product],
    found: &[Vec<Term>],
) -> Result<Option<Vec<PathStep>>, Stopped> {
    let mut models: Vec<Model> = Vec::with_capacity(blocks.len());
    for (i, block) in blocks.iter().enumerate().rev() {
        let mut conditions = vec![abe.term_of(&labels[i]), block.formula.guard];
        if i > 0 {
            conditions.push(blocks[i - 1].invariant);
        }
        if let (Some(found), Some(behind)) = (found.get(i), models.last()) {
            for predicate in refine::known(abe, found, block.location) {
                let holds = abe.encoder().terms.evaluate(predicate, behind) == 1;
                let encoder = abe.encoder_mut();
                let end = encoder.apply(&block.formula, predicate);
                conditions.push(if holds { end } else { encoder.terms.not(end) });
            }
        }
        let Some(model) = abe.solve(&conditions)? else { return Ok(None) };
        models.push(model);
    }
    models.reverse();
    Ok(path::through_models(abe, arg, blocks, &models))
}
