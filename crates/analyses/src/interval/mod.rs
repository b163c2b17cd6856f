//! Interval analysis of whole programs: for each location and variable, bounds that hold in every execution.
//!
//! Cousot, Cousot: *Abstract interpretation: a unified lattice model*, POPL 1977, on the intervals of
//! [`robusto_domains`]. Flow-sensitive, not context-sensitive: one state per location; a called function starts with the
//! join over its calls, and its end flows back to all of them, where the caller's own variables and the globals that the
//! call cannot write keep the values they had. Iteration over the supergraph of all functions in weak topological order
//! with widening at its heads (Bourdoncle: *Efficient chaotic iteration strategies with widenings*, FMPA 1993), then two
//! rounds of narrowing. Calls make cycles of that graph (out of one call into the next), which are widened as well.
//!
//! | module | owns |
//! |---|---|
//! | `values` | expressions and conditions in a state |
//! | `step` | the effect of a step on a state |
//! | `flow` | the supergraph and the steps of its links |
//! | `formula` | bounds as formulas |
//!
//! Memory is not tracked: a load gives any value of its type. Neither are variables that are not live: liveness does not
//! tell calling contexts apart, so a global can be dead at a call and live in the called function, for another call's sake;
//! formulas may have dropped its value at the call, and then nothing can be said of it inside.
//!
//! Soundness: each link over-approximates the concrete step; the widened states are a post-fixpoint, since iteration
//! ends only when no link adds to its target; a narrowing round meets a state with the join of all its incoming links,
//! both of which contain every concrete state. The result is inductive: from any state that satisfies it, every step
//! leads to a state that satisfies it.

mod flow;
mod formula;
mod step;
mod values;

use crate::facts::Facts;
use flow::{Flow, LinkId, NodeId};
use imbl::OrdMap;
use imbl::ordmap::DiffItem;
use robusto_cfa::ir::{Expr, FuncId, IdxVec, LocId, Ty, VarId};
use robusto_cpa::Stopped;
use robusto_domains::Interval;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Values of variables; one that is not listed can have any value.
pub type State = OrdMap<VarId, Interval>;

/// Times that a head joins before it widens.
const DELAY: u32 = 2;

/// Times that a head widens to thresholds before it gives up bounds altogether.
const PATIENCE: u32 = 16;

/// Rounds of narrowing.
const NARROWING: usize = 2;

/// What holds at each location.
pub struct Invariants {
    /// By function and location; `None` if no execution comes there.
    states: IdxVec<FuncId, IdxVec<LocId, Option<State>>>,
}

impl Invariants {
    /// Analyses the program; `poll` can end it early.
    pub fn of(facts: &Facts, mut poll: impl FnMut() -> Result<(), Stopped>) -> Result<Self, Stopped> {
        let flow = Flow::new(facts);
        let mut solver = Solver {
            thresholds: thresholds(facts),
            states: IdxVec::filled(None, flow.num_nodes()),
            widened: IdxVec::filled(0, flow.num_nodes()),
            waiting: BTreeSet::new(),
            flow,
        };
        solver.ascend(&mut poll)?;
        for _ in 0..NARROWING {
            solver.descend(&mut poll)?;
        }
        let functions = &facts.program.functions;
        let states = functions
            .enumerate()
            .map(|(id, f)| f.locs().map(|loc| solver.states[solver.flow.node(id, loc)].clone()).collect())
            .collect();
        Ok(Self { states })
    }

    /// Whether an execution may come to a location.
    pub fn is_reachable(&self, function: FuncId, loc: LocId) -> bool {
        self.states[function][loc].is_some()
    }

    /// The variables with bounds at a location.
    pub fn at(&self, function: FuncId, loc: LocId) -> impl Iterator<Item = (VarId, Interval)> + '_ {
        self.states[function][loc].iter().flatten().map(|(&var, &interval)| (var, interval))
    }
}

/// The constants of the program and their neighbours, by width, ascending: where widening stops.
fn thresholds(facts: &Facts) -> FxHashMap<u32, Vec<u64>> {
    let exprs = &facts.program.exprs;
    let mut all: FxHashMap<u32, Vec<u64>> = FxHashMap::default();
    for id in exprs.ids() {
        if let Expr::Const(Ty::Int(width @ 2..=64), bits) = exprs.get(id) {
            let near = [bits.wrapping_sub(1), bits, bits.wrapping_add(1)];
            let near = near.map(|b| robusto_cfa::ir::fold::mask(width.into(), b));
            all.entry(width.into()).or_default().extend(near);
        }
    }
    for list in all.values_mut() {
        list.sort_unstable();
        list.dedup();
    }
    all
}

struct Solver<'f> {
    flow: Flow<'f>,
    thresholds: FxHashMap<u32, Vec<u64>>,
    states: IdxVec<NodeId, Option<State>>,
    widened: IdxVec<NodeId, u32>,
    /// Nodes whose state has grown, by their position in the weak topological order.
    waiting: BTreeSet<usize>,
}

impl Solver<'_> {
    /// Iterates until no link adds anything.
    fn ascend(&mut self, poll: &mut dyn FnMut() -> Result<(), Stopped>) -> Result<(), Stopped> {
        let Some((start, initial)) = self.flow.start() else { return Ok(()) };
        self.grow(start, initial);
        while let Some(position) = self.waiting.pop_first() {
            poll()?;
            let node = self.flow.order()[position];
            for link in self.flow.outgoing(node).to_vec() {
                self.follow(link);
            }
        }
        Ok(())
    }

    fn follow(&mut self, link: LinkId) {
        let (target, state) = self.flow.flow(link, &self.states);
        if let Some(state) = state {
            self.grow(target, state);
        }
    }

    /// Joins a state into a node's.
    fn grow(&mut self, node: NodeId, new: State) {
        let Some(old) = &self.states[node] else {
            self.states[node] = Some(new);
            self.waiting.insert(self.flow.position(node));
            return;
        };
        let widen = self.flow.is_head(node) && self.widened[node] >= DELAY;
        let patient = self.widened[node] < DELAY + PATIENCE;
        let mut grown = old.clone();
        let mut changed = false;
        for item in old.diff(&new) {
            let (var, old, new) = match item {
                DiffItem::Add(..) => continue,
                DiffItem::Remove(&var, _) => {
                    grown.remove(&var);
                    changed = true;
                    continue;
                }
                DiffItem::Update { old: (&var, old), new: (_, new) } => (var, old, new),
            };
            if new.leq(old) {
                continue;
            }
            changed = true;
            let joined = if widen {
                let thresholds = self.thresholds.get(&old.width()).filter(|_| patient);
                old.widen(new, thresholds.map_or(&[], Vec::as_slice))
            } else {
                old.join(new)
            };
            if joined.is_top() {
                grown.remove(&var);
            } else {
                grown.insert(var, joined);
            }
        }
        if changed {
            self.widened[node] += 1;
            self.states[node] = Some(grown);
            self.waiting.insert(self.flow.position(node));
        }
    }

    /// Meets each state with what its incoming links give.
    fn descend(&mut self, poll: &mut dyn FnMut() -> Result<(), Stopped>) -> Result<(), Stopped> {
        let start = self.flow.start();
        for position in 0..self.flow.order().len() {
            poll()?;
            let node = self.flow.order()[position];
            if self.states[node].is_none() {
                continue;
            }
            let mut new = start.as_ref().filter(|(at, _)| *at == node).map(|(_, initial)| initial.clone());
            for &link in self.flow.incoming(node) {
                if let (_, Some(state)) = self.flow.flow(link, &self.states) {
                    new = Some(match new {
                        Some(old) => join(&old, &state),
                        None => state,
                    });
                }
            }
            let old = self.states[node].take();
            self.states[node] = old.zip(new).and_then(|(old, new)| meet(&old, &new));
        }
        Ok(())
    }
}

fn join(a: &State, b: &State) -> State {
    let mut joined = a.clone();
    for item in a.diff(b) {
        match item {
            DiffItem::Add(..) => {}
            DiffItem::Remove(var, _) => {
                joined.remove(var);
            }
            DiffItem::Update { old: (&var, old), new: (_, new) } => {
                let both = old.join(new);
                if both.is_top() {
                    joined.remove(&var);
                } else {
                    joined.insert(var, both);
                }
            }
        }
    }
    joined
}

/// `None` if no state satisfies both.
fn meet(a: &State, b: &State) -> Option<State> {
    let mut both = a.clone();
    for item in a.diff(b) {
        match item {
            DiffItem::Remove(..) => {}
            DiffItem::Add(&var, new) => {
                both.insert(var, *new);
            }
            DiffItem::Update { old: (&var, old), new: (_, new) } => {
                let met = old.narrow(new);
                if met.is_bottom() {
                    return None;
                }
                both.insert(var, met);
            }
        }
    }
    Some(both)
}
