//! Sets against members, and remainders against the host.

use super::*;
use robusto_testing::{Random, cases};

fn special(width: u16) -> Vec<u64> {
    let format = Format::of(width);
    let (infinity, normal) = (format.infinity() as u64, 1u64 << format.fraction);
    let one = (format.bias() as u64) << format.fraction;
    let positive = [
        0,
        1,
        2,
        normal - 1,
        normal,
        normal + 1,
        one - normal,
        one - 1,
        one,
        one + 1,
        one + normal / 2,
        one + normal,
        infinity - normal,
        infinity - 1,
        infinity,
        infinity + 1,
        infinity + normal / 2,
        2 * (infinity / 2 + normal / 2) - 1,
    ];
    positive.iter().flat_map(|&x| [x, x | 1 << (width - 1)]).collect()
}

fn number(random: &mut Random, width: u16) -> u64 {
    let bits = random.bits() >> (64 - width);
    let format = Format::of(width);
    match random.below(6u32) {
        0 | 1 => random.pick(&special(width)),
        // Around 1, where operands meet.
        2 | 3 => {
            let fraction = bits & ((1 << format.fraction) - 1);
            let field = format.bias() as u64 + random.below(8u64) - 4;
            fraction | field << format.fraction | bits & 1 << (width - 1)
        }
        _ => bits,
    }
}

/// A set of some floats and what lies between.
fn set(random: &mut Random, width: u16) -> (Floats, Vec<u64>) {
    let members: Vec<u64> = (0..1 + random.below(4u32)).map(|_| number(random, width)).collect();
    let set = members.iter().fold(Floats::none(width), |set, &bits| set.join(&Floats::constant(width, bits)));
    let mut inside = members;
    for (sign, part) in [0, 1u64 << (width - 1)].into_iter().zip(set.parts()) {
        if let Some((lo, hi)) = part {
            inside.extend([lo, hi, lo + (hi - lo) / 2, lo + random.below(hi - lo + 1)].map(|m| m | sign));
        }
    }
    (set, inside)
}

fn no_number(width: u16, bits: u64, operands: &[u64]) -> u64 {
    let format = Format::of(width);
    let operands: Vec<u128> = operands.iter().map(|&x| x.into()).collect();
    if format.is_nan(bits.into()) { format.no_number(&operands) as u64 } else { bits }
}

#[test]
fn arithmetic_keeps_all_results() {
    let mut random = Random::new(1);
    let (mut results, mut narrow) = (0u64, 0u64);
    for _ in 0..cases(3_000) {
        for width in [32, 64] {
            let ((a, xs), (b, ys)) = (set(&mut random, width), set(&mut random, width));
            for op in Arithmetic::ALL {
                let result = Floats::arithmetic(op, &a, &b);
                results += 1;
                narrow += u64::from(result != Floats::any(width));
                // A result that some pair has, and those near it.
                let target = op.host(width, random.pick(&xs), random.pick(&ys));
                let target = Floats::constant(width, target).join(&Floats::constant(width, random.pick(&xs)));
                let back = Floats::arithmetic_back(op, &a, &b, &target);
                for (&x, &y) in xs.iter().flat_map(|x| ys.iter().map(move |y| (x, y))) {
                    let value = no_number(width, op.host(width, x, y), &[x, y]);
                    assert!(result.contains(value), "{op:?} {x:#x} {y:#x} gives {value:#x}: {a:?} {b:?} {result:?}");
                    let kept = back.0.contains(x) && back.1.contains(y);
                    assert!(
                        kept || !target.contains(value),
                        "{op:?} {x:#x} {y:#x} gives {value:#x}: {a:?} {b:?} {target:?}"
                    );
                }
            }
        }
    }
    assert!(narrow * 2 > results, "{narrow} of {results}");
}

/// Where all is finite and has one sign, the bounds are results.
#[test]
fn bounds_are_tight() {
    let double = |x: f64| x.to_bits();
    let (a, b) = (Floats::between(64, 1.5, 3.0), Floats::between(64, 0.1, 0.25));
    let between = |op, lo: f64, hi: f64| {
        let result = Floats::arithmetic(op, &a, &b);
        assert_eq!(result.parts(), [Some((double(lo), double(hi))), None], "{op:?}");
    };
    between(Arithmetic::Add, 1.5 + 0.1, 3.0 + 0.25);
    between(Arithmetic::Sub, 1.5 - 0.25, 3.0 - 0.1);
    between(Arithmetic::Mul, 1.5 * 0.1, 3.0 * 0.25);
    between(Arithmetic::Div, 1.5 / 0.25, 3.0 / 0.1);
    // x + y ≤ 2 and y ≥ 0.1 leave x ≤ 1.9 and a little.
    let (x, _) = Floats::arithmetic_back(Arithmetic::Add, &a, &b, &Floats::between(64, 0.0, 2.0));
    let (lo, hi) = x.bounds().expect("numbers");
    assert!(lo == 1.5 && (1.9..1.900_000_001).contains(&hi), "{lo} {hi}");
}

#[test]
fn functions_of_one_keep_all_results() {
    let mut random = Random::new(2);
    for _ in 0..cases(3_000) {
        for width in [32u16, 64] {
            let (a, xs) = set(&mut random, width);
            let other = 96 - width;
            let target = set(&mut random, width).0;
            let narrow = set(&mut random, other).0;
            let (root, converted) = (a.root(), a.converted(other));
            let (root_back, converted_back) = (a.root_back(&target), a.converted_back(&narrow));
            let (integers, unsigned) = (a.to_integers((-128, 127)), a.to_integers((0, 255)));
            let back = a.to_integers_back((-3, 4), (-128, 127));
            for &x in &xs {
                let value = no_number(width, exact::root(width, x), &[x]);
                assert!(root.contains(value), "root of {x:#x}");
                assert!(root_back.contains(x) || !target.contains(value), "root of {x:#x} in {target:?}");
                let value = of_double(other, to_double(width, x));
                let is_nan = to_double(width, x).is_nan();
                assert!(is_nan && converted.has_nan() || converted.contains(value), "{x:#x} becomes {value:#x}");
                assert!(is_nan || converted_back.contains(x) || !narrow.contains(value), "{x:#x} becomes {value:#x}");
                for rounding in Rounding::ALL {
                    let value = no_number(width, exact::integral(width, rounding, x), &[x]);
                    assert!(a.integral(rounding).contains(value), "{rounding:?} {x:#x}");
                }
                let within = |bounds: Option<(i128, i128)>, value: i128| {
                    bounds.is_some_and(|(lo, hi)| lo <= value && value <= hi)
                };
                let signed = i128::from(to_double(width, x) as i8);
                assert!(within(integers, signed) && within(unsigned, i128::from(to_double(width, x) as u8)), "{x:#x}");
                assert!(back.contains(x) || !(-3..=4).contains(&signed), "{x:#x} {signed}");
            }
        }
    }
}

#[test]
fn integers_keep_all_results() {
    let mut random = Random::new(3);
    for _ in 0..cases(3_000) {
        for width in [32u16, 64] {
            let mut integer = || (random.bits() as i64 >> random.below(64u32)) as i128;
            let (a, b, c) = (integer(), integer(), integer());
            let (lo, hi) = (a.min(b), a.max(b));
            let floats = Floats::of_integers(width, lo, hi);
            let target = set(&mut random, width).0.join(&Floats::of_integers(width, c, c));
            let back = target.of_integers_back((lo, hi));
            for value in [lo, hi, lo + (hi - lo) / 2, c.clamp(lo, hi)] {
                let bits = if width == 32 { (value as f32).to_bits().into() } else { (value as f64).to_bits() };
                assert!(floats.contains(bits), "{value} of {lo} to {hi}");
                let kept = back.is_some_and(|(lo, hi)| lo <= value && value <= hi);
                assert!(kept || !target.contains(bits), "{value} of {lo} to {hi} in {target:?}");
            }
        }
    }
}

#[test]
fn remainders_are_the_hosts() {
    let mut random = Random::new(4);
    let check = |width: u16, a: u64, b: u64| {
        let (fmod, nearest) = (fmod(width, a.into(), b.into()) as u64, remainder(width, a.into(), b.into()) as u64);
        let host = if width == 32 {
            u64::from((f32::from_bits(a as u32) % f32::from_bits(b as u32)).to_bits())
        } else {
            (f64::from_bits(a) % f64::from_bits(b)).to_bits()
        };
        assert_eq!(fmod, no_number(width, host, &[a, b]), "fmod {a:#x} {b:#x} of {width} bits");
        let of = |bits: u64| to_double(width, bits);
        let (x, y, near) = (of(a), of(b).abs(), of(nearest));
        if near.is_nan() {
            assert!(of(fmod).is_nan(), "{a:#x} {b:#x}");
            return;
        }
        // Of the two candidates the one nearer to zero; both are exact.
        let (small, large) = (of(fmod).abs(), y - of(fmod).abs());
        assert!(near == of(fmod) || near.abs() == large && (near < 0.0) != (x < 0.0), "{a:#x} {b:#x}: {near:e}");
        assert!(y.is_infinite() || near.abs() == small.min(large), "{a:#x} {b:#x}: {near:e}");
        assert!(near != 0.0 || near.is_sign_negative() == x.is_sign_negative(), "{a:#x} {b:#x}");
    };
    for width in [32, 64] {
        for &a in &special(width) {
            for &b in &special(width) {
                check(width, a, b);
            }
        }
        for _ in 0..cases(20_000) {
            check(width, number(&mut random, width), number(&mut random, width));
        }
    }
    let by = |x: f64, y: f64| f64::from_bits(remainder(64, x.to_bits().into(), y.to_bits().into()) as u64);
    assert_eq!([by(5.0, 2.0), by(7.0, 2.0), by(3.0, 2.0), by(1.0, 2.0)], [1.0, -1.0, -1.0, 1.0], "halves to even");
    assert_eq!(by(6.0, 4.0), -2.0);
    assert_eq!(by(10.0, 4.0), 2.0);
}

#[test]
fn fmod_keeps_all_results() {
    let mut random = Random::new(5);
    for _ in 0..cases(3_000) {
        for width in [32, 64] {
            let ((a, xs), (b, ys)) = (set(&mut random, width), set(&mut random, width));
            let result = Floats::fmod(&a, &b);
            for (&x, &y) in xs.iter().flat_map(|x| ys.iter().map(move |y| (x, y))) {
                let value = fmod(width, x.into(), y.into()) as u64;
                assert!(result.contains(value), "{x:#x} {y:#x} gives {value:#x}: {a:?} {b:?} {result:?}");
            }
        }
    }
}

#[test]
fn comparisons_keep_what_they_say() {
    let mut random = Random::new(6);
    let mut narrower = 0;
    for _ in 0..cases(3_000) {
        for width in [32, 64] {
            let ((a, xs), (b, ys)) = (set(&mut random, width), set(&mut random, width));
            for comparison in Comparison::ALL {
                let outcomes = comparison.outcomes(&a, &b);
                let back = [false, true].map(|truth| comparison.operands(truth, &a, &b));
                narrower += u32::from(back.iter().any(|sides| *sides != (a, b)));
                for (&x, &y) in xs.iter().flat_map(|x| ys.iter().map(move |y| (x, y))) {
                    let (left, right) = (to_double(width, x), to_double(width, y));
                    let truth = match comparison {
                        Comparison::Equal => left == right,
                        Comparison::Less => left < right,
                        Comparison::LessEqual => left <= right,
                    };
                    assert!(
                        if truth { outcomes.0 } else { outcomes.1 },
                        "{comparison:?} {left:e} {right:e} {a:?} {b:?}"
                    );
                    let (left_set, right_set) = back[usize::from(truth)];
                    assert!(
                        left_set.contains(x) && right_set.contains(y),
                        "{comparison:?} {left:e} {right:e} {a:?} {b:?}"
                    );
                }
            }
        }
    }
    assert!(narrower > 1000, "{narrower}");
}
