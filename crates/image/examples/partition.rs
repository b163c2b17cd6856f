//! Cuts hypergraphs in hMETIS' text format into parts: `cargo run --release -p robusto-image --example partition -- IMBALANCE PARTS
//! FILE…`. Per file: its name, the connectivity (each edge counts the parts it touches, less one) and the milliseconds.
//! `scripts/partition-vs-kahypar` compares.

use robusto_image::partition::{Hypergraph, Options, connectivity, split_until};
use std::time::Instant;

fn read(text: &str) -> Option<Hypergraph> {
    let mut lines = text.lines().filter(|line| !line.starts_with('%'));
    let numbers = |line: &str| -> Option<Vec<u64>> { line.split_whitespace().map(|word| word.parse().ok()).collect() };
    let [edges, vertices, ..] = numbers(lines.next()?)?[..] else { return None };
    let edge = |line: &str| -> Option<(Vec<u32>, u64)> {
        Some((numbers(line)?.into_iter().map(|v| v as u32 - 1).collect(), 1))
    };
    let edges: Option<Vec<_>> = lines.take(edges as usize).map(edge).collect();
    Some(Hypergraph::new(vec![1; vertices as usize], edges?))
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let usage = "usage: partition IMBALANCE PARTS FILE…";
    let [imbalance, parts, files @ ..] = &arguments[..] else { panic!("{usage}") };
    let parts: usize = parts.parse().expect(usage);
    // A part that is cut n times may grow in each cut.
    let cuts = f64::from(parts.next_power_of_two().trailing_zeros().max(1));
    let imbalance = (1.0 + imbalance.parse::<f64>().expect(usage)).powf(1.0 / cuts) - 1.0;
    for file in files {
        let text = std::fs::read_to_string(file).expect("a file that can be read");
        let graph = read(&text).expect("a hypergraph in hMETIS' format");
        let start = Instant::now();
        let most = (graph.vertices() as f64 / parts as f64 * (1.0 + imbalance).powf(cuts)).ceil() as usize;
        let found = split_until(&graph, &Options { imbalance, ..Options::default() }, |part| part.len() <= most);
        let time = start.elapsed();
        println!("{file} {} {} {}", found.len(), connectivity(&graph, &found), time.as_millis());
    }
}
