//! The laws of domains, once for the tests of all.

pub mod ideal;
pub mod random;

use crate::lattice::{Lattice, Thresholds};
use crate::numeric::{Comparison, Condition, Linear, Numeric};

/// Checks the laws of a lattice on all pairs of the given elements, and on triples.
pub fn check_lattice<L: Lattice>(elements: &[L]) {
    // With many elements not all triples, but each pair with some.
    let step = 1 + elements.len() / 20;
    for (i, a) in elements.iter().enumerate() {
        assert!(a.leq(a), "{a:?}");
        assert_eq!(a.join(a), *a);
        assert_eq!(a.meet(a), *a);
        assert!(a.grown(a, None).is_none());
        assert!(!(a.is_top() && a.is_bottom()), "{a:?}");
        for (j, b) in elements.iter().enumerate() {
            let (join, meet) = (a.join(b), a.meet(b));
            assert!(a.leq(&join) && b.leq(&join), "{a:?} {b:?}");
            assert!(meet.leq(a) && meet.leq(b), "{a:?} {b:?}");
            assert_eq!(join, b.join(a));
            assert_eq!(meet, b.meet(a));
            assert_eq!(a.leq(b), join == *b, "{a:?} {b:?}");
            assert_eq!(a.leq(b), meet == *a, "{a:?} {b:?}");
            assert_eq!(a.leq(b) && b.leq(a), a == b, "{a:?} {b:?}");
            assert!(!a.is_bottom() || a.leq(b), "{a:?} {b:?}");
            assert!(!b.is_top() || a.leq(b), "{a:?} {b:?}");
            assert_eq!(a.grown(b, None), (!b.leq(a)).then_some(join.clone()), "{a:?} {b:?}");
            for c in elements.iter().skip((i + j) % step).step_by(step) {
                assert_eq!(join.join(c), a.join(&b.join(c)), "{a:?} {b:?} {c:?}");
                assert!(!(a.leq(b) && b.leq(c)) || a.leq(c), "{a:?} {b:?} {c:?}");
                assert!(!(a.leq(c) && b.leq(c)) || join.leq(c), "{a:?} {b:?} {c:?}");
                assert!(!(c.leq(a) && c.leq(b)) || c.leq(&meet), "{a:?} {b:?} {c:?}");
            }
        }
    }
}

/// Checks that widening is above the join and comes to an end, and that narrowing stays between.
pub fn check_widening<L: Lattice>(elements: &[L], thresholds: &Thresholds) {
    for a in elements {
        for b in elements {
            let wide = a.widen(b, thresholds);
            assert!(a.join(b).leq(&wide), "{a:?} {b:?} {wide:?}");
            assert_eq!(a.grown(b, Some(thresholds)), (!b.leq(a)).then_some(wide.clone()), "{a:?} {b:?}");
            let narrow = wide.narrow(b);
            assert!(narrow.leq(&wide) && b.leq(&narrow), "{a:?} {b:?} {narrow:?}");
        }
        // Whatever comes, in whatever order, a chain grows a few times only.
        let (mut chain, mut steps) = (a.clone(), 0);
        for b in elements.iter().chain(elements.iter().rev()) {
            if let Some(grown) = chain.grown(b, Some(thresholds)) {
                assert!(chain.leq(&grown) && chain != grown);
                (chain, steps) = (grown, steps + 1);
            }
        }
        assert!(steps < 40, "{steps} steps from {a:?}");
    }
}

/// Variables of one width.
pub struct Space<'s, X> {
    /// Their width; small, as all points are tried.
    pub width: u32,
    /// The variables, at least two.
    pub variables: &'s [X],
}

/// All points.
pub fn points<X>(space: &Space<'_, X>) -> Vec<Vec<u64>> {
    space.variables.iter().fold(vec![Vec::new()], |points, _| {
        let longer = |p: &Vec<u64>| (0..1u64 << space.width).map(|v| [p.as_slice(), &[v]].concat()).collect::<Vec<_>>();
        points.iter().flat_map(longer).collect()
    })
}

/// Checks every operation against all points of a space.
pub fn check_numeric<D: Numeric>(elements: &[D], space: &Space<'_, D::Var>)
where
    D::Var: PartialEq,
{
    let points = points(space);
    let at =
        |point: &[u64], x: D::Var| space.variables.iter().position(|&y| y == x).map_or(0, |position| point[position]);
    let inside = |a: &D| -> Vec<bool> { points.iter().map(|p| a.contains(|x| at(p, x))).collect() };
    let linears = linears(space);
    for (i, a) in elements.iter().enumerate() {
        let members = inside(a);
        assert_eq!(a.is_bottom(), members.iter().all(|m| !m), "{a:?}");
        assert_eq!(a.is_top(), members.iter().all(|m| *m), "{a:?}");
        for b in elements.iter().skip(i % 7).step_by(7) {
            let others = inside(b);
            let (join, meet) = (inside(&a.join(b)), inside(&a.meet(b)));
            for p in 0..points.len() {
                assert!(join[p] || !(members[p] || others[p]), "{a:?} {b:?} {:?}", points[p]);
                assert_eq!(meet[p], members[p] && others[p], "{a:?} {b:?} {:?}", points[p]);
                assert!(!a.leq(b) || !members[p] || others[p], "{a:?} {b:?} {:?}", points[p]);
            }
        }
        let mine: Vec<&Vec<u64>> = points.iter().zip(&members).filter(|(_, m)| **m).map(|(p, _)| p).collect();
        for &x in space.variables {
            let projected = a.project(&[x]);
            assert!(a.leq(&projected));
            for p in &mine {
                for v in 0..1u64 << space.width {
                    assert!(projected.contains(|y| if y == x { v } else { at(p, y) }), "{a:?} {p:?}");
                }
            }
        }
        let (x, y) = (space.variables[0], space.variables[1]);
        for (j, left) in linears.iter().enumerate() {
            // In parallel: each right side has the old values.
            let right = &linears[(i + j) % linears.len()];
            let after = a.assign(&[(x, left.clone()), (y, right.clone())]);
            for p in &mine {
                let (new_x, new_y) = (left.evaluate(|z| at(p, z)), right.evaluate(|z| at(p, z)));
                let value = |z| {
                    if z == x {
                        new_x
                    } else if z == y {
                        new_y
                    } else {
                        at(p, z)
                    }
                };
                assert!(after.contains(value), "{a:?} {p:?} gives {after:?}");
            }
            for comparison in Comparison::ALL {
                let condition = Condition { comparison, left: left.clone(), right: right.clone() };
                let assumed = a.assume(&condition);
                assert!(assumed.leq(a), "{a:?} {assumed:?}");
                for p in mine.iter().filter(|p| condition.holds(|z| at(p, z))) {
                    assert!(assumed.contains(|z| at(p, z)), "{a:?} {p:?} {assumed:?}");
                }
            }
        }
    }
}

fn linears<X: Copy>(space: &Space<'_, X>) -> Vec<Linear<X>> {
    let (width, x, y) = (space.width, space.variables[0], space.variables[1]);
    let all = (1u64 << width) - 1;
    let sum = |constant, a, b| Linear { width, constant, terms: vec![(x, a), (y, b)] };
    vec![
        Linear::constant(width, 1),
        Linear::variable(width, x),
        Linear::variable(width, y),
        sum(1, 1, 1),
        sum(0, all, 1),
        sum(3 & all, 2 & all, all),
        sum(0, 2 & all, 0),
    ]
}
