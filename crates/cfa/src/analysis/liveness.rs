//! Live variables: whose value may still matter.
//!
//! The backward data-flow problem `live(l) = ⋃ { use(e) ∪ (live(m) ∖ def(e)) | e = (l, op, m) }` (Aho, Lam, Sethi,
//! Ullman: *Compilers*, section 9.2.5), with calls:
//!
//! - a call reads its arguments and the globals that the callees may read ([`ModRef`]); it certainly overwrites nothing
//!   but its result;
//! - at a function's exit those globals are live that are live after one of its calls; after `main`, none is.
//!
//! [`Kind::Strong`] leaves out values that only feed variables which are not live themselves (strongly live variables,
//! Giegerich, Möncke, Wilhelm: *Invariance of approximate semantics with respect to program transformations*, GI 1981):
//! an assignment to a variable that is not live uses nothing, likewise a builtin that writes no memory and whose
//! result is not live (`printf`), an argument whose parameter is not live, a returned value that no caller uses.
//!
//! Soundness: if two states at a location agree on the live variables and on memory, the edges that they can take agree,
//! and so do the successor states on what is live there. So an engine may forget (quantify) what is not live,
//! provided that it evaluates nothing for a variable that is not live; in particular, assignments to such variables
//! become `Skip`. Each round of sweeps in post-order is linear in the automaton times the words of a set; the number of
//! rounds is the loop nesting depth plus two.

#[cfg(test)]
mod tests;

use super::callgraph::{CallGraph, CallSite};
use super::graph::Graph;
use super::modref::ModRef;
use super::order::Order;
use super::sparse::SparseSet;
use super::uses::{Uses, defined, for_each_root};
use crate::ir::{Edge, EdgeId, FuncId, Function, IdxVec, LocId, Op, Program, VarId, VarKind};

/// A set of variables.
pub type Vars = SparseSet<VarId>;

/// Which uses count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// All.
    Plain,
    /// Those that can influence control flow, memory, or the result of the program.
    Strong,
}

/// The live variables of all locations.
#[derive(Clone, Debug)]
pub struct Liveness {
    live: IdxVec<FuncId, IdxVec<LocId, Vars>>,
}

impl Liveness {
    /// Solves the problem for all functions.
    pub fn of(program: &Program, uses: &Uses, calls: &CallGraph, modref: &ModRef, kind: Kind) -> Self {
        let globals: Vars =
            program.vars.enumerate().filter(|(_, v)| matches!(v.kind, VarKind::Global(_))).map(|(id, _)| id).collect();
        let boundary = |f| {
            // Without `main`, anyone may call a function and look at the globals afterwards.
            let exit = if program.main.is_none() { globals.clone() } else { Vars::new() };
            Boundary { exit, result: program.main.is_none_or(|main| main == f), params: Vars::new() }
        };
        let mut solver = Interprocedural {
            program,
            uses,
            calls,
            modref,
            kind,
            globals: &globals,
            boundary: program.functions.ids().map(boundary).collect(),
            live: IdxVec::filled(IdxVec::new(), program.functions.len()),
            dirty: IdxVec::filled(true, program.functions.len()),
            sweeps: program.functions.iter().map(|_| None).collect(),
        };
        solver.run();
        Self { live: solver.live }
    }

    /// The variables that are live when control is at a location.
    pub fn at(&self, function: FuncId, loc: LocId) -> &Vars {
        &self.live[function][loc]
    }

    /// The variables that an engine may forget behind an edge: live before it or written by it, and not live after it.
    pub fn dying(&self, function: FuncId, edge: &Edge) -> Vec<VarId> {
        let (before, after) = (self.at(function, edge.src), self.at(function, edge.dst));
        let written = defined(&edge.op).filter(|&v| !before.contains(v) && !after.contains(v));
        let mut dying: Vec<_> = before.difference(after).iter().chain(written).collect();
        dying.sort_unstable();
        dying
    }
}

/// The live local variables of one function; globals count as if nobody else read them.
pub(super) fn of_locals(uses: &Uses, function: &Function) -> IdxVec<LocId, Vars> {
    let mut live = IdxVec::filled(Vars::new(), function.num_locs());
    Sweep::new(function).solve(&mut live, None, |_, edge, live| {
        if let Some(var) = defined(&edge.op) {
            live.remove(var);
        }
        for_each_root(&edge.op, |root| live.extend(uses.vars(root).iter().copied()));
    });
    live
}

/// What a function and its callers agree on.
struct Boundary {
    /// Globals that are live after a call.
    exit: Vars,
    /// Whether the returned value is used.
    result: bool,
    /// Parameters that are live at the entry.
    params: Vars,
}

struct Interprocedural<'a> {
    program: &'a Program,
    uses: &'a Uses,
    calls: &'a CallGraph,
    modref: &'a ModRef,
    kind: Kind,
    globals: &'a Vars,
    boundary: IdxVec<FuncId, Boundary>,
    live: IdxVec<FuncId, IdxVec<LocId, Vars>>,
    dirty: IdxVec<FuncId, bool>,
    sweeps: IdxVec<FuncId, Option<Sweep<'a>>>,
}

impl<'a> Interprocedural<'a> {
    /// Callers first, since exits depend on callers; until nothing changes.
    fn run(&mut self) {
        while self.dirty.iter().any(|&d| d) {
            for &function in self.calls.bottom_up().iter().rev() {
                if std::mem::replace(&mut self.dirty[function], false) {
                    self.solve(function);
                    self.tell_callees(function);
                    self.tell_callers(function);
                }
            }
        }
    }

    fn solve(&mut self, id: FuncId) {
        let function: &'a Function = &self.program.functions[id];
        let mut live = std::mem::take(&mut self.live[id]);
        let first = live.is_empty();
        if first {
            live = IdxVec::filled(Vars::new(), function.num_locs());
        }
        live[function.exit] = self.boundary[id].exit.clone();
        let sweep = self.sweeps[id].take().unwrap_or_else(|| Sweep::new(function));
        // Only calls and returns see other functions.
        let again = |e: &Edge| matches!(e.op, Op::Call { .. }) || e.dst == function.exit;
        let start: Vec<LocId> = function.edges().iter().filter(|e| again(e)).map(|e| e.src).collect();
        sweep.solve(&mut live, (!first).then_some(&start), |edge_id, edge, vars| {
            self.transfer(id, edge_id, edge, vars);
        });
        self.sweeps[id] = Some(sweep);
        self.live[id] = live;
    }

    fn transfer(&self, function: FuncId, edge_id: EdgeId, edge: &Edge, live: &mut Vars) {
        let result = defined(&edge.op);
        let needed = result.is_some_and(|var| live.remove(var));
        let strong = self.kind == Kind::Strong;
        match &edge.op {
            Op::Assign { .. } if strong && !needed => {}
            Op::Builtin { builtin, .. } if strong && !needed && builtin.writes().is_empty() => {}
            Op::Return { .. } if strong && !self.boundary[function].result => {}
            Op::Call { args, .. } => {
                let site = self.calls.site(function, edge_id).expect("the call graph has every call");
                for &callee in &site.callees {
                    live.union_with(&self.modref.of_call(callee).reads);
                }
                // The target of an indirect call is used whatever it calls; it comes before the arguments.
                let mut i = 0;
                let first_arg = usize::from(site.indirect);
                for_each_root(&edge.op, |root| {
                    if !strong || i < first_arg || self.is_used(site, i - first_arg) {
                        live.extend(self.uses.vars(root).iter().copied());
                    }
                    i += 1;
                });
                debug_assert_eq!(i, first_arg + args.len());
            }
            op => for_each_root(op, |root| live.extend(self.uses.vars(root).iter().copied())),
        }
    }

    /// Whether a callee uses its parameter at this position.
    fn is_used(&self, site: &CallSite, position: usize) -> bool {
        site.unknown
            || site.callees.iter().any(|&callee| {
                let param = self.program.functions[callee].params.get(position);
                param.is_some_and(|&p| self.boundary[callee].params.contains(p))
            })
    }

    /// What is live after a call is live at the callee's exit.
    fn tell_callees(&mut self, id: FuncId) {
        let function = &self.program.functions[id];
        for site in self.calls.sites(id) {
            let edge = function.edge(site.edge);
            let after = &self.live[id][edge.dst];
            let result = defined(&edge.op);
            let used = result.is_some_and(|var| self.kind == Kind::Plain || after.contains(var));
            let mut globals = after.intersection(self.globals);
            if let Some(var) = result {
                globals.remove(var);
            }
            for &callee in &site.callees {
                let boundary = &mut self.boundary[callee];
                let grown = boundary.exit.union_with(&globals) | (used && !boundary.result);
                boundary.result |= used;
                self.dirty[callee] |= grown;
            }
        }
    }

    fn tell_callers(&mut self, id: FuncId) {
        let function = &self.program.functions[id];
        let entry = &self.live[id][function.entry];
        let params: Vars = function.params.iter().copied().filter(|&p| entry.contains(p)).collect();
        if self.kind == Kind::Strong && self.boundary[id].params.union_with(&params) {
            for caller in self.calls.callers(id) {
                self.dirty[caller] = true;
            }
        }
    }
}

/// Sweeps over a function's locations in post-order until nothing changes.
struct Sweep<'a> {
    function: &'a Function,
    order: Order<LocId>,
    predecessors: Graph<LocId>,
}

impl<'a> Sweep<'a> {
    fn new(function: &'a Function) -> Self {
        let graph = Graph::of(function);
        Self { function, order: Order::new(&graph, &[function.entry]), predecessors: graph.reversed() }
    }

    /// Solves from the sets given, which lie below the solution; starts with all locations or some.
    fn solve(
        &self,
        live: &mut IdxVec<LocId, Vars>,
        start: Option<&[LocId]>,
        mut transfer: impl FnMut(EdgeId, &Edge, &mut Vars),
    ) {
        let post: Vec<LocId> = self.order.post().collect();
        let position = |loc: LocId| self.order.position(loc).map(|p| post.len() - 1 - p);
        let mut dirty = vec![start.is_none(); post.len()];
        for at in start.into_iter().flatten().filter_map(|&loc| position(loc)) {
            dirty[at] = true;
        }
        let mut vars = Vars::new();
        let mut from = 0;
        while from < post.len() {
            // Where the next sweep has to begin: the first location that this one made dirty behind its back.
            let mut again = post.len();
            for at in from..post.len() {
                if !std::mem::replace(&mut dirty[at], false) {
                    continue;
                }
                let loc = post[at];
                let mut changed = false;
                for (id, edge) in self.function.out(loc) {
                    vars.copy_from(&live[edge.dst]);
                    transfer(id, edge, &mut vars);
                    changed |= live[loc].union_with(&vars);
                }
                if changed {
                    for before in self.predecessors.successors(loc).filter_map(position) {
                        dirty[before] = true;
                        if before <= at {
                            again = again.min(before);
                        }
                    }
                }
            }
            from = again;
        }
    }
}
