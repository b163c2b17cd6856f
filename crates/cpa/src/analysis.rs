//! The operators of a CPA.

use crate::control::Location;
use robusto_cfa::ir::{Edge, EdgeId, FuncId, LocId, Op, Program};
use robusto_limits::Stopped;

/// What control does: an edge of one automaton, a block of tests, or the entry into or the return from a called function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// An edge that is not a call.
    Edge(FuncId, EdgeId),
    /// All paths of a [block](crate::blocks) from its start to one of its exits.
    Block {
        /// The function.
        function: FuncId,
        /// The start.
        from: LocId,
        /// The exit.
        to: LocId,
        /// The first test, which says where it stands in the source.
        edge: EdgeId,
    },
    /// A call edge of `caller`: the parameters of `callee` take the arguments.
    Enter {
        /// Who calls.
        caller: FuncId,
        /// The call edge.
        edge: EdgeId,
        /// Who is called.
        callee: FuncId,
    },
    /// From the exit of `callee` to the end of the call edge: the result variable takes the returned value.
    Leave {
        /// Who was called.
        callee: FuncId,
        /// Who called.
        caller: FuncId,
        /// The call edge.
        edge: EdgeId,
    },
}

impl Step {
    /// The edge of the automaton: for calls and returns, the call edge; for blocks, the first test.
    pub fn edge<'p>(&self, program: &'p Program) -> &'p Edge {
        let (function, edge) = self.edge_ref();
        program.functions[function].edge(edge)
    }

    /// The function and number of that edge.
    pub fn edge_ref(&self) -> (FuncId, EdgeId) {
        match *self {
            Step::Edge(function, edge) | Step::Block { function, edge, .. } => (function, edge),
            Step::Enter { caller, edge, .. } | Step::Leave { caller, edge, .. } => (caller, edge),
        }
    }

    /// Whether it is what an analysis looks for: it violates a property, or is not modelled. Nothing follows it.
    pub fn is_error(&self, program: &Program) -> bool {
        matches!(self, Step::Edge(..)) && matches!(self.edge(program).op, Op::Error(_) | Op::Unsupported(_))
    }
}

/// What `merge` makes of an existing state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Merge<S> {
    /// It stays as it is.
    Keep,
    /// It is replaced by a state that subsumes it.
    Replace(S),
}

/// The data part of a CPA. The states of one location and call stack are compared and merged; others are not.
///
/// Soundness asks: `transfer` over-approximates the concrete steps; `merge(new, old)` is at least `old`; `covered(e, r)`
/// only if every concrete state of `e` is one of `r`.
pub trait Analysis {
    /// An abstract state, not bottom.
    type State: Clone;

    /// The state at the program's start.
    fn initial(&mut self) -> Result<Self::State, Stopped>;

    /// The successor along a step (e ⇝ᵍ e′); `None` for bottom.
    fn transfer(&mut self, state: &Self::State, step: Step) -> Result<Option<Self::State>, Stopped>;

    /// Combines a new state with an existing one.
    fn merge(&mut self, new: &Self::State, old: &Self::State) -> Result<Merge<Self::State>, Stopped>;

    /// Whether an existing state makes a new one superfluous (stop^sep).
    fn covered(&mut self, new: &Self::State, old: &Self::State) -> Result<bool, Stopped>;

    /// Precision adjustment, applied to each successor before it is merged. By default, nothing is lost.
    fn adjust(&mut self, state: Self::State, _step: Step) -> Result<Self::State, Stopped> {
        Ok(state)
    }

    /// What is to be done with a state at a location that is taken from the waitlist. An analysis that propagates only
    /// what is new since the last time marks it as expanded here; one that loses precision only after all merges of a
    /// state are done adjusts it here. By default, all of it is expanded.
    fn take(&mut self, state: &mut Self::State, _at: Location) -> Result<Taken<Self::State>, Stopped> {
        Ok(Taken::Expand(state.clone()))
    }

    /// Whether a node is always expanded as a whole. Then what an expansion gives along a step takes the place of what
    /// earlier expansions of the same node gave along it, instead of being merged with that. By default, it is not.
    fn expands_all(&self) -> bool {
        false
    }

    /// Only states of one control state and one partition are merged and compared. By default, there is one.
    fn partition(&self, _state: &Self::State) -> Partition {
        (0, 0)
    }

    /// States with a smaller number are expanded first, whatever their location. By default, all have the same.
    fn turn(&self, _state: &Self::State) -> u32 {
        0
    }

    /// For an analysis that keeps the visits of a loop head apart: which visit of a head the paths of a state have made
    /// last, where the head belongs to a loop around the location (`frame` 0) or the pending call number `frame` from the
    /// top. Earlier visits are expanded first. By default, visits are not told apart.
    fn visit(&self, _state: &Self::State, _frame: usize, _head: LocId) -> Option<u32> {
        None
    }
}

/// A part of the states of one control state, see [`Analysis::partition`].
pub type Partition = (u32, u32);

/// What [`Analysis::take`] makes of a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Taken<S> {
    /// This part of it is to be expanded.
    Expand(S),
    /// The state was changed in place. It is expanded unless another state covers it now.
    Adjusted,
    /// The state was changed in place, and found to have no concrete state.
    Bottom,
}
