//! Path edges and summary edges with a SAT solver, fix points by formulas with two quantifiers.
//!
//! Gérard Basler, Daniel Kroening and Georg Weissenbacher, *SAT-Based Summarization for Boolean Programs*, SPIN 2007, Section 3
//! and Figure 1.
//!
//! | there | here |
//! |---|---|
//! | 𝒫, Σ_s(pr) | `Visited::done` of a node; of the exit |
//! | 𝒲 | `Visited::pending`, and `waiting` with the nodes that have some |
//! | INSERT, equation (8) | `Solver::is_new`, in `subsume` |
//! | 𝒲' (postponed calls) | `done` of the nodes before calls: a caller stays registered for ever |
//!
//! How the traps of the paper's text are resolved:
//!
//! - (a) Equation (5) is not asked. A callee is entered with a context unless all its *entry states* have been there before, and
//!   a summary is applied wherever (6) is satisfiable.
//! - (b) Figure 1 postpones a call only if no summary fits it yet, and would miss later ones. Here each new summary edge is
//!   applied to all path edges before calls of its procedure, and each new path edge there gets all summary edges.
//! - (c), (i), (j): see `symbolic`.
//! - (g) All procedures are handled here, unless [`universal`](mod@crate::universal) has a summary, which it has only for those
//!   that do not reach recursion.
//! - (h) Path edges start at entries that are reached, so a failure in a callee is a node that is reached, whether the
//!   callee returns or not. A universal summary comes with its failures.
//! - (l) Guards are satisfiable; (8) is asked against the union of the path edges that are known at the node; entry parts are
//!   globals and parameters.
//!
//! (8) is asked where it ends something: at heads of loops, entries and exits. Every cycle of a procedure has a head, and
//! recursion goes through entries and exits.
//!
//! Soundness: `done` of all nodes, with what (8) found to be a part of it, is closed under all edges, calls with all summary
//! edges included; and each path edge comes from others by a step of the program, which is what the trace walks back.

mod proof;
mod subsume;

use crate::explicit::Frame;
use crate::facts::Facts;
use crate::program::{EdgeId, NodeId, Op, ProcId, Program};
use crate::replay::Trace;
use crate::symbolic::{Compared, Figures, Order, PathId, Primes, Symbolic};
use crate::targets::{Goal, Targets};
use crate::universal::Summary;
use robusto_limits::{Limits, Progress, Stopped};
use robusto_logic::qbf::{External, Qbf, Statistics};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::Ordering;

/// A search.
#[derive(Debug)]
pub struct Solver<'p> {
    pub(crate) symbolic: Symbolic<'p>,
    pub(crate) order: Order,
    qbf: Qbf,
    pub(crate) primes: Primes,
    /// Per procedure and node.
    visited: Vec<Vec<Visited>>,
    /// Who calls a procedure.
    callers: Vec<Vec<(ProcId, EdgeId)>>,
    /// Summaries that hold for all entries.
    pub(crate) universal: BTreeMap<ProcId, Summary>,
    /// Nodes with pending path edges, the next first; see `insert`.
    waiting: BTreeSet<(usize, u32, ProcId, NodeId)>,
    /// The path edge that reaches a target.
    violation: Option<PathId>,
    expansions: u64,
}

/// The path edges to a node.
#[derive(Clone, Debug, Default)]
struct Visited {
    /// Those that have not been looked at.
    pending: Vec<PathId>,
    /// Those that have.
    done: Vec<PathId>,
    /// At an entry: the states that entered, without locals.
    entered: Vec<PathId>,
}

/// What a search has done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Work {
    pub expansions: u64,
    pub path_edges: usize,
    pub sat_calls: u64,
    pub symbolic: Figures,
    pub qbf: Statistics,
}

impl<'p> Solver<'p> {
    /// A search that has not begun; quantified formulas go to the external solver if there is one.
    pub fn new(program: &'p Program, facts: &'p Facts, external: Option<External>, limits: &Limits) -> Self {
        let mut callers = vec![Vec::new(); program.procedures.len()];
        for (id, procedure) in program.numbered() {
            for (edge_id, edge) in procedure.numbered() {
                if let Op::Call { callee, .. } = &edge.op {
                    callers[callee.index()].push((id, edge_id));
                }
            }
        }
        Self {
            symbolic: Symbolic::new(program, facts, limits),
            order: Order::new(program),
            qbf: Qbf::with_external(limits, external),
            primes: Primes::default(),
            visited: program.procedures.iter().map(|p| vec![Visited::default(); p.outgoing.len()]).collect(),
            callers,
            universal: BTreeMap::new(),
            waiting: BTreeSet::new(),
            violation: None,
            expansions: 0,
        }
    }

    /// Searches until a target is reached or nothing is new; tells whether one was.
    pub fn run(&mut self, targets: &Targets, progress: &Progress) -> Result<bool, Stopped> {
        let program = self.symbolic.program;
        let Some(main) = program.main else { return Ok(false) };
        let marks = targets.marks(program);
        let start = self.symbolic.start(main);
        self.insert(start);
        while let Some((_, _, id, node)) = self.waiting.pop_first() {
            self.symbolic.limits().look()?;
            self.expansions += 1;
            progress.expanded.store(self.expansions, Ordering::Relaxed);
            progress.reached.store(self.symbolic.path_edges() as u64, Ordering::Relaxed);
            progress.waiting.store(self.waiting.len() as u64, Ordering::Relaxed);
            let pending = std::mem::take(&mut self.visited[id.index()][node.index()].pending);
            let Some(path) = self.accept(id, node, pending)? else { continue };
            if marks[id.index()][node.index()] {
                self.violation = Some(path);
                return Ok(true);
            }
            self.expand(path)?;
            if self.violation.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Puts a path edge on the work list. Callees come before callers, and nodes in weak topological order; but a recursive
    /// procedure with new summary edges lets its callers have these first. To find all of them may take for ever (the family
    /// `recursive` with a violation, 25 variables: 10 s are not enough), and one may do for a violation.
    fn insert(&mut self, path: PathId) {
        let edge = self.symbolic.edge(path);
        let (id, node) = (edge.procedure, edge.node);
        self.visited[id.index()][node.index()].pending.push(path);
        let exit = self.symbolic.program.procedure(id).exit;
        let turn = if self.order.is_recursive(id) { self.visited[id.index()][exit.index()].done.len() } else { 0 };
        self.waiting.insert((turn, self.order.rank(id, node), id, node));
    }

    /// Merges what is pending at a node, and remembers it if it is new.
    fn accept(&mut self, id: ProcId, node: NodeId, pending: Vec<PathId>) -> Result<Option<PathId>, Stopped> {
        let (entering, mut others): (Vec<PathId>, Vec<PathId>) =
            pending.into_iter().partition(|&path| self.symbolic.is_entering(path));
        if let Some(path) = self.symbolic.merge(entering)? {
            let path = self.symbolic.compact(path)?;
            let known = self.visited[id.index()][node.index()].entered.clone();
            if self.is_new(path, &known, Compared::Entries)? {
                self.visited[id.index()][node.index()].entered.push(path);
                others.push(self.symbolic.with_locals(path));
            }
        }
        let Some(mut path) = self.symbolic.merge(others)? else { return Ok(None) };
        if node == self.symbolic.program.procedure(id).exit || self.order.is_head(id, node) {
            path = self.symbolic.compact(path)?;
            let known = self.visited[id.index()][node.index()].done.clone();
            if !self.is_new(path, &known, Compared::Pairs)? {
                return Ok(None);
            }
        }
        self.visited[id.index()][node.index()].done.push(path);
        Ok(Some(path))
    }

    /// Takes a path edge through the edges of its node.
    fn expand(&mut self, path: PathId) -> Result<(), Stopped> {
        let program = self.symbolic.program;
        let (id, node) = (self.symbolic.edge(path).procedure, self.symbolic.edge(path).node);
        let procedure = program.procedure(id);
        if node == procedure.exit {
            for i in 0..self.callers[id.index()].len() {
                let (caller, edge_id) = self.callers[id.index()][i];
                let before = program.procedure(caller).edge(edge_id).from;
                for from in self.visited[caller.index()][before.index()].done.clone() {
                    self.come_back(from, edge_id, path)?;
                }
            }
        }
        for &edge_id in &procedure.outgoing[node.index()] {
            self.symbolic.limits().look()?;
            let Op::Call { callee, .. } = procedure.edge(edge_id).op else {
                if let Some(next) = self.symbolic.trans(path, edge_id)? {
                    self.insert(next);
                }
                continue;
            };
            if let Some(&Summary { exit, failure, .. }) = self.universal.get(&callee) {
                if let Some(failure) = failure
                    && let Some(violation) = self.symbolic.apply_failure(path, edge_id, failure)?
                {
                    self.violation = Some(violation);
                    return Ok(());
                }
                if let Some(exit) = exit {
                    self.come_back(path, edge_id, exit)?;
                }
                continue;
            }
            if let Some(entry) = self.symbolic.enter(path, edge_id) {
                self.insert(entry);
            }
            let exit = program.procedure(callee).exit;
            for summary in self.visited[callee.index()][exit.index()].done.clone() {
                self.come_back(path, edge_id, summary)?;
            }
        }
        Ok(())
    }

    /// Applies a summary edge at a call.
    fn come_back(&mut self, from: PathId, edge_id: EdgeId, summary: PathId) -> Result<(), Stopped> {
        self.symbolic.limits().look()?;
        if let Some(next) = self.symbolic.apply(from, edge_id, summary)? {
            self.insert(next);
        }
        Ok(())
    }

    /// The target that was reached, with an execution.
    pub fn violation<'t>(&mut self, targets: &'t Targets) -> Result<Option<(&'t Goal, Trace)>, Stopped> {
        let Some(path) = self.violation else { return Ok(None) };
        self.execution(path, targets)
    }

    /// An execution along a path edge to a target.
    pub(crate) fn execution<'t>(
        &mut self,
        path: PathId,
        targets: &'t Targets,
    ) -> Result<Option<(&'t Goal, Trace)>, Stopped> {
        let found = self.symbolic.trace(path)?;
        Ok(found.and_then(|(trace, procedure, node)| Some((targets.at(procedure, node)?, trace))))
    }

    /// What the search has done.
    pub(crate) fn work(&self) -> Work {
        Work {
            expansions: self.expansions,
            path_edges: self.symbolic.path_edges(),
            sat_calls: self.symbolic.sat_calls(),
            symbolic: self.symbolic.figures,
            qbf: self.qbf.statistics(),
        }
    }

    /// Number of path edges that are kept for a node.
    pub fn path_edges_to(&self, id: ProcId, node: NodeId) -> usize {
        self.visited[id.index()][node.index()].done.len()
    }

    /// All path edges to a node: states at the entry and at the node, what matters of them. For comparison with the oracle.
    pub fn relation(&mut self, id: ProcId, node: NodeId) -> Result<BTreeSet<(Frame, Frame)>, Stopped> {
        let mut pairs = BTreeSet::new();
        for path in self.visited[id.index()][node.index()].done.clone() {
            pairs.extend(self.symbolic.pairs(path)?);
        }
        Ok(pairs)
    }
}
