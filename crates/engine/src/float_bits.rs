//! What a verdict takes for granted of the bits of floats.
//!
//! C leaves open which bits a result has that is no number: `0.0 / 0.0` has a sign if SSE computes it and none if gcc does.
//! Robusto has one choice (`logic::term::float`). A program that computes floats and reads their memory as something else, as
//! `signbit` and `copysign` do, may see the difference; for such programs the choice is listed.

use robusto_cfa::analysis::points_to::Target;
use robusto_cfa::analysis::uses::for_each_root;
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{Assumption, BinOp, Expr, ExprId, Granted, Op, SrcPos};
use rustc_hash::FxHashSet;

/// The assumption about bits of floats, if a program needs it, at the first place.
pub(crate) fn assumption(facts: &Facts) -> Option<Assumption> {
    let program = &facts.program;
    let mut computes = false;
    let (mut stored, mut loaded): (Vec<Access>, Vec<Access>) = (Vec::new(), Vec::new());
    let mut seen: FxHashSet<ExprId> = FxHashSet::default();
    for (id, function) in program.functions.enumerate() {
        if !facts.points_to.reached(id) {
            continue;
        }
        for edge in function.edges().iter() {
            if let Op::Store { addr, value } = edge.op
                && program.exprs.ty(value).is_float()
            {
                stored.push(Access { addr, size: program.exprs.ty(value).size(program.model), pos: edge.pos });
            }
            let mut todo = Vec::new();
            for_each_root(&edge.op, |root| todo.push(root));
            while let Some(id) = todo.pop() {
                if !seen.insert(id) {
                    continue;
                }
                match program.exprs.get(id) {
                    Expr::Binary(BinOp::FAdd | BinOp::FSub | BinOp::FMul | BinOp::FDiv, ..) => computes = true,
                    Expr::Load(ty, addr) if !ty.is_float() => {
                        loaded.push(Access { addr, size: ty.size(program.model), pos: edge.pos });
                    }
                    _ => {}
                }
                todo.extend(program.exprs.operands(id));
            }
        }
    }
    if !computes || stored.is_empty() {
        return None;
    }
    let targets = |access: &Access| -> Vec<Target> { facts.points_to.of_expr(access.addr).iter().collect() };
    let floats: Vec<(Target, u64)> = stored.iter().flat_map(|s| targets(s).into_iter().map(|t| (t, s.size))).collect();
    let is_float = |target: &Target, size: u64| {
        let meets = |&(float, bytes): &(Target, u64)| {
            float.base == target.base && float.offset.may_overlap(bytes, target.offset, size)
        };
        floats.iter().any(meets)
    };
    let read = loaded.iter().find(|load| targets(load).iter().any(|target| is_float(target, load.size)))?;
    Some(Granted::FloatBits.at(read.pos))
}

struct Access {
    addr: ExprId,
    size: u64,
    pos: SrcPos,
}
