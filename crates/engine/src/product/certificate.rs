//! The certificate of a complete exploration: at each cut point the union of the states there. Before and behind products and
//! quotients there is a cut point, too, so that each of them is checked for the few boxes that come there.

use super::cycle::Cycle;
use crate::certificate::cuts::{self, Cuts};
use crate::certificate::{Collector, calls_of, may_be_read, youngest};
use robusto_analyses::product;
use robusto_cfa::ir::{BinOp, Expr, ExprId, ExprPool, FuncId, LocId, Op, Program};
use robusto_cpa::Status;
use robusto_limits::Limits;
use robusto_verdict::Certificate;
use rustc_hash::FxHashSet;

/// `None` if there is no room for the sets as formulas, or if nobody waits for them any more.
pub(super) fn make(cycle: &mut Cycle<'_>, limits: &Limits) -> Option<Certificate> {
    let Cycle { cpa, exploration, problem, .. } = cycle;
    let cuts = Cuts::of(&problem.facts, cuts::LONGEST);
    let around = around_arithmetic(&problem.facts.program);
    let mut collector = Collector::default();
    let arg = &exploration.arg;
    for node in arg.ids().map(|id| arg.node(id)).filter(|node| node.status == Status::Live) {
        let at = node.state.location;
        if !cuts.contains(at) && !around.contains(&(at.function, at.loc)) {
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

/// The ends of edges that compute products or quotients.
fn around_arithmetic(program: &Program) -> FxHashSet<(FuncId, LocId)> {
    let mut around = FxHashSet::default();
    for (function, body) in program.functions.enumerate() {
        for edge in body.edges().iter() {
            if matches!(edge.op, Op::Assign { value, .. } if is_hard(&program.exprs, value)) {
                around.extend([(function, edge.src), (function, edge.dst)]);
            }
        }
    }
    around
}

/// Whether an expression has products or quotients in it.
fn is_hard(pool: &ExprPool, root: ExprId) -> bool {
    use BinOp::{Mul, SDiv, SRem, UDiv, URem};
    let mut todo = vec![root];
    while let Some(id) = todo.pop() {
        if matches!(pool.get(id), Expr::Binary(Mul | SDiv | SRem | UDiv | URem, ..)) {
            return true;
        }
        todo.extend(pool.operands(id));
    }
    false
}
