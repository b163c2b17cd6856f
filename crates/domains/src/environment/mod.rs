//! Values of many variables, one by one: the product of a value domain over variables (BOX of the paper's Table II, where
//! the values are [`Interval`]s).
//!
//! A persistent map: two states of a program share what they have in common, and operations cost what differs. A variable
//! that is not listed can have any value.

mod linear;

use crate::interval::Interval;
use crate::lattice::{Lattice, Thresholds};
use imbl::OrdMap;
use imbl::ordmap::DiffItem;
use std::fmt::Debug;

/// What is known of each variable.
#[derive(Clone, PartialEq, Debug)]
pub struct Environment<X: Ord + Clone, V: Clone + PartialEq> {
    /// None is top or bottom.
    values: OrdMap<X, V>,
    /// Whether there is no point at all; then nothing is listed.
    empty: bool,
}

/// Intervals with congruences.
pub type Boxes<X> = Environment<X, Interval>;

impl<X: Ord + Clone, V: Lattice> Environment<X, V> {
    /// Nothing is known.
    pub fn new() -> Self {
        Self { values: OrdMap::new(), empty: false }
    }

    /// No point.
    pub fn bottom() -> Self {
        Self { values: OrdMap::new(), empty: true }
    }

    /// What is known of a variable, if anything.
    pub fn get(&self, variable: &X) -> Option<&V> {
        self.values.get(variable)
    }

    /// A variable has one of these values; whatever it had before is forgotten.
    pub fn insert(&mut self, variable: X, value: V) {
        if value.is_bottom() {
            *self = Self::bottom();
        } else if value.is_top() {
            self.values.remove(&variable);
        } else if !self.empty {
            self.values.insert(variable, value);
        }
    }

    /// Nothing is known of a variable any more.
    pub fn remove(&mut self, variable: &X) {
        self.values.remove(variable);
    }

    /// The variables of which something is known.
    pub fn iter(&self) -> impl Iterator<Item = (&X, &V)> {
        self.values.iter()
    }

    /// Both, variable by variable.
    fn both(&self, other: &Self, both: impl Fn(&V, &V) -> V) -> Self {
        if self.empty || other.empty {
            return Self::bottom();
        }
        let mut values = self.values.clone();
        for item in self.values.diff(&other.values) {
            match item {
                DiffItem::Remove(..) => {}
                DiffItem::Add(variable, value) => {
                    values.insert(variable.clone(), value.clone());
                }
                DiffItem::Update { old: (variable, old), new: (_, new) } => {
                    let met = both(old, new);
                    if met.is_bottom() {
                        return Self::bottom();
                    }
                    values.insert(variable.clone(), met);
                }
            }
        }
        Self { values, empty: false }
    }
}

impl<X: Ord + Clone, V: Lattice> Default for Environment<X, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<X: Ord + Clone, V: Lattice> FromIterator<(X, V)> for Environment<X, V> {
    fn from_iter<T: IntoIterator<Item = (X, V)>>(values: T) -> Self {
        let mut all = Self::new();
        values.into_iter().for_each(|(variable, value)| all.insert(variable, value));
        all
    }
}

impl<X: Ord + Clone + Debug, V: Lattice> Lattice for Environment<X, V> {
    fn is_top(&self) -> bool {
        !self.empty && self.values.is_empty()
    }

    fn is_bottom(&self) -> bool {
        self.empty
    }

    fn leq(&self, other: &Self) -> bool {
        if self.empty || other.empty {
            return self.empty;
        }
        self.values.diff(&other.values).all(|item| match item {
            DiffItem::Add(..) => false,
            DiffItem::Remove(..) => true,
            DiffItem::Update { old: (_, old), new: (_, new) } => old.leq(new),
        })
    }

    fn join(&self, other: &Self) -> Self {
        self.grown(other, None).unwrap_or_else(|| self.clone())
    }

    fn meet(&self, other: &Self) -> Self {
        self.both(other, V::meet)
    }

    fn widen(&self, newer: &Self, thresholds: &Thresholds) -> Self {
        self.grown(newer, Some(thresholds)).unwrap_or_else(|| self.clone())
    }

    fn narrow(&self, newer: &Self) -> Self {
        self.both(newer, V::narrow)
    }

    /// One pass over what differs, instead of one to compare and one to join.
    fn grown(&self, newer: &Self, widening: Option<&Thresholds>) -> Option<Self> {
        if self.empty || newer.empty {
            return (self.empty && !newer.empty).then(|| newer.clone());
        }
        let mut values = self.values.clone();
        let mut changed = false;
        for item in self.values.diff(&newer.values) {
            match item {
                DiffItem::Add(..) => {}
                DiffItem::Remove(variable, _) => {
                    values.remove(variable);
                    changed = true;
                }
                DiffItem::Update { old: (variable, old), new: (_, new) } => {
                    let Some(grown) = old.grown(new, widening) else { continue };
                    changed = true;
                    if grown.is_top() {
                        values.remove(variable);
                    } else {
                        values.insert(variable.clone(), grown);
                    }
                }
            }
        }
        changed.then_some(Self { values, empty: false })
    }
}
