//! Domains of ideal integers against all points of a small box, on random cases.

use super::random::{cases, tell};
use super::{check_lattice, check_widening};
use crate::ideal::{Constraint, Ideal, Order, Sum};
use crate::lattice::Thresholds;
use robusto_testing::Random;

/// Random cases of each domain, a few seconds without optimisation; `ROBUSTO_CASES=100000` asks for more.
const CASES: u64 = 1500;

/// Coordinates of the points that are tried.
const BOX: std::ops::RangeInclusive<i128> = -3..=3;

/// Number of variables: 0, 1 and 2.
const VARIABLES: usize = 3;

/// Where a domain claims to be exact.
#[derive(Clone, Copy)]
pub struct Exact {
    /// For which sums bounds are the least, as long as operations are exact.
    pub sums: fn(&Sum<usize>) -> bool,
    /// Whether each of these bounds is attained by an integer point.
    pub integers: bool,
}

/// ±x, ±x ± y, or a constant.
pub fn octagonal(sum: &Sum<usize>) -> bool {
    sum.terms().len() <= 2 && sum.terms().iter().all(|term| term.1.abs() == 1)
}

/// Checks every operation, and the laws of the lattice.
pub fn check_ideal<D: Ideal<Var = usize>>(seed: u64, exact: Exact) {
    let cases = cases(CASES);
    let mut random = Random::new(seed);
    let check = Check { points: points(), forms: forms(&mut random), exact };
    let (mut results, mut informative) = (0, 0);
    for _ in 0..cases {
        let (a, b): (D, D) = (element(&mut random), element(&mut random));
        let mut count = |result: &D| {
            results += 1;
            informative += u64::from(!result.is_top() && !result.is_bottom());
        };
        check.binary(&a, &b, &mut count);
        let constraint = constraint(&mut random);
        count(&check.assume(&a, &constraint));
        let assignments = assignments(&mut random);
        count(&check.assign(&a, &assignments));
        count(&check.project(&a, random.below(VARIABLES)));
        check.bounds(&a);
    }
    tell(std::any::type_name::<D>(), cases, results, informative);
    let few: Vec<D> = (0..24).map(|_| element(&mut random)).chain([D::top(), D::bottom()]).collect();
    check_lattice(&few);
    let thresholds: Thresholds = [0u64, 1, 5, 100, u64::from(u32::MAX)].into_iter().map(|bits| (32, bits)).collect();
    let chain: Vec<D> = (0..60).map(|_| element(&mut random)).collect();
    check_widening(&chain, &thresholds);
    check_widening(&chain, &Thresholds::NONE);
}

struct Check {
    points: Vec<[i128; VARIABLES]>,
    forms: Vec<Sum<usize>>,
    exact: Exact,
}

impl Check {
    fn inside<D: Ideal<Var = usize>>(&self, a: &D) -> Vec<bool> {
        self.points.iter().map(|point| a.contains(|x| point[x])).collect()
    }

    fn binary<D: Ideal<Var = usize>>(&self, a: &D, b: &D, count: &mut impl FnMut(&D)) {
        let (join, meet, wide) = (a.join(b), a.meet(b), a.widen(b, &Thresholds::NONE));
        let narrow = wide.narrow(b);
        let [mine, others, joined, met, widened, narrowed] =
            [a, b, &join, &meet, &wide, &narrow].map(|element| self.inside(element));
        let below = a.leq(b);
        for (i, point) in self.points.iter().enumerate() {
            assert_eq!(met[i], mine[i] && others[i], "meet of {a:?} and {b:?} at {point:?}");
            assert!(joined[i] || !mine[i] && !others[i], "join of {a:?} and {b:?} at {point:?}");
            assert!(widened[i] || !joined[i], "{a:?} widened by {b:?} at {point:?}");
            assert!(narrowed[i] || !others[i], "{a:?} widened and narrowed by {b:?} at {point:?}");
            assert!(!below || !mine[i] || others[i], "{a:?} below {b:?} at {point:?}");
        }
        // The least upper bound: each bound is the greater one of both.
        for form in self.forms.iter().filter(|form| (self.exact.sums)(form)) {
            let ranges = [a, b].into_iter().filter_map(|element| element.range(form));
            let lo = ranges.clone().map(|range| range.lo).reduce(|a, b| a.zip(b).map(|(a, b)| a.min(b)));
            let hi = ranges.map(|range| range.hi).reduce(|a, b| a.zip(b).map(|(a, b)| a.max(b)));
            let range = join.range(form);
            assert_eq!((range.map(|r| r.lo), range.map(|r| r.hi)), (lo, hi), "{a:?} joined with {b:?}: {form:?}");
        }
        // An order on the points, where all of them are in the box.
        let (a, b) = (bounded(a), bounded(b));
        let subset = self.inside(&a).iter().zip(self.inside(&b)).all(|(mine, other)| !mine || other);
        assert!(!a.leq(&b) || subset, "{a:?} below {b:?}");
        assert!(!self.exact.integers || a.leq(&b) == subset, "{a:?} below {b:?}");
        [&join, &meet, &wide].into_iter().for_each(count);
    }

    fn assume<D: Ideal<Var = usize>>(&self, a: &D, constraint: &Constraint<usize>) -> D {
        let assumed = a.assume(constraint);
        let exact = (self.exact.sums)(&constraint.sum) && constraint.order != Order::Different;
        assert!(assumed.leq(a), "{a:?} {constraint:?} gives {assumed:?}");
        for (point, (inside, after)) in self.points.iter().zip(self.inside(a).into_iter().zip(self.inside(&assumed))) {
            let expected = inside && constraint.holds(|x| point[x]) == Some(true);
            let right = if exact { after == expected } else { after || !expected };
            assert!(right, "{a:?} {constraint:?} at {point:?} gives {assumed:?}");
        }
        assumed
    }

    fn assign<D: Ideal<Var = usize>>(&self, a: &D, assignments: &[(usize, Sum<usize>)]) -> D {
        let after = a.assign(assignments);
        let value = |x: usize| {
            let assigned = assignments.iter().find(|(y, _)| *y == x);
            assigned.map_or(Sum::variable(x), |(_, sum)| sum.clone())
        };
        for point in self.points.iter().zip(self.inside(a)).filter(|(_, inside)| *inside).map(|(point, _)| point) {
            let image = |x: usize| value(x).evaluate(|y| point[y]).expect("small numbers");
            assert!(after.contains(image), "{a:?} {assignments:?} at {point:?} gives {after:?}");
        }
        // Where the domain knows the bounds of the right sides, it has those of the result.
        for form in self.forms.iter().filter(|form| (self.exact.sums)(form)) {
            let start = Sum::constant(form.offset());
            let before = form.terms().iter().fold(start, |sum, &(x, k)| sum.plus(k, &value(x)).expect("small numbers"));
            if (self.exact.sums)(&before) && assignments.iter().all(|(_, sum)| (self.exact.sums)(sum)) {
                assert_eq!(after.range(form), a.range(&before), "{a:?} {assignments:?} gives {after:?}: {form:?}");
            }
        }
        after
    }

    fn project<D: Ideal<Var = usize>>(&self, a: &D, x: usize) -> D {
        let projected = a.project(&[x]);
        assert!(a.leq(&projected));
        for point in self.points.iter().filter(|point| a.contains(|x| point[x])) {
            for value in BOX {
                assert!(projected.contains(|y| if x == y { value } else { point[y] }), "{a:?} without {x}");
            }
        }
        for form in self.forms.iter().filter(|form| (self.exact.sums)(form)) {
            let range = projected.range(form);
            if form.terms().iter().any(|term| term.0 == x) {
                assert!(range.is_none_or(|range| range.lo.is_none() && range.hi.is_none()), "{a:?} without {x}");
            } else {
                assert_eq!(range, a.range(form), "{a:?} without {x}: {form:?}");
            }
        }
        projected
    }

    /// Bounds of sums, and the constraints.
    fn bounds<D: Ideal<Var = usize>>(&self, a: &D) {
        let constraints = a.constraints();
        for point in &self.points {
            let is_multiple = |(sum, bits): &(Sum<usize>, u32)| {
                sum.evaluate(|x| point[x]).is_some_and(|value| value.rem_euclid(1 << bits) == 0)
            };
            let satisfied = |all: &Vec<Constraint<usize>>| {
                all.iter().all(|c| c.holds(|x| point[x]) == Some(true)) && a.multiples().iter().all(is_multiple)
            };
            assert_eq!(a.contains(|x| point[x]), constraints.as_ref().is_some_and(satisfied), "{a:?} {constraints:?}");
        }
        let a = bounded(a);
        let inside = self.inside(&a);
        assert!(!a.is_bottom() || inside.iter().all(|inside| !inside), "{a:?}");
        assert!(!self.exact.integers || a.is_bottom() || inside.iter().any(|inside| *inside), "{a:?}");
        let members: Vec<_> =
            self.points.iter().zip(inside).filter(|(_, inside)| *inside).map(|(point, _)| point).collect();
        for form in &self.forms {
            let Some(range) = a.range(form) else { continue };
            let (lo, hi) = (range.lo.expect("bounded"), range.hi.expect("bounded"));
            let values = members.iter().map(|point| form.evaluate(|x| point[x]).expect("small numbers"));
            assert!(values.clone().all(|value| lo <= value && value <= hi), "{a:?} {form:?}");
            if self.exact.integers && (self.exact.sums)(form) {
                assert_eq!((values.clone().min(), values.max()), (Some(lo), Some(hi)), "{a:?} {form:?}");
            }
        }
    }
}

/// What is in the box.
fn bounded<D: Ideal<Var = usize>>(a: &D) -> D {
    let bounds = (0..VARIABLES).flat_map(|x| [(x, 1, -BOX.end()), (x, -1, *BOX.start())]);
    bounds.fold(a.clone(), |a, (x, sign, constant)| {
        let sum = Sum::new(constant, [(x, sign)]).expect("small numbers");
        a.assume(&Constraint { sum, order: Order::AtMost })
    })
}

fn points() -> Vec<[i128; VARIABLES]> {
    BOX.flat_map(|x| BOX.flat_map(move |y| BOX.map(move |z| [x, y, z]))).collect()
}

/// All octagonal sums, and some others.
fn forms(random: &mut Random) -> Vec<Sum<usize>> {
    let all = (-1..=1).flat_map(|a| (-1..=1).flat_map(move |b| (-1..=1).map(move |c| [a, b, c])));
    let small = all.map(|signs| Sum::new(0, signs.into_iter().enumerate()).expect("small numbers"));
    small.chain((0..8).map(|_| sum(random))).collect()
}

fn coefficient(random: &mut Random) -> i128 {
    random.pick(&[-2, -1, -1, -1, 0, 1, 1, 1, 2, 3])
}

fn sum(random: &mut Random) -> Sum<usize> {
    let terms: Vec<(usize, i128)> = (0..1 + random.below(2 + random.clone().below(2)))
        .map(|_| (random.below(VARIABLES), coefficient(random)))
        .collect();
    Sum::new(i128::from(random.below(9)) - 5, terms).expect("small numbers")
}

fn constraint(random: &mut Random) -> Constraint<usize> {
    let order = random.pick(&[Order::AtMost, Order::AtMost, Order::AtMost, Order::Equal, Order::Different]);
    Constraint { sum: sum(random), order }
}

fn assignments(random: &mut Random) -> Vec<(usize, Sum<usize>)> {
    let first = random.below(VARIABLES);
    let variables = (0..1 + random.below(2usize)).map(|i| (first + i) % VARIABLES);
    variables.collect::<Vec<_>>().into_iter().map(|x| (x, sum(random))).collect()
}

/// Some conditions, of which the first ones bound variables, an assignment or a join.
pub fn element<D: Ideal<Var = usize>>(random: &mut Random) -> D {
    let mut a = D::top();
    for _ in 0..1 + random.below(5) {
        let next = a.assume(&constraint(random));
        if !next.is_bottom() || random.one_in(12) {
            a = next;
        }
    }
    match random.below(4) {
        0 => a.assign(&assignments(random)),
        1 => a.join(&a.assume(&constraint(random)).assign(&assignments(random))),
        _ => a,
    }
}
