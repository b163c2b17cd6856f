//! Invariants at cut points: initiation, consecution, safety.
//!
//! Floyd: *Assigning meanings to programs*, 1967. From the start of the program, and from every entry that can be come to,
//! all paths up to the next entries are encoded ([`Walk`]); at each entry its formula must be implied, and no error edge may be
//! taken.
//!
//! Soundness: by induction over the entries that an execution passes, it satisfies the formula of each; and every error
//! edge lies behind the start or an entry, on a path that has been encoded. A formula speaks of values that may still be
//! read; all others the encoder may have dropped.

use super::walk::{Control, Goal, Walk};
use super::{Failure, Statistics, place};
use crate::certificate::{calls_of, formula, unreadable};
use crate::problem::Problem;
use robusto_analyses::symbolic::Encoder;
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{Callee, EdgeId, FuncId, Idx as _, LocId, Op};
use robusto_cpa::Step;
use robusto_cpa::control::{Callees as _, Location, StackId, Stacks};
use robusto_limits::Limits;
use robusto_logic::{Sort, Term};
use robusto_verdict::certificate::Entry;

/// Checks invariants.
pub(super) fn check(
    problem: &Problem,
    entries: &[Entry],
    goal: Goal<'_>,
    limits: &Limits,
) -> Result<Statistics, Failure> {
    let program = &problem.facts.program;
    let main = program.main.expect("the caller has looked");
    let mut walk = Walk::new(&problem.facts, goal, limits);
    for entry in entries {
        let (root, source) = resolve(&problem.facts, &mut walk.stacks, entry)?;
        if root != main {
            return Err(Failure::Refuted(format!(
                "`{}` is not where the program starts",
                program.functions[root].name
            )));
        }
        let formula = read(&mut walk.encoder, entry, &calls_of(&walk.stacks, source.0), source.1)?;
        walk.add_entry(source, formula)?;
    }
    let start = Location { function: main, loc: program.functions[main].entry };
    let (initial, anything) = (walk.encoder.initial(), walk.encoder.terms.yes());
    walk.paths((StackId::EMPTY, start), initial, anything)?;
    walk.rest()
}

/// The control state of an entry, and the function at the bottom of its stack.
pub(super) fn resolve(facts: &Facts, stacks: &mut Stacks, entry: &Entry) -> Result<(FuncId, Control), Failure> {
    let program = &facts.program;
    let wrong = |what: String| Failure::Refuted(what);
    let function =
        |name: &str| program.function_named(name).ok_or_else(|| wrong(format!("there is no function `{name}`")));
    let mut stack = StackId::EMPTY;
    for (i, call) in entry.calls.iter().enumerate() {
        let caller = function(&call.function)?;
        let callee = function(entry.calls.get(i + 1).map_or(&entry.function, |next| &next.function))?;
        let edge = EdgeId::new(call.edge as usize);
        let may_call = match program.functions[caller].edges().get(edge).map(|e| &e.op) {
            Some(Op::Call { callee: Callee::Direct(direct), .. }) => *direct == callee,
            Some(Op::Call { callee: Callee::Indirect(pointer, _), .. }) => facts.callees(*pointer).contains(&callee),
            _ => false,
        };
        if !may_call {
            return Err(wrong(format!("edge {} of `{}` calls no `{}`", call.edge, call.function, entry.function)));
        }
        stack = stacks.transfer(stack, Step::Enter { caller, edge, callee })?;
    }
    let root = function(entry.calls.first().map_or(&entry.function, |call| &call.function))?;
    let function = function(&entry.function)?;
    if entry.location as usize >= program.functions[function].num_locs() {
        return Err(wrong(format!("`{}` has no location {}", entry.function, entry.location)));
    }
    Ok((root, (stack, Location { function, loc: LocId::new(entry.location as usize) })))
}

/// The formula of an entry.
pub(super) fn read(
    encoder: &mut Encoder<'_>,
    entry: &Entry,
    calls: &[(FuncId, EdgeId)],
    at: Location,
) -> Result<Term, Failure> {
    let facts = encoder.facts();
    let formula = parse(encoder, &entry.formula, at)?;
    match unreadable(encoder, calls, at, formula) {
        None => Ok(formula),
        Some(symbol) => {
            let name = encoder.terms.symbol_name(symbol);
            let message = format!("the formula at {} speaks of {name}, which is not live there", place(facts, at));
            Err(Failure::Refuted(message))
        }
    }
}

/// A truth value that is said of a place.
pub(super) fn parse(encoder: &mut Encoder<'_>, text: &str, at: Location) -> Result<Term, Failure> {
    let facts = encoder.facts();
    let formula = formula::parse(encoder, text)
        .map_err(|message| Failure::Refuted(format!("the formula at {}: {message}", place(facts, at))))?;
    if encoder.terms.sort(formula) != Sort::BOOL {
        return Err(Failure::Refuted(format!("the formula at {} is no truth value", place(facts, at))));
    }
    Ok(formula)
}
