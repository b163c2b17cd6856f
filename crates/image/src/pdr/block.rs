//! Excluding states that lead to something bad: proof obligations, the ones nearest to the start first.

use super::Pdr;
use super::cube::{Cube, unite};
use super::frames::Asked;
use robusto_limits::Stopped;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// States that must be excluded, since they lead to something bad.
#[derive(Clone, Debug)]
pub(super) struct Obligation {
    pub cube: Cube,
    /// The edge that leads on, and the obligation that it leads to; none at the bad node itself.
    pub next: Option<(usize, usize)>,
}

/// What the predecessors of a cube say.
pub(super) enum Predecessor {
    /// This edge leads into it; the solver of its source has the model.
    By(usize),
    /// There is none, by these bits.
    None(Cube),
}

/// A way from the start to something bad: the edge from the start, and the obligation that it leads to.
pub(super) type Reached = (usize, usize);

impl Pdr<'_> {
    /// Excludes a bad node up to the level of the last frame, unless there is a way to it.
    pub(super) fn block(&mut self, bad: usize) -> Result<Option<Reached>, Stopped> {
        self.obligations.clear();
        self.obligations.push(Obligation { cube: Cube::new(), next: None });
        // The least level first, and there the one nearest to the start.
        let mut queue = BinaryHeap::from([Reverse((self.last, bad, 0))]);
        while let Some(Reverse((level, node, number))) = queue.pop() {
            let cube = self.obligations[number].cube.clone();
            if let Some(excluded) = self.frames.excluded(node, &cube).filter(|&excluded| excluded >= level) {
                if excluded < self.last {
                    queue.push(Reverse((excluded + 1, node, number)));
                }
                continue;
            }
            self.handled += 1;
            match self.predecessor(node, &cube, level)? {
                Predecessor::By(edge) => {
                    let from = self.system.edges[edge].from;
                    if from == 0 {
                        return Ok(Some((edge, number)));
                    }
                    let before = self.lifter.lift(&mut self.frames, &self.system, edge, &cube);
                    let level_before = level - u32::from(self.system.edges[edge].is_back);
                    self.obligations.push(Obligation { cube: before, next: Some((edge, number)) });
                    queue.push(Reverse((level_before, from, self.obligations.len() - 1)));
                    queue.push(Reverse((level, node, number)));
                }
                Predecessor::None(core) => {
                    let core = self.generalize(node, core, level)?;
                    let (core, level) = self.raise(node, core, level)?;
                    self.frames.add(&self.system, node, core, level);
                    if level < self.last {
                        queue.push(Reverse((level + 1, node, number)));
                    }
                }
            }
        }
        Ok(None)
    }

    /// Whether a cube has a predecessor outside of itself in the frames that count for a level: that one along edges that go
    /// forward, the one before along those that go back.
    pub(super) fn predecessor(&mut self, node: usize, cube: &Cube, level: u32) -> Result<Predecessor, Stopped> {
        let mut core = Cube::new();
        for i in 0..self.system.nodes[node].incoming.len() {
            let number = self.system.nodes[node].incoming[i];
            let edge = &self.system.edges[number];
            let before = if edge.is_back { level.checked_sub(1) } else { Some(level) };
            let Some(before) = before else { continue };
            let outside = (edge.from == node).then_some(cube);
            match self.frames.ask(&self.system, number, before, cube, outside)? {
                Asked::Yes => return Ok(Predecessor::By(number)),
                Asked::No(part) => core = unite(&core, &part),
            }
        }
        Ok(Predecessor::None(core))
    }

    /// The last level at which a cube that is excluded at a level is excluded too, without further obligations.
    fn raise(&mut self, node: usize, cube: Cube, level: u32) -> Result<(Cube, u32), Stopped> {
        let (mut cube, mut level) = (cube, level);
        while level < self.last {
            match self.predecessor(node, &cube, level + 1)? {
                Predecessor::By(_) => break,
                Predecessor::None(core) => (cube, level) = (core, level + 1),
            }
        }
        Ok((cube, level))
    }
}
