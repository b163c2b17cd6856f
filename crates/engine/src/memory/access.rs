//! What an edge demands of memory.

use robusto_cfa::analysis::uses::for_each_root;
use robusto_cfa::ir::{
    AllocKind, BinOp, Builtin, CastOp, Claim, Expr, ExprId, ExprPool, HavocSource, ObjId, ObjectKind, Op, Program, Ty,
    fold,
};
use std::collections::BTreeSet;

/// A claim about memory that must hold before an edge.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Demand {
    /// What.
    pub claim: Claim,
    /// Of which address.
    pub addr: ExprId,
    /// Number of bytes.
    pub size: ExprId,
}

/// Where a demand is met.
pub(super) enum Verdict {
    /// Always.
    Valid,
    /// Never.
    Invalid,
    /// Where all of these conditions hold.
    Where(Vec<ExprId>),
}

/// The demands of an operation, in the order of evaluation. Expressions are evaluated whole, and operands have smaller
/// numbers than what they are used in.
pub(super) fn demands(program: &mut Program, op: &Op) -> Vec<Demand> {
    let mut found = Vec::new();
    let mut loads = BTreeSet::new();
    for_each_root(op, |root| collect_loads(&program.exprs, root, &mut loads));
    for load in loads {
        if let Expr::Load(ty, addr) = program.exprs.get(load) {
            let size = program.exprs.size(ty.size(program.model));
            found.push(Demand { claim: Claim::Readable, addr, size });
        }
    }
    match *op {
        Op::Store { addr, value } => {
            let size = program.exprs.ty(value).size(program.model);
            found.push(Demand { claim: Claim::Writable, addr, size: program.exprs.size(size) });
        }
        Op::Copy { dst, src, size } => {
            found.push(Demand { claim: Claim::Readable, addr: src, size });
            found.push(Demand { claim: Claim::Writable, addr: dst, size });
        }
        Op::Builtin { builtin: Builtin::Write, ref args, .. } => {
            if let &[_, addr, size] = &args[..] {
                found.push(Demand { claim: Claim::Readable, addr, size });
            }
        }
        Op::Builtin { builtin: Builtin::Fwrite, ref args, .. } => {
            if let &[addr, size, count, _] = &args[..] {
                let size = program.exprs.binary(BinOp::Mul, size, count);
                found.push(Demand { claim: Claim::Readable, addr, size });
            }
        }
        Op::Fill { dst, size, .. } => found.push(Demand { claim: Claim::Writable, addr: dst, size }),
        Op::HavocMem { addr, size, source } if is_written(program, addr, source) => {
            found.push(Demand { claim: Claim::Writable, addr, size });
        }
        _ => {}
    }
    if let Op::Free { ptr, kind: AllocKind::Heap } = *op {
        found.push(Demand { claim: Claim::Freeable, addr: ptr, size: program.exprs.size(0) });
    }
    found
}

/// Whether memory that takes any content is written by the program, through a pointer: by `fread`, `scanf`, and the like. What a function
/// without a body writes is where it may write; an object that has its first content, or ends, is no access.
fn is_written(program: &Program, addr: ExprId, source: HavocSource) -> bool {
    let by_library = matches!(source, HavocSource::Input | HavocSource::External(_) | HavocSource::Unmodelled);
    // External objects that may hold anything when the program starts are named, and may be constant.
    let is_start = source == HavocSource::Unmodelled && matches!(program.exprs.get(addr), Expr::ObjAddr(_));
    by_library && !is_start
}

fn collect_loads(exprs: &ExprPool, root: ExprId, loads: &mut BTreeSet<ExprId>) {
    let mut seen = BTreeSet::new();
    let mut todo = vec![root];
    while let Some(id) = todo.pop() {
        if seen.insert(id) {
            if matches!(exprs.get(id), Expr::Load(..)) {
                loads.insert(id);
            }
            todo.extend(exprs.operands(id));
        }
    }
}

impl Demand {
    /// Whether it is one of a `free`.
    pub fn is_free(&self) -> bool {
        self.claim == Claim::Freeable
    }

    /// Whether it is never met, so that nothing goes on behind it.
    pub fn is_never_met(&self, program: &mut Program) -> bool {
        matches!(self.conditions(program), Verdict::Invalid)
    }

    /// Where it is met. An address in a named object is one where its offset is in range: that is C's rule, which also
    /// forbids to reach another object by it.
    pub fn conditions(&self, program: &mut Program) -> Verdict {
        if !self.is_free()
            && let Some((object, offset)) = place(program, self.addr)
            && let Some(size) = program.exprs.as_const(self.size)
        {
            let info = &program.objects[object];
            let constant = self.claim == Claim::Writable && matches!(info.kind, ObjectKind::Constant(_));
            // An array that another file defines may have any number of elements.
            let Some(last) = info.size.checked_sub(size).filter(|_| !constant) else { return Verdict::Invalid };
            return match offset {
                PlaceOffset::Constant(at) if at <= last => Verdict::Valid,
                PlaceOffset::Constant(_) => Verdict::Invalid,
                PlaceOffset::Element { index, scale, plus } => element(program, index, scale, plus, last),
                PlaceOffset::Sum(sum) => {
                    let last = program.exprs.size(last);
                    Verdict::Where(vec![program.exprs.binary(BinOp::ULe, sum, last)])
                }
            };
        }
        Verdict::Where(vec![program.exprs.holds(self.claim, self.addr, self.size)])
    }
}

/// An offset from an object's start, in bytes.
enum PlaceOffset {
    Constant(u64),
    /// `scale * index + plus`
    Element {
        index: ExprId,
        scale: i128,
        plus: i128,
    },
    Sum(ExprId),
}

/// The object that an address is computed from, and the offset.
fn place(program: &mut Program, addr: ExprId) -> Option<(ObjId, PlaceOffset)> {
    let exprs = &mut program.exprs;
    let mut offsets = Vec::new();
    let mut at = addr;
    let object = loop {
        match exprs.get(at) {
            Expr::ObjAddr(object) => break object,
            Expr::Binary(BinOp::PtrAdd, base, offset) => {
                offsets.push(offset);
                at = base;
            }
            _ => return None,
        }
    };
    let bits = u32::from(program.model.pointer_bits());
    let (constants, others): (Vec<ExprId>, Vec<ExprId>) = offsets.iter().partition(|&&o| exprs.as_const(o).is_some());
    let constant = constants.iter().fold(0u64, |sum, &o| sum.wrapping_add(exprs.as_const(o).unwrap_or(0)));
    let constant = fold::mask(bits, constant);
    Some((
        object,
        match others[..] {
            [] => PlaceOffset::Constant(constant),
            [one] => {
                let (index, scale) = match exprs.get(one) {
                    Expr::Binary(BinOp::Mul, x, k) => match exprs.as_const(k) {
                        Some(k) => (x, i128::from(fold::signed(bits, k))),
                        None => (one, 1),
                    },
                    _ => (one, 1),
                };
                let plus = i128::from(fold::signed(bits, constant));
                PlaceOffset::Element { index, scale, plus }
            }
            _ => {
                let mut sum = exprs.size(constant);
                for &other in others.iter().rev() {
                    sum = exprs.binary(BinOp::Add, other, sum);
                }
                PlaceOffset::Sum(sum)
            }
        },
    ))
}

/// Where `0 <= scale * index + plus <= last`. A conversion to a wider type is looked through, so that the condition is one
/// on the index that the program computes with.
fn element(program: &mut Program, index: ExprId, scale: i128, plus: i128, last: u64) -> Verdict {
    let exprs = &mut program.exprs;
    let (index, signed) = match exprs.get(index) {
        Expr::Cast(CastOp::SExt, _, narrow) => (narrow, true),
        Expr::Cast(CastOp::ZExt, _, narrow) => (narrow, false),
        // As wide as a pointer: what a pointer difference or a `size_t` gives.
        _ => (index, true),
    };
    let Ty::Int(bits) = exprs.ty(index) else { return Verdict::Invalid };
    if scale == 0 || bits > 64 {
        let inside = scale == 0 && (0..=i128::from(last)).contains(&plus);
        return if inside { Verdict::Valid } else { Verdict::Invalid };
    }
    let (from, to) = (-plus, i128::from(last) - plus);
    let (from, to) = if scale > 0 { (from, to) } else { (-to, -from) };
    let scale = scale.abs();
    let (first, end) = (from.div_euclid(scale) + i128::from(from.rem_euclid(scale) != 0), to.div_euclid(scale));
    let (least, greatest) =
        if signed { (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1) } else { (0, (1i128 << bits) - 1) };
    if first > end || end < least || first > greatest {
        return Verdict::Invalid;
    }
    let less = if signed { BinOp::SLe } else { BinOp::ULe };
    let mut conditions = Vec::new();
    if first > least {
        let first = exprs.int(bits, first);
        conditions.push(exprs.binary(less, first, index));
    }
    if end < greatest {
        let end = exprs.int(bits, end);
        conditions.push(exprs.binary(less, index, end));
    }
    conditions.retain(|&cond| exprs.as_const(cond) != Some(1));
    if conditions.iter().any(|&cond| exprs.as_const(cond) == Some(0)) {
        return Verdict::Invalid;
    }
    if conditions.is_empty() { Verdict::Valid } else { Verdict::Where(conditions) }
}
