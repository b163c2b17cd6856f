//! Interpolants of terms, checked by a fresh solver.

use robusto_limits::{Limits, Stopped};
use robusto_logic::craig::{Error, Strength, sequence, sequence_of, sliced};
use robusto_logic::{Answer, Model, Solver, Sort, Term, Terms};
use robusto_testing::Random;
use std::sync::Arc;
use std::time::Duration;

mod support;
use support::{Gen, value_of_width};

fn unsatisfiable(terms: &mut Terms, all: &[Term]) -> bool {
    Solver::new(&Limits::none()).check(terms, all).expect("never stopped") == Answer::Unsat
}

/// A ⇒ I, I ∧ B unsatisfiable, shared symbols only, for each cut; and the steps of the sequence.
fn check(terms: &mut Terms, groups: &[Term], interpolants: &[Term]) {
    assert_eq!(interpolants.len() + 1, groups.len());
    for (i, &interpolant) in (1..).zip(interpolants) {
        let (a, b) = groups.split_at(i);
        let not = terms.not(interpolant);
        assert!(unsatisfiable(terms, &[a, &[not]].concat()), "A => I");
        assert!(unsatisfiable(terms, &[b, &[interpolant]].concat()), "I & B");
        for symbol in terms.symbols(interpolant) {
            let occurs = |side: &[Term]| side.iter().any(|&t| terms.symbols(t).contains(&symbol));
            assert!(occurs(a) && occurs(b), "shared symbols");
        }
        if i < interpolants.len() {
            let next = terms.not(interpolants[i]);
            assert!(unsatisfiable(terms, &[interpolant, groups[i], next]), "inductive");
        }
    }
}

fn refuted(terms: &mut Terms, groups: &[Term]) -> Vec<Term> {
    let found = sequence(terms, groups, &Limits::none()).expect("no arrays").expect("unsatisfiable");
    check(terms, groups, &found);
    found
}

#[test]
fn random_terms() {
    let (mut done, mut seed) = (0, 0);
    while done < 4_000 {
        seed += 1;
        let mut rng = Random::new(seed);
        let mut widths: Vec<u16> = vec![1, 1 + rng.below(8) as u16, 1 + rng.below(8) as u16];
        widths.sort_unstable();
        widths.dedup();
        let (count, depth) = (2 + rng.below(4), 1 + rng.below(3));
        let mut random = Gen { rng, widths, arrays: None, symbols_per_sort: 2, functions: false };
        let mut terms = Terms::new();
        let groups: Vec<Term> = (0..count).map(|_| random.bits(&mut terms, 1, depth).1).collect();
        let strength = random.rng.pick(&[Strength::Strong, Strength::Weak]);
        let found = sequence_of(&mut terms, &groups, strength, &Limits::none()).expect("no arrays");
        assert_eq!(found.is_some(), unsatisfiable(&mut terms, &groups), "seed {seed}");
        // Groups that are false on their own test little.
        if let Some(found) = found
            && groups.iter().all(|&g| !terms.is_false(g))
        {
            check(&mut terms, &groups, &found);
            done += 1;
        }
    }
}

fn symbols<const N: usize>(terms: &mut Terms, names: [&str; N], width: u16) -> [Term; N] {
    names.map(|name| terms.symbol(name, Sort::Bits(width)))
}

/// x + y computed twice by different means: the bits of the sums are what both sides share.
#[test]
fn adders() {
    let mut terms = Terms::new();
    let [x, y, s, t] = symbols(&mut terms, ["x", "y", "s", "t"], 16);
    let sum = terms.add(x, y);
    let first = terms.eq(s, sum);
    let (low, high) = (terms.and(x, y), terms.xor(x, y));
    let one = terms.constant(16, 1);
    let carries = terms.shl(low, one);
    let other = terms.add(high, carries);
    let second = terms.eq(t, other);
    let differ = terms.ne(s, t);
    let both = terms.and(first, second);
    let found = refuted(&mut terms, &[both, differ]);
    assert_eq!(terms.display(found[0]).to_string(), "s == t");
    refuted(&mut terms, &[first, second, differ]);
}

/// x * c by the multiplier, and by shifts and additions.
#[test]
fn multipliers() {
    let mut terms = Terms::new();
    let [x, p, q] = symbols(&mut terms, ["x", "p", "q"], 16);
    let c = terms.constant(16, 0b1011_0101);
    let y = terms.symbol("y", Sort::Bits(16));
    let (is_c, product) = (terms.eq(y, c), terms.mul(x, y));
    let first = terms.eq(p, product);
    let first = terms.and(first, is_c);
    let mut sum = terms.constant(16, 0);
    for shift in [0, 2, 4, 5, 7] {
        let by = terms.constant(16, shift);
        let shifted = terms.shl(x, by);
        sum = terms.add(shifted, sum);
    }
    let second = terms.eq(q, sum);
    let differ = terms.ne(p, q);
    let both = terms.and(first, second);
    let found = refuted(&mut terms, &[both, differ]);
    assert_eq!(terms.display(found[0]).to_string(), "p == q");
}

/// Two copies of one multiplier, each in a group: congruence closure refutes it, so the proof is more than search. At
/// 16 bits a fresh solver takes minutes for the conditions; there they are evaluated on random values.
#[test]
fn multiplier_twice() {
    for width in [4, 8, 16] {
        let mut terms = Terms::new();
        let all = symbols(&mut terms, ["x", "y", "p", "q"], width);
        let [x, y, p, q] = all;
        let product = terms.mul(x, y);
        let groups = [terms.eq(p, product), terms.eq(q, product), terms.ne(p, q)];
        let found = sequence(&mut terms, &groups, &Limits::none()).expect("no arrays").expect("unsatisfiable");
        assert_eq!(terms.display(found[1]).to_string(), "p == q");
        if width < 16 {
            check(&mut terms, &groups, &found);
            continue;
        }
        let mut rng = Random::new(7);
        for round in 0..2_000 {
            let mut model = Model::new();
            let [a, b] = [value_of_width(&mut rng, width), value_of_width(&mut rng, width)];
            let right = a.wrapping_mul(b) & 0xffff;
            let [c, d] = [right, if round % 2 == 0 { right } else { value_of_width(&mut rng, width) }];
            let (c, d) = if round % 3 == 0 { (d, c) } else { (c, d) };
            for (symbol, value) in all.into_iter().zip([a, b, c, d]) {
                model.set(terms.as_symbol(symbol).expect("a symbol"), value);
            }
            let [g0, g1] = [groups[0], groups[1]].map(|t| terms.evaluate(t, &model) == 1);
            let [i1, i2] = [found[0], found[1]].map(|t| terms.evaluate(t, &model) == 1);
            assert!((!g0 || i1) && (!(i1 && g1) || i2), "{a} {b} {c} {d}");
        }
    }
}

/// (x + 1) * y against x * y + y.
#[test]
fn distributive() {
    let mut terms = Terms::new();
    let [x, y, p, q] = symbols(&mut terms, ["x", "y", "p", "q"], 5);
    let one = terms.constant(5, 1);
    let next = terms.add(x, one);
    let (left, right) = (terms.mul(next, y), terms.mul(x, y));
    let right = terms.add(right, y);
    let (first, second, differ) = (terms.eq(p, left), terms.eq(q, right), terms.ne(p, q));
    refuted(&mut terms, &[first, second, differ]);
}

/// The loop `x = 0; y = 0; while (…) { x++; y++; }`, then `x != y`: a path of blocks with a copy of the variables each.
fn counters(terms: &mut Terms, steps: usize, width: u16) -> Vec<Term> {
    let (zero, one) = (terms.constant(width, 0), terms.constant(width, 1));
    let at = |terms: &mut Terms, i: usize| {
        [format!("x{i}"), format!("y{i}")].map(|name| terms.symbol(&name, Sort::Bits(width)))
    };
    let [x, y] = at(terms, 0);
    let (a, b) = (terms.eq(x, zero), terms.eq(y, zero));
    let mut groups = vec![terms.and(a, b)];
    for i in 0..steps {
        let ([x, y], [u, v]) = (at(terms, i), at(terms, i + 1));
        let (next_x, next_y) = (terms.add(x, one), terms.add(y, one));
        let (a, b) = (terms.eq(u, next_x), terms.eq(v, next_y));
        groups.push(terms.and(a, b));
    }
    let [x, y] = at(terms, steps);
    groups.push(terms.ne(x, y));
    groups
}

#[test]
fn paths() {
    let mut terms = Terms::new();
    let groups = counters(&mut terms, 6, 32);
    for strength in [Strength::Strong, Strength::Weak] {
        let found =
            sequence_of(&mut terms, &groups, strength, &Limits::none()).expect("no arrays").expect("unsatisfiable");
        check(&mut terms, &groups, &found);
        // The proof is propagation of constants, so the facts are tied to the step.
        let shown: Vec<String> = found.iter().map(|&i| terms.display(i).to_string()).collect();
        assert_eq!(shown, (0..7).map(|i| format!("x{i} == {i} && y{i} == {i}")).collect::<Vec<_>>());
    }
}

/// Interpolants in the form of words.
#[test]
fn words() {
    let mut terms = Terms::new();
    let [x, y, z] = symbols(&mut terms, ["x", "y", "z"], 8);
    let [five, nine] = [5, 9].map(|c| terms.constant(8, c));
    let mut check = |a: &dyn Fn(&mut Terms) -> Term, b: &dyn Fn(&mut Terms) -> Term, expected: &[&str]| {
        let groups = [a(&mut terms), b(&mut terms)];
        let found = refuted(&mut terms, &groups);
        let shown = terms.display(found[0]).to_string();
        assert!(expected.contains(&shown.as_str()), "{shown}");
    };
    check(&|t| t.eq(x, five), &|t| t.ne(x, five), &["x == 5"]);
    check(&|t| t.ult(x, five), &|t| t.ule(five, x), &["x <u 5"]);
    check(&|t| t.slt(x, five), &|t| t.sle(five, x), &["x < 5"]);
    check(&|t| t.slt(x, y), &|t| t.sle(y, x), &["x < y"]);
    check(
        &|t| {
            let sum = t.add(y, five);
            let (a, b) = (t.eq(x, sum), t.eq(z, nine));
            t.and(a, b)
        },
        &|t| {
            let difference = t.sub(x, y);
            t.ne(difference, five)
        },
        &["x - y == 5", "x == y + 5", "y + 5 == x"],
    );
}

#[test]
fn arrays_are_free_bits() {
    let mut terms = Terms::new();
    let memory = terms.symbol("memory", Sort::Array { index: 8, element: 8 });
    let [i, v] = symbols(&mut terms, ["i", "v"], 8);
    let (written, c) = (terms.store(memory, i, v), terms.constant(8, 7));
    let read = terms.select(written, i);
    let (a, b) = (terms.eq(read, c), terms.ne(v, c));
    refuted(&mut terms, &[a, b]);
    let read = terms.select(memory, i);
    let (a, b) = (terms.eq(read, c), terms.ne(read, c));
    assert_eq!(sequence(&mut terms, &[a, b], &Limits::none()), Err(Error::Uninterpreted));
}

#[test]
fn stops() {
    let mut terms = Terms::new();
    let [x, y, z] = symbols(&mut terms, ["x", "y", "z"], 32);
    let (xy, yx) = (terms.mul(x, y), terms.mul(y, z));
    let (left, right) = (terms.mul(xy, z), terms.mul(x, yx));
    let differ = terms.ne(left, right);
    let limits = Limits::new(Some(Duration::from_millis(100)), None, Arc::default());
    assert_eq!(sequence(&mut terms, &[differ], &limits), Err(Error::Stopped(Stopped::Timeout)));
}

#[test]
fn slices() {
    let mut terms = Terms::new();
    let [x, y, z] = symbols(&mut terms, ["x", "y", "z"], 32);
    let [one, two] = [1, 2].map(|c| terms.constant(32, c));
    let conditions = [
        terms.ult(z, two),
        terms.eq(x, one),
        terms.ule(y, z),
        terms.eq(y, x),
        terms.eq(x, one),
        terms.ne(y, one),
        terms.ult(one, z),
    ];
    assert_eq!(sliced(&mut Solver::new(&Limits::none()), &mut terms, &conditions[..5]), Ok(None));
    assert_eq!(sliced(&mut Solver::new(&Limits::none()), &mut terms, &conditions[1..6]), Ok(Some(vec![0, 2, 4])));
    for all in [&conditions[..6], &conditions] {
        let core =
            sliced(&mut Solver::new(&Limits::none()), &mut terms, all).expect("never stopped").expect("unsatisfiable");
        let core: Vec<Term> = core.into_iter().map(|i| all[i]).collect();
        assert!(unsatisfiable(&mut terms, &core));
        for i in 0..core.len() {
            let rest = [&core[..i], &core[i + 1..]].concat();
            assert!(!unsatisfiable(&mut terms, &rest), "minimal");
        }
    }
}
