//! Where everything in a drawing stands, as numbers: what [`svg`](super::graphs_svg) writes down, and what a page can draw itself.

use super::layout::{Layout, Link, Route, layout};
use super::{Edge, Graph, Node, NodeId};
use crate::ir::Idx;
use std::fmt::Write as _;

pub use super::layout::{Point, Size};

/// Width of a character and height of a line of the font, which is 12 pixels high and has a fixed width.
pub(super) const CHAR: f64 = 7.3;
pub(super) const LINE: f64 = 15.0;
/// How far a loop at a node sticks out.
const LOOP: f64 = 34.0;

/// A graph with places.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The size of the whole.
    pub size: Size,
    /// Centre and size of each node.
    pub nodes: Vec<(Point, Size)>,
    /// The line of each edge.
    pub lines: Vec<Line>,
}

/// The line of an edge.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// The path, in the words of SVG.
    pub path: String,
    /// Whether it ends with an arrow; else it joins another line to the same node.
    pub arrow: bool,
    /// The label, line by line.
    pub label: Vec<String>,
    /// The label's centre.
    pub at: Point,
}

impl Scene {
    /// Lays out a graph.
    pub fn new(graph: &Graph) -> Self {
        let layout = lay_out(graph);
        let ports = Ports { graph, layout: &layout }.places();
        let lines = graph.edges.iter().zip(&layout.routes).zip(ports);
        let lines = lines.map(|((edge, route), ports)| match edge.from == edge.to {
            true => circle(graph, edge, &layout),
            false => line(graph, edge, route, ports),
        });
        let lines = lines.collect();
        let nodes =
            layout.nodes.iter().zip(graph.nodes.iter()).map(|(&centre, node)| (centre, node_size(node))).collect();
        Self { size: layout.size, nodes, lines }
    }
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

pub(super) fn text_size(lines: &[String]) -> Size {
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

struct Ports<'a> {
    graph: &'a Graph,
    layout: &'a Layout,
}

impl Ports<'_> {
    /// Where each edge leaves its source and enters its target: those on one side of a node are spread in the order of where
    /// they go.
    fn places(&self) -> Vec<(Point, Point)> {
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
}

fn line(graph: &Graph, edge: &Edge, route: &Route, (start, end): (Point, Point)) -> Line {
    let mut path = format!("M{:.1} {:.1}", start.x, start.y);
    let mut at = start;
    let mut curve = |path: &mut String, to: Point| {
        let middle = (at.y + to.y) / 2.0;
        // A straight piece needs no curve.
        let _ = if (at.x - to.x).abs() < 0.05 {
            write!(path, "V{:.1}", to.y)
        } else {
            write!(path, "C{:.1} {middle:.1} {:.1} {middle:.1} {:.1} {:.1}", at.x, to.x, to.x, to.y)
        };
        at = to;
    };
    for (i, &(x, enter, leave)) in route.stations.iter().enumerate() {
        // A piece that goes straight on is drawn with the next one.
        let straight = i > 0 && (route.stations[i - 1].0 - x).abs() < 0.05;
        let goes_on = route.stations.get(i + 1).is_some_and(|next| (next.0 - x).abs() < 0.05);
        if !(straight && goes_on) {
            curve(&mut path, Point { x, y: enter });
            if !(route.joins && i + 1 == route.stations.len()) {
                curve(&mut path, Point { x, y: leave });
            }
        }
    }
    if !route.joins && !route.stub {
        curve(&mut path, end);
    }
    let mut label = edge.label.clone();
    if route.stub {
        let target = graph.nodes[edge.to].label.first().map_or("", String::as_str);
        label.push(format!("→ {target}"));
    }
    Line { path, arrow: !route.joins, label, at: route.label }
}

/// A loop on the right of its node.
fn circle(graph: &Graph, edge: &Edge, layout: &Layout) -> Line {
    let (centre, size) = (layout.nodes[edge.from.index()], node_size(&graph.nodes[edge.from]));
    let (x, y) = (centre.x + size.width / 2.0 * 0.9, centre.y);
    let (far, dy) = (x + LOOP, size.height / 2.0 * 0.45);
    let (above, below) = (y - 2.5 * dy, y + 2.5 * dy);
    let path = format!("M{x:.1} {:.1}C{far:.1} {above:.1} {far:.1} {below:.1} {x:.1} {:.1}", y - dy, y + dy);
    let at = Point { x: x + LOOP * 0.85 + text_size(&edge.label).width / 2.0, y };
    Line { path, arrow: true, label: edge.label.clone(), at }
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
