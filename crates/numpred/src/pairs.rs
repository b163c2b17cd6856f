//! Sets of pairs (pᵢ, nᵢ): the values of NEX and what other structures are turned into.
//!
//! | | |
//! |---|---|
//! | C1 | no pᵢ and no nᵢ is ⊥ |
//! | C2 | nᵢ ≠ nⱼ |
//! | C3 | pᵢ ⊓ pⱼ = ⊥ |
//!
//! NEXJoin as printed gives X and X′ to several recursive calls, so that a part of them can be in the result twice with different
//! numbers, against C3. Here: all (pᵢ ⊓ p′ⱼ, nᵢ ⊔ n′ⱼ), and each side's pairs where the other side has none. The parts are
//! disjoint because the pᵢ are, and the p′ⱼ.

use crate::Halt;
use crate::domain::Base;
use crate::numbers::Numbers;
use crate::pool::{NumId, Pool};
use crate::space::Side;
use robusto_diagram::{Bdd, Diagrams, Full};
use std::collections::BTreeMap;

/// Pairs, by number.
pub type Pairs = Vec<(Bdd, NumId)>;

/// Makes C1 and C2 hold, given C3.
pub fn norm(diagrams: &Diagrams, pairs: impl IntoIterator<Item = (Bdd, NumId)>) -> Result<Pairs, Full> {
    let mut by_number: BTreeMap<NumId, Bdd> = BTreeMap::new();
    for (predicates, number) in pairs {
        if diagrams.is_false(&predicates) || number == NumId::BOTTOM {
            continue;
        }
        match by_number.get_mut(&number) {
            Some(known) => *known = diagrams.or(known, &predicates)?,
            None => {
                by_number.insert(number, predicates);
            }
        }
    }
    Ok(by_number.into_iter().map(|(number, predicates)| (predicates, number)).collect())
}

/// NEXJoin, or NEXWiden with another operation.
pub fn combine<N: Numbers>(
    base: &mut Base<N>,
    a: &Pairs,
    b: &Pairs,
    operation: fn(&mut Pool<N>, NumId, NumId) -> NumId,
) -> Result<Pairs, Halt> {
    let diagrams = &base.space.diagrams;
    let all = |pairs: &Pairs| pairs.iter().try_fold(diagrams.bottom(), |all, (p, _)| diagrams.or(&all, p));
    let (left, right) = (all(a)?, all(b)?);
    let mut result = Vec::new();
    for (p, n) in a {
        base.limits.poll()?;
        result.push((diagrams.diff(p, &right)?, *n));
        for (q, m) in b {
            let both = diagrams.and(p, q)?;
            if !diagrams.is_false(&both) {
                result.push((both, operation(&mut base.pool, *n, *m)));
            }
        }
    }
    for (q, m) in b {
        result.push((diagrams.diff(q, &left)?, *m));
    }
    Ok(norm(diagrams, result)?)
}

/// All (pᵢ ⊓ p′ⱼ, nᵢ ⊓ n′ⱼ).
pub fn meet<N: Numbers>(base: &mut Base<N>, a: &Pairs, b: &Pairs) -> Result<Pairs, Halt> {
    let diagrams = &base.space.diagrams;
    let mut result = Vec::new();
    for (p, n) in a {
        base.limits.poll()?;
        for (q, m) in b {
            let both = diagrams.and(p, q)?;
            if !diagrams.is_false(&both) {
                result.push((both, base.pool.meet(*n, *m)));
            }
        }
    }
    Ok(norm(diagrams, result)?)
}

/// (p, n) ⊑ v′ if p ⊑ ⋁ {p′ᵢ | n ⊑ n′ᵢ}, for all pairs.
pub fn leq<N: Numbers>(base: &mut Base<N>, a: &Pairs, b: &Pairs) -> Result<bool, Halt> {
    let diagrams = &base.space.diagrams;
    for (p, n) in a {
        let mut above = diagrams.bottom();
        for (q, m) in b {
            if base.pool.leq(*n, *m) {
                above = diagrams.or(&above, q)?;
            }
        }
        if !diagrams.leq(p, &above) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The join of pairs that need not be disjoint, as after a quantification or a conversion.
pub fn disjoint<N: Numbers>(base: &mut Base<N>, pairs: impl IntoIterator<Item = (Bdd, NumId)>) -> Result<Pairs, Halt> {
    let mut result = Vec::new();
    // Pairs with equal numbers first: that leaves fewer to join.
    for pair in norm(&base.space.diagrams, pairs)? {
        result = combine(base, &result, &vec![pair], Pool::join)?;
    }
    Ok(result)
}

/// The numbers after some operation on each.
pub fn map<N: Numbers>(
    base: &mut Base<N>,
    a: &Pairs,
    mut operation: impl FnMut(&mut Pool<N>, NumId) -> NumId,
) -> Result<Pairs, Halt> {
    let mut result = Vec::with_capacity(a.len());
    for (p, n) in a {
        base.limits.poll()?;
        result.push((p.clone(), operation(&mut base.pool, *n)));
    }
    Ok(norm(&base.space.diagrams, result)?)
}

/// α(γ(v)): each pair is split by each predicate that is a constraint, and its numbers restricted. What is contradictory goes.
pub fn reduce<N: Numbers>(base: &mut Base<N>, a: &Pairs) -> Result<Pairs, Halt> {
    let mut pairs = a.clone();
    for predicate in base.space.interpreted() {
        let mut split = Vec::with_capacity(2 * pairs.len());
        for value in [true, false] {
            let literal = base.space.literal(predicate, Side::Now, value)?;
            let parts = base.space.numeric(predicate, value).unwrap_or_default();
            for (p, n) in &pairs {
                base.limits.poll()?;
                let within = base.space.diagrams.and(p, &literal)?;
                if base.space.diagrams.is_false(&within) {
                    continue;
                }
                let numbers = parts.iter().fold(NumId::BOTTOM, |all, part| {
                    let part = base.pool.restrict(*n, part);
                    base.pool.join(all, part)
                });
                split.push((within, numbers));
            }
        }
        pairs = norm(&base.space.diagrams, split)?;
    }
    Ok(pairs)
}
