//! Replacing subterms.

use super::{Node, Symbol, Term, Terms};
use rustc_hash::FxHashMap;

/// What to replace by what, with the results so far: applying one substitution to several terms that share subterms
/// rebuilds the shared ones once. The replacements are simultaneous; what is put in is not looked at again.
#[derive(Clone, Default, Debug)]
pub struct Substitution {
    map: FxHashMap<Term, Term>,
    memo: FxHashMap<Term, Term>,
}

impl Substitution {
    /// The substitution that changes nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Replaces a term (most often a symbol) by another of the same sort. Forgets the results so far.
    pub fn insert(&mut self, from: Term, to: Term) {
        if !self.memo.is_empty() {
            self.memo.clear();
        }
        self.map.insert(from, to);
    }

    /// Replaces a symbol by a term of the same sort.
    pub fn insert_symbol(&mut self, terms: &Terms, from: Symbol, to: Term) {
        self.insert(terms.symbol_term(from), to);
    }

    /// Replaces a symbol that no term has that was replaced so far; so the results stay.
    pub fn insert_new(&mut self, terms: &Terms, from: Symbol, to: Term) {
        let from = terms.symbol_term(from);
        debug_assert!(!self.memo.contains_key(&from), "the symbol was seen before");
        self.map.insert(from, to);
    }

    /// What a term is replaced by, if it is.
    pub fn get(&self, from: Term) -> Option<Term> {
        self.map.get(&from).copied()
    }

    /// Whether nothing is replaced.
    pub fn is_empty(&self) -> bool {
        self.map.is_empty()
    }

    fn done(&self, t: Term) -> Option<Term> {
        self.map.get(&t).or_else(|| self.memo.get(&t)).copied()
    }
}

impl Terms {
    /// The term with the replacements made, simplified as it is rebuilt.
    pub fn substitute(&mut self, t: Term, map: &mut Substitution) -> Term {
        if map.is_empty() {
            return t;
        }
        let mut stack = vec![t];
        while let Some(&top) = stack.last() {
            if map.done(top).is_some() {
                stack.pop();
                continue;
            }
            let node = self.node(top);
            if let Node::Const { .. } | Node::Symbol(_) = node {
                map.memo.insert(top, top);
                stack.pop();
                continue;
            }
            let operands = node.operands();
            let mut new = operands;
            let pending = stack.len();
            for (old, slot) in operands.iter().zip(new.iter_mut()) {
                match map.done(*old) {
                    Some(done) => *slot = done,
                    None => stack.push(*old),
                }
            }
            if stack.len() == pending {
                stack.pop();
                let result = if *new == *operands { top } else { self.build(node.with_operands(&new)) };
                map.memo.insert(top, result);
            }
        }
        map.done(t).expect("the root is rebuilt last")
    }
}
