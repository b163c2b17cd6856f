//! Finished drawings: a file that any browser shows.

use super::layout::{Layout, Link, Point, Route, Size, layout};
use super::{Edge, Graph, Node, NodeId, Shape, Tone};
use crate::ir::Idx;
use std::fmt::{self, Write};

/// Width of a character and height of a line of the font, which is 12 pixels high and has a fixed width.
const CHAR: f64 = 7.3;
const LINE: f64 = 15.0;
/// Space around everything.
const MARGIN: f64 = 24.0;
/// Height of a title with the space below it.
const TITLE: f64 = 40.0;
/// How far a loop at a node sticks out.
const LOOP: f64 = 34.0;

/// Graphs as one drawing, one under another.
pub fn graphs_svg(graphs: &[Graph]) -> String {
    let layouts: Vec<Layout> = graphs.iter().map(lay_out).collect();
    let title_width = |g: &Graph| CHAR * 1.2 * g.title.chars().count() as f64;
    let width = graphs.iter().zip(&layouts).map(|(g, l)| l.size.width.max(title_width(g))).fold(200.0, f64::max);
    let height: f64 = layouts.iter().map(|l| l.size.height + TITLE + MARGIN).sum();
    let mut out = String::new();
    write_all(&mut out, graphs, &layouts, width, height).expect("writing to a string does not fail");
    out
}

fn lay_out(graph: &Graph) -> Layout {
    let mut sizes: Vec<Size> = graph.nodes.iter().map(node_size).collect();
    for edge in graph.edges.iter().filter(|e| e.from == e.to) {
        sizes[edge.from.index()].width += 2.0 * (LOOP + text_size(&edge.label).width);
    }
    let links: Vec<Link> = graph
        .edges
        .iter()
        .map(|e| Link { from: e.from.index(), to: e.to.index(), label: text_size(&e.label) })
        .collect();
    layout(&sizes, &links, Size { width: 12.0 * CHAR, height: LINE })
}

fn text_size(lines: &[String]) -> Size {
    match lines.iter().map(|line| line.chars().count()).max() {
        None | Some(0) => Size::default(),
        Some(longest) => Size { width: longest as f64 * CHAR + 6.0, height: lines.len() as f64 * LINE + 2.0 },
    }
}

fn node_size(node: &Node) -> Size {
    let text = text_size(&node.label);
    let double = if node.shape.is_double() { 6.0 } else { 0.0 };
    if node.shape.is_box() {
        return Size { width: text.width + 12.0 + double, height: text.height + 8.0 + double };
    }
    // An ellipse around a box is wider by the square root of two.
    let several = if node.label.len() > 1 { 1.35 } else { 1.0 };
    Size { width: (text.width * several + 14.0).max(36.0) + double, height: text.height * several + 9.0 + double }
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

fn write_all(out: &mut String, graphs: &[Graph], layouts: &[Layout], width: f64, height: f64) -> fmt::Result {
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
    for (index, (graph, layout)) in graphs.iter().zip(layouts).enumerate() {
        if index > 0 {
            let y = top - MARGIN / 2.0;
            writeln!(out, "<path d=\"M{MARGIN} {y:.1}H{:.1}\" stroke=\"#d0d7de\"/>", w - MARGIN)?;
        }
        writeln!(out, "<text class=\"title\" x=\"{MARGIN}\" y=\"{:.1}\">{}</text>", top + 14.0, Escaped(&graph.title))?;
        let left = MARGIN + (width - layout.size.width) / 2.0;
        writeln!(out, "<g transform=\"translate({left:.1} {:.1})\">", top + TITLE)?;
        Drawing { graph, layout }.write(out)?;
        out.push_str("</g>\n");
        top += TITLE + layout.size.height + MARGIN;
    }
    out.write_str("</svg>\n")
}

struct Drawing<'a> {
    graph: &'a Graph,
    layout: &'a Layout,
}

impl Drawing<'_> {
    fn write(&self, out: &mut String) -> fmt::Result {
        let ports = self.ports();
        for (i, edge) in self.graph.edges.iter().enumerate() {
            write!(out, "<g class=\"edge {}{}\">", class(edge.tone), if edge.dashed { " dashed" } else { "" })?;
            if !edge.tooltip.is_empty() {
                write!(out, "<title>{}</title>", Escaped(&edge.tooltip))?;
            }
            if edge.from == edge.to {
                self.write_loop(out, edge)?;
            } else {
                self.write_edge(out, edge, &self.layout.routes[i], ports[i])?;
            }
            out.push_str("</g>\n");
        }
        for (id, node) in self.graph.nodes.enumerate() {
            self.write_node(out, node, self.layout.nodes[id.index()])?;
        }
        Ok(())
    }

    /// Where each edge leaves its source and enters its target: those on one side of a node are spread in the order of where
    /// they go.
    fn ports(&self) -> Vec<(Point, Point)> {
        let mut sides: Vec<[Vec<(f64, usize, bool)>; 2]> = vec![Default::default(); self.graph.nodes.len()];
        for (i, (edge, route)) in self.graph.edges.iter().zip(&self.layout.routes).enumerate() {
            if edge.from == edge.to {
                continue;
            }
            let centre = |id: NodeId| self.layout.nodes[id.index()].x;
            let first = route.stations.first().map_or(centre(edge.to), |s| s.0);
            let last = route.stations.last().map_or(centre(edge.from), |s| s.0);
            sides[edge.from.index()][usize::from(!route.upwards)].push((first, i, true));
            if !route.stub && !route.joins {
                sides[edge.to.index()][usize::from(route.upwards)].push((last, i, false));
            }
        }
        let mut ports = vec![(Point::default(), Point::default()); self.graph.edges.len()];
        for (id, node) in self.graph.nodes.enumerate() {
            let (centre, size) = (self.layout.nodes[id.index()], node_size(node));
            for (side, sign) in sides[id.index()].iter_mut().zip([-1.0, 1.0]) {
                side.sort_by(|a, b| a.0.total_cmp(&b.0));
                let xs: Vec<f64> = side.iter().map(|end| end.0 - centre.x).collect();
                for (&(_, edge, is_start), dx) in side.iter().zip(spread(&xs, size.width * 0.35)) {
                    let rise = (1.0 - (2.0 * dx / size.width).powi(2)).max(0.0).sqrt();
                    let flat = if node.shape.is_box() { 1.0 } else { rise };
                    let port = Point { x: centre.x + dx, y: centre.y + sign * size.height / 2.0 * flat };
                    if is_start { ports[edge].0 = port } else { ports[edge].1 = port }
                }
            }
        }
        ports
    }

    fn write_edge(&self, out: &mut String, edge: &Edge, route: &Route, (start, end): (Point, Point)) -> fmt::Result {
        write!(out, "<path d=\"M{:.1} {:.1}", start.x, start.y)?;
        let mut at = start;
        let mut curve = |out: &mut String, to: Point| {
            let middle = (at.y + to.y) / 2.0;
            // A straight piece needs no curve.
            let written = if (at.x - to.x).abs() < 0.05 {
                write!(out, "V{:.1}", to.y)
            } else {
                write!(out, "C{:.1} {middle:.1} {:.1} {middle:.1} {:.1} {:.1}", at.x, to.x, to.x, to.y)
            };
            at = to;
            written
        };
        for (i, &(x, enter, leave)) in route.stations.iter().enumerate() {
            // A piece that goes straight on is drawn with the next one.
            let straight = i > 0 && (route.stations[i - 1].0 - x).abs() < 0.05;
            let goes_on = route.stations.get(i + 1).is_some_and(|next| (next.0 - x).abs() < 0.05);
            if !(straight && goes_on) {
                curve(out, Point { x, y: enter })?;
                if !(route.joins && i + 1 == route.stations.len()) {
                    curve(out, Point { x, y: leave })?;
                }
            }
        }
        if route.joins {
            out.push_str("\"/>");
        } else {
            if !route.stub {
                curve(out, end)?;
            }
            write!(out, "\" marker-end=\"url(#to-{})\"/>", class(edge.tone))?;
        }
        let mut lines = edge.label.clone();
        if route.stub {
            let target = self.graph.nodes[edge.to].label.first().map_or("", String::as_str);
            lines.push(format!("→ {target}"));
        }
        write_label(out, &lines, route.label)
    }

    /// A loop on the right of its node.
    fn write_loop(&self, out: &mut String, edge: &Edge) -> fmt::Result {
        let (centre, size) = (self.layout.nodes[edge.from.index()], node_size(&self.graph.nodes[edge.from]));
        let (x, y) = (centre.x + size.width / 2.0 * 0.9, centre.y);
        let (far, dy) = (x + LOOP, size.height / 2.0 * 0.45);
        write!(out, "<path d=\"M{x:.1} {:.1}C{far:.1} {:.1} ", y - dy, y - 2.5 * dy)?;
        writeln!(
            out,
            "{far:.1} {:.1} {x:.1} {:.1}\" marker-end=\"url(#to-{})\"/>",
            y + 2.5 * dy,
            y + dy,
            class(edge.tone)
        )?;
        let label = Point { x: x + LOOP * 0.85 + text_size(&edge.label).width / 2.0, y };
        write_label(out, &edge.label, label)
    }

    fn write_node(&self, out: &mut String, node: &Node, centre: Point) -> fmt::Result {
        let size = node_size(node);
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
}

/// Brings ascending numbers into a range around zero, close to where they are but not too close to each other.
fn spread(wanted: &[f64], most: f64) -> Vec<f64> {
    let gap = (2.0 * most / wanted.len() as f64).min(8.0);
    let mut places: Vec<f64> = wanted.iter().map(|x| x.clamp(-most, most)).collect();
    for i in 1..places.len() {
        places[i] = places[i].max(places[i - 1] + gap);
    }
    let mut limit = most;
    for place in places.iter_mut().rev() {
        *place = place.min(limit);
        limit = *place - gap;
    }
    places
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
