//! Layered layout of directed graphs.
//!
//! The method of Sugiyama, Tagawa and Toda (Methods for visual understanding of hierarchical system structures, IEEE Trans.
//! SMC 11(2), 1981) in the usual steps:
//!
//! 1. `layers`: edges that close a cycle in a depth-first search are turned around; each node gets the layer of the longest
//!    path to it; an edge over several layers is broken up by virtual vertices, the first of which holds its label.
//! 2. `order`: sweeps with barycentres order the vertices of each layer; crossings are counted as in Barth, Mutzel and
//!    Jünger (Simple and efficient bilayer cross counting, JGAA 8(2), 2004).
//! 3. `coordinates`: Brandes and Köpf (Fast and simple horizontal coordinate assignment, GD 2001).
//!
//! All steps are linear or nearly so in the number of virtual vertices, which is kept within a multiple of the graph's
//! size: long edges to the same node join ([`Route::joins`]), and the longest become stubs ([`Route::stub`]) when there are
//! too many.

mod coordinates;
mod layers;
mod order;
#[cfg(test)]
mod tests;

use layers::Layered;

/// Width and height.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Size {
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

/// An edge of the graph to lay out; a label without width is none.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub from: usize,
    pub to: usize,
    pub label: Size,
}

/// A point; `y` grows downwards.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Point {
    /// From left to right.
    pub x: f64,
    /// Downwards.
    pub y: f64,
}

/// Where everything stands.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub size: Size,
    /// Centres of the nodes.
    pub nodes: Vec<Point>,
    pub routes: Vec<Route>,
}

/// The way of an edge, between its end nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct Route {
    /// Vertical pieces that it runs through, from its source: `x`, where it enters and where it leaves.
    pub stations: Vec<(f64, f64, f64)>,
    /// Centre of the label.
    pub label: Point,
    /// Whether it leads upwards.
    pub upwards: bool,
    /// Whether it ends after its label, because its target is too far away.
    pub stub: bool,
    /// Whether it ends where it enters the last station, at the line of another edge to the same node.
    pub joins: bool,
}

/// Space between neighbours in a layer.
const GAP: f64 = 14.0;
/// Least space between layers.
const LEAST_DROP: f64 = 20.0;
/// Most space between layers.
const MOST_DROP: f64 = 70.0;

/// Lays out a graph; node 0 comes first. Loops at a node are left to the caller, who makes room in the node's size. The
/// label of a stub is `stub` larger.
pub(super) fn layout(nodes: &[Size], links: &[Link], stub: Size) -> Layout {
    let mut layered = Layered::new(nodes, links, stub);
    order::order(&mut layered);
    let x = coordinates::coordinates(&layered);
    let (y, height) = rows(&layered, &x);
    let half = |v: usize| layered.size[v].width / 2.0;
    let left = x.iter().enumerate().map(|(v, x)| x - half(v)).fold(f64::INFINITY, f64::min).min(f64::MAX);
    let right = x.iter().enumerate().map(|(v, x)| x + half(v)).fold(left, f64::max);
    let place = |v: usize| Point { x: x[v] - left, y: y[layered.layer[v]].0 };
    let routes = layered
        .chains
        .iter()
        .map(|chain| {
            let mut stations: Vec<(f64, f64, f64)> = chain
                .vertices
                .iter()
                .map(|&v| {
                    let (centre, height) = y[layered.layer[v]];
                    (place(v).x, centre - height / 2.0, centre + height / 2.0)
                })
                .collect();
            if chain.reversed {
                stations.iter_mut().for_each(|s| std::mem::swap(&mut s.1, &mut s.2));
            }
            let label = chain.label.map(place).unwrap_or_default();
            Route { stations, label, upwards: chain.reversed, stub: chain.stub, joins: chain.joins }
        })
        .collect();
    let size = Size { width: (right - left).max(0.0), height };
    Layout { size, nodes: (0..nodes.len()).map(place).collect(), routes }
}

/// Centre and height of each layer, and the height of all. The more the edges between two layers bend, the larger the
/// space between them.
fn rows(layered: &Layered, x: &[f64]) -> (Vec<(f64, f64)>, f64) {
    let mut rows = Vec::with_capacity(layered.layers.len());
    let mut top = 0.0;
    for layer in &layered.layers {
        let height = layer.iter().map(|&v| layered.size[v].height).fold(0.0, f64::max);
        rows.push((top + height / 2.0, height));
        let bend =
            layer.iter().flat_map(|&v| layered.down[v].iter().map(move |&w| (x[w] - x[v]).abs())).fold(0.0, f64::max);
        top += height + (bend * 0.12).clamp(LEAST_DROP, MOST_DROP);
    }
    let height = rows.last().map_or(0.0, |(centre, height)| centre + height / 2.0);
    (rows, height)
}
