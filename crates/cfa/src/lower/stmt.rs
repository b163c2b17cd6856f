//! Statements.

use super::function::{Entrance, LabelState, Switch};
use super::passed::passed;
use super::scope::{ScopeEnd, Sym};
use super::types::CType;
use super::{Lower, R, Val};
use crate::ir::{AllocKind, BinOp, Granted, HavocSource, Idx, Label, LocId, ObjectKind, Op, Ty};
use robusto_syntax::ast::{Block, Declaration, Expr, For, Init, InitDeclarator, Stmt, StmtKind, Storage};
use robusto_syntax::{Span, Symbol};
use std::collections::BTreeMap;

impl<'a> Lower<'a, '_> {
    /// The statements of a block in its own scope.
    pub(super) fn block(&mut self, block: &Block<'a>) {
        self.scopes.push();
        self.block_items(block.stmts);
        self.close_scope();
    }

    /// The statements of a block in the current scope.
    pub(super) fn block_items(&mut self, stmts: &[Stmt<'a>]) {
        for stmt in stmts {
            // Errors are reported where they arise; the next statement may be right.
            let _ = self.stmt(stmt);
        }
    }

    /// One statement.
    pub(super) fn stmt(&mut self, stmt: &Stmt<'a>) -> R<()> {
        self.at_span(stmt.span);
        match stmt.kind {
            StmtKind::Empty => Ok(()),
            StmtKind::LocalLabels(names) => {
                self.declare_labels(names);
                Ok(())
            }
            StmtKind::Expr(e) => self.effect(e),
            StmtKind::Declaration(declaration) => self.local_declaration(declaration),
            StmtKind::StaticAssert(assert) => self.static_assert(assert),
            StmtKind::Function(def) => self.nested_function(def),
            StmtKind::Block(block) => {
                self.block(block);
                Ok(())
            }
            StmtKind::If(cond, then, otherwise) => self.if_stmt(cond, then, otherwise),
            StmtKind::While(cond, body) => self.while_stmt(stmt.span, cond, body),
            StmtKind::DoWhile(body, cond) => self.do_stmt(cond, body),
            StmtKind::For(f) => {
                self.scopes.push();
                let result = self.for_stmt(stmt.span, f);
                self.close_scope();
                result
            }
            StmtKind::Switch(e, body) => self.switch_stmt(e, body),
            StmtKind::Case(e, body) => {
                let value = self.constant(e)?;
                self.case(value, value, e.span)?;
                self.stmt(body)
            }
            StmtKind::CaseRange(first, last, body) => {
                let (low, high) = (self.constant(first)?, self.constant(last)?);
                self.case(low, high, first.span.to(last.span))?;
                self.stmt(body)
            }
            StmtKind::Default(body) => {
                let here = self.fun.builder.location();
                let passed = self.passed_by_switch();
                match self.fun.switches.last_mut() {
                    None => return self.error(stmt.span, "`default` stands outside a `switch`"),
                    Some(switch) if switch.default.is_some() => {
                        return self.error(stmt.span, "a `switch` has one `default`");
                    }
                    Some(switch) => switch.default = Some(Entrance { loc: here, passed }),
                }
                self.label_here(here);
                self.stmt(body)
            }
            StmtKind::Label(written, body) => {
                let name = self.label_name(written);
                let here = self.label(name, stmt.span);
                let ends = self.scopes.ends_beyond(self.fun.outer_scopes);
                let variables = self.scopes.variables_beyond(self.fun.outer_scopes);
                let state = self.fun.labels.get_mut(&name);
                let defined = state.is_some_and(|s| {
                    (s.ends, s.variables) = (ends, variables);
                    std::mem::replace(&mut s.defined, true)
                });
                if defined {
                    let text = self.text(written).to_owned();
                    return self.error(stmt.span, format!("label `{text}` stands twice in this function"));
                }
                self.label_here(here);
                let label = Label { name: self.text(written).into(), loc: here, pos: self.fun.pos };
                self.fun.builder.header.labels.push(label);
                self.stmt(body)
            }
            StmtKind::Goto(name) => {
                let name = self.label_name(name);
                self.label(name, stmt.span);
                self.goto(name);
                Ok(())
            }
            StmtKind::GotoComputed(e) => self.goto_computed(e),
            StmtKind::Continue => match self.fun.continues.last() {
                Some(&(target, depth)) => {
                    self.leave_scopes(depth);
                    self.jump(target);
                    Ok(())
                }
                None => self.error(stmt.span, "`continue` stands outside a loop"),
            },
            StmtKind::Break => match self.fun.breaks.last() {
                Some(&(target, depth)) => {
                    self.leave_scopes(depth);
                    self.jump(target);
                    Ok(())
                }
                None => self.error(stmt.span, "`break` stands outside a loop or `switch`"),
            },
            StmtKind::Return(e) => self.return_stmt(stmt.span, e),
            StmtKind::Asm(asm) => self.asm(stmt.span, asm),
        }
    }

    fn if_stmt(&mut self, cond: &Expr<'a>, then: &Stmt<'a>, otherwise: Option<&'a Stmt<'a>>) -> R<()> {
        let (yes, no, end) = (self.location(), self.location(), self.location());
        self.condition(cond, yes, no)?;
        self.fun.at = yes;
        let first = self.scoped(then);
        self.jump(end);
        self.fun.at = no;
        let second = otherwise.map_or(Ok(()), |s| self.scoped(s));
        self.label_here(end);
        first.and(second)
    }

    /// A statement that is its own scope.
    fn scoped(&mut self, stmt: &Stmt<'a>) -> R<()> {
        if matches!(stmt.kind, StmtKind::Block(_)) {
            return self.stmt(stmt);
        }
        self.scopes.push();
        let result = self.stmt(stmt);
        self.close_scope();
        result
    }

    fn while_stmt(&mut self, span: Span, cond: &Expr<'a>, body: &Stmt<'a>) -> R<()> {
        let (head, inside, end) = (self.location(), self.location(), self.location());
        self.label_here(head);
        let first = self.condition(cond, inside, end);
        self.fun.at = inside;
        let second = self.loop_body(body, end, head);
        self.at_span(span);
        self.jump(head);
        self.fun.at = end;
        first.and(second)
    }

    fn do_stmt(&mut self, cond: &Expr<'a>, body: &Stmt<'a>) -> R<()> {
        let (head, check, end) = (self.location(), self.location(), self.location());
        self.label_here(head);
        let first = self.loop_body(body, end, check);
        self.label_here(check);
        let second = self.condition(cond, head, end);
        self.fun.at = end;
        first.and(second)
    }

    fn for_stmt(&mut self, span: Span, f: &For<'a>) -> R<()> {
        self.stmt(&f.init)?;
        let (head, inside, step, end) = (self.location(), self.location(), self.location(), self.location());
        self.at_span(span);
        self.label_here(head);
        let first = match f.condition {
            Some(cond) => self.condition(cond, inside, end),
            None => {
                self.jump(inside);
                Ok(())
            }
        };
        self.fun.at = inside;
        let second = self.loop_body(&f.body, end, step);
        self.label_here(step);
        let third = f.step.map_or(Ok(()), |e| {
            self.at_span(e.span);
            self.effect(e)
        });
        self.jump(head);
        self.fun.at = end;
        first.and(second).and(third)
    }

    fn loop_body(&mut self, body: &Stmt<'a>, on_break: LocId, on_continue: LocId) -> R<()> {
        let depth = self.scopes.depth();
        self.fun.breaks.push((on_break, depth));
        self.fun.continues.push((on_continue, depth));
        let result = self.scoped(body);
        self.fun.breaks.pop();
        self.fun.continues.pop();
        result
    }

    pub(super) fn location(&mut self) -> LocId {
        self.fun.builder.location()
    }

    fn switch_stmt(&mut self, e: &Expr<'a>, body: &Stmt<'a>) -> R<()> {
        let value = self.rvalue(e)?;
        if self.types.as_int(value.ty).is_none() {
            return self.error(e.span, "a `switch` needs an integer");
        }
        let value = self.promote_int(value);
        let value = self.capture(value);
        let (dispatch, end) = (self.fun.at, self.location());
        let pos = self.fun.pos;
        self.fun.at = self.location();
        self.fun.switches.push(Switch {
            cases: Vec::new(),
            taken: BTreeMap::new(),
            default: None,
            ty: value.ty,
            depth: self.scopes.depth(),
        });
        self.fun.breaks.push((end, self.scopes.depth()));
        let result = self.scoped(body);
        self.fun.breaks.pop();
        let switch = self.fun.switches.pop();
        self.jump(end);
        self.fun.at = dispatch;
        if let Some(switch) = switch {
            self.dispatch(value, &switch, pos, end);
        }
        self.fun.at = end;
        result
    }

    /// Compares the value with each case in order.
    fn dispatch(&mut self, value: Val, switch: &Switch, pos: crate::ir::SrcPos, end: LocId) {
        let signed = self.types.is_signed(value.ty);
        let Ty::Int(bits) = self.program.exprs.ty(value.e) else { return };
        for (low, high, entrance) in &switch.cases {
            let (low, high) = (*low, *high);
            self.fun.pos = pos;
            let target = self.entrance(entrance);
            let next = self.location();
            let first = self.program.exprs.int(bits, low);
            if low == high {
                let cond = self.program.exprs.binary(BinOp::Eq, value.e, first);
                self.branch(cond, target, next);
            } else {
                let last = self.program.exprs.int(bits, high);
                let le = if signed { BinOp::SLe } else { BinOp::ULe };
                let above = self.location();
                let cond = self.program.exprs.binary(le, first, value.e);
                self.branch(cond, above, next);
                self.fun.at = above;
                let cond = self.program.exprs.binary(le, value.e, last);
                self.branch(cond, target, next);
            }
            self.fun.at = next;
        }
        let target = switch.default.as_ref().map_or(end, |entrance| self.entrance(entrance));
        self.jump(target);
    }

    fn case(&mut self, low: i128, high: i128, span: Span) -> R<()> {
        let here = self.location();
        let Some(switch) = self.fun.switches.last() else {
            return self.error(span, "`case` stands outside a `switch`");
        };
        let ty = switch.ty;
        let (low, high) = (self.wrap_constant(low, ty), self.wrap_constant(high, ty));
        // Of those that begin no higher, only the last one may reach here: they do not overlap.
        let before = self.fun.switches.last().and_then(|switch| switch.taken.range(..=high).next_back());
        let duplicate = before.filter(|(_, (last, _))| *last >= low).map(|(_, &(_, previous))| previous);
        if let Some(previous) = duplicate
            && low <= high
        {
            let error = robusto_syntax::Diagnostic::error(span, "this value has a `case` already");
            return self.report(error.note(previous, "the other one is here"));
        }
        let passed = self.passed_by_switch();
        if let Some(switch) = self.fun.switches.last_mut()
            && low <= high
        {
            switch.cases.push((low, high, Entrance { loc: here, passed }));
            switch.taken.insert(low, (high, span));
        }
        self.label_here(here);
        Ok(())
    }

    /// `__label__ a, b;`: labels of a block of their own, though others of the function may have the same names.
    fn declare_labels(&mut self, names: &[Symbol]) {
        for &name in names {
            self.anonymous += 1;
            let own = format!("{}.{}", self.text(name), self.anonymous);
            let own = self.names.intern(&own);
            self.fun.local_labels.push((self.scopes.depth(), name, own));
        }
    }

    /// The name under which a label is known in the function.
    fn label_name(&self, name: Symbol) -> Symbol {
        self.fun.local_labels.iter().rev().find(|&&(_, declared, _)| declared == name).map_or(name, |&(_, _, own)| own)
    }

    /// The location of a label.
    fn label(&mut self, name: Symbol, span: Span) -> LocId {
        if let Some(state) = self.fun.labels.get(&name) {
            return state.loc;
        }
        let loc = self.location();
        self.fun.labels.insert(name, LabelState { loc, defined: false, span, ends: Vec::new(), variables: Vec::new() });
        loc
    }

    /// The address of a label: a small number that `goto *e` compares with, another one for each label of the program.
    pub(super) fn label_address(&mut self, name: Symbol, span: Span) -> crate::ir::ExprId {
        let name = self.label_name(name);
        let known = self.fun.label_addresses.iter().find(|&&(label, ..)| label == name);
        let address = match known {
            Some(&(_, _, address)) => address,
            None => {
                self.labels_taken += 1;
                self.fun.label_addresses.push((name, span, self.labels_taken));
                self.labels_taken
            }
        };
        self.program.exprs.constant(Ty::Ptr, address)
    }

    fn goto_computed(&mut self, e: &Expr<'a>) -> R<()> {
        let value = self.rvalue(e)?;
        if self.has_cleanups() {
            self.unsupported("a computed goto in a scope with cleanups");
            return Ok(());
        }
        let (hub, var) = match self.fun.computed_goto {
            Some(known) => known,
            None => {
                let known = (self.location(), self.temp(Ty::Ptr, false));
                self.fun.computed_goto = Some(known);
                known
            }
        };
        let void = self.types.void();
        let pointer = self.types.pointer(void);
        let value = self.convert(value, pointer, e.span)?;
        self.assign_var(var, value.e);
        self.jump(hub);
        let scopes = self.scopes.beyond(self.fun.outer_scopes);
        self.fun.computed_from.push(scopes);
        Ok(())
    }

    /// At the end of a function: every mentioned label exists, and computed gotos get their targets.
    pub(super) fn check_labels(&mut self) -> R<()> {
        for (name, span, _) in self.fun.label_addresses.clone() {
            self.label(name, span);
        }
        let from = std::mem::take(&mut self.fun.computed_from);
        if let Some((hub, var)) = self.fun.computed_goto {
            self.fun.at = hub;
            let target = self.program.exprs.var(var);
            for (name, _, address) in self.fun.label_addresses.clone() {
                let label = &self.fun.labels[&name];
                let loc = label.loc;
                let mut ways = from.iter().map(|scopes| passed(&label.variables, scopes));
                let way = ways.next().unwrap_or_default();
                // All of them share one way to each label.
                let differ = ways.any(|other| other != way);
                let (here, next) = (self.location(), self.location());
                let address = self.program.exprs.constant(Ty::Ptr, address);
                let cond = self.program.exprs.binary(BinOp::Eq, target, address);
                self.branch(cond, here, next);
                self.fun.at = here;
                if differ {
                    self.unsupported("a computed goto from inside and from outside to a label behind declarations");
                }
                self.enter(&way, loc);
                self.fun.at = next;
            }
            self.unsupported("a computed goto to something that is not a label of this function");
        }
        self.finish_gotos();
        let mut missing: Vec<(Span, Symbol)> =
            self.fun.labels.iter().filter(|(_, s)| !s.defined).map(|(&name, s)| (s.span, name)).collect();
        missing.sort();
        let outside = |name: Symbol| self.enclosing.iter().any(|f| f.local_labels.iter().any(|l| l.1 == name));
        let (left, missing): (Vec<_>, Vec<_>) = missing.into_iter().partition(|&(_, name)| outside(name));
        for (span, name) in left {
            self.at_span(span);
            self.fun.at = self.fun.labels[&name].loc;
            self.unsupported("a goto out of a nested function");
        }
        for &(span, name) in &missing {
            let text = self.text(name).to_owned();
            let _ = self.error::<()>(span, format!("label `{text}` is not in this function"));
        }
        if missing.is_empty() { Ok(()) } else { Err(super::Failed) }
    }

    fn return_stmt(&mut self, span: Span, e: Option<&'a Expr<'a>>) -> R<()> {
        let ret = self.fun.ret;
        let value = match e {
            None => match self.fun.builder.header.ret {
                None => None,
                Some(ty) => {
                    let var = self.temp(ty, true);
                    self.emit(Op::Havoc { var, source: HavocSource::Undefined });
                    Some(self.program.exprs.var(var))
                }
            },
            Some(e) if matches!(self.types.get(ret), CType::Void) => {
                self.effect(e)?;
                None
            }
            Some(e) => {
                let value = self.rvalue(e)?;
                let value = self.convert(value, ret, e.span)?;
                match self.fun.ret_address {
                    None if self.has_cleanups() => Some(self.capture(value).e),
                    None => Some(value.e),
                    Some(address) => {
                        let dst = self.program.exprs.var(address);
                        self.copy_aggregate(dst, value);
                        None
                    }
                }
            }
        };
        self.at_span(span);
        self.leave_function();
        self.emit_return(value);
        Ok(())
    }

    /// A declaration in a block.
    fn local_declaration(&mut self, declaration: &Declaration<'a>) -> R<()> {
        let base = self.declaration_base(declaration)?;
        for d in declaration.declarators {
            self.at_span(d.declarator.span);
            let declared = self.declared_type(base, d, declaration)?;
            let is_function = matches!(self.types.get(declared.ty), CType::Function(_));
            match declaration.specs.storage {
                Some(Storage::Typedef | Storage::Extern) => self.declare_global(declared, d, declaration)?,
                Some(Storage::Auto) if is_function => {
                    if let Some(name) = d.declarator.name {
                        self.declare_nested(name, declared.ty, d.declarator.span)?;
                    }
                }
                _ if is_function => self.declare_global(declared, d, declaration)?,
                Some(Storage::Static) => self.static_local(declared, d)?,
                _ => {
                    self.local_variable(declared, d)?;
                    self.add_cleanup(d, declaration)?;
                    if d.asm_name.is_some() {
                        self.assume(d.span, Granted::NamedRegister);
                    }
                }
            }
        }
        Ok(())
    }

    fn static_local(&mut self, declared: super::declare::Declared, d: &InitDeclarator<'a>) -> R<()> {
        let Some(name) = d.declarator.name else { return Ok(()) };
        let function = self.fun.name.map(|f| self.text(f).to_owned()).unwrap_or_default();
        let text = format!("{function}.{}", self.text(name));
        let (pos, span) = (self.fun.pos, d.declarator.span);
        let kind = ObjectKind::Global(crate::ir::Image::default());
        let obj = self.new_object(&text, declared.ty, kind, declared.align, pos);
        self.objects[obj.index()].defined = Some(span);
        self.scopes.declare(name, Sym::Object(obj), span);
        if let Some(init) = &d.init {
            let (image, ty, size) = self.static_image(declared.ty, init)?;
            self.set_image(obj, ty, image, size);
            self.scopes.declare(name, Sym::Object(obj), span);
        }
        Ok(())
    }

    fn local_variable(&mut self, declared: super::declare::Declared, d: &InitDeclarator<'a>) -> R<()> {
        let Some(name) = d.declarator.name else { return Ok(()) };
        let (span, pos) = (d.declarator.span, self.fun.pos);
        if let Some((_, previous)) = self.scopes.lookup_here(name) {
            let text = self.text(name).to_owned();
            let error = robusto_syntax::Diagnostic::error(span, format!("`{text}` is declared twice in this block"));
            return self.report(error.note(previous, "the other declaration is here"));
        }
        let mut ty = declared.ty;
        if self.is_variable_size(ty) {
            let size = self.size_of_value(ty);
            let var = self.temp(Ty::Ptr, false);
            self.program.vars[var].name = self.text(name).into();
            self.assume_room(span, AllocKind::Stack);
            // C23: only `{}` may initialise it.
            let zeroed = match d.init {
                None => false,
                Some(Init::List([], _)) => true,
                Some(_) => return self.error(d.span, "an array of variable size may only be initialised by `{}`"),
            };
            self.emit(Op::Alloc { var, size, kind: AllocKind::Stack, zeroed });
            self.scopes.declare(name, Sym::Vla(var, ty), span);
            self.scopes.add_end(ScopeEnd::Free(var));
            return Ok(());
        }
        if let Some(init) = &d.init
            && self.types.size(ty).is_none()
        {
            ty = self.completed_by(ty, init)?;
        }
        if self.types.size(ty).is_none() || matches!(self.types.get(ty), CType::Void) {
            let (text, of) = (self.text(name).to_owned(), self.types.describe(ty));
            return self.error(span, format!("variable `{text}` has incomplete type `{of}`"));
        }
        let text = self.text(name).to_owned();
        let obj = self.new_object(&text, ty, ObjectKind::Local(self.fun.builder.id), declared.align, pos);
        self.scopes.declare(name, Sym::Object(obj), span);
        self.scopes.add_variable(obj);
        self.end_with_block(obj);
        let addr = self.obj_addr(obj);
        match &d.init {
            Some(init) => self.initialise(addr, ty, init),
            None => {
                self.make_indeterminate(obj);
                Ok(())
            }
        }
    }

    /// Whether an initialiser is a single expression.
    pub(super) fn as_expr(init: &Init<'a>) -> Option<&'a Expr<'a>> {
        match init {
            Init::Expr(e) => Some(e),
            Init::List(items, _) => match items {
                [item] if item.designators.is_empty() => Self::as_expr(&item.init),
                _ => None,
            },
        }
    }
}
