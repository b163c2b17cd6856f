//! What holds at the locations of a model, as a certificate about the program's own values.

use crate::certificate::Collector;
use crate::certificate::cuts::{self, Cuts};
use crate::problem::Problem;
use robusto_analyses::interval::Invariants;
use robusto_analyses::symbolic::{Cell, Encoder};
use robusto_cfa::ir::{EdgeId, FuncId};
use robusto_cpa::control::Location;
use robusto_image::model::{Code, Model, Place, Word};
use robusto_limits::Stopped;
use robusto_logic::{Sort, Term, Terms};
use robusto_verdict::Certificate;

/// The certificate of a model. `holds` is told a location and the bits of all words, as terms of the encoder, and gives what holds
/// there. What the codes of words take for granted is added.
pub(crate) fn certificate(
    problem: &Problem,
    model: &Model,
    intervals: Option<&Invariants>,
    mut holds: impl FnMut(usize, &mut Terms, &[Vec<Term>]) -> Result<Term, Stopped>,
) -> Result<Certificate, Stopped> {
    let mut encoder = Encoder::new(&problem.facts);
    let bits: Vec<Vec<Term>> = model.words.iter().map(|word| bits(&mut encoder, model, word).0).collect();
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
        all.extend(granted(&mut encoder, model, intervals, number));
        let all = encoder.terms.and_all(&all);
        collector.add(calls.clone(), *location, all);
    }
    Ok(Certificate::Invariant(collector.finish(&mut encoder)))
}

/// What the codes of words take for granted at a location, also of words that do not matter any more, because few values make
/// conditions constant: the bounds that the interval analysis has proved, and lists of values.
pub(crate) fn granted(
    encoder: &mut Encoder<'_>,
    model: &Model,
    intervals: Option<&Invariants>,
    location: usize,
) -> Vec<Term> {
    let mut all = match (intervals, &model.places[location]) {
        (Some(intervals), Place::Control(calls, at)) => bounds(encoder, intervals, calls, *at),
        _ => Vec::new(),
    };
    let narrowed = &model.narrowed;
    let words = narrowed.live.get(location).into_iter().flat_map(|live| live.iter());
    all.extend(words.map(|word| bits(encoder, model, &narrowed.words[word]).1));
    all
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

/// The bits of a word in terms of the program's values, and what its code takes for granted.
pub(crate) fn bits(encoder: &mut Encoder<'_>, model: &Model, word: &Word) -> (Vec<Term>, Term) {
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
