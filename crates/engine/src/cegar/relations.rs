//! Relations between variables that hold at loop heads: invariants that intervals cannot express.
//!
//! Guess and check: candidates are the linear equalities and the orders that held in some executions ([`super::samples`]);
//! Cartesian predicate abstraction, without refinement, finds out which of them always do. (Flanagan, Leino: *Houdini, an
//! annotation assistant for ESC/Java*, FME 2001, keeps the candidates that are inductive together; the abstraction does so
//! for each of the states that it tells apart.)
//!
//! Soundness: what is returned are the abstractions of a complete exploration, which certificates rest on as well.

use super::certificate;
use super::samples::Samples;
use super::{STACK_LIMIT, predicate};
use crate::certificate::Entry;
use crate::limits::Limits;
use crate::problem::Problem;
use robusto_analyses::predicate::{Abe, AbstractionKind, BlockOperator, Scope};
use robusto_cpa::{Composite, Exploration, Order, Run};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// Time for the exploration: at most this, and at most this share of what is left.
const TIME: (Duration, u32) = (Duration::from_secs(3), 5);

/// What holds at loop heads, with the interval invariants; nothing if there are no candidates or it takes too long.
pub fn relations(problem: &Problem, limits: &Limits) -> Vec<Entry> {
    let facts = &problem.facts;
    let Some(main) = facts.program.main else { return Vec::new() };
    let (most, share) = TIME;
    let time = limits.remaining().map_or(most, |left| most.min(left / share));
    let own = Limits::until(Some(Instant::now() + time), limits.memory, limits.cancel.clone());
    let options = predicate::Options {
        block: BlockOperator::Loops,
        abstraction: AbstractionKind::Cartesian,
        scope: Scope::Location,
    };
    let mut abe = Abe::new(facts, options, || Box::new(own.stopper()), || own.poll());
    let samples = Samples::of(facts);
    for at in samples.heads() {
        let mut candidates = samples.predicates(&mut abe.encoder, at);
        candidates.extend(samples.orders(&mut abe.encoder, at));
        for candidate in candidates {
            abe.precision.add(at, candidate);
        }
    }
    if abe.precision.is_empty() {
        return Vec::new();
    }
    abe.set_invariants(problem.intervals(limits));
    let mut cpa = Composite::new(&facts.program, abe, facts, STACK_LIMIT);
    let Ok(mut exploration) = Exploration::start(&mut cpa, main, Order::ReversePostOrder) else { return Vec::new() };
    match exploration.run(&mut cpa, |_| ControlFlow::Continue(())) {
        Run::Complete => certificate::make(&mut cpa, &exploration.arg).entries().to_vec(),
        Run::Interrupted | Run::Stopped(_) => Vec::new(),
    }
}
