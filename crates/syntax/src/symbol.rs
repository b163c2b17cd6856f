//! Interned names.

use rustc_hash::FxHashMap;

/// An interned identifier or string.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Symbol(u32);

/// Gives each distinct text one [`Symbol`].
#[derive(Default, Debug)]
pub struct Interner {
    ids: FxHashMap<Box<str>, Symbol>,
    texts: Vec<Box<str>>,
}

impl Interner {
    /// An interner that knows no text yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The symbol of `text`, a new one if the text is new.
    pub fn intern(&mut self, text: &str) -> Symbol {
        if let Some(&id) = self.ids.get(text) {
            return id;
        }
        let id = Symbol(u32::try_from(self.texts.len()).expect("fewer than 2^32 symbols"));
        self.texts.push(text.into());
        self.ids.insert(text.into(), id);
        id
    }

    /// The symbol of `text` if it was interned before.
    pub fn get(&self, text: &str) -> Option<Symbol> {
        self.ids.get(text).copied()
    }

    /// The text of a symbol.
    pub fn text(&self, symbol: Symbol) -> &str {
        &self.texts[symbol.0 as usize]
    }
}
