//! A function as a graph.

use super::{Edge, Graph, Node, NodeId, Options, Shape, Tone};
use crate::ir::{FuncId, Idx, IdxVec, LocId, Op, Program, SrcPos};
use crate::text::Names;

/// Most characters in a line of a label.
const LINE: usize = 44;
/// Most lines of an operation.
const LINES: usize = 4;

/// The automaton of a function as a graph with a node per location. The entry comes first.
pub fn function_graph(program: &Program, names: &Names<'_>, id: FuncId, options: Options<'_>) -> Graph {
    let function = &program.functions[id];
    let mut graph = Graph { title: signature(program, names, id), ..Graph::default() };
    let mut nodes = IdxVec::<LocId, NodeId>::filled(NodeId::new(0), function.num_locs());
    for loc in [function.entry].into_iter().chain(function.locs().filter(|&loc| loc != function.entry)) {
        let stands_for = Some((id.index() as u32, loc.index() as u32));
        let mut node = Node { label: vec![loc.to_string()], stands_for, ..Node::default() };
        if options.loop_heads.is_some_and(|is_head| is_head(id, loc)) {
            node.shape = Shape::DoubleEllipse;
        }
        node.tone = match loc {
            loc if loc == function.entry => Tone::Start,
            loc if loc == function.exit => Tone::End,
            _ => Tone::Plain,
        };
        nodes[loc] = graph.nodes.push(node);
    }
    for label in &function.labels {
        graph.nodes[nodes[label.loc]].label.push(format!("{}:", label.name));
    }
    for (number, edge) in function.edges().enumerate() {
        let text = names.op(&edge.op).to_string();
        let (from, to, tone) = (nodes[edge.src], nodes[edge.dst], tone(&edge.op));
        if tone == Tone::Error || matches!(edge.op, Op::Halt { .. }) {
            graph.nodes[to].tone = tone;
        }
        let label = if edge.op == Op::Skip { Vec::new() } else { wrap(&text) };
        let tooltip = format!("{} → {}: {text}{}", edge.src, edge.dst, place(program, edge.pos));
        let stands_for = vec![(id.index() as u32, number.index() as u32)];
        graph.edges.push(Edge { from, to, label, tone, dashed: false, tooltip, stands_for });
    }
    graph
}

fn tone(op: &Op) -> Tone {
    match op {
        Op::Assume { .. } => Tone::Choice,
        Op::Error(_) | Op::Unsupported(_) => Tone::Error,
        Op::Return { .. } | Op::Halt { .. } => Tone::End,
        Op::Skip => Tone::Faint,
        _ => Tone::Plain,
    }
}

fn signature(program: &Program, names: &Names<'_>, id: FuncId) -> String {
    let function = &program.functions[id];
    let params: Vec<String> = function.params.iter().map(|&p| names.var(p).to_string()).collect();
    let place = place(program, function.pos);
    format!("{}({}){place}", names.function(id), params.join(", "))
}

fn place(program: &Program, pos: SrcPos) -> String {
    match program.files.get(usize::from(pos.file)) {
        Some(file) if pos.line > 0 => format!(" ({file}:{}:{})", pos.line, pos.column),
        _ => String::new(),
    }
}

/// Breaks a text into lines at spaces, but not before `:=`; what does not fit is left out.
fn wrap(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in text.split(' ') {
        let length = word.chars().count();
        if used > 0 && used + 1 + length > LINE && word != ":=" {
            if lines.len() == LINES {
                lines.last_mut().expect("there is a line").push_str(" …");
                return lines;
            }
            lines.push(String::new());
            used = 0;
        }
        let line = lines.last_mut().expect("there is a line");
        if used > 0 {
            line.push(' ');
            used += 1;
        }
        if length > LINE {
            line.extend(word.chars().take(LINE - 1));
            line.push('…');
            used += LINE;
        } else {
            line.push_str(word);
            used += length;
        }
    }
    lines
}
