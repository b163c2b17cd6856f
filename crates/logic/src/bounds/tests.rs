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
