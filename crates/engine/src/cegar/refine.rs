//! Refutes an abstract error path, or finds the execution that it stands for.
//!
//! 1. The blocks are composed. If the result is satisfiable, a model names an execution.
//! 2. Otherwise predicates are added until the path is infeasible in the abstraction as well: the blocks, each with its own
//!    copy of the variables, are linked by nothing but the predicates at their boundaries, where also the invariants of
//!    other analyses hold. A model of that names a concrete path which the predicates do not refute yet; the predicates
//!    of its own refutation ([`super::wp`]) are added.
//!
//! Each round refutes at least the path chosen, of which there are finitely many. Where weakest preconditions give
//! nothing new, Craig interpolants of the path are tried; if these give nothing new either, there is no progress, which
//! is an internal error.

use super::path::{self, Frames, PathBlock, PathStep};
use super::samples::Samples;
use super::siblings::Siblings;
use super::{craig, wp};
use robusto_analyses::predicate::{Abe, AbstractionKind, State};
use robusto_analyses::symbolic::Encoder;
use robusto_cfa::facts::Facts;
use robusto_cpa::Arg;
use robusto_cpa::control::Location;
use robusto_limits::{Limits, Stopped};
use robusto_logic::{Answer, Term};

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
    limits: &Limits,
) -> Result<Refined, Stopped> {
    let (mut frames, whole) = Frames::compose(abe.encoder_mut(), blocks);
    let mut solver = abe.fresh_solver();
    if solver.check(&mut abe.encoder_mut().terms, &[whole.guard])? == Answer::Sat {
        let model = solver.model(&abe.encoder().terms);
        let steps = path::concrete(abe, arg, blocks, &mut frames, &model);
        return Ok(steps.map_or(Refined::NoProgress, Refined::Feasible));
    }
    let boundaries = blocks.len() - 1;
    let mut found: Vec<Vec<Term>> = vec![Vec::new(); boundaries];
    let mut frames = Frames::separate(blocks);
    let encoder = abe.encoder_mut();
    let mut question: Vec<Term> =
        blocks.iter().enumerate().map(|(i, b)| frames.place(encoder, i, b.formula.guard)).collect();
    question.extend((0..boundaries).map(|i| frames.place(encoder, i + 1, blocks[i].invariant)));
    let mut linked = vec![0; boundaries];
    for _ in 0..ROUNDS {
        limits.poll()?;
        for (i, linked) in linked.iter_mut().enumerate() {
            let known = known(abe, &found[i], blocks[i].location);
            question.extend(links(abe.encoder_mut(), &mut frames, blocks, i, &known[*linked..]));
            *linked = known.len();
        }
        if solver.check(&mut abe.encoder_mut().terms, &question)? == Answer::Unsat {
            // Where predicates were added since, perhaps for other paths, the abstraction can be better now.
            let outdated = |i: &usize| abe.predicates_at(blocks[*i].location).len() > blocks[*i].predicates;
            let pivot = (0..boundaries).find(outdated);
            return Ok(match (pivot, abe.kind()) {
                (Some(pivot), _) => Refined::Infeasible { pivot, predicates: found },
                (None, AbstractionKind::Impact) => Refined::Infeasible { pivot: 0, predicates: found },
                (None, AbstractionKind::Boolean | AbstractionKind::Cartesian) => Refined::NoProgress,
            });
        }
        let model = solver.model(&abe.encoder().terms);
        let Some(steps) = path::concrete(abe, arg, blocks, &mut frames, &model) else {
            return Ok(Refined::NoProgress);
        };
        let fresh = abe.fresh_solver();
        let predicates = wp::predicates(abe.encoder_mut(), fresh, &steps, boundaries)?;
        let hints = hints.get_or_insert_with(|| Hints::of(abe.encoder().facts()));
        let mut progress = add(abe, hints, blocks, predicates, &mut found);
        if !progress {
            let interpolants = craig::predicates(abe.encoder_mut(), &steps, boundaries, limits)?;
            progress = add(abe, hints, blocks, interpolants, &mut found);
        }
        if !progress {
            return Ok(Refined::NoProgress);
        }
    }
    Ok(Refined::NoProgress)
}

/// The predicates that link a boundary: for IMPACT those found for this path, which its labels will be made of; for the
/// others the precision, which a state is abstracted with.
fn known(abe: &mut Abe<'_>, found: &[Term], at: Location) -> Vec<Term> {
    match abe.kind() {
        AbstractionKind::Impact => found.to_vec(),
        AbstractionKind::Boolean | AbstractionKind::Cartesian => abe.predicates_at(at),
    }
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
        let first = !here.is_empty() && abe.precision().at(blocks[i].location).is_empty();
        let seeds = if first { hints.samples.predicates(abe.encoder_mut(), blocks[i].location) } else { Vec::new() };
        let here = here.into_iter().chain(seeds);
        let here: Vec<Term> = if by_path {
            here.collect()
        } else {
            here.flat_map(|p| hints.siblings.with(abe.encoder_mut(), p)).collect()
        };
        for predicate in here {
            let new_here = !found[i].contains(&predicate);
            if new_here {
                found[i].push(predicate);
            }
            let new = abe.track(blocks[i].location, predicate);
            progress |= if by_path { new_here } else { new };
        }
    }
    progress
}

/// Predicates at the end of block `i` have the same value there and at the start of the next block.
fn links(
    encoder: &mut Encoder<'_>,
    frames: &mut Frames,
    blocks: &[PathBlock],
    i: usize,
    predicates: &[Term],
) -> Vec<Term> {
    let link = |&predicate: &Term| {
        let end = encoder.apply(&blocks[i].formula, predicate);
        let end = frames.place(encoder, i, end);
        let start = frames.place(encoder, i + 1, predicate);
        encoder.terms.eq(end, start)
    };
    predicates.iter().map(link).collect()
}
