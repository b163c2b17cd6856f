//! Which element of an array an address means.

use crate::certificate::instances::{Accesses, Linear};
use crate::relations::graph::Graph;
use robusto_analyses::symbolic::{Cell, Encoder};
use robusto_cfa::ir::Ty;
use robusto_logic::term::fold;
use robusto_logic::{Node, Substitution, Symbol, Term, Terms};
use rustc_hash::FxHashMap;

/// The addresses of the elements of each array: a sum with one index variable in it, as the program's accesses have it.
pub(super) struct Layout {
    /// By array: the address of an element, and what its index is there.
    elements: FxHashMap<Symbol, (Linear, Term)>,
}

impl Layout {
    /// Of the accesses with a variable index, the one with the smallest step, at best from where an object begins.
    pub fn of(encoder: &Encoder<'_>, graph: &Graph) -> Self {
        let program = &encoder.facts().program;
        let bases: Vec<u128> = program.objects.ids().filter_map(|o| encoder.address_of(o, 0)).map(u128::from).collect();
        let mut best: FxHashMap<Symbol, ((u128, bool, usize, u128), Linear, Term)> = FxHashMap::default();
        for (arrays, at) in Accesses::of(&encoder.terms, &roots(graph)).iter() {
            let address = Linear::of(&encoder.terms, at);
            for (&atom, &step) in &address.coefficients {
                if variable(encoder, atom).is_none() {
                    continue;
                }
                let size = fold::signed(address.width, step).unsigned_abs();
                let is_base = bases.contains(&address.constant) || address.constant == 0;
                let rank = (size, !is_base, address.coefficients.len(), address.constant);
                for &array in arrays {
                    let better = best.get(&array).is_none_or(|(known, ..)| rank < *known);
                    if better {
                        best.insert(array, (rank, address.clone(), atom));
                    }
                }
            }
        }
        Self { elements: best.into_iter().map(|(array, (_, address, atom))| (array, (address, atom))).collect() }
    }

    /// The index of an address in an array; parts of an element belong to it.
    pub fn index(&self, terms: &mut Terms, array: Symbol, at: Term) -> Option<Term> {
        let (element, atom) = self.elements.get(&array)?;
        let mut at = Linear::of(terms, at);
        let step = fold::signed(element.width, element.coefficient(*atom));
        let distance =
            fold::signed(element.width, fold::mask(element.width, at.constant.wrapping_sub(element.constant)));
        at.constant = at.constant.wrapping_sub(distance.rem_euclid(step) as u128);
        element.solve(terms, *atom, &at)
    }
}

/// All formulas of a graph.
pub(super) fn roots(graph: &Graph) -> Vec<Term> {
    let values = graph.links.iter().flat_map(|link| link.way.paths.env.values().copied());
    graph.conditions().chain(values).collect()
}

/// The variable that an index is made of: an integer, or one with its sign or zeros in front.
pub(super) fn variable(encoder: &Encoder<'_>, atom: Term) -> Option<Symbol> {
    let inner = match encoder.terms.node(atom) {
        Node::SExt(x, _) | Node::ZExt(x, _) => x,
        _ => atom,
    };
    let symbol = encoder.terms.as_symbol(inner)?;
    match encoder.cell_of(symbol)? {
        Cell::Var(var, _) => matches!(encoder.facts().program.vars[var].ty, Ty::Int(_)).then_some(symbol),
        _ => None,
    }
}

/// A formula where an atom of indices has a value, and the variable in it too.
pub(super) fn with_index(encoder: &mut Encoder<'_>, formula: Term, atom: Term, value: Term) -> Term {
    let mut map = Substitution::new();
    if let Some(symbol) = variable(encoder, atom) {
        let terms = &mut encoder.terms;
        let inner = terms.symbol_term(symbol);
        // `(long)(i + 1)` is the value plus one.
        for t in terms.subterms(&[formula]) {
            if let Node::SExt(x, width) | Node::ZExt(x, width) = terms.node(t)
                && width == terms.width(value)
            {
                let sum = Linear::of(terms, x);
                if sum.coefficients.len() == 1 && sum.coefficient(inner) == 1 {
                    let more = fold::signed(sum.width, sum.constant) as u128;
                    let more = terms.constant(width, fold::mask(width, more));
                    let to = terms.add(value, more);
                    map.insert(t, to);
                }
            }
        }
        let width = terms.width(inner);
        let low = terms.extract(value, 0, width);
        map.insert(inner, low);
    }
    map.insert(atom, value);
    encoder.terms.substitute(formula, &mut map)
}
