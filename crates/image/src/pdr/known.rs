//! What is known of the words at a location before the search: what their codes can mean, and the bounds that the interval
//! analysis has proved.

use crate::model::{Code, Model, Place, where_known};
use robusto_analyses::interval::{Invariants, within};
use robusto_analyses::symbolic::Cell;
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::VarId;
use robusto_domains::{Interval, Lattice as _};
use robusto_logic::Term;
use rustc_hash::FxHashMap;

/// Conditions on the words that are live at a location.
pub(super) fn at(model: &mut Model, facts: &Facts, intervals: Option<&Invariants>, at: usize) -> Vec<Term> {
    let words: Vec<usize> = model.live[at].iter().collect();
    let mut all = Vec::new();
    let mut bounds: FxHashMap<_, FxHashMap<VarId, Interval>> = FxHashMap::default();
    for word in words {
        let Model { terms, words, places, .. } = &mut *model;
        let word = &words[word];
        let bits = terms.width(word.symbol);
        match &word.code {
            Code::Listed { values, .. } | Code::Ranges { starts: values, .. } => {
                let last = terms.constant(bits, values.len() as u128 - 1);
                all.push(terms.ule(word.symbol, last));
            }
            Code::Plain | Code::Low { .. } | Code::Steps { .. } => {}
        }
        // The start of a range stands for other values, too.
        if let Code::Ranges { .. } = word.code {
            continue;
        }
        if let (Some(intervals), Cell::Var(var, activation), Place::Control(calls, location)) =
            (intervals, word.cell, &places[at])
        {
            let source = where_known(facts, calls, *location, var, activation);
            let of = bounds.entry(source).or_insert_with(|| intervals.at(source.function, source.loc).collect());
            if let Some(interval) = of.get(&var).filter(|interval| !interval.is_top() && interval.width() <= 64) {
                let value = Model::decode(terms, &word.code, word.symbol);
                all.push(within(terms, value, interval));
            }
        }
    }
    all.retain(|&t| !model.terms.is_true(t));
    all
}
