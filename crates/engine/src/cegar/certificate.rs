//! The certificate of predicate abstraction and IMPACT: the abstractions at loop heads.
//!
//! When the exploration is complete, from every abstraction state each path of a block leads to a state that is
//! unsatisfiable, or to an abstraction state that is implied and live, or covered by one that is. So the disjunctions of the
//! live ones at each control state are inductive. Block ends elsewhere than at loop heads lose precision only; paths that
//! pass them without being abstracted satisfy the next loop head's invariant all the more.
//!
//! Blocks that hold loops have heads without abstraction. Then the proof is done once more with blocks from head to head,
//! which starts with the predicates found ([`at_heads`]).

use super::Options;
use super::search::Search;
use crate::certificate::{Collector, calls_of};
use crate::problem::Problem;
use robusto_analyses::predicate::{Abe, BlockId, BlockOperator, Blockwise, Role, State};
use robusto_cfa::analysis::loops::LoopForest;
use robusto_cfa::ir::{FuncId, IdxVec};
use robusto_cpa::{Arg, Composite, Status};
use robusto_limits::{Limits, Progress};
use robusto_verdict::{Certificate, Report, Target, Verdict};
use std::time::Duration;

/// The least time for a proof that is done once more; else it has a tenth of the time of the first.
const LEAST: Duration = Duration::from_secs(2);

/// The certificate of what a report proves, by blocks that end at loop heads and start with these predicates, in the
/// notation of certificates; `None` if that takes too long.
pub fn at_heads(
    problem: &Problem,
    options: &Options,
    report: &Report,
    predicates: &[String],
    spent: Duration,
    limits: &Limits,
) -> Option<Certificate> {
    let own = limits.within(LEAST.max(spent / 10));
    let options =
        Options { block: BlockOperator::Loops, traces: false, smt2: None, predicates: None, ..options.clone() };
    let search = Search { problem, options: &options, predicates, limits: &own, progress: &Progress::default() };
    let (again, _) = search.run(|_, _| {});
    let proved = |report: &Report, target: &Target| {
        report.findings.iter().any(|f| f.target == *target && f.verdict == Verdict::True)
    };
    let is_whole = problem.targets.iter().all(|target| !proved(report, target) || proved(&again, target));
    again.certificate.filter(|_| is_whole)
}

/// The certificate of a complete exploration whose blocks hold no loops.
pub fn make(cpa: &mut Composite<'_, Abe<'_>, Blockwise>, arg: &Arg<State>) -> Certificate {
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
            (Status::Bottom, Role::Start | Role::End) => cpa.data.encoder().terms.no(),
            _ => continue,
        };
        collector.add(calls_of(&cpa.stacks, node.state.stack), at, possible);
    }
    Certificate::Invariant(collector.finish(cpa.data.encoder_mut()))
}
