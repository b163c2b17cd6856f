//! The verifier rejects what breaks a rule.

use crate::samples;
use robusto_cfa::ir::*;
use robusto_cfa::text::parse;
use robusto_cfa::verify::verify;

/// Two functions, with variables and objects of all kinds.
const BASE: &str = "\
program LP64
main f
file 0 \"a.c\"
constant s: size 4 align 1 = \"abc\"
object o: size 24 align 8 {
  0: x\"01\"
  8: &s + 1
  16: &f
}
global g: s32 = 5
global h: ptr = &o + 8
function f(a: s32, b: ptr) -> i32 @1:1 {
  object buf: size 8 align 8
  local i: s32
  temp c: bool
  label again: L1 @2:1
  entry L0, exit L6
  L0 -> L1: i := a + g                                       @1:2
  L1 -> L2: assume i <s 10
  L1 -> L3: assume not (i <s 10)
  L2 -> L1: i := call f(i, b)
  L3 -> L4: assume c
  L3 -> L5: assume not c
  L4 -> L7: error assert
  L5 -> L6: return i
}
function k(q: ptr) {
  object own: size 8 align 8
  local j: s32
  entry L0, exit L3
  L0 -> L1: i32[&own] := j
  L1 -> L2: q := alloc heap(8)
  L2 -> L3: return
}
";

fn base() -> Program {
    parse(BASE).unwrap()
}

fn rejected(program: &Program, message: &str) {
    let violations = verify(program).expect_err(message);
    let texts: Vec<String> = violations.iter().map(ToString::to_string).collect();
    assert!(texts.iter().any(|text| text.contains(message)), "expected `{message}`, found {texts:#?}");
}

/// Programs that the parser accepts: a line of the base is replaced.
#[test]
fn rules_that_a_text_can_break() {
    let cases = [
        ("L1 -> L2: assume i <s 10", "L1 -> L2: assume i <s 11", "L1: has 2 edges that are no branch"),
        ("L1 -> L2: assume i <s 10", "L1 -> L2: assume not (i <s 10)", "L1: has 2 edges that are no branch"),
        ("L1 -> L2: assume i <s 10", "L1 -> L2: skip", "L1: has 2 edges that are no branch"),
        ("L5 -> L6: return i", "L5 -> L6: return i\nL5 -> L6: return i", "L5: has 2 edges"),
        ("L5 -> L6: return i", "L5 -> L6: return i\nL6 -> L5: skip", "L6: the exit has edges"),
        ("L5 -> L6: return i", "L5 -> L1: return i", "a return leads to L1 instead of the exit L6"),
        ("L5 -> L6: return i", "L5 -> L6: return", "returns no value"),
        ("L4 -> L7: error assert", "L4 -> L5: error assert", "leads to L5, which has successors"),
        ("L4 -> L7: error assert", "L4 -> L5: halt 1", "leads to L5, which has successors"),
        ("L4 -> L7: error assert", "L4 -> L5: unsupported \"x\"", "leads to L5, which has successors"),
        ("L4 -> L7: error assert", "L4 -> L7: error assert\nL8 -> L7: skip", "L8: cannot be reached"),
        ("L2 -> L1: i := call f(i, b)", "L2 -> L1: c := call f(i, b)", "the result has type i32, the variable i1"),
        ("L2 -> L1: i := call f(i, b)", "L2 -> L1: i := call k(b)", "takes the result of a function without"),
        ("object buf: size 8 align 8", "object buf: size 8 align 12", "no power of two"),
        ("object buf: size 8 align 8", "object buf: size 8 align 0", "no power of two"),
        (
            "constant s: size 4 align 1 = \"abc\"",
            "constant s: size 2 align 1 = \"abc\"",
            "has 2 bytes, but its image 3",
        ),
        ("constant s: size 4 align 1 = \"abc\"", "constant s: size 4 align 1 = \"ab\\0\"", "ends with a zero"),
        ("  8: &s + 1", "  12: &s + 1", "an address at 16 in o1 (o) is not in order, or overlaps"),
        ("  16: &f", "  17: &f", "goes beyond its 24 bytes"),
        ("  16: &f", "  18446744073709551615: &f", "goes beyond its 24 bytes"),
        ("global g: s32 = 5", "global g: s32 = 5 @3:1:1", "is in file 3, which does not exist"),
        ("global g: s32 = 5", "global g: s32 = -(5)", "is no constant and no address"),
        ("global h: ptr = &o + 8", "global h: ptr = ptr[&o + 8]", "is no constant and no address"),
        ("-> i32 @1:1", "-> i32 @1:1:1", "the place of the function is in file 1"),
        ("@1:2", "@1:1:2", "the place of the edge is in file 1"),
        ("label again: L1 @2:1", "label again: L1 @1:2:1", "the place of the label again is in file 1"),
    ];
    assert_eq!(verify(&base()), Ok(()));
    for (old, new, message) in cases {
        assert!(BASE.contains(old), "{old}");
        let program = parse(&BASE.replacen(old, new, 1)).unwrap_or_else(|error| panic!("{new}: {error}"));
        rejected(&program, message);
    }
}

const F: usize = 0;
const K: usize = 1;

/// Replaces the operation of an edge.
fn set_op(program: &mut Program, function: usize, edge: usize, op: Op) {
    let mut index = 0;
    program.functions[FuncId::new(function)].map_ops(|old| {
        if index == edge {
            *old = op.clone();
        }
        index += 1;
    });
}

/// Replaces the edges of `f`.
fn change_edges(program: &mut Program, change: impl FnOnce(&mut Vec<Edge>)) {
    let function = &mut program.functions[FuncId::new(F)];
    let (locations, mut edges) = (function.num_locs(), function.take_edges());
    change(&mut edges);
    *function = Function::with_edges(function.clone(), locations, edges);
}

fn var(program: &Program, name: &str) -> VarId {
    program.vars.enumerate().find(|(_, v)| &*v.name == name).unwrap().0
}

fn object(program: &Program, name: &str) -> ObjId {
    program.objects.enumerate().find(|(_, o)| &*o.name == name).unwrap().0
}

fn value(program: &mut Program, name: &str) -> ExprId {
    let var = var(program, name);
    program.exprs.var(var)
}

type Change = fn(&mut Program);

/// Rules that the parser enforces already: the program is changed behind its back.
#[test]
fn rules_of_operations() {
    let cases: &[(&str, Change)] = &[
        ("the condition has type i32 instead of i1", |p| {
            let cond = value(p, "i");
            set_op(p, F, 1, Op::Assume { cond, truth: true });
        }),
        ("the value has type i1 instead of i32", |p| {
            let (var, value) = (var(p, "i"), value(p, "c"));
            set_op(p, F, 0, Op::Assign { var, value });
        }),
        ("there is no variable v99", |p| {
            let value = value(p, "c");
            set_op(p, F, 0, Op::Assign { var: VarId::new(99), value });
        }),
        ("there is no expression x999", |p| {
            let var = var(p, "i");
            set_op(p, F, 0, Op::Assign { var, value: ExprId::new(999) });
        }),
        ("uses the variable v7 (j) of function f1", |p| {
            let (var, value) = (var(p, "i"), value(p, "j"));
            set_op(p, F, 0, Op::Assign { var, value });
        }),
        ("uses the variable v4 (i) of function f0", |p| {
            let (var, value) = (var(p, "i"), value(p, "j"));
            set_op(p, K, 0, Op::Assign { var, value });
        }),
        ("uses the object o3 (own) of function f1", |p| {
            let own = object(p, "own");
            let addr = p.exprs.intern(Expr::ObjAddr(own));
            let (value, size) = (p.exprs.intern(Expr::Load(Ty::Int(32), addr)), p.exprs.size(4));
            set_op(p, F, 0, Op::Store { addr, value });
            set_op(p, F, 3, Op::HavocMem { addr, size, source: HavocSource::Input });
        }),
        ("the address has type i32 instead of ptr", |p| {
            let addr = value(p, "i");
            set_op(p, F, 0, Op::Store { addr, value: addr });
        }),
        ("the target has type i32 instead of ptr", |p| {
            let (x, src, size) = (value(p, "i"), value(p, "b"), p.exprs.size(1));
            set_op(p, F, 0, Op::Copy { dst: x, src, size });
        }),
        ("the source has type i32 instead of ptr", |p| {
            let (x, dst, size) = (value(p, "i"), value(p, "b"), p.exprs.size(1));
            set_op(p, F, 0, Op::Copy { dst, src: x, size });
        }),
        ("the size has type i32 instead of i64", |p| {
            let (size, dst) = (value(p, "i"), value(p, "b"));
            set_op(p, F, 0, Op::Copy { dst, src: dst, size });
        }),
        ("the byte has type i32 instead of i8", |p| {
            let (byte, dst, size) = (value(p, "i"), value(p, "b"), p.exprs.size(1));
            set_op(p, F, 0, Op::Fill { dst, byte, size });
        }),
        ("the address has type i32 instead of ptr", |p| {
            let (addr, size) = (value(p, "i"), p.exprs.size(1));
            set_op(p, F, 0, Op::HavocMem { addr, size, source: HavocSource::Input });
        }),
        ("there is no function f9", |p| {
            let var = var(p, "i");
            set_op(p, F, 0, Op::Havoc { var, source: HavocSource::External(FuncId::new(9)) });
        }),
        ("calls f9, which does not exist", |p| {
            set_op(p, F, 0, Op::Call { result: None, callee: Callee::Direct(FuncId::new(9)), args: [].into() });
        }),
        ("0 arguments for 2 parameters", |p| {
            set_op(p, F, 0, Op::Call { result: None, callee: Callee::Direct(FuncId::new(F)), args: [].into() });
        }),
        ("argument 2 has type i32 instead of ptr", |p| {
            let x = value(p, "i");
            set_op(p, F, 0, Op::Call { result: None, callee: Callee::Direct(FuncId::new(F)), args: [x, x].into() });
        }),
        ("the called address has type i32 instead of ptr", |p| {
            let x = value(p, "i");
            set_op(p, F, 0, Op::Call { result: None, callee: Callee::Indirect(x, None), args: [].into() });
        }),
        ("the variable has type i32 instead of ptr", |p| {
            let (var, size) = (var(p, "i"), p.exprs.size(1));
            set_op(p, F, 0, Op::Alloc { var, size, kind: AllocKind::Heap, zeroed: false });
        }),
        ("the size has type i32 instead of i64", |p| {
            let (var, size) = (var(p, "b"), value(p, "i"));
            set_op(p, F, 0, Op::Alloc { var, size, kind: AllocKind::Heap, zeroed: false });
        }),
        ("the pointer has type i32 instead of ptr", |p| {
            let ptr = value(p, "i");
            set_op(p, F, 0, Op::Free { ptr, kind: AllocKind::Heap });
        }),
        ("the returned value has type i1 instead of i32", |p| {
            let c = value(p, "c");
            set_op(p, F, 7, Op::Return { value: Some(c) });
        }),
        ("returns a value from a function without", |p| {
            let j = value(p, "j");
            set_op(p, K, 2, Op::Return { value: Some(j) });
        }),
        ("the status has type i1 instead of i32", |p| {
            let c = value(p, "c");
            set_op(p, F, 6, Op::Halt { status: Some(c) });
        }),
        ("goes from L0 to L99", |p| change_edges(p, |edges| edges[0].dst = LocId::new(99))),
        ("the entry L99 does not exist", |p| p.functions[FuncId::new(F)].entry = LocId::new(99)),
        ("the exit L99 does not exist", |p| p.functions[FuncId::new(F)].exit = LocId::new(99)),
        ("the label again marks L99", |p| p.functions[FuncId::new(F)].labels[0].loc = LocId::new(99)),
    ];
    for (message, change) in cases {
        let mut program = base();
        change(&mut program);
        rejected(&program, message);
    }
}

#[test]
fn rules_of_declarations() {
    let cases: &[(&str, Change)] = &[
        ("main is f9, which does not exist", |p| p.main = Some(FuncId::new(9))),
        ("`params` holds v4 (i), which is Local(f0)", |p| {
            let i = var(p, "i");
            p.functions[FuncId::new(F)].params.push(i);
        }),
        ("`locals` holds v2 (a), which is Param(f0)", |p| {
            let a = var(p, "a");
            p.functions[FuncId::new(F)].locals.push(a);
        }),
        ("`locals` holds v0 (g), which is Global", |p| {
            let g = var(p, "g");
            p.functions[FuncId::new(F)].locals.push(g);
        }),
        ("`locals` holds v7 (j), which is Local(f1)", |p| {
            let j = var(p, "j");
            p.functions[FuncId::new(F)].locals.push(j);
        }),
        ("`locals` holds v99, which does not exist", |p| p.functions[FuncId::new(F)].locals.push(VarId::new(99))),
        ("v4 (i) stands in the lists twice", |p| {
            let i = var(p, "i");
            p.functions[FuncId::new(F)].locals.push(i);
        }),
        ("v4 (i) of f0 stands in no list", |p| p.functions[FuncId::new(F)].locals.clear()),
        ("`objects` holds o3 (own), which is not its own", |p| {
            let own = object(p, "own");
            p.functions[FuncId::new(F)].objects.push(own);
        }),
        ("`objects` holds o99, which does not exist", |p| p.functions[FuncId::new(F)].objects.push(ObjId::new(99))),
        ("o2 (buf) stands in the lists twice", |p| {
            let buf = object(p, "buf");
            p.functions[FuncId::new(F)].objects.push(buf);
        }),
        ("o2 (buf) of f0 does not stand in its list", |p| p.functions[FuncId::new(F)].objects.clear()),
        ("v0 (g) has type i32, but its initial value i1", |p| {
            let (g, value) = (var(p, "g"), p.exprs.bool(true));
            p.vars[g].kind = VarKind::Global(value);
        }),
        ("there is no expression x999", |p| {
            let g = var(p, "g");
            p.vars[g].kind = VarKind::Global(ExprId::new(999));
        }),
        ("the address of o2, which is local", |p| {
            let (h, buf) = (var(p, "h"), object(p, "buf"));
            let value = p.exprs.intern(Expr::ObjAddr(buf));
            p.vars[h].kind = VarKind::Global(value);
        }),
        ("there is no type i65", |p| p.functions[FuncId::new(F)].ret = Some(Ty::Int(65))),
        ("the pool holds v4 as i32, but its type is i64", |p| {
            let i = var(p, "i");
            p.vars[i].ty = Ty::Int(64);
        }),
        ("holds the address of f9, which does not exist", |p| relocate(p, RelocTarget::Function(FuncId::new(9)))),
        ("holds the address of o2, which does not exist or is local", |p| {
            relocate(p, RelocTarget::Object(ObjId::new(2)));
        }),
        ("the place of the assumption `x` is in file 7", |p| {
            p.assumptions.push(Assumption { text: "x".into(), pos: SrcPos { file: 7, line: 1, column: 1 } });
        }),
    ];
    for (message, change) in cases {
        let mut program = base();
        change(&mut program);
        rejected(&program, message);
    }
}

fn relocate(program: &mut Program, target: RelocTarget) {
    let object = object(program, "o");
    let ObjectKind::Global(image) = &mut program.objects[object].kind else { panic!("o is global") };
    image.relocations[0].target = target;
}

#[test]
fn rules_of_expressions() {
    use BinOp::*;
    use CastOp::*;
    let i = |p: &mut Program| value(p, "i");
    let binary = |op, lhs, rhs| Expr::Binary(op, lhs, rhs);
    let mut cases: Vec<(&str, Expr)> = Vec::new();
    let mut program = base();
    let p = &mut program;
    let (int, cond, ptr) = (i(p), value(p, "c"), value(p, "b"));
    let (float, double) = (p.exprs.constant(Ty::F32, 0), p.exprs.constant(Ty::F64, 0));
    let next = ExprId::new(p.exprs.len());
    cases.extend([
        ("does not fit in i8", Expr::Const(Ty::Int(8), 256)),
        ("does not fit in f32", Expr::Const(Ty::F32, 1 << 32)),
        ("a constant of 128 bits", Expr::Const(Ty::Int(128), 0)),
        ("there is no type i0", Expr::Const(Ty::Int(0), 0)),
        ("there is no type i100", Expr::Load(Ty::Int(100), ptr)),
        ("an address has type i32", Expr::Load(Ty::Int(8), int)),
        ("refers to o99", Expr::ObjAddr(ObjId::new(99))),
        ("refers to f99", Expr::FuncAddr(FuncId::new(99))),
        ("Neg of f64", Expr::Unary(UnOp::Neg, double)),
        ("Not of ptr", Expr::Unary(UnOp::Not, ptr)),
        ("FNeg of i32", Expr::Unary(UnOp::FNeg, int)),
        ("Add of different types", binary(Add, int, cond)),
        ("Add does not take ptr", binary(Add, ptr, ptr)),
        ("SLt does not take ptr", binary(SLt, ptr, ptr)),
        ("Eq does not take f64", binary(Eq, double, double)),
        ("FAdd does not take i32", binary(FAdd, int, int)),
        ("FLt of different types", binary(FLt, float, double)),
        ("the left operand of PtrAdd", binary(PtrAdd, int, int)),
        ("the right operand of PtrAdd", binary(PtrAdd, ptr, int)),
        ("Trunc does not convert i32 to i64", Expr::Cast(Trunc, Ty::Int(64), int)),
        ("ZExt does not convert i32 to i32", Expr::Cast(ZExt, Ty::Int(32), int)),
        ("ZExt does not convert i32 to i65", Expr::Cast(ZExt, Ty::Int(65), int)),
        ("SExt does not convert i32 to i8", Expr::Cast(SExt, Ty::Int(8), int)),
        ("SToF does not convert i32 to i8", Expr::Cast(SToF, Ty::Int(8), int)),
        ("UToF does not convert f64 to f32", Expr::Cast(UToF, Ty::F32, double)),
        ("FToS does not convert i32 to i8", Expr::Cast(FToS, Ty::Int(8), int)),
        ("FToU does not convert f64 to f32", Expr::Cast(FToU, Ty::F32, double)),
        ("FToF does not convert f64 to f64", Expr::Cast(FToF, Ty::F64, double)),
        ("PtrToInt does not convert ptr to i32", Expr::Cast(PtrToInt, Ty::Int(32), ptr)),
        ("IntToPtr does not convert i32 to ptr", Expr::Cast(IntToPtr, Ty::Ptr, int)),
    ]);
    for (message, expr) in cases {
        let mut program = program.clone();
        program.exprs.intern(expr);
        rejected(&program, message);
    }
    // A node whose operand comes later: the pool takes no such node as long as it computes its type from it.
    program.exprs.intern(Expr::Cast(Trunc, Ty::Int(8), ExprId::new(next.index() + 5)));
    rejected(&program, "does not come before it");
}

#[test]
fn samples_are_valid() {
    for program in [samples::counter(), samples::everything(DataModel::Lp64), samples::everything(DataModel::Ilp32)] {
        assert_eq!(verify(&program), Ok(()));
    }
}

#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "not valid after the test:\n  main is f9")]
fn assert_valid_panics() {
    let mut program = base();
    program.main = Some(FuncId::new(9));
    robusto_cfa::verify::assert_valid(&program, "the test");
}

#[test]
fn violations_say_where() {
    let mut program = base();
    let cond = value(&mut program, "i");
    set_op(&mut program, F, 4, Op::Assume { cond, truth: true });
    let violations = verify(&program).unwrap_err();
    assert_eq!(
        violations[0].to_string(),
        "function f (f0): edge e4, L3 -> L4: `assume i`: the condition has type i32 instead of i1"
    );
    assert_eq!(violations[1].to_string(), "function f (f0): L3: has 2 edges that are no branch (true first)");
}
