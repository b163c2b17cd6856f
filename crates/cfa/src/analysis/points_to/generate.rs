//! The constraints of a function's edges.

use super::Offset;
use super::constraints::{Access, Complex, Node, SiteIdx};
use super::elements::{Base, ElemId, Elements};
use super::offset::{gcd, shape};
use super::solver::Solver;
use crate::analysis::liveness;
use crate::ir::{
    BinOp, Builtin, Callee, CastOp, EdgeId, Expr, ExprId, FuncId, HavocSource, Idx, Op, Outside, Ty, VarId, fold,
};

/// A copy of more words than this is not followed word by word.
const MAX_COPY: u64 = 128;

impl Solver<'_> {
    fn var(&self, var: VarId) -> Node {
        Node::new(var.index())
    }

    /// Analyses the whole program, see [`Solver::run`].
    pub fn solve(&mut self, limit: usize) -> bool {
        self.globals();
        match self.program.main {
            Some(main) => self.root(main),
            None => self.program.functions.ids().for_each(|function| self.root(function)),
        }
        self.run(limit)
    }

    /// A function that runs without a caller: what it gets as arguments, and uses, comes from outside.
    fn root(&mut self, function: FuncId) {
        self.reach(function);
        let function = &self.program.functions[function];
        let live = liveness::of_locals(self.uses, function);
        for &param in function.params.iter().filter(|&&param| live[function.entry].contains(param)) {
            self.enters_from_outside(param);
        }
    }

    fn enters_from_outside(&mut self, var: VarId) {
        if self.program.vars[var].ty == Ty::Ptr {
            self.graph.insert(self.var(var), Elements::UNKNOWN);
        }
    }

    /// Adds the constraints of a function's edges.
    pub fn generate(&mut self, id: FuncId) {
        let program = self.program;
        let function = &program.functions[id];
        let pointer = |var: VarId| program.vars[var].ty == Ty::Ptr;
        // `int *p;` at first holds no value; that matters only where it may be read before it is assigned.
        let live = liveness::of_locals(self.uses, function);
        for &var in function.locals.iter().filter(|&&var| pointer(var) && live[function.entry].contains(var)) {
            self.graph.insert(self.var(var), Elements::UNKNOWN);
        }
        for (edge_id, edge) in function.edges().enumerate() {
            if let Op::Havoc { var, source: HavocSource::Uninit } = edge.op
                && !live[edge.dst].contains(var)
                && program.vars[var].kind.owner().is_some()
            {
                continue;
            }
            self.operation(id, edge_id, &edge.op);
        }
    }

    fn operation(&mut self, function: FuncId, edge: EdgeId, op: &Op) {
        // Every address gets a value, so that queries find it.
        crate::analysis::uses::for_each_root(op, |root| {
            self.value(root);
        });
        match *op {
            Op::Assign { var, value } => self.flow(value, self.var(var)),
            Op::Store { addr, value } => self.store(addr, value),
            Op::Copy { dst, src, size } => self.copy(dst, src, size),
            Op::Fill { dst, byte, .. } => {
                if self.program.exprs.as_const(byte) != Some(0) {
                    self.mark(dst, EVERYWHERE, Elements::INDETERMINATE);
                    let node = self.node_of(byte);
                    self.write(dst, EVERYWHERE, node);
                }
            }
            Op::Havoc { var, source } if self.program.vars[var].ty == Ty::Ptr => {
                self.graph.insert(self.var(var), havocked_variable(source));
            }
            Op::HavocMem { addr, size, source } => {
                let exact = self.program.exprs.as_const(size).filter(|&s| s <= self.width as u64);
                let access = exact.map_or(EVERYWHERE, |size| Access { at: 0, step: 0, size });
                self.mark(addr, access, havocked(source));
            }
            Op::Call { callee: Callee::Direct(callee), .. } => self.call(function, edge, callee),
            Op::Call { callee: Callee::Indirect(target, _), .. } => {
                let target = self.value(target).node;
                let site = self.calls.push((function, edge));
                self.add(target, Complex::Call(site));
            }
            Op::Builtin { result, builtin, ref args } => {
                if let Some(var) = result {
                    self.enters_from_outside(var);
                }
                let written = match builtin {
                    Builtin::Escape => Elements::UNKNOWN,
                    _ => Elements::INDETERMINATE,
                };
                for &position in builtin.writes() {
                    if let Some(&arg) = args.get(position) {
                        self.mark(arg, EVERYWHERE, written);
                    }
                }
            }
            Op::Alloc { var, .. } => {
                let base = self.elements.base_id(Base::Site(self.elements.site_at(function, edge)));
                let elem = self.element(base, Offset::exact(0));
                self.graph.insert(self.var(var), elem);
            }
            Op::Return { value: Some(value) } => self.flow(value, self.result_node(function)),
            Op::Return { value: None }
            | Op::Skip
            | Op::Assume { .. }
            | Op::Havoc { .. }
            | Op::Free { .. }
            | Op::Error(_)
            | Op::Halt { .. }
            | Op::Unsupported(_) => {}
        }
    }

    /// Passes arguments and result of one call.
    pub fn call(&mut self, caller: FuncId, edge: EdgeId, callee: FuncId) {
        self.reach(callee);
        let program = self.program;
        let Op::Call { result, ref args, .. } = program.functions[caller].edge(edge).op else {
            unreachable!("a call is a call")
        };
        let called = &program.functions[callee];
        for (i, &param) in called.params.iter().enumerate() {
            match args.get(i) {
                Some(&arg) => self.flow(arg, self.var(param)),
                None => self.enters_from_outside(param),
            }
        }
        match result {
            Some(result) if called.ret.is_some() => self.graph.copy(self.result_node(callee), self.var(result)),
            Some(result) => self.enters_from_outside(result),
            None => {}
        }
    }

    pub fn call_result_unknown(&mut self, site: SiteIdx) {
        let (caller, edge) = self.calls[site];
        if let Op::Call { result: Some(result), .. } = self.program.functions[caller].edge(edge).op {
            self.enters_from_outside(result);
        }
    }

    /// A node gets what an expression holds.
    fn flow(&mut self, from: ExprId, dst: Node) {
        let Value { node, shift } = self.value(from);
        if node != self.empty_node() {
            self.shift(node, shift, dst);
        }
    }

    /// The memory at an address gets an element.
    fn mark(&mut self, addr: ExprId, access: Access, elem: ElemId) {
        let (node, access) = self.value(addr).access(access);
        self.add(node, Complex::Mark { access, elem });
    }

    /// The memory at an address gets what a node holds.
    fn write(&mut self, addr: ExprId, access: Access, src: Node) {
        if src != self.empty_node() {
            let (node, access) = self.value(addr).access(access);
            self.add(node, Complex::Store { access, src });
        }
    }

    fn store(&mut self, addr: ExprId, value: ExprId) {
        let ty = self.program.exprs.ty(value);
        if self.program.exprs.as_const(value) == Some(0) {
            return;
        }
        let access = Access { at: 0, step: 0, size: ty.size(self.program.model) };
        // A pointer that is read here later may be a number.
        if ty != Ty::Ptr {
            self.mark(addr, access, Elements::INDETERMINATE);
        }
        let src = self.node_of(value);
        self.write(addr, access, src);
    }

    /// Word by word through auxiliary nodes; if that would be too many, or their number is not known, all words at
    /// the distance of whole words through one.
    fn copy(&mut self, dst: ExprId, src: ExprId, size: ExprId) {
        let width = self.width as u64;
        let size = self.program.exprs.as_const(size);
        let from = self.value(src);
        let mut word = |access| {
            let through = self.graph.node();
            let (node, at) = from.access(access);
            self.add(node, Complex::Load { access: at, pointer: true, dst: through });
            self.write(dst, access, through);
        };
        match size {
            Some(size) if size <= MAX_COPY * width => {
                for at in (0..size).step_by(width as usize) {
                    word(Access { at: at as i64, step: 0, size: width.min(size - at) });
                }
            }
            _ => word(Access { at: 0, step: width, size: width }),
        }
    }

    /// What an expression holds.
    pub fn value(&mut self, root: ExprId) -> Value {
        if let Some(value) = self.values[root] {
            return value;
        }
        let mut stack = vec![root];
        while let Some(&id) = stack.last() {
            if self.values[id].is_some() {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(self.program.exprs.operands(id).filter(|&x| self.values[x].is_none()));
            if stack.len() == before {
                stack.pop();
                let value = self.make(id);
                self.values[id] = Some(value);
            }
        }
        self.values[root].expect("made above")
    }

    /// A node that holds what an expression holds.
    fn node_of(&mut self, id: ExprId) -> Node {
        let value = self.value(id);
        if value.shift == Offset::exact(0) || value.node == self.empty_node() {
            return value.node;
        }
        let node = self.graph.node();
        self.shift(value.node, value.shift, node);
        self.values[id] = Some(Value::plain(node));
        node
    }

    /// Makes the value of an expression whose operands have theirs. All values may carry pointers, except truth values:
    /// a program may cast, split, shift and reassemble them.
    fn make(&mut self, id: ExprId) -> Value {
        let exprs = &self.program.exprs;
        let ty = exprs.ty(id);
        let empty = Value::plain(self.empty_node());
        if matches!(ty, Ty::Int(..8)) {
            return empty;
        }
        let of = |solver: &Self, x: ExprId| solver.values[x].expect("operands come first");
        match exprs.get(id) {
            Expr::Const(Ty::Ptr, address) if address != 0 => {
                let node = self.graph.node();
                self.graph.insert(node, self.number());
                Value::plain(node)
            }
            Expr::Const(..) | Expr::Holds(..) => empty,
            Expr::Var(var) => Value::plain(self.var(var)),
            Expr::ObjAddr(object) => self.address(Base::Object(object)),
            Expr::FuncAddr(function) => self.address(Base::Function(function)),
            Expr::Load(_, addr) => {
                let node = self.graph.node();
                let access = Access { at: 0, step: 0, size: ty.size(self.program.model) };
                let (from, access) = of(self, addr).access(access);
                self.add(from, Complex::Load { access, pointer: ty == Ty::Ptr, dst: node });
                Value::plain(node)
            }
            Expr::Unary(_, x) => self.sum(&[of(self, x).plus(Offset::ANY)]),
            Expr::Cast(CastOp::IntToPtr, _, x) => {
                let node = self.graph.node();
                let Value { node: from, shift } = of(self, x);
                self.shift(from, shift, node);
                self.graph.insert(node, self.number());
                Value::plain(node)
            }
            Expr::Cast(CastOp::PtrToInt, _, x) => of(self, x),
            Expr::Cast(_, _, x) => of(self, x).plus(Offset::ANY),
            Expr::Binary(BinOp::PtrAdd, p, i) => {
                let shift = shape(exprs, i).unwrap_or(Offset::ANY);
                self.sum(&[of(self, p).plus(shift), of(self, i).plus(Offset::ANY)])
            }
            // A constant as wide as a pointer shifts a pointer that has been cast to an integer.
            Expr::Binary(op @ (BinOp::Add | BinOp::Sub), x, y) if ty == self.program.model.size_ty() => {
                let bits = u32::from(self.program.model.pointer_bits());
                let constant = exprs.as_const(y).map(|c| fold::signed(bits, c));
                let shift = constant.map(|c| Offset::exact(if op == BinOp::Add { c } else { c.wrapping_neg() }));
                self.sum(&[of(self, x).plus(shift.unwrap_or(Offset::ANY)), of(self, y).plus(Offset::ANY)])
            }
            Expr::Binary(_, x, y) => self.sum(&[of(self, x).plus(Offset::ANY), of(self, y).plus(Offset::ANY)]),
        }
    }

    /// What a pointer is that was a number.
    pub(super) fn number(&self) -> ElemId {
        if self.program.outside == Outside::Numbers { Elements::UNKNOWN } else { Elements::INDETERMINATE }
    }

    fn address(&mut self, base: Base) -> Value {
        let node = self.graph.node();
        let base = self.elements.base_id(base);
        let elem = self.element(base, Offset::exact(0));
        self.graph.insert(node, elem);
        Value::plain(node)
    }

    /// What carries what several values carry. One alone needs no node of its own.
    fn sum(&mut self, values: &[Value]) -> Value {
        let empty = self.empty_node();
        let mut carrying = values.iter().filter(|v| v.node != empty);
        match (carrying.next(), carrying.next()) {
            (None, _) => Value::plain(empty),
            (Some(&value), None) => value,
            _ => {
                let node = self.graph.node();
                for value in values {
                    self.shift(value.node, value.shift, node);
                }
                Value::plain(node)
            }
        }
    }

    /// The initial values of globals.
    fn globals(&mut self) {
        let program = self.program;
        for (var, v) in program.vars.enumerate() {
            if let crate::ir::VarKind::Global(init) = v.kind {
                self.flow(init, self.var(var));
            }
        }
    }
}

/// What an expression holds: the elements of a node, shifted. Field accesses `p->f` are the bulk of a program; so their
/// addresses have no sets of their own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    pub node: Node,
    pub shift: Offset,
}

impl Value {
    fn plain(node: Node) -> Self {
        Self { node, shift: Offset::exact(0) }
    }

    fn plus(self, more: Offset) -> Self {
        Self { shift: self.shift.plus(more.base()).plus_multiples(more.stride()), ..self }
    }

    /// An access at this address as one at the node's elements.
    fn access(self, access: Access) -> (Node, Access) {
        let step = gcd(access.step, self.shift.stride());
        (self.node, Access { at: access.at.saturating_add(self.shift.base()), step, ..access })
    }
}

/// Everywhere in the object.
const EVERYWHERE: Access = Access { at: 0, step: 1, size: 1 };

/// A pointer variable that was never set counts as one from outside. Drivers are checked by programs that call them with such variables,
/// and mean any object; that an execution ends there would make all of them right. Memory that was never set is not like that: a
/// points-to set of a list's nodes would have the outside in it.
fn havocked_variable(source: HavocSource) -> ElemId {
    if source == HavocSource::Uninit { Elements::UNKNOWN } else { havocked(source) }
}

fn havocked(source: HavocSource) -> ElemId {
    match source {
        HavocSource::Uninit
        | HavocSource::Ended
        | HavocSource::Undefined
        | HavocSource::Violation
        | HavocSource::Precision => Elements::INDETERMINATE,
        HavocSource::Input
        | HavocSource::External(_)
        | HavocSource::Written(..)
        | HavocSource::Volatile
        | HavocSource::Order
        | HavocSource::Allocation
        | HavocSource::Unmodelled => Elements::UNKNOWN,
    }
}
