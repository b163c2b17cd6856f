//! Path edges and summary edges as decision diagrams.
//!
//! Thomas Ball and Sriram K. Rajamani, *Bebop: A Symbolic Model Checker for Boolean Programs*, SPIN 2000, Section 3; Section 2.2
//! of *SAT-Based Summarization for Boolean Programs* has the same definitions.
//!
//! | there | here |
//! |---|---|
//! | path edges of a vertex | `Reached`, per node: a relation between a state at the entry and a state at the node |
//! | summary edges of a procedure | the path edges of its exit (`come_back` applies them) |
//! | work list of vertices | `waiting`, with only what is new at a node (its frontier) |
//!
//! What differs, and why:
//!
//! - An entry is explored for the states that reach it, and no others (Bebop does so too; the paper's universal summaries not).
//! - A path edge speaks of the variables that are live at its two ends ([`Facts`]), and a variable that the procedure cannot
//!   change has one copy instead of two. A caller keeps the globals that the callee cannot change.
//! - Trap (a) of the paper's text, equation (5): a summary is applied to the part of a context that it fits; what the callee
//!   blocks on has no successor. Trap (b): each call is visited again when its callee has new summary edges. Trap (h): a
//!   failure in a callee is a node that was reached, whether the callee returns or not. Trap (i): the choices of an edge are
//!   quantified in the edge's own relation, so each use of an edge or a summary has its own.
//!
//! Soundness: every state at a node is in `Reached` by induction over the execution: the frontier of a node goes through
//! each of its edges once, calls with all summary edges known, and new summary edges go to all states before the calls.
//! Conversely each layer is the image of layers with smaller stamps, which is what `trace` walks back.

mod encoding;
mod proof;
mod step;
mod trace;

use crate::facts::Facts;
use crate::program::{EdgeId, NodeId, Op, ProcId, Program, VarId};
use crate::replay::Trace;
use crate::targets::{Goal, Targets};
use encoding::Encoding;
use robusto_diagram::{Bdd, Diagrams, Full, Reordering, StoreSize};
use robusto_limits::{Limits, Progress, Stopped};
use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;
use std::sync::atomic::Ordering;
use step::{CallStep, Step};

/// Why the search ends early.
#[derive(Debug, thiserror::Error)]
pub enum Halt {
    /// There is no room for more nodes.
    #[error(transparent)]
    Full(#[from] Full),
    /// A limit.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

type Result<T, E = Halt> = std::result::Result<T, E>;

/// What was found, and the diagrams that hold it.
#[derive(Debug)]
pub struct Solver<'p> {
    program: &'p Program,
    facts: &'p Facts,
    encoding: Encoding<'p>,
    diagrams: Diagrams,
    /// Per procedure and node.
    reached: Vec<Vec<Reached>>,
    /// Per procedure and edge, built when first needed.
    steps: Vec<Vec<Option<Rc<Step>>>>,
    /// Who calls a procedure.
    callers: Vec<Vec<(ProcId, EdgeId)>>,
    /// Nodes with a frontier, the best first.
    waiting: BTreeSet<(u32, ProcId, NodeId)>,
    /// The place of each node in the order of work: callees first, then along the edges.
    rank: Vec<Vec<u32>>,
    stamp: u64,
    iterations: u64,
}

/// The path edges to a node.
#[derive(Debug)]
struct Reached {
    /// All of them.
    all: Bdd,
    /// Those that have not been looked at.
    frontier: Bdd,
    /// How they came, in order.
    layers: Vec<Layer>,
}

/// What was added at once.
#[derive(Debug)]
struct Layer {
    stamp: u64,
    /// Everything up to this.
    total: Bdd,
    cause: Cause,
}

/// Where a layer comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Cause {
    /// The program starts.
    Start,
    /// A call of a procedure's.
    Enter(ProcId, EdgeId),
    /// An edge.
    Edge(EdgeId),
    /// A call that returned.
    Return(EdgeId),
}

impl<'p> Solver<'p> {
    /// A search that has not begun.
    pub fn new(program: &'p Program, facts: &'p Facts) -> Self {
        let encoding = Encoding::new(program);
        let diagrams = Diagrams::new(encoding.variables(), StoreSize::default());
        for group in encoding.groups() {
            diagrams.group(&group);
        }
        // A recursive procedure over 40 globals: 4.9 s and 230,000 nodes; without sifting 10 s are not enough, with 8.7 million.
        diagrams.set_reordering(Some(Reordering::default()));
        let empty = || Reached { all: diagrams.bottom(), frontier: diagrams.bottom(), layers: Vec::new() };
        let reached = program.procedures.iter().map(|p| p.outgoing.iter().map(|_| empty()).collect()).collect();
        let steps = program.procedures.iter().map(|p| p.edges.iter().map(|_| None).collect()).collect();
        let mut callers = vec![Vec::new(); program.procedures.len()];
        for (id, procedure) in program.numbered() {
            for (edge_id, edge) in procedure.numbered() {
                if let Op::Call { callee, .. } = &edge.op {
                    callers[callee.index()].push((id, edge_id));
                }
            }
        }
        let (waiting, rank) = (BTreeSet::new(), ranks(program));
        let (stamp, iterations) = (0, 0);
        Self { program, facts, encoding, diagrams, reached, steps, callers, waiting, rank, stamp, iterations }
    }

    /// Searches until a target is reached or nothing is new.
    pub fn run<'t>(&mut self, targets: &'t Targets, limits: &Limits, progress: &Progress) -> Result<Option<&'t Goal>> {
        let Some(main) = self.program.main else { return Ok(None) };
        let marks = targets.marks(self.program);
        let start = self.identity(main)?;
        self.add(main, self.program.procedure(main).entry, &start, Cause::Start)?;
        while let Some((_, id, node)) = self.waiting.pop_first() {
            limits.look()?;
            progress.expanded.store(self.iterations, Ordering::Relaxed);
            progress.reached.store(self.stamp, Ordering::Relaxed);
            progress.waiting.store(self.waiting.len() as u64, Ordering::Relaxed);
            self.iterations += 1;
            if marks[id.index()][node.index()] {
                return Ok(targets.at(id, node));
            }
            self.expand(id, node, limits)?;
        }
        Ok(None)
    }

    /// Takes the frontier of a node through its edges.
    fn expand(&mut self, id: ProcId, node: NodeId, limits: &Limits) -> Result<()> {
        let procedure = self.program.procedure(id);
        let frontier = std::mem::replace(&mut self.reached[id.index()][node.index()].frontier, self.diagrams.bottom());
        if node == procedure.exit {
            for i in 0..self.callers[id.index()].len() {
                limits.look()?;
                let (caller, edge_id) = self.callers[id.index()][i];
                let before = self.program.procedure(caller).edge(edge_id).from;
                let set = self.reached[caller.index()][before.index()].all.clone();
                self.come_back(caller, edge_id, &set, &frontier)?;
            }
        }
        for &edge_id in &procedure.outgoing[node.index()] {
            limits.look()?;
            let edge = procedure.edge(edge_id);
            let image = match &*self.step(id, edge_id)? {
                Step::Skip { forget } => self.diagrams.exists(&frontier, forget)?,
                Step::Assume { relation, forget } => self.diagrams.and_exists(&frontier, relation, forget)?,
                Step::Assign { relation, forget, renaming } => {
                    let image = self.diagrams.and_exists(&frontier, relation, forget)?;
                    self.diagrams.rename(&image, renaming)?
                }
                Step::Call(call) => {
                    let callee = call.callee;
                    let entries = self.diagrams.and_exists(&frontier, &call.arguments, &call.not_entering)?;
                    let entries = self.diagrams.rename(&entries, &call.entering)?;
                    let entries = self.diagrams.and(&entries, &self.identity(callee)?)?;
                    self.add(callee, self.program.procedure(callee).entry, &entries, Cause::Enter(id, edge_id))?;
                    let exit = self.program.procedure(callee).exit;
                    let summary = self.reached[callee.index()][exit.index()].all.clone();
                    self.come_back(id, edge_id, &frontier, &summary)?;
                    continue;
                }
            };
            self.add(id, edge.to, &image, Cause::Edge(edge_id))?;
        }
        Ok(())
    }

    /// Applies summary edges to states before a call.
    fn come_back(&mut self, id: ProcId, edge_id: EdgeId, before: &Bdd, summary: &Bdd) -> Result<()> {
        if self.diagrams.is_false(before) || self.diagrams.is_false(summary) {
            return Ok(());
        }
        let Step::Call(call) = &*self.step(id, edge_id)? else { return Ok(()) };
        let relation = self.summary_relation(call, summary)?;
        let relation = self.diagrams.and_exists(&relation, &call.arguments, &call.formals)?;
        let after = self.diagrams.and_exists(before, &relation, &call.forget)?;
        let after = self.diagrams.rename(&after, &call.returning)?;
        self.add(id, self.program.procedure(id).edge(edge_id).to, &after, Cause::Return(edge_id))
    }

    /// Summary edges as the caller sees them: from its globals and the next values of the parameters to the next values of
    /// globals and results.
    fn summary_relation(&self, call: &CallStep, summary: &Bdd) -> Result<Bdd> {
        let renamed = self.diagrams.rename(summary, &call.summary)?;
        Ok(self.diagrams.exists(&renamed, &call.unwanted)?)
    }

    /// Adds path edges; what is new goes to the frontier.
    fn add(&mut self, id: ProcId, node: NodeId, set: &Bdd, cause: Cause) -> Result<()> {
        let reached = &mut self.reached[id.index()][node.index()];
        let new = self.diagrams.diff(set, &reached.all)?;
        if self.diagrams.is_false(&new) {
            return Ok(());
        }
        reached.all = self.diagrams.or(&reached.all, &new)?;
        reached.frontier = self.diagrams.or(&reached.frontier, &new)?;
        reached.layers.push(Layer { stamp: self.stamp, total: reached.all.clone(), cause });
        self.stamp += 1;
        self.waiting.insert((self.rank[id.index()][node.index()], id, node));
        Ok(())
    }

    /// The variables whose values at the entry have a copy of their own, since the procedure may change them.
    fn copied(&self, id: ProcId) -> Vec<VarId> {
        let changed = self.facts.changed(id);
        self.facts.entry(self.program, id).into_iter().filter(|&var| changed.contains(var)).collect()
    }

    /// The variables whose value is the same as at the entry, and matters there.
    fn kept(&self, id: ProcId) -> Vec<VarId> {
        let changed = self.facts.changed(id);
        self.facts.entry(self.program, id).into_iter().filter(|&var| !changed.contains(var)).collect()
    }

    /// All path edges from an entry to itself.
    fn identity(&self, id: ProcId) -> Result<Bdd> {
        let mut all = self.diagrams.top();
        for var in self.copied(id).into_iter().rev() {
            let now = self.diagrams.var(self.encoding.now(id, var))?;
            let entry = self.diagrams.var(self.encoding.entry(id, var))?;
            all = self.diagrams.and(&self.diagrams.iff(&now, &entry)?, &all)?;
        }
        Ok(all)
    }

    /// An execution that reaches the goal.
    pub fn trace(&self, goal: &Goal, limits: &Limits) -> Result<Option<Trace>> {
        trace::trace(self, goal, limits)
    }

    /// Number of nodes that were expanded, of additions, and of diagram nodes at most.
    pub fn figures(&self) -> (u64, u64, usize) {
        (self.iterations, self.stamp, self.diagrams.statistics().peak_nodes)
    }

    /// Whether a path edge to a node was found: given the values at the entry and at the node of the variables that matter
    /// there. For comparison with the oracle.
    pub fn contains(
        &self,
        id: ProcId,
        node: NodeId,
        entry: impl Fn(VarId) -> bool,
        now: impl Fn(VarId) -> bool,
    ) -> bool {
        let mut assignment = vec![false; self.diagrams.variables() as usize];
        for var in (0..self.program.frame_size(id)).map(|i| VarId(i as u32)) {
            assignment[self.encoding.now(id, var).index()] = now(var);
            assignment[self.encoding.entry(id, var).index()] = entry(var);
        }
        self.diagrams.evaluate(&self.reached[id.index()][node.index()].all, &assignment)
    }

    /// Number of path edges to a node, over the variables that matter at its two ends.
    pub fn count(&self, id: ProcId, node: NodeId) -> f64 {
        let live = self.facts.live(id, node).iter().map(|var| self.encoding.now(id, var));
        let kept = self.kept(id).into_iter().map(|var| self.encoding.now(id, var));
        let copied = self.copied(id).into_iter().map(|var| self.encoding.entry(id, var));
        let vars: BTreeSet<_> = live.chain(kept).chain(copied).collect();
        let vars: Vec<_> = vars.into_iter().collect();
        self.diagrams.count(&self.reached[id.index()][node.index()].all, &vars)
    }
}

/// The order of work: procedures after those that they call, and nodes after those that lead to them, cycles aside.
fn ranks(program: &Program) -> Vec<Vec<u32>> {
    let mut order: Vec<ProcId> = Vec::new();
    let mut seen = vec![false; program.procedures.len()];
    for (root, _) in program.numbered() {
        let mut stack: Vec<(ProcId, usize)> = Vec::new();
        if !std::mem::replace(&mut seen[root.index()], true) {
            stack.push((root, 0));
        }
        while let Some((id, next)) = stack.last_mut() {
            match program.procedure(*id).edges.get(*next) {
                None => {
                    order.push(*id);
                    stack.pop();
                }
                Some(edge) => {
                    *next += 1;
                    if let Op::Call { callee, .. } = edge.op
                        && !std::mem::replace(&mut seen[callee.index()], true)
                    {
                        stack.push((callee, 0));
                    }
                }
            }
        }
    }
    let mut rank: Vec<Vec<u32>> = program.procedures.iter().map(|p| vec![0; p.outgoing.len()]).collect();
    let mut next = 0;
    for id in order {
        for node in reverse_postorder(program, id) {
            rank[id.index()][node.index()] = next;
            next += 1;
        }
    }
    rank
}

/// The nodes that can be reached from the entry, a node before those behind it, cycles aside.
fn reverse_postorder(program: &Program, id: ProcId) -> VecDeque<NodeId> {
    let procedure = program.procedure(id);
    let mut order = VecDeque::new();
    let mut seen = vec![false; procedure.outgoing.len()];
    seen[procedure.entry.index()] = true;
    let mut stack = vec![(procedure.entry, 0)];
    while let Some((node, next)) = stack.last_mut() {
        match procedure.outgoing[node.index()].get(*next) {
            None => {
                order.push_front(*node);
                stack.pop();
            }
            Some(&edge) => {
                *next += 1;
                let to = procedure.edge(edge).to;
                if !std::mem::replace(&mut seen[to.index()], true) {
                    stack.push((to, 0));
                }
            }
        }
    }
    order
}
