//! How engines write down what a `true` rests on, as a [`Certificate`](robusto_verdict::Certificate) that
//! [`crate::certify`] can check without them.

pub(crate) mod cuts;
pub mod expression;
pub mod formula;
pub mod instances;
mod readable;

use crate::problem::Problem;
use crate::property::edge_of;
use robusto_analyses::symbolic::{Cell, Encoder};
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{EdgeId, FuncId, Idx as _, Op, Program, VarId};
use robusto_cpa::control::{Location, StackId, Stacks};
use robusto_logic::{Symbol, Term};
use robusto_verdict::certificate::text::Subject;
use robusto_verdict::certificate::{Call, Entry};
use robusto_verdict::{Property, Target};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// What a certificate of a problem is about.
pub fn subject(problem: &Problem, property: &Property) -> Subject {
    let program = &problem.facts.program;
    let digest = Sha256::digest(robusto_cfa::text::print(program).as_bytes());
    let hex = digest.iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    });
    Subject { property: property.to_string(), model: program.model.to_string(), program: hex }
}

/// What holds at a location with these pending calls, the oldest first.
pub(crate) fn entry(program: &Program, calls: &[(FuncId, EdgeId)], at: Location, formula: String) -> Entry {
    let name = |function: FuncId| program.functions[function].name.to_string();
    let call = |&(caller, edge): &(FuncId, EdgeId)| Call { function: name(caller), edge: edge.index() as u32 };
    Entry {
        calls: calls.iter().map(call).collect(),
        function: name(at.function),
        location: at.loc.index() as u32,
        formula,
    }
}

/// The error edge of a target, as certificates name it.
pub(crate) fn error_edge(program: &Program, target: &Target) -> (String, u32) {
    let (function, edge) = edge_of(target);
    (program.functions[function].name.to_string(), edge.index() as u32)
}

/// Collects what an engine knows at control states.
#[derive(Default)]
pub(crate) struct Collector {
    found: BTreeMap<(Vec<(FuncId, EdgeId)>, Location), Vec<Term>>,
}

impl Collector {
    /// One more possibility for the values at a control state, over the inputs of a block that starts there.
    pub fn add(&mut self, calls: Vec<(FuncId, EdgeId)>, at: Location, possible: Term) {
        self.found.entry((calls, at)).or_default().push(possible);
    }

    /// The entries: at each control state the disjunction of the possibilities. What is said about values that may not be
    /// read there is left out.
    pub fn finish(self, encoder: &mut Encoder<'_>) -> Vec<Entry> {
        let program = &encoder.facts().program;
        self.found
            .into_iter()
            .map(|((calls, at), possible)| {
                let readable: Vec<Term> = possible.into_iter().map(|t| readable(encoder, &calls, at, t)).collect();
                let either = encoder.terms.or_all(&readable);
                entry(program, &calls, at, formula::print(encoder, either))
            })
            .collect()
    }
}

/// The conjuncts of a term that speak of readable values only.
fn readable(encoder: &mut Encoder<'_>, calls: &[(FuncId, EdgeId)], at: Location, t: Term) -> Term {
    if unreadable(encoder, calls, at, t).is_none() {
        return t;
    }
    let mut kept = encoder.terms.conjuncts(t);
    kept.retain(|&conjunct| unreadable(encoder, calls, at, conjunct).is_none());
    encoder.terms.and_all(&kept)
}

/// A symbol of a formula whose value may not be read any more when control is at a location with these pending calls. The
/// index that stands for all is no value of the program.
pub(crate) fn unreadable(
    encoder: &Encoder<'_>,
    calls: &[(FuncId, EdgeId)],
    at: Location,
    formula: Term,
) -> Option<Symbol> {
    let is_readable = |s: &Symbol| match encoder.cell_of(*s) {
        Some(cell) => may_be_read(encoder, calls, at, cell),
        None => instances::is_any_index(encoder, *s),
    };
    encoder.terms.symbols(formula).into_iter().find(|s| !is_readable(s))
}

/// Whether a cell may still be read when control is at a location with these pending calls. If not, formulas may have
/// dropped its value.
pub(crate) fn may_be_read(encoder: &Encoder<'_>, calls: &[(FuncId, EdgeId)], at: Location, cell: Cell) -> bool {
    let Cell::Var(var, activation) = cell else { return true };
    let facts = encoder.facts();
    let Some(owner) = facts.program.vars[var].kind.owner() else {
        return is_live(facts, calls, at, var);
    };
    // Variables of a caller are read after the call, if ever.
    let pending = calls.iter().filter(|&&(caller, _)| caller == owner).nth(activation as usize);
    match pending {
        Some(&(caller, edge)) => {
            let call = facts.program.functions[caller].edge(edge);
            let is_result = matches!(call.op, Op::Call { result: Some(result), .. } if result == var);
            !is_result && facts.liveness.at(caller, call.dst).contains(var)
        }
        None => {
            let active = calls.iter().filter(|&&(caller, _)| caller == owner).count();
            owner == at.function && active == activation as usize && encoder.may_be_read(at, cell)
        }
    }
}

/// Whether a global is live at a location with these pending calls. Liveness does not tell calls apart: at a function's
/// exit, that is live which is live after any of its calls. What the function itself does not read has to be live after
/// the pending call.
fn is_live(facts: &Facts, calls: &[(FuncId, EdgeId)], at: Location, global: VarId) -> bool {
    let mut at = at;
    for &(function, edge) in calls.iter().rev() {
        if !facts.liveness.at(at.function, at.loc).contains(global) {
            return false;
        }
        if facts.modref.of_call(at.function).reads.contains(global) {
            return true;
        }
        let call = facts.program.functions[function].edge(edge);
        if matches!(call.op, Op::Call { result: Some(result), .. } if result == global) {
            return false;
        }
        at = Location { function, loc: call.dst };
    }
    facts.liveness.at(at.function, at.loc).contains(global)
}

/// The cell of a variable in the youngest activation of its function, if that is active.
pub(crate) fn youngest(encoder: &Encoder<'_>, calls: &[(FuncId, EdgeId)], at: Location, var: VarId) -> Option<Cell> {
    let facts = encoder.facts();
    let Some(owner) = facts.program.vars[var].kind.owner() else { return Some(Cell::Var(var, 0)) };
    let pending = calls.iter().filter(|&&(caller, _)| caller == owner).count();
    let active = pending + usize::from(at.function == owner);
    (active > 0).then(|| Cell::Var(var, active as u32 - 1))
}

/// The pending calls of a stack, the oldest first.
pub(crate) fn calls_of(stacks: &Stacks, mut stack: StackId) -> Vec<(FuncId, EdgeId)> {
    let mut calls = Vec::new();
    while let Some(call) = stacks.top(stack) {
        calls.push(call);
        stack = stacks.below(stack);
    }
    calls.reverse();
    calls
}
