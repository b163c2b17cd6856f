//! Drawings for the page: numbers and texts from which a script makes the elements.

use robusto_cfa::draw::{Graph, Node, NodeId, Scene, Shape, Tone};
use robusto_cfa::ir::{Idx as _, IdxVec};
use serde::Serialize;
use std::collections::{BTreeSet, VecDeque};

/// Most nodes of the reachability graph that are drawn: one that is larger is not read, and a browser draws this many at once.
const MOST_STATES: usize = 400;
/// Most nodes of all automata together.
const MOST_LOCATIONS: usize = 1500;

/// A drawing.
#[derive(Serialize)]
pub struct Drawing {
    title: String,
    /// The function, for automata.
    #[serde(skip_serializing_if = "Option::is_none")]
    function: Option<u32>,
    width: i64,
    height: i64,
    nodes: Vec<DrawnNode>,
    edges: Vec<DrawnEdge>,
    /// How many nodes were left out.
    #[serde(skip_serializing_if = "is_zero")]
    left_out: usize,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

#[derive(Serialize)]
struct DrawnNode {
    x: i64,
    y: i64,
    w: i64,
    h: i64,
    shape: &'static str,
    tone: &'static str,
    label: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    location: Option<u32>,
}

#[derive(Serialize)]
struct DrawnEdge {
    path: String,
    tone: &'static str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    dashed: bool,
    arrow: bool,
    label: Vec<String>,
    x: i64,
    y: i64,
    /// The edges of the automaton that it stands for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    steps: Vec<u32>,
}

fn shape(shape: Shape) -> &'static str {
    match shape {
        Shape::Ellipse => "ellipse",
        Shape::DoubleEllipse => "double-ellipse",
        Shape::Box => "box",
        Shape::DoubleBox => "double-box",
        Shape::DashedBox => "dashed-box",
    }
}

fn tone(tone: Tone) -> &'static str {
    match tone {
        Tone::Plain => "plain",
        Tone::Start => "start",
        Tone::End => "end",
        Tone::Choice => "choice",
        Tone::Error => "error",
        Tone::Faint => "faint",
        Tone::Shaded => "shaded",
    }
}

fn drawing(graph: &Graph, function: Option<u32>, left_out: usize) -> Drawing {
    let scene = Scene::new(graph);
    let near = |number: f64| number.round() as i64;
    let node = |(node, &(centre, size)): (&Node, &(robusto_cfa::draw::Point, robusto_cfa::draw::Size))| DrawnNode {
        x: near(centre.x),
        y: near(centre.y),
        w: near(size.width),
        h: near(size.height),
        shape: shape(node.shape),
        tone: tone(node.tone),
        label: node.label.clone(),
        location: node.stands_for.map(|(_, location)| location),
    };
    let edges = graph.edges.iter().zip(scene.lines).map(|(edge, line)| DrawnEdge {
        path: line.path,
        tone: tone(edge.tone),
        dashed: edge.dashed,
        arrow: line.arrow,
        label: line.label,
        x: near(line.at.x),
        y: near(line.at.y),
        steps: edge.stands_for.iter().map(|&(_, edge)| edge).collect(),
    });
    Drawing {
        title: graph.title.clone(),
        function,
        width: near(scene.size.width),
        height: near(scene.size.height),
        edges: edges.collect(),
        nodes: graph.nodes.iter().zip(&scene.nodes).map(node).collect(),
        left_out,
    }
}

/// The automata, sequences as one edge: first those of these functions, then others as long as there is room.
pub fn automata(graphs: &[Graph], first: &BTreeSet<u32>) -> Vec<Drawing> {
    let function = |graph: &Graph| graph.nodes.iter().find_map(|node| node.stands_for).map(|(function, _)| function);
    let known = graphs.iter().filter_map(|graph| Some((function(graph)?, graph)));
    let (mut chosen, others): (Vec<_>, Vec<_>) = known.partition(|(function, _)| first.contains(function));
    chosen.extend(others);
    let mut room = MOST_LOCATIONS;
    let mut drawn = Vec::new();
    for (function, graph) in chosen {
        let graph = graph.clone().contract_sequences();
        if graph.nodes.len() <= room {
            room -= graph.nodes.len();
            drawn.push((function, drawing(&graph, Some(function), 0)));
        }
    }
    drawn.sort_by_key(|(function, _)| *function);
    drawn.into_iter().map(|(_, drawing)| drawing).collect()
}

/// The reachability graph, or the part of it around these nodes and its start; and the new numbers of the nodes.
pub fn reachability(graph: &Graph, wanted: &BTreeSet<NodeId>) -> (Drawing, IdxVec<NodeId, Option<NodeId>>) {
    let kept = kept(graph, wanted);
    let mut numbers = IdxVec::<NodeId, Option<NodeId>>::filled(None, graph.nodes.len());
    let mut part = Graph { title: graph.title.clone(), ..Graph::default() };
    for (id, node) in graph.nodes.enumerate().filter(|(id, _)| kept.contains(id)) {
        numbers[id] = Some(part.nodes.push(node.clone()));
    }
    for edge in &graph.edges {
        if let (Some(from), Some(to)) = (numbers[edge.from], numbers[edge.to]) {
            part.edges.push(robusto_cfa::draw::Edge { from, to, ..edge.clone() });
        }
    }
    (drawing(&part, None, graph.nodes.len() - part.nodes.len()), numbers)
}

/// The wanted nodes, then those that are near to the start or to a wanted node.
fn kept(graph: &Graph, wanted: &BTreeSet<NodeId>) -> BTreeSet<NodeId> {
    let mut successors: Vec<Vec<NodeId>> = vec![Vec::new(); graph.nodes.len()];
    for edge in &graph.edges {
        successors[edge.from.index()].push(edge.to);
    }
    let start = graph.nodes.ids().take(1);
    let mut kept: BTreeSet<NodeId> = start.chain(wanted.iter().copied()).take(MOST_STATES).collect();
    let mut queue: VecDeque<NodeId> = kept.iter().copied().collect();
    while let Some(node) = queue.pop_front() {
        for &next in &successors[node.index()] {
            if kept.len() < MOST_STATES && kept.insert(next) {
                queue.push_back(next);
            }
        }
    }
    kept
}
