//! The simplifying constructors keep the value of every term under every assignment.

mod support;

use robusto_logic::{Node, Sort, Terms};
use robusto_testing::Random;
use support::Gen;

fn compare(seed: u64, widths: &[u16], arrays: Option<(u16, u16)>, rounds: usize, depth: usize) {
    let mut gen_ = Gen {
        rng: Random::new(seed),
        widths: widths.to_vec(),
        arrays,
        symbols_per_sort: 3,
        functions: arrays.is_none(),
    };
    for round in 0..rounds {
        let mut terms = Terms::new();
        let width = gen_.rng.pick(widths);
        let (raw, simple) = gen_.bits(&mut terms, width, depth);
        for _ in 0..20 {
            let model = gen_.model(&terms, &[raw]);
            let (a, b) = (terms.evaluate(raw, &model), terms.evaluate(simple, &model));
            assert_eq!(
                a,
                b,
                "seed {seed}, round {round}: {} became {} in {model:?}",
                terms.display(raw),
                terms.display(simple)
            );
        }
    }
}

#[test]
fn narrow_terms() {
    for seed in 0..20 {
        compare(seed, &[1, 2, 3], None, 2000, 4);
    }
}

#[test]
fn wide_terms() {
    for seed in 20..40 {
        compare(seed, &[1, 7, 8, 16, 31, 32, 64, 127, 128, 96, 97, 1, 15, 24, 25], None, 1, 1);
    }
    for seed in 40..60 {
        compare(seed, &[1, 8, 16, 32], None, 1500, 4);
    }
    for seed in 60..70 {
        compare(seed, &[1, 64, 127, 128], None, 1500, 3);
    }
}

#[test]
fn arrays() {
    for seed in 100..120 {
        compare(seed, &[1, 2, 3], Some((2, 2)), 1500, 5);
    }
    for seed in 120..130 {
        compare(seed, &[1, 8, 16], Some((16, 8)), 1500, 5);
    }
}

#[test]
fn copies_of_more_elements_than_become_stores() {
    let mut terms = Terms::new();
    let sort = Sort::Array { index: 8, element: 8 };
    let (a, b) = (terms.symbol("a", sort), terms.symbol("b", sort));
    let (to, from, size) = (terms.constant(8, 250), terms.constant(8, 3), terms.constant(8, 40));
    let copy = terms.splice(a, b, to, from, size);
    assert!(matches!(terms.node(copy), Node::Splice { .. }));
    for (index, array, at) in [(250u128, b, 3u128), (255, b, 8), (0, b, 9), (33, b, 42), (34, a, 34), (249, a, 249)] {
        let index = terms.constant(8, index);
        let at = terms.constant(8, at);
        let (read, expected) = (terms.select(copy, index), terms.select(array, at));
        assert_eq!(read, expected);
    }
}

#[test]
fn substitution_is_the_same_before_and_after_simplification() {
    for seed in 200..220 {
        let mut gen_ = Gen {
            rng: Random::new(seed),
            widths: vec![1, 2, 3],
            arrays: Some((2, 2)),
            symbols_per_sort: 3,
            functions: true,
        };
        for _ in 0..300 {
            let mut terms = Terms::new();
            let (raw, simple) = gen_.bits(&mut terms, 1, 4);
            let mut map = robusto_logic::Substitution::new();
            let mut replaced = Vec::new();
            for symbol in terms.symbols(raw) {
                let t = terms.symbol_term(symbol);
                if let Sort::Bits(width) = terms.sort(t)
                    && gen_.rng.below(2) == 0
                {
                    let (_, to) = gen_.bits(&mut terms, width, 2);
                    map.insert(t, to);
                    replaced.push((symbol, to));
                }
            }
            let result = terms.substitute(simple, &mut map);
            for _ in 0..5 {
                let mut roots: Vec<_> = replaced.iter().map(|&(_, to)| to).collect();
                roots.push(raw);
                let model = gen_.model(&terms, &roots);
                let mut inner = model.clone();
                for &(symbol, to) in &replaced {
                    inner.set(symbol, terms.evaluate(to, &model));
                }
                assert_eq!(terms.evaluate(result, &model), terms.evaluate(raw, &inner));
            }
        }
    }
}
