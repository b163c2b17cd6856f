//! The composition: location × call stack × data.

use crate::analysis::{Analysis, Step};
use crate::blocks::Blocks;
use crate::control::{self, Callees, Location, StackId, Stacks};
use crate::strategy::{Partition, Plain, Strategy};
use robusto_cfa::analysis::loops::LoopForest;
use robusto_cfa::analysis::order::Order;
use robusto_cfa::ir::{FuncId, IdxVec, LocId, Program};
use robusto_limits::Stopped;
use std::rc::Rc;

/// A state of the composition.
#[derive(Clone, Debug)]
pub struct State<D> {
    /// Where control is.
    pub location: Location,
    /// The pending calls.
    pub stack: StackId,
    /// The state of the data analysis.
    pub data: D,
}

/// Rank of a control state: the reverse post-order numbers of the pending calls from the bottom, then of the location.
/// The lexicographic order finishes a called function before the caller goes on. Where visits of loop heads are told apart,
/// a location is preceded by the numbers of the heads of the loops around it, each with its visit: the order finishes a
/// visit before the next, and a loop before what follows. The first number is the turn of the state.
pub type Rank = Rc<[u32]>;

/// The composition of location analysis, call-stack analysis and a data analysis, and how it is explored. Several data
/// analyses are one, by a [`Product`](crate::Product).
pub struct Composite<'p, A: Analysis, S = Plain> {
    /// The program.
    pub program: &'p Program,
    /// The data analysis.
    pub data: A,
    strategy: S,
    /// The call stacks.
    pub stacks: Stacks,
    callees: &'p dyn Callees,
    rpo: IdxVec<FuncId, IdxVec<LocId, u32>>,
    loops: IdxVec<FuncId, LoopForest>,
    blocks: Option<IdxVec<FuncId, Blocks>>,
}

impl<'p, A: Analysis> Composite<'p, A> {
    /// Composes; recursion deeper than `stack_limit` calls stops the analysis.
    pub fn new(program: &'p Program, data: A, callees: &'p dyn Callees, stack_limit: u32) -> Self {
        let rpo = program
            .functions
            .iter()
            .map(|f| {
                let order = Order::of(f);
                f.locs().map(|loc| order.position(loc).map_or(u32::MAX, |p| p as u32)).collect()
            })
            .collect();
        let loops = program.functions.iter().map(LoopForest::of).collect();
        let stacks = Stacks::new(stack_limit);
        Self { program, data, strategy: Plain, stacks, callees, rpo, loops, blocks: None }
    }

    /// Explores by a strategy.
    pub fn with_strategy<S: Strategy<A>>(self, strategy: S) -> Composite<'p, A, S> {
        let Self { program, data, stacks, callees, rpo, loops, blocks, .. } = self;
        Composite { program, data, strategy, stacks, callees, rpo, loops, blocks }
    }
}

impl<A: Analysis, S: Strategy<A>> Composite<'_, A, S> {
    /// Takes blocks of tests in one step.
    pub fn with_blocks(mut self, blocks: IdxVec<FuncId, Blocks>) -> Self {
        self.set_blocks(blocks);
        self
    }

    /// Takes other blocks of tests in one step from now on.
    pub fn set_blocks(&mut self, blocks: IdxVec<FuncId, Blocks>) {
        self.blocks = Some(blocks);
    }

    /// The state at the start of a function.
    pub fn initial(&mut self, function: FuncId) -> Result<State<A::State>, Stopped> {
        let location = Location { function, loc: self.program.functions[function].entry };
        Ok(State { location, stack: StackId::EMPTY, data: self.data.initial()? })
    }

    /// All successors of (a part of) a state with the steps that lead to them.
    pub fn successors(
        &mut self,
        state: &State<A::State>,
        out: &mut Vec<(Step, State<A::State>)>,
    ) -> Result<(), Stopped> {
        let mut steps = Vec::new();
        let blocks = self.blocks.as_ref().map(|b| &b[state.location.function]);
        let pending = self.stacks.top(state.stack);
        control::steps(self.program, self.callees, blocks, state.location, pending, &mut steps);
        for step in steps {
            if let Some(data) = self.data.transfer(&state.data, step)? {
                let location = state.location.transfer(self.program, step);
                let stack = self.stacks.transfer(state.stack, step)?;
                for data in self.strategy.parts(&mut self.data, data, location) {
                    out.push((step, State { location, stack, data }));
                }
            }
        }
        Ok(())
    }

    pub(crate) fn partition(&self, data: &A::State) -> Partition {
        self.strategy.partition(&self.data, data)
    }

    pub(crate) fn frontier(&mut self, data: &mut A::State) -> Option<A::State> {
        self.strategy.frontier(&mut self.data, data)
    }

    pub(crate) fn replaces(&self) -> bool {
        self.strategy.replaces()
    }

    pub(crate) fn cover(&mut self, data: &A::State, by: &A::State) -> Result<bool, Stopped> {
        self.strategy.cover(&mut self.data, data, by)
    }

    /// The rank of a state with some data.
    pub fn rank(&self, location: Location, stack: StackId, data: &A::State) -> Rank {
        let mut ranks = Vec::new();
        self.push_rank(location, 0, data, &mut ranks);
        let mut at = stack;
        let mut frame = 1;
        while let Some((function, edge)) = self.stacks.top(at) {
            let call = Location { function, loc: self.program.functions[function].edge(edge).src };
            self.push_rank(call, frame, data, &mut ranks);
            at = self.stacks.below(at);
            frame += 1;
        }
        ranks.push(self.strategy.turn(&self.data, data));
        ranks.reverse();
        ranks.into()
    }

    /// The numbers of one frame, the last first.
    fn push_rank(&self, at: Location, frame: usize, data: &A::State, ranks: &mut Vec<u32>) {
        let (rpo, loops) = (&self.rpo[at.function], &self.loops[at.function]);
        ranks.push(rpo[at.loc]);
        let mut around = loops.innermost(at.loc).map(|id| loops.get(id));
        while let Some(inner) = around {
            if let Some(visit) = self.strategy.visit(&self.data, data, frame, inner.head) {
                ranks.extend([visit, rpo[inner.head]]);
            }
            around = inner.parent.map(|id| loops.get(id));
        }
    }
}
