//! Collects the uses: marks on variables, and which of them belong together.
//!
//! Each expression that is used is looked at once, operands first. Its [`Shape`] says what its value is made of; the
//! operator above decides what that means for the variables inside. A nonlinear operator spoils everything below it up
//! to the next truth value or memory access; that runs top-down afterwards.

use crate::analysis::callgraph::CallGraph;
use crate::analysis::liveness;
use crate::analysis::uses::{Uses, for_each_root};
use crate::ir::{BinOp, CastOp, Expr, ExprId, FuncId, Function, Idx, IdxVec, Op, Program, Ty, UnOp, VarId, VarKind};

/// How far up the lattice a use moves a group.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Level {
    Equality,
    Order,
    Linear,
    General,
}

/// A variable, the result of a function, or a logical expression in the union-find forest.
pub(super) type Slot = u32;

/// What happens to a slot's group.
#[derive(Clone, Copy, Debug)]
pub(super) enum Event {
    /// A member is assigned a constant of this width.
    Assigned(u64, u32),
    /// A member is compared with a constant of this width.
    Compared(u64, u32),
    /// A member is cast from one width to another.
    Cast(CastOp, u32, u32),
    /// Members are compared with each other.
    ComparedMembers,
    Havocked,
    Loaded,
    /// A member is assigned the result of arithmetic.
    Computed,
    /// Members are combined by `&`, `|`, `^`.
    Logic,
}

/// All that is known when the program has been walked through.
pub(super) struct Facts {
    pub parent: Vec<Slot>,
    pub level: Vec<Level>,
    pub events: Vec<(Slot, Event)>,
}

impl Facts {
    fn slot(&mut self) -> Slot {
        self.parent.push(self.parent.len() as Slot);
        self.level.push(Level::Equality);
        self.parent.len() as Slot - 1
    }

    pub fn find(&mut self, mut slot: Slot) -> Slot {
        while self.parent[slot as usize] != slot {
            self.parent[slot as usize] = self.parent[self.parent[slot as usize] as usize];
            slot = self.parent[slot as usize];
        }
        slot
    }

    fn unite(&mut self, a: Slot, b: Slot) {
        let (a, b) = (self.find(a), self.find(b));
        // The smaller number, so that the representative is a variable.
        self.parent[a.max(b) as usize] = a.min(b);
    }

    fn event(&mut self, slot: Slot, event: Event) {
        self.events.push((slot, event));
    }

    fn raise(&mut self, slot: Slot, level: Level) {
        let at = &mut self.level[slot as usize];
        *at = level.max(*at);
    }
}

/// What the value of an expression is made of.
#[derive(Clone, Copy, Debug)]
enum Shape {
    Const(u64),
    /// Of type `BOOL`.
    Truth,
    /// 0 or 1 in a wider type.
    Bit,
    /// A member's value, possibly behind casts; or members combined by `&`, `|`, `^`.
    Member(Slot),
    /// The result of linear arithmetic.
    Linear,
    /// A value from memory.
    Loaded,
    /// Anything else.
    Opaque,
}

struct Collect<'p> {
    program: &'p Program,
    facts: Facts,
    /// Of the expressions that are used.
    shapes: IdxVec<ExprId, Option<Shape>>,
    /// Expressions below a nonlinear operator.
    spoiled: IdxVec<ExprId, bool>,
}

pub(super) fn collect(program: &Program, uses: &Uses, calls: &CallGraph) -> Facts {
    let mut facts = Facts { parent: Vec::new(), level: Vec::new(), events: Vec::new() };
    for _ in 0..program.vars.len() + program.functions.len() {
        facts.slot();
    }
    let n = program.exprs.len();
    let mut this = Collect { program, facts, shapes: IdxVec::filled(None, n), spoiled: IdxVec::filled(false, n) };
    this.expressions(calls);
    for (var, v) in program.vars.enumerate() {
        if let VarKind::Global(init) = v.kind {
            match program.exprs.as_const(init) {
                Some(bits) => this.facts.event(slot_of(var), Event::Assigned(bits, v.ty.bits(program.model))),
                None => this.facts.raise(slot_of(var), Level::General),
            }
        }
    }
    for (id, function) in program.functions.enumerate().filter(|&(id, _)| calls.is_reachable(id)) {
        this.function(id, function, uses, calls);
    }
    for id in program.exprs.ids().rev().filter(|&id| this.shapes[id].is_some()).collect::<Vec<_>>() {
        if this.spoiled[id] {
            this.spoil_operands(id);
        }
    }
    this.facts
}

fn slot_of(var: VarId) -> Slot {
    var.index() as Slot
}

impl Collect<'_> {
    fn result_slot(&self, function: FuncId) -> Slot {
        (self.program.vars.len() + function.index()) as Slot
    }

    /// Gives a shape to every expression that a function which may run evaluates.
    fn expressions(&mut self, calls: &CallGraph) {
        let exprs = &self.program.exprs;
        let mut used = IdxVec::filled(false, exprs.len());
        for (_, function) in self.program.functions.enumerate().filter(|&(id, _)| calls.is_reachable(id)) {
            for edge in function.edges().iter() {
                for_each_root(&edge.op, |root| used[root] = true);
            }
        }
        for id in exprs.ids().rev() {
            if used[id] {
                exprs.operands(id).for_each(|x| used[x] = true);
            }
        }
        for id in exprs.ids().filter(|&id| used[id]) {
            let shape = self.shape_of(id);
            self.shapes[id] = Some(shape);
        }
    }

    fn shape(&self, id: ExprId) -> Shape {
        self.shapes[id].expect("operands come first")
    }

    fn bits(&self, id: ExprId) -> u32 {
        self.program.exprs.ty(id).bits(self.program.model)
    }

    fn shape_of(&mut self, id: ExprId) -> Shape {
        let exprs = &self.program.exprs;
        let ty = exprs.ty(id);
        let expr = exprs.get(id);
        if let Expr::Binary(op, a, b) = expr
            && op.is_comparison()
        {
            self.compare(op, a, b);
        }
        if let Expr::Holds(_, addr, size) = expr {
            self.escape(addr);
            self.spoil(size);
        }
        if let (Expr::Cast(CastOp::Trunc, _, x), Ty::BOOL) = (expr, ty) {
            self.spoil(x);
        }
        match (expr, ty) {
            (Expr::Const(_, bits), Ty::Int(2..)) => Shape::Const(bits),
            (_, Ty::BOOL) => Shape::Truth,
            (Expr::Var(var), Ty::Int(..=64)) => Shape::Member(slot_of(var)),
            (Expr::Var(var), _) => {
                self.facts.raise(slot_of(var), Level::General);
                Shape::Opaque
            }
            (Expr::Load(..), Ty::Int(..=64)) => Shape::Loaded,
            (Expr::Const(..) | Expr::Load(..) | Expr::ObjAddr(_) | Expr::FuncAddr(_), _) => Shape::Opaque,
            (Expr::Unary(UnOp::Neg, x), _) => self.linear(&[x]),
            (Expr::Unary(_, x), _) => self.nonlinear(&[x]),
            (Expr::Binary(BinOp::Add | BinOp::Sub, x, y), _) => self.linear(&[x, y]),
            (Expr::Binary(BinOp::Mul | BinOp::Shl, x, y), _) if matches!(self.shape(y), Shape::Const(_)) => {
                self.linear(&[x])
            }
            (Expr::Binary(BinOp::Mul, x, y), _) if matches!(self.shape(x), Shape::Const(_)) => self.linear(&[y]),
            (Expr::Binary(BinOp::And | BinOp::Or | BinOp::Xor, x, y), _) => self.logic(x, y),
            (Expr::Binary(BinOp::PtrAdd, _, i), _) => {
                self.escape(i);
                Shape::Opaque
            }
            (Expr::Binary(_, x, y) | Expr::Holds(_, x, y), _) => self.nonlinear(&[x, y]),
            (Expr::Cast(op @ (CastOp::ZExt | CastOp::SExt | CastOp::Trunc), _, x), Ty::Int(..=64)) => {
                self.cast(op, x, ty.bits(self.program.model))
            }
            (Expr::Cast(CastOp::ZExt | CastOp::SExt | CastOp::Trunc, _, x), _) => self.nonlinear(&[x]),
            (Expr::Cast(_, _, x), _) => {
                self.escape(x);
                Shape::Opaque
            }
        }
    }

    fn linear(&mut self, operands: &[ExprId]) -> Shape {
        operands.iter().for_each(|&x| self.escape(x));
        let opaque = operands.iter().any(|&x| matches!(self.shape(x), Shape::Opaque));
        if opaque { Shape::Opaque } else { Shape::Linear }
    }

    fn nonlinear(&mut self, operands: &[ExprId]) -> Shape {
        operands.iter().for_each(|&x| self.spoil(x));
        Shape::Opaque
    }

    /// The value goes where only its bits count.
    fn spoil(&mut self, id: ExprId) {
        self.spoiled[id] = true;
        if let Shape::Member(slot) = self.shape(id) {
            self.facts.raise(slot, Level::General);
        }
    }

    fn spoil_operands(&mut self, id: ExprId) {
        let exprs = &self.program.exprs;
        if matches!(exprs.get(id), Expr::Unary(..) | Expr::Binary(..) | Expr::Cast(..)) && exprs.ty(id) != Ty::BOOL {
            for x in exprs.operands(id) {
                self.spoil(x);
            }
        }
    }

    /// The value goes into arithmetic, memory, an index.
    fn escape(&mut self, id: ExprId) {
        if let Shape::Member(slot) = self.shape(id) {
            self.facts.raise(slot, Level::Linear);
        }
    }

    fn logic(&mut self, x: ExprId, y: ExprId) -> Shape {
        let shapes = [self.shape(x), self.shape(y)];
        let bit = |s: &Shape| matches!(s, Shape::Bit | Shape::Const(0 | 1));
        if shapes.iter().all(bit) {
            return Shape::Bit;
        }
        if !shapes.iter().all(|s| bit(s) || matches!(s, Shape::Member(_))) {
            return self.nonlinear(&[x, y]);
        }
        let slot = self.facts.slot();
        self.facts.event(slot, Event::Logic);
        for shape in shapes {
            match shape {
                Shape::Member(member) => self.facts.unite(slot, member),
                Shape::Const(bits) => self.facts.event(slot, Event::Assigned(bits, self.bits(x))),
                _ => self.assign_bit(slot, self.bits(x)),
            }
        }
        Shape::Member(slot)
    }

    fn assign_bit(&mut self, slot: Slot, width: u32) {
        self.facts.event(slot, Event::Assigned(0, width));
        self.facts.event(slot, Event::Assigned(1, width));
    }

    fn cast(&mut self, op: CastOp, x: ExprId, width: u32) -> Shape {
        match self.shape(x) {
            Shape::Truth if op == CastOp::ZExt => Shape::Bit,
            Shape::Truth => Shape::Linear,
            Shape::Member(slot) => {
                self.facts.event(slot, Event::Cast(op, self.bits(x), width));
                Shape::Member(slot)
            }
            Shape::Const(_) => unreachable!("casts of constants are folded"),
            other => other,
        }
    }

    fn compare(&mut self, op: BinOp, a: ExprId, b: ExprId) {
        use Shape::*;
        let equality = matches!(op, BinOp::Eq | BinOp::Ne);
        let width = self.bits(a);
        match (self.shape(a), self.shape(b)) {
            (Member(slot), Const(bits)) | (Const(bits), Member(slot)) => {
                self.facts.event(slot, Event::Compared(bits, width));
                self.compare_with(slot, op, width);
            }
            (Member(slot), Bit) | (Bit, Member(slot)) => {
                self.facts.event(slot, Event::Compared(0, width));
                self.facts.event(slot, Event::Compared(1, width));
                self.compare_with(slot, op, width);
            }
            (Member(slot), Member(other)) if equality => {
                self.facts.unite(slot, other);
                self.facts.event(slot, Event::ComparedMembers);
            }
            _ => {
                self.escape(a);
                self.escape(b);
            }
        }
    }

    fn compare_with(&mut self, slot: Slot, op: BinOp, width: u32) {
        if !matches!(op, BinOp::Eq | BinOp::Ne) {
            self.facts.raise(slot, Level::Order);
        }
        if matches!(op, BinOp::SLt | BinOp::SLe) {
            self.facts.event(slot, Event::Compared(1 << (width - 1), width));
        }
    }

    fn function(&mut self, id: FuncId, function: &Function, uses: &Uses, calls: &CallGraph) {
        // A havoc, or the lack of an initial value, counts where the value can be read.
        let live = liveness::of_locals(uses, function);
        for &var in function.locals.iter().filter(|&&var| live[function.entry].contains(var)) {
            self.facts.event(slot_of(var), Event::Havocked);
        }
        if self.program.main.is_none_or(|main| main == id) {
            function.params.iter().for_each(|&p| self.facts.event(slot_of(p), Event::Havocked));
        }
        for (edge_id, edge) in function.edges().enumerate() {
            match edge.op {
                Op::Assign { var, value } => self.assign(slot_of(var), value),
                Op::Havoc { var, .. } => {
                    let local = self.program.vars[var].kind.owner().is_some();
                    if !local || live[edge.dst].contains(var) {
                        self.facts.event(slot_of(var), Event::Havocked);
                    }
                }
                Op::Return { value: Some(value) } => self.assign(self.result_slot(id), value),
                Op::Call { result, ref args, .. } => {
                    let site = calls.site(id, edge_id).expect("the call graph has every call");
                    for &callee in &site.callees {
                        self.call(callee, result, args);
                    }
                    if site.unknown {
                        result.into_iter().for_each(|var| self.facts.event(slot_of(var), Event::Havocked));
                    }
                }
                Op::Builtin { result, builtin, ref args } => {
                    result.into_iter().for_each(|var| self.facts.event(slot_of(var), Event::Havocked));
                    if !builtin.writes().is_empty() {
                        args.iter().for_each(|&arg| self.escape(arg));
                    }
                }
                Op::Store { .. } | Op::Copy { .. } | Op::Fill { .. } | Op::HavocMem { .. } | Op::Alloc { .. } => {
                    if let Op::Alloc { var, .. } = edge.op {
                        self.facts.event(slot_of(var), Event::Havocked);
                    }
                    for_each_root(&edge.op, |root| self.escape(root));
                }
                Op::Skip
                | Op::Assume { .. }
                | Op::Free { .. }
                | Op::Return { value: None }
                | Op::Error(_)
                | Op::Halt { .. }
                | Op::Unsupported(_) => {}
            }
        }
    }

    fn call(&mut self, callee: FuncId, result: Option<VarId>, args: &[ExprId]) {
        let called = &self.program.functions[callee];
        for (i, &param) in called.params.iter().enumerate() {
            match args.get(i) {
                Some(&arg) if self.bits(arg) == self.program.vars[param].ty.bits(self.program.model) => {
                    self.assign(slot_of(param), arg);
                }
                arg => {
                    self.facts.raise(slot_of(param), Level::General);
                    arg.into_iter().for_each(|&arg| self.spoil(arg));
                }
            }
        }
        if let Some(var) = result {
            if called.ret == Some(self.program.vars[var].ty) {
                self.facts.unite(slot_of(var), self.result_slot(callee));
            } else {
                self.facts.raise(slot_of(var), Level::General);
                self.facts.event(slot_of(var), Event::Havocked);
            }
        }
    }

    fn assign(&mut self, slot: Slot, value: ExprId) {
        match self.shape(value) {
            Shape::Const(bits) => self.facts.event(slot, Event::Assigned(bits, self.bits(value))),
            Shape::Truth => {}
            Shape::Bit => self.assign_bit(slot, self.bits(value)),
            Shape::Member(member) => self.facts.unite(slot, member),
            Shape::Linear => {
                self.facts.raise(slot, Level::Linear);
                self.facts.event(slot, Event::Computed);
            }
            Shape::Loaded => self.facts.event(slot, Event::Loaded),
            Shape::Opaque => {
                self.facts.raise(slot, Level::General);
                self.facts.event(slot, Event::Computed);
            }
        }
    }
}
