//! Summaries of procedures: what each demands, what it grants, and what holds inside, whatever is pending below.
//!
//! Hoare: *Procedures and parameters: an axiomatic approach*, 1971. Each procedure is looked at by itself, without a stack: from
//! any state that satisfies what it demands, all paths are followed; where a procedure is called, what that demands must hold;
//! then everything that it may change takes any value, such that what it grants holds, and the path goes on behind the
//! call ([`Walk`]); where the procedure returns, what it grants must hold. The initial state satisfies what `main` demands.
//!
//! Soundness, by induction over the steps of an execution: whenever a procedure is entered, what it demands holds, by the look
//! at its caller, whose pending activation is on a path that was followed; whenever it returns, what it grants holds of the
//! values then and those when it was entered. A call that never returns, or ends the program, has no path behind it. The
//! formulas of a procedure name no pending activation but its own, and entry copies of values that may be read at its entry.
//!
//! A local object in memory has an address per activation. The look at a procedure has one activation, so a program in which a
//! recursive function has such objects is refused, whether the function has a summary or not. What one activation can see of another is then in globals, parameters and
//! memory that belongs to no recursive activation.

use super::invariant::{parse, resolve};
use super::walk::{Goal, Walk};
use super::{Failure, Statistics, place};
use crate::certificate::{calls_of, may_be_read};
use crate::problem::Problem;
use robusto_analyses::symbolic::{Cell, Encoder};
use robusto_cfa::ir::{EdgeId, FuncId};
use robusto_cpa::control::Location;
use robusto_limits::Limits;
use robusto_logic::Term;
use robusto_verdict::Target;
use robusto_verdict::certificate::{Entry, Summary};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// What a procedure demands and grants.
pub(super) struct Contract {
    /// Of the values when it is entered.
    pub pre: Term,
    /// Of the values when it returns, and of those when it was entered.
    pub post: Term,
    /// What it demands, said of the entry copies.
    pub pre_of_old: Term,
    /// The cells whose entry copies some formula speaks of.
    pub old_cells: BTreeSet<Cell>,
}

/// Checks summaries.
pub(super) fn check(
    problem: &Problem,
    procedures: &[Summary],
    entries: &[Entry],
    targets: &[Target],
    limits: &Limits,
) -> Result<Statistics, Failure> {
    let facts = &problem.facts;
    let program = &facts.program;
    let main = program.main.expect("the caller has looked");
    let depends = |&function: &FuncId| {
        let has_objects = !program.functions[function].objects.is_empty();
        facts.calls.is_reachable(function) && facts.calls.is_recursive(function) && has_objects
    };
    if let Some(function) = program.functions.ids().find(depends) {
        let name = &program.functions[function].name;
        let why = format!("`{name}` is recursive and has local objects, whose addresses depend on the activation");
        return Err(Failure::Refuted(why));
    }
    let mut walk = Walk::new(facts, Goal::Safety(targets), limits);
    let mut contracts = FxHashMap::default();
    for summary in procedures {
        let name = &summary.function;
        let Some(function) = program.function_named(name) else {
            return Err(Failure::Refuted(format!("there is no function `{name}`")));
        };
        let contract = contract(&mut walk.encoder, function, summary)?;
        if contracts.insert(function, contract).is_some() {
            return Err(Failure::Refuted(format!("there are two summaries of `{name}`")));
        }
    }
    for entry in entries {
        let (root, source) = resolve(facts, &mut walk.stacks, entry)?;
        let Some(contract) = contracts.get_mut(&root) else {
            let name = &program.functions[root].name;
            return Err(Failure::Refuted(format!("there is no summary of `{name}`, which an entry is inside of")));
        };
        let formula = parse(&mut walk.encoder, &entry.formula, source.1)?;
        let calls = calls_of(&walk.stacks, source.0);
        contract.old_cells.extend(cells(&walk.encoder, formula, root, &calls, source.1)?);
        walk.add_entry(source, formula)?;
    }
    if !contracts.contains_key(&main) {
        return Err(Failure::Refuted("there is no summary of where the program starts".to_owned()));
    }
    walk.contracts = Some(contracts);
    walk.start_procedure(main)?;
    walk.rest()
}

fn contract(encoder: &mut Encoder<'_>, function: FuncId, summary: &Summary) -> Result<Contract, Failure> {
    let body = &encoder.facts().program.functions[function];
    let at = |loc| Location { function, loc };
    let (entry, exit) = (at(body.entry), at(body.exit));
    let pre = parse(encoder, &summary.pre, entry)?;
    let post = parse(encoder, &summary.post, exit)?;
    if !cells(encoder, pre, function, &[], entry)?.is_empty() {
        return Err(Failure::Refuted(format!("what `{}` demands speaks of an entry before its entry", body.name)));
    }
    let mut old_cells: BTreeSet<Cell> =
        encoder.terms.symbols(pre).into_iter().filter_map(|symbol| encoder.cell_of(symbol)).collect();
    old_cells.extend(cells(encoder, post, function, &[], exit)?);
    let start = encoder.entered(function, old_cells.iter().copied());
    let pre_of_old = encoder.apply(&start, pre);
    Ok(Contract { pre, post, pre_of_old, old_cells })
}

/// The cells whose entry copies a formula inside of a procedure speaks of. All that it speaks of must be readable: the cells at
/// their place, the copies at the entry.
fn cells(
    encoder: &Encoder<'_>,
    formula: Term,
    procedure: FuncId,
    calls: &[(FuncId, EdgeId)],
    at: Location,
) -> Result<Vec<Cell>, Failure> {
    let facts = encoder.facts();
    let entry = Location { function: procedure, loc: facts.program.functions[procedure].entry };
    let mut old = Vec::new();
    for symbol in encoder.terms.symbols(formula) {
        let readable = match (encoder.cell_of(symbol), encoder.old_of(symbol)) {
            (Some(cell), _) => may_be_read(encoder, calls, at, cell),
            (None, Some(cell)) => {
                old.push(cell);
                may_be_read(encoder, &[], entry, cell)
            }
            (None, None) => false,
        };
        if !readable {
            let name = encoder.terms.symbol_name(symbol);
            let message = format!("the formula at {} speaks of {name}, which is not live there", place(facts, at));
            return Err(Failure::Refuted(message));
        }
    }
    Ok(old)
}
