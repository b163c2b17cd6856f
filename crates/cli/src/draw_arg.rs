//! The abstract reachability graph as a drawing.

use robusto_analyses::bdd::Set;
use robusto_cfa::draw::{Edge, Graph, Node, Shape, Tone, graphs_dot, graphs_svg};
use robusto_cfa::ir::{Idx, Program};
use robusto_cpa::{Arg, Step};
use std::path::Path;

/// Draws the graph: Graphviz text for a path that ends in `.dot`, else SVG.
pub fn draw(program: &Program, arg: &Arg<Set>, path: &Path) -> String {
    let names = robusto_cfa::text::Names::new(program);
    let mut graph = Graph { title: "abstract reachability graph".to_owned(), ..Graph::default() };
    for id in arg.ids() {
        let state = &arg.node(id).state;
        let function = &program.functions[state.location.function];
        let label = vec![format!("{} {}", function.name, state.location.loc)];
        graph.nodes.push(Node { label, shape: Shape::Box, ..Node::default() });
    }
    for (from, step, to) in arg.edges() {
        let node = robusto_cfa::draw::NodeId::new;
        let label = match step {
            Step::Edge(..) => names.op(&step.edge(program).op).to_string(),
            Step::Block { .. } => "condition".to_owned(),
            Step::Enter { callee, .. } => format!("call {}", program.functions[callee].name),
            Step::Leave { callee, .. } => format!("return from {}", program.functions[callee].name),
        };
        let error = step.is_error(program);
        graph.edges.push(Edge {
            from: node(from.index()),
            to: node(to.index()),
            label: vec![label],
            tone: if error { Tone::Error } else { Tone::Plain },
            dashed: matches!(step, Step::Enter { .. } | Step::Leave { .. }),
            tooltip: String::new(),
        });
    }
    if path.extension().is_some_and(|e| e == "dot") { graphs_dot(&[graph]) } else { graphs_svg(&[graph]) }
}
