//! Moves of single vertices that make a cut better (Fiduccia and Mattheyses).
//!
//! A pass moves every vertex once, the one with the highest gain first, even if the gain is negative, and then takes back what
//! came after the best moment. Passes go on while they help.

use super::Hypergraph;
use std::collections::BinaryHeap;

/// Two parts and what they cost.
#[derive(Clone, Debug)]
pub(super) struct Cut {
    /// Whether a vertex is in the second part.
    pub sides: Vec<bool>,
    cost: u64,
    weights: [u64; 2],
    /// The most that a part may weigh.
    allowed: u64,
}

impl Cut {
    /// Parts as they are.
    pub fn of(graph: &Hypergraph, sides: Vec<bool>, imbalance: f64) -> Self {
        Moves::new(graph, sides, imbalance).cut
    }

    /// What makes one cut better than another; less is better: weight beyond what is allowed, then the cost, then the difference of
    /// weights.
    pub fn quality(&self) -> (u64, u64, u64) {
        let [a, b] = self.weights;
        let heavier = a.max(b);
        // An empty part is no part.
        let excess = if a.min(b) == 0 { heavier } else { heavier.saturating_sub(self.allowed) };
        (excess, self.cost, a.abs_diff(b))
    }
}

/// The cut after passes of moves.
pub(super) fn improved(graph: &Hypergraph, sides: Vec<bool>, imbalance: f64) -> Cut {
    let mut moves = Moves::new(graph, sides, imbalance);
    loop {
        let before = moves.cut.quality();
        moves.pass();
        if moves.cut.quality() >= before {
            return moves.cut;
        }
    }
}

struct Moves<'g> {
    graph: &'g Hypergraph,
    cut: Cut,
    /// For each edge, how many vertices it has in each part.
    counts: Vec<[u32; 2]>,
    gains: Vec<i64>,
    is_locked: Vec<bool>,
    /// Vertices of each part by gain, those first whose gain has changed last: moves stay in one place (Hagen, Huang and Kahng: *On
    /// implementation choices for iterative improvement partitioning algorithms*, TCAD 16(10), 1997). An entry whose gain is no
    /// longer that of its vertex is passed over.
    candidates: [BinaryHeap<(i64, u64, u32)>; 2],
    /// How many entries there were.
    offered: u64,
}

impl<'g> Moves<'g> {
    fn new(graph: &'g Hypergraph, sides: Vec<bool>, imbalance: f64) -> Self {
        let mut weights = [0; 2];
        sides.iter().enumerate().for_each(|(v, &side)| weights[usize::from(side)] += graph.weight(v));
        let mut counts = vec![[0; 2]; graph.edges()];
        for (edge, count) in counts.iter_mut().enumerate() {
            graph.pins(edge).iter().for_each(|&v| count[usize::from(sides[v as usize])] += 1);
        }
        let is_cut = |count: &[u32; 2]| count[0] > 0 && count[1] > 0;
        let cost = counts.iter().enumerate().filter(|(_, c)| is_cut(c)).map(|(edge, _)| graph.edge_weight(edge)).sum();
        let half = graph.total_weight().div_ceil(2);
        let relative = (half as f64 * (1.0 + imbalance.max(0.0))) as u64;
        let allowed = relative.max(graph.total_weight() / 2 + graph.heaviest().div_ceil(2));
        let vertices = graph.vertices();
        Self {
            graph,
            cut: Cut { sides, cost, weights, allowed },
            counts,
            gains: vec![0; vertices],
            is_locked: vec![false; vertices],
            candidates: Default::default(),
            offered: 0,
        }
    }

    fn pass(&mut self) {
        self.is_locked.fill(false);
        for v in 0..self.graph.vertices() {
            self.gains[v] = self.gain(v);
            self.offer(v);
        }
        let mut moved: Vec<usize> = Vec::new();
        let (mut best, mut best_length) = (self.cut.quality(), 0);
        while let Some(v) = self.choose() {
            self.is_locked[v] = true;
            self.shift(v);
            moved.push(v);
            if self.cut.quality() < best {
                (best, best_length) = (self.cut.quality(), moved.len());
            }
        }
        // What is taken back must not be offered again.
        self.is_locked.fill(true);
        for v in moved.drain(best_length..) {
            self.shift(v);
        }
        self.candidates.iter_mut().for_each(BinaryHeap::clear);
    }

    /// By how much the cost falls when a vertex changes its part.
    fn gain(&self, v: usize) -> i64 {
        let own = usize::from(self.cut.sides[v]);
        let of = |&edge: &u32| {
            let weight = self.graph.edge_weight(edge as usize) as i64;
            let count = self.counts[edge as usize];
            i64::from(count[own] == 1) * weight - i64::from(count[1 - own] == 0) * weight
        };
        self.graph.edges_of(v).iter().map(of).sum()
    }

    fn offer(&mut self, v: usize) {
        self.offered += 1;
        self.candidates[usize::from(self.cut.sides[v])].push((self.gains[v], self.offered, v as u32));
    }

    /// The vertex to move: of a part that is too heavy, else the one with the highest gain that leaves the other part light enough.
    fn choose(&mut self) -> Option<usize> {
        let tops = [self.top(0), self.top(1)];
        let is_heavy = |side: usize| self.cut.weights[side] > self.cut.allowed;
        if let Some(side) = (0..2).find(|&side| is_heavy(side)) {
            return tops[side].map(|(_, v)| v);
        }
        let fits = |side: usize| {
            let (gain, v) = tops[side]?;
            let weight = self.cut.weights[1 - side] + self.graph.weight(v);
            (weight <= self.cut.allowed).then_some((gain, self.cut.weights[side], v))
        };
        [fits(0), fits(1)].into_iter().flatten().max().map(|(_, _, v)| v)
    }

    /// The vertex of a part with the highest gain that has not been moved.
    fn top(&mut self, side: usize) -> Option<(i64, usize)> {
        while let Some(&(gain, _, v)) = self.candidates[side].peek() {
            let v = v as usize;
            let is_current = !self.is_locked[v] && self.gains[v] == gain && usize::from(self.cut.sides[v]) == side;
            if is_current {
                return Some((gain, v));
            }
            self.candidates[side].pop();
        }
        None
    }

    /// Moves a vertex, and brings the gains of its neighbours up to date.
    fn shift(&mut self, v: usize) {
        let graph = self.graph;
        let from = usize::from(self.cut.sides[v]);
        self.cut.sides[v] = from == 0;
        self.cut.weights[from] -= graph.weight(v);
        self.cut.weights[1 - from] += graph.weight(v);
        for &edge in graph.edges_of(v) {
            let edge = edge as usize;
            let before = self.counts[edge];
            self.counts[edge][from] -= 1;
            self.counts[edge][1 - from] += 1;
            let after = self.counts[edge];
            if before[1 - from] == 0 {
                self.cut.cost += graph.edge_weight(edge);
            }
            if after[from] == 0 {
                self.cut.cost -= graph.edge_weight(edge);
            }
            // A gain depends on whether a part has none, one or more of the vertices.
            if (0..2).all(|side| before[side].min(2) == after[side].min(2)) {
                continue;
            }
            let weight = graph.edge_weight(edge) as i64;
            for &u in graph.pins(edge) {
                let u = u as usize;
                if self.is_locked[u] {
                    continue;
                }
                let own = usize::from(self.cut.sides[u]);
                let part = |count: [u32; 2]| i64::from(count[own] == 1) - i64::from(count[1 - own] == 0);
                let change = (part(after) - part(before)) * weight;
                if change != 0 {
                    self.gains[u] += change;
                    self.offer(u);
                }
            }
        }
    }
}
