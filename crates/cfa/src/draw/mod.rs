//! Pictures of automata: Graphviz text ([`dot()`]) and finished drawings ([`svg()`]).
//!
//! A function becomes a [`Graph`], which knows nothing of programs; other graphs can be drawn the same way with [`graphs_dot`]
//! and [`graphs_svg`], or by whoever takes a [`Scene`]. Drawings need no other program: the layout is our own (see `layout`).

mod automaton;
mod contract;
mod dot;
mod graph;
mod layout;
mod scene;
mod svg;

pub use automaton::function_graph;
pub use dot::graphs_dot;
pub use graph::{Edge, Graph, Node, NodeId, Shape, Tone};
pub use scene::{Line, Point, Scene, Size};
pub use svg::graphs_svg;

use crate::ir::{FuncId, LocId, Program};
use crate::text::Names;

/// What a picture shows.
#[derive(Clone, Copy, Default)]
pub struct Options<'a> {
    /// The functions to draw; all that have a body if there is no list.
    pub functions: Option<&'a [FuncId]>,
    /// Which locations are loop heads; they get a double line.
    pub loop_heads: Option<&'a dyn Fn(FuncId, LocId) -> bool>,
}

/// The automata in Graphviz's language, a cluster per function.
pub fn dot(program: &Program, options: Options<'_>) -> String {
    graphs_dot(&graphs(program, options))
}

/// The automata as one drawing, a function under another.
pub fn svg(program: &Program, options: Options<'_>) -> String {
    graphs_svg(&graphs(program, options))
}

/// The automata as graphs; [`Graph::contract_sequences`] makes them smaller.
pub fn graphs(program: &Program, options: Options<'_>) -> Vec<Graph> {
    let names = Names::new(program);
    let with_body = || program.functions.enumerate().filter(|(_, f)| !f.external).map(|(id, _)| id).collect();
    let functions = options.functions.map_or_else(with_body, <[FuncId]>::to_vec);
    functions.into_iter().map(|id| function_graph(program, &names, id, options)).collect()
}
