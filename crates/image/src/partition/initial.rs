//! First cuts of a small hypergraph: a part is grown from a vertex until it has half of the weight.

use super::refine::{Cut, improved};
use super::{Hypergraph, visits};

/// Vertices from which a part is grown. On 200 random hypergraphs of 100 vertices, more than 16 gave no better cut than 16 did
/// after refinement.
const SEEDS: usize = 16;

/// The best of several cuts, each of them improved.
pub(super) fn best(graph: &Hypergraph, imbalance: f64, run: usize) -> Cut {
    let cuts = visits(graph.vertices(), run).take(SEEDS).map(|seed| improved(graph, grown(graph, seed), imbalance));
    cuts.min_by_key(Cut::quality).unwrap_or_else(|| improved(graph, Vec::new(), imbalance))
}

/// A part that grows by the vertex that adds least to the cut. The rest is the other part.
fn grown(graph: &Hypergraph, seed: usize) -> Vec<bool> {
    let half = graph.total_weight().div_ceil(2);
    let mut inside = vec![0_usize; graph.edges()];
    let mut sides = vec![false; graph.vertices()];
    let mut weight = 0;
    let mut next = Some(seed);
    while let Some(v) = next.filter(|_| weight < half) {
        sides[v] = true;
        weight += graph.weight(v);
        graph.edges_of(v).iter().for_each(|&edge| inside[edge as usize] += 1);
        // By how much the cut grows when a vertex comes in: an edge that it opens, less an edge that it closes.
        let growth = |v: usize| -> i64 {
            let of = |&edge: &u32| {
                let (edge, weight) = (edge as usize, graph.edge_weight(edge as usize) as i64);
                match inside[edge] {
                    0 => weight,
                    n if n + 1 == graph.pins(edge).len() => -weight,
                    _ => 0,
                }
            };
            graph.edges_of(v).iter().map(of).sum()
        };
        next = (0..graph.vertices()).filter(|&v| !sides[v]).min_by_key(|&v| growth(v));
    }
    sides
}
