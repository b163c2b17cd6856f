//! Elements that follow from the one before: with `a[0] = 7` and `a[i] = a[i - 1] + 1` somewhere, `a[any] == 7 + any` may hold.

use super::facts::{Facts, index_atoms, writes};
use super::layout::{Layout, with_index};
use crate::certificate::instances::{Accesses, Linear, any_index};
use crate::relations::graph::Graph;
use robusto_analyses::symbolic::Encoder;
use robusto_logic::{Node, Symbol, Term};

/// An element that follows from the one before.
struct Following {
    array: Symbol,
    /// The address, of the index that stands for all.
    at: Term,
    /// The index.
    index: Term,
    /// How much more it is.
    more: Term,
}

/// Adds what follows from first elements.
pub(super) fn guess(encoder: &mut Encoder<'_>, graph: &Graph, layout: &Layout, facts: &mut Facts) {
    let mut first: Vec<(Symbol, Term, Term)> = Vec::new();
    let mut following = Vec::new();
    for link in &graph.links {
        for write in writes(encoder, &link.way.paths) {
            let terms = &mut encoder.terms;
            let Some(index) = layout.index(terms, write.array, write.at) else { continue };
            if terms.as_const(index).is_some() && terms.as_const(write.value).is_some() {
                first.push((write.array, index, write.value));
                continue;
            }
            let value = Linear::of(terms, write.value);
            let [(&before, 1)] = value.coefficients.iter().map(|(t, &c)| (t, c)).collect::<Vec<_>>()[..] else {
                continue;
            };
            let Node::Select(_, at) = terms.node(before) else { continue };
            let arrays = Accesses::of(terms, &[before]);
            let is_same = arrays.iter().any(|(arrays, other)| other == at && arrays.contains(&write.array));
            let Some(index_before) = layout.index(terms, write.array, at).filter(|_| is_same) else { continue };
            let distance = terms.sub(index, index_before);
            if terms.as_const(distance) != Some(1) {
                continue;
            }
            let more = terms.constant(value.width, value.constant);
            for atom in index_atoms(encoder, &Linear::of(&encoder.terms, write.at)) {
                let any = any_index(encoder);
                let [at, index] = [write.at, index].map(|t| with_index(encoder, t, atom, any));
                following.push(Following { array: write.array, at, index, more });
            }
        }
    }
    for Following { array, at, index, more } in following {
        for &(_, index_of_first, value) in first.iter().filter(|(of, ..)| *of == array) {
            let terms = &mut encoder.terms;
            let distance = terms.sub(index, index_of_first);
            let width = terms.width(value);
            let distance = if terms.width(distance) > width {
                terms.extract(distance, 0, width)
            } else {
                terms.sext(distance, width)
            };
            let grown = terms.mul(distance, more);
            let expected = terms.add(value, grown);
            let array = terms.symbol_term(array);
            let element = terms.select(array, at);
            let fact = terms.eq(element, expected);
            facts.add(encoder, fact);
        }
    }
}
