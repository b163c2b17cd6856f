//! Elements of `argv` beyond the first, where it is memory outside.
//!
//! No element below `argc` is null. Of the first few that is a step before the program begins; of any other it is one before `main` reads
//! it, if nothing in the program can have written there. Reads through a copy of `argv`, in another function, or after `argc` or `argv` has
//! changed give anything.

use super::rebuild;
use robusto_cfa::analysis::points_to::PointsTo;
use robusto_cfa::analysis::uses::{Uses, defined, for_each_root};
use robusto_cfa::ir::{BinOp, Builtin, Edge, Expr, ExprId, FuncId, LocId, Op, Program, SrcPos, Ty, VarId};
use std::collections::{BTreeMap, BTreeSet};

/// Lets what `main` reads of `argv` below `argc` be no null pointer.
pub(super) fn lead(program: &mut Program, main: FuncId, argc: VarId, argv: VarId) {
    let moves = |var| program.functions[main].edges().iter().any(|edge| defined(&edge.op) == Some(var));
    if moves(argv) || moves(argc) {
        return;
    }
    let mut found: BTreeMap<LocId, (SrcPos, BTreeSet<(ExprId, ExprId)>)> = BTreeMap::new();
    let edges: Vec<Edge> = program.functions[main].edges().iter().cloned().collect();
    for Edge { src, op, pos, .. } in edges {
        let reads = reads_of(program, &op, argv);
        if !reads.is_empty() {
            found.entry(src).or_insert((pos, BTreeSet::new())).1.extend(reads);
        }
    }
    if found.is_empty() || writes_outside(program) {
        return;
    }
    rebuild(program, main, |builder, edges| {
        let mut behind: BTreeMap<LocId, LocId> = BTreeMap::new();
        for (loc, (pos, reads)) in found {
            let mut at = loc;
            for (read, offset) in reads {
                let cond = is_text(builder.program, read, offset, argc);
                let next = builder.location();
                builder.edge(at, next, Op::Assume { cond, truth: true }, pos);
                at = next;
            }
            behind.insert(loc, at);
        }
        let moved = |src| behind.get(&src).copied().unwrap_or(src);
        builder.edges.extend(edges.into_iter().map(|edge| Edge { src: moved(edge.src), ..edge }));
    });
}

/// Whether something may be written through a pointer from outside.
fn writes_outside(program: &Program) -> bool {
    let points_to = PointsTo::of(program, &Uses::of(program));
    let outside = |&addr: &ExprId| {
        let targets = points_to.of_expr(addr);
        targets.may_be_unknown() || targets.may_be_indeterminate()
    };
    let writes = |op: &Op| match op {
        Op::Store { addr, .. } | Op::HavocMem { addr, .. } => outside(addr),
        Op::Copy { dst, .. } | Op::Fill { dst, .. } => outside(dst),
        Op::Builtin { builtin: Builtin::Escape | Builtin::Register, args, .. } => args.iter().take(1).any(outside),
        Op::Builtin { builtin, args, .. } => builtin.writes().iter().filter_map(|&i| args.get(i)).any(outside),
        _ => false,
    };
    program.functions.iter().any(|function| function.edges().iter().any(|edge| writes(&edge.op)))
}

/// The pointers that an operation reads of `argv`, with their offsets.
fn reads_of(program: &mut Program, op: &Op, argv: VarId) -> BTreeSet<(ExprId, ExprId)> {
    let mut todo = Vec::new();
    for_each_root(op, |root| todo.push(root));
    let (mut seen, mut found) = (BTreeSet::new(), BTreeSet::new());
    while let Some(id) = todo.pop() {
        if !seen.insert(id) {
            continue;
        }
        todo.extend(program.exprs.operands(id));
        if let Expr::Load(Ty::Ptr, addr) = program.exprs.get(id)
            && let Some(offset) = offset_in(program, addr, argv)
        {
            found.insert((id, offset));
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

/// Where an offset is one of an argument, what is read there is not null.
fn is_text(program: &mut Program, read: ExprId, offset: ExprId, argc: VarId) -> ExprId {
    let bits = program.model.pointer_bits();
    let exprs = &mut program.exprs;
    let (count, width) = (exprs.var(argc), exprs.size(u64::from(bits / 8)));
    let count = exprs.resize(count, false, bits);
    let end = exprs.binary(BinOp::Mul, count, width);
    let behind = exprs.binary(BinOp::ULe, end, offset);
    let null = exprs.null();
    let is_text = exprs.binary(BinOp::Ne, read, null);
    exprs.binary(BinOp::Or, behind, is_text)
}
