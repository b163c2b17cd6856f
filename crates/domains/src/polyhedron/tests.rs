//! Polyhedra against enumeration.

use super::*;
use crate::ideal::Ideal;
use crate::lattice::Lattice;
use crate::laws::ideal::{Exact, check_ideal, element};
use robusto_testing::Random;

fn sum(constant: i128, terms: &[(usize, i128)]) -> Sum<usize> {
    Sum::new(constant, terms.iter().copied()).expect("small numbers")
}

fn at_most(constant: i128, terms: &[(usize, i128)]) -> Constraint<usize> {
    Constraint { sum: sum(constant, terms), order: Order::AtMost }
}

fn polyhedron(constraints: &[Constraint<usize>]) -> Polyhedron<usize> {
    constraints.iter().fold(Polyhedron::top(), |polyhedron, constraint| polyhedron.assume(constraint))
}

fn point(coordinates: &[i128]) -> Polyhedron<usize> {
    let assignments: Vec<_> = coordinates.iter().map(|c| Sum::constant(*c)).enumerate().collect();
    Polyhedron::top().assign(&assignments)
}

#[test]
fn laws() {
    check_ideal::<Polyhedron<usize>>(2, Exact { sums: |_| true, integers: false });
}

#[test]
fn hull_of_points() {
    let triangle = point(&[0, 0]).join(&point(&[4, 0])).join(&point(&[0, 2]));
    let mut constraints = triangle.constraints().expect("points");
    constraints.sort_by_key(|constraint| constraint.sum.terms().len());
    assert_eq!(constraints.len(), 3);
    assert_eq!(constraints[2], at_most(-4, &[(0, 1), (1, 2)]));
    assert!(triangle.contains(|x| [2, 1][x]) && !triangle.contains(|x| [3, 1][x]));
}

/// x + y = 0 and x - y = 1 have a rational solution, but no integer one.
#[test]
fn no_integer_solution() {
    let equal = |constant, terms: &[(usize, i128)]| Constraint { order: Order::Equal, ..at_most(constant, terms) };
    let a = polyhedron(&[equal(0, &[(0, 1), (1, 1)])]);
    let b = polyhedron(&[equal(-1, &[(0, 1), (1, -1)])]);
    assert!(!a.is_bottom() && !b.is_bottom() && a.meet(&b).is_bottom());
    // A condition is rounded: 2x ≤ 5.
    assert_eq!(polyhedron(&[at_most(-5, &[(0, 2)])]), polyhedron(&[at_most(-2, &[(0, 1)])]));
}

#[test]
fn independent_variables_are_apart() {
    let a = polyhedron(&[at_most(-1, &[(0, 1)]), at_most(-5, &[(1, 1), (2, -3)]), at_most(-1, &[(7, 1)])]);
    assert_eq!(a.groups().collect::<Vec<_>>(), [&[0][..], &[1, 2], &[7]]);
    // An equation in disguise does not relate what is independent: x + y = 3 and x = 1.
    let equal = |constant, terms: &[(usize, i128)]| Constraint { order: Order::Equal, ..at_most(constant, terms) };
    let b = polyhedron(&[equal(-3, &[(0, 1), (1, 1)]), equal(-1, &[(0, 1)])]);
    assert_eq!(b.groups().collect::<Vec<_>>(), [&[0][..], &[1]]);
    // The assigned variable leaves its group and joins that of the right side.
    let moved = a.assign(&[(1, sum(1, &[(0, 2)]))]);
    assert_eq!(moved.settled().groups().collect::<Vec<_>>(), [&[0, 1][..], &[7]]);
    assert_eq!(moved.range(&sum(0, &[(1, 1), (0, -2)])).map(|range| (range.lo, range.hi)), Some((Some(1), Some(1))));
}

/// i := i + 2, j := j + 1 from (0, 0), or i := i + 4 (Cousot, Halbwachs 1978): 2j ≤ i stays.
#[test]
fn widening_finds_relations() {
    let mut state = point(&[0, 0]);
    let mut steps = 0;
    loop {
        let one = state.assign(&[(0, sum(2, &[(0, 1)])), (1, sum(1, &[(1, 1)]))]);
        let other = state.assign(&[(0, sum(4, &[(0, 1)]))]);
        let Some(next) = state.grown(&one.join(&other), Some(&Thresholds::NONE)) else { break };
        (state, steps) = (next, steps + 1);
    }
    assert!(steps <= 4, "{steps}");
    assert_eq!(state, polyhedron(&[at_most(0, &[(1, 2), (0, -1)]), at_most(0, &[(1, -1)])]));
}

/// With thresholds a bound rests there.
#[test]
fn widening_rests_at_thresholds() {
    let thresholds: Thresholds = [(32, 100)].into_iter().collect();
    let mut state = point(&[0, 0]);
    let mut bounds = Vec::new();
    loop {
        let next = state.assign(&[(0, sum(1, &[(0, 1)])), (1, sum(3, &[(1, 1)]))]);
        let Some(next) = state.grown(&state.join(&next), Some(&thresholds)) else { break };
        bounds.push(next.range(&Sum::variable(1)).expect("points").hi);
        state = next;
    }
    assert_eq!(bounds.last(), Some(&None));
    assert!(bounds.contains(&Some(100)), "{bounds:?}");
    assert!(bounds.len() <= 5, "{bounds:?}");
    assert_eq!(state.range(&sum(0, &[(0, 3), (1, -1)])).map(|range| (range.lo, range.hi)), Some((Some(0), Some(0))));
}

/// Numbers that need more than 64 bits: the same results, only slower, and small ones again when they suffice.
#[test]
fn large_numbers() {
    let mut random = Random::new(5);
    let mut big = 0;
    for _ in 0..60 {
        let mut coordinate = || i128::from(random.bits() >> 2) - (1 << 61);
        let points: Vec<[i128; 3]> = (0..5).map(|_| [coordinate(), coordinate(), coordinate()]).collect();
        let hull = points.iter().fold(Polyhedron::bottom(), |hull, p| hull.join(&point(p)));
        assert!(points.iter().all(|p| hull.contains(|x| p[x])));
        for x in 0..3 {
            let range = hull.range(&Sum::variable(x)).expect("points");
            assert_eq!(range.hi, points.iter().map(|p| p[x]).max());
            assert_eq!(range.lo, points.iter().map(|p| p[x]).min());
        }
        let beyond = hull.range(&sum(0, &[(0, 3), (1, -2), (2, 1)])).expect("points");
        let values = points.iter().map(|p| 3 * p[0] - 2 * p[1] + p[2]);
        assert_eq!((beyond.lo, beyond.hi), (values.clone().min(), values.max()));
        let part = |form: &Convex| usize::from(matches!(form.form().as_ref(), Either::Big(_)));
        big += hull.blocks().map(part).sum::<usize>();
        let line = hull.assign(&[(0, Sum::constant(1)), (2, Sum::constant(2))]);
        assert!(line.blocks().all(|block| part(block) == 0));
        let small = line.assume(&at_most(-1, &[(1, 1)]));
        assert!(small.is_bottom() || small.leq(&line));
    }
    assert!(big > 30, "{big}");
}

/// A chain of random elements ends quickly.
#[test]
fn chains_are_short() {
    let mut random = Random::new(9);
    for _ in 0..100 {
        let mut chain: Polyhedron<usize> = element(&mut random);
        let mut steps = 0;
        for _ in 0..60 {
            if let Some(next) = chain.grown(&element(&mut random), Some(&Thresholds::NONE)) {
                (chain, steps) = (next, steps + 1);
            }
        }
        assert!(steps < 24, "{steps}");
    }
}

/// Long numbers are given up with what they say; what short ones say stays.
#[test]
fn long_numbers_are_given_up() {
    let short = polyhedron(&[at_most(-5, &[(0, 1), (1, 1)])]);
    assert!(!short.is_long());
    let long = short.assume(&at_most(1, &[(0, 1 << 70), (1, -(1 << 69) + 1)]));
    assert!(long.is_long());
    let shortened = long.clone().shortened();
    assert!(long.leq(&shortened) && shortened.leq(&short) && short.leq(&shortened));
}
