//! The order of the variables: a permutation.

use super::Level;
use crate::VarIndex;

/// Which variable is at which level.
#[derive(Clone, Debug, Default)]
pub(crate) struct Order {
    /// By level.
    by_level: Vec<VarIndex>,
    /// By the index of the variable.
    levels: Vec<Level>,
    /// How often the order has changed; levels that somebody has noted are right as long as it has not.
    changes: u64,
}

impl Order {
    /// Adds variables below all others.
    pub fn add(&mut self, count: u32) {
        let first = self.levels.len() as u32;
        self.levels.extend(first..first + count);
        self.by_level.extend((first..first + count).map(VarIndex::new));
    }

    /// Exchanges the variables at `level` and below it.
    pub fn swap(&mut self, level: Level) {
        let above = level as usize;
        self.by_level.swap(above, above + 1);
        self.levels[self.by_level[above].index()] = level;
        self.levels[self.by_level[above + 1].index()] = level + 1;
        self.changes += 1;
    }

    pub fn len(&self) -> usize {
        self.levels.len()
    }

    pub fn changes(&self) -> u64 {
        self.changes
    }

    #[inline]
    pub fn level(&self, var: VarIndex) -> Level {
        self.levels[var.index()]
    }

    #[inline]
    pub fn variable(&self, level: Level) -> VarIndex {
        self.by_level[level as usize]
    }

    pub fn variables(&self) -> &[VarIndex] {
        &self.by_level
    }
}
