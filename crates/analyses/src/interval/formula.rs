//! Bounds as formulas over the inputs of a block.
//!
//! What holds at a control state is what is known at its location, and for each pending call what was known there of the
//! values that the call leaves alone: the caller's own variables, and the globals that neither the called function nor
//! any that it calls writes. All of it together is inductive from control state to control state; without the
//! second part the bounds behind a call could not be told from those inside of it.

use super::Invariants;
use crate::symbolic::{Cell, Encoder};
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{EdgeId, FuncId, Op, VarId, fold};
use robusto_cpa::control::Location;
use robusto_domains::Interval;
use robusto_logic::{Term, Terms};

impl Invariants {
    /// What is known at a location of the globals and of the variables of its function, in an activation of that (0 unless
    /// it is recursive); false if control never comes there.
    pub fn here(&self, encoder: &mut Encoder<'_>, at: Location, activation: u32) -> Term {
        if !self.is_reachable(at.function, at.loc) {
            return encoder.terms.no();
        }
        let bounds: Vec<(VarId, Interval)> = self
            .at(at.function, at.loc)
            .filter(|&(var, _)| encoder.may_be_read(at, Cell::Var(var, activation)))
            .collect();
        all_within(encoder, &bounds, activation)
    }

    /// What is known while a call is pending, of the values that it leaves alone and that can be read when it is over.
    pub fn pending(
        &self,
        encoder: &mut Encoder<'_>,
        (caller, edge): (FuncId, EdgeId),
        callee: FuncId,
        activation: u32,
    ) -> Term {
        let facts = encoder.facts();
        let src = facts.program.functions[caller].edge(edge).src;
        if !self.is_reachable(caller, src) {
            return encoder.terms.no();
        }
        let kept = |&(var, _): &(VarId, Interval)| is_kept(facts, (caller, edge), callee, var);
        let bounds: Vec<(VarId, Interval)> = self.at(caller, src).filter(kept).collect();
        all_within(encoder, &bounds, activation)
    }
}

/// Whether a call leaves a variable alone that can be read when it is over.
fn is_kept(facts: &Facts, (caller, edge): (FuncId, EdgeId), callee: FuncId, var: VarId) -> bool {
    let call = facts.program.functions[caller].edge(edge);
    facts.liveness.at(caller, call.dst).contains(var)
        && match facts.program.vars[var].kind.owner() {
            Some(_) => !matches!(call.op, Op::Call { result: Some(result), .. } if result == var),
            None => !facts.may_write(callee, var),
        }
}

fn all_within(encoder: &mut Encoder<'_>, bounds: &[(VarId, Interval)], activation: u32) -> Term {
    let facts = encoder.facts();
    let mut all = Vec::with_capacity(bounds.len());
    for (var, interval) in bounds {
        let is_local = facts.program.vars[*var].kind.owner().is_some();
        let value = encoder.input(Cell::Var(*var, if is_local { activation } else { 0 }));
        all.push(within(&mut encoder.terms, value, interval));
    }
    encoder.terms.and_all(&all)
}

/// A value is in an interval.
pub fn within(terms: &mut Terms, value: Term, interval: &Interval) -> Term {
    let width = interval.width() as u16;
    let constant = |terms: &mut Terms, bits: u64| terms.constant(width, fold::mask(width.into(), bits).into());
    if let Some(bits) = interval.as_constant() {
        let bits = constant(terms, bits);
        return terms.eq(value, bits);
    }
    let (Some((least, most)), Some((lowest, highest))) = (interval.unsigned_bounds(), interval.signed_bounds()) else {
        return terms.no();
    };
    // Comparisons with the ends of the type simplify to true.
    let (least, most) = (constant(terms, least), constant(terms, most));
    let (lowest, highest) = (constant(terms, lowest as u64), constant(terms, highest as u64));
    let mut all = vec![terms.ule(least, value), terms.ule(value, most)];
    all.extend([terms.sle(lowest, value), terms.sle(value, highest)]);
    let (known, residue) = interval.congruence();
    if known > 0 {
        let low = terms.extract(value, 0, known as u16);
        let residue = terms.constant(known as u16, residue.into());
        all.push(terms.eq(low, residue));
    }
    terms.and_all(&all)
}
