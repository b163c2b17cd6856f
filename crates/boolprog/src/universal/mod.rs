//! Universal summaries: a procedure is unrolled once for all entries, callees first, and no formula with two quantifiers is
//! asked.
//!
//! Gérard Basler, Daniel Kroening and Georg Weissenbacher, *SAT-Based Summarization for Boolean Programs*, SPIN 2007, Section 4
//! and Figures 2 and 3.
//!
//! | there | here |
//! |---|---|
//! | UNROLL (Figure 2), EXPAND (Figure 3) | `unroll` |
//! | 𝒫(n), RECURRING, equation (9) | `Unrolling::kept`, `Unrolling::what_is_new` |
//! | universal summary Σ_u(pr) (Definition 8) | `Summary` |
//!
//! How the traps of the paper's text are resolved:
//!
//! - (d) RECURRING has the polarity opposite to the satisfiability of (9); `what_is_new` says what it means.
//! - (e) Equation (9) asks that all earlier guards hold, so runs that skipped the node earlier are lost. A path edge π is kept
//!   if `γπ ∧ ⋀j (γj ⇒ ωj ≠ ωπ)` is satisfiable, over the variables that are live at the node, and then this is its guard:
//!   without that, a run that was twice in one state goes on as long as the last state of each round is new. ("Def. 3" in
//!   Section 4 means Definition 4.)
//! - (f) Figure 3 havocs what a callee may change, which is exact only if the callee's summary is conjoined later, per
//!   occurrence and with choices of its own. Callees come first here, so that is done at once: at a call the callee's
//!   summary is applied, and nothing is havocked.
//! - (g) Procedures that are recursive, or reach one that is, go to the [`qbf`](mod@crate::qbf) engine, which applies the universal
//!   summaries of the others.
//! - (h) A summary hides failures of the callee, all the more if it does not return then. So the path edges to targets are
//!   merged too, and applied at calls like a summary: the `Summary::failure` of the caller.
//! - (k) If nothing reaches the exit there is no summary, and nothing goes on behind a call. Nodes are worked on in weak
//!   topological order, the exit last.
//!
//! The longest run without a repetition is much longer than the shortest runs to all states where choices are free: `x := *` in
//! a loop over n variables gives 2^n. So states are also compared with those of *other* choices that the states themselves
//! define (`Primes::matching`): where γj leaves the value of x free, ωj is in the same state whatever x is now.
//!
//! Soundness: both comparisons are (8) with functions given for ξ2, in the first case ξ2 = ξ1. So what is cut off has been at
//! the node before, with the same entry; the kept path edges are closed under the edges, and each is a set of executions. So
//! their union is the exact relation for all entries. It ends since all states of a run at a node differ.

mod proof;
mod unroll;

use crate::facts::Facts;
use crate::program::{EdgeId, NodeId, Op, ProcId, Program};
use crate::qbf::{self, Work};
use crate::replay::Trace;
use crate::symbolic::PathId;
use crate::targets::{Goal, Targets};
use robusto_limits::{Limits, Progress, Stopped};
use robusto_logic::qbf::External;
use std::collections::BTreeMap;
use unroll::Unrolled;

/// A summary that grows beyond so many terms is given up, and the procedure left to the QBF engine. What universal summaries are
/// bad at is depth, but so is the QBF engine: a counter of 10 bits stays below the threshold, 3 s; with the QBF engine 4 s.
pub const THRESHOLD: usize = 100_000;

/// What a procedure does, whoever calls it.
#[derive(Clone, Debug)]
pub(crate) struct Summary {
    /// The path edge to its exit, if one can be reached.
    pub exit: Option<PathId>,
    /// The path edge to targets, in it or in those it calls.
    pub failure: Option<PathId>,
    /// The path edges to heads of loops.
    pub heads: BTreeMap<NodeId, Vec<PathId>>,
    /// The calls, each with a path edge to it.
    pub calls: Vec<(PathId, EdgeId)>,
}

/// A search.
#[derive(Debug)]
pub struct Solver<'p> {
    qbf: qbf::Solver<'p>,
    threshold: usize,
    violation: Option<PathId>,
    /// Procedures that do not reach recursion, but whose summaries became too large.
    switched: u64,
}

impl<'p> Solver<'p> {
    /// A search that has not begun.
    pub fn new(
        program: &'p Program,
        facts: &'p Facts,
        external: Option<External>,
        threshold: usize,
        limits: &Limits,
    ) -> Self {
        Self { qbf: qbf::Solver::new(program, facts, external, limits), threshold, violation: None, switched: 0 }
    }

    /// Searches until a target is reached or nothing is new; tells whether one was.
    pub fn run(&mut self, targets: &Targets, progress: &Progress) -> Result<bool, Stopped> {
        let program = self.qbf.symbolic.program;
        let Some(main) = program.main else { return Ok(false) };
        let marks = targets.marks(program);
        let needed = called(program, main);
        for id in self.qbf.order.bottom_up.clone() {
            let callees = program.procedure(id).edges.iter().filter_map(|edge| match edge.op {
                Op::Call { callee, .. } => Some(callee),
                _ => None,
            });
            let mut left_out = callees.filter(|callee| !self.qbf.universal.contains_key(callee));
            if !needed[id.index()] || self.qbf.order.reaches_recursion(id) || left_out.next().is_some() {
                continue;
            }
            match unroll::unroll(&mut self.qbf, id, &marks[id.index()], self.threshold, progress)? {
                Unrolled::Summary(summary) => {
                    self.qbf.universal.insert(id, summary);
                }
                Unrolled::Violation(path) => {
                    self.violation = Some(path);
                    return Ok(true);
                }
                Unrolled::TooLarge => self.switched += 1,
            }
        }
        if self.qbf.universal.contains_key(&main) {
            return Ok(false);
        }
        self.qbf.run(targets, progress)
    }

    /// The target that was reached, with an execution.
    pub fn violation<'t>(&mut self, targets: &'t Targets) -> Result<Option<(&'t Goal, Trace)>, Stopped> {
        match self.violation {
            Some(path) => self.qbf.execution(path, targets),
            None => self.qbf.violation(targets),
        }
    }

    /// What the search has done.
    pub(crate) fn work(&self) -> Work {
        self.qbf.work()
    }

    /// Number of procedures with a universal summary, and of those whose summary was too large.
    pub fn summaries(&self) -> (usize, u64) {
        (self.qbf.universal.len(), self.switched)
    }
}

/// The procedures that are called from one, directly or not, and itself.
fn called(program: &Program, from: ProcId) -> Vec<bool> {
    let mut called = vec![false; program.procedures.len()];
    called[from.index()] = true;
    let mut todo = vec![from];
    while let Some(id) = todo.pop() {
        for edge in &program.procedure(id).edges {
            if let Op::Call { callee, .. } = edge.op
                && !std::mem::replace(&mut called[callee.index()], true)
            {
                todo.push(callee);
            }
        }
    }
    called
}
