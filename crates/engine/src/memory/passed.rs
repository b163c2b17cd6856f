//! Steps behind an access that is known to be invalid.
//!
//! C says nothing of what comes behind an invalid access, but machines go on: what is read is anything, what is written changes none of the memory that the
//! program knows, and a `free` of it frees nothing. An access at null ends the program. So a copy of the step without the access is put beside
//! the error edge, with a choice between the two. What is found behind it is a violation of an execution that left the rules of C before.

use super::{Building, Demand, choice};
use robusto_cfa::analysis::uses::{for_each_root, map_roots};
use robusto_cfa::ir::{
    BinOp, CastOp, Claim, Edge, Expr, ExprId, FuncId, Function, HavocSource, LocId, Op, Program, SrcPos, Ty, Var,
    VarKind,
};
use std::collections::{BTreeMap, BTreeSet};

/// Addresses below this are null, with the offset of a member.
const NULL: u64 = 4096;

impl Building {
    /// Puts the choice at a location where a demand is not met; where to stop. What leaves `behind` is the step.
    pub(super) fn pass(
        &mut self,
        program: &mut Program,
        (header, id): (&mut Function, FuncId),
        demand: &Demand,
        bad: LocId,
        behind: LocId,
    ) -> LocId {
        let step: Vec<Edge> = self.edges.iter().filter(|edge| edge.src == behind).cloned().collect();
        let Some(pos) = step.first().map(|edge| edge.pos) else { return bad };
        let loads: Vec<(ExprId, Ty)> = step.iter().flat_map(|edge| loads_at(program, &edge.op, demand)).collect();
        let mut values = BTreeMap::new();
        for (load, ty) in loads {
            values.entry(load).or_insert_with(|| anything(program, header, id, ty, pos));
        }
        let without: Option<Vec<Edge>> = step.iter().map(|edge| left_out(program, edge, demand, &values)).collect();
        let Some(without) = without else { return bad };
        let (op, passed) = choice(program, header, id, pos);
        let [chosen, stop, on, null, end, mut at] = std::array::from_fn(|_| self.location());
        self.edge(bad, chosen, op, pos);
        self.edge(chosen, on, Op::Assume { cond: passed, truth: true }, pos);
        self.edge(chosen, stop, Op::Assume { cond: passed, truth: false }, pos);
        let exprs = &mut program.exprs;
        let number = exprs.cast(CastOp::PtrToInt, program.model.size_ty(), demand.addr);
        let limit = exprs.size(NULL);
        let cond = exprs.binary(BinOp::ULt, number, limit);
        self.edge(on, null, Op::Assume { cond, truth: true }, pos);
        self.edge(on, at, Op::Assume { cond, truth: false }, pos);
        self.edge(null, end, Op::Halt { status: None }, pos);
        for value in values.values() {
            let Expr::Var(var) = program.exprs.get(*value) else { continue };
            let next = self.location();
            self.edge(at, next, Op::Havoc { var, source: HavocSource::Undefined }, pos);
            at = next;
        }
        self.edges.extend(without.into_iter().map(|edge| Edge { src: at, ..edge }));
        stop
    }
}

/// A new variable with any value.
fn anything(program: &mut Program, header: &mut Function, id: FuncId, ty: Ty, pos: SrcPos) -> ExprId {
    let kind = VarKind::Temp(id);
    let var = program.vars.push(Var { name: "read".into(), ty, signed: false, kind, pos });
    program.exprs.declare(var, ty);
    header.locals.push(var);
    program.exprs.var(var)
}

/// The loads of an operation that a demand is about.
fn loads_at(program: &Program, op: &Op, demand: &Demand) -> Vec<(ExprId, Ty)> {
    let mut found = Vec::new();
    for part in parts(program, op) {
        if let Expr::Load(ty, addr) = program.exprs.get(part)
            && addr == demand.addr
        {
            found.push((part, ty));
        }
    }
    found
}

/// The expressions of an operation; operands come first.
fn parts(program: &Program, op: &Op) -> BTreeSet<ExprId> {
    let mut todo = Vec::new();
    for_each_root(op, |root| todo.push(root));
    let mut seen = BTreeSet::new();
    while let Some(part) = todo.pop() {
        if seen.insert(part) {
            todo.extend(program.exprs.operands(part));
        }
    }
    seen
}

/// The step without an access; `None` if it has no meaning then.
fn left_out(program: &mut Program, edge: &Edge, demand: &Demand, values: &BTreeMap<ExprId, ExprId>) -> Option<Edge> {
    let writes = demand.claim == Claim::Writable;
    let op = match edge.op {
        Op::Store { addr, .. } if writes && addr == demand.addr => Op::Skip,
        Op::Copy { dst, .. } | Op::Fill { dst, .. } if writes && dst == demand.addr => Op::Skip,
        Op::HavocMem { addr, .. } if writes && addr == demand.addr => Op::Skip,
        Op::Copy { dst, src, size } if !writes && src == demand.addr => {
            Op::HavocMem { addr: dst, size, source: HavocSource::Undefined }
        }
        Op::Free { .. } if demand.is_free() => Op::Skip,
        ref op if !values.is_empty() => replaced(program, op, values),
        _ => return None,
    };
    Some(Edge { op, ..edge.clone() })
}

/// An operation with values instead of some of its loads.
fn replaced(program: &mut Program, op: &Op, values: &BTreeMap<ExprId, ExprId>) -> Op {
    let mut new: BTreeMap<ExprId, ExprId> = BTreeMap::new();
    for part in parts(program, op) {
        let exprs = &mut program.exprs;
        let of = |x: ExprId| new[&x];
        let image = match exprs.get(part) {
            _ if values.contains_key(&part) => values[&part],
            Expr::Const(..) | Expr::Var(_) | Expr::ObjAddr(_) | Expr::FuncAddr(_) => part,
            Expr::Load(ty, x) => exprs.intern(Expr::Load(ty, of(x))),
            Expr::Unary(op, x) => exprs.intern(Expr::Unary(op, of(x))),
            Expr::Binary(op, x, y) => exprs.intern(Expr::Binary(op, of(x), of(y))),
            Expr::Cast(op, ty, x) => exprs.intern(Expr::Cast(op, ty, of(x))),
            Expr::Holds(claim, x, y) => exprs.intern(Expr::Holds(claim, of(x), of(y))),
        };
        new.insert(part, image);
    }
    let mut op = op.clone();
    map_roots(&mut op, |root| new[&root]);
    op
}
