//! Which demands need a check: those that nothing before has settled.
//!
//! A forward analysis of each function: at a location, what has been shown of addresses on all paths to it and still holds.
//! An access shows that so many bytes from an address on lie in a live object, and so does an allocation of the object that it
//! makes; an assignment of a pointer hands on what is known of it. That stays so until the object may end or the address may
//! change; so it is forgotten when a variable of the address is assigned, when memory is written that the address may be read
//! from (any), and at frees. A call ends objects if the called function may free some; of the caller's variables it changes none.
//! (Kildall: *A unified approach to global program optimization*, POPL 1973: available expressions.)

use super::access::{Demand, Verdict, demands};
use robusto_cfa::analysis::uses::defined;
use robusto_cfa::ir::{
    BinOp, Callee, Claim, Expr, ExprId, ExprPool, FuncId, IdxVec, LocId, Op, Program, Ty, VarId, fold,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// What is known of an address: the bytes from `from` on, counted from `base`, may be read, or written as well.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Shown {
    base: ExprId,
    from: i64,
    bytes: Bytes,
    writable: bool,
}

/// A number of bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Bytes {
    Constant(u64),
    Value(ExprId),
}

/// What is known at a location.
type Known = FxHashSet<Shown>;

/// What an address is made of.
#[derive(Clone, Default)]
struct Parts {
    vars: FxHashSet<VarId>,
    loads: bool,
}

/// The demands of a location's edges, in order.
pub(super) struct Demands {
    /// Where.
    pub loc: LocId,
    /// Those that are valid by their form.
    pub formal: usize,
    /// Those that something before has settled.
    pub settled: usize,
    /// The others.
    pub open: Vec<Open>,
}

/// A demand that is not settled.
pub(super) struct Open {
    /// The demand.
    pub demand: Demand,
    /// Bytes around the pointer that its address is computed from, from and up to, that may be accessed in this way.
    pub rooms: Vec<(i128, i128)>,
}

/// The functions that may end an object before they return: they free something, or call what is not known.
pub(super) fn freeing(program: &Program) -> IdxVec<FuncId, bool> {
    let mut frees: IdxVec<FuncId, bool> = program.functions.iter().map(|f| f.external).collect();
    loop {
        let mut changed = false;
        for (id, function) in program.functions.enumerate() {
            let ends = |op: &Op| match op {
                Op::Free { .. } => true,
                Op::Call { callee: Callee::Direct(callee), .. } => frees[*callee],
                Op::Call { callee: Callee::Indirect(..), .. } => true,
                _ => false,
            };
            if !frees[id] && function.edges().iter().any(|edge| ends(&edge.op)) {
                frees[id] = true;
                changed = true;
            }
        }
        if !changed {
            return frees;
        }
    }
}

/// The demands of a function, by location. What calls may end is given by [`freeing`].
pub(super) fn demands_of(program: &mut Program, id: FuncId, frees: &IdxVec<FuncId, bool>) -> Vec<Demands> {
    let ops: Vec<(LocId, LocId, Op)> =
        program.functions[id].edges().iter().map(|e| (e.src, e.dst, e.op.clone())).collect();
    let mut wanted: Vec<Vec<Demand>> = Vec::with_capacity(ops.len());
    for (_, _, op) in &ops {
        wanted.push(demands(program, op));
    }
    if wanted.iter().all(Vec::is_empty) {
        return Vec::new();
    }
    let known = Flow { frees, parts: FxHashMap::default() }.known(program, id, &ops, &wanted);
    let mut result: Vec<Demands> = Vec::new();
    let mut done: FxHashSet<LocId> = FxHashSet::default();
    for (index, &(loc, ..)) in ops.iter().enumerate() {
        // Both edges of a branch evaluate the same condition.
        let Some(mut shown) = known[loc].clone().filter(|_| done.insert(loc)) else { continue };
        let mut found = Demands { loc, formal: 0, settled: 0, open: Vec::new() };
        for demand in &wanted[index] {
            let fact = shown_by(&program.exprs, demand);
            if matches!(demand.conditions(program), Verdict::Valid) {
                found.formal += 1;
            } else if fact.is_some_and(|fact| is_settled(&shown, &fact)) {
                found.settled += 1;
            } else {
                let rooms = rooms(&program.exprs, &shown, demand);
                found.open.push(Open { demand: *demand, rooms });
                shown.extend(fact);
            }
        }
        if found.formal + found.settled + found.open.len() > 0 {
            result.push(found);
        }
    }
    result
}

/// The analysis of one function.
struct Flow<'a> {
    frees: &'a IdxVec<FuncId, bool>,
    parts: FxHashMap<ExprId, Parts>,
}

impl Flow<'_> {
    /// What is known at each location; `None` where no path leads.
    fn known(
        mut self,
        program: &mut Program,
        id: FuncId,
        ops: &[(LocId, LocId, Op)],
        wanted: &[Vec<Demand>],
    ) -> IdxVec<LocId, Option<Known>> {
        let mut known: IdxVec<LocId, Option<Known>> = IdxVec::filled(None, program.functions[id].num_locs());
        let entry = program.functions[id].entry;
        known[entry] = Some(Known::default());
        // Locations are numbered in reverse post-order.
        let mut todo = BTreeSet::from([entry]);
        while let Some(loc) = todo.pop_first() {
            let Some(before) = known[loc].clone() else { continue };
            for index in program.functions[id].out_range(loc) {
                let (_, dst, op) = &ops[index];
                let mut after = before.clone();
                after.extend(wanted[index].iter().filter_map(|demand| shown_by(&program.exprs, demand)));
                self.step(program, &mut after, op);
                let changed = match &mut known[*dst] {
                    Some(there) => {
                        let count = there.len();
                        there.retain(|fact| is_settled(&after, fact));
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
        known
    }

    /// What is known after an operation.
    fn step(&mut self, program: &mut Program, known: &mut Known, op: &Op) {
        match op {
            Op::Free { .. } => known.clear(),
            Op::Call { callee: Callee::Direct(callee), .. } if !self.frees[*callee] => {
                let is_own = |var: &VarId| program.vars[*var].kind.owner().is_some();
                known.retain(|fact| {
                    self.all_parts(&program.exprs, fact, |parts| !parts.loads && parts.vars.iter().all(is_own))
                });
            }
            Op::Call { .. } => known.clear(),
            Op::Store { .. } | Op::Copy { .. } | Op::Fill { .. } | Op::HavocMem { .. } | Op::Builtin { .. } => {
                known.retain(|fact| self.all_parts(&program.exprs, fact, |parts| !parts.loads));
            }
            _ => {}
        }
        let Some(var) = defined(op) else { return };
        let gained = gained(program, known, op);
        known.retain(|fact| self.all_parts(&program.exprs, fact, |parts| !parts.vars.contains(&var)));
        for fact in gained {
            // `p = p + 4` gives nothing of the old value away, but its size may be one of `p`.
            let sizes = match fact.bytes {
                Bytes::Constant(_) => false,
                Bytes::Value(size) => self.parts(&program.exprs, size).vars.contains(&var),
            };
            if !sizes {
                known.insert(fact);
            }
        }
    }

    fn parts(&mut self, exprs: &ExprPool, expr: ExprId) -> &Parts {
        self.parts.entry(expr).or_insert_with(|| parts_of(exprs, expr))
    }

    /// Whether something holds of all that a fact is made of.
    fn all_parts(&mut self, exprs: &ExprPool, fact: &Shown, holds: impl Fn(&Parts) -> bool) -> bool {
        let of_size = match fact.bytes {
            Bytes::Constant(_) => true,
            Bytes::Value(size) => holds(self.parts(exprs, size)),
        };
        of_size && holds(self.parts(exprs, fact.base))
    }
}

/// What is known of the variable that an operation assigns: it points to a new object, or where another pointer does.
fn gained(program: &mut Program, known: &Known, op: &Op) -> Vec<Shown> {
    match *op {
        Op::Alloc { var, size, .. } => {
            let base = program.exprs.var(var);
            vec![Shown { base, from: 0, bytes: bytes(&program.exprs, size), writable: true }]
        }
        Op::Assign { var, value } if program.exprs.ty(value) == Ty::Ptr => {
            let (source, plus) = split(&program.exprs, value);
            let base = program.exprs.var(var);
            let handed = known.iter().filter(|fact| fact.base == source);
            handed.filter_map(|fact| Some(Shown { base, from: fact.from.checked_sub(plus)?, ..*fact })).collect()
        }
        _ => Vec::new(),
    }
}

fn bytes(exprs: &ExprPool, size: ExprId) -> Bytes {
    exprs.as_const(size).map_or(Bytes::Value(size), Bytes::Constant)
}

/// What a demand shows where it is met. That something may be freed is no property of its bytes.
fn shown_by(exprs: &ExprPool, demand: &Demand) -> Option<Shown> {
    let (base, from) = split(exprs, demand.addr);
    let writable = demand.claim == Claim::Writable;
    (!demand.is_free()).then(|| Shown { base, from, bytes: bytes(exprs, demand.size), writable })
}

/// What is known of the pointer that an address is computed from.
fn rooms(exprs: &ExprPool, known: &Known, demand: &Demand) -> Vec<(i128, i128)> {
    let (pointer, _) = summands(exprs, demand.addr);
    let enough = |fact: &&Shown| fact.base == pointer && (fact.writable || demand.claim == Claim::Readable);
    let room = |fact: &Shown| match fact.bytes {
        Bytes::Constant(size) => Some((fact.from.into(), i128::from(fact.from) + i128::from(size))),
        Bytes::Value(_) => None,
    };
    let mut rooms: Vec<(i128, i128)> = known.iter().filter(enough).filter_map(room).collect();
    rooms.sort_unstable();
    rooms
}

/// The pointer that an address is computed from, and what is added to it.
pub(super) fn summands(exprs: &ExprPool, addr: ExprId) -> (ExprId, Vec<ExprId>) {
    let (mut at, mut offsets) = (addr, Vec::new());
    while let Expr::Binary(BinOp::PtrAdd, base, offset) = exprs.get(at) {
        offsets.push(offset);
        at = base;
    }
    (at, offsets)
}

/// An address without the constants that are added to it, and their sum.
pub(crate) fn split(exprs: &ExprPool, addr: ExprId) -> (ExprId, i64) {
    let (mut at, mut sum) = (addr, 0i64);
    while let Expr::Binary(BinOp::PtrAdd, base, offset) = exprs.get(at) {
        let bits = match exprs.ty(offset) {
            Ty::Int(bits) => u32::from(bits),
            _ => break,
        };
        let Some(more) = exprs.as_const(offset).and_then(|c| sum.checked_add(fold::signed(bits, c))) else { break };
        (at, sum) = (base, more);
    }
    (at, sum)
}

/// Whether a fact follows from those that are known: its bytes are some of another's; what may be written may be read.
fn is_settled(known: &Known, fact: &Shown) -> bool {
    let end = |fact: &Shown| match fact.bytes {
        Bytes::Constant(size) => Some(i128::from(fact.from) + i128::from(size)),
        Bytes::Value(_) => None,
    };
    let contains = |other: &Shown| match (end(other), end(fact)) {
        (Some(theirs), Some(own)) => other.from <= fact.from && own <= theirs,
        _ => other.from == fact.from && other.bytes == fact.bytes,
    };
    let enough = |other: &Shown| other.base == fact.base && (other.writable || !fact.writable) && contains(other);
    known.contains(fact) || known.iter().any(enough)
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
