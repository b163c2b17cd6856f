//! Layers and virtual vertices.

use super::{Link, Size};
use rustc_hash::FxHashMap;

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
    /// For a vertex of an edge the one above that it should stand straight below.
    pub spine_up: Vec<Option<usize>>,
    /// For a vertex of an edge the one below that it should stand straight above.
    pub spine_down: Vec<Option<usize>>,
    /// For each edge its virtual vertices.
    pub chains: Vec<Chain>,
    /// The shared vertices of the long edges to a node, by target and layer. Whether the layer is above or below the target
    /// tells their direction.
    trunks: FxHashMap<(usize, usize), usize>,
    nodes: usize,
}

/// The virtual vertices of an edge.
#[derive(Default)]
pub(super) struct Chain {
    /// From its source on.
    pub vertices: Vec<usize>,
    /// The one that holds the label.
    pub label: Option<usize>,
    /// Whether the edge leads upwards.
    pub reversed: bool,
    /// Whether the edge ends after its label.
    pub stub: bool,
    /// Whether the last vertex belongs to an edge that leads to the same node.
    pub joins: bool,
}

/// Size of a vertex that only leads an edge on.
const THIN: Size = Size { width: 4.0, height: 0.0 };
/// An edge with more virtual vertices shares them with the other long edges to its target: a function with many returns, or
/// a loop with many ways back, gets one line and not many side by side.
const SHARED: usize = 4;

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
            spine_up: vec![None; nodes.len()],
            spine_down: vec![None; nodes.len()],
            trunks: FxHashMap::default(),
            chains: links.iter().map(|_| Chain::default()).collect(),
            nodes: nodes.len(),
            layer,
        };
        // Edges that lead upwards come first, and so stand left of what they enclose: the body of a loop is usually the
        // left branch of its head.
        let (upwards, downwards): (Vec<usize>, Vec<usize>) = (0..links.len()).partition(|&i| reversed[i]);
        for i in upwards.into_iter().chain(downwards).filter(|&i| links[i].from != links[i].to) {
            let (top, bottom) = ends(i);
            let mut chain = Chain { reversed: reversed[i], ..Chain::default() };
            graph.add_chain(&mut chain, &links[i], top, bottom, limit, stub);
            graph.chains[i] = chain;
        }
        graph.straighten_nodes(links);
        graph.fill_layers();
        graph
    }

    /// Whether a vertex is part of an edge.
    pub fn is_virtual(&self, vertex: usize) -> bool {
        vertex >= self.nodes
    }

    fn add_chain(&mut self, chain: &mut Chain, link: &Link, top: usize, bottom: usize, limit: usize, stub: Size) {
        let (first, last) = (self.layer[top] + 1, self.layer[bottom]);
        if first == last {
            return self.join(top, bottom);
        }
        // The first vertex, which holds the label, is next to where the edge starts.
        let (start, end, own_layer) = if chain.reversed { (bottom, top, last - 1) } else { (top, bottom, first) };
        let mut size = link.label;
        chain.stub = last - first > limit;
        if chain.stub {
            size = Size { width: size.width.max(stub.width), height: size.height + stub.height };
        }
        let labelled = size.width > 0.0;
        let own = self.add_vertex(if labelled { size } else { THIN }, own_layer);
        chain.label = labelled.then_some(own);
        chain.vertices.push(own);
        self.step(start, own, chain.reversed);
        if chain.stub {
            return;
        }
        let shared = last - first > SHARED;
        let rest = if chain.reversed { first..last - 1 } else { first + 1..last };
        let mut at = own;
        for i in 0..rest.len() {
            let layer = if chain.reversed { rest.end - 1 - i } else { rest.start + i };
            let found = if shared { self.trunks.get(&(end, layer)).copied() } else { None };
            let vertex = found.unwrap_or_else(|| self.add_vertex(THIN, layer));
            self.step(at, vertex, chain.reversed);
            chain.vertices.push(vertex);
            // From its label to a trunk an edge need not go straight.
            if !shared || at != own {
                self.straighten(at, vertex, chain.reversed);
            }
            if found.is_some() {
                chain.joins = true;
                break;
            }
            if shared {
                self.trunks.insert((end, layer), vertex);
            }
            at = vertex;
        }
        if !chain.joins {
            self.step(at, end, chain.reversed);
        }
    }

    /// Joins a vertex to the next one of an edge.
    fn step(&mut self, from: usize, to: usize, reversed: bool) {
        if reversed { self.join(to, from) } else { self.join(from, to) }
    }

    /// Asks for two vertices to stand in a line, unless one of them does so with another.
    fn straighten(&mut self, from: usize, to: usize, reversed: bool) {
        let (above, below) = if reversed { (to, from) } else { (from, to) };
        if self.spine_down[above].is_none() && self.spine_up[below].is_none() {
            self.spine_down[above] = Some(below);
            self.spine_up[below] = Some(above);
        }
    }

    /// Asks for each node to stand straight above the one from which the layout goes on the farthest (over short edges), so
    /// that the main way through a function is a line and what leaves it hangs at its sides.
    fn straighten_nodes(&mut self, links: &[Link]) {
        let mut down: Vec<Vec<usize>> = vec![Vec::new(); self.nodes];
        for (i, link) in links.iter().enumerate() {
            let chain = &self.chains[i];
            let short = !chain.stub && !chain.joins && chain.vertices.len() <= SHARED;
            if link.from != link.to && !chain.reversed && short {
                down[link.from].push(i);
            }
        }
        let mut reach = self.layer[..self.nodes].to_vec();
        let mut order: Vec<usize> = (0..self.nodes).collect();
        order.sort_by_key(|&node| std::cmp::Reverse(self.layer[node]));
        let mut chosen = Vec::new();
        for node in order {
            let mut ways: Vec<(usize, usize)> = down[node].iter().map(|&i| (reach[links[i].to], i)).collect();
            ways.sort_by_key(|&(reach, i)| (std::cmp::Reverse(reach), i));
            let Some(&(farthest, link)) = ways.first() else { continue };
            reach[node] = farthest;
            let alone = ways.get(1).is_none_or(|&(second, _)| second < farthest);
            if alone {
                chosen.push(link);
            }
        }
        // From the top, so that the way on from the entry is the first to get its line.
        for &link in chosen.iter().rev() {
            let ends = (links[link].from, links[link].to);
            let way: Vec<usize> =
                [ends.0].into_iter().chain(self.chains[link].vertices.clone()).chain([ends.1]).collect();
            way.windows(2).for_each(|pair| self.straighten(pair[0], pair[1], false));
        }
    }

    fn add_vertex(&mut self, size: Size, layer: usize) -> usize {
        self.size.push(size);
        self.layer.push(layer);
        self.up.push(Vec::new());
        self.down.push(Vec::new());
        self.spine_up.push(None);
        self.spine_down.push(None);
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
    let span = |i: usize| {
        let (top, bottom) = ends(i);
        layer[bottom].saturating_sub(layer[top] + 1)
    };
    let count = |limit: usize| {
        // The longest trunk to each node, from above and from below.
        let mut trunks = vec![[0; 2]; nodes];
        let mut total = 0;
        for (i, link) in links.iter().enumerate() {
            match span(i) {
                span if span > limit => total += 1,
                span if span > SHARED => {
                    let trunk = &mut trunks[link.to][usize::from(ends(i).0 == link.to)];
                    *trunk = span.max(*trunk);
                    total += 1;
                }
                span => total += span,
            }
        }
        total + trunks.iter().flatten().sum::<usize>()
    };
    let longest = (0..links.len()).map(span).max().unwrap_or(0);
    if count(longest) <= budget {
        return longest;
    }
    // The count grows with the limit.
    let (mut fits, mut exceeds) = (SHARED, longest);
    while exceeds - fits > 1 {
        let middle = (fits + exceeds) / 2;
        if count(middle) <= budget { fits = middle } else { exceeds = middle }
    }
    fits
}
