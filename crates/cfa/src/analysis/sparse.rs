//! Sets of indices as sorted lists of 64-bit words.
//!
//! Variables of one function, and targets found together, have numbers close to each other; so a set needs a few
//! words however many indices the program has, and union and difference run over words.

use crate::ir::Idx;
use std::cmp::Ordering;
use std::fmt;
use std::marker::PhantomData;

/// A set of indices.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct SparseSet<I> {
    /// Word number and non-zero word, ascending.
    words: Vec<(u32, u64)>,
    index: PhantomData<fn(I)>,
}

impl<I> Default for SparseSet<I> {
    fn default() -> Self {
        Self { words: Vec::new(), index: PhantomData }
    }
}

fn split<I: Idx>(index: I) -> (u32, u64) {
    ((index.index() / 64) as u32, 1 << (index.index() % 64))
}

impl<I: Idx> SparseSet<I> {
    /// The empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Number of members.
    pub fn len(&self) -> usize {
        self.words.iter().map(|(_, bits)| bits.count_ones() as usize).sum()
    }

    /// Whether the index is in it.
    pub fn contains(&self, index: I) -> bool {
        let (word, bit) = split(index);
        self.words.binary_search_by_key(&word, |w| w.0).is_ok_and(|at| self.words[at].1 & bit != 0)
    }

    /// Adds an index; says whether it is new.
    pub fn insert(&mut self, index: I) -> bool {
        let (word, bit) = split(index);
        match self.words.binary_search_by_key(&word, |w| w.0) {
            Ok(at) => {
                let new = self.words[at].1 & bit == 0;
                self.words[at].1 |= bit;
                new
            }
            Err(at) => {
                self.words.insert(at, (word, bit));
                true
            }
        }
    }

    /// Removes an index; says whether it was there.
    pub fn remove(&mut self, index: I) -> bool {
        let (word, bit) = split(index);
        let Ok(at) = self.words.binary_search_by_key(&word, |w| w.0) else { return false };
        let was = self.words[at].1 & bit != 0;
        self.words[at].1 &= !bit;
        if self.words[at].1 == 0 {
            self.words.remove(at);
        }
        was
    }

    /// Removes everything.
    pub fn clear(&mut self) {
        self.words.clear();
    }

    /// Makes it equal to another set, in the memory that it has.
    pub fn copy_from(&mut self, other: &Self) {
        self.words.clone_from(&other.words);
    }

    /// Adds all members of another set; says whether there are new ones.
    pub fn union_with(&mut self, other: &Self) -> bool {
        self.union_into(other, None)
    }

    /// Adds all members of another set, and those that are new to `fresh` as well; says whether there are any.
    pub fn union_recording(&mut self, other: &Self, fresh: &mut Self) -> bool {
        self.union_into(other, Some(fresh))
    }

    fn union_into(&mut self, other: &Self, mut fresh: Option<&mut Self>) -> bool {
        let mut news: Vec<(u32, u64)> = Vec::new();
        let mut missing = 0;
        let mut at = 0;
        if self.words.is_empty() && fresh.is_none() {
            self.copy_from(other);
            return !other.is_empty();
        }
        for &(word, bits) in &other.words {
            // Mostly the sets have the same words.
            if self.words.get(at).is_some_and(|w| w.0 < word) {
                at += 1;
            }
            if self.words.get(at).is_some_and(|w| w.0 < word) {
                at += self.words[at..].partition_point(|w| w.0 < word);
            }
            match self.words.get_mut(at) {
                Some(mine) if mine.0 == word => {
                    let new = bits & !mine.1;
                    if new != 0 {
                        mine.1 |= new;
                        news.push((word, new));
                    }
                }
                _ => {
                    missing += 1;
                    news.push((word, bits));
                }
            }
        }
        if missing > 0 {
            self.merge(&news, missing);
        }
        if let Some(fresh) = &mut fresh
            && !news.is_empty()
        {
            let missing = fresh.count_missing(&news);
            fresh.merge(&news, missing);
        }
        !news.is_empty()
    }

    fn count_missing(&self, news: &[(u32, u64)]) -> usize {
        news.iter().filter(|(word, _)| self.words.binary_search_by_key(word, |w| w.0).is_err()).count()
    }

    /// Merges sorted words in place, from the back; `missing` of them have no counterpart.
    fn merge(&mut self, news: &[(u32, u64)], missing: usize) {
        let mut mine = self.words.len();
        let mut other = news.len();
        let mut to = mine + missing;
        self.words.resize(to, (0, 0));
        while other > 0 {
            let new = news[other - 1];
            to -= 1;
            match mine.checked_sub(1).map_or(Ordering::Less, |m| self.words[m].0.cmp(&new.0)) {
                Ordering::Less => {
                    self.words[to] = new;
                    other -= 1;
                }
                Ordering::Equal => {
                    self.words[to] = (new.0, self.words[mine - 1].1 | new.1);
                    mine -= 1;
                    other -= 1;
                }
                Ordering::Greater => {
                    self.words[to] = self.words[mine - 1];
                    mine -= 1;
                }
            }
        }
    }

    /// The members that are not in another set.
    pub fn difference(&self, other: &Self) -> Self {
        self.zip(other, |mine, theirs| mine & !theirs)
    }

    /// The members that are in another set as well.
    pub fn intersection(&self, other: &Self) -> Self {
        self.zip(other, |mine, theirs| mine & theirs)
    }

    fn zip(&self, other: &Self, combine: impl Fn(u64, u64) -> u64) -> Self {
        let mut at = 0;
        let words = self.words.iter().filter_map(|&(word, bits)| {
            at += other.words[at..].partition_point(|w| w.0 < word);
            let theirs = other.words.get(at).filter(|w| w.0 == word).map_or(0, |w| w.1);
            Some((word, combine(bits, theirs))).filter(|w| w.1 != 0)
        });
        Self { words: words.collect(), index: PhantomData }
    }

    /// The members, ascending.
    pub fn iter(&self) -> impl Iterator<Item = I> + '_ {
        self.words.iter().flat_map(|&(word, bits)| {
            std::iter::successors(Some(bits), |&b| Some(b & b.wrapping_sub(1)))
                .take_while(|&b| b != 0)
                .map(move |b| I::new(word as usize * 64 + b.trailing_zeros() as usize))
        })
    }
}

impl<I: Idx> FromIterator<I> for SparseSet<I> {
    fn from_iter<It: IntoIterator<Item = I>>(iter: It) -> Self {
        let mut set = Self::new();
        set.extend(iter);
        set
    }
}

impl<I: Idx> Extend<I> for SparseSet<I> {
    fn extend<It: IntoIterator<Item = I>>(&mut self, iter: It) {
        for index in iter {
            self.insert(index);
        }
    }
}

impl<I: Idx> fmt::Debug for SparseSet<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::VarId;
    use robusto_testing::Random;
    use std::collections::BTreeSet;

    #[test]
    fn agrees_with_a_plain_set() {
        let mut random = Random::new(5);
        for _ in 0..500 {
            let mut set =
                |n: usize| -> BTreeSet<VarId> { (0..random.below(n)).map(|_| VarId::new(random.below(600))).collect() };
            let (a, b, c) = (set(30), set(30), set(10));
            let sparse = |s: &BTreeSet<VarId>| s.iter().copied().collect::<SparseSet<VarId>>();
            let same = |x: &SparseSet<VarId>, y: &BTreeSet<VarId>| {
                assert!(x.iter().eq(y.iter().copied()), "{x:?} and {y:?}");
                assert_eq!(x.len(), y.len());
                assert!(x.words.iter().all(|w| w.1 != 0));
            };
            let (mut sum, mut fresh) = (sparse(&a), sparse(&c));
            assert_eq!(sum.union_recording(&sparse(&b), &mut fresh), !b.is_subset(&a));
            same(&sum, &(&a | &b));
            same(&fresh, &(&c | &(&b - &a)));
            same(&sparse(&a).difference(&sparse(&b)), &(&a - &b));
            same(&sparse(&a).intersection(&sparse(&b)), &(&a & &b));
            let (mut x, mut y) = (sparse(&a), a.clone());
            for &i in &b {
                assert_eq!(x.remove(i), y.remove(&i));
            }
            same(&x, &y);
        }
    }
}
