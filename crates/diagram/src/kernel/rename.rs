//! Cofactors and renaming.

use super::cache::Op;
use super::{Edge, Kernel, Level};
use crate::Full;

impl Kernel {
    /// `f` under a conjunction of literals.
    pub fn cofactor(&mut self, f: Edge, literals: Edge) -> Result<Edge, Full> {
        if f.is_constant() || literals.is_constant() {
            return Ok(f);
        }
        let (level, bound) = (self.level(f), self.level(literals));
        let (when_true, when_false) = self.branches(literals);
        let positive = when_false == Edge::FALSE;
        let rest = if positive { when_true } else { when_false };
        if bound < level {
            return self.cofactor(f, rest);
        }
        let (f1, f0) = self.branches(f);
        if bound == level {
            return self.cofactor(if positive { f1 } else { f0 }, rest);
        }
        if let Some(result) = self.cache.get(Op::Cofactor, f, literals, Edge::TRUE) {
            return Ok(result);
        }
        let high = self.cofactor(f1, literals)?;
        let low = self.cofactor(f0, literals)?;
        let result = self.make(level, high, low)?;
        self.cache.put(Op::Cofactor, f, literals, Edge::TRUE, result);
        Ok(result)
    }

    /// A number by which the cache tells apart what the user brings: renamings and operations on terminals.
    pub fn new_number(&mut self) -> Result<u32, Full> {
        self.numbers = self.numbers.checked_add(1).ok_or(Full)?;
        Ok(self.numbers)
    }

    /// `f` with each level replaced by its new one; levels beyond `levels` stay.
    pub fn rename(&mut self, f: Edge, levels: &[Level], number: u32) -> Result<Edge, Full> {
        self.rename_by(f, levels, number, Self::ite)
    }

    /// [`rename`](Self::rename) with the right if-then-else for the kind of `f`.
    pub(super) fn rename_by(
        &mut self,
        f: Edge,
        levels: &[Level],
        number: u32,
        ite: fn(&mut Self, Edge, Edge, Edge) -> Result<Edge, Full>,
    ) -> Result<Edge, Full> {
        let (mark, f) = (f.mark(), f.regular());
        let level = self.level(f);
        let Some(&new) = levels.get(level as usize) else {
            return Ok(f.xor_mark(mark));
        };
        if let Some(result) = self.cache.get(Op::Rename, f, Edge::TRUE, Edge(number)) {
            return Ok(result.xor_mark(mark));
        }
        let (f1, f0) = self.branches(f);
        let high = self.rename_by(f1, levels, number, ite)?;
        let low = self.rename_by(f0, levels, number, ite)?;
        let result = if new < self.level(high).min(self.level(low)) {
            self.make(new, high, low)?
        } else {
            let var = self.make(new, Edge::TRUE, Edge::FALSE)?;
            ite(self, var, high, low)?
        };
        self.cache.put(Op::Rename, f, Edge::TRUE, Edge(number), result);
        Ok(result.xor_mark(mark))
    }
}
