//! Unit absorption: x ∧ f = x ∧ f[x := true], and dually for ∨, at the top of each interpolant.
//!
//! McMillan's rules often leave a conjunction of literals with a large rest that repeats them. The literals among the
//! conjuncts of a root are set in the other conjuncts until no new literal appears; within each remaining conjunct the
//! same is done with its disjuncts. Deeper levels are left alone: there a node has several parents, and what holds
//! in one context need not hold in the other.

use rustc_hash::{FxHashMap, FxHashSet};

use super::dag::Dag;
use crate::blast::aig::Lit;

/// Gates visited at most for one sequence. Functions beyond are no candidates for predicates anyway.
const BUDGET: usize = 200_000;
/// Alternations of conjunction and disjunction.
const DEPTH: u32 = 2;

/// Replaces the functions by equivalent, usually smaller ones.
pub(super) fn absorb(dag: &mut Dag, roots: &mut [Lit]) {
    let mut budget = BUDGET;
    for root in roots {
        *root = conjunction(dag, *root, DEPTH, &mut budget);
    }
}

/// Rewrites the conjuncts of `root`, alternating with their disjuncts `depth` levels down.
fn conjunction(dag: &mut Dag, root: Lit, depth: u32, budget: &mut usize) -> Lit {
    let mut units: FxHashMap<i32, bool> = FxHashMap::default();
    let mut literals = Vec::new();
    let mut rest = Vec::new();
    let mut pending = vec![root];
    while !pending.is_empty() {
        let cost = dag.size(&pending);
        if cost > *budget {
            *budget = 0;
            return root;
        }
        *budget -= cost;
        let known = units.len();
        for conjunct in conjuncts(dag, &std::mem::take(&mut pending)) {
            match dag.as_literal(conjunct) {
                Some(l) => match units.insert(l.abs(), l > 0) {
                    Some(value) if value != (l > 0) => return Lit::FALSE,
                    Some(_) => {}
                    None => literals.push(conjunct),
                },
                None if conjunct == Lit::FALSE => return Lit::FALSE,
                None if conjunct == Lit::TRUE => {}
                None => rest.push(conjunct),
            }
        }
        if units.len() > known && !rest.is_empty() {
            pending = dag.assign(&rest, &units);
            rest.clear();
        }
    }
    if depth > 0 {
        rest.iter_mut().for_each(|r| *r = !conjunction(dag, !*r, depth - 1, budget));
    }
    rest.into_iter().chain(literals).fold(Lit::TRUE, |all, part| dag.aig.and(all, part))
}

/// The operands of trees of conjunctions, each once, in the order of a walk from the left.
pub(super) fn conjuncts(dag: &Dag, roots: &[Lit]) -> Vec<Lit> {
    let mut result = Vec::new();
    let mut seen: FxHashSet<Lit> = FxHashSet::default();
    let mut stack: Vec<Lit> = roots.iter().rev().copied().collect();
    while let Some(function) = stack.pop() {
        if !seen.insert(function) {
            continue;
        }
        match dag.aig.conjunction(function.node()) {
            Some((a, b)) if !function.is_negated() => stack.extend([b, a]),
            _ => result.push(function),
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_set_in_the_rest() {
        let mut dag = Dag::new();
        let x = dag.literal(1);
        // x ∧ (¬x ∨ y) ∧ (¬y ∨ (x ∧ z) ∨ w) = x ∧ y ∧ (z ∨ w)
        let (first, z, w) = (dag.clause([-1, 2]), dag.literal(3), dag.literal(4));
        let xz = dag.aig.and(x, z);
        let tail = dag.aig.or(xz, w);
        let y = dag.literal(2);
        let second = dag.aig.or(!y, tail);
        let both = dag.aig.and(first, second);
        let mut roots = [dag.aig.and(both, x)];
        absorb(&mut dag, &mut roots);
        let zw = dag.aig.or(z, w);
        let expected: FxHashSet<Lit> = [x, y, zw].into_iter().collect();
        assert_eq!(conjuncts(&dag, &roots).into_iter().collect::<FxHashSet<_>>(), expected);
        let mut contradiction = [dag.clause([1, 2]), !x, !y].into_iter().fold(Lit::TRUE, |a, b| dag.aig.and(a, b));
        absorb(&mut dag, std::slice::from_mut(&mut contradiction));
        assert_eq!(contradiction, Lit::FALSE);
    }
}
