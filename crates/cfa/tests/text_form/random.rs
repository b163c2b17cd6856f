//! Random valid programs.

use crate::build::Maker;
use robusto_cfa::ir::*;
use robusto_testing::Random;

const TYPES: [Ty; 12] = [
    Ty::BOOL,
    Ty::Int(3),
    Ty::Int(8),
    Ty::Int(16),
    Ty::Int(32),
    Ty::Int(33),
    Ty::Int(64),
    Ty::Int(128),
    Ty::F32,
    Ty::F64,
    Ty::F80,
    Ty::Ptr,
];

const NAMES: [&str; 9] = ["x", "i", "i", "p.next", "a[2]", "call", "two words", "f0", "é"];

/// A random program that the verifier accepts.
pub fn program(seed: u64) -> Program {
    let mut random = Random::new(seed);
    let model = random.pick(&[DataModel::Ilp32, DataModel::Lp64]);
    let generator =
        Generator { m: Maker::new(model), random, vars: Vec::new(), objects: Vec::new(), pieces: Vec::new() };
    generator.program()
}

struct Generator {
    m: Maker,
    random: Random,
    /// What the current function may use.
    vars: Vec<VarId>,
    objects: Vec<ObjId>,
    /// Expressions of the current function; operands are taken from here, so that they are shared.
    pieces: Vec<ExprId>,
}

impl Generator {
    fn program(mut self) -> Program {
        for i in 0..self.random.below(3) {
            self.m.program.files.push(format!("file{i}.c").into());
        }
        let functions = 1 + self.random.below(3);
        self.declare(functions);
        let globals: Vec<VarId> = self.m.program.vars.ids().collect();
        let global_objects: Vec<ObjId> = self.m.program.objects.ids().collect();
        let mut headers: Vec<Function> = (0..functions).map(|i| self.header(FuncId::new(i))).collect();
        // Calls need the headers of functions that come later.
        for header in &headers {
            let stub = Function::with_edges(header.clone(), 2, Vec::new());
            self.m.program.functions.push(stub);
        }
        for (i, header) in headers.drain(..).enumerate() {
            self.vars = globals.iter().chain(&header.params).chain(&header.locals).copied().collect();
            self.objects = global_objects.iter().chain(&header.objects).copied().collect();
            self.pieces.clear();
            self.m.program.functions[FuncId::new(i)] = self.body(header);
        }
        self.m.program.main = if self.random.one_in(4) { None } else { Some(FuncId::new(0)) };
        self.m.program
    }

    fn pos(&mut self) -> SrcPos {
        let files = self.m.program.files.len();
        if files == 0 || self.random.one_in(4) {
            return SrcPos::default();
        }
        let (file, line) = (self.random.below(files) as u16, 1 + self.random.below(90) as u32);
        SrcPos { file, line, column: self.random.bits() as u16 }
    }

    fn declare(&mut self, functions: usize) {
        for _ in 0..self.random.below(4) {
            let size = self.random.below(300) as u64;
            let mut image = Image::default();
            if self.random.one_in(2) && size > 0 {
                image.bytes = (0..self.random.below(size as usize)).map(|_| self.random.bits() as u8).collect();
                image.bytes.push(b'a');
            }
            let width = self.m.program.model.size_ty().size(self.m.program.model);
            let mut offset = 0;
            while offset + width <= size && self.random.one_in(2) {
                let target = RelocTarget::Function(FuncId::new(self.random.below(functions)));
                image.relocations.push(Relocation { offset, target, addend: self.random.bits() as i64 >> 40 });
                offset += width + self.random.below(20) as u64;
            }
            let kind = if self.random.one_in(2) { ObjectKind::Global(image) } else { ObjectKind::Constant(image) };
            let name = self.random.pick(&NAMES);
            let align = 1 << self.random.below(5);
            let id = self.m.object(name, size, align, kind);
            self.m.program.objects[id].pos = self.pos();
        }
        for _ in 0..self.random.below(5) {
            let ty = self.random.pick(&TYPES);
            let value = match ty {
                Ty::Int(128) => self.m.program.exprs.int(128, -5),
                Ty::F80 => self.m.program.exprs.extended(0xbffb_cccc_cccc_cccc_cccd),
                Ty::Ptr if self.random.one_in(2) => self.m.node(Expr::FuncAddr(FuncId::new(0))),
                _ => self.constant(ty),
            };
            self.var(ty, VarKind::Global(value));
        }
    }

    fn var(&mut self, ty: Ty, kind: VarKind) -> VarId {
        let (name, signed) = (self.random.pick(&NAMES), self.random.one_in(2));
        let id = self.m.var(name, ty, signed, kind);
        self.m.program.vars[id].pos = self.pos();
        id
    }

    fn header(&mut self, id: FuncId) -> Function {
        let name = self.random.pick(&["f", "g", "main", "f'2", "i"]);
        let pos = self.pos();
        let mut header = Function::header(name, pos);
        header.external = self.random.one_in(5);
        header.handed_out = !header.external && self.random.one_in(5);
        header.ret = if self.random.one_in(3) { None } else { Some(self.random.pick(&TYPES)) };
        for _ in 0..self.random.below(3) {
            let ty = self.random.pick(&TYPES);
            header.params.push(self.var(ty, VarKind::Param(id)));
        }
        for ty in TYPES {
            let kind = if self.random.one_in(2) { VarKind::Local(id) } else { VarKind::Temp(id) };
            header.locals.push(self.var(ty, kind));
        }
        let shift = self.random.below(TYPES.len());
        header.locals.rotate_left(shift);
        for _ in 0..self.random.below(3) {
            let name = self.random.pick(&NAMES);
            header.objects.push(self.m.object(name, self.random.bits() >> 20, 4, ObjectKind::Local(id)));
        }
        header.objects.reverse();
        header
    }

    fn constant(&mut self, ty: Ty) -> ExprId {
        let shift = self.random.below(64);
        let bits = self.random.bits() >> shift;
        let bits = if self.random.one_in(3) { bits.wrapping_neg() } else { bits };
        self.m.constant(ty, bits)
    }

    /// A variable of this type that the function may use.
    fn any_var(&mut self, ty: Ty) -> VarId {
        let fitting: Vec<VarId> = self.vars.iter().copied().filter(|&v| self.m.program.vars[v].ty == ty).collect();
        self.random.pick(&fitting)
    }

    /// An expression of this type.
    fn expr(&mut self, ty: Ty, depth: usize) -> ExprId {
        if self.random.one_in(3) {
            let fitting: Vec<ExprId> =
                self.pieces.iter().copied().filter(|&x| self.m.program.exprs.ty(x) == ty).collect();
            if !fitting.is_empty() {
                return self.random.pick(&fitting);
            }
        }
        let id = self.fresh(ty, depth);
        self.pieces.push(id);
        id
    }

    fn fresh(&mut self, ty: Ty, depth: usize) -> ExprId {
        if depth == 0 || self.random.one_in(4) {
            if !ty.is_wide() && self.random.one_in(3) {
                return self.constant(ty);
            }
            let var = self.any_var(ty);
            return self.m.value(var);
        }
        if self.random.one_in(8) {
            let addr = self.expr(Ty::Ptr, depth - 1);
            return self.m.node(Expr::Load(ty, addr));
        }
        if self.random.one_in(5) {
            return self.cast(ty, depth);
        }
        use BinOp::*;
        let expr = match ty {
            Ty::BOOL if !self.random.one_in(3) => {
                let of = self.random.pick(&TYPES);
                let op = match of {
                    Ty::Ptr => self.random.pick(&[Eq, Ne, ULt, ULe]),
                    Ty::F32 | Ty::F64 | Ty::F80 => self.random.pick(&[FEq, FNe, FLt, FLe]),
                    Ty::Int(_) => self.random.pick(&[Eq, Ne, ULt, ULe, SLt, SLe]),
                };
                Expr::Binary(op, self.expr(of, depth - 1), self.expr(of, depth - 1))
            }
            Ty::Ptr if self.random.one_in(2) => match self.objects.len() {
                0 => Expr::FuncAddr(FuncId::new(0)),
                count => Expr::ObjAddr(self.objects[self.random.below(count)]),
            },
            Ty::Ptr => {
                let size = self.m.program.model.size_ty();
                Expr::Binary(PtrAdd, self.expr(Ty::Ptr, depth - 1), self.expr(size, depth - 1))
            }
            Ty::F32 | Ty::F64 | Ty::F80 if self.random.one_in(4) => Expr::Unary(UnOp::FNeg, self.expr(ty, depth - 1)),
            Ty::F32 | Ty::F64 | Ty::F80 => {
                let op = self.random.pick(&[FAdd, FSub, FMul, FDiv]);
                Expr::Binary(op, self.expr(ty, depth - 1), self.expr(ty, depth - 1))
            }
            Ty::Int(_) if self.random.one_in(4) => {
                Expr::Unary(self.random.pick(&[UnOp::Neg, UnOp::Not]), self.expr(ty, depth - 1))
            }
            Ty::Int(_) => {
                let all = [Add, Sub, Mul, UDiv, SDiv, URem, SRem, And, Or, Xor, Shl, LShr, AShr];
                Expr::Binary(self.random.pick(&all), self.expr(ty, depth - 1), self.expr(ty, depth - 1))
            }
        };
        self.m.node(expr)
    }

    fn cast(&mut self, to: Ty, depth: usize) -> ExprId {
        use CastOp::*;
        let size = self.m.program.model.size_ty();
        let from = self.random.pick(&TYPES);
        let op = match (from, to) {
            (Ty::Int(a), Ty::Int(b)) if a < b => self.random.pick(&[ZExt, SExt]),
            (Ty::Int(a), Ty::Int(b)) if a > b => Trunc,
            (Ty::Int(_), Ty::F32 | Ty::F64 | Ty::F80) => self.random.pick(&[SToF, UToF]),
            (Ty::F32 | Ty::F64 | Ty::F80, Ty::Int(_)) => self.random.pick(&[FToS, FToU]),
            (from, to) if from != to && from.is_float() && to.is_float() => FToF,
            (Ty::Ptr, to) if to == size => PtrToInt,
            (from, Ty::Ptr) if from == size => IntToPtr,
            _ => {
                let var = self.any_var(to);
                return self.m.value(var);
            }
        };
        let arg = self.expr(from, depth - 1);
        self.m.node(Expr::Cast(op, to, arg))
    }

    fn body(&mut self, mut header: Function) -> Function {
        let mut edges = Vec::new();
        let steps = 1 + self.random.below(12);
        // Locations 0 to steps are the spine; the exit and dead ends follow.
        let mut locs = steps + 2;
        (header.entry, header.exit) = (LocId::new(0), LocId::new(steps + 1));
        for i in 0..steps {
            let (src, dst) = (LocId::new(i), LocId::new(i + 1));
            let (pos, other_pos) = (self.pos(), self.pos());
            if self.random.one_in(3) {
                let cond = self.expr(Ty::BOOL, 4);
                let truth = self.random.one_in(2);
                let other = LocId::new(self.random.below(steps + 1));
                edges.push(Edge { src, dst, op: Op::Assume { cond, truth }, pos });
                edges.push(Edge { src, dst: other, op: Op::Assume { cond, truth: !truth }, pos: other_pos });
            } else {
                edges.push(Edge { src, dst, op: self.op(), pos });
            }
            if self.random.one_in(6) {
                let name = self.random.pick(&NAMES).into();
                header.labels.push(Label { name, loc: src, pos: other_pos });
            }
        }
        let (src, pos) = (LocId::new(steps), self.pos());
        if self.random.one_in(4) {
            let op = match self.random.below(4) {
                0 => Op::Error(self.random.pick(&[ErrorKind::ReachError, ErrorKind::Overflow])),
                1 => Op::Halt { status: None },
                2 => Op::Halt { status: Some(self.expr(Ty::Int(32), 3)) },
                _ => Op::Unsupported("asm \"nop\"".into()),
            };
            edges.push(Edge { src, dst: LocId::new(locs), op, pos });
            locs += 1;
        } else {
            let value = header.ret.map(|ty| self.expr(ty, 5));
            edges.push(Edge { src, dst: header.exit, op: Op::Return { value }, pos });
        }
        Function::with_edges(header, locs, edges)
    }

    fn op(&mut self) -> Op {
        let size = self.m.program.model.size_ty();
        let ty = self.random.pick(&TYPES);
        let var = self.any_var(ty);
        let function = FuncId::new(self.random.below(self.m.program.functions.len()));
        let source = self.random.pick(&[
            HavocSource::Input,
            HavocSource::Uninit,
            HavocSource::External(function),
            HavocSource::Written(function, 3),
            HavocSource::Volatile,
            HavocSource::Violation,
            HavocSource::Precision,
            HavocSource::Undefined,
            HavocSource::Unmodelled,
            HavocSource::Order,
            HavocSource::Allocation,
        ]);
        let kind = self.random.pick(&[AllocKind::Heap, AllocKind::Stack, AllocKind::Library]);
        let result = if self.random.one_in(2) { None } else { Some(var) };
        match self.random.below(14) {
            0 => Op::Skip,
            1 => Op::Store { addr: self.expr(Ty::Ptr, 4), value: self.expr(ty, 4) },
            2 => Op::Copy { dst: self.expr(Ty::Ptr, 3), src: self.expr(Ty::Ptr, 3), size: self.expr(size, 3) },
            3 => Op::Fill { dst: self.expr(Ty::Ptr, 3), byte: self.expr(Ty::Int(8), 3), size: self.expr(size, 3) },
            4 => Op::Havoc { var, source },
            5 => Op::HavocMem { addr: self.expr(Ty::Ptr, 3), size: self.expr(size, 3), source },
            6 => {
                let params = self.m.program.functions[function].params.clone();
                let types: Vec<Ty> = params.iter().map(|&p| self.m.program.vars[p].ty).collect();
                let result = self.m.program.functions[function].ret.map(|ret| self.any_var(ret));
                let args = types.into_iter().map(|ty| self.expr(ty, 3)).collect();
                Op::Call { result, callee: Callee::Direct(function), args }
            }
            7 => {
                let callee = Callee::Indirect(self.expr(Ty::Ptr, 3), None);
                let types: Vec<Ty> = (0..self.random.below(3)).map(|_| self.random.pick(&TYPES)).collect();
                Op::Call { result, callee, args: types.into_iter().map(|ty| self.expr(ty, 3)).collect() }
            }
            8 => {
                let args = (0..self.random.below(3)).map(|_| self.expr(ty, 3)).collect();
                Op::Builtin { result, builtin: self.random.pick(Builtin::ALL), args }
            }
            9 => {
                let zeroed = self.random.one_in(2);
                Op::Alloc { var: self.any_var(Ty::Ptr), size: self.expr(size, 3), kind, zeroed }
            }
            10 => Op::Free { ptr: self.expr(Ty::Ptr, 3), kind },
            11 => Op::Assume { cond: self.expr(Ty::BOOL, 6), truth: self.random.one_in(2) },
            _ => Op::Assign { var, value: self.expr(ty, 7) },
        }
    }
}
