//! Words that only ever take constants, and values of words that do.

use super::super::Model;
use super::leaves_of;
use robusto_logic::Term;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Longest list of values. Each comparison of the word looks through its list.
const MOST_VALUES: usize = 32;

/// For each word that takes constants and such words only, its values.
pub(super) fn lists(model: &Model) -> Vec<Option<BTreeSet<u128>>> {
    let numbers: FxHashMap<Term, usize> =
        model.words.iter().enumerate().map(|(number, word)| (word.symbol, number)).collect();
    let mut lists: Vec<Option<BTreeSet<u128>>> = vec![Some(BTreeSet::new()); model.words.len()];
    let started: BTreeSet<usize> = model.start.iter().map(|&(word, _)| word).collect();
    for word in model.live[0].iter().filter(|word| !started.contains(word)) {
        lists[word] = None;
    }
    let mut copies: BTreeSet<(usize, usize)> = BTreeSet::new();
    let assigned = model.exits.iter().flatten().flat_map(|exit| &exit.assign).chain(&model.start);
    for &(word, value) in assigned {
        for leaf in leaves_of(&model.terms, value) {
            match (model.terms.as_const(leaf), numbers.get(&leaf)) {
                (Some(value), _) => {
                    if let Some(list) = &mut lists[word] {
                        list.insert(value);
                    }
                }
                (None, Some(&source)) => {
                    copies.insert((word, source));
                }
                (None, None) => lists[word] = None,
            }
        }
    }
    loop {
        let mut changes = false;
        for &(word, source) in &copies {
            let more = lists[source].clone();
            let Some(list) = &mut lists[word] else { continue };
            match more {
                Some(more) if more.len() <= MOST_VALUES => {
                    let before = list.len();
                    list.extend(more);
                    changes |= list.len() > before;
                }
                _ => {
                    lists[word] = None;
                    changes = true;
                }
            }
        }
        if !changes {
            break;
        }
    }
    lists.into_iter().map(|list| list.filter(|list| !list.is_empty() && list.len() <= MOST_VALUES)).collect()
}
