//! Refutes an abstract error path, or finds the execution that it stands for.
//!
//! 1. The blocks are composed. If the result is satisfiable, a model names an execution.
//! 2. Otherwise predicates are added until the path is infeasible in the abstraction as well. As long as it is feasible
//!    there, models of the blocks that agree on the predicates at the boundaries name a concrete path which these do
//!    not refute yet; the predicates of its own refutation ([`super::wp`]) are added. The invariants of other analyses hold
//!    at the boundaries too.
//!
//! The abstractions of the path, I₀ = true, I₍ᵢ₊₁₎ = (Iᵢ ∧ φᵢ)^πᵢ, are those that the exploration asks for next, so computing them
//! costs nothing in the end; and each question is about one block that the solver knows already. (One question about all
//! blocks in a solver of its own: `diskperf_simpl1` took four times as long.)
//!
//! Each round refutes at least the path chosen, of which there are finitely many. Where weakest preconditions give
//! nothing new, Craig interpolants of the path are tried; if these give nothing new either, there is no progress, which
//! is an internal error.

use super::path::{self, PathBlock, PathStep, Valuation};
use super::samples::Samples;
use super::siblings::Siblings;
use super::wp;
use robusto_analyses::facts::Facts;
use robusto_analyses::predicate::{Abe, AbstractionKind, State};
use robusto_cpa::{Arg, Stopped};
use robusto_diagram::{Bdd, VarIndex};
use robusto_logic::{Answer, Model, Solver, Term};

/// What became of an abstract error path.
#[derive(Debug)]
pub enum Refined {
    /// It has an execution.
    Feasible(Vec<PathStep>),
    /// It has none.
    Infeasible {
        /// The first boundary that was abstracted with fewer predicates than are known there now.
        pivot: usize,
        /// For each boundary the predicates found for this path.
        predicates: Vec<Vec<Term>>,
    },
    /// It has none, but no predicates tell so.
    NoProgress,
}

/// What gives predicates besides the refutations.
#[derive(Debug)]
pub struct Hints {
    samples: Samples,
    siblings: Siblings,
}

impl Hints {
    /// Looks at a program.
    pub fn of(facts: &Facts) -> Self {
        Self { samples: Samples::of(facts), siblings: Siblings::of(facts) }
    }
}

/// Rounds of step 2 that are tried. Each removes one path; most error paths need fewer than ten.
const ROUNDS: usize = 2000;

/// Analyses an abstract error path, and adds predicates to the precision if it is infeasible.
pub fn refine(
    abe: &mut Abe<'_>,
    hints: &mut Option<Hints>,
    arg: &Arg<State>,
    blocks: &[PathBlock],
) -> Result<Refined, Stopped> {
    let (before, whole) = path::compose(abe, blocks);
    let mut solver = abe.fresh_solver();
    if check(abe, &mut solver, &[whole.guard])? == Answer::Sat {
        let model = solver.model(&abe.encoder.terms);
        let steps = path::concrete(abe, arg, blocks, &Valuation::Execution { before, model });
        return Ok(steps.map_or(Refined::NoProgress, Refined::Feasible));
    }
    let boundaries = blocks.len() - 1;
    let mut found: Vec<Vec<Term>> = vec![Vec::new(); boundaries];
    for _ in 0..ROUNDS {
        abe.poll()?;
        let known: Vec<Vec<VarIndex>> =
            blocks.iter().zip(&found).map(|(block, found)| known(abe, block, found)).collect();
        let Some(abstractions) = abstractions(abe, blocks, &known)? else {
            // Where predicates were added since, perhaps for other paths, the abstraction can be better now.
            let outdated = |i: &usize| abe.precision.at(blocks[*i].location).len() > blocks[*i].predicates;
            let pivot = (0..boundaries).find(outdated);
            return Ok(match (pivot, abe.kind()) {
                (Some(pivot), _) => Refined::Infeasible { pivot, predicates: found },
                (None, AbstractionKind::Impact) => Refined::Infeasible { pivot: 0, predicates: found },
                (None, AbstractionKind::Boolean | AbstractionKind::Cartesian) => Refined::NoProgress,
            });
        };
        let steps = match models(abe, blocks, &known, &abstractions)? {
            Some(models) => path::concrete(abe, arg, blocks, &Valuation::Blocks(models)),
            None => None,
        };
        let Some(steps) = steps else { return Ok(Refined::NoProgress) };
        let predicates = wp::predicates(abe, &steps, boundaries)?;
        let hints = hints.get_or_insert_with(|| Hints::of(abe.facts));
        let mut progress = add(abe, hints, blocks, predicates, &mut found);
        if !progress {
            let interpolants = super::craig::predicates(abe, &steps, boundaries)?;
            progress = add(abe, hints, blocks, interpolants, &mut found);
        }
        if !progress {
            return Ok(Refined::NoProgress);
        }
    }
    Ok(Refined::NoProgress)
}

fn check(abe: &mut Abe<'_>, solver: &mut Solver, question: &[Term]) -> Result<Answer, Stopped> {
    solver.check(&mut abe.encoder.terms, question).map_err(|_| abe.stopped())
}

/// The predicates of a boundary. For IMPACT they are those found for this path, which its labels will be made of; for the
/// others the precision, which a state is abstracted with.
fn known(abe: &Abe<'_>, block: &PathBlock, found: &[Term]) -> Vec<VarIndex> {
    match abe.kind() {
        AbstractionKind::Impact => found.iter().filter_map(|&p| abe.precision.variable(p)).collect(),
        AbstractionKind::Boolean | AbstractionKind::Cartesian => abe.precision.at(block.location).to_vec(),
    }
}

/// The abstractions at the starts of the blocks, by the predicates of the boundaries; `None` if they refute the path.
fn abstractions(
    abe: &mut Abe<'_>,
    blocks: &[PathBlock],
    boundaries: &[Vec<VarIndex>],
) -> Result<Option<Vec<Bdd>>, Stopped> {
    let mut abstractions = vec![abe.top()];
    for (i, block) in blocks.iter().enumerate() {
        let predicates = boundaries.get(i).map_or(&[][..], Vec::as_slice);
        let invariant = invariant_before(abe, blocks, i);
        let kind = AbstractionKind::Boolean;
        match abe.abstraction_over(kind, &abstractions[i], invariant, &block.formula, predicates)? {
            Some(next) => abstractions.push(next),
            None => return Ok(None),
        }
    }
    Ok(Some(abstractions))
}

/// What other analyses know where a block starts.
fn invariant_before(abe: &Abe<'_>, blocks: &[PathBlock], block: usize) -> Term {
    if block == 0 { abe.encoder.terms.yes() } else { blocks[block - 1].invariant }
}

/// Models of the blocks, each of which ends with the values of the predicates that the next one starts with. As the
/// abstractions are exact, each block has one, from the last to the first.
fn models(
    abe: &mut Abe<'_>,
    blocks: &[PathBlock],
    boundaries: &[Vec<VarIndex>],
    abstractions: &[Bdd],
) -> Result<Option<Vec<Model>>, Stopped> {
    let mut models = Vec::with_capacity(blocks.len());
    let mut behind: Vec<Term> = Vec::new();
    for (i, block) in blocks.iter().enumerate().rev() {
        let invariant = invariant_before(abe, blocks, i);
        let mut question = vec![abe.term_of(&abstractions[i]), invariant, block.formula.guard];
        question.extend(behind.iter().map(|&literal| abe.encoder.apply(&block.formula, literal)));
        match abe.solver.check(&mut abe.encoder.terms, &question) {
            Ok(Answer::Sat) => {}
            Ok(Answer::Unsat) => return Ok(None),
            Err(_) => return Err(abe.stopped()),
        }
        let model = abe.solver.model(&abe.encoder.terms);
        let predicates = if i == 0 { &[][..] } else { &boundaries[i - 1] };
        behind = predicates
            .iter()
            .map(|&variable| {
                let predicate = abe.precision.predicate(variable);
                let holds = abe.encoder.terms.evaluate(predicate, &model) == 1;
                if holds { predicate } else { abe.encoder.terms.not(predicate) }
            })
            .collect();
        models.push(model);
    }
    models.reverse();
    Ok(Some(models))
}

/// Adds predicates to the precision; whether any was new.
fn add(
    abe: &mut Abe<'_>,
    hints: &Hints,
    blocks: &[PathBlock],
    predicates: Vec<Vec<Term>>,
    found: &mut [Vec<Term>],
) -> bool {
    let mut progress = false;
    let by_path = abe.kind() == AbstractionKind::Impact;
    for (i, here) in predicates.into_iter().enumerate() {
        // Where the first predicates are needed, those that hold in executions are likely to help.
        let first = !here.is_empty() && abe.precision.at(blocks[i].location).is_empty();
        let seeds = if first { hints.samples.predicates(&mut abe.encoder, blocks[i].location) } else { Vec::new() };
        let here = here.into_iter().chain(seeds);
        let here: Vec<Term> =
            if by_path { here.collect() } else { here.flat_map(|p| hints.siblings.with(abe, p)).collect() };
        for predicate in here {
            let new_here = !found[i].contains(&predicate);
            if new_here {
                found[i].push(predicate);
            }
            let new = abe.precision.add(blocks[i].location, predicate);
            progress |= if by_path { new_here } else { new };
        }
    }
    progress
}
