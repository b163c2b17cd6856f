//! What other analyses know at the starts of blocks.
//!
//! Invariants of the interval analysis are conjoined to ψ wherever that is used: in abstractions, in refinements, in
//! certificates. They hold in every execution, so that nothing is lost; and all states at one control state have the
//! same, so that a state covers another by ψ alone.

use crate::interval::Invariants;
use crate::symbolic::{Encoder, PathFormula};
use robusto_cfa::ir::{EdgeId, FuncId};
use robusto_cpa::Step;
use robusto_cpa::control::Location;
use robusto_logic::Term;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// What is known of the values that pending calls leave alone: a list, the youngest call first.
#[derive(Clone, Debug, Default)]
pub struct Pending(Option<Rc<Frame>>);

#[derive(Debug)]
struct Frame {
    below: Pending,
    /// Of this call and all below.
    all: Term,
}

/// The invariants as terms.
#[derive(Default)]
pub struct Known<'f> {
    invariants: Option<&'f Invariants>,
    here: FxHashMap<(Location, u32), Term>,
    pending: FxHashMap<(FuncId, EdgeId, FuncId, u32), Term>,
}

impl<'f> Known<'f> {
    pub fn new(invariants: Option<&'f Invariants>) -> Self {
        Self { invariants, ..Self::default() }
    }

    /// What is known at a location, behind the paths of a formula.
    pub fn at(&mut self, encoder: &mut Encoder<'_>, at: Location, f: &PathFormula, pending: &Pending) -> Term {
        let Some(invariants) = self.invariants else { return encoder.terms.yes() };
        let activation = encoder.activation(f, at.function);
        let here = *self.here.entry((at, activation)).or_insert_with(|| invariants.here(encoder, at, activation));
        match &pending.0 {
            Some(frame) => encoder.terms.and(here, frame.all),
            None => here,
        }
    }

    /// The pending calls after a step from a state with this formula.
    pub fn step(&mut self, encoder: &mut Encoder<'_>, pending: &Pending, f: &PathFormula, step: Step) -> Pending {
        let Some(invariants) = self.invariants else { return Pending::default() };
        match step {
            Step::Enter { caller, edge, callee } => {
                let activation = encoder.activation(f, caller);
                let key = (caller, edge, callee, activation);
                let call = || invariants.pending(encoder, (caller, edge), callee, activation);
                let mut all = *self.pending.entry(key).or_insert_with(call);
                if let Some(frame) = &pending.0 {
                    all = encoder.terms.and(frame.all, all);
                }
                Pending(Some(Rc::new(Frame { below: pending.clone(), all })))
            }
            Step::Leave { .. } => pending.0.as_ref().map_or(Pending::default(), |frame| frame.below.clone()),
            Step::Edge(..) | Step::Block { .. } => pending.clone(),
        }
    }
}
