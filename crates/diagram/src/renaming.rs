//! Simultaneous renaming of variables.

use std::fmt;

use oxidd::{FunctionSubst, Subst};

use crate::diagrams::Raw;
use crate::{Bdd, Diagrams, Full, VarIndex};

/// A renaming of variables, prepared once: the operation cache keeps its results from one call to the next.
pub struct Renaming {
    substitution: Subst<Raw>,
    pairs: Vec<(VarIndex, VarIndex)>,
}

impl Renaming {
    /// The pairs (old variable, new variable).
    pub fn pairs(&self) -> &[(VarIndex, VarIndex)] {
        &self.pairs
    }
}

impl fmt::Debug for Renaming {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("Renaming").field(&self.pairs).finish()
    }
}

impl Diagrams {
    /// Prepares the renaming of each first variable to the second of its pair. No variable may be renamed twice.
    pub fn renaming(&self, pairs: &[(VarIndex, VarIndex)]) -> Result<Renaming, Full> {
        let (mut from, mut to) = (Vec::with_capacity(pairs.len()), Vec::with_capacity(pairs.len()));
        for &(old, new) in pairs {
            assert!(!from.contains(&old.0), "{old:?} is renamed twice");
            from.push(old.0);
            to.push(self.var(new)?.0);
        }
        Ok(Renaming { substitution: Subst::new(from, to), pairs: pairs.to_vec() })
    }

    /// `f` with all variables of the renaming replaced at once.
    pub fn rename(&self, f: &Bdd, renaming: &Renaming) -> Result<Bdd, Full> {
        if renaming.pairs.is_empty() || self.is_constant(f) {
            return Ok(f.clone());
        }
        self.run(|| f.0.substitute(&renaming.substitution))
    }
}
