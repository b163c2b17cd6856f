//! The paper's programs, abstracted by hand as in Figure 2(b): what each data structure and each numeric domain proves.

use crate::each;
use crate::setup::*;
use robusto_domains::{Octagon, Polyhedron, Ranges};
use robusto_numpred::fixpoint::Options;
use robusto_numpred::{Domain, Expression, Transformer};

const ERROR: u32 = 99;

fn assume(condition: Condition) -> Tau {
    Transformer::Assume(condition)
}

/// Figure 1(a) with predicates i = 1, i = 2, a1 > 0, a2 < 0. The second switch needs its breaks.
fn figure_1a(breaks: bool) -> Builder {
    let (one, two, a1, a2) = (0, 1, 2, 3);
    let mut program = Builder::default();
    program.edge(0, 1, assume(any([all([yes(one), no(two)]), all([no(one), yes(two)])])));
    let sure = |p| Transformer::Predicate(vec![choice(p, Expression::TRUE, Expression::FALSE)]);
    program.edge(1, 2, Transformer::Sequence(vec![assume(yes(one)), sure(a1)]));
    program.edge(1, 2, Transformer::Sequence(vec![assume(yes(two)), sure(a2)]));
    program.edge(1, 2, assume(all([no(one), no(two)])));
    program.edge(2, ERROR, assume(all([yes(one), no(a1)])));
    program.edge(2, 3, assume(yes(one)));
    program.edge(2, 3, assume(yes(two)));
    program.edge(3, ERROR, assume(all([yes(two), no(a2)])));
    if !breaks {
        program.edge(3, ERROR, assume(no(a2)));
    }
    program.edge(2, ERROR, assume(all([no(one), no(two)])));
    program
}

#[test]
fn figure_1a_is_proved_with_predicates_alone() {
    each!(Ranges<usize>, 0, &[None, None, None, None], |d, name| {
        let good = proves(&mut d, &figure_1a(true).edges, ERROR, &Options::default()).0;
        assert!(good, "{name}");
        let bad = proves(&mut d, &figure_1a(false).edges, ERROR, &Options::default()).0;
        assert!(!bad, "{name}: without breaks a1 > 0 falls through to a2 < 0");
    });
}

/// Figure 1(b): x1, x2, y1, y2 are 0 to 3. `other` is the variable of the first branch's second assignment: y1 is meant.
fn figure_1b(other: usize) -> Builder {
    let (x1, x2, y1, y2) = (0, 1, 2, 3);
    let between = |y| all([term(ge(&[(y, 1)], 3)), term(le(&[(y, 1)], 4))]);
    let outside = |y| any([term(le(&[(y, 1)], 2)), term(ge(&[(y, 1)], 5))]);
    let branch =
        |y, other| vec![Transformer::Numeric(set(x1, &[(y, 1)], -2)), Transformer::Numeric(set(x2, &[(other, 1)], 2))];
    let mut program = Builder::default();
    let then =
        |condition, rest: Vec<Tau>| Transformer::Sequence(std::iter::once(assume(condition)).chain(rest).collect());
    program.edge(0, 1, then(between(y1), branch(y1, other)));
    program.edge(0, 1, then(all([outside(y1), between(y2)]), branch(y2, y2)));
    // else return
    program.edge(0, 2, assume(all([outside(y1), outside(y2)])));
    program.edge(1, ERROR, assume(any([term(le(&[(x1, 1), (x2, 1)], 4)), term(ge(&[(x1, 1), (x2, 1)], 11))])));
    program
}

#[test]
fn figure_1b_is_proved_with_numbers_alone() {
    each!(Ranges<usize>, 4, &[], |d, name| {
        assert!(proves(&mut d, &figure_1b(2).edges, ERROR, &Options::default()).0, "{name}");
        assert!(!proves(&mut d, &figure_1b(3).edges, ERROR, &Options::default()).0, "{name}: y2 has no bounds");
    });
    each!(Octagon<usize>, 4, &[], |d, name| {
        assert!(proves(&mut d, &figure_1b(2).edges, ERROR, &Options::default()).0, "{name}");
    });
    each!(Polyhedron<usize>, 4, &[], |d, name| {
        assert!(proves(&mut d, &figure_1b(2).edges, ERROR, &Options::default()).0, "{name}");
    });
}

/// Figure 2(b): p is A[y1 + y2] = 3, q is A[x1 + x2] = 3; x1, x2, y1, y2 are 0 to 3.
fn figure_2b() -> Builder {
    let (p, q) = (0, 1);
    let (x1, x2, y1, y2) = (0, 1, 2, 3);
    let (t, f) = (|| Expression::TRUE, || Expression::FALSE);
    let mut program = Builder::default();
    program.edge(0, 1, assume(term(eq(&[(x1, 1), (x2, -1)], 0))));
    let first = Transformer::Both(t(), vec![choice(q, f(), f())], set(x1, &[(y1, 1)], -2));
    let known = all([term(eq(&[(x1, 1), (y1, -1)], -2)), yes(p)]);
    let second = Transformer::Both(t(), vec![choice(q, known, f())], set(x2, &[(y2, 1)], 2));
    program.edge(1, 2, Transformer::Sequence(vec![assume(yes(p)), first, second]));
    program.edge(1, 2, Transformer::Sequence(vec![assume(no(p)), Transformer::Predicate(vec![choice(q, f(), t())])]));
    let sums = vec![
        assume(yes(q)),
        Transformer::Numeric(set(x1, &[(x1, 1), (x2, 1)], 0)),
        Transformer::Numeric(set(x2, &[(x2, 1), (y1, 1)], -2)),
    ];
    program.edge(2, 3, Transformer::Sequence(sums));
    program.edge(2, 3, assume(no(q)));
    program.edge(3, ERROR, assume(term(ne(&[(x1, 1), (x2, -1)], 0))));
    program
}

#[test]
fn figure_2_needs_polyhedra_and_numbers_per_valuation() {
    each!(Polyhedron<usize>, 4, &[None, None], |d, name| {
        let proved = proves(&mut d, &figure_2b().edges, ERROR, &Options::default()).0;
        assert_eq!(proved, name != "nexpoint", "{name} with polyhedra");
    });
    each!(Ranges<usize>, 4, &[None, None], |d, name| {
        assert!(!proves(&mut d, &figure_2b().edges, ERROR, &Options::default()).0, "{name} with boxes");
    });
    each!(Octagon<usize>, 4, &[None, None], |d, name| {
        assert!(!proves(&mut d, &figure_2b().edges, ERROR, &Options::default()).0, "{name} with octagons");
    });
}

/// Template 8(a): x counts to C.
fn figure_8a(c: i128) -> Builder {
    let mut program = Builder::default();
    program.edge(0, 1, Transformer::Numeric(set(0, &[], 0)));
    program.edge(1, 1, Transformer::Conditional(term(le(&[(0, 1)], c - 1)), set(0, &[(0, 1)], 1)));
    program.edge(1, ERROR, assume(all([term(ge(&[(0, 1)], c)), term(ne(&[(0, 1)], c))])));
    program
}

#[test]
fn figure_8a_is_flat_in_its_parameter() {
    for c in [10, 1_000_000_000] {
        each!(Ranges<usize>, 1, &[], |d, name| {
            assert!(proves(&mut d, &figure_8a(c).edges, ERROR, &Options::default()).0, "{name}");
            assert!(d.base().pool.len() < 30, "{name}: {} numeric values", d.base().pool.len());
        });
    }
}

/// Without widening NDD has x = 0 ∨ x = 1 ∨ …, which is 0 ≤ x ≤ k: the parts are united.
#[test]
fn figure_8a_without_widening() {
    let options = Options { widening: None, ..Options::default() };
    each!(Ranges<usize>, 1, &[], |d, name| {
        let (proved, values) = proves(&mut d, &figure_8a(500).edges, ERROR, &options);
        assert!(proved, "{name}");
        let size = d.size(&values[1]).expect("room");
        assert!(size.nodes <= 3, "{name}: {size:?}");
    });
}

/// Template 8(b) with predicates xᵢ < 0 and numeric variables n and xᵢ: n is 0, and xᵢ is i + 1.
fn figure_8b(c: usize, equals: bool) -> Builder {
    let mut program = Builder::default();
    program.edge(0, 1, Transformer::Numeric(set(0, &[], 1)));
    let none_before = |i: usize| (0..i).map(|j| no(j as u32));
    let first = |i: usize| Expression::All(none_before(i).chain([yes(i as u32)]).collect());
    for i in 0..=c {
        program.edge(1, 2, Transformer::Conditional(first(i), set(0, &[], 0)));
    }
    program.edge(1, 2, assume(Expression::All(none_before(c + 1).collect())));
    for i in 0..=c {
        // assert(n = 0) assigns 0 to n, and then fails always.
        let wrong = if equals { term(ne(&[(0, 1)], 0)) } else { Expression::TRUE };
        program.edge(2, ERROR, assume(Expression::All(vec![first(i), wrong])));
    }
    program
}

#[test]
fn figure_8b_is_proved_by_values_per_valuation() {
    let c = 5;
    let predicates: Vec<Option<Term>> = (0..=c).map(|i| Some(le(&[(i + 1, 1)], -1))).collect();
    each!(Ranges<usize>, c + 2, &predicates, |d, name| {
        let proved = proves(&mut d, &figure_8b(c, true).edges, ERROR, &Options::default()).0;
        assert_eq!(proved, name != "nexpoint", "{name}");
        assert!(!proves(&mut d, &figure_8b(c, false).edges, ERROR, &Options::default()).0, "{name}: = is not ==");
    });
}
