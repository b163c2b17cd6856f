//! Constants as formulas.

use super::Valuation;
use crate::symbolic::{Cell, Encoder};
use robusto_cfa::ir::VarId;
use robusto_logic::Term;

impl Valuation {
    /// That the variables with a cell have their constants, over the inputs of cells.
    pub fn formula(&self, encoder: &mut Encoder<'_>, cell: impl Fn(VarId) -> Option<Cell>) -> Term {
        let mut all = Vec::new();
        for (var, constant) in self.iter() {
            let Some(cell) = cell(var) else { continue };
            let value = encoder.input(cell);
            let width = encoder.terms.width(value);
            let constant = encoder.terms.constant(width, constant.into());
            all.push(encoder.terms.eq(value, constant));
        }
        encoder.terms.and_all(&all)
    }
}
