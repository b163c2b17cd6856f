//! Circuits of floating-point operators against the host's arithmetic (single and double) and against exact integers (half, in
//! all directions of rounding). `ROBUSTO_FLOAT_CASES` is the number of random cases of each operator; the tests print how many
//! they have run.

use robusto_logic::blast::aig::Aig;
use robusto_logic::blast::float::{circuit, spell_out};
use robusto_logic::blast::word::{constant, of_constant};
use robusto_logic::term::float::{self, Format};
use robusto_logic::{FloatKind, FloatOp, Model, Node, Rounding, Sort, Terms};
use robusto_testing::Random;
use std::cmp::Ordering;

/// Random cases of each operator. All tests together take 3 s; `ROBUSTO_FLOAT_CASES=250000` makes ten million.
fn cases() -> usize {
    std::env::var("ROBUSTO_FLOAT_CASES").map_or(2_000, |text| text.parse().expect("a number"))
}

fn by_circuit(op: FloatOp, from: u16, second: u16, to: u16, a: u128, b: u128) -> u128 {
    let (a, b) = (of_constant(from.into(), a), of_constant(second.into(), b));
    let result = circuit(&mut Aig::default(), op, &a, &b, to.into());
    constant(&result).expect("gates of constants are constants")
}

/// Zeros, subnormal numbers, the borders of the normal ones, ones, halves, infinities, what is no number.
fn special(width: u16) -> Vec<u128> {
    let format = Format::of(width);
    let one = format.bias() << format.fraction;
    let normal = 1 << format.fraction;
    let positive = [
        0,
        1,
        2,
        normal / 2,
        normal - 1,
        normal,
        normal + 1,
        one - 1,
        one,
        one + 1,
        one - normal,
        one + normal,
        one + normal / 2,
        one + (format.fraction as u128) * normal,
        one + (format.fraction as u128 - 1) * normal + 1,
        format.infinity() - 1,
        format.infinity() - normal,
        format.infinity(),
        format.infinity() + 1,
        format.infinity() + normal / 2,
        format.infinity() + normal / 2 + 5,
    ];
    let sign = 1u128 << (width - 1);
    positive.iter().flat_map(|&x| [x, x | sign]).collect()
}

/// A number whose exponent is often near that of another one, with few or many ones in the fraction.
fn number(random: &mut Random, width: u16, near: u128) -> u128 {
    let format = Format::of(width);
    let bits = u128::from(random.bits()) & (u128::MAX >> (128 - width));
    match random.below(8u32) {
        0 => random.pick(&special(width)),
        1 | 2 => {
            let field = (near >> format.fraction) as i64 & ((1 << format.exponent) - 1);
            let field = (field + random.below(2 * format.fraction as u64 + 6) as i64 - format.fraction as i64 - 3)
                .clamp(0, (1 << format.exponent) - 2);
            let others = bits & !(((1u128 << format.exponent) - 1) << format.fraction);
            others | (field as u128) << format.fraction
        }
        3 => bits & !((1u128 << random.below(format.fraction)) - 1),
        4 => near ^ (1 << random.below(width)),
        _ => bits,
    }
}

fn is_nan(width: u16, bits: u128) -> bool {
    bits & !(1 << (width - 1)) > Format::of(width).infinity()
}

fn host(kind: FloatKind, width: u16, a: u128, b: u128) -> u128 {
    use FloatKind::*;
    macro_rules! with {
        ($float:ty, $bits:ty) => {{
            let (a, b) = (<$float>::from_bits(a as $bits), <$float>::from_bits(b as $bits));
            let value = match kind {
                Add => a + b,
                Sub => a - b,
                Mul => a * b,
                Div => a / b,
                Sqrt => a.sqrt(),
                _ => unreachable!("no such operator"),
            };
            u128::from(value.to_bits())
        }};
    }
    if width == 32 { with!(f32, u32) } else { with!(f64, u64) }
}

fn agree(kind: FloatKind, width: u16, a: u128, b: u128) {
    let op = FloatOp::nearest(kind);
    let second = if kind == FloatKind::Sqrt { 1 } else { width };
    let b = if second == 1 { 0 } else { b };
    let (gates, expected) = (by_circuit(op, width, second, width, a, b), host(kind, width, a, b));
    // The host may choose other bits for what is no number; the rules are tested below.
    let same = gates == expected || is_nan(width, gates) && is_nan(width, expected);
    assert!(same, "{kind:?} of {width} bits: {a:#x}, {b:#x} gives {gates:#x}, the host {expected:#x}");
    assert_eq!(float::value(op, width, second, width, a, b), gates, "{kind:?} of {width} bits folded: {a:#x}, {b:#x}");
}

#[test]
fn arithmetic_is_the_hosts() {
    use FloatKind::*;
    let mut random = Random::new(1);
    let mut count = 0;
    for width in [32, 64] {
        for kind in [Add, Sub, Mul, Div, Sqrt] {
            for &a in &special(width) {
                for &b in &special(width) {
                    agree(kind, width, a, b);
                    count += 1;
                }
            }
            for _ in 0..cases() {
                let near = u128::from(random.bits()) & (u128::MAX >> (128 - width));
                let a = number(&mut random, width, near);
                let b = number(&mut random, width, a);
                agree(kind, width, a, b);
                count += 1;
            }
        }
    }
    println!("{count} cases");
}

#[test]
fn fused_products_are_the_hosts() {
    let mut random = Random::new(2);
    let op = FloatOp::nearest(FloatKind::Fma);
    let check = |width: u16, a: u128, b: u128, c: u128| {
        let expected = if width == 32 {
            let [a, b, c] = [a, b, c].map(|x| f32::from_bits(x as u32));
            u128::from(a.mul_add(b, c).to_bits())
        } else {
            let [a, b, c] = [a, b, c].map(|x| f64::from_bits(x as u64));
            u128::from(a.mul_add(b, c).to_bits())
        };
        let gates = by_circuit(op, 2 * width, width, width, a << width | b, c);
        let same = gates == expected || is_nan(width, gates) && is_nan(width, expected);
        assert!(same, "{a:#x} * {b:#x} + {c:#x} gives {gates:#x}, the host {expected:#x}");
    };
    for width in [32, 64] {
        let special = special(width);
        for (i, &a) in special.iter().enumerate() {
            for &b in &special {
                for &c in special.iter().skip(i % 3).step_by(3) {
                    check(width, a, b, c);
                }
            }
        }
        for _ in 0..cases() {
            let near = u128::from(random.bits()) & (u128::MAX >> (128 - width));
            let (a, b) = (number(&mut random, width, near), number(&mut random, width, near));
            let product = if width == 32 { host(FloatKind::Mul, 32, a, b) } else { host(FloatKind::Mul, 64, a, b) };
            let c =
                if random.one_in(2) { product ^ 1 << 63 >> (64 - width) } else { number(&mut random, width, product) };
            check(width, a, b, c);
        }
    }
}

#[test]
fn conversions_are_the_hosts() {
    use FloatKind::*;
    let mut random = Random::new(3);
    let one = |kind: FloatKind, from: u16, to: u16, a: u128, expected: u128| {
        let op = FloatOp::nearest(kind);
        let gates = by_circuit(op, from, 1, to, a, 0);
        assert_eq!(gates, expected, "{kind:?} from {from} to {to} bits: {a:#x}");
        assert_eq!(float::value(op, from, 1, to, a, 0), expected, "{kind:?} from {from} to {to} bits folded: {a:#x}");
    };
    for _ in 0..cases() {
        let wide = u128::from(random.bits()) << 64 | u128::from(random.bits());
        for width in [1u16, 8, 13, 32, 64, 128] {
            let x = (wide & (u128::MAX >> (128 - width))) >> random.below(width);
            let signed = ((x << (128 - width)) as i128) >> (128 - width);
            one(OfSigned, width, 32, x, (signed as f32).to_bits().into());
            one(OfSigned, width, 64, x, (signed as f64).to_bits().into());
            one(OfUnsigned, width, 32, x, (x as f32).to_bits().into());
            one(OfUnsigned, width, 64, x, (x as f64).to_bits().into());
        }
        let single = number(&mut random, 32, 0x4f00_0000);
        let double = number(&mut random, 64, 0x43e0 << 48);
        let of = f32::from_bits(single as u32);
        one(ToSigned, 32, 32, single, (of as i32 as u32).into());
        one(ToUnsigned, 32, 32, single, (of as u32).into());
        one(ToSigned, 32, 8, single, (of as i8 as u8).into());
        let of = f64::from_bits(double as u64);
        one(ToSigned, 64, 64, double, (of as i64 as u64).into());
        one(ToUnsigned, 64, 64, double, (of as u64).into());
        one(ToSigned, 64, 32, double, (of as i32 as u32).into());
        one(ToSigned, 64, 128, double, of as i128 as u128);
        one(ToUnsigned, 64, 16, double, (of as u16).into());
        let narrow = number(&mut random, 64, 0x3ff0 << 48);
        for x in [double, narrow] {
            let of = f64::from_bits(x as u64);
            if !of.is_nan() {
                one(Convert, 64, 32, x, (of as f32).to_bits().into());
            }
        }
        let of = f32::from_bits(single as u32);
        if !of.is_nan() {
            one(Convert, 32, 64, single, f64::from(of).to_bits().into());
        }
    }
}

#[test]
fn rounding_to_integers_is_the_hosts() {
    let mut random = Random::new(4);
    let directions = [
        (Rounding::Down, f64::floor as fn(f64) -> f64),
        (Rounding::Up, f64::ceil),
        (Rounding::Zero, f64::trunc),
        (Rounding::NearestAway, f64::round),
        (Rounding::NearestEven, f64::round_ties_even),
    ];
    let check = |x: u128| {
        for (rounding, function) in directions {
            let op = FloatOp { kind: FloatKind::Round, rounding };
            let of = f64::from_bits(x as u64);
            if !of.is_nan() {
                let expected = u128::from(function(of).to_bits());
                assert_eq!(by_circuit(op, 64, 1, 64, x, 0), expected, "{rounding:?} {of:e}");
            }
            let of = f32::from_bits(x as u32);
            if !of.is_nan() {
                let expected = u128::from((function(of.into()) as f32).to_bits());
                assert_eq!(by_circuit(op, 32, 1, 32, x & 0xffff_ffff, 0), expected, "{rounding:?} {of:e}");
            }
        }
    };
    special(64).into_iter().for_each(check);
    special(32).into_iter().for_each(check);
    for _ in 0..cases() {
        check(number(&mut random, 64, 0x4100 << 48));
        check(number(&mut random, 32, 0x4580_0000));
    }
}

/// A half as a multiple of 2^-24.
fn scaled(bits: u128) -> i128 {
    let (field, fraction) = ((bits >> 10 & 31) as i128, (bits & 1023) as i128);
    let magnitude = if field == 0 { fraction } else { (fraction + 1024) << (field - 1) };
    if bits >> 15 == 1 { -magnitude } else { magnitude }
}

/// Rounds a positive magnitude to half; it is compared with multiples of 2^-25.
fn rounded(rounding: Rounding, negative: bool, compare: impl Fn(i128) -> Ordering) -> u128 {
    // Behind the largest number comes the one that the next exponent would give.
    let value = |bits: u128| scaled(bits) * 2;
    let (mut low, mut high) = (0u128, 0x7c00u128);
    if compare(value(high)) != Ordering::Less {
        low = high;
    }
    while high - low > 1 {
        let middle = (low + high) / 2;
        if compare(value(middle)) == Ordering::Less { high = middle } else { low = middle }
    }
    let exact = low < 0x7c00 && compare(value(low)) == Ordering::Equal;
    let up = match rounding {
        _ if exact => false,
        Rounding::Up => !negative,
        Rounding::Down => negative,
        Rounding::Zero => false,
        Rounding::NearestEven | Rounding::NearestAway if low == 0x7c00 => true,
        Rounding::NearestEven | Rounding::NearestAway => match compare((value(low) + value(low + 1)) / 2) {
            Ordering::Less => false,
            Ordering::Greater => true,
            Ordering::Equal => rounding == Rounding::NearestAway || low & 1 == 1,
        },
    };
    let bits = if low >= 0x7c00 { if up { 0x7c00 } else { 0x7bff } } else { low + u128::from(up) };
    bits | u128::from(negative) << 15
}

fn half(op: FloatOp, a: u128, b: u128, c: u128) -> u128 {
    use FloatKind::*;
    let (x, y, z) = (scaled(a), scaled(b), scaled(c));
    let (sign_a, sign_b) = (a >> 15 == 1, b >> 15 == 1);
    // Numerator and denominator at the scale 2^-25.
    let (numerator, denominator): (i128, i128) = match op.kind {
        Add => ((x + y) << 24, 1 << 23),
        Sub => ((x - y) << 24, 1 << 23),
        Mul => (x * y, 1 << 23),
        Fma => (x * y + (z << 24), 1 << 23),
        Div => (x << 25, y),
        _ => unreachable!("no such operator"),
    };
    let negative = if numerator == 0 {
        match op.kind {
            Mul | Div => sign_a != sign_b,
            kind => {
                let first = if kind == Fma { sign_a != sign_b } else { sign_a };
                let second = if kind == Fma { c >> 15 == 1 } else { sign_b != (kind == Sub) };
                if first == second { first } else { op.rounding == Rounding::Down }
            }
        }
    } else {
        (numerator < 0) != (denominator < 0)
    };
    let (numerator, denominator) = (numerator.abs(), denominator.abs());
    rounded(op.rounding, negative, |value| numerator.cmp(&(value * denominator)))
}

#[test]
fn halves_are_exact_in_all_directions() {
    use FloatKind::*;
    let mut random = Random::new(5);
    let finite = |bits: u128| bits & 0x7fff < 0x7c00;
    let mut count = 0;
    for rounding in Rounding::ALL {
        for kind in [Add, Sub, Mul, Div, Fma] {
            let op = FloatOp { kind, rounding };
            let special: Vec<u128> = special(16).into_iter().filter(|&x| finite(x)).collect();
            let mut check = |a: u128, b: u128, c: u128| {
                if !finite(a) || !finite(b) || !finite(c) || kind == Div && b & 0x7fff == 0 {
                    return;
                }
                let gates = match kind {
                    Fma => by_circuit(op, 32, 16, 16, a << 16 | b, c),
                    _ => by_circuit(op, 16, 16, 16, a, b),
                };
                assert_eq!(gates, half(op, a, b, c), "{kind:?} {rounding:?} {a:#x} {b:#x} {c:#x}");
                count += 1;
            };
            for &a in &special {
                for &b in &special {
                    for &c in if kind == Fma { &special[..] } else { &[0] } {
                        check(a, b, c);
                    }
                }
            }
            for _ in 0..cases() {
                let a = number(&mut random, 16, 0x3c00);
                let b = number(&mut random, 16, a);
                check(a, b, number(&mut random, 16, a));
            }
        }
        // Square roots of all numbers that have one.
        let op = FloatOp { kind: Sqrt, rounding };
        for a in 0..0x7c00 {
            let expected = rounded(rounding, false, |value| (scaled(a) << 26).cmp(&(value * value)));
            assert_eq!(by_circuit(op, 16, 1, 16, a, 0), expected, "{rounding:?} root of {a:#x}");
            count += 1;
        }
    }
    println!("{count} cases");
}

#[test]
fn what_is_no_number_has_the_bits_of_sse() {
    let check = |kind: FloatKind, a: u128, b: u128, expected: u128| {
        let op = FloatOp::nearest(kind);
        let second = if kind == FloatKind::Sqrt { 1 } else { 32 };
        assert_eq!(by_circuit(op, 32, second, 32, a, b), expected, "{kind:?} {a:#x} {b:#x}");
        assert_eq!(float::value(op, 32, second, 32, a, b), expected, "{kind:?} {a:#x} {b:#x}, folded");
    };
    let (one, infinity, zero, invalid) = (0x3f80_0000, 0x7f80_0000, 0, 0xffc0_0000);
    for kind in [FloatKind::Add, FloatKind::Sub, FloatKind::Mul, FloatKind::Div] {
        check(kind, 0x7f80_0001, one, 0x7fc0_0001);
        check(kind, one, 0xffc1_2345, 0xffc1_2345);
        check(kind, 0x7fc0_0007, 0xff80_0009, 0x7fc0_0007);
    }
    check(FloatKind::Sub, infinity, infinity, invalid);
    check(FloatKind::Mul, zero, infinity, invalid);
    check(FloatKind::Div, zero, zero, invalid);
    check(FloatKind::Div, infinity, infinity, invalid);
    check(FloatKind::Sqrt, 0xbf80_0000, 0, invalid);
    let convert = FloatOp::nearest(FloatKind::Convert);
    assert_eq!(by_circuit(convert, 32, 1, 64, 0xff80_0001, 0), 0xfff8_0000_2000_0000);
    assert_eq!(by_circuit(convert, 64, 1, 32, 0x7ff0_0000_2000_0001, 0), 0x7fc0_0001);
}

#[test]
fn names_are_read_back() {
    for kind in FloatKind::ALL {
        for rounding in Rounding::ALL {
            let op = FloatOp { kind, rounding };
            assert_eq!(FloatOp::from_name(&op.name()), Some(op));
        }
    }
    assert_eq!(FloatOp::from_name("f.add.sideways"), None);
}

#[test]
fn gates_as_terms_have_the_same_value() {
    let mut random = Random::new(6);
    for kind in [FloatKind::Add, FloatKind::Mul, FloatKind::Div, FloatKind::Sqrt, FloatKind::Round] {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.symbol(name, Sort::Bits(16)));
        let op = FloatOp::nearest(kind);
        let t = if kind.is_binary() { terms.float(op, x, y, 16) } else { terms.float_unary(op, x, 16) };
        let gates = spell_out(&mut terms, t);
        assert!(!matches!(terms.node(gates), Node::Float(..)));
        for _ in 0..50 {
            let mut model = Model::new();
            for symbol in [x, y] {
                let symbol = terms.as_symbol(symbol).expect("a symbol");
                model.set(symbol, number(&mut random, 16, 0x3c00));
            }
            assert_eq!(terms.evaluate(t, &model), terms.evaluate(gates, &model), "{kind:?}");
        }
    }
}
