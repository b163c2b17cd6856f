//! The call graph: who calls whom, which functions are recursive, and an order from callees to callers.
//!
//! Direct calls are in the automata; indirect ones are resolved by [`PointsTo`]. Recursion is a component of the graph
//! with a cycle (Tarjan, see [`Sccs`]). Sound as far as the points-to analysis is: each function that an indirect call
//! can call is in its set. A call through a pointer that the analysis knows nothing about is marked. Linear.

use super::graph::Graph;
use super::order::Order;
use super::points_to::{Callees, PointsTo};
use super::scc::{SccId, Sccs};
use crate::ir::{Callee, EdgeId, FuncId, IdxVec, Op, Program};

/// A call edge with what it may call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallSite {
    /// The edge in the calling function.
    pub edge: EdgeId,
    /// The functions that it may call, ascending; one for a direct call.
    pub callees: Vec<FuncId>,
    /// Whether it goes through a pointer.
    pub indirect: bool,
    /// Whether it may call something that the points-to analysis knows nothing about.
    pub unknown: bool,
}

/// The call graph of a program.
#[derive(Clone, Debug)]
pub struct CallGraph {
    /// By function, in the order of the edges.
    sites: IdxVec<FuncId, Vec<CallSite>>,
    callees: Graph<FuncId>,
    callers: Graph<FuncId>,
    sccs: Sccs<FuncId>,
    recursive: IdxVec<FuncId, bool>,
    reachable: IdxVec<FuncId, bool>,
}

impl CallGraph {
    /// The call graph under a points-to analysis.
    pub fn of(program: &Program, points_to: &PointsTo) -> Self {
        let sites: IdxVec<FuncId, Vec<CallSite>> = program
            .functions
            .iter()
            .map(|function| {
                let calls = function.edges().enumerate().filter_map(|(edge, e)| match e.op {
                    Op::Call { callee: Callee::Direct(f), .. } => {
                        Some(CallSite { edge, callees: vec![f], indirect: false, unknown: false })
                    }
                    Op::Call { callee: Callee::Indirect(target, _), .. } => {
                        let Callees { mut functions, unknown } = points_to.callees(target);
                        if unknown {
                            functions.extend(program.called_outside(&e.op));
                            functions.sort_unstable();
                            functions.dedup();
                        }
                        Some(CallSite { edge, callees: functions, indirect: true, unknown })
                    }
                    _ => None,
                });
                calls.collect()
            })
            .collect();
        let mut edges: Vec<(FuncId, FuncId)> = sites
            .enumerate()
            .flat_map(|(caller, sites)| sites.iter().flat_map(move |s| s.callees.iter().map(move |&f| (caller, f))))
            .collect();
        edges.sort_unstable();
        edges.dedup();
        let callees = Graph::new(program.functions.len(), edges.iter().copied());
        let sccs = Sccs::new(&callees);
        let mut recursive: IdxVec<FuncId, bool> =
            callees.nodes().map(|f| sccs.members(sccs.component(f)).len() > 1).collect();
        for &(caller, _) in edges.iter().filter(|(caller, callee)| caller == callee) {
            recursive[caller] = true;
        }
        let roots: Vec<_> = program.main.map_or_else(|| callees.nodes().collect(), |main| vec![main]);
        let order = Order::new(&callees, &roots);
        let reachable = callees.nodes().map(|f| order.reaches(f)).collect();
        Self { sites, callers: callees.reversed(), callees, sccs, recursive, reachable }
    }

    /// The call edges of a function.
    pub fn sites(&self, function: FuncId) -> &[CallSite] {
        &self.sites[function]
    }

    /// The call at an edge.
    pub fn site(&self, function: FuncId, edge: EdgeId) -> Option<&CallSite> {
        let sites = &self.sites[function];
        sites.binary_search_by_key(&edge, |s| s.edge).ok().map(|at| &sites[at])
    }

    /// The functions that a function may call, ascending, each once.
    pub fn callees(&self, function: FuncId) -> impl DoubleEndedIterator<Item = FuncId> + ExactSizeIterator {
        self.callees.successors(function)
    }

    /// The functions that may call a function, ascending, each once.
    pub fn callers(&self, function: FuncId) -> impl DoubleEndedIterator<Item = FuncId> + ExactSizeIterator {
        self.callers.successors(function)
    }

    /// Whether a call of the function may lead to another call of it before it returns.
    pub fn is_recursive(&self, function: FuncId) -> bool {
        self.recursive[function]
    }

    /// Whether `main` may lead to a call of the function; true for all functions if there is no `main`.
    pub fn is_reachable(&self, function: FuncId) -> bool {
        self.reachable[function]
    }

    /// All functions; callees come before their callers, except in recursion.
    pub fn bottom_up(&self) -> &[FuncId] {
        self.sccs.bottom_up()
    }

    /// The components, callees first.
    pub fn components(&self) -> &Sccs<FuncId> {
        &self.sccs
    }

    /// The component of a function.
    pub fn component(&self, function: FuncId) -> SccId {
        self.sccs.component(function)
    }
}
