//! Edges per second: `cargo bench -p robusto-interp`.

use robusto_cfa::ir::{
    BinOp, CastOp, DataModel, FuncId, FunctionBuilder, Idx, Image, Object, ObjectKind, Op, Program, SrcPos, Ty, Var,
    VarId, VarKind,
};
use robusto_interp::inputs::Zeros;
use robusto_interp::{Code, Config, Machine, Outcome, Silent, Streams};
use std::time::Instant;

/// A program with one function, `main`, and a loop in it: `for (i = 0; i < count; i++) body`.
struct Loop {
    program: Program,
    main: FunctionBuilder,
    count: u64,
    i: VarId,
}

impl Loop {
    fn new(count: u64) -> Self {
        let id = FuncId::new(0);
        let mut main = FunctionBuilder::new(id, "main", SrcPos::default());
        main.header.ret = Some(Ty::Int(32));
        let mut this = Self { program: Program::new(DataModel::Lp64), main, count, i: VarId::new(0) };
        this.i = this.local("i", Ty::Int(32));
        this
    }

    fn local(&mut self, name: &str, ty: Ty) -> VarId {
        let kind = VarKind::Local(self.main.id);
        let var = self.program.vars.push(Var { name: name.into(), ty, signed: true, kind, pos: SrcPos::default() });
        self.program.exprs.declare(var, ty);
        self.main.header.locals.push(var);
        var
    }

    fn finish(mut self, body: impl FnOnce(&mut Program, VarId) -> Vec<Op>) -> Program {
        let exprs = &mut self.program.exprs;
        let pos = SrcPos::default();
        let (zero, one) = (exprs.constant(Ty::Int(32), 0), exprs.constant(Ty::Int(32), 1));
        let (i, limit) = (exprs.var(self.i), exprs.constant(Ty::Int(32), self.count));
        let cond = exprs.binary(BinOp::SLt, i, limit);
        let next = exprs.binary(BinOp::Add, i, one);
        let mut ops = body(&mut self.program, self.i);
        ops.push(Op::Assign { var: self.i, value: next });
        let head = self.main.location();
        self.main.edge(self.main.header.entry, head, Op::Assign { var: self.i, value: zero }, pos);
        let mut at = self.main.location();
        self.main.edge(head, at, Op::Assume { cond, truth: true }, pos);
        let last = ops.len() - 1;
        for (index, op) in ops.into_iter().enumerate() {
            let to = if index == last { head } else { self.main.location() };
            self.main.edge(at, to, op, pos);
            at = to;
        }
        let end = self.main.location();
        self.main.edge(head, end, Op::Assume { cond, truth: false }, pos);
        self.main.edge(end, self.main.header.exit, Op::Return { value: Some(zero) }, pos);
        self.program.main = Some(self.program.functions.push(self.main.finish()));
        self.program
    }
}

fn measure(name: &str, program: &Program) {
    let code = Code::new(program);
    let mut rates = Vec::new();
    for _ in 0..5 {
        let (mut out, mut err, mut inputs) = (Vec::new(), Vec::new(), Zeros);
        let streams = Streams { out: &mut out, err: &mut err };
        let mut machine = Machine::new(program, &code, Config::default(), &mut inputs, Silent, streams).unwrap();
        let start = Instant::now();
        assert_eq!(machine.run(), Outcome::Exited(0));
        rates.push(machine.steps() as f64 / start.elapsed().as_secs_f64() / 1e6);
    }
    rates.sort_by(f64::total_cmp);
    println!("{name:<24} {:>8.1} million edges/s (best of 5)", rates[4]);
}

/// `x += i`
fn counting() -> Program {
    let mut this = Loop::new(20_000_000);
    let x = this.local("x", Ty::Int(32));
    this.finish(|program, i| {
        let (x_value, i) = (program.exprs.var(x), program.exprs.var(i));
        let sum = program.exprs.binary(BinOp::Add, x_value, i);
        vec![Op::Assign { var: x, value: sum }]
    })
}

/// `a[i & 1023] += i`
fn array() -> Program {
    let this = Loop::new(10_000_000);
    this.finish(|program, i| {
        let kind = ObjectKind::Global(Image::default());
        let a = program.objects.push(Object { name: "a".into(), size: 4096, align: 16, kind, pos: SrcPos::default() });
        let exprs = &mut program.exprs;
        let (i, base) = (exprs.var(i), exprs.intern(robusto_cfa::ir::Expr::ObjAddr(a)));
        let mask = exprs.constant(Ty::Int(32), 1023);
        let index = exprs.binary(BinOp::And, i, mask);
        let index = exprs.cast(CastOp::SExt, Ty::Int(64), index);
        let four = exprs.size(4);
        let offset = exprs.binary(BinOp::Mul, index, four);
        let addr = exprs.binary(BinOp::PtrAdd, base, offset);
        let old = exprs.load(Ty::Int(32), addr);
        let value = exprs.binary(BinOp::Add, old, i);
        vec![Op::Store { addr, value }]
    })
}

/// A call of an empty function.
fn calling() -> Program {
    let this = Loop::new(5_000_000);
    this.finish(|program, _| {
        // `main` is function 0; its builder has not been pushed yet, so the callee will be function 1.
        vec![Op::Call {
            result: None,
            callee: robusto_cfa::ir::Callee::Direct(FuncId::new(program.functions.len() + 1)),
            args: Box::new([]),
        }]
    })
}

fn main() {
    measure("counting loop", &counting());
    measure("global array", &array());
    let mut program = calling();
    let mut callee = FunctionBuilder::new(FuncId::new(1), "f", SrcPos::default());
    callee.edge(callee.header.entry, callee.header.exit, Op::Return { value: None }, SrcPos::default());
    program.functions.push(callee.finish());
    measure("calls", &program);
}
