//! What an execution along a path chooses, for the replay.

use crate::outcome;
use crate::replay::{Instead, Replayer, Script};
use crate::unroll::PathStep;
use robusto_analyses::symbolic::{Contents, Encoder};
use robusto_cfa::ir::{EdgeId, FuncId, Op, Program};
use robusto_cpa::Step;
use robusto_interp::EdgeRef;
use robusto_limits::Limits;
use robusto_logic::{Answer, Model, Solver, Term};
use robusto_verdict::{Reason, Verdict};

/// Most values that iterations which are taken at once ask for; zero is all that later ones get.
const MOST_ASKED: usize = 1 << 20;

/// Executes a path to an error edge. Its steps are encoded as one straight path, whose model gives all nondeterministic
/// choices in order. The solver should know nothing.
pub(crate) fn replay_path(
    encoder: &mut Encoder<'_>,
    mut solver: Solver,
    steps: &[Step],
    (function, edge): (FuncId, EdgeId),
    (replayer, traces): (&Replayer<'_>, bool),
    limits: &Limits,
) -> Result<Verdict, Reason> {
    let mut at = encoder.initial();
    let mut path = Vec::with_capacity(steps.len());
    for &step in steps {
        path.push(PathStep::new(step, at.choices));
        let Some(next) = encoder.step(&at, step)? else {
            return Ok(Verdict::Unknown(spurious(encoder, &"a path that ends".into())));
        };
        at = next;
    }
    if solver.check(&mut encoder.terms, &[at.guard])? == Answer::Unsat {
        return Ok(Verdict::Unknown(spurious(encoder, &"a path without execution".into())));
    }
    let model = match small_objects(encoder, &path, limits)? {
        Some(model) => model,
        None => solver.model(&encoder.terms),
    };
    let script = script(encoder, &encoder.facts().program, &path, &model)?;
    Ok(match replayer.replay(script, EdgeRef { function, edge }, traces, limits) {
        Ok(counterexample) => Verdict::False(counterexample),
        Err(instead) => {
            // A replay that was interrupted says nothing.
            limits.look()?;
            Verdict::Unknown(spurious(encoder, &instead))
        }
    })
}

/// Sizes that are tried first: people can read an execution with small objects, and the interpreter has memory for all that it writes.
const SMALL: [u64; 2] = [64, 4096];

/// Most conflicts of a search for an execution with small objects.
const EFFORT: i32 = 20_000;

/// An execution along a path in which all objects that are allocated with a computed size are small, if the path has such objects.
pub(crate) fn small_objects(
    encoder: &mut Encoder<'_>,
    path: &[PathStep],
    limits: &Limits,
) -> Result<Option<Model>, Reason> {
    let mut at = encoder.initial();
    let mut sizes = Vec::new();
    for step in path {
        at.choices = step.choices;
        for slid in &step.slid {
            at = slid.apply(encoder, &at);
        }
        sizes.extend(encoder.allocated_size(&at, step.step)?);
        let Some(after) = encoder.step(&at, step.step)? else { return Ok(None) };
        at = after;
    }
    if sizes.is_empty() {
        return Ok(None);
    }
    let mut solver = Solver::new(limits);
    for most in SMALL {
        let mut conditions = vec![at.guard];
        for &size in &sizes {
            let most = encoder.terms.constant(encoder.terms.width(size), most.into());
            conditions.push(encoder.terms.ult(size, most));
        }
        if solver.check_within(&mut encoder.terms, &conditions, EFFORT)? == Some(Answer::Sat) {
            return Ok(Some(solver.model(&encoder.terms)));
        }
    }
    Ok(None)
}

/// Why a path to an error is no execution.
pub(super) fn spurious(encoder: &Encoder<'_>, instead: &Instead) -> Reason {
    outcome::spurious(encoder.approximations(), instead)
}

/// The nondeterministic choices along a path. The formulas of this one path are built anew; their choices get the numbers
/// that they had in the merged formulas, and so the values of the model.
pub(crate) fn script(
    encoder: &mut Encoder<'_>,
    program: &Program,
    path: &[PathStep],
    model: &Model,
) -> Result<Script, Reason> {
    let mut script = Script { outside: encoder.outside_content(model), ..Script::default() };
    let mut at = encoder.initial();
    let main = program.main.expect("the search starts there");
    let fresh = |encoder: &Encoder<'_>, all: Vec<Contents>, script: &mut Script| {
        let bytes = all.iter().map(|contents| contents.bytes(encoder, model)).filter(|bytes| !bytes.is_empty());
        script.fresh.extend(bytes);
    };
    let objects = encoder.contents_of_objects(&at, main)?;
    fresh(encoder, objects, &mut script);
    for step in path {
        at.choices = step.choices;
        for slid in &step.slid {
            let count = encoder.terms.evaluate(slid.count, model);
            let asks = slid.asks(encoder);
            let value = |symbol: Option<Term>| symbol.map(|symbol| encoder.terms.evaluate(symbol, model) as u64);
            let asks: Vec<(EdgeRef, Option<u64>)> =
                asks.into_iter().map(|(edge, symbol)| (edge, value(symbol))).collect();
            let rounds = count.min((MOST_ASKED / asks.len().max(1)) as u128) as usize;
            script.values.extend(std::iter::repeat_n(asks, rounds).flatten());
            at = slid.apply(encoder, &at);
        }
        let (function, edge) = step.step.edge_ref();
        let edge = EdgeRef { function, edge };
        let Some(after) = encoder.step(&at, step.step)? else { break };
        match step.step.edge(program).op {
            Op::Havoc { .. } => {
                let choice = encoder.choice(&at, step.step);
                let value = choice.map(|choice| encoder.terms.evaluate(choice, model) as u64);
                script.values.push_back((edge, value));
            }
            Op::HavocMem { .. } => {
                for contents in encoder.contents(&at, &after, step.step)? {
                    script.fills.push_back((edge, contents.bytes(encoder, model)));
                }
            }
            Op::Alloc { .. } | Op::Call { .. } => {
                let objects = encoder.contents(&at, &after, step.step)?;
                fresh(encoder, objects, &mut script);
            }
            _ => {}
        }
        at = after;
    }
    Ok(script)
}
