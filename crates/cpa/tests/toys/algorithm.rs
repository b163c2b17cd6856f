//! Lines 3 to 15: merge, stop, prec, and the order of exploration.

use crate::domain::{DIAMOND, Direct, Hull, LOOP, Merging, explore, program, states};
use robusto_cfa::ir::{Idx, LocId};
use robusto_cpa::{Composite, Order, Prec, Run, Status};
use std::ops::ControlFlow;

const ORDERS: [Order; 3] = [Order::BreadthFirst, Order::DepthFirst, Order::ReversePostOrder];

#[test]
fn merge_sep_keeps_paths_apart() {
    let program = program(DIAMOND, "");
    for order in ORDERS {
        let hull = Hull::new(&program, "x", Merging::Sep);
        let arg = explore(&mut Composite::new(&program, hull, &Direct, 10), order).arg;
        assert_eq!(states(&arg, 0, 3), [(1, 1), (3, 3)]);
        assert!(states(&arg, 0, 4).is_empty(), "2 is on no path");
    }
}

#[test]
fn merge_join_has_one_state_per_location() {
    let program = program(DIAMOND, "");
    for order in ORDERS {
        let hull = Hull::new(&program, "x", Merging::Join);
        let arg = explore(&mut Composite::new(&program, hull, &Direct, 10), order).arg;
        assert_eq!(states(&arg, 0, 3), [(1, 3)]);
        assert_eq!(states(&arg, 0, 4), [(2, 2)], "the price of the join");
    }
}

/// In reverse post-order both branches come to the join before it is expanded.
#[test]
fn a_join_is_expanded_once_in_reverse_post_order() {
    let program = program(DIAMOND, "");
    let transfers = |order| {
        let mut cpa = Composite::new(&program, Hull::new(&program, "x", Merging::Join), &Direct, 10);
        explore(&mut cpa, order);
        cpa.data.transfers
    };
    assert_eq!(transfers(Order::ReversePostOrder), 8, "each edge once");
    assert!(transfers(Order::DepthFirst) > 8);
}

#[test]
fn what_is_covered_is_not_explored() {
    // Both branches give x = 1.
    let program = program(&DIAMOND.replace("x := 3", "x := 1"), "");
    let mut cpa = Composite::new(&program, Hull::new(&program, "x", Merging::Sep), &Direct, 10);
    let arg = explore(&mut cpa, Order::ReversePostOrder).arg;
    assert_eq!(states(&arg, 0, 3), [(1, 1)]);
    // Both are connected with it.
    let join = arg.ids().find(|&id| arg.node(id).state.location.loc == LocId::new(3)).expect("it is reached");
    assert_eq!(arg.edges().filter(|&(_, _, to)| to == join).count(), 2);
    assert_eq!(arg.node(join).contributions.len(), 1, "the second adds nothing");
}

#[test]
fn a_loop_without_merge_ends_when_a_state_comes_again() {
    let program = program(&LOOP.replace("200", "3"), "");
    let mut cpa = Composite::new(&program, Hull::new(&program, "x", Merging::Sep), &Direct, 10);
    let arg = explore(&mut cpa, Order::ReversePostOrder).arg;
    assert_eq!(states(&arg, 0, 1), [(0, 0), (1, 1), (2, 2), (3, 3)]);
    assert_eq!(states(&arg, 0, 3), [(3, 3)]);
}

/// The location reaches `merge`: widening only at the head of the loop makes it finite at once, and loses nothing elsewhere.
#[test]
fn widening_at_loop_heads() {
    let program = program(LOOP, "");
    let run = |merging| {
        let mut cpa = Composite::new(&program, Hull::new(&program, "x", merging), &Direct, 10);
        let arg = explore(&mut cpa, Order::ReversePostOrder).arg;
        (cpa.data.transfers, states(&arg, 0, 1), states(&arg, 0, 2), states(&arg, 0, 3), cpa.data.merged_at)
    };
    let (many, ..) = run(Merging::Join);
    let (few, head, body, end, merged_at) = run(Merging::WidenAt(LocId::new(1)));
    assert!(many > 400 && few < 12, "{many} {few}");
    assert_eq!((head, body, end), (vec![(0, 255)], vec![(0, 199)], vec![(200, 255)]));
    assert!(merged_at.contains(&LocId::new(1)) && !merged_at.contains(&LocId::new(4)), "{merged_at:?}");
}

#[test]
fn prec_changes_a_state_in_its_place() {
    let program = program(DIAMOND, "");
    let mut hull = Hull::new(&program, "x", Merging::Sep);
    hull.precision = vec![(LocId::new(3), Prec::Adjusted)];
    let arg = explore(&mut Composite::new(&program, hull, &Direct, 10), Order::ReversePostOrder).arg;
    // Both states become (0, 255): one covers the other, and has the error.
    assert_eq!(states(&arg, 0, 3), [(0, 255)]);
    assert_eq!(states(&arg, 0, 4), [(2, 2)]);
    let covered: Vec<_> = arg.ids().filter(|&id| matches!(arg.node(id).status, Status::Covered(_))).collect();
    assert_eq!(covered.len(), 1);
    assert!(arg.node(covered[0]).successors.is_empty());
}

#[test]
fn prec_finds_states_empty() {
    let program = program(DIAMOND, "");
    let mut hull = Hull::new(&program, "x", Merging::Join);
    hull.precision = vec![(LocId::new(1), Prec::Bottom)];
    let arg = explore(&mut Composite::new(&program, hull, &Direct, 10), Order::ReversePostOrder).arg;
    assert_eq!(states(&arg, 0, 3), [(3, 3)], "only the other branch goes on");
    assert_eq!(arg.ids().filter(|&id| arg.node(id).status == Status::Bottom).count(), 1);
}

/// What is interrupted goes on where it was.
#[test]
fn interruption() {
    let program = program(LOOP, "");
    let mut cpa = Composite::new(&program, Hull::new(&program, "x", Merging::Join), &Direct, 10);
    let main = program.main.expect("there is a main");
    let mut events = 0;
    let (mut exploration, run) = robusto_cpa::explore(&mut cpa, main, Order::ReversePostOrder, |_| {
        events += 1;
        if events < 100 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    assert!(matches!(run, Run::Interrupted) && !exploration.waitlist.is_empty());
    assert!(matches!(exploration.run(&mut cpa, |_| ControlFlow::Continue(())), Run::Complete));
    assert_eq!(states(&exploration.arg, 0, 3), [(200, 200)]);
}

/// Calls from different places have states of their own, and recursion has an end.
#[test]
fn call_stacks() {
    let main = "
  entry L0, exit L5
  L0 -> L1: x := 1
  L1 -> L2: call f()
  L2 -> L3: x := 5
  L3 -> L4: call f()
  L4 -> L5: return
";
    let callee = "function f() {\n  entry L0, exit L2\n  L0 -> L1: x := x + 1\n  L1 -> L2: return\n}\n";
    let two = program(main, callee);
    let mut cpa = Composite::new(&two, Hull::new(&two, "x", Merging::Join), &Direct, 10);
    let arg = explore(&mut cpa, Order::ReversePostOrder).arg;
    assert_eq!(states(&arg, 1, 1), [(2, 2), (6, 6)]);
    assert_eq!((states(&arg, 0, 2), states(&arg, 0, 4)), (vec![(2, 2)], vec![(6, 6)]));
    let endless = program(main, &callee.replace("x := x + 1", "call f()"));
    let mut cpa = Composite::new(&endless, Hull::new(&endless, "x", Merging::Join), &Direct, 10);
    let main = endless.main.expect("there is a main");
    let (_, run) = robusto_cpa::explore(&mut cpa, main, Order::ReversePostOrder, |_| ControlFlow::Continue(()));
    assert!(matches!(run, Run::Stopped(robusto_limits::Stopped::Unsupported(_))), "{run:?}");
}
