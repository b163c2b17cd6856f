//! Variables, objects, and the lists that hold them.

use super::{Checker, typing};
use crate::ir::{BinOp, CastOp, Expr, ExprId, FuncId, Idx, Image, ObjId, Object, ObjectKind, RelocTarget, Ty, VarKind};

impl Checker<'_> {
    /// Variables and objects of the program, and the lists of its functions.
    pub(super) fn declarations(&mut self) {
        let program = self.program;
        let mut var_lists = vec![None; program.vars.len()];
        let mut object_lists = vec![None; program.objects.len()];
        for (id, function) in program.functions.enumerate() {
            self.function = Some(id);
            self.pos(function.pos, || "the function".into());
            if let Some(ret) = function.ret {
                self.check(typing::exists(ret), || format!("there is no type {ret}"));
            }
            let params = function.params.iter().map(|&v| (v, "params"));
            for (var, list) in params.chain(function.locals.iter().map(|&v| (v, "locals"))) {
                let Some(found) = program.vars.get(var) else {
                    self.report(format!("`{list}` holds {var}, which does not exist"));
                    continue;
                };
                let fits = match found.kind {
                    VarKind::Param(owner) => owner == id && list == "params",
                    VarKind::Local(owner) | VarKind::Temp(owner) => owner == id && list == "locals",
                    VarKind::Global(_) => false,
                };
                let kind = found.kind;
                self.check(fits, || format!("`{list}` holds {var} ({}), which is {kind:?}", found.name));
                let before = var_lists[var.index()].replace(id);
                self.check(before.is_none(), || format!("{var} ({}) stands in the lists twice", found.name));
            }
            for &object in &function.objects {
                let Some(found) = program.objects.get(object) else {
                    self.report(format!("`objects` holds {object}, which does not exist"));
                    continue;
                };
                let fits = found.kind == ObjectKind::Local(id);
                self.check(fits, || format!("`objects` holds {object} ({}), which is not its own", found.name));
                let before = object_lists[object.index()].replace(id);
                self.check(before.is_none(), || format!("{object} ({}) stands in the lists twice", found.name));
            }
        }
        self.function = None;
        self.vars(&var_lists);
        self.objects(&object_lists);
    }

    fn vars(&mut self, lists: &[Option<FuncId>]) {
        for (index, (id, var)) in self.program.vars.enumerate().enumerate() {
            self.pos(var.pos, || format!("{id} ({})", var.name));
            self.check(typing::exists(var.ty), || format!("{id} ({}): there is no type {}", var.name, var.ty));
            match var.kind {
                VarKind::Global(value) => self.initial_value(value, var.ty, &format!("{id} ({})", var.name)),
                VarKind::Param(owner) | VarKind::Local(owner) | VarKind::Temp(owner) => {
                    let listed = lists[index].is_some();
                    self.check(listed, || format!("{id} ({}) of {owner} stands in no list of it", var.name));
                }
            }
        }
    }

    /// A constant, an address, or an address plus a constant, as a number too.
    fn initial_value(&mut self, value: ExprId, ty: Ty, of: &str) {
        if !self.exists(value) {
            return;
        }
        let pool = &self.program.exprs;
        let found = pool.ty(value);
        self.check(found == ty, || format!("{of} has type {ty}, but its initial value {found}"));
        let is_base = |id| matches!(pool.get(id), Expr::ObjAddr(_) | Expr::FuncAddr(_));
        let is_address = |id| match pool.get(id) {
            Expr::Binary(BinOp::PtrAdd, base, offset) => is_base(base) && pool.as_const(offset).is_some(),
            _ => is_base(id),
        };
        let simple = match pool.get(value) {
            Expr::Const(..) => true,
            Expr::Cast(CastOp::PtrToInt, _, address) => is_address(address),
            // A wide constant is built from narrower ones.
            _ if ty.is_wide() => self.is_closed(value),
            _ => is_address(value),
        };
        let text = self.names.expr(value).to_string();
        self.check(simple, || format!("the initial value of {of}, `{text}`, is no constant and no address"));
        if let Some(object) = self.local_object(value) {
            self.report(format!("the initial value of {of} is the address of {object}, which is local"));
        }
    }

    /// Whether only constants occur in a (small) expression.
    fn is_closed(&self, id: ExprId) -> bool {
        let pool = &self.program.exprs;
        let mut stack = vec![id];
        let mut budget = 64;
        while let Some(id) = stack.pop() {
            budget -= 1;
            let leaf = matches!(
                pool.get(id),
                Expr::Var(_) | Expr::Load(..) | Expr::Holds(..) | Expr::ObjAddr(_) | Expr::FuncAddr(_)
            );
            if leaf || budget == 0 {
                return false;
            }
            stack.extend(pool.operands(id));
        }
        true
    }

    fn local_object(&self, value: ExprId) -> Option<ObjId> {
        let pool = &self.program.exprs;
        let base = pool.operands(value).next().unwrap_or(value);
        match pool.get(base) {
            Expr::ObjAddr(object) => {
                matches!(self.program.objects.get(object)?.kind, ObjectKind::Local(_)).then_some(object)
            }
            _ => None,
        }
    }

    fn objects(&mut self, lists: &[Option<FuncId>]) {
        for (index, (id, object)) in self.program.objects.enumerate().enumerate() {
            let of = format!("{id} ({})", object.name);
            self.pos(object.pos, || of.clone());
            let align = object.align;
            self.check(align.is_power_of_two(), || format!("{of} is aligned to {align}, which is no power of two"));
            match &object.kind {
                ObjectKind::Global(image) | ObjectKind::Constant(image) => self.image(image, object.size, &of),
                ObjectKind::Local(owner) => {
                    self.check(lists[index].is_some(), || format!("{of} of {owner} does not stand in its list"));
                }
            }
        }
    }

    fn image(&mut self, image: &Image, size: u64, of: &str) {
        let bytes = image.bytes.len();
        self.check(bytes as u64 <= size, || format!("{of} has {size} bytes, but its image {bytes}"));
        self.check(image.bytes.last() != Some(&0), || format!("the image of {of} ends with a zero"));
        let width = u64::from(self.program.model.pointer_bits() / 8);
        let mut end = 0;
        for relocation in &image.relocations {
            let offset = relocation.offset;
            self.check(offset >= end, || format!("an address at {offset} in {of} is not in order, or overlaps"));
            end = offset.saturating_add(width);
            self.check(end <= size, || format!("an address at {offset} in {of} goes beyond its {size} bytes"));
            match relocation.target {
                RelocTarget::Function(function) => {
                    let there = self.program.functions.get(function).is_some();
                    self.check(there, || format!("{of} holds the address of {function}, which does not exist"));
                }
                RelocTarget::Object(object) => {
                    let global = |o: &Object| !matches!(o.kind, ObjectKind::Local(_));
                    let there = self.program.objects.get(object).is_some_and(global);
                    self.check(there, || {
                        format!("{of} holds the address of {object}, which does not exist or is local")
                    });
                }
            }
        }
    }
}
