//! Calls of kept functions.

use super::cuts::CutId;
use robusto_analyses::symbolic::{Encoder, PathFormula};
use robusto_cfa::ir::{EdgeId, FuncId};
use robusto_cpa::Step;
use robusto_limits::Stopped;
use robusto_logic::Term;

/// A call of a kept function.
#[derive(Debug)]
pub struct Call {
    /// Where.
    pub at: CutId,
    /// Who calls.
    pub caller: FuncId,
    /// The call edge.
    pub edge: EdgeId,
    /// Who is called; a call through a pointer is several calls.
    pub callee: FuncId,
    /// From the values before the call to those at the callee's entry.
    pub inside: PathFormula,
    /// To those at its exit: what it may change has any value.
    pub exit: PathFormula,
}

impl Call {
    /// A call in any state before it, with the state behind it; `None` if the pointer is never this function.
    pub(super) fn new(
        encoder: &mut Encoder<'_>,
        at: CutId,
        start: &PathFormula,
        (caller, edge): (FuncId, EdgeId),
        callee: FuncId,
    ) -> Result<Option<(Self, PathFormula)>, Stopped> {
        let Some(inside) = encoder.step(start, Step::Enter { caller, edge, callee })? else { return Ok(None) };
        let exit = encoder.step_over(&inside, (caller, edge), callee);
        let Some(behind) = encoder.step(&exit, Step::Leave { callee, caller, edge })? else { return Ok(None) };
        Ok(Some((Self { at, caller, edge, callee, inside, exit }, behind)))
    }

    /// A formula about the callee's entry, over the inputs of a block that starts there, as one about the values before
    /// the call.
    pub fn before(&self, encoder: &mut Encoder<'_>, entry: Term) -> Term {
        let youngest = encoder.about_youngest(&self.inside, self.callee, entry);
        encoder.apply(&self.inside, youngest)
    }

    /// A formula about the callee's exit, with values at the entry as [`Encoder::old`] names them, as one about the values
    /// before the call and those that it leaves.
    pub fn behind(&self, encoder: &mut Encoder<'_>, exit: Term) -> Term {
        encoder.summary(&self.inside, &self.exit, self.callee, exit)
    }
}
