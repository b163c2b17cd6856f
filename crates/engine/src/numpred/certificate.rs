//! Values as formulas, for certificates: γ with predicates as they are, and inequalities at a width that cannot overflow.

use super::numbers::{Tracked, Words};
use crate::certificate::{may_be_read, unreadable, youngest};
use robusto_analyses::numeric::{self, inequality};
use robusto_analyses::symbolic::{Cell, Encoder};
use robusto_cfa::ir::{EdgeId, FuncId, VarId};
use robusto_cpa::control::Location;
use robusto_diagram::{Bdd, VarIndex};
use robusto_domains::Ideal;
use robusto_logic::Term;
use robusto_numpred::{Domain, Halt, Predicate, Side};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// What a value says of what may still be read when control is somewhere with these pending calls.
pub fn formula<'f, D: Ideal<Var = VarId>, S: Domain<Numbers = Words<'f, D>>>(
    domain: &mut S,
    value: &S::Value,
    encoder: &mut Encoder<'_>,
    predicates: &[Term],
    tracked: &Tracked<'_>,
    (calls, at): (&[(FuncId, EdgeId)], Location),
) -> Result<Term, Halt> {
    let is_dead = |i: &u32| unreadable(encoder, calls, at, predicates[*i as usize]).is_some();
    let dead: Vec<Predicate> = (0..predicates.len() as u32).filter(is_dead).map(Predicate).collect();
    let value = if dead.is_empty() { value.clone() } else { domain.exists(value, &dead)? };
    let mut values: BTreeMap<VarId, Term> = BTreeMap::new();
    for &var in &tracked.set {
        let cell = Cell::Var(var, 0);
        if youngest(encoder, calls, at, var) == Some(cell) && may_be_read(encoder, calls, at, cell) {
            values.insert(var, encoder.input(cell));
        }
    }
    if let Some(diagram) = domain.diagram(&value) {
        return Ok(folded(domain, &diagram, encoder, predicates, tracked, &values));
    }
    let mut possible = Vec::new();
    for part in domain.gamma(&value)? {
        let space = &domain.base().space;
        let (yes, no) = (encoder.terms.yes(), encoder.terms.no());
        let valuations = space.diagrams.fold(&part.predicates, yes, no, |variable, high, low| {
            // Primed copies are gone when a step is over.
            match space.predicate(variable) {
                Some((predicate, Side::Now)) => encoder.terms.ite(predicates[predicate.0 as usize], high, low),
                _ => encoder.terms.or(high, low),
            }
        });
        let mut all = vec![valuations];
        for constraint in &part.numbers {
            all.extend(inequality(&mut encoder.terms, tracked, constraint, &mut |_, var| values.get(&var).copied()));
        }
        // Congruences, too.
        if let Some(element) = part.element {
            let element = domain.base().pool.element(element);
            let known = numeric::formula(&mut encoder.terms, tracked, element, |_, var| values.get(&var).copied());
            all.push(known);
        }
        possible.push(encoder.terms.and_all(&all));
    }
    Ok(encoder.terms.or_all(&possible))
}

/// A diagram over predicates and terms, node by node: its paths may be exponentially many. (Template 8(b) with C = 20: the list of paths takes
/// more than 15 s.)
fn folded<'f, D: Ideal<Var = VarId>, S: Domain<Numbers = Words<'f, D>>>(
    domain: &mut S,
    diagram: &Bdd,
    encoder: &mut Encoder<'_>,
    predicates: &[Term],
    tracked: &Tracked<'_>,
    values: &BTreeMap<VarId, Term>,
) -> Term {
    let mut tests: FxHashMap<VarIndex, Option<Term>> = FxHashMap::default();
    for variable in domain.base().space.diagrams.support(diagram) {
        let test = match domain.base().space.predicate(variable) {
            Some((predicate, Side::Now)) => Some(predicates[predicate.0 as usize]),
            Some((_, Side::Next)) => None,
            None => domain.term(variable).and_then(|constraint| {
                inequality(&mut encoder.terms, tracked, constraint, &mut |_, var| values.get(&var).copied())
            }),
        };
        tests.insert(variable, test);
    }
    let (yes, no) = (encoder.terms.yes(), encoder.terms.no());
    // What cannot be told any more may be either way.
    domain.base().space.diagrams.fold(diagram, yes, no, |variable, high, low| match tests.get(&variable) {
        Some(&Some(test)) => encoder.terms.ite(test, high, low),
        _ => encoder.terms.or(high, low),
    })
}
