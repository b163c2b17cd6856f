//! The program unfolded by calls: each location once for each stack of pending calls, so that a state has the variables of
//! all pending functions, and a relation between an argument and a result is kept.

use super::step::Prepared;
use robusto_cfa::analysis::graph::Graph as Arrows;
use robusto_cfa::analysis::loops::LoopForest;
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{EdgeId, FuncId, Idx, IdxVec, LocId};
use robusto_cpa::Step;
use robusto_cpa::control::{Location, StackId, Stacks, steps};
use robusto_limits::{Limits, Stopped};
use rustc_hash::FxHashMap;

/// A location with its pending calls. The graph algorithms of automata work on locations, so it is one.
pub type Node = LocId;

/// Most nodes. (Programs with more take the analysis longer than engines give it.)
const MAX_NODES: usize = 200_000;

/// A step between two nodes.
pub(super) struct Link {
    pub target: Node,
    /// What it does: a position in the list of effects.
    pub effect: u32,
}

/// The graph.
pub struct Graph {
    places: IdxVec<Node, (StackId, Location)>,
    pub(super) links: IdxVec<Node, Vec<Link>>,
    pub(super) effects: Vec<Prepared>,
    /// The error edges that start at a node.
    pub(super) errors: IdxVec<Node, Vec<(FuncId, EdgeId)>>,
    /// How many links lead to a node.
    pub(super) incoming: IdxVec<Node, u32>,
    pub(super) start: Node,
    stacks: Stacks,
    forest: LoopForest,
}

impl Graph {
    /// Unfolds a program that starts at a function; not one with recursion, nor one with too many nodes.
    pub fn new(facts: &Facts, main: FuncId, limits: &Limits) -> Result<Self, Stopped> {
        let program = &facts.program;
        if program.functions.ids().any(|f| facts.calls.is_reachable(f) && facts.calls.is_recursive(f)) {
            return Err(Stopped::Unsupported("numeric analysis of recursive functions".to_owned()));
        }
        let mut stacks = Stacks::new(program.functions.len() as u32 + 1);
        let mut places: IdxVec<Node, (StackId, Location)> = IdxVec::new();
        let mut nodes: FxHashMap<(StackId, Location), Node> = FxHashMap::default();
        let mut effect_of: FxHashMap<Step, u32> = FxHashMap::default();
        let mut effects = Vec::new();
        let (mut links, mut errors) = (IdxVec::new(), IdxVec::new());
        let entry = (StackId::EMPTY, Location { function: main, loc: program.functions[main].entry });
        nodes.insert(entry, places.push(entry));
        let mut out = Vec::new();
        let mut next = 0;
        while next < places.len() {
            limits.poll()?;
            let (stack, location) = places[Node::new(next)];
            next += 1;
            out.clear();
            steps(program, facts, None, location, stacks.top(stack), &mut out);
            let (mut leading, mut violated) = (Vec::new(), Vec::new());
            for &step in &out {
                if step.is_error(program) {
                    violated.push(step.edge_ref());
                    continue;
                }
                let to = (stacks.transfer(stack, step)?, location.transfer(program, step));
                let target = *nodes.entry(to).or_insert_with(|| places.push(to));
                let effect = *effect_of.entry(step).or_insert_with(|| {
                    effects.push(Prepared::of(facts, step));
                    effects.len() as u32 - 1
                });
                leading.push(Link { target, effect });
            }
            links.push(leading);
            errors.push(violated);
            if places.len() > MAX_NODES {
                return Err(Stopped::Unsupported("numeric analysis of so many calling contexts".to_owned()));
            }
        }
        let mut incoming = IdxVec::filled(0, places.len());
        let arrow = |(source, links): (Node, &Vec<Link>)| {
            links.iter().map(move |link| (source, link.target)).collect::<Vec<_>>()
        };
        let arrows: Vec<(Node, Node)> = links.enumerate().flat_map(arrow).collect();
        arrows.iter().for_each(|&(_, target)| incoming[target] += 1);
        let start = Node::new(0);
        let forest = LoopForest::new(&Arrows::new(places.len(), arrows.iter().copied()), start);
        Ok(Self { places, links, effects, errors, incoming, start, stacks, forest })
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The location of a node.
    pub fn location(&self, node: Node) -> Location {
        self.places[node].1
    }

    /// The pending calls, the oldest first.
    pub fn calls(&self, node: Node) -> Vec<(FuncId, EdgeId)> {
        let (mut stack, mut calls) = (self.places[node].0, Vec::new());
        while let Some(call) = self.stacks.top(stack) {
            calls.push(call);
            stack = self.stacks.below(stack);
        }
        calls.reverse();
        calls
    }

    /// Whether a node is the head of a loop.
    pub fn is_head(&self, node: Node) -> bool {
        self.forest.is_head(node)
    }

    /// Position in the weak topological order.
    pub(super) fn position(&self, node: Node) -> usize {
        self.forest.position(node).expect("all nodes are reachable")
    }

    /// The nodes, in the order of their numbers.
    pub fn nodes(&self) -> impl Iterator<Item = Node> + use<> {
        self.places.ids()
    }

    /// What assigns or tests something that is not simple: checks of certificates want an invariant before it.
    pub fn is_before_arithmetic(&self, node: Node) -> bool {
        self.links[node].iter().any(|link| self.effects[link.effect as usize].is_arithmetic)
    }
}
