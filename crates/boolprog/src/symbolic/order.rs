//! In which order nodes and procedures are worked on.
//!
//! Trap (k): the distance to the exit orders no joins where there are early returns. Here nodes stand in weak topological
//! order, the exit last: a node comes after all that lead to it, except along edges back to the head of a loop around them,
//! so a loop is stable before what follows it is looked at.

use crate::program::{NodeId, Op, ProcId, Program};
use robusto_cfa::analysis::graph::Graph;
use robusto_cfa::analysis::loops::LoopForest;
use robusto_cfa::analysis::scc::Sccs;
use robusto_cfa::ir::{Idx, LocId};

impl Idx for ProcId {
    fn new(index: usize) -> Self {
        Self(index as u32)
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// The order of work.
#[derive(Debug)]
pub(crate) struct Order {
    /// The procedures, callees first.
    pub bottom_up: Vec<ProcId>,
    rank: Vec<Vec<u32>>,
    heads: Vec<Vec<bool>>,
    /// Whether a procedure may be active twice.
    in_cycle: Vec<bool>,
    recursive: Vec<bool>,
}

impl Order {
    pub fn new(program: &Program) -> Self {
        let callees = |id: ProcId| {
            program.procedure(id).edges.iter().filter_map(|edge| match edge.op {
                Op::Call { callee, .. } => Some(callee),
                _ => None,
            })
        };
        let ids = (0..program.procedures.len()).map(|i| ProcId(i as u32));
        let calls = ids.flat_map(|id| callees(id).map(move |callee| (id, callee)));
        let components = Sccs::new(&Graph::new(program.procedures.len(), calls));
        let bottom_up = components.bottom_up().to_vec();
        let mut in_cycle = vec![false; program.procedures.len()];
        let mut recursive = vec![false; program.procedures.len()];
        // Trap (g): who reaches recursion counts, not only who is part of it.
        for &id in &bottom_up {
            in_cycle[id.index()] = callees(id).any(|callee| components.component(id) == components.component(callee));
            recursive[id.index()] = in_cycle[id.index()] || callees(id).any(|callee| recursive[callee.index()]);
        }
        let mut order = Self {
            bottom_up,
            rank: program.procedures.iter().map(|p| vec![0; p.outgoing.len()]).collect(),
            heads: program.procedures.iter().map(|p| vec![false; p.outgoing.len()]).collect(),
            in_cycle,
            recursive,
        };
        let mut next = 0;
        for id in order.bottom_up.clone() {
            next = order.arrange(program, id, next);
        }
        order
    }

    fn arrange(&mut self, program: &Program, id: ProcId, mut next: u32) -> u32 {
        let procedure = program.procedure(id);
        let location = |node: NodeId| LocId::new(node.index());
        let edges = procedure.edges.iter().map(|edge| (location(edge.from), location(edge.to)));
        let forest = LoopForest::new(&Graph::new(procedure.outgoing.len(), edges), location(procedure.entry));
        let ranks = &mut self.rank[id.index()];
        for &loc in forest.weak_topological_order() {
            ranks[loc.index()] = next;
            next += 1;
            self.heads[id.index()][loc.index()] = forest.is_head(loc);
        }
        ranks[procedure.exit.index()] = next;
        next + 1
    }

    /// The place of a node among all: procedures after those that they call, recursion aside.
    pub fn rank(&self, id: ProcId, node: NodeId) -> u32 {
        self.rank[id.index()][node.index()]
    }

    /// Whether a node is the head of a loop. Every cycle of a procedure has one.
    pub fn is_head(&self, id: ProcId, node: NodeId) -> bool {
        self.heads[id.index()][node.index()]
    }

    /// Whether a procedure is recursive: calls itself, directly or not.
    pub fn is_recursive(&self, id: ProcId) -> bool {
        self.in_cycle[id.index()]
    }

    /// Whether a procedure is recursive or calls, directly or not, one that is.
    pub fn reaches_recursion(&self, id: ProcId) -> bool {
        self.recursive[id.index()]
    }
}
