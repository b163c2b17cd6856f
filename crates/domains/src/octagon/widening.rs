//! Strong reduction and widening.
//!
//! Bagnara, Hill, Mazzi, Zaffanella: *Widening operators for weakly-relational numeric abstractions*, SAS 2005. Miné's
//! widening comes to an end only if its left operand is not closed. This one depends on the points alone: it drops unstable
//! constraints from a reduction of the left operand, in which none follows from others. As long as the join has more dimensions,
//! it is the result.
//!
//! Over the integers tight closure may bring back as many constraints as were dropped (x + y ≤ 1 and x - y ≤ 0 give x ≤ 0), so
//! the argument for termination needs help: a result is taken only if its [`Measure`] is less than that of the left operand.
//! Else the stable bounds of single variables are tried, and in the end there is top, whose measure is the least.

use super::{INFINITY, Literal, Matrix, capped, negated};
use crate::blocks::Block;

/// What gets less with each widening, in lexicographic order. Of two octagons the larger one never has more of the first two.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Measure {
    /// How many thresholds the bounds are below, or at.
    thresholds: usize,
    /// How many variables are determined by others.
    equations: usize,
    /// The size of the reduction.
    constraints: usize,
}

impl Matrix {
    /// The widening. Bounds that move may rest at a threshold or its negation.
    pub(super) fn widened(&self, newer: &Self, thresholds: &[i128]) -> Self {
        if newer.leq(self) {
            return self.clone();
        }
        let mut limits: Vec<i128> = thresholds.iter().flat_map(|t| [*t, t.saturating_neg()]).collect();
        limits.sort_unstable();
        limits.dedup();
        // A variable that was determined by others is no more: that happens only so often, and which relations the variables
        // keep is seen in the join, not in the old octagon, where both are constants.
        let joined = self.join(newer);
        let (equations, kept) = self.reduced();
        if joined.reduced().0 < equations {
            return joined;
        }
        let before = self.measure(&limits);
        let stable_only = self.pairs().filter(|&(a, b)| a == b).collect::<Vec<_>>();
        let candidates = [(kept, true), (stable_only, false)];
        for (kept, rest_at_limits) in candidates {
            let mut wide = Self::universe(self.dimensions);
            for (a, b) in kept {
                let (old, new) = (self.get(a, b), newer.get(a, b));
                let scale = if a == b { 2 } else { 1 };
                let next = || limits.get(limits.partition_point(|&limit| scale * capped(limit) < new));
                let limit = if rest_at_limits { next() } else { None };
                let bound = if new <= old { old } else { limit.map_or(INFINITY, |limit| scale * capped(*limit)) };
                wide.lower(a, b, bound);
            }
            let nonempty = wide.close();
            debug_assert!(nonempty, "an octagon with more points than another");
            if wide.measure(&limits) < before {
                return wide;
            }
        }
        Self::universe(self.dimensions)
    }

    fn measure(&self, limits: &[i128]) -> Measure {
        let position = |(a, b): (Literal, Literal)| {
            let (bound, scale) = (self.get(a, b), if a == b { 2 } else { 1 });
            let below = limits.len() - limits.partition_point(|&limit| scale * capped(limit) <= bound);
            let at_or_below = limits.len() - limits.partition_point(|&limit| scale * capped(limit) < bound);
            below + at_or_below
        };
        let (equations, kept) = self.reduced();
        Measure { thresholds: self.pairs().map(position).sum(), equations, constraints: kept.len() }
    }

    /// How many variables are determined by others, and the places of bounds from which the others follow, and of which none
    /// follows from others (apart from equations, which stand in both directions).
    pub(super) fn reduced(&self) -> (usize, Vec<(Literal, Literal)>) {
        // a and b have a constant difference. The first one leads; the leaders of -a and a are negations of each other.
        let equal = |a: Literal, b: Literal| {
            let (up, down) = (self.get(a, negated(b)), self.get(negated(a), b));
            up < INFINITY && down < INFINITY && up + down == 0
        };
        let leader: Vec<Literal> =
            (0..self.literals()).map(|b| (0..b).find(|&a| a != negated(b) && equal(a, b)).unwrap_or(b)).collect();
        let constant = |a: Literal| equal(a, negated(a));
        let leads = |a: &Literal| leader[*a] == *a && !constant(*a);
        let leaders: Vec<Literal> = (0..self.literals()).filter(leads).collect();
        let mut kept = Vec::new();
        let mut equations = 0;
        for a in (0..self.literals()).step_by(2) {
            if constant(a) {
                kept.extend([(a, a), (a + 1, a + 1)]);
                equations += 1;
            } else if leader[a] != a {
                kept.extend([(a, negated(leader[a])), (a + 1, leader[a])]);
                equations += 1;
            }
        }
        for (i, &a) in leaders.iter().enumerate() {
            for &b in &leaders[..=i] {
                let bound = self.get(a, b);
                if b == negated(a) || bound >= INFINITY || (a != b && !self.relates(a, b)) {
                    continue;
                }
                let between = |&c: &Literal| {
                    c != b && c != negated(a) && capped(self.get(a, c) + self.get(negated(c), b)) <= bound
                };
                if !leaders.iter().any(between) {
                    kept.push((a, b));
                }
            }
        }
        (equations, kept)
    }
}
