//! Limits on nesting.
//!
//! Two numbers are kept. `level` is the current recursion of the parser. `height` is that of the tallest subtree
//! finished since the innermost enclosing rule began: each rule starts from zero and on its way out raises its parent's
//! `height` to its own plus one, and a rule that builds a chain in a loop (`a + b + c`, `f(x)(y)`) adds one per link.
//! So the height of the tree is known without walking it.

use super::{Parse, Parser};

/// Most levels of recursion. Measured on the worst inputs, this many levels need less than 96 MiB of stack with
/// optimisation and less than 192 MiB without.
const MAX_LEVEL: u32 = 30_000;

/// Greatest height of the tree. Walks of the tree on a stack of 256 MiB have 5 KiB for each level.
const MAX_HEIGHT: u32 = 50_000;

/// How deep the parser is, and how tall the tree.
#[derive(Default)]
pub(super) struct Depth {
    level: u32,
    height: u32,
}

impl Depth {
    /// Forgets everything: the parser is at file scope.
    pub(super) fn reset(&mut self) {
        *self = Self::default();
    }
}

impl Parser<'_, '_> {
    /// Runs a rule one level deeper.
    #[inline]
    pub(super) fn nested<T>(&mut self, rule: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth.level >= MAX_LEVEL {
            return self.fail(self.token.span(), "nesting too deep");
        }
        self.depth.level += 1;
        let outer = std::mem::take(&mut self.depth.height);
        let result = rule(self)?;
        self.depth.level -= 1;
        self.grow()?;
        self.depth.height = self.depth.height.max(outer);
        Ok(result)
    }

    /// Adds a node on top of what the current rule built so far.
    #[inline]
    pub(super) fn grow(&mut self) -> Parse<()> {
        self.depth.height += 1;
        if self.depth.height > MAX_HEIGHT {
            return self.fail(self.token.span(), "nesting too deep: too many operands or parts in a chain");
        }
        Ok(())
    }
}
