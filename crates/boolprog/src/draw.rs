//! The automata as graphs to draw.

use crate::program::{Edge, NodeId, Op, Procedure, Program, Role};
use robusto_cfa::draw::{self, Graph, Node, Shape, Tone};

/// Most characters of a label; the whole statement appears under the mouse.
const LABEL: usize = 44;

/// A graph per procedure, of the nodes that edges lead to from the entry.
pub fn graphs(program: &Program) -> Vec<Graph> {
    program.procedures.iter().map(graph).collect()
}

fn graph(procedure: &Procedure) -> Graph {
    let formals: Vec<&str> = procedure.variables[..procedure.formals as usize].iter().map(|v| &*v.name).collect();
    let mut graph = Graph { title: format!("{}({})", procedure.name, formals.join(", ")), ..Graph::default() };
    let mut drawn: Vec<Option<draw::NodeId>> = vec![None; procedure.outgoing.len()];
    let mut order = vec![procedure.entry];
    drawn[procedure.entry.index()] = Some(graph.nodes.push(node(procedure, procedure.entry)));
    let mut next = 0;
    while let Some(&from) = order.get(next) {
        next += 1;
        for &id in &procedure.outgoing[from.index()] {
            let edge = procedure.edge(id);
            let to = *drawn[edge.to.index()].get_or_insert_with(|| {
                order.push(edge.to);
                graph.nodes.push(node(procedure, edge.to))
            });
            let Some(from) = drawn[from.index()] else { continue };
            let (label, tone) = (label(edge), tone(edge));
            if tone == Tone::Error {
                graph.nodes[to].tone = tone;
            }
            let tooltip = format!("{} ({}:{})", edge.text, edge.place.line, edge.place.column);
            let (dashed, stands_for) = (edge.role == Role::Silent, Vec::new());
            graph.edges.push(draw::Edge { from, to, label, tone, dashed, tooltip, stands_for });
        }
    }
    graph
}

fn node(procedure: &Procedure, id: NodeId) -> Node {
    let mut node = Node { label: vec![format!("n{}", id.0)], ..Node::default() };
    node.label.extend(procedure.labels.iter().filter(|l| l.node == id).map(|l| format!("{}:", l.name)));
    let is_head = |edge: &Edge| edge.from == id && edge.role == Role::Loop(true);
    if procedure.edges.iter().any(is_head) {
        node.shape = Shape::DoubleEllipse;
    }
    node.tone = match id {
        id if id == procedure.entry => Tone::Start,
        id if id == procedure.exit => Tone::End,
        _ => Tone::Plain,
    };
    node
}

fn label(edge: &Edge) -> Vec<String> {
    let condition = || edge.text.trim_start_matches("if ").trim_start_matches("while ");
    let text = match edge.role {
        Role::Branch(true) | Role::Loop(true) => format!("[{}]", condition()),
        Role::Branch(false) | Role::Loop(false) => format!("[!({})]", condition()),
        Role::Failure => format!("{} fails", edge.text),
        Role::Silent if edge.op == Op::Skip => return Vec::new(),
        Role::Silent | Role::Statement => edge.text.to_string(),
    };
    if text.chars().count() <= LABEL {
        return vec![text];
    }
    vec![text.chars().take(LABEL - 1).chain(['…']).collect()]
}

fn tone(edge: &Edge) -> Tone {
    match (&edge.op, edge.role) {
        (_, Role::Failure) => Tone::Error,
        (_, Role::Silent) | (Op::Skip, _) => Tone::Faint,
        (Op::Assume(_), _) => Tone::Choice,
        (Op::Return(_), _) => Tone::End,
        (Op::Assign { .. } | Op::Call { .. }, _) => Tone::Plain,
    }
}
