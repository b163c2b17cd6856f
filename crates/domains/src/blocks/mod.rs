//! Relational domains, decomposed: variables that do not depend on each other stand in different blocks.
//!
//! Singh, Püschel, Vechev: *Making numerical program analysis fast*, PLDI 2015 (octagons), and *Fast polyhedra abstract
//! domain*, POPL 2017. Operations cost what the blocks cost that they touch; the others are shared with the operands. Both
//! domains need the same bookkeeping, so it is here once, and a domain is a [`Block`]: points of a few variables.
//!
//! | operation | blocks of the result |
//! |---|---|
//! | meet | those of both, merged where they overlap |
//! | join, widen | where both have the same points: as it is; all others merged into one, because the hull relates what changes together |
//! | assign | those of the variables on a right side, merged with the assigned variable, which leaves its old block |
//! | assume | those of the variables in the constraint, merged |
//!
//! Then each new block is split again as far as its constraints tell ([`Block::split`]). Nothing is lost by all this: an
//! element has the points that it would have with one block.

mod lattice;
mod transfer;

use crate::ideal::{Constraint, Sum};
use crate::lattice::Thresholds;
use dashu_int::IBig;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::Arc;

/// A set of points with so many integer coordinates, at least one of which is in it.
pub trait Block: Clone + Debug {
    /// All points.
    fn universe(dimensions: usize) -> Self;

    /// Whether nothing is excluded.
    fn is_universe(&self) -> bool;

    /// The product of blocks, with the coordinates that those of each become; what is not named can have any value.
    fn product(parts: &[(&Self, Vec<usize>)], dimensions: usize) -> Self;

    /// Whether a point is in it.
    fn contains(&self, point: &[i128]) -> bool;

    /// Whether every point is one of `other`'s.
    fn leq(&self, other: &Self) -> bool;

    /// The least block with the points of both.
    fn join(&self, other: &Self) -> Self;

    /// The common points; none if there is no integer point.
    fn meet(&self, other: &Self) -> Option<Self>;

    /// At least the join; every chain of widenings is finite.
    fn widen(&self, newer: &Self, thresholds: &Thresholds) -> Self;

    /// The points that satisfy some constraints, which are `AtMost` or `Equal`, and perhaps more; none if there is no integer
    /// point.
    fn restrict(&self, constraints: &[Constraint<usize>]) -> Option<Self>;

    /// The points whose coordinates are the values of these sums.
    fn image(&self, sums: &[Sum<usize>]) -> Self;

    /// The least upper bound of a sum, if there is one.
    fn supremum(&self, sum: &Sum<usize>) -> Option<Ratio>;

    /// Constraints that describe the block. `None` stands for one whose coefficients are beyond 128 bits.
    fn constraints(&self) -> Vec<Option<Constraint<usize>>>;

    /// Whether numbers of more than 64 bits are in use.
    fn is_long(&self) -> bool {
        false
    }

    /// Computes what it is, if that has been put off.
    fn settle(&self) {}

    /// Independent parts with their coordinates; those that can have any value are left out.
    fn split(self) -> Vec<(Vec<usize>, Self)>;
}

/// A rational number with a positive denominator.
#[derive(Clone, Debug)]
pub struct Ratio {
    /// Above the line.
    pub numerator: IBig,
    /// Below the line.
    pub denominator: IBig,
}

/// Points, in blocks.
#[derive(Clone, Debug)]
pub struct Blocks<X, B> {
    /// By first variable, with disjoint variables. None if there is no point.
    parts: Option<Vec<Arc<Part<X, B>>>>,
}

#[derive(Debug)]
struct Part<X, B> {
    /// Ascending: the coordinates of the block.
    variables: Vec<X>,
    block: B,
}

impl<X: Copy + Ord + Debug, B: Block> Blocks<X, B> {
    const BOTTOM: Self = Self { parts: None };

    /// From parts with disjoint variables, in any order.
    fn of(mut parts: Vec<Arc<Part<X, B>>>) -> Self {
        parts.sort_by_key(|part| part.variables.first().copied());
        Self { parts: Some(parts) }
    }

    /// The same, with everything computed that has been put off, and with the smallest groups.
    pub fn settled(&self) -> Self {
        let Some(mine) = &self.parts else { return Self::BOTTOM };
        let mut parts = Vec::new();
        for part in mine {
            part.block.settle();
            scatter(&part.variables, part.block.clone(), &mut parts);
        }
        Self::of(parts)
    }

    /// How the variables are grouped. Those that can have any value are in no group.
    pub fn groups(&self) -> impl Iterator<Item = &[X]> {
        self.parts.iter().flatten().map(|part| part.variables.as_slice())
    }

    #[cfg(test)]
    pub(crate) fn blocks(&self) -> impl Iterator<Item = &B> {
        self.parts.iter().flatten().map(|part| &part.block)
    }
}

/// The parts that have one of these variables.
fn touched<'p, X: Ord, B>(parts: &'p [Arc<Part<X, B>>], variables: &[X]) -> Vec<&'p Arc<Part<X, B>>> {
    let has = |part: &Part<X, B>| variables.iter().any(|x| part.variables.binary_search(x).is_ok());
    parts.iter().filter(|part| has(part)).collect()
}

/// The product of some parts, whose variables are among those given, ascending.
fn gather<'p, X: Copy + Ord, B: Block>(parts: &[&'p Arc<Part<X, B>>], variables: &[X]) -> Cow<'p, B> {
    if let [part] = parts
        && part.variables == variables
    {
        return Cow::Borrowed(&part.block);
    }
    let place = |x: &X| variables.binary_search(x).expect("the parts' variables are among those given");
    let placed: Vec<(&B, Vec<usize>)> =
        parts.iter().map(|part| (&part.block, part.variables.iter().map(place).collect())).collect();
    Cow::Owned(B::product(&placed, variables.len()))
}

/// Adds the independent parts of a block to a list.
fn scatter<X: Copy, B: Block>(variables: &[X], block: B, parts: &mut Vec<Arc<Part<X, B>>>) {
    for (coordinates, block) in block.split() {
        let variables = coordinates.iter().map(|&coordinate| variables[coordinate]).collect();
        parts.push(Arc::new(Part { variables, block }));
    }
}

/// The finest partition in which the variables of each group are together. Classes and variables are ascending.
fn classes<'g, X: Copy + Ord + 'g>(groups: impl Iterator<Item = &'g [X]>) -> Vec<Vec<X>> {
    let mut class_of: BTreeMap<X, usize> = BTreeMap::new();
    let mut members: Vec<Vec<X>> = Vec::new();
    for group in groups {
        let target = members.len();
        members.push(Vec::new());
        for &x in group {
            match class_of.insert(x, target) {
                None => members[target].push(x),
                Some(old) if old == target => {}
                Some(old) => {
                    let moved = std::mem::take(&mut members[old]);
                    moved.iter().for_each(|&y| {
                        class_of.insert(y, target);
                    });
                    members[target].extend(moved);
                }
            }
        }
    }
    members.iter_mut().for_each(|class| class.sort_unstable());
    members.retain(|class| !class.is_empty());
    members.sort_unstable();
    members
}

#[cfg(test)]
mod tests {
    use super::classes;

    #[test]
    fn groups_that_overlap_are_merged() {
        let groups: [&[u8]; 6] = [&[1, 2], &[5], &[3, 4], &[4, 2, 9], &[], &[5, 5]];
        assert_eq!(classes(groups.into_iter()), [vec![1, 2, 3, 4, 9], vec![5]]);
    }
}
