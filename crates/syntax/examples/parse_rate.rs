//! Parses the files given as arguments and prints how many succeed, how fast, and how much memory it takes.

use robusto_syntax::{Bump, Interner, SourceMap, parse};
use std::time::{Duration, Instant};

fn main() {
    let worker = std::thread::Builder::new().stack_size(256 << 20).spawn(run).expect("a thread can be started");
    worker.join().expect("the parser does not panic");
}

fn run() {
    let (mut files, mut parsed, mut bytes, mut spent) = (0, 0, 0, Duration::ZERO);
    let mut tallest = (0.0, String::new());
    for path in std::env::args().skip(1) {
        let raw = match std::fs::read(&path) {
            Ok(raw) => raw,
            Err(error) => {
                println!("{path}: {error}");
                continue;
            }
        };
        let text = String::from_utf8_lossy(&raw).into_owned();
        let length = text.len();
        let start = Instant::now();
        let (arena, mut sources, mut names) = (Bump::new(), SourceMap::new(), Interner::new());
        let file = sources.add(&path, text).expect("less than 4 GiB");
        let result = parse::parse(&arena, &mut sources, file, &mut names);
        spent += start.elapsed();
        files += 1;
        bytes += length;
        let factor = arena.allocated_bytes() as f64 / length.max(1) as f64;
        if length > 10_000 && factor > tallest.0 {
            tallest = (factor, path.clone());
        }
        match result {
            Ok(_) => parsed += 1,
            Err(errors) => errors.iter().for_each(|error| print!("{}", error.render(&sources))),
        }
    }
    let seconds = spent.as_secs_f64();
    println!("{parsed} of {files} files parsed");
    println!("{bytes} bytes in {seconds:.3} s: {:.1} MB/s", bytes as f64 / 1e6 / seconds);
    println!("largest tree of a file over 10 kB: {:.1} times the text ({})", tallest.0, tallest.1);
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    if let Some(line) = status.lines().find(|line| line.starts_with("VmHWM")) {
        println!("{line}");
    }
}
