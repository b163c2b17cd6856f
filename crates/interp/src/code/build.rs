//! Functions and edges to steps.

use super::expr::{Direct, Expressions};
use super::{Action, BuiltinSite, CallSite, CallTarget, Code, FrameObject, FunctionCode, Operand, Rare, Slot, Step};
use crate::memory::layout::{Layout, after, place};
use robusto_cfa::ir::{Callee, Edge, Expr, ExprId, FuncId, Idx, IdxVec, LocId, Op, Program, Ty, VarId, VarKind};
use rustc_hash::FxHashSet;

pub(super) fn build(program: &Program, own: &FxHashSet<ExprId>) -> Code {
    let layout = Layout::new(program);
    let mut builder = Builder {
        program,
        exprs: Expressions::new(program, &layout, own),
        steps: Vec::new(),
        calls: Vec::new(),
        builtins: Vec::new(),
    };
    builder.allot_globals();
    let functions = program.functions.ids().map(|id| builder.function(id)).collect();
    let Builder { exprs, steps, calls, builtins, .. } = builder;
    let Expressions { instrs, statics, vars, .. } = exprs;
    Code { model: program.model, steps, instrs, calls, builtins, functions, statics, vars, layout }
}

struct Builder<'p> {
    program: &'p Program,
    exprs: Expressions<'p>,
    steps: Vec<Step>,
    calls: Vec<CallSite>,
    builtins: Vec<BuiltinSite>,
}

impl Builder<'_> {
    /// Gives the global variables their slots and initial values.
    fn allot_globals(&mut self) {
        self.exprs.vars = IdxVec::filled(Slot::fixed(0), self.program.vars.len());
        for (id, var) in self.program.vars.enumerate() {
            if let VarKind::Global(init) = var.kind {
                self.exprs.vars[id] = Slot::fixed(self.exprs.statics.len());
                let value = self.initial(init);
                self.exprs.statics.push(value as u64);
                if var.ty.is_wide() {
                    self.exprs.statics.push((value >> 64) as u64);
                }
            }
        }
    }

    /// The value of a constant expression: of constants, casts, operators and static addresses.
    fn initial(&self, id: ExprId) -> u128 {
        let exprs = &self.program.exprs;
        let model = self.program.model;
        let narrow = |ty: Ty| !ty.is_wide();
        match exprs.get(id) {
            Expr::Const(_, bits) => bits.into(),
            Expr::ObjAddr(object) => self.exprs.layout.object(object).unwrap_or(0).into(),
            Expr::FuncAddr(function) => self.exprs.layout.function(function).into(),
            Expr::Cast(op, to, arg) => crate::eval::cast(op, exprs.ty(arg), to, model, self.initial(arg)),
            Expr::Binary(op, a, b) => crate::eval::binary(op, exprs.ty(a), model, self.initial(a), self.initial(b)),
            Expr::Unary(op, a) => crate::eval::unary(op, exprs.ty(a), model, self.initial(a)),
            Expr::Var(_) | Expr::Load(..) | Expr::Holds(..) => {
                debug_assert!(narrow(exprs.ty(id)), "an initial value is constant");
                0
            }
        }
    }

    fn function(&mut self, id: FuncId) -> FunctionCode {
        let function = &self.program.functions[id];
        self.exprs.slots = 0;
        self.exprs.objects.clear();
        for &var in function.params.iter().chain(&function.locals) {
            self.exprs.vars[var] = Slot::frame(self.exprs.slots);
            self.exprs.slots += if self.program.vars[var].ty.is_wide() { 2 } else { 1 };
        }
        let params = function.params.iter().map(|&var| self.var(var)).collect();
        let mut objects = Vec::with_capacity(function.objects.len());
        let (mut end, mut align) = (0, 16);
        for &id in &function.objects {
            let object = &self.program.objects[id];
            let slot = Slot::frame(self.exprs.slots);
            self.exprs.slots += 1;
            // The frame's memory starts at a multiple of the largest alignment.
            let offset = place(end, object.align.into(), 0);
            end = after(offset, object.size);
            align = align.max(object.align.into());
            self.exprs.objects.insert(id, (slot, offset));
            objects.push(FrameObject { id, slot, offset, size: object.size });
        }
        self.exprs.temps = self.exprs.slots;
        let first = self.steps.len() as u32;
        for loc in function.locs() {
            let step = self.step(first, id, loc);
            self.steps.push(step);
        }
        FunctionCode {
            first,
            entry: first + function.entry.index() as u32,
            slots: self.exprs.slots,
            params,
            objects: objects.into(),
            align,
        }
    }

    fn var(&self, var: VarId) -> Operand {
        Operand { slot: self.exprs.vars[var], ty: self.program.vars[var].ty }
    }

    fn step(&mut self, first: u32, function: FuncId, loc: LocId) -> Step {
        let from = self.exprs.instrs.len() as u32;
        self.exprs.start_edge();
        let mut out = self.program.functions[function].out(loc).map(|(_, edge)| edge);
        let action = match (out.next(), out.next()) {
            (None, _) => Action::Other(Rare::DeadEnd),
            (Some(edge), None) => self.action(edge, first + edge.dst.index() as u32),
            (Some(yes), Some(no)) => match yes.op {
                Op::Assume { cond, .. } => {
                    self.branch(cond, first + yes.dst.index() as u32, first + no.dst.index() as u32)
                }
                _ => unreachable!("only branches have two edges"),
            },
        };
        Step { from, to: self.exprs.instrs.len() as u32, action }
    }

    fn branch(&mut self, cond: ExprId, then: u32, other: u32) -> Action {
        if let Expr::Binary(op, a, b) = self.program.exprs.get(cond) {
            let ty = self.program.exprs.ty(a);
            if op.is_comparison() && !ty.is_float() && !ty.is_wide() {
                let bits = ty.bits(self.program.model) as u8;
                let (a, b) = (self.exprs.value(a).slot, self.exprs.value(b).slot);
                return Action::Compare { op, bits, a, b, then, other };
            }
        }
        Action::Branch { cond: self.exprs.value(cond).slot, then, other }
    }

    /// Copied and filled bytes must be the program's own where their addresses say so.
    fn stays_inside(&mut self, op: &Op) {
        let (addresses, size) = match *op {
            Op::Copy { dst, src, size } => ([Some(dst), Some(src)], size),
            Op::Fill { dst, size, .. } => ([Some(dst), None], size),
            _ => return,
        };
        // Of no bytes, any address will do.
        if let Some(size) = self.program.exprs.as_const(size).filter(|&size| size > 0) {
            for addr in addresses.into_iter().flatten().filter(|addr| self.exprs.own.contains(addr)) {
                let slot = self.exprs.value(addr).slot;
                self.exprs.stay_inside(addr, slot, size);
            }
        }
    }

    fn action(&mut self, edge: &Edge, next: u32) -> Action {
        self.stays_inside(&edge.op);
        let mut slot = |id: ExprId| self.exprs.value(id).slot;
        Action::Other(match edge.op {
            Op::Skip => return Action::Goto { next },
            Op::Assign { var, value } => return self.assign(var, value, next),
            Op::Store { addr, value } => return self.store(addr, value, next),
            Op::Assume { cond, truth } => Rare::Assume { cond: slot(cond), truth, next },
            Op::Copy { dst, src, size } => Rare::Copy { dst: slot(dst), src: slot(src), size: slot(size), next },
            Op::Fill { dst, byte, size } => Rare::Fill { dst: slot(dst), byte: slot(byte), size: slot(size), next },
            Op::Havoc { var, .. } => Rare::Havoc { var, next },
            Op::HavocMem { addr, size, .. } => Rare::HavocMem { addr: slot(addr), size: slot(size), next },
            Op::Alloc { var, size, kind, .. } => {
                let size = slot(size);
                Rare::Alloc { dst: self.exprs.vars[var], size, kind, next }
            }
            Op::Free { ptr, kind } => Rare::Free { ptr: slot(ptr), kind, next },
            Op::Return { value } => Rare::Return { value: value.map(|value| self.exprs.value(value)) },
            Op::Error(_) => Rare::Error,
            Op::Halt { status } => Rare::Halt { status: status.map(slot) },
            Op::Unsupported(_) => Rare::Unsupported,
            Op::Call { result, callee, ref args } => {
                let target = match callee {
                    Callee::Direct(function) => CallTarget::Direct(function),
                    Callee::Indirect(pointer, _) => CallTarget::Indirect(slot(pointer)),
                };
                let args = args.iter().map(|&arg| self.exprs.value(arg)).collect();
                self.calls.push(CallSite { target, args, result });
                Rare::Call { call: self.calls.len() as u32 - 1, next }
            }
            Op::Builtin { result, builtin, ref args } => {
                let args = args.iter().map(|&arg| self.exprs.value(arg)).collect();
                self.builtins.push(BuiltinSite { builtin, args, result });
                Rare::Builtin { call: self.builtins.len() as u32 - 1, next }
            }
        })
    }

    fn assign(&mut self, var: VarId, value: ExprId, next: u32) -> Action {
        let Operand { slot: dst, ty } = self.var(var);
        match self.exprs.leaf(value) {
            Some(src) if ty.is_wide() => Action::WideMove { dst, src, next },
            Some(src) => Action::Move { dst, src, next },
            None => {
                self.exprs.compute(value, Some(dst));
                Action::Goto { next }
            }
        }
    }

    fn store(&mut self, addr: ExprId, value: ExprId, next: u32) -> Action {
        let ty = self.program.exprs.ty(value);
        let size = ty.size(self.program.model) as u8;
        let direct = self.exprs.direct(addr, ty, true);
        let value = self.exprs.value(value).slot;
        match direct {
            Some(Direct::Static(offset)) => Action::StoreStatic { size, offset, value, next },
            Some(Direct::Frame(offset)) => Action::StoreFrame { size, offset, value, next },
            None if self.exprs.own.contains(&addr) => {
                let slot = self.exprs.value(addr).slot;
                self.exprs.stay_inside(addr, slot, size.into());
                let addr = slot;
                match ty.is_wide() {
                    true => Action::Other(Rare::WideStore { size, addr, value, next }),
                    false => Action::Store { size, addr, value, next },
                }
            }
            None if ty.is_wide() => {
                Action::Other(Rare::WideStore { size, addr: self.exprs.value(addr).slot, value, next })
            }
            None => match self.exprs.element(addr) {
                Some(element) => Action::StoreElement { size, element, value, next },
                None => Action::Store { size, addr: self.exprs.value(addr).slot, value, next },
            },
        }
    }
}
