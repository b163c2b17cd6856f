//! Reads of `argv` behind the null pointer at its end.
//!
//! `argv` has `argc + 1` elements. Its object has as many as there may be arguments, so that engines know what lies where; where `main`
//! reads `argv[i]`, a branch tells whether there is such an element. What is read through a copy of `argv`, in another function,
//! or after `argv` itself has moved is bounded by the object alone.

use super::rebuild;
use robusto_cfa::analysis::uses::{defined, for_each_root};
use robusto_cfa::ir::{
    BinOp, CastOp, Edge, ErrorKind, Expr, ExprId, FuncId, LocId, Op, Program, SrcPos, Ty, Var, VarId, VarKind,
};
use std::collections::{BTreeMap, BTreeSet};

/// Puts error edges before reads of `argv` in `main` that are too far. Gives a variable that has to get the number of arguments at the
/// start, if `argc` changes.
pub(super) fn guard(program: &mut Program, main: FuncId, argc: VarId, argv: VarId) -> Option<VarId> {
    let moves = |var| program.functions[main].edges().iter().any(|edge| defined(&edge.op) == Some(var));
    if moves(argv) {
        return None;
    }
    let argc_moves = moves(argc);
    let mut found: BTreeMap<LocId, (SrcPos, BTreeSet<ExprId>)> = BTreeMap::new();
    let ops: Vec<Edge> = program.functions[main].edges().iter().cloned().collect();
    for Edge { src, op, pos, .. } in ops {
        let reads = offsets_of(program, &op, argv);
        if !reads.is_empty() {
            found.entry(src).or_insert((pos, BTreeSet::new())).1.extend(reads);
        }
    }
    if found.is_empty() {
        return None;
    }
    let count = if argc_moves { number(program, main) } else { argc };
    rebuild(program, main, |builder, edges| {
        let mut behind: BTreeMap<LocId, LocId> = BTreeMap::new();
        for (loc, (pos, offsets)) in found {
            let mut at = loc;
            let end = builder.location();
            for offset in offsets {
                let fits = fits(builder.program, offset, count);
                if builder.program.exprs.as_const(fits) == Some(1) {
                    continue;
                }
                let (good, bad) = (builder.location(), builder.location());
                builder.edge(at, good, Op::Assume { cond: fits, truth: true }, pos);
                builder.edge(at, bad, Op::Assume { cond: fits, truth: false }, pos);
                builder.edge(bad, end, Op::Error(ErrorKind::Deref), pos);
                at = good;
            }
            if at != loc {
                behind.insert(loc, at);
            }
        }
        let moved = |src| behind.get(&src).copied().unwrap_or(src);
        builder.edges.extend(edges.into_iter().map(|edge| Edge { src: moved(edge.src), ..edge }));
    });
    argc_moves.then_some(count)
}

/// A variable for the number of arguments.
fn number(program: &mut Program, main: FuncId) -> VarId {
    let (pos, ty) = (program.functions[main].pos, Ty::Int(32));
    let kind = VarKind::Temp(main);
    let var = program.vars.push(Var { name: "number of arguments".into(), ty, signed: true, kind, pos });
    program.exprs.declare(var, ty);
    program.functions[main].locals.push(var);
    var
}

/// The offsets at which an operation reads `argv`.
fn offsets_of(program: &mut Program, op: &Op, argv: VarId) -> BTreeSet<ExprId> {
    let mut todo = Vec::new();
    for_each_root(op, |root| todo.push(root));
    let (mut seen, mut found) = (BTreeSet::new(), BTreeSet::new());
    while let Some(id) = todo.pop() {
        if !seen.insert(id) {
            continue;
        }
        todo.extend(program.exprs.operands(id));
        if let Expr::Load(_, addr) = program.exprs.get(id)
            && let Some(offset) = offset_in(program, addr, argv)
        {
            found.insert(offset);
        }
    }
    found
}

/// The offset of an address that is computed from `argv`.
fn offset_in(program: &mut Program, addr: ExprId, argv: VarId) -> Option<ExprId> {
    let mut at = addr;
    let mut sum = program.exprs.size(0);
    while let Expr::Binary(BinOp::PtrAdd, base, offset) = program.exprs.get(at) {
        sum = program.exprs.binary(BinOp::Add, offset, sum);
        at = base;
    }
    (program.exprs.get(at) == Expr::Var(argv)).then_some(sum)
}

/// Where an offset is one of an element: an index that is widened is compared as it is.
fn fits(program: &mut Program, offset: ExprId, argc: VarId) -> ExprId {
    let width = u64::from(program.model.pointer_bits() / 8);
    let exprs = &mut program.exprs;
    let count = exprs.var(argc);
    if let Some(bytes) = exprs.as_const(offset) {
        let index = exprs.constant(Ty::Int(32), (bytes / width).min(i32::MAX as u64));
        return exprs.binary(BinOp::ULe, index, count);
    }
    if let Expr::Binary(BinOp::Mul, index, scale) = exprs.get(offset)
        && exprs.as_const(scale) == Some(width)
    {
        let index = match exprs.get(index) {
            Expr::Cast(CastOp::SExt, _, narrow) if exprs.ty(narrow) == Ty::Int(32) => narrow,
            _ => index,
        };
        if exprs.ty(index) == Ty::Int(32) {
            return exprs.binary(BinOp::ULe, index, count);
        }
    }
    let bits = exprs.ty(offset);
    let width = exprs.size(width);
    let count = if bits == Ty::Int(32) { count } else { exprs.cast(CastOp::ZExt, bits, count) };
    let last = exprs.binary(BinOp::Mul, count, width);
    exprs.binary(BinOp::ULe, offset, last)
}
