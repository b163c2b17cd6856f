//! The constraints of a function's edges.

use super::Offset;
use super::constraints::{Access, Complex, Node, SiteIdx};
use super::elements::{Base, ElemId, Elements};
use super::offset::shape;
use super::solver::Solver;
use crate::analysis::liveness;
use crate::ir::{BinOp, Callee, CastOp, EdgeId, Expr, ExprId, FuncId, HavocSource, Idx, Op, Ty, VarId, fold};

/// A copy of more words than this is not followed word by word.
const MAX_COPY: u64 = 128;

impl Solver<'_> {
    fn var(&self, var: VarId) -> Node {
        Node::new(var.index())
    }

    /// A function that runs without a caller: what it gets as arguments comes from outside.
    pub fn root(&mut self, function: FuncId) {
        self.reach(function);
        let program = self.program;
        for &param in &program.functions[function].params {
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
            self.graph.insert(self.var(var), Elements::INDETERMINATE);
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
        // Every address gets a node, so that queries find it.
        crate::analysis::uses::for_each_root(op, |root| {
            self.expr(root);
        });
        match *op {
            Op::Assign { var, value } => {
                let value = self.expr(value);
                self.graph.copy(value, self.var(var));
            }
            Op::Store { addr, value } => self.store(addr, value),
            Op::Copy { dst, src, size } => self.copy(dst, src, size),
            Op::Fill { dst, byte, .. } => {
                let (dst, node) = (self.expr(dst), self.expr(byte));
                if self.program.exprs.as_const(byte) != Some(0) {
                    self.add(dst, Complex::Mark { access: EVERYWHERE, elem: Elements::UNKNOWN });
                    self.add_store(dst, EVERYWHERE, node);
                }
            }
            Op::Havoc { var, source } if self.program.vars[var].ty == Ty::Ptr => {
                self.graph.insert(self.var(var), havocked(source));
            }
            Op::HavocMem { addr, size, source } => {
                let exact = self.program.exprs.as_const(size).filter(|&s| s <= self.width as u64);
                let access = exact.map_or(EVERYWHERE, |size| Access { at: 0, step: 0, size });
                let addr = self.expr(addr);
                self.add(addr, Complex::Mark { access, elem: havocked(source) });
            }
            Op::Call { callee: Callee::Direct(callee), .. } => self.call(function, edge, callee),
            Op::Call { callee: Callee::Indirect(target), .. } => {
                let target = self.expr(target);
                let site = self.calls.push((function, edge));
                self.add(target, Complex::Call(site));
            }
            Op::Builtin { result, builtin, ref args } => {
                if let Some(var) = result {
                    self.enters_from_outside(var);
                }
                for &position in builtin.writes() {
                    if let Some(&arg) = args.get(position) {
                        let arg = self.expr(arg);
                        self.add(arg, Complex::Mark { access: EVERYWHERE, elem: Elements::UNKNOWN });
                    }
                }
            }
            Op::Alloc { var, .. } => {
                let base = self.elements.base_id(Base::Site(self.elements.site_at(function, edge)));
                let elem = self.element(base, Offset::exact(0));
                self.graph.insert(self.var(var), elem);
            }
            Op::Return { value: Some(value) } => {
                let value = self.expr(value);
                self.graph.copy(value, self.result_node(function));
            }
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
                Some(&arg) => {
                    let arg = self.expr(arg);
                    self.graph.copy(arg, self.var(param));
                }
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

    fn add_store(&mut self, addr: Node, access: Access, src: Node) {
        if src != self.empty_node() {
            self.add(addr, Complex::Store { access, src });
        }
    }

    fn store(&mut self, addr: ExprId, value: ExprId) {
        let (ty, model) = (self.program.exprs.ty(value), self.program.model);
        let (addr, node) = (self.expr(addr), self.expr(value));
        if self.program.exprs.as_const(value) == Some(0) {
            return;
        }
        let access = Access { at: 0, step: 0, size: ty.size(model) };
        // A pointer that is read here later may be a number.
        if ty != Ty::Ptr {
            self.add(addr, Complex::Mark { access, elem: Elements::UNKNOWN });
        }
        self.add_store(addr, access, node);
    }

    /// Word by word through auxiliary nodes; if that would be too many, or their number is not known, all words at
    /// the distance of whole words through one.
    fn copy(&mut self, dst: ExprId, src: ExprId, size: ExprId) {
        let width = self.width as u64;
        let size = self.program.exprs.as_const(size);
        let (dst, src) = (self.expr(dst), self.expr(src));
        let mut word = |access| {
            let through = self.graph.node();
            self.add(src, Complex::Load { access, pointer: true, dst: through });
            self.add(dst, Complex::Store { access, src: through });
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

    /// The node of an expression.
    pub fn expr(&mut self, root: ExprId) -> Node {
        if let Some(node) = self.expr_nodes[root] {
            return node;
        }
        let mut stack = vec![root];
        while let Some(&id) = stack.last() {
            if self.expr_nodes[id].is_some() {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(self.program.exprs.operands(id).filter(|&x| self.expr_nodes[x].is_none()));
            if stack.len() == before {
                stack.pop();
                let node = self.make(id);
                self.expr_nodes[id] = Some(node);
            }
        }
        self.expr_nodes[root].expect("made above")
    }

    /// Makes the node of an expression whose operands have theirs. All values may carry pointers, except truth values:
    /// a program may cast, split, shift and reassemble them.
    fn make(&mut self, id: ExprId) -> Node {
        let exprs = &self.program.exprs;
        let ty = exprs.ty(id);
        let empty = self.empty_node();
        if matches!(ty, Ty::Int(..8)) {
            return empty;
        }
        let of = |solver: &Self, x: ExprId| solver.expr_nodes[x].expect("operands come first");
        match exprs.get(id) {
            Expr::Const(Ty::Ptr, address) if address != 0 => {
                let node = self.graph.node();
                self.graph.insert(node, Elements::UNKNOWN);
                node
            }
            Expr::Const(..) => empty,
            Expr::Var(var) => self.var(var),
            Expr::ObjAddr(object) => self.address(Base::Object(object)),
            Expr::FuncAddr(function) => self.address(Base::Function(function)),
            Expr::Load(_, addr) => {
                let node = self.graph.node();
                let access = Access { at: 0, step: 0, size: ty.size(self.program.model) };
                self.add(of(self, addr), Complex::Load { access, pointer: ty == Ty::Ptr, dst: node });
                node
            }
            Expr::Unary(_, x) => self.derived(&[(of(self, x), Offset::ANY)]),
            Expr::Cast(CastOp::IntToPtr, _, x) => {
                let node = self.derived(&[(of(self, x), Offset::exact(0))]);
                let node = if node == empty { self.graph.node() } else { node };
                self.graph.insert(node, Elements::UNKNOWN);
                node
            }
            Expr::Cast(CastOp::PtrToInt, _, x) => self.derived(&[(of(self, x), Offset::exact(0))]),
            Expr::Cast(_, _, x) => self.derived(&[(of(self, x), Offset::ANY)]),
            Expr::Binary(BinOp::PtrAdd, p, i) => {
                let shift = shape(exprs, i).unwrap_or(Offset::ANY);
                self.derived(&[(of(self, p), shift), (of(self, i), Offset::ANY)])
            }
            // A constant as wide as a pointer shifts a pointer that has been cast to an integer.
            Expr::Binary(op @ (BinOp::Add | BinOp::Sub), x, y) if ty == self.program.model.size_ty() => {
                let bits = u32::from(self.program.model.pointer_bits());
                let constant = exprs.as_const(y).map(|c| fold::signed(bits, c));
                let shift = constant.map(|c| Offset::exact(if op == BinOp::Add { c } else { c.wrapping_neg() }));
                self.derived(&[(of(self, x), shift.unwrap_or(Offset::ANY)), (of(self, y), Offset::ANY)])
            }
            Expr::Binary(_, x, y) => self.derived(&[(of(self, x), Offset::ANY), (of(self, y), Offset::ANY)]),
        }
    }

    fn address(&mut self, base: Base) -> Node {
        let node = self.graph.node();
        let base = self.elements.base_id(base);
        let elem = self.element(base, Offset::exact(0));
        self.graph.insert(node, elem);
        node
    }

    /// A node with the elements of others, shifted.
    fn derived(&mut self, from: &[(Node, Offset)]) -> Node {
        let empty = self.empty_node();
        if from.iter().all(|&(src, _)| src == empty) {
            return empty;
        }
        let node = self.graph.node();
        for &(src, shift) in from.iter().filter(|&&(src, _)| src != empty) {
            self.shift(src, shift.base(), shift.stride(), node);
        }
        node
    }

    /// The initial values of globals.
    pub fn globals(&mut self) {
        let program = self.program;
        for (var, v) in program.vars.enumerate() {
            if let crate::ir::VarKind::Global(init) = v.kind {
                let init = self.expr(init);
                self.graph.copy(init, self.var(var));
            }
        }
    }
}

/// Everywhere in the object.
const EVERYWHERE: Access = Access { at: 0, step: 1, size: 1 };

fn havocked(source: HavocSource) -> ElemId {
    match source {
        HavocSource::Uninit | HavocSource::Undefined => Elements::INDETERMINATE,
        HavocSource::Input | HavocSource::External(_) | HavocSource::Unmodelled => Elements::UNKNOWN,
    }
}
