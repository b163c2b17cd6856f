//! Clauses over the bits of coded words, as formulas over the cells of the program.
//!
//! The model has used bounds of variables and lists of values to make words short, so these are part of what holds at each cut
//! point: with them, a word is its cell.

use crate::certificate::Collector;
use crate::finite::invariant::{bits, granted};
use robusto_analyses::interval::Invariants;
use robusto_analyses::symbolic::Encoder;
use robusto_cfa::facts::Facts;
use robusto_image::model::{Model, Place};
use robusto_image::pdr::Proof;
use robusto_logic::Term;
use robusto_verdict::Certificate;

/// The certificate of a proof.
pub(super) fn certificate(facts: &Facts, intervals: Option<&Invariants>, model: &Model, proof: &Proof) -> Certificate {
    let mut encoder = Encoder::new(facts);
    let mut collector = Collector::default();
    let mut words: Vec<Option<Vec<Term>>> = vec![None; model.words.len()];
    for (place, clauses) in &proof.places {
        let Place::Control(calls, location) = &model.places[*place] else { continue };
        let mut all = granted(&mut encoder, model, intervals, *place);
        for clause in clauses {
            let mut one_of = Vec::with_capacity(clause.len());
            for &(word, bit, value) in clause {
                let is_set = words[word].get_or_insert_with(|| bits(&mut encoder, model, &model.words[word]).0)
                    [usize::from(bit)];
                one_of.push(if value { is_set } else { encoder.terms.not(is_set) });
            }
            all.push(encoder.terms.or_all(&one_of));
        }
        let holds = encoder.terms.and_all(&all);
        collector.add(calls.clone(), *location, holds);
    }
    Certificate::Invariant(collector.finish(&mut encoder))
}
