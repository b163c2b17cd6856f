//! The operations of a lattice, block by block.

use super::{Block, Blocks, Part, classes, gather, scatter, touched};
use crate::ideal::{Order, Sum};
use crate::lattice::{Lattice, Thresholds};
use dashu_int::IBig;
use std::fmt::Debug;
use std::sync::Arc;

impl<X: Copy + Ord + Debug, B: Block> Lattice for Blocks<X, B> {
    fn is_top(&self) -> bool {
        self.parts.as_ref().is_some_and(|parts| parts.iter().all(|part| part.block.is_universe()))
    }

    fn is_bottom(&self) -> bool {
        self.parts.is_none()
    }

    fn leq(&self, other: &Self) -> bool {
        let Some(mine) = &self.parts else { return true };
        let Some(others) = &other.parts else { return false };
        others.iter().all(|part| self.below(mine, part))
    }

    fn join(&self, other: &Self) -> Self {
        self.hull(other, B::join)
    }

    fn meet(&self, other: &Self) -> Self {
        let (Some(mine), Some(others)) = (&self.parts, &other.parts) else { return Self::BOTTOM };
        let mut parts = Vec::new();
        for class in classes(self.groups().chain(other.groups())) {
            let (a, b) = (touched(mine, &class), touched(others, &class));
            match (&a[..], &b[..]) {
                (_, []) => parts.extend(a.into_iter().cloned()),
                ([], _) => parts.extend(b.into_iter().cloned()),
                ([a], [b]) if Arc::ptr_eq(a, b) => parts.push(Arc::clone(a)),
                _ => {
                    let Some(block) = gather(&a, &class).meet(&gather(&b, &class)) else { return Self::BOTTOM };
                    scatter(&class, block, &mut parts);
                }
            }
        }
        Self::of(parts)
    }

    /// A chain ends, because what measures a block for its widening adds up: blocks that stay the same add the same, and one
    /// that is given up, or the one that is widened, adds less than before.
    fn widen(&self, newer: &Self, thresholds: &Thresholds) -> Self {
        self.hull(newer, |old, new| old.widen(new, thresholds))
    }
}

/// Whether they have the same points.
impl<X: Copy + Ord + Debug, B: Block> PartialEq for Blocks<X, B> {
    fn eq(&self, other: &Self) -> bool {
        self.leq(other) && other.leq(self)
    }
}

impl<X: Copy + Ord + Debug, B: Block> Blocks<X, B> {
    /// All points of both, by an operation on what differs.
    fn hull(&self, other: &Self, combine: impl Fn(&B, &B) -> B) -> Self {
        let Some(mine) = &self.parts else { return other.clone() };
        let Some(others) = &other.parts else { return self.clone() };
        let mut parts = Vec::new();
        let mut changed: Vec<X> = Vec::new();
        for class in classes(self.groups().chain(other.groups())) {
            let (a, b) = (touched(mine, &class), touched(others, &class));
            if a.is_empty() || b.is_empty() {
                // One side has any value there, and so has the closed hull, whatever the other blocks are.
                continue;
            }
            if same(&a, &b, &class) {
                parts.extend(a.into_iter().cloned());
            } else {
                changed.extend(class);
            }
        }
        if !changed.is_empty() {
            changed.sort_unstable();
            let (a, b) = (touched(mine, &changed), touched(others, &changed));
            scatter(&changed, combine(&gather(&a, &changed), &gather(&b, &changed)), &mut parts);
        }
        Self::of(parts)
    }

    /// Whether all points satisfy a part of another element.
    fn below(&self, mine: &[Arc<Part<X, B>>], other: &Arc<Part<X, B>>) -> bool {
        let parts = touched(mine, &other.variables);
        if let [part] = parts[..]
            && part.variables == other.variables
        {
            return Arc::ptr_eq(part, other) || part.block.leq(&other.block);
        }
        let constraints: Option<Vec<_>> = other.block.constraints().into_iter().collect();
        if let Some(constraints) = constraints {
            let at_most = |sum: &Sum<X>| self.supremum(sum).is_some_and(|bound| bound.numerator <= IBig::ZERO);
            return constraints.iter().all(|constraint| {
                let sum = constraint.sum.rename(|coordinate| other.variables[coordinate]);
                let negated = || Sum::constant(0).plus(-1, &sum);
                at_most(&sum) && (constraint.order == Order::AtMost || negated().is_some_and(|sum| at_most(&sum)))
            });
        }
        // Coefficients are too large for sums: both as blocks of the same variables.
        let all = classes(parts.iter().map(|part| &part.variables[..]).chain([&other.variables[..]])).concat();
        let place = |x: &X| Sum::variable(all.binary_search(x).expect("a variable of one of the parts"));
        let onto: Vec<Sum<usize>> = other.variables.iter().map(place).collect();
        gather(&parts, &all).image(&onto).leq(&other.block)
    }
}

fn same<X: Copy + Ord, B: Block>(a: &[&Arc<Part<X, B>>], b: &[&Arc<Part<X, B>>], class: &[X]) -> bool {
    let shared = a.len() == b.len() && a.iter().zip(b).all(|(a, b)| Arc::ptr_eq(a, b));
    shared || {
        let (a, b) = (gather(a, class), gather(b, class));
        a.leq(&b) && b.leq(&a)
    }
}
