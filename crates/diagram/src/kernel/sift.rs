//! Sifting: each group of variables in turn moves through the whole order and stays where the diagrams are smallest.
//!
//! After R. Rudell, "Dynamic variable ordering for ordered binary decision diagrams" (ICCAD 1993); groups after S. Panda and
//! F. Somenzi, "Who are the variables in your neighborhood" (ICCAD 1995), except that the user names the groups; a direction
//! is left when even the best that it can still bring is too large, after R. Drechsler, N. Drechsler and A. Slobodová, "Fast
//! exact minimization of BDDs" (DAC 1998).
//!
//! The order inside a group stays as it is.

use std::cmp::Reverse;
use std::ops::Range;

use super::swap::Session;
use super::{Kernel, Level};
use crate::reordering::Reordering;
use crate::{Full, VarIndex};

impl Kernel {
    /// Sifts all groups, the largest first; returns how many exchanges that took. The `roots` reach all nodes there are.
    pub fn sift(&mut self, roots: &[usize], options: &Reordering) -> u64 {
        let mut sifter = Sifter { session: Session::new(self, roots), blocks: Vec::new(), options };
        // Without room to bring the groups together, nothing is reordered.
        if sifter.gather().is_ok() {
            sifter.run();
        }
        sifter.session.swaps()
    }

    /// Brings the variables into an order, from the top, as far as there is room; returns how many exchanges that took.
    pub fn reorder(&mut self, roots: &[usize], order: &[VarIndex]) -> (u64, Result<(), Full>) {
        let mut session = Session::new(self, roots);
        let result = order.iter().enumerate().try_for_each(|(level, &var)| {
            let from = session.kernel().order.level(var) as usize;
            (level..from).rev().try_for_each(|level| session.swap(level))
        });
        (session.swaps(), result)
    }
}

/// Variables that move together.
#[derive(Clone, Copy, Debug)]
struct Block {
    /// The level of the first.
    first: usize,
    len: usize,
    /// Tells blocks apart while they move.
    number: usize,
}

impl Block {
    fn levels(&self) -> Range<usize> {
        self.first..self.first + self.len
    }
}

struct Sifter<'k, 'o> {
    session: Session<'k>,
    /// From the top of the order to the bottom.
    blocks: Vec<Block>,
    options: &'o Reordering,
}

/// Where a block is on its way, and where it was best.
struct Way {
    at: usize,
    best: usize,
    /// The number of nodes there.
    size: usize,
}

#[derive(Clone, Copy)]
enum Direction {
    Up,
    Down,
}

impl Sifter<'_, '_> {
    /// Finds the blocks and brings the members of each together, below its topmost one.
    fn gather(&mut self) -> Result<(), Full> {
        let variables = self.session.kernel().order.len();
        let group = |session: &Session, level: usize| {
            let kernel = session.kernel();
            kernel.groups[kernel.order.variable(level as Level).index()]
        };
        let mut first = 0;
        while first < variables {
            let mut end = first + 1;
            for level in first + 1..variables {
                if group(&self.session, level) == group(&self.session, first) {
                    (end..level).rev().try_for_each(|level| self.session.swap(level))?;
                    end += 1;
                }
            }
            self.blocks.push(Block { first, len: end - first, number: self.blocks.len() });
            first = end;
        }
        Ok(())
    }

    fn run(&mut self) {
        let mut queue: Vec<_> = self.blocks.iter().map(|block| (self.size_of(block), block.number)).collect();
        queue.retain(|&(size, _)| size > 0);
        queue.sort_unstable_by_key(|&(size, number)| (Reverse(size), number));
        for (_, number) in queue {
            if self.session.swaps() >= self.options.swaps {
                return;
            }
            let at = self.blocks.iter().position(|block| block.number == number).expect("blocks only move");
            self.sift(at);
        }
    }

    fn size_of(&self, block: &Block) -> usize {
        block.levels().map(|level| self.session.size_at(level)).sum()
    }

    /// Moves a block to both ends, the nearer one first, and then to the best place on the way.
    fn sift(&mut self, start: usize) {
        let mut way = Way { at: start, best: start, size: self.session.size() };
        if start > self.blocks.len() / 2 {
            self.explore(start, Direction::Down, &mut way);
            self.travel(&mut way.at, start);
            self.explore(start, Direction::Up, &mut way);
        } else {
            self.explore(start, Direction::Up, &mut way);
            self.travel(&mut way.at, start);
            self.explore(start, Direction::Down, &mut way);
        }
        self.travel(&mut way.at, way.best);
        debug_assert_eq!(self.session.size(), way.size);
    }

    /// Moves a block from `start` in one direction as long as that may pay.
    fn explore(&mut self, start: usize, direction: Direction, way: &mut Way) {
        // Only levels that the block passes and that interact with it lose nodes and, on the way up, its own.
        let block = self.blocks[start];
        let (passed, own) = match direction {
            Direction::Up => (&self.blocks[..start], self.size_of(&block)),
            Direction::Down => (&self.blocks[start + 1..], 0),
        };
        let mut losable: usize = passed.iter().map(|other| self.losable(&block, other)).sum();
        while self.session.size().saturating_sub(own + losable) < way.size {
            let (upper, next) = match direction {
                Direction::Up if way.at > 0 => (way.at - 1, way.at - 1),
                Direction::Down if way.at + 1 < self.blocks.len() => (way.at, way.at + 1),
                _ => return,
            };
            losable -= self.losable(&self.blocks[way.at], &self.blocks[next]);
            if self.exchange(upper).is_err() {
                return;
            }
            way.at = next;
            let size = self.session.size();
            if size < way.size {
                (way.best, way.size) = (next, size);
            }
            if size as f64 > self.options.growth * way.size as f64 {
                return;
            }
        }
    }

    /// Moves a block to a place where it has been.
    fn travel(&mut self, at: &mut usize, to: usize) {
        while *at != to {
            let (upper, next) = if *at > to { (*at - 1, *at - 1) } else { (*at, *at + 1) };
            for level in self.path(upper) {
                self.session.swap_again(level);
            }
            self.exchanged(upper);
            *at = next;
        }
    }

    /// How many nodes of `other` may go away when `block` passes it.
    fn losable(&self, block: &Block, other: &Block) -> usize {
        let interact = other.levels().any(|a| block.levels().any(|b| self.session.interact(a, b)));
        if interact { self.size_of(other) } else { 0 }
    }

    /// Exchanges a block with the one below it. `Full` if there is no room; then nothing has changed.
    fn exchange(&mut self, upper: usize) -> Result<(), Full> {
        let path = self.path(upper);
        for (done, &level) in path.iter().enumerate() {
            if self.session.swap(level).is_err() {
                path[..done].iter().rev().for_each(|&level| self.session.swap_again(level));
                return Err(Full);
            }
        }
        self.exchanged(upper);
        Ok(())
    }

    /// The levels that, each exchanged with the one below it, exchange two blocks. The way back goes through the same orders,
    /// so that it needs no more room than the way there.
    fn path(&self, upper: usize) -> Vec<usize> {
        let (above, below) = (self.blocks[upper], self.blocks[upper + 1]);
        // The lower block moves up, level by level.
        let path = |above: usize, below: usize| {
            let first = self.blocks[upper].first;
            (0..below).flat_map(move |moved| (first + moved..first + moved + above).rev())
        };
        if above.number < below.number {
            path(above.len, below.len).collect()
        } else {
            let mut path: Vec<_> = path(below.len, above.len).collect();
            path.reverse();
            path
        }
    }

    /// Notes that a block has been exchanged with the one below it.
    fn exchanged(&mut self, upper: usize) {
        let (above, below) = (self.blocks[upper], self.blocks[upper + 1]);
        self.blocks[upper] = Block { first: above.first, ..below };
        self.blocks[upper + 1] = Block { first: above.first + below.len, ..above };
    }
}
