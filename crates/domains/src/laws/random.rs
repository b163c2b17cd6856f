//! Domains of points modulo 2^w against all points of a small space, on random cases.

use super::{Space, points};
use crate::lattice::Thresholds;
use crate::numeric::{Comparison, Condition, Linear, Numeric};
pub use robusto_testing::{cases, tell};

use robusto_testing::Random;
use std::fmt::Debug;

/// Where a domain of points modulo 2^w claims to be exact.
#[derive(Clone, Copy)]
pub struct Exact {
    /// Projections.
    pub projections: bool,
    /// Equations.
    pub equations: bool,
}

/// Checks every operation on random elements.
pub fn check_random<D: Numeric>(what: &str, default: u64, seed: u64, top: &D, space: &Space<'_, D::Var>, exact: Exact)
where
    D::Var: PartialEq + Debug,
{
    let cases = cases(default);
    let mut random = Random::new(seed);
    let check = Check { space, points: points(space) };
    let (mut results, mut informative) = (0, 0);
    for _ in 0..cases {
        let (a, b) = (check.element(&mut random, top), check.element(&mut random, top));
        let (join, meet, wide) = (a.join(&b), a.meet(&b), a.widen(&b, &Thresholds::NONE));
        let narrow = wide.narrow(&b);
        let [mine, others, joined, met, widened, narrowed] =
            [&a, &b, &join, &meet, &wide, &narrow].map(|element| check.inside(element));
        let below = a.leq(&b);
        for (i, point) in check.points.iter().enumerate() {
            assert_eq!(met[i], mine[i] && others[i], "meet of {a:?} and {b:?} at {point:?}");
            assert!(joined[i] || !mine[i] && !others[i], "join of {a:?} and {b:?} at {point:?}");
            assert!(widened[i] || !joined[i], "{a:?} widened by {b:?} at {point:?}");
            assert!(narrowed[i] || !others[i], "{a:?} widened and narrowed by {b:?} at {point:?}");
            assert!(!below || !mine[i] || others[i], "{a:?} below {b:?} at {point:?}");
        }
        let condition = check.condition(&mut random);
        let assumed = a.assume(&condition);
        let is_exact = exact.equations && condition.comparison == Comparison::Eq;
        for ((point, &inside), after) in check.points.iter().zip(&mine).zip(check.inside(&assumed)) {
            let expected = inside && condition.holds(|x| check.at(point, x));
            let right = if is_exact { after == expected } else { after || !expected };
            assert!(right, "{a:?} {condition:?} at {point:?} gives {assumed:?}");
        }
        let assigned = check.assign(&mut random, &a, &mine);
        let projected = check.project(&mut random, &a, &mine, exact);
        for result in [&join, &meet, &wide, &assumed, &assigned, &projected] {
            results += 1;
            informative += u64::from(!result.is_top() && !result.is_bottom());
        }
    }
    tell(what, cases, results, informative);
}

struct Check<'s, X> {
    space: &'s Space<'s, X>,
    points: Vec<Vec<u64>>,
}

impl<X: Copy + PartialEq> Check<'_, X> {
    fn at(&self, point: &[u64], x: X) -> u64 {
        self.space.variables.iter().position(|&y| y == x).map_or(0, |place| point[place])
    }

    fn inside<D: Numeric<Var = X>>(&self, a: &D) -> Vec<bool> {
        self.points.iter().map(|point| a.contains(|x| self.at(point, x))).collect()
    }

    fn linear(&self, random: &mut Random) -> Linear<X> {
        let Space { width, variables } = *self.space;
        let any = |random: &mut Random| random.below(1u64 << width);
        let terms = (0..random.below(3usize)).map(|_| (random.pick(variables), any(random))).collect();
        Linear { width, constant: any(random), terms }
    }

    fn condition(&self, random: &mut Random) -> Condition<X> {
        let comparison = random.pick(&[Comparison::Eq, Comparison::Eq, random.clone().pick(&Comparison::ALL)]);
        let left = Linear::variable(self.space.width, random.pick(self.space.variables));
        Condition { comparison, left, right: self.linear(random) }
    }

    /// Some conditions, assignments and joins.
    fn element<D: Numeric<Var = X>>(&self, random: &mut Random, top: &D) -> D {
        let mut a = top.clone();
        for _ in 0..1 + random.below(4) {
            let next = match random.below(3) {
                0 => a.assign(&[(random.pick(self.space.variables), self.linear(random))]),
                _ => a.assume(&self.condition(random)),
            };
            if !next.is_bottom() || random.one_in(12) {
                a = if random.one_in(5) { a.join(&next) } else { next };
            }
        }
        a
    }

    /// A parallel assignment to one or two variables.
    fn assign<D: Numeric<Var = X>>(&self, random: &mut Random, a: &D, mine: &[bool]) -> D {
        let first = random.below(self.space.variables.len());
        let places = (0..1 + random.below(2usize)).map(|i| (first + i) % self.space.variables.len());
        let list: Vec<(X, Linear<X>)> =
            places.map(|place| (self.space.variables[place], self.linear(random))).collect();
        let after = a.assign(&list);
        for point in self.points.iter().zip(mine).filter(|(_, inside)| **inside).map(|(point, _)| point) {
            let new = |x: X| {
                let assigned = list.iter().find(|(y, _)| *y == x);
                assigned.map_or(self.at(point, x), |(_, value)| value.evaluate(|y| self.at(point, y)))
            };
            assert!(after.contains(new), "{a:?} at {point:?} gives {after:?}");
        }
        after
    }

    fn project<D: Numeric<Var = X>>(&self, random: &mut Random, a: &D, mine: &[bool], exact: Exact) -> D {
        let place = random.below(self.space.variables.len());
        let after = a.project(&[self.space.variables[place]]);
        let others = |point: &[u64]| [&point[..place], &point[place + 1..]].concat();
        let left: Vec<Vec<u64>> =
            self.points.iter().zip(mine).filter(|(_, inside)| **inside).map(|(point, _)| others(point)).collect();
        for (point, inside) in self.points.iter().zip(self.inside(&after)) {
            let expected = left.contains(&others(point));
            let right = if exact.projections { inside == expected } else { inside || !expected };
            assert!(right, "{a:?} without {place} at {point:?}: {after:?}");
        }
        after
    }
}
