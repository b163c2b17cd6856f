//! Words that are only compared with constants: which side of each constant they are on is all that matters.
//!
//! A word may also be copied to other such words; then all of them have the same ranges. Comparisons as signed numbers cut the
//! unsigned numbers where the sign changes, too.

use super::super::Model;
use super::leaves_of;
use robusto_logic::{BinaryOp, DisjointSets, Node, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Most ranges of a word.
const MOST_RANGES: usize = 32;

/// For each word that is compared with constants and copied to such words only, where its ranges start. Words that are copied to
/// each other have the same ranges, or none, if each of them has a list that is shorter.
pub(super) fn ranges(model: &Model, lists: &[Option<BTreeSet<u128>>]) -> Vec<Option<Vec<u128>>> {
    let numbers: FxHashMap<Term, usize> =
        model.words.iter().enumerate().map(|(number, word)| (word.symbol, number)).collect();
    let count = model.words.len();
    let mut uses = Uses {
        terms: &model.terms,
        numbers: &numbers,
        cuts: vec![BTreeSet::new(); count],
        is_other: vec![false; count],
        seen: FxHashSet::default(),
    };
    let mut copies: Vec<(usize, usize)> = Vec::new();
    for exit in model.exits.iter().flatten() {
        uses.look(exit.guard);
        for &(word, value) in &exit.assign {
            uses.look_at_conditions(value);
            for leaf in leaves_of(&model.terms, value) {
                match numbers.get(&leaf) {
                    Some(&source) => copies.push((word, source)),
                    None => uses.look(leaf),
                }
            }
        }
    }
    let Uses { mut cuts, mut is_other, .. } = uses;
    for (number, word) in model.words.iter().enumerate() {
        // One bit needs no code; an address of the heap has its own.
        is_other[number] |=
            model.terms.width(word.symbol) < 2 || word.cell == robusto_analyses::symbolic::Cell::HeapTop;
    }
    // What is copied to a word with other uses has them, too.
    while let Some(&(_, source)) = copies.iter().find(|&&(word, source)| is_other[word] && !is_other[source]) {
        is_other[source] = true;
    }
    let mut groups = DisjointSets::new(count);
    for &(word, source) in copies.iter().filter(|&&(word, source)| !is_other[word] && !is_other[source]) {
        groups.unite(word, source);
    }
    for word in 0..count {
        let first = groups.first(word);
        if first != word {
            let own = std::mem::take(&mut cuts[word]);
            cuts[first].extend(own);
        }
    }
    let mut longest = vec![0; count];
    for (word, list) in lists.iter().enumerate().filter(|&(word, _)| !is_other[word]) {
        let first = groups.first(word);
        longest[first] = longest[first].max(list.as_ref().map_or(usize::MAX, BTreeSet::len));
    }
    (0..count)
        .map(|word| {
            let first = groups.first(word);
            let starts: Vec<u128> = [0].into_iter().chain(cuts[first].iter().copied()).collect();
            let is_short = starts.len() <= MOST_RANGES && starts.len() < longest[first];
            (!is_other[word] && is_short).then_some(starts)
        })
        .collect()
}

/// How words are used.
struct Uses<'a> {
    terms: &'a Terms,
    numbers: &'a FxHashMap<Term, usize>,
    /// By word, the numbers at which a comparison changes; 0 and what is beyond the width are left out.
    cuts: Vec<BTreeSet<u128>>,
    /// Whether a word is used for something else.
    is_other: Vec<bool>,
    seen: FxHashSet<Term>,
}

impl Uses<'_> {
    /// Looks at a term and everything below it.
    fn look(&mut self, root: Term) {
        let mut todo = vec![root];
        while let Some(t) = todo.pop() {
            if let Some(&word) = self.numbers.get(&t) {
                self.is_other[word] = true;
                continue;
            }
            if !self.seen.insert(t) {
                continue;
            }
            let node = self.terms.node(t);
            match node {
                Node::Binary(op, a, b) if self.compares(op, a, b) => {}
                _ => todo.extend(node.operands().iter()),
            }
        }
    }

    /// Looks at the conditions of a term's ifs.
    fn look_at_conditions(&mut self, value: Term) {
        let mut seen = FxHashSet::default();
        let mut todo = vec![value];
        while let Some(t) = todo.pop() {
            if let Node::Ite(cond, yes, no) = self.terms.node(t)
                && seen.insert(t)
            {
                self.look(cond);
                todo.extend([yes, no]);
            }
        }
    }

    /// Whether an operation compares a word with a constant; if so, notes where the answer changes.
    fn compares(&mut self, op: BinaryOp, a: Term, b: Term) -> bool {
        let (word, constant, is_left) = match (self.numbers.get(&a), self.terms.as_const(b)) {
            (Some(&word), Some(constant)) => (word, constant, true),
            _ => match (self.terms.as_const(a), self.numbers.get(&b)) {
                (Some(constant), Some(&word)) => (word, constant, false),
                _ => return false,
            },
        };
        let width = self.terms.width(a);
        let signed = 1 << (width - 1);
        let cuts: Vec<u128> = match (op, is_left) {
            (BinaryOp::Eq, _) => vec![constant, constant.wrapping_add(1)],
            (BinaryOp::ULt, true) | (BinaryOp::ULe, false) => vec![constant],
            (BinaryOp::ULe, true) | (BinaryOp::ULt, false) => vec![constant.wrapping_add(1)],
            (BinaryOp::SLt, true) | (BinaryOp::SLe, false) => vec![constant, signed],
            (BinaryOp::SLe, true) | (BinaryOp::SLt, false) => vec![constant.wrapping_add(1), signed],
            _ => return false,
        };
        // At 128 bits the number behind the last one is 0, and nothing is beyond.
        let beyond = 1_u128.checked_shl(width.into()).unwrap_or(0);
        self.cuts[word].extend(cuts.into_iter().filter(|&cut| cut != 0 && (beyond == 0 || cut < beyond)));
        true
    }
}
