//! Refutes an abstract error path, or finds the execution that it stands for.
//!
//! 1. The blocks are composed. If the result is satisfiable, a model names an execution.
//! 2. Otherwise predicates are added until the path is infeasible in the abstraction as well: the blocks, each with its own
//!    copy of the variables, are linked by nothing but the predicates at their boundaries. A model of that names a
//!    concrete path which the predicates do not refute yet; the predicates of its own refutation ([`super::wp`]) are added.
//!
//! Each round refutes at least the path chosen, of which there are finitely many. Where weakest preconditions give
//! nothing new, Craig interpolants of the path are tried; if these give nothing new either, there is no progress, which
//! is an internal error.

use super::path::{self, Frames, PathBlock, PathStep};
use super::wp;
use robusto_analyses::predicate::{Abe, State};
use robusto_cpa::{Arg, Stopped};
use robusto_logic::{Answer, Model, Solver, Term};

/// What became of an abstract error path.
#[derive(Debug)]
pub enum Refined {
    /// It has an execution.
    Feasible(Vec<PathStep>, Model),
    /// It has none. For each boundary, the predicates that refute it; those of `new` boundaries were not known there.
    Infeasible {
        /// The first boundary with a new predicate.
        pivot: usize,
        /// For each boundary the predicates found for this path.
        predicates: Vec<Vec<Term>>,
    },
    /// It has none, but no predicates tell so.
    NoProgress,
}

/// Rounds of step 2 that are tried. Each removes one path; most error paths need fewer than ten.
const ROUNDS: usize = 2000;

/// Analyses an abstract error path, and adds predicates to the precision if it is infeasible.
pub fn refine(abe: &mut Abe<'_>, arg: &Arg<State>, blocks: &[PathBlock]) -> Result<Refined, Stopped> {
    let (frames, whole) = Frames::compose(abe, blocks);
    let mut solver = abe.fresh_solver();
    if check(abe, &mut solver, &[whole.guard])? == Answer::Sat {
        let model = solver.model(&abe.encoder.terms);
        let steps = path::concrete(abe, arg, blocks, &frames, &model);
        return Ok(steps.map_or(Refined::NoProgress, |steps| Refined::Feasible(steps, model)));
    }
    let mut found: Vec<Vec<Term>> = vec![Vec::new(); blocks.len() - 1];
    let mut pivot = usize::MAX;
    let guards: Vec<Term> =
        blocks.iter().enumerate().map(|(i, b)| Frames::Separate.place(abe, i, b.formula.guard)).collect();
    for _ in 0..ROUNDS {
        abe.poll()?;
        let mut question = guards.clone();
        for i in 0..blocks.len() - 1 {
            question.extend(links(abe, blocks, i));
        }
        if check(abe, &mut solver, &question)? == Answer::Unsat {
            return Ok(if pivot == usize::MAX { Refined::NoProgress } else { Refined::Infeasible { pivot, predicates: found } });
        }
        let model = solver.model(&abe.encoder.terms);
        let Some(steps) = path::concrete(abe, arg, blocks, &Frames::Separate, &model) else {
            return Ok(Refined::NoProgress);
        };
        let predicates = wp::predicates(abe, &mut solver, &steps, blocks.len() - 1)?;
        let mut progress = add(abe, blocks, predicates, &mut found, &mut pivot);
        if !progress {
            let interpolants = super::craig::predicates(abe, &steps, blocks.len() - 1)?;
            progress = add(abe, blocks, interpolants, &mut found, &mut pivot);
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

/// Adds predicates to the precision; whether any was new.
fn add(
    abe: &mut Abe<'_>,
    blocks: &[PathBlock],
    predicates: Vec<Vec<Term>>,
    found: &mut [Vec<Term>],
    pivot: &mut usize,
) -> bool {
    let mut progress = false;
    for (i, here) in predicates.into_iter().enumerate() {
        for predicate in here {
            if !found[i].contains(&predicate) {
                found[i].push(predicate);
            }
            if abe.precision.add(blocks[i].location, predicate) {
                *pivot = (*pivot).min(i);
                progress = true;
            }
        }
    }
    progress
}

/// The predicates at the end of block `i` have the same value there and at the start of the next block.
fn links(abe: &mut Abe<'_>, blocks: &[PathBlock], i: usize) -> Vec<Term> {
    let predicates: Vec<Term> =
        abe.precision.at(blocks[i].location).iter().map(|&v| abe.precision.predicate(v)).collect();
    predicates
        .into_iter()
        .map(|predicate| {
            let end = abe.encoder.apply(&blocks[i].formula, predicate);
            let end = Frames::Separate.place(abe, i, end);
            let start = Frames::Separate.place(abe, i + 1, predicate);
            abe.encoder.terms.eq(end, start)
        })
        .collect()
}
