//! Properties of layouts of random graphs.

use super::layers::Layered;
use super::{GAP, Link, Size, coordinates, layout, order};
use robusto_testing::Random;

fn random_graph(seed: u64, nodes: usize, edges: usize) -> (Vec<Size>, Vec<Link>) {
    let mut random = Random::new(seed);
    let sizes = (0..nodes).map(|_| Size { width: 20.0 + random.below(60) as f64, height: 20.0 }).collect();
    let links = (0..edges)
        .map(|i| {
            let from = if i + 1 < nodes { i / 2 } else { random.below(nodes) };
            let to = if i + 1 < nodes { i + 1 } else { random.below(nodes) };
            let width = if random.below(4) == 0 { 0.0 } else { 10.0 + random.below(200) as f64 };
            Link { from, to, label: Size { width, height: 15.0 } }
        })
        .collect();
    (sizes, links)
}

const STUB: Size = Size { width: 80.0, height: 15.0 };

#[test]
fn neighbours_in_a_layer_do_not_overlap() {
    for seed in 0..200 {
        let (sizes, links) = random_graph(seed, 2 + seed as usize % 40, 1 + seed as usize % 90);
        let mut graph = Layered::new(&sizes, &links, STUB);
        order::order(&mut graph);
        let x = coordinates::coordinates(&graph);
        for layer in &graph.layers {
            for pair in layer.windows(2) {
                let space = (graph.size[pair[0]].width + graph.size[pair[1]].width) / 2.0;
                let distance = x[pair[1]] - x[pair[0]];
                assert!(distance > space + GAP / 2.0, "seed {seed}: {distance} instead of {space}");
            }
        }
    }
}

#[test]
fn edges_lead_from_layer_to_layer() {
    for seed in 0..200 {
        let (sizes, links) = random_graph(seed, 2 + seed as usize % 40, 1 + seed as usize % 90);
        let graph = Layered::new(&sizes, &links, STUB);
        for v in 0..graph.layer.len() {
            assert!(graph.down[v].iter().all(|&w| graph.layer[w] == graph.layer[v] + 1));
            assert!(graph.up[v].iter().all(|&w| graph.layer[w] + 1 == graph.layer[v]));
        }
        let placed: usize = graph.layers.iter().map(Vec::len).sum();
        assert_eq!(placed, graph.layer.len());
    }
}

#[test]
fn routes_go_one_way_inside_the_drawing() {
    for seed in 0..200 {
        let (sizes, links) = random_graph(seed, 2 + seed as usize % 40, 1 + seed as usize % 90);
        let found = layout(&sizes, &links, STUB);
        for (link, route) in links.iter().zip(&found.routes) {
            let sign = if route.upwards { -1.0 } else { 1.0 };
            let ends = [found.nodes[link.from].y, found.nodes[link.to].y];
            let ys = route.stations.iter().flat_map(|&(_, enter, leave)| [enter, leave]);
            let ys: Vec<f64> = [ends[0]].into_iter().chain(ys).chain([ends[1]]).collect();
            assert!(ys.windows(2).all(|pair| (pair[1] - pair[0]) * sign >= 0.0), "seed {seed}: {ys:?}");
            assert!(route.stations.iter().all(|s| (0.0..=found.size.width).contains(&s.0)));
        }
        for (node, size) in found.nodes.iter().zip(&sizes) {
            assert!(node.x - size.width / 2.0 > -0.01 && node.x + size.width / 2.0 < found.size.width + 0.01);
        }
    }
}

/// A chain with an edge from each node over half of it: as many virtual vertices as the square of its length, were there no
/// stubs.
#[test]
fn long_edges_become_stubs() {
    let count = 2000;
    let sizes = vec![Size { width: 30.0, height: 20.0 }; count];
    let label = Size { width: 40.0, height: 15.0 };
    let mut links: Vec<Link> = (1..count).map(|i| Link { from: i - 1, to: i, label }).collect();
    links.extend((0..count / 2).map(|i| Link { from: i, to: i + count / 2, label }));
    let graph = Layered::new(&sizes, &links, STUB);
    assert!(graph.layer.len() < 60_000, "{}", graph.layer.len());
    let found = layout(&sizes, &links, STUB);
    assert!(found.routes[..count - 1].iter().all(|route| !route.stub));
    assert!(found.routes[count - 1..].iter().all(|route| route.stub && route.stations.len() == 1));
}

#[test]
fn long_edges_to_one_node_join() {
    let count = 2000;
    let sizes = vec![Size { width: 30.0, height: 20.0 }; count];
    let label = Size { width: 40.0, height: 15.0 };
    let mut links: Vec<Link> = (1..count).map(|i| Link { from: i - 1, to: i, label }).collect();
    links.extend((0..count / 2).map(|i| Link { from: i, to: count - 1, label }));
    links.extend((count / 2..count).map(|i| Link { from: i, to: 0, label }));
    let found = layout(&sizes, &links, STUB);
    assert_eq!(found.routes.iter().filter(|route| route.joins).count(), count - 2);
    assert!(found.routes.iter().all(|route| !route.stub));
}

#[test]
fn an_empty_graph_and_a_single_node() {
    assert_eq!(layout(&[], &[], STUB).size, Size { width: 0.0, height: 0.0 });
    let size = Size { width: 30.0, height: 20.0 };
    assert_eq!(layout(&[size], &[], STUB).size, size);
    assert_eq!(layout(&[size], &[Link { from: 0, to: 0, label: size }], STUB).size, size);
}
