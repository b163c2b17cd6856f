//! Unit absorption: x ∧ f = x ∧ f[x := true], and dually for ∨, at the top of each interpolant.
//!
//! McMillan's rules often leave a conjunction of literals with a large rest that repeats them. The literals among the
//! conjuncts of a root are set in the other conjuncts until no new literal appears; within each remaining conjunct the
//! same is done with its disjuncts. Deeper levels are left alone: there a node has several parents, and what holds
//! in one context need not hold in the other.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::dag::{Dag, Edge, Gate};

/// An equivalent, usually smaller function.
pub(super) fn absorb(dag: &mut Dag, root: Edge) -> Edge {
    conjunction(dag, root, 2)
}

/// Rewrites the conjuncts of `root`, alternating with their disjuncts `depth` levels down.
fn conjunction(dag: &mut Dag, root: Edge, depth: u32) -> Edge {
    let mut units: HashMap<i32, bool, FxBuildHasher> = HashMap::default();
    let mut order = Vec::new();
    let mut rest = Vec::new();
    let mut pending = vec![root];
    while !pending.is_empty() {
        let known = units.len();
        for part in pending.drain(..).collect::<Vec<_>>() {
            for conjunct in conjuncts(dag, part) {
                match dag.as_literal(conjunct) {
                    Some(l) => match units.insert(l.abs(), l > 0) {
                        Some(value) if value != (l > 0) => return Edge::FALSE,
                        Some(_) => {}
                        None => order.push(conjunct),
                    },
                    None if conjunct == Edge::FALSE => return Edge::FALSE,
                    None if conjunct == Edge::TRUE => {}
                    None => rest.push(conjunct),
                }
            }
        }
        if units.len() > known && !rest.is_empty() {
            pending = assign(dag, &rest, &units);
            rest.clear();
        }
    }
    if depth > 0 {
        rest.iter_mut().for_each(|r| *r = !conjunction(dag, !*r, depth - 1));
    }
    rest.into_iter().chain(order).fold(Edge::TRUE, |all, part| dag.and(all, part))
}

/// The operands of a tree of conjunctions, each once.
fn conjuncts(dag: &Dag, root: Edge) -> Vec<Edge> {
    let mut result = Vec::new();
    let mut seen: HashMap<Edge, (), FxBuildHasher> = HashMap::default();
    let mut stack = vec![root];
    while let Some(edge) = stack.pop() {
        if seen.insert(edge, ()).is_some() {
            continue;
        }
        match dag.gate(edge) {
            Gate::And(a, b) if !edge.is_negated() => stack.extend([b, a]),
            _ => result.push(edge),
        }
    }
    result
}

/// The functions with some variables set.
fn assign(dag: &mut Dag, roots: &[Edge], units: &HashMap<i32, bool, FxBuildHasher>) -> Vec<Edge> {
    dag.replace(roots, |dag, v| match units.get(&v) {
        Some(true) => Edge::TRUE,
        Some(false) => Edge::FALSE,
        None => dag.literal(v),
    })
}
