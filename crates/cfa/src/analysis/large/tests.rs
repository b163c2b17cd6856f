//! Figures, and all paths of random automata.

use super::*;
use crate::analysis::testing::random_graph;
use crate::ir::{Edge, Idx, SrcPos};
use crate::text::{Names, parse};
use robusto_testing::Random;

/// The summarised automaton of `main`, as text.
fn large(text: &str) -> String {
    let program = parse(text).expect("it is well-formed");
    let main = &program.functions[program.main.expect("there is a main")];
    LargeBlocks::of(main).show(&Names::new(&program), main)
}

/// A loop with a branch inside: the loop becomes one edge from its head to its head.
#[test]
fn a_loop_with_a_branch() {
    let text = "\
program LP64
main main
file 0 \"branch.c\"

function main() -> i32 @1:5 {
  local i: s32 @1:9
  local x: s32 @1:12
  local z: s32 @1:15
  entry L0, exit L8
  L0 -> L1: z := 0                @2:1
  L1 -> L2: assume 0 <s i         @3:1
  L1 -> L6: assume not (0 <s i)   @3:1
  L2 -> L3: assume x == 1         @4:1
  L2 -> L4: assume not (x == 1)   @4:1
  L3 -> L5: z := 0                @5:1
  L4 -> L5: z := 1                @6:1
  L5 -> L1: i := i - 1            @7:1
  L6 -> L7: assume z != 2         @8:1
  L6 -> L9: assume not (z != 2)   @8:1
  L7 -> L8: return 0              @9:1
  L9 -> L10: error reach_error    @10:1
}
";
    assert_eq!(
        large(text),
        "\
L0 -> L1: z := 0
L1 -> L1: assume 0 <s i; (assume not (x == 1); z := 1 || assume x == 1; z := 0); i := i - 1
L1 -> L8: assume not (0 <s i); assume z != 2; return 0
L1 -> L10: assume not (0 <s i); assume not (z != 2); error reach_error
"
    );
}

/// The source of a call and the place behind it stay, dead ends go, and so do joins of what starts together; a join of what starts
/// apart stays (L6: behind the call, and around it).
#[test]
fn calls_and_joins() {
    let text = "\
program LP64
main main
file 0 \"call.c\"

function f() @1:5 {
  entry L0, exit L1
  L0 -> L1: return                @1:8
}

function main() -> i32 @2:5 {
  local x: s32 @2:9
  entry L0, exit L7
  L0 -> L1: havoc x from input    @3:1
  L1 -> L2: assume x <s 3         @4:1
  L1 -> L3: assume not (x <s 3)   @4:1
  L2 -> L4: x := 3                @5:1
  L3 -> L6: assume x == 7         @6:1
  L3 -> L8: assume not (x == 7)   @6:1
  L4 -> L5: call f()              @7:1
  L5 -> L6: x := 1                @8:1
  L6 -> L7: return x              @9:1
  L8 -> L9: halt                  @9:5
}
";
    let program = parse(text).expect("it is well-formed");
    let main = &program.functions[program.main.expect("there is a main")];
    let blocks = LargeBlocks::of(main);
    assert_eq!(
        blocks.show(&Names::new(&program), main),
        "\
L0 -> L4: havoc x from input; assume x <s 3; x := 3
L0 -> L6: havoc x from input; assume not (x <s 3); assume x == 7
L5 -> L6: x := 1
L6 -> L7: return x
"
    );
    let passed: Vec<String> = main.locs().filter(|&loc| blocks.is_passed(loc)).map(|loc| loc.to_string()).collect();
    assert_eq!(passed, ["L4", "L7"]);
}

/// Many branches one after the other: the block stays small, its paths are counted, its text is bounded.
#[test]
fn a_thousand_branches() {
    let (edge, mut edges) = (|src: usize, dst: usize| (LocId::new(src), LocId::new(dst)), Vec::new());
    for i in 0..1000 {
        let at = 3 * i;
        edges.extend([edge(at, at + 1), edge(at, at + 2), edge(at + 1, at + 3), edge(at + 2, at + 3)]);
    }
    let function = function(3001, LocId::new(3000), &edges);
    let blocks = LargeBlocks::of(&function);
    let block = blocks.blocks[function.entry].as_ref().expect("it starts there");
    let part = block.to(function.exit).expect("it ends there");
    assert_eq!(block.parts.len(), 5000);
    assert_eq!(block.size(part), (4000, u64::MAX));
}

/// Between locations that stay, the blocks have the very paths of the program, each once; and no rule applies any more.
#[test]
fn random_automata_keep_their_paths() {
    let mut random = Random::new(1);
    let mut removed = 0;
    for _ in 0..500 {
        let graph = random_graph(&mut random, 10);
        let exit = LocId::new(graph.len() - 1);
        let edges: Vec<(LocId, LocId)> = graph.edges().filter(|&(src, _)| src != exit).collect();
        let function = function(graph.len(), exit, &edges);
        let blocks = LargeBlocks::of(&function);
        let loops = LoopForest::of(&function);
        let stays = staying(&function, &loops);
        let useful = useful(&function, &stays);
        let mut starts = IdxVec::filled(0, graph.len());
        for (start, block) in blocks.blocks.enumerate().filter_map(|(l, b)| b.as_ref().map(|b| (l, b))) {
            let mut of_block = Vec::new();
            for &(to, part) in &block.exits {
                assert!(stays[to] || blocks.blocks[to].is_some(), "{to} in {function:?}");
                starts[to] += 1;
                all_paths(block, part, &mut Vec::new(), &mut of_block);
            }
            let mut of_program = Vec::new();
            for (edge, _) in function.out(start) {
                program_paths(&function, &blocks, &useful, vec![edge], &mut of_program);
            }
            of_block.sort();
            of_program.sort();
            assert_eq!(of_block, of_program, "from {start} in {function:?}");
            removed += block.inside.len();
        }
        for loc in function.locs().filter(|&loc| !stays[loc] && blocks.blocks[loc].is_some()) {
            assert!(starts[loc] > 1, "{loc} can go in {function:?}");
        }
        assert!(loops.heads().all(|head| blocks.blocks[head].is_some() || head == exit));
    }
    assert!(removed > 500, "{removed}");
}

/// An automaton whose edges do nothing.
fn function(locations: usize, exit: LocId, edges: &[(LocId, LocId)]) -> Function {
    let pos = SrcPos::default();
    let mut header = Function::header("f", pos);
    header.exit = exit;
    let edge = |&(src, dst)| Edge { src, dst, op: Op::Skip, pos };
    Function::with_edges(header, locations, edges.iter().map(edge).collect())
}

fn all_paths(block: &LargeBlock, part: PartId, behind: &mut Vec<EdgeId>, out: &mut Vec<Vec<EdgeId>>) {
    match block.parts[part] {
        LargeOp::Edge(edge) => out.push([edge].into_iter().chain(behind.iter().rev().copied()).collect()),
        LargeOp::Sequence(before, edge) => {
            behind.push(edge);
            all_paths(block, before, behind, out);
            behind.pop();
        }
        LargeOp::Choice(a, b) => {
            all_paths(block, a, behind, out);
            all_paths(block, b, behind, out);
        }
    }
}

fn program_paths(
    function: &Function,
    blocks: &LargeBlocks,
    useful: &IdxVec<LocId, bool>,
    path: Vec<EdgeId>,
    out: &mut Vec<Vec<EdgeId>>,
) {
    let at = function.edge(path[path.len() - 1]).dst;
    if !useful[at] {
        return;
    }
    if at == function.exit || blocks.blocks[at].is_some() {
        out.push(path);
        return;
    }
    for (edge, _) in function.out(at) {
        program_paths(function, blocks, useful, path.iter().copied().chain([edge]).collect(), out);
    }
}
