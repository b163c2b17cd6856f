//! Models by hand, for tests: a few words, locations with numbers, exits.

use super::{Code, Exit, Model, Narrowed, Place, Word};
use robusto_analyses::symbolic::Cell;
use robusto_cfa::ir::{FuncId, Idx as _, LocId, VarId};
use robusto_cpa::control::Location;
use robusto_logic::{Sort, Term, Terms};

/// A model that is being written.
pub(crate) struct ByHand {
    pub terms: Terms,
    words: Vec<Word>,
    exits: Vec<Vec<Exit>>,
    start: Vec<(usize, Term)>,
}

impl ByHand {
    /// So many locations, and words with their names and bits.
    pub fn new(locations: usize, words: &[(&str, u16)]) -> Self {
        let mut terms = Terms::new();
        let word = |(number, &(name, bits)): (usize, &(&str, u16))| Word {
            name: name.to_owned(),
            symbol: terms.symbol(name, Sort::Bits(bits)),
            cell: Cell::Var(VarId::new(number), 0),
            address: None,
            code: Code::Plain,
        };
        let words = words.iter().enumerate().map(word).collect();
        Self { terms, words, exits: vec![Vec::new(); locations], start: Vec::new() }
    }

    /// The value of a word.
    pub fn word(&self, name: &str) -> Term {
        self.words[self.number(name)].symbol
    }

    /// A constant for a word.
    pub fn constant(&mut self, name: &str, value: u128) -> Term {
        let width = self.terms.width(self.word(name));
        self.terms.constant(width, value)
    }

    /// Whether a word has a value.
    pub fn is(&mut self, name: &str, value: u128) -> Term {
        let (word, value) = (self.word(name), self.constant(name, value));
        self.terms.eq(word, value)
    }

    /// What a word has at the start.
    pub fn start(&mut self, name: &str, value: u128) {
        let value = self.constant(name, value);
        self.start.push((self.number(name), value));
    }

    /// The only exit of a location.
    pub fn step(&mut self, from: usize, to: usize, assign: &[(&str, Term)]) {
        self.exit(from, self.terms.yes(), to, assign);
    }

    /// An exit of a location.
    pub fn exit(&mut self, from: usize, guard: Term, to: usize, assign: &[(&str, Term)]) {
        let assign = assign.iter().map(|&(name, value)| (self.number(name), value)).collect();
        self.exits[from].push(Exit { guard, to, assign, steps: Vec::new() });
    }

    /// Two exits that do the same, told apart by a word: so it matters here.
    pub fn observe(&mut self, word: &str, from: usize, to: usize, assign: &[(&str, Term)]) {
        let is_zero = self.is(word, 0);
        let is_not = self.terms.not(is_zero);
        self.exit(from, is_zero, to, assign);
        self.exit(from, is_not, to, assign);
    }

    /// The model, in which assignments to dead words are kept.
    pub fn finish(self) -> Model {
        let place = |location: usize| {
            Place::Control(Vec::new(), Location { function: FuncId::new(0), loc: LocId::new(location) })
        };
        let mut model = Model {
            terms: self.terms,
            groups: (0..self.words.len()).map(|word| vec![word]).collect(),
            words: self.words,
            places: (0..self.exits.len()).map(place).collect(),
            exits: self.exits,
            start: self.start,
            live: Vec::new(),
            approximations: Vec::new(),
            narrowed: Narrowed::default(),
        };
        let words = model.words.len();
        model.forget_dead_words(true);
        assert_eq!(model.words.len(), words, "all words matter somewhere");
        model
    }

    fn number(&self, name: &str) -> usize {
        self.words.iter().position(|word| word.name == name).expect("a name of a word")
    }
}

/// Figure 3(b) with `L1` as location 0 and so on, one statement a block. Nothing uses `s`, but Table 2 keeps it: it is observed
/// everywhere.
pub(crate) fn figure_3b() -> Model {
    let mut m = ByHand::new(7, &[("x", 4), ("y", 4), ("s", 4)]);
    let (x, y) = (m.word("x"), m.word("y"));
    let (x0, x7, y0, y8) = (m.constant("x", 0), m.constant("x", 7), m.constant("y", 0), m.constant("y", 8));
    m.observe("s", 0, 1, &[("x", x0), ("y", y0)]);
    m.observe("s", 1, 2, &[("x", x7)]);
    m.observe("s", 2, 3, &[("s", x)]);
    m.observe("s", 3, 4, &[("y", y8)]);
    m.observe("s", 4, 5, &[("s", y)]);
    m.observe("s", 5, 1, &[]);
    m.finish()
}
