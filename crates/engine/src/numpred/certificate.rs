//! Values as formulas, for certificates: γ with predicates as they are, and inequalities at a width that cannot overflow.

use super::numbers::Tracked;
use crate::certificate::{may_be_read, unreadable};
use robusto_analyses::numeric::inequality;
use robusto_analyses::symbolic::{Cell, Encoder};
use robusto_cfa::ir::{EdgeId, FuncId, VarId};
use robusto_cpa::control::Location;
use robusto_logic::Term;
use robusto_numpred::{Domain, Halt, Numbers, Predicate, Side};

/// What a value says of what may still be read when control is somewhere with these pending calls.
pub fn formula<S: Domain>(
    domain: &mut S,
    value: &S::Value,
    encoder: &mut Encoder<'_>,
    predicates: &[Term],
    tracked: &Tracked<'_>,
    (calls, at): (&[(FuncId, EdgeId)], Location),
) -> Result<Term, Halt>
where
    S::Numbers: Numbers<Var = VarId>,
{
    let is_dead = |i: &u32| unreadable(encoder, calls, at, predicates[*i as usize]).is_some();
    let dead: Vec<Predicate> = (0..predicates.len() as u32).filter(is_dead).map(Predicate).collect();
    let value = if dead.is_empty() { value.clone() } else { domain.exists(value, &dead)? };
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
            let mut values = Vec::new();
            for &(var, _) in constraint.sum.terms() {
                let cell = Cell::Var(var, 0);
                if may_be_read(encoder, calls, at, cell) {
                    values.push((var, encoder.input(cell)));
                }
            }
            let value = |var: VarId| values.iter().find(|(own, _)| *own == var).map(|(_, term)| *term);
            all.extend(inequality(&mut encoder.terms, tracked, constraint, &mut |_, var| value(var)));
        }
        possible.push(encoder.terms.and_all(&all));
    }
    Ok(encoder.terms.or_all(&possible))
}
