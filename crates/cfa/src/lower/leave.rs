//! Leaving scopes: variable-length arrays end, `__attribute__((cleanup(f)))` calls `f`.
//!
//! A scope is left at its end, by `break`, `continue`, `goto` and `return`; the latest declaration goes first. `exit` does
//! not leave scopes.

use super::function::PendingGoto;
use super::passed::passed;
use super::scope::{ScopeEnd, Sym};
use super::types::CType;
use super::{Lower, R};
use crate::ir::{AllocKind, Callee, ExprId, FuncId, HavocSource, Idx, ObjId, Op};
use robusto_syntax::Symbol;
use robusto_syntax::ast::{Declaration, ExprKind, InitDeclarator};

impl<'a> Lower<'a, '_> {
    /// Makes an object end with the innermost scope, if that ends before the function does.
    pub(super) fn end_with_block(&mut self, object: ObjId) {
        if self.checks().scopes && self.scopes.depth() > self.fun.outer_scopes + 1 {
            self.scopes.add_end(ScopeEnd::Object(object));
        }
    }

    /// Closes the innermost scope.
    pub(super) fn close_scope(&mut self) {
        let depth = self.scopes.depth();
        self.fun.local_labels.retain(|&(declared, _, _)| declared < depth);
        let ends = self.scopes.pop();
        self.emit_ends(&ends);
    }

    /// On the way to a place where this many scopes are open.
    pub(super) fn leave_scopes(&mut self, depth: usize) {
        for (_, ends) in self.scopes.ends_beyond(depth) {
            self.emit_ends(&ends);
        }
    }

    /// Before a return; the arrays end with the function's frame.
    pub(super) fn leave_function(&mut self) {
        for (_, mut ends) in self.scopes.ends_beyond(self.fun.outer_scopes) {
            ends.retain(|end| matches!(end, ScopeEnd::Cleanup(..)));
            self.emit_ends(&ends);
        }
    }

    /// Whether a function is called when the scopes that are open are left.
    pub(super) fn has_cleanups(&self) -> bool {
        let scopes = self.scopes.ends_beyond(self.fun.outer_scopes);
        scopes.iter().any(|(_, ends)| ends.iter().any(|end| matches!(end, ScopeEnd::Cleanup(..))))
    }

    fn emit_ends(&mut self, ends: &[ScopeEnd]) {
        for &end in ends.iter().rev() {
            match end {
                ScopeEnd::Free(address) => {
                    let ptr = self.program.exprs.var(address);
                    self.emit(Op::Free { ptr, kind: AllocKind::Stack });
                }
                ScopeEnd::Object(object) => {
                    let addr = self.obj_addr(object);
                    let size = self.program.exprs.size(self.program.objects[object].size);
                    self.emit(Op::HavocMem { addr, size, source: HavocSource::Ended });
                }
                ScopeEnd::Cleanup(function, address) => {
                    self.call_with(function, &[address]);
                }
            }
        }
    }

    /// A jump to a label.
    pub(super) fn goto(&mut self, label: Symbol) {
        let ends = self.scopes.ends_beyond(self.fun.outer_scopes);
        let scopes = self.scopes.beyond(self.fun.outer_scopes);
        self.fun.gotos.push(PendingGoto { label, at: self.fun.at, pos: self.fun.pos, ends, scopes });
        self.fun.at = self.location();
    }

    /// At the end of a function, where all labels are known. A jump leaves the scopes that its label is not in, and in
    /// those that it is in, what is declared after the label; it enters those that only the label is in.
    pub(super) fn finish_gotos(&mut self) {
        for goto in std::mem::take(&mut self.fun.gotos) {
            let Some(label) = self.fun.labels.get(&goto.label) else { continue };
            let (target, passed) = (label.loc, passed(&label.variables, &goto.scopes));
            let left: Vec<Vec<ScopeEnd>> = goto
                .ends
                .iter()
                .map(|(id, ends)| match label.ends.iter().find(|(scope, _)| scope == id) {
                    None => ends.clone(),
                    // A variable lives as long as its block, also before its declaration.
                    Some((_, declared)) => {
                        let later = ends[declared.len().min(ends.len())..].iter().copied();
                        later.filter(|end| !matches!(end, ScopeEnd::Object(_))).collect()
                    }
                })
                .collect();
            (self.fun.at, self.fun.pos) = (goto.at, goto.pos);
            left.iter().for_each(|ends| self.emit_ends(ends));
            self.enter(&passed, target);
        }
    }

    /// Remembers the function that a declaration wants to be called at the end of the scope.
    pub(super) fn add_cleanup(&mut self, d: &InitDeclarator<'a>, declaration: &Declaration<'a>) -> R<()> {
        let Some(variable) = d.declarator.name else { return Ok(()) };
        for attr in declaration.specs.attrs.iter().chain(d.declarator.attrs) {
            if self.text(attr.name) != "cleanup" {
                continue;
            }
            let Some(ExprKind::Ident(name)) = attr.args.first().map(|arg| arg.kind) else {
                return self.error(attr.span, "`cleanup` needs the name of a function");
            };
            let Some(Sym::Function(function)) = self.scopes.lookup(name) else {
                let text = self.text(name).to_owned();
                return self.error(attr.span, format!("`{text}` is not a function that is declared here"));
            };
            let place = self.named_place(variable, d.declarator.span)?;
            self.scopes.add_end(ScopeEnd::Cleanup(function, place.addr));
        }
        Ok(())
    }

    /// Calls a function of the program with these arguments; parameters beyond them get any value.
    pub(super) fn call_with(&mut self, id: FuncId, given: &[ExprId]) -> Option<ExprId> {
        self.functions[id.index()].used |= !self.fun.quiet;
        let CType::Function(function) = self.types.get(self.functions[id.index()].ty).clone() else { return None };
        let mut args = Vec::new();
        if self.types.is_aggregate(function.ret) {
            args.push(self.temp_object(function.ret));
        }
        for (i, &ty) in function.params.iter().enumerate() {
            let wanted = self.types.value_ty(ty);
            let fits = given.get(i).copied().filter(|&arg| Some(self.program.exprs.ty(arg)) == wanted);
            args.push(fits.unwrap_or_else(|| self.havoc_value(ty, HavocSource::Undefined).e));
        }
        if function.variadic {
            args.push(self.program.exprs.null());
        }
        let result = self.result_var(function.ret);
        self.emit(Op::Call { result, callee: Callee::Direct(id), args: args.into() });
        result.map(|var| self.program.exprs.var(var))
    }
}
