//! Sets of states as functions of choices, shared by the engines [`qbf`](mod@crate::qbf) and
//! [`universal`](mod@crate::universal).
//!
//! Gérard Basler, Daniel Kroening and Georg Weissenbacher, *SAT-Based Summarization for Boolean Programs*, SPIN 2007, Section 3.
//!
//! | there | here |
//! |---|---|
//! | choice variables ι, valuations ξ | symbols of `Terms`, `Model` |
//! | symbolic state ⟨n, γ, ω⟩ (Definition 5) | `node`, `guard` and `now` of a [`PathEdge`] |
//! | path edge (Definition 6) | [`PathEdge`]: `entry` has the values ω_i at the entry; γ_o has γ_i as a part |
//! | TRANS (Table 1) | `Symbolic::trans` |
//! | APPLY, equations (6) and (7) | `Symbolic::apply` |
//! | MERGE | `Symbolic::merge` |
//!
//! A path edge stands for the pairs of states `{(entry(ξ), now(ξ)) | guard(ξ)}`. `entry` has only what matters of globals and
//! parameters (trap (l)), and `now` only what is live; other values are false, so that equal sets more often look equal.
//!
//! Trap (c): MERGE as printed gives a variable the value ω1 ∨ ω2. Here a fresh *selector* chooses one of the two edges, for
//! their entries and states together; where the guards exclude each other, a guard chooses, and no selector is needed.
//! Trap (i): the choices of an edge are fresh whenever it is taken, and all choices of a summary whenever it is applied.
//! Trap (j): from a = 0, b = 1 the statement behind equation (3) leads to a = 1, b = 1; a test has Table 1 do it.
//! Trap (l): no path edge has an unsatisfiable guard; `trans` and `apply` give none then.
//!
//! Each path edge knows where it comes from, so an execution is read off a model of its guard (`trace`).

mod apply;
mod compact;
mod merge;
mod order;
mod primes;
mod proof;
mod trace;
mod trans;

pub(crate) use order::Order;
pub(crate) use primes::{Compared, Primes};

use crate::explicit::Frame;
use crate::facts::Facts;
use crate::program::{EdgeId, NodeId, ProcId, Program, VarId};
use robusto_limits::{Limits, Stopped};
use robusto_logic::{Answer, Solver, Sort, Symbol, Term, Terms};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::rc::Rc;

/// A path edge of a [`Symbolic`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct PathId(u32);

/// A set of pairs of states: at the entry of a procedure and at one of its nodes.
#[derive(Clone, Debug)]
pub(crate) struct PathEdge {
    pub procedure: ProcId,
    pub node: NodeId,
    /// Values at the entry, of the variables that [`Facts::entry`] lists.
    pub entry: Rc<[Term]>,
    /// Which valuations of the choices count.
    pub guard: Term,
    /// Values of the variables of the frame.
    pub now: Rc<[Term]>,
    origin: Origin,
}

/// Where a path edge comes from.
#[derive(Clone, Debug)]
enum Origin {
    /// The program starts.
    Start,
    /// A call of a procedure.
    Enter { from: PathId, edge: EdgeId, choices: Choices },
    /// The locals have got their first values.
    Locals { from: PathId },
    /// An edge.
    Step { from: PathId, edge: EdgeId, choices: Choices },
    /// One of two edges, the first if the condition holds.
    Merge { condition: Term, yes: PathId, no: PathId },
    /// A call that returned, or failed: the callee's path edge is `inside`, its choices renamed.
    Call { from: PathId, edge: EdgeId, choices: Choices, inside: PathId, renaming: Rc<[(Symbol, Term)]> },
    /// The same pairs in another form.
    Compact { from: PathId },
    /// A part of the pairs, for the same choices.
    Part { from: PathId },
}

/// The choices of an edge that was taken.
#[derive(Clone, Debug)]
enum Choices {
    /// Terms.
    Terms(Rc<[Term]>),
    /// Any that let the condition hold in the state before.
    Any,
}

/// What was done so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Figures {
    pub merges: u64,
    pub selectors: u64,
    pub applications: u64,
}

/// Path edges and the formulas they are made of.
pub(crate) struct Symbolic<'p> {
    pub program: &'p Program,
    pub facts: &'p Facts,
    pub terms: Terms,
    pub figures: Figures,
    /// Choices that MERGE made.
    pub selectors: FxHashSet<Symbol>,
    sat: Solver,
    edges: Vec<PathEdge>,
    limits: Limits,
}

impl std::fmt::Debug for Symbolic<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Symbolic").field("edges", &self.edges.len()).finish_non_exhaustive()
    }
}

impl<'p> Symbolic<'p> {
    pub fn new(program: &'p Program, facts: &'p Facts, limits: &Limits) -> Self {
        Self {
            program,
            facts,
            terms: Terms::new(),
            figures: Figures::default(),
            selectors: FxHashSet::default(),
            sat: Solver::new(limits),
            edges: Vec::new(),
            limits: limits.clone(),
        }
    }

    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    pub fn edge(&self, id: PathId) -> &PathEdge {
        &self.edges[id.0 as usize]
    }

    /// Number of path edges.
    pub fn path_edges(&self) -> usize {
        self.edges.len()
    }

    /// Number of questions to the SAT solver.
    pub fn sat_calls(&self) -> u64 {
        self.sat.statistics().calls
    }

    fn push(&mut self, edge: PathEdge) -> PathId {
        self.edges.push(edge);
        PathId(self.edges.len() as u32 - 1)
    }

    fn choice(&mut self) -> Term {
        self.terms.fresh("c", Sort::BOOL)
    }

    /// Whether the terms hold together for some choices.
    pub fn satisfiable(&mut self, all: &[Term]) -> Result<bool, Stopped> {
        if all.iter().all(|&t| self.terms.is_true(t)) {
            return Ok(true);
        }
        if all.iter().any(|&t| self.terms.is_false(t)) {
            return Ok(false);
        }
        Ok(self.sat.check(&mut self.terms, all)? == Answer::Sat)
    }

    /// A path edge with a stronger guard; `None` if nothing is left of it.
    pub fn part(&mut self, from: PathId, guard: Term) -> Result<Option<PathId>, Stopped> {
        let edge = self.edge(from).clone();
        if guard == edge.guard {
            return Ok(Some(from));
        }
        let is_left = self.satisfiable(&[guard])?;
        Ok(is_left.then(|| self.push(PathEdge { guard, origin: Origin::Part { from }, ..edge })))
    }

    /// That the states of two path edges at one node agree on what is live there.
    pub fn same_state(&mut self, node: (ProcId, NodeId), one: &[Term], other: &[Term]) -> Term {
        let live: Vec<VarId> = self.facts.live(node.0, node.1).iter().collect();
        let mut same = self.terms.yes();
        for var in live {
            let equal = self.terms.eq(one[var.index()], other[var.index()]);
            same = self.terms.and(same, equal);
            if self.terms.is_false(same) {
                break;
            }
        }
        same
    }

    /// All pairs of a path edge, as the oracle has them.
    pub fn pairs(&mut self, id: PathId) -> Result<BTreeSet<(Frame, Frame)>, Stopped> {
        let edge = self.edge(id).clone();
        let inputs = self.facts.entry(self.program, edge.procedure);
        let live: Vec<VarId> = self.facts.live(edge.procedure, edge.node).iter().collect();
        let mut literals = edge.entry.to_vec();
        literals.extend(live.iter().map(|var| edge.now[var.index()]));
        let mut pairs = BTreeSet::new();
        self.sat.all_sat(&mut self.terms, &[edge.guard], &literals, |cube| {
            // Both values where the cube leaves one open.
            let mut frames: Vec<(Frame, Frame)> = vec![(0, 0)];
            for (i, value) in cube.iter().enumerate() {
                let bit = |var: VarId| 1 << var.index();
                let (at_entry, now) = match inputs.get(i) {
                    Some(&var) => (bit(var), 0),
                    None => (0, bit(live[i - inputs.len()])),
                };
                let set = |&(e, n): &(Frame, Frame)| (e | at_entry, n | now);
                match value {
                    Some(false) => {}
                    Some(true) => frames = frames.iter().map(set).collect(),
                    None => frames.extend(frames.clone().iter().map(set)),
                }
            }
            pairs.extend(frames);
            ControlFlow::Continue(())
        })?;
        Ok(pairs)
    }
}
