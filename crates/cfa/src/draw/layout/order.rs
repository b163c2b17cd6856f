//! Order of the vertices in each layer.

use super::layers::Layered;

/// Orders the vertices of each layer so that few edges cross: sweeps down and up, each layer sorted by the mean position of
/// the neighbours in the layer before; the best order found stays.
pub(super) fn order(graph: &mut Layered) {
    let vertices = graph.layer.len();
    // Every sweep is linear; large graphs get fewer.
    let sweeps = (1_500_000 / vertices.max(1)).clamp(4, 24);
    let mut position = vec![0; vertices];
    renumber(&graph.layers, &mut position);
    let mut best = (crossings(graph, &position), graph.layers.clone());
    let mut unchanged = 0;
    for sweep in 0..sweeps {
        if best.0 == 0 || unchanged == 4 {
            break;
        }
        let count = graph.layers.len();
        for i in 1..count {
            let (index, above) = if sweep % 2 == 0 { (i, true) } else { (count - 1 - i, false) };
            let mut layer = std::mem::take(&mut graph.layers[index]);
            sort(graph, &mut layer, above, &mut position);
            graph.layers[index] = layer;
        }
        if vertices < 3000 {
            transpose(graph, &mut position);
        }
        let found = crossings(graph, &position);
        unchanged += 1;
        if found < best.0 {
            best = (found, graph.layers.clone());
            unchanged = 0;
        }
    }
    graph.layers = best.1;
}

fn renumber(layers: &[Vec<usize>], position: &mut [usize]) {
    for layer in layers {
        for (i, &v) in layer.iter().enumerate() {
            position[v] = i;
        }
    }
}

/// Sorts a layer by the barycentres of its vertices; one without neighbours stays where it is.
fn sort(graph: &Layered, layer: &mut [usize], above: bool, position: &mut [usize]) {
    let barycentre = |v: usize| {
        let neighbours = if above { &graph.up[v] } else { &graph.down[v] };
        match neighbours.len() {
            0 => None,
            n => Some(neighbours.iter().map(|&w| position[w]).sum::<usize>() as f64 / n as f64),
        }
    };
    let mut keyed: Vec<(f64, usize)> = layer.iter().filter_map(|&v| Some((barycentre(v)?, v))).collect();
    keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut sorted = keyed.into_iter().map(|(_, v)| v);
    for slot in layer.iter_mut() {
        if barycentre(*slot).is_some() {
            *slot = sorted.next().expect("as many as there are slots");
        }
    }
    for (i, &v) in layer.iter().enumerate() {
        position[v] = i;
    }
}

/// Swaps neighbours as long as that removes crossings.
fn transpose(graph: &mut Layered, position: &mut [usize]) {
    for _ in 0..8 {
        let mut improved = false;
        for index in 0..graph.layers.len() {
            for i in 1..graph.layers[index].len() {
                let (v, w) = (graph.layers[index][i - 1], graph.layers[index][i]);
                if between(graph, position, w, v) < between(graph, position, v, w) {
                    graph.layers[index].swap(i - 1, i);
                    (position[v], position[w]) = (i, i - 1);
                    improved = true;
                }
            }
        }
        if !improved {
            break;
        }
    }
}

/// Crossings between the edges of `v` and those of `w` if `v` stands left of `w`.
fn between(graph: &Layered, position: &[usize], v: usize, w: usize) -> usize {
    let pairs = |a: &[usize], b: &[usize]| {
        a.iter().map(|&x| b.iter().filter(|&&y| position[x] > position[y]).count()).sum::<usize>()
    };
    pairs(&graph.up[v], &graph.up[w]) + pairs(&graph.down[v], &graph.down[w])
}

/// Number of crossings: with the edges between two layers sorted by their upper ends, the inversions of their lower ends,
/// counted with a tree of sums.
fn crossings(graph: &Layered, position: &[usize]) -> u64 {
    let mut total = 0;
    let mut tree = Vec::new();
    let mut ends = Vec::new();
    for pair in graph.layers.windows(2) {
        let size = pair[1].len();
        tree.clear();
        tree.resize(size + 1, 0u64);
        let mut seen = 0;
        for &v in &pair[0] {
            ends.clear();
            ends.extend(graph.down[v].iter().map(|&w| position[w]));
            ends.sort_unstable();
            // Edges of the same vertex do not cross: count against those of earlier ones first.
            for &end in &ends {
                let mut not_right = 0;
                let mut i = end + 1;
                while i > 0 {
                    not_right += tree[i];
                    i &= i - 1;
                }
                total += seen - not_right;
            }
            for &end in &ends {
                let mut i = end + 1;
                while i <= size {
                    tree[i] += 1;
                    i += i & i.wrapping_neg();
                }
                seen += 1;
            }
        }
    }
    total
}
