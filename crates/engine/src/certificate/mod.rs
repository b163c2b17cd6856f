//! Certificates: what a `true` rests on, in a form that [`crate::certify`] can check without the engine that found it.
//!
//! A certificate names locations and variables of one automaton; its text form ([`text`]) carries a hash of that, so that
//! it cannot be taken for another program's.

pub(crate) mod cuts;
pub mod expression;
pub mod formula;
pub mod text;

use crate::property::Target;
use robusto_analyses::facts::Facts;
use robusto_analyses::symbolic::{Cell, Encoder};
use robusto_cfa::ir::{EdgeId, FuncId, Idx as _, Op, Program, VarId};
use robusto_cpa::control::{Location, StackId, Stacks};
use robusto_logic::{Symbol, Term};
use std::collections::BTreeMap;

/// Why a property holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Certificate {
    /// There is no error edge.
    Vacuous,
    /// Invariants that are inductive and exclude the errors. Every cycle of control states passes one of the entries.
    Invariant(Vec<Entry>),
    /// No execution iterates a loop or nests a recursive function more often than this, and none within violates the
    /// property.
    Unrolled {
        /// The bound.
        bound: u32,
    },
    /// No execution that passes at most k loop heads violates the property, nor does any k loop heads after a state at a
    /// loop head that satisfies the invariants.
    Inductive {
        /// The number of blocks.
        k: u32,
        /// Invariants at loop heads, which are inductive by themselves.
        invariants: Vec<Entry>,
    },
    /// Each violation is excluded by one of several certificates.
    Parts(Vec<Part>),
}

/// A certificate for some of the error edges.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// The error edges, as function and edge.
    pub errors: Vec<(String, u32)>,
    /// Why no execution takes them; not in parts itself.
    pub certificate: Certificate,
}

/// What holds whenever control comes to a place with certain pending calls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The pending calls, the oldest first.
    pub calls: Vec<Call>,
    /// The function that control is in.
    pub function: String,
    /// Its location.
    pub location: u32,
    /// What holds there, in the notation of [`formula`].
    pub formula: String,
}

impl Entry {
    /// What holds at a location with these pending calls, the oldest first.
    pub(crate) fn new(program: &Program, calls: &[(FuncId, EdgeId)], at: Location, formula: String) -> Self {
        let name = |function: FuncId| program.functions[function].name.to_string();
        let call = |&(caller, edge): &(FuncId, EdgeId)| Call { function: name(caller), edge: edge.index() as u32 };
        Self {
            calls: calls.iter().map(call).collect(),
            function: name(at.function),
            location: at.loc.index() as u32,
            formula,
        }
    }
}

/// A pending call.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Call {
    /// The caller.
    pub function: String,
    /// The caller's edge.
    pub edge: u32,
}

impl Certificate {
    /// The invariants; those of parts are theirs.
    pub fn entries(&self) -> &[Entry] {
        match self {
            Certificate::Invariant(entries) | Certificate::Inductive { invariants: entries, .. } => entries,
            Certificate::Vacuous | Certificate::Unrolled { .. } | Certificate::Parts(_) => &[],
        }
    }

    /// One certificate from several, each for some targets. Those that are in parts already are taken apart.
    pub fn joined(program: &Program, certificates: Vec<(Vec<Target>, Certificate)>) -> Self {
        let name = |target: &Target| error_edge(program, target);
        let mut parts = Vec::new();
        for (targets, certificate) in certificates {
            let errors: Vec<(String, u32)> = targets.iter().map(name).collect();
            match certificate {
                Certificate::Parts(inner) => parts.extend(inner.into_iter().filter_map(|mut part| {
                    part.errors.retain(|error| errors.contains(error));
                    (!part.errors.is_empty()).then_some(part)
                })),
                certificate => parts.push(Part { errors, certificate }),
            }
        }
        Certificate::Parts(parts)
    }
}

/// The error edge of a target, as certificates name it.
pub(crate) fn error_edge(program: &Program, target: &Target) -> (String, u32) {
    let (function, edge) = target.edge;
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
                Entry::new(program, &calls, at, formula::print(encoder, either))
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

/// A symbol of a formula whose value may not be read any more when control is at a location with these pending calls.
pub(crate) fn unreadable(
    encoder: &Encoder<'_>,
    calls: &[(FuncId, EdgeId)],
    at: Location,
    formula: Term,
) -> Option<Symbol> {
    let is_readable = |s: &Symbol| encoder.cell_of(*s).is_some_and(|cell| may_be_read(encoder, calls, at, cell));
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
