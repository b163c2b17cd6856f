//! Graphs that are cut back: what is removed, what waits again, what is covered.

use crate::domain::{DIAMOND, Direct, Hull, LOOP, Merging, explore, program, states};
use robusto_cfa::ir::{Idx, LocId};
use robusto_cpa::{Arg, Composite, Order, Prec, Run, StateId, Status};
use std::ops::ControlFlow;

fn nodes_at<D>(arg: &Arg<D>, loc: usize) -> Vec<StateId> {
    arg.ids().filter(|&id| arg.node(id).state.location.loc == LocId::new(loc)).collect()
}

#[test]
fn cutting_removes_what_follows() {
    let program = program(LOOP, "");
    let mut cpa = Composite::new(&program, Hull::new(&program, "x", Merging::WidenAt(LocId::new(1))), &Direct, 10);
    let mut exploration = explore(&mut cpa, Order::ReversePostOrder);
    let before = exploration.arg.len();
    let end = nodes_at(&exploration.arg, 3)[0];
    // The state behind the loop is now smaller; its successor is explored again.
    exploration.cut(&cpa, end, (200, 200));
    assert_eq!(exploration.waitlist.len(), 1);
    let removed: Vec<StateId> =
        exploration.arg.ids().filter(|&id| exploration.arg.node(id).status == Status::Removed).collect();
    assert_eq!(removed, nodes_at(&exploration.arg, 4));
    assert!(matches!(exploration.run(&mut cpa, |_| ControlFlow::Continue(())), Run::Complete));
    assert_eq!(states(&exploration.arg, 0, 3), [(200, 200)]);
    assert_eq!(states(&exploration.arg, 0, 4), [(200, 200)]);
    assert_eq!(exploration.arg.len(), before + 1);
}

/// The diamond, where `prec` makes the two states of the join the same, so that one covers the other.
fn covered() -> (robusto_cfa::ir::Program, Vec<(LocId, Prec)>) {
    (program(DIAMOND, ""), vec![(LocId::new(3), Prec::Adjusted)])
}

#[test]
fn what_a_removed_state_covered_is_explored() {
    let (program, precision) = covered();
    let mut hull = Hull::new(&program, "x", Merging::Sep);
    hull.precision = precision;
    let mut cpa = Composite::new(&program, hull, &Direct, 10);
    let mut exploration = explore(&mut cpa, Order::ReversePostOrder);
    let joins = nodes_at(&exploration.arg, 3);
    let (live, other): (Vec<StateId>, Vec<StateId>) =
        joins.iter().partition(|&&id| exploration.arg.node(id).status == Status::Live);
    assert_eq!(exploration.arg.node(other[0]).status, Status::Covered(live[0]));
    // The covering state turns out to be empty.
    exploration.remove(&cpa, live[0]);
    assert_eq!(exploration.arg.node(live[0]).status, Status::Bottom);
    assert_eq!(exploration.arg.node(other[0]).status, Status::Live);
    assert!(states(&exploration.arg, 0, 4).is_empty(), "removed with it");
    assert!(matches!(exploration.run(&mut cpa, |_| ControlFlow::Continue(())), Run::Complete));
    assert_eq!(states(&exploration.arg, 0, 4), [(2, 2)], "reached through the other");
}

/// A state that became smaller may be covered by an older one, and covers nothing for certain.
#[test]
fn smaller_states_are_looked_at_again() {
    let program = program(DIAMOND, "");
    let mut cpa = Composite::new(&program, Hull::new(&program, "x", Merging::Sep), &Direct, 10);
    let mut exploration = explore(&mut cpa, Order::ReversePostOrder);
    let joins = nodes_at(&exploration.arg, 3);
    let older = exploration.arg.node(joins[0]).state.data;
    exploration.arg.node_mut(joins[1]).state.data = older;
    let followed = exploration.arg.descendants(joins[1]);
    exploration.reconsider(&mut cpa, &joins).expect("nothing stops it");
    assert_eq!(exploration.arg.node(joins[0]).status, Status::Live, "a node is not covered by a younger one");
    assert_eq!(exploration.arg.node(joins[1]).status, Status::Covered(joins[0]));
    assert!(!followed.is_empty());
    assert!(followed.iter().all(|&id| exploration.arg.node(id).status == Status::Removed));
}
