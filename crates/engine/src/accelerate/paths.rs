//! The paths of a loop, from its head back to it, each by itself. A path that comes to an inner loop with a closed form goes on
//! behind all its iterations, or passes it without any.

use crate::unroll::{Closed, Slid};
use robusto_analyses::symbolic::{Encoder, PathFormula};
use robusto_cfa::analysis::loops::LoopForest;
use robusto_cfa::ir::{EdgeId, FuncId, Op};
use robusto_cpa::Step;
use robusto_cpa::control::{Location, steps};
use robusto_interp::EdgeRef;
use robusto_limits::{Limits, Stopped};
use robusto_logic::{Answer, Solver, Term};
use std::rc::Rc;

/// A loop with more paths is a state machine; a closed form of one path says little of it.
const MOST_PATHS: usize = 8;

/// Most steps that are looked at, all paths together.
const MOST_STEPS: usize = 2_000;

/// A path.
pub(super) struct Path {
    /// What it does.
    pub formula: PathFormula,
    /// The edges that ask for a value, with the symbols of the values.
    pub asks: Vec<(EdgeRef, Option<Term>)>,
}

/// A path that is not at its end yet.
#[derive(Clone)]
struct Open {
    at: Location,
    /// Calls since the head.
    pending: Vec<(FuncId, EdgeId)>,
    /// Heads of inner loops on the way.
    passed: Vec<Location>,
    formula: PathFormula,
    asks: Vec<(EdgeRef, Option<Term>)>,
}

/// The paths of a loop; none if there are too many.
pub(super) fn paths(
    encoder: &mut Encoder<'_>,
    solver: &mut Solver,
    head: Location,
    inner: &[Rc<Closed>],
    limits: &Limits,
) -> Result<Vec<Path>, Stopped> {
    let facts = encoder.facts();
    let program = &facts.program;
    let forest = LoopForest::of(&program.functions[head.function]);
    let Some(whole) = forest.headed_by(head.loc) else { return Ok(Vec::new()) };
    let formula = encoder.anything_in([head.function]);
    let mut open = vec![Open { at: head, pending: Vec::new(), passed: Vec::new(), formula, asks: Vec::new() }];
    let (mut found, mut taken) = (Vec::new(), 0);
    while let Some(path) = open.pop() {
        limits.poll()?;
        let mut next = Vec::new();
        steps(program, facts, None, path.at, path.pending.last().copied(), &mut next);
        taken += next.len();
        if taken > MOST_STEPS {
            return Ok(Vec::new());
        }
        for &step in next.iter().rev() {
            let to = path.at.transfer(program, step);
            if step.is_error(program) || matches!(step, Step::Enter { callee, .. } if facts.calls.is_recursive(callee))
            {
                continue;
            }
            let formula = match encoder.step(&path.formula, step) {
                Ok(Some(formula)) if !encoder.terms.is_false(formula.guard) => formula,
                Ok(_) | Err(Stopped::Unsupported(_)) => continue,
                Err(stopped) => return Err(stopped),
            };
            let mut after = Open { at: to, formula, ..path.clone() };
            match step {
                Step::Enter { caller, edge, .. } => after.pending.push((caller, edge)),
                Step::Leave { .. } => drop(after.pending.pop()),
                Step::Edge(function, edge) => {
                    if matches!(step.edge(program).op, Op::Havoc { .. }) {
                        after.asks.push((EdgeRef { function, edge }, encoder.choice(&path.formula, step)));
                    }
                }
                Step::Block { .. } => {}
            }
            if after.pending.is_empty() && to == head {
                found.push(Path { formula: after.formula, asks: after.asks });
                if found.len() > MOST_PATHS {
                    return Ok(Vec::new());
                }
            } else if !after.pending.is_empty() || forest.contains(whole, to.loc) {
                let is_loop = match after.pending.is_empty() {
                    true => forest.is_head(to.loc),
                    false => LoopForest::of(&program.functions[to.function]).is_head(to.loc),
                };
                if !is_loop {
                    open.push(after);
                } else if !after.passed.contains(&to) {
                    after.passed.push(to);
                    let mut here = inner.iter().filter(|closed| closed.head == to);
                    // Without iterations; what comes back to the head is left out.
                    open.push(after.clone());
                    if let (Some(closed), None) = (here.next(), here.next())
                        && let Some(formula) = pass(encoder, solver, closed, &after.formula)?
                    {
                        open.push(Open { formula, ..after });
                    }
                }
            }
        }
    }
    Ok(found)
}

/// The path behind all iterations of a loop, of which there are some.
fn pass(
    encoder: &mut Encoder<'_>,
    solver: &mut Solver,
    closed: &Rc<Closed>,
    from: &PathFormula,
) -> Result<Option<PathFormula>, Stopped> {
    let Some(all) = Slid::all(encoder, closed, from) else { return Ok(None) };
    let starts = all.condition(encoder, from, closed.when);
    let mut after = all.apply(encoder, from);
    encoder.restrict(&mut after, starts);
    let goes_on = all.condition(encoder, &after, closed.when);
    let ends = solver.check_within(&mut encoder.terms, &[after.guard, goes_on], super::find::EFFORT)?;
    Ok((ends == Some(Answer::Unsat)).then_some(after))
}
