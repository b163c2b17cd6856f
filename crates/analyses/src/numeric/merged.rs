//! Unions of states that are states: fewer parts of a formula to check.

use robusto_cfa::ir::VarId;
use robusto_domains::{Ideal, Interval, Lattice as _, Machine};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// States with the same points, of which there are fewer where two differ in one variable only and the union of its intervals is
/// one. States with relations stay as they are.
pub fn merged<D: Ideal<Var = VarId>>(mut states: Vec<Machine<D>>) -> Vec<Machine<D>> {
    let related = |state: &Machine<D>| {
        let constraints = state.ideal().constraints();
        constraints.is_some_and(|all| all.iter().any(|c| c.sum.terms().len() > 1))
            || !state.ideal().multiples().is_empty()
    };
    if states.len() < 2 || states.iter().any(related) {
        return states;
    }
    let variables: BTreeSet<VarId> =
        states.iter().flat_map(|state| state.boxes().iter().map(|(&var, _)| var)).collect();
    for var in variables {
        states.sort_by_key(|state| state.boxes().get(&var).and_then(Interval::signed_bounds));
        let mut kept: Vec<Machine<D>> = Vec::new();
        // By what is known of the other variables, the last one that is kept: as they come in order, only that can be extended.
        let mut last: FxHashMap<Vec<(VarId, Interval)>, usize> = FxHashMap::default();
        for state in states {
            let others = state.boxes().iter().filter(|(other, _)| **other != var);
            let others: Vec<(VarId, Interval)> = others.map(|(&other, &values)| (other, values)).collect();
            let mine = state.boxes().get(&var);
            match last.get(&others).map(|&i| &mut kept[i]) {
                Some(known) if is_union(known.boxes().get(&var), mine) => *known = known.join(&state),
                _ => {
                    last.insert(others, kept.len());
                    kept.push(state);
                }
            }
        }
        states = kept;
    }
    states
}

/// Whether the join of two intervals has no other values than theirs; none stands for any value.
fn is_union(a: Option<&Interval>, b: Option<&Interval>) -> bool {
    let (Some(a), Some(b)) = (a, b) else { return true };
    let range = |x: &Interval| {
        let (lo, hi) = x.signed_bounds()?;
        let plain = Interval::signed(x.width(), lo, hi);
        (plain == *x).then_some((i128::from(lo), i128::from(hi)))
    };
    match (range(a), range(b)) {
        (Some(a), Some(b)) => a.0 <= b.1 + 1 && b.0 <= a.1 + 1,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use robusto_cfa::ir::Idx as _;
    use robusto_domains::Unrelated;
    use robusto_domains::machine::{Integer, Types};

    struct Bytes;

    impl Types for Bytes {
        fn integer(&self, _: VarId) -> Option<Integer> {
            None
        }

        fn spare(&self, number: usize) -> VarId {
            VarId::new(100 + number)
        }
    }

    fn state(bounds: [(i64, i64); 2]) -> Machine<Unrelated<VarId>> {
        bounds.into_iter().enumerate().fold(Machine::top(), |state, (i, (lo, hi))| {
            state.restrict(&Bytes, VarId::new(i), &Interval::signed(8, lo, hi))
        })
    }

    /// No point comes and none goes.
    #[test]
    fn the_points_stay() {
        let all =
            vec![state([(1, 1), (0, 5)]), state([(3, 3), (0, 5)]), state([(2, 2), (0, 5)]), state([(4, 4), (0, 4)])];
        let fewer = merged(all.clone());
        assert_eq!(fewer.len(), 2);
        for x in 0..256u64 {
            for y in 0..256u64 {
                let inside = |states: &[Machine<Unrelated<VarId>>]| {
                    states.iter().any(|s| s.contains(&Bytes, |v| if v.index() == 0 { x } else { y }))
                };
                assert_eq!(inside(&all), inside(&fewer), "{x} {y}");
            }
        }
    }

    /// 1 and 3 without 2 are no interval; even numbers and odd ones are not an interval either.
    #[test]
    fn gaps_are_not_filled() {
        assert_eq!(merged(vec![state([(1, 1), (0, 5)]), state([(3, 3), (0, 5)])]).len(), 2);
        assert_eq!(merged(vec![state([(1, 1), (0, 5)]), state([(2, 2), (0, 4)])]).len(), 2);
    }
}
