//! Live words (Section 5.2, Definition 2), on the model itself: a word matters at a location if a guard depends on it, or a word
//! that matters where an exit leads to. An assignment ends what mattered before.

use super::Model;
use robusto_logic::{Symbol, Term, Terms};
use rustc_hash::FxHashMap;

/// A set of words.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct WordSet(Vec<u64>);

impl WordSet {
    /// No word of so many.
    pub fn new(words: usize) -> Self {
        Self(vec![0; words.div_ceil(64)])
    }

    /// All words of so many.
    pub fn full(words: usize) -> Self {
        let mut set = Self::new(words);
        (0..words).for_each(|word| set.insert(word));
        set
    }

    /// Whether a word is in it.
    pub fn contains(&self, word: usize) -> bool {
        self.0[word / 64] >> (word % 64) & 1 == 1
    }

    /// Adds a word.
    pub fn insert(&mut self, word: usize) {
        self.0[word / 64] |= 1 << (word % 64);
    }

    fn remove(&mut self, word: usize) {
        self.0[word / 64] &= !(1 << (word % 64));
    }

    /// Adds all words of another set; whether there was a new one.
    pub fn unite(&mut self, other: &Self) -> bool {
        let mut grows = false;
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            grows |= *other & !*own != 0;
            *own |= other;
        }
        grows
    }

    /// The words, ascending.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.0.len() * 64).filter(|&word| self.contains(word))
    }
}

/// The words that terms depend on, each term looked at once.
pub(super) struct Uses {
    words: FxHashMap<Symbol, usize>,
    known: FxHashMap<Term, WordSet>,
    count: usize,
}

impl Uses {
    pub fn new(model: &Model) -> Self {
        let symbol = |t: Term| model.terms.as_symbol(t).expect("words have symbols");
        let words = model.words.iter().enumerate().map(|(number, word)| (symbol(word.symbol), number)).collect();
        Self { words, known: FxHashMap::default(), count: model.words.len() }
    }

    pub fn of(&mut self, terms: &Terms, t: Term) -> &WordSet {
        self.known.entry(t).or_insert_with(|| {
            let mut set = WordSet::new(self.count);
            let words = terms.symbols(t).into_iter().filter_map(|symbol| self.words.get(&symbol));
            words.for_each(|&word| set.insert(word));
            set
        })
    }
}

impl Model {
    /// Computes what is live, and drops words that never are, and assignments to words that are not live where they lead;
    /// these are kept for a comparison.
    pub(super) fn forget_dead_words(&mut self, keep_assignments: bool) {
        self.find_live();
        let mut ever = WordSet::new(self.words.len());
        self.live.iter().for_each(|set| {
            ever.unite(set);
        });
        let live_at = |location: usize| if keep_assignments { &ever } else { &self.live[location] };
        for exit in self.exits.iter_mut().flatten() {
            exit.assign.retain(|&(word, _)| live_at(exit.to).contains(word));
        }
        self.start.retain(|&(word, _)| live_at(0).contains(word));
        let mut numbers = vec![usize::MAX; self.words.len()];
        for (new, old) in ever.iter().enumerate() {
            numbers[old] = new;
        }
        let mut number = 0;
        self.words.retain(|_| {
            number += 1;
            ever.contains(number - 1)
        });
        let all = self.exits.iter_mut().flatten().flat_map(|exit| &mut exit.assign).chain(&mut self.start);
        all.for_each(|(word, _)| *word = numbers[*word]);
        for set in &mut self.live {
            let mut renumbered = WordSet::new(self.words.len());
            set.iter().for_each(|word| renumbered.insert(numbers[word]));
            *set = renumbered;
        }
    }

    /// A fixpoint over the locations, backwards.
    fn find_live(&mut self) {
        let mut uses = Uses::new(self);
        let words = self.words.len();
        let mut live = vec![WordSet::new(words); self.places.len()];
        let mut sources: Vec<Vec<usize>> = vec![Vec::new(); self.places.len()];
        for (from, exit) in self.exits.iter().enumerate().flat_map(|(from, b)| b.iter().map(move |exit| (from, exit))) {
            sources[exit.to].push(from);
        }
        let mut waits = vec![true; self.places.len()];
        // Ends come last in the order of discovery, so that the last location is a good one to begin with.
        let mut todo: Vec<usize> = (0..self.places.len()).collect();
        while let Some(at) = todo.pop() {
            waits[at] = false;
            let mut before = live[at].clone();
            for exit in &self.exits[at] {
                before.unite(uses.of(&self.terms, exit.guard));
                let mut through = live[exit.to].clone();
                for &(word, value) in &exit.assign {
                    if live[exit.to].contains(word) {
                        through.remove(word);
                        before.unite(uses.of(&self.terms, value));
                    }
                }
                before.unite(&through);
            }
            if before != live[at] {
                live[at] = before;
                for &source in &sources[at] {
                    if !std::mem::replace(&mut waits[source], true) {
                        todo.push(source);
                    }
                }
            }
        }
        self.live = live;
    }
}
