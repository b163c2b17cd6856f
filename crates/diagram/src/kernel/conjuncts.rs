//! A function as a conjunction of functions over different variables, where its diagram shows it.
//!
//! Where all paths to true pass one node (a waist), the function is what stands above it and what stands below it. Sets of
//! states of many variables that have little to do with each other are chains of such parts, if the order keeps those together that
//! belong together. Each node is looked at once, whereas asking for each variable whether it is independent takes
//! one pass over the diagram per variable.

use super::{Edge, Kernel};
use crate::Full;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

impl Kernel {
    /// Functions without a common variable whose conjunction is `f`, from the top to the bottom: as many as its waists give.
    pub fn conjuncts(&mut self, f: Edge) -> Result<Vec<Edge>, Full> {
        let mut parts = Vec::new();
        let mut top = f;
        for waist in self.waists(f) {
            parts.push(self.above(top, waist, &mut FxHashMap::default())?);
            top = waist;
        }
        parts.push(top);
        Ok(parts)
    }

    /// The functions below the root that all paths from it to true pass, from the top to the bottom.
    fn waists(&self, f: Edge) -> Vec<Edge> {
        let mut waists = Vec::new();
        // Functions that paths have come to and not left yet; the constant true is at the lowest level.
        let mut waiting = BinaryHeap::from([Reverse((self.level(f), f))]);
        let mut seen = FxHashSet::from_iter([f]);
        while let Some(Reverse((_, at))) = waiting.pop() {
            if at.is_constant() {
                continue;
            }
            if waiting.is_empty() && at != f {
                waists.push(at);
            }
            let (high, low) = self.branches(at);
            for next in [high, low] {
                if next != Edge::FALSE && seen.insert(next) {
                    waiting.push(Reverse((self.level(next), next)));
                }
            }
        }
        waists
    }

    /// `f` with true in the place of `waist`.
    fn above(&mut self, f: Edge, waist: Edge, done: &mut FxHashMap<Edge, Edge>) -> Result<Edge, Full> {
        if f == waist {
            return Ok(Edge::TRUE);
        }
        if f.is_constant() {
            return Ok(f);
        }
        if let Some(&result) = done.get(&f) {
            return Ok(result);
        }
        let level = self.level(f);
        let (high, low) = self.branches(f);
        let (high, low) = (self.above(high, waist, done)?, self.above(low, waist, done)?);
        let result = self.make(level, high, low)?;
        done.insert(f, result);
        Ok(result)
    }
}
