//! The abstract reachability graph as a drawing.

use robusto_cfa::draw::{Edge, Graph, Node, NodeId, Shape, Tone};
use robusto_cfa::ir::{Idx as _, Program};
use robusto_cpa::{Arg, Status, Step};

/// How a state is drawn.
#[derive(Default)]
pub(crate) struct Appearance {
    /// Lines below the location.
    pub text: Vec<String>,
    /// Whether it is an abstraction state, which is shaded.
    pub shaded: bool,
}

/// The name of a block of tests.
pub(crate) fn condition(_: Step) -> String {
    "condition".to_owned()
}

/// Most states that are drawn. Nobody finds anything in a larger drawing, and it would take more memory than the graph.
const MOST: usize = 20_000;

/// The graph, or its first states if it is very large. States without concrete states are dashed, and a dashed edge leads from a covered state to the one that
/// covers it. `block` names the steps through whole blocks.
pub(crate) fn graph<D>(
    program: &Program,
    arg: &Arg<D>,
    block: impl Fn(Step) -> String,
    mut look: impl FnMut(&D) -> Appearance,
) -> Graph {
    let names = robusto_cfa::text::Names::new(program);
    let mut graph = Graph { title: "abstract reachability graph".to_owned(), ..Graph::default() };
    let mut drawn: Vec<Option<NodeId>> = Vec::new();
    for id in arg.ids() {
        let node = arg.node(id);
        if node.status == Status::Removed || graph.nodes.len() == MOST {
            drawn.push(None);
            continue;
        }
        let function = &program.functions[node.state.location.function];
        let Appearance { text, shaded } = look(&node.state.data);
        let mut label = vec![format!("{} {}", function.name, node.state.location.loc)];
        label.extend(text);
        let stands_for = Some((node.state.location.function.index() as u32, node.state.location.loc.index() as u32));
        let bottom = node.status == Status::Bottom;
        let shape = if bottom { Shape::DashedBox } else { Shape::Box };
        let tone = if shaded && !bottom { Tone::Shaded } else { Tone::Plain };
        drawn.push(Some(graph.nodes.push(Node { label, shape, tone, stands_for, ..Node::default() })));
    }
    for (from, step, to) in arg.edges() {
        let (Some(from), Some(to)) = (drawn[from.index()], drawn[to.index()]) else { continue };
        let label = match step {
            Step::Edge(..) => names.op(&step.edge(program).op).to_string(),
            Step::Block { .. } => block(step),
            Step::Enter { callee, .. } => format!("call {}", program.functions[callee].name),
            Step::Leave { callee, .. } => format!("return from {}", program.functions[callee].name),
        };
        let tone = if step.is_error(program) { Tone::Error } else { Tone::Plain };
        let dashed = matches!(step, Step::Enter { .. } | Step::Leave { .. });
        let (label, tooltip, stands_for) = (vec![label], String::new(), Vec::new());
        graph.edges.push(Edge { from, to, label, tone, dashed, tooltip, stands_for });
    }
    for id in arg.ids() {
        if let Status::Covered(by) = arg.node(id).status
            && let (Some(from), Some(to)) = (drawn[id.index()], drawn[by.index()])
        {
            let (label, tooltip, stands_for) = (vec!["covered by".to_owned()], String::new(), Vec::new());
            graph.edges.push(Edge { from, to, label, tone: Tone::Faint, dashed: true, tooltip, stands_for });
        }
    }
    if drawn.iter().flatten().count() < arg.len() && graph.nodes.len() == MOST {
        graph.title = format!("{}, the first {MOST} of {} states", graph.title, arg.len());
    }
    graph
}
