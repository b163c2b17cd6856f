//! Programs that contain everything.

use crate::build::{Maker, at};
use robusto_cfa::ir::*;

/// A loop that counts, as the lowering would give it.
pub fn counter() -> Program {
    let mut m = Maker::new(DataModel::Lp64);
    m.program.files.push("count.c".into());
    m.program.assumptions.push(Assumption { text: "malloc never fails".into(), pos: at(7, 3) });
    let ten = m.constant(Ty::Int(32), 10);
    let n = m.global("n", Ty::Int(32), true, ten);
    let main = m.next_function();
    let argc = m.var("argc", Ty::Int(32), true, VarKind::Param(main));
    let i = m.var("i", Ty::Int(32), true, VarKind::Local(main));
    let buffer = m.object("buf", 16, 1, ObjectKind::Local(main));
    let mut header = Function::header("main", at(3, 5));
    header.params = vec![argc];
    header.locals = vec![i];
    header.objects = vec![buffer];
    header.ret = Some(Ty::Int(32));
    let [l0, l1, l2, l3, l4, l5] = [0, 1, 2, 3, 4, 5].map(LocId::new);
    header.exit = l5;
    header.labels = vec![Label { name: "again".into(), loc: l1, pos: at(6, 1) }];
    let (i_value, n_value) = (m.value(i), m.value(n));
    let pool = &mut m.program.exprs;
    let (zero, one) = (pool.int(32, 0), pool.int(32, 1));
    let cond = pool.binary(BinOp::SLt, i_value, n_value);
    let wide = pool.cast(CastOp::SExt, Ty::Int(64), i_value);
    let start = pool.intern(Expr::ObjAddr(buffer));
    let addr = pool.binary(BinOp::PtrAdd, start, wide);
    let byte = pool.cast(CastOp::Trunc, Ty::Int(8), i_value);
    let next = pool.binary(BinOp::Add, i_value, one);
    let edge = |src, dst, op, pos| Edge { src, dst, op, pos };
    let edges = vec![
        edge(l0, l1, Op::Assign { var: i, value: zero }, at(5, 11)),
        edge(l1, l2, Op::Assume { cond, truth: true }, at(6, 10)),
        edge(l1, l4, Op::Assume { cond, truth: false }, at(6, 10)),
        edge(l2, l3, Op::Store { addr, value: byte }, at(6, 18)),
        edge(l3, l1, Op::Assign { var: i, value: next }, at(6, 25)),
        edge(l4, l5, Op::Return { value: Some(zero) }, at(7, 3)),
    ];
    m.program.functions.push(Function::with_edges(header, 6, edges));
    m.program.main = Some(main);
    m.program
}

/// A program with every operation, operator, kind of object, builtin, and awkward name.
pub fn everything(model: DataModel) -> Program {
    let mut m = Maker::new(model);
    let word = model.size_ty();
    let i32_ = Ty::Int(32);
    m.program.files = vec!["a \"quoted\" name.c".into(), "zweite_übung.c".into()];
    m.program.assumptions = vec![
        Assumption { text: "no \n newline, no \u{1} control".into(), pos: SrcPos { file: 1, line: 3, column: 9 } },
        Assumption { text: "".into(), pos: SrcPos::default() },
    ];
    let hello = Image { bytes: b"hello \"w\\orld\"\n\xff".to_vec(), relocations: vec![] };
    let hello = m.object("str.1", 20, 1, ObjectKind::Constant(hello));
    let empty = m.object("empty", 0, 1, ObjectKind::Constant(Image::default()));
    m.object("zeros", 1 << 40, 64, ObjectKind::Global(Image::default()));
    let relocation = |offset, target, addend| Relocation { offset, target, addend };
    let mut bytes = vec![0; 200];
    (bytes[0], bytes[150], bytes[199]) = (1, 2, 3);
    let (helper, main) = (FuncId::new(0), FuncId::new(1));
    let relocations = vec![
        relocation(8, RelocTarget::Object(hello), 0),
        relocation(16, RelocTarget::Object(hello), -3),
        relocation(24, RelocTarget::Function(helper), i64::MIN),
        relocation(1000, RelocTarget::Object(ObjId::new(3)), i64::MAX),
    ];
    m.object("table", 4096, 16, ObjectKind::Global(Image { bytes, relocations }));

    let (zero, bits) = (m.constant(i32_, 0), m.constant(i32_, 0xffff_fff0));
    let null = m.program.exprs.null();
    let hello_addr = m.node(Expr::ObjAddr(hello));
    let four = m.program.exprs.size(4);
    let inside = m.node(Expr::Binary(BinOp::PtrAdd, hello_addr, four));
    let code = m.node(Expr::FuncAddr(helper));
    let nan = m.constant(Ty::F64, 0x7ff8_0000_0000_0123);
    m.global("x", i32_, true, zero);
    m.global("x", i32_, false, bits);
    m.global("signed", Ty::Ptr, true, inside);
    m.global("p", Ty::Ptr, false, null);
    m.global("code", Ty::Ptr, false, code);
    m.global("nan", Ty::F64, true, nan);

    // Numbers that do not follow the order of the text.
    let late = m.var("late", i32_, true, VarKind::Local(main));
    let names =
        ["x", "x", "p.x", "a[3].y", "a[i]", "it's", "", "$1", "not", "i32", "ptr", "übung", "two words", "helper"];
    let param = m.var("first", Ty::Ptr, false, VarKind::Param(helper));
    let second = m.var("second", Ty::Int(8), true, VarKind::Param(helper));
    let mut locals: Vec<VarId> = names.iter().map(|name| m.var(name, i32_, true, VarKind::Local(main))).collect();
    locals.push(late);
    let a = locals[0];
    let types = [Ty::BOOL, Ty::Int(7), Ty::Int(8), Ty::Int(64), Ty::Int(128), Ty::F32, Ty::F64, Ty::Ptr];
    let temps = types.map(|ty| m.var("t", ty, ty.is_float(), VarKind::Temp(main)));
    locals.extend(temps);
    let buffer = m.object("buffer", 8, 8, ObjectKind::Local(main));
    let buffer2 = m.object("buffer", 8, 8, ObjectKind::Local(main));

    let mut header = Function::header("helper", at(2, 1));
    header.external = true;
    header.params = vec![param, second];
    header.ret = Some(i32_);
    let result = m.var("result", i32_, true, VarKind::Temp(helper));
    header.locals = vec![result];
    let value = m.value(result);
    let external = Op::Havoc { var: result, source: HavocSource::External(helper) };
    m.sequence(header, vec![external, Op::Return { value: Some(value) }]);

    let mut ops = every_value(&mut m, a, temps);
    ops.extend(every_op(&mut m, a, temps, helper, [hello, empty, buffer, buffer2], word));
    ops.push(Op::Return { value: None });
    let mut header = Function::header("main", at(4, 1));
    header.locals = locals;
    header.objects = vec![buffer2, buffer];
    header.labels = vec![
        Label { name: "again".into(), loc: LocId::new(0), pos: at(4, 4) },
        Label { name: "two words".into(), loc: LocId::new(1), pos: SrcPos::default() },
    ];
    m.sequence(header, ops);
    m.program.main = Some(main);
    m.program
}

/// Assignments with every operator on every type, and with constants on either side.
fn every_value(m: &mut Maker, a: VarId, temps: [VarId; 8]) -> Vec<Op> {
    use BinOp::*;
    let [cond, i7, i8_, i64_, i128_, f32_, f64_, ptr] = temps;
    let mut ops = Vec::new();
    let word = m.program.model.size_ty();
    for var in [a, cond, i7, i8_, i64_, i128_] {
        let (x, ty) = (m.value(var), m.program.vars[var].ty);
        let values = [0, 1, 5, u64::MAX, u64::MAX - 4, 1 << 63, (1 << 63) - 1, 0x8000_0000, 0x40, 0x80];
        let constants: Vec<ExprId> = match ty {
            Ty::Int(128) => vec![x],
            _ => values.into_iter().map(|bits| m.constant(ty, bits)).collect(),
        };
        for op in [Add, Sub, Mul, UDiv, SDiv, URem, SRem, And, Or, Xor, Shl, LShr, AShr] {
            let mut value = x;
            for &c in &constants {
                value = m.node(Expr::Binary(op, value, c));
                value = m.node(Expr::Binary(op, c, value));
                ops.push(Op::Assign { var, value });
                let value = m.node(Expr::Binary(op, c, c));
                ops.push(Op::Assign { var, value });
            }
        }
        for op in [Eq, Ne, ULt, ULe, SLt, SLe] {
            for &c in &constants {
                let value = m.node(Expr::Binary(op, c, c));
                ops.push(Op::Assign { var: cond, value });
                let value = m.node(Expr::Binary(op, x, c));
                ops.push(Op::Assign { var: cond, value });
            }
        }
        for op in [UnOp::Neg, UnOp::Not] {
            let value = m.node(Expr::Unary(op, x));
            let value = m.node(Expr::Unary(op, value));
            ops.push(Op::Assign { var, value });
            let value = m.node(Expr::Unary(op, constants[0]));
            ops.push(Op::Assign { var, value });
        }
    }
    for var in [f32_, f64_] {
        let (x, ty) = (m.value(var), m.program.vars[var].ty);
        let numbers = [0.0, -0.0, 1.5, -1e300, 1e-310, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 0.1];
        for number in numbers {
            let bits = if ty == Ty::F32 { u64::from((number as f32).to_bits()) } else { number.to_bits() };
            let c = m.constant(ty, bits);
            for op in [FAdd, FSub, FMul, FDiv] {
                let value = m.node(Expr::Binary(op, x, c));
                let value = m.node(Expr::Binary(op, c, value));
                ops.push(Op::Assign { var, value });
            }
            for op in [FEq, FNe, FLt, FLe] {
                let value = m.node(Expr::Binary(op, c, c));
                ops.push(Op::Assign { var: cond, value });
            }
            let value = m.node(Expr::Unary(UnOp::FNeg, c));
            ops.push(Op::Assign { var, value });
        }
    }
    use CastOp::*;
    let casts = [
        (Trunc, i64_, a),
        (ZExt, i8_, a),
        (SExt, i64_, i128_),
        (SToF, a, f32_),
        (UToF, i128_, f64_),
        (FToS, f32_, i64_),
        (FToU, f64_, i7),
        (FToF, f32_, f64_),
    ];
    for (op, from, to) in casts {
        let x = m.value(from);
        let value = m.node(Expr::Cast(op, m.program.vars[to].ty, x));
        ops.push(Op::Assign { var: to, value });
    }
    let five = m.constant(Ty::Int(7), 0x45);
    let value = m.node(Expr::Cast(ZExt, Ty::Int(32), five));
    ops.push(Op::Assign { var: a, value });
    let p = m.value(ptr);
    let number = m.node(Expr::Cast(PtrToInt, word, p));
    let four = m.program.exprs.size(4);
    let sum = m.node(Expr::Binary(Add, number, four));
    let back = m.node(Expr::Cast(IntToPtr, Ty::Ptr, sum));
    let below = m.program.exprs.size(u64::MAX - 3);
    let back = m.node(Expr::Binary(PtrAdd, back, below));
    let fixed = m.constant(Ty::Ptr, 0x1234);
    let fixed = m.node(Expr::Binary(PtrAdd, fixed, four));
    for op in [Eq, Ne, ULt, ULe] {
        let value = m.node(Expr::Binary(op, back, fixed));
        ops.push(Op::Assume { cond: value, truth: true });
    }
    for var in temps {
        let value = m.node(Expr::Load(m.program.vars[var].ty, back));
        ops.push(Op::Assign { var, value });
    }
    // Shared operands: 2^100 nodes as a tree.
    let mut value = m.value(a);
    for i in 0..100 {
        value = m.node(Expr::Binary([Add, Mul, Xor][i % 3], value, value));
    }
    ops.push(Op::Assign { var: a, value });
    ops.push(Op::Return { value: Some(value) });
    ops.pop();
    ops
}

fn every_op(m: &mut Maker, a: VarId, temps: [VarId; 8], helper: FuncId, objects: [ObjId; 4], word: Ty) -> Vec<Op> {
    let ptr = temps[7];
    let (p, one, byte) = (m.value(ptr), m.constant(Ty::Int(32), 1), m.constant(Ty::Int(8), 0xf0));
    let x = m.value(a);
    let cond = m.node(Expr::Binary(BinOp::SLt, x, one));
    let size = m.constant(word, 24);
    let mut ops = vec![Op::Skip, Op::Assume { cond, truth: true }, Op::Assume { cond, truth: false }];
    for object in objects {
        let addr = m.node(Expr::ObjAddr(object));
        ops.push(Op::Store { addr, value: one });
        ops.push(Op::Store { addr, value: addr });
    }
    let code = m.node(Expr::FuncAddr(helper));
    ops.push(Op::Store { addr: p, value: code });
    ops.push(Op::Copy { dst: p, src: code, size });
    ops.push(Op::Fill { dst: p, byte, size });
    use HavocSource::*;
    for source in [
        Input,
        Uninit,
        External(helper),
        Written(helper, 2),
        Volatile,
        Violation,
        Precision,
        Order,
        Undefined,
        Unmodelled,
    ] {
        ops.push(Op::Havoc { var: a, source });
        ops.push(Op::HavocMem { addr: p, size, source });
    }
    for result in [None, Some(a)] {
        ops.push(Op::Call { result, callee: Callee::Direct(helper), args: [p, byte].into() });
        ops.push(Op::Call { result, callee: Callee::Indirect(p, None), args: [one, p, byte].into() });
        ops.push(Op::Call { result, callee: Callee::Indirect(code, None), args: [].into() });
        for &builtin in Builtin::ALL {
            ops.push(Op::Builtin { result, builtin, args: [p, one].into() });
        }
    }
    for kind in [AllocKind::Heap, AllocKind::Stack, AllocKind::Library] {
        for zeroed in [false, true] {
            ops.push(Op::Alloc { var: ptr, size, kind, zeroed });
        }
        ops.push(Op::Free { ptr: p, kind });
    }
    ops.extend(ErrorKind::ALL.map(Op::Error));
    ops.push(Op::Halt { status: None });
    ops.push(Op::Halt { status: Some(one) });
    ops.push(Op::Unsupported("inline \"assembly\"\n".into()));
    ops
}
