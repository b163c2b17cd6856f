//! What may hold of single elements: facts about `a[any]`, its index and the scalars.
//!
//! Seeds are what the error edges deny: from `!(a[x] == b[x])` comes `a[any] == b[any]`, with the index that stands for all in
//! place of `x`. From each fact come others, by what loops write: where `b[i] = c[i]` is executed with `i` the index in
//! question, `a[any] == b[any]` holds afterwards if `a[any] == c[any]` held before (the weakest precondition, for that index).
//! And what is written is a fact itself: `a[any] == 42`.
//!
//! All are guesses; [`super::inductive`] finds out which of them hold, and in which segments.

use super::layout::{Layout, variable, with_index};
use super::recurrences;
use crate::certificate::instances::{Accesses, Linear, any_index};
use crate::relations::graph::Graph;
use robusto_analyses::symbolic::{Cell, Encoder, PathFormula};
use robusto_logic::{BinaryOp, Node, Substitution, Symbol, Term, Terms};
use rustc_hash::FxHashSet;

/// Most facts.
const MAX_FACTS: usize = 40;

/// Largest fact, in nodes.
const MAX_NODES: usize = 60;

/// Longest chain of writes that facts are pulled through.
const MAX_ROUNDS: usize = 8;

/// A write.
pub(super) struct Write {
    pub array: Symbol,
    pub at: Term,
    pub value: Term,
}

/// The facts that may hold, the most important ones first.
pub(super) struct Facts {
    pub list: Vec<Term>,
    seen: FxHashSet<Term>,
}

impl Facts {
    /// Guesses, given which cells are known to have one value at each point.
    pub fn of(encoder: &mut Encoder<'_>, graph: &Graph, layout: &Layout, constants: &[Vec<Term>]) -> Self {
        let mut facts = Self { list: Vec::new(), seen: FxHashSet::default() };
        for (point, guards) in graph.violations.iter().enumerate() {
            for &guard in guards {
                let constants = constants.get(point).map_or(&[][..], |facts| facts);
                facts.denied(encoder, guard, constants);
            }
        }
        let mut next = 0;
        for _ in 0..MAX_ROUNDS {
            let end = facts.list.len();
            for i in next..end {
                let fact = facts.list[i];
                facts.before(encoder, graph, fact);
            }
            next = end;
        }
        recurrences::guess(encoder, graph, layout, &mut facts);
        for link in &graph.links {
            for write in writes(encoder, &link.way.paths) {
                facts.written(encoder, &write);
            }
        }
        facts
    }

    /// One more, unless it is too large, or about more than a state.
    pub fn add(&mut self, encoder: &Encoder<'_>, fact: Term) {
        let terms = &encoder.terms;
        if self.list.len() >= MAX_FACTS || self.seen.contains(&fact) || encoder.has_choices(fact) {
            return;
        }
        let nodes = terms.subterms(&[fact]);
        let is_simple = |t: &Term| !matches!(terms.node(*t), Node::Store(..) | Node::Splice { .. });
        if terms.as_const(fact).is_none() && nodes.len() <= MAX_NODES && nodes.iter().all(is_simple) {
            self.seen.insert(fact);
            self.list.push(fact);
        }
    }

    /// The opposite of what leads to an error; also with a cell in place of the value that it has there, since elsewhere it may
    /// have others.
    fn denied(&mut self, encoder: &mut Encoder<'_>, guard: Term, constants: &[Term]) {
        let conditions = encoder.terms.conjuncts(guard);
        let (of_memory, others): (Vec<Term>, Vec<Term>) =
            conditions.into_iter().partition(|&c| reads(&encoder.terms, c));
        let together = encoder.terms.and_all(&of_memory);
        let single = of_memory.iter().copied().filter(|_| of_memory.len() > 1);
        for condition in [together].into_iter().chain(single) {
            let denied = encoder.terms.not(condition);
            for atom in atoms(encoder, denied) {
                let any = any_index(encoder);
                let fact = with_index(encoder, denied, atom, any);
                self.add(encoder, fact);
                for &constant in constants {
                    let Node::Binary(BinaryOp::Eq, cell, value) = encoder.terms.node(constant) else { continue };
                    let mut map = Substitution::new();
                    map.insert(value, cell);
                    let fact = encoder.terms.substitute(fact, &mut map);
                    self.add(encoder, fact);
                }
            }
        }
        for condition in others {
            let denied = encoder.terms.not(condition);
            self.add(encoder, denied);
        }
    }

    /// What a fact needs before the element that it is about was written; and the fact where a way was taken to it.
    fn before(&mut self, encoder: &mut Encoder<'_>, graph: &Graph, fact: Term) {
        let any = any_index(encoder);
        let patterns: Vec<(Symbol, Linear)> = Accesses::of(&encoder.terms, &[fact])
            .iter()
            .flat_map(|(arrays, at)| arrays.iter().map(move |&array| (array, at)))
            .map(|(array, at)| (array, Linear::of(&encoder.terms, at)))
            .filter(|(_, at)| at.coefficient(any) != 0)
            .collect();
        for link in &graph.links {
            let paths = &link.way.paths;
            for write in writes(encoder, paths) {
                let at = Linear::of(&encoder.terms, write.at);
                let atoms = index_atoms(encoder, &at);
                for (_, pattern) in patterns.iter().filter(|(array, _)| *array == write.array) {
                    for &atom in &atoms {
                        let Some(index) = at.solve(&mut encoder.terms, atom, pattern) else { continue };
                        let needed = encoder.apply(paths, fact);
                        let needed = with_index(encoder, needed, atom, index);
                        if !goes_on(encoder, needed, write.array, &patterns) {
                            self.add(encoder, needed);
                        }
                    }
                }
            }
            if link.way.from.is_some_and(|from| from != link.to) && !patterns.is_empty() {
                for condition in encoder.terms.conjuncts(paths.guard) {
                    if !reads(&encoder.terms, condition) && is_flag(&encoder.terms, condition) {
                        let otherwise = encoder.terms.not(condition);
                        let fact = encoder.terms.or(otherwise, fact);
                        self.add(encoder, fact);
                    }
                }
            }
        }
    }

    /// That an element has the value that was written to it.
    fn written(&mut self, encoder: &mut Encoder<'_>, write: &Write) {
        let array = encoder.terms.symbol_term(write.array);
        let element = encoder.terms.select(array, write.at);
        let fact = encoder.terms.eq(element, write.value);
        let at = Linear::of(&encoder.terms, write.at);
        for atom in index_atoms(encoder, &at) {
            let any = any_index(encoder);
            let fact = with_index(encoder, fact, atom, any);
            self.add(encoder, fact);
        }
        self.add(encoder, fact);
    }
}

/// Whether a fact speaks of other elements of an array than the one that it comes from: those before would lead to those
/// before these, and so on.
fn goes_on(encoder: &Encoder<'_>, fact: Term, array: Symbol, patterns: &[(Symbol, Linear)]) -> bool {
    let accesses = Accesses::of(&encoder.terms, &[fact]);
    let mut of_array = accesses.iter().filter(|(arrays, _)| arrays.contains(&array));
    of_array.any(|(_, at)| {
        let at = Linear::of(&encoder.terms, at);
        patterns.iter().all(|(other, pattern)| *other != array || *pattern != at)
    })
}

/// Whether memory is read.
pub(super) fn reads(terms: &Terms, t: Term) -> bool {
    terms.subterms(&[t]).iter().any(|&t| matches!(terms.node(t), Node::Select(..)))
}

/// Whether a condition is no order, which loops end by, but one of what values are.
fn is_flag(terms: &Terms, condition: Term) -> bool {
    let inner = match terms.node(condition) {
        Node::Not(x) => x,
        _ => condition,
    };
    !matches!(terms.node(inner), Node::Binary(BinaryOp::SLt | BinaryOp::ULt, ..))
}

/// The variables that an address is made of.
pub(super) fn index_atoms(encoder: &Encoder<'_>, at: &Linear) -> Vec<Term> {
    at.coefficients.keys().copied().filter(|&atom| variable(encoder, atom).is_some()).collect()
}

/// The variables that the addresses in a formula are made of.
fn atoms(encoder: &Encoder<'_>, formula: Term) -> Vec<Term> {
    let mut found = Vec::new();
    for (_, at) in Accesses::of(&encoder.terms, &[formula]).iter() {
        found.extend(index_atoms(encoder, &Linear::of(&encoder.terms, at)));
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// What paths write to memory.
pub(super) fn writes(encoder: &mut Encoder<'_>, paths: &PathFormula) -> Vec<Write> {
    let mut found = Vec::new();
    for (&cell, &after) in paths.env.iter().filter(|(cell, _)| matches!(cell, Cell::Region(_))) {
        let before = encoder.input(cell);
        let terms = &encoder.terms;
        let array = terms.as_symbol(before).expect("inputs are symbols");
        let mut todo = vec![after];
        let mut seen = FxHashSet::default();
        while let Some(t) = todo.pop() {
            if !seen.insert(t) {
                continue;
            }
            match terms.node(t) {
                Node::Store(below, at, value) => {
                    todo.push(below);
                    found.push(Write { array, at, value });
                }
                Node::Ite(_, a, b) => todo.extend([a, b]),
                _ => {}
            }
        }
    }
    found
}
