//! Variables and their order.

use crate::Diagrams;

/// A Boolean variable. Its index only tells it from others, in the order of their creation; its place in the order of the
/// diagrams is its [level](Diagrams::level), which a reordering changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VarIndex(u32);

impl VarIndex {
    /// The variable with this index: variables are numbered from 0 as they are created.
    #[inline]
    pub const fn new(index: u32) -> Self {
        Self(index)
    }

    /// The index of the variable.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl Diagrams {
    /// The place of a variable in the order, 0 at the top.
    #[inline]
    pub fn level(&self, var: VarIndex) -> usize {
        self.ask(|kernel| kernel.order().level(var) as usize)
    }

    /// All variables from the top of the order to the bottom.
    pub fn order(&self) -> Vec<VarIndex> {
        self.ask(|kernel| kernel.order().variables().to_vec())
    }
}
