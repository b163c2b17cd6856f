//! The way of an execution through the abstract reachability graph.
//!
//! The graph is an automaton whose states know their locations. An execution is in those states that it can be in a few edges
//! from where it was, at the location where it is now; several, where the graph does not tell. One step may be several edges: a
//! return leads to the end of the function and from there to the caller, and from a covered state to the one that covers it is no
//! step at all. Where no state fits, the execution is inside of a block that the graph takes in one step, and stays.

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

/// Most edges that one step of an execution is: out of a function, to its caller, and twice to a state that covers.
const MOST_EDGES: usize = 4;

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
        let next = before.map_or(BTreeSet::new(), |&location| {
            let mut around = here.clone();
            for _ in 0..MOST_EDGES {
                around = around.iter().flat_map(|node| &successors[node.index()]).copied().collect();
                let found: BTreeSet<NodeId> = around.iter().copied().filter(|&node| at(node, location)).collect();
                if !found.is_empty() {
                    return found;
                }
            }
            BTreeSet::new()
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

#[cfg(test)]
mod tests {
    use super::*;
    use robusto_cfa::draw::{Edge, Node, Tone};
    use robusto_verdict::{EdgeNumber, Place, StepKind};

    /// A graph of nodes with these locations of one function, and these edges.
    fn graph(locations: &[u32], edges: &[(usize, usize)]) -> Graph {
        let mut graph = Graph::default();
        for &location in locations {
            graph.nodes.push(Node { stands_for: Some((0, location)), ..Node::default() });
        }
        for &(from, to) in edges {
            let (label, tooltip, stands_for) = (Vec::new(), String::new(), Vec::new());
            let (from, to) = (NodeId::new(from), NodeId::new(to));
            graph.edges.push(Edge { from, to, label, tone: Tone::Plain, dashed: false, tooltip, stands_for });
        }
        graph
    }

    /// A step along the edge of this number.
    fn step(edge: u32) -> TraceLine {
        TraceLine {
            pos: Place::default(),
            at: Some(EdgeNumber { function: 0, edge }),
            function: "main".to_owned(),
            operation: String::new(),
            change: None,
            temporary: false,
            memory: None,
            parameters: Vec::new(),
            depth: 0,
            kind: StepKind::Other,
            reads: Vec::new(),
            head: None,
            matters: true,
        }
    }

    #[test]
    fn loops_coverings_and_blocks() {
        // The edge of number n leads from location n. States 0 to 2 at locations 0 to 2, state 3 is location 0 again and is covered
        // by state 0; location 9 is inside of a block.
        let sources: HashMap<_, _> = (0..10).map(|n| ((0, n), (0, n))).collect();
        let graph = graph(&[0, 1, 2, 0], &[(0, 1), (1, 2), (2, 3), (3, 0)]);
        let trace = [0, 1, 9, 2, 0, 1].map(step);
        let way: Vec<Vec<usize>> =
            walk(&graph, &trace, &sources).iter().map(|nodes| nodes.iter().map(|n| n.index()).collect()).collect();
        // Inside of the block it stays; the violation behind the last step is where that step begins.
        assert_eq!(way, [vec![0], vec![1], vec![], vec![2], vec![3], vec![1], vec![]]);
    }
}
