//! Symbols by what a formula can tell of them: the range between constants that a value lies in.
//!
//! A symbol that is only compared with constants matters by the outcome of these comparisons. The constants cut its values
//! into ranges; all values of a range compare alike, and every range has one. So formulas over such symbols are
//! formulas over the numbers of the ranges, and nothing is lost.

use robusto_logic::{BinaryOp, Node, Symbol, Term, Terms};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The least values of the ranges of each symbol, as unsigned numbers.
#[derive(Debug, Default)]
pub struct Ranges {
    starts: FxHashMap<Symbol, BTreeSet<u128>>,
}

/// A comparison of a symbol with a constant.
#[derive(Clone, Copy, Debug)]
pub struct Comparison {
    /// The symbol.
    pub symbol: Symbol,
    op: BinaryOp,
    /// Whether the constant stands to the left.
    swapped: bool,
    constant: Term,
}

impl Comparison {
    /// Reads a term.
    pub fn of(terms: &Terms, atom: Term) -> Option<Self> {
        let Node::Binary(op, a, b) = terms.node(atom) else { return None };
        if !op.is_comparison() {
            return None;
        }
        match (terms.as_symbol(a), terms.as_symbol(b)) {
            (Some(symbol), _) if terms.as_const(b).is_some() => Some(Self { symbol, op, swapped: false, constant: b }),
            (_, Some(symbol)) if terms.as_const(a).is_some() => Some(Self { symbol, op, swapped: true, constant: a }),
            _ => None,
        }
    }

    /// Its outcome for a value.
    pub fn holds(&self, terms: &mut Terms, value: u128) -> bool {
        let value = terms.constant(terms.width(self.constant), value);
        let outcome = match self.swapped {
            false => terms.binary(self.op, value, self.constant),
            true => terms.binary(self.op, self.constant, value),
        };
        terms.is_true(outcome)
    }
}

impl Ranges {
    /// Cuts where the outcome of a comparison changes; whether that makes new ranges.
    pub fn cut(&mut self, terms: &Terms, comparison: &Comparison) -> bool {
        let width = terms.width(comparison.constant);
        let constant = terms.as_const(comparison.constant).expect("it is one");
        let most = if width >= 128 { u128::MAX } else { (1 << width) - 1 };
        let starts = self.starts.entry(comparison.symbol).or_insert_with(|| BTreeSet::from([0]));
        let before = starts.len();
        starts.insert(constant);
        if constant < most {
            starts.insert(constant + 1);
        }
        if matches!(comparison.op, BinaryOp::SLt | BinaryOp::SLe) {
            starts.insert(1 << (width - 1));
        }
        starts.len() > before
    }

    /// The least value of each range of a symbol.
    pub fn starts(&self, symbol: Symbol) -> Vec<u128> {
        self.starts.get(&symbol).map_or_else(|| vec![0], |starts| starts.iter().copied().collect())
    }
}
