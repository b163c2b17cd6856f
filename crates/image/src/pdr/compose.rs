//! All paths from one cut point to the next as one guarded parallel assignment each (Beyer, Cimatti, Griggio, Keremoglu,
//! Sebastiani: *Software model checking via large-block encoding*, FMCAD 2009).

use super::cuts::Cuts;
use crate::model::{Exit, Model, Word};
use robusto_limits::{Limits, Stopped};
use robusto_logic::{Substitution, Symbol, Term, Terms};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The way from one cut point to another.
pub(super) struct Way {
    pub to: usize,
    pub guard: Term,
    /// The words that change.
    pub assign: BTreeMap<usize, Term>,
}

/// Composes blocks.
pub(super) struct Composer {
    words: FxHashMap<Symbol, usize>,
    /// By location, the symbols of its exits, found when they are first asked for.
    symbols: FxHashMap<usize, Vec<Symbol>>,
}

/// Paths that meet at a location.
#[derive(Clone)]
struct Paths {
    /// Conditions, the first one passed first. What all paths share stays apart when they meet.
    conditions: Vec<Term>,
    assign: BTreeMap<usize, Term>,
}

impl Composer {
    pub fn new(model: &Model) -> Self {
        let symbol = |t: Term| model.terms.as_symbol(t).expect("words have symbols");
        let words = model.words.iter().enumerate().map(|(number, word)| (symbol(word.symbol), number)).collect();
        Self { words, symbols: FxHashMap::default() }
    }

    /// The ways that start with some exits, and go on from location to location up to the next cut points.
    pub fn ways(
        &mut self,
        model: &mut Model,
        cuts: &Cuts,
        from: usize,
        exits: &[Exit],
        limits: &Limits,
    ) -> Result<Vec<Way>, Stopped> {
        let mut ends: BTreeMap<usize, Paths> = BTreeMap::new();
        let mut waiting: BTreeMap<usize, (usize, Paths)> = BTreeMap::new();
        let start = Paths { conditions: Vec::new(), assign: BTreeMap::new() };
        let mut next = Some((from, start, exits.to_vec()));
        while let Some((at, paths, exits)) = next.take() {
            limits.look()?;
            let mut meaning = self.meaning(&mut model.terms, at, &exits, &paths);
            let Model { terms, words, live, exits: blocks, .. } = &mut *model;
            for exit in exits.iter().filter(|exit| cuts.is_relevant[exit.to]) {
                let guard = terms.substitute(exit.guard, &mut meaning);
                if terms.is_false(guard) {
                    continue;
                }
                let mut after = paths.clone();
                if !terms.is_true(guard) {
                    after.conditions.push(guard);
                }
                for &(word, value) in &exit.assign {
                    let value = terms.substitute(value, &mut meaning);
                    after.assign.insert(word, value);
                }
                after.assign.retain(|&word, _| live[exit.to].contains(word));
                if cuts.is_cut[exit.to] || blocks[exit.to].is_empty() {
                    let met = match ends.remove(&exit.to) {
                        Some(other) => meet(terms, words, other, after),
                        None => after,
                    };
                    ends.insert(exit.to, met);
                } else {
                    let key = cuts.position[exit.to];
                    let met = match waiting.remove(&key) {
                        Some((_, other)) => meet(terms, words, other, after),
                        None => after,
                    };
                    waiting.insert(key, (exit.to, met));
                }
            }
            next = waiting.pop_first().map(|(_, (at, paths))| (at, paths, model.exits[at].clone()));
        }
        let ways = ends.into_iter().map(|(to, paths)| {
            let guard = model.terms.and_all(&paths.conditions);
            Way { to, guard, assign: paths.assign }
        });
        Ok(ways.collect())
    }

    /// What the symbols at a location stand for: words their values so far, inputs themselves, apart from those of other
    /// locations.
    fn meaning(&mut self, terms: &mut Terms, at: usize, exits: &[Exit], paths: &Paths) -> Substitution {
        let symbols = self.symbols.entry(at).or_insert_with(|| {
            let assigned = exits.iter().flat_map(|exit| exit.assign.iter().map(|&(_, value)| value));
            let roots: Vec<Term> = exits.iter().map(|exit| exit.guard).chain(assigned).collect();
            let all = terms.subterms(&roots);
            all.into_iter().filter_map(|t| terms.as_symbol(t)).collect()
        });
        let mut meaning = Substitution::new();
        for &symbol in symbols.iter() {
            match self.words.get(&symbol) {
                Some(word) => {
                    if let Some(&value) = paths.assign.get(word) {
                        meaning.insert_symbol(terms, symbol, value);
                    }
                }
                None => {
                    let input = input_at(terms, symbol, at);
                    meaning.insert_symbol(terms, symbol, input);
                }
            }
        }
        meaning
    }
}

/// An input of a location, apart from those of other locations: calls of one function make the same choices.
pub(super) fn input_at(terms: &mut Terms, symbol: Symbol, at: usize) -> Term {
    let sort = terms.sort(terms.symbol_term(symbol));
    let name = format!("{}@{at}", terms.symbol_name(symbol));
    terms.symbol(&name, sort)
}

/// Both.
fn meet(terms: &mut Terms, words: &[Word], a: Paths, b: Paths) -> Paths {
    let common = a.conditions.iter().zip(&b.conditions).take_while(|(a, b)| a == b).count();
    let (rest_a, rest_b) = (terms.and_all(&a.conditions[common..]), terms.and_all(&b.conditions[common..]));
    let either = terms.or(rest_a, rest_b);
    let mut conditions = a.conditions;
    conditions.truncate(common);
    if !terms.is_true(either) {
        conditions.push(either);
    }
    let mut assign = BTreeMap::new();
    for &word in a.assign.keys().chain(b.assign.keys()) {
        let before = words[word].symbol;
        let (x, y) = (a.assign.get(&word).copied(), b.assign.get(&word).copied());
        let (x, y) = (x.unwrap_or(before), y.unwrap_or(before));
        assign.entry(word).or_insert_with(|| terms.ite(rest_b, y, x));
    }
    Paths { conditions, assign }
}
