//! Which words stand beside each other in decision diagrams.
//!
//! Values of several bits that an operation relates — a sum, a comparison, a copy — form a group whose bits are interleaved: a
//! comparison of two words of 32 bits takes 2³² nodes if one stands below the other. Groups stand as the program uses its
//! variables; memory is last. A choice stands in the group of the words that it is computed with.

use super::Model;
use robusto_analyses::symbolic::Cell;
use robusto_cfa::facts::Facts;
use robusto_logic::{DisjointSets, Sort, Term};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Groups of words whose bits are interleaved, from the top.
pub(super) fn groups(facts: &Facts, model: &Model) -> Vec<Vec<usize>> {
    let mut of_cell: BTreeMap<Cell, Vec<usize>> = BTreeMap::new();
    for (number, word) in model.words.iter().enumerate() {
        of_cell.entry(word.cell).or_default().push(number);
    }
    let mut sequence: Vec<usize> = Vec::new();
    for var in robusto_finite::order(facts).into_iter().flatten() {
        // All activations of a function: one after the other.
        let cells: Vec<Cell> =
            of_cell.range(Cell::Var(var, 0)..=Cell::Var(var, u32::MAX)).map(|(&cell, _)| cell).collect();
        sequence.extend(cells.into_iter().filter_map(|cell| of_cell.remove(&cell)).flatten());
    }
    sequence.extend(of_cell.into_values().flatten());
    let mut related = related(model);
    let mut places: FxHashMap<usize, usize> = FxHashMap::default();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for word in sequence {
        let place = *places.entry(related.first(model.words[word].symbol.index())).or_insert(groups.len());
        if place == groups.len() {
            groups.push(Vec::new());
        }
        groups[place].push(word);
    }
    groups
}

/// Terms of several bits, in sets: each with those that it is computed from, compared with or stored in.
fn related(model: &Model) -> DisjointSets {
    let terms = &model.terms;
    let mut sets = DisjointSets::new(terms.len());
    // A constant relates nothing, and a single bit can stand anywhere.
    let is_wide = |t: Term| terms.as_const(t).is_none() && !matches!(terms.sort(t), Sort::Bits(1));
    let exits = || model.exits.iter().flatten();
    let assigned = || exits().flat_map(|exit| &exit.assign).chain(&model.start);
    let roots: Vec<Term> = exits().map(|exit| exit.guard).chain(assigned().map(|&(_, value)| value)).collect();
    for t in terms.subterms(&roots) {
        let operands = terms.node(t).operands();
        let together = operands.iter().copied().chain([t]).filter(|&t| is_wide(t));
        sets.unite_all(&together.map(Term::index).collect::<Vec<_>>());
    }
    for &(word, value) in assigned().filter(|&&(_, value)| is_wide(value)) {
        sets.unite(model.words[word].symbol.index(), value.index());
    }
    sets
}

impl Model {
    /// The group that choices stand in; `None` for one that has nothing to do with words of several bits.
    pub(crate) fn groups_of(&self, choices: &[Term]) -> Vec<Option<usize>> {
        let mut related = related(self);
        let groups = self.groups.iter().enumerate();
        let of_set: FxHashMap<usize, usize> = groups
            .flat_map(|(number, group)| group.iter().map(move |&word| (number, word)))
            .map(|(number, word)| (related.first(self.words[word].symbol.index()), number))
            .collect();
        choices.iter().map(|choice| of_set.get(&related.first(choice.index())).copied()).collect()
    }
}
