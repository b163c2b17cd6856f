//! Layers and virtual vertices.

use super::{Link, Size};

/// A graph whose edges lead from each layer to the next. The first vertices are the nodes, virtual ones follow.
pub(super) struct Layered {
    /// Size of each vertex.
    pub size: Vec<Size>,
    /// Layer of each vertex.
    pub layer: Vec<usize>,
    /// Vertices of each layer, from left to right.
    pub layers: Vec<Vec<usize>>,
    /// Neighbours in the layer above.
    pub up: Vec<Vec<usize>>,
    /// Neighbours in the layer below.
    pub down: Vec<Vec<usize>>,
    /// For each edge its virtual vertices.
    pub chains: Vec<Chain>,
    nodes: usize,
}

/// The virtual vertices of an edge, from top to bottom.
#[derive(Default)]
pub(super) struct Chain {
    pub vertices: Vec<usize>,
    /// The one that holds the label.
    pub label: Option<usize>,
    /// Whether the edge leads upwards.
    pub reversed: bool,
    /// Whether the edge ends after its label.
    pub stub: bool,
}

/// Width of an edge.
const LINE: f64 = 4.0;

impl Layered {
    pub fn new(nodes: &[Size], links: &[Link], stub: Size) -> Self {
        let reversed = reversed(nodes.len(), links);
        let ends = |i: usize| {
            let link = &links[i];
            if reversed[i] { (link.to, link.from) } else { (link.from, link.to) }
        };
        let layer = longest_paths(nodes.len(), links, &ends);
        let limit = longest_span(nodes.len(), links, &ends, &layer);
        let mut graph = Self {
            size: nodes.to_vec(),
            layers: Vec::new(),
            up: vec![Vec::new(); nodes.len()],
            down: vec![Vec::new(); nodes.len()],
            chains: Vec::with_capacity(links.len()),
            nodes: nodes.len(),
            layer,
        };
        for (i, link) in links.iter().enumerate() {
            let mut chain = Chain { reversed: reversed[i], ..Chain::default() };
            if link.from != link.to {
                let (top, bottom) = ends(i);
                graph.add_chain(&mut chain, link, top, bottom, limit, stub);
            }
            graph.chains.push(chain);
        }
        graph.fill_layers();
        graph
    }

    /// Whether a vertex is part of an edge.
    pub fn is_virtual(&self, vertex: usize) -> bool {
        vertex >= self.nodes
    }

    fn add_chain(&mut self, chain: &mut Chain, link: &Link, top: usize, bottom: usize, limit: usize, stub: Size) {
        let (first, last) = (self.layer[top] + 1, self.layer[bottom]);
        // The label stands next to where the edge starts.
        let label_layer = if chain.reversed { last - 1 } else { first };
        let mut size = link.label;
        if last - first > limit {
            chain.stub = true;
            size = Size { width: size.width.max(stub.width), height: size.height + stub.height };
            let vertex = self.add_vertex(size, label_layer);
            chain.vertices.push(vertex);
            chain.label = Some(vertex);
            if chain.reversed {
                self.join(vertex, bottom)
            } else {
                self.join(top, vertex)
            }
            return;
        }
        let mut above = top;
        for layer in first..last {
            let labelled = layer == label_layer && size.width > 0.0;
            let vertex = self.add_vertex(if labelled { size } else { Size { width: LINE, height: 0.0 } }, layer);
            if labelled {
                chain.label = Some(vertex);
            }
            chain.vertices.push(vertex);
            self.join(above, vertex);
            above = vertex;
        }
        self.join(above, bottom);
    }

    fn add_vertex(&mut self, size: Size, layer: usize) -> usize {
        self.size.push(size);
        self.layer.push(layer);
        self.up.push(Vec::new());
        self.down.push(Vec::new());
        self.size.len() - 1
    }

    fn join(&mut self, above: usize, below: usize) {
        self.down[above].push(below);
        self.up[below].push(above);
    }

    /// Enters the vertices into their layers, in the order of a depth-first search from the top.
    fn fill_layers(&mut self) {
        let count = self.layer.iter().max().map_or(0, |&last| last + 1);
        self.layers = vec![Vec::new(); count];
        let mut seen = vec![false; self.layer.len()];
        let mut stack = Vec::new();
        let mut starts: Vec<usize> = (0..self.layer.len()).collect();
        starts.sort_by_key(|&v| self.layer[v]);
        for start in starts {
            stack.push(start);
            while let Some(v) = stack.pop() {
                if std::mem::replace(&mut seen[v], true) {
                    continue;
                }
                self.layers[self.layer[v]].push(v);
                stack.extend(self.down[v].iter().rev().filter(|&&w| !seen[w]));
            }
        }
    }
}

/// Which edges close a cycle in a depth-first search that starts with node 0 and follows the edges in order.
fn reversed(nodes: usize, links: &[Link]) -> Vec<bool> {
    let mut out = vec![Vec::new(); nodes];
    for (i, link) in links.iter().enumerate() {
        out[link.from].push(i);
    }
    let mut reversed = vec![false; links.len()];
    let (mut entered, mut left) = (vec![false; nodes], vec![false; nodes]);
    for start in 0..nodes {
        if entered[start] {
            continue;
        }
        entered[start] = true;
        let mut stack = vec![(start, 0)];
        while let Some((node, next)) = stack.pop() {
            let Some(&edge) = out[node].get(next) else {
                left[node] = true;
                continue;
            };
            stack.push((node, next + 1));
            let to = links[edge].to;
            if !entered[to] {
                entered[to] = true;
                stack.push((to, 0));
            } else if !left[to] {
                reversed[edge] = true;
            }
        }
    }
    reversed
}

/// The layer of each node: the length of the longest path to it. An edge with a label spans two layers at least.
fn longest_paths(nodes: usize, links: &[Link], ends: &impl Fn(usize) -> (usize, usize)) -> Vec<usize> {
    let mut below = vec![Vec::new(); nodes];
    let mut waiting = vec![0; nodes];
    for (i, link) in links.iter().enumerate().filter(|(_, link)| link.from != link.to) {
        let (top, bottom) = ends(i);
        let length = if link.label.width > 0.0 { 2 } else { 1 };
        below[top].push((bottom, length));
        waiting[bottom] += 1;
    }
    let mut layer = vec![0; nodes];
    let mut ready: Vec<usize> = (0..nodes).filter(|&node| waiting[node] == 0).collect();
    while let Some(node) = ready.pop() {
        for &(bottom, length) in &below[node] {
            layer[bottom] = layer[bottom].max(layer[node] + length);
            waiting[bottom] -= 1;
            if waiting[bottom] == 0 {
                ready.push(bottom);
            }
        }
    }
    layer
}

/// The longest chain of virtual vertices for which all chains together have a bounded number.
fn longest_span(nodes: usize, links: &[Link], ends: &impl Fn(usize) -> (usize, usize), layer: &[usize]) -> usize {
    let budget = 10_000 + 10 * (nodes + links.len());
    let mut spans: Vec<usize> = (0..links.len())
        .map(|i| {
            let (top, bottom) = ends(i);
            layer[bottom].saturating_sub(layer[top] + 1)
        })
        .collect();
    spans.sort_unstable();
    let mut total = 0;
    for &span in &spans {
        total += span;
        if total > budget {
            return span.saturating_sub(1).max(8);
        }
    }
    usize::MAX
}
