//! Segments of arrays, with bounds from the program, and what may hold in each of them.
//!
//! Cousot, Cousot, Logozzo: *A parametric segmentation functor for fully automatic and scalable array content analysis*, POPL
//! 2011, keep an ordered list of bounds for each array. Here segments are `[0, b)` and `[b, h)`, and need no order: a bound is
//! what an access at a point has as its index, or what conditions compare with. A clause at a point says that a fact holds of
//! the elements of a segment.

use super::facts::{Facts, reads};
use super::layout::Layout;
use crate::certificate::instances::{Accesses, any_index};
use crate::certificate::unreadable;
use crate::relations::graph::{Graph, Point};
use robusto_analyses::symbolic::Encoder;
use robusto_logic::{BinaryOp, Node, Sort, Term, Terms};
use rustc_hash::FxHashSet;

/// Most bounds at a point, and most that are the same at all points.
const MAX_BOUNDS: (usize, usize) = (8, 4);

/// Most clauses at a point.
const MAX_CLAUSES: usize = 1200;

/// The clauses that may hold at each point.
pub(super) fn clauses(encoder: &mut Encoder<'_>, graph: &Graph, layout: &Layout, facts: &Facts) -> Vec<Vec<Term>> {
    let ends = ends(encoder, graph);
    let bounds = bounds(encoder, graph, layout);
    let points = graph.points.iter().enumerate().zip(bounds);
    let at = |((number, point), own): ((usize, &Point), Vec<Term>)| {
        let mut all = orders(encoder, graph, number);
        // What no loop changes bounds segments from above only.
        let lowers: Vec<Term> = own.iter().copied().filter(|&t| is_changed(encoder, graph, t)).collect();
        all.extend(at_point(encoder, point, layout, facts, [&own, &lowers, &ends]));
        all.truncate(MAX_CLAUSES);
        all
    };
    points.map(at).collect()
}

/// What the conditions of a loop say, as it is when the loop is left: after `while (i <= n / 3)`, `i <= n / 3 + 1`.
fn orders(encoder: &mut Encoder<'_>, graph: &Graph, point: usize) -> Vec<Term> {
    let again = graph.links.iter().filter(|link| link.way.from == Some(point));
    let guards: Vec<Term> = again.map(|link| link.way.paths.guard).collect();
    let mut found = Vec::new();
    for guard in guards {
        for [x, y] in comparisons(encoder, guard) {
            for (less, more) in [(x, y), (y, x)] {
                let terms = &mut encoder.terms;
                let one = terms.constant(terms.width(less), 1);
                let next = terms.add(more, one);
                found.extend([terms.sle(less, more), terms.sle(less, next)]);
            }
        }
    }
    let at = &graph.points[point];
    let mut seen = FxHashSet::default();
    found.retain(|&t| {
        let is_known = unreadable(encoder, &at.calls, at.location, t).is_none();
        is_known && !reads(&encoder.terms, t) && encoder.terms.as_const(t).is_none() && seen.insert(t)
    });
    found
}

fn at_point(
    encoder: &mut Encoder<'_>,
    point: &Point,
    layout: &Layout,
    facts: &Facts,
    [own, lowers, ends]: [&[Term]; 3],
) -> Vec<Term> {
    let zero = encoder.terms.constant(u16::from(encoder.facts().program.model.pointer_bits()), 0);
    let can_say = |encoder: &Encoder<'_>, t: Term| unreadable(encoder, &point.calls, point.location, t).is_none();
    let ends: Vec<Term> = ends.iter().copied().filter(|&end| can_say(encoder, end)).collect();
    let uppers: Vec<Term> = ends.iter().chain(own).copied().collect();
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let said: Vec<Term> = facts.list.iter().copied().filter(|&fact| can_say(encoder, fact)).collect();
    for fact in said {
        let mut of_fact = Vec::new();
        let indices = indices(encoder, layout, fact);
        let terms = &mut encoder.terms;
        for &upper in &uppers {
            let inside: Vec<Term> = indices.iter().map(|&index| within(terms, zero, index, upper)).collect();
            of_fact.push(terms.and_all(&inside));
            of_fact.extend(inside.into_iter().filter(|_| indices.len() > 1));
        }
        for &lower in lowers {
            for &upper in &ends {
                let inside: Vec<Term> = indices.iter().map(|&index| within(terms, lower, index, upper)).collect();
                of_fact.extend(inside);
            }
        }
        // Whatever the index is; for facts without one, all that there is.
        of_fact.insert(0, terms.yes());
        for segment in of_fact {
            let clause = terms.implies(segment, fact);
            if terms.as_const(clause).is_none() && seen.insert(clause) {
                found.push(clause);
            }
        }
    }
    found
}

/// `lower ≤ index < upper`, signed.
fn within(terms: &mut Terms, lower: Term, index: Term, upper: Term) -> Term {
    let (above, below) = (terms.sle(lower, index), terms.slt(index, upper));
    terms.and(above, below)
}

/// The indices that a fact is about.
fn indices(encoder: &mut Encoder<'_>, layout: &Layout, fact: Term) -> Vec<Term> {
    let any = any_index(encoder);
    let terms = &mut encoder.terms;
    let mut found = Vec::new();
    for (arrays, at) in Accesses::of(terms, &[fact]).iter() {
        let Some(index) = arrays.first().and_then(|&array| layout.index(terms, array, at)) else { continue };
        if terms.subterms(&[index]).contains(&any) && !found.contains(&index) {
            found.push(index);
        }
    }
    found
}

/// Where arrays may end: constants and variables that conditions compare with.
fn ends(encoder: &mut Encoder<'_>, graph: &Graph) -> Vec<Term> {
    let guards: Vec<Term> = graph.conditions().collect();
    let mut found = Vec::new();
    for guard in guards {
        for operand in compared(encoder, guard) {
            let terms = &encoder.terms;
            let is_end = match terms.as_const(operand) {
                Some(value) => (2..1 << 31).contains(&value),
                None => terms.symbols(operand).len() == 1 && terms.subterms(&[operand]).len() <= 2,
            };
            if is_end && !encoder.has_choices(operand) && !found.contains(&operand) {
                found.push(operand);
            }
        }
    }
    // Constants first; what runs through an array is a bound of its own point anyway.
    found.sort_by_key(|&t| encoder.terms.as_const(t).is_none());
    let (constants, variables): (Vec<Term>, Vec<Term>) =
        found.into_iter().partition(|&t| encoder.terms.as_const(t).is_some());
    let unchanged = |t: &Term| !is_changed(encoder, graph, *t);
    let (fixed, others): (Vec<Term>, Vec<Term>) = variables.into_iter().partition(unchanged);
    let most = MAX_BOUNDS.1;
    constants.into_iter().take(most).chain(fixed.into_iter().take(most)).chain(others).take(2 * most).collect()
}

/// Whether a loop changes a term.
fn is_changed(encoder: &Encoder<'_>, graph: &Graph, t: Term) -> bool {
    let cells: Vec<_> = encoder.terms.symbols(t).into_iter().filter_map(|s| encoder.cell_of(s)).collect();
    let mut again = graph.links.iter().filter(|link| link.way.from.is_some());
    again.any(|link| cells.iter().any(|cell| link.way.paths.env.contains_key(cell)))
}

/// The bounds of each point: indices of what is accessed on the way from there, there or at a next point, and what conditions
/// compare.
fn bounds(encoder: &mut Encoder<'_>, graph: &Graph, layout: &Layout) -> Vec<Vec<Term>> {
    let mut own: Vec<Vec<Term>> = Vec::new();
    for (number, point) in graph.points.iter().enumerate() {
        let ways = graph.links.iter().map(|link| &link.way).filter(|way| way.from == Some(number));
        let mut roots: Vec<Term> = graph.violations[number].clone();
        roots.extend(ways.flat_map(|way| way.paths.env.values().copied().chain([way.paths.guard])));
        let mut found = Vec::new();
        for (arrays, at) in Accesses::of(&encoder.terms, &roots).iter() {
            found.extend(arrays.iter().filter_map(|&array| layout.index(&mut encoder.terms, array, at)));
        }
        for guard in roots.into_iter().filter(|&t| encoder.terms.sort(t) == Sort::BOOL).collect::<Vec<_>>() {
            found.extend(compared(encoder, guard));
        }
        own.push(kept(encoder, point, found));
    }
    let mut all = own.clone();
    for link in &graph.links {
        let Some(from) = link.way.from.filter(|&from| from != link.to) else { continue };
        let seen_from: Vec<Term> = own[link.to].iter().map(|&t| encoder.apply(&link.way.paths, t)).collect();
        all[from].extend(kept(encoder, &graph.points[from], seen_from));
    }
    for bounds in &mut all {
        let mut seen = FxHashSet::default();
        bounds.retain(|&t| seen.insert(t));
        bounds.truncate(MAX_BOUNDS.0);
    }
    all
}

/// Those that are values at a point, and no element.
fn kept(encoder: &Encoder<'_>, point: &Point, mut found: Vec<Term>) -> Vec<Term> {
    let mut seen = FxHashSet::default();
    found.retain(|&t| {
        let is_known = unreadable(encoder, &point.calls, point.location, t).is_none();
        is_known && !reads(&encoder.terms, t) && encoder.terms.as_const(t) != Some(0) && seen.insert(t)
    });
    found
}

/// The operands of the comparisons in a formula that are as wide as an index, or narrower.
fn compared(encoder: &mut Encoder<'_>, formula: Term) -> Vec<Term> {
    let width = u16::from(encoder.facts().program.model.pointer_bits());
    let operands: Vec<Term> = comparisons(encoder, formula).into_iter().flatten().collect();
    let narrow = operands.into_iter().filter(|&t| encoder.terms.width(t) <= width).collect::<Vec<_>>();
    narrow.into_iter().map(|t| encoder.terms.sext(t, width)).collect()
}

/// The operands of the comparisons in a formula.
fn comparisons(encoder: &Encoder<'_>, formula: Term) -> Vec<[Term; 2]> {
    let terms = &encoder.terms;
    let inner = |atom: Term| match terms.node(atom) {
        Node::Not(x) => x,
        _ => atom,
    };
    let operands = |atom: Term| match terms.node(inner(atom)) {
        Node::Binary(BinaryOp::SLt | BinaryOp::ULt, x, y) => Some([x, y]),
        _ => None,
    };
    terms.atoms(formula).into_iter().filter_map(operands).collect()
}
