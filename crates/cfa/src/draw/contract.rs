//! Sequences as one edge.

use super::{Edge, Graph, NodeId, Shape, Tone};
use crate::ir::IdxVec;

/// Most lines of a label that stands for a sequence.
const LINES: usize = 12;

impl Graph {
    /// The graph with each sequence of edges as one edge, whose label has their labels one under another. A node inside a
    /// sequence has one edge in and one out, which are no choices, and nothing else that the picture should show: it is
    /// plain, and its label has one line.
    pub fn contract_sequences(self) -> Graph {
        let mut out = IdxVec::<NodeId, Vec<usize>>::filled(Vec::new(), self.nodes.len());
        let mut inside: IdxVec<NodeId, bool> = self
            .nodes
            .iter()
            .map(|n| n.shape == Shape::Ellipse && n.tone == Tone::Plain && n.label.len() <= 1)
            .collect();
        let mut entered = IdxVec::<NodeId, u32>::filled(0, self.nodes.len());
        for (i, edge) in self.edges.iter().enumerate() {
            out[edge.from].push(i);
            entered[edge.to] += 1;
            if edge.tone == Tone::Choice {
                (inside[edge.from], inside[edge.to]) = (false, false);
            }
        }
        for id in self.nodes.ids() {
            let first = self.nodes.ids().next() == Some(id);
            inside[id] = inside[id] && !first && out[id].len() == 1 && entered[id] == 1;
        }
        // A cycle of such nodes alone has no edge from elsewhere that could stand for it.
        let sequence = |first: usize, inside: &IdxVec<NodeId, bool>| {
            let next = |&edge: &usize| inside[self.edges[edge].to].then(|| out[self.edges[edge].to][0]);
            std::iter::successors(Some(first), next).collect::<Vec<usize>>()
        };
        let starts: Vec<usize> = (0..self.edges.len()).filter(|&i| !inside[self.edges[i].from]).collect();
        let sequences: Vec<Vec<usize>> = starts.into_iter().map(|first| sequence(first, &inside)).collect();
        let mut covered = vec![false; self.edges.len()];
        sequences.iter().flatten().for_each(|&edge| covered[edge] = true);
        for id in self.nodes.ids().filter(|&id| inside[id] && !covered[out[id][0]]).collect::<Vec<_>>() {
            inside[id] = false;
        }
        let alone = (0..self.edges.len()).filter(|&i| !covered[i]).map(|i| vec![i]);
        let mut graph = Graph { title: self.title.clone(), ..Graph::default() };
        let mut numbers = IdxVec::<NodeId, Option<NodeId>>::filled(None, self.nodes.len());
        for (id, node) in self.nodes.enumerate().filter(|(id, _)| !inside[*id]) {
            numbers[id] = Some(graph.nodes.push(node.clone()));
        }
        for edges in sequences.iter().cloned().chain(alone) {
            let edges: Vec<&Edge> = edges.iter().map(|&i| &self.edges[i]).collect();
            graph.edges.extend(joined(&edges, &numbers));
        }
        graph
    }
}

/// One edge for a sequence between nodes that stay.
fn joined(edges: &[&Edge], numbers: &IdxVec<NodeId, Option<NodeId>>) -> Option<Edge> {
    let (first, last) = (edges.first()?, edges.last()?);
    let mut label = Vec::new();
    for (i, edge) in edges.iter().enumerate() {
        if edges.len() > 1 && label.len() + edge.label.len() > LINES {
            label.push(format!("… and {} more", edges.len() - i));
            break;
        }
        label.extend(edge.label.iter().cloned());
    }
    let tooltips: Vec<&str> = edges.iter().map(|e| &*e.tooltip).filter(|t| !t.is_empty()).collect();
    Some(Edge {
        from: numbers[first.from]?,
        to: numbers[last.to]?,
        label,
        tone: if last.tone == Tone::Error { last.tone } else { first.tone },
        dashed: first.dashed,
        tooltip: tooltips.join("\n"),
        stands_for: edges.iter().flat_map(|edge| edge.stands_for.iter().copied()).collect(),
    })
}
