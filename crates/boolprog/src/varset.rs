//! Sets of variables of a frame.

use crate::program::VarId;

/// A set of variables.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct VarSet {
    words: Vec<u64>,
}

impl VarSet {
    /// The variables of this list.
    pub fn of(vars: impl IntoIterator<Item = VarId>) -> Self {
        let mut set = Self::default();
        set.extend(vars);
        set
    }

    /// Adds a variable; tells whether it is new.
    pub fn insert(&mut self, var: VarId) -> bool {
        let (word, bit) = (var.index() / 64, 1 << (var.index() % 64));
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        let new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        new
    }

    /// Adds the variables.
    pub fn extend(&mut self, vars: impl IntoIterator<Item = VarId>) {
        for var in vars {
            self.insert(var);
        }
    }

    /// Takes a variable out.
    pub fn remove(&mut self, var: VarId) {
        if let Some(word) = self.words.get_mut(var.index() / 64) {
            *word &= !(1 << (var.index() % 64));
        }
    }

    /// Whether a variable is in it.
    pub fn contains(&self, var: VarId) -> bool {
        self.words.get(var.index() / 64).is_some_and(|word| word & (1 << (var.index() % 64)) != 0)
    }

    /// Adds all of the other; tells whether any was new.
    pub fn union(&mut self, other: &VarSet) -> bool {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        let mut grown = false;
        for (word, more) in self.words.iter_mut().zip(&other.words) {
            grown |= more & !*word != 0;
            *word |= more;
        }
        grown
    }

    /// Takes all of the other out.
    pub fn subtract(&mut self, other: &VarSet) {
        for (word, less) in self.words.iter_mut().zip(&other.words) {
            *word &= !less;
        }
    }

    /// The variables, ascending.
    pub fn iter(&self) -> impl Iterator<Item = VarId> + '_ {
        self.words.iter().enumerate().flat_map(|(i, &word)| {
            (0..64).filter(move |bit| word & (1 << bit) != 0).map(move |bit| VarId((i * 64 + bit) as u32))
        })
    }
}
