//! The reached set as an abstract reachability graph (ARG), indexed by location and call stack.
//!
//! A merged state keeps its number, so a node is what Algorithm 1 calls e″ and all that it became. Besides the edges,
//! the graph remembers *contributions*: which successor, computed from which expansion of which node, made a node
//! grow. Following contributions backwards leads from any state of a node to the initial states without running in
//! circles, because an expansion only holds what was contributed before it.

use crate::analysis::Step;
use crate::composite::State;
use crate::control::{Location, StackId};
use crate::strategy::Partition;
use rustc_hash::{FxHashMap, FxHashSet};

/// A node of the graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct StateId(u32);

impl StateId {
    /// Its position.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One expansion of a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ExpansionId(u32);

/// What became of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// It is expanded, or waits for it.
    Live,
    /// Another node has all of its concrete states.
    Covered(StateId),
    /// It was found to have no concrete state.
    Bottom,
    /// It was cut off.
    Removed,
}

/// Where nodes are looked for: control state and partition.
type Key = (Location, StackId, Partition);

/// A node with what it knows.
#[derive(Debug)]
pub struct Node<D> {
    /// The state, merged with all that came here.
    pub state: State<D>,
    /// What made it grow, in order. The initial node's first contribution has no origin.
    pub contributions: Vec<Contribution<D>>,
    /// The edges that leave it.
    pub successors: Vec<(Step, StateId)>,
    /// What became of it.
    pub status: Status,
    partition: Partition,
}

/// A successor that made a node grow.
#[derive(Clone, Debug)]
pub struct Contribution<D> {
    /// The expansion and the step that it comes from; `None` for the initial state.
    pub origin: Option<(ExpansionId, Step)>,
    /// The successor.
    pub data: D,
}

/// The part of a node that was expanded at one time.
#[derive(Debug)]
struct Expansion<D> {
    node: StateId,
    data: D,
}

/// The graph.
#[derive(Debug)]
pub struct Arg<D> {
    nodes: Vec<Node<D>>,
    expansions: Vec<Expansion<D>>,
    by_key: FxHashMap<Key, Vec<StateId>>,
    /// Nodes that cover others, or did.
    covering: FxHashSet<StateId>,
}

impl<D> Default for Arg<D> {
    fn default() -> Self {
        Self { nodes: Vec::new(), expansions: Vec::new(), by_key: FxHashMap::default(), covering: FxHashSet::default() }
    }
}

impl<D> Arg<D> {
    /// Adds a node.
    pub fn add(&mut self, state: State<D>, partition: Partition, first: Contribution<D>) -> StateId {
        let id = StateId(self.nodes.len() as u32);
        self.by_key.entry((state.location, state.stack, partition)).or_default().push(id);
        let (contributions, successors, status) = (vec![first], Vec::new(), Status::Live);
        self.nodes.push(Node { state, contributions, successors, status, partition });
        id
    }

    fn key(&self, id: StateId) -> Key {
        let node = self.node(id);
        (node.state.location, node.state.stack, node.partition)
    }

    /// Tells what became of a node; only live ones are found by [`Arg::at`].
    pub fn set_status(&mut self, id: StateId, status: Status) {
        if let Status::Covered(by) = status {
            self.covering.insert(by);
        }
        let was_live = std::mem::replace(&mut self.nodes[id.index()].status, status) == Status::Live;
        if was_live && status != Status::Live {
            let key = self.key(id);
            self.forget(key, id);
        } else if !was_live && status == Status::Live {
            self.by_key.entry(self.key(id)).or_default().push(id);
        }
    }

    /// Whether a node may cover others.
    pub(crate) fn may_cover(&self, id: StateId) -> bool {
        self.covering.contains(&id)
    }

    /// Moves a live node to another partition.
    pub(crate) fn set_partition(&mut self, id: StateId, partition: Partition) {
        let key = self.key(id);
        if key.2 != partition {
            self.forget(key, id);
            self.nodes[id.index()].partition = partition;
            self.by_key.entry(self.key(id)).or_default().push(id);
        }
    }

    fn forget(&mut self, key: Key, id: StateId) {
        if let Some(ids) = self.by_key.get_mut(&key) {
            ids.retain(|&other| other != id);
            if ids.is_empty() {
                self.by_key.remove(&key);
            }
        }
    }

    /// Makes a removed node live again.
    pub(crate) fn revive(&mut self, id: StateId, partition: Partition) {
        self.nodes[id.index()].partition = partition;
        self.set_status(id, Status::Live);
    }

    /// The nodes that can be reached from a node by edges, without itself.
    pub fn descendants(&self, of: StateId) -> Vec<StateId> {
        let mut found = vec![of];
        let mut known: FxHashSet<StateId> = found.iter().copied().collect();
        let mut next = 0;
        while let Some(&id) = found.get(next) {
            next += 1;
            for &(_, to) in &self.node(id).successors {
                if self.node(to).status != Status::Removed && known.insert(to) {
                    found.push(to);
                }
            }
        }
        found.split_off(1)
    }

    /// Makes the nodes live that one of these covered; returns them.
    pub(crate) fn uncover(&mut self, lost: &[StateId], partition: impl Fn(&D) -> Partition) -> Vec<StateId> {
        let lost: FxHashSet<StateId> = lost.iter().copied().collect();
        let found: Vec<StateId> = self
            .ids()
            .filter(|&id| matches!(self.node(id).status, Status::Covered(by) if lost.contains(&by)))
            .collect();
        for &id in &found {
            let partition = partition(&self.node(id).state.data);
            self.revive(id, partition);
        }
        found
    }

    /// Records that a part of a node is expanded.
    pub fn expand(&mut self, node: StateId, data: D) -> ExpansionId {
        self.expansions.push(Expansion { node, data });
        ExpansionId(self.expansions.len() as u32 - 1)
    }

    /// Records an edge, once.
    pub fn connect(&mut self, from: StateId, step: Step, to: StateId) {
        let successors = &mut self.nodes[from.index()].successors;
        // A node has few successors, so looking through them beats a hash table.
        if !successors.contains(&(step, to)) {
            successors.push((step, to));
        }
    }

    /// The node and the part of it that an expansion expanded.
    pub fn expansion(&self, id: ExpansionId) -> (StateId, &D) {
        let expansion = &self.expansions[id.0 as usize];
        (expansion.node, &expansion.data)
    }

    /// What a node was made of when something was expanded (now, if nothing is named), if nodes are expanded as a whole: of
    /// the contributions along one step from one node, the last.
    pub fn latest(&self, node: StateId, before: Option<ExpansionId>) -> Vec<&Contribution<D>> {
        let mut sources = FxHashSet::default();
        let contributions = self.node(node).contributions.iter().rev();
        let mut latest: Vec<_> = contributions
            .filter(|c| before.is_none_or(|before| c.origin.is_none_or(|(origin, _)| origin < before)))
            .filter(|c| sources.insert(self.source(c)))
            .collect();
        latest.reverse();
        latest
    }

    /// The last contribution along a step from a node.
    pub(crate) fn previous(&self, node: StateId, from: StateId, step: Step) -> Option<&Contribution<D>> {
        self.node(node).contributions.iter().rev().find(|c| self.source(c) == Some((from, step)))
    }

    fn source(&self, contribution: &Contribution<D>) -> Option<(StateId, Step)> {
        contribution.origin.map(|(expansion, step)| (self.expansion(expansion).0, step))
    }

    /// A node.
    pub fn node(&self, id: StateId) -> &Node<D> {
        &self.nodes[id.index()]
    }

    /// A node, to change it.
    pub fn node_mut(&mut self, id: StateId) -> &mut Node<D> {
        &mut self.nodes[id.index()]
    }

    /// The live nodes of a control state and partition.
    pub fn at(&self, key: (Location, StackId, Partition)) -> &[StateId] {
        self.by_key.get(&key).map_or(&[], Vec::as_slice)
    }

    /// All nodes, also those that are not live.
    pub fn ids(&self) -> impl Iterator<Item = StateId> + use<D> {
        (0..self.nodes.len() as u32).map(StateId)
    }

    /// All edges, by their source.
    pub fn edges(&self) -> impl Iterator<Item = (StateId, Step, StateId)> {
        self.ids()
            .zip(&self.nodes)
            .flat_map(|(from, node)| node.successors.iter().map(move |&(step, to)| (from, step, to)))
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Number of expansions.
    pub fn num_expansions(&self) -> usize {
        self.expansions.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use robusto_cfa::ir::{EdgeId, FuncId, Idx, LocId};

    #[test]
    fn the_last_contribution_along_a_step_counts() {
        let location = Location { function: FuncId::new(0), loc: LocId::new(0) };
        let state = |data| State { location, stack: StackId::EMPTY, data };
        let step = |edge| Step::Edge(FuncId::new(0), EdgeId::new(edge));
        let mut arg: Arg<u32> = Arg::default();
        let start = arg.add(state(0), (0, 0), Contribution { origin: None, data: 0 });
        let first = arg.expand(start, 0);
        let node = arg.add(state(1), (0, 0), Contribution { origin: Some((first, step(0))), data: 1 });
        arg.node_mut(node).contributions.push(Contribution { origin: Some((first, step(1))), data: 2 });
        let second = arg.expand(start, 5);
        arg.node_mut(node).contributions.push(Contribution { origin: Some((second, step(0))), data: 3 });
        let data = |latest: Vec<&Contribution<u32>>| latest.iter().map(|c| c.data).collect::<Vec<_>>();
        assert_eq!(data(arg.latest(node, None)), [2, 3]);
        assert_eq!(data(arg.latest(node, Some(second))), [1, 2]);
        assert_eq!(arg.previous(node, start, step(0)).map(|c| c.data), Some(3));
    }
}
