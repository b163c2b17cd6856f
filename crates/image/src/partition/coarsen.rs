//! Smaller hypergraphs with nearly the same cuts: vertices that share many small edges become one (first-choice clustering).

use super::{Hypergraph, visits};
use rustc_hash::FxHashMap;

/// Vertices of the coarsest level. It must be small enough to be cut well by growing, and large enough for a balance.
const COARSEST: usize = 120;

/// A level that keeps more than this share of the vertices is not worth its work.
const LEAST_GAIN: f64 = 0.95;

/// Edges with more vertices say little about which of them belong together, and cost their square: rating those of 500 took nine
/// tenths of the time for what is live in `token_ring.13` (1,626 blocks, 59 variables), and its cuts were the same.
const LARGEST_RATED: usize = 100;

/// A level: a smaller hypergraph and, for each vertex of the next finer one, the vertex that stands for it.
pub(super) struct Level {
    pub graph: Hypergraph,
    pub coarse: Vec<u32>,
}

/// The levels below a hypergraph, the finest first. With sides, only vertices of the same side become one, so that the cut stays
/// what it is on all levels.
pub(super) fn levels(graph: &Hypergraph, run: usize, sides: Option<&[bool]>) -> Vec<Level> {
    let mut levels: Vec<Level> = Vec::new();
    let mut sides = sides.map(<[bool]>::to_vec);
    // Vertices with the same edges first: they often are many, and need no ratings.
    let mut for_twins = true;
    loop {
        let finest = levels.last().map_or(graph, |level| &level.graph);
        if finest.vertices() <= COARSEST {
            return levels;
        }
        let cluster = if for_twins { twins } else { clusters };
        let level = contracted(finest, cluster(finest, run, sides.as_deref()));
        let is_better = level.graph.vertices() as f64 <= LEAST_GAIN * finest.vertices() as f64;
        if is_better {
            sides = sides.map(|sides| level.coarse_sides(&sides));
            levels.push(level);
        } else if !for_twins {
            return levels;
        }
        for_twins = false;
    }
}

impl Level {
    /// The sides of its vertices, given those of the next finer ones.
    pub fn coarse_sides(&self, sides: &[bool]) -> Vec<bool> {
        let mut coarse = vec![false; self.graph.vertices()];
        self.coarse.iter().zip(sides).for_each(|(&v, &side)| coarse[v as usize] = side);
        coarse
    }
}

/// Most that a cluster may weigh.
fn heaviest(graph: &Hypergraph) -> u64 {
    (graph.total_weight() * 3 / (2 * COARSEST as u64)).max(graph.heaviest())
}

/// A cluster for each vertex: that of a vertex with the same edges, if it does not become too heavy.
fn twins(graph: &Hypergraph, run: usize, sides: Option<&[bool]>) -> Vec<u32> {
    let heaviest = heaviest(graph);
    let mut cluster: Vec<u32> = (0..graph.vertices() as u32).collect();
    let mut open: FxHashMap<(&[u32], bool), (u32, u64)> = FxHashMap::default();
    for v in visits(graph.vertices(), run) {
        let key = (graph.edges_of(v), sides.is_some_and(|sides| sides[v]));
        match open.get_mut(&key) {
            Some((first, weight)) if *weight + graph.weight(v) <= heaviest => {
                cluster[v] = *first;
                *weight += graph.weight(v);
            }
            _ => {
                open.insert(key, (v as u32, graph.weight(v)));
            }
        }
    }
    cluster
}

/// A cluster for each vertex: that of the neighbour with the highest rating, if it does not become too heavy.
fn clusters(graph: &Hypergraph, run: usize, sides: Option<&[bool]>) -> Vec<u32> {
    let heaviest = heaviest(graph);
    let mut cluster: Vec<u32> = (0..graph.vertices() as u32).collect();
    let mut weights: Vec<u64> = (0..graph.vertices()).map(|v| graph.weight(v)).collect();
    let mut is_taken = vec![false; graph.vertices()];
    let mut ratings = vec![0.0_f64; graph.vertices()];
    let mut rated: Vec<u32> = Vec::new();
    for v in visits(graph.vertices(), run) {
        if is_taken[v] {
            continue;
        }
        rated.drain(..).for_each(|c| ratings[c as usize] = 0.0);
        for &edge in graph.edges_of(v) {
            let pins = graph.pins(edge as usize);
            if pins.len() > LARGEST_RATED {
                continue;
            }
            let rating = graph.edge_weight(edge as usize) as f64 / (pins.len() - 1) as f64;
            let may = |u: usize| u != v && sides.is_none_or(|sides| sides[u] == sides[v]);
            for &u in pins.iter().filter(|&&u| may(u as usize)) {
                let c = cluster[u as usize];
                if ratings[c as usize] == 0.0 {
                    rated.push(c);
                }
                ratings[c as usize] += rating;
            }
        }
        let fits = |c: &u32| weights[*c as usize] + graph.weight(v) <= heaviest;
        // The lighter one of two with the same rating, then the smaller number.
        let better = |a: &u32, b: &u32| {
            let by_weight = || weights[*b as usize].cmp(&weights[*a as usize]);
            ratings[*a as usize].total_cmp(&ratings[*b as usize]).then_with(by_weight).then(b.cmp(a))
        };
        let Some(best) = rated.iter().copied().filter(fits).max_by(better) else { continue };
        is_taken[v] = true;
        is_taken[best as usize] = true;
        cluster[v] = best;
        weights[best as usize] += graph.weight(v);
    }
    cluster
}

/// One vertex per cluster.
fn contracted(graph: &Hypergraph, cluster: Vec<u32>) -> Level {
    let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
    let mut weights: Vec<u64> = Vec::new();
    let mut coarse = Vec::with_capacity(cluster.len());
    for (v, c) in cluster.into_iter().enumerate() {
        let number = *numbers.entry(c).or_insert_with(|| {
            weights.push(0);
            weights.len() as u32 - 1
        });
        weights[number as usize] += graph.weight(v);
        coarse.push(number);
    }
    let edges = (0..graph.edges()).map(|edge| {
        (graph.pins(edge).iter().map(|&v| coarse[v as usize]).collect::<Vec<u32>>(), graph.edge_weight(edge))
    });
    Level { graph: Hypergraph::new(weights, edges.collect::<Vec<_>>()), coarse }
}
