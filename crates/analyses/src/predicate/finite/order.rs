//! The variables of the diagrams and their order.
//!
//! Variables that the program tests most often stand above the others: they tell most of its branches apart, and of what is below
//! only that matters which the few branches left speak of. (`Problem06_label00` of RERS 2012: at most 0.9
//! million nodes for one question; 1.5 million in the order of FORCE.)

use super::Finite;
use crate::predicate::Precision;
use crate::predicate::question::{Failure, Question};
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{Op, VarId};
use robusto_diagram::VarIndex;
use robusto_logic::{Symbol, Term, Terms};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Where variables stand in the order, from the top: by how often they are tested.
pub fn ranks(facts: &Facts) -> FxHashMap<VarId, u32> {
    let mut tests: FxHashMap<VarId, u32> = FxHashMap::default();
    for edge in facts.program.functions.iter().flat_map(|function| function.edges().iter()) {
        if let Op::Assume { cond, truth: true } = edge.op {
            for &var in facts.uses.vars(cond) {
                *tests.entry(var).or_default() += 1;
            }
        }
    }
    let mut order: Vec<(u32, VarId)> = tests.into_iter().map(|(var, count)| (u32::MAX - count, var)).collect();
    order.sort_unstable();
    (0..).zip(order).map(|(rank, (_, var))| (var, rank)).collect()
}

impl Finite {
    /// Says where symbols stand in the order, from the top; others stand below them, as they come.
    pub fn place(&mut self, symbol: Symbol, rank: u32) {
        self.ranks.insert(symbol, rank);
    }

    /// Gives variables to what has none yet.
    pub(super) fn encode(
        &mut self,
        terms: &Terms,
        precision: &Precision,
        question: &Question,
        all: &[Term],
    ) -> Result<(), Failure> {
        for symbol in all.iter().filter_map(|&t| terms.as_symbol(t)) {
            if !self.bits.contains_key(&symbol) {
                let ranges = match terms.width(terms.symbol_term(symbol)) {
                    1 => 2,
                    _ => self.ranges.starts(symbol).len(),
                };
                let count = usize::BITS - (ranges - 1).leading_zeros();
                let first = self.diagrams.add_variables(count).index() as u32;
                self.bits.insert(symbol, (first..first + count).map(VarIndex::new).collect());
            }
        }
        for &(variable, _) in &question.literals {
            if !self.predicates.contains_key(&variable) {
                let own = self.diagrams.add_variables(1);
                let beside = terms.symbols(precision.predicate(variable)).first().copied();
                self.predicates.insert(variable, (own, beside));
            }
        }
        let order = self.order();
        // It takes a walk over all nodes. What stands below all others by its rank, as new choices do, is there already.
        // (`test_locks_5` with blocks k:300 and all paths merged has 3600 choices: 17.8 s of 22.6 s of abstraction.)
        if order != self.diagrams.order() {
            self.diagrams.set_order(&order)?;
        }
        Ok(())
    }

    /// The variables in their order: a predicate says something about its symbol, and stands beside that.
    fn order(&self) -> Vec<VarIndex> {
        let mut beside: BTreeMap<Option<Symbol>, Vec<VarIndex>> = BTreeMap::new();
        for &(own, symbol) in self.predicates.values() {
            beside.entry(symbol.filter(|s| self.bits.contains_key(s))).or_default().push(own);
        }
        let rank = |symbol: &Symbol| self.ranks.get(symbol).copied().unwrap_or(u32::MAX);
        let mut symbols: Vec<(u32, Option<&VarIndex>, Symbol)> =
            self.bits.iter().map(|(symbol, bits)| (rank(symbol), bits.first(), *symbol)).collect();
        symbols.sort_unstable();
        let mut order: Vec<VarIndex> = beside.remove(&None).unwrap_or_default();
        for (_, _, symbol) in symbols {
            order.extend(&self.bits[&symbol]);
            order.extend(beside.remove(&Some(symbol)).unwrap_or_default());
        }
        order
    }
}
