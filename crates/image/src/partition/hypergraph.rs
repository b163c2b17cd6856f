//! Vertices with weights, and edges that connect any number of them.

use rustc_hash::FxHashMap;
use std::fmt::Write as _;

/// A hypergraph. Edges have different vertices, and at least two: others can never be cut.
#[derive(Clone, Debug, Default)]
pub struct Hypergraph {
    weights: Vec<u64>,
    edge_weights: Vec<u64>,
    /// The vertices of all edges, and where those of each edge begin.
    pins: Vec<u32>,
    first_pin: Vec<usize>,
    /// The edges of all vertices, and where those of each vertex begin.
    incident: Vec<u32>,
    first_edge: Vec<usize>,
}

impl Hypergraph {
    /// Vertices by their weights, edges as lists of vertices with a weight. Vertices that an edge names twice count once, and
    /// edges with the same vertices become one that weighs as much as both.
    pub fn new(weights: Vec<u64>, edges: impl IntoIterator<Item = (Vec<u32>, u64)>) -> Self {
        let mut numbers: FxHashMap<Vec<u32>, usize> = FxHashMap::default();
        let mut lists: Vec<(Vec<u32>, u64)> = Vec::new();
        for (mut vertices, weight) in edges {
            vertices.sort_unstable();
            vertices.dedup();
            if vertices.len() < 2 || weight == 0 {
                continue;
            }
            match numbers.get(&vertices) {
                Some(&number) => lists[number].1 += weight,
                None => {
                    numbers.insert(vertices.clone(), lists.len());
                    lists.push((vertices, weight));
                }
            }
        }
        let mut graph = Self { weights, ..Self::default() };
        let mut degrees = vec![0_usize; graph.weights.len()];
        graph.first_pin.push(0);
        for (vertices, weight) in &lists {
            vertices.iter().for_each(|&v| degrees[v as usize] += 1);
            graph.pins.extend(vertices);
            graph.first_pin.push(graph.pins.len());
            graph.edge_weights.push(*weight);
        }
        let starts = degrees.iter().scan(0, |sum, &degree| Some(std::mem::replace(sum, *sum + degree)));
        graph.first_edge = starts.collect();
        graph.first_edge.push(graph.pins.len());
        graph.incident = vec![0; graph.pins.len()];
        let mut next = graph.first_edge.clone();
        for (edge, (vertices, _)) in lists.iter().enumerate() {
            for &v in vertices {
                graph.incident[next[v as usize]] = edge as u32;
                next[v as usize] += 1;
            }
        }
        graph
    }

    /// How many vertices there are.
    pub fn vertices(&self) -> usize {
        self.weights.len()
    }

    /// How many edges there are.
    pub fn edges(&self) -> usize {
        self.edge_weights.len()
    }

    /// The vertices of an edge.
    pub fn pins(&self, edge: usize) -> &[u32] {
        &self.pins[self.first_pin[edge]..self.first_pin[edge + 1]]
    }

    /// What it costs to cut an edge.
    pub fn edge_weight(&self, edge: usize) -> u64 {
        self.edge_weights[edge]
    }

    /// The edges of a vertex.
    pub(super) fn edges_of(&self, vertex: usize) -> &[u32] {
        &self.incident[self.first_edge[vertex]..self.first_edge[vertex + 1]]
    }

    pub(super) fn weight(&self, vertex: usize) -> u64 {
        self.weights[vertex]
    }

    pub(super) fn total_weight(&self) -> u64 {
        self.weights.iter().sum()
    }

    /// The weight of the heaviest vertex.
    pub(super) fn heaviest(&self) -> u64 {
        self.weights.iter().copied().max().unwrap_or(0)
    }

    /// The hypergraph of some vertices, numbered as listed, and of what edges have of them.
    pub(super) fn restricted_to(&self, vertices: &[usize]) -> Self {
        let numbers: FxHashMap<u32, u32> = vertices.iter().zip(0..).map(|(&v, number)| (v as u32, number)).collect();
        let weights = vertices.iter().map(|&v| self.weights[v]).collect();
        let inside = |edge| self.pins(edge).iter().filter_map(|v| numbers.get(v).copied()).collect();
        Self::new(weights, (0..self.edges()).map(|edge| (inside(edge), self.edge_weights[edge])))
    }

    /// In hMETIS' text format, which other partitioners read: the numbers of edges and vertices and `11` for weights of both; a line
    /// for each edge with its weight and its vertices, counted from 1; a line for each vertex with its weight.
    pub fn to_hmetis(&self) -> String {
        let mut text = format!("{} {} 11\n", self.edges(), self.vertices());
        for edge in 0..self.edges() {
            write!(text, "{}", self.edge_weights[edge]).expect("a string takes all");
            self.pins(edge).iter().for_each(|v| write!(text, " {}", v + 1).expect("a string takes all"));
            text.push('\n');
        }
        self.weights.iter().for_each(|weight| writeln!(text, "{weight}").expect("a string takes all"));
        text
    }

    /// Reads hMETIS' text format. `None` if it is not that.
    pub fn of_hmetis(text: &str) -> Option<Self> {
        let mut lines = text.lines().filter(|line| !line.starts_with('%'));
        let numbers = |line: &str| -> Option<Vec<u64>> { line.split_whitespace().map(|n| n.parse().ok()).collect() };
        let (edges, vertices, weighs) = match numbers(lines.next()?)?[..] {
            [edges, vertices] => (edges, vertices, 0),
            [edges, vertices, weighs @ (0 | 1 | 10 | 11)] => (edges, vertices, weighs),
            _ => return None,
        };
        let pin = |v: u64| (1..=vertices).contains(&v).then(|| u32::try_from(v - 1).ok()).flatten();
        let edge = |line: &str| -> Option<(Vec<u32>, u64)> {
            let line = numbers(line)?;
            let (weight, pins) = if weighs % 10 == 1 { (*line.first()?, &line[1..]) } else { (1, &line[..]) };
            Some((pins.iter().map(|&v| pin(v)).collect::<Option<_>>()?, weight))
        };
        let lists: Vec<_> = (0..edges).map(|_| edge(lines.next()?)).collect::<Option<_>>()?;
        let weight = |_| if weighs >= 10 { numbers(lines.next()?)?.first().copied() } else { Some(1) };
        Some(Self::new((0..vertices).map(weight).collect::<Option<_>>()?, lists))
    }
}
