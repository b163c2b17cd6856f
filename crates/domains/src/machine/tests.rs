use super::*;
use crate::laws::random::{cases, tell};
use crate::laws::{check_lattice, check_widening};
use crate::{Equations, Octagon, Polyhedron, Ranges};
use robusto_cfa::ir::{BinOp, CastOp, DataModel, Expr, ExprId, ExprPool, Idx as _, Ty, UnOp, fold};
use robusto_testing::Random;

/// Random cases of each domain, unless `ROBUSTO_CASES` says another number.
const CASES: u64 = 500;

/// Variables 0 to 2, of 3 bits.
const VARIABLES: usize = 3;
const WIDTH: u8 = 3;

/// The second one is unsigned.
struct Mixed(u32);

impl Types for Mixed {
    fn integer(&self, var: VarId) -> Option<Integer> {
        (var.index() < 100).then_some(Integer { width: self.0, signed: var.index() != 1 })
    }

    fn spare(&self, number: usize) -> VarId {
        VarId::new(100 + number)
    }
}

const MIXED: Mixed = Mixed(WIDTH as u32);

fn pool(width: u8) -> ExprPool {
    let mut pool = ExprPool::new(DataModel::Lp64);
    (0..VARIABLES).for_each(|i| pool.declare(VarId::new(i), Ty::Int(width)));
    pool
}

/// The value of an expression at a point.
fn evaluate(pool: &ExprPool, id: ExprId, point: &[u64]) -> u64 {
    let bits = |id: ExprId| pool.ty(id).bits(pool.model());
    let value = |id| evaluate(pool, id, point);
    match pool.get(id) {
        Expr::Const(_, bits) => bits,
        Expr::Var(var) => point[var.index()],
        Expr::Unary(op, x) => fold::mask(bits(x), fold::unary(op, pool.ty(x), value(x))),
        Expr::Binary(op, x, y) => fold::binary(op, pool.ty(x), bits(x), value(x), value(y)),
        Expr::Cast(op, to, x) => fold::cast(op, pool.ty(x), to, pool.model(), value(x)),
        other => unreachable!("{other:?} is not made here"),
    }
}

/// A random expression of a width.
fn expression(random: &mut Random, pool: &mut ExprPool, width: u8, depth: u32) -> ExprId {
    use BinOp::*;
    if depth == 0 || random.one_in(6) {
        return match random.below(3) {
            0 => pool.int(width, random.below(1u64 << width).into()),
            _ => {
                let x = pool.var(VarId::new(random.below(VARIABLES)));
                let signed = random.one_in(2);
                pool.resize(x, signed, width)
            }
        };
    }
    match random.below(10) {
        0 => {
            let x = expression(random, pool, width, depth - 1);
            pool.unary(random.pick(&[UnOp::Neg, UnOp::Not]), x)
        }
        1 if width > 1 => {
            let narrow = expression(random, pool, width - 1, depth - 1);
            pool.cast(random.pick(&[CastOp::ZExt, CastOp::SExt]), Ty::Int(width), narrow)
        }
        2 => {
            let wide = expression(random, pool, width + 1, depth - 1);
            pool.cast(CastOp::Trunc, Ty::Int(width), wide)
        }
        3 => {
            let (x, c) = (expression(random, pool, width, depth - 1), random.below(1u64 << width));
            let c = pool.int(width, c.into());
            pool.binary(random.pick(&[UDiv, SDiv, URem, SRem, LShr, AShr, And, Shl, Mul]), x, c)
        }
        other => {
            let (x, y) = (expression(random, pool, width, depth - 1), expression(random, pool, width, depth - 1));
            let op = if other < 8 { random.pick(&[Add, Sub]) } else { random.pick(&[Mul, And, Or, Xor, UDiv, SRem]) };
            pool.binary(op, x, y)
        }
    }
}

/// A random condition.
fn condition(random: &mut Random, pool: &mut ExprPool) -> ExprId {
    use BinOp::*;
    let mut compare = |random: &mut Random| {
        let width = random.pick(&[WIDTH, WIDTH, WIDTH + 1]);
        let (x, y) = (expression(random, pool, width, 2), expression(random, pool, width, 1));
        pool.binary(random.pick(&[Eq, Ne, ULt, ULe, SLt, SLe]), x, y)
    };
    let first = compare(random);
    match random.below(5) {
        0 => {
            let second = compare(random);
            pool.binary(random.pick(&[And, Or]), first, second)
        }
        1 => pool.unary(UnOp::Not, first),
        _ => first,
    }
}

fn points() -> Vec<[u64; VARIABLES]> {
    let values = 0..1u64 << WIDTH;
    values.clone().flat_map(|x| values.clone().flat_map(move |y| (0..8).map(move |z| [x, y, z]))).collect()
}

fn assignments(random: &mut Random, pool: &mut ExprPool) -> Vec<(VarId, Source)> {
    let first = random.below(VARIABLES);
    let count = 1 + random.below(2usize);
    let source = |random: &mut Random, pool: &mut ExprPool| match random.below(8) {
        0 => Source::Anything,
        1 => Source::Within(Interval::unsigned(WIDTH.into(), random.below(4), 2 + random.below(6u64))),
        _ => Source::Value(expression(random, pool, WIDTH, 3)),
    };
    (0..count).map(|i| (VarId::new((first + i) % VARIABLES), source(random, pool))).collect()
}

fn element<D: Ideal<Var = VarId>>(random: &mut Random, pool: &mut ExprPool) -> Machine<D> {
    let mut a = Machine::top();
    for _ in 0..1 + random.below(4) {
        let next = match random.below(3) {
            0 => {
                let list = assignments(random, pool);
                a.assign(pool, &MIXED, &list)
            }
            _ => {
                let cond = condition(random, pool);
                a.assume(pool, &MIXED, cond, true)
            }
        };
        if !next.is_bottom() || random.one_in(12) {
            a = if random.one_in(4) { a.join(&next) } else { next };
        }
    }
    a
}

/// Every operation keeps every point that it has to keep, and says something.
fn check<D: Ideal<Var = VarId>>(seed: u64) {
    let cases = cases(CASES);
    let mut random = Random::new(seed);
    let points = points();
    let (mut results, mut informative, mut exact) = (0, 0, 0u32);
    for _ in 0..cases {
        let mut pool = pool(WIDTH);
        let (a, b): (Machine<D>, Machine<D>) = (element(&mut random, &mut pool), element(&mut random, &mut pool));
        let inside = |a: &Machine<D>, p: &[u64]| a.contains(&MIXED, |x| p[x.index()]);
        let mine: Vec<&[u64; VARIABLES]> = points.iter().filter(|p| inside(&a, &p[..])).collect();
        let cond = condition(&mut random, &mut pool);
        let truth = random.one_in(2);
        let assumed = a.assume(&pool, &MIXED, cond, truth);
        let list = assignments(&mut random, &mut pool);
        let assigned = a.assign(&pool, &MIXED, &list);
        let e = expression(&mut random, &mut pool, WIDTH, 3);
        let range = a.range(&pool, &MIXED, e).expect("a tracked type");
        let ty = Integer { width: WIDTH.into(), signed: random.one_in(2) };
        let term = a.term(&pool, &MIXED, e, ty);
        exact += u32::from(term.is_some());
        let x = VarId::new(random.below(VARIABLES));
        let forgotten = a.forget(&[x]);
        assert!(a.leq(&forgotten));
        for p in &mine {
            if evaluate(&pool, cond, &p[..]) == u64::from(truth) {
                assert!(inside(&assumed, &p[..]), "{a:?} assuming {cond:?} {truth} of {pool:?} at {p:?}: {assumed:?}");
            }
            let value = evaluate(&pool, e, &p[..]);
            assert!(range.contains(value), "{a:?} range of {e:?} in {pool:?} at {p:?}: {range:?}");
            if let Some(sum) = &term {
                let integer = |x: VarId| MIXED.integer(x).expect("a variable").of_bits(p[x.index()]);
                assert_eq!(sum.evaluate(integer), Some(ty.of_bits(value)), "{a:?} term of {e:?} in {pool:?} at {p:?}");
            }
            // All results of nondeterministic sources.
            let mut after = vec![p.to_vec()];
            for (var, source) in &list {
                let values: Vec<u64> = match source {
                    Source::Value(e) => vec![evaluate(&pool, *e, &p[..])],
                    Source::Within(interval) => (0..8).filter(|&v| interval.contains(v)).collect(),
                    Source::Anything => (0..8).collect(),
                };
                after = after
                    .into_iter()
                    .flat_map(|q| {
                        values.iter().map(move |&v| {
                            let mut q = q.clone();
                            q[var.index()] = v;
                            q
                        })
                    })
                    .collect();
            }
            for q in after {
                assert!(inside(&assigned, &q), "{a:?} {list:?} of {pool:?} at {p:?} to {q:?}: {assigned:?}");
            }
            for v in 0..8 {
                assert!(inside(
                    &forgotten,
                    &std::array::from_fn::<u64, VARIABLES, _>(|i| if i == x.index() { v } else { p[i] })
                ));
            }
        }
        let (join, meet, wide) = (a.join(&b), a.meet(&b), a.widen(&b, &Thresholds::NONE));
        for p in &points {
            let (in_a, in_b) = (inside(&a, p), inside(&b, p));
            assert!(inside(&join, p) || !(in_a || in_b));
            assert!(inside(&wide, p) || !(in_a || in_b));
            assert_eq!(inside(&meet, p), in_a && in_b);
            assert!(!a.leq(&b) || !in_a || in_b);
        }
        for result in [&assumed, &assigned, &join, &meet, &wide, &forgotten] {
            results += 1;
            informative += u64::from(!result.is_top() && !result.is_bottom());
        }
    }
    tell(std::any::type_name::<Machine<D>>(), cases, results, informative);
    assert!(u64::from(exact) * 20 >= cases, "{exact} terms of {cases}");
    let mut pool = pool(WIDTH);
    let mut few = |count: usize| -> Vec<Machine<D>> { (0..count).map(|_| element(&mut random, &mut pool)).collect() };
    let elements: Vec<Machine<D>> = few(20).into_iter().chain([Machine::top(), Machine::bottom()]).collect();
    check_lattice(&elements);
    let thresholds: Thresholds = [(3, 1), (3, 5)].into_iter().collect();
    check_widening(&few(30), &thresholds);
    check_widening(&few(30), &Thresholds::NONE);
}

#[test]
fn octagons_of_machine_integers() {
    check::<Octagon<VarId>>(1);
}

#[test]
fn ranges_of_machine_integers() {
    check::<Ranges<VarId>>(3);
}

#[test]
fn equations_of_machine_integers() {
    check::<Equations<VarId>>(4);
}

#[test]
fn polyhedra_of_machine_integers() {
    check::<Polyhedron<VarId>>(2);
}

/// Bytes: the variables 0 and 2 are signed, 1 is unsigned.
struct Bytes<D = Octagon<VarId>> {
    pool: ExprPool,
    state: Machine<D>,
}

const BYTES: Mixed = Mixed(8);

impl<D: Ideal<Var = VarId>> Bytes<D> {
    fn new() -> Self {
        Self { pool: pool(8), state: Machine::top() }
    }

    fn x(&mut self, i: usize) -> ExprId {
        self.pool.var(VarId::new(i))
    }

    fn binary(&mut self, op: BinOp, x: ExprId, c: i128) -> ExprId {
        let c = self.pool.int(8, c);
        self.pool.binary(op, x, c)
    }

    fn assume(&mut self, op: BinOp, x: usize, c: i128) {
        let x = self.x(x);
        let cond = self.binary(op, x, c);
        self.state = self.state.assume(&self.pool, &BYTES, cond, true);
    }

    fn assign(&mut self, x: usize, value: ExprId) {
        self.state = self.state.assign(&self.pool, &BYTES, &[(VarId::new(x), Source::Value(value))]);
    }

    /// Bounds of x - y as integers.
    fn difference(&self, x: usize, y: usize) -> Option<(i128, i128)> {
        let range = self.state.ideal().range(&crate::Sum::new(0, [(VarId::new(x), 1), (VarId::new(y), -1)])?)?;
        Some((range.lo?, range.hi?))
    }

    fn bounds(&self, x: usize) -> Option<(i64, i64)> {
        self.state.boxes().get(&VarId::new(x))?.signed_bounds()
    }
}

/// Where nothing overflows, y := x + 1 is exact; where it may, the two periods are joined.
#[test]
fn assignments_are_exact_in_range_and_split_by_period() {
    let mut bytes = <Bytes>::new();
    bytes.assume(BinOp::SLe, 0, 126);
    let x = bytes.x(0);
    let next = bytes.binary(BinOp::Add, x, 1);
    bytes.assign(2, next);
    assert_eq!(bytes.difference(2, 0), Some((1, 1)));
    let mut bytes = <Bytes>::new();
    let x = bytes.x(0);
    let next = bytes.binary(BinOp::Add, x, 1);
    bytes.assign(2, next);
    assert_eq!(bytes.difference(2, 0), Some((1 - 256, 1)));
    assert!(bytes.state.contains(&BYTES, |v| [127, 0, 128][v.index()]));
}

/// x + 1 < x has a solution modulo 2^w, and only that one.
#[test]
fn sums_that_wrap_around_satisfy_conditions() {
    let mut bytes = <Bytes>::new();
    let x = bytes.x(0);
    let next = bytes.binary(BinOp::Add, x, 1);
    let cond = bytes.pool.binary(BinOp::SLt, next, x);
    bytes.state = bytes.state.assume(&bytes.pool, &BYTES, cond, true);
    assert_eq!(bytes.bounds(0), Some((127, 127)));
}

/// ¬(x ≤ c) is x ≥ c + 1, and where c is the greatest value there is none.
#[test]
fn negations_are_of_integers() {
    let mut bytes = <Bytes>::new();
    let x = bytes.x(0);
    let cond = bytes.binary(BinOp::SLe, x, 6);
    bytes.state = bytes.state.assume(&bytes.pool, &BYTES, cond, false);
    assert_eq!(bytes.bounds(0), Some((7, 127)));
    let y = bytes.x(2);
    let not_less = bytes.pool.binary(BinOp::SLe, x, y);
    bytes.state = bytes.state.assume(&bytes.pool, &BYTES, not_less, false);
    assert_eq!(bytes.difference(2, 0).map(|(_, hi)| hi), Some(-1));
    bytes.assume(BinOp::SLe, 2, -128);
    assert_eq!(bytes.bounds(2), Some((-128, -128)));
    let below = bytes.pool.binary(BinOp::SLe, y, x);
    assert!(bytes.state.assume(&bytes.pool, &BYTES, below, false).is_bottom());
}

/// An expression is a term only where the state excludes overflow.
#[test]
fn terms_are_exact() {
    let mut bytes = <Bytes>::new();
    let x = bytes.x(0);
    let next = bytes.binary(BinOp::Add, x, 1);
    let signed = Integer { width: 8, signed: true };
    assert_eq!(bytes.state.term(&bytes.pool, &BYTES, next, signed), None);
    bytes.assume(BinOp::SLt, 0, 127);
    let term = bytes.state.term(&bytes.pool, &BYTES, next, signed);
    assert_eq!(term, crate::Sum::new(1, [(VarId::new(0), 1)]));
}

/// Six periods are too many: what stays is the range and the congruence.
#[test]
fn many_periods_leave_range_and_congruence() {
    let mut bytes = <Bytes>::new();
    let x = bytes.x(0);
    let product = bytes.binary(BinOp::Mul, x, 6);
    bytes.assign(2, product);
    let value = bytes.state.boxes().get(&VarId::new(2)).copied().expect("a congruence");
    assert_eq!(value.congruence(), (1, 0));
    assert_eq!(bytes.difference(2, 0), Some((-128 - 127, 126 + 128)));
}

/// The same bits are different integers for variables of different signedness.
#[test]
fn signedness_belongs_to_the_variable() {
    let mut bytes = <Bytes>::new();
    let x = bytes.x(0);
    bytes.assign(1, x);
    assert_eq!(bytes.difference(1, 0), Some((0, 256)));
    bytes.assume(BinOp::SLe, 0, -1);
    bytes.assign(1, x);
    assert_eq!(bytes.difference(1, 0), Some((256, 256)));
}

/// Quotients by constants are related to what is divided.
#[test]
fn quotients_have_constraints() {
    let mut bytes = <Bytes>::new();
    bytes.assume(BinOp::SLe, 0, 100);
    let x = bytes.x(0);
    let at_least = bytes.binary(BinOp::SLt, x, 0);
    bytes.state = bytes.state.assume(&bytes.pool, &BYTES, at_least, false);
    let half = bytes.binary(BinOp::SDiv, x, 2);
    bytes.assign(2, half);
    assert_eq!(bytes.difference(2, 0), Some((-50, 0)));
}

/// What the boxes learn of one variable reaches those that it is related to.
#[test]
fn constants_reach_the_relations() {
    let mut bytes = <Bytes>::new();
    bytes.assume(BinOp::SLe, 0, 10);
    let x = bytes.x(0);
    bytes.assign(2, x);
    let below = bytes.binary(BinOp::SLt, x, 10);
    bytes.state = bytes.state.assume(&bytes.pool, &BYTES, below, false).forget(&[VarId::new(0)]);
    let y = bytes.x(2);
    let range = bytes.state.range(&bytes.pool, &BYTES, y);
    assert_eq!(range.and_then(|range| range.as_constant()), Some(10));
}

/// y := 6x crosses many periods, and is the same modulo 2^w all the same.
#[test]
fn equations_outlive_overflow() {
    let mut bytes = Bytes::<Equations<VarId>>::new();
    let x = bytes.x(0);
    let product = bytes.binary(BinOp::Mul, x, 6);
    bytes.assign(2, product);
    let y = bytes.x(2);
    let equal = bytes.pool.binary(BinOp::Eq, y, product);
    assert!(bytes.state.assume(&bytes.pool, &BYTES, equal, false).is_bottom());
    let more = bytes.binary(BinOp::Add, product, 1);
    let other = bytes.pool.binary(BinOp::Eq, y, more);
    assert!(bytes.state.assume(&bytes.pool, &BYTES, other, true).is_bottom());
    assert!(bytes.state.contains(&BYTES, |v| [100, 0, 600 % 256][v.index()]));
    assert!(!bytes.state.contains(&BYTES, |v| [100, 0, 90][v.index()]));
}
