//! Which demands need a check: those that no check before has settled.
//!
//! A forward analysis of each function: at a location, the demands that have been met on all paths to it and still are. An
//! access that was valid stays valid until its object may end or its address may change; so a demand is forgotten when a
//! variable of its address is assigned, when memory is written that its address may be read from (any), at calls, frees
//! and allocations of the stack. (Kildall: *A unified approach to global program optimization*, POPL 1973: available
//! expressions.)

use super::Accesses;
use super::access::{Demand, Verdict, demands};
use robusto_cfa::analysis::uses::defined;
use robusto_cfa::ir::{Claim, Expr, ExprId, ExprPool, FuncId, IdxVec, LocId, Op, Program, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// What an address is made of.
#[derive(Clone, Default)]
struct Parts {
    vars: FxHashSet<VarId>,
    loads: bool,
}

/// The demands that need a check before the edges of a location, by location.
pub(super) fn checks(program: &mut Program, id: FuncId, counted: &mut Accesses) -> Vec<(LocId, Vec<Demand>)> {
    let locations = program.functions[id].num_locs();
    let ops: Vec<(LocId, LocId, Op)> =
        program.functions[id].edges().iter().map(|e| (e.src, e.dst, e.op.clone())).collect();
    let mut wanted: Vec<Vec<Demand>> = Vec::with_capacity(ops.len());
    for (_, _, op) in &ops {
        let found = demands(program, op);
        wanted.push(found);
    }
    let mut parts: FxHashMap<ExprId, Parts> = FxHashMap::default();
    for demand in wanted.iter().flatten() {
        for expr in [demand.addr, demand.size] {
            parts.entry(expr).or_insert_with(|| parts_of(&program.exprs, expr));
        }
    }
    // Meets over paths: `None` where no path has come yet.
    let mut known: IdxVec<LocId, Option<FxHashSet<Demand>>> = IdxVec::filled(None, locations);
    known[program.functions[id].entry] = Some(FxHashSet::default());
    // Locations are numbered in reverse post-order.
    let mut todo = BTreeSet::from([program.functions[id].entry]);
    while let Some(loc) = todo.pop_first() {
        let Some(before) = known[loc].clone() else { continue };
        for index in program.functions[id].out_range(loc) {
            let (_, dst, op) = &ops[index];
            let mut after = before.clone();
            after.extend(wanted[index].iter().filter(|demand| !demand.is_free()));
            forget(&mut after, op, &parts);
            let changed = match &mut known[*dst] {
                Some(there) => {
                    let count = there.len();
                    there.retain(|demand| is_settled(&program.exprs, &after, demand));
                    there.len() != count
                }
                none => {
                    *none = Some(after);
                    true
                }
            };
            if changed {
                todo.insert(*dst);
            }
        }
    }
    let mut result: Vec<(LocId, Vec<Demand>)> = Vec::new();
    let mut done: FxHashSet<LocId> = FxHashSet::default();
    for (index, (src, ..)) in ops.iter().enumerate() {
        // Both edges of a branch evaluate the same condition.
        let Some(mut settled) = known[*src].clone().filter(|_| done.insert(*src)) else { continue };
        let mut open = Vec::new();
        for demand in &wanted[index] {
            counted.all += 1;
            let valid = matches!(demand.conditions(program), Verdict::Valid);
            if !valid && (demand.is_free() || !is_settled(&program.exprs, &settled, demand)) {
                open.push(*demand);
                settled.insert(*demand);
            }
        }
        counted.checked += open.len();
        if !open.is_empty() {
            result.push((*src, open));
        }
    }
    result
}

/// Whether a demand follows from those that are met: of as many bytes or more; what may be written may be read.
fn is_settled(exprs: &ExprPool, met: &FxHashSet<Demand>, demand: &Demand) -> bool {
    if met.contains(demand) {
        return true;
    }
    let Some(size) = exprs.as_const(demand.size) else { return false };
    let enough = |other: &Demand| {
        other.addr == demand.addr
            && (other.claim == demand.claim || other.claim == Claim::Writable && demand.claim == Claim::Readable)
            && exprs.as_const(other.size).is_some_and(|larger| larger >= size)
    };
    met.iter().any(enough)
}

/// Takes out what an operation may unsettle.
fn forget(met: &mut FxHashSet<Demand>, op: &Op, parts: &FxHashMap<ExprId, Parts>) {
    match op {
        Op::Call { .. } | Op::Free { .. } => return met.clear(),
        Op::Store { .. } | Op::Copy { .. } | Op::Fill { .. } | Op::HavocMem { .. } | Op::Builtin { .. } => {
            met.retain(|d| !parts[&d.addr].loads && !parts[&d.size].loads);
        }
        _ => {}
    }
    if let Some(var) = defined(op) {
        met.retain(|d| !parts[&d.addr].vars.contains(&var) && !parts[&d.size].vars.contains(&var));
    }
}

fn parts_of(exprs: &ExprPool, root: ExprId) -> Parts {
    let mut parts = Parts::default();
    let mut seen = FxHashSet::default();
    let mut todo = vec![root];
    while let Some(id) = todo.pop() {
        if seen.insert(id) {
            match exprs.get(id) {
                Expr::Var(var) => {
                    parts.vars.insert(var);
                }
                Expr::Load(..) => parts.loads = true,
                _ => {}
            }
            todo.extend(exprs.operands(id));
        }
    }
    parts
}
