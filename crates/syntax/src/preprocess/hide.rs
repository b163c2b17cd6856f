//! Hide sets: the macros that must not be expanded in a token because it came out of them.
//!
//! A set is a list of names in a table, shared by all tokens with the same history; equal histories give equal sets.

use crate::Symbol;
use rustc_hash::{FxHashMap, FxHashSet};

/// A hide set; zero is the empty one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct HideSet(u32);

/// Longest chain of macros that expand to each other; keeps the walks along the lists short.
const MAX_LENGTH: u32 = 10_000;

struct Node {
    name: Symbol,
    rest: HideSet,
    length: u32,
}

/// All hide sets.
pub(super) struct HideSets {
    nodes: Vec<Node>,
    added: FxHashMap<(HideSet, Symbol), HideSet>,
    united: FxHashMap<(HideSet, HideSet), HideSet>,
}

impl HideSets {
    pub(super) fn new() -> Self {
        Self { nodes: Vec::new(), added: FxHashMap::default(), united: FxHashMap::default() }
    }

    fn iter(&self, set: HideSet) -> impl Iterator<Item = Symbol> {
        let mut at = set;
        std::iter::from_fn(move || {
            let node = self.nodes.get(at.0.checked_sub(1)? as usize)?;
            at = node.rest;
            Some(node.name)
        })
    }

    pub(super) fn contains(&self, set: HideSet, name: Symbol) -> bool {
        self.iter(set).any(|hidden| hidden == name)
    }

    /// The set with a further name; `None` if it would be too large.
    pub(super) fn add(&mut self, set: HideSet, name: Symbol) -> Option<HideSet> {
        if self.contains(set, name) {
            return Some(set);
        }
        if let Some(&known) = self.added.get(&(set, name)) {
            return Some(known);
        }
        let length = set.0.checked_sub(1).map_or(0, |index| self.nodes[index as usize].length) + 1;
        if length > MAX_LENGTH {
            return None;
        }
        self.nodes.push(Node { name, rest: set, length });
        let new = HideSet(self.nodes.len() as u32);
        self.added.insert((set, name), new);
        Some(new)
    }

    pub(super) fn union(&mut self, a: HideSet, b: HideSet) -> Option<HideSet> {
        if a == b || a == HideSet::default() {
            return Some(b);
        }
        if let Some(&known) = self.united.get(&(a, b)) {
            return Some(known);
        }
        let names: Vec<Symbol> = self.iter(a).collect();
        let union = names.into_iter().rev().try_fold(b, |set, name| self.add(set, name))?;
        self.united.insert((a, b), union);
        Some(union)
    }

    pub(super) fn intersection(&mut self, a: HideSet, b: HideSet) -> Option<HideSet> {
        if a == b {
            return Some(a);
        }
        let other: FxHashSet<Symbol> = self.iter(b).collect();
        let names: Vec<Symbol> = self.iter(a).filter(|name| other.contains(name)).collect();
        names.into_iter().rev().try_fold(HideSet::default(), |set, name| self.add(set, name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Interner;

    #[test]
    fn sets() {
        let mut names = Interner::new();
        let [a, b, c] = ["a", "b", "c"].map(|name| names.intern(name));
        let mut sets = HideSets::new();
        let of = |sets: &mut HideSets, names: &[Symbol]| {
            names.iter().try_fold(HideSet::default(), |set, &name| sets.add(set, name)).expect("small")
        };
        let (ab, bc) = (of(&mut sets, &[a, b]), of(&mut sets, &[b, c]));
        assert_eq!(of(&mut sets, &[a, b, a]), ab);
        let union = sets.union(ab, bc).expect("small");
        let both = sets.intersection(ab, bc).expect("small");
        for (name, in_union, in_both) in [(a, true, false), (b, true, true), (c, true, false)] {
            assert_eq!(sets.contains(union, name), in_union);
            assert_eq!(sets.contains(both, name), in_both);
        }
        assert_eq!(sets.union(ab, HideSet::default()).map(|set| sets.iter(set).count()), Some(2));
    }
}
