//! The operators of a CPA.

use crate::control::Location;
use robusto_cfa::ir::{Edge, EdgeId, FuncId, LocId, Op, Program};
use robusto_limits::Stopped;

/// What control does: an edge of one automaton, a block of tests, or the entry into or the return from a called function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// An edge that is not a call, or in the [supergraph](crate::Supergraph) a call of something unknown.
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

impl<S: Clone> Merge<S> {
    /// Whether the state stays as it is.
    pub fn is_keep(&self) -> bool {
        matches!(self, Merge::Keep)
    }

    /// What a state is then.
    pub fn or(self, old: &S) -> S {
        match self {
            Merge::Keep => old.clone(),
            Merge::Replace(state) => state,
        }
    }
}

/// A CPA 𝔻 = (D, ⇝, merge, stop, prec), without the program counter: the states of one control state are compared and
/// merged, others are not.
///
/// Soundness asks: `transfer` over-approximates the concrete steps; `merge(e′, e″)` is at least e″; `stop(e, e′)` only if
/// every concrete state of e is one of e′; `prec` loses no concrete state.
///
/// How the reached set is kept and in which order it is explored is the business of a [`Strategy`](crate::Strategy).
pub trait Analysis {
    /// An abstract state, not bottom.
    type State: Clone;

    /// The state at the program's start.
    fn initial(&mut self) -> Result<Self::State, Stopped>;

    /// The successor along a step (e ⇝ᵍ e′); `None` for bottom.
    fn transfer(&mut self, state: &Self::State, step: Step) -> Result<Option<Self::State>, Stopped>;

    /// Combines a new state with an existing one at the same location. [`Merge::Keep`] is merge^sep.
    fn merge(&mut self, new: &Self::State, old: &Self::State, at: Location) -> Result<Merge<Self::State>, Stopped>;

    /// Whether an existing state makes a new one superfluous (stop^sep: the algorithm asks for each state of the reached
    /// set). A question only: neither state changes by it, nor does the analysis.
    fn stop(&self, new: &Self::State, old: &Self::State) -> Result<bool, Stopped>;

    /// Adjusts the precision of a state at a location, when it is taken from the waitlist. By then all that could be
    /// merged with it has arrived. By default, nothing is lost.
    fn prec(&mut self, _state: &mut Self::State, _at: Location) -> Result<Prec, Stopped> {
        Ok(Prec::Kept)
    }
}

/// What `prec` has made of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Prec {
    /// It is as it was.
    Kept,
    /// It was changed, or may be covered now for another reason. It is expanded unless another state covers it.
    Adjusted,
    /// It was changed, and found to have no concrete state.
    Bottom,
}
