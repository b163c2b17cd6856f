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

/// Parts of vertices whose numbers follow each other, from so many different first ones. Who numbers vertices often does it so
/// that neighbours are near: blocks of a program follow each other.
const RANGES: usize = 8;

/// The best cut between vertices with near numbers and the others, improved.
pub(super) fn by_number(graph: &Hypergraph, imbalance: f64) -> Cut {
    let (vertices, half) = (graph.vertices(), graph.total_weight().div_ceil(2));
    let range = |first: usize| {
        let mut sides = vec![false; vertices];
        let mut weight = 0;
        for v in (first..vertices).chain(0..first) {
            if weight >= half {
                break;
            }
            sides[v] = true;
            weight += graph.weight(v);
        }
        sides
    };
    let firsts = (0..RANGES).map(|i| i * vertices / (2 * RANGES));
    let cuts = firsts.map(|first| improved(graph, range(first), imbalance));
    cuts.min_by_key(Cut::quality).unwrap_or_else(|| improved(graph, Vec::new(), imbalance))
}

/// A part that grows by the vertex that adds least to the cut. The rest is the other part.
fn grown(graph: &Hypergraph, seed: usize) -> Vec<bool> {
    let half = graph.total_weight().div_ceil(2);
    let mut inside = vec![0_usize; graph.edges()];
    let mut sides = vec![false; graph.vertices()];
    let weight_of = |edge: usize| graph.edge_weight(edge) as i64;
    // By how much the cut grows when a vertex comes in: an edge that it opens, less an edge that it closes.
    let opened = |v: usize| graph.edges_of(v).iter().map(|&edge| weight_of(edge as usize)).sum();
    let mut growth: Vec<i64> = (0..graph.vertices()).map(opened).collect();
    let mut weight = 0;
    let mut next = Some(seed);
    while let Some(v) = next.filter(|_| weight < half) {
        sides[v] = true;
        weight += graph.weight(v);
        for &edge in graph.edges_of(v) {
            let (edge, pins) = (edge as usize, graph.pins(edge as usize));
            inside[edge] += 1;
            // The first one opens the edge for all, the last but one leaves it to the last to close.
            let changes = u8::from(inside[edge] == 1) + u8::from(inside[edge] + 1 == pins.len());
            if changes > 0 {
                pins.iter().for_each(|&u| growth[u as usize] -= i64::from(changes) * weight_of(edge));
            }
        }
        next = (0..graph.vertices()).filter(|&v| !sides[v]).min_by_key(|&v| growth[v]);
    }
    sides
}
