//! Simultaneous renaming of variables.

use std::cell::RefCell;

use crate::kernel::{Kernel, Level, Order};
use crate::{Bdd, Diagrams, Full, VarIndex};

/// A renaming of variables, prepared once: the operation cache keeps its results from one call to the next.
#[derive(Debug)]
pub struct Renaming {
    /// The variables that change.
    pairs: Vec<(VarIndex, VarIndex)>,
    levels: RefCell<Levels>,
    number: u32,
}

/// What a renaming means for levels, under one order of the variables.
#[derive(Debug)]
struct Levels {
    /// The new level of each level, down to the lowest that changes.
    new: Vec<Level>,
    /// How often the order had changed.
    changes: u64,
}

impl Levels {
    fn new(pairs: &[(VarIndex, VarIndex)], order: &Order) -> Self {
        let lowest = pairs.iter().map(|&(old, _)| order.level(old) + 1).max().unwrap_or(0);
        let mut new: Vec<Level> = (0..lowest).collect();
        for &(from, to) in pairs {
            new[order.level(from) as usize] = order.level(to);
        }
        Self { new, changes: order.changes() }
    }
}

impl Diagrams {
    /// Prepares the renaming of each first variable to the second of its pair. No variable may be renamed twice.
    pub fn renaming(&self, pairs: &[(VarIndex, VarIndex)]) -> Result<Renaming, Full> {
        let mut sorted = pairs.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        let known = |var: VarIndex| var.index() < self.variables() as usize;
        assert!(sorted.iter().all(|&(old, new)| known(old) && known(new)), "there is no such variable in {pairs:?}");
        assert!(sorted.windows(2).all(|two| two[0].0 != two[1].0), "a variable is renamed twice in {pairs:?}");
        sorted.retain(|(old, new)| old != new);
        let number = self.ask(|kernel| kernel.new_number())?;
        let levels = self.ask(|kernel| Levels::new(&sorted, kernel.order()));
        Ok(Renaming { pairs: sorted, levels: RefCell::new(levels), number })
    }

    /// `f` with all variables of the renaming replaced at once.
    #[inline]
    pub fn rename(&self, f: &Bdd, renaming: &Renaming) -> Result<Bdd, Full> {
        self.run(|kernel| {
            renaming.with_levels(kernel, |kernel, levels| kernel.rename(f.edge(), levels, renaming.number))
        })
    }
}

impl Renaming {
    /// A number that no other renaming has.
    pub(crate) fn number(&self) -> u32 {
        self.number
    }

    /// Does something with the new level of each level, down to the lowest that changes.
    #[inline]
    pub(crate) fn with_levels<T>(&self, kernel: &mut Kernel, work: impl FnOnce(&mut Kernel, &[Level]) -> T) -> T {
        let mut levels = self.levels.borrow_mut();
        if levels.changes != kernel.order().changes() {
            *levels = Levels::new(&self.pairs, kernel.order());
        }
        work(kernel, &levels.new)
    }
}
