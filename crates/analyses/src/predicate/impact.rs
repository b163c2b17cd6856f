//! Labels of IMPACT: abstraction states whose ψ is strengthened after they were explored.
//!
//! McMillan: *Lazy abstraction with interpolants*, CAV 2006. Refinement gives labels interpolants, forced covering gives a state
//! the label of one that may cover it.

use super::abstraction::Paths;
use super::{Abe, BlockId, Product, Role, State};
use crate::symbolic::PathFormula;
use robusto_cpa::control::Location;
use robusto_diagram::VarIndex;
use robusto_limits::Stopped;
use robusto_logic::Term;

impl Abe<'_> {
    /// The strongest combination of some predicates that holds after a block which starts where `label` and what other
    /// analyses know hold, `None` if the block cannot be passed. Predicates that are tracked nowhere are left out.
    pub fn abstraction_over(
        &mut self,
        label: &Product,
        known: Term,
        formula: &PathFormula,
        predicates: &[Term],
    ) -> Result<Option<Product>, Stopped> {
        let variables: Vec<VarIndex> = predicates.iter().filter_map(|&p| self.precision.variable(p)).collect();
        let paths = Paths { psi: label, known, formula };
        self.abstractor.over(&mut self.encoder, &self.precision, &paths, &variables, false)
    }

    /// A Boolean combination of conditions, which are tracked from now on.
    pub fn label_of(&mut self, at: Location, t: Term) -> Result<Product, Stopped> {
        for atom in self.encoder.terms.atoms(t) {
            self.precision.add(at, atom);
        }
        self.abstractor.product_of(&self.encoder, &self.precision, t)
    }

    /// ψ of a block becomes stronger; whether it changed.
    pub fn strengthen(&mut self, block: BlockId, by: &Product) -> Result<bool, Stopped> {
        let block = &mut self.blocks[block.index()];
        let stronger = self.abstractor.and(&block.abstraction, by)?;
        Ok(std::mem::replace(&mut block.abstraction, stronger.clone()) != stronger)
    }

    /// Forced covering: whether ψ of one abstraction state may be strengthened by that of another, because the block that
    /// leads to it makes it true. If so, it is.
    pub(super) fn force(&mut self, state: &State, by: &State) -> Result<bool, Stopped> {
        // What starts the program has initial values, not all that satisfy its ψ.
        if state.role != Role::Start || by.role != Role::Start || by.block == BlockId::FIRST {
            return Ok(false);
        }
        let (block, by) = (state.block, by.block);
        let Some(from) = self.block(block).from.clone() else { return Ok(false) };
        let label = self.block(by).abstraction.clone();
        let wanted = self.psi(by);
        let before = self.abstraction_term(from.block);
        let after = self.encoder.apply(&from.formula, wanted);
        let not = self.encoder.terms.not(after);
        let question = vec![before, from.formula.guard, not];
        if self.abstractor.is_satisfiable(&mut self.encoder, &self.precision, question)? {
            return Ok(false);
        }
        self.strengthen(block, &label)?;
        Ok(true)
    }
}
