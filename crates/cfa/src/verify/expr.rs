//! The expression pool.

use super::{Checker, typing};
use crate::ir::{Expr, ExprId, Idx};

impl Checker<'_> {
    /// Every node of the pool.
    pub(super) fn exprs(&mut self) {
        let program = self.program;
        for id in program.exprs.ids() {
            let node = program.exprs.get(id);
            if let Some(late) = program.exprs.operands(id).find(|&x| x >= id) {
                self.report(format!("the operand {late} of {id} does not come before it"));
                continue;
            }
            let missing = match node {
                Expr::Var(var) => program.vars.get(var).is_none().then(|| var.to_string()),
                Expr::ObjAddr(object) => program.objects.get(object).is_none().then(|| object.to_string()),
                Expr::FuncAddr(function) => program.functions.get(function).is_none().then(|| function.to_string()),
                _ => None,
            };
            if let Some(missing) = missing {
                self.report(format!("the expression {id} refers to {missing}, which does not exist"));
                continue;
            }
            if let Err(message) = typing::check(program.model, node, |x| program.exprs.ty(x)) {
                self.report(format!("the expression {id}, `{}`: {message}", self.names.expr(id)));
            }
            if let Expr::Var(var) = node {
                let (known, declared) = (program.exprs.ty(id), program.vars[var].ty);
                self.check(known == declared, || {
                    format!("the pool holds {var} as {known}, but its type is {declared}")
                });
            }
        }
    }

    /// Whether there is such an expression; reports if not.
    pub(super) fn exists(&mut self, id: ExprId) -> bool {
        let there = id.index() < self.program.exprs.len();
        self.check(there, || format!("there is no expression {id}"))
    }
}
