//! What is known of the procedures before any predicate: relations between what they are given and what they return.
//!
//! They hold in every execution, so every path of a link starts where they do; and the certificate says so with the rest.

use super::precision::at_entry;
use crate::problem::Problem;
use crate::procedures::{CutId, Procedures};
use crate::relations::Summaries;
use crate::summaries::certificate;
use robusto_analyses::symbolic::Encoder;
use robusto_limits::Limits;
use robusto_logic::Term;
use robusto_verdict::Certificate;
use std::time::Duration;

/// Time for relations, each time that they are sought: at most this, and at most this share of what is left.
const TIME: (Duration, u32) = (Duration::from_secs(10), 8);

/// What holds, by procedure and cut point: over inputs, and inside also over values at the entry.
pub struct Known(Vec<Vec<Term>>);

impl Known {
    /// Nothing.
    pub fn nothing(encoder: &Encoder<'_>, procedures: &Procedures<'_>) -> Self {
        let yes = encoder.terms.yes();
        Self(procedures.list.iter().map(|procedure| vec![yes; procedure.cuts.len()]).collect())
    }

    /// Relations between values, where there is recursion; or the certificate, if they prove the program by themselves.
    pub fn relations(
        encoder: &mut Encoder<'_>,
        procedures: &Procedures<'_>,
        problem: &Problem,
        limits: &Limits,
    ) -> Result<Self, Certificate> {
        let is_start = procedures.list.first().is_some_and(|main| main.is_start);
        if procedures.list.len() < 2 || !is_start {
            return Ok(Self::nothing(encoder, procedures));
        }
        let intervals = problem.intervals(limits);
        let own = |limits: &Limits| {
            let (most, share) = TIME;
            limits.within(limits.remaining().map_or(most, |left| most.min(left / share)))
        };
        let mut summaries = Summaries::new(encoder, procedures, intervals, false, &own(limits));
        // A stage that is cut short claims nothing.
        while let Ok(true) = summaries.next(encoder) {
            if summaries.violated(encoder).is_ok_and(|violated| violated.is_empty()) {
                return Err(certificate(encoder, procedures, &summaries));
            }
        }
        let mut summaries = Summaries::new(encoder, procedures, intervals, true, &own(limits));
        while let Ok(true) = summaries.next(encoder) {}
        let of = |(number, count): (usize, usize)| -> Vec<Term> {
            (0..count).map(|cut| summaries.known(encoder, number, CutId::new(cut))).collect()
        };
        Ok(Self(procedures.list.iter().map(|procedure| procedure.cuts.len()).enumerate().map(of).collect()))
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
