//! Against the definition by paths, and against execution.

use super::*;
use crate::analysis::Analyses;
use crate::analysis::testing::{Build, Machine, Style, call, random_program};
use crate::ir::{BinOp, Idx, Ty};
use robusto_testing::Random;
use std::collections::BTreeSet;

fn solve(program: &Program, kind: Kind) -> Liveness {
    let a = Analyses::of(program);
    Liveness::of(program, &a.uses, &a.calls, &a.modref, kind)
}

/// Whether a path from a location reads a variable before it writes it, by search over stacks of locations.
fn read_before_written(program: &Program, uses: &Uses, start: (FuncId, LocId), var: VarId) -> bool {
    let own = program.vars[var].kind.owner();
    let mut seen = BTreeSet::new();
    // Callers on the stack; below the start, everyone who may have called. Without recursion that is finite.
    let mut todo = vec![vec![start]];
    while let Some(stack) = todo.pop() {
        if !seen.insert(stack.clone()) {
            continue;
        }
        let &(f, loc) = stack.last().expect("not empty");
        let function = &program.functions[f];
        let visible = own.is_none() || own == Some(f);
        for (_, edge) in function.out(loc) {
            let mut read = false;
            for_each_root(&edge.op, |root| read |= visible && uses.vars(root).contains(&var));
            if read {
                return true;
            }
            let mut stack = stack.clone();
            let top = stack.last_mut().expect("not empty");
            *top = (f, edge.dst);
            match edge.op {
                Op::Call { callee: crate::ir::Callee::Direct(callee), .. } => {
                    // The result is written when the call returns; see there.
                    top.1 = edge.src;
                    stack.push((callee, program.functions[callee].entry));
                    todo.push(stack);
                }
                Op::Return { .. } => {
                    stack.pop();
                    let returns: Vec<(Vec<(FuncId, LocId)>, FuncId, LocId)> = match stack.pop() {
                        Some((caller, at)) => vec![(stack, caller, at)],
                        // A local of the function is gone; a global is seen by whoever called.
                        None if own.is_some() => Vec::new(),
                        None => callers(program, f).into_iter().map(|(g, at)| (Vec::new(), g, at)).collect(),
                    };
                    for (mut stack, caller, at) in returns {
                        let (_, call) = program.functions[caller].out(at).next().expect("a call");
                        if defined(&call.op) != Some(var) || !(own.is_none() || own == Some(caller)) {
                            stack.push((caller, call.dst));
                            todo.push(stack);
                        }
                    }
                }
                ref op if visible && defined(op) == Some(var) => {}
                _ => todo.push(stack),
            }
        }
    }
    false
}

/// The calls of a function that control can come to.
fn callers(program: &Program, callee: FuncId) -> Vec<(FuncId, LocId)> {
    let calls = |e: &Edge| matches!(e.op, Op::Call { callee: crate::ir::Callee::Direct(f), .. } if f == callee);
    let mut callers = Vec::new();
    for (id, function) in program.functions.enumerate() {
        let order = Order::of(function);
        callers.extend(function.edges().iter().filter(|e| calls(e) && order.reaches(e.src)).map(|e| (id, e.src)));
    }
    callers
}

#[test]
fn covers_the_definition_by_paths() {
    let (mut total, mut extra) = (0, 0);
    for seed in 0..150 {
        let mut random = Random::new(seed);
        let program = random_program(&mut random, Style::All, false);
        let uses = Uses::of(&program);
        let live = solve(&program, Kind::Plain);
        for (f, function) in program.functions.enumerate() {
            let order = Order::of(function);
            for loc in function.locs().filter(|&loc| order.reaches(loc)) {
                let locals = function.params.iter().chain(&function.locals).copied();
                let globals = program.vars.ids().filter(|&v| program.vars[v].kind.owner().is_none());
                for var in locals.chain(globals) {
                    let expected = read_before_written(&program, &uses, (f, loc), var);
                    let found = live.at(f, loc).contains(var);
                    assert!(found || !expected, "{var} at {f} {loc} in {:?}", function.edges());
                    total += usize::from(expected);
                    extra += usize::from(found && !expected);
                    // Locals are exact, where no call can keep control forever.
                    let exact = program.vars[var].kind.owner().is_some() && f.index() == 2;
                    assert!(found == expected || !exact, "{var} at {f} {loc}");
                }
            }
        }
    }
    // Globals are imprecise only where a callee certainly writes them.
    assert!(extra * 5 < total, "{extra} of {total}");
}

/// Changes what is not strongly live in the middle of an execution; it must go on in the same way.
#[test]
fn executions_do_not_depend_on_what_is_dead() {
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let casts = seed % 2 == 0;
        let program = random_program(&mut random, Style::All, casts);
        for kind in [Kind::Plain, Kind::Strong] {
            let live = solve(&program, kind);
            let run = |disturb: bool| {
                let (mut inputs, mut noise) = (Random::new(seed + 1), Random::new(seed + 2));
                let mut machine = Machine::new(&program, &mut |_| inputs.below(256) as u64);
                let mut trace = Vec::new();
                while trace.len() < 200
                    && let Some((f, loc)) = machine.at()
                {
                    let function = &program.functions[f];
                    let own = function.params.iter().chain(&function.locals).copied();
                    let globals = program.vars.ids().filter(|&v| program.vars[v].kind.owner().is_none());
                    for var in own.chain(globals).filter(|&v| disturb && !live.at(f, loc).contains(v)) {
                        machine.values[var] = noise.below(256) as u64;
                    }
                    let edge = machine.step(&mut |_| inputs.below(256) as u64);
                    trace.push((f, edge));
                }
                trace
            };
            assert_eq!(run(false), run(true), "seed {seed}, {kind:?}");
        }
    }
}

#[test]
fn strong_liveness_drops_counters_and_unused_arguments() {
    let mut b = Build::new();
    let main = b.function("main", &[]);
    let f = b.function("f", &[Ty::Int(32), Ty::Int(32)]);
    let [i, n, r] = [0; 3].map(|_| b.local(main, Ty::Int(32)));
    let (ie, ne, one) = (b.read(i), b.read(n), b.pool().constant(Ty::Int(32), 1));
    let next = b.pool().binary(BinOp::Add, ie, one);
    let cond = b.pool().binary(BinOp::Eq, ne, one);
    b.edges(
        main,
        4,
        vec![
            (0, 1, Op::Assume { cond, truth: true }),
            (0, 2, Op::Assume { cond, truth: false }),
            (1, 0, Op::Assign { var: i, value: next }),
            (2, 0, call(f, &[ie, ne], Some(r))),
        ],
    );
    let p = b.program.functions[f].params[1];
    let value = b.read(p);
    b.body(f, vec![Op::Return { value: Some(value) }]);
    let at = |kind| solve(&b.program, kind).at(main, LocId::new(1)).iter().collect::<Vec<_>>();
    assert_eq!(at(Kind::Plain), [i, n]);
    assert_eq!(at(Kind::Strong), [n]);
}

#[test]
fn variables_die_after_their_last_use() {
    let mut b = Build::new();
    let main = b.function("main", &[]);
    let [x, y] = [0; 2].map(|_| b.local(main, Ty::Int(32)));
    let (xe, c) = (b.read(x), b.pool().constant(Ty::Int(32), 7));
    b.body(main, vec![Op::Assign { var: x, value: c }, Op::Assign { var: y, value: xe }]);
    let live = solve(&b.program, Kind::Plain);
    let dying = |i| live.dying(main, b.program.functions[main].edge(EdgeId::new(i)));
    assert_eq!(dying(0), []);
    assert_eq!(dying(1), [x, y]);
}

#[test]
fn large_functions_with_many_temporaries() {
    let mut b = Build::new();
    let main = b.function("main", &[]);
    let n = 30_000;
    let mut ops = Vec::new();
    let mut last = b.pool().constant(Ty::Int(32), 7);
    for _ in 0..n {
        let var = b.local(main, Ty::Int(32));
        ops.push(Op::Assign { var, value: last });
        last = b.read(var);
    }
    ops.push(Op::Return { value: Some(last) });
    b.body(main, ops);
    let live = solve(&b.program, Kind::Strong);
    assert!(b.program.functions[main].locs().all(|loc| live.at(main, loc).len() <= 1));
}
