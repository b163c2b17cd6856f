//! Certificates about the unrolled program: a bound that no execution exceeds, and k-induction.
//!
//! The program is unrolled anew, straight to the bound; no node is left out but those whose guard simplifies to false.
//! Then it is asked whether a violation, an end of the model, or a node beyond the bound can be reached.

use super::invariant::{read, resolve};
use super::{Failure, Statistics, place};
use crate::certificate::calls_of;
use crate::problem::Problem;
use crate::property::edge_of;
use crate::unroll::{Closed, Counting, Found, Place, Unroller};
use robusto_analyses::symbolic::Encoder;
use robusto_cpa::control::{Location, Stacks};
use robusto_limits::Limits;
use robusto_logic::{Answer, Solver, Term};
use robusto_verdict::Target;
use robusto_verdict::certificate::Entry;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Places looked at for cut points.
const MAX_PLACES: usize = 1_000_000;

/// What must not be reachable, and what it would mean.
type Obligations = Vec<(Term, String)>;

/// Checks that nothing is violated within the bound and that nothing lies beyond.
pub(super) fn complete(
    problem: &Problem,
    bound: u32,
    targets: &[Target],
    limits: &Limits,
) -> Result<Statistics, Failure> {
    let mut encoder = Encoder::new(&problem.facts);
    complete_sliding(problem, &mut encoder, &[], bound, targets, limits)
}

/// The same, where these closed forms hold of loops.
pub(super) fn complete_sliding<'f>(
    problem: &'f Problem,
    encoder: &mut Encoder<'f>,
    closed: &[Rc<Closed>],
    bound: u32,
    targets: &[Target],
    limits: &Limits,
) -> Result<Statistics, Failure> {
    let (unroller, mut obligations) = base(problem, encoder, closed, bound, targets, limits)?;
    for (_, guard) in unroller.frontier() {
        obligations.push((guard, format!("there are executions beyond the bound {bound}")));
    }
    let yes = encoder.terms.yes();
    discharge(encoder, yes, obligations, limits)
}

/// The program unrolled from its start.
fn base<'f>(
    problem: &'f Problem,
    encoder: &mut Encoder<'f>,
    closed: &[Rc<Closed>],
    bound: u32,
    targets: &[Target],
    limits: &Limits,
) -> Result<(Unroller<'f>, Obligations), Failure> {
    let facts = &problem.facts;
    let main = facts.program.main.expect("the caller has looked");
    let mut unroller = Unroller::new(facts, Counting::Loops).sliding(closed.iter().cloned());
    let initial = encoder.initial();
    unroller.start(Location { function: main, loc: facts.program.functions[main].entry }, initial);
    let mut found = Found::default();
    unroller.run(encoder, 0, bound, limits, &mut found)?;
    let obligations = obligations(problem, found, targets);
    Ok((unroller, obligations))
}

fn obligations(problem: &Problem, found: Found, targets: &[Target]) -> Obligations {
    let of_targets = found.violations.into_iter().filter(|v| targets.iter().any(|t| edge_of(t) == v.step.edge_ref()));
    let violations = of_targets.map(|v| {
        let (function, edge) = v.step.edge_ref();
        let loc = problem.facts.program.functions[function].edge(edge).src;
        let at = place(&problem.facts, Location { function, loc });
        (v.guard, format!("the error edge at {at} can be taken"))
    });
    let ends = found.unmodelled.into_iter().map(|u| (u.guard, format!("something that is not modelled: {}", u.what)));
    violations.chain(ends).collect()
}

/// Conflicts for the question whether any of many things happens. If they do not suffice, one by one is faster.
const TOGETHER: i32 = 2_000;

fn discharge(
    encoder: &mut Encoder<'_>,
    assumed: Term,
    obligations: Obligations,
    limits: &Limits,
) -> Result<Statistics, Failure> {
    let mut solver = Solver::new(limits);
    let mut statistics = Statistics { checks: obligations.len() as u64, calls: 0 };
    let all: Vec<Term> = obligations.iter().map(|&(bad, _)| bad).collect();
    let any = encoder.terms.or_all(&all);
    if encoder.terms.is_false(any) {
        return Ok(statistics);
    }
    statistics.calls += 1;
    if solver.check_within(&mut encoder.terms, &[assumed, any], TOGETHER)? == Some(Answer::Unsat) {
        return Ok(statistics);
    }
    for (bad, what) in obligations {
        statistics.calls += 1;
        if solver.check(&mut encoder.terms, &[assumed, bad])? == Answer::Sat {
            return Err(Failure::Refuted(what));
        }
    }
    Ok(statistics)
}

/// Checks base and step of an induction; that the invariants hold is not asked here.
pub(super) fn inductive(
    problem: &Problem,
    k: u32,
    invariants: &[Entry],
    targets: &[Target],
    limits: &Limits,
) -> Result<Statistics, Failure> {
    let facts = &problem.facts;
    let program = &facts.program;
    if program.functions.ids().any(|f| facts.calls.is_reachable(f) && facts.calls.is_recursive(f)) {
        return Err(Failure::Refuted("there are recursive functions, which blocks cannot pass".to_owned()));
    }
    let mut encoder = Encoder::new(facts);
    let (_, obligations) = base(problem, &mut encoder, &[], k, targets, limits)?;
    let yes = encoder.terms.yes();
    let mut total = discharge(&mut encoder, yes, obligations, limits)?;
    // The invariants by control state; calls stand with the oldest first.
    let mut stacks = Stacks::new(u32::MAX);
    let mut known = BTreeMap::new();
    for entry in invariants {
        let (_, (stack, location)) = resolve(facts, &mut stacks, entry)?;
        let calls = calls_of(&stacks, stack);
        let formula = read(&mut encoder, entry, &calls, location)?;
        known.insert((calls, location), formula);
    }
    let mut unroller = Unroller::new(facts, Counting::Blocks);
    let main = program.main.expect("the caller has looked");
    let entry = Location { function: main, loc: program.functions[main].entry };
    let Some(places) = unroller.heads(entry, MAX_PLACES) else {
        return Err(Failure::Incomplete("too many calling contexts".to_owned()));
    };
    for (origin, head) in (0u32..).zip(places) {
        let calls = unroller.contexts().stack(head.context);
        let assumed = known.get(&(calls, head.location)).copied().unwrap_or(yes);
        if encoder.terms.is_false(assumed) {
            continue;
        }
        let active = unroller.contexts().active(head.context, head.location);
        let anything = encoder.anything_in(active);
        unroller.start_at(Place { origin, ..head }, anything);
        let mut found = Found::default();
        for block in 0..=k {
            found = Found::default();
            unroller.run(&mut encoder, origin, block, limits, &mut found)?;
        }
        let step = discharge(&mut encoder, assumed, self::obligations(problem, found, targets), limits)?;
        total = total + step;
    }
    Ok(total)
}
