//! Cuts hypergraphs in hMETIS' text format into parts: `cargo run --release -p robusto-image --example partition -- IMBALANCE PARTS
//! FILE…`. Per file: its name, the parts, the vertices of the largest, the connectivity (each edge counts the parts it touches,
//! less one) and the milliseconds. `scripts/partition-vs-kahypar` compares.

use robusto_image::partition::{Hypergraph, Options, connectivity, split_until};
use std::time::Instant;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let usage = "usage: partition IMBALANCE PARTS FILE…";
    let [imbalance, parts, files @ ..] = &arguments[..] else { panic!("{usage}") };
    let (whole, parts): (f64, usize) = (imbalance.parse().expect(usage), parts.parse().expect(usage));
    // A part that is cut n times may grow in each cut.
    let cuts = f64::from(parts.next_power_of_two().trailing_zeros().max(1));
    let imbalance = (1.0 + whole).powf(1.0 / cuts) - 1.0;
    for file in files {
        let text = std::fs::read_to_string(file).expect("a file that can be read");
        let graph = Hypergraph::of_hmetis(&text).expect("a hypergraph in hMETIS' format");
        let start = Instant::now();
        let most = (graph.vertices().div_ceil(parts) as f64 * (1.0 + whole)) as usize;
        let found = split_until(&graph, &Options { imbalance, ..Options::default() }, |part| part.len() <= most);
        let time = start.elapsed();
        let largest = found.iter().map(Vec::len).max().unwrap_or(0);
        println!("{file} {} {largest} {} {}", found.len(), connectivity(&graph, &found), time.as_millis());
    }
}
