//! The refinement of IMPACT: lazy abstraction with interpolants.
//!
//! McMillan: *Lazy abstraction with interpolants*, CAV 2006, with the adjustable blocks of Beyer and Wendler: *Algorithms
//! for software model checking: predicate abstraction vs. Impact*, FMCAD 2012.
//!
//! | McMillan | here |
//! |---|---|
//! | EXPAND: a vertex with label true | `prec` of the predicate analysis with [`AbstractionKind::Impact`] |
//! | REFINE: labels take interpolants | [`strengthen`] |
//! | COVER | `stop` of the analysis: the label implies the other's |
//! | forced covering | `cover` of its strategy: the label may be strengthened by the other's, if the path to it allows that |
//!
//! [`AbstractionKind::Impact`]: robusto_analyses::predicate::AbstractionKind
//!
//! With [`Labels::Interpolants`] the labels are Craig interpolants of the blocks, as in McMillan's paper. By default,
//! the interpolants of a path are its abstraction by the predicates that refute it: I₀ = true, I₍ᵢ₊₁₎ = (Iᵢ ∧ φᵢ)^πᵢ. They are
//! inductive by construction and end in false. Invariants of other analyses are conjoined to each Iᵢ.

use super::cycle::Cegar;
use super::path::PathBlock;
use super::{Labels, craig};
use robusto_analyses::predicate::Product;
use robusto_cpa::StateId;
use robusto_limits::Stopped;
use robusto_logic::Term;

/// Strengthens the labels along a refuted path, and removes what stands behind `false`.
pub fn strengthen(cegar: &mut Cegar<'_>, path: &[PathBlock], predicates: &[Vec<Term>]) -> Result<(), Stopped> {
    if cegar.labels == Labels::Interpolants && by_interpolants(cegar, path)? {
        return Ok(());
    }
    let (mut label, mut known) = (Product::top(), cegar.cpa.data.encoder().terms.yes());
    let mut changed: Vec<StateId> = Vec::new();
    for (i, block) in path.iter().enumerate() {
        let here = predicates.get(i).map_or(&[][..], Vec::as_slice);
        let Some(interpolant) = cegar.cpa.data.abstraction_over(&label, known, &block.formula, here)? else {
            cegar.exploration.remove(&cegar.cpa, block.end);
            break;
        };
        let id = cegar.exploration.arg.node(block.end).state.data.block;
        if cegar.cpa.data.strengthen(id, &interpolant)? {
            changed.push(block.end);
        }
        (label, known) = (interpolant, block.invariant);
    }
    // What one of these covered need not be covered any more, and one of them may be covered now. Both is looked at again
    // when the node is taken from the waitlist.
    cegar.exploration.reconsider(&mut cegar.cpa, &changed)
}

/// Strengthens the labels by Craig interpolants of the blocks; whether there are some.
fn by_interpolants(cegar: &mut Cegar<'_>, path: &[PathBlock]) -> Result<bool, Stopped> {
    let blocks: Vec<_> = path.iter().map(|block| &*block.formula).collect();
    let limits = cegar.limits();
    let Some(interpolants) = craig::interpolants(cegar.cpa.data.encoder_mut(), &blocks, limits)? else {
        return Ok(false);
    };
    let mut changed: Vec<StateId> = Vec::new();
    for (block, interpolant) in path.iter().zip(interpolants) {
        if cegar.cpa.data.encoder().terms.is_false(interpolant) {
            cegar.exploration.remove(&cegar.cpa, block.end);
            cegar.exploration.reconsider(&mut cegar.cpa, &changed)?;
            return Ok(true);
        }
        let label = cegar.cpa.data.label_of(block.location, interpolant)?;
        let id = cegar.exploration.arg.node(block.end).state.data.block;
        if cegar.cpa.data.strengthen(id, &label)? {
            changed.push(block.end);
        }
    }
    let error = path.last().expect("a path has a block").end;
    cegar.exploration.remove(&cegar.cpa, error);
    cegar.exploration.reconsider(&mut cegar.cpa, &changed)?;
    Ok(true)
}
