//! Simultaneous renaming of variables.

use crate::{Bdd, Diagrams, Full, VarIndex};

/// A renaming of variables, prepared once: the operation cache keeps its results from one call to the next.
#[derive(Debug)]
pub struct Renaming {
    /// The new level of each level, down to the lowest that changes.
    levels: Vec<u32>,
    number: u32,
}

impl Diagrams {
    /// Prepares the renaming of each first variable to the second of its pair. No variable may be renamed twice.
    pub fn renaming(&self, pairs: &[(VarIndex, VarIndex)]) -> Result<Renaming, Full> {
        let lowest = pairs.iter().map(|(old, _)| old.0 + 1).max().unwrap_or(0);
        let mut levels: Vec<u32> = (0..lowest).collect();
        for &(old, new) in pairs {
            assert!(old.0.max(new.0) < self.variables(), "there are no variables {old:?} and {new:?}");
            let level = &mut levels[old.0 as usize];
            assert!(*level == old.0 || *level == new.0, "{old:?} is renamed twice");
            *level = new.0;
        }
        Ok(Renaming { levels, number: self.ask(|kernel| kernel.new_renaming()) })
    }

    /// `f` with all variables of the renaming replaced at once.
    #[inline]
    pub fn rename(&self, f: &Bdd, renaming: &Renaming) -> Result<Bdd, Full> {
        self.run(|kernel| kernel.rename(f.edge(), &renaming.levels, renaming.number))
    }
}
