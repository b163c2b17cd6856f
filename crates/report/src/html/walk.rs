//! The way of an execution through the abstract reachability graph.
//!
//! The graph is an automaton whose states know their locations. An execution is in those states that it can be in after
//! one step from where it was, at the location where it is now; several, where the graph does not tell. Edges to a covering
//! state take no step. Where no state fits, the execution is inside of a block that the graph takes in one step, and stays.

use robusto_cfa::draw::{Graph, NodeId};
use robusto_cfa::ir::Idx as _;
use robusto_verdict::TraceLine;
use std::collections::{BTreeSet, HashMap};

/// The location from which each edge of the automata leads, by the numbers of function and edge.
pub fn sources(automata: &[Graph]) -> HashMap<(u32, u32), (u32, u32)> {
    let mut found = HashMap::new();
    for graph in automata {
        for edge in &graph.edges {
            let from = graph.nodes[edge.from].stands_for;
            found.extend(edge.stands_for.iter().zip(from).map(|(&edge, from)| (edge, from)));
        }
    }
    found
}

/// For each step the states before it, and those of the last step again for the violation behind it; empty where they are
/// those of the step before.
pub fn walk(graph: &Graph, trace: &[TraceLine], sources: &HashMap<(u32, u32), (u32, u32)>) -> Vec<Vec<NodeId>> {
    let mut successors: Vec<Vec<NodeId>> = vec![Vec::new(); graph.nodes.len()];
    for edge in &graph.edges {
        successors[edge.from.index()].push(edge.to);
    }
    let at = |node: NodeId, location| graph.nodes[node].stands_for == Some(location);
    let mut here: BTreeSet<NodeId> = graph.nodes.ids().take(1).collect();
    let mut way = Vec::with_capacity(trace.len() + 1);
    way.push(here.iter().copied().collect());
    for line in trace.iter().skip(1) {
        let before = line.at.and_then(|at| sources.get(&(at.function, at.edge)));
        // One step, or two if the first leads to the state that covers.
        let next: BTreeSet<NodeId> = before.map_or(BTreeSet::new(), |&location| {
            let one = here.iter().flat_map(|node| &successors[node.index()]);
            let fits = |node: &&NodeId| at(**node, location);
            let first: BTreeSet<NodeId> = one.clone().copied().filter(|node| fits(&node)).collect();
            let covering = first.iter().flat_map(|node| &successors[node.index()]).filter(fits);
            first.iter().chain(covering).copied().collect()
        });
        way.push(if next.is_empty() || next == here { Vec::new() } else { next.iter().copied().collect() });
        if !next.is_empty() {
            here = next;
        }
    }
    if !trace.is_empty() {
        way.push(Vec::new());
    }
    way
}
