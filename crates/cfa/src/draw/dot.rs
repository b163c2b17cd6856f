//! Graphviz's language.

use super::{Graph, Shape, Tone};
use crate::ir::Idx;
use std::fmt::{self, Write};

/// Graphs in Graphviz's language, a cluster each.
pub fn graphs_dot(graphs: &[Graph]) -> String {
    let mut out = String::new();
    write(&mut out, graphs).expect("writing to a string does not fail");
    out
}

fn write(out: &mut String, graphs: &[Graph]) -> fmt::Result {
    out.push_str("digraph program {\n  node [fontname=\"monospace\", fontsize=11, style=filled];\n");
    out.push_str("  edge [fontname=\"monospace\", fontsize=10];\n");
    for (index, graph) in graphs.iter().enumerate() {
        writeln!(out, "  subgraph cluster_{index} {{")?;
        writeln!(out, "    label={};", Quoted(std::slice::from_ref(&graph.title)))?;
        writeln!(out, "    labeljust=l; fontname=\"monospace\"; color=\"#d0d7de\";")?;
        for (id, node) in graph.nodes.enumerate() {
            write!(out, "    n{index}_{} [label={}", id.index(), Quoted(&node.label))?;
            let shape = if node.shape.is_box() { "box" } else { "ellipse" };
            let lines = if node.shape.is_double() { 2 } else { 1 };
            let (line, fill) = (node.tone.line(), node.tone.fill());
            write!(out, ", shape={shape}, peripheries={lines}, color=\"{line}\", fillcolor=\"{fill}\"")?;
            if node.shape == Shape::DashedBox {
                out.push_str(", style=\"filled,dashed\"");
            }
            if !node.tooltip.is_empty() {
                write!(out, ", tooltip={}", Quoted(std::slice::from_ref(&node.tooltip)))?;
            }
            out.push_str("];\n");
        }
        for edge in &graph.edges {
            write!(out, "    n{index}_{} -> n{index}_{}", edge.from.index(), edge.to.index())?;
            write!(out, " [label={}", Quoted(&edge.label))?;
            if edge.tone != Tone::Plain {
                write!(out, ", color=\"{0}\", fontcolor=\"{0}\"", edge.tone.line())?;
            }
            if edge.dashed {
                out.push_str(", style=dashed");
            }
            if !edge.tooltip.is_empty() {
                write!(out, ", tooltip={}", Quoted(std::slice::from_ref(&edge.tooltip)))?;
            }
            out.push_str("];\n");
        }
        out.push_str("  }\n");
    }
    out.write_str("}\n")
}

/// Lines in quotes.
struct Quoted<'a>(&'a [String]);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for (i, line) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str("\\n")?;
            }
            for c in line.chars() {
                match c {
                    '"' => f.write_str("\\\"")?,
                    '\\' => f.write_str("\\\\")?,
                    '\n' => f.write_str("\\n")?,
                    c if c.is_control() => f.write_char(' ')?,
                    c => f.write_char(c)?,
                }
            }
        }
        f.write_char('"')
    }
}
