//! Hand-built programs, and random ones against concrete execution.

use super::*;
use crate::analysis::testing::{Build, call};
use crate::ir::*;
use robusto_testing::Random;

fn solve(program: &Program) -> PointsTo {
    PointsTo::of(program, &Uses::of(program))
}

/// `o0+8, f1, ?` in ascending order of the target.
fn show(targets: Targets<'_>) -> String {
    let mut all: Vec<_> = targets.iter().collect();
    all.sort();
    let show = |t: &Target| match t.base {
        Base::Object(o) => format!("{o}{:?}", t.offset),
        Base::Site(s) => format!("{s}{:?}", t.offset),
        Base::Function(f) => format!("{f}"),
        Base::Unknown => "?".into(),
        Base::Indeterminate => "undef".into(),
    };
    all.iter().map(show).collect::<Vec<_>>().join(" ")
}

#[test]
fn fields_are_kept_apart() {
    let mut b = Build::new();
    let main = b.function("main", &[]);
    let (s, x, y) = (b.global_object(24), b.global_object(4), b.global_object(4));
    let (p, q, r) = (b.local(main, Ty::Ptr), b.local(main, Ty::Ptr), b.local(main, Ty::Ptr));
    let (f0, f8, f16) = (b.addr(s, 0), b.addr(s, 8), b.addr(s, 16));
    let (x0, y0) = (b.addr(x, 0), b.addr(y, 0));
    let (l0, l8, l16) = (b.load(f0), b.load(f8), b.load(f16));
    b.body(
        main,
        vec![
            Op::Store { addr: f0, value: x0 },
            Op::Store { addr: f8, value: y0 },
            Op::Assign { var: p, value: l0 },
            Op::Assign { var: q, value: l8 },
            Op::Assign { var: r, value: l16 },
        ],
    );
    let pts = solve(&b.program);
    assert_eq!(show(pts.of_var(p)), "o1+0");
    assert_eq!(show(pts.of_var(q)), "o2+0");
    assert_eq!(show(pts.of_var(r)), "");
    assert_eq!(show(pts.of_expr(f8)), "o0+8");
}

#[test]
fn misaligned_and_partial_accesses_see_both_words() {
    let mut b = Build::new();
    let main = b.function("main", &[]);
    let (s, x, y) = (b.global_object(16), b.global_object(4), b.global_object(4));
    let (p, c) = (b.local(main, Ty::Ptr), b.local(main, Ty::Int(8)));
    let (f0, f4, f8, f9) = (b.addr(s, 0), b.addr(s, 4), b.addr(s, 8), b.addr(s, 9));
    let (x0, y4) = (b.addr(x, 0), b.addr(y, 4));
    let l4 = b.load(f4);
    let byte = b.pool().load(Ty::Int(8), f9);
    b.body(
        main,
        vec![
            Op::Store { addr: f0, value: x0 },
            Op::Store { addr: f8, value: y4 },
            Op::Assign { var: p, value: l4 },
            Op::Assign { var: c, value: byte },
        ],
    );
    let pts = solve(&b.program);
    assert_eq!(show(pts.of_var(p)), "o1+0 o2+4 undef");
    assert_eq!(show(pts.of_var(c)), "o2+4");
}

#[test]
fn arrays_of_structs_keep_their_fields() {
    let mut b = Build::new();
    let main = b.function("main", &[]);
    // struct { void *a, *b; } s[4];
    let (s, x, y) = (b.global_object(64), b.global_object(4), b.global_object(4));
    let i = b.local(main, Ty::Int(32));
    let (p, q, r) = (b.local(main, Ty::Ptr), b.local(main, Ty::Ptr), b.local(main, Ty::Ptr));
    let index = b.read(i);
    let wide = b.pool().cast(CastOp::SExt, Ty::Int(64), index);
    let c16 = b.pool().size(16);
    let scaled = b.pool().binary(BinOp::Mul, wide, c16);
    let base = b.addr(s, 0);
    let elem = b.pool().binary(BinOp::PtrAdd, base, scaled);
    let second = b.plus(elem, 8);
    let (x0, y0, s16, s24) = (b.addr(x, 0), b.addr(y, 0), b.addr(s, 16), b.addr(s, 24));
    let (l0, l8, exact) = (b.load(elem), b.load(second), b.load(s24));
    b.body(
        main,
        vec![
            Op::Havoc { var: i, source: HavocSource::Input },
            Op::Store { addr: s16, value: x0 },
            Op::Store { addr: second, value: y0 },
            Op::Assign { var: p, value: l0 },
            Op::Assign { var: q, value: l8 },
            Op::Assign { var: r, value: exact },
        ],
    );
    let pts = solve(&b.program);
    assert_eq!(show(pts.of_expr(second)), "o0+8+16*");
    assert_eq!(show(pts.of_var(p)), "o1+0");
    assert_eq!(show(pts.of_var(q)), "o2+0");
    assert_eq!(show(pts.of_var(r)), "o2+0");
}

#[test]
fn pointer_walks_end_in_a_stride() {
    let mut b = Build::new();
    let main = b.function("main", &[]);
    let s = b.global_object(16 * 1000);
    let p = b.local(main, Ty::Ptr);
    let start = b.addr(s, 8);
    let read = b.read(p);
    let next = b.plus(read, 16);
    let assign = |value| Op::Assign { var: p, value };
    b.edges(main, 3, vec![(0, 1, assign(start)), (1, 1, assign(next)), (1, 2, Op::Return { value: None })]);
    let shown = show(solve(&b.program).of_var(p));
    assert!(shown.contains("o0+8+16*"), "{shown}");
}

#[test]
fn copies_move_structs_field_by_field() {
    let mut b = Build::new();
    let main = b.function("main", &[]);
    let (s, t, x, y) = (b.global_object(32), b.global_object(32), b.global_object(4), b.global_object(4));
    let (p, q) = (b.local(main, Ty::Ptr), b.local(main, Ty::Ptr));
    let (s0, s8, t0, t8, t16) = (b.addr(s, 0), b.addr(s, 8), b.addr(t, 0), b.addr(t, 8), b.addr(t, 16));
    let (x0, y0, size) = (b.addr(x, 0), b.addr(y, 0), b.pool().size(16));
    let (l8, l16) = (b.load(t8), b.load(t16));
    b.body(
        main,
        vec![
            Op::Store { addr: s0, value: x0 },
            Op::Store { addr: s8, value: y0 },
            Op::Copy { dst: t0, src: s0, size },
            Op::Assign { var: p, value: l8 },
            Op::Assign { var: q, value: l16 },
        ],
    );
    let pts = solve(&b.program);
    assert_eq!(show(pts.of_var(p)), "o3+0");
    assert_eq!(show(pts.of_var(q)), "");
}

#[test]
fn integers_carry_pointers() {
    let mut b = Build::new();
    let main = b.function("main", &[]);
    let x = b.global_object(64);
    let (i, p, q) = (b.local(main, Ty::Int(64)), b.local(main, Ty::Ptr), b.local(main, Ty::Ptr));
    let x8 = b.addr(x, 8);
    let int = b.pool().cast(CastOp::PtrToInt, Ty::Int(64), x8);
    let c = b.pool().size(16);
    let sum = b.pool().binary(BinOp::Add, int, c);
    let read = b.read(i);
    let back = b.pool().cast(CastOp::IntToPtr, Ty::Ptr, read);
    let masked = b.pool().binary(BinOp::And, read, c);
    let odd = b.pool().cast(CastOp::IntToPtr, Ty::Ptr, masked);
    b.body(
        main,
        vec![Op::Assign { var: i, value: sum }, Op::Assign { var: p, value: back }, Op::Assign { var: q, value: odd }],
    );
    let pts = solve(&b.program);
    assert_eq!(show(pts.of_var(i)), "o0+24");
    assert_eq!(show(pts.of_var(p)), "o0+24 undef");
    assert_eq!(show(pts.of_var(q)), "o0+* undef");
}

#[test]
fn calls_through_tables_of_functions() {
    let mut b = Build::new();
    let main = b.function("main", &[]);
    let f = b.function("f", &[Ty::Ptr]);
    let g = b.function("g", &[Ty::Ptr]);
    let unused = b.function("unused", &[Ty::Ptr]);
    let relocation = |offset, f| Relocation { offset, target: RelocTarget::Function(f), addend: 0 };
    let image = Image { bytes: Vec::new(), relocations: vec![relocation(0, f), relocation(8, g)] };
    let table = b.object(16, ObjectKind::Global(image));
    let x = b.global_object(4);
    let r = b.local(main, Ty::Ptr);
    let second = b.addr(table, 8);
    let target = b.load(second);
    let x0 = b.addr(x, 0);
    let op = Op::Call { result: Some(r), callee: Callee::Indirect(target, None), args: [x0].into() };
    b.body(main, vec![op]);
    for id in [f, g, unused] {
        let param = b.program.functions[id].params[0];
        let value = b.read(param);
        b.body(id, vec![Op::Return { value: Some(value) }]);
    }
    let pts = solve(&b.program);
    assert_eq!(pts.callees(target), Callees { functions: vec![g], unknown: false });
    assert_eq!(show(pts.of_var(r)), "o1+0");
    assert!(pts.reached(g) && !pts.reached(f) && !pts.reached(unused));
    assert!(pts.of_var(b.program.functions[f].params[0]).is_empty());
}

#[test]
fn havocked_pointers_follow_the_policy() {
    let mut b = Build::new();
    let main = b.function("main", &[]);
    let (s, x) = (b.global_object(8), b.global_object(4));
    let (p, q, r) = (b.local(main, Ty::Ptr), b.local(main, Ty::Ptr), b.local(main, Ty::Ptr));
    let (s0, x0) = (b.addr(s, 0), b.addr(x, 0));
    let unknown = b.read(p);
    let (through, direct) = (b.load(unknown), b.load(s0));
    b.body(
        main,
        vec![
            Op::Havoc { var: p, source: HavocSource::Input },
            Op::Store { addr: unknown, value: x0 },
            Op::Assign { var: q, value: through },
            Op::Assign { var: r, value: direct },
        ],
    );
    let uses = Uses::of(&b.program);
    let outside = PointsTo::of(&b.program, &uses);
    assert_eq!(show(outside.of_var(q)), "o1+0 ?");
    assert_eq!(show(outside.of_var(r)), "");
    let anywhere = PointsTo::with(&b.program, &uses, UnknownPointers::Anywhere);
    assert_eq!(show(anywhere.of_var(r)), "o1+* undef");
}

#[test]
fn uninitialised_pointers_matter_only_if_read() {
    let mut b = Build::new();
    let main = b.function("main", &[]);
    let x = b.global_object(8);
    let (p, q, r) = (b.local(main, Ty::Ptr), b.local(main, Ty::Ptr), b.local(main, Ty::Ptr));
    let (x0, read) = (b.addr(x, 0), b.read(q));
    let uninit = |var| Op::Havoc { var, source: HavocSource::Uninit };
    b.body(main, vec![uninit(p), uninit(q), Op::Assign { var: p, value: x0 }, Op::Assign { var: r, value: read }]);
    let pts = solve(&b.program);
    assert_eq!(show(pts.of_var(p)), "o0+0");
    assert_eq!(show(pts.of_var(r)), "?");
}

#[test]
fn allocation_sites_and_recursion() {
    let mut b = Build::new();
    let main = b.function("main", &[]);
    let make = b.function("make", &[Ty::Ptr]);
    let null = b.pool().null();
    let (r, n) = (b.local(main, Ty::Ptr), b.local(make, Ty::Ptr));
    b.body(main, vec![call(make, &[null], Some(r))]);
    let size = b.pool().size(16);
    let (node, tail) = (b.read(n), b.program.functions[make].params[0]);
    let (tail_read, next) = (b.read(tail), b.plus(node, 8));
    let loaded = b.load(next);
    b.body(
        make,
        vec![
            Op::Alloc { var: n, size, kind: AllocKind::Heap, zeroed: true },
            Op::Store { addr: next, value: tail_read },
            call(make, &[node], None),
            Op::Return { value: Some(loaded) },
        ],
    );
    let pts = solve(&b.program);
    assert_eq!(show(pts.of_var(r)), "site0+0");
    assert_eq!(show(pts.of_expr(next)), "site0+8");
}

/// A value of the concrete execution: parts of a pointer are tracked per byte.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Byte {
    Number,
    /// One byte of a pointer.
    Part(ObjId, i64, u8),
}

/// Runs random straight-line programs on pointers and bytes, and checks each pointer that turns up.
#[test]
fn random_programs_against_execution() {
    for seed in 0..400 {
        let mut random = Random::new(1000 + seed);
        let mut b = Build::new();
        let main = b.function("main", &[]);
        let objects: Vec<_> = (0..3).map(|_| b.global_object(24)).collect();
        let pointers: Vec<_> = (0..4).map(|_| b.local(main, Ty::Ptr)).collect();
        let ints: Vec<_> = [64, 32, 8].map(|bits| b.local(main, Ty::Int(bits))).into();
        let mut ops = Vec::new();
        for &p in &pointers {
            let value = b.addr(random.pick(&objects), 8 * random.below(3) as i64);
            ops.push(Op::Assign { var: p, value });
        }
        for &i in &ints {
            let Ty::Int(bits) = b.program.vars[i].ty else { unreachable!() };
            let value = b.pool().constant(Ty::Int(bits), 7);
            ops.push(Op::Assign { var: i, value });
        }
        for _ in 0..12 {
            let (p, q, i) = (random.pick(&pointers), random.pick(&pointers), random.pick(&ints));
            let (pe, qe) = (b.read(p), b.read(q));
            let step = random.pick(&[8, -8, 8, 16, 4, 1, -3]);
            let ty = b.program.vars[i].ty;
            ops.push(match random.below(9) {
                0 => Op::Assign { var: p, value: qe },
                1 => Op::Assign { var: p, value: b.plus(qe, step) },
                2 => Op::Store { addr: pe, value: qe },
                3 => Op::Assign { var: p, value: b.load(qe) },
                4 => Op::Store { addr: pe, value: b.read(i) },
                5 => Op::Assign { var: i, value: b.pool().load(ty, pe) },
                6 => {
                    let size = random.pick(&[8, 16, 24, 5, 12]);
                    Op::Copy { dst: pe, src: qe, size: b.pool().size(size) }
                }
                7 => Op::Assign { var: ints[0], value: b.pool().cast(CastOp::PtrToInt, Ty::Int(64), pe) },
                _ => {
                    let int = b.read(ints[0]);
                    Op::Assign { var: p, value: b.pool().cast(CastOp::IntToPtr, Ty::Ptr, int) }
                }
            });
        }
        b.body(main, ops.clone());
        execute(&b.program, &solve(&b.program), &ops);
        let coarse = PointsTo::limited(&b.program, &Uses::of(&b.program), UnknownPointers::Outside, 0);
        assert!(!coarse.field_sensitive());
        execute(&b.program, &coarse, &ops);
        let anywhere = PointsTo::with(&b.program, &Uses::of(&b.program), UnknownPointers::Anywhere);
        execute(&b.program, &anywhere, &ops);
    }
}

/// Executes until an access leaves its object.
fn execute(program: &Program, pts: &PointsTo, ops: &[Op]) {
    let mut vars: IdxVec<VarId, Vec<Byte>> =
        program.vars.iter().map(|v| vec![Byte::Number; v.ty.size(program.model) as usize]).collect();
    let mut memory: IdxVec<ObjId, Vec<Byte>> =
        program.objects.iter().map(|o| vec![Byte::Number; o.size as usize]).collect();
    let as_pointer = |bytes: &[Byte]| match bytes[0] {
        Byte::Part(o, offset, 0) if bytes.len() == 8 => {
            (0..8).all(|i| bytes[i as usize] == Byte::Part(o, offset, i)).then_some((o, offset))
        }
        _ => None,
    };
    let parts = |o, offset| (0..8).map(|i| Byte::Part(o, offset, i)).collect::<Vec<_>>();
    fn value(
        program: &Program,
        vars: &IdxVec<VarId, Vec<Byte>>,
        memory: &IdxVec<ObjId, Vec<Byte>>,
        as_pointer: &dyn Fn(&[Byte]) -> Option<(ObjId, i64)>,
        parts: &dyn Fn(ObjId, i64) -> Vec<Byte>,
        e: ExprId,
    ) -> Option<Vec<Byte>> {
        let of = |e| value(program, vars, memory, as_pointer, parts, e);
        Some(match program.exprs.get(e) {
            Expr::Const(ty, _) => vec![Byte::Number; ty.size(program.model) as usize],
            Expr::Var(v) => vars[v].clone(),
            Expr::ObjAddr(o) => parts(o, 0),
            Expr::Cast(_, _, x) => of(x)?,
            Expr::Binary(BinOp::PtrAdd, p, c) => match as_pointer(&of(p)?) {
                Some((o, offset)) => {
                    let offset = offset + program.exprs.as_const(c)? as i64;
                    // Beyond the end of the object nothing is claimed.
                    if offset > 24 {
                        return None;
                    }
                    parts(o, offset)
                }
                None => vec![Byte::Number; 8],
            },
            Expr::Load(ty, addr) => {
                let (o, offset) = as_pointer(&of(addr)?)?;
                let at = usize::try_from(offset).ok()?;
                memory[o].get(at..at + ty.size(program.model) as usize)?.to_vec()
            }
            _ => unreachable!(),
        })
    }
    let check = |what: Targets<'_>, bytes: &[Byte], exact: bool, op: &Op| {
        if let Some((o, offset)) = as_pointer(bytes) {
            let inside = |t: Target| t.base == Base::Object(o) && t.offset.join(Offset::exact(offset)) == t.offset;
            assert!(what.iter().any(inside), "{o}+{offset} not in {what:?} at {op:?} of {ops:?}");
        } else if exact && bytes.iter().any(|b| *b != Byte::Number) {
            assert!(what.may_be_indeterminate(), "{bytes:?} in {what:?}");
        }
        for b in bytes {
            if let Byte::Part(o, ..) = b {
                assert!(what.iter().any(|t| t.base == Base::Object(*o)), "part of {o} not in {what:?}, {ops:?}");
            }
        }
    };
    for op in ops {
        let of = |e| value(program, &vars, &memory, &as_pointer, &parts, e);
        let range = |(o, offset): (ObjId, i64), size: usize| {
            let at = usize::try_from(offset).ok()?;
            (at + size <= 24).then_some((o, at..at + size))
        };
        match *op {
            Op::Assign { var, value } => {
                let Some(bytes) = of(value) else { return };
                check(pts.of_var(var), &bytes, program.vars[var].ty == Ty::Ptr, op);
                check(pts.of_expr(value), &bytes, program.vars[var].ty == Ty::Ptr, op);
                vars[var] = bytes;
            }
            Op::Store { addr, value } => {
                let (Some(to), Some(bytes)) = (of(addr), of(value)) else { return };
                check(pts.of_expr(addr), &to, true, op);
                let Some((o, at)) = as_pointer(&to).and_then(|p| range(p, bytes.len())) else { return };
                memory[o][at].copy_from_slice(&bytes);
            }
            Op::Copy { dst, src, size } => {
                let (Some(to), Some(from)) = (of(dst), of(src)) else { return };
                let size = program.exprs.as_const(size).unwrap() as usize;
                let Some((o, at)) = as_pointer(&to).and_then(|p| range(p, size)) else { return };
                let Some((p, from)) = as_pointer(&from).and_then(|p| range(p, size)) else { return };
                let bytes = memory[p][from].to_vec();
                memory[o][at].copy_from_slice(&bytes);
            }
            _ => unreachable!(),
        }
    }
}

/// What a new object holds before it is written is from outside; words that are written before anybody reads the object are not.
#[test]
fn words_that_were_never_written_are_from_outside() {
    for (escapes, wanted) in [(false, "o0+0 undef"), (true, "o0+0 ? undef")] {
        let mut b = Build::new();
        b.program.outside = Outside::Area;
        let main = b.function("main", &[]);
        let (x, shared) = (b.global_object(4), b.global_object(8));
        let (p, other) = (b.local(main, Ty::Ptr), b.local(main, Ty::Ptr));
        let (set, unset) = (b.local(main, Ty::Ptr), b.local(main, Ty::Ptr));
        let (x0, place) = (b.addr(x, 0), b.addr(shared, 0));
        let exprs = &mut b.program.exprs;
        let (start, size, eight) = (exprs.var(p), exprs.size(16), exprs.size(8));
        let second = exprs.binary(BinOp::PtrAdd, start, eight);
        let there = b.load(place);
        let other_expr = b.program.exprs.var(other);
        let (first_word, second_word, by_other) = (b.load(start), b.load(second), b.load(other_expr));
        let mut body = vec![
            Op::Alloc { var: p, size, kind: AllocKind::Heap, zeroed: false },
            Op::Store { addr: place, value: start },
        ];
        if escapes {
            // Somebody reads through what was stored before the word is written.
            body.push(Op::Assign { var: other, value: there });
            body.push(Op::Assign { var: unset, value: by_other });
        }
        body.extend([
            Op::Store { addr: start, value: x0 },
            Op::Assign { var: set, value: first_word },
            Op::Assign { var: unset, value: second_word },
        ]);
        b.body(main, body);
        let pts = solve(&b.program);
        assert_eq!(show(pts.of_var(set)), wanted);
        assert!(pts.of_var(unset).may_be_unknown());
    }
}
