//! Leaks: what lives where the program ends.
//!
//! SV-COMP's valid-memtrack is violated where the program has lost a heap object: no pointer leads to it, and it was not
//! freed. That never gets better, so it is enough to look at the ends of the program and, for executions that do not end, at
//! each loop that the function cannot leave. valid-memcleanup is violated where a heap object lives when the program ends.
//!
//! An execution may look or pass: a choice, so that nothing behind depends on what the look says. When `main` returns,
//! its variables are gone; where the program exits from a function, those of pending calls still are there. An abort ends
//! the program as well: SV-COMP's tasks in which a failed assertion leaves memory are expected to violate valid-memcleanup.
//! A function that is checked without `main` hands over to its caller what lives when it returns: what neither its result, its
//! arguments nor globals lead to is lost, for both properties.

use super::{Building, choice};
use robusto_cfa::analysis::loops::LoopForest;
use robusto_cfa::ir::{AllocKind, Assumption, Claim, Edge, ErrorKind, FuncId, Function, LocId, Op, Program, SrcPos};

/// What to look for at a place.
struct Look {
    loc: LocId,
    claim: Claim,
    /// Whether the variables of pending calls count.
    pending: bool,
    found: Op,
}

/// Puts looks before the ends of the program. That executions come to one of them is an assumption, where a loop allocates.
pub(super) fn instrument(program: &mut Program, track: bool, cleanup: bool) {
    let released = if starts_at_function(program) { Claim::Tracked } else { Claim::Released };
    if let Some(pos) = program.functions.iter().find_map(allocates_in_loop).filter(|_| track) {
        let text = "executions that lose memory end, or come to a loop that cannot be left";
        program.assumptions.push(Assumption { text: text.into(), pos });
    }
    for id in program.functions.ids() {
        let looks = looks(program, id, track, cleanup.then_some(released));
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

/// Where a loop that can be left allocates.
fn allocates_in_loop(function: &Function) -> Option<SrcPos> {
    let mut allocations = function.edges().iter().filter(|e| matches!(e.op, Op::Alloc { kind: AllocKind::Heap, .. }));
    let first = allocations.next()?;
    let forest = LoopForest::of(function);
    let in_loop = |e: &&Edge| forest.depth(e.src) > 0;
    std::iter::once(first).chain(allocations).find(in_loop).map(|e| e.pos)
}

/// Whether the start calls a function that is not `main`: only then it ends as if nothing were over.
fn starts_at_function(program: &Program) -> bool {
    let start = program.main.map(|main| &program.functions[main]).filter(|start| &*start.name != "main");
    start.is_some_and(|start| start.edges().iter().any(|edge| matches!(edge.op, Op::Halt { status: None })))
}

fn looks(program: &Program, id: FuncId, track: bool, cleanup: Option<Claim>) -> Vec<Look> {
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
        if track {
            looks.push(Look { loc: edge.src, claim: Claim::Tracked, pending, found: lost.clone() });
        }
        if let Some(claim) = cleanup {
            looks.push(Look { loc: edge.src, claim, pending, found: left.clone() });
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
