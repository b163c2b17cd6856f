//! A function as a graph.

use super::{Edge, Graph, Node, NodeId, Options, Shape, Tone};
use crate::ir::{self, FuncId, Function, IdxVec, LocId, Op, Program, SrcPos};
use crate::text::Names;

/// Most characters in a line of a label.
const LINE: usize = 44;
/// Most lines of an operation.
const LINES: usize = 4;
/// Most lines of a sequence of operations.
const BLOCK_LINES: usize = 12;

/// The automaton of a function as a graph with a node per location. The entry comes first.
pub fn function_graph(program: &Program, names: &Names<'_>, id: FuncId, options: Options<'_>) -> Graph {
    let function = &program.functions[id];
    let is_head = |loc: LocId| options.loop_heads.is_some_and(|is_head| is_head(id, loc));
    let inner = if options.blocks { inner(function, is_head) } else { IdxVec::filled(false, function.num_locs()) };
    let mut graph = Graph { title: signature(program, names, id), ..Graph::default() };
    let mut nodes = IdxVec::<LocId, Option<NodeId>>::filled(None, function.num_locs());
    let others = function.locs().filter(|&loc| loc != function.entry && !inner[loc]);
    for loc in [function.entry].into_iter().chain(others) {
        let mut node = Node { label: vec![loc.to_string()], ..Node::default() };
        node.label.extend(function.labels.iter().filter(|l| l.loc == loc).map(|l| format!("{}:", l.name)));
        if is_head(loc) {
            node.shape = Shape::DoubleEllipse;
        }
        node.tone = match loc {
            loc if loc == function.entry => Tone::Start,
            loc if loc == function.exit => Tone::End,
            _ => Tone::Plain,
        };
        nodes[loc] = Some(graph.nodes.push(node));
    }
    for first in function.edges().iter() {
        let Some(from) = nodes[first.src] else { continue };
        let mut sequence = vec![first];
        let mut last = first;
        while inner[last.dst] {
            last = function.out(last.dst).next().expect("an inner location has an edge").1;
            sequence.push(last);
        }
        let to = nodes[last.dst].expect("only inner locations have no node");
        let last_tone = tone(&last.op);
        if last_tone == Tone::Error || matches!(last.op, Op::Halt { .. }) {
            graph.nodes[to].tone = last_tone;
        }
        let (label, tooltip) = texts(program, names, &sequence);
        let tone = if last_tone == Tone::Error { last_tone } else { tone(&first.op) };
        graph.edges.push(Edge { from, to, label, tone, dashed: false, tooltip });
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

/// The locations inside a sequence of statements: one edge enters, one leaves, neither belongs to a branch.
fn inner(function: &Function, is_head: impl Fn(LocId) -> bool) -> IdxVec<LocId, bool> {
    let is_statement = |edge: &ir::Edge| !matches!(edge.op, Op::Assume { .. });
    let incoming = function.incoming();
    let mut inner: IdxVec<LocId, bool> = function
        .locs()
        .map(|loc| {
            let leaves = function.out(loc).len() == 1 && function.out(loc).all(|(_, edge)| is_statement(edge));
            let enters = incoming[loc].len() == 1 && incoming[loc].iter().all(|&e| is_statement(function.edge(e)));
            leaves && enters && loc != function.entry && loc != function.exit && !is_head(loc)
        })
        .collect();
    for label in &function.labels {
        inner[label.loc] = false;
    }
    inner
}

/// Label and tooltip of an edge that stands for a sequence.
fn texts(program: &Program, names: &Names<'_>, sequence: &[&ir::Edge]) -> (Vec<String>, String) {
    let mut label = Vec::new();
    let mut tooltip = Vec::new();
    for (i, edge) in sequence.iter().enumerate() {
        let text = names.op(&edge.op).to_string();
        tooltip.push(format!("{} → {}: {text}{}", edge.src, edge.dst, place(program, edge.pos)));
        let lines = if edge.op == Op::Skip { Vec::new() } else { wrap(&text) };
        match label.len() + lines.len() {
            0..=BLOCK_LINES => label.extend(lines),
            _ => {
                label.push(format!("… and {} more", sequence.len() - i));
                break;
            }
        }
    }
    (label, tooltip.join("\n"))
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
