//! Equations between variables: at each point the least affine hull that every link leads into, case by case.

use super::graph::{Asking, Graph, Split};
use robusto_domains::affine::Relation;
use robusto_domains::{Affine, Lattice};
use robusto_limits::Stopped;
use robusto_logic::term::fold;
use robusto_logic::{Answer, Term, Terms};
use std::collections::{BTreeMap, BTreeSet};

/// Greatest coefficient of an equation that is used. Few points satisfy equations with wild coefficients by chance; these
/// would cost the solver dear, and are left out.
const MAX_COEFFICIENT: u64 = 64;

/// Effort per question; a loop body with multiplications may be too hard, and then nothing is claimed.
const MAX_CONFLICTS: i32 = 20_000;

/// Most cases of a procedure.
const MAX_CASES: usize = 64;

/// What is reached at a point.
#[derive(Clone, Default)]
struct Reached {
    /// By what tells cases apart, a hull for each width.
    cases: BTreeMap<Vec<u64>, Vec<Affine>>,
}

pub(super) fn equations(asking: &mut Asking<'_, '_>, graph: &mut Graph) -> Result<Vec<Term>, Stopped> {
    loop {
        match attempt(asking, graph)? {
            Attempt::Done(relations) => return Ok(relations),
            Attempt::TooManyCases(procedure, reached) => coarsen(&mut graph.splits[procedure], &reached),
        }
    }
}

/// How a search for equations ended.
enum Attempt {
    Done(Vec<Term>),
    /// A procedure has too many cases, of which these are some.
    TooManyCases(usize, Reached),
}

/// Tells fewer cases apart: not by the value with the most of them, and if there is none, not at all.
fn coarsen(split: &mut Split, reached: &Reached) {
    let first = split.conditions.len();
    let count = |i: usize| reached.cases.keys().map(|key| key[first + i]).collect::<BTreeSet<u64>>().len();
    match (0..split.values.len()).max_by_key(|&i| count(i)) {
        Some(most) => {
            split.values.remove(most);
        }
        None => split.conditions.clear(),
    }
}

fn attempt(asking: &mut Asking<'_, '_>, graph: &Graph) -> Result<Attempt, Stopped> {
    let mut reached = vec![Reached::default(); graph.points.len()];
    let mut relations = vec![asking.encoder.terms.no(); graph.points.len()];
    let keys: Vec<Vec<Term>> = graph.splits.iter().map(Split::key).collect();
    let mut todo: BTreeSet<usize> = (0..graph.links.len()).filter(|&i| graph.links[i].way.from.is_none()).collect();
    while let Some(i) = todo.pop_first() {
        let link = &graph.links[i];
        let point = &graph.points[link.to];
        let key = &keys[point.procedure];
        let mut grown = false;
        loop {
            let holds = graph.after(asking.encoder, link, relations[link.to]);
            let fails = asking.encoder.terms.not(holds);
            match asking.along(graph, &link.way, &relations, fails, MAX_CONFLICTS)? {
                Some(Answer::Sat) => grown = true,
                Some(Answer::Unsat) => break,
                None => return Ok(Attempt::Done(vec![asking.encoder.terms.yes(); graph.points.len()])),
            }
            let model = asking.solver.model(&asking.encoder.terms);
            let mut values = |terms: &[Term]| -> Vec<u64> {
                let value = |&t: &Term| {
                    let after = graph.after(asking.encoder, link, t);
                    asking.encoder.terms.evaluate(after, &model) as u64
                };
                terms.iter().map(value).collect()
            };
            let (case, points): (Vec<u64>, Vec<Vec<u64>>) =
                (values(key), point.variables.iter().map(|group| values(group)).collect());
            let width = |group: &Vec<Term>| u32::from(asking.encoder.terms.width(group[0]));
            let widths: Vec<u32> = point.variables.iter().map(width).collect();
            let at = &mut reached[link.to];
            let hulls = at.cases.entry(case).or_insert_with(|| {
                let none = |(&width, group): (&u32, &Vec<Term>)| Affine::bottom(width, group.len());
                widths.iter().zip(&point.variables).map(none).collect()
            });
            for ((hull, point), width) in hulls.iter_mut().zip(&points).zip(widths) {
                *hull = hull.join(&Affine::point(width, point));
            }
            if at.cases.len() > MAX_CASES {
                return Ok(Attempt::TooManyCases(point.procedure, std::mem::take(at)));
            }
            relations[link.to] = in_some_case(&mut asking.encoder.terms, at, key, &point.variables);
        }
        if grown {
            todo.extend(graph.dependents(link.to));
        }
    }
    Ok(Attempt::Done(relations))
}

/// That a state is in one of the cases, with the equations of that.
fn in_some_case(terms: &mut Terms, reached: &Reached, key: &[Term], groups: &[Vec<Term>]) -> Term {
    let mut cases = Vec::new();
    for (values, hulls) in &reached.cases {
        let mut all = vec![relations(terms, hulls, groups)];
        for (&t, &value) in key.iter().zip(values) {
            let value = terms.constant(terms.width(t), value.into());
            all.push(terms.eq(t, value));
        }
        cases.push(terms.and_all(&all));
    }
    terms.or_all(&cases)
}

fn relations(terms: &mut Terms, hulls: &[Affine], groups: &[Vec<Term>]) -> Term {
    let mut all = Vec::new();
    for (hull, group) in hulls.iter().zip(groups) {
        for relation in hull.relations().iter().filter(|r| is_simple(r)) {
            all.push(equation(terms, relation, group));
        }
    }
    terms.and_all(&all)
}

fn is_simple(relation: &Relation) -> bool {
    let width = relation.width as u16;
    relation.coefficients.iter().all(|&c| fold::signed(width, c.into()).unsigned_abs() <= MAX_COEFFICIENT.into())
}

/// The equation, with what has a negative coefficient on the right.
fn equation(terms: &mut Terms, relation: &Relation, variables: &[Term]) -> Term {
    let width = relation.width as u16;
    let zero = terms.constant(width, 0);
    let (mut left, mut right) = (zero, zero);
    for (&coefficient, &x) in relation.coefficients.iter().zip(variables) {
        let coefficient = fold::signed(width, coefficient.into());
        let low = terms.extract(x, 0, width);
        let factor = terms.constant(width, coefficient.unsigned_abs());
        let product = terms.mul(low, factor);
        let side = if coefficient < 0 { &mut right } else { &mut left };
        *side = terms.add(*side, product);
    }
    let constant = terms.constant(width, relation.constant.into());
    let constant = terms.neg(constant);
    right = terms.add(right, constant);
    terms.eq(left, right)
}
