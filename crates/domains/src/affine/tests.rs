//! The affine hull against enumeration.

use super::*;
use crate::laws::random::{Exact, check_random};
use crate::laws::{Space, check_lattice, check_numeric, check_widening, points};
use robusto_testing::Random;

fn hull(width: u32, points: &[&[u64]]) -> Affine {
    points.iter().fold(Affine::bottom(width, points[0].len()), |hull, point| hull.join(&Affine::point(width, point)))
}

#[test]
fn inverses() {
    for odd in (1..1000u64).step_by(2).chain([u64::MAX, 0x1234_5678_9abc_def1]) {
        assert_eq!(odd.wrapping_mul(inverse(odd)), 1);
    }
}

/// All points of three small variables, against all vectors of coefficients.
#[test]
fn against_enumeration() {
    const WIDTH: u32 = 2;
    const SIZE: u64 = 1 << WIDTH;
    let all: Vec<[u64; 3]> = (0..SIZE.pow(3)).map(|i| [i % SIZE, i / SIZE % SIZE, i / SIZE / SIZE]).collect();
    let vectors: Vec<[u64; 4]> = all.iter().flat_map(|p| (0..SIZE).map(|c| [c, p[0], p[1], p[2]])).collect();
    let satisfies = |a: &[u64; 4], p: &[u64; 3]| (a[0] + a[1] * p[0] + a[2] * p[1] + a[3] * p[2]).is_multiple_of(SIZE);
    let mut random = Random::new(1);
    for _ in 0..500 {
        let chosen: Vec<[u64; 3]> = (0..1 + random.below(5)).map(|_| random.pick(&all)).collect();
        let points: Vec<&[u64]> = chosen.iter().map(|p| p.as_slice()).collect();
        let relations = hull(WIDTH, &points).relations();
        let valid: Vec<_> = vectors.iter().filter(|a| chosen.iter().all(|p| satisfies(a, p))).collect();
        for p in &all {
            let expected = valid.iter().all(|a| satisfies(a, p));
            assert_eq!(relations.iter().all(|r| r.holds(p)), expected, "{chosen:?} {p:?} {relations:?}");
        }
    }
}

#[test]
fn relations_are_readable() {
    // x + y = 10, both anything else.
    let relations = hull(32, &[&[0, 10, 7], &[3, 7, 1], &[u64::MAX, 11, 124]]).relations();
    assert_eq!(relations.len(), 1, "{relations:?}");
    assert_eq!(relations[0], Relation { width: 32, constant: u64::from(-10i32 as u32), coefficients: vec![1, 1, 0] });
    // 3x = 5y + 1.
    let relations = hull(32, &[&[2, 1], &[7, 4], &[12, 7]]).relations();
    let [relation] = &relations[..] else { panic!("{relations:?}") };
    let signed: Vec<i32> = relation.coefficients.iter().map(|&c| c as i32).collect();
    assert!(signed == [3, -5] || signed == [-3, 5], "{relation:?}");
    // Even numbers.
    let relations = hull(32, &[&[2], &[4], &[14]]).relations();
    assert_eq!(relations, [Relation { width: 1, constant: 0, coefficients: vec![1] }]);
}

#[test]
fn nothing_satisfies_bottom() {
    let bottom = Affine::bottom(8, 1);
    assert!((0..256).all(|x| !bottom.relations().iter().all(|r| r.holds(&[x]))));
}

/// Every hull of points.
fn all(width: u32, dimensions: usize) -> Vec<Affine> {
    let variables: Vec<usize> = (0..dimensions).collect();
    let points = points(&Space { width, variables: &variables });
    let mut hulls = vec![Affine::bottom(width, dimensions)];
    let mut next = 0;
    while let Some(hull) = hulls.get(next).cloned() {
        next += 1;
        for point in &points {
            let larger = hull.join(&Affine::point(width, point));
            if !hulls.contains(&larger) {
                hulls.push(larger);
            }
        }
    }
    hulls
}

#[test]
fn laws() {
    // Cosets of the subgroups, and nothing.
    assert_eq!(all(2, 2).len(), 16 + 3 * 8 + 7 * 4 + 3 * 2 + 1 + 1);
    for (width, dimensions) in [(1, 3), (2, 2), (3, 1)] {
        let hulls = all(width, dimensions);
        check_lattice(&hulls);
        check_widening(&hulls, &Thresholds::NONE);
        assert_eq!(hulls.iter().filter(|hull| hull.is_top()).count(), 1);
        assert_eq!(hulls.iter().find(|hull| hull.is_top()), Some(&Affine::top(width, dimensions)));
    }
    check_numeric(&all(2, 2), &Space { width: 2, variables: &[0, 1] });
}

#[test]
fn operations_agree_with_points() {
    let space = Space { width: 2, variables: &[0, 1, 2] };
    check_random("Affine", 1500, 5, &Affine::top(2, 3), &space, Exact { projections: true, equations: true });
}

/// Meets, projections, assignments and equations have no point too many.
#[test]
fn exactness() {
    let space = Space { width: 2, variables: &[0, 1] };
    let (hulls, points) = (all(2, 2), points(&space));
    let members = |hull: &Affine| -> Vec<&Vec<u64>> { points.iter().filter(|p| hull.contains(|x| p[x])).collect() };
    let sum = Linear { width: 2, constant: 1, terms: vec![(0, 2), (1, 3)] };
    let equation = Condition { comparison: Comparison::Eq, left: sum.clone(), right: Linear::variable(2, 0) };
    for a in &hulls {
        let inside = members(a);
        assert_eq!(members(&a.project(&[1])).len(), 4 * (0..4).filter(|&v| inside.iter().any(|p| p[0] == v)).count());
        let mut image: Vec<(u64, u64)> = inside.iter().map(|p| (sum.evaluate(|x| p[x]), p[0])).collect();
        image.sort_unstable();
        image.dedup();
        let swapped = [(0, sum.clone()), (1, Linear::variable(2, 0))];
        assert_eq!(members(&a.assign(&swapped)).len(), image.len());
        let solutions = inside.iter().filter(|p| equation.holds(|x| p[x])).count();
        assert_eq!(members(&a.assume(&equation)).len(), solutions);
        for b in &hulls {
            let common = inside.iter().filter(|p| b.contains(|x| p[x])).count();
            assert_eq!(members(&a.meet(b)).len(), common, "{a:?} {b:?}");
        }
    }
}
