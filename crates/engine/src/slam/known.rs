//! What is known of the procedures before any predicate: relations between what they are given and what they return.
//!
//! They hold in every execution, so every path of a link starts where they do; and the certificate says so with the rest.

use super::precision::at_entry;
use crate::problem::Problem;
use crate::procedures::{CutId, Procedures};
use crate::relations::Summaries;
use robusto_analyses::symbolic::Encoder;
use robusto_limits::Limits;
use robusto_logic::Term;
use std::time::Duration;

/// Time for relations: at most this, and at most this share of what is left.
const TIME: (Duration, u32) = (Duration::from_secs(10), 5);

/// What holds, by procedure and cut point: over inputs, and inside also over values at the entry.
pub struct Known(Vec<Vec<Term>>);

impl Known {
    /// Nothing.
    pub fn nothing(encoder: &Encoder<'_>, procedures: &Procedures<'_>) -> Self {
        let yes = encoder.terms.yes();
        Self(procedures.list.iter().map(|procedure| vec![yes; procedure.cuts.len()]).collect())
    }

    /// Relations between values, where there is recursion.
    pub fn relations(
        encoder: &mut Encoder<'_>,
        procedures: &Procedures<'_>,
        problem: &Problem,
        limits: &Limits,
    ) -> Self {
        let is_start = procedures.list.first().is_some_and(|main| main.is_start);
        if procedures.list.len() < 2 || !is_start {
            return Self::nothing(encoder, procedures);
        }
        let (most, share) = TIME;
        let own = limits.within(limits.remaining().map_or(most, |left| most.min(left / share)));
        let mut summaries = Summaries::new(encoder, procedures, problem.intervals(limits), &own);
        // A stage that is cut short claims nothing.
        while let Ok(true) = summaries.next(encoder) {}
        let of = |(number, count): (usize, usize)| -> Vec<Term> {
            (0..count).map(|cut| summaries.known(encoder, number, CutId::new(cut))).collect()
        };
        Self(procedures.list.iter().map(|procedure| procedure.cuts.len()).enumerate().map(of).collect())
    }

    /// What holds at a cut point.
    pub fn at(&self, number: usize, cut: CutId) -> Term {
        self.0[number][cut.index()]
    }

    /// The same where a link starts: at the entry, values are those at the entry.
    pub fn at_start(&self, encoder: &mut Encoder<'_>, number: usize, cut: CutId) -> Term {
        let known = self.at(number, cut);
        if cut == CutId::ENTRY { at_entry(encoder, known) } else { known }
    }
}
