//! A given number of parts: cuts in two, then each pair of parts is cut anew.
//!
//! An edge costs as much as the parts it touches, less one. Between two parts that is exactly the cut of what the edge has in
//! them, whatever it has elsewhere: so a better cut of a pair is a better partition.

use super::refine::{Cut, improved};
use super::{Hypergraph, Options, cycles, halves, multilevel};

/// Most times that all pairs are looked at.
const ROUNDS: usize = 3;

/// Parts by cutting so many times each part in two. Each part has at most its share of the vertices, rounded up, and what
/// [`Options::imbalance`] allows; what one cut leaves of this is for the next ones; as there, it may have one more. Vertices must weigh the same.
pub fn halve(graph: &Hypergraph, times: u32, options: &Options) -> Vec<Vec<usize>> {
    let most = (graph.vertices().div_ceil(1 << times) as f64 * (1.0 + options.imbalance)).floor();
    let mut parts: Vec<Vec<usize>> = vec![(0..graph.vertices()).collect()];
    for left in (1..=times).rev() {
        let halves = |part: Vec<usize>| {
            let room = most * f64::from(1_u32 << left) / part.len().max(1) as f64;
            let imbalance = if left == 1 { last(&part, most) } else { room.powf(1.0 / f64::from(left)) - 1.0 };
            halves(graph, &part, &Options { imbalance, ..*options })
        };
        parts = parts.into_iter().flat_map(halves).collect();
    }
    if parts.len() == 2 {
        return parts;
    }
    for _ in 0..ROUNDS {
        let mut is_better = false;
        for first in 0..parts.len() {
            for second in first + 1..parts.len() {
                is_better |= cut_anew(graph, &mut parts, [first, second], most);
            }
        }
        if !is_better {
            break;
        }
    }
    parts
}

/// The imbalance of a cut whose parts may have `most` vertices each; the half is for what is lost in rounding.
fn last(vertices: &[usize], most: f64) -> f64 {
    (most + 0.5) / vertices.len().div_ceil(2).max(1) as f64 - 1.0
}

/// Cuts two parts anew; whether that made them better.
fn cut_anew(graph: &Hypergraph, parts: &mut [Vec<usize>], pair: [usize; 2], most: f64) -> bool {
    let [first, second] = pair;
    let mut both: Vec<(usize, bool)> = parts[first].iter().map(|&v| (v, false)).collect();
    both.extend(parts[second].iter().map(|&v| (v, true)));
    both.sort_unstable();
    let (vertices, sides): (Vec<usize>, Vec<bool>) = both.into_iter().unzip();
    let inside = graph.restricted_to(&vertices);
    let imbalance = last(&vertices, most);
    let now = Cut::of(&inside, sides.clone(), imbalance);
    let here = cycles(&inside, improved(&inside, sides, imbalance), imbalance, 0);
    let fresh = cycles(&inside, multilevel(&inside, imbalance, 0), imbalance, 0);
    let best = if fresh.quality() < here.quality() { fresh } else { here };
    // Better balance alone is no reason: the next pair could take it back.
    if (best.quality().0, best.quality().1) >= (now.quality().0, now.quality().1) {
        return false;
    }
    let side = |wanted| vertices.iter().zip(&best.sides).filter(move |&(_, &s)| s == wanted).map(|(&v, _)| v).collect();
    [parts[first], parts[second]] = [side(false), side(true)];
    true
}
