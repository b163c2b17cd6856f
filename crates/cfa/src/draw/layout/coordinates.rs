//! Horizontal coordinates.
//!
//! Brandes and Köpf, Fast and simple horizontal coordinate assignment, GD 2001. Four assignments (aligned with the median
//! neighbour above or below, leaning left or right) are computed, and each vertex takes the mean of the two middle ones.
//! Inner segments, between virtual vertices of an edge, stay vertical (their Alg. 1, `conflicts`; Alg. 2, `align`).
//!
//! Deviation: instead of their Alg. 3, which is known to be flawed (Brandes, Walter, Zink, Erratum, 2020), the blocks are
//! compacted by longest paths in the graph of neighbouring blocks: first as far left as possible, then each as far right as
//! its neighbours let it.

use super::GAP;
use super::layers::Layered;
use rustc_hash::FxHashSet;

/// The centre of each vertex.
pub(super) fn coordinates(graph: &Layered) -> Vec<f64> {
    let conflicts = conflicts(graph);
    let mut candidates = Vec::new();
    for downwards in [true, false] {
        for left in [true, false] {
            let mut layers = graph.layers.clone();
            if !downwards {
                layers.reverse();
            }
            if !left {
                layers.iter_mut().for_each(|layer| layer.reverse());
            }
            let root = align(graph, &layers, downwards, &conflicts);
            let mut x = compact(graph, &layers, &root);
            if !left {
                x.iter_mut().for_each(|x| *x = -*x);
            }
            candidates.push((x, left));
        }
    }
    balance(graph, candidates)
}

/// The segments that cross an inner segment; keys are the upper and the lower end.
fn conflicts(graph: &Layered) -> FxHashSet<(usize, usize)> {
    let mut position = vec![0; graph.layer.len()];
    for layer in &graph.layers {
        for (i, &v) in layer.iter().enumerate() {
            position[v] = i;
        }
    }
    let mut found = FxHashSet::default();
    for pair in graph.layers.windows(2) {
        let (upper, lower) = (&pair[0], &pair[1]);
        let (mut from, mut low) = (0, 0);
        for (i, &v) in lower.iter().enumerate() {
            let end = graph.spine_up[v];
            if end.is_none() && i + 1 < lower.len() {
                continue;
            }
            let high = end.map_or(upper.len(), |u| position[u]);
            for &w in &lower[from..=i] {
                for &u in &graph.up[w] {
                    let at = position[u];
                    if (at < low || at > high) && graph.spine_up[w] != Some(u) {
                        found.insert((u, w));
                    }
                }
            }
            (from, low) = (i + 1, high);
        }
    }
    found
}

/// Joins vertices to blocks: each vertex with its median neighbour in the layer before, if no alignment is crossed. The
/// result holds the first vertex of each one's block.
fn align(graph: &Layered, layers: &[Vec<usize>], downwards: bool, conflicts: &FxHashSet<(usize, usize)>) -> Vec<usize> {
    let mut position = vec![0; graph.layer.len()];
    for layer in layers {
        for (i, &v) in layer.iter().enumerate() {
            position[v] = i;
        }
    }
    let (neighbours, spine) = if downwards { (&graph.up, &graph.spine_up) } else { (&graph.down, &graph.spine_down) };
    let mut root: Vec<usize> = (0..graph.layer.len()).collect();
    let mut used = vec![false; graph.layer.len()];
    let mut sorted = Vec::new();
    for layer in layers {
        // One more than the position of the last vertex aligned with.
        let mut free = 0;
        for &v in layer {
            sorted.clear();
            match spine[v] {
                Some(u) => sorted.push(u),
                None => sorted.extend_from_slice(&neighbours[v]),
            }
            sorted.sort_unstable_by_key(|&u| position[u]);
            let count = sorted.len();
            if count == 0 {
                continue;
            }
            for middle in [(count - 1) / 2, count / 2] {
                let u = sorted[middle];
                let crossed = conflicts.contains(&(u, v)) || conflicts.contains(&(v, u));
                if position[u] >= free && !crossed && !used[u] {
                    root[v] = root[u];
                    used[u] = true;
                    free = position[u] + 1;
                    break;
                }
            }
        }
    }
    root
}

/// Places the blocks.
fn compact(graph: &Layered, layers: &[Vec<usize>], root: &[usize]) -> Vec<f64> {
    let count = graph.layer.len();
    let half = |v: usize| graph.size[v].width / 2.0;
    let mut after: Vec<Vec<(usize, f64)>> = vec![Vec::new(); count];
    let mut waiting = vec![0u32; count];
    for layer in layers {
        for pair in layer.windows(2) {
            let (a, b) = (root[pair[0]], root[pair[1]]);
            let gap = if graph.is_virtual(pair[0]) && graph.is_virtual(pair[1]) { GAP * 0.75 } else { GAP };
            after[a].push((b, half(pair[0]) + half(pair[1]) + gap));
            waiting[b] += 1;
        }
    }
    let mut order: Vec<usize> = (0..count).filter(|&v| root[v] == v && waiting[v] == 0).collect();
    let mut x = vec![0.0f64; count];
    let mut next = 0;
    while let Some(&block) = order.get(next) {
        next += 1;
        for &(other, distance) in &after[block] {
            x[other] = x[other].max(x[block] + distance);
            waiting[other] -= 1;
            if waiting[other] == 0 {
                order.push(other);
            }
        }
    }
    for &block in order.iter().rev() {
        let room = after[block].iter().map(|&(other, distance)| x[other] - distance).fold(f64::INFINITY, f64::min);
        if room.is_finite() {
            x[block] = x[block].max(room);
        }
    }
    (0..count).map(|v| x[root[v]]).collect()
}

/// Lines the candidates up with the narrowest of them and takes the mean of the two middle ones for each vertex.
fn balance(graph: &Layered, mut candidates: Vec<(Vec<f64>, bool)>) -> Vec<f64> {
    let half = |v: usize| graph.size[v].width / 2.0;
    let extent = |x: &[f64]| {
        x.iter().enumerate().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), (v, &x)| {
            (low.min(x - half(v)), high.max(x + half(v)))
        })
    };
    let extents: Vec<(f64, f64)> = candidates.iter().map(|(x, _)| extent(x)).collect();
    let narrowest = extents.iter().copied().min_by(|a, b| (a.1 - a.0).total_cmp(&(b.1 - b.0))).unwrap_or((0.0, 0.0));
    for ((x, left), (low, high)) in candidates.iter_mut().zip(extents) {
        let shift = if *left { narrowest.0 - low } else { narrowest.1 - high };
        x.iter_mut().for_each(|x| *x += shift);
    }
    (0..graph.layer.len())
        .map(|v| {
            let mut xs: Vec<f64> = candidates.iter().map(|(x, _)| x[v]).collect();
            xs.sort_by(f64::total_cmp);
            (xs[1] + xs[2]) / 2.0
        })
        .collect()
}
