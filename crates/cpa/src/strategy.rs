//! How a reached set is kept and explored: what the definition of a CPA leaves open.
//!
//! | a strategy says | of the algorithm |
//! |---|---|
//! | which states can be merged with a new one, or cover it, at all | `reached`, lines 6 and 13 |
//! | what of a state is still to be expanded | e, line 5 |
//! | in which parts a successor comes | e′, line 5: the transfer relation may have several |
//! | whether a successor takes the place of an earlier one along the same step | `reached`, line 11 |
//! | which state comes next | `choose`, line 4 |
//! | what may be done so that a state is covered | `stop`, when a state is taken from the waitlist |
//!
//! An analysis is sound with [`Plain`], which says nothing. What another strategy says must be right for the analysis.

use crate::analysis::Analysis;
use crate::control::Location;
use robusto_cfa::ir::LocId;
use robusto_limits::Stopped;

/// A part of the states of one control state, see [`Strategy::partition`].
pub type Partition = (u32, u32);

/// How the reached set of an analysis is kept and explored.
pub trait Strategy<A: Analysis> {
    /// Only states of one control state and one partition are merged and compared: the operators of the analysis would
    /// keep others apart. By default, there is one.
    fn partition(&self, _analysis: &A, _state: &A::State) -> Partition {
        (0, 0)
    }

    /// The part of a state that was not expanded yet; it counts as expanded from now on. Right only if transfers distribute
    /// over union: then the successors of the parts are those of the whole. `None`, the default, stands for all of it.
    fn frontier(&self, _analysis: &mut A, _state: &mut A::State) -> Option<A::State> {
        None
    }

    /// A successor at a location in parts, which together have all its concrete states. By default, it is one.
    fn parts(&self, _analysis: &mut A, successor: A::State, _at: Location) -> Vec<A::State> {
        vec![successor]
    }

    /// Whether what an expansion gives along a step takes the place of what earlier expansions of the same node gave along it,
    /// instead of being merged with that. Right only if nodes are expanded as a whole. By default, it does not.
    fn replaces(&self) -> bool {
        false
    }

    /// Whether a state that was taken from the waitlist is covered by another one. A strategy may strengthen it for that,
    /// as forced covering does. By default, this is `stop`.
    fn cover(&self, analysis: &mut A, state: &A::State, by: &A::State) -> Result<bool, Stopped> {
        analysis.stop(state, by)
    }

    /// States with a smaller number are expanded first, whatever their location. By default, all have the same.
    fn turn(&self, _analysis: &A, _state: &A::State) -> u32 {
        0
    }

    /// For states that keep the visits of a loop head apart: which visit of a head the paths of a state have made last,
    /// where the head belongs to a loop around the location (`frame` 0) or the pending call number `frame` from the top.
    /// Earlier visits are expanded first. By default, visits are not told apart.
    fn visit(&self, _analysis: &A, _state: &A::State, _frame: usize, _head: LocId) -> Option<u32> {
        None
    }
}

/// The algorithm as it is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Plain;

impl<A: Analysis> Strategy<A> for Plain {}
