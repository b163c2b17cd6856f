//! Clauses over the bits of coded words, as formulas over the cells of the program.
//!
//! The model has used bounds of variables and lists of values to make words short, so these are part of what holds at each cut
//! point: with them, a word is its cell.

use crate::certificate::Collector;
use robusto_analyses::interval::Invariants;
use robusto_analyses::symbolic::Encoder;
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{EdgeId, FuncId};
use robusto_cpa::control::Location;
use robusto_image::model::{Code, Model, Place, Word};
use robusto_image::pdr::Proof;
use robusto_logic::Term;
use robusto_verdict::Certificate;

/// The certificate of a proof.
pub(super) fn certificate(facts: &Facts, intervals: Option<&Invariants>, model: &Model, proof: &Proof) -> Certificate {
    let mut encoder = Encoder::new(facts);
    let mut collector = Collector::default();
    for (place, clauses) in &proof.places {
        let Place::Control(calls, location) = &model.places[*place] else { continue };
        let mut all: Vec<Term> = match intervals {
            Some(intervals) => bounds(&mut encoder, intervals, calls, *location),
            None => Vec::new(),
        };
        let narrowed = &model.narrowed;
        let words = narrowed.live.get(*place).into_iter().flat_map(|live| live.iter());
        all.extend(words.map(|word| meant(&mut encoder, model, &narrowed.words[word])));
        for clause in clauses {
            let mut one_of = Vec::with_capacity(clause.len());
            for &(word, bit, value) in clause {
                let is_set = is_set(&mut encoder, &model.words[word], bit);
                one_of.push(if value { is_set } else { encoder.terms.not(is_set) });
            }
            all.push(encoder.terms.or_all(&one_of));
        }
        let holds = encoder.terms.and_all(&all);
        collector.add(calls.clone(), *location, holds);
    }
    Certificate::Invariant(collector.finish(&mut encoder))
}

/// What the interval analysis knows at a control state.
fn bounds(encoder: &mut Encoder<'_>, intervals: &Invariants, calls: &[(FuncId, EdgeId)], at: Location) -> Vec<Term> {
    let activation = |calls: &[(FuncId, EdgeId)], function: FuncId| {
        calls.iter().filter(|&&(caller, _)| caller == function).count() as u32
    };
    let mut all = vec![intervals.here(encoder, at, activation(calls, at.function))];
    for (i, &(caller, edge)) in calls.iter().enumerate() {
        let callee = calls.get(i + 1).map_or(at.function, |&(next, _)| next);
        all.push(intervals.pending(encoder, (caller, edge), callee, activation(&calls[..i], caller)));
    }
    all
}

/// The value of a word in the program.
fn value(encoder: &mut Encoder<'_>, word: &Word) -> Term {
    let cell = encoder.input(word.cell);
    match word.address {
        None => cell,
        Some(address) => {
            let (index, _) = encoder.terms.array_widths(cell);
            let at = encoder.terms.constant(index, address.into());
            encoder.terms.select(cell, at)
        }
    }
}

/// That a word has one of the values that its code can mean, as far as bounds do not say so.
fn meant(encoder: &mut Encoder<'_>, model: &Model, word: &Word) -> Term {
    match &word.code {
        Code::Plain | Code::Low { .. } => encoder.terms.yes(),
        Code::Listed { width, values } => {
            let value = value(encoder, word);
            is_one_of(encoder, value, *width, values.iter().copied())
        }
        Code::Steps { width, step, .. } => {
            let distance = distance(encoder, word);
            let bits = model.terms.width(word.symbol);
            let low = step.trailing_zeros() as u16;
            let mut parts = Vec::new();
            let mut is_zero = |from: u16, to: u16| {
                if from < to {
                    let part = encoder.terms.extract(distance, from, to - from);
                    let zero = encoder.terms.constant(to - from, 0);
                    parts.push(encoder.terms.eq(part, zero));
                }
            };
            is_zero(0, low);
            is_zero(low + bits, *width);
            encoder.terms.and_all(&parts)
        }
    }
}

/// That a bit of a coded word is 1.
fn is_set(encoder: &mut Encoder<'_>, word: &Word, bit: u16) -> Term {
    match &word.code {
        Code::Plain | Code::Low { .. } => {
            let value = value(encoder, word);
            encoder.terms.extract(value, bit, 1)
        }
        Code::Listed { width, values } => {
            let value = value(encoder, word);
            let with_bit = values.iter().enumerate().filter(|(position, _)| position >> bit & 1 == 1);
            is_one_of(encoder, value, *width, with_bit.map(|(_, &value)| value))
        }
        Code::Steps { step, .. } => {
            let distance = distance(encoder, word);
            encoder.terms.extract(distance, step.trailing_zeros() as u16 + bit, 1)
        }
    }
}

fn is_one_of(encoder: &mut Encoder<'_>, value: Term, width: u16, values: impl Iterator<Item = u128>) -> Term {
    let mut all = Vec::new();
    for listed in values {
        let listed = encoder.terms.constant(width, listed);
        all.push(encoder.terms.eq(value, listed));
    }
    encoder.terms.or_all(&all)
}

/// How far a word that goes in steps is from its least value.
fn distance(encoder: &mut Encoder<'_>, word: &Word) -> Term {
    let value = value(encoder, word);
    let Code::Steps { width, base, .. } = word.code else { return value };
    let base = encoder.terms.constant(width, base);
    encoder.terms.sub(value, base)
}
