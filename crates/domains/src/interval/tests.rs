//! Exhaustive checks at small widths against plain arithmetic.

use super::{Interval, Range};
use crate::environment::Boxes;
use crate::lattice::{Lattice, Thresholds};
use crate::laws::random::{Exact, check_random};
use crate::laws::{Space, check_lattice, check_numeric, check_widening};
use robusto_cfa::ir::{BinOp, CastOp, DataModel, Ty, UnOp, fold};

const BINARY: [BinOp; 20] = {
    use BinOp::*;
    [Add, Sub, Mul, UDiv, SDiv, URem, SRem, And, Or, Xor, Shl, LShr, AShr, Eq, Ne, ULt, ULe, SLt, SLe, PtrAdd]
};

/// Every reduced set of a width.
fn all(width: u32) -> Vec<Interval> {
    let half = 1u64 << (width - 1);
    let ranges = |from: u64, to: u64| {
        let mut ranges = vec![None];
        for lo in from..=to {
            ranges.extend((lo..=to).map(|hi| Some(Range { lo, hi })));
        }
        ranges
    };
    let mut sets = Vec::new();
    for low in ranges(0, half - 1) {
        for &high in &ranges(half, 2 * half - 1) {
            for known in 0..=width {
                for residue in 0..1u64 << known {
                    let start = Interval { low, high, ..Interval::bottom(width) };
                    let set = start.with_residue(known, residue);
                    if (set.low, set.high) == (low, high) {
                        sets.push(set);
                    }
                }
            }
        }
    }
    sets.sort_by_key(|s| (s.low.map(|r| (r.lo, r.hi)), s.high.map(|r| (r.lo, r.hi)), s.known, s.residue));
    sets.dedup();
    sets
}

fn mask(set: &Interval) -> u32 {
    (0..1u64 << set.width()).filter(|&v| set.contains(v)).fold(0, |m, v| m | 1 << v)
}

#[test]
fn laws() {
    check_lattice(&all(2));
    check_lattice(&all(3).into_iter().step_by(3).collect::<Vec<_>>());
    check_widening(&all(4).into_iter().step_by(5).collect::<Vec<_>>(), &thresholds());
}

fn thresholds() -> Thresholds {
    [3, 5, 12].into_iter().map(|bits| (4, bits)).collect()
}

/// Pairs of intervals, and no point.
#[test]
fn laws_of_environments() {
    let mut all_boxes = vec![Boxes::bottom()];
    for x in all(2).into_iter().filter(|x| !x.is_bottom()) {
        all_boxes.extend(all(2).into_iter().filter(|y| !y.is_bottom()).map(|y| Boxes::from_iter([(0, x), (1, y)])));
    }
    let some: Vec<Boxes<usize>> = all_boxes.iter().step_by(all_boxes.len() / 40).cloned().collect();
    check_lattice(&some);
    check_widening(&some, &Thresholds::NONE);
    check_numeric(&all_boxes, &Space { width: 2, variables: &[0, 1] });
}

/// What is right for one variable is so for a variable among many.
#[test]
fn conditions_are_pushed_down() {
    use crate::numeric::{Comparison, Condition, Linear, Numeric as _};
    // -3x + y + 7 = 1 with y in [0, 2] and x < 100.
    let state = Boxes::from_iter([(0, Interval::unsigned(32, 0, 99)), (1, Interval::unsigned(32, 0, 2))]);
    let left = Linear { width: 32, constant: 7, terms: vec![(0, -3i32 as u32 as u64), (1, 1)] };
    let condition = Condition { comparison: Comparison::Eq, left, right: Linear::constant(32, 1) };
    let after = state.assume(&condition);
    assert!(after.contains(|x| if x == 0 { 2 } else { 0 }) && after.leq(&state), "{after:?}");
    // x - 5 <= 10, unsigned.
    let left = Linear { width: 32, constant: -5i32 as u32 as u64, terms: vec![(0, 1)] };
    let condition = Condition { comparison: Comparison::ULe, left, right: Linear::constant(32, 10) };
    assert_eq!(state.assume(&condition).get(&0), Some(&Interval::unsigned(32, 5, 15)));
    // A sum of both that cannot be.
    let left = Linear { width: 32, constant: 0, terms: vec![(0, 1), (1, 1)] };
    let condition = Condition { comparison: Comparison::ULt, left: Linear::constant(32, 101), right: left };
    assert!(state.assume(&condition).is_bottom());
}

#[test]
fn join_and_meet_are_those_of_sets() {
    let sets = all(3);
    for a in &sets {
        for b in &sets {
            assert_eq!(mask(&a.meet(b)), mask(a) & mask(b), "{a:?} {b:?}");
            assert_eq!(mask(&a.join(b)) & (mask(a) | mask(b)), mask(a) | mask(b));
            assert!(!a.leq(b) || mask(a) & !mask(b) == 0);
        }
    }
}

/// For each operator and left value, the results for each set of right values.
fn images(width: u32, op: BinOp) -> Vec<Vec<u32>> {
    let n = 1usize << width;
    let ty = if op == BinOp::PtrAdd { Ty::Ptr } else { Ty::Int(width as u8) };
    let image = |a: u64| {
        let mut of_sets = vec![0u32; 1 << n];
        for set in 1..1usize << n {
            let b = set.trailing_zeros();
            let result = fold::binary(op, ty, width, a, b.into());
            of_sets[set] = of_sets[set & (set - 1)] | 1 << result;
        }
        of_sets
    };
    (0..n as u64).map(image).collect()
}

#[test]
fn binary_operators() {
    // All pairs at width 3; at width 4 all pairs of intervals, and a part of those with congruences.
    for width in [1, 2, 3, 4] {
        let sets = all(width);
        let masks: Vec<u32> = sets.iter().map(mask).collect();
        let plain: Vec<bool> = sets.iter().map(|s| s.known == 0).collect();
        for op in BINARY {
            let table = images(width, op);
            let best = matches!(op, BinOp::Eq | BinOp::Ne | BinOp::ULt | BinOp::ULe | BinOp::SLt | BinOp::SLe);
            for (i, a) in sets.iter().enumerate() {
                for (j, b) in sets.iter().enumerate() {
                    if width == 4 && (!plain[i] || !plain[j] || cfg!(debug_assertions)) && (i + j) % 53 != 0 {
                        continue;
                    }
                    let values = (0..1u64 << width).filter(|&v| masks[i] >> v & 1 != 0);
                    let image = values.fold(0, |all, v| all | table[v as usize][masks[j] as usize]);
                    let result = Interval::binary(op, a, b);
                    let found = mask(&result);
                    assert_eq!(image & !found, 0, "{op:?} of {a:?} and {b:?} gives {result:?}");
                    if best && (op != BinOp::Eq && op != BinOp::Ne || plain[i] && plain[j]) {
                        assert_eq!(image, found, "{op:?} of {a:?} and {b:?} gives {result:?}");
                    }
                    if matches!(op, BinOp::Add | BinOp::Sub | BinOp::And | BinOp::Or) && plain[i] && plain[j] {
                        let hull = hull(width, image);
                        assert!(result.leq(&hull), "{op:?} of {a:?} and {b:?} gives {result:?}, not {hull:?}");
                    }
                }
            }
        }
    }
}

/// The least set without a congruence that has these values.
fn hull(width: u32, values: u32) -> Interval {
    let members = (0..1u64 << width).filter(|&v| values >> v & 1 != 0);
    let joined = members.fold(Interval::bottom(width), |all, v| all.join(&Interval::constant(width, v)));
    if joined.as_constant().is_some() { joined } else { Interval { known: 0, residue: 0, ..joined } }
}

#[test]
fn unary_operators_and_conversions() {
    for a in all(4) {
        let values: Vec<u64> = (0..16).filter(|&v| a.contains(v)).collect();
        for op in [UnOp::Neg, UnOp::Not] {
            let result = Interval::unary(op, &a);
            let image: Vec<u64> = values.iter().map(|&v| fold::mask(4, fold::unary(op, Ty::Int(4), v))).collect();
            assert!(image.iter().all(|&v| result.contains(v)));
            // Zero and the least number are their own negations, in the other half than their neighbours' ones.
            if op == UnOp::Not {
                assert_eq!(mask(&result).count_ones() as usize, values.len());
            }
        }
        for (op, to) in [(CastOp::Trunc, 1), (CastOp::Trunc, 3), (CastOp::ZExt, 6), (CastOp::SExt, 6)] {
            let result = Interval::cast(op, &a, to.into());
            for &v in &values {
                let image = fold::cast(op, Ty::Int(4), Ty::Int(to), DataModel::Lp64, v);
                assert!(result.contains(image), "{op:?} of {a:?} gives {result:?}");
            }
            if op == CastOp::SExt {
                assert_eq!((0..64).filter(|&v| result.contains(v)).count(), values.len());
            }
        }
    }
}

#[test]
fn refinement_keeps_every_witness() {
    let sets: Vec<Interval> = all(3).into_iter().step_by(2).collect();
    for op in BINARY {
        let results = if op.is_comparison() { all(1) } else { all(3).into_iter().step_by(7).collect() };
        for a in &sets {
            for b in &sets {
                for result in &results {
                    let (x, y) = Interval::refine_binary(op, a, b, result);
                    assert!(x.leq(a) && y.leq(b), "{op:?} {a:?} {b:?} {result:?}");
                    for v in (0..8).filter(|&v| a.contains(v)) {
                        for w in (0..8).filter(|&w| b.contains(w)) {
                            if result.contains(fold::binary(op, Ty::Int(3), 3, v, w)) {
                                assert!(x.contains(v) && y.contains(w), "{op:?} {a:?} {b:?} {result:?}: {v} {w}");
                            }
                        }
                    }
                }
            }
        }
    }
    for a in all(3) {
        for result in all(2) {
            let back = Interval::refine_cast(CastOp::Trunc, &a, &result);
            assert!(back.leq(&a) && (0..8).all(|v| !a.contains(v) || !result.contains(v & 3) || back.contains(v)));
        }
        for result in all(4) {
            for op in [CastOp::ZExt, CastOp::SExt] {
                let back = Interval::refine_cast(op, &a, &result);
                assert!(back.leq(&a));
                for v in (0..8).filter(|&v| a.contains(v)) {
                    let image = fold::cast(op, Ty::Int(3), Ty::Int(4), DataModel::Lp64, v);
                    assert!(!result.contains(image) || back.contains(v), "{op:?} {a:?} {result:?}");
                }
            }
        }
    }
}

#[test]
fn widening_ends() {
    let thresholds = thresholds();
    // A counter at 64 bits.
    let (mut x, one) = (Interval::constant(64, 0), Interval::constant(64, 1));
    for round in 0.. {
        let next = x.join(&Interval::binary(BinOp::Add, &x, &one));
        if next == x {
            break;
        }
        x = x.widen(&next, &thresholds);
        assert!(round < 100);
    }
}

#[test]
fn full_width() {
    let x = Interval::signed(64, i64::MIN, -1);
    assert_eq!(Interval::binary(BinOp::SLt, &x, &Interval::constant(64, 0)), Interval::truth(true));
    let even = Interval::binary(BinOp::Mul, &Interval::top(64), &Interval::constant(64, 2));
    assert_eq!(even.congruence(), (1, 0));
    assert_eq!(Interval::binary(BinOp::SDiv, &Interval::constant(64, 1 << 63), &Interval::constant(64, u64::MAX)), {
        Interval::constant(64, 1 << 63)
    });
    let (a, b) = Interval::refine_binary(
        BinOp::SLt,
        &Interval::top(64),
        &Interval::signed(64, i64::MIN, i64::MIN),
        &Interval::truth(true),
    );
    assert!(a.is_bottom() && b.is_bottom());
    assert_eq!(format!("{:?}", Interval::signed(32, -3, 7)), "[-3, 7]");
}

#[test]
fn operations_on_boxes_agree_with_points() {
    let space = Space { width: 3, variables: &[0, 1, 2] };
    check_random("Boxes", 1500, 6, &Boxes::new(), &space, Exact { projections: true, equations: false });
}

/// Floats by their bits.
mod floats {
    use super::*;
    use robusto_testing::{Random, cases};

    const FLOATS: [BinOp; 8] = {
        use BinOp::*;
        [FAdd, FSub, FMul, FDiv, FEq, FNe, FLt, FLe]
    };

    fn number(random: &mut Random, ty: Ty) -> u64 {
        let bits = if ty == Ty::F32 { random.bits() >> 32 } else { random.bits() };
        let value =
            random.pick(&[0.0, -0.0, 1.0, -1.0, 0.1, 1e30, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 5e-324, 3.5]);
        match (random.below(3u32), ty) {
            (0, _) => bits,
            (1, Ty::F32) => (value as f32).to_bits().into(),
            (1, _) => value.to_bits(),
            (_, Ty::F32) => ((random.below(4000u32) as f32 - 2000.0) / 64.0).to_bits().into(),
            _ => ((random.below(4000u32) as f64 - 2000.0) / 64.0).to_bits(),
        }
    }

    fn set(random: &mut Random, ty: Ty) -> (Interval, Vec<u64>) {
        let width = ty.bits(DataModel::Lp64);
        let members: Vec<u64> = (0..1 + random.below(3u32)).map(|_| number(random, ty)).collect();
        let set = members.iter().fold(Interval::bottom(width), |set, &bits| set.join(&Interval::constant(width, bits)));
        (set, members)
    }

    #[test]
    fn laws() {
        let mut random = Random::new(21);
        for ty in [Ty::F32, Ty::F64] {
            let width = ty.bits(DataModel::Lp64);
            let mut elements: Vec<Interval> = (0..60).map(|_| set(&mut random, ty).0).collect();
            elements.extend([Interval::bottom(width), Interval::top(width)]);
            // As floats and back they are at most larger, by what their low bits told.
            for element in &elements {
                assert!(element.leq(&Interval::of_floats(&element.floats())), "{element:?}");
            }
            check_lattice(&elements);
            let infinity = if ty == Ty::F32 { f32::INFINITY.to_bits().into() } else { f64::INFINITY.to_bits() };
            check_widening(&elements, &[(width, infinity)].into_iter().collect());
        }
    }

    /// Each result of members, and members with a result, are kept.
    #[test]
    fn operators_against_folded_constants() {
        let mut random = Random::new(22);
        let model = DataModel::Lp64;
        let (mut results, mut narrow) = (0, 0);
        for _ in 0..cases(3_000) {
            let ty = random.pick(&[Ty::F32, Ty::F64]);
            let width = ty.bits(model);
            let ((a, xs), (b, ys)) = (set(&mut random, ty), set(&mut random, ty));
            for op in FLOATS {
                let result = Interval::binary(op, &a, &b);
                results += 1;
                narrow += usize::from(!result.is_top());
                for (&x, &y) in xs.iter().flat_map(|x| ys.iter().map(move |y| (x, y))) {
                    let value = fold::binary(op, ty, width, x, y);
                    assert!(result.contains(value), "{op:?} {x:#x} {y:#x}: {a:?} {b:?} {result:?}");
                    let wanted = Interval::constant(result.width(), value);
                    let (left, right) = Interval::refine_binary(op, &a, &b, &wanted);
                    assert!(left.contains(x) && right.contains(y), "{op:?} {x:#x} {y:#x}: {a:?} {b:?} {wanted:?}");
                    assert!(left.leq(&a) && right.leq(&b), "{op:?} {a:?} {b:?}");
                }
            }
            let other = if ty == Ty::F32 { Ty::F64 } else { Ty::F32 };
            let casts = [
                (CastOp::FToF, other),
                (CastOp::FToS, Ty::Int(8)),
                (CastOp::FToU, Ty::Int(32)),
                (CastOp::FToS, Ty::Int(64)),
            ];
            for (op, to) in casts {
                let result = Interval::cast(op, &a, to.bits(model));
                for &x in &xs {
                    let value = fold::cast(op, ty, to, model, x);
                    assert!(result.contains(value), "{op:?} {x:#x}: {a:?} {result:?}");
                    let back = Interval::refine_cast(op, &a, &Interval::constant(to.bits(model), value));
                    assert!(back.contains(x) && back.leq(&a), "{op:?} {x:#x}: {a:?}");
                }
            }
            for (op, from) in [(CastOp::SToF, Ty::Int(64)), (CastOp::UToF, Ty::Int(16)), (CastOp::SToF, Ty::Int(8))] {
                let bits = from.bits(model);
                let members: Vec<u64> =
                    (0..2).map(|_| fold::mask(bits, random.bits() >> random.below(64u32))).collect();
                let set = Interval::constant(bits, members[0]).join(&Interval::constant(bits, members[1]));
                let result = Interval::cast(op, &set, width);
                for &x in &members {
                    let value = fold::cast(op, from, ty, model, x);
                    assert!(result.contains(value), "{op:?} {x:#x}: {set:?} {result:?}");
                    let back = Interval::refine_cast(op, &set, &Interval::constant(width, value));
                    assert!(back.contains(x) && back.leq(&set), "{op:?} {x:#x}: {set:?}");
                }
            }
            for &x in &xs {
                let negated = Interval::unary(UnOp::FNeg, &a);
                assert!(negated.contains(fold::unary(UnOp::FNeg, ty, x)), "{x:#x} {a:?}");
            }
        }
        assert!(narrow * 2 > results, "{narrow} of {results}");
    }
}
