//! Circuits of floating-point operators against the host's arithmetic (single and double) and against exact integers (half, in
//! all directions of rounding). `ROBUSTO_FLOAT_CASES` is the number of random cases of each operator; the tests print how many
//! they have run.
//!
//! A circuit is built once, and computes 64 cases at a time, one in each bit of a machine word.

mod support;

use robusto_logic::blast::float::{all_digits, divide, spell_out};
use robusto_logic::term::float::{self, COMPACT, Format};
use robusto_logic::{FloatKind, FloatOp, Model, Node, Rounding, Sort, Terms};
use robusto_testing::Random;
use std::cell::RefCell;
use std::cmp::Ordering;
use std::collections::HashMap;
use support::parallel::{Circuit, LANES};

/// Random cases of each operator; `ROBUSTO_FLOAT_CASES=250000` makes ten million.
fn cases() -> usize {
    std::env::var("ROBUSTO_FLOAT_CASES").map_or(2_000, |text| text.parse().expect("a number"))
}

/// A case: operands, and the bits that a circuit should give.
struct Case {
    a: u128,
    b: u128,
    expected: u128,
}

/// An operator with the widths of its operands and its result.
type Shape = (FloatOp, u16, u16, u16);

/// Collects cases of operators until a circuit has its lanes full.
#[derive(Default)]
struct Checker {
    circuits: HashMap<Shape, (Circuit, Vec<Case>)>,
    count: u64,
}

impl Checker {
    fn check(&mut self, shape: Shape, a: u128, b: u128, expected: u128) {
        let (op, from, second, to) = shape;
        let entry = self.circuits.entry(shape).or_insert_with(|| (Circuit::new(op, from, second, to), Vec::new()));
        entry.1.push(Case { a, b, expected });
        self.count += 1;
        if entry.1.len() == LANES {
            compare(shape, &mut entry.0, &mut entry.1);
        }
    }

    /// What is left; the number of cases.
    fn finish(mut self) -> u64 {
        for (&shape, (circuit, pending)) in &mut self.circuits {
            compare(shape, circuit, pending);
        }
        self.count
    }
}

fn compare((op, from, second, to): Shape, circuit: &mut Circuit, pending: &mut Vec<Case>) {
    let operands: Vec<(u128, u128)> = pending.iter().map(|case| (case.a, case.b)).collect();
    let results = circuit.evaluate(&operands);
    for (lane, (Case { a, b, expected }, gates)) in pending.drain(..).zip(results).enumerate() {
        let name = op.name();
        // The host may choose other bits for what is no number; ours are compared with the constant folder's.
        let is_float = !matches!(op.kind, FloatKind::ToSigned | FloatKind::ToUnsigned);
        let same = gates == expected || is_float && is_nan(to, gates) && is_nan(to, expected);
        assert!(same, "{name} from {from} to {to} bits: {a:#x}, {b:#x} gives {gates:#x}, not {expected:#x}");
        // Where the host has no such operation, constants are folded by integers.
        if lane % 8 == 0 {
            assert_eq!(
                float::value(op, from, second, to, a, b),
                gates,
                "{name} from {from} to {to} bits folded: {a:#x}, {b:#x}"
            );
        }
    }
}

thread_local! {
    static SINGLE: RefCell<HashMap<Shape, Circuit>> = RefCell::default();
}

/// One case alone.
fn by_circuit(op: FloatOp, from: u16, second: u16, to: u16, a: u128, b: u128) -> u128 {
    SINGLE.with_borrow_mut(|circuits| {
        let circuit = circuits.entry((op, from, second, to)).or_insert_with(|| Circuit::new(op, from, second, to));
        circuit.evaluate(&[(a, b)])[0]
    })
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

#[test]
fn arithmetic_is_the_hosts() {
    use FloatKind::*;
    let mut random = Random::new(1);
    let mut checker = Checker::default();
    for width in [32, 64] {
        for kind in [Add, Sub, Mul, Div, Sqrt] {
            let second = if kind == Sqrt { 1 } else { width };
            let mut agree = |a: u128, b: u128| {
                let b = if second == 1 { 0 } else { b };
                checker.check((FloatOp::nearest(kind), width, second, width), a, b, host(kind, width, a, b));
            };
            for &a in &special(width) {
                for &b in &special(width) {
                    agree(a, b);
                }
            }
            for _ in 0..cases() {
                let near = u128::from(random.bits()) & (u128::MAX >> (128 - width));
                let a = number(&mut random, width, near);
                agree(a, number(&mut random, width, a));
            }
        }
    }
    println!("{} cases", checker.finish());
}

/// Remainders: the host has `fmod`; the other one is checked against exact integers in `robusto_ieee`. The circuit for doubles has
/// two million gates, so it gets a tenth of the cases.
#[test]
fn remainders_are_exact() {
    use FloatKind::{Fmod, Remainder};
    let mut random = Random::new(8);
    let mut checker = Checker::default();
    for (width, share) in [(16, 1), (32, 1), (64, 10)] {
        for kind in [Fmod, Remainder] {
            let mut agree = |a: u128, b: u128| {
                let expected = match (kind, width) {
                    (Fmod, 32) => (f32::from_bits(a as u32) % f32::from_bits(b as u32)).to_bits().into(),
                    (Fmod, 64) => (f64::from_bits(a as u64) % f64::from_bits(b as u64)).to_bits().into(),
                    (Fmod, _) => robusto_ieee::fmod(width, a, b),
                    _ => robusto_ieee::remainder(width, a, b),
                };
                checker.check((FloatOp::nearest(kind), width, width, width), a, b, expected);
            };
            for &a in &special(width) {
                for &b in &special(width) {
                    agree(a, b);
                }
            }
            for _ in 0..cases() / share {
                let near = u128::from(random.bits()) & (u128::MAX >> (128 - width));
                let a = number(&mut random, width, near);
                agree(a, number(&mut random, width, a));
            }
        }
    }
    println!("{} cases", checker.finish());
}

/// A circuit for few digits tells where they suffice, and is right there.
#[test]
fn short_divisions_are_right_where_they_fit() {
    let mut random = Random::new(9);
    for kind in [FloatKind::Fmod, FloatKind::Remainder] {
        for digits in [1, 4, 16, all_digits(Format::of(32))] {
            let mut circuit = Circuit::build(32, 32, |aig, a, b| {
                let division = divide(aig, kind, a, b, digits);
                [division.result, vec![division.fits]].concat()
            });
            let (mut fitting, mut all) = (0, 0);
            for _ in 0..2_000 {
                let a = number(&mut random, 32, 0x4000_0000);
                let b = number(&mut random, 32, a);
                let result = circuit.evaluate(&[(a, b)])[0];
                all += 1;
                if result >> 32 == 1 {
                    fitting += 1;
                    let expected = float::value(FloatOp::nearest(kind), 32, 32, 32, a, b);
                    assert_eq!(result & 0xffff_ffff, expected, "{kind:?} with {digits} digits: {a:#x} {b:#x}");
                } else {
                    let exponent = |bits: u128| (bits >> 23 & 0xff) as usize;
                    assert!(exponent(a) + 23 > exponent(b) + digits, "{kind:?} with {digits} digits: {a:#x} {b:#x}");
                }
            }
            assert!(fitting * 4 > all, "{fitting} of {all}");
            assert!(digits < 100 || fitting == all, "{fitting} of {all}");
        }
    }
}

#[test]
fn fused_products_are_the_hosts() {
    let mut random = Random::new(2);
    let op = FloatOp::nearest(FloatKind::Fma);
    let checker = RefCell::new(Checker::default());
    let check = |width: u16, a: u128, b: u128, c: u128| {
        let expected = if width == 32 {
            let [a, b, c] = [a, b, c].map(|x| f32::from_bits(x as u32));
            u128::from(a.mul_add(b, c).to_bits())
        } else {
            let [a, b, c] = [a, b, c].map(|x| f64::from_bits(x as u64));
            u128::from(a.mul_add(b, c).to_bits())
        };
        checker.borrow_mut().check((op, 2 * width, width, width), a << width | b, c, expected);
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
    println!("{} cases", checker.into_inner().finish());
}

#[test]
fn conversions_are_the_hosts() {
    use FloatKind::*;
    let mut random = Random::new(3);
    let mut checker = Checker::default();
    let mut one = |kind: FloatKind, from: u16, to: u16, a: u128, expected: u128| {
        checker.check((FloatOp::nearest(kind), from, 1, to), a, 0, expected);
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
    println!("{} cases", checker.finish());
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
    let mut checker = Checker::default();
    let mut check = |x: u128| {
        for (rounding, function) in directions {
            let op = FloatOp { kind: FloatKind::Round, rounding };
            let of = f64::from_bits(x as u64);
            checker.check((op, 64, 1, 64), x, 0, function(of).to_bits().into());
            let of = f32::from_bits(x as u32);
            checker.check((op, 32, 1, 32), x & 0xffff_ffff, 0, (function(of.into()) as f32).to_bits().into());
        }
    };
    special(64).into_iter().for_each(&mut check);
    special(32).into_iter().for_each(&mut check);
    for _ in 0..cases() {
        check(number(&mut random, 64, 0x4100 << 48));
        check(number(&mut random, 32, 0x4580_0000));
    }
    println!("{} cases", checker.finish());
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
    let mut checker = Checker::default();
    for rounding in Rounding::ALL {
        for kind in [Add, Sub, Mul, Div, Fma] {
            let op = FloatOp { kind, rounding };
            let special: Vec<u128> = special(16).into_iter().filter(|&x| finite(x)).collect();
            let mut check = |a: u128, b: u128, c: u128| {
                if !finite(a) || !finite(b) || !finite(c) || kind == Div && b & 0x7fff == 0 {
                    return;
                }
                match kind {
                    Fma => checker.check((op, 32, 16, 16), a << 16 | b, c, half(op, a, b, c)),
                    _ => checker.check((op, 16, 16, 16), a, b, half(op, a, b, c)),
                }
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
            checker.check((op, 16, 1, 16), a, 0, expected);
        }
    }
    println!("{} cases", checker.finish());
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

/// The double that a half is.
fn double_of_half(bits: u128) -> f64 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    match (bits >> 10 & 31, bits & 1023) {
        (31, 0) => sign * f64::INFINITY,
        (31, _) => f64::NAN,
        // The sign of zero is kept.
        _ => sign * scaled(bits & 0x7fff) as f64 * 2f64.powi(-24),
    }
}

/// The half of a double that has no rounding to do: zeros, infinities, what is no number.
fn half_of_special(value: f64) -> u128 {
    let sign = u128::from(value.is_sign_negative()) << 15;
    if value.is_nan() { 0x7e00 } else { sign | if value == 0.0 { 0 } else { 0x7c00 } }
}

/// With an operand that is infinite or no number, or a divisor that is zero, nothing is rounded.
#[test]
fn halves_that_are_special() {
    use FloatKind::*;
    let mut checker = Checker::default();
    let finite = |bits: u128| bits & 0x7fff < 0x7c00;
    for rounding in Rounding::ALL {
        for &a in &special(16) {
            let x = double_of_half(a);
            for &b in &special(16) {
                let y = double_of_half(b);
                for (kind, value) in [(Add, x + y), (Sub, x - y), (Mul, x * y), (Div, x / y)] {
                    if finite(a) && finite(b) && !(kind == Div && y == 0.0) {
                        continue;
                    }
                    checker.check((FloatOp { kind, rounding }, 16, 16, 16), a, b, half_of_special(value));
                }
            }
            if !finite(a) || x < 0.0 {
                checker.check((FloatOp { kind: Sqrt, rounding }, 16, 1, 16), a, 0, half_of_special(x.sqrt()));
            }
        }
    }
    println!("{} cases", checker.finish());
}

/// All halves to wider formats and to integers; wider numbers to halves, in all directions.
#[test]
fn halves_are_converted() {
    use FloatKind::*;
    let mut random = Random::new(10);
    let mut checker = Checker::default();
    let directions = [
        (Rounding::Down, f64::floor as fn(f64) -> f64),
        (Rounding::Up, f64::ceil),
        (Rounding::Zero, f64::trunc),
        (Rounding::NearestAway, f64::round),
        (Rounding::NearestEven, f64::round_ties_even),
    ];
    let exactly = |value: f64| {
        rounded(Rounding::Zero, value.is_sign_negative(), |v| (value.abs() * 2f64.powi(25)).total_cmp(&(v as f64)))
    };
    for a in 0..=0xffffu128 {
        let x = double_of_half(a);
        let nearest = FloatOp::nearest;
        checker.check((nearest(Convert), 16, 1, 32), a, 0, (x as f32).to_bits().into());
        checker.check((nearest(Convert), 16, 1, 64), a, 0, x.to_bits().into());
        checker.check((nearest(ToSigned), 16, 1, 16), a, 0, (x as i16 as u16).into());
        checker.check((nearest(ToUnsigned), 16, 1, 8), a, 0, (x as u8).into());
        for (rounding, function) in directions {
            let expected = if x.is_finite() { exactly(function(x)) } else { half_of_special(x) };
            checker.check((FloatOp { kind: Round, rounding }, 16, 1, 16), a, 0, expected);
        }
    }
    for rounding in Rounding::ALL {
        let mut to_half = |width: u16, bits: u128, value: f64| {
            let size = value.abs() * 2f64.powi(25);
            let expected = match value.is_finite() {
                true => {
                    rounded(rounding, value.is_sign_negative(), |v| size.partial_cmp(&(v as f64)).expect("numbers"))
                }
                false => half_of_special(value),
            };
            checker.check((FloatOp { kind: Convert, rounding }, width, 1, 16), bits, 0, expected);
        };
        for _ in 0..cases() {
            let single = number(&mut random, 32, 0x3f80_0000);
            to_half(32, single, f32::from_bits(single as u32).into());
            let double = number(&mut random, 64, 0x3ff0 << 48);
            to_half(64, double, f64::from_bits(double as u64));
        }
        for &bits in &special(32) {
            to_half(32, bits, f32::from_bits(bits as u32).into());
        }
        for &bits in &special(64) {
            to_half(64, bits, f64::from_bits(bits as u64));
        }
        for value in -0x8000i64..=0x7fff {
            let size = (value.abs() << 25) as f64;
            let expected = rounded(rounding, value < 0, |v| size.partial_cmp(&(v as f64)).expect("numbers"));
            checker.check((FloatOp { kind: OfSigned, rounding }, 16, 1, 16), (value as u16).into(), 0, expected);
        }
    }
    println!("{} cases", checker.finish());
}

/// Extended precision in all directions, and the directions of singles and doubles, against arithmetic by integers, which is compared
/// with the processor in `robusto-ieee`.
#[test]
fn extended_precision_and_directions_are_those_of_integers() {
    use FloatKind::*;
    let mut random = Random::new(9);
    let mut checker = Checker::default();
    for _ in 0..cases() / 4 {
        for width in [32, 64, COMPACT] {
            let rounding = random.pick(&Rounding::ALL);
            let wide = u128::from(random.bits()) << 64 | u128::from(random.bits());
            let near = wide & (u128::MAX >> (128 - width));
            let (a, b) = (number(&mut random, width, near), number(&mut random, width, near));
            let mut one = |kind: FloatKind, from: u16, second: u16, to: u16, a: u128, b: u128| {
                let op = FloatOp { kind, rounding };
                checker.check((op, from, second, to), a, b, float::value(op, from, second, to, a, b));
            };
            [Add, Sub, Mul, Div].into_iter().for_each(|kind| one(kind, width, width, width, a, b));
            [Sqrt, Round].into_iter().for_each(|kind| one(kind, width, 1, width, a, 0));
            one(OfSigned, 64, 1, width, wide >> 64, 0);
            one(OfUnsigned, 128, 1, width, wide >> random.below(128u64), 0);
            one(ToSigned, width, 1, 64, a, 0);
            one(ToUnsigned, width, 1, 32, a, 0);
            for other in [32, 64, COMPACT] {
                one(Convert, width, 1, other, a, 0);
            }
        }
    }
    println!("{} cases", checker.finish());
}
