//! How fast one abstraction of a large block is: the body of an event loop, with the predicates that a proof needs.
//!
//! Run with `cargo bench -p robusto-engine`. The program is `examples/handshake.c`, or the file that the environment
//! variable `ROBUSTO_BENCH_PROGRAM` names (a file without `#include`, ILP32). The predicate analysis runs once; then the
//! longest block between two visits of the same location is abstracted again and again, with the predicates in another
//! order each time so that no answer is known: cold with a new solver for each, warm with one that knows the block.

use robusto_analyses::predicate::{Abe, Block, BlockId, Role, State};
use robusto_cfa::ir::DataModel;
use robusto_cfa::{Options, compile};
use robusto_cpa::Arg;
use robusto_engine::{Problem, cegar};
use robusto_limits::{Limits, Progress};
use robusto_syntax::SourceMap;
use robusto_verdict::Property;
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Abstractions per measurement.
const ROUNDS: usize = 10;

/// The predicate analysis may take this long; what it has found by then is measured.
const LIMIT: Duration = Duration::from_secs(60);

fn main() {
    let (name, text) = match std::env::var("ROBUSTO_BENCH_PROGRAM") {
        Ok(path) => {
            let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("cannot read {path}: {error}"));
            (path, text)
        }
        Err(_) => ("examples/handshake.c".to_owned(), include_str!("../../../examples/handshake.c").to_owned()),
    };
    let mut sources = SourceMap::new();
    let file = sources.add(&name, text).expect("a program of ordinary size");
    let program = match compile(&mut sources, &[file], Options::new(DataModel::Ilp32)) {
        Ok((program, _)) => program,
        Err(errors) => panic!("{}", errors[0].render(&sources)),
    };
    let problem = Problem::new(program, &Property::UnreachCall);
    let limits = Limits::new(Some(LIMIT), None, Arc::default());
    let start = Instant::now();
    let options = cegar::Options { traces: false, ..cegar::Options::default() };
    let report = cegar::check(&problem, &options, &limits, &Progress::default(), |abe, arg| {
        println!("{name}: analysed in {:.3} s", start.elapsed().as_secs_f64());
        measure(abe, arg);
    });
    println!("verdict {:?}", report.verdict);
}

/// The block with the most predicates, then the longest, that ends where it began.
fn largest_loop(abe: &Abe<'_>, arg: &Arg<State>) -> Option<BlockId> {
    let starts = arg.ids().map(|id| &arg.node(id).state.data).filter(|state| state.role == Role::Start);
    let loops = starts.map(|state| state.block).filter(|&block| {
        let from = abe.block(block).from.as_ref();
        from.is_some_and(|from| abe.block(from.block).location == abe.block(block).location)
    });
    loops.max_by_key(|&block| (abe.block(block).predicates, abe.block(block).from.as_ref().map(|from| from.length)))
}

fn measure(abe: &mut Abe<'_>, arg: &Arg<State>) {
    let Some(block) = largest_loop(abe, arg) else {
        println!("no block is the body of a loop");
        return;
    };
    let end = abe.block(block).from.clone().expect("a loop has a state before");
    let location = abe.block(block).location.expect("only the first block has none");
    let mut predicates = abe.predicates_at(location);
    let Block { abstraction: psi, invariant, .. } = abe.block(end.block).clone();
    println!("block of {} operations, {} predicates", end.length, predicates.len());
    for (name, fresh) in [("cold", true), ("warm", false)] {
        let rounds = ROUNDS.min(predicates.len());
        let start = Instant::now();
        for _ in 0..rounds {
            predicates.rotate_left(1);
            if fresh {
                abe.restart_solver();
            }
            let abstraction = abe.abstraction_over(&psi, invariant, &end.formula, &predicates);
            let _ = black_box(abstraction.unwrap_or_else(|stopped| panic!("{stopped:?}")));
        }
        let each = start.elapsed().as_secs_f64() / rounds.max(1) as f64;
        println!("{name}: {:>10.3} ms per abstraction, {:>8.0} abstractions/s", each * 1e3, 1.0 / each);
        // The orders of the next measurement are new ones.
        predicates.reverse();
    }
}
