//! Cuts hypergraphs in hMETIS' text format into parts: `cargo run --release -p robusto-image --example partition -- IMBALANCE PARTS
//! FILE…`. Per file: its name, the parts, the vertices of the largest, the connectivity (each edge counts the parts it touches,
//! less one) and the milliseconds. `scripts/partition-vs-kahypar` compares.

use robusto_image::partition::{Hypergraph, Options, connectivity, halve};
use std::time::Instant;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let usage = "usage: partition IMBALANCE PARTS FILE…";
    let [imbalance, parts, files @ ..] = &arguments[..] else { panic!("{usage}") };
    let (imbalance, parts): (f64, u32) = (imbalance.parse().expect(usage), parts.parse().expect(usage));
    assert!(parts.is_power_of_two(), "parts are cut in two");
    for file in files {
        let text = std::fs::read_to_string(file).expect("a file that can be read");
        let graph = Hypergraph::of_hmetis(&text).expect("a hypergraph in hMETIS' format");
        let start = Instant::now();
        let found = halve(&graph, parts.trailing_zeros(), &Options { imbalance, ..Options::default() });
        let time = start.elapsed();
        let largest = found.iter().map(Vec::len).max().unwrap_or(0);
        println!("{file} {} {largest} {} {}", found.len(), connectivity(&graph, &found), time.as_millis());
    }
}
