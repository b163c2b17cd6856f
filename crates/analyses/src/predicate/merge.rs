//! Which states of one block are merged, if the block holds loops.
//!
//! The paper's merge (Beyer, Keremoglu, Wendler, FMCAD 2010, Section III.A) takes all states of a location that agree on ψ
//! and l^ψ, also those of different visits of a loop head. One execution may then come to a location on both merged paths,
//! and a choice in φ tells which visit is meant ([`Encoder::selector`](crate::symbolic::Encoder::selector)). Ours merges
//! the states of one visit only ([`visits`](super::visits)); such paths exclude each other, so that their guards tell. In
//! a block without loops there is one visit, and both are the same.

use super::visits::VisitsId;
use super::{Abe, same};
use crate::symbolic::{Encoder, PathFormula};
use robusto_cpa::Step;
use robusto_cpa::control::Location;
use robusto_logic::Term;

/// Which states of a location in one block are merged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Kind {
    /// All: the paper's.
    Block,
    /// Those whose paths have made the same visits of loop heads: ours.
    #[default]
    Visits,
}

impl Abe<'_> {
    /// Whether merged paths need a choice that tells them apart.
    pub fn merges_visits(&self) -> bool {
        self.operator.hold_loops() && self.visits.is_none()
    }

    /// φ₁ ∨ φ₂
    pub(super) fn merged(&mut self, old: &PathFormula, new: &PathFormula) -> PathFormula {
        if self.merges_visits() { self.encoder.merge_visits(old, new) } else { self.encoder.merge(old, new) }
    }

    /// Of formulas that were merged in this order, the one that a valuation of terms takes.
    pub fn taken(
        &mut self,
        formulas: &[&PathFormula],
        mut holds: impl FnMut(&mut Encoder<'_>, Term) -> bool,
    ) -> Option<usize> {
        if !self.merges_visits() {
            return formulas.iter().position(|formula| holds(&mut self.encoder, formula.guard));
        }
        let (&first, rest) = formulas.split_first()?;
        let (mut merged, mut taken) = (first.clone(), 0);
        for (i, formula) in rest.iter().enumerate() {
            if same(&merged, formula) {
                continue;
            }
            let selector = self.encoder.selector(&merged, formula);
            merged = self.merged(&merged, formula);
            if !holds(&mut self.encoder, selector) {
                taken = i + 1;
            }
        }
        Some(taken)
    }

    /// The visits of loop heads after a step to a location.
    pub(super) fn visits_after(&mut self, before: VisitsId, step: Step, to: Location) -> VisitsId {
        let Some(visits) = &mut self.visits else { return VisitsId::NONE };
        let loops = self.operator.loops(to.function);
        match step {
            Step::Edge(..) | Step::Block { .. } => visits.step(before, loops, to.loc),
            Step::Enter { .. } => visits.enter(before, loops, to.loc),
            Step::Leave { .. } => visits.leave(before, loops, to.loc),
        }
    }
}
