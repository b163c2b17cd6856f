//! Which words stand beside each other in decision diagrams: as the program uses its variables, then memory.

use super::{Model, Word};
use robusto_analyses::symbolic::Cell;
use robusto_cfa::facts::Facts;
use std::collections::BTreeMap;

/// Groups of words whose bits are interleaved, from the top.
pub(super) fn groups(facts: &Facts, words: &[Word]) -> Vec<Vec<usize>> {
    let mut of_cell: BTreeMap<Cell, Vec<usize>> = BTreeMap::new();
    for (number, word) in words.iter().enumerate() {
        of_cell.entry(word.cell).or_default().push(number);
    }
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for cluster in robusto_finite::order(facts) {
        let mut group = Vec::new();
        for var in cluster {
            // All activations of a function: one after the other.
            let cells: Vec<Cell> =
                of_cell.range(Cell::Var(var, 0)..=Cell::Var(var, u32::MAX)).map(|(&cell, _)| cell).collect();
            group.extend(cells.into_iter().filter_map(|cell| of_cell.remove(&cell)).flatten());
        }
        groups.push(group);
    }
    // A store at a computed address relates all elements of its region with the value.
    groups.extend(of_cell.into_values());
    groups.retain(|group| !group.is_empty());
    groups
}

impl Model {
    /// All bits of all words, as word and position, from the top of the order.
    pub(crate) fn bits_in_order(&self) -> Vec<(usize, usize)> {
        let width = |word: usize| usize::from(self.terms.width(self.words[word].symbol));
        let mut bits = Vec::new();
        for group in &self.groups {
            let widest = group.iter().map(|&word| width(word)).max().unwrap_or(0);
            for bit in (0..widest).rev() {
                bits.extend(group.iter().filter(|&&word| bit < width(word)).map(|&word| (word, bit)));
            }
        }
        bits
    }
}
