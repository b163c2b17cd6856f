//! One state per location, over the supergraph.

use crate::domain::{DIAMOND, Direct, Hull, LOOP, Merging, explore, program, states};
use robusto_cfa::analysis::callgraph::CallGraph;
use robusto_cfa::analysis::points_to::PointsTo;
use robusto_cfa::analysis::uses::Uses;
use robusto_cfa::ir::{FuncId, Idx, LocId, Program};
use robusto_cpa::locationwise::{Descending, Joining, States, ascend, descend};
use robusto_cpa::{Composite, Order, Step, Supergraph};
use robusto_limits::{Limits, Stopped};
use std::sync::atomic::Ordering;

impl Joining for Hull<'_> {
    /// Calls may write the variable, so the callee's end says it all.
    fn combine(&mut self, _: &(u8, u8), end: &(u8, u8), _: Step) -> Result<Option<(u8, u8)>, Stopped> {
        Ok(Some(*end))
    }
}

impl Descending for Hull<'_> {
    fn join(&mut self, a: &(u8, u8), b: &(u8, u8)) -> (u8, u8) {
        (a.0.min(b.0), a.1.max(b.1))
    }

    fn narrow(&mut self, wide: &(u8, u8), newer: &(u8, u8)) -> Option<(u8, u8)> {
        let (lo, hi) = (wide.0.max(newer.0), wide.1.min(newer.1));
        (lo <= hi).then_some((lo, hi))
    }
}

fn graph(program: &Program) -> Supergraph {
    let uses = Uses::of(program);
    Supergraph::new(program, &CallGraph::of(program, &PointsTo::of(program, &uses)))
}

fn at(graph: &Supergraph, states: &States<(u8, u8)>, function: usize, loc: usize) -> Option<(u8, u8)> {
    states[graph.node(FuncId::new(function), LocId::new(loc))]
}

/// Without calls, the table has what the reachability graph has.
#[test]
fn both_drivers_agree() {
    for (text, merging, locations) in
        [(DIAMOND, Merging::Join, 8), (LOOP, Merging::Join, 5), (LOOP, Merging::WidenAt(LocId::new(1)), 5)]
    {
        let program = program(text, "");
        let graph = graph(&program);
        let table = ascend(&mut Hull::new(&program, "x", merging), &graph, &Limits::none()).expect("no limit");
        let mut cpa = Composite::new(&program, Hull::new(&program, "x", merging), &Direct, 10);
        let arg = explore(&mut cpa, Order::ReversePostOrder).arg;
        for loc in 0..locations {
            assert_eq!(Vec::from_iter(at(&graph, &table, 0, loc)), states(&arg, 0, loc), "{merging:?} L{loc}");
        }
    }
}

#[test]
fn narrowing_wins_back_what_widening_lost() {
    let program = program(LOOP, "");
    let graph = graph(&program);
    assert!(graph.is_head(graph.node(FuncId::new(0), LocId::new(1))));
    let mut hull = Hull::new(&program, "x", Merging::WidenAt(LocId::new(1)));
    let mut table = ascend(&mut hull, &graph, &Limits::none()).expect("no limit");
    assert_eq!(at(&graph, &table, 0, 3), Some((200, 255)));
    descend(&mut hull, &graph, &mut table, &Limits::none()).expect("no limit");
    assert_eq!(at(&graph, &table, 0, 1), Some((0, 200)));
    assert_eq!(at(&graph, &table, 0, 3), Some((200, 200)));
    let cancelled = Limits::none();
    cancelled.cancel.store(true, Ordering::Relaxed);
    assert_eq!(ascend(&mut hull, &graph, &cancelled).err(), Some(Stopped::Cancelled));
    assert_eq!(descend(&mut hull, &graph, &mut table, &cancelled).err(), Some(Stopped::Cancelled));
}

/// One state for all calls of a function; a call that cannot return gives nothing behind it, and one that is reached late
/// gets the end that is known already.
#[test]
fn calls_share_their_function() {
    let main = "
  entry L0, exit L5
  L0 -> L1: x := 1
  L1 -> L2: call f()
  L2 -> L3: x := 5
  L3 -> L4: call f()
  L4 -> L5: return
";
    let returns = "function f() {\n  entry L0, exit L2\n  L0 -> L1: skip\n  L1 -> L2: return\n}\n";
    let program_with = |callee: &str| program(main, callee);
    let program = program_with(returns);
    let graph_of = graph(&program);
    let mut hull = Hull::new(&program, "x", Merging::Join);
    let table = ascend(&mut hull, &graph_of, &Limits::none()).expect("no limit");
    assert_eq!(at(&graph_of, &table, 1, 1), Some((1, 5)), "the join over both calls");
    assert_eq!(at(&graph_of, &table, 0, 4), Some((1, 5)));
    let endless = program_with("function f() {\n  entry L0, exit L1\n  L0 -> L0: x := 7\n}\n");
    let graph_of = graph(&endless);
    let mut hull = Hull::new(&endless, "x", Merging::Join);
    let table = ascend(&mut hull, &graph_of, &Limits::none()).expect("no limit");
    assert_eq!(at(&graph_of, &table, 1, 0), Some((1, 7)));
    assert_eq!(at(&graph_of, &table, 0, 2), None, "the call does not return");
}
