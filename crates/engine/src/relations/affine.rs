//! Equations between variables: at each head the least affine hull that every link leads into.

use super::{Asking, Graph};
use robusto_domains::affine::Relation;
use robusto_domains::{Affine, Lattice};
use robusto_limits::Stopped;
use robusto_logic::term::fold;
use robusto_logic::{Answer, Term, Terms};
use std::collections::BTreeSet;

/// Greatest coefficient of an equation that is used. Few points satisfy equations with wild coefficients by chance; these
/// would cost the solver dear, and are left out.
const MAX_COEFFICIENT: u64 = 64;

/// Effort per question; a loop body with multiplications may be too hard, and then nothing is claimed.
const MAX_CONFLICTS: i32 = 20_000;

/// What is reached at a head: a hull for each width.
struct Reached {
    hulls: Vec<Affine>,
    /// The equations.
    relations: Term,
}

pub(super) fn equations(asking: &mut Asking<'_, '_>, graph: &Graph) -> Result<Vec<Term>, Stopped> {
    let no = asking.encoder.terms.no();
    let mut reached: Vec<Reached> = graph
        .heads
        .iter()
        .map(|head| {
            let width = |group: &Vec<Term>| asking.encoder.terms.width(group[0]).into();
            let hulls = head.variables.iter().map(|group| Affine::bottom(width(group), group.len())).collect();
            Reached { hulls, relations: no }
        })
        .collect();
    let mut todo: BTreeSet<usize> = (0..graph.links.len()).filter(|&i| graph.links[i].from.is_none()).collect();
    while let Some(i) = todo.pop_first() {
        let link = &graph.links[i];
        let mut grown = false;
        loop {
            let at_source: Vec<Term> = link.from.map(|from| reached[from].relations).into_iter().collect();
            let holds = asking.encoder.apply(&link.paths, reached[link.to].relations);
            let fails = asking.encoder.terms.not(holds);
            match asking.along(graph, link, &at_source, fails, MAX_CONFLICTS)? {
                Some(Answer::Sat) => grown = true,
                Some(Answer::Unsat) => break,
                None => return Ok(vec![asking.encoder.terms.yes(); graph.heads.len()]),
            }
            let model = asking.solver.model(&asking.encoder.terms);
            let groups = &graph.heads[link.to].variables;
            for (hull, group) in reached[link.to].hulls.iter_mut().zip(groups) {
                let width = asking.encoder.terms.width(group[0]).into();
                let mut value = |&input: &Term| {
                    let after = asking.encoder.apply(&link.paths, input);
                    asking.encoder.terms.evaluate(after, &model) as u64
                };
                *hull = hull.join(&Affine::point(width, &group.iter().map(&mut value).collect::<Vec<u64>>()));
            }
            reached[link.to].relations = relations(&mut asking.encoder.terms, &reached[link.to].hulls, groups);
        }
        if grown {
            todo.extend((0..graph.links.len()).filter(|&next| graph.links[next].from == Some(link.to)));
        }
    }
    Ok(reached.into_iter().map(|r| r.relations).collect())
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
