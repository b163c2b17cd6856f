//! Finished drawings: a file that any browser shows.

use super::scene::{LINE, Line, Point, Scene, Size, text_size};
use super::{Edge, Graph, Node, Shape, Tone};
use std::fmt::{self, Write};

/// Width of a character of a title.
const TITLE_CHAR: f64 = 1.2 * super::scene::CHAR;
/// Space around everything.
const MARGIN: f64 = 24.0;
/// Height of a title with the space below it.
const TITLE: f64 = 40.0;

/// Graphs as one drawing, one under another.
pub fn graphs_svg(graphs: &[Graph]) -> String {
    let scenes: Vec<Scene> = graphs.iter().map(Scene::new).collect();
    let title_width = |g: &Graph| TITLE_CHAR * g.title.chars().count() as f64;
    let width = graphs.iter().zip(&scenes).map(|(g, l)| l.size.width.max(title_width(g))).fold(200.0, f64::max);
    let height: f64 = scenes.iter().map(|l| l.size.height + TITLE + MARGIN).sum();
    let mut out = String::new();
    write_all(&mut out, graphs, &scenes, width, height).expect("writing to a string does not fail");
    out
}

const TONES: [Tone; 7] = [Tone::Plain, Tone::Start, Tone::End, Tone::Choice, Tone::Error, Tone::Faint, Tone::Shaded];

fn class(tone: Tone) -> &'static str {
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

fn write_all(out: &mut String, graphs: &[Graph], scenes: &[Scene], width: f64, height: f64) -> fmt::Result {
    let (w, h) = (width + 2.0 * MARGIN, height + MARGIN);
    out.push_str("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w:.0}\" height=\"{h:.0}\" viewBox=\"0 0 {w:.0} {h:.0}\">"
    )?;
    out.push_str(
        "<style>\ntext{font:12px 'DejaVu Sans Mono',Menlo,Consolas,monospace;text-anchor:middle;fill:#24292f}\n",
    );
    out.push_str("text.title{font-size:14px;font-weight:bold;text-anchor:start}\n");
    out.push_str(".edge path{fill:none;stroke-width:1.2}.edge rect{fill:#fff}.dashed path{stroke-dasharray:5 3}\n.absent .outline{stroke-dasharray:5 3}\n");
    for tone in TONES {
        let (name, line, fill) = (class(tone), tone.line(), tone.fill());
        writeln!(out, ".edge.{name} path{{stroke:{line}}}.edge.{name} text{{fill:{line}}}")?;
        writeln!(out, ".node.{name} .outline{{fill:{fill};stroke:{line};stroke-width:1.2}}")?;
    }
    out.push_str("</style>\n<defs>\n");
    for tone in TONES {
        write!(out, "<marker id=\"to-{}\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" ", class(tone))?;
        write!(out, "markerWidth=\"8\" markerHeight=\"8\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">")?;
        writeln!(out, "<path d=\"M0 1L10 5L0 9z\" fill=\"{}\"/></marker>", tone.line())?;
    }
    writeln!(out, "</defs>\n<rect width=\"{w:.0}\" height=\"{h:.0}\" fill=\"#fff\"/>")?;
    let mut top = MARGIN;
    for (index, (graph, scene)) in graphs.iter().zip(scenes).enumerate() {
        if index > 0 {
            let y = top - MARGIN / 2.0;
            writeln!(out, "<path d=\"M{MARGIN} {y:.1}H{:.1}\" stroke=\"#d0d7de\"/>", w - MARGIN)?;
        }
        writeln!(out, "<text class=\"title\" x=\"{MARGIN}\" y=\"{:.1}\">{}</text>", top + 14.0, Escaped(&graph.title))?;
        let left = MARGIN + (width - scene.size.width) / 2.0;
        writeln!(out, "<g transform=\"translate({left:.1} {:.1})\">", top + TITLE)?;
        write_scene(out, graph, scene)?;
        out.push_str("</g>\n");
        top += TITLE + scene.size.height + MARGIN;
    }
    out.write_str("</svg>\n")
}

fn write_scene(out: &mut String, graph: &Graph, scene: &Scene) -> fmt::Result {
    for (edge, line) in graph.edges.iter().zip(&scene.lines) {
        write_edge(out, edge, line)?;
    }
    for (node, &(centre, size)) in graph.nodes.iter().zip(&scene.nodes) {
        write_node(out, node, centre, size)?;
    }
    Ok(())
}

fn write_edge(out: &mut String, edge: &Edge, line: &Line) -> fmt::Result {
    write!(out, "<g class=\"edge {}{}\">", class(edge.tone), if edge.dashed { " dashed" } else { "" })?;
    if !edge.tooltip.is_empty() {
        write!(out, "<title>{}</title>", Escaped(&edge.tooltip))?;
    }
    write!(out, "<path d=\"{}\"", line.path)?;
    if line.arrow {
        write!(out, " marker-end=\"url(#to-{})\"", class(edge.tone))?;
    }
    out.push_str("/>");
    write_label(out, &line.label, line.at)?;
    out.write_str("</g>\n")
}

fn write_node(out: &mut String, node: &Node, centre: Point, size: Size) -> fmt::Result {
    let dashed = if node.shape == Shape::DashedBox { " absent" } else { "" };
    write!(out, "<g class=\"node {}{dashed}\">", class(node.tone))?;
    if !node.tooltip.is_empty() {
        write!(out, "<title>{}</title>", Escaped(&node.tooltip))?;
    }
    let insets: &[f64] = if node.shape.is_double() { &[0.0, 3.0] } else { &[0.0] };
    for inset in insets {
        let (rx, ry) = (size.width / 2.0 - inset, size.height / 2.0 - inset);
        if node.shape.is_box() {
            let (x, y) = (centre.x - rx, centre.y - ry);
            write!(out, "<rect class=\"outline\" x=\"{x:.1}\" y=\"{y:.1}\" ")?;
            write!(out, "width=\"{:.1}\" height=\"{:.1}\" rx=\"4\"/>", 2.0 * rx, 2.0 * ry)?;
        } else {
            write!(out, "<ellipse class=\"outline\" cx=\"{:.1}\" cy=\"{:.1}\" ", centre.x, centre.y)?;
            write!(out, "rx=\"{rx:.1}\" ry=\"{ry:.1}\"/>")?;
        }
    }
    write_lines(out, &node.label, centre)?;
    out.write_str("</g>\n")
}

/// Text on a white ground, so that the line of the edge does not run through it.
fn write_label(out: &mut String, lines: &[String], centre: Point) -> fmt::Result {
    let Size { width, height } = text_size(lines);
    if width == 0.0 {
        return Ok(());
    }
    let (x, y) = (centre.x - width / 2.0, centre.y - height / 2.0);
    write!(out, "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"/>")?;
    write_lines(out, lines, centre)
}

fn write_lines(out: &mut String, lines: &[String], centre: Point) -> fmt::Result {
    let first = centre.y - (lines.len() as f64 - 1.0) * LINE / 2.0 + 4.0;
    for (i, line) in lines.iter().enumerate() {
        let y = first + i as f64 * LINE;
        write!(out, "<text x=\"{:.1}\" y=\"{y:.1}\">{}</text>", centre.x, Escaped(line))?;
    }
    Ok(())
}

/// Text for XML, which has no control characters but the end of a line.
struct Escaped<'a>(&'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\n' => f.write_char('\n')?,
                c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => f.write_char(' ')?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}
