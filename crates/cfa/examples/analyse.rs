//! Runs all analyses over C files (or all `.c` and `.i` files of directories) and prints the time that each takes.
//!
//! `cargo run --release -p robusto-cfa --example analyse -- [--ilp32] [--stats] PATH...`

use robusto_cfa::analysis::Analyses;
use robusto_cfa::analysis::callgraph::CallGraph;
use robusto_cfa::analysis::classify::Classes;
use robusto_cfa::analysis::dependencies::Dependencies;
use robusto_cfa::analysis::liveness::{Kind, Liveness};
use robusto_cfa::analysis::loops::LoopForest;
use robusto_cfa::analysis::modref::ModRef;
use robusto_cfa::analysis::points_to::PointsTo;
use robusto_cfa::analysis::stats::Stats;
use robusto_cfa::analysis::uses::Uses;
use robusto_cfa::ir::{DataModel, Program};
use robusto_cfa::{Options, compile};
use robusto_syntax::SourceMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

fn main() {
    let mut model = DataModel::Lp64;
    let mut files = Vec::new();
    let mut stats = false;
    for arg in std::env::args().skip(1) {
        match arg.as_str() {
            "--stats" => stats = true,
            "--ilp32" => model = DataModel::Ilp32,
            path => collect(Path::new(path), &mut files),
        }
    }
    files.sort();
    let mut total: Vec<(&str, Duration)> = Vec::new();
    let mut failed = 0;
    for file in &files {
        let Some((program, lowering)) = load(file, model) else {
            failed += 1;
            continue;
        };
        let mut times = vec![("lower", lowering)];
        let facts = analyse(&program, &mut times);
        let all: Duration = times[1..].iter().map(|t| t.1).sum();
        let shown: Vec<_> = times.iter().map(|(what, t)| format!("{what} {:.1}", t.as_secs_f64() * 1e3)).collect();
        println!("{:8.1} ms  {}: {facts}; {}", all.as_secs_f64() * 1e3, file.display(), shown.join(", "));
        if stats {
            print!("{}", Stats::of(&program, &Analyses::of(&program)));
        }
        for (what, time) in times {
            match total.iter_mut().find(|t| t.0 == what) {
                Some(sum) => sum.1 += time,
                None => total.push((what, time)),
            }
        }
    }
    println!("{} files, {failed} not understood", files.len());
    for (what, time) in total {
        println!("{what:>12} {:8.3} s", time.as_secs_f64());
    }
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    if path.is_dir() {
        for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
            collect(&entry.path(), files);
        }
    } else if path.extension().is_some_and(|e| e == "c" || e == "i") {
        files.push(path.to_path_buf());
    }
}

fn load(file: &Path, model: DataModel) -> Option<(Program, Duration)> {
    // Task files beside the program name its data model.
    let task = std::fs::read_to_string(file.with_extension("yml")).unwrap_or_default();
    let model = if task.contains("ILP32") { DataModel::Ilp32 } else { model };
    let text = String::from_utf8_lossy(&std::fs::read(file).ok()?).into_owned();
    let start = Instant::now();
    let mut sources = SourceMap::new();
    let id = sources.add(&file.to_string_lossy(), text).ok()?;
    match compile(&mut sources, &[id], Options::new(model)) {
        Ok((program, _)) => Some((program, start.elapsed())),
        Err(errors) => {
            println!("{}: {}", file.display(), errors.first().map_or("", |e| &e.message));
            None
        }
    }
}

fn analyse(program: &Program, times: &mut Vec<(&'static str, Duration)>) -> String {
    fn timed<T>(times: &mut Vec<(&'static str, Duration)>, what: &'static str, run: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = run();
        times.push((what, start.elapsed()));
        result
    }
    let functions = || program.functions.iter();
    let loops = timed(times, "loops", || functions().map(LoopForest::of).collect::<Vec<_>>());
    let uses = timed(times, "uses", || Uses::of(program));
    let points_to = timed(times, "points-to", || PointsTo::of(program, &uses));
    let calls = timed(times, "calls", || CallGraph::of(program, &points_to));
    let modref = timed(times, "modref", || ModRef::of(program, &uses, &points_to, &calls));
    timed(times, "live", || Liveness::of(program, &uses, &calls, &modref, Kind::Plain));
    timed(times, "classes", || Classes::of(program, &uses, &calls));
    timed(times, "dependencies", || Dependencies::of(program, &uses, &calls));
    timed(times, "strong", || Liveness::of(program, &uses, &calls, &modref, Kind::Strong));
    let (nodes, targets, entries) = points_to.size();
    format!(
        "{} functions, {} locations, {} variables, {} objects, {} loops, {nodes} nodes, {targets} targets, {entries} entries",
        program.functions.len(),
        functions().map(|f| f.num_locs()).sum::<usize>(),
        program.vars.len(),
        program.objects.len(),
        loops.iter().map(|l| l.loops().len()).sum::<usize>(),
    )
}
