//! Clauses move to the next level where they hold there too. If all clauses of a level do, frames no longer change: they are
//! an invariant.

use super::Pdr;
use super::block::Predecessor;
use super::cube::Cube;
use robusto_limits::Stopped;

impl Pdr<'_> {
    /// Moves clauses on; the first level whose frame is the same as the next one's.
    pub(super) fn propagate(&mut self) -> Result<Option<u32>, Stopped> {
        for level in 0..self.last {
            let mut is_same = true;
            for node in 0..self.system.nodes.len() {
                // What is reached is excluded at no level in the end, and nothing depends on it.
                if self.system.nodes[node].is_bad && !self.open.contains(&node) {
                    continue;
                }
                is_same &= self.push(node, level)?;
            }
            if is_same {
                return Ok(Some(level));
            }
        }
        Ok(None)
    }

    /// Moves the clauses of a node from one level to the next; whether all of them could be.
    fn push(&mut self, node: usize, level: u32) -> Result<bool, Stopped> {
        // What was tried in vain is tried again when a frame before has changed.
        let incoming = &self.system.nodes[node].incoming;
        let changed = incoming.iter().map(|&edge| self.frames.changed(self.system.edges[edge].from)).max().unwrap_or(0);
        let mut all = true;
        let lemmas = self.frames.at(node).iter().filter(|lemma| lemma.level == level);
        let cubes: Vec<(Cube, u64)> = lemmas.map(|lemma| (lemma.cube.clone(), lemma.tried)).collect();
        for (cube, tried) in cubes {
            if tried >= changed && tried > 0 {
                all = false;
                continue;
            }
            if self.frames.excluded(node, &cube) != Some(level) {
                continue;
            }
            match self.predecessor(node, &cube, level + 1)? {
                Predecessor::None(core) => self.frames.add(&self.system, node, core, level + 1),
                Predecessor::By(_) => {
                    self.frames.tried(node, &cube);
                    all = false;
                }
            }
        }
        Ok(all)
    }
}
