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
use super::{craig, stepwise, wp};
use robusto_analyses::predicate::{Abe, AbstractionKind, State};
use robusto_analyses::symbolic::Encoder;
use robusto_cfa::facts::Facts;
use robusto_cpa::Arg;
use robusto_cpa::control::Location;
use robusto_limits::{Limits, Stopped};
use robusto_logic::{Answer, Term};
use rustc_hash::{FxHashMap, FxHashSet};

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

/// Where predicates come from first; where that gives nothing new, the other one is tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Interpolation {
    /// Weakest preconditions of an unsatisfiable core of the path's conditions.
    #[default]
    Wp,
    /// Craig interpolants from the proof of the SAT solver.
    Craig,
}

/// What refinement knows besides the path.
#[derive(Debug)]
pub struct Hints {
    /// Where predicates come from first.
    first: Interpolation,
    /// Candidates, found when the first are needed.
    candidates: Option<(Samples, Siblings)>,
    /// The places that have got candidates from executions. (Shared predicates may be there before the first of their own.)
    seeded: FxHashSet<Location>,
    /// Whether a path was too hard to be asked about as a whole.
    hard: bool,
    /// Whether a hard path needed more rounds than predicates are looked for one by one.
    pub(super) values: bool,
}

impl Hints {
    /// Knows nothing yet.
    pub fn new(first: Interpolation) -> Self {
        Self { first, candidates: None, seeded: FxHashSet::default(), hard: false, values: false }
    }

    /// What gives predicates besides the refutations.
    fn candidates(&mut self, facts: &Facts) -> &(Samples, Siblings) {
        self.candidates.get_or_insert_with(|| (Samples::of(facts), Siblings::of(facts)))
    }
}

/// Rounds of step 2 that are tried. Each removes one path; most error paths need fewer than ten.
pub(super) const ROUNDS: usize = 2000;

/// Conflicts of a question about a whole path; a harder one is asked block by block. (Paths of RERS 2012 `Problem04` take more than
/// the SAT solver finds in a minute, and 20,000 take longer than all questions about their blocks.)
const CONFLICTS: i32 = 1_000;

/// Terms of the guards of a path, each block for itself, that one question is made of. (A block of `Problem04` has 25,000; it takes
/// 2 s to compose and translate three of them.)
const TERMS: usize = 30_000;

/// Whether a path is better not composed.
fn is_long(encoder: &Encoder<'_>, blocks: &[PathBlock]) -> bool {
    let mut sizes: FxHashMap<Term, usize> = FxHashMap::default();
    let size = |block: &PathBlock| {
        let guard = block.formula.guard;
        *sizes.entry(guard).or_insert_with(|| encoder.terms.subterms(&[guard]).len())
    };
    blocks.iter().map(size).sum::<usize>() > TERMS
}

/// Analyses an abstract error path, and adds predicates to the precision if it is infeasible.
pub fn refine(
    abe: &mut Abe<'_>,
    hints: &mut Hints,
    arg: &Arg<State>,
    blocks: &[PathBlock],
    limits: &Limits,
) -> Result<Refined, Stopped> {
    let boundaries = blocks.len() - 1;
    let mut found: Vec<Vec<Term>> = vec![Vec::new(); boundaries];
    if hints.hard || is_long(abe.encoder(), blocks) {
        return stepwise::refine(abe, hints, arg, blocks, found, limits);
    }
    let (mut frames, whole) = Frames::compose(abe.encoder_mut(), blocks);
    let mut solver = abe.fresh_solver();
    match solver.check_within(&mut abe.encoder_mut().terms, &[whole.guard], CONFLICTS)? {
        None => {
            hints.hard = true;
            return stepwise::refine(abe, hints, arg, blocks, found, limits);
        }
        Some(Answer::Unsat) => {}
        Some(Answer::Sat) => {
            let model = solver.model(&abe.encoder().terms);
            let steps = path::concrete(abe, arg, blocks, &mut frames, &model);
            return Ok(steps.map_or(Refined::NoProgress, Refined::Feasible));
        }
    }
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
        match solver.check_within(&mut abe.encoder_mut().terms, &question, CONFLICTS)? {
            None => {
                hints.hard = true;
                return stepwise::refine(abe, hints, arg, blocks, found, limits);
            }
            Some(Answer::Unsat) => return Ok(refuted(abe, blocks, found)),
            Some(Answer::Sat) => {}
        }
        let model = solver.model(&abe.encoder().terms);
        let Some(steps) = path::concrete(abe, arg, blocks, &mut frames, &model) else {
            return Ok(Refined::NoProgress);
        };
        if learn(abe, hints, blocks, &steps, &mut found, limits)? != Some(true) {
            return Ok(Refined::NoProgress);
        }
    }
    Ok(Refined::NoProgress)
}

/// What to do with a path that the predicates refute now.
pub(super) fn refuted(abe: &mut Abe<'_>, blocks: &[PathBlock], found: Vec<Vec<Term>>) -> Refined {
    // Where predicates were added since, perhaps for other paths, the abstraction can be better now.
    let outdated = |i: &usize| abe.predicates_at(blocks[*i].location).len() > blocks[*i].predicates;
    let pivot = (0..blocks.len() - 1).find(outdated);
    match (pivot, abe.kind()) {
        (Some(pivot), _) => Refined::Infeasible { pivot, predicates: found },
        (None, AbstractionKind::Impact) => Refined::Infeasible { pivot: 0, predicates: found },
        (None, AbstractionKind::Boolean | AbstractionKind::Cartesian) => Refined::NoProgress,
    }
}

/// Adds the predicates of the refutation of a concrete path to the precision and to those found for this path; whether any was
/// new, `None` if the path is feasible.
pub(super) fn learn(
    abe: &mut Abe<'_>,
    hints: &mut Hints,
    blocks: &[PathBlock],
    steps: &[PathStep],
    found: &mut [Vec<Term>],
    limits: &Limits,
) -> Result<Option<bool>, Stopped> {
    let boundaries = blocks.len() - 1;
    let fresh = abe.fresh_solver();
    let Some(preconditions) = wp::predicates(abe.encoder_mut(), fresh, steps, boundaries)? else { return Ok(None) };
    let interpolants = |abe: &mut Abe<'_>| craig::predicates(abe.encoder_mut(), steps, boundaries, limits);
    let first = match hints.first {
        Interpolation::Wp => preconditions.clone(),
        Interpolation::Craig => interpolants(abe)?,
    };
    if add(abe, hints, blocks, first, found) {
        return Ok(Some(true));
    }
    let second = match hints.first {
        Interpolation::Wp => interpolants(abe)?,
        Interpolation::Craig => preconditions,
    };
    Ok(Some(add(abe, hints, blocks, second, found)))
}

/// Adds the values of all variables that the conditions of the blocks behind each boundary speak of, where these are few;
/// whether any was new.
pub(super) fn learn_values(
    abe: &mut Abe<'_>,
    hints: &mut Hints,
    blocks: &[PathBlock],
    found: &mut [Vec<Term>],
) -> bool {
    let facts = abe.encoder().facts();
    let mut predicates: Vec<Vec<Term>> = Vec::with_capacity(found.len());
    let mut behind: Vec<Term> = Vec::new();
    for block in blocks[1..].iter().rev() {
        behind.extend(hints.candidates(facts).1.values(abe.encoder_mut(), block.formula.guard));
        behind.sort_unstable();
        behind.dedup();
        predicates.push(behind.clone());
    }
    predicates.reverse();
    add(abe, hints, blocks, predicates, found)
}

/// The predicates that link a boundary: for IMPACT those found for this path, which its labels will be made of; for the
/// others the precision, which a state is abstracted with.
pub(super) fn known(abe: &mut Abe<'_>, found: &[Term], at: Location) -> Vec<Term> {
    match abe.kind() {
        AbstractionKind::Impact => found.to_vec(),
        AbstractionKind::Boolean | AbstractionKind::Cartesian => abe.predicates_at(at),
    }
}

/// Adds predicates to the precision; whether any was new.
fn add(
    abe: &mut Abe<'_>,
    hints: &mut Hints,
    blocks: &[PathBlock],
    predicates: Vec<Vec<Term>>,
    found: &mut [Vec<Term>],
) -> bool {
    let mut progress = false;
    let by_path = abe.kind() == AbstractionKind::Impact;
    for (i, here) in predicates.into_iter().enumerate() {
        // Where the first predicates are needed, those that hold in executions are likely to help.
        let first = !here.is_empty() && hints.seeded.insert(blocks[i].location);
        let (samples, siblings) = hints.candidates(abe.encoder().facts());
        let seeds = if first { samples.predicates(abe.encoder_mut(), blocks[i].location) } else { Vec::new() };
        let here = here.into_iter().chain(seeds);
        let here: Vec<Term> =
            if by_path { here.collect() } else { here.flat_map(|p| siblings.with(abe.encoder_mut(), p)).collect() };
        for predicate in here {
            let new_here = !found[i].contains(&predicate);
            if new_here {
                found[i].push(predicate);
            }
            let new = abe.track(blocks[i].location, predicate);
            for &at in &blocks[i].between {
                abe.track(at, predicate);
            }
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
