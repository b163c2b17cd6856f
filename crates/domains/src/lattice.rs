//! The operations that every domain has.
//!
//! Named as in Gurfinkel, Chaki: *Combining predicate and numeric abstraction for software model checking*, Figure 3
//! (`ABSDOM`): an element stands for a set γ(a) of concrete values, or of points.

use robusto_cfa::ir::fold;
use std::collections::BTreeMap;
use std::fmt::Debug;

/// An element of an abstract domain. γ need not be injective; `==` is `leq` in both directions.
///
/// | the paper | here | law |
/// |---|---|---|
/// | isTop, isBot | [`is_top`](Lattice::is_top), [`is_bottom`](Lattice::is_bottom) | γ(a) is everything, nothing |
/// | leq | [`leq`](Lattice::leq) | a partial order; a ⊑ b only if γ(a) ⊆ γ(b) |
/// | join, meet | [`join`](Lattice::join), [`meet`](Lattice::meet) | γ(a) ∪ γ(b) ⊆ γ(a ⊔ b), γ(a) ∩ γ(b) ⊆ γ(a ⊓ b); least and greatest |
/// | widen | [`widen`](Lattice::widen) | a ⊔ b ⊑ a ∇ b, and no chain of widenings grows for ever |
/// | narrow | [`narrow`](Lattice::narrow) | γ(a) ∩ γ(b) ⊆ γ(a △ b), a △ b ⊑ a |
pub trait Lattice: Clone + PartialEq + Debug {
    /// Whether nothing is excluded.
    fn is_top(&self) -> bool;

    /// Whether there is no value.
    fn is_bottom(&self) -> bool;

    /// Whether every value is one of `other`'s, as far as the representation tells.
    fn leq(&self, other: &Self) -> bool;

    /// The least element with all values of both.
    fn join(&self, other: &Self) -> Self;

    /// The greatest element below both: their common values.
    fn meet(&self, other: &Self) -> Self;

    /// At least the join; every chain of widenings is finite. Bounds that move may rest at a threshold.
    fn widen(&self, newer: &Self, thresholds: &Thresholds) -> Self;

    /// Between `newer`, which should be a subset, and this element. The caller bounds the number of times.
    fn narrow(&self, newer: &Self) -> Self {
        self.meet(newer)
    }

    /// The join, or the widening if there are thresholds; `None` if `newer` adds nothing.
    fn grown(&self, newer: &Self, widening: Option<&Thresholds>) -> Option<Self> {
        if newer.leq(self) {
            return None;
        }
        Some(match widening {
            Some(thresholds) => self.widen(newer, thresholds),
            None => self.join(newer),
        })
    }
}

/// Where widening may stop: values by their width, ascending as unsigned numbers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Thresholds {
    by_width: BTreeMap<u32, Vec<u64>>,
}

impl Thresholds {
    /// None: what moves is given up.
    pub const NONE: Thresholds = Thresholds { by_width: BTreeMap::new() };

    /// The values of a width.
    pub fn at(&self, width: u32) -> &[u64] {
        self.by_width.get(&width).map_or(&[], Vec::as_slice)
    }

    /// As ideal integers, ascending: those of all widths, read as signed and as unsigned numbers.
    pub fn integers(&self) -> Vec<i128> {
        let values = self.by_width.iter().flat_map(|(&width, list)| list.iter().map(move |&bits| (width, bits)));
        let mut all: Vec<i128> =
            values.flat_map(|(width, bits)| [i128::from(bits), i128::from(fold::signed(width, bits))]).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

impl FromIterator<(u32, u64)> for Thresholds {
    fn from_iter<T: IntoIterator<Item = (u32, u64)>>(values: T) -> Self {
        let mut by_width: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
        for (width, bits) in values {
            by_width.entry(width).or_default().push(bits);
        }
        for list in by_width.values_mut() {
            list.sort_unstable();
            list.dedup();
        }
        Self { by_width }
    }
}
