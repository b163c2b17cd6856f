//! Hypergraph partitioning: vertices into two parts of like weight, so that few edges have vertices in both.
//!
//! The method is multilevel (Karypis, Aggarwal, Kumar and Shekhar: *Multilevel hypergraph partitioning: applications in VLSI
//! domain*, IEEE Transactions on VLSI Systems 7(1), 1999):
//!
//! | module | step |
//! |---|---|
//! | `coarsen` | vertices that share many small edges become one, level by level, until some hundred are left |
//! | `initial` | several first cuts of the coarsest hypergraph: parts grown from a vertex, and ranges of numbers |
//! | `equal` | a given number of parts of like weight, each pair of which is cut anew in the end |
//! | `refine` | on the way back each level is improved by moves of single vertices (Fiduccia and Mattheyses: *A linear-time heuristic for improving network partitions*, DAC 1982) |
//!
//! A cut is then taken down and up again, over levels that keep it, as long as that makes it better (V-cycles).
//!
//! More parts come from cutting parts again, which is the paper's recursive bi-partitioning ([`split_until`]). An edge that is cut
//! lives on in both parts with the vertices it has there; so the sum of all cuts counts each edge once less than the parts it
//! touches (connectivity − 1).
//!
//! Same input, same result: where other tools draw random numbers, the runs here differ by the order in which they visit
//! the vertices.

mod coarsen;
mod equal;
mod hypergraph;
mod initial;
mod refine;
#[cfg(test)]
mod tests;

pub use equal::halve;
pub use hypergraph::Hypergraph;

use refine::Cut;

/// How parts are cut.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How much heavier than half of the whole a part may be: 0.1 allows 10 percent. A part may always be heavier by a vertex,
    /// because some hypergraphs have no better balance.
    pub imbalance: f64,
    /// Complete runs, of which the best counts.
    pub runs: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { imbalance: 0.1, runs: 8 }
    }
}

/// Two parts: for each vertex whether it is in the second one. Neither is empty if there are two vertices.
pub fn bisect(graph: &Hypergraph, options: &Options) -> Vec<bool> {
    let imbalance = options.imbalance;
    let runs = (0..options.runs.max(1)).map(|run| cycles(graph, multilevel(graph, imbalance, run), imbalance, run));
    let by_number = cycles(graph, initial::by_number(graph, imbalance), imbalance, 0);
    [by_number].into_iter().chain(runs).min_by_key(Cut::quality).map(|cut| cut.sides).unwrap_or_default()
}

/// Most rounds down and up for one cut.
const CYCLES: usize = 4;

/// A cut, taken down and up again as long as it becomes better.
fn cycles(graph: &Hypergraph, mut cut: Cut, imbalance: f64, run: usize) -> Cut {
    for cycle in 0..CYCLES {
        let levels = coarsen::levels(graph, run + cycle + 1, Some(&cut.sides));
        let coarsest = levels.iter().fold(cut.sides.clone(), |sides, level| level.coarse_sides(&sides));
        let better = refined(graph, &levels, coarsest, imbalance);
        if better.quality() >= cut.quality() {
            break;
        }
        cut = better;
    }
    cut
}

/// The cut of a coarsest hypergraph, improved on all levels on the way back.
fn refined(graph: &Hypergraph, levels: &[coarsen::Level], coarsest: Vec<bool>, imbalance: f64) -> Cut {
    let mut cut = refine::improved(levels.last().map_or(graph, |level| &level.graph), coarsest, imbalance);
    for (i, level) in levels.iter().enumerate().rev() {
        let finer = if i == 0 { graph } else { &levels[i - 1].graph };
        let sides = level.coarse.iter().map(|&v| cut.sides[v as usize]).collect();
        cut = refine::improved(finer, sides, imbalance);
    }
    cut
}

/// The two halves of a part.
fn halves(graph: &Hypergraph, part: &[usize], options: &Options) -> [Vec<usize>; 2] {
    let sides = bisect(&graph.restricted_to(part), options);
    let side = |wanted| part.iter().zip(&sides).filter(move |&(_, &side)| side == wanted).map(|(&v, _)| v).collect();
    [side(false), side(true)]
}

/// Parts that are cut in two until each is small enough, or a single vertex.
pub fn split_until(graph: &Hypergraph, options: &Options, is_small: impl Fn(&[usize]) -> bool) -> Vec<Vec<usize>> {
    let mut done = Vec::new();
    let mut open: Vec<Vec<usize>> = vec![(0..graph.vertices()).collect()];
    while let Some(part) = open.pop() {
        if part.len() < 2 || is_small(&part) {
            done.push(part);
            continue;
        }
        let [first, second] = halves(graph, &part, options);
        // The first half is taken up next: the parts come in the order of their cuts.
        open.extend([second, first]);
    }
    done.retain(|part| !part.is_empty());
    done
}

/// The sum over all edges of the parts that an edge touches, less one each, times its weight.
pub fn connectivity(graph: &Hypergraph, parts: &[Vec<usize>]) -> u64 {
    let mut part_of = vec![0; graph.vertices()];
    for (number, part) in parts.iter().enumerate() {
        part.iter().for_each(|&v| part_of[v] = number);
    }
    let touched = |edge| {
        let mut parts: Vec<usize> = graph.pins(edge).iter().map(|&v| part_of[v as usize]).collect();
        parts.sort_unstable();
        parts.dedup();
        parts.len().saturating_sub(1) as u64
    };
    (0..graph.edges()).map(|edge| graph.edge_weight(edge) * touched(edge)).sum()
}

/// One run: down to a coarse hypergraph, a first cut, and back.
fn multilevel(graph: &Hypergraph, imbalance: f64, run: usize) -> Cut {
    let levels = coarsen::levels(graph, run, None);
    let coarsest = levels.last().map_or(graph, |level| &level.graph);
    let first = initial::best(coarsest, imbalance, run);
    refined(graph, &levels, first.sides, imbalance)
}

/// The vertices in an order that differs from run to run: steps of a length that shares no divisor with their number.
fn visits(vertices: usize, run: usize) -> impl Iterator<Item = usize> {
    /// Odd steps near the golden section of 2^16, so that neighbours are visited far from each other.
    const STEPS: [usize; 4] = [40503, 25033, 15471, 9561];
    let divides = |step: usize| {
        let (mut a, mut b) = (vertices, step);
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a > 1
    };
    let mut step = STEPS[run % STEPS.len()] + 2 * (run / STEPS.len());
    while vertices > 1 && divides(step) {
        step += 1;
    }
    (0..vertices).map(move |i| (run + i * step) % vertices)
}
