//! Each slip of the paper's text, as a test that fails where it is implemented as printed.

use crate::each;
use crate::setup::*;
use robusto_domains::{Ideal, Lattice, Octagon, Polyhedron, Ranges};
use robusto_numpred::transformer::{apply, assume};
use robusto_numpred::{
    Domain, Expression, Ndd, Nex, Nexpoint, NumId, Numbers, Predicate, Side, Simulated, Transformer,
};

fn holds<D: Domain>(domain: &mut D, value: &D::Value, point: &[i128], predicates: &[bool]) -> bool
where
    D::Numbers: Numbers<Var = usize>,
{
    let parts = domain.gamma(value).expect("room");
    inside(domain, &parts, &|x| point[x], predicates)
}

/// **1** is true and **0** is false (III); α(e) is above e (Figure 3).
#[test]
fn one_is_true_and_alpha_is_above() {
    each!(Octagon<usize>, 1, &[None], |d, name| {
        let (top, bottom) = (d.top().expect("room"), d.bottom().expect("room"));
        assert!(holds(&mut d, &top, &[5], &[true]) && !holds(&mut d, &bottom, &[5], &[true]), "{name}");
        let e = any([all([yes(0), term(le(&[(0, 1)], 3))]), term(eq(&[(0, 1)], 9))]);
        let alpha = assume(&mut d, &top, &e).expect("room");
        assert!(holds(&mut d, &alpha, &[3], &[true]) && holds(&mut d, &alpha, &[9], &[false]), "{name}");
    });
}

/// Figure 6, lines 3 and 4: the join with nothing is the other operand.
#[test]
fn join_with_nothing_is_the_other() {
    each!(Ranges<usize>, 1, &[None], |d, name| {
        let (top, bottom) = (d.top().expect("room"), d.bottom().expect("room"));
        let a = assume(&mut d, &top, &all([yes(0), term(le(&[(0, 1)], 3))])).expect("room");
        let b = assume(&mut d, &top, &all([no(0), term(le(&[(0, 1)], 7))])).expect("room");
        for (left, right) in [(&a, &bottom), (&bottom, &a)] {
            assert_eq!(d.join(left, right).expect("room"), a, "{name}");
        }
        // Here each has nothing where the other has something.
        let join = d.join(&a, &b).expect("room");
        assert!(holds(&mut d, &join, &[3], &[true]) && holds(&mut d, &join, &[7], &[false]), "{name}");
        assert_eq!(holds(&mut d, &join, &[7], &[true]), name == "nexpoint", "{name}");
    });
}

#[test]
fn a_pair_with_no_numbers_is_bottom() {
    let mut d = Nexpoint::new(base::<Ranges<usize>>(1, &[None]));
    let top = d.top().expect("room");
    let some = assume(&mut d, &top, &yes(0)).expect("room");
    let none = assume(&mut d, &some, &all([term(le(&[(0, 1)], 0)), term(ge(&[(0, 1)], 1))])).expect("room");
    assert!(d.is_bottom(&none).expect("room"));
    let fewer = d.literal(&some, Predicate(0), Side::Now, false).expect("room");
    assert!(d.is_bottom(&fewer).expect("room"));
    assert_eq!(d.join(&none, &some).expect("room"), some, "nothing is added to the predicates either");
}

/// The paper's examples of reduce: q is x = 0, r is y = 0.
#[test]
fn reduce_is_semantic() {
    let meanings = [Some(eq(&[(0, 1)], 0)), Some(eq(&[(1, 1)], 0))];
    each!(Ranges<usize>, 2, &meanings, |d, name| {
        let top = d.top().expect("room");
        let either = d.literal(&top, Predicate(0), Side::Now, true).expect("room");
        let other = d.literal(&top, Predicate(1), Side::Now, true).expect("room");
        let either = d.join(&either, &other).expect("room");
        let numbers = |y: Term| all([term(eq(&[(0, 1)], 3)), term(y)]);
        let some = assume(&mut d, &either, &numbers(ge(&[(1, 1)], 0))).expect("room");
        let some = d.reduce(&some).expect("room");
        assert!(holds(&mut d, &some, &[3, 0], &[false, true]), "{name}");
        for (y, q, r) in [(0, true, true), (0, true, false), (0, false, false), (1, false, true), (1, false, false)] {
            // NDD has r itself as the term y = 0, so y = 1 with r is no state.
            let contradictory = name == "ndd" && r && y != 0;
            assert!(contradictory || !holds(&mut d, &some, &[3, y], &[q, r]), "{name}: y = {y}, {q}, {r}");
        }
        let none = assume(&mut d, &either, &numbers(le(&[(1, 1)], -1))).expect("room");
        let none = d.reduce(&none).expect("room");
        assert!(d.is_bottom(&none).expect("room"), "{name}");
    });
}

/// Equal sets of points are one diagram, whatever constraints led to them.
#[test]
fn equal_numbers_have_equal_diagrams() {
    let mut d = Simulated::new(base::<Polyhedron<usize>>(2, &[None]));
    let top = d.top().expect("room");
    let one = all([term(eq(&[(0, 1), (1, -1)], 0)), term(le(&[(0, 1)], 4)), term(ge(&[(1, 1)], 1))]);
    let other = all([term(le(&[(1, 2)], 9)), term(ge(&[(0, 3)], 2)), term(eq(&[(0, -2), (1, 2)], 0))]);
    let (one, other) = (assume(&mut d, &top, &one).expect("room"), assume(&mut d, &top, &other).expect("room"));
    assert_eq!(one, other);
}

/// NEXJoin as printed hands X and X′ to several calls; C3 demands that no valuation is in two pairs.
#[test]
fn join_keeps_pairs_disjoint() {
    let mut d = Nex::new(base::<Ranges<usize>>(1, &[None, None]));
    let top = d.top().expect("room");
    let at = |p, q, x| all([if p { yes(0) } else { no(0) }, if q { yes(1) } else { no(1) }, term(eq(&[(0, 1)], x))]);
    let value = |d: &mut Nex<_>, e: &Condition| assume(d, &top, e).expect("room");
    let a = value(&mut d, &any([at(true, true, 1), at(true, false, 2), at(false, false, 3)]));
    let b = value(&mut d, &any([at(true, true, 5), at(false, true, 2), at(true, false, 7)]));
    let join = d.join(&a, &b).expect("room");
    let wide = d.widen(&a, &b).expect("room");
    for pairs in [&join, &wide] {
        check_pairs(&mut d, pairs);
    }
    assert!(holds(&mut d, &join, &[3], &[true, true]) && !holds(&mut d, &join, &[6], &[true, true]));
    assert!(!holds(&mut d, &join, &[7], &[true, true]) && !holds(&mut d, &join, &[1], &[false, true]));
}

/// Quantification makes pairs overlap: they are joined again.
#[test]
fn exists_keeps_pairs_disjoint() {
    let mut d = Nex::new(base::<Ranges<usize>>(1, &[None, None]));
    let top = d.top().expect("room");
    let e = any([all([yes(0), term(eq(&[(0, 1)], 1))]), all([no(0), yes(1), term(eq(&[(0, 1)], 4))])]);
    let a = assume(&mut d, &top, &e).expect("room");
    let a = d.exists(&a, &[Predicate(0)]).expect("room");
    check_pairs(&mut d, &a);
    assert!(holds(&mut d, &a, &[2], &[true, true]), "both numbers, joined");
    assert!(!holds(&mut d, &a, &[4], &[true, false]));
}

fn check_pairs<N: Numbers>(d: &mut Nex<N>, pairs: &[(robusto_diagram::Bdd, NumId)]) {
    let diagrams = &d.base().space.diagrams;
    for (i, (p, n)) in pairs.iter().enumerate() {
        assert!(!diagrams.is_false(p) && *n != NumId::BOTTOM, "C1");
        for (q, m) in &pairs[i + 1..] {
            assert_ne!(n, m, "C2");
            assert!(diagrams.disjoint(p, q), "C3");
        }
    }
}

/// V_P is {x = 3, x = 4}, τ_N is x := x + 1, τ_P is (x = 4) := choice(x = 3, f). From x = 3 ∧ x ≥ 3 exactly x = 4 is reached: the
/// context knows x = 3, and nothing of the primed predicate. The text prints x ≥ 4.
#[test]
fn shadow_variables_give_the_exact_result() {
    let meanings = [Some(eq(&[(0, 1)], 3)), Some(eq(&[(0, 1)], 4))];
    each!(Ranges<usize>, 1, &meanings, |d, name| {
        let top = d.top().expect("room");
        let start = assume(&mut d, &top, &all([yes(0), term(ge(&[(0, 1)], 3))])).expect("room");
        let step = Transformer::Both(
            Expression::TRUE,
            vec![choice(1, term(eq(&[(0, 1)], 3)), Expression::FALSE)],
            set(0, &[(0, 1)], 1),
        );
        let after = apply(&mut d, &step, &start).expect("room");
        let after = d.reduce(&after).expect("room");
        for x in 0..8 {
            let reached = holds(&mut d, &after, &[x], &[x == 3, x == 4]);
            assert_eq!(reached, x == 4, "{name}: x = {x}");
        }
        assert!(!holds(&mut d, &after, &[4], &[false, false]), "{name}: x = 4 is known to be true");
    });
}

/// Two paths meet in one node with different contexts, so what the node becomes depends on both.
#[test]
fn a_node_is_visited_once_per_context() {
    let mut d = Ndd::new(base::<Ranges<usize>>(2, &[None]));
    let top = d.top().expect("room");
    // p → x = 1, ¬p → x = 2, and below both: y = 0.
    let split = any([all([yes(0), term(eq(&[(0, 1)], 1))]), all([no(0), term(eq(&[(0, 1)], 2))])]);
    let a = assume(&mut d, &top, &all([split, term(eq(&[(1, 1)], 0))])).expect("room");
    let after = apply(&mut d, &Transformer::Numeric(set(1, &[(0, 1)], 0)), &a).expect("room");
    for (p, x) in [(true, 1), (false, 2)] {
        for y in 0..4 {
            assert_eq!(holds(&mut d, &after, &[x, y], &[p]), x == y, "{p} {x} {y}");
        }
    }
}

/// On the branch where x = 3 is false, both sides remain.
#[test]
fn a_negated_equation_excludes_no_other_value() {
    each!(Ranges<usize>, 2, &[Some(eq(&[(0, 1)], 3))], |d, name| {
        let top = d.top().expect("room");
        let a = assume(&mut d, &top, &all([no(0), term(ge(&[(0, 1)], 2)), term(le(&[(0, 1)], 4))])).expect("room");
        let after = apply(&mut d, &Transformer::Numeric(set(1, &[(0, 1)], 0)), &a).expect("room");
        assert!(holds(&mut d, &after, &[2, 2], &[false]) && holds(&mut d, &after, &[4, 4], &[false]), "{name}");
        // Nothing that was changed is in the predicate: it stays.
        assert!(!holds(&mut d, &after, &[3, 3], &[true]), "{name}");
    });
}

/// A term and its negation are one variable: the contradiction is **0** without a reduction.
#[test]
fn negation_shares_the_variable() {
    let mut d = Ndd::new(base::<Ranges<usize>>(1, &[Some(ge(&[(0, 1)], 1))]));
    let top = d.top().expect("room");
    let a = d.literal(&top, Predicate(0), Side::Now, true).expect("room");
    let a = d.restrict(&a, &le(&[(0, 2)], 1)).expect("room");
    assert!(d.is_bottom(&a).expect("room"), "x > 0 and x ≤ 0");
}

/// ¬v of an over-approximation is none: leq may use it, because diagrams are exact formulas of their terms.
#[test]
fn leq_is_incomplete_where_numbers_cannot_express_a_term() {
    let mut d = Ndd::new(base::<Ranges<usize>>(2, &[]));
    let top = d.top().expect("room");
    let narrow = assume(&mut d, &top, &term(le(&[(0, 1), (1, 1)], 1))).expect("room");
    let wide = assume(&mut d, &top, &term(le(&[(0, 1), (1, 1)], 2))).expect("room");
    assert!(!d.leq(&wide, &narrow).expect("room"));
    assert!(!d.leq(&narrow, &wide).expect("room"), "boxes do not know that x + y ≤ 1 is less than x + y ≤ 2");
    let mut d = Ndd::new(base::<Octagon<usize>>(2, &[]));
    let narrow = assume(&mut d, &top, &term(le(&[(0, 1), (1, 1)], 1))).expect("room");
    let wide = assume(&mut d, &top, &term(le(&[(0, 1), (1, 1)], 2))).expect("room");
    assert!(d.leq(&narrow, &wide).expect("room"));
}

/// Sums that boxes cannot express never become comparable; the chain ends nevertheless.
#[test]
fn ndd_widening_does_not_rest_on_leq() {
    let mut d = Ndd::new(base::<Ranges<usize>>(2, &[None]));
    let top = d.top().expect("room");
    let set_of = |d: &mut Ndd<_>, k: i128| {
        let e = all([yes(0), term(ge(&[(0, 1)], 0)), term(le(&[(0, 1)], k)), term(le(&[(0, 1), (1, 1)], k))]);
        assume(d, &top, &e).expect("room")
    };
    let mut value = set_of(&mut d, 0);
    let mut changes = Vec::new();
    for k in 1..40 {
        let next = set_of(&mut d, k);
        let wide = d.widen(&value, &next).expect("room");
        if wide != value {
            changes.push(k);
        }
        value = wide;
    }
    assert!(changes.len() <= 3, "{changes:?}");
}

/// `*p := x` with predicates y > 0, p = &x, p = &y and the numeric variable x. The printed choice makes y > 0 false where p = &y and
/// x > 0; this one is right, and says nothing where p points elsewhere.
#[test]
fn a_store_through_a_pointer() {
    let (positive, to_x, to_y) = (0, 1, 2);
    let x = || ge(&[(0, 1)], 1);
    let not_x = || le(&[(0, 1)], 0);
    let value = choice(
        positive,
        any([all([no(to_y), yes(positive)]), all([yes(to_y), term(x())])]),
        any([all([no(to_y), no(positive)]), all([yes(to_y), term(not_x())])]),
    );
    each!(Ranges<usize>, 1, &[None, None, None], |d, name| {
        let top = d.top().expect("room");
        let start = assume(&mut d, &top, &all([yes(to_y), no(to_x), no(positive), term(x())])).expect("room");
        let after = apply(&mut d, &Transformer::Predicate(vec![value.clone()]), &start).expect("room");
        assert!(holds(&mut d, &after, &[1], &[true, false, true]), "{name}: y is x now, which is positive");
        assert!(!holds(&mut d, &after, &[1], &[false, false, true]), "{name}");
        // As printed it would be excluded: y > 0 := choice((p = &x) ∧ (y > 0), (p = &y) ∧ (x > 0)).
        let printed = choice(positive, all([yes(to_x), yes(positive)]), all([yes(to_y), term(x())]));
        let wrong = apply(&mut d, &Transformer::Predicate(vec![printed]), &start).expect("room");
        assert!(!holds(&mut d, &wrong, &[1], &[true, false, true]), "{name}");
    });
}

/// `if (c) *p = 1` with pointers that may lead elsewhere: three branches, and the one where neither is hit keeps both.
#[test]
fn a_conditional_store_has_the_branch_neither() {
    let (to_x, to_y) = (0, 1);
    let store = Transformer::Either(vec![
        Transformer::Conditional(yes(to_x), set(0, &[], 1)),
        Transformer::Conditional(yes(to_y), set(1, &[], 1)),
        Transformer::Assume(all([no(to_x), no(to_y)])),
    ]);
    each!(Ranges<usize>, 2, &[None, None], |d, name| {
        let top = d.top().expect("room");
        let zero = all([term(eq(&[(0, 1)], 0)), term(eq(&[(1, 1)], 0))]);
        let start = assume(&mut d, &top, &zero).expect("room");
        let after = apply(&mut d, &store, &start).expect("room");
        assert!(holds(&mut d, &after, &[0, 0], &[false, false]), "{name}");
        assert!(
            holds(&mut d, &after, &[1, 0], &[true, false]) && holds(&mut d, &after, &[0, 1], &[false, true]),
            "{name}"
        );
    });
}

/// A predicate that gets no choice, though its variable changes, is forgotten and not kept.
#[test]
fn a_stale_predicate_is_forgotten() {
    each!(Ranges<usize>, 1, &[Some(eq(&[(0, 1)], 0))], |d, name| {
        let top = d.top().expect("room");
        let start = assume(&mut d, &top, &yes(0)).expect("room");
        let after = apply(&mut d, &Transformer::Numeric(set(0, &[(0, 1)], 1)), &start).expect("room");
        let after = d.reduce(&after).expect("room");
        assert!(holds(&mut d, &after, &[1], &[false]), "{name}");
        assert!(!d.is_bottom(&after).expect("room"), "{name}");
    });
}

/// Integers, not rationals: ¬(2x ≤ 5) is x ≥ 3.
#[test]
fn complements_are_of_integers() {
    let parts = robusto_numpred::numbers::complement(&le(&[(0, 2)], 5));
    let set = parts.iter().fold(Ranges::<usize>::top(), |set, part| set.assume(part));
    assert!(set.contains(|_| 3) && !set.contains(|_| 2) && !set.is_bottom());
}

/// leq compares what values stand for: a pair is below another if both sides are, and what is ⊥ on one side is below everything.
#[test]
fn leq_is_about_gamma() {
    each!(Ranges<usize>, 1, &[None], |d, name| {
        let top = d.top().expect("room");
        let small = assume(&mut d, &top, &all([yes(0), term(eq(&[(0, 1)], 3))])).expect("room");
        let large = assume(&mut d, &top, &all([yes(0), term(ge(&[(0, 1)], 0))])).expect("room");
        let other = assume(&mut d, &top, &all([no(0), term(ge(&[(0, 1)], 0))])).expect("room");
        assert!(d.leq(&small, &large).expect("room") && !d.leq(&large, &small).expect("room"), "{name}");
        assert!(!d.leq(&small, &other).expect("room"), "{name}: the numbers alone would be below");
        let none = assume(&mut d, &small, &term(le(&[(0, 1)], 2))).expect("room");
        assert!(d.leq(&none, &other).expect("room"), "{name}");
    });
}

/// `x := (y = 1) ? v : w` is two branches, each with its own condition: the printed notation has one assume for both.
#[test]
fn a_conditional_value_is_two_branches() {
    let (x, v, w) = (0, 1, 2);
    let branch = |condition, from| Transformer::Conditional(condition, set(x, &[(from, 1)], 0));
    let step = Transformer::Either(vec![branch(yes(0), v), branch(no(0), w)]);
    each!(Ranges<usize>, 3, &[None], |d, name| {
        let top = d.top().expect("room");
        let start = all([term(eq(&[(v, 1)], 5)), term(eq(&[(w, 1)], 7))]);
        let start = assume(&mut d, &top, &start).expect("room");
        let after = apply(&mut d, &step, &start).expect("room");
        assert!(holds(&mut d, &after, &[5, 5, 7], &[true]) && holds(&mut d, &after, &[7, 5, 7], &[false]), "{name}");
        // One numeric value for both valuations cannot tell them apart.
        assert_eq!(holds(&mut d, &after, &[7, 5, 7], &[true]), name == "nexpoint", "{name}");
    });
}

/// R = α(…) of the whole relation, as printed, joins numbers of different valuations before they meet the value: q := choice(x = 0 ∧ p, f)
/// then says nothing in NEX and MTNDD where only x = 0 and p are known together. The same holds of an assume.
#[test]
fn disjuncts_meet_the_value_before_they_are_joined() {
    let known = || all([term(eq(&[(0, 1)], 0)), yes(0)]);
    // p' ∨ ¬(x = 0) ∨ ¬p, which is ¬p' ∧ ¬t or p' ∧ ¬f, with q in place of p'.
    let relation = any([yes(1), term(le(&[(0, 1)], -1)), term(ge(&[(0, 1)], 1)), no(0)]);
    each!(Ranges<usize>, 1, &[None, None], |d, name| {
        let top = d.top().expect("room");
        let start = assume(&mut d, &top, &known()).expect("room");
        let right = assume(&mut d, &start, &relation).expect("room");
        assert!(!holds(&mut d, &right, &[0], &[true, false]), "{name}: q is true where x = 0 and p");
        let alpha = assume(&mut d, &top, &relation).expect("room");
        let printed = d.meet(&start, &alpha).expect("room");
        let loses = holds(&mut d, &printed, &[0], &[true, false]);
        assert_eq!(loses, name != "ndd", "{name}: α(R) has x ≤ -1 and x ≥ 1 joined to everything");
        let step = Transformer::Predicate(vec![choice(1, known(), Expression::FALSE)]);
        let after = apply(&mut d, &step, &start).expect("room");
        assert!(!holds(&mut d, &after, &[0], &[true, false]), "{name}");
    });
}

/// Between τ_P and τ_N the predicates are those of after and the numbers those of before: a reduction there would find x = 0 and
/// ¬(x = 0) together and lose every state.
#[test]
fn nothing_is_reduced_between_predicates_and_numbers() {
    each!(Ranges<usize>, 1, &[Some(eq(&[(0, 1)], 0))], |d, name| {
        let top = d.top().expect("room");
        let start = assume(&mut d, &top, &all([yes(0), term(eq(&[(0, 1)], 0))])).expect("room");
        let step =
            Transformer::Both(Expression::TRUE, vec![choice(0, Expression::FALSE, yes(0))], set(0, &[(0, 1)], 1));
        let after = apply(&mut d, &step, &start).expect("room");
        let after = d.reduce(&after).expect("room");
        assert!(holds(&mut d, &after, &[1], &[false]), "{name}");
        assert!(!holds(&mut d, &after, &[0], &[true]) && !holds(&mut d, &after, &[1], &[true]), "{name}");
    });
}
