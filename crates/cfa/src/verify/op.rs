//! Operations.

use super::Checker;
use crate::ir::{Callee, Edge, Expr, ExprId, FuncId, Function, HavocSource, ObjectKind, Op, Ty, VarId};
use crate::text::op_exprs;

impl Checker<'_> {
    /// The operation of an edge; its target is looked at only if it exists.
    pub(super) fn op(&mut self, id: FuncId, function: &Function, edge: &Edge, in_range: bool) {
        let before = self.violations.len();
        op_exprs(&edge.op, |x| {
            self.exists(x);
        });
        if self.violations.len() > before {
            return;
        }
        op_exprs(&edge.op, |x| self.visible(id, x));
        self.operands(id, function, &edge.op);
        if !in_range {
            return;
        }
        let (dst, exit) = (edge.dst, function.exit);
        match edge.op {
            Op::Return { .. } => {
                self.check(dst == exit, || format!("a return leads to {dst} instead of the exit {exit}"));
            }
            Op::Error(_) | Op::Halt { .. } | Op::Unsupported(_) => {
                let dead = function.out_range(dst).is_empty();
                self.check(dead, || format!("leads to {dst}, which has successors"));
            }
            _ => {}
        }
    }

    fn operands(&mut self, id: FuncId, function: &Function, op: &Op) {
        let size_ty = self.program.model.size_ty();
        match *op {
            Op::Skip | Op::Error(_) | Op::Unsupported(_) => {}
            Op::Assume { cond, .. } => self.typed(cond, Ty::BOOL, "the condition"),
            Op::Assign { var, value } => {
                if let Some(ty) = self.target(id, var) {
                    self.typed(value, ty, "the value");
                }
            }
            Op::Store { addr, .. } => self.typed(addr, Ty::Ptr, "the address"),
            Op::Copy { dst, src, size } => {
                self.typed(dst, Ty::Ptr, "the target");
                self.typed(src, Ty::Ptr, "the source");
                self.typed(size, size_ty, "the size");
            }
            Op::Fill { dst, byte, size } => {
                self.typed(dst, Ty::Ptr, "the target");
                self.typed(byte, Ty::Int(8), "the byte");
                self.typed(size, size_ty, "the size");
            }
            Op::Havoc { var, source } => {
                self.target(id, var);
                self.source(source);
            }
            Op::HavocMem { addr, size, source } => {
                self.typed(addr, Ty::Ptr, "the address");
                self.typed(size, size_ty, "the size");
                self.source(source);
            }
            Op::Call { result, callee, ref args } => self.call(id, result, callee, args),
            Op::Builtin { result, .. } => {
                result.map(|var| self.target(id, var));
            }
            Op::Alloc { var, size, .. } => {
                if let Some(ty) = self.target(id, var) {
                    self.check(ty == Ty::Ptr, || format!("the variable has type {ty} instead of ptr"));
                }
                self.typed(size, size_ty, "the size");
            }
            Op::Free { ptr, .. } => self.typed(ptr, Ty::Ptr, "the pointer"),
            Op::Return { value } => match (value, function.ret) {
                (Some(value), Some(ret)) => self.typed(value, ret, "the returned value"),
                (None, None) => {}
                (Some(_), None) => self.report("returns a value from a function without"),
                (None, Some(ret)) => {
                    self.report(format!("returns no value, but the function has a result of type {ret}"))
                }
            },
            Op::Halt { status } => {
                if let Some(status) = status {
                    self.typed(status, Ty::Int(32), "the status");
                }
            }
        }
    }

    fn call(&mut self, id: FuncId, result: Option<VarId>, callee: Callee, args: &[ExprId]) {
        let result = result.and_then(|var| self.target(id, var));
        let callee = match callee {
            Callee::Indirect(target, outside) => {
                self.typed(target, Ty::Ptr, "the called address");
                match outside {
                    Some(function) => function,
                    None => return,
                }
            }
            Callee::Direct(callee) => callee,
        };
        let Some(function) = self.program.functions.get(callee) else {
            return self.report(format!("calls {callee}, which does not exist"));
        };
        let params = &function.params;
        self.check(args.len() == params.len(), || format!("{} arguments for {} parameters", args.len(), params.len()));
        for (i, (&arg, &param)) in args.iter().zip(params).enumerate() {
            // A parameter that does not exist is reported elsewhere.
            if let Some(param) = self.program.vars.get(param) {
                self.typed(arg, param.ty, &format!("argument {}", i + 1));
            }
        }
        match (result, function.ret) {
            (Some(found), Some(ret)) => {
                self.check(found == ret, || format!("the result has type {ret}, the variable {found}"));
            }
            (Some(_), None) => self.report("takes the result of a function without"),
            (None, _) => {}
        }
    }

    fn typed(&mut self, id: ExprId, ty: Ty, what: &str) {
        let found = self.program.exprs.ty(id);
        self.check(found == ty, || format!("{what} has type {found} instead of {ty}"));
    }

    /// The type of a variable that the operation writes, if the function may use it.
    fn target(&mut self, id: FuncId, var: VarId) -> Option<Ty> {
        let Some(found) = self.program.vars.get(var) else {
            self.report(format!("there is no variable {var}"));
            return None;
        };
        self.own(id, found.kind.owner(), || format!("the variable {var} ({})", found.name));
        Some(found.ty)
    }

    fn own(&mut self, id: FuncId, owner: Option<FuncId>, what: impl FnOnce() -> String) {
        if let Some(owner) = owner.filter(|&owner| owner != id) {
            self.report(format!("uses {} of function {owner}", what()));
        }
    }

    fn source(&mut self, source: HavocSource) {
        if let HavocSource::External(function) | HavocSource::Written(function, _) = source {
            let there = self.program.functions.get(function).is_some();
            self.check(there, || format!("there is no function {function}"));
        }
    }

    /// Variables and objects in an expression are global or the function's own.
    fn visible(&mut self, id: FuncId, root: ExprId) {
        let program = self.program;
        let mut stack = vec![root];
        while let Some(x) = stack.pop() {
            if self.seen[x].replace(id) == Some(id) {
                continue;
            }
            match program.exprs.get(x) {
                Expr::Var(var) => {
                    let found = &program.vars[var];
                    self.own(id, found.kind.owner(), || format!("the variable {var} ({})", found.name));
                }
                Expr::ObjAddr(object) => {
                    let found = &program.objects[object];
                    let owner = if let ObjectKind::Local(owner) = found.kind { Some(owner) } else { None };
                    self.own(id, owner, || format!("the object {object} ({})", found.name));
                }
                _ => stack.extend(program.exprs.operands(x)),
            }
        }
    }
}
