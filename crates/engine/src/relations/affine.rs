//! Equations between variables: at each point the least affine hull that every link leads into, case by case.

use super::graph::{Asking, Graph, Link, Split};
use robusto_domains::affine::Relation;
use robusto_domains::{Affine, Lattice as _};
use robusto_limits::Stopped;
use robusto_logic::term::fold;
use robusto_logic::{Answer, Term, Terms};
use std::collections::{BTreeMap, BTreeSet};

/// Greatest coefficient of an equation that is used. Few points satisfy equations with wild coefficients by chance; these
/// would cost the solver dear, and are left out.
const MAX_COEFFICIENT: u64 = 64;

/// Effort per question; a loop body with multiplications may be too hard, and then nothing is claimed.
const MAX_CONFLICTS: i32 = 20_000;

/// So many states more than variables, and equations with wild coefficients are by chance after all.
const MORE_STATES: usize = 5;

/// Most cases of a procedure.
const MAX_CASES: usize = 64;

/// What is reached at a point.
#[derive(Clone, Default)]
struct Reached {
    /// By what tells cases apart.
    cases: BTreeMap<Vec<u64>, Case>,
    /// That a state is in one of them; `None` if there is none.
    covered: Option<Term>,
}

#[derive(Clone)]
struct Case {
    /// A hull for each width.
    hulls: Vec<Affine>,
    /// Of how many states it is.
    states: usize,
    /// That a state is in the case, and satisfies the equations.
    relations: Term,
}

pub(crate) fn equations(asking: &mut Asking<'_, '_>, graph: &mut Graph) -> Result<Vec<Term>, Stopped> {
    let mut splits = graph.splits.clone();
    let mut all = graph.all_equations;
    loop {
        match (Search { graph, splits: &splits, all }).run(asking)? {
            Attempt::Done(relations) => return Ok(relations),
            Attempt::TooManyCases(procedure, reached) => coarsen(&mut splits[procedure], &reached),
            Attempt::TooHard if all => all = false,
            Attempt::TooHard => return Ok(vec![asking.encoder.terms.yes(); graph.points.len()]),
        }
    }
}

/// How a search for equations ended.
enum Attempt {
    Done(Vec<Term>),
    /// A procedure has too many cases, of which these are some.
    TooManyCases(usize, Reached),
    /// A question was too hard.
    TooHard,
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

/// A search for equations.
struct Search<'g> {
    graph: &'g Graph,
    splits: &'g [Split],
    /// Whether those with wild coefficients are used. Without them more states seem to be possible while few are known, and
    /// what is found in the end may be less.
    all: bool,
}

impl Search<'_> {
    fn run(&self, asking: &mut Asking<'_, '_>) -> Result<Attempt, Stopped> {
        let graph = self.graph;
        let mut reached = vec![Reached::default(); graph.points.len()];
        let mut relations = vec![vec![asking.encoder.terms.no()]; graph.points.len()];
        let starts = (0..graph.links.len()).filter(|&i| graph.links[i].way.from.is_none());
        let mut todo: BTreeSet<usize> = starts.collect();
        while let Some(i) = todo.pop_first() {
            let link = &graph.links[i];
            let at = &mut reached[link.to];
            let mut grown = false;
            loop {
                match self.find(asking, link, at, &relations)? {
                    Some(Answer::Sat) => grown = true,
                    Some(Answer::Unsat) => break,
                    None => return Ok(Attempt::TooHard),
                }
                relations[link.to][0] = self.join(asking, link, at, relations[link.to][0]);
                if at.cases.len() > MAX_CASES {
                    return Ok(Attempt::TooManyCases(graph.points[link.to].procedure, std::mem::take(at)));
                }
            }
            if grown {
                todo.extend(graph.dependents(link.to));
            }
        }
        Ok(Attempt::Done(relations.into_iter().map(|all| all[0]).collect()))
    }

    /// Looks for a state at the end of a link that is not reached yet: first for one in a new case, so that it turns out soon
    /// if there are too many.
    fn find(
        &self,
        asking: &mut Asking<'_, '_>,
        link: &Link,
        at: &Reached,
        relations: &[Vec<Term>],
    ) -> Result<Option<Answer>, Stopped> {
        for known in at.covered.into_iter().chain([relations[link.to][0]]) {
            let holds = self.graph.after(asking.encoder, link, known);
            let fails = asking.encoder.terms.not(holds);
            let answer = asking.along(self.graph, &link.way, relations, fails, MAX_CONFLICTS)?;
            if answer != Some(Answer::Unsat) {
                return Ok(answer);
            }
        }
        Ok(Some(Answer::Unsat))
    }

    /// Adds the state at the end of a link in the solver's model to those that are reached, whose relations were these;
    /// returns their relations.
    fn join(&self, asking: &mut Asking<'_, '_>, link: &Link, at: &mut Reached, before: Term) -> Term {
        let graph = self.graph;
        let point = &graph.points[link.to];
        let key = self.splits[point.procedure].key();
        let model = asking.solver.model(&asking.encoder.terms);
        let mut values = |terms: &[Term]| -> Vec<u64> {
            let value = |&t: &Term| {
                let after = graph.after(asking.encoder, link, t);
                asking.encoder.terms.evaluate(after, &model) as u64
            };
            terms.iter().map(value).collect()
        };
        let (case, state) = (values(&key), point.variables.iter().map(|group| values(group)).collect::<Vec<_>>());
        let terms = &mut asking.encoder.terms;
        let widths = point.variables.iter().map(|group| u32::from(terms.width(group[0])));
        let states: Vec<Affine> = widths.zip(&state).map(|(width, state)| Affine::point(width, state)).collect();
        let known = at.cases.get(&case);
        let (is_new, count) = (known.is_none(), known.map_or(1, |known| known.states + 1));
        let hulls = match known {
            None => states,
            Some(known) => known.hulls.iter().zip(&states).map(|(hull, state)| hull.join(state)).collect(),
        };
        let mut in_case = Vec::new();
        for (&t, &value) in key.iter().zip(&case) {
            let value = terms.constant(terms.width(t), value.into());
            in_case.push(terms.eq(t, value));
        }
        let in_case = terms.and_all(&in_case);
        let equations = self.relations(terms, &hulls, count, &point.variables);
        let relations = terms.and(in_case, equations);
        if is_new && !key.is_empty() {
            at.covered = Some(at.covered.map_or(in_case, |covered| terms.or(covered, in_case)));
        }
        at.cases.insert(case, Case { hulls, states: count, relations });
        // One more case leaves the others as they are.
        if is_new {
            return terms.or(before, relations);
        }
        let cases: Vec<Term> = at.cases.values().map(|case| case.relations).collect();
        terms.or_all(&cases)
    }

    /// The equations of hulls of so many states.
    fn relations(&self, terms: &mut Terms, hulls: &[Affine], states: usize, groups: &[Vec<Term>]) -> Term {
        let mut all = Vec::new();
        for (hull, group) in hulls.iter().zip(groups) {
            let all_equations = self.all && states <= group.len() + MORE_STATES;
            for relation in hull.relations().iter().filter(|r| all_equations || is_simple(r)) {
                all.push(equation(terms, relation, group));
            }
        }
        terms.and_all(&all)
    }
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
