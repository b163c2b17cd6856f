//! Small programs, and the claims of the module's documentation on random executions.

use super::*;
use crate::analysis::Analyses;
use crate::analysis::liveness::{Kind, Liveness};
use crate::analysis::testing::{Build, Machine, Style, call, random_program};
use crate::ir::{BinOp, CastOp, HavocSource, Op, Ty};
use robusto_testing::Random;

const INT: Ty = Ty::Int(32);

fn classes(program: &Program) -> Classes {
    Analyses::of(program).classes
}

fn assign(b: &mut Build, var: VarId, value: i64) -> Op {
    let ty = b.program.vars[var].ty;
    let value = b.pool().constant(ty, value as u64);
    Op::Assign { var, value }
}

fn assume(b: &mut Build, op: BinOp, var: VarId, value: i64) -> Op {
    let ty = b.program.vars[var].ty;
    let (x, c) = (b.read(var), b.pool().constant(ty, value as u64));
    let cond = b.pool().binary(op, x, c);
    Op::Assume { cond, truth: true }
}

#[test]
fn event_condition_action() {
    let mut b = Build::new();
    let state = b.global(INT);
    let main = b.function("main", &[]);
    let act = b.function("act", &[INT]);
    let input = b.local(main, INT);
    let param = b.program.functions[act].params[0];
    let read = b.read(input);
    b.body(main, vec![Op::Havoc { var: input, source: HavocSource::Input }, call(act, &[read], None)]);
    let ops = [
        assume(&mut b, BinOp::Eq, param, 3),
        assume(&mut b, BinOp::Ne, state, 8),
        assign(&mut b, state, 13),
        assume(&mut b, BinOp::Eq, param, 1),
    ];
    b.body(act, ops.into());
    let classes = classes(&b.program);
    assert!(std::ptr::eq(classes.group(input), classes.group(param)));
    let g = classes.group(input);
    assert_eq!(g.class, Class::Enumerated(vec![1, 3]));
    assert!(g.havocked && !g.compared && g.values.is_none());
    assert_eq!(g.domain(), Some(3));
    let g = classes.group(state);
    assert_eq!(g.class, Class::Enumerated(vec![0, 8, 13]));
    assert_eq!(g.values, Some(vec![0, 13]));
    assert!(!g.havocked);
}

#[test]
fn flags_and_truth_values() {
    let mut b = Build::new();
    let main = b.function("main", &[]);
    let [x, y, z, n] = [0; 4].map(|_| b.local(main, INT));
    let t = b.local(main, Ty::BOOL);
    let (xe, ye, ne, te) = (b.read(x), b.read(y), b.read(n), b.read(t));
    let and = b.pool().binary(BinOp::And, xe, ye);
    let c = b.pool().constant(INT, 9);
    let less = b.pool().binary(BinOp::SLt, ne, c);
    let wide = b.pool().cast(CastOp::ZExt, INT, te);
    let ops = vec![
        Op::Havoc { var: n, source: HavocSource::Input },
        Op::Assign { var: t, value: less },
        Op::Assign { var: x, value: wide },
        assign(&mut b, y, 1),
        Op::Assign { var: z, value: and },
        assume(&mut b, BinOp::Ne, z, 0),
    ];
    b.body(main, ops);
    let classes = classes(&b.program);
    for var in [x, y, z, t] {
        assert_eq!(*classes.class(var), Class::Boolean, "{var}");
    }
    // The sign boundary is a constant.
    assert_eq!(*classes.class(n), Class::Ordered(vec![9, 0x8000_0000]));
    assert_eq!(classes.group(n).domain(), Some(5));
}

#[test]
fn arithmetic() {
    let mut b = Build::new();
    let main = b.function("main", &[]);
    let [i, j, k, m] = [0; 4].map(|_| b.local(main, INT));
    let (ie, je, three) = (b.read(i), b.read(j), b.pool().constant(INT, 3));
    let scaled = b.pool().binary(BinOp::Mul, ie, three);
    let sum = b.pool().binary(BinOp::Add, scaled, je);
    let masked = b.pool().binary(BinOp::And, je, three);
    let ops = vec![
        assign(&mut b, i, 4),
        assign(&mut b, j, 5),
        Op::Assign { var: k, value: sum },
        Op::Assign { var: m, value: masked },
    ];
    b.body(main, ops);
    let classes = classes(&b.program);
    assert_eq!(*classes.class(i), Class::Linear);
    assert_eq!(classes.group(i).values, Some(vec![4]));
    assert_eq!(*classes.class(k), Class::Linear);
    assert_eq!(classes.group(k).values, None);
    // A mask looks at bits.
    assert_eq!(*classes.class(j), Class::General);
    assert_eq!(*classes.class(m), Class::General);
}

#[test]
fn casts_between_widths() {
    let mut b = Build::new();
    let main = b.function("main", &[]);
    let (c, i) = (b.local(main, Ty::Int(8)), b.local(main, INT));
    let read = b.read(c);
    let wide = b.pool().cast(CastOp::SExt, INT, read);
    let ops = vec![
        assign(&mut b, c, -1),
        Op::Assign { var: i, value: wide },
        assume(&mut b, BinOp::Eq, i, -1),
        assume(&mut b, BinOp::Eq, i, 255),
    ];
    b.body(main, ops);
    let classes = classes(&b.program);
    let g = classes.group(i);
    assert_eq!(g.class, Class::Enumerated(vec![255, 0xffff_ffff]));
    assert!(g.signed && g.width == 32);
    assert_eq!(g.pattern(0xffff_ffff, 8), Some(0xff));
    assert_eq!(g.pattern(255, 8), None);
    assert_eq!(g.values, Some(vec![0xffff_ffff]));
}

#[test]
fn narrowing_an_input_is_no_enumeration() {
    let mut b = Build::new();
    let main = b.function("main", &[]);
    let (c, i) = (b.local(main, Ty::Int(8)), b.local(main, INT));
    let read = b.read(i);
    let narrow = b.pool().cast(CastOp::Trunc, Ty::Int(8), read);
    let ops = vec![
        Op::Havoc { var: i, source: HavocSource::Input },
        Op::Assign { var: c, value: narrow },
        assume(&mut b, BinOp::Eq, c, 1),
    ];
    b.body(main, ops);
    assert_eq!(*classes(&b.program).class(c), Class::Linear);
}

#[test]
fn havocs_of_dead_variables_do_not_count() {
    let mut b = Build::new();
    let main = b.function("main", &[]);
    let x = b.local(main, INT);
    let ops =
        vec![Op::Havoc { var: x, source: HavocSource::Uninit }, assign(&mut b, x, 7), assume(&mut b, BinOp::Eq, x, 7)];
    b.body(main, ops);
    assert_eq!(classes(&b.program).group(x).values, Some(vec![7]));
}

/// A map on the values of a group as in claims 3 and 4.
struct Map(Vec<u64>);

impl Map {
    fn new(group: &Group, random: &mut Random) -> Self {
        let size = 1usize << group.width;
        let identity = Self((0..size as u64).collect());
        let (constants, gaps) = match &group.class {
            Class::Enumerated(constants) => (constants, false),
            Class::Ordered(constants) => (constants, true),
            _ => return identity,
        };
        // Values that may be mapped to each other: same gap, same least width.
        let bucket = |v: u64| {
            let gap = if gaps { constants.partition_point(|&c| c <= v) } else { 0 };
            (gap, group.pattern(v, 8).is_some())
        };
        let mut map = identity;
        let mut buckets = std::collections::BTreeMap::<_, Vec<u64>>::new();
        for v in (0..size as u64).filter(|v| constants.binary_search(v).is_err()) {
            buckets.entry(bucket(v)).or_default().push(v);
        }
        for values in buckets.values() {
            let mut images = values.clone();
            for i in (1..images.len()).rev() {
                images.swap(i, random.below(i + 1));
            }
            for (&v, &image) in values.iter().zip(&images) {
                // Without comparisons of members, even a map that is not injective must do.
                map.0[v as usize] = if group.compared { image } else { images[(v as usize / 3) % images.len()] };
            }
        }
        map
    }

    /// The image of a member's value.
    fn apply(&self, group: &Group, width: u32, bits: u64) -> u64 {
        let canonical = extend(bits, width, group.width, group.signed);
        fold::mask(width, self.0[canonical as usize])
    }
}

/// Inputs, or one more.
const SAMPLES: [u64; 7] = [0, 1, 5, 6, 100, 150, 300];

#[test]
fn claims_hold_in_executions() {
    let styles = [Style::Equality, Style::Order, Style::Logic, Style::All];
    let mut seen = [0; 5];
    for seed in 0..1200 {
        let mut random = Random::new(seed);
        let program = random_program(&mut random, styles[seed as usize % 4], seed % 8 < 4);
        let a = Analyses::of(&program);
        let live = Liveness::of(&program, &a.uses, &a.calls, &a.modref, Kind::Plain);
        let maps: Vec<Map> = a.classes.groups().iter().map(|g| Map::new(g, &mut random)).collect();
        let width = |v: VarId| program.vars[v].ty.bits(program.model);
        let image = |v: VarId, bits| {
            let group = a.classes.group(v);
            let index = a.classes.groups().iter().position(|g| std::ptr::eq(g, group)).expect("a group of all");
            maps[index].apply(group, width(v), bits)
        };
        let (mut inputs, mut same_inputs) = (Random::new(seed + 7), Random::new(seed + 7));
        let mut fresh = |v| fold::mask(width(v), inputs.pick(&SAMPLES) + inputs.below(2) as u64);
        let mut mapped = |v| image(v, fold::mask(width(v), same_inputs.pick(&SAMPLES) + same_inputs.below(2) as u64));
        let (mut one, mut two) = (Machine::new(&program, &mut fresh), Machine::new(&program, &mut mapped));
        for _ in 0..150 {
            let Some((f, loc)) = one.at() else { break };
            assert_eq!(one.at(), two.at(), "seed {seed}");
            for v in live.at(f, loc).iter() {
                let (group, value) = (a.classes.group(v), one.values[v]);
                assert_eq!(image(v, value), two.values[v], "seed {seed}: {v} of {group:?} at {f} {loc}");
                if let Some(values) = &group.values {
                    let canonical = extend(value, width(v), group.width, group.signed);
                    assert!(values.contains(&canonical), "seed {seed}: {v} is {value} in {group:?}");
                }
                match &group.class {
                    Class::Boolean => assert!(value <= 1, "seed {seed}: {v} is {value}"),
                    Class::Enumerated(c) if !group.havocked => assert!(!c.is_empty()),
                    _ => {}
                }
            }
            assert_eq!(one.step(&mut fresh), two.step(&mut mapped), "seed {seed}");
        }
        for g in a.classes.groups().iter() {
            seen[match g.class {
                Class::Boolean => 0,
                Class::Enumerated(_) => 1 + usize::from(g.havocked),
                Class::Ordered(_) => 3,
                _ => 4,
            }] += 1;
        }
    }
    assert!(seen.iter().all(|&n| n > 100), "{seen:?}");
}
