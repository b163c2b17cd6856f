//! Leaks: what lives where the program ends.
//!
//! SV-COMP's valid-memtrack is violated where the program has lost a heap object: no pointer leads to it, and it was not
//! freed. That never gets better, so it is enough to look at the ends of the program and, for executions that do not end, at
//! each loop that the function cannot leave. valid-memcleanup is violated where a heap object lives when the program ends.
//!
//! An execution may look or pass: a choice, so that nothing behind depends on what the look says. When `main` returns,
//! its variables are gone; where the program exits from a function, those of pending calls still are there. Whether memory
//! must be freed before an abort, the definition leaves open: that is not decided. A function that is checked without `main`
//! hands over to its caller what lives when it returns: that is no leak, but what nobody points to is.

use super::{Building, choice};
use robusto_cfa::analysis::loops::LoopForest;
use robusto_cfa::ir::{Claim, ErrorKind, FuncId, Function, LocId, Op, Program, SrcPos};

/// What to look for at a place.
struct Look {
    loc: LocId,
    claim: Claim,
    /// Whether the variables of pending calls count.
    pending: bool,
    found: Op,
}

/// Puts looks before the ends of the program.
pub(super) fn instrument(program: &mut Program, track: bool, cleanup: bool) {
    let cleanup = cleanup && !starts_at_function(program);
    for id in program.functions.ids() {
        let looks = looks(program, id, track, cleanup);
        if looks.is_empty() {
            continue;
        }
        let mut header = std::mem::replace(&mut program.functions[id], Function::header("", SrcPos::default()));
        let mut building = Building { locations: header.num_locs(), edges: header.take_edges() };
        for look in looks {
            put(program, &mut header, id, &mut building, look);
        }
        program.functions[id] = robusto_cfa::ir::rebuild(header, building.locations, building.edges);
    }
}

/// Whether the start calls a function that is not `main`: only then it ends as if nothing were over.
fn starts_at_function(program: &Program) -> bool {
    let start = program.main.map(|main| &program.functions[main]).filter(|start| &*start.name != "main");
    start.is_some_and(|start| start.edges().iter().any(|edge| matches!(edge.op, Op::Halt { status: None })))
}

fn looks(program: &Program, id: FuncId, track: bool, cleanup: bool) -> Vec<Look> {
    let function = &program.functions[id];
    let mut looks = Vec::new();
    let (lost, left) = (Op::Error(ErrorKind::Track), Op::Error(ErrorKind::Cleanup));
    for edge in function.edges().iter() {
        let (ends, pending) = match edge.op {
            Op::Return { .. } => (program.main == Some(id), false),
            Op::Halt { .. } => (true, true),
            _ => (false, false),
        };
        if !ends {
            continue;
        }
        let aborts = matches!(edge.op, Op::Halt { status: None });
        if track {
            looks.push(Look { loc: edge.src, claim: Claim::Tracked, pending, found: lost.clone() });
        }
        if cleanup {
            let open = || Op::Unsupported("memory that is not freed before an abort".into());
            let found = if aborts { open() } else { left.clone() };
            looks.push(Look { loc: edge.src, claim: Claim::Released, pending, found });
        }
    }
    if track {
        let forest = LoopForest::of(function);
        for (loop_id, info) in forest.loops().enumerate() {
            let leaves = |&loc: &LocId| function.out(loc).any(|(_, edge)| !forest.contains(loop_id, edge.dst));
            if !forest.members(loop_id).iter().any(leaves) {
                looks.push(Look { loc: info.head, claim: Claim::Tracked, pending: true, found: lost.clone() });
            }
        }
    }
    looks
}

fn put(program: &mut Program, header: &mut Function, id: FuncId, building: &mut Building, look: Look) {
    let (behind, pos) = building.detach(look.loc);
    let (op, passed) = choice(program, header, id, pos);
    let null = program.exprs.null();
    let size = program.exprs.size(look.pending.into());
    let holds = program.exprs.holds(look.claim, null, size);
    let [chosen, looking, fine, bad, end, over] = std::array::from_fn(|_| building.location());
    building.edge(look.loc, chosen, op, pos);
    building.edge(chosen, behind, Op::Assume { cond: passed, truth: true }, pos);
    building.edge(chosen, looking, Op::Assume { cond: passed, truth: false }, pos);
    building.edge(looking, fine, Op::Assume { cond: holds, truth: true }, pos);
    building.edge(looking, bad, Op::Assume { cond: holds, truth: false }, pos);
    building.edge(bad, end, look.found, pos);
    building.edge(fine, over, Op::Halt { status: None }, pos);
}
