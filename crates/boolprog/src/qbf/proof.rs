//! What a search that found nothing proves: entries, loop heads and summaries of the procedures that were entered.

use super::Solver;
use crate::certificate::{ProcedureProof, Proof};
use crate::program::{NodeId, ProcId};
use crate::symbolic::PathId;
use robusto_limits::Stopped;
use std::collections::BTreeMap;

impl Solver<'_> {
    /// Why nothing was found, as far as this search entered procedures; `None` if there is no formula for it.
    pub fn proof(&mut self) -> Result<Option<Proof>, Stopped> {
        let mut proof = Proof::default();
        for (id, procedure) in self.symbolic.program.numbered() {
            let visited = self.visited[id.index()].clone();
            let entered = &visited[procedure.entry.index()].entered;
            if entered.is_empty() {
                continue;
            }
            let heads = (0..visited.len()).map(|i| NodeId(i as u32)).filter(|&node| self.order.is_head(id, node));
            let heads = heads.map(|node| (node, visited[node.index()].done.clone())).collect();
            let exits = &visited[procedure.exit.index()].done;
            let Some(known) = self.procedure_proof(id, entered, &heads, exits)? else { return Ok(None) };
            proof.procedures.insert(id, known);
        }
        Ok(Some(proof))
    }

    /// Path edges of a procedure as a part of a certificate.
    pub(crate) fn procedure_proof(
        &mut self,
        id: ProcId,
        entered: &[PathId],
        heads: &BTreeMap<NodeId, Vec<PathId>>,
        exits: &[PathId],
    ) -> Result<Option<ProcedureProof>, Stopped> {
        let exit = self.symbolic.program.procedure(id).exit;
        let Some(entries) = self.symbolic.entries_formula(id, entered)? else { return Ok(None) };
        let Some(summary) = self.symbolic.relation(id, exit, exits)? else { return Ok(None) };
        let mut known = ProcedureProof { entries, heads: BTreeMap::new(), summary };
        for (&node, paths) in heads {
            let Some(relation) = self.symbolic.relation(id, node, paths)? else { return Ok(None) };
            known.heads.insert(node, relation);
        }
        Ok(Some(known))
    }

    /// The states that calls of this search enter procedures with that have universal summaries.
    pub(crate) fn contexts(&mut self) -> BTreeMap<ProcId, Vec<PathId>> {
        let mut contexts: BTreeMap<ProcId, Vec<PathId>> = BTreeMap::new();
        for callee in self.universal.keys().copied().collect::<Vec<_>>() {
            for (caller, edge_id) in self.callers[callee.index()].clone() {
                let before = self.symbolic.program.procedure(caller).edge(edge_id).from;
                for path in self.visited[caller.index()][before.index()].done.clone() {
                    contexts.entry(callee).or_default().extend(self.symbolic.enter(path, edge_id));
                }
            }
        }
        contexts
    }
}
