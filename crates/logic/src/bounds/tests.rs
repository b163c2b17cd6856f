//! Against all values of small words.

use super::*;
use crate::term::fold;
use robusto_testing::Random;

const WIDTH: u16 = 3;

fn contains(values: &Values, bits: u128) -> bool {
    let (bits, signed) = (bits as i128, fold::signed(values.width, bits));
    let within = |(lo, hi): (i128, i128), value: i128| lo <= value && value <= hi;
    let congruent = (bits ^ values.low.1) & ((1 << values.low.0) - 1) == 0;
    within(values.unsigned, bits) && within(values.signed, signed) && congruent
}

/// Ranges in both orders, and sets with known low bits.
fn sets(width: u16) -> Vec<Values> {
    let any = Values::any(width);
    let mut all = Vec::new();
    for (lo, hi) in (0..1 << width).flat_map(|lo| (lo..1 << width).map(move |hi| (lo, hi))) {
        all.push(Values::integers(width, lo, hi));
        all.push(Values::integers(width, lo + any.signed.0, hi + any.signed.0));
    }
    let low = (1..=width).flat_map(|known| (0..1 << known).map(move |bits| Values::low(width, known, bits)));
    let some: Vec<Values> = low.collect();
    let met: Vec<Values> = some.iter().filter_map(|set| set.meet(&Values::integers(width, 2, 6))).collect();
    all.extend(some.into_iter().chain(met));
    all
}

#[test]
fn operators_keep_all_results() {
    let sets = sets(WIDTH);
    let members = |set: &Values| (0..1u128 << WIDTH).filter(|&bits| contains(set, bits)).collect::<Vec<_>>();
    let (mut results, mut narrow) = (0, 0);
    for x in &sets {
        let mine = members(x);
        assert!(!mine.is_empty(), "{x:?}");
        let (not, neg) = (forward::not(x), forward::sum(&Values::constant(WIDTH, 0), -1, x));
        let (low, high) = (forward::extract(x, 0, 2), forward::extract(x, 1, 2));
        let (zero, sign) = (forward::resized(5, x.unsigned, x.low), forward::resized(5, x.signed, x.low));
        for &a in &mine {
            assert!(contains(&not, fold::mask(WIDTH, !a)) && contains(&neg, fold::mask(WIDTH, a.wrapping_neg())));
            assert!(contains(&low, a & 3) && contains(&high, a >> 1), "{x:?} {a}");
            assert!(contains(&zero, a) && contains(&sign, fold::mask(5, fold::signed(WIDTH, a) as u128)), "{x:?} {a}");
        }
        for y in &sets {
            let others = members(y);
            let (meet, hull) = (x.meet(y), x.hull(y));
            let concat = forward::concat(x, y);
            for &b in &others {
                assert_eq!(meet.is_some_and(|meet| contains(&meet, b)), mine.contains(&b), "{x:?} {y:?}");
                assert!(contains(&hull, b) && mine.iter().all(|&a| contains(&concat, a << WIDTH | b)), "{x:?} {y:?}");
            }
            for op in BinaryOp::ALL {
                let result = forward::binary(op, x, y);
                results += 1;
                narrow += usize::from(result != Values::any(result.width));
                for (&a, &b) in mine.iter().flat_map(|a| others.iter().map(move |b| (a, b))) {
                    assert!(
                        contains(&result, fold::binary(op, WIDTH, a, b)),
                        "{op:?} {x:?} {y:?} at {a} {b}: {result:?}"
                    );
                }
            }
        }
    }
    assert!(narrow * 2 > results, "{narrow} of {results}");
}

fn word(random: &mut Random, terms: &mut Terms, width: u16, depth: u32) -> Term {
    if depth == 0 || random.one_in(5) {
        return match random.below(3) {
            0 => terms.constant(width, random.below(1u64 << width).into()),
            _ => {
                let x = terms.symbol(random.pick(&["x", "y"]), Sort::Bits(WIDTH));
                if width > WIDTH { terms.zext(x, width) } else { terms.extract(x, 0, width) }
            }
        };
    }
    match random.below(8) {
        0 => {
            let (c, a, b) = (
                formula(random, terms, depth - 1),
                word(random, terms, width, depth - 1),
                word(random, terms, width, depth - 1),
            );
            terms.ite(c, a, b)
        }
        1 if width > 1 => {
            let x = word(random, terms, width - 1, depth - 1);
            if random.one_in(2) { terms.sext(x, width) } else { terms.zext(x, width) }
        }
        2 if width < 6 => {
            let x = word(random, terms, width + 1, depth - 1);
            terms.extract(x, random.below(2) as u16, width)
        }
        3 if width > 1 => {
            let (high, low) = (word(random, terms, 1, depth - 1), word(random, terms, width - 1, depth - 1));
            terms.concat(high, low)
        }
        _ => {
            let op = random.pick(&BinaryOp::ALL[..13]);
            let (a, b) = (word(random, terms, width, depth - 1), word(random, terms, width, depth - 1));
            terms.binary(op, a, b)
        }
    }
}

fn formula(random: &mut Random, terms: &mut Terms, depth: u32) -> Term {
    if depth > 0 && random.one_in(2) {
        let (a, b) = (formula(random, terms, depth - 1), formula(random, terms, depth - 1));
        return match random.below(3) {
            0 => terms.or(a, b),
            1 => terms.not(a),
            _ => terms.and(a, b),
        };
    }
    let (a, b) = (word(random, terms, WIDTH, depth), word(random, terms, WIDTH, depth));
    terms.binary(random.pick(&BinaryOp::ALL[13..]), a, b)
}

/// What is refuted has no model, and most of what has none is refuted.
#[test]
fn formulas_against_all_models() {
    let mut random = Random::new(5);
    let (mut without_model, mut refuted, mut with_model) = (0, 0, 0);
    for case in 0..20_000 {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.symbol(name, Sort::Bits(WIDTH)));
        let formulas: Vec<Term> = (0..3).map(|_| formula(&mut random, &mut terms, 3)).collect();
        let has_model = (0..64u128).any(|point| {
            let mut model = crate::Model::new();
            model.set(terms.as_symbol(x).expect("a symbol"), point & 7);
            model.set(terms.as_symbol(y).expect("a symbol"), point >> 3);
            formulas.iter().all(|&t| terms.evaluate(t, &model) == 1)
        });
        let found = refutes(&terms, &formulas, 100_000);
        assert!(!(found && has_model), "case {case}: {}", terms.display(formulas[0]));
        with_model += usize::from(has_model);
        without_model += usize::from(!has_model);
        refuted += usize::from(found);
    }
    assert!(with_model > 3000 && refuted * 10 > without_model * 6, "{with_model}, {refuted} of {without_model}");
}

/// Chains of quotients, as in state machines with arithmetic.
#[test]
fn arithmetic_of_boxes() {
    let mut terms = Terms::new();
    let x = terms.symbol("x", Sort::Bits(32));
    let constant = |value: i64| terms.constant(32, u128::from(value as u32));
    let [lo, hi, forty, five, three, hundred, most, less] = [250, 300, 40, 5, 3, 100, 165, 164].map(constant);
    let (above, below) = (terms.sle(lo, x), terms.sle(x, hi));
    let rest = terms.srem(x, forty);
    let product = terms.mul(rest, five);
    let quotient = terms.sdiv(product, three);
    let after = terms.add(quotient, hundred);
    let (high, too_high) = (terms.slt(most, after), terms.slt(less, after));
    let (low, equal) = (terms.slt(after, hundred), terms.eq(x, forty));
    let bad = terms.or(high, low);
    let with_case = terms.or(bad, equal);
    assert!(refutes(&terms, &[above, below, bad], 1000));
    assert!(refutes(&terms, &[above, below, with_case], 1000));
    // 279 % 40 · 5 / 3 + 100 is 165.
    assert!(!refutes(&terms, &[above, below, too_high], 100_000));
    assert!(!refutes(&terms, &[above, below, with_case], 10), "the effort is bounded");
}

mod floats {
    use super::*;
    use crate::term::Model;
    use crate::{FloatKind, FloatOp};

    fn nearest(terms: &mut Terms, kind: FloatKind, a: Term, b: Term) -> Term {
        terms.float(FloatOp::nearest(kind), a, b, 32)
    }

    fn single(terms: &mut Terms, value: f32) -> Term {
        terms.constant(32, value.to_bits().into())
    }

    /// a < b, for numbers: by sign and magnitude.
    fn less(terms: &mut Terms, a: Term, b: Term) -> Term {
        let infinity = terms.constant(31, 0x7f80_0000);
        let (size_a, size_b) = (terms.extract(a, 0, 31), terms.extract(b, 0, 31));
        let (sign_a, sign_b) = (terms.extract(a, 31, 1), terms.extract(b, 31, 1));
        let (ordered_a, ordered_b) = (terms.ule(size_a, infinity), terms.ule(size_b, infinity));
        let (nearer, farther) = (terms.ult(size_b, size_a), terms.ult(size_a, size_b));
        let (zero, either) = (terms.constant(31, 0), terms.or(size_a, size_b));
        let (zeros, no) = (terms.eq(either, zero), terms.no());
        let distinct = terms.not(zeros);
        let (positive, yes) = (terms.ite(sign_b, no, farther), terms.yes());
        let negative = terms.ite(sign_b, nearer, yes);
        let by_sign = terms.ite(sign_a, negative, positive);
        terms.and_all(&[ordered_a, ordered_b, distinct, by_sign])
    }

    /// The sine's series stays below 1.1 on a quarter of the circle, and comes above 1.
    #[test]
    fn a_series_is_bounded() {
        use FloatKind::{Add, Div, Mul, Sub};
        let mut terms = Terms::new();
        let x = terms.symbol("x", Sort::Bits(32));
        let [quarter, minus] = [1.570_796_4, -1.570_796_4].map(|value| single(&mut terms, value));
        let range = [less(&mut terms, minus, x), less(&mut terms, x, quarter)];
        let mut power = x;
        let mut sum = x;
        for (step, divisor) in [6.0, 120.0, 5040.0].into_iter().enumerate() {
            power = nearest(&mut terms, Mul, power, x);
            power = nearest(&mut terms, Mul, power, x);
            let divisor = single(&mut terms, divisor);
            let part = nearest(&mut terms, Div, power, divisor);
            sum = nearest(&mut terms, if step == 0 { Sub } else { Add }, sum, part);
        }
        let [high, one] = [1.1, 1.0].map(|value| single(&mut terms, value));
        let (above, over) = (less(&mut terms, high, sum), less(&mut terms, one, sum));
        assert!(refutes(&terms, &[range[0], range[1], above], 1_000_000));
        assert!(!refutes(&terms, &[range[0], range[1], over], 1_000_000));
    }

    fn word(random: &mut Random, terms: &mut Terms, depth: u32) -> Term {
        if depth == 0 || random.one_in(5) {
            return match random.below(3) {
                0 => {
                    let value = random.pick(&[0.0f32, -0.0, 1.0, -1.5, 0.1, 3e38, f32::INFINITY, f32::NAN, 1e-45]);
                    single(terms, value)
                }
                _ => terms.symbol(random.pick(&["x", "y"]), Sort::Bits(32)),
            };
        }
        let (a, b) = (word(random, terms, depth - 1), word(random, terms, depth - 1));
        match random.below(8) {
            0 => {
                let sign = terms.constant(32, 1 << 31);
                terms.xor(a, sign)
            }
            1 => {
                let magnitude = terms.extract(a, 0, 31);
                terms.zext(magnitude, 32)
            }
            2 => terms.float_unary(FloatOp::nearest(FloatKind::Sqrt), a, 32),
            3 => {
                let wide = terms.float_unary(FloatOp::nearest(FloatKind::Convert), a, 64);
                let whole = terms.float_unary(FloatOp::nearest(FloatKind::ToSigned), wide, 16);
                terms.float_unary(FloatOp::nearest(FloatKind::OfSigned), whole, 32)
            }
            _ => {
                let kind = random.pick(&[FloatKind::Add, FloatKind::Sub, FloatKind::Mul, FloatKind::Div]);
                nearest(terms, kind, a, b)
            }
        }
    }

    /// Formulas that a point satisfies are never refuted.
    #[test]
    fn what_has_a_model_is_not_refuted() {
        let mut random = Random::new(9);
        let (mut refuted, mut all) = (0, 0);
        for _ in 0..robusto_testing::cases(3_000) {
            let mut terms = Terms::new();
            let names = ["x", "y"].map(|name| terms.symbol(name, Sort::Bits(32)));
            let mut model = Model::new();
            for symbol in names {
                let value = match random.below(3) {
                    0 => random.bits() as u32,
                    1 => (random.below(2000u32) as f32 / 100.0 - 10.0).to_bits(),
                    _ => random.pick(&[0, 1 << 31, 0x7f80_0000, 0x7fc0_0000, 1, 0x3f80_0000]),
                };
                model.set(terms.as_symbol(symbol).expect("a symbol"), value.into());
            }
            let mut formulas = Vec::new();
            for _ in 0..4 {
                let (a, b) = (word(&mut random, &mut terms, 3), word(&mut random, &mut terms, 2));
                let comparison = if random.one_in(4) { terms.eq(a, b) } else { less(&mut terms, a, b) };
                let holds = terms.evaluate(comparison, &model) == 1;
                let literal = if holds { comparison } else { terms.not(comparison) };
                formulas.push(literal);
            }
            assert!(!refutes(&terms, &formulas, 20_000), "{}", terms.display(formulas[0]));
            // With one of them negated there may be no model.
            let last = formulas.pop().expect("four formulas");
            let opposite = terms.not(last);
            formulas.push(opposite);
            all += 1;
            refuted += usize::from(refutes(&terms, &formulas, 20_000));
        }
        assert!(refuted * 10 > all, "{refuted} of {all}");
    }
}
