//! Octagons against enumeration.

use super::*;
use crate::ideal::Ideal;
use crate::lattice::Lattice;
use crate::laws::ideal::{Exact, check_ideal, element, octagonal};
use robusto_testing::Random;

fn at_most(constant: i128, terms: &[(usize, i128)]) -> Constraint<usize> {
    Constraint { sum: Sum::new(constant, terms.iter().copied()).expect("small numbers"), order: Order::AtMost }
}

fn octagon(constraints: &[Constraint<usize>]) -> Octagon<usize> {
    constraints.iter().fold(Octagon::top(), |octagon, constraint| octagon.assume(constraint))
}

#[test]
fn laws() {
    check_ideal::<Octagon<usize>>(1, Exact { sums: octagonal, integers: true });
}

/// Random matrices that are not closed.
fn random_matrix(random: &mut Random, dimensions: usize) -> Matrix {
    let mut matrix = Matrix::universe(dimensions);
    for (a, b) in matrix.pairs() {
        if random.one_in(3) {
            matrix.lower(a, b, i128::from(random.below(13)) - 3);
        }
    }
    matrix
}

/// The incremental closure and the closure of everything are the same, and no bound of a closed matrix can be less.
#[test]
fn closures_agree() {
    let mut random = Random::new(3);
    let (mut empty, mut more) = (0, 0);
    for _ in 0..3000 {
        let dimensions = 1 + random.below(4usize);
        let raw = random_matrix(&mut random, dimensions);
        let mut closed = raw.clone();
        let nonempty = closed.close();
        let mut grown = Matrix::universe(dimensions);
        let all = raw.pairs().all(|(a, b)| grown.add(a, b, raw.get(a, b)));
        assert_eq!(nonempty, all, "{raw:?}");
        if !nonempty {
            empty += 1;
            continue;
        }
        more += 1;
        assert_eq!(closed, grown, "{raw:?}");
        let mut again = closed.clone();
        assert!(again.close() && again == closed, "{raw:?}");
        for a in 0..closed.literals() {
            assert_eq!(closed.get(a, negated(a)), 0);
            assert!(closed.get(a, a) >= INFINITY || closed.get(a, a) % 2 == 0, "{raw:?}");
        }
    }
    assert!(empty > 100 && more > 1000, "{empty} {more}");
}

/// What is left by the reduction has the same closure, and nothing in it follows from the rest.
#[test]
fn reductions_lose_nothing() {
    let mut random = Random::new(4);
    let mut reduced_further = 0;
    for _ in 0..2000 {
        let dimensions = 1 + random.below(4usize);
        let mut closed = random_matrix(&mut random, dimensions);
        if !closed.close() {
            continue;
        }
        let (_, kept) = closed.reduced();
        let of = |places: &[(Literal, Literal)]| {
            let mut matrix = Matrix::universe(dimensions);
            places.iter().for_each(|&(a, b)| matrix.lower(a, b, closed.get(a, b)));
            assert!(matrix.close());
            matrix
        };
        assert_eq!(of(&kept), closed);
        reduced_further +=
            usize::from(kept.len() < closed.pairs().filter(|&(a, b)| closed.get(a, b) < INFINITY).count());
    }
    assert!(reduced_further > 500);
}

/// Over the integers x + y = 1 and x = y have no solution, though over the rational numbers they have.
#[test]
fn closure_is_tight() {
    let equal = |constant, terms: &[(usize, i128)]| Constraint { order: Order::Equal, ..at_most(constant, terms) };
    assert!(octagon(&[equal(-1, &[(0, 1), (1, 1)]), equal(0, &[(0, 1), (1, -1)])]).is_bottom());
    let a = octagon(&[at_most(-1, &[(0, 1), (1, 1)]), at_most(0, &[(0, 1), (1, -1)])]);
    assert_eq!(a.range(&Sum::variable(0)).and_then(|range| range.hi), Some(0));
}

#[test]
fn independent_variables_are_apart() {
    let a = octagon(&[at_most(-1, &[(0, 1)]), at_most(-5, &[(1, 1), (2, -1)]), at_most(-1, &[(7, 1)])]);
    assert_eq!(a.groups().collect::<Vec<_>>(), [&[0][..], &[1, 2], &[7]]);
    // What changes together is related.
    let point = |x, y| Octagon::top().assign(&[(0, Sum::constant(x)), (1, Sum::constant(y)), (2, Sum::constant(5))]);
    let joined = point(0, 0).join(&point(1, 1));
    assert_eq!(joined.groups().collect::<Vec<_>>(), [&[0, 1][..], &[2]]);
    assert!(!joined.contains(|x| [1, 0, 5][x]));
}

/// A loop x := x + 1, y := y + 1 from (0, 0): the relation stays, the bounds rest at a threshold and then go.
#[test]
fn widening_keeps_relations() {
    let thresholds: Thresholds = [(32, 100)].into_iter().collect();
    let mut state: Octagon<usize> = Octagon::top().assign(&[(0, Sum::constant(0)), (1, Sum::constant(0))]);
    let step = |x| (x, Sum::new(1, [(x, 1)]).expect("small numbers"));
    let mut bounds = Vec::new();
    while let Some(next) = state.grown(&state.join(&state.assign(&[step(0), step(1)])), Some(&thresholds)) {
        bounds.push(next.range(&Sum::variable(0)).expect("points").hi);
        state = next;
    }
    assert_eq!(bounds, [Some(1), Some(100), None]);
    assert_eq!(
        state.range(&Sum::new(0, [(0, 1), (1, -1)]).expect("small")).map(|r| (r.lo, r.hi)),
        Some((Some(0), Some(0)))
    );
    assert_eq!(state.range(&Sum::variable(0)).and_then(|range| range.lo), Some(0));
}

/// Bounds that are too large are given up, those of machine integers are not.
#[test]
fn large_bounds() {
    let top = Octagon::<usize>::top();
    let wide = i128::from(u64::MAX);
    let a = top.assume(&at_most(-wide, &[(0, 1)])).assume(&at_most(-wide, &[(1, 1)]));
    assert_eq!(a.range(&Sum::new(0, [(0, 1), (1, 1)]).expect("small")).and_then(|range| range.hi), Some(2 * wide));
    for huge in [i128::MAX, i128::MIN, i128::MAX / 2, LIMIT + 1, -LIMIT - 1] {
        for terms in [&[(0, 1)][..], &[(0, 1), (1, -1)], &[(0, 3), (1, -1)], &[(0, huge), (1, 7)]] {
            let b = a.assume(&at_most(huge, terms));
            assert!(b.leq(&a));
            let moved = a.assign(&[(0, Sum::new(huge, terms.iter().copied()).expect("one variable each"))]);
            assert!(!moved.is_bottom() && moved.range(&Sum::variable(0)).is_some());
        }
    }
}

/// A chain of random elements ends quickly, also where tight closure brings constraints back.
#[test]
fn chains_are_short() {
    let mut random = Random::new(9);
    for _ in 0..200 {
        let mut chain: Octagon<usize> = element(&mut random);
        let mut steps = 0;
        for _ in 0..100 {
            if let Some(next) = chain.grown(&element(&mut random), Some(&Thresholds::NONE)) {
                (chain, steps) = (next, steps + 1);
            }
        }
        assert!(steps < 24, "{steps}");
    }
}
