use super::*;
use robusto_testing::Random;

fn cost(graph: &Hypergraph, sides: &[bool]) -> u64 {
    let is_cut = |edge: &usize| {
        let first = sides[graph.pins(*edge)[0] as usize];
        graph.pins(*edge).iter().any(|&v| sides[v as usize] != first)
    };
    (0..graph.edges()).filter(is_cut).map(|edge| graph.edge_weight(edge)).sum()
}

fn random(random: &mut Random, vertices: u32, edges: u32, most_pins: u32) -> Hypergraph {
    let lists: Vec<(Vec<u32>, u64)> = (0..edges)
        .map(|_| {
            let pins = 2 + random.below(most_pins - 1);
            ((0..pins).map(|_| random.below(vertices)).collect(), 1 + random.below(3_u64))
        })
        .collect();
    Hypergraph::new(vec![1; vertices as usize], lists)
}

/// The best cut with parts of at most so many vertices.
fn optimum(graph: &Hypergraph, most: u32) -> u64 {
    let n = graph.vertices() as u32;
    let sides = |bits: u32| -> Vec<bool> { (0..n).map(|v| bits >> v & 1 == 1).collect() };
    let balanced = |bits: &u32| bits.count_ones() <= most && n - bits.count_ones() <= most;
    (0..1 << n).filter(balanced).map(|bits| cost(graph, &sides(bits))).min().expect("a cut")
}

#[test]
fn small_cuts_are_the_best_ones() {
    let mut generator = Random::new(1);
    let (mut best, mut all) = (0, 0);
    for _ in 0..60 {
        let graph = random(&mut generator, 12, 18, 4);
        let sides = bisect(&graph, &Options { imbalance: 0.2, runs: 4 });
        let ones = sides.iter().filter(|&&side| side).count();
        assert!((5..=7).contains(&ones), "{ones} of 12");
        let (found, least) = (cost(&graph, &sides), optimum(&graph, 7));
        assert!(found >= least);
        all += 1;
        best += usize::from(found == least);
    }
    assert!(best * 10 >= all * 9, "{best} of {all} are optimal");
}

#[test]
fn two_clusters_are_found_through_all_levels() {
    // Two halves with many edges inside, and 3 between them.
    let mut generator = Random::new(2);
    let half = 400;
    let inside = |generator: &mut Random, base: u32| -> (Vec<u32>, u64) {
        ((0..3).map(|_| base + generator.below(half)).collect(), 1)
    };
    let mut edges: Vec<_> = (0..3000).flat_map(|_| [inside(&mut generator, 0), inside(&mut generator, half)]).collect();
    edges.extend((0..3).map(|i| (vec![i, half + i], 1)));
    let graph = Hypergraph::new(vec![1; 2 * half as usize], edges);
    let sides = bisect(&graph, &Options { imbalance: 0.05, runs: 1 });
    assert_eq!(cost(&graph, &sides), 3);
    assert!(sides[..half as usize].iter().all(|&side| side == sides[0]));
}

#[test]
fn the_cost_that_is_kept_is_the_cost() {
    let mut generator = Random::new(3);
    for _ in 0..50 {
        let graph = random(&mut generator, 200, 400, 6);
        let cut = multilevel(&graph, 0.1, 0);
        let weight = cut.sides.iter().filter(|&&side| side).count();
        assert!((90..=110).contains(&weight), "{weight} of 200");
        assert_eq!(cut.quality().0, 0);
        assert_eq!(cut.quality().1, cost(&graph, &cut.sides));
    }
}

#[test]
fn parts_are_small_and_cover_everything() {
    let mut generator = Random::new(4);
    let graph = random(&mut generator, 150, 300, 5);
    let parts = split_until(&graph, &Options::default(), |part| part.len() <= 20);
    let mut all: Vec<usize> = parts.concat();
    all.sort_unstable();
    assert_eq!(all, (0..150).collect::<Vec<_>>());
    assert!(parts.iter().all(|part| !part.is_empty() && part.len() <= 20));
    assert!(connectivity(&graph, &parts) > 0);
    assert_eq!(connectivity(&graph, &[(0..150).collect()]), 0);
    assert_eq!(connectivity(&Hypergraph::new(vec![1; 3], [(vec![0, 1, 2], 5)]), &[vec![0], vec![1], vec![2]]), 10);
}

#[test]
fn odd_hypergraphs_are_no_problem() {
    let options = Options::default();
    assert!(bisect(&Hypergraph::new(vec![], []), &options).is_empty());
    assert_eq!(bisect(&Hypergraph::new(vec![1], []), &options).len(), 1);
    // No edges, one vertex that outweighs all others, edges with one vertex, edges that repeat.
    let sides = bisect(&Hypergraph::new(vec![1; 7], []), &options);
    assert!((3..=4).contains(&sides.iter().filter(|&&side| side).count()));
    let graph = Hypergraph::new(vec![100, 1, 1, 1], [(vec![0, 1], 1), (vec![2], 9), (vec![1, 0, 1], 1)]);
    assert_eq!(bisect(&graph, &options), [true, true, false, false]);
    assert!(split_until(&Hypergraph::new(vec![], []), &options, |_| false).is_empty());
    assert_eq!(split_until(&Hypergraph::new(vec![1; 5], []), &options, |_| false).len(), 5);
}

#[test]
fn halves_of_halves_are_balanced() {
    let mut generator = Random::new(5);
    for vertices in [150, 151, 157] {
        let graph = random(&mut generator, vertices, 300, 5);
        let parts = halve(&graph, 3, &Options::default());
        assert_eq!(parts.len(), 8);
        assert_eq!(parts.concat().len(), vertices as usize);
        // A share of 19 or 20, a tenth of it, and one more.
        let most = vertices.div_ceil(8) + 2 + u32::from(vertices > 152);
        assert!(
            parts.iter().all(|part| part.len() as u32 <= most),
            "{:?}",
            parts.iter().map(Vec::len).collect::<Vec<_>>()
        );
    }
}

#[test]
fn vertices_with_the_same_large_edges_become_one() {
    // Variables that are live in half of 2,000 blocks: no edge is small enough to be rated.
    let mut generator = Random::new(6);
    let edge = |i: u32| ((0..2000).filter(|v| v % 8 / 2 == i % 4).collect(), 1 + u64::from(i));
    let mut edges: Vec<(Vec<u32>, u64)> = (0..8).map(edge).collect();
    edges.push(((0..2000).map(|_| generator.below(2000_u32)).collect(), 1));
    let graph = Hypergraph::new(vec![1; 2000], edges);
    let levels = coarsen::levels(&graph, 0, None);
    assert!(levels.last().is_some_and(|level| level.graph.vertices() < 400));
    assert!(cost(&graph, &bisect(&graph, &Options::default())) <= 1);
}

#[test]
fn hypergraphs_survive_hmetis() {
    let mut generator = Random::new(7);
    let graph = random(&mut generator, 30, 40, 5);
    let text = graph.to_hmetis();
    assert_eq!(Hypergraph::of_hmetis(&text).map(|graph| graph.to_hmetis()), Some(text));
    let plain = Hypergraph::of_hmetis("% a comment\n2 3\n1 2\n2 3\n").expect("a hypergraph");
    assert_eq!(plain.to_hmetis(), "2 3 11\n1 1 2\n1 2 3\n1\n1\n1\n");
    for wrong in ["", "1", "1 2 7\n1 2", "1 2\n", "1 2\n1 3\n", "1 2\n0 1\n", "1 2 11\n4 1 2\n1\n"] {
        assert!(Hypergraph::of_hmetis(wrong).is_none(), "{wrong:?}");
    }
}
