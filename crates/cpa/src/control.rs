//! Location and call-stack analyses: where control is.

use crate::analysis::Step;
use crate::blocks::Blocks;
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{Callee, EdgeId, ExprId, FuncId, Idx, LocId, Op, Program};
use robusto_limits::Stopped;
use rustc_hash::FxHashMap;

/// A state of the location analysis 𝕃: the program counter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Location {
    /// The automaton.
    pub function: FuncId,
    /// The location in it.
    pub loc: LocId,
}

impl Location {
    /// The transfer of 𝕃: l ⇝ᵍ l′ if g leads from l to l′.
    pub fn transfer(self, program: &Program, step: Step) -> Location {
        match step {
            Step::Edge(function, edge) => Location { function, loc: program.functions[function].edge(edge).dst },
            Step::Block { function, to, .. } => Location { function, loc: to },
            Step::Enter { callee, .. } => Location { function: callee, loc: program.functions[callee].entry },
            Step::Leave { caller, edge, .. } => {
                Location { function: caller, loc: program.functions[caller].edge(edge).dst }
            }
        }
    }
}

/// A call stack; equal stacks have equal numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct StackId(u32);

impl StackId {
    /// No pending call.
    pub const EMPTY: StackId = StackId(0);
}

#[derive(Clone, Copy, Debug)]
struct Frame {
    below: StackId,
    caller: FuncId,
    edge: EdgeId,
    depth: u32,
}

/// All call stacks met so far.
#[derive(Debug)]
pub struct Stacks {
    frames: Vec<Frame>,
    ids: FxHashMap<(StackId, FuncId, EdgeId), StackId>,
    limit: u32,
}

impl Stacks {
    /// No stack but the empty one; recursion deeper than `limit` calls stops the analysis.
    pub fn new(limit: u32) -> Self {
        Self { frames: Vec::new(), ids: FxHashMap::default(), limit }
    }

    /// The pending call on top: the caller and its call edge.
    pub fn top(&self, stack: StackId) -> Option<(FuncId, EdgeId)> {
        self.frame(stack).map(|f| (f.caller, f.edge))
    }

    /// The stack below the top.
    pub fn below(&self, stack: StackId) -> StackId {
        self.frame(stack).map_or(StackId::EMPTY, |f| f.below)
    }

    /// Number of pending calls.
    pub fn depth(&self, stack: StackId) -> u32 {
        self.frame(stack).map_or(0, |f| f.depth)
    }

    /// Whether a function has a pending call on the stack.
    pub fn contains(&self, mut stack: StackId, function: FuncId) -> bool {
        while let Some(frame) = self.frame(stack) {
            if frame.caller == function {
                return true;
            }
            stack = frame.below;
        }
        false
    }

    /// The transfer of the call-stack analysis.
    pub fn transfer(&mut self, stack: StackId, step: Step) -> Result<StackId, Stopped> {
        match step {
            Step::Edge(..) | Step::Block { .. } => Ok(stack),
            Step::Leave { .. } => Ok(self.below(stack)),
            Step::Enter { caller, edge, .. } => {
                if let Some(&known) = self.ids.get(&(stack, caller, edge)) {
                    return Ok(known);
                }
                let depth = self.depth(stack) + 1;
                if depth > self.limit {
                    return Err(Stopped::Unsupported(format!("recursion deeper than {} calls", self.limit)));
                }
                self.frames.push(Frame { below: stack, caller, edge, depth });
                let id = StackId(self.frames.len() as u32);
                self.ids.insert((stack, caller, edge), id);
                Ok(id)
            }
        }
    }

    fn frame(&self, stack: StackId) -> Option<&Frame> {
        (stack.0 as usize).checked_sub(1).map(|i| &self.frames[i])
    }
}

/// The functions that an indirect call may reach.
pub trait Callees {
    /// Candidates for the value of a function pointer.
    fn callees(&self, pointer: ExprId) -> Vec<FuncId>;
}

impl Callees for Facts {
    fn callees(&self, pointer: ExprId) -> Vec<FuncId> {
        self.points_to.callees(pointer).functions
    }
}

/// The steps that leave a control state; through whole blocks where there are some.
pub fn steps(
    program: &Program,
    callees: &dyn Callees,
    blocks: Option<&Blocks>,
    location: Location,
    pending: Option<(FuncId, EdgeId)>,
    out: &mut Vec<Step>,
) {
    let function = &program.functions[location.function];
    if location.loc == function.exit {
        if let Some((caller, edge)) = pending {
            out.push(Step::Leave { callee: location.function, caller, edge });
        }
        return;
    }
    if let Some(block) = blocks.and_then(|b| b[location.loc].as_ref()) {
        let (function, from) = (location.function, location.loc);
        let edge = EdgeId::new(program.functions[function].out_range(from).start);
        out.extend(block.exits.iter().map(|&to| Step::Block { function, from, to, edge }));
        return;
    }
    for (id, edge) in function.out(location.loc) {
        let caller = location.function;
        match edge.op {
            Op::Call { callee: Callee::Direct(callee), .. } => out.push(Step::Enter { caller, edge: id, callee }),
            Op::Call { callee: Callee::Indirect(pointer, _), .. } => {
                out.extend(callees.callees(pointer).into_iter().map(|callee| Step::Enter { caller, edge: id, callee }));
            }
            _ => out.push(Step::Edge(caller, id)),
        }
    }
}
