//! From bits back to words: an interpolant as a term that a human, and the simplifier of terms, can read.
//!
//! A function of one or two symbols is compared with word-level templates ([`super::templates`]). What matches none is
//! taken apart at its conjunction (or disjunction): parts over the same symbols go together, single bits become ranges
//! of bits that equal a constant, equal bits become equal ranges, and what is left stays a formula over bits. The
//! result is always equivalent to the function, so a sequence stays inductive.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::absorb::conjuncts;
use super::dag::Dag;
use super::templates::Templates;
use crate::blast::aig::{Gate, Lit};
use crate::{Term, Terms};
use robusto_limits::{Limits, Stopped};

/// Alternations of conjunction and disjunction that are taken apart.
const DEPTH: u32 = 3;
/// A conjunction with more parts stays as it is.
const PARTS: usize = 300;

/// Which variables are the bits of which symbol: consecutive numbers, the lowest bit first.
#[derive(Clone, Default, Debug)]
pub(super) struct Bits {
    bases: FxHashMap<Term, i32>,
    /// Ascending by base.
    ranges: Vec<(i32, Term, u16)>,
}

impl Bits {
    pub(super) fn base(&self, symbol: Term) -> Option<i32> {
        self.bases.get(&symbol).copied()
    }

    /// Bases are given in ascending order.
    pub(super) fn insert(&mut self, symbol: Term, base: i32, width: u16) {
        debug_assert!(self.ranges.last().is_none_or(|&(b, _, w)| b + i32::from(w) <= base));
        self.bases.insert(symbol, base);
        self.ranges.push((base, symbol, width));
    }

    /// The symbol and bit of a variable.
    fn of(&self, variable: i32) -> (Term, u16) {
        let at = self.ranges.partition_point(|&(base, ..)| base <= variable);
        let (base, symbol, width) = self.ranges[at.checked_sub(1).expect("an interpolant mentions shared bits only")];
        let bit = (variable - base) as u16;
        assert!(bit < width, "an interpolant mentions shared bits only");
        (symbol, bit)
    }
}

/// Translates functions to terms.
pub(super) struct Lifter<'t> {
    terms: &'t mut Terms,
    dag: Dag,
    bits: Bits,
    templates: Templates,
    /// Nodes as formulas over bits.
    plain: FxHashMap<usize, Term>,
}

impl<'t> Lifter<'t> {
    pub(super) fn new(terms: &'t mut Terms, dag: Dag, bits: Bits, limits: &Limits) -> Self {
        Lifter { terms, dag, bits, templates: Templates::new(limits), plain: FxHashMap::default() }
    }

    /// The function as a term.
    pub(super) fn lift(&mut self, function: Lit) -> Result<Term, Stopped> {
        self.function(function, DEPTH)
    }

    fn function(&mut self, function: Lit, depth: u32) -> Result<Term, Stopped> {
        if function.is_constant() || self.dag.as_literal(function).is_some() {
            return Ok(self.plain(function));
        }
        let parts = conjuncts(&self.dag, &[function.negate_if(function.is_negated())]);
        // Parts that speak of one symbol each are no comparison of symbols.
        let separate = (2..=PARTS).contains(&parts.len()) && parts.iter().all(|&part| self.support(part).len() == 1);
        let support = self.support(function);
        let whole = support.len() == 1 || support.len() == 2 && !separate;
        if whole && !self.is_value(&parts, &support) {
            let words: Vec<(Term, Vec<Lit>)> = support.iter().map(|&s| (s, self.word(s))).collect();
            if let Some(term) = self.templates.find(self.terms, &mut self.dag, function, &words)? {
                return Ok(term);
            }
        }
        if depth == 0 || parts.len() > PARTS {
            return Ok(self.plain(function));
        }
        let term = self.conjunction(&parts, depth)?;
        Ok(if function.is_negated() { self.terms.not(term) } else { term })
    }

    /// Whether the conjunction fixes all bits of its only symbol.
    fn is_value(&self, parts: &[Lit], support: &[Term]) -> bool {
        parts.len() == usize::from(self.terms.width(support[0]))
            && parts.iter().all(|&part| self.dag.as_literal(part).is_some())
    }

    /// The symbols of a function, ascending.
    fn support(&self, function: Lit) -> Vec<Term> {
        let mut symbols: Vec<Term> = self.dag.variables(function).into_iter().map(|v| self.bits.of(v).0).collect();
        symbols.sort_unstable();
        symbols.dedup();
        symbols
    }

    fn word(&mut self, symbol: Term) -> Vec<Lit> {
        let base = self.bits.base(symbol).expect("symbols of interpolants have variables");
        (base..).take(self.terms.width(symbol).into()).map(|v| self.dag.literal(v)).collect()
    }

    /// A conjunction that matches no template as a whole.
    fn conjunction(&mut self, parts: &[Lit], depth: u32) -> Result<Term, Stopped> {
        let mut by_support: BTreeMap<Vec<Term>, Vec<Lit>> = BTreeMap::new();
        for &part in parts {
            by_support.entry(self.support(part)).or_default().push(part);
        }
        let mut result = Vec::new();
        let alone = by_support.len() == 1;
        for (support, group) in by_support {
            if alone || group.len() == 1 || support.len() > 2 {
                self.parts(&group, depth, &mut result)?;
            } else {
                let group = group.into_iter().fold(Lit::TRUE, |all, part| self.dag.aig.and(all, part));
                result.push(self.function(group, depth)?);
            }
        }
        Ok(self.terms.and_all(&result))
    }

    /// Conjuncts one by one, but fixed and equal bits by ranges.
    fn parts(&mut self, parts: &[Lit], depth: u32, result: &mut Vec<Term>) -> Result<(), Stopped> {
        let mut fixed: BTreeMap<(Term, u16), bool> = BTreeMap::new();
        let (equal, rest) = self.equal_bits(parts);
        for part in rest {
            match self.dag.as_literal(part) {
                Some(literal) => {
                    fixed.insert(self.bits.of(literal.abs()), literal > 0);
                }
                None => result.push(self.function(part, depth - 1)?),
            }
        }
        for ((symbol, low), values) in runs(&fixed, |_, _| true) {
            let width = values.len() as u16;
            let value = (0..).zip(&values).fold(0, |all, (i, &bit)| all | u128::from(bit) << i);
            let (range, constant) = (self.terms.extract(symbol, low, width), self.terms.constant(width, value));
            result.push(self.terms.eq(range, constant));
        }
        for ((symbol, low), others) in runs(&equal, |a: &(Term, u16), b| a.0 == b.0 && a.1 + 1 == b.1) {
            let width = others.len() as u16;
            let (other, start) = others[0];
            let (a, b) = (self.terms.extract(symbol, low, width), self.terms.extract(other, start, width));
            result.push(self.terms.eq(a, b));
        }
        Ok(())
    }

    /// Splits off the parts that make two bits equal: ¬(a ⊕ b), or the two clauses of it. Each bit is on the left at
    /// most once.
    fn equal_bits(&self, parts: &[Lit]) -> (BTreeMap<(Term, u16), (Term, u16)>, Vec<Lit>) {
        let mut equal = BTreeMap::new();
        let mut rest = Vec::new();
        // Clauses of two bits, by the literals with the smaller variable first.
        let mut clauses: BTreeMap<(i32, i32), Lit> = BTreeMap::new();
        let ordered = |a: i32, b: i32| if a.abs() < b.abs() { (a, b) } else { (b, a) };
        let mut join = |a: i32, b: i32| match equal.entry(self.bits.of(a.abs())) {
            std::collections::btree_map::Entry::Vacant(slot) => {
                slot.insert(self.bits.of(b.abs()));
                true
            }
            std::collections::btree_map::Entry::Occupied(_) => false,
        };
        for &part in parts {
            let literal = |l: Lit| self.dag.as_literal(l);
            let matched = match self.dag.aig.gate(part.node()) {
                // The node is ¬(c ? a : ¬a), so its complement says that c and a are equal.
                Gate::NotMux(c, a, b) if part.is_negated() && a == !b => match (literal(c), literal(a)) {
                    (Some(c), Some(a)) if (c > 0) == (a > 0) => {
                        let (c, a) = ordered(c, a);
                        join(c, a)
                    }
                    _ => false,
                },
                Gate::And(a, b) if part.is_negated() => match (literal(!a), literal(!b)) {
                    (Some(a), Some(b)) => {
                        let (a, b) = ordered(a, b);
                        match clauses.remove(&(-a, -b)) {
                            Some(_) if (a > 0) != (b > 0) && join(a, b) => {}
                            Some(other) => rest.extend([other, part]),
                            None => {
                                clauses.insert((a, b), part);
                            }
                        }
                        true
                    }
                    _ => false,
                },
                _ => false,
            };
            if !matched {
                rest.push(part);
            }
        }
        rest.extend(clauses.into_values());
        (equal, rest)
    }

    /// The function as a formula over bits.
    fn plain(&mut self, function: Lit) -> Term {
        for node in self.dag.cone(&[function]) {
            if self.plain.contains_key(&node) {
                continue;
            }
            let term = if let Some((a, b)) = self.dag.aig.conjunction(node) {
                let (a, b) = (self.signed(a), self.signed(b));
                self.terms.and(a, b)
            } else if let Some(variable) = self.dag.as_literal(Lit::of_node(node)) {
                let (symbol, bit) = self.bits.of(variable);
                self.terms.extract(symbol, bit, 1)
            } else {
                self.terms.no()
            };
            self.plain.insert(node, term);
        }
        self.signed(function)
    }

    fn signed(&mut self, function: Lit) -> Term {
        let term = self.plain[&function.node()];
        if function.is_negated() { self.terms.not(term) } else { term }
    }
}

/// Maximal ranges of neighbouring bits of one symbol whose values fit together; by their lowest bit.
fn runs<V: Copy>(bits: &BTreeMap<(Term, u16), V>, fits: impl Fn(&V, &V) -> bool) -> Vec<((Term, u16), Vec<V>)> {
    let mut result: Vec<((Term, u16), Vec<V>)> = Vec::new();
    for (&(symbol, bit), value) in bits {
        match result.last_mut() {
            Some(((s, low), values))
                if *s == symbol && *low + values.len() as u16 == bit && fits(&values[values.len() - 1], value) =>
            {
                values.push(*value);
            }
            _ => result.push(((symbol, bit), vec![*value])),
        }
    }
    result
}
