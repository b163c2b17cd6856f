//! Rules that others rely on, one by one.

use super::*;

struct Pool {
    terms: Terms,
    x: Term,
    y: Term,
    a: Term,
    b: Term,
}

fn pool() -> Pool {
    let mut terms = Terms::new();
    let [x, y] = ["x", "y"].map(|name| terms.symbol(name, Sort::Bits(32)));
    let [a, b] = ["a", "b"].map(|name| terms.symbol(name, Sort::BOOL));
    Pool { terms, x, y, a, b }
}

#[test]
fn sums_have_one_constant() {
    let Pool { mut terms, x, y, .. } = pool();
    let (one, two, three) = (terms.constant(32, 1), terms.constant(32, 2), terms.constant(32, 3));
    let step = terms.add(x, one);
    let twice = terms.add(step, two);
    assert_eq!(twice, terms.add(x, three));
    let back = terms.sub(twice, three);
    assert_eq!(back, x);
    // x + 1 == y + 3 and x == y + 2
    let far = terms.add(y, three);
    let near = terms.add(y, two);
    let (first, second) = (terms.eq(step, far), terms.eq(x, near));
    assert_eq!(first, second);
    let never = terms.eq(step, twice);
    assert!(terms.is_false(never));
    let four = terms.constant(32, 4);
    let scaled = terms.mul(step, four);
    let plain = terms.mul(x, four);
    assert_eq!(scaled, terms.add(plain, four));
}

#[test]
fn one_atom_per_bound() {
    let Pool { mut terms, x, .. } = pool();
    let (two, three) = (terms.constant(32, 2), terms.constant(32, 3));
    let (below, at_most) = (terms.slt(x, three), terms.sle(x, two));
    assert_eq!(below, at_most);
    let above = terms.slt(two, x);
    assert_eq!(above, terms.not(below));
    let one = terms.constant(32, 1);
    let zero = terms.constant(32, 0);
    let tiny = terms.ult(x, one);
    assert_eq!(tiny, terms.eq(x, zero));
    let least = terms.constant(32, 1 << 31);
    let never = terms.slt(x, least);
    assert!(terms.is_false(never));
}

#[test]
fn widened_values_are_compared_narrow() {
    let mut terms = Terms::new();
    let c = terms.symbol("c", Sort::Bits(8));
    let (wide, signed) = (terms.zext(c, 32), terms.sext(c, 32));
    let k = terms.constant(32, 300);
    let (yes, no) = (terms.slt(wide, k), terms.eq(signed, k));
    assert!(terms.is_true(yes) && terms.is_false(no));
    let (k, small) = (terms.constant(32, 100), terms.constant(8, 100));
    let (less, narrow) = (terms.slt(signed, k), terms.slt(c, small));
    assert_eq!(less, narrow);
    // A C comparison used as a number and compared with zero again.
    let truth = terms.zext(less, 32);
    let zero = terms.constant(32, 0);
    assert_eq!(terms.ne(truth, zero), less);
}

#[test]
fn connectives_absorb() {
    let Pool { mut terms, a, b, .. } = pool();
    let (not_a, both, either) = (terms.not(a), terms.and(a, b), terms.or(a, b));
    assert_eq!(terms.and(a, either), a);
    assert_eq!(terms.or(a, both), a);
    assert_eq!(terms.and(a, both), both);
    let never = terms.and(not_a, both);
    assert!(terms.is_false(never));
    // !a && (a || b) is !a && b
    let left = terms.and(not_a, either);
    assert_eq!(left, terms.and(not_a, b));
    let nested = terms.ite(a, b, a);
    assert_eq!(nested, both);
}

#[test]
fn ifs_of_constants_are_looked_through() {
    let Pool { mut terms, x, a, b, .. } = pool();
    let [one, two, three] = [1, 2, 3].map(|k| terms.constant(32, k));
    let inner = terms.ite(b, two, x);
    let outer = terms.ite(a, one, inner);
    let hit = terms.eq(outer, one);
    let rest = terms.eq(x, one);
    let not_b = terms.not(b);
    let below = terms.and(not_b, rest);
    assert_eq!(hit, terms.or(a, below));
    let choice = terms.ite(a, one, two);
    let sum = terms.add(choice, one);
    assert_eq!(sum, terms.ite(a, two, three));
    assert_eq!(terms.eq(choice, two), terms.not(a));
}

#[test]
fn bytes_are_put_together_again() {
    let Pool { mut terms, x, .. } = pool();
    let bytes = [0, 8, 16, 24].map(|lo| terms.extract(x, lo, 8));
    let mut word = bytes[0];
    for byte in &bytes[1..] {
        word = terms.concat(*byte, word);
    }
    assert_eq!(word, x);
    let low = terms.constant(32, 0xff);
    let masked = terms.and(x, low);
    assert_eq!(masked, terms.zext(bytes[0], 32));
}

#[test]
fn reads_skip_writes_elsewhere() {
    let mut terms = Terms::new();
    let memory = terms.symbol("m", Sort::Array { index: 64, element: 32 });
    let p = terms.symbol("p", Sort::Bits(64));
    let [v, w] = ["v", "w"].map(|name| terms.symbol(name, Sort::Bits(32)));
    let four = terms.constant(64, 4);
    let next = terms.add(p, four);
    let first = terms.store(memory, p, v);
    let second = terms.store(first, next, w);
    assert_eq!(terms.select(second, p), v);
    assert_eq!(terms.select(second, next), w);
    let eight = terms.constant(64, 8);
    let other = terms.add(p, eight);
    assert_eq!(terms.select(second, other), terms.select(memory, other));
    // The first write to p is hidden by the third.
    let third = terms.store(second, p, w);
    let without = terms.store(memory, next, w);
    assert_eq!(third, terms.store(without, p, w));
    // A write on one branch only.
    let c = terms.symbol("c", Sort::BOOL);
    let merged = terms.ite(c, first, memory);
    let old = terms.select(memory, p);
    let value = terms.ite(c, v, old);
    assert_eq!(merged, terms.store(memory, p, value));
}

#[test]
fn conjuncts_of_a_negated_disjunction() {
    let Pool { mut terms, x, a, b, .. } = pool();
    let zero = terms.constant(32, 0);
    let (not_a, not_b, positive) = (terms.not(a), terms.not(b), terms.slt(zero, x));
    let t = terms.and_all(&[not_a, not_b, positive]);
    let mut found = terms.conjuncts(t);
    found.sort_unstable();
    let mut expected = vec![not_a, not_b, positive];
    expected.sort_unstable();
    assert_eq!(found, expected);
    let mut atoms = terms.atoms(t);
    atoms.retain(|&atom| atom != a && atom != b);
    assert_eq!(atoms.len(), 1);
}
