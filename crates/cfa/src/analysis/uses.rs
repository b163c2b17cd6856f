//! What expressions and operations read.
//!
//! Expressions form a graph with sharing, so walking one as a tree may take exponential time, and walking it anew for
//! each edge and each round of an analysis is wasteful. Each expression that stands on an edge is walked once; its
//! variables and loads are kept as slices.

use crate::ir::{Callee, Expr, ExprId, Function, IdxVec, Op, Program, VarId};
use std::ops::Range;

/// Calls `visit` with each expression that an operation evaluates.
pub fn for_each_root(op: &Op, mut visit: impl FnMut(ExprId)) {
    match *op {
        Op::Skip | Op::Havoc { .. } | Op::Error(_) | Op::Unsupported(_) => {}
        Op::Assume { cond, .. } => visit(cond),
        Op::Assign { value, .. } => visit(value),
        Op::Store { addr, value } => [addr, value].into_iter().for_each(visit),
        Op::Copy { dst, src, size } => [dst, src, size].into_iter().for_each(visit),
        Op::Fill { dst, byte, size } => [dst, byte, size].into_iter().for_each(visit),
        Op::HavocMem { addr, size, .. } => [addr, size].into_iter().for_each(visit),
        Op::Call { callee, ref args, .. } => {
            if let Callee::Indirect(target, _) = callee {
                visit(target);
            }
            args.iter().copied().for_each(visit);
        }
        Op::Builtin { ref args, .. } => args.iter().copied().for_each(visit),
        Op::Alloc { size, .. } => visit(size),
        Op::Free { ptr, .. } => visit(ptr),
        Op::Return { value } => value.into_iter().for_each(visit),
        Op::Halt { status } => status.into_iter().for_each(visit),
    }
}

/// Replaces each expression that an operation evaluates.
pub fn map_roots(op: &mut Op, mut with: impl FnMut(ExprId) -> ExprId) {
    let mut put = |root: &mut ExprId| *root = with(*root);
    match op {
        Op::Skip | Op::Havoc { .. } | Op::Error(_) | Op::Unsupported(_) => {}
        Op::Assume { cond, .. } => put(cond),
        Op::Assign { value, .. } => put(value),
        Op::Store { addr, value } => [addr, value].into_iter().for_each(put),
        Op::Copy { dst, src, size } => [dst, src, size].into_iter().for_each(put),
        Op::Fill { dst, byte, size } => [dst, byte, size].into_iter().for_each(put),
        Op::HavocMem { addr, size, .. } => [addr, size].into_iter().for_each(put),
        Op::Call { callee, args, .. } => {
            if let Callee::Indirect(target, _) = callee {
                put(target);
            }
            args.iter_mut().for_each(put);
        }
        Op::Builtin { args, .. } => args.iter_mut().for_each(put),
        Op::Alloc { size, .. } => put(size),
        Op::Free { ptr, .. } => put(ptr),
        Op::Return { value } => value.iter_mut().for_each(put),
        Op::Halt { status } => status.iter_mut().for_each(put),
    }
}

/// The variable that an operation writes.
pub fn defined(op: &Op) -> Option<VarId> {
    match *op {
        Op::Assign { var, .. } | Op::Havoc { var, .. } | Op::Alloc { var, .. } => Some(var),
        Op::Call { result, .. } | Op::Builtin { result, .. } => result,
        _ => None,
    }
}

/// Variables and loads of the expressions on a program's edges.
#[derive(Clone, Debug)]
pub struct Uses {
    rows: IdxVec<ExprId, Row>,
    vars: Vec<VarId>,
    loads: Vec<ExprId>,
}

#[derive(Clone, Debug, Default)]
struct Row {
    known: bool,
    vars: Range<u32>,
    loads: Range<u32>,
}

impl Uses {
    /// Walks the expressions on the edges of all functions.
    pub fn of(program: &Program) -> Self {
        let mut uses =
            Self { rows: IdxVec::filled(Row::default(), program.exprs.len()), vars: Vec::new(), loads: Vec::new() };
        let mut walk = Walk { seen: IdxVec::filled(0, program.exprs.len()), mark: 0, stack: Vec::new() };
        for function in program.functions.iter() {
            uses.add(program, function, &mut walk);
        }
        uses
    }

    fn add(&mut self, program: &Program, function: &Function, walk: &mut Walk) {
        for edge in function.edges().iter() {
            for_each_root(&edge.op, |root| {
                if self.rows[root].known {
                    return;
                }
                let (vars, loads) = (self.vars.len(), self.loads.len());
                walk.from(program, root, |id, expr| match expr {
                    Expr::Var(var) => self.vars.push(var),
                    Expr::Load(..) => self.loads.push(id),
                    _ => {}
                });
                self.vars[vars..].sort_unstable();
                self.loads[loads..].sort_unstable();
                let (vars, loads) = (vars as u32..self.vars.len() as u32, loads as u32..self.loads.len() as u32);
                self.rows[root] = Row { known: true, vars, loads };
            });
        }
    }

    fn row(&self, root: ExprId) -> &Row {
        let row = &self.rows[root];
        assert!(row.known, "{root} stands on no edge");
        row
    }

    /// The variables in an expression that stands on an edge, ascending.
    pub fn vars(&self, root: ExprId) -> &[VarId] {
        let range = &self.row(root).vars;
        &self.vars[range.start as usize..range.end as usize]
    }

    /// The `Load` nodes in an expression that stands on an edge, ascending.
    pub fn loads(&self, root: ExprId) -> &[ExprId] {
        let range = &self.row(root).loads;
        &self.loads[range.start as usize..range.end as usize]
    }
}

/// Visits the nodes below a root, each once.
struct Walk {
    seen: IdxVec<ExprId, u32>,
    mark: u32,
    stack: Vec<ExprId>,
}

impl Walk {
    fn from(&mut self, program: &Program, root: ExprId, mut visit: impl FnMut(ExprId, Expr)) {
        self.mark += 1;
        self.stack.push(root);
        while let Some(id) = self.stack.pop() {
            if std::mem::replace(&mut self.seen[id], self.mark) != self.mark {
                visit(id, program.exprs.get(id));
                self.stack.extend(program.exprs.operands(id));
            }
        }
    }
}
