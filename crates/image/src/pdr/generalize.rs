//! From one excluded cube to many: bits are left out as long as there is no predecessor (Bradley, VMCAI 2011, `MIC`), whole words
//! first. A state in the way that is itself without predecessor is excluded, and does not count (Hassan, Bradley, Somenzi:
//! *Better generalization in IC3*, FMCAD 2013, `ctgDown`).

use super::Pdr;
use super::block::Predecessor;
use super::cube::{Bit, Cube};
use robusto_limits::Stopped;
use std::collections::BTreeSet;

/// Attempts in vain for one cube.
const FAILURES: usize = 40;

/// States in the way that are excluded for one attempt.
const COUNTEREXAMPLES: usize = 3;

impl Pdr<'_> {
    /// Some bits of a cube without predecessor that have none either.
    pub(super) fn generalize(&mut self, node: usize, cube: Cube, level: u32) -> Result<Cube, Stopped> {
        let mut cube = cube;
        let mut failures = 0;
        let word = |pdr: &Self, bit: &Bit| pdr.system.nodes[node].bits[bit.index()].0;
        let words: BTreeSet<usize> = cube.iter().map(|bit| word(self, bit)).collect();
        for left_out in words {
            let smaller: Cube = cube.iter().copied().filter(|bit| word(self, bit) != left_out).collect();
            if smaller.len() + 1 < cube.len()
                && let Some(core) = self.excludes(node, &smaller, level)?
            {
                cube = core;
            }
        }
        // Those first that few clauses there have.
        let mut open: Vec<Bit> = cube.clone();
        open.sort_by_key(|&bit| self.frames.uses(node, bit));
        for bit in open {
            if failures >= FAILURES {
                break;
            }
            if !cube.contains(&bit) {
                continue;
            }
            let smaller: Cube = cube.iter().copied().filter(|other| *other != bit).collect();
            match self.excludes(node, &smaller, level)? {
                Some(core) => cube = core,
                None => failures += 1,
            }
        }
        Ok(cube)
    }

    /// Whether a cube has no predecessor, after some states in the way are excluded; the bits that are the reason.
    fn excludes(&mut self, node: usize, cube: &Cube, level: u32) -> Result<Option<Cube>, Stopped> {
        for _ in 0..COUNTEREXAMPLES {
            let edge = match self.predecessor(node, cube, level)? {
                Predecessor::None(core) => return Ok(Some(core)),
                Predecessor::By(edge) => edge,
            };
            let from = self.system.edges[edge].from;
            if from == 0 {
                return Ok(None);
            }
            let before = level - u32::from(self.system.edges[edge].is_back);
            let state = self.lifter.lift(&mut self.frames, &self.system, edge, cube);
            match self.predecessor(from, &state, before)? {
                Predecessor::By(_) => return Ok(None),
                Predecessor::None(core) => self.frames.add(&self.system, from, core, before),
            }
        }
        Ok(None)
    }
}
