//! Iteration: one state per node and vector of cells.
//!
//! Chaotic iteration in weak topological order (Bourdoncle, FMPA 1993). Only heads of loops and nodes that somebody wants to see
//! keep their states; along other nodes a state is followed at once, with joins where its paths meet. Then a descending pass: all
//! states are sent through the program once more, without widening.

use super::cells::{Cells, Key};
use super::graph::{Graph, Node};
use super::step;
use super::variables::Variables;
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{EdgeId, FuncId, IdxVec, VarId};
use robusto_domains::{Ideal, Lattice, Machine, Thresholds};
use robusto_limits::{Limits, Stopped};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Times that a head joins before it widens: with one cell, and with many. (With many, a delay of 3 loses Problem11 of
/// `eca-rers2012` and 200 is never reached there: each number settles by itself after some rounds.)
const DELAY: (u32, u32) = (2, 200);

/// Times that a head joins or widens to thresholds before it gives up bounds altogether.
const THRESHOLDS: u32 = 16;

/// In the end bounds that move are given up.
static NO_THRESHOLDS: Thresholds = Thresholds::NONE;

/// Rounds downwards after a widening.
const DESCENDING: usize = 2;

/// Most states; more are not worth waiting for.
const MAX_STATES: usize = 400_000;

/// What is to be analysed, and how.
pub struct Analysis<'a> {
    /// The program.
    pub facts: &'a Facts,
    /// Unfolded.
    pub graph: &'a Graph,
    /// How variables are integers.
    pub variables: &'a Variables,
    /// Which states are kept apart.
    pub cells: &'a Cells,
    /// Where widening stops.
    pub thresholds: &'a Thresholds,
    /// The nodes whose states are wanted, besides the heads of loops.
    pub wanted: &'a IdxVec<Node, bool>,
}

/// Which nodes keep states.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kept {
    /// The start, heads of loops, and where errors are.
    Heads,
    /// Those that are wanted, too.
    Wanted,
}

/// The states of a node by cells.
pub type Parts<D> = BTreeMap<Key, Machine<D>>;

/// What is reached.
pub struct Reached<D> {
    /// By node; those where nothing is kept have none.
    pub states: IdxVec<Node, Parts<D>>,
    /// The error edges that may be taken.
    pub errors: BTreeSet<(FuncId, EdgeId)>,
    /// How many steps were taken.
    pub steps: u64,
    /// How often a state was widened.
    pub widenings: u64,
}

impl<D: Ideal<Var = VarId>> Reached<D> {
    fn nothing(graph: &Graph) -> Self {
        Self { states: graph.nodes().map(|_| Parts::new()).collect(), errors: BTreeSet::new(), steps: 0, widenings: 0 }
    }

    /// Number of states.
    pub fn len(&self) -> usize {
        self.states.iter().map(BTreeMap::len).sum()
    }

    /// Whether there is no state.
    pub fn is_empty(&self) -> bool {
        self.states.iter().all(BTreeMap::is_empty)
    }
}

impl Analysis<'_> {
    /// Everything that executions reach, and perhaps more: states at the heads of loops.
    pub fn run<D: Ideal<Var = VarId>>(&self, limits: &Limits) -> Result<Reached<D>, Stopped> {
        let mut reached = self.ascend(Reached::nothing(self.graph), Kept::Heads, limits)?;
        for _ in 0..DESCENDING {
            if reached.widenings == 0 {
                break;
            }
            reached = self.descend(reached, limits)?;
        }
        self.find_errors(&mut reached);
        Ok(reached)
    }

    /// The same with states where they are wanted. What is joined there may lead to more than before.
    pub fn detail<D: Ideal<Var = VarId>>(&self, reached: Reached<D>, limits: &Limits) -> Result<Reached<D>, Stopped> {
        let mut detailed = self.ascend(reached, Kept::Wanted, limits)?;
        self.find_errors(&mut detailed);
        Ok(detailed)
    }

    fn find_errors<D: Ideal<Var = VarId>>(&self, reached: &mut Reached<D>) {
        reached.errors.clear();
        for node in self.graph.nodes().filter(|&node| !reached.states[node].is_empty()) {
            reached.errors.extend(self.graph.errors[node].iter().copied());
        }
    }

    fn keeps(&self, node: Node, kept: Kept) -> bool {
        let graph = self.graph;
        let always = node == graph.start || !graph.errors[node].is_empty() || graph.is_head(node);
        always || (kept == Kept::Wanted && self.wanted[node])
    }

    /// Iterates from what is reached already.
    fn ascend<D: Ideal<Var = VarId>>(
        &self,
        mut reached: Reached<D>,
        kept: Kept,
        limits: &Limits,
    ) -> Result<Reached<D>, Stopped> {
        let graph = self.graph;
        let mut grown: FxHashMap<(Node, Key), u32> = FxHashMap::default();
        let mut waiting: BTreeSet<(usize, Node, Key)> = BTreeSet::new();
        for node in graph.nodes() {
            let position = graph.position(node);
            waiting.extend(reached.states[node].keys().map(|key| (position, node, key.clone())));
        }
        let mut total = waiting.len();
        let mut arrived: Vec<(Node, Machine<D>)> = vec![(graph.start, step::start(self.facts, self.variables))];
        loop {
            for (node, state) in arrived.drain(..) {
                for (key, state) in self.cells.split(self.variables, state, || self.look(limits))? {
                    self.look(limits)?;
                    let position = graph.position(node);
                    match reached.states[node].get(&key) {
                        None => {
                            total += 1;
                            reached.states[node].insert(key.clone(), state);
                            waiting.insert((position, node, key));
                        }
                        Some(old) => {
                            let count = grown.entry((node, key.clone())).or_default();
                            let widening = self.widening(node, *count);
                            let Some(new) = old.grown(&state, widening) else { continue };
                            *count += 1;
                            reached.widenings += u64::from(widening.is_some());
                            // A widened state may leave its cell: what it has is right where it is, under the same key.
                            reached.states[node].insert(key.clone(), new);
                            waiting.insert((position, node, key));
                        }
                    }
                }
            }
            if total > MAX_STATES {
                return Err(Stopped::Unsupported("so many cells".to_owned()));
            }
            let Some((_, node, key)) = waiting.pop_first() else { break };
            let state = reached.states[node][&key].clone();
            self.follow(node, state, kept, &mut reached.steps, limits, &mut arrived)?;
        }
        Ok(reached)
    }

    fn widening(&self, node: Node, count: u32) -> Option<&Thresholds> {
        if !self.graph.is_head(node) {
            return None;
        }
        let delay = if self.cells.are_one() { DELAY.0 } else { DELAY.1 };
        if count < delay {
            None
        } else if count < delay + THRESHOLDS {
            Some(self.thresholds)
        } else {
            Some(&NO_THRESHOLDS)
        }
    }

    /// Where a state at a node leads, up to the next nodes that keep states. Where paths meet on the way, what is in the same
    /// cells is joined: nodes are taken in their order, and there is no cycle without a head.
    fn follow<D: Ideal<Var = VarId>>(
        &self,
        node: Node,
        state: Machine<D>,
        kept: Kept,
        steps: &mut u64,
        limits: &Limits,
        arrived: &mut Vec<(Node, Machine<D>)>,
    ) -> Result<(), Stopped> {
        let (graph, pool) = (self.graph, &self.facts.program.exprs);
        let mut met: BTreeMap<(usize, Node), Vec<(Key, Machine<D>)>> = BTreeMap::new();
        let mut todo = vec![(node, state)];
        loop {
            while let Some((node, state)) = todo.pop() {
                for link in &graph.links[node] {
                    self.look(limits)?;
                    *steps += 1;
                    let effect = &graph.effects[link.effect as usize];
                    let Some(after) = effect.apply(pool, self.variables, &state) else { continue };
                    let target = link.target;
                    if self.keeps(target, kept) {
                        arrived.push((target, after));
                    } else if graph.incoming[target] > 1 {
                        let key = self.cells.key(&after);
                        let here = met.entry((graph.position(target), target)).or_default();
                        match here.iter_mut().find(|(known, _)| *known == key) {
                            Some((_, known)) => *known = known.join(&after),
                            None => here.push((key, after)),
                        }
                    } else {
                        todo.push((target, after));
                    }
                }
            }
            let Some(((_, node), states)) = met.pop_first() else { return Ok(()) };
            todo.extend(states.into_iter().map(|(_, state)| (node, state)));
        }
    }

    /// One round downwards: what one more step makes of all states. That is right whatever is reached is among them, and less
    /// than them unless an operation is not monotone. (A meet with the states of before would be wrong: a point may have been in
    /// another cell.)
    fn descend<D: Ideal<Var = VarId>>(&self, old: Reached<D>, limits: &Limits) -> Result<Reached<D>, Stopped> {
        let graph = self.graph;
        let mut new = Reached::<D>::nothing(graph);
        (new.steps, new.widenings) = (old.steps, old.widenings);
        let mut arrived = vec![(graph.start, step::start(self.facts, self.variables))];
        self.add(&mut arrived, &mut new.states, limits)?;
        for node in graph.nodes() {
            for state in old.states[node].values() {
                self.follow(node, state.clone(), Kept::Heads, &mut new.steps, limits, &mut arrived)?;
                self.add(&mut arrived, &mut new.states, limits)?;
            }
        }
        Ok(new)
    }

    fn add<D: Ideal<Var = VarId>>(
        &self,
        arrived: &mut Vec<(Node, Machine<D>)>,
        states: &mut IdxVec<Node, Parts<D>>,
        limits: &Limits,
    ) -> Result<(), Stopped> {
        for (node, state) in arrived.drain(..) {
            for (key, state) in self.cells.split(self.variables, state, || self.look(limits))? {
                self.look(limits)?;
                let joined = states[node].get(&key).map_or(state.clone(), |known| known.join(&state));
                states[node].insert(key, joined);
            }
        }
        Ok(())
    }

    /// Whether to go on. An operation on relations takes up to some 40 ms (`SpamAssassin-loop` with polyhedra and cells overran a
    /// limit of 2 s by 0.6 s while only every 16th looked at the clock); one on boxes takes less than the look.
    fn look(&self, limits: &Limits) -> Result<(), Stopped> {
        if self.variables.are_related() { limits.look() } else { limits.poll() }
    }
}
