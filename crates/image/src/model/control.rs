//! Where control can be: locations with their pending calls, and which of them begin a block.

use robusto_analyses::interval::Invariants;
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{EdgeId, FuncId, Op};
use robusto_cpa::Step;
use robusto_cpa::control::{Location, StackId, Stacks, steps};
use robusto_limits::{Limits, Stopped};
use rustc_hash::FxHashMap;

/// Most control states. Programs with more are too large for one relation, however it is cut.
const MOST: usize = 200_000;

/// Deepest stack of calls that are not recursive.
const DEEPEST: u32 = 10_000;

/// Control states between two looks at the clock.
const POLL: usize = 1024;

/// Where a step leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Next {
    /// To another control state.
    Node(usize),
    /// To a violation, or to something that is not modelled.
    Target,
    /// To an activation of a recursive function that the model has no room for.
    TooDeep,
}

/// A control state.
pub(super) struct Node {
    pub stack: StackId,
    pub location: Location,
    pub next: Vec<(Step, Next)>,
    /// Whether a block begins here.
    pub begins: bool,
}

/// All control states that may be reached, the start first.
pub(super) struct Graph {
    pub nodes: Vec<Node>,
    stacks: Stacks,
}

impl Graph {
    pub fn of(facts: &Facts, intervals: Option<&Invariants>, recursion: u32, limits: &Limits) -> Result<Self, Stopped> {
        let program = &facts.program;
        let Some(main) = program.main else { return Err(Stopped::Unsupported("a program without main".to_owned())) };
        let mut graph = Graph { nodes: Vec::new(), stacks: Stacks::new(DEEPEST) };
        let mut numbers: FxHashMap<(StackId, Location), usize> = FxHashMap::default();
        let start = (StackId::EMPTY, Location { function: main, loc: program.functions[main].entry });
        numbers.insert(start, 0);
        graph.nodes.push(Node { stack: start.0, location: start.1, next: Vec::new(), begins: true });
        let is_dead = |at: Location| intervals.is_some_and(|i| !i.is_reachable(at.function, at.loc));
        let mut arrivals = vec![0_u32];
        let mut at = 0;
        while at < graph.nodes.len() {
            if at % POLL == 0 {
                limits.look()?;
            }
            let Node { stack, location, .. } = graph.nodes[at];
            let mut out = Vec::new();
            steps(program, facts, None, location, graph.stacks.top(stack), &mut out);
            let mut next = Vec::new();
            for step in out {
                if step.is_error(program) {
                    next.push((step, Next::Target));
                    continue;
                }
                if let Step::Enter { callee, .. } = step
                    && facts.calls.is_recursive(callee)
                    && graph.activations(stack, location, callee) >= recursion
                {
                    next.push((step, Next::TooDeep));
                    continue;
                }
                let to = location.transfer(program, step);
                if is_dead(to) {
                    continue;
                }
                let key = (graph.stacks.transfer(stack, step)?, to);
                let number = *numbers.entry(key).or_insert_with(|| {
                    graph.nodes.push(Node { stack: key.0, location: to, next: Vec::new(), begins: false });
                    arrivals.push(0);
                    graph.nodes.len() - 1
                });
                arrivals[number] += 1;
                next.push((step, Next::Node(number)));
            }
            graph.nodes[at].next = next;
            if graph.nodes.len() > MOST {
                return Err(Stopped::Unsupported(format!("more than {MOST} locations after inlining")));
            }
            at += 1;
        }
        graph.cut(facts, &arrivals);
        Ok(graph)
    }

    /// Blocks begin where control branches or meets, and behind steps that end one.
    fn cut(&mut self, facts: &Facts, arrivals: &[u32]) {
        for (node, &arrivals) in self.nodes.iter_mut().zip(arrivals) {
            node.begins |= arrivals > 1;
        }
        for at in 0..self.nodes.len() {
            let is_branch = self.nodes[at].next.len() > 1;
            for i in 0..self.nodes[at].next.len() {
                if let (step, Next::Node(to)) = self.nodes[at].next[i]
                    && (is_branch || ends_block(facts, step))
                {
                    self.nodes[to].begins = true;
                }
            }
        }
    }

    /// How many activations of a function there are.
    pub fn activations(&self, stack: StackId, location: Location, function: FuncId) -> u32 {
        let pending = self.calls(stack).iter().filter(|&&(caller, _)| caller == function).count();
        pending as u32 + u32::from(location.function == function)
    }

    /// The pending calls, the oldest first.
    pub fn calls(&self, mut stack: StackId) -> Vec<(FuncId, EdgeId)> {
        let mut calls = Vec::new();
        while let Some(call) = self.stacks.top(stack) {
            calls.push(call);
            stack = self.stacks.below(stack);
        }
        calls.reverse();
        calls
    }
}

/// Whether a step is the last one of its block: an allocation, because the heap may be too small, and steps that choose the
/// content of memory, so that what is chosen is stored before it is read.
fn ends_block(facts: &Facts, step: Step) -> bool {
    match step {
        Step::Enter { callee, .. } => !facts.program.functions[callee].objects.is_empty(),
        _ => matches!(step.edge(&facts.program).op, Op::Alloc { .. } | Op::HavocMem { .. } | Op::Builtin { .. }),
    }
}
