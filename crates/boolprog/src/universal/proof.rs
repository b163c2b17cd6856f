//! What universal summaries prove. Loop heads and exits have relations for all entries, since the kept path edges are closed
//! under the edges; which entries there are is found going from callers to callees.

use super::Solver;
use crate::certificate::Proof;
use robusto_limits::Stopped;

impl Solver<'_> {
    /// Why nothing was found; `None` if there is no formula for it.
    pub fn proof(&mut self) -> Result<Option<Proof>, Stopped> {
        let Some(mut proof) = self.qbf.proof()? else { return Ok(None) };
        let mut entered = self.qbf.contexts();
        let program = self.qbf.symbolic.program;
        if let Some(main) = program.main
            && self.qbf.universal.contains_key(&main)
        {
            entered.insert(main, vec![self.qbf.symbolic.start(main)]);
        }
        for id in self.qbf.order.bottom_up.clone().into_iter().rev() {
            let Some(summary) = self.qbf.universal.get(&id).cloned() else { continue };
            let contexts = entered.remove(&id).unwrap_or_default();
            let Some(context) = self.qbf.symbolic.merge(contexts)? else { continue };
            let context = self.qbf.symbolic.compact(context)?;
            let exits: Vec<_> = summary.exit.into_iter().collect();
            let known = self.qbf.procedure_proof(id, &[context], &summary.heads, &exits)?;
            let Some(known) = known else { return Ok(None) };
            proof.procedures.insert(id, known);
            for &(path, edge_id) in &summary.calls {
                if let Some(inside) = self.qbf.symbolic.enter_from(context, path, edge_id)? {
                    entered.entry(self.qbf.symbolic.edge(inside).procedure).or_default().push(inside);
                }
            }
        }
        Ok(Some(proof))
    }
}
