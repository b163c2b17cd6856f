//! The certificate of predicate abstraction and IMPACT: the abstractions at loop heads.
//!
//! When the exploration is complete, from every abstraction state each path of a block leads to a state that is
//! unsatisfiable, or to an abstraction state that is implied and live, or covered by one that is. So the disjunctions of the
//! live ones at each control state are inductive. Block ends elsewhere than at loop heads lose precision only; paths that
//! pass them without being abstracted satisfy the next loop head's invariant all the more.

use crate::certificate::{Certificate, Collector, calls_of};
use robusto_analyses::predicate::{Abe, BlockId, BlockOperator, Role, State};
use robusto_cfa::analysis::loops::LoopForest;
use robusto_cfa::ir::{FuncId, IdxVec};
use robusto_cpa::{Arg, Composite, Status};

/// The certificate of a complete exploration; `None` if blocks hold loops, so that loop heads may have no abstraction.
pub fn make(cpa: &mut Composite<'_, Abe<'_>>, arg: &Arg<State>, blocks: BlockOperator) -> Option<Certificate> {
    match blocks {
        BlockOperator::Sbe | BlockOperator::Lbe | BlockOperator::Loops | BlockOperator::LbeOrLength(_) => {}
        BlockOperator::Length(_) | BlockOperator::Structure(_) | BlockOperator::Dynamic(_) => return None,
    }
    let forests: IdxVec<FuncId, LoopForest> = cpa.program.functions.iter().map(LoopForest::of).collect();
    let mut collector = Collector::default();
    for id in arg.ids() {
        let node = arg.node(id);
        let at = node.state.location;
        if !forests[at.function].is_head(at.loc) {
            continue;
        }
        let possible = match (node.status, node.state.data.role) {
            (Status::Live, Role::Start) if node.state.data.block != BlockId::FIRST => {
                cpa.data.abstraction_term(node.state.data.block)
            }
            // Control never comes there.
            (Status::Bottom, Role::Start | Role::End) => cpa.data.encoder.terms.no(),
            _ => continue,
        };
        collector.add(calls_of(&cpa.stacks, node.state.stack), at, possible);
    }
    Some(Certificate::Invariant(collector.finish(&mut cpa.data.encoder)))
}
