//! Inequalities and conditions: of many candidates at each point, those that together hold along every link.

use super::graph::{Asking, Graph, Link};
use robusto_limits::Stopped;
use robusto_logic::{Answer, Node, Sort, Term, Terms};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// Most candidates per head.
const MAX_CANDIDATES: usize = 800;

/// Most constants that variables and differences are compared with.
const MAX_CONSTANTS: usize = 8;

/// Most variables for candidates with three of them.
const MAX_FOR_SUMS: usize = 6;

/// Effort for all candidates at once, and for each.
const MAX_CONFLICTS: [i32; 2] = [2_000, 10_000];

/// Conditions of the program, bounds, and comparisons of two variables.
pub(crate) fn comparisons(asking: &mut Asking<'_, '_>, graph: &mut Graph) -> Result<Vec<Term>, Stopped> {
    let graph = &*graph;
    inductive(asking, graph, |asking, point| {
        let mut found = conditions(asking, graph, point);
        let terms = &mut asking.encoder.terms;
        for group in &graph.points[point].variables {
            let constants = constants(terms, terms.width(group[0]), graph);
            compare_with_constants(terms, group, &constants, &mut found);
            compare(terms, group, &mut found);
        }
        found
    })
}

/// Comparisons under conditions on what a procedure was entered with.
pub(super) fn guarded(asking: &mut Asking<'_, '_>, graph: &mut Graph) -> Result<Vec<Term>, Stopped> {
    let graph = &*graph;
    inductive(asking, graph, |asking, point| {
        let terms = &mut asking.encoder.terms;
        let split = &graph.splits[graph.points[point].procedure];
        let mut plain = Vec::new();
        for group in &graph.points[point].variables {
            let constants = constants(terms, terms.width(group[0]), graph);
            compare_with_constants(terms, group, &constants, &mut plain);
            compare(terms, group, &mut plain);
        }
        let mut found = Vec::new();
        for &condition in &split.conditions {
            let not = terms.not(condition);
            for excluded in [not, condition] {
                found.extend(plain.iter().map(|&p| terms.or(excluded, p)));
            }
        }
        found
    })
}

/// Comparisons of two variables with a distance between them, or with the double.
pub(crate) fn differences(asking: &mut Asking<'_, '_>, graph: &mut Graph) -> Result<Vec<Term>, Stopped> {
    let graph = &*graph;
    inductive(asking, graph, |asking, point| {
        let mut found = Vec::new();
        let terms = &mut asking.encoder.terms;
        for group in &graph.points[point].variables {
            let constants = constants(terms, terms.width(group[0]), graph);
            compare_differences(terms, group, &constants, &mut found);
        }
        found
    })
}

/// Comparisons of the sum of two variables with a third.
pub(crate) fn sums(asking: &mut Asking<'_, '_>, graph: &mut Graph) -> Result<Vec<Term>, Stopped> {
    let graph = &*graph;
    inductive(asking, graph, |asking, point| {
        let mut found = Vec::new();
        for group in graph.points[point].variables.iter().filter(|g| g.len() <= MAX_FOR_SUMS) {
            compare_sums(&mut asking.encoder.terms, group, &mut found);
        }
        found
    })
}

/// Comparisons of the sum of two variables with constants: what one gains, the other has to lose.
pub(super) fn totals(asking: &mut Asking<'_, '_>, graph: &mut Graph) -> Result<Vec<Term>, Stopped> {
    let graph = &*graph;
    inductive(asking, graph, |asking, point| {
        let mut found = Vec::new();
        let terms = &mut asking.encoder.terms;
        for group in graph.points[point].variables.iter().filter(|g| g.len() <= MAX_FOR_SUMS) {
            let constants = constants(terms, terms.width(group[0]), graph);
            compare_totals(terms, group, &constants, &mut found);
        }
        found
    })
}

/// The candidates that hold along every link together.
fn inductive(
    asking: &mut Asking<'_, '_>,
    graph: &Graph,
    candidates: impl Fn(&mut Asking<'_, '_>, usize) -> Vec<Term>,
) -> Result<Vec<Term>, Stopped> {
    let mut alive = Vec::new();
    for point in 0..graph.points.len() {
        let mut seen = FxHashSet::default();
        let mut all = candidates(asking, point);
        all.retain(|&c| asking.encoder.terms.as_const(c).is_none() && seen.insert(c));
        all.truncate(MAX_CANDIDATES);
        alive.push(all);
    }
    let mut todo: BTreeSet<usize> = (0..graph.links.len()).collect();
    while let Some(i) = todo.pop_first() {
        let link = &graph.links[i];
        let before = alive[link.to].len();
        hold_along(asking, graph, link, &mut alive)?;
        if alive[link.to].len() < before {
            todo.extend(graph.dependents(link.to));
        }
    }
    let points = graph.points.iter().zip(alive);
    points.map(|(point, kept)| independent(asking, point.known, kept)).collect()
}

/// Drops the candidates at a link's target that those at its source do not imply. If some are dropped, the others may not
/// be implied any more.
fn hold_along(asking: &mut Asking<'_, '_>, graph: &Graph, link: &Link, alive: &mut [Vec<Term>]) -> Result<(), Stopped> {
    while !alive[link.to].is_empty() {
        let all = alive[link.to].clone();
        match drop_refuted(asking, graph, link, alive, &all, MAX_CONFLICTS[0])? {
            Some(Answer::Sat) => {}
            Some(Answer::Unsat) => return Ok(()),
            None => break,
        }
    }
    for candidate in alive[link.to].clone() {
        if !alive[link.to].contains(&candidate) {
            continue;
        }
        let answer = drop_refuted(asking, graph, link, alive, &[candidate], MAX_CONFLICTS[1])?;
        if answer.is_none() {
            alive[link.to].retain(|&c| c != candidate);
        }
    }
    Ok(())
}

/// Looks for a path along a link to a state that violates one of some candidates, and drops all that it violates.
fn drop_refuted(
    asking: &mut Asking<'_, '_>,
    graph: &Graph,
    link: &Link,
    alive: &mut [Vec<Term>],
    some: &[Term],
    conflicts: i32,
) -> Result<Option<Answer>, Stopped> {
    let all = asking.encoder.terms.and_all(some);
    let hold = graph.after(asking.encoder, link, all);
    let fail = asking.encoder.terms.not(hold);
    let answer = asking.along(graph, &link.way, alive, fail, conflicts)?;
    if answer == Some(Answer::Sat) {
        let model = asking.solver.model(&asking.encoder.terms);
        alive[link.to].retain(|&candidate| {
            let after = graph.after(asking.encoder, link, candidate);
            asking.encoder.terms.evaluate(after, &model) == 1
        });
    }
    Ok(answer)
}

/// The conjunction without what follows from the rest. What is simple, and comes first, is kept rather than the rest.
fn independent(asking: &mut Asking<'_, '_>, known: Term, mut kept: Vec<Term>) -> Result<Term, Stopped> {
    let mut i = kept.len();
    while i > 0 {
        i -= 1;
        let fails = asking.encoder.terms.not(kept[i]);
        let others = kept.iter().enumerate().filter(|&(j, _)| j != i).map(|(_, &t)| t);
        let query: Vec<Term> = [known, fails].into_iter().chain(others).collect();
        if asking.solver.check(&mut asking.encoder.terms, &query)? == Answer::Unsat {
            kept.remove(i);
        }
    }
    Ok(asking.encoder.terms.and_all(&kept))
}

/// The atoms of conditions after a point, seen from there, and their negations.
fn conditions(asking: &mut Asking<'_, '_>, graph: &Graph, point: usize) -> Vec<Term> {
    let encoder = &mut *asking.encoder;
    let links = graph.links.iter().map(|l| &l.way).filter(|way| way.from == Some(point)).map(|way| way.paths.guard);
    let guards = links.chain(graph.violations[point].iter().copied());
    // Guards that exclude each other have no conjunction with atoms.
    let mut atoms: Vec<Term> = guards.flat_map(|guard| encoder.terms.atoms(guard)).collect();
    atoms.sort_unstable();
    atoms.dedup();
    atoms.retain(|&atom| graph.points[point].can_say(encoder, atom));
    let conditions = atoms.into_iter().flat_map(|atom| [atom, encoder.terms.not(atom)]);
    conditions.chain(graph.points[point].candidates.iter().copied()).collect()
}

/// Constants of a width in conditions, with 0 and 1.
fn constants(terms: &Terms, width: u16, graph: &Graph) -> Vec<u128> {
    let mut found = vec![0, 1];
    let guards: Vec<Term> = graph.conditions().collect();
    for t in terms.subterms(&guards) {
        if let Node::Const { bits, .. } = terms.node(t)
            && terms.sort(t) == Sort::Bits(width)
            && !found.contains(&bits)
        {
            found.push(bits);
        }
    }
    found.truncate(MAX_CONSTANTS);
    found
}

fn compare_with_constants(terms: &mut Terms, group: &[Term], constants: &[u128], found: &mut Vec<Term>) {
    for &x in group {
        let width = terms.width(x);
        for &bits in constants {
            let c = terms.constant(width, bits);
            found.extend([terms.sle(x, c), terms.sle(c, x), terms.ule(x, c), terms.ule(c, x)]);
        }
    }
}

fn compare(terms: &mut Terms, group: &[Term], found: &mut Vec<Term>) {
    for &x in group {
        for &y in group.iter().filter(|&&y| y != x) {
            found.extend([terms.sle(x, y), terms.slt(x, y), terms.ule(x, y), terms.ult(x, y)]);
        }
    }
}

/// `x + c ≤ y`, `x ≤ y + c` and `2x ≤ y`, `x ≤ 2y`, computed with more bits.
fn compare_differences(terms: &mut Terms, group: &[Term], constants: &[u128], found: &mut Vec<Term>) {
    for signed in [true, false] {
        for &x in group {
            for &y in group.iter().filter(|&&y| y != x) {
                let (wide_x, wide_y) = (widen(terms, x, signed), widen(terms, y, signed));
                let (double_x, double_y) = (terms.add(wide_x, wide_x), terms.add(wide_y, wide_y));
                found.extend([terms.sle(double_x, wide_y), terms.sle(wide_x, double_y)]);
                for &bits in &constants[1..] {
                    let c = terms.constant(terms.width(x), bits);
                    let c = widen(terms, c, signed);
                    let (more_x, more_y) = (terms.add(wide_x, c), terms.add(wide_y, c));
                    found.extend([terms.sle(more_x, wide_y), terms.sle(wide_x, more_y)]);
                }
            }
        }
    }
}

/// `x + y ≤ z` and `z ≤ x + y`, computed with more bits.
fn compare_sums(terms: &mut Terms, group: &[Term], found: &mut Vec<Term>) {
    for signed in [true, false] {
        for (i, &x) in group.iter().enumerate() {
            for &y in &group[i + 1..] {
                let (wide_x, wide_y) = (widen(terms, x, signed), widen(terms, y, signed));
                let sum = terms.add(wide_x, wide_y);
                for &z in group.iter().filter(|&&z| z != x && z != y) {
                    let z = widen(terms, z, signed);
                    found.extend([terms.sle(sum, z), terms.sle(z, sum)]);
                }
            }
        }
    }
}

/// `x + y ≤ c` and `c ≤ x + y`, computed with more bits.
fn compare_totals(terms: &mut Terms, group: &[Term], constants: &[u128], found: &mut Vec<Term>) {
    for signed in [true, false] {
        for (i, &x) in group.iter().enumerate() {
            for &y in &group[i + 1..] {
                let (wide_x, wide_y) = (widen(terms, x, signed), widen(terms, y, signed));
                let sum = terms.add(wide_x, wide_y);
                for &bits in constants {
                    let c = terms.constant(terms.width(x), bits);
                    let c = widen(terms, c, signed);
                    found.extend([terms.sle(sum, c), terms.sle(c, sum)]);
                }
            }
        }
    }
}

/// A value with bits to spare, so that sums of three are exact.
fn widen(terms: &mut Terms, x: Term, signed: bool) -> Term {
    let width = terms.width(x) + 2;
    if signed { terms.sext(x, width) } else { terms.zext(x, width) }
}
