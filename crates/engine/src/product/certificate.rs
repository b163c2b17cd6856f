//! The certificate of a complete exploration: at each cut point the union of the states there.

use super::cycle::Cycle;
use crate::certificate::cuts::{self, Cuts};
use crate::certificate::{Collector, calls_of, may_be_read, youngest};
use robusto_analyses::product;
use robusto_cpa::Status;
use robusto_limits::Limits;
use robusto_verdict::Certificate;

/// `None` if there is no room for the sets as formulas, or if nobody waits for them any more.
pub(super) fn make(cycle: &mut Cycle<'_>, limits: &Limits) -> Option<Certificate> {
    let Cycle { cpa, exploration, problem, .. } = cycle;
    let cuts = Cuts::of(&problem.facts, cuts::LONGEST);
    let mut collector = Collector::default();
    let arg = &exploration.arg;
    for node in arg.ids().map(|id| arg.node(id)).filter(|node| node.status == Status::Live) {
        let at = node.state.location;
        if !cuts.contains(at) {
            continue;
        }
        limits.look().ok()?;
        let calls = calls_of(&cpa.stacks, node.state.stack);
        let possible = product::formula(&mut cpa.data, &node.state.data, |encoder, var| {
            youngest(encoder, &calls, at, var).filter(|&cell| may_be_read(encoder, &calls, at, cell))
        });
        collector.add(calls, at, possible.ok()?);
    }
    Some(Certificate::Invariant(collector.finish(&mut cpa.data.right.encoder)))
}
