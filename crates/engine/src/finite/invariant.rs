//! What holds at the locations of a model, as a certificate about the program's own values.

use crate::certificate::Collector;
use crate::certificate::cuts::{self, Cuts};
use crate::problem::Problem;
use robusto_analyses::symbolic::{Cell, Encoder};
use robusto_image::model::{Code, Model, Place, Word};
use robusto_limits::Stopped;
use robusto_logic::{Sort, Term, Terms};
use robusto_verdict::Certificate;

/// The certificate of a model. `holds` is told a location and the bits of all words, as terms of the encoder, and gives what holds
/// there. What the codes of words take for granted is added.
pub(crate) fn certificate(
    problem: &Problem,
    model: &Model,
    mut holds: impl FnMut(usize, &mut Terms, &[Vec<Term>]) -> Result<Term, Stopped>,
) -> Result<Certificate, Stopped> {
    let mut encoder = Encoder::new(&problem.facts);
    let words: Vec<(Vec<Term>, Term)> = model.words.iter().map(|word| bits(&mut encoder, model, word)).collect();
    let bits: Vec<Vec<Term>> = words.iter().map(|(bits, _)| bits.clone()).collect();
    let cuts = Cuts::of(&problem.facts, cuts::LONGEST);
    // Where paths meet, too: cuts may lie inside of blocks.
    let mut arrivals = vec![0; model.places.len()];
    model.exits.iter().flatten().for_each(|exit| arrivals[exit.to] += 1);
    let mut collector = Collector::default();
    for (number, place) in model.places.iter().enumerate() {
        let Place::Control(calls, location) = place else { continue };
        if !cuts.contains(*location) && arrivals[number] < 2 {
            continue;
        }
        let mut all = vec![holds(number, &mut encoder.terms, &bits)?];
        all.extend(model.live[number].iter().map(|word| words[word].1));
        for (word, constant, _) in model.constants.iter().filter(|(.., locations)| locations.contains(&number)) {
            let value = value(&mut encoder, word);
            let constant = encoder.terms.constant(encoder.terms.width(value), *constant);
            all.push(encoder.terms.eq(value, constant));
        }
        let all = encoder.terms.and_all(&all);
        collector.add(calls.clone(), *location, all);
    }
    Ok(Certificate::Invariant(collector.finish(&mut encoder)))
}

/// The bits of a word in terms of the program's values, and what its code takes for granted.
fn bits(encoder: &mut Encoder<'_>, model: &Model, word: &Word) -> (Vec<Term>, Term) {
    let value = value(encoder, word);
    let terms = &mut encoder.terms;
    let length = model.terms.width(word.symbol);
    match word.code {
        Code::Plain => ((0..length).map(|bit| terms.extract(value, bit, 1)).collect(), terms.yes()),
        Code::Low { width, signed } => {
            let low = terms.extract(value, 0, length);
            let whole = if signed { terms.sext(low, width) } else { terms.zext(low, width) };
            let bits = (0..length).map(|bit| terms.extract(value, bit, 1)).collect();
            (bits, terms.eq(value, whole))
        }
        Code::Listed { width, ref values } => {
            let is: Vec<Term> = values
                .iter()
                .map(|&listed| {
                    let listed = terms.constant(width, listed);
                    terms.eq(value, listed)
                })
                .collect();
            let bit = |bit: u16| -> Vec<Term> {
                let set = is.iter().enumerate().filter(|(position, _)| position >> bit & 1 == 1);
                set.map(|(_, &is_it)| is_it).collect()
            };
            let bits = (0..length).map(|number| terms.or_all(&bit(number))).collect();
            (bits, terms.or_all(&is))
        }
        Code::Ranges { width, ref starts } => {
            let mut below = Vec::with_capacity(starts.len() + 1);
            for &start in starts {
                let start = terms.constant(width, start);
                below.push(terms.ult(value, start));
            }
            below.push(terms.yes());
            let mut bit = |bit: u16| {
                let inside = below.windows(2).enumerate().filter(|(position, _)| position >> bit & 1 == 1);
                let inside: Vec<Term> = inside
                    .map(|(_, ends)| {
                        let from = terms.not(ends[0]);
                        terms.and(from, ends[1])
                    })
                    .collect();
                terms.or_all(&inside)
            };
            ((0..length).map(&mut bit).collect(), terms.yes())
        }
        Code::Steps { width, base, step } => {
            let base = terms.constant(width, base);
            let distance = terms.sub(value, base);
            let shift = step.trailing_zeros() as u16;
            let code = terms.extract(distance, shift, length);
            let wide = terms.zext(code, width);
            let by = terms.constant(width, u128::from(shift));
            let whole = terms.shl(wide, by);
            let bits = (0..length).map(|bit| terms.extract(code, bit, 1)).collect();
            (bits, terms.eq(distance, whole))
        }
    }
}

/// The value of a word's cell.
fn value(encoder: &mut Encoder<'_>, word: &Word) -> Term {
    let input = encoder.input(word.cell);
    match (word.cell, word.address, encoder.sort(word.cell)) {
        (Cell::Region(_), Some(address), Sort::Array { index, .. }) => {
            let address = encoder.terms.constant(index, address.into());
            encoder.terms.select(input, address)
        }
        _ => input,
    }
}
