//! The reached set as an abstract reachability graph (ARG), indexed by location and call stack.
//!
//! A merged state keeps its number, so a node is what Algorithm 1 calls e″ and all that it became. Besides the edges,
//! the graph remembers *contributions*: which successor, computed from which expansion of which node, made a node
//! grow. Following contributions backwards leads from any state of a node to the initial states without running in
//! circles, because an expansion only holds what was contributed before it.

use crate::analysis::Step;
use crate::composite::State;
use crate::control::{Location, StackId};
use rustc_hash::FxHashMap;

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

/// A node with what it knows.
#[derive(Debug)]
pub struct Node<D> {
    /// The state, merged with all that came here.
    pub state: State<D>,
    /// What made it grow, in order. The initial node's first contribution has no origin.
    pub contributions: Vec<Contribution<D>>,
    /// The edges that leave it.
    pub successors: Vec<(Step, StateId)>,
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
    by_control: FxHashMap<(Location, StackId), Vec<StateId>>,
}

impl<D> Default for Arg<D> {
    fn default() -> Self {
        Self { nodes: Vec::new(), expansions: Vec::new(), by_control: FxHashMap::default() }
    }
}

impl<D> Arg<D> {
    /// Adds a node.
    pub fn add(&mut self, state: State<D>, first: Contribution<D>) -> StateId {
        let id = StateId(self.nodes.len() as u32);
        self.by_control.entry((state.location, state.stack)).or_default().push(id);
        self.nodes.push(Node { state, contributions: vec![first], successors: Vec::new() });
        id
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

    /// A node.
    pub fn node(&self, id: StateId) -> &Node<D> {
        &self.nodes[id.index()]
    }

    /// A node, to change it.
    pub fn node_mut(&mut self, id: StateId) -> &mut Node<D> {
        &mut self.nodes[id.index()]
    }

    /// The nodes at a control state.
    pub fn at(&self, location: Location, stack: StackId) -> &[StateId] {
        self.by_control.get(&(location, stack)).map_or(&[], Vec::as_slice)
    }

    /// All nodes.
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
