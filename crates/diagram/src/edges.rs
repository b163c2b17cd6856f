//! Access to the nodes for the algorithms that OxiDD does not have.

use oxidd_core::util::{Own, Ref};
use oxidd_core::{DiagramRules, Edge, HasLevel, LevelNo, Manager, Node};

/// An edge as the key of a memo: its node and its complement mark.
pub(crate) type Key = u64;

/// The manager of a diagram whose nodes know their level.
pub(crate) trait Nodes: Manager<InnerNode: HasLevel> {
    /// The level of the root of `f`; `LevelNo::MAX` for a constant.
    #[inline]
    fn root_level(&self, f: Ref<'_, Self::Edge>) -> LevelNo {
        self.get_node(f).level()
    }

    /// The functions under the two values of the variable at `level` (true first), which is not below the root of `f`.
    #[inline]
    fn branches<'a>(&'a self, f: Ref<'a, Self::Edge>, level: LevelNo) -> (Ref<'a, Self::Edge>, Ref<'a, Self::Edge>) {
        match self.get_node(f) {
            Node::Inner(node) if node.level() == level => {
                (Self::Rules::cofactor(f.tag(), node, 0), Self::Rules::cofactor(f.tag(), node, 1))
            }
            _ => (f, f),
        }
    }

    /// Whether `f` is a constant.
    #[inline]
    fn is_terminal(&self, f: Ref<'_, Self::Edge>) -> bool {
        matches!(self.get_node(f), Node::Terminal(_))
    }

    /// The node "if the variable at `level` then `t` else `e`", both below `level`.
    #[inline]
    fn make(
        &self,
        level: LevelNo,
        t: Own<Self::Edge>,
        e: Own<Self::Edge>,
    ) -> oxidd::util::AllocResult<Own<Self::Edge>> {
        Self::Rules::reduce(self, level, [t, e]).then_insert(self, level)
    }
}

impl<M: Manager<InnerNode: HasLevel>> Nodes for M {}

/// The key of an edge.
#[inline]
pub(crate) fn key<E: Edge>(f: Ref<'_, E>) -> Key {
    use oxidd_core::Countable;
    (f.node_id() as u64) << 1 | f.tag().as_usize() as u64
}
