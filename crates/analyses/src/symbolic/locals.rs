//! Local objects whose bytes may be read before they are written.
//!
//! When a function is entered, the bytes of its objects are arbitrary. The lowering havocs or initialises an object where
//! it is declared; then the values before that do not matter, and need no choice.

use super::Encoder;
use robusto_cfa::analysis::uses::for_each_root;
use robusto_cfa::ir::{Expr, ExprId, FuncId, IdxVec, LocId, ObjId, Op, Program};
use rustc_hash::FxHashSet;

impl Encoder<'_> {
    /// The objects of a function that need arbitrary bytes at its entry.
    pub(super) fn fresh_objects(&mut self, function: FuncId) -> Vec<ObjId> {
        let program = &self.facts.program;
        self.fresh.entry(function).or_insert_with(|| needing_choice(program, function)).clone()
    }
}

fn needing_choice(program: &Program, function: FuncId) -> Vec<ObjId> {
    let body = &program.functions[function];
    if body.objects.is_empty() {
        return Vec::new();
    }
    let mentions: Vec<FxHashSet<ObjId>> = body.edges().iter().map(|e| mentioned(program, &e.op)).collect();
    let needs = |object: ObjId| {
        let mut seen = IdxVec::filled(false, body.num_locs());
        let mut stack: Vec<LocId> = vec![body.entry];
        seen[body.entry] = true;
        while let Some(loc) = stack.pop() {
            for index in body.out_range(loc) {
                let edge = &body.edges().as_slice()[index];
                if mentions[index].contains(&object) {
                    if !overwrites(program, &edge.op, object) {
                        return true;
                    }
                } else if !std::mem::replace(&mut seen[edge.dst], true) {
                    stack.push(edge.dst);
                }
            }
        }
        false
    };
    body.objects.iter().copied().filter(|&object| needs(object)).collect()
}

/// The objects whose addresses an operation mentions.
fn mentioned(program: &Program, op: &Op) -> FxHashSet<ObjId> {
    let mut objects = FxHashSet::default();
    for_each_root(op, |root| walk(program, root, &mut objects));
    objects
}

fn walk(program: &Program, root: ExprId, objects: &mut FxHashSet<ObjId>) {
    let mut seen = FxHashSet::default();
    let mut stack = vec![root];
    while let Some(id) = stack.pop() {
        if seen.insert(id) {
            if let Expr::ObjAddr(object) = program.exprs.get(id) {
                objects.insert(object);
            }
            stack.extend(program.exprs.operands(id));
        }
    }
}

/// Whether an operation sets all bytes of an object and reads none of them.
fn overwrites(program: &Program, op: &Op, object: ObjId) -> bool {
    let exprs = &program.exprs;
    let size = program.objects[object].size;
    let is_object = |addr: ExprId| exprs.get(addr) == Expr::ObjAddr(object);
    let free_of = |values: &[ExprId]| {
        let mut objects = FxHashSet::default();
        values.iter().for_each(|&v| walk(program, v, &mut objects));
        !objects.contains(&object)
    };
    match *op {
        Op::HavocMem { addr, size: bytes, .. } => is_object(addr) && exprs.as_const(bytes) == Some(size),
        Op::Fill { dst, byte, size: bytes } => {
            is_object(dst) && exprs.as_const(bytes) == Some(size) && free_of(&[byte])
        }
        Op::Copy { dst, src, size: bytes } => is_object(dst) && exprs.as_const(bytes) == Some(size) && free_of(&[src]),
        Op::Store { addr, value } => {
            is_object(addr) && exprs.ty(value).size(program.model) == size && free_of(&[value])
        }
        _ => false,
    }
}
